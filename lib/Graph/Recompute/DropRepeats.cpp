//===- DropRepeats.cpp - Removal of unnecessary repeats -------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recompute/Searches.h"

#include <algorithm>

using namespace memplan::graph;

namespace {

/// A sequence from which runs are removed. To remove a run changes the live
/// bytes only between the run and the previous uses of its items, so only these
/// positions are updated, not the whole sequence.
class Shortening {
public:
  Shortening(const RepeatModel &model, const Sequence &sequence, int64_t budget,
             int64_t &steps)
      : model(model), sequence(sequence), budget(budget), steps(steps),
        isGone(sequence.size()), load(sequence.size()), taken(sequence.size()),
        events(model.items.size()) {
    for (size_t p = 0; p < sequence.size(); ++p) {
      // At one position, needs come before makes.
      for (uint32_t item : model.nodes[sequence[p]].needs)
        note(item, {p, false});
      for (uint32_t item : model.nodes[sequence[p]].makes)
        note(item, {p, true});
    }
    measure();
  }

  /// Removes the run if the peak stays within the budget; returns whether it
  /// did.
  bool drop(size_t run) {
    const RepeatModel::Node &node = model.nodes[sequence[run]];
    std::vector<uint32_t> items(node.needs);
    items.insert(items.end(), node.makes.begin(), node.makes.end());
    std::sort(items.begin(), items.end());
    items.erase(std::unique(items.begin(), items.end()), items.end());
    changes.clear();
    for (uint32_t item : items)
      addChange(item, run);
    std::sort(changes.begin(), changes.end(),
              [](const Change &a, const Change &b) { return a.from > b.from; });
    isGone[run] = true;
    if (!fits(static_cast<int64_t>(run))) {
      isGone[run] = false;
      return false;
    }
    forEachChanged(static_cast<int64_t>(run),
                   [&](size_t p, int64_t more, bool ends) {
                     load[p] += more;
                     if (ends)
                       taken[p] = takenAt(p);
                     return true;
                   });
    return true;
  }

  Sequence shorter() const {
    Sequence result;
    for (size_t p = 0; p < sequence.size(); ++p)
      if (!isGone[p])
        result.push_back(sequence[p]);
    return result;
  }

private:
  /// The number of visited positions that counts as one step of the search.
  static constexpr int64_t visitsPerStep = 16;

  /// The item is made at the position (isMake) or needed there.
  struct Event {
    size_t position;
    bool isMake;
  };
  /// `bytes` more (or less, if negative) are live from behind `from` to the
  /// run.
  struct Change {
    int64_t from; ///< a position, or -1 for the start
    int64_t bytes;
  };

  void note(uint32_t item, Event event) {
    std::vector<Event> &list = events[item];
    if (list.empty() || list.back().position != event.position ||
        list.back().isMake != event.isMake)
      list.push_back(event);
  }

  size_t findEvent(uint32_t item, size_t position) const {
    const std::vector<Event> &list = events[item];
    return static_cast<size_t>(
        std::lower_bound(list.begin(), list.end(), position,
                         [](const Event &event, size_t position) {
                           return event.position < position;
                         }) -
        list.begin());
  }

  /// Whether the item is live before the first event from `event` on that is
  /// not removed.
  bool isLiveUpTo(uint32_t item, size_t event) const {
    const std::vector<Event> &list = events[item];
    while (event < list.size() && isGone[list[event].position])
      ++event;
    return event < list.size() ? !list[event].isMake : model.items[item].isKept;
  }

  /// Records how the item's liveness changes between its last event before the
  /// run and the run.
  void addChange(uint32_t item, size_t run) {
    const std::vector<Event> &list = events[item];
    size_t first = findEvent(item, run), behind = first;
    bool wasLive = !list[first].isMake;
    while (behind < list.size() && list[behind].position == run)
      ++behind;
    bool isLive = isLiveUpTo(item, behind);
    if (wasLive == isLive)
      return;
    size_t before = first;
    while (before > 0 && isGone[list[before - 1].position])
      --before;
    // The run makes the item for the first time, so it is not live before.
    if (before == 0 && model.items[item].maker != RepeatModel::none)
      return;
    int64_t bytes = model.items[item].bytes;
    changes.push_back(
        {before == 0 ? -1 : static_cast<int64_t>(list[before - 1].position),
         isLive ? bytes : -bytes});
  }

