//===- ComputeInStripes.h - Chains of a function in stripes -----*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_STRIPE_COMPUTEINSTRIPES_H
#define MEMPLAN_LIB_TRANSFORMS_STRIPE_COMPUTEINSTRIPES_H

#include "Stripe/ChooseChains.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace memplan {

/// A chain that is computed in stripes, for reports.
struct Stripe {
  explicit Stripe(mlir::Location loc) : loc(loc) {}
  mlir::Location loc;
  /// The ops, e.g. "pad, depthwise_conv_2d_nhwc_hwcm_q, generic".
  std::string ops;
  /// Iterations of the loop of the last op: in a stripe, and all.
  int64_t rows = 0, count = 0;
  /// The most slices of one result that are computed twice at a seam.
  int64_t halo = 0;
  int64_t extraFlops = 0, allFlops = 0;
};

/// A line for each chain.
void print(llvm::ArrayRef<Stripe> stripes, llvm::raw_ostream &os);

/// Registers the external models that computeInStripes needs.
void registerStripeInterfaces(mlir::DialectRegistry &registry);

/// Chooses chains of a function with one block, and computes them in stripes.
/// Nothing changes if no chain is chosen. If the rewrite of a chain fails, the
/// program is correct but not folded, and the result is empty: work on a clone.
std::vector<Stripe> computeInStripes(mlir::func::FuncOp function,
                                     const StripeOptions &options);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_STRIPE_COMPUTEINSTRIPES_H
