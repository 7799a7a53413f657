//===- RandomKernel.h - Random kernels without data races -------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_WORKGROUP_RANDOMKERNEL_H
#define MEMPLAN_TEST_UNIT_WORKGROUP_RANDOMKERNEL_H

#include <cstdint>
#include <string>

namespace memplan::test {

/// A module with a kernel @k(out: memref<?xi32>, flags: memref<4xi32>, n:
/// index) in a gpu.module, for `threads` threads. It has barriers in loops,
/// under uniform and other conditions, several in a row and none. Its result
/// does not depend on the order of the threads, nor on the contents of
/// workgroup memory at the start: no thread accesses an element that another
/// one writes without a barrier in between. flags must be {1, 0, 2, 0}, and n
/// must be at least 1.
std::string makeRandomKernel(uint64_t seed, int threads);

} // namespace memplan::test

#endif // MEMPLAN_TEST_UNIT_WORKGROUP_RANDOMKERNEL_H
