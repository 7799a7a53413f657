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

/// How the item to drop is chosen among the live items: the lowest FLOPs^flops
/// / (bytes^bytes * steps to its next use^distance).
struct DropRule {
  double flops, bytes, distance;
  /// Each item's score is multiplied by a random factor from 1 to 2^noise.
  double noise;
};

/// Simulates the nodes of `order` within the budget (in bytes): drops items
/// that can be made again if memory is short, and makes them again when they
/// are needed. After Kirisame et al., "Dynamic Tensor Rematerialization" (ICLR
/// 2021), with the future uses known. Returns std::nullopt if memory does not
/// suffice, the additional FLOPs exceed `maxFlops`, or `steps` are spent.
/// Subtracts executions and items considered from `steps`.
std::optional<Sequence> dropGreedily(const RepeatModel &model,
                                     const Sequence &order, int64_t budget,
                                     const DropRule &rule, uint64_t seed,
                                     int64_t maxFlops, int64_t &steps);

/// Removes repeats, the most expensive first, if the peak stays within the
/// budget. Subtracts the work from `steps`.
void dropRepeats(const RepeatModel &model, Sequence &sequence, int64_t budget,
                 int64_t &steps);

/// For every triple of pieces (LiveSets.h), a lower bound of the peak of a
/// sequence up to a point at which all three are live.
class TriplePeaks {
public:
  /// The number of pieces, the heaviest ones; 128 pieces have 357760 triples,
  /// with repetitions.
  static constexpr size_t maxPieces = 128;
  /// The number of pieces of a set that leastOf considers.
  static constexpr size_t maxInThrees = 32;
  explicit TriplePeaks(const RepeatModel &model, size_t pieces = maxPieces);

  /// A lower bound of the peak up to a point at which the whole set is live.
  /// Triples within `known` are left out, and so are pieces beyond
  /// `maxInThrees`.
  int64_t leastOf(const Bits &set, const Bits &known) {
    return leastOf(same, set, known);
  }
  int64_t leastOfAll(const Bits &set) {
    return leastOf(same, set, none, maxPieces);
  }
  /// The same for sets of another LiveSets of the model, whose pieces `numbers`
  /// maps to the pieces of `sets` (numbersOf).
  int64_t leastOf(const std::vector<uint32_t> &numbers, const Bits &set,
                  const Bits &known, size_t most = maxInThrees);
  std::vector<uint32_t> numbersOf(const LiveSets &others) const;

  /// The heaviest pieces, for which the triples are computed.
  const LiveSets sets;

private:
  /// The index of a triple a <= b <= c. A single piece is (a, a, a), a pair (a,
  /// b, b).
  static size_t indexOf(size_t a, size_t b, size_t c) {
    return c * (c + 1) * (c + 2) / 6 + b * (b + 1) / 2 + a;
  }
  int64_t of(uint32_t a, uint32_t b, uint32_t c) const;
  void find(uint32_t a, uint32_t b, uint32_t c);

  Bits none, set, before;
  std::vector<int64_t> least;
  std::vector<uint32_t> list, same;
};

/// Lower bounds of the peak of every sequence, in bytes, from pieces that must
/// be live together.
struct TogetherBound {
  /// The bound from triples of pieces.
  int64_t byThrees;
  /// The bound from the search over whole sets; at least byThrees.
  int64_t bySearch;
};

/// Both bounds are at least `bytes`, a known lower bound. `steps` limits the
/// sets that are visited; more steps never lower a bound.
TogetherBound boundTogether(TriplePeaks &triples, int64_t bytes, int64_t steps);

/// The sets that searchBackward prefers.
enum class BackwardRule {
  Lightest,  ///< the fewest bytes
  LeastPeak, ///< the lowest bound of the peak before (TriplePeaks)
};

/// Finds a sequence within the budget by a beam search backwards from the end
/// (LiveSets.h). Among the sets with the same number of nodes that must still
/// run, `width` sets are extended by the rule, and as many with the fewest
/// FLOPs. A step that needs no more bytes than it makes is taken at once.
/// Returns std::nullopt if no set reaches the start or `steps` are spent;
/// subtracts the pieces considered from `steps`.
std::optional<Sequence> searchBackward(const RepeatModel &model,
                                       const LiveSets &sets,
                                       TriplePeaks &triples, int64_t budget,
                                       size_t width, BackwardRule rule,
                                       int64_t &steps);

struct BackwardBound {
  /// No sequence within the budget has fewer FLOPs, first runs included, if it
  /// has less than `upper`.
  int64_t flops;
  /// A sequence with so many FLOPs.
  std::optional<Sequence> sequence;
};

/// Explores the sets of LiveSets.h from the end by A*: by the FLOPs spent so
/// far and those of the nodes that must still run. Leaves out sequences of
/// `upper` FLOPs or more; if there is none below, the bound is `upper`. When
/// the steps are spent, the fewest FLOPs of an open set are the bound.
/// Subtracts the pieces considered from `steps`. The model must be complete.
BackwardBound boundBackward(const LiveSets &sets, TriplePeaks &triples,
                            int64_t budget, int64_t upper, int64_t &steps);

/// A lower bound of the additional FLOPs of all sequences within the budget,
/// from single nodes: while a node runs for the first time, the items that fit
/// are live, and what is needed later is made from these again. The best of the
/// linear relaxations by Lagrange multipliers, each a minimum cut. Leaves out
/// models of more than some hundred nodes, whose bound is 0.
int64_t boundPoints(const RepeatModel &model, int64_t budget);

/// Lower bounds for all sequences, from the needs of single nodes.
struct RepeatBounds {
  explicit RepeatBounds(const RepeatModel &model);

  /// No sequence has a lower peak, in bytes; `node` needs it, or is none if
  /// held memory needs it.
  int64_t peak = 0;
  uint32_t node = RepeatModel::none;
  /// No sequence within the budget has fewer additional FLOPs.
  int64_t flopsWithin(int64_t budget) const;

private:
  /// The items of one maker, which are live at a node unless the maker runs
  /// again.
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
