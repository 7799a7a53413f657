//===- FarthestLastUse.cpp - Assignments by simple rules ------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Spaces/SpaceSearch.h"

#include <algorithm>

using namespace memplan;
using namespace memplan::detail;

namespace {
/// Accesses to one buffer whose contents depend on each other: from one that
/// needs none up to the next such one.
struct Web {
  unsigned row;
  unsigned first, last;
  /// The accesses before it are in the fast memory.
  unsigned fastEnd;
  bool mustStay;
};

class LastUseRule {
public:
  explicit LastUseRule(const RowModel &model) : model(model) {
    for (unsigned r = 0; r < model.rows.size(); ++r) {
      const Row &row = model.rows[r];
      for (unsigned k = 0; k < row.accesses.size(); ++k) {
        if (k == 0 || !row.accesses[k].needsContents)
          webs.push_back({r, k, k, k, false});
        webs.back().last = k;
        webs.back().mustStay |= row.accesses[k].slowCost == kNever;
      }
    }
    std::stable_sort(webs.begin(), webs.end(), [&](const Web &a, const Web &b) {
      return getSpan(a, a.first).begin < getSpan(b, b.first).begin;
    });
  }

  /// Applies the rule to a fast memory of `capacity` bytes. Returns false if
  /// buffers that must be in it do not fit.
  bool run(int64_t capacity) {
    used.assign(model.numSections, 0);
    for (size_t w = 0; w < webs.size(); ++w) {
      enter(webs[w]);
      Sections span = getSpan(webs[w], webs[w].first);
      for (unsigned s = span.begin; s < span.end; ++s)
        while (used[s] > capacity) {
          Web *victim = findVictim(w, s);
          if (!victim)
            return false;
          leave(*victim, s);
        }
    }
    return true;
  }

  /// The steps of the last run; empty if an op does not take them.
  std::vector<Steps> getSteps() const {
    std::vector<std::vector<Decision>> decisions;
    decisions.reserve(model.rows.size());
    for (const Row &row : model.rows)
      decisions.emplace_back(row.accesses.size());
    for (const Web &web : webs)
      for (unsigned k = web.first; k <= web.last; ++k) {
        bool isFast = k < web.fastEnd;
        decisions[web.row][k] = {isFast ? Choice::Yes : Choice::No,
                                 isFast && k > web.first ? Choice::Yes
                                                         : Choice::No};
      }
    std::vector<Steps> steps(model.rows.size());
    Prices none(model.numSections);
    for (size_t r = 0; r < steps.size(); ++r)
      if (findCheapest(model.rows[r], none, decisions[r].data(), steps[r]) ==
          std::numeric_limits<double>::infinity())
        return {};
    return steps;
  }

private:
  Sections getSpan(const Web &web, unsigned access) const {
    return model.rows[web.row].accesses[access].span;
  }

  /// Sections from the first access up to the end of the one before `end`.
  void add(const Web &web, unsigned from, unsigned to, int64_t bytes) {
    if (from == to)
      return;
    unsigned begin = from == web.first ? getSpan(web, from).begin
                                       : getSpan(web, from - 1).end;
    for (unsigned s = begin; s < getSpan(web, to - 1).end; ++s)
      used[s] += bytes;
  }

  /// Contents that are in the slow memory at first stay there.
  void enter(Web &web) {
    const Row &row = model.rows[web.row];
    web.fastEnd = web.first;
    if (row.accesses[web.first].needsContents && !web.mustStay)
      return;
    while (web.fastEnd <= web.last &&
           row.accesses[web.fastEnd].fastCost != kNever)
      ++web.fastEnd;
    add(web, web.first, web.fastEnd, row.size);
  }

  /// Takes the web out behind its last access that ends at `section` or before.
  void leave(Web &web, unsigned section) {
    unsigned end = web.fastEnd;
    while (end > web.first && getSpan(web, end - 1).end > section)
      --end;
    add(web, end, web.fastEnd, -model.rows[web.row].size);
    web.fastEnd = end;
  }

  /// Of the first webs, up to `newest`, one that holds bytes in the section and
  /// whose last use is the farthest.
  Web *findVictim(size_t newest, unsigned section) {
    Web *victim = nullptr;
    for (size_t w = 0; w <= newest; ++w) {
      Web &web = webs[w];
      if (web.mustStay || web.fastEnd == web.first ||
          model.rows[web.row].size == 0 ||
          getSpan(web, web.first).begin > section ||
          getSpan(web, web.fastEnd - 1).end <= section)
        continue;
      if (!victim ||
          getSpan(web, web.last).end > getSpan(*victim, victim->last).end)
        victim = &web;
    }
    return victim;
  }

  const RowModel &model;
  /// In the order in which they begin.
  std::vector<Web> webs;
  /// Bytes, by section.
  std::vector<int64_t> used;
};
} // namespace

SpaceAssignment memplan::farthestLastUse(const SpaceProblem &problem) {
  RowModel model(problem);
  SpaceAssignment assignment;
  assignment.status = PlanStatus::Limit;
  assignment.message = "buffers that must be in the fast memory do not fit";
  if (!model.isPossible)
    return assignment;
  LastUseRule rule(model);
  // The rule knows no places. If they do not fit, it gets fewer bytes.
  for (int64_t percent = 100; percent >= 0; percent -= 2) {
    std::vector<Steps> steps;
    if (rule.run(model.capacity / 100 * percent +
                 model.capacity % 100 * percent / 100))
      steps = rule.getSteps();
    if (steps.empty())
      break;
    std::vector<SpacePiece> pieces = findPieces(steps);
    bool isProven;
    if (!placePieces(problem, steps, pieces, false, isProven, nullptr))
      continue;
    for (size_t r = 0; r < steps.size(); ++r)
      assignment.cost += getCost(model.rows[r], steps[r]);
    assignment.steps = std::move(steps);
    assignment.pieces = std::move(pieces);
    assignment.status = PlanStatus::Feasible;
    assignment.message.clear();
    break;
  }
  return assignment;
}

SpaceAssignment memplan::everythingSlow(const SpaceProblem &problem) {
  RowModel model(problem);
  SpaceAssignment assignment;
  Prices none(model.numSections);
  for (const Row &row : model.rows) {
    std::vector<Decision> decisions(row.accesses.size());
    for (size_t k = 0; k < decisions.size(); ++k)
      if (row.accesses[k].slowCost != kNever)
        decisions[k].held = Choice::No;
    assignment.steps.emplace_back();
    findCheapest(row, none, decisions.data(), assignment.steps.back());
    assignment.cost += getCost(row, assignment.steps.back());
  }
  assignment.pieces = findPieces(assignment.steps);
  assignment.status = PlanStatus::Feasible;
  return assignment;
}