  /// Calls visit(position, more, ends) for the remaining positions before the
  /// run down to the first change, in falling order, until it returns false.
  /// `more` is the change of the live bytes at the position; `ends` is true if
  /// a change begins behind it.
  template <typename Visit> bool forEachChanged(int64_t run, Visit visit) {
    int64_t more = 0;
    for (const Change &change : changes)
      more += change.bytes;
    size_t next = 0;
    for (int64_t p = run; p-- > 0 && next < changes.size();) {
      bool ends = false;
      // At the position itself the item is live in any case.
      for (; next < changes.size() && changes[next].from == p; ++next) {
        more -= changes[next].bytes;
        ends = true;
      }
      auto position = static_cast<size_t>(p);
      if (!isGone[position] && !visit(position, more, ends))
        return false;
    }
    return true;
  }

  bool fits(int64_t run) {
    if (changes.empty())
      return true;
    steps -= (run - std::max<int64_t>(changes.back().from, 0)) / visitsPerStep;
    return forEachChanged(run, [&](size_t p, int64_t more, bool ends) {
      return load[p] + more - (ends ? takenAt(p) : taken[p]) <= budget;
    });
  }

  /// Bytes that the node at the position makes in reused memory.
  int64_t takenAt(size_t position) const {
    return takenBytes(
        model.nodes[sequence[position]].takeovers, [&](uint32_t item) {
          size_t event = findEvent(item, position);
          return event < events[item].size() &&
                 events[item][event].position == position &&
                 !events[item][event].isMake && !isLiveUpTo(item, event + 1);
        });
  }

  void measure() {
    int64_t live = 0;
    std::vector<int64_t> released(sequence.size());
    for (uint32_t item = 0; item < events.size(); ++item) {
      const std::vector<Event> &list = events[item];
      int64_t bytes = model.items[item].bytes;
      bool isThere = model.items[item].maker == RepeatModel::none;
      if (isThere && isLiveUpTo(item, 0))
        live += bytes;
      for (size_t k = 0; k < list.size(); ++k)
        if (!isLiveUpTo(item, k + 1))
          released[list[k].position] += bytes;
    }
    for (size_t p = 0; p < sequence.size(); ++p) {
      const RepeatModel::Node &node = model.nodes[sequence[p]];
      for (uint32_t item : node.makes)
        live += model.items[item].bytes;
      load[p] = live + node.scratch;
      live -= released[p];
      taken[p] = takenAt(p);
    }
  }

  const RepeatModel &model;
  const Sequence &sequence;
  int64_t budget;
  int64_t &steps;
  std::vector<bool> isGone;
  /// By position: the live bytes while the node runs without reuse of memory,
  /// and the bytes that reuse saves there.
  std::vector<int64_t> load, taken;
  /// By item, in the order of positions.
  std::vector<std::vector<Event>> events;
  std::vector<Change> changes;
};

} // namespace

void memplan::graph::dropRepeats(const RepeatModel &model, Sequence &sequence,
                                 int64_t budget, int64_t &steps) {
  std::vector<bool> hasRun(model.nodes.size());
  std::vector<std::pair<int64_t, size_t>> repeats;
  for (size_t p = 0; p < sequence.size(); ++p) {
    if (hasRun[sequence[p]])
      repeats.push_back({-model.nodes[sequence[p]].flops, p});
    hasRun[sequence[p]] = true;
  }
  if (repeats.empty())
    return;
  std::sort(repeats.begin(), repeats.end());
  Shortening shortening(model, sequence, budget, steps);
  // A run that becomes unnecessary by other removals is removed in the next
  // round.
  for (bool hasChanged = true; hasChanged;) {
    hasChanged = false;
    std::vector<std::pair<int64_t, size_t>> left;
    for (auto [flops, p] : repeats)
      if (shortening.drop(p))
        hasChanged = true;
      else
        left.push_back({flops, p});
    repeats = std::move(left);
  }
  sequence = shortening.shorter();
}
