//===- Equivalence.h - Planned programs are the original ones ---*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Proofs from two programs, before and after a change, that the change has kept
// the meaning. A planned program differs from the original one only in where
// its buffers are; a prepared one may also fill and copy otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_EQUIVALENCE_EQUIVALENCE_H
#define MEMPLAN_EQUIVALENCE_EQUIVALENCE_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Support/LLVM.h"

namespace memplan {

/// The correspondence check: walks both functions side by side. `original` is
/// the function for which the lifetimes were derived, after any preparation
/// such as changed signatures. `planned` is the same
/// function after materialization: in memplan ops, not lowered and not cleaned
/// up. Both must have the same ops, and their operands must correspond, except
/// for
///
/// - allocations (see BufferAllocationInterface), which become placements
///   (memplan.view, memplan.renew) that are executed as often, on the same
///   paths, and that have the type and at least the alignment of the
///   allocation;
/// - the arena, as an op or as an additional argument, and its releases;
/// - deallocations of planned buffers, and pure ops that only these use;
/// - forwarded slots: additional operands of branches, additional arguments of
///   blocks and additional results of ops with regions, behind the original
///   ones;
/// - pure ops that compute worker numbers or choose among slots;
/// - arenas that are passed to callees, behind the original operands.
///
/// Values are matched by structure; no map between the functions is needed or
/// trusted. Emits an error at the first op that does not correspond, with a
/// note at its counterpart, and returns failure. The check proves nothing about
/// bytes: a plan is correct if both checks succeed. Neither function is
/// changed. Cost: linear in the ops of both.
mlir::LogicalResult checkCorrespondence(mlir::FunctionOpInterface original,
                                        mlir::FunctionOpInterface planned);

/// The check of lowering: `lowered` does what `planned` does, which is the same
/// function in memplan ops. Apart from these, both have the same ops, whose
/// operands correspond. A view is at the same bytes of its arena, or it states
/// the slot that it is in; the order of slots that the lowered arena states
/// includes that of the memplan.slot ops, and its arithmetic computes offsets
/// in this order (verifyOffsets). `lowered` is what memplan-lower writes,
/// before other passes. Emits an error at the first op that does not
/// correspond, with a note at its counterpart, and returns failure. Neither
/// function is changed. Cost: linear in the ops of both, and in the edges
/// between slots.
mlir::LogicalResult checkLowering(mlir::FunctionOpInterface planned,
                                  mlir::FunctionOpInterface lowered);

/// The check of contents: proves that every op reads the same values in
/// `prepared` as in `original`. In `prepared`, ops that fill buffers with one
/// value (linalg.fill, nests of loops) may stand elsewhere or be missing,
/// copies of filled buffers may be fills, copies between allocations may be
/// missing, allocations may stand elsewhere, and ops may use slices of an
/// allocation instead of another allocation. Memory spaces may differ. An
/// allocation is followed as long as all of its names are known. Values and ops
/// are matched by structure; the contents of allocations are compared by
/// numbers (value numbering of memory). Emits an error at the first op for
/// which the check finds no proof, with a note at its counterpart, and returns
/// failure. Neither function is changed. Cost: the ops of both, times the depth
/// of regions, and for each access to an allocation the number of its slices
/// that are written separately.
mlir::LogicalResult checkContents(mlir::FunctionOpInterface original,
                                  mlir::FunctionOpInterface prepared);

/// The check of deallocations: proves that `raised` frees the same memrefs
/// under the same conditions as `original`, between the same other ops, which
/// use the same values. Lowered deallocations (comparisons of pointers, tables
/// and calls of upstream's helper) may be bufferization.dealloc ops, and clones
/// allocations with a copy. `raised` is in a module with its callees. Emits an
/// error at the first op that differs, with a note at its counterpart, and
/// returns failure. Neither function is changed. Cost: linear in the ops of
/// both, and for each deallocation the square of its memrefs.
mlir::LogicalResult checkDeallocations(mlir::FunctionOpInterface original,
                                       mlir::FunctionOpInterface raised);

} // namespace memplan

#endif // MEMPLAN_EQUIVALENCE_EQUIVALENCE_H
