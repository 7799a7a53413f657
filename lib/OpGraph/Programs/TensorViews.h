//===- TensorViews.h - Tensors that are views -------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_OPGRAPH_TENSORVIEWS_H
#define MEMPLAN_ANALYSIS_OPGRAPH_TENSORVIEWS_H

#include "mlir/IR/Value.h"

#include "llvm/ADT/DenseSet.h"

#include <optional>

namespace memplan {

/// A tensor that one-shot bufferization turns into a view.
struct TensorView {
  /// A tensor, or the memref whose contents the tensor is.
  mlir::Value source;
  /// Elements from the first one of the source; 0 if it is not known.
  int64_t offset = 0;
};

/// The view that the result is; std::nullopt if it has memory of its own.
/// `strided` has the tensors whose elements are not contiguous, so that their
/// dimensions cannot be collapsed without a copy; the result is added if it is
/// one. Must be called once for each result, in program order.
std::optional<TensorView> getTensorView(mlir::OpResult result,
                                        llvm::DenseSet<mlir::Value> &strided);

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_OPGRAPH_TENSORVIEWS_H
