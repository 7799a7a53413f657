//===- Generators.h - Problems for benchmarks -------------------*- C++ -*-===//
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

/// How a square is cut up: the larger pieces first, the same with pinwheels
/// (which no straight cut makes), or any piece.
enum class Cut { Large, Pinwheels, Any };

/// A square of 1024 steps by 1 MiB cut into pieces, of which `n` are left after
/// some have been taken out: a plan of exactly 1 MiB exists, and where nothing
/// was taken out it has no byte to spare. Sizes are multiples of 1 KiB.
Problem generateTight(Cut cut, int64_t n, int64_t percentTakenOut);

/// How long buffers live: up to 100 or 200 steps; 60 or 100 on average, few
/// much longer; a fifth up to 1000 or 2000, the others up to 20; up to a
/// twentieth of all time. The first of two numbers is that of even seeds.
enum class Lives { Uniform, Exponential, Mixed, Long };

/// `n` buffers of `sizes` sizes drawn at random, each as likely as a random
/// weight says, that start at any of `n` steps.
Problem generateFewSizes(Lives lives, int64_t n, int64_t sizes, uint64_t seed);

} // namespace memplan::bench

#endif // MEMPLAN_BENCHMARKS_GENERATORS_H
