//===- Profile.cpp - Live bytes over a schedule ---------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/Profile.h"

#include <algorithm>

using namespace memplan::graph;

namespace {

/// Appends entries and tracks the live bytes.
class ProfileWriter {
public:
  explicit ProfileWriter(MemoryProfile &profile)
      : profile(profile), live(profile.memory.spaces.size()) {}

  void allocate(uint32_t allocation) {
    const Allocation &a = profile.memory.allocations[allocation];
    change(allocation, a.bytes, 1);
  }
  void release(uint32_t allocation, int64_t bytes) {
    change(allocation, bytes, -1);
  }

  void addEntry(ProfilePhase phase, size_t time, int64_t scratchBytes = 0) {
    profile.entries.push_back({phase, time, total + scratchBytes, scratchBytes,
                               firstChange, profile.changes.size()});
    firstChange = profile.changes.size();
    for (size_t space = 0; space < live.size(); ++space)
      profile.liveInSpace.push_back(live[space] +
                                    (space == 0 ? scratchBytes : 0));
  }
  bool hasChanges() const { return firstChange < profile.changes.size(); }

private:
  void change(uint32_t allocation, int64_t bytes, int64_t sign) {
    profile.changes.push_back({allocation, bytes});
    live[profile.memory.allocations[allocation].space] += sign * bytes;
    total += sign * bytes;
  }

  MemoryProfile &profile;
  std::vector<int64_t> live;
  int64_t total = 0;
  size_t firstChange = 0;
};

} // namespace

MemoryProfile memplan::graph::buildProfile(const OpGraph &graph,
                                           const Schedule &schedule,
                                           const MemoryOptions &options) {
  MemoryProfile profile;
  profile.memory = runSchedule(graph, schedule, options);
  profile.options = options;
  const std::vector<Allocation> &allocations = profile.memory.allocations;
  size_t numTimes = profile.memory.opAt.size();

  // Counting sort of the released allocations by `end`, in the order of
  // allocation within one end.
  std::vector<size_t> firstDying(numTimes + 1);
  for (const Allocation &a : allocations)
    if (a.isReleased)
      ++firstDying[a.end];
  for (size_t t = 1; t <= numTimes; ++t)
    firstDying[t] += firstDying[t - 1];
  std::vector<uint32_t> dying(firstDying[numTimes]);
  for (size_t i = allocations.size(); i-- > 0;)
    if (allocations[i].isReleased)
      dying[--firstDying[allocations[i].end]] = static_cast<uint32_t>(i);
  // firstDying[t] is now the begin of the allocations with end t.
  auto endOfDying = [&](size_t end) {
    return end < numTimes ? firstDying[end + 1] : dying.size();
  };

  ProfileWriter writer(profile);
  uint32_t next = 0;
  for (size_t time = 0; time < numTimes; ++time) {
    uint32_t first = next;
    for (; next < allocations.size() && allocations[next].begin == time; ++next)
      writer.allocate(next);
    int64_t scratch =
        time == 0 ? 0 : graph.ops[profile.memory.opAt[time]].scratchBytes;
    if (time == 0)
      writer.addEntry(ProfilePhase::Start, time);
    else if (writer.hasChanges() || scratch > 0)
      writer.addEntry(ProfilePhase::Allocate, time, scratch);
    for (uint32_t i = first; i < next; ++i)
      if (allocations[i].restBytes > 0)
        writer.release(i, allocations[i].restBytes);
    for (size_t i = firstDying[time + 1]; i < endOfDying(time + 1); ++i)
      writer.release(dying[i], allocations[dying[i]].bytes -
                                   allocations[dying[i]].restBytes);
    if (writer.hasChanges())
      writer.addEntry(ProfilePhase::Release, time);
  }
  return profile;
}

size_t MemoryProfile::peakEntry() const {
  auto peak =
      std::max_element(entries.begin(), entries.end(),
                       [](const ProfileEntry &a, const ProfileEntry &b) {
                         return a.liveBytes < b.liveBytes;
                       });
  return static_cast<size_t>(peak - entries.begin());
}

size_t MemoryProfile::peakEntry(uint32_t space) const {
  size_t peak = 0;
  for (size_t i = 1; i < entries.size(); ++i)
    if (liveIn(i, space) > liveIn(peak, space))
      peak = i;
  return peak;
}

std::vector<ProfileChange> MemoryProfile::liveAt(size_t index) const {
  const ProfileEntry &entry = entries[index];
  bool isReleased = entry.phase == ProfilePhase::Release;
  std::vector<ProfileChange> live;
  for (uint32_t i = 0; i < memory.allocations.size(); ++i) {
    const Allocation &a = memory.allocations[i];
    if (a.begin > entry.time || a.end < entry.time + 1 ||
        (isReleased && a.isReleased && a.end == entry.time + 1))
      continue;
    bool hasRest = a.begin == entry.time && !isReleased;
    live.push_back({i, a.bytes - (hasRest ? 0 : a.restBytes)});
  }
  std::sort(live.begin(), live.end(),
            [](const ProfileChange &a, const ProfileChange &b) {
              return a.bytes != b.bytes ? a.bytes > b.bytes
                                        : a.allocation < b.allocation;
            });
  return live;
}
