//===- Profile.h - Live bytes over a schedule -------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The live bytes after every allocation and after every release of a schedule.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_GRAPH_PROFILE_H
#define MEMPLAN_GRAPH_PROFILE_H

#include "memplan/Graph/Memory.h"

#include <cstdint>
#include <string>
#include <vector>

namespace memplan::graph {

enum class ProfilePhase {
  Start,    ///< before the first op
  Allocate, ///< an op's results and scratch have been allocated
  Release,  ///< memory with its last use at the op has been released
};
template <> struct EnumNames<ProfilePhase> {
  static constexpr std::array<std::string_view, 3> names = {"start", "allocate",
                                                            "release"};
};

/// Memory that an entry allocates or releases: an allocation, a part of it
/// without its rest, or its rest.
struct ProfileChange {
  uint32_t allocation;
  int64_t bytes;
};

struct ProfileEntry {
  ProfilePhase phase;
  /// As in ScheduleMemory: the op is opAt[time].
  size_t time;
  /// Over all memory spaces, scratch included.
  int64_t liveBytes;
  /// Scratch of the op, in the default space; 0 if this is not an Allocate
  /// entry.
  int64_t scratchBytes;
  /// The entry's changes are MemoryProfile::changes[firstChange, endChange).
  size_t firstChange, endChange;
};

struct MemoryProfile {
  ScheduleMemory memory;
  MemoryOptions options;
  /// The first is the Start entry. An op without allocations and scratch (a
  /// view) has no Allocate entry; an op without releases has no Release entry.
  std::vector<ProfileEntry> entries;
  std::vector<ProfileChange> changes;
  /// Live bytes by entry and memory space; see liveIn.
  std::vector<int64_t> liveInSpace;

  int64_t liveIn(size_t entry, uint32_t space) const {
    return liveInSpace[entry * memory.spaces.size() + space];
  }
  /// The first entry with the most live bytes, over all spaces or in one.
  size_t peakEntry() const;
  size_t peakEntry(uint32_t space) const;
  int64_t peakBytes() const { return entries[peakEntry()].liveBytes; }

  /// The allocations that are live in the entry, the largest first. Their bytes
  /// plus the entry's scratch are its live bytes; a rest is included while it
  /// is live.
  std::vector<ProfileChange> liveAt(size_t entry) const;
};

/// The profile of a schedule by the rules of docs/opgraph.md, with the
/// requirements of runSchedule. O(n log n).
MemoryProfile buildProfile(const OpGraph &graph, const Schedule &schedule,
                           const MemoryOptions &options = {});

/// The live bytes that Inductor's estimator reports for the same schedule, for
/// comparison: one number before the first op and two for each op, views
/// included. The estimator counts values instead of storages (two inputs that
/// share a storage count twice), holds primals only, does not release unused
/// results except beside a used result of the same op, and ignores scratch.
/// Source: PyTorch, build_memory_profile of inductor's memory estimator, 2025.
/// Its getitem nodes are not ops here, so an unclaimed rest is released right
/// after its op.
std::vector<int64_t> buildInductorProfile(const OpGraph &graph,
                                          const Schedule &schedule);

} // namespace memplan::graph

#endif // MEMPLAN_GRAPH_PROFILE_H
