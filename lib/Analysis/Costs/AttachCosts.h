//===- AttachCosts.h - One cost model for many ops --------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_OPGRAPH_ATTACHCOSTS_H
#define MEMPLAN_ANALYSIS_OPGRAPH_ATTACHCOSTS_H

#include "memplan/IR/OpCost.h"

namespace memplan {

template <typename Op, typename Derived>
using CostModelOf =
    typename OpCostInterface::template ExternalModel<Derived, Op>;

/// Attaches the same cost model to each of a list of ops.
template <template <typename> class Model, typename... Ops>
void attach(mlir::MLIRContext *context) {
  (Ops::template attachInterface<Model<Ops>>(*context), ...);
}

/// The cost model of ops that cost nothing: constants, views, allocations,
/// terminators.
template <typename Op> struct FreeModel : CostModelOf<Op, FreeModel<Op>> {
  OpCost estimateCost(mlir::Operation *op, CostContext &context) const {
    return OpCost();
  }
};

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_OPGRAPH_ATTACHCOSTS_H
