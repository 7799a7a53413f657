//===- TreeSearch.cpp - Complete search at a fixed capacity ---------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search/TreeSearch.h"

#include "memplan/Core/CheckedMath.h"

#include <algorithm>

using namespace memplan;
using namespace memplan::detail;

static bool testBit(const std::vector<uint64_t> &bits, uint32_t i) {
  return bits[i / 64] >> (i % 64) & 1;
}
static void setBit(std::vector<uint64_t> &bits, uint32_t i) {
  bits[i / 64] |= uint64_t(1) << (i % 64);
}

//===----------------------------------------------------------------------===//
// Claims
//===----------------------------------------------------------------------===//

/// Adds an item to the claim, to the set where it belongs now.
void TreeSearch::claimItem(uint32_t item) {
  if (placed[item]) {
    setBit(claimPlaced, item);
  } else if (!testBit(claimUnplaced, item)) {
    setBit(claimUnplaced, item);
    claimWork.push_back(item);
  }
}

/// Adds what the unplaced items of the claim lie on and why they missed their
/// turn.
void TreeSearch::closeClaim() {
  while (!claimWork.empty()) {
    uint32_t item = claimWork.back();
    claimWork.pop_back();
    if (raiser[item] != none)
      setBit(claimPlaced, raiser[item]);
    if (reason[item] != none) {
      const uint64_t *why = reasons.data() + reason[item];
      for (size_t w = 0; w < words; ++w) {
        claimPlaced[w] |= why[w];
        for (uint64_t bits = why[words + w]; bits; bits &= bits - 1)
          claimItem(static_cast<uint32_t>(64 * w + __builtin_ctzll(bits)));
      }
    } else if (space.twin[item] != none && !placed[space.twin[item]]) {
      // It waits for its twin, whose reason is as good.
      claimItem(space.twin[item]);
    }
  }
}

/// The claim of a node without candidates, from the item that dominates.
void TreeSearch::blameAlone(uint32_t item) {
  claimPlaced.assign(words, 0);
  claimUnplaced.assign(words, 0);
  claimItem(item);
  closeClaim();
}

/// The claim of the section that `jobs` has just shown to overflow.
void TreeSearch::blame() {
  claimPlaced.assign(words, 0);
  claimUnplaced.assign(words, 0);
  // The fewest of the jobs that are released last and overflow by themselves.
  int64_t sum = 0;
  bool usesTurn = false;
  for (size_t i = jobs.size(); i-- > 0;) {
    const Job &job = jobs[i];
    sum += job.size;
    usesTurn |= job.usesTurn;
    if (job.item != none) {
      claimItem(job.item);
      ++failed[job.item];
    }
    if (job.release + sum > capacity)
      break;
  }
  if (usesTurn) {
    closeClaim();
    return;
  }
  for (uint32_t item : claimWork)
    if (raiser[item] != none)
      setBit(claimPlaced, raiser[item]);
  claimWork.clear();
}

