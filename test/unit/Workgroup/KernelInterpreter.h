//===- KernelInterpreter.h - Runs one workgroup of a kernel -----*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_WORKGROUP_KERNELINTERPRETER_H
#define MEMPLAN_TEST_UNIT_WORKGROUP_KERNELINTERPRETER_H

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <cstdint>
#include <string>
#include <vector>

namespace memplan::test {

struct RunOptions {
  int threads = 4;
  /// Chooses the interleaving, and the initial contents of workgroup memory.
  uint64_t seed = 0;
  /// The bytes of each memref argument of the kernel, in order. Arguments of
  /// other types get `scalar`.
  std::vector<std::vector<uint8_t>> arguments;
  int64_t scalar = 1;
};

struct RunResult {
  /// What the kernel leaves in its memref arguments.
  std::vector<std::vector<uint8_t>> arguments;
  /// Not empty if the kernel cannot be run: an unknown op, an access outside of
  /// a memref, or threads that wait at different barriers.
  std::string error;
  /// A read of a byte that was written through the same buffer, and since then
  /// through another one.
  bool readsLostBytes = false;
  /// Two threads access a byte between two barriers, through different buffers,
  /// and one of them writes. So the run may compute something else in another
  /// interleaving. Without this and lost bytes none does, as long as the paths
  /// that threads take do not depend on the interleaving.
  bool races = false;
};

/// Runs the threads of one workgroup. Each thread executes its ops in order;
/// one op after another of some thread is executed, so a run is a random
/// interleaving of the threads between the barriers.
RunResult runKernel(mlir::FunctionOpInterface kernel,
                    const RunOptions &options);

} // namespace memplan::test

#endif // MEMPLAN_TEST_UNIT_WORKGROUP_KERNELINTERPRETER_H
