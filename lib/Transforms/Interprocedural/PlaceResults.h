//===- PlaceResults.h - Results in memory of the caller ---------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_PLACERESULTS_H
#define MEMPLAN_LIB_TRANSFORMS_PLACERESULTS_H

#include "memplan/Analysis/AliasGraph.h"
#include "memplan/Transforms/OptionParsers.h"

#include "mlir/IR/BuiltinOps.h"

namespace memplan {

/// Takes memrefs out of the results of functions, public ones included: the
/// caller provides the memory of each as a further argument, or, with
/// ResultPlacement::Arena and for functions that nobody in the module calls, a
/// memplan.output before each return names the buffer. What is returned is
/// written there in the first place if it is fresh memory, or a view of all of
/// it; other results are copied. A result that always is an argument stays
/// returned, and so does one that cannot be taken out, with a remark that says
/// why. Does nothing with ResultPlacement::Return.
void placeResults(mlir::ModuleOp module, CalleeTrust trust,
                  ResultPlacement placement);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_PLACERESULTS_H
