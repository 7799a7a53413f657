//===- ChooseChains.h - Which ops to compute in stripes ---------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_STRIPE_CHOOSECHAINS_H
#define MEMPLAN_LIB_TRANSFORMS_STRIPE_CHOOSECHAINS_H

#include "Stripe/StripeModel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace memplan {

struct StripeOptions {
  /// The most FLOPs that may be computed again, as a share of those of all ops.
  double maxExtraFlops = 0;
  /// Only chains of a sum in a wide type and the op that rounds it, in stripes
  /// of whole rows.
  bool onlySums = false;
  /// The peak that is small enough: then fewer FLOPs again and fewer calls are
  /// better than fewer bytes.
  int64_t target = 0;
};

/// True if the function has a sum in a wide type that an op rounds.
bool hasRoundedSum(mlir::func::FuncOp function);

/// Chains for the least peak of the model, or for one of at most `target`
/// bytes; of those with the same peak, few FLOPs again and few calls. Descends
/// from no chain: each step adds the chain that lowers the peak most, of all
/// chains with an op that makes or holds what is live there. Then takes out
/// chains and enlarges stripes that the peak does not need.
std::vector<Chain> chooseChains(mlir::Block &block, const StripeModel &model,
                                const StripeOptions &options);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_STRIPE_CHOOSECHAINS_H
