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
#include "memplan/Report/Report.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace memplan {

/// Registers the external models that computeInStripes needs.
void registerStripeInterfaces(mlir::DialectRegistry &registry);

/// Chooses chains of a function with one block, and computes them in stripes.
/// Nothing changes if no chain is chosen. If the rewrite of a chain fails, the
/// program is correct but not folded. In both cases the result has no chains:
/// work on a clone. It says nothing of bytes.
ChangeReport computeInStripes(mlir::func::FuncOp function,
                              const StripeOptions &options);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_STRIPE_COMPUTEINSTRIPES_H
