//===- CutBudget.cpp - Cuts for every budget of kept bytes ----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A minimum cut with weights for bytes and for time is a corner of the lower
// hull of all (kept bytes, cost) pairs. All corners are found by cuts between
// two known ones (as Eisner and Severance). Between the two corners around the
// budget, storages are added to the smaller one and dropped from the larger
// one.
//
//   cost
//    | A              A, D, F: corners, minimum cuts
//    |   b            b, c:    A with more storages, D with fewer
//    |      c  D
//    |             F
//    +------------------ kept bytes
//
// The corners do not depend on the budget, and what is found between two of
// them lies between them in bytes and in cost, so a larger budget never keeps
// less or costs more.
//
//===----------------------------------------------------------------------===//

#include "Cut/Extract.h"
#include "Cut/Sides.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

using namespace memplan::graph;

int64_t memplan::graph::recomputeCost(const Op &op, OpId position,
                                      size_t numOps) {
  // What is kept for the ops that run last in the backward function is live
  // longest, so that the early ops of the forward function rather run again.
  int64_t cost = recomputeCost(op);
  return cost + cost * position / (3 * static_cast<int64_t>(numOps) + 1);
}

int64_t memplan::graph::recomputeCost(const Op &op) {
  // A core does some 50 GFLOPs/s in contractions and moves some 8 GB/s; a call
  // takes a few microseconds.
  constexpr int64_t flopsPerTime = 50, bytesPerTime = 8, call = 4000;
  int64_t bytes = op.bytesRead + op.bytesWritten;
  if (op.cost == CostClass::Free || (op.flops == 0 && bytes == 0))
    return 0;
  return std::max(op.flops / flopsPerTime, bytes / bytesPerTime) + call;
}

namespace {

/// As Partition::keptBytes.
int64_t keptBytes(const OpGraph &graph, const std::vector<bool> &isHeld,
                  const std::vector<ValueId> &saved) {
  int64_t bytes = 0;
  std::map<StorageId, std::set<std::pair<int64_t, int64_t>>> parts;
  for (ValueId v : saved) {
    const Value &value = graph.values[v];
    if (!isHeld[value.storage] &&
        graph.storages[value.storage].kind != StorageKind::Constant)
      parts[value.storage].insert({value.offset, value.bytes});
  }
  for (const auto &[storage, ranges] : parts) {
    // An input is kept as a whole.
    int64_t whole = graph.storages[storage].bytes, sum = 0;
    for (auto [offset, size] : ranges)
      sum += size;
    bool isWhole =
        graph.storages[storage].kind == StorageKind::Input ||
        std::any_of(ranges.begin(), ranges.end(),
                    [&](const auto &r) { return r.second == whole; });
    bytes += isWhole ? whole : sum;
  }
  return bytes;
}

class Frontier {
public:
  Frontier(const OpGraph &graph, const Sides &sides,
           const std::vector<RecomputeTag> &tags,
           const PartitionOptions &options)
      : graph(graph), sides(sides), tags(tags), options(options),
        isHeld(heldByCaller(graph, options.primalsAreHeld)) {
    for (const Storage &storage : graph.storages)
      allBytes += storage.bytes;
    for (OpId op = 0; op < graph.ops.size(); ++op)
      allTime += costAt(op);
  }

  std::vector<BudgetedCut> find(int64_t budget) {
    // Cuts that run no expensive ops again lie inside the hull, often near it.
    std::vector<BudgetedCut> all;
    for (CostClass most :
         {CostClass::Expensive, CostClass::Medium, CostClass::Cheap}) {
      options.recompute = most;
      // The two ends: the fewest bytes, then the lowest cost; and the other
      // way.
      add(cutBytes(graph, sides, tags, options));
      addWeighted(1, static_cast<double>(allBytes) + 1);
      findCorners();
      std::move(points.begin(), points.end(), std::back_inserter(all));
      points.clear();
    }
    points = std::move(all);
    keepBest();
    // Only the points between the two corners around the budget matter.
    for (size_t i = 0; i + 1 < points.size(); ++i)
      if (points[i].kept <= budget && points[i + 1].kept > budget) {
        addBetween(points[i], points[i + 1]);
        break;
      }
    keepBest();
    return std::move(points);
  }

private:
  /// The most corners; each costs a flow.
  static constexpr size_t maxCorners = 24;
  /// The most storages of a corner that are tried.
  static constexpr size_t maxStorages = 256;
  /// The most changes of one corner with the best of all storages, which are
  /// `maxCompared` then; the others are changed in one pass.
  static constexpr size_t maxSteps = 6;
  static constexpr size_t maxCompared = 48;

