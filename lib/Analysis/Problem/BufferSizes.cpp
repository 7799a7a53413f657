//===- BufferSizes.cpp - Sizes of buffers ---------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Problem/BufferSizes.h"

#include "memplan/Analysis/ElementSize.h"
#include "memplan/Core/CheckedMath.h"
#include "memplan/Core/Order.h"
#include "memplan/IR/Constants.h"
#include "memplan/IR/Observation.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include <map>
#include <set>

using namespace mlir;
using namespace memplan;

/// Bytes: the greatest slot of a buffer of which the size is not known at the
/// entry. A larger one may be far from what the program needs.
constexpr int64_t kMostForVariable = int64_t(1) << 20;

bool BufferSizes::boundSize(BufferRecord &record, int64_t elementBytes,
                            bool isVariable) {
  std::optional<int64_t> elements =
      formulas.getBounds().getMostElements(record.origin->getResult(0));
  std::optional<int64_t> most =
      elements ? checkedMul(*elements, elementBytes) : std::nullopt;
  if (!most || *most > kMaxBufferBytes ||
      (isVariable && (*most > kMostForVariable ||
                      problem.steps.around(order.begin(record.origin)))))
    return false;
  record.size = *most;
  record.isBounded = true;
  record.isVariable = isVariable;
  record.formula = formulas.getBytes(record.origin->getResult(0), elementBytes);
  return true;
}

void BufferSizes::describe(BufferRecord &record, int64_t elementBytes) {
  Operation *op = record.origin;
  if (!isa<memref::AllocOp, memref::AllocaOp>(op))
    return record.exclude("has a dynamic shape");
  // A buffer with an extent of 0 is never larger, but then nobody needs it.
  int64_t least = elementBytes;
  for (int64_t extent : record.type.getShape())
    if (!ShapedType::isDynamic(extent) &&
        (llvm::MulOverflow(least, extent, least) || least > kMaxBufferBytes))
      return record.exclude("needs more than 2^48 bytes");
  // No proof knows the bytes of such a buffer, and no program can use it.
  for (Value extent : op->getOperands())
    if (std::optional<int64_t> constant = getConstantNumber(extent);
        constant && *constant < 0)
      return record.exclude("has an extent of " + Twine(*constant));
  Value unknown;
  int64_t dimension = 0;
  for (auto [i, extent] : llvm::enumerate(record.type.getShape()))
    if (!unknown && ShapedType::isDynamic(extent)) {
      dimension = static_cast<int64_t>(i);
      unknown = values.findUnknownExtent(op->getResult(0), dimension);
    }
  bool isInParallel = problem.parallel || order.isInsideOpaque(op);
  if ((atGreatestSizes || unknown || isInParallel) &&
      boundSize(record, elementBytes, /*isVariable=*/unknown != nullptr))
    return;
  if (atGreatestSizes)
    return record.exclude("has a dynamic shape of which no greatest size is "
                          "known (memplan.dim_bounds)");
  if (isInParallel)
    return record.exclude("has a dynamic shape, inside an op that may run "
                          "while others do");
  // Offsets that are computed at run time would have to be proven not to wrap.
  if (!unknown && getGreatestIndex(problem.function) != INT64_MAX)
    return record.exclude("has a dynamic shape, and an index has fewer than "
                          "64 bits");
  if (!unknown) {
    record.formula = formulas.getBytes(op->getResult(0), elementBytes);
    return;
  }
  Operation *maker = unknown.getDefiningOp();
  bool isArgument = !maker;
  if (isArgument)
    maker = cast<BlockArgument>(unknown).getOwner()->getParentOp();
  if (isArgument && maker == problem.function)
    return record.exclude("has a dynamic shape: dimension " + Twine(dimension) +
                              " depends on an argument that is no integer",
                          maker);
  record.exclude(
      "has a dynamic shape: dimension " + Twine(dimension) + " depends on " +
          (isArgument ? "a block argument of '" : "the result of '") +
          maker->getName().getStringRef() +
          "', which is not known at the entry of the function",
      maker);
}

