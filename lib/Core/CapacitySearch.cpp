//===- CapacitySearch.cpp - Many tree searches at one capacity ------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CapacitySearch.h"

#include <memory>
#include <mutex>
#include <thread>

using namespace memplan;
using namespace memplan::detail;

/// Nodes of a search with a plain ranking in round 0, and of one with a
/// perturbed ranking in the first rounds: enough for most instances that are
/// easy for the ranking, little enough to waste on the others.
static constexpr int64_t plainBudget = 1500, perturbedBudget = 2000;

/// The rounds after which more effort goes into longer instead of more
/// perturbed searches.
static constexpr unsigned shortRounds = 6;

CapacitySearch::CapacitySearch(const Model &model)
    : space(model), orders(space) {}

SearchOutcome CapacitySearch::runRound(int64_t capacity, unsigned round,
                                       SearchControl &control) {
  round = std::min(round, 40u);
  std::vector<Task> tasks;
  int64_t left = control.nodesLeft();
  auto add = [&](Task task) {
    task.nodeLimit = std::min(task.nodeLimit, left);
    left -= task.nodeLimit;
    if (task.nodeLimit > 0)
      tasks.push_back(task);
  };
  // Run times of one ranking are heavy-tailed: where it does not lead to a plan
  // soon, a little noise is worth more than patience, so from round 1 on noise
  // has the first go. A proof needs patience.
  unsigned copies = 2u << std::min(round, shortRounds);
  int64_t budget = perturbedBudget << (round - std::min(round, shortRounds));
  auto addPlain = [&] {
    for (uint32_t order = 0; order < SearchOrders::count; ++order)
      add({order, 0, plainBudget << round});
  };
  if (round == 0)
    addPlain();
  for (unsigned copy = 0; copy < copies; ++copy)
    for (uint32_t order = 0; order < SearchOrders::count; ++order)
      add({order, ++perturbations, budget});
  if (round > 0)
    addPlain();
  return run(capacity, std::move(tasks), control);
}

SearchOutcome CapacitySearch::runOnce(int64_t capacity, int64_t nodeLimit,
                                      SearchControl &control) {
  nodeLimit = std::min(nodeLimit, control.nodesLeft());
  return run(capacity, {{0, 0, nodeLimit}}, control);
}

SearchOutcome CapacitySearch::run(int64_t capacity, std::vector<Task> tasks,
                                  SearchControl &control) {
  std::unique_ptr<std::atomic<bool>[]> cancel(
      new std::atomic<bool>[tasks.size()]);
  for (size_t i = 0; i < tasks.size(); ++i)
    cancel[i] = false;
  std::mutex mutex;
  size_t next = 0, winner = tasks.size();
  auto work = [&] {
    TreeSearch search(space, control.timeLimit());
    std::unique_lock<std::mutex> lock(mutex);
    while (next < tasks.size() && next < winner && !control.timeIsUp()) {
      size_t mine = next++;
      Task &task = tasks[mine];
      lock.unlock();
      std::vector<uint32_t> rank =
          task.perturbation
              ? orders.perturbed(task.order, task.perturbation, control.seed())
              : orders.ranking(task.order);
      task.outcome = search.run(capacity, rank, task.nodeLimit, cancel[mine]);
      task.nodes = search.nodes();
      lock.lock();
      if (task.outcome == SearchOutcome::Limit || mine > winner)
        continue;
      // What follows in the sequence is of no more use.
      winner = mine;
      for (size_t later = mine + 1; later < tasks.size(); ++later)
        cancel[later] = true;
      if (task.outcome == SearchOutcome::Found)
        found = search.offsets();
    }
  };
  std::vector<std::thread> helpers;
  size_t threads = std::min<size_t>(control.threads(), tasks.size());
  for (size_t i = 1; i < threads; ++i)
    helpers.emplace_back(work);
  work();
  for (std::thread &helper : helpers)
    helper.join();
  for (size_t i = 0; i < tasks.size() && i <= winner; ++i)
    control.spend(tasks[i].nodes);
  return winner < tasks.size() ? tasks[winner].outcome : SearchOutcome::Limit;
}
