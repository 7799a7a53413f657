//===- Fields.h - Descriptions of the fields of records ---------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A record of a problem (memplan/Core/Problem.h) describes its fields once, in
// its function fields(). The formats follow from the description: columns of
// CSV, members of JSON, attributes of IR, the fields that C and Python set by
// name, equality, and the checks of single numbers. A format states only what
// it does otherwise.
//
// A field that is not described is read and written by nothing.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_CORE_FIELDS_H
#define MEMPLAN_CORE_FIELDS_H

#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <vector>

namespace memplan {

/// True for types that describe their fields, and for lists of these.
template <typename T, typename = void> constexpr bool isRecord = false;
template <typename T>
constexpr bool isRecord<T, std::void_t<decltype(T::fields())>> = true;
template <typename T> constexpr bool isListOfRecords = false;
template <typename T>
constexpr bool isListOfRecords<std::vector<T>> = isRecord<T>;

enum class Presence : uint8_t {
  /// Readers fail without it.
  Required,
  /// It is always written; where a reader does not find it, it has its default.
  Written,
  /// It is written unless it has its default.
  Optional
};

/// What the numbers of a field may be, by itself.
enum class Limit : uint8_t { None, NotNegative, PowerOfTwo };

template <typename RecordT, typename ValueT> struct Field {
  using Record = RecordT;
  using Value = ValueT;
  static constexpr bool isRecordList = isListOfRecords<Value>;

  /// In JSON, CSV, C and Python.
  const char *name;
  /// The name of the attribute in IR.
  const char *attribute;
  Value Record::*member;
  Presence presence = Presence::Optional;
  Limit limit = Limit::None;
  /// Of a column of CSV: what a cell has, as a phrase.
  const char *meaning = "";

  /// True if this describes the member.
  template <typename Other> constexpr bool is(Other Record::*other) const {
    if constexpr (std::is_same_v<Other, Value>)
      return other == member;
    return false;
  }
  bool hasDefault(const Record &record) const {
    static const Record defaults = {};
    return record.*member == defaults.*member;
  }
  /// True if the field of the record is written.
  bool isWritten(const Record &record) const {
    return presence != Presence::Optional || !hasDefault(record);
  }
};

template <typename Record, typename Value, typename... More>
Field(const char *, const char *, Value Record::*, More...)
    -> Field<Record, Value>;

/// Calls visit(field) for each field of the record, in their order.
template <typename Record, typename Visit> void forEachField(Visit &&visit) {
  std::apply([&](const auto &...fields) { (visit(fields), ...); },
             Record::fields());
}

template <typename Record>
bool haveEqualFields(const Record &a, const Record &b) {
  bool areEqual = true;
  forEachField<Record>([&](const auto &field) {
    areEqual = areEqual && a.*field.member == b.*field.member;
  });
  return areEqual;
}
template <typename Record>
std::enable_if_t<isRecord<Record>, bool> operator==(const Record &a,
                                                    const Record &b) {
  return haveEqualFields(a, b);
}

} // namespace memplan

#endif // MEMPLAN_CORE_FIELDS_H
