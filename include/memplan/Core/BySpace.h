//===- BySpace.h - Values for memory spaces ---------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The grammar of options that give each memory space its own value:
//
//   list  := entry {"," entry}
//   entry := [space ":"] value
//
// A space is spelled as reports and messages spell it: 1 for the number 1, L1
// for the string "L1", #gpu.address_space<private> for any other attribute, and
// 0 for the default space. A value without a space is for all spaces that have
// no entry of their own. Commas inside of brackets belong to an attribute, and
// the last colon of an entry ends the space.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_CORE_BYSPACE_H
#define MEMPLAN_CORE_BYSPACE_H

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan {

/// An entry of the list. The space is empty if the value is for all spaces
/// without an entry.
struct SpaceValue {
  std::string space;
  std::string value;
};

/// Splits the list. Returns std::nullopt and sets `error` (lower case, no full
/// stop) if a space or a value is missing or two entries have the same space.
std::optional<std::vector<SpaceValue>> splitBySpace(std::string_view text,
                                                    std::string &error);

/// The most bytes that the arenas of each memory space may have.
struct Capacities {
  /// No limits.
  Capacities() = default;
  /// One limit for every space.
  Capacities(int64_t bytes) : others(bytes) {}

  /// Parses a list whose values are numbers of bytes (parseByteSize):
  /// "4096", "1:64K,2:8192", "1:64K,1M". Returns std::nullopt and sets `error`
  /// if the text is no such list.
  static std::optional<Capacities> parse(std::string_view text,
                                         std::string &error);
  /// The text that parse() reads; "" without limits.
  std::string format() const;

  /// The limit of the space in bytes; std::nullopt if it has none. The default
  /// space is "0" or "".
  std::optional<int64_t> find(std::string_view space) const;
  /// The least limit; 0 without limits.
  int64_t least() const;
  bool isLimited() const { return others || !bySpace.empty(); }

  /// The limit of the spaces that are not in `bySpace`.
  std::optional<int64_t> others;
  /// The limits of single spaces.
  std::map<std::string, int64_t, std::less<>> bySpace;
};

} // namespace memplan

#endif // MEMPLAN_CORE_BYSPACE_H
