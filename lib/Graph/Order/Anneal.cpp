//===- Anneal.cpp - Orders by simulated annealing -------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Order/Orders.h"
#include "Order/Random.h"

#include <algorithm>
#include <cmath>

using namespace memplan::graph;

namespace {

/// The annealing cools down several times, each time from the best order so
/// far: one long cooling does not leave the valley that it falls into first.
/// Every `coolings` times the number of moves of a cooling doubles, so a search
/// of more moves goes on where a shorter one ends.
constexpr int64_t coolings = 4;
/// The moves of the first coolings times the number of ops.
constexpr int64_t firstMoves = 40000000;
/// The heat at the begin of a cooling, as a share of the peak. More heat
/// destroys the order that the simple strategies have found.
constexpr double firstHeat = 0.003;
/// The heat at the end of a cooling, as a share of that at its begin.
constexpr double endOfHeat = 1e-3;

/// An order whose ops can be moved one at a time. A move changes the live bytes
/// only between the old and the new position.
class MovableOrder {
public:
  MovableOrder(const LiveModel &model, const Schedule &start)
      : model(model), order(start), position(start.size()), live(start.size()),
        last(model.items.size()), freed(start.size()) {
    for (uint32_t k = 0; k < order.size(); ++k)
      position[order[k]] = k;
    for (uint32_t item = 0; item < model.items.size(); ++item)
      if (model.items[item].isReleased && model.touchedBy.size(item) != 0) {
        last[item] = lastOf(item);
        freed[last[item]] += model.items[item].bytes;
      }
    measure(0, order.size());
    level = peak() / 5 * 4;
    near = nearIn(0, order.size());
  }

  const Schedule &get() const { return order; }
  uint32_t positionOf(uint32_t op) const { return position[op]; }
  int64_t peak() const {
    return std::max(model.startBytes,
                    *std::max_element(live.begin(), live.end()));
  }
  /// The peak plus a small weight for live bytes close to it: most moves do not
  /// change the peak, but may prepare a move that does.
  double energy() const {
    return static_cast<double>(peak()) +
           near / static_cast<double>(order.size());
  }

  void move(size_t from, size_t to) {
    size_t first = std::min(from, to), end = std::max(from, to) + 1;
    near -= nearIn(first, end);
    uint32_t op = order[from];
    auto at = order.begin();
    if (from < to)
      std::rotate(at + from, at + from + 1, at + to + 1);
    else
      std::rotate(at + to, at + from, at + from + 1);
    for (size_t k = first; k < end; ++k)
      position[order[k]] = static_cast<uint32_t>(k);
    // Only the items of the moved op can be released by another op than before.
    for (uint32_t item : model.touched[op]) {
      if (!model.items[item].isReleased)
        continue;
      freed[last[item]] -= model.items[item].bytes;
      last[item] = lastOf(item);
      freed[last[item]] += model.items[item].bytes;
    }
    measure(first, end);
    near += nearIn(first, end);
  }

private:
  /// The op that touches the item last.
  uint32_t lastOf(uint32_t item) const {
    uint32_t at = 0;
    for (uint32_t op : model.touchedBy[item])
      at = std::max(at, position[op]);
    return order[at];
  }

  int64_t takenAt(uint32_t op) const {
    return takenBytes(model.takeovers[op], [&](uint32_t item) {
      return model.items[item].isReleased && last[item] == op;
    });
  }

  /// Computes the live bytes at the positions from `first` to `end`.
  void measure(size_t first, size_t end) {
    int64_t bytes = model.firstBytes;
    if (first > 0) {
      uint32_t before = order[first - 1];
      bytes = live[first - 1] - model.scratch[before] + takenAt(before) -
              freed[before];
    }
    for (size_t k = first; k < end; ++k) {
      uint32_t op = order[k];
      bytes += model.made[op];
      live[k] = bytes + model.scratch[op] - takenAt(op);
      bytes -= freed[op];
    }
  }

  double nearIn(size_t first, size_t end) const {
    double sum = 0;
    for (size_t k = first; k < end; ++k)
      sum += static_cast<double>(std::max<int64_t>(0, live[k] - level));
    return sum;
  }

  const LiveModel &model;
  Schedule order;
  /// By op: its position, and by position: the live bytes while the op runs.
  std::vector<uint32_t> position;
  std::vector<int64_t> live;
  /// By released item: the op that touches it last, and by op: the bytes of
  /// these items.
  std::vector<uint32_t> last;
  std::vector<int64_t> freed;
  /// Live bytes count as close to the peak from here on.
  int64_t level = 0;
  /// The sum of the bytes above, which need not fit into 64 bits.
  double near = 0;
};

} // namespace

Schedule memplan::graph::annealOrder(const LiveModel &model,
                                     const Schedule &start, int64_t moves,
                                     uint64_t seed,
                                     const std::atomic<bool> *stop) {
  size_t n = start.size();
  Schedule best = start;
  int64_t bestPeak = model.peakOf(start);
  if (n < 2 || bestPeak == 0)
    return best;
  Random random(seed);
  int64_t first = std::max<int64_t>(
      1, std::min(moves / coolings, firstMoves / static_cast<int64_t>(n + 1)));
  for (int64_t cooling = 0, left = moves; left > 0; ++cooling) {
    int64_t count =
        std::min(left, first << std::min<int64_t>(cooling / coolings, 32));
    left -= count;
    MovableOrder current(model, best);
    double value = current.energy();
    double begin = firstHeat * static_cast<double>(bestPeak);
    for (int64_t move = 0; move < count; ++move) {
      if (stop && *stop)
        return best;
      double progress = static_cast<double>(move) / static_cast<double>(count);
      double heat = begin * std::pow(endOfHeat, progress);
      uint32_t op = static_cast<uint32_t>(random.below(n));
      size_t from = current.positionOf(op), low = 0, high = n - 1;
      for (uint32_t other : model.before[op])
        low = std::max<size_t>(low, current.positionOf(other) + 1);
      for (uint32_t other : model.after[op])
        high = std::min<size_t>(high, current.positionOf(other) - 1);
      size_t to = low + random.below(high - low + 1);
      if (to == from)
        continue;
      current.move(from, to);
      double next = current.energy();
      if (next > value &&
          random.fraction() >= std::exp((value - next) / heat)) {
        current.move(to, from);
        continue;
      }
      value = next;
      if (int64_t now = current.peak(); now < bestPeak) {
        bestPeak = now;
        best = current.get();
      }
    }
  }
  return best;
}
