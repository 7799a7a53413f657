//===- Bytes.cpp - Choices from bytes
//--------------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bytes.h"

#include <cstdio>
#include <cstdlib>

using namespace memplan::fuzz;

void memplan::fuzz::fail(const std::string &message) {
  std::fprintf(stderr, "fuzz: %s\n", message.c_str());
  std::abort();
}

size_t Bytes::below(size_t bound) {
  if (bound <= 1)
    return 0;
  size_t value = byte();
  if (bound > 256)
    value = value << 8 | byte();
  return value % bound;
}

int64_t Bytes::number() {
  constexpr int64_t extremes[] = {INT64_MIN,      INT64_MIN + 1, -1,
                                  INT64_MAX,      INT64_MAX - 1, INT64_MAX / 2,
                                  INT64_MAX / 64, INT32_MAX};
  uint8_t kind = byte();
  if (kind < 0xd0)
    return kind;
  if (kind < 0xf0)
    return int64_t(kind & 0xf) << 8 | byte();
  if (kind < 0xf8)
    return -int64_t(byte());
  return extremes[kind & 7];
}
