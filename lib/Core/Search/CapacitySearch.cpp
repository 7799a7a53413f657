//===- CapacitySearch.cpp - Many tree searches at one capacity ------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search/CapacitySearch.h"

#include <array>
#include <cmath>
#include <mutex>
#include <system_error>
#include <thread>

using namespace memplan;
using namespace memplan::detail;

/// The nodes of a search with a plain ranking, doubled every round, and the
/// nodes of a short search. A lucky search needs no more; most searches would
/// need many times as many.
static constexpr int64_t plainBudget = 1500, shortBudget = 1000;

/// The number of short searches in round 0. It doubles in each of the next
/// rounds.
static constexpr unsigned shortSearches = 12;

/// After this round, the budget of the short searches doubles instead of their
/// number.
static constexpr unsigned shortRounds = 6;

/// The searches of a batch: they use the same weights, so that they can run at
/// once in several threads.
static constexpr size_t batchSize = 4;

/// The factor by which one more search reduces the earlier failure counts.
static constexpr double memory = 0.95;

CapacitySearch::CapacitySearch(const Model &model)
    : space(model), orders(space), failures(space.buffers.size(), 0.0) {}

SearchOutcome CapacitySearch::runRound(int64_t capacity, unsigned round,
                                       SearchControl &control) {
  round = std::min(round, 40u);
  std::vector<Task> tasks;
  int64_t left = control.nodesLeft();
  auto add = [&](uint32_t order, uint64_t perturbation, int64_t nodes) {
    nodes = std::min(nodes, left);
    left -= nodes;
    if (nodes > 0)
      tasks.push_back({order, perturbation, nodes});
  };
  if (round == 0)
    for (uint32_t order = 0; order < SearchOrders::count; ++order)
      add(order, 0, plainBudget);
  // The running time of a ranking has a heavy-tailed distribution. So if one
  // does not find a plan soon, a new ranking is better than more nodes. The
  // rankings by time live (1) and by number of sections (3) are the best most
  // often.
  static constexpr uint32_t turns[] = {1, 3, 4, 1, 3, 2, 3, 1};
  unsigned copies = shortSearches << std::min(round, shortRounds);
  int64_t budget = shortBudget << (round - std::min(round, shortRounds));
  for (unsigned copy = 0; copy < copies; ++copy)
    add(turns[copy % 8], ++perturbations,
        copy % 16 == 15 ? 4 * budget
        : copy % 4 == 3 ? 2 * budget
                        : budget);
  // Only long searches can prove that there is no plan.
  if (round > 0)
    for (uint32_t order : {2 * round, 2 * round + 1, 2 * round + 2})
      add(order % SearchOrders::count, order % 2 ? ++perturbations : 0,
          plainBudget << round);
  return run(capacity, std::move(tasks), control);
}

SearchOutcome CapacitySearch::runOnce(int64_t capacity, int64_t nodeLimit,
                                      SearchControl &control) {
  nodeLimit = std::min(nodeLimit, control.nodesLeft());
  return run(capacity, {{0, 0, nodeLimit}}, control);
}

/// Adds the failures of a search to the decayed failures of the earlier ones.
void CapacitySearch::learn(const Task &task) {
  for (size_t item = 0; item < task.failures.size(); ++item)
    failures[item] = memory * failures[item] + task.failures[item];
}

/// The weight of each item, which grows with its share of the failures: all are
/// 1 without failures, otherwise w * sqrt(w) for w = 0.1 + failures / mean.
/// std::sqrt gives the same result on every machine, std::pow may not.
std::vector<double> CapacitySearch::weights() const {
  double sum = 0;
  for (double count : failures)
    sum += count;
  std::vector<double> result(failures.size(), 1.0);
  if (sum == 0)
    return result;
  for (size_t item = 0; item < result.size(); ++item) {
    double weight = 0.1 + failures[item] * double(failures.size()) / sum;
    result[item] = weight * std::sqrt(weight);
  }
  return result;
}

SearchOutcome CapacitySearch::run(int64_t capacity, std::vector<Task> tasks,
                                  SearchControl &control) {
  for (size_t first = 0; first < tasks.size() && !control.timeIsUp();
       first += batchSize) {
    SearchOutcome outcome =
        runBatch(capacity, &tasks[first],
                 std::min(batchSize, tasks.size() - first), control);
    if (outcome != SearchOutcome::Limit)
      return outcome;
  }
  return SearchOutcome::Limit;
}

SearchOutcome CapacitySearch::runBatch(int64_t capacity, Task *tasks,
                                       size_t count, SearchControl &control) {
  std::array<std::atomic<bool>, batchSize> cancel;
  for (std::atomic<bool> &flag : cancel)
    flag = false;
  std::vector<double> itemWeights = weights();
  std::mutex mutex;
  size_t next = 0, winner = count;
  auto work = [&] {
    TreeSearch search(space, control.deadline());
    std::unique_lock<std::mutex> lock(mutex);
    while (next < count && next < winner && !control.timeIsUp()) {
      size_t mine = next++;
      Task &task = tasks[mine];
      lock.unlock();
      std::vector<uint32_t> rank =
          task.perturbation ? orders.perturbed(task.order, task.perturbation,
                                               control.seed(), itemWeights)
                            : orders.ranking(task.order);
      task.outcome = search.run(capacity, rank, task.nodeLimit, cancel[mine]);
      task.nodes = search.nodes();
      task.failures = search.failures();
      lock.lock();
      if (task.outcome == SearchOutcome::Limit || mine > winner)
        continue;
      // The later searches of the batch cannot change the result.
      winner = mine;
      for (size_t later = mine + 1; later < count; ++later)
        cancel[later] = true;
      if (task.outcome == SearchOutcome::Found)
        found = search.offsets();
    }
  };
  std::vector<std::thread> helpers;
  size_t threads = std::min<size_t>(control.threads(), count);
  helpers.reserve(threads);
  try {
    while (helpers.size() + 1 < threads)
      helpers.emplace_back(work);
  } catch (const std::system_error &) {
    // The system has no further thread; the others do all tasks.
  }
  work();
  for (std::thread &helper : helpers)
    helper.join();
  for (size_t i = 0; i < count && i <= winner; ++i) {
    control.spend(tasks[i].nodes);
    learn(tasks[i]);
  }
  return winner < count ? tasks[winner].outcome : SearchOutcome::Limit;
}
