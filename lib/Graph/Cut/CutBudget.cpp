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
// two known ones (as Eisner and Severance). Between two corners the storages
// that only the larger one keeps are added to the smaller one, those that save
// the most time for a byte first.
//
//   cost
//    | A              A, D, F: corners, minimum cuts
//    |   b            b, c:    A with storages of D
//    |      c  D
//    |             F
//    +------------------ kept bytes
//
// The frontier does not depend on a budget, so a larger budget never keeps less
// or costs more.
//
//===----------------------------------------------------------------------===//

#include "Cut/Extract.h"
#include "Cut/Sides.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace memplan::graph;

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
    this->options.recompute = CostClass::Expensive;
    for (const Storage &storage : graph.storages)
      allBytes += storage.bytes;
    for (const Op &op : graph.ops)
      allTime += recomputeCost(op);
  }

  std::vector<BudgetedCut> find() {
    // The two ends: the fewest bytes, then the lowest cost; and the other way.
    add(cutBytes(graph, sides, tags, options));
    addWeighted(1, static_cast<double>(allBytes) + 1);
    findCorners();
    size_t corners = points.size();
    for (size_t i = 0; i + 1 < corners; ++i)
      addBetween(points[i], points[i + 1]);
    keepBest();
    return std::move(points);
  }

private:
  /// The most corners; each costs a flow.
  static constexpr size_t maxCorners = 24;
  /// The most storages that are tried between two corners.
  static constexpr size_t maxStorages = 64;

  BudgetedCut evaluate(Cut cut) const {
    BudgetedCut point;
    Functions functions = extractFunctions(graph, sides, cut);
    point.kept = keptBytes(graph, isHeld, functions.saved);
    for (OpId op : functions.shared)
      point.cost += recomputeCost(graph.ops[op]);
    point.cut = std::move(cut);
    return point;
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
    while (points.size() < maxCorners) {
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

  /// Adds storages that only `high` keeps to `low`, one after the other.
  void addBetween(const BudgetedCut &low, const BudgetedCut &high) {
    std::map<StorageId, std::vector<ValueId>> only;
    for (ValueId v = 0; v < graph.values.size(); ++v)
      if (high.cut.isSaved[v] && !low.cut.isSaved[v])
        only[graph.values[v].storage].push_back(v);
    if (only.size() < 2 || only.size() > maxStorages)
      return;
    struct Gain {
      double ratio;
      StorageId storage;
    };
    std::vector<Gain> gains;
    Cut start = low.cut;
    int64_t kept = low.kept, cost = low.cost;
    for (const auto &[storage, values] : only) {
      BudgetedCut with = evaluate(withSaved(start, values));
      if (with.cost < cost)
        gains.push_back(
            {static_cast<double>(cost - with.cost) /
                 static_cast<double>(std::max<int64_t>(1, with.kept - kept)),
             storage});
    }
    std::stable_sort(
        gains.begin(), gains.end(),
        [](const Gain &a, const Gain &b) { return a.ratio > b.ratio; });
    Cut cut = std::move(start);
    std::vector<BudgetedCut> found;
    for (const Gain &gain : gains) {
      cut = withSaved(cut, only[gain.storage]);
      found.push_back(evaluate(cut));
    }
    for (BudgetedCut &point : found)
      points.push_back(std::move(point));
  }

  static Cut withSaved(Cut cut, const std::vector<ValueId> &values) {
    for (ValueId v : values)
      cut.isSaved[v] = true;
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
                            const PartitionOptions &options) {
  return Frontier(graph, sides, tags, options).find();
}
