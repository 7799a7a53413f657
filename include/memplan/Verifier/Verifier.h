//===- Verifier.h - Checks of planned programs ------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plan is right if no read sees lost bytes, and if the planned program equals
// the original one except for the places of its buffers. The state check proves
// the first from the planned program alone; the correspondence check proves the
// second from both programs. Neither shares code with the analyses of the
// planner.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_VERIFIER_VERIFIER_H
#define MEMPLAN_VERIFIER_VERIFIER_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Support/LLVM.h"

namespace memplan {

/// The state check of functions of one module: follows all paths of each
/// function, with the buffer that each byte range of its arenas holds and the
/// buffers whose bytes are lost. A function may be in memplan ops, or in the
/// form that memplan-lower writes. Emits an error for each op that uses lost
/// bytes, or for which it cannot prove the contrary, with a note at the other
/// op involved. Checks every function, also after an error; fails if there was
/// one. Succeeds on functions without an arena. Looks into callees with a body
/// in the module, each once. If a function has a global arena, looks for its
/// uses in the whole module.
mlir::LogicalResult
verifyPlans(llvm::ArrayRef<mlir::FunctionOpInterface> functions);

/// The state check of every function inside `root`. Looks for callees and for
/// uses of global arenas inside `root` only.
mlir::LogicalResult verifyPlansIn(mlir::Operation *root);

/// The correspondence check: compares both functions op by op. `original` is
/// the function whose lifetimes were derived, after any preparation such as
/// distributed workers or changed signatures. `planned` is the same function
/// after materialization, in memplan ops, not lowered and not cleaned up. Their
/// ops and operands must correspond, with these exceptions:
///
/// - Allocations (see BufferAllocationInterface) become placements
///   (memplan.view, memplan.renew) of the same type, with at least the same
///   alignment, which are executed as often and on the same paths.
/// - `planned` has an arena, as an op or as an additional argument, and
///   releases of it.
/// - Deallocations of planned buffers are missing, and pure ops that only they
///   used.
/// - Slots are forwarded: branches have additional operands, and blocks and ops
///   with regions additional arguments and results, behind the original ones.
/// - There are additional pure ops that compute worker numbers or choose slots.
/// - Calls pass arenas to callees, behind the operands of the original call.
///
/// Values are matched by structure; no map between the functions is needed or
/// trusted. Emits an error at the first op that does not correspond, with a
/// note at its counterpart, and fails then. Does not check bytes: a plan is
/// right if both checks succeed. Does not change the functions. Cost: linear in
/// the ops of both.
mlir::LogicalResult checkCorrespondence(mlir::FunctionOpInterface original,
                                        mlir::FunctionOpInterface planned);

/// The check of contents, for the changes that planning makes before it derives
/// lifetimes. In `prepared`, compared with `original`, fills of buffers with
/// one value (linalg.fill, nests of loops) may have moved or be missing; copies
/// of filled buffers may be fills; copies between allocations may be missing;
/// allocations may have moved; and ops may use slices of other allocations.
/// Proves that every other op reads the same values in both. Values and ops are
/// matched by structure, and the contents of allocations by value numbering of
/// memory; an allocation is followed as long as all of its names are known.
/// Emits an error at the first op for which the proof fails, with a note at its
/// counterpart, and fails then. Does not change the functions. Cost: the ops of
/// both, times the depth of regions, and for each access to an allocation the
/// slices of it that are written separately.
mlir::LogicalResult checkContents(mlir::FunctionOpInterface original,
                                  mlir::FunctionOpInterface prepared);

} // namespace memplan

#endif // MEMPLAN_VERIFIER_VERIFIER_H
