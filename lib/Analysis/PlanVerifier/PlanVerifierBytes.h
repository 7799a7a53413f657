//===- PlanVerifierBytes.h - Which bytes an op reads or writes --*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_PLANVERIFIERBYTES_H
#define MEMPLAN_LIB_ANALYSIS_PLANVERIFIERBYTES_H

#include "PlanVerifierAliases.h"
#include "PlanVerifierBoxes.h"
#include "PlanVerifierLoops.h"
#include "PlanVerifierState.h"

namespace memplan::planverifier {

/// Bytes are counted from the start of the slot of a handle. They are asked for
/// only once a slot has lost some, so nothing is computed ahead.
class Bytes {
public:
  Bytes(const Model &model, const Aliases &aliases)
      : model(model), aliases(aliases) {}

  /// No less than what is read through `access`.
  ByteSet read(mlir::Operation *op, const Access &access) const;

  /// No more than what is surely written through `access`.
  ByteSet written(mlir::Operation *op, const Access &access) const;

  /// The outermost loop by whose end the iterations of `op` have written a box
  /// that grows with the loops' induction variables; null if there is none.
  LoopKey findCoveringLoop(mlir::Operation *op, const Access &access,
                           Loops &loops) const;

  /// No more than what the iterations of `loop`, which findCoveringLoop gave,
  /// have surely written.
  ByteSet covered(LoopKey loop, mlir::Operation *op, const Access &access,
                  Loops &loops) const;

  /// True if the type of `memref` says which bytes of its slot it names.
  bool hasKnownPlace(mlir::Value memref) const;

private:
  std::optional<ByteSet> bytesOf(const Box &box, mlir::Operation *scope) const;
  ByteRange extent(unsigned handle) const;

  const Model &model;
  const Aliases &aliases;
};

} // namespace memplan::planverifier

#endif // MEMPLAN_LIB_ANALYSIS_PLANVERIFIERBYTES_H
