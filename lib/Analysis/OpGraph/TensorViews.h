//===- TensorViews.h - Tensors that are parts of others ---------*- C++ -*-===//
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

/// A tensor that one-shot bufferization makes a view.
struct TensorView {
  /// A tensor, or the memref that the tensor is the contents of.
  mlir::Value source;
  /// Elements from the first one of the source; 0 where it is not known.
  int64_t offset = 0;
};

/// The view that a result is; nothing where it has memory of its own. `strided`
/// holds the tensors whose elements do not lie one after another, of which a
/// dimension cannot be collapsed without a copy; the result joins them if it is
/// one. To be asked once for each result, in program order.
std::optional<TensorView> getTensorView(mlir::OpResult result,
                                        llvm::DenseSet<mlir::Value> &strided);

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_OPGRAPH_TENSORVIEWS_H
