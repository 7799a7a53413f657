//===- CheckedMath.h - Overflow-checked byte arithmetic ------- -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_CORE_CHECKEDMATH_H
#define MEMPLAN_CORE_CHECKEDMATH_H

#include <cstdint>
#include <optional>

namespace memplan {

/// a + b, or std::nullopt if the sum does not fit into int64.
inline std::optional<int64_t> checkedAdd(int64_t a, int64_t b) {
  int64_t result;
  if (__builtin_add_overflow(a, b, &result))
    return std::nullopt;
  return result;
}

/// a * b, or std::nullopt if the product does not fit into int64.
inline std::optional<int64_t> checkedMul(int64_t a, int64_t b) {
  int64_t result;
  if (__builtin_mul_overflow(a, b, &result))
    return std::nullopt;
  return result;
}

/// True for 1, 2, 4, ...
inline bool isPowerOfTwo(int64_t value) {
  return value > 0 && (value & (value - 1)) == 0;
}

/// The least multiple of `alignment` (a power of two) that is at least `value`
/// (not negative), or std::nullopt if it does not fit into int64.
inline std::optional<int64_t> checkedAlignTo(int64_t value, int64_t alignment) {
  std::optional<int64_t> sum = checkedAdd(value, alignment - 1);
  if (!sum)
    return std::nullopt;
  return *sum & -alignment;
}

/// As checkedAlignTo, without the check: for values whose sums check()
/// (memplan/Core/Verify.h) has bounded.
inline int64_t alignTo(int64_t value, int64_t alignment) {
  return (value + (alignment - 1)) & -alignment;
}

} // namespace memplan

#endif // MEMPLAN_CORE_CHECKEDMATH_H
