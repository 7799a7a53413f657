//===- Chains.h - Buffers that follow each other in one slot ----*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A smaller problem for large problems with few sizes. A *chain* is a sequence
// of buffers of equal size and alignment, each of which begins after the one
// before has ended. It becomes one buffer that is live from the begin of its
// first to the end of its last buffer:
//
//      buffers   |--a--|  |---b---||-c-|        chain   |---------abc--------|
//
// A plan of the chains is a plan of the buffers. Between two of its buffers a
// chain takes bytes that nothing needs. A section has room for that: the bytes
// from its load to the goal. Chains take only a part of this room, because the
// rest makes it easier to place them. Far from the peaks, where there is much
// room, long chains arise. They hand over the same slots from one peak to the
// next, so that few buffers are left that begin or end between the peaks.
//
// Linked first are the buffers with the shortest gap between them, wherever
// the room allows it. The buffers of one size then are linked like parentheses:
// if a gap contains another one, the inner one was linked first.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_CHAINS_H
#define MEMPLAN_LIB_CORE_CHAINS_H

#include "Model/Model.h"

#include <cstdint>
#include <vector>

namespace memplan::detail {

struct Chains {
  /// One buffer for each chain, without a name. Its times are sections of the
  /// model.
  Problem problem;
  /// By buffer of the model: its chain, an index into `problem.buffers`. An
  /// empty buffer is a chain of its own.
  std::vector<BufferIndex> chainOf;

  /// The offsets of the buffers of the model, given those of the chains.
  std::vector<int64_t> expand(const std::vector<int64_t> &offsets) const;
};

/// The parts of the room that chains may take are counted in 256ths.
constexpr int64_t wholeRoom = 256;

/// Chains that take at most `part` of 256 parts of the room below `goal`
/// (bytes) in any section. No chain makes a section with room fuller than the
/// goal, or a section without room any fuller. Requires Model::isPlain.
/// O(n log n).
Chains findChains(const Model &model, int64_t goal, int64_t part);

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_CHAINS_H
