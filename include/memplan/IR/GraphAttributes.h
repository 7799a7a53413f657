//===- GraphAttributes.h - What programs say of their op graphs -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_IR_GRAPHATTRIBUTES_H
#define MEMPLAN_IR_GRAPHATTRIBUTES_H

#include "memplan/Graph/OpGraph.h"

#include "mlir/IR/Operation.h"
#include "mlir/Support/LLVM.h"

#include <optional>

namespace memplan {

// Of function arguments:

/// A name of graph::InputRole.
constexpr llvm::StringLiteral kRoleAttr = "memplan.role";
/// Unit: the value is there anyway, as weights are; free to keep.
constexpr llvm::StringLiteral kStaticAttr = "memplan.static";
/// Unit: the caller gives the memory away.
constexpr llvm::StringLiteral kDonatedAttr = "memplan.donated";
/// i64: which of the arguments of the function that this one was made from.
constexpr llvm::StringLiteral kArgIndexAttr = "memplan.arg_index";
/// array<i64>: what dynamic extents are taken for; 0 for none.
constexpr llvm::StringLiteral kDimHintsAttr = "memplan.dim_hints";
/// i64: what an index is taken for.
constexpr llvm::StringLiteral kHintAttr = "memplan.hint";

// Of functions:

/// i64: how many of the results are the forward function's.
constexpr llvm::StringLiteral kNumForwardOutputsAttr =
    "memplan.num_fwd_outputs";

// Of ops:

/// A name of graph::RecomputeTag.
constexpr llvm::StringLiteral kRecomputeAttr = "memplan.recompute";
/// i64 from 1: the op is computed again, for so many times by now. It keeps
/// common-subexpression elimination from merging it with the first.
constexpr llvm::StringLiteral kRecomputedAttr = "memplan.recomputed";
/// A name of graph::Randomness.
constexpr llvm::StringLiteral kRandomAttr = "memplan.random";
/// What the target description calls the op (a string).
constexpr llvm::StringLiteral kKindAttr = "memplan.kind";

/// Verifies one of these attributes; nothing if it is another one.
std::optional<mlir::LogicalResult>
verifyGraphAttribute(mlir::Operation *op, mlir::NamedAttribute attribute);
std::optional<mlir::LogicalResult>
verifyGraphArgAttribute(mlir::Operation *op, unsigned region, unsigned argument,
                        mlir::NamedAttribute attribute);

} // namespace memplan

#endif // MEMPLAN_IR_GRAPHATTRIBUTES_H
