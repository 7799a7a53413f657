//===- TreeSearch.cpp - Complete search at a fixed capacity ---------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search/TreeSearch.h"

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

/// Adds an item to the claim: to E if it is placed now, otherwise to U.
void TreeSearch::claimItem(uint32_t item) {
  if (placed[item]) {
    setBit(claimPlaced, item);
  } else if (!testBit(claimUnplaced, item)) {
    setBit(claimUnplaced, item);
    claimWork.push_back(item);
  }
}

/// Adds, for each unplaced item of the claim, the placed item that its release
/// lies on and the claim for its passed turn.
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
      // It was no candidate because its twin comes first. The claim for the
      // twin excludes both.
      claimItem(space.twin[item]);
    }
  }
}

/// Sets the claim of a node without candidates, beginning with `item`, whose
/// end at its release is the least of the node.
void TreeSearch::blameAlone(uint32_t item) {
  claimPlaced.assign(words, 0);
  claimUnplaced.assign(words, 0);
  claimItem(item);
  closeClaim();
}

/// Sets the claim of a section that overflows, given its sorted jobs.
void TreeSearch::blame() {
  claimPlaced.assign(words, 0);
  claimUnplaced.assign(words, 0);
  // Take jobs from the last one on until they overflow without the others.
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

/// Keeps the current claim, without the item itself, as the reason for the
/// item's passed turn.
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

/// The release date bound: returns false, with a claim, if the unplaced items
/// of the section do not fit when all placements follow `turn`.
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

/// Decides most sections without listing their jobs. It can do so if no turn
/// has passed and either the items are sorted by release already, or they fit
/// when all of them are stacked on the greatest release.
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

/// Lists the jobs of a section. Returns false, with a claim, if an item whose
/// turn has passed does not fit by itself.
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

/// Sorts the jobs by release. Insertion sort takes few steps because the order
/// of the last check is nearly right. Returns false if nothing moved.
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

/// Writes the order of the jobs to the list of the section, for the next check.
void TreeSearch::keepOrder(uint32_t *items) {
  for (const Job &job : jobs)
    if (job.item != none)
      *items++ = job.item;
}

/// The least release that an unplaced neighbour can give an item whose turn has
/// passed, or the capacity if it has no such neighbour.
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

/// The release date bound for several sections. `latest` is at least the
/// greatest release of their unplaced items, or INT64_MAX if turns have passed.
bool TreeSearch::sectionsFit(SectionRange sections, Turn turn, int64_t latest) {
  ++turnId;
  bool mayBeQuick = space.sectionPins.empty();
  auto fits = [&](uint32_t s) {
    return (mayBeQuick && latest <= capacity - bytesIn[s]) ||
           sectionFits(s, turn);
  };
  // The sections that failed last tend to fail again, and one failure is
  // enough.
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

/// Checks the sections with an item of the part whose turn has passed. The
/// bound of the other sections is the same as for an earlier turn.
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

/// Pushes the candidates of a part: the items with a turn after `last` that the
/// rules of dominance and symmetry allow. The candidate with the earliest turn
/// comes first, the others in any order. Linear in the items of the part.
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

/// Searches placements of the items parts[partBegin, partEnd), all after the
/// turn `last`. Returns true if they are placed. Otherwise the current claim
/// holds the reason (unless a limit was hit), and the caller has to undo the
/// reasons kept here.
bool TreeSearch::search(size_t partBegin, size_t partEnd, Turn last) {
  if (partBegin == partEnd)
    return true;
  size_t begin = candidates.size();
  Outlook outlook = collect(partBegin, partEnd, last);
  bool found = false, claimed = false;
  int64_t checkedOffset = last.offset;
  for (size_t i = begin; i < candidates.size(); ++i) {
    // Sort only here, because most nodes need only the first candidate.
    if (i == begin + 1)
      std::sort(candidates.begin() + i, candidates.end(),
                [&](uint32_t a, uint32_t b) { return turnOf(a) < turnOf(b); });
    uint32_t item = candidates[i];
    Turn turn = turnOf(item);
    // The bound is monotone in the offset. So if it fails for this candidate,
    // it also fails for the candidates that follow.
    if (turn.offset > checkedOffset) {
      checkedOffset = turn.offset;
      if ((claimed = !passedFit(partBegin, partEnd, turn)))
        break;
    }
    hitLimit = hitLimit || stopped();
    if (hitLimit)
      break;
    // While no turn has passed, the quick check of sectionsFit is valid.
    bool isFirst = i == begin && !(outlook.first < turn);
    found = searchAfter(partBegin, partEnd, item, turn,
                        isFirst ? outlook.latest : INT64_MAX);
    if (found || hitLimit)
      break;
    if ((claimed = !testBit(claimPlaced, item)))
      break;
    keepReason(item);
    // Now a neighbour must lift the item. If that leaves too little room, the
    // other candidates need not be tried.
    Turn passed{turn.offset, turn.rank + 1};
    if ((claimed = !sectionsFit(space.hull[item], passed)))
      break;
  }
  candidates.resize(begin);
  if (!found && !claimed && !hitLimit)
    blameAlone(outlook.dominant);
  return found;
}

/// Places the item at `turn` and lifts its neighbours. Returns false, with a
/// claim, if a neighbour or a changed section does not fit anymore. `latest` is
/// the greatest release of the part, or INT64_MAX if turns have passed.
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

/// Marks the item as placed and removes it from the lists of its sections.
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

/// Restores the items taken out last, until `count` items are placed. The order
/// of the other items in a list may have changed since, but not their number,
/// so the position taken from is still valid.
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
      // Copy the item first, because push_back may reallocate the stack.
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

/// Splits parts[begin, end) at the section boundaries that no item crosses, and
/// searches the pieces separately. Small pieces come first, because the first
/// piece without a plan ends the search.
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
    // The caller restores the releases by its trail.
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
  // The release of a placed item is its offset: nothing lifts placed items.
  for (uint32_t item = 0; item < space.buffers.size(); ++item)
    result[space.buffers[item]] = release[item];
  return result;
}
