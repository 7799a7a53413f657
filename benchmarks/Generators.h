//===- Generators.h - Problems to measure on ------------------ -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_BENCHMARKS_GENERATORS_H
#define MEMPLAN_BENCHMARKS_GENERATORS_H

#include "memplan/Core/Problem.h"

#include <cstdint>
#include <string>
#include <vector>

namespace memplan::bench {

/// "layered": a network's layers, each with a few intermediates, an output that
/// lives to the next layers and now and then a skip connection.
/// "training": forward activations that live until their backward step, nested,
/// with gradients and scratch.
/// "malloc": lives and sizes of a heap: most short and small, a few of each
/// long or large. "adversarial": small buffers that outlive the large ones they
/// were placed between, so that address order and time order fight.
const std::vector<std::string> &families();

/// A problem of about `n` buffers; the same on every machine.
Problem generate(const std::string &family, int64_t n);

} // namespace memplan::bench

#endif // MEMPLAN_BENCHMARKS_GENERATORS_H
