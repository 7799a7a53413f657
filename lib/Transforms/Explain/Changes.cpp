//===- Changes.cpp - Changes of functions, kept for reports ---------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Explain/Changes.h"

#include "memplan/IR/GraphAttributes.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace memplan;

static Attribute toAttribute(Builder &builder, const std::string &text) {
  return builder.getStringAttr(text);
}

static Attribute toAttribute(Builder &builder, int64_t number) {
  return builder.getI64IntegerAttr(number);
}

/// Of a record, or of a list of records.
template <typename T>
static Attribute toAttribute(Builder &builder, const T &value) {
  if constexpr (isListOfRecords<T>) {
    SmallVector<Attribute> items;
    items.reserve(value.size());
    for (const auto &item : value)
      items.push_back(toAttribute(builder, item));
    return builder.getArrayAttr(items);
  } else {
    NamedAttrList members;
    forEachField<T>([&](const auto &field) {
      if (field.isWritten(value))
        members.set(field.attribute, toAttribute(builder, value.*field.member));
    });
    return members.getDictionary(builder.getContext());
  }
}

static bool fromAttribute(Attribute attribute, std::string &text) {
  auto string = dyn_cast<StringAttr>(attribute);
  if (string)
    text = string.str();
  return string != nullptr;
}

static bool fromAttribute(Attribute attribute, int64_t &number) {
  auto integer = dyn_cast<IntegerAttr>(attribute);
  bool fits = integer && integer.getValue().getSignificantBits() <= 64;
  if (fits)
    number = integer.getValue().getSExtValue();
  return fits;
}

/// Reads a record, or a list of records. False if it has a field of another
/// kind, or lacks one.
template <typename T> static bool fromAttribute(Attribute attribute, T &value) {
  if constexpr (isListOfRecords<T>) {
    auto items = dyn_cast<ArrayAttr>(attribute);
    return items && llvm::all_of(items, [&](Attribute item) {
             return fromAttribute(item, value.emplace_back());
           });
  } else {
    auto members = dyn_cast<DictionaryAttr>(attribute);
    bool isRead = members != nullptr;
    forEachField<T>([&](const auto &field) {
      Attribute member = isRead ? members.get(field.attribute) : Attribute();
      isRead = isRead && (member ? fromAttribute(member, value.*field.member)
                                 : field.presence != Presence::Required);
    });
    return isRead;
  }
}

void memplan::recordChanges(Operation *function,
                            ArrayRef<ChangeReport> changes) {
  std::vector<ChangeReport> all = readChanges(function);
  all.insert(all.end(), changes.begin(), changes.end());
  if (all.empty())
    return;
  Builder builder(function->getContext());
  function->setAttr(kChangesAttr, toAttribute(builder, all));
}

std::vector<ChangeReport> memplan::readChanges(Operation *function) {
  std::vector<ChangeReport> changes;
  if (auto list = function->getAttrOfType<ArrayAttr>(kChangesAttr))
    for (Attribute item : list)
      if (ChangeReport change; fromAttribute(item, change))
        changes.push_back(std::move(change));
  return changes;
}
