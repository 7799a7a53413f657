//===- Minimize.cpp - The least arena by complete search ------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search/Minimize.h"

#include "Model/Components.h"
#include "Search/CapacitySearch.h"
#include "Search/DisjunctiveSearch.h"
#include "Search/JoinedSearch.h"

#include <algorithm>
#include <memory>
#include <numeric>

using namespace memplan;
using namespace memplan::detail;

// Among the plans with the least arena, one has the least sum of offsets. In it
// no buffer can move down. So each offset is 0 or a pin, or another buffer
// determines it: it is the other's end, or an end of the permitted range of
// their difference, rounded up to the alignment. All of these are multiples of
// the greatest common divisor of the sizes, the pins, the permitted differences
// and those alignments that do not divide it already.
int64_t detail::offsetGranule(const Model &model) {
  int64_t granule = 0;
  for (BufferIndex b = 0; b < model.size(); ++b) {
    granule = std::gcd(granule, model.sizeOf(b));
    if (model.isPinned(b))
      granule = std::gcd(granule, model.pinOf(b));
    for (const Relation &relation : model.relations(b)) {
      granule = std::gcd(granule, relation.minDelta);
      granule = std::gcd(granule, relation.maxDelta);
    }
  }
  // A multiple of the granule satisfies every alignment that divides the
  // granule. Any other alignment may round offsets up to multiples of itself.
  for (BufferIndex b = 0; b < model.size(); ++b)
    if (model.sizeOf(b) > 0 && granule % model.alignOf(b) != 0)
      granule = std::gcd(granule, model.alignOf(b));
  return std::max<int64_t>(granule, 1);
}

namespace {

/// One component: its problem, its best placement and bound, and its searches.
class Part {
public:
  Part(const Model &whole, const std::vector<BufferIndex> &buffers,
       const Placement &placement)
      : buffers(buffers), problem(selectBuffers(whole.problem, buffers)),
        model(problem), granule(offsetGranule(model)) {
    bound = roundDown(lowerBound(model) + granule - 1);
    for (BufferIndex b : buffers) {
      offsets.push_back(placement.offsets[b]);
      height = std::max(height, placement.offsets[b] + whole.sizeOf(b));
    }
    for (BufferIndex b = 0; b < model.size(); ++b)
      hasOverlaps |= model.hasOverlaps(b);
    if (SearchSpace::fits(model)) {
      tree = std::make_unique<CapacitySearch>(model);
      joined = std::make_unique<JoinedSearch>(model);
      if (!joined->isUseful())
        joined.reset();
    }
    isDisjunctive = hasOverlaps && DisjunctiveSearch::fits(model);
  }

  /// False if a further round towards `goal` cannot change anything.
  bool isSearchable(int64_t goal) const {
    int64_t top = height - granule;
    return isDisjunctive ||
           (tree && treeFloor < (goal < 0 ? top : std::min(goal, top)));
  }

  /// Runs a short tree search at `capacity` and, if it finds nothing, one of
  /// the joined problem.
  void probe(int64_t capacity, SearchControl &control) {
    if (tree && capacity > treeFloor)
      takeTree(tree->runOnce(capacity, 100 + 2 * model.size(), control),
               capacity);
    if (joined && misses(capacity))
      takeJoined(joined->probe(capacity, control), capacity);
  }

  /// Runs one round of searches: at the goal if there is one, otherwise at
  /// several capacities from the bound to just below the height.
  void runRound(int64_t goal, unsigned round, SearchControl &control);

  std::vector<BufferIndex> buffers;
  std::vector<int64_t> offsets;
  int64_t height = 0;
  int64_t bound = 0;

private:
  int64_t roundDown(int64_t bytes) const { return bytes - bytes % granule; }
  bool isOpen(int64_t goal) const {
    return height > std::max(goal, bound) && (goal < 0 || bound <= goal);
  }
  void take(SearchOutcome outcome, int64_t capacity,
            const std::vector<int64_t> &found);
  void takeTree(SearchOutcome outcome, int64_t capacity);
  void takeJoined(SearchOutcome outcome, int64_t capacity) {
    take(outcome, capacity, joined->offsets());
  }
  /// True if a plan of this capacity is neither known nor excluded.
  bool misses(int64_t capacity) const {
    return bound <= capacity && capacity < height;
  }

