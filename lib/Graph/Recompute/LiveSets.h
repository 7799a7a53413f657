//===- LiveSets.h - Sets of live pieces, from the end -----------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sets of memory that must be live, for a sequence that is read from its end.
// At the end, the outputs must be live. Before a step, the pieces that it needs
// must be live instead of those that it makes:
//
//     d = f(b, c)        {d} <- {b, c} <- {a, c} <- {a} <- {}
//     c = g(a)               d        b         c      a
//     b = h(a)
//     a = input
//
// A piece that is dropped and made again leaves the set and enters it again, so
// the only choice is the node that ran last. A set is never better than its
// subset: a sequence that makes the set live can drop the rest.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_GRAPH_RECOMPUTE_LIVESETS_H
#define MEMPLAN_LIB_GRAPH_RECOMPUTE_LIVESETS_H

#include "Recompute/RepeatModel.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace memplan::graph {

/// A set of pieces or of steps, 64 in a word.
using Bits = std::vector<uint64_t>;

/// Calls `visit` with the members of the set, in rising order.
template <typename Visit> void forEachBit(const Bits &bits, Visit visit) {
  for (size_t w = 0; w < bits.size(); ++w)
    for (uint64_t rest = bits[w]; rest != 0; rest &= rest - 1)
      visit(static_cast<uint32_t>(w * 64 +
                                  static_cast<size_t>(__builtin_ctzll(rest))));
}

/// The pieces of a model (items that the sets contain) and the steps (nodes
/// that make pieces).
class LiveSets {
public:
  /// The items that become pieces; held inputs are never among them.
  enum class Follow {
    /// All items, and pieces of 0 bytes for dependences without memory: a path
    /// back to the start is a sequence of the model with the same peak.
    All,
    /// The `maxItems` heaviest items. The others cost nothing except while a
    /// node that needs or makes them runs, so each sequence is a path with no
    /// higher peak.
    Heavy,
  };
  LiveSets(const RepeatModel &model, Follow follow, size_t maxItems);

  struct Piece {
    int64_t bytes;
    /// The step that makes it; RepeatModel::none for inputs.
    uint32_t maker;
  };
  struct Step {
    uint32_t node;
    int64_t flops;
    /// Must not run twice.
    bool runsOnce;
    Bits needs, makes;
    /// The union of needs and makes.
    Bits touches;
    /// Bytes while it runs, without the other live pieces and the held inputs.
    int64_t bytes;
    std::vector<Takeover> takeovers;
  };

  /// The pieces that must be live at the end.
  const Bits &atEnd() const { return end; }
  /// Bytes of the held inputs and of the set.
  int64_t bytesOf(const Bits &live) const;
  /// Bytes while the step runs, if the set `after` must be live after it.
  int64_t bytesAt(const Step &step, const Bits &after) const;
  /// Sets `before` to the pieces that must be live before the step. Returns
  /// false if this is impossible: the step must not run twice, but would have
  /// to run again to make `before` live.
  bool stepBack(const Step &step, const Bits &after, Bits &before) const;
  /// The pieces that the step adds to the set have at most the bytes of those
  /// that it removes.
  bool becomesLighter(const Step &step, const Bits &after) const;
  /// The step must run before the set can be live.
  bool isBehind(uint32_t step, const Bits &live) const;
  /// The set has inputs only.
  bool isStart(const Bits &live) const;
  /// The steps that must run before the set can be live.
  void stepsBehind(const Bits &live, Bits &behind) const;
  /// Goes back by all steps that need only pieces of the set and at most
  /// `bytes` bytes; the result is a subset of the set. Calls `visit` for each
  /// step.
  template <typename Visit>
  void stepBackFreely(Bits &live, int64_t bytes, Visit visit) const {
    for (bool hasChanged = true; hasChanged;) {
      hasChanged = false;
      for (size_t w = live.size(); w-- > 0 && !hasChanged;)
        for (uint64_t rest = live[w]; rest != 0 && !hasChanged;) {
          uint32_t bit = 63 - static_cast<uint32_t>(__builtin_clzll(rest));
          rest ^= uint64_t(1) << bit;
          uint32_t maker = pieces[w * 64 + bit].maker;
          if (maker != RepeatModel::none && isFree(steps[maker], live, bytes)) {
            for (size_t v = 0; v < live.size(); ++v)
              live[v] &= ~steps[maker].makes[v];
            visit(steps[maker]);
            hasChanged = true;
          }
        }
    }
  }

  std::vector<Piece> pieces;
  std::vector<Step> steps;
  /// By item of the model: its piece, or RepeatModel::none.
  std::vector<uint32_t> pieceOf;

private:
  bool isFree(const Step &step, const Bits &live, int64_t bytes) const;

  Bits end, makeable;
  int64_t held = 0;
  /// By piece: the steps that must run before it can be live.
  std::vector<Bits> behind;
};

/// The sets that a search has reached, without duplicates, numbered in the
/// order of insertion.
class SetTable {
public:
  explicit SetTable(size_t words) : words(words) { slots.resize(1024); }
  /// The number of the set, and whether it is new.
  std::pair<uint32_t, bool> insert(const Bits &set);
  void read(uint32_t number, Bits &set) const {
    set.assign(sets.begin() + static_cast<std::ptrdiff_t>(number * words),
               sets.begin() +
                   static_cast<std::ptrdiff_t>((number + 1) * words));
  }
  size_t size() const { return count; }

private:
  size_t slotOf(const uint64_t *set) const;

  size_t words, count = 0;
  std::vector<uint64_t> sets;
  /// A hash table of numbers plus one; zero means an empty slot.
  std::vector<uint32_t> slots;
};

} // namespace memplan::graph

#endif // MEMPLAN_LIB_GRAPH_RECOMPUTE_LIVESETS_H
