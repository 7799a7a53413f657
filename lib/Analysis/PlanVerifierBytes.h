//===- PlanVerifierBytes.h - Which bytes an op reads or writes --*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_PLANVERIFIERBYTES_H
#define MEMPLAN_LIB_ANALYSIS_PLANVERIFIERBYTES_H

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

private:
  std::optional<ByteSet> box(mlir::Value memref,
                             llvm::ArrayRef<int64_t> offsets,
                             llvm::ArrayRef<int64_t> sizes,
                             mlir::Operation *scope) const;
  std::optional<ByteSet> all(mlir::Value memref, mlir::Operation *scope) const;
  ByteRange extent(unsigned handle) const;

  const Model &model;
  const Aliases &aliases;
};

} // namespace memplan::planverifier

#endif // MEMPLAN_LIB_ANALYSIS_PLANVERIFIERBYTES_H
