//===- Searches.h - Searches for repeats ------------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_GRAPH_RECOMPUTE_SEARCHES_H
#define MEMPLAN_LIB_GRAPH_RECOMPUTE_SEARCHES_H

#include "Recompute/LiveSets.h"
#include "Recompute/RepeatModel.h"

#include <cstdint>
#include <optional>

namespace memplan::graph {

/// How the one to drop is chosen among what is live: the lowest
/// FLOPs^flops / (bytes^bytes * steps to its next use^distance).
struct DropRule {
  double flops, bytes, distance;
  /// Each piece's score is multiplied by a random factor up to 2^noise.
  double noise;
};

/// Runs the nodes of `order` on paper, within the budget: drops what can be
/// made again where memory is short, and makes it again where it is needed.
/// After Kirisame et al., "Dynamic Tensor Rematerialization" (ICLR 2021), with
/// the future known. Nothing if it finds no room, or exceeds `maxFlops`
/// additional FLOPs. Subtracts the executions from `steps`.
std::optional<Sequence> dropGreedily(const RepeatModel &model,
                                     const Sequence &order, int64_t budget,
                                     const DropRule &rule, uint64_t seed,
                                     int64_t maxFlops, int64_t &steps);

/// Takes repeats away, the most expensive first, as long as the peak stays
/// within the budget. Subtracts what it looks at from `steps`.
void dropRepeats(const RepeatModel &model, Sequence &sequence, int64_t budget,
                 int64_t &steps);

enum class ExactStatus { Found, Infeasible, Limit };

struct ExactResult {
  ExactStatus status;
  Sequence sequence;
};

/// Models of up to this many nodes and pieces are searched exhaustively.
constexpr size_t maxExactNodes = 16;
constexpr size_t maxExactItems = 40;

/// The sequence within the budget with the fewest additional FLOPs, of those
/// one with the lowest peak: Dijkstra's algorithm on what is live and what has
/// run. `steps` bounds the states.
ExactResult searchExactly(const RepeatModel &model, int64_t budget,
                          int64_t steps);

/// The least peak at which any three pieces of memory are live together. No
/// sequence has a lower one before all three are.
class TriplePeaks {
public:
  /// Pieces that are followed, the heaviest: 366145 threes.
  static constexpr size_t maxPieces = 128;
  /// Pieces of a set that are looked at.
  static constexpr size_t maxInThrees = 32;
  explicit TriplePeaks(const RepeatModel &model, size_t pieces = maxPieces);

  /// No peak is lower up to a point where all of the set are live. Threes that
  /// are all in `known` are left out, and pieces beyond a few dozen.
  int64_t leastOf(const Bits &set, const Bits &known) {
    return leastOf(same, set, known);
  }
  int64_t leastOfAll(const Bits &set) {
    return leastOf(same, set, none, maxPieces);
  }
  /// The same of sets of other pieces of the model, with `numbersOf` them.
  int64_t leastOf(const std::vector<uint32_t> &numbers, const Bits &set,
                  const Bits &known, size_t most = maxInThrees);
  std::vector<uint32_t> numbersOf(const LiveSets &others) const;

  /// The heaviest pieces, which the threes are of.
  const LiveSets sets;

private:
  /// Of pieces in rising order. One piece is a, a, a; two are a, b, b.
  static size_t indexOf(size_t a, size_t b, size_t c) {
    return c * (c + 1) * (c + 2) / 6 + b * (b + 1) / 2 + a;
  }
  int64_t of(uint32_t a, uint32_t b, uint32_t c) const;
  void find(uint32_t a, uint32_t b, uint32_t c);

  Bits none, set, before;
  std::vector<int64_t> least;
  std::vector<uint32_t> list, same;
};

/// No sequence has a lower peak, for what must be live together.
struct TogetherBound {
  /// By what three pieces of memory need.
  int64_t byThrees;
  /// By what whole sets need: at least that.
  int64_t bySearch;
};

/// Both are at least `bytes`, of which that is known. `steps` bounds the sets
/// that are looked at: more never make a bound lower.
TogetherBound boundTogether(TriplePeaks &triples, int64_t bytes, int64_t steps);

/// Which sets searchBackward prefers.
enum class BackwardRule {
  Lightest,  ///< the fewest bytes
  LeastPeak, ///< of which the lowest peak may come (TriplePeaks)
};

/// A sequence within the budget, by going back from what must be live at the
/// end (LiveSets.h). Of the sets with the same number of nodes left to run
/// `width` are followed by the rule, and as many with the fewest FLOPs so far.
/// A node that needs no more than it makes runs at once. Nothing if no set gets
/// there, or `steps` are spent; subtracts the pieces looked at.
std::optional<Sequence> searchBackward(const RepeatModel &model,
                                       const LiveSets &sets,
                                       TriplePeaks &triples, int64_t budget,
                                       size_t width, BackwardRule rule,
                                       int64_t &steps);

/// What every sequence needs.
struct RepeatBounds {
  explicit RepeatBounds(const RepeatModel &model);

  /// No peak is lower; `op` is the node that needs it.
  int64_t peak = 0;
  uint32_t node = RepeatModel::none;
  /// No sequence within the budget has fewer additional FLOPs.
  int64_t flopsWithin(int64_t budget) const;

private:
  /// An item that is live at a node unless its maker runs again.
  struct Droppable {
    int64_t bytes, flops;
  };
  struct Need {
    int64_t bytes = 0;
    /// By falling bytes per FLOP.
    std::vector<Droppable> droppable;
  };
  std::vector<Need> needs;
};

} // namespace memplan::graph

#endif // MEMPLAN_LIB_GRAPH_RECOMPUTE_SEARCHES_H
