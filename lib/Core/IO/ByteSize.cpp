//===- ByteSize.cpp - Numbers of bytes with suffixes ----------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Core/ByteSize.h"

#include "memplan/Core/CheckedMath.h"

using namespace memplan;

/// The power of 1024 that the suffix stands for, or std::nullopt for an unknown
/// suffix.
static std::optional<int64_t> getFactor(std::string_view suffix) {
  if (suffix.empty())
    return 1;
  auto isLetter = [](char c, char lower) { return (c | 0x20) == lower; };
  bool isLong = suffix.size() == 3 && isLetter(suffix[1], 'i') &&
                isLetter(suffix[2], 'b');
  if (suffix.size() != 1 && !isLong)
    return std::nullopt;
  int64_t factor = 1;
  for (char letter : {'k', 'm', 'g', 't'}) {
    factor *= 1024;
    if (isLetter(suffix.front(), letter))
      return factor;
  }
  return std::nullopt;
}

std::optional<int64_t> memplan::parseByteSize(std::string_view text) {
  int64_t value = 0;
  size_t digits = 0;
  for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9';
       ++digits) {
    std::optional<int64_t> tens = checkedMul(value, 10);
    std::optional<int64_t> sum =
        tens ? checkedAdd(*tens, text[digits] - '0') : std::nullopt;
    if (!sum)
      return std::nullopt;
    value = *sum;
  }
  std::optional<int64_t> factor = getFactor(text.substr(digits));
  if (digits == 0 || !factor)
    return std::nullopt;
  return checkedMul(value, *factor);
}
