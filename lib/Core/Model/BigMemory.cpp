//===- BigMemory.cpp - Memory for large arrays ----------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/BigMemory.h"

#include <cstdlib>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

using namespace memplan;
using namespace memplan::detail;

static void *roundUp(void *address, size_t alignment) {
  uintptr_t at = reinterpret_cast<uintptr_t>(address);
  return static_cast<char *>(address) +
         ((at + alignment - 1) / alignment * alignment - at);
}

BigBlock detail::allocateBig(size_t bytes) {
  constexpr size_t line = 64, hugePage = size_t(1) << 21;
  bool isHuge = bytes >= 2 * hugePage;
  size_t alignment = isHuge ? hugePage : line;
  BigBlock block;
  // calloc gets large blocks from the system, which zeroes pages at their first
  // touch.
  while (!(block.base = std::calloc(bytes + alignment, 1))) {
    std::new_handler handler = std::get_new_handler();
    if (!handler)
      throw std::bad_alloc();
    handler();
  }
  block.data = roundUp(block.base, alignment);
#ifdef __linux__
  // Only a hint, so a failure is ignored.
  if (isHuge)
    (void)madvise(block.data, bytes / hugePage * hugePage, MADV_HUGEPAGE);
#endif
  return block;
}

void detail::freeBig(const BigBlock &block) { std::free(block.base); }
