//===- Verifier.h - The proof of a plan -------------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plan is correct if no op reads lost bytes, and if the planned program
// differs from the original one only in where its buffers are. Bytes of a
// buffer are lost once another buffer has overwritten them. The state check
// proves the first condition from the planned program alone; Equivalence.h
// proves the second one, and that lowering has kept both. Neither shares code
// with the analyses that make the plan, and what both must know of sizes, each
// derives for itself (Sizes.h).
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_VERIFIER_VERIFIER_H
#define MEMPLAN_VERIFIER_VERIFIER_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Support/LLVM.h"

namespace memplan {

/// The state check of functions of one module, in the given order. On all paths
/// through a function it follows which buffer is in which bytes of the arenas
/// and which bytes of the buffer are lost. A function may be in memplan ops or
/// in the form that memplan-lower writes, whose offsets are then proven, too
/// (verifyOffsets). Emits an error at an op that uses
/// lost bytes or that cannot be proven to use none, with a note at the other op
/// involved; of several errors about one buffer only the first is emitted.
/// Returns failure if it emitted an error. Succeeds on functions without an
/// arena. The effects of a callee with a body in the module are derived from
/// the body, once for all functions. If one of the functions has a global
/// arena, the whole module is searched for other uses of that arena. Every
/// function is checked, also after an error.
mlir::LogicalResult
verifyPlans(llvm::ArrayRef<mlir::FunctionOpInterface> functions);

/// The state check of every function inside `root`. Other uses of a global
/// arena are searched for inside `root` only. Also checks the kernels inside
/// `root` whose buffers share workgroup memory.
mlir::LogicalResult verifyPlansIn(mlir::Operation *root);

/// The check of the kernels inside `root` whose buffers (memref.view with
/// memplan.workgroup) share workgroup memory: two buffers at the same bytes are
/// separated by barriers that all threads of the group execute together. Emits
/// an error at the op that may use bytes too early or too late.
mlir::LogicalResult verifyWorkgroupMemory(mlir::Operation *root);

/// The check of what memplan-lower writes for offsets in arenas of no constant
/// size; verifyPlans includes it. `getAlignment` gives the bytes to which a
/// view (memref.view) must be aligned beyond what its elements need, at
/// least 1. Emits an error at a view that is not proven to be behind the
/// buffers that it is above, inside of its arena and aligned.
mlir::LogicalResult
verifyOffsets(mlir::FunctionOpInterface function,
              llvm::function_ref<int64_t(mlir::Operation *)> getAlignment);

/// The first of the placements (memplan.view, memplan.renew) of the planned
/// function that shares bytes with another placement, or whose bytes are not
/// known; null if there is none. Fails, after an error, if a placement of the
/// function is wrong.
mlir::FailureOr<mlir::Operation *>
findSharedPlacement(mlir::FunctionOpInterface function,
                    llvm::ArrayRef<mlir::Operation *> placements);

} // namespace memplan

#endif // MEMPLAN_VERIFIER_VERIFIER_H