  BudgetedCut evaluate(Cut cut) const {
    BudgetedCut point;
    Functions functions = extractFunctions(graph, sides, cut);
    point.kept = keptBytes(graph, isHeld, functions.saved);
    for (OpId op : functions.shared) {
      point.cost += costAt(op);
      point.isLegal = point.isLegal && mayRepeat(op);
    }
    // What the backward function takes must exist before it.
    for (OpId op : functions.backward)
      point.isLegal =
          point.isLegal &&
          (sides.isBackwardOp[op] || mayRepeat(op) || !sides.isForwardOp[op]);
    point.cut = std::move(cut);
    return point;
  }

  bool mayRepeat(OpId op) const {
    return sides.isRepeatable[op] && tags[op] != RecomputeTag::MustSave &&
           tags[op] != RecomputeTag::PreferSave;
  }

  int64_t costAt(OpId op) const {
    return recomputeCost(graph.ops[op], op, graph.ops.size());
  }

  void add(Cut cut) { points.push_back(evaluate(std::move(cut))); }

  /// Adds the minimum cut for these weights.
  void addWeighted(double bytes, double time) {
    // The sums stay far below the limit of the network.
    constexpr double limit = 1e17;
    double scale = limit / (bytes * static_cast<double>(allBytes) +
                            time * static_cast<double>(allTime) + 1);
    CutWeights weights;
    weights.bytes = std::max<int64_t>(1, std::llround(bytes * scale));
    weights.time = std::max<int64_t>(1, std::llround(time * scale));
    add(cutBytes(graph, sides, tags, options, weights));
  }

  static bool isBefore(const BudgetedCut &a, const BudgetedCut &b) {
    return a.kept != b.kept ? a.kept < b.kept : a.cost < b.cost;
  }

  /// Sorts the points and drops those that keep more than another one without a
  /// lower cost.
  void keepBest() {
    std::stable_sort(points.begin(), points.end(), isBefore);
    std::vector<BudgetedCut> best;
    for (BudgetedCut &point : points)
      if (best.empty() || point.cost < best.back().cost)
        best.push_back(std::move(point));
    points = std::move(best);
  }

  void findCorners() {
    keepBest();
    // Pairs of neighbours between which there is no corner.
    std::vector<std::pair<int64_t, int64_t>> closed;
    while (points.size() < maxCorners && !options.isStopped()) {
      // The widest open pair is next, so that a limit costs least.
      size_t widest = points.size();
      double width = 0;
      for (size_t i = 0; i + 1 < points.size(); ++i) {
        double area = static_cast<double>(points[i + 1].kept - points[i].kept) *
                      static_cast<double>(points[i].cost - points[i + 1].cost);
        if (area > width &&
            std::find(closed.begin(), closed.end(),
                      std::pair(points[i].kept, points[i + 1].kept)) ==
                closed.end()) {
          width = area;
          widest = i;
        }
      }
      if (widest == points.size())
        return;
      int64_t low = points[widest].kept, high = points[widest + 1].kept;
      size_t before = points.size();
      addWeighted(
          static_cast<double>(points[widest].cost - points[widest + 1].cost),
          static_cast<double>(high - low));
      keepBest();
      if (points.size() <= before)
        closed.push_back({low, high});
    }
  }

  /// Adds cuts between two corners: storages that only `high` keeps are added
  /// to `low`, and storages that `high` keeps are dropped from it, in each step
  /// the one with the best ratio of time to bytes.
  void addBetween(const BudgetedCut &low, const BudgetedCut &high) {
    std::vector<BudgetedCut> found;
    auto consider = [&](const BudgetedCut &point) {
      if (point.kept > low.kept && point.kept < high.kept &&
          point.cost < low.cost && point.cost > high.cost)
        found.push_back(point);
    };
    walk(low, savedByStorage(high.cut, &low.cut), true, low.kept, high.kept,
         consider);
    walk(high, savedByStorage(high.cut, nullptr), false, low.kept, high.kept,
         consider);
    for (BudgetedCut &point : found)
      points.push_back(std::move(point));
  }