/// The item's turn passes for the reason that the claim gives.
void TreeSearch::keepReason(uint32_t item) {
  trail.push_back({item, release[item], raiser[item], reason[item]});
  reason[item] = static_cast<uint32_t>(reasons.size());
  claimPlaced[item / 64] &= ~(uint64_t(1) << (item % 64));
  reasons.insert(reasons.end(), claimPlaced.begin(), claimPlaced.end());
  reasons.insert(reasons.end(), claimUnplaced.begin(), claimUnplaced.end());
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

bool TreeSearch::sectionFits(uint32_t section, Turn turn) {
  uint32_t *items = sectionItems.data() + space.sectionBegin[section];
  const uint32_t *itemsEnd = items + unplacedIn[section];
  if (space.sectionPins.empty())
    switch (glance(items, itemsEnd, turn)) {
    case Glance::Fits:
      return true;
    case Glance::Overflows:
      listJobs(items, itemsEnd, section, turn);
      blame();
      return false;
    case Glance::Unclear:
      break;
    }
  if (!listJobs(items, itemsEnd, section, turn))
    return false;
  int64_t sum = 0, latest = 0;
  for (const Job &job : jobs) {
    sum += job.size;
    latest = std::max(latest, job.release);
  }
  if (latest + sum <= capacity)
    return true;
  if (sortJobs())
    keepOrder(items);
  int64_t at = 0;
  for (const Job &job : jobs)
    at = std::max(at, job.release) + job.size;
  if (at <= capacity)
    return true;
  blame();
  return false;
}

/// Decides most sections without listing their jobs: where no turn has passed,
/// and the stack fits in any order or the items are in order already.
TreeSearch::Glance TreeSearch::glance(const uint32_t *items,
                                      const uint32_t *itemsEnd,
                                      Turn turn) const {
  const int64_t *releases = release.data(), *sizes = space.size.data();
  auto hasPassed = [&](uint32_t item, int64_t at) {
    return at <= turn.offset && Turn{at, (*rank)[item]} < turn;
  };
  int64_t before = INT64_MIN, top = 0;
  const uint32_t *item = items;
  for (; item != itemsEnd; ++item) {
    int64_t at = releases[*item];
    if (at < before)
      break;
    if (hasPassed(*item, at))
      return Glance::Unclear;
    before = at;
    top = std::max(top, at) + sizes[*item];
  }
  if (item == itemsEnd)
    return top <= capacity ? Glance::Fits : Glance::Overflows;
  int64_t sum = 0, latest = 0;
  for (; items != itemsEnd; ++items) {
    int64_t at = releases[*items];
    if (items >= item && hasPassed(*items, at))
      return Glance::Unclear;
    sum += sizes[*items];
    latest = std::max(latest, at);
  }
  return latest + sum <= capacity ? Glance::Fits : Glance::Unclear;
}

/// Fills in the jobs of a section. Returns false, with a claim, if one of them
/// has passed and does not fit by itself.
bool TreeSearch::listJobs(const uint32_t *items, const uint32_t *itemsEnd,
                          uint32_t section, Turn turn) {
  jobs.clear();
  for (const uint32_t *item = items; item != itemsEnd; ++item) {
    int64_t at = release[*item];
    bool passed = Turn{at, (*rank)[*item]} < turn;
    if (passed) {
      at = liftedRelease(*item, turn);
      if (at + space.size[*item] > capacity) {
        jobs.assign(1, {at, space.size[*item], *item, true});
        blame();
        return false;
      }
    }
    jobs.push_back({at, space.size[*item], *item, passed});
  }
  if (jobs.empty() || space.sectionPins.empty())
    return true;
  for (const AddressRange &pin : space.sectionPins[section].ranges())
    if (pin.high > turn.offset)
      jobs.push_back({std::max(pin.low, turn.offset),
                      pin.high - std::max(pin.low, turn.offset), none,
                      pin.low < turn.offset});
  return true;
}

/// By release. The order of the last check is nearly right, so insertion takes
/// few steps. Returns whether anything moved.
bool TreeSearch::sortJobs() {
  bool moved = false;
  for (size_t i = 1; i < jobs.size(); ++i) {
    if (jobs[i - 1].release <= jobs[i].release)
      continue;
    moved = true;
    Job job = jobs[i];
    size_t k = i;
    for (; k > 0 && jobs[k - 1].release > job.release; --k)
      jobs[k] = jobs[k - 1];
    jobs[k] = job;
  }
  return moved;
}

/// Writes the order of the jobs back to the section's list, for the next check.
void TreeSearch::keepOrder(uint32_t *items) {
  for (const Job &job : jobs)
    if (job.item != none)
      *items++ = job.item;
}

/// The least release that a neighbour still to be placed can give an item whose
/// turn has passed.
int64_t TreeSearch::liftedRelease(uint32_t item, Turn turn) {
  if (liftTurn[item] == turnId)
    return lifted[item];
  int64_t least = capacity;
  for (uint32_t other : space.neighbours(item)) {
    if (placed[other])
      continue;
    int64_t at = release[other];
    if (Turn{at, (*rank)[other]} < turn)
      at = turn.offset + 1;
    least = std::min(least, at + space.size[other]);
  }
  liftTurn[item] = turnId;
  lifted[item] = least;
  return least;
}

/// `latest` is at least every release in the sections, or INT64_MAX where turns
/// have passed.
bool TreeSearch::sectionsFit(SectionRange sections, Turn turn, int64_t latest) {
  ++turnId;
  bool mayBeQuick = space.sectionPins.empty();
  auto fits = [&](uint32_t s) {
    return (mayBeQuick && latest <= capacity - bytesIn[s]) ||
           sectionFits(s, turn);
  };
  // What failed last tends to fail again, and one failure is enough.
  for (uint32_t s : lastFailed)
    if (sections.begin <= s && s < sections.end && !fits(s))
      return false;
  for (uint32_t s = sections.begin; s < sections.end; ++s) {
    if (fits(s))
      continue;
    lastFailed[nextFailed++ % lastFailed.size()] = s;
    return false;
  }
  return true;
}

/// Checks the sections of the part's items whose turn has passed: a later turn
/// changes nothing in the others.
bool TreeSearch::passedFit(size_t partBegin, size_t partEnd, Turn turn) {
  ++checkId;
  ++turnId;
  for (size_t i = partBegin; i < partEnd; ++i) {
    uint32_t item = parts[i];
    if (!(Turn{release[item], (*rank)[item]} < turn))
      continue;
    for (const SectionRange &range : space.model.ranges(space.buffers[item]))
      for (uint32_t s = range.begin; s < range.end; ++s) {
        if (checked[s] == checkId)
          continue;
        checked[s] = checkId;
        if (!sectionFits(s, turn))
          return false;
      }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Search
//===----------------------------------------------------------------------===//

/// Pushes the part's candidates after `last` that dominance leaves, the one
/// whose turn comes first before the others. Looks at all of the part.
TreeSearch::Outlook TreeSearch::collect(size_t partBegin, size_t partEnd,
                                        Turn last) {
  int64_t dominated = INT64_MAX;
  Outlook outlook;
  for (size_t i = partBegin; i < partEnd; ++i) {
    uint32_t item = parts[i];
    int64_t end = release[item] + space.size[item];
    if (end < dominated) {
      dominated = end;
      outlook.dominant = item;
    }
    outlook.latest = std::max(outlook.latest, release[item]);
    if (turnOf(item) < outlook.first)
      outlook.first = turnOf(item);
  }
  size_t begin = candidates.size();
  Turn first{};
  for (size_t i = partBegin; i < partEnd; ++i) {
    uint32_t item = parts[i];
    Turn turn = turnOf(item);
    if (turn.offset >= dominated || !(last < turn) ||
        (space.twin[item] != none && !placed[space.twin[item]]))
      continue;
    candidates.push_back(item);
    if (candidates.size() == begin + 1 || turn < first) {
      first = turn;
      std::swap(candidates[begin], candidates.back());
    }
  }
  return outlook;
}

/// Searches the items of parts[partBegin, partEnd), with every placement after
/// `last`. On success they are placed; on failure the claim says why, and the
/// caller's undo takes back the reasons kept here.
bool TreeSearch::search(size_t partBegin, size_t partEnd, Turn last) {
  if (partBegin == partEnd)
    return true;
  size_t begin = candidates.size();
  Outlook outlook = collect(partBegin, partEnd, last);
  bool found = false, claimed = false;
  int64_t checkedOffset = last.offset;
  for (size_t i = begin; i < candidates.size(); ++i) {
    // Most nodes need but the first.
    if (i == begin + 1)
      std::sort(candidates.begin() + i, candidates.end(),
                [&](uint32_t a, uint32_t b) { return turnOf(a) < turnOf(b); });
    uint32_t item = candidates[i];
    Turn turn = turnOf(item);
    // The bound only grows with the offset: failing once is failing for all
    // that follow.
    if (turn.offset > checkedOffset) {
      checkedOffset = turn.offset;
      if ((claimed = !passedFit(partBegin, partEnd, turn)))
        break;
    }
    hitLimit = hitLimit || stopped();
    if (hitLimit)
      break;
    // As long as no turn has passed, sections are quick to check.
    bool isFirst = i == begin && !(outlook.first < turn);
    found = searchAfter(partBegin, partEnd, item, turn,
                        isFirst ? outlook.latest : INT64_MAX);
    if (found || hitLimit)
      break;
    if ((claimed = !testBit(claimPlaced, item)))
      break;
    keepReason(item);
    // A neighbour must lift it now. Where that leaves too little room, the
    // candidates that follow cannot help.
    Turn passed{turn.offset, turn.rank + 1};
    if ((claimed = !sectionsFit(space.hull[item], passed)))
      break;
  }
  candidates.resize(begin);
  if (!found && !claimed && !hitLimit)
    blameAlone(outlook.dominant);
  return found;
}

/// Lifts the neighbours of the item placed at `turn`, and says whether the
/// sections where something changed can still be filled. `latest` is the
/// greatest release of its part, or INT64_MAX where turns have passed.
bool TreeSearch::place(uint32_t item, Turn turn, int64_t latest) {
  ++nodeCount;
  takeOut(item);
  int64_t end = turn.offset + space.size[item];
  SectionRange changed{UINT32_MAX, 0};
  for (uint32_t other : space.neighbours(item)) {
    if (placed[other] || release[other] >= end)
      continue;
    trail.push_back({other, release[other], raiser[other], reason[other]});
    release[other] = space.stepOverPins(other, end);
    latest = std::max(latest, release[other]);
    raiser[other] = item;
    reason[other] = none;
    if (release[other] + space.size[other] > capacity) {
      claimPlaced.assign(words, 0);
      claimUnplaced.assign(words, 0);
      setBit(claimPlaced, item);
      setBit(claimUnplaced, other);
      ++failed[other];
      return false;
    }
    changed.begin = std::min(changed.begin, space.hull[other].begin);
    changed.end = std::max(changed.end, space.hull[other].end);
  }
  return changed.begin >= changed.end || sectionsFit(changed, turn, latest);
}

/// Marks the item placed and takes it out of its sections' lists.
void TreeSearch::takeOut(uint32_t item) {
  placed[item] = 1;
  order.push_back(item);
  for (const SectionRange &range : space.model.ranges(space.buffers[item]))
    for (uint32_t s = range.begin; s < range.end; ++s) {
      uint32_t *items = sectionItems.data() + space.sectionBegin[s];
      uint32_t *end = items + unplacedIn[s]--;
      bytesIn[s] -= space.size[item];
      uint32_t *at = std::find(items, end, item);
      std::copy(at + 1, end, at);
      takenFrom.push_back(static_cast<uint32_t>(at - items));
    }
}

/// Puts back what was taken out last, until `count` items are placed. What
/// stands before and after a place in a list may have changed since, but not
/// how much.
void TreeSearch::putBack(size_t count) {
  for (; order.size() > count; order.pop_back()) {
    uint32_t item = order.back();
    placed[item] = 0;
    Slice<SectionRange> ranges = space.model.ranges(space.buffers[item]);
    for (size_t r = ranges.size(); r-- > 0;)
      for (uint32_t s = ranges[r].end; s-- > ranges[r].begin;) {
        uint32_t *items = sectionItems.data() + space.sectionBegin[s];
        uint32_t *at = items + takenFrom.back();
        takenFrom.pop_back();
        uint32_t *end = items + unplacedIn[s]++;
        bytesIn[s] += space.size[item];
        std::copy_backward(at, end, end + 1);
        *at = item;
      }
  }
}

void TreeSearch::undo(size_t mark, size_t count) {
  while (trail.size() > mark) {
    const Undo &entry = trail.back();
    release[entry.item] = entry.release;
    raiser[entry.item] = entry.raiser;
    reason[entry.item] = entry.reason;
    trail.pop_back();
  }
  putBack(count);
}

bool TreeSearch::searchAfter(size_t partBegin, size_t partEnd, uint32_t item,
                             Turn turn, int64_t latest) {
  size_t mark = trail.size(), begin = parts.size(), count = order.size();
  size_t reasonMark = reasons.size();
  bool found = place(item, turn, latest);
  if (found) {
    for (size_t i = partBegin; i < partEnd; ++i) {
      // The push may move the stack: copy first.
      uint32_t other = parts[i];
      if (other != item)
        parts.push_back(other);
    }
    found = searchParts(begin, parts.size(), turn);
    parts.resize(begin);
  }
  if (!found) {
    undo(mark, count);
    reasons.resize(reasonMark);
  }
  return found;
}

/// Splits parts[begin, end) where no item crosses a boundary and searches the
/// pieces, small ones first: the first without a plan ends them all.
bool TreeSearch::searchParts(size_t begin, size_t end, Turn turn) {
  struct Piece {
    size_t begin, end;
  };
  std::vector<Piece> pieces;
  size_t from = begin;
  uint32_t reach = 0;
  for (size_t i = begin; i < end; ++i) {
    if (i > from && space.hull[parts[i]].begin >= reach) {
      pieces.push_back({from, i});
      from = i;
    }
    reach = std::max(reach, space.hull[parts[i]].end);
  }
  if (pieces.empty())
    return search(begin, end, turn);
  pieces.push_back({from, end});
  std::sort(pieces.begin(), pieces.end(), [](const Piece &a, const Piece &b) {
    size_t sizeA = a.end - a.begin, sizeB = b.end - b.begin;
    return sizeA != sizeB ? sizeA < sizeB : a.begin < b.begin;
  });
  size_t count = order.size();
  for (const Piece &piece : pieces) {
    if (search(piece.begin, piece.end, turn))
      continue;
    // The caller's trail restores the releases.
    putBack(count);
    return false;
  }
  return true;
}

TreeSearch::TreeSearch(const SearchSpace &space, Deadline deadline)
    : space(space), deadline(deadline) {}

bool TreeSearch::stopped() const {
  if (nodeCount >= nodeLimit || cancel->load(std::memory_order_relaxed))
    return true;
  return nodeCount % 64 == 0 && deadline.isOver();
}

SearchOutcome TreeSearch::run(int64_t limit,
                              const std::vector<uint32_t> &ranking,
                              int64_t nodes, const std::atomic<bool> &flag) {
  capacity = limit;
  rank = &ranking;
  cancel = &flag;
  nodeLimit = nodes;
  nodeCount = 0;
  hitLimit = false;
  size_t n = space.buffers.size();
  placed.assign(n, 0);
  failed.assign(n, 0);
  release.resize(n);
  raiser.assign(n, none);
  reason.assign(n, none);
  words = (n + 63) / 64;
  reasons.clear();
  claimWork.clear();
  sectionItems = space.sectionItems;
  unplacedIn.resize(space.model.numSections());
  bytesIn.assign(space.model.numSections(), 0);
  for (uint32_t s = 0; s < unplacedIn.size(); ++s) {
    unplacedIn[s] = static_cast<uint32_t>(space.itemsOf(s).size());
    for (uint32_t item : space.itemsOf(s))
      bytesIn[s] += space.size[item];
  }
  order.clear();
  takenFrom.clear();
  lastFailed.fill(none);
  checked.assign(space.model.numSections(), 0);
  checkId = 0;
  turnId = 0;
  nextFailed = 0;
  liftTurn.assign(n, 0);
  lifted.assign(n, 0);
  trail.clear();
  candidates.clear();
  parts.clear();
  for (uint32_t item = 0; item < n; ++item) {
    release[item] = space.stepOverPins(item, 0);
    if (release[item] + space.size[item] > capacity)
      return SearchOutcome::Exhausted;
    parts.push_back(item);
  }
  for (BufferIndex b : space.model.pinned())
    if (space.model.pinOf(b) + space.model.sizeOf(b) > capacity)
      return SearchOutcome::Exhausted;
  Turn first{0, -1};
  if (!sectionsFit({0, space.model.numSections()}, first))
    return SearchOutcome::Exhausted;
  if (searchParts(0, n, first))
    return SearchOutcome::Found;
  return hitLimit ? SearchOutcome::Limit : SearchOutcome::Exhausted;
}

std::vector<int64_t> TreeSearch::offsets() const {
  std::vector<int64_t> result(space.model.size(), 0);
  for (BufferIndex b : space.model.pinned())
    result[b] = space.model.pinOf(b);
  // A placed item's release is where it was placed: nothing lifts it later.
  for (uint32_t item = 0; item < space.buffers.size(); ++item)
    result[space.buffers[item]] = release[item];
  return result;
}