  Problem problem;
  Model model;
  int64_t granule;
  bool hasOverlaps = false;
  /// Bytes: no plan of this capacity exists that does without permitted
  /// overlaps.
  int64_t treeFloor = -1;
  std::unique_ptr<CapacitySearch> tree;
  /// Null if too few buffers can be joined.
  std::unique_ptr<JoinedSearch> joined;
  /// True if the disjunctive search is of use. It is made when it is needed.
  bool isDisjunctive = false;
  std::unique_ptr<DisjunctiveSearch> disjunctive;
};

void Part::takeTree(SearchOutcome outcome, int64_t capacity) {
  if (outcome == SearchOutcome::Exhausted) {
    treeFloor = std::max(treeFloor, capacity);
    if (hasOverlaps)
      return; // No proof: a plan with permitted overlaps may exist.
  }
  take(outcome, capacity, tree->offsets());
}

void Part::take(SearchOutcome outcome, int64_t capacity,
                const std::vector<int64_t> &found) {
  if (outcome == SearchOutcome::Exhausted)
    bound = std::max(bound, roundDown(capacity) + granule);
  if (outcome != SearchOutcome::Found)
    return;
  offsets = found;
  height = 0;
  for (BufferIndex b = 0; b < model.size(); ++b)
    height = std::max(height, offsets[b] + model.sizeOf(b));
}

void Part::runRound(int64_t goal, unsigned round, SearchControl &control) {
  // With a goal, only this capacity matters. Otherwise, divide the gap into
  // quarters and search at each of their ends, from the bound up.
  for (int quarter = 0; quarter <= (goal < 0 ? 4 : 0); ++quarter) {
    if (!isOpen(goal) || control.isExhausted())
      return;
    int64_t top = height - granule;
    int64_t capacity = goal >= 0 ? std::max(goal, bound)
                       : quarter == 4
                           ? top
                           : roundDown(bound + (top - bound) / 4 * quarter);
    // The heights that matter are multiples of the granule, so a capacity
    // between `top` and the height allows no more than `top` does.
    capacity = std::clamp(capacity, std::min(bound, top), top);
    if (quarter > 0 && capacity == bound)
      continue;
    if (round == 0 && joined)
      probe(capacity, control);
    auto runJoined = [&] {
      if (joined && misses(capacity))
        takeJoined(joined->runRound(capacity, round, control), capacity);
    };
    // A joined problem of at most half of the buffers takes much less time.
    bool isJoinedFirst = joined && joined->isSmall();
    if (isJoinedFirst)
      runJoined();
    if (tree && misses(capacity) && capacity > treeFloor)
      takeTree(tree->runRound(capacity, round, control), capacity);
    if (!isJoinedFirst)
      runJoined();
  }
  if (!isDisjunctive || !isOpen(goal) || control.isExhausted())
    return;
  if (!disjunctive)
    disjunctive = std::make_unique<DisjunctiveSearch>(model);
  int64_t capacity = goal >= 0 ? goal : height - granule;
  int64_t nodes =
      std::min(int64_t(1000) << std::min(round, 40u), control.nodesLeft());
  SearchOutcome outcome = disjunctive->run(capacity, nodes, control);
  control.spend(disjunctive->nodes());
  take(outcome, capacity, disjunctive->offsets());
}

} // namespace

namespace {

/// The components that are higher than the goal and the bound, and the height
/// of the others. The constructor raises the bound of the whole problem to
/// those of the components.
struct OpenParts {
  OpenParts(const Model &model, int64_t goal, Standing &standing) {
    const Placement &best = standing.best;
    for (const std::vector<BufferIndex> &component : findComponents(model)) {
      int64_t height = 0;
      for (BufferIndex b : component)
        height = std::max(height, best.offsets[b] + model.sizeOf(b));
      if (height > std::max(goal, standing.bound)) {
        parts.push_back(std::make_unique<Part>(model, component, best));
        standing.bound = std::max(standing.bound, parts.back()->bound);
      } else {
        settled = std::max(settled, height);
      }
    }
    // Empty buffers are in no component.
    for (BufferIndex b = 0; b < model.size(); ++b)
      if (model.sizeOf(b) == 0)
        settled = std::max(settled, best.offsets[b]);
  }

  /// Writes the offsets of a part to the placement of the whole problem, and
  /// updates its height.
  void settle(const Part &part, Placement &best) const {
    for (size_t i = 0; i < part.buffers.size(); ++i)
      best.offsets[part.buffers[i]] = part.offsets[i];
    best.height = settled;
    for (const std::unique_ptr<Part> &other : parts)
      best.height = std::max(best.height, other->height);
  }

  std::vector<std::unique_ptr<Part>> parts;
  int64_t settled = 0;
};

} // namespace

void detail::probe(const Model &model, int64_t goal, Standing &standing,
                   SearchControl &control) {
  OpenParts open(model, goal, standing);
  for (std::unique_ptr<Part> &part : open.parts) {
    part->probe(std::max(goal, standing.bound), control);
    standing.bound = std::max(standing.bound, part->bound);
    open.settle(*part, standing.best);
  }
}

void detail::minimize(const Model &model, int64_t goal, Standing &standing,
                      SearchControl &control) {
  OpenParts open(model, goal, standing);
  for (unsigned round = 0; !control.isExhausted(); ++round) {
    bool isOpen = false;
    int64_t nodes = control.nodes(), bound = standing.bound,
            height = standing.best.height;
    for (std::unique_ptr<Part> &part : open.parts) {
      int64_t target = std::max(goal, standing.bound);
      if (part->height <= target || (goal >= 0 && standing.bound > goal))
        continue;
      // Lowering a part below the bound of the whole problem gains nothing.
      int64_t partGoal = target > part->bound ? target : goal;
      if (!part->isSearchable(partGoal)) {
        standing.tooLarge = true;
        continue;
      }
      part->runRound(partGoal, round, control);
      standing.bound = std::max(standing.bound, part->bound);
      isOpen |= part->height > std::max(goal, standing.bound);
      open.settle(*part, standing.best);
      control.report(standing.best.height, standing.bound);
    }
    if (!isOpen || (goal >= 0 && standing.bound > goal))
      break;
    // The searches of the open parts are done, and prove nothing where plans
    // with permitted overlaps may be lower.
    if (control.nodes() == nodes && standing.bound == bound &&
        standing.best.height == height) {
      standing.tooLarge = true;
      break;
    }
  }
}
