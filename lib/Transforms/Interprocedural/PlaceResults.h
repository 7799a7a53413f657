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

/// Removes memrefs from the results of functions, public ones included. The
/// caller provides the memory as an additional argument; with
/// ResultPlacement::Arena, if the module does not call the function, a
/// memplan.output before each return names the buffer instead. The function
/// writes a fresh result, or one that is a view of all of a fresh one, directly
/// to that memory, and copies other results there. A result that always is an
/// argument stays returned; so does one that cannot be moved, with a remark
/// that says why. Does nothing with ResultPlacement::Return
/// and ResultPlacement::Lend.
void placeResults(mlir::ModuleOp module, CalleeTrust trust,
                  ResultPlacement placement);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_PLACERESULTS_H
