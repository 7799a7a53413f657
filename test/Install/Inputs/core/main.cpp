//===- main.cpp - Uses the planner without MLIR ---------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Core/Solver.h"
#include "memplan/Core/Version.h"

#include <cstdio>
#include <stdexcept>

int main() {
  memplan::Problem problem;
  for (int i = 0; i < 3; ++i) {
    memplan::Buffer buffer;
    buffer.id = std::to_string(i);
    buffer.size = 64;
    buffer.ranges = {{2 * i, 2 * i + 3}};
    problem.buffers.push_back(buffer);
  }
  memplan::Plan plan = memplan::solve(problem);
  // The user of the library may use exceptions.
  try {
    if (plan.arenaSize != 128)
      throw std::runtime_error("wrong arena");
  } catch (const std::exception &error) {
    std::puts(error.what());
    return 1;
  }
  std::printf("memplan %s: arena of %d bytes\n",
              std::string(memplan::version()).c_str(), int(plan.arenaSize));
}
