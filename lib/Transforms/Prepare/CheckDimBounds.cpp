//===- CheckDimBounds.cpp - Check the bounds of extents -------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prepare/CheckDimBounds.h"

#include "memplan/Analysis/BuildProblem.h"
#include "memplan/Analysis/IndexBounds.h"
#include "memplan/IR/GraphAttributes.h"
#include "memplan/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Pass/Pass.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <list>

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANDIMBOUNDS
#include "memplan/Transforms/Passes.h.inc"
} // namespace memplan

using namespace memplan;

namespace {
/// A claim about an extent that the entry does not make sure of.
struct Claim {
  unsigned argument;
  unsigned dimension;
  IndexRange range;
};
} // namespace

static bool allocatesDynamicShapes(FunctionOpInterface function) {
  bool found = false;
  walkAllocations(function, [&](Operation *op) {
    auto type = dyn_cast<MemRefType>(op->getResult(0).getType());
    found |= type && !type.hasStaticShape();
  });
  return found;
}

static SmallVector<Claim> findUnchecked(FunctionOpInterface function) {
  SmallVector<Claim> claims;
  auto hasBounds = [&](unsigned i) {
    return isa<MemRefType>(function.getArgumentTypes()[i]) &&
           function.getArgAttrOfType<DenseI64ArrayAttr>(i, kDimBoundsAttr);
  };
  // Code of a device is not planned, and has no assertions.
  if (function.isExternal() || isa<gpu::GPUFuncOp>(function) ||
      function->getParentOfType<gpu::GPUModuleOp>() ||
      llvm::none_of(llvm::seq(0u, function.getNumArguments()), hasBounds) ||
      hasArena(function) || !allocatesDynamicShapes(function))
    return claims;
  IndexBounds known(function);
  int64_t mostIndex = getGreatestIndex(function);
  for (unsigned i = 0; i != function.getNumArguments(); ++i) {
    if (!hasBounds(i))
      continue;
    auto type = cast<MemRefType>(function.getArgumentTypes()[i]);
    auto bounds =
        function.getArgAttrOfType<DenseI64ArrayAttr>(i, kDimBoundsAttr);
    for (unsigned d = 0; d != type.getRank(); ++d) {
      int64_t greatest = bounds[3 * d + 1];
      bool isBound = 0 <= greatest && greatest < mostIndex;
      IndexRange range{bounds[3 * d], isBound ? greatest : INT64_MAX,
                       bounds[3 * d + 2]};
      if (type.isDynamicDim(d) &&
          !known.getExtent(function.getArgument(i), d).isWithin(range))
        claims.push_back({i, d, range});
    }
  }
  return claims;
}

/// "dimension 1 of argument 0 (S) must be at least 1, at most 64 and a multiple
/// of 8"
static std::string describe(FunctionOpInterface function, const Claim &claim) {
  std::string text =
      ("@" + function.getName() + ": dimension " + Twine(claim.dimension) +
       " of argument " + Twine(claim.argument))
          .str();
  if (auto names =
          function.getArgAttrOfType<ArrayAttr>(claim.argument, kDimNamesAttr))
    if (auto name = dyn_cast<StringAttr>(names[claim.dimension]);
        name && !name.empty())
      text += (" (" + name.getValue() + ")").str();
  SmallVector<std::string, 3> parts;
  if (claim.range.least > 0)
    parts.push_back("at least " + std::to_string(claim.range.least));
  if (claim.range.greatest != INT64_MAX)
    parts.push_back("at most " + std::to_string(claim.range.greatest));
  if (claim.range.multipleOf > 1)
    parts.push_back("a multiple of " + std::to_string(claim.range.multipleOf));
  text += " must be " + parts.front();
  for (size_t i = 1; i < parts.size(); ++i)
    text += (i + 1 == parts.size() ? " and " : ", ") + parts[i];
  return text;
}

static void insertCheck(ImplicitLocOpBuilder &builder,
                        FunctionOpInterface function, const Claim &claim) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, value);
  };
  Value extent = memref::DimOp::create(
      builder, function.getArgument(claim.argument), constant(claim.dimension));
  Value holds;
  auto require = [&](arith::CmpIPredicate predicate, Value value,
                     int64_t other) {
    Value one =
        arith::CmpIOp::create(builder, predicate, value, constant(other));
    holds = holds ? arith::AndIOp::create(builder, holds, one) : one;
  };
  if (claim.range.least > 0)
    require(arith::CmpIPredicate::sge, extent, claim.range.least);
  if (claim.range.greatest != INT64_MAX)
    require(arith::CmpIPredicate::sle, extent, claim.range.greatest);
  if (claim.range.multipleOf > 1)
    require(arith::CmpIPredicate::eq,
            arith::RemUIOp::create(builder, extent,
                                   constant(claim.range.multipleOf)),
            0);
  cf::AssertOp::create(builder, holds, describe(function, claim));
}

