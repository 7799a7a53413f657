//===- BigMemory.h - Memory for large arrays ------------------ -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arrays for a million buffers have tens of megabytes and are accessed in
// any order. With pages of 4096 bytes, page faults and misses of the
// translation lookaside buffer cost as much as the work itself, so large arrays
// ask the system for huge pages.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_BIGMEMORY_H
#define MEMPLAN_LIB_CORE_BIGMEMORY_H

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace memplan::detail {

/// Zeroed bytes that start at `data`, aligned to a cache line; blocks of at
/// least 4 MB ask for huge pages. `base` is the address to free. allocateBig
/// never returns null: without memory it does what operator new does.
struct BigBlock {
  void *base = nullptr;
  void *data = nullptr;
};
BigBlock allocateBig(size_t bytes);
void freeBig(const BigBlock &block);

/// A fixed number of objects whose bytes are all 0 at first, which must be a
/// valid value of the type.
template <typename T> class ZeroedArray {
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= 64);

public:
  ZeroedArray() = default;
  explicit ZeroedArray(size_t count)
      : block(allocateBig(count * sizeof(T))), count(count) {}
  ~ZeroedArray() { freeBig(block); }
  ZeroedArray(const ZeroedArray &) = delete;
  ZeroedArray &operator=(const ZeroedArray &) = delete;

  size_t size() const { return count; }
  T &operator[](size_t i) { return static_cast<T *>(block.data)[i]; }
  const T &operator[](size_t i) const {
    return static_cast<const T *>(block.data)[i];
  }

private:
  BigBlock block;
  size_t count = 0;
};

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_BIGMEMORY_H
