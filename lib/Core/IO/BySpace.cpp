//===- BySpace.cpp - Values for memory spaces -----------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Core/BySpace.h"

#include "memplan/Core/ByteSize.h"

#include <algorithm>
#include <set>

using namespace memplan;

/// The entries between the commas that are outside of brackets; std::nullopt if
/// brackets do not match in number. The arrow of a map is none.
static std::optional<std::vector<std::string_view>>
splitAtCommas(std::string_view text) {
  std::vector<std::string_view> entries;
  size_t begin = 0, depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (std::string_view("<([{").find(c) != std::string_view::npos)
      ++depth;
    else if (std::string_view(">)]}").find(c) != std::string_view::npos) {
      if (c == '>' && i > 0 && text[i - 1] == '-')
        continue;
      if (depth == 0)
        return std::nullopt;
      --depth;
    } else if (c == ',' && depth == 0) {
      entries.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  if (depth != 0)
    return std::nullopt;
  entries.push_back(text.substr(begin));
  return entries;
}

std::optional<std::vector<SpaceValue>>
memplan::splitBySpace(std::string_view text, std::string &error) {
  std::vector<SpaceValue> values;
  std::set<std::string> seen;
  auto entries = splitAtCommas(text);
  if (!entries) {
    error = "the brackets in '" + std::string(text) + "' do not match";
    return std::nullopt;
  }
  for (std::string_view entry : *entries) {
    size_t colon = entry.rfind(':');
    bool hasSpace = colon != std::string_view::npos;
    SpaceValue value{std::string(entry.substr(0, hasSpace ? colon : 0)),
                     std::string(entry.substr(hasSpace ? colon + 1 : 0))};
    if (value.value.empty() || (hasSpace && value.space.empty())) {
      error = "'" + std::string(entry) +
              "' is neither a value nor a memory space and its value";
      return std::nullopt;
    }
    if (!seen.insert(value.space).second) {
      error = hasSpace ? "memory space " + value.space + " is named twice"
                       : "there are two values without a memory space";
      return std::nullopt;
    }
    values.push_back(std::move(value));
  }
  return values;
}

std::optional<Capacities> Capacities::parse(std::string_view text,
                                            std::string &error) {
  std::optional<std::vector<SpaceValue>> values = splitBySpace(text, error);
  if (!values)
    return std::nullopt;
  Capacities capacities;
  for (const SpaceValue &entry : *values) {
    std::optional<int64_t> bytes = parseByteSize(entry.value);
    if (!bytes) {
      error = "'" + entry.value +
              "' is not a number of bytes, such as 4096, 64K or 1M";
      if (values->size() > 1 || !entry.space.empty())
        error += ", in the list of memory spaces '" + std::string(text) + "'";
      return std::nullopt;
    }
    if (entry.space.empty())
      capacities.others = bytes;
    else
      capacities.bySpace[entry.space] = *bytes;
  }
  return capacities;
}

std::string Capacities::format() const {
  std::string text;
  auto add = [&](const std::string &entry) {
    text += (text.empty() ? "" : ",") + entry;
  };
  for (const auto &[space, bytes] : bySpace)
    add(space + ":" + std::to_string(bytes));
  if (others)
    add(std::to_string(*others));
  return text;
}

int64_t Capacities::least() const {
  int64_t least = others.value_or(bySpace.empty() ? 0 : INT64_MAX);
  for (const auto &[space, bytes] : bySpace)
    least = std::min(least, bytes);
  return least;
}

std::optional<int64_t> Capacities::find(std::string_view space) const {
  auto own = bySpace.find(space.empty() ? "0" : space);
  return own != bySpace.end() ? own->second : others;
}