void memplan::checkDimBounds(ModuleOp module) {
  module.walk([](FunctionOpInterface function) {
    SmallVector<Claim> claims = findUnchecked(function);
    if (claims.empty())
      return;
    ImplicitLocOpBuilder builder(function.getLoc(), function.getContext());
    builder.setInsertionPointToStart(&function.getFunctionBody().front());
    for (const Claim &claim : claims)
      insertCheck(builder, function, claim);
  });
}

bool memplan::hasUncheckedDimBounds(ModuleOp module) {
  return module
      .walk([](FunctionOpInterface function) {
        return findUnchecked(function).empty() ? WalkResult::advance()
                                               : WalkResult::interrupt();
      })
      .wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Names of extents
//===----------------------------------------------------------------------===//

/// True if the dynamic dimension of the argument has the name.
static bool isNamed(FunctionOpInterface function, unsigned argument,
                    unsigned dimension, StringRef name) {
  auto type = dyn_cast<ShapedType>(function.getArgumentTypes()[argument]);
  if (!type || !type.hasRank() || !type.isDynamicDim(dimension))
    return false;
  auto names = function.getArgAttrOfType<ArrayAttr>(argument, kDimNamesAttr);
  return name == ("arg" + Twine(argument) + "_d" + Twine(dimension)).str() ||
         (names && cast<StringAttr>(names[dimension]).getValue() == name);
}

/// Calls `visit` with each dynamic dimension of an argument of a function.
static void walkExtents(
    ModuleOp module,
    llvm::function_ref<void(FunctionOpInterface, unsigned, unsigned)> visit) {
  module.walk([&](FunctionOpInterface function) {
    for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
      if (auto shaped = dyn_cast<ShapedType>(type); shaped && shaped.hasRank())
        for (int64_t d = 0; d != shaped.getRank(); ++d)
          if (shaped.isDynamicDim(d))
            visit(function, static_cast<unsigned>(i), static_cast<unsigned>(d));
  });
}

static InFlightDiagnostic emitNotNamed(ModuleOp module, StringRef name) {
  InFlightDiagnostic error = emitError(module.getLoc())
                             << "no dynamic dimension of an argument is named '"
                             << name << "'";
  llvm::SetVector<StringRef> known;
  std::list<std::string> made;
  walkExtents(module, [&](FunctionOpInterface function, unsigned argument,
                          unsigned dimension) {
    auto names = function.getArgAttrOfType<ArrayAttr>(argument, kDimNamesAttr);
    StringRef given =
        names ? cast<StringAttr>(names[dimension]).getValue() : "";
    if (given.empty())
      given = made.emplace_back(
          ("arg" + Twine(argument) + "_d" + Twine(dimension)).str());
    known.insert(given);
  });
  constexpr size_t kMost = 8;
  if (!known.empty())
    error << "; there " << (known.size() == 1 ? "is " : "are ")
          << llvm::join(known.getArrayRef().take_front(kMost), ", ")
          << (known.size() > kMost ? " and others" : "");
  return error;
}

LogicalResult memplan::declareSizes(ModuleOp module,
                                    ArrayRef<std::string> sizes) {
  llvm::MapVector<StringRef, SmallVector<int64_t>> values;
  size_t count = 0;
  for (StringRef text : sizes) {
    auto [name, number] = text.split('=');
    int64_t value = 0;
    if (name.empty() || number.getAsInteger(10, value) || value < 0)
      return emitError(module.getLoc())
             << "'" << text << "' is not of the form NAME=VALUE";
    values[name].push_back(value);
    count = std::max(count, values[name].size());
  }
  llvm::StringSet<> used;
  llvm::MapVector<std::pair<Operation *, unsigned>,
                  std::vector<std::pair<unsigned, StringRef>>>
      arguments;
  walkExtents(module, [&](FunctionOpInterface function, unsigned argument,
                          unsigned dimension) {
    for (auto &[name, hints] : values)
      if (isNamed(function, argument, dimension, name)) {
        arguments[{function, argument}].emplace_back(dimension, name);
        used.insert(name);
      }
  });
  for (auto &[name, hints] : values)
    if (!used.contains(name))
      return emitNotNamed(module, name);
  for (auto &[place, named] : arguments) {
    auto function = cast<FunctionOpInterface>(place.first);
    auto type = cast<ShapedType>(function.getArgumentTypes()[place.second]);
    SmallVector<SmallVector<int64_t>> hints(
        count, SmallVector<int64_t>(static_cast<size_t>(type.getRank()), 0));
    // A size that is given less often keeps its last value.
    for (auto [dimension, name] : named)
      for (size_t i = 0; i != count; ++i)
        hints[i][dimension] =
            values[name][std::min(i, values[name].size() - 1)];
    SmallVector<Attribute> lists;
    for (const SmallVector<int64_t> &hint : hints)
      lists.push_back(DenseI64ArrayAttr::get(function.getContext(), hint));
    function.setArgAttr(place.second, kDimHintsAttr,
                        ArrayAttr::get(function.getContext(), lists));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
/// The bounds of a dimension, as the option gives them.
struct NamedBounds {
  StringRef name;
  int64_t least = 0, greatest = -1, multipleOf = 1;
  bool isUsed = false;
};

struct DimBoundsPass : memplan::impl::MemplanDimBoundsBase<DimBoundsPass> {
  using MemplanDimBoundsBase::MemplanDimBoundsBase;

  void runOnOperation() override {
    SmallVector<NamedBounds> all;
    for (const std::string &text : bounds) {
      std::optional<NamedBounds> one = parse(text);
      if (!one) {
        emitError(getOperation().getLoc())
            << "'" << text
            << "' is not of the form NAME=LEAST:GREATEST:MULTIPLE";
        return signalPassFailure();
      }
      all.push_back(*one);
    }
    getOperation().walk([&](FunctionOpInterface function) {
      for (unsigned i = 0; i != function.getNumArguments(); ++i)
        declare(function, i, all);
    });
    for (const NamedBounds &one : all)
      if (!one.isUsed) {
        emitNotNamed(getOperation(), one.name);
        return signalPassFailure();
      }
    checkDimBounds(getOperation());
  }

private:
  /// NAME=LEAST:GREATEST:MULTIPLE, where each number may be missing.
  static std::optional<NamedBounds> parse(StringRef text) {
    NamedBounds result;
    auto [name, rest] = text.split('=');
    result.name = name;
    SmallVector<StringRef, 3> numbers;
    rest.split(numbers, ':');
    if (name.empty() || rest.empty() || numbers.size() > 3)
      return std::nullopt;
    int64_t *targets[] = {&result.least, &result.greatest, &result.multipleOf};
    for (auto [number, target] : llvm::zip(numbers, targets))
      if (!number.empty() && (number.getAsInteger(10, *target) || *target < 0))
        return std::nullopt;
    if (result.multipleOf < 1 ||
        (result.greatest >= 0 && result.greatest < result.least))
      return std::nullopt;
    return result;
  }

  /// Sets the bounds of the dimensions of the argument that are named.
  static void declare(FunctionOpInterface function, unsigned argument,
                      MutableArrayRef<NamedBounds> all) {
    auto type = dyn_cast<ShapedType>(function.getArgumentTypes()[argument]);
    if (!type || !type.hasRank())
      return;
    SmallVector<int64_t> values;
    if (auto known = function.getArgAttrOfType<DenseI64ArrayAttr>(
            argument, kDimBoundsAttr))
      values.append(known.asArrayRef().begin(), known.asArrayRef().end());
    else
      for (int64_t d = 0; d != type.getRank(); ++d)
        values.append({0, -1, 1});
    bool changes = false;
    for (unsigned d = 0; d != type.getRank(); ++d)
      for (NamedBounds &one : all) {
        if (!isNamed(function, argument, d, one.name))
          continue;
        values[3 * d] = one.least;
        values[3 * d + 1] = one.greatest;
        values[3 * d + 2] = one.multipleOf;
        changes = one.isUsed = true;
      }
    if (changes)
      function.setArgAttr(
          argument, kDimBoundsAttr,
          DenseI64ArrayAttr::get(function.getContext(), values));
  }
};
} // namespace
