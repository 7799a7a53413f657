//===- Verifier.h - The proof of a plan -------------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plan is right if no read sees lost bytes, and if the planned program is the
// original one but for where its buffers are. The state check shows the first
// from the planned program alone, the correspondence check the second from both
// programs. Neither shares code with the analyses that plans come from.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_VERIFIER_VERIFIER_H
#define MEMPLAN_VERIFIER_VERIFIER_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Support/LLVM.h"

namespace memplan {

/// The state check of functions of one module, in their order: follows over all
/// paths of a function which buffer is in which bytes of its arenas, and what
/// of it is lost. A function may be in memplan ops, or as memplan-lower writes
/// it. Emits an error for each op that uses lost bytes, or that cannot be
/// proven to use none, with a note at the other op involved; returns failure if
/// there was one. Succeeds on functions without an arena. Callees with a body
/// in the module are looked into; what is learned of them is shared. If one of
/// the functions has a global arena, all of the module is looked at for what
/// else may use it. Every function is checked, also after an error.
mlir::LogicalResult
verifyPlans(llvm::ArrayRef<mlir::FunctionOpInterface> functions);

/// The state check of every function inside `root`, as above; of the module
/// what is inside `root` is looked at.
mlir::LogicalResult verifyPlansIn(mlir::Operation *root);

/// The correspondence check: walks both functions side by side. `original` is
/// what was planned, as it was when its lifetimes were derived (after any
/// preparation such as distributed workers or changed signatures); `planned` is
/// the same function after materialization, in memplan ops, not lowered and not
/// cleaned up. Op for op they must be the same, and the operands must
/// correspond, apart from
///
/// - allocations (see BufferAllocationInterface), which become placements
///   (memplan.view, memplan.renew) that are executed as often, on the same
///   paths: of the same type, and aligned as the allocations ask;
/// - the arena, as an op or as an additional argument, and its releases;
/// - deallocations of what is planned, and pure ops that only fed these;
/// - slots that travel: additional operands of branches, additional arguments
///   of blocks and results of ops with regions, behind those of the original;
/// - pure ops that compute worker numbers and choose among slots;
/// - arenas handed to callees, behind the operands of the original call.
///
/// Values are matched by structure, so no map between the functions is needed,
/// and none is trusted. Emits an error at the first op that does not
/// correspond, with a note at its counterpart; returns failure then. It says
/// nothing of bytes: a plan is right if both checks hold. Neither function is
/// changed. Cost: linear in the ops of both.
mlir::LogicalResult checkCorrespondence(mlir::FunctionOpInterface original,
                                        mlir::FunctionOpInterface planned);

/// The check of contents: in `prepared` ops that fill buffers with one value
/// (linalg.fill, nests of loops) stand elsewhere than in `original`, or are
/// missing; copies of filled buffers are fills; copies between allocations are
/// missing; allocations stand elsewhere; and ops use slices of allocations
/// instead of others. Every other op reads the same in both, or is refused:
/// allocations are followed as long as all of their names are known. Values and
/// ops are matched by structure, what allocations hold by numbers (value
/// numbering of memory). Emits an error at the first op for which that cannot
/// be shown, with a note at its counterpart; returns failure then. Neither
/// function is changed. Cost: the ops of both, times the depth of regions, and
/// for each access to an allocation the slices of it that are written apart.
mlir::LogicalResult checkContents(mlir::FunctionOpInterface original,
                                  mlir::FunctionOpInterface prepared);

} // namespace memplan

#endif // MEMPLAN_VERIFIER_VERIFIER_H
