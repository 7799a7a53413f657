//===- GraphAttributes.h - Attributes for op graphs -------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_IR_GRAPHATTRIBUTES_H
#define MEMPLAN_IR_GRAPHATTRIBUTES_H

#include "memplan/Core/OpKinds.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Support/LLVM.h"

#include <optional>

namespace memplan {

// On function arguments:

/// A name of graph::InputRole.
constexpr llvm::StringLiteral kRoleAttr = "memplan.role";
/// Unit: the value exists anyway, as weights do, so that keeping it is free.
constexpr llvm::StringLiteral kStaticAttr = "memplan.static";
/// Unit: the caller does not need the memory any more.
constexpr llvm::StringLiteral kDonatedAttr = "memplan.donated";
/// i64: the number of the result that is the new value of the argument.
constexpr llvm::StringLiteral kNewValueAttr = "memplan.new_value";
/// i64: the number of the argument of the original function that became this
/// one.
constexpr llvm::StringLiteral kArgIndexAttr = "memplan.arg_index";
/// array<i64>: assumed values of the dynamic extents; 0 for no assumption. Or
/// an array of these, each with other values.
constexpr llvm::StringLiteral kDimHintsAttr = "memplan.dim_hints";
/// array<i64>: for each dimension the least extent, the greatest one (-1 for
/// none), and a number of which all are multiples.
constexpr llvm::StringLiteral kDimBoundsAttr = "memplan.dim_bounds";
/// Array of strings: the names of the dimensions, "" for none.
constexpr llvm::StringLiteral kDimNamesAttr = "memplan.dim_names";
/// i64: the assumed value of an index.
constexpr llvm::StringLiteral kHintAttr = "memplan.hint";

// On functions:

/// i64: the number of results that are results of the forward function.
constexpr llvm::StringLiteral kNumForwardOutputsAttr =
    "memplan.num_fwd_outputs";
/// Array of dictionaries with the fields of ChangeReport: how passes changed
/// the function so that its plan needs less. Reports of plans list it; no pass
/// depends on it.
constexpr llvm::StringLiteral kChangesAttr = "memplan.changes";

// On ops:

/// A name of graph::RecomputeTag.
constexpr llvm::StringLiteral kRecomputeAttr = "memplan.recompute";
/// i64, at least 1: the op is computed again, for the n-th time. It keeps
/// common-subexpression elimination from merging the op with the first.
constexpr llvm::StringLiteral kRecomputedAttr = "memplan.recomputed";
/// A name of graph::Randomness.
constexpr llvm::StringLiteral kRandomAttr = "memplan.random";
/// String: the name of the op's kind in the target description.
constexpr llvm::StringLiteral kKindAttr = "memplan.kind";

/// The lists of kDimHintsAttr of an argument; empty if it has none.
llvm::SmallVector<mlir::DenseI64ArrayAttr>
getDimHints(mlir::FunctionOpInterface function, unsigned argument);

/// Verifies one of these attributes; std::nullopt if it is another attribute.
std::optional<mlir::LogicalResult>
verifyGraphAttribute(mlir::Operation *op, mlir::NamedAttribute attribute);
std::optional<mlir::LogicalResult>
verifyGraphArgAttribute(mlir::Operation *op, unsigned region, unsigned argument,
                        mlir::NamedAttribute attribute);

} // namespace memplan

#endif // MEMPLAN_IR_GRAPHATTRIBUTES_H