bool memplan::isAlwaysReached(Operation *op, FunctionOpInterface function) {
  return op->getBlock() == &function.getFunctionBody().front();
}

/// True if control may skip the op although no loop around it is empty.
static bool isInBranch(Operation *op, FunctionOpInterface function) {
  for (;; op = op->getParentOp()) {
    if (op->getBlock() != &op->getParentRegion()->front())
      return true;
    Operation *parent = op->getParentOp();
    if (parent == function)
      return false;
    if (!isa<LoopLikeOpInterface, memref::AllocaScopeOp, scf::ExecuteRegionOp>(
            parent))
      return true;
  }
}

void BufferSizes::settle() {
  problem.symbols = formulas.getSymbols();
  problem.hints = formulas.getHints();
  Problem sizes;
  sizes.symbols = problem.symbols;
  sizes.hints = problem.hints;
  std::set<Formula> always;
  for (const BufferRecord &record : problem.buffers) {
    if (!record.isPlanned())
      continue;
    if (isAlwaysReached(record.origin, problem.function))
      always.insert(record.getSlotFormula().value_or(Formula(record.size)));
    sizes.buffers.emplace_back().formula = record.getSlotFormula();
  }
  std::vector<SymbolValues> hints;
  for (const std::vector<int64_t> &hint : getHints(sizes)) {
    SymbolValues &values = hints.emplace_back();
    for (auto [symbol, value] : llvm::zip(problem.symbols, hint))
      values[symbol.name] = value;
  }
  // By their values at the first hint, the greatest first.
  std::vector<std::pair<int64_t, Formula>> existing;
  existing.reserve(always.size());
  for (const Formula &formula : always)
    existing.emplace_back(formula.evaluate(hints.front()).value_or(INT64_MAX),
                          formula);
  llvm::stable_sort(
      existing, [](const auto &a, const auto &b) { return a.first > b.first; });
  std::map<std::pair<Formula, bool>, bool> answers;
  auto mayExist = [&](const Formula &formula, bool isInBranch) {
    auto [it, isNew] = answers.try_emplace({formula, isInBranch}, false);
    if (!isNew)
      return it->second;
    // A size that is less at the hint is not always as much. A few of the
    // others are compared, so that this takes linear time.
    constexpr size_t kMostCompared = 64;
    int64_t value = formula.evaluate(hints.front()).value_or(INT64_MIN);
    return it->second =
               formulas.isPartOfArgument(formula, isInBranch) ||
               always.count(formula) != 0 ||
               (formulas.isAlwaysExact(formula) &&
                llvm::any_of(llvm::ArrayRef(existing).take_front(kMostCompared),
                             [&](const auto &other) {
                               return other.first >= value &&
                                      isNeverGreater(formula, other.second,
                                                     problem.symbols);
                             }));
  };
  int64_t guard = getObserveGuard(problem.function).value_or(0);
  for (BufferRecord &record : problem.buffers) {
    if (!record.getSlotFormula() || !record.isPlanned())
      continue;
    if (!isAlwaysReached(record.origin, problem.function) &&
        !mayExist(*record.formula,
                  isInBranch(record.origin, problem.function))) {
      record.exclude("has a dynamic shape, is allocated under a condition, "
                     "and may be larger than all memory that always exists");
      continue;
    }
    MaybeFormula guarded = add(record.formula, guard);
    if (!guarded || !llvm::all_of(hints, [&](const SymbolValues &values) {
          return guarded->evaluate(values).has_value();
        })) {
      record.exclude("has a dynamic shape whose size overflows at a hint");
      continue;
    }
    record.size = std::clamp<int64_t>(*record.formula->evaluate(hints.front()),
                                      0, kMostSymbolicBytes);
  }
}
