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

/// How a square is cut up: the larger pieces first, the same with pinwheels
/// (which no straight cut makes), or any piece.
enum class Cut { Large, Pinwheels, Any };

/// A square of 1024 steps by 1 MiB cut into pieces, of which `n` are left after
/// some have been taken out: a plan of exactly 1 MiB exists, and where nothing
/// was taken out it has no byte to spare. Sizes are multiples of 1 KiB.
Problem generateTight(Cut cut, int64_t n, int64_t percentTakenOut);

} // namespace memplan::bench

#endif // MEMPLAN_BENCHMARKS_GENERATORS_H
