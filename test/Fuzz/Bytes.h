//===- Bytes.h - Choices from bytes ----------------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What the fuzz targets share: they make an input of bytes, and require what is
// true of every input.

#ifndef MEMPLAN_TEST_FUZZ_BYTES_H
#define MEMPLAN_TEST_FUZZ_BYTES_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Called with each input by libFuzzer, or by Replay.cpp with a file.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace memplan::fuzz {

/// Ends the process with the message, which makes the input a finding.
[[noreturn]] void fail(const std::string &message);

inline void require(bool holds, const char *message) {
  if (!holds)
    fail(message);
}

/// Choices that the bytes of an input make, from front to back; behind the last
/// one every choice is the first.
class Bytes {
public:
  Bytes(const uint8_t *data, size_t size) : next(data), end(data + size) {}

  bool isEmpty() const { return next == end; }
  uint8_t byte() { return next == end ? 0 : *next++; }
  /// A number less than `bound`, which is at least 1.
  size_t below(size_t bound);
  bool flag() { return byte() & 1; }
  /// True for one of `bound` choices, and not at the end.
  bool oneOf(size_t bound) { return below(bound) == bound - 1; }
  /// Mostly small numbers, and also the extremes of int64.
  int64_t number();

private:
  const uint8_t *next;
  const uint8_t *end;
};

} // namespace memplan::fuzz

#endif // MEMPLAN_TEST_FUZZ_BYTES_H