  using StorageValues = std::map<StorageId, std::vector<ValueId>>;

  /// The values that the cut saves, and `without` does not, by storage.
  StorageValues savedByStorage(const Cut &cut, const Cut *without) const {
    StorageValues result;
    for (ValueId v = 0; v < graph.values.size(); ++v)
      if (StorageId s = graph.values[v].storage;
          cut.isSaved[v] && !(without && without->isSaved[v]) && !isHeld[s] &&
          graph.storages[s].bytes > 0)
        result[s].push_back(v);
    // The largest ones, if there are too many.
    while (result.size() > maxStorages)
      result.erase(std::min_element(result.begin(), result.end(),
                                    [&](const auto &a, const auto &b) {
                                      return graph.storages[a.first].bytes <
                                             graph.storages[b.first].bytes;
                                    }));
    return result;
  }

  /// Changes one storage after the other, as long as the kept bytes stay
  /// between the two limits, and calls `consider` for every cut on the way.
  template <typename Consider>
  void walk(const BudgetedCut &from, const StorageValues &storages, bool save,
            int64_t lowest, int64_t highest, const Consider &consider) const {
    BudgetedCut now = from;
    struct Choice {
      const std::vector<ValueId> *values;
      double ratio;
    };
    std::vector<Choice> choices;
    for (const auto &[storage, values] : storages)
      choices.push_back({&values, 0});
    // The ratio of time to bytes of a change; 0 if it is of no use.
    auto tryChange = [&](const Choice &choice, BudgetedCut &next) {
      next = evaluate(withSaved(now.cut, *choice.values, save));
      int64_t bytes = std::abs(next.kept - now.kept);
      int64_t time = std::abs(next.cost - now.cost);
      if (!next.isLegal || next.kept >= highest || next.kept <= lowest ||
          !(save ? next.cost < now.cost : next.kept < now.kept))
        return 0.0;
      consider(next);
      return save ? static_cast<double>(time) / (bytes + 1)
                  : static_cast<double>(bytes) / (time + 1);
    };
    BudgetedCut next;
    for (size_t step = 0; step < maxSteps; ++step) {
      BudgetedCut best;
      size_t chosen = choices.size();
      for (size_t i = 0; i < choices.size(); ++i) {
        if ((step > 0 && i >= maxCompared) || options.isStopped())
          break;
        choices[i].ratio = tryChange(choices[i], next);
        if (choices[i].ratio > 0 &&
            (chosen == choices.size() ||
             choices[i].ratio > choices[chosen].ratio)) {
          best = std::move(next);
          chosen = i;
        }
      }
      if (chosen == choices.size())
        return;
      now = std::move(best);
      choices.erase(choices.begin() + static_cast<ptrdiff_t>(chosen));
      std::stable_sort(
          choices.begin(), choices.end(),
          [](const Choice &a, const Choice &b) { return a.ratio > b.ratio; });
    }
    for (const Choice &choice : choices)
      if (!options.isStopped() && tryChange(choice, next) > 0)
        now = std::move(next);
  }

  static Cut withSaved(Cut cut, const std::vector<ValueId> &values, bool save) {
    for (ValueId v : values)
      cut.isSaved[v] = save;
    // It is a cut, but no minimum.
    cut.capacity = cut.flow = 0;
    return cut;
  }

  const OpGraph &graph;
  const Sides &sides;
  const std::vector<RecomputeTag> &tags;
  PartitionOptions options;
  std::vector<bool> isHeld;
  int64_t allBytes = 0, allTime = 0;
  std::vector<BudgetedCut> points;
};

} // namespace

std::vector<BudgetedCut>
memplan::graph::cutFrontier(const OpGraph &graph, const Sides &sides,
                            const std::vector<RecomputeTag> &tags,
                            const PartitionOptions &options, int64_t budget) {
  return Frontier(graph, sides, tags, options).find(budget);
}
