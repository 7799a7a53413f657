//===- LiveSets.h - Sequences read backward ---------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sequence read from its end: what must be live. At the end these are the
// outputs. Before a step that makes some of what must be live, what it needs
// must be live instead:
//
//     d = f(b, c)        {d} <- {b, c} <- {a, c} <- {a} <- {}
//     c = g(a)               d        b         c      a
//     b = h(a)
//     a = input
//
// A piece of memory that is dropped and made again leaves the set and comes
// back: there is nothing to choose but the node that ran last. A set that has
// all of another one is never better: whoever reaches it may forget the rest.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_GRAPH_RECOMPUTE_LIVESETS_H
#define MEMPLAN_LIB_GRAPH_RECOMPUTE_LIVESETS_H

#include "Recompute/RepeatModel.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace memplan::graph {

/// Bits of `words` words; the functions of LiveSets say how many.
using Bits = std::vector<uint64_t>;

template <typename Visit> void forEachBit(const Bits &bits, Visit visit) {
  for (size_t w = 0; w < bits.size(); ++w)
    for (uint64_t rest = bits[w]; rest != 0; rest &= rest - 1)
      visit(static_cast<uint32_t>(w * 64 +
                                  static_cast<size_t>(__builtin_ctzll(rest))));
}

/// The pieces of a model that are followed, and the steps that make them.
class LiveSets {
public:
  /// What is followed. Both have the outputs that nothing else is held for.
  enum class Follow {
    /// All, and what must have run before for other reasons than memory: a path
    /// back to the start is a sequence of the model, with the model's peak.
    All,
    /// The pieces that take most to make, up to `maxItems`. The others are
    /// there for nothing: each sequence is a path of no higher peak.
    Heavy,
  };
  LiveSets(const RepeatModel &model, Follow follow, size_t maxItems);

  struct Piece {
    int64_t bytes;
    /// The step that makes it; none for inputs.
    uint32_t maker;
  };
  struct Step {
    uint32_t node;
    int64_t flops;
    /// May not stand twice.
    bool runsOnce;
    Bits needs, makes;
    /// Both.
    Bits touches;
    /// Bytes while it runs, without what is live beside it.
    int64_t bytes;
    std::vector<Takeover> takeovers;
  };

  /// What must be live at the end.
  const Bits &atEnd() const { return end; }
  /// Bytes of what is held and of the set.
  int64_t bytesOf(const Bits &live) const;
  /// Bytes while the step runs, `after` which the set must be live.
  int64_t bytesAt(const Step &step, const Bits &after) const;
  /// What must be live before the step, if that is possible: a step that runs
  /// once cannot make again what an earlier one needs.
  bool stepBack(const Step &step, const Bits &after, Bits &before) const;
  /// What the step needs beside the set has no more bytes than what it makes
  /// of the set.
  bool becomesLighter(const Step &step, const Bits &after) const;
  /// The step must run so that the set is live.
  bool isBehind(uint32_t step, const Bits &live) const;
  /// Nothing is left to make.
  bool isStart(const Bits &live) const;
  /// Steps that must run so that the set is live.
  void stepsBehind(const Bits &live, Bits &behind) const;
  /// Goes back by all steps whose operands must be live anyway and that fit
  /// into `bytes`: each leaves a part of the set. Calls `visit` for each.
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
  /// Per item of the model; none where it is not followed.
  std::vector<uint32_t> pieceOf;

private:
  bool isFree(const Step &step, const Bits &live, int64_t bytes) const;

  Bits end, makeable;
  int64_t held = 0;
  /// Per piece: the steps that must run so that it is live.
  std::vector<Bits> behind;
};

/// Sets met by a search, each once, numbered as they come.
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
  /// Numbers plus one, by hash; zero: empty.
  std::vector<uint32_t> slots;
};

} // namespace memplan::graph

#endif // MEMPLAN_LIB_GRAPH_RECOMPUTE_LIVESETS_H
