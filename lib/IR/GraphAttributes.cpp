//===- GraphAttributes.cpp - Attributes for op graphs ---------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/IR/GraphAttributes.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace memplan;

/// Emits "attribute 'NAME' must be ..." unless `isValid`.
static LogicalResult require(Operation *op, StringRef name, bool isValid,
                             StringRef what) {
  if (isValid)
    return success();
  return op->emitOpError() << "attribute '" << name << "' must be " << what;
}

/// True for a non-negative i64 that is less than `end`.
static bool isIndexBelow(Attribute attribute, int64_t end) {
  auto number = dyn_cast<IntegerAttr>(attribute);
  return number && number.getType().isInteger(64) && number.getInt() >= 0 &&
         number.getInt() < end;
}

SmallVector<DenseI64ArrayAttr>
memplan::getDimHints(FunctionOpInterface function, unsigned argument) {
  Attribute hints = function.getArgAttr(argument, kDimHintsAttr);
  if (auto one = dyn_cast_or_null<DenseI64ArrayAttr>(hints))
    return {one};
  SmallVector<DenseI64ArrayAttr> all;
  if (auto several = dyn_cast_or_null<ArrayAttr>(hints))
    llvm::append_range(all, several.getAsRange<DenseI64ArrayAttr>());
  return all;
}

std::optional<LogicalResult>
memplan::verifyGraphAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName().getValue();
  auto text = dyn_cast<StringAttr>(attribute.getValue());
  if (name == kNumForwardOutputsAttr) {
    auto function = dyn_cast<FunctionOpInterface>(op);
    if (!function)
      return op->emitOpError()
             << "attribute '" << name << "' belongs on a function";
    return require(op, name,
                   isIndexBelow(attribute.getValue(),
                                int64_t(function.getNumResults()) + 1),
                   "a 64-bit integer, at most the number of results");
  }
  if (name == kChangesAttr) {
    auto changes = dyn_cast<ArrayAttr>(attribute.getValue());
    return require(op, name,
                   isa<FunctionOpInterface>(op) && changes &&
                       llvm::all_of(changes, llvm::IsaPred<DictionaryAttr>),
                   "an array of dictionaries, on a function");
  }
  if (name == kRecomputeAttr)
    return require(op, name,
                   text &&
                       graph::parseName<graph::RecomputeTag>(text.getValue()),
                   graph::allNames<graph::RecomputeTag>());
  if (name == kRandomAttr)
    return require(op, name,
                   text && graph::parseName<graph::Randomness>(text.getValue()),
                   graph::allNames<graph::Randomness>());
  if (name == kRecomputedAttr) {
    constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
    return require(op, name,
                   isIndexBelow(attribute.getValue(), kMost) &&
                       cast<IntegerAttr>(attribute.getValue()).getInt() > 0,
                   "a 64-bit integer, at least 1");
  }
  if (name == kKindAttr)
    return require(op, name, bool(text), "a string");
  return std::nullopt;
}

std::optional<LogicalResult>
memplan::verifyGraphArgAttribute(Operation *op, unsigned region,
                                 unsigned argument, NamedAttribute attribute) {
  StringRef name = attribute.getName().getValue();
  Attribute value = attribute.getValue();
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  if (name == kRoleAttr) {
    auto text = dyn_cast<StringAttr>(value);
    return require(op, name,
                   text && graph::parseName<graph::InputRole>(text.getValue()),
                   graph::allNames<graph::InputRole>());
  }
  if (name == kStaticAttr || name == kDonatedAttr)
    return require(op, name, isa<UnitAttr>(value), "a unit attribute");
  if (name == kArgIndexAttr || name == kHintAttr || name == kNewValueAttr)
    return require(op, name, isIndexBelow(value, kMost),
                   "a 64-bit integer, not negative");
  if (name == kDimHintsAttr || name == kDimBoundsAttr ||
      name == kDimNamesAttr) {
    auto function = dyn_cast<FunctionOpInterface>(op);
    auto type =
        function ? dyn_cast<ShapedType>(function.getArgumentTypes()[argument])
                 : ShapedType();
    // Functions of LLVM keep the attributes of arguments that are pointers now.
    if (function && !type &&
        function->getName().getDialectNamespace() == "llvm")
      return success();
    int64_t rank = type && type.hasRank() ? type.getRank() : -1;
    if (name == kDimNamesAttr) {
      auto names = dyn_cast<ArrayAttr>(value);
      return require(op, name,
                     names && static_cast<int64_t>(names.size()) == rank &&
                         llvm::all_of(names, llvm::IsaPred<StringAttr>),
                     "an array of strings, one for each dimension of the "
                     "argument");
    }
    if (name == kDimBoundsAttr) {
      auto bounds = dyn_cast<DenseI64ArrayAttr>(value);
      bool isValid = bounds && rank >= 0 && bounds.size() == 3 * rank;
      for (int64_t d = 0; isValid && d < rank; ++d) {
        int64_t least = bounds[3 * d], greatest = bounds[3 * d + 1];
        isValid = least >= 0 && (greatest == -1 || greatest >= least) &&
                  bounds[3 * d + 2] >= 1;
      }
      return require(op, name, isValid,
                     "an array<i64> of the least extent, the greatest one or "
                     "-1, and a divisor, for each dimension of the argument");
    }
    auto isHint = [&](Attribute attribute) {
      auto hints = dyn_cast<DenseI64ArrayAttr>(attribute);
      return hints && hints.size() == rank &&
             llvm::all_of(hints.asArrayRef(),
                          [](int64_t hint) { return hint >= 0; });
    };
    auto several = dyn_cast<ArrayAttr>(value);
    bool isValid = several && !several.empty() ? llvm::all_of(several, isHint)
                                               : isHint(value);
    return require(op, name, isValid,
                   "an array<i64> of numbers that are not negative, one for "
                   "each dimension of the argument");
  }
  return std::nullopt;
}
