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

/// "layered": the layers of a network, each with a few intermediates, an output
/// that is live until the next layers, and sometimes a skip connection.
/// "training": forward activations that live until their backward step, nested,
/// with gradients and scratch. "malloc": lives and sizes as in a heap: most are
/// short and small, a few are long or large. "adversarial": small buffers that
/// outlive the large buffers between which they are placed, so that a good
/// order of addresses is not a good order of time.
const std::vector<std::string> &families();

/// A problem of about `n` buffers; the same on every machine.
Problem generate(const std::string &family, int64_t n);

/// The way in which a square is cut into pieces: preferably the larger pieces,
/// the same with pinwheels (which straight cuts cannot make), or random pieces.
enum class Cut { Large, Pinwheels, Any };

/// A square of 1024 steps by 1 MiB that is cut into pieces; after the given
/// percentage is taken out, `n` pieces remain. A plan of 1 MiB exists; if no
/// piece was taken out, it has no unused byte. Sizes are multiples of 1 KiB.
Problem generateTight(Cut cut, int64_t n, int64_t percentTakenOut);

/// The distribution of lives, in steps. Uniform: up to 100 (for even seeds) or
/// 200 (for odd seeds). Exponential: 60 or 100 on average. Mixed: a fifth of
/// the buffers up to 1000 or 2000, the others up to 20. Long: up to a twentieth
/// of all steps.
enum class Lives { Uniform, Exponential, Mixed, Long };

/// `n` buffers with `sizes` random sizes, each of which has a random weight,
/// that start at random among `n` steps.
Problem generateFewSizes(Lives lives, int64_t n, int64_t sizes, uint64_t seed);

/// The features of a problem in which sharing costs, besides soft conflicts.
enum class Sharing { Soft, Banks, AllOrNone };

/// Tiles of a kernel with 10 to 60 buffers of a few sizes, each live for a few
/// steps. Buffers of different pipes of which one begins soon after the other
/// has ended have a soft conflict. With Banks some of these are about banks
/// also, with AllOrNone some pairs are such ones. Without a capacity.
Problem generateSharing(Sharing features, uint64_t seed);

/// A capacity of the problem of generateSharing: one of four from its bound to
/// just below the arena in which no soft conflict pays.
int64_t sharingCapacity(const Problem &problem, uint64_t seed);

} // namespace memplan::bench

#endif // MEMPLAN_BENCHMARKS_GENERATORS_H
