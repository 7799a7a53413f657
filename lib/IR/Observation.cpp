//===- Observation.cpp - Marks for the observer of programs ---------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/IR/Observation.h"

#include "memplan/IR/Memplan.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace memplan;

std::optional<int64_t> memplan::getObserveGuard(Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto guard =
            op->getAttrOfType<IntegerAttr>(MemplanDialect::kObserveAttr))
      return guard.getInt();
  return std::nullopt;
}

Attribute memplan::writeObserved(MLIRContext *context,
                                 const Observed &observed) {
  Builder builder(context);
  NamedAttrList list;
  list.append("slot", builder.getStringAttr(observed.slot));
  list.append("loop", builder.getI64IntegerAttr(observed.loop));
  list.append("live", builder.getDenseI64ArrayAttr(observed.live));
  list.append("base", builder.getI64IntegerAttr(observed.base));
  if (observed.baseInSlot)
    list.append("base_in_slot", builder.getUnitAttr());
  list.append("guard", builder.getI64IntegerAttr(observed.guard));
  list.append("shares", builder.getStringAttr(observed.shares));
  return list.getDictionary(context);
}

static std::optional<Observed> parse(Attribute attribute) {
  auto list = dyn_cast_or_null<DictionaryAttr>(attribute);
  if (!list)
    return std::nullopt;
  auto slot = list.getAs<StringAttr>("slot");
  auto loop = list.getAs<IntegerAttr>("loop");
  auto live = list.getAs<DenseI64ArrayAttr>("live");
  auto base = list.getAs<IntegerAttr>("base");
  auto guard = list.getAs<IntegerAttr>("guard");
  auto shares = list.getAs<StringAttr>("shares");
  if (!slot || !loop || !live || live.size() % 2 != 0 || !base || !guard ||
      guard.getInt() < 0 || !shares)
    return std::nullopt;
  return Observed{slot.str(),
                  loop.getInt(),
                  SmallVector<int64_t>(live.asArrayRef()),
                  base.getInt(),
                  list.contains("base_in_slot"),
                  guard.getInt(),
                  shares.str()};
}

std::optional<Observed> memplan::readObserved(Operation *op) {
  return parse(op->getDiscardableAttr(MemplanDialect::kObservedAttr));
}

std::optional<std::pair<int64_t, int64_t>> memplan::readPoint(Operation *op) {
  auto point = dyn_cast_or_null<DenseI64ArrayAttr>(
      op->getDiscardableAttr(MemplanDialect::kPointAttr));
  if (!point || point.size() != 2)
    return std::nullopt;
  return std::pair(point[0], point[1]);
}

bool memplan::isObserved(Operation *function) {
  return function
      ->walk([](Operation *op) {
        return op->hasAttr(MemplanDialect::kPointAttr) ? WalkResult::interrupt()
                                                       : WalkResult::advance();
      })
      .wasInterrupted();
}

void memplan::removeObservation(Operation *op) {
  op->walk([](Operation *inner) {
    // Most ops have no attributes beside their properties.
    if (inner->getRawDictionaryAttrs().empty())
      return;
    for (StringRef name :
         {MemplanDialect::kObserveAttr, MemplanDialect::kPointAttr,
          MemplanDialect::kObservedAttr})
      inner->removeDiscardableAttr(name);
  });
}

std::optional<LogicalResult>
memplan::verifyObservationAttribute(Operation *op, NamedAttribute attribute) {
  auto require = [&](bool isValid, StringRef what) -> LogicalResult {
    if (isValid)
      return success();
    return op->emitOpError() << "attribute '" << attribute.getName().getValue()
                             << "' must be " << what;
  };
  if (attribute.getName() == MemplanDialect::kObserveAttr) {
    auto guard = dyn_cast<IntegerAttr>(attribute.getValue());
    return require(isa<ModuleOp>(op) && guard &&
                       guard.getType().isInteger(64) && guard.getInt() >= 0,
                   "a 64-bit integer, not negative, on a module");
  }
  if (attribute.getName() == MemplanDialect::kPointAttr) {
    auto point = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
    return require(point && point.size() == 2,
                   "an array of two i64, the number of a parallel loop and a "
                   "point in its body");
  }
  if (attribute.getName() == MemplanDialect::kObservedAttr)
    return require(isa<ViewOp>(op) && parse(attribute.getValue()).has_value(),
                   "the description of a slot, on a memplan.view");
  return std::nullopt;
}
