//===- Profile.h - Live bytes over a schedule -------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How much memory is live after every allocation and after every release.
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
  Start,    ///< what is there before the first op
  Allocate, ///< an op's results and scratch have been allocated
  Release,  ///< what an op used last has been released
};
template <> struct EnumNames<ProfilePhase> {
  static constexpr std::array<std::string_view, 3> names = {"start", "allocate",
                                                            "release"};
};

/// Memory that an entry allocates or releases: an allocation, or its rest.
struct ProfileChange {
  uint32_t allocation;
  int64_t bytes;
};

struct ProfileEntry {
  ProfilePhase phase;
  /// As in ScheduleMemory; the op is opAt[time].
  size_t time;
  /// Over all memory spaces, scratch included.
  int64_t liveBytes;
  /// Of the op, in an Allocate entry; else 0. Of the default space.
  int64_t scratchBytes;
  /// Range of MemoryProfile::changes.
  size_t firstChange, endChange;
};

struct MemoryProfile {
  ScheduleMemory memory;
  MemoryOptions options;
  /// The first is the Start entry. An op that allocates nothing and needs no
  /// scratch (a view) has no Allocate entry, one that releases nothing no
  /// Release entry.
  std::vector<ProfileEntry> entries;
  std::vector<ProfileChange> changes;
  /// Live bytes per entry and memory space.
  std::vector<int64_t> liveInSpace;

  int64_t liveIn(size_t entry, uint32_t space) const {
    return liveInSpace[entry * memory.spaces.size() + space];
  }
  /// The first entry with the most live bytes, over all spaces or in one.
  size_t peakEntry() const;
  size_t peakEntry(uint32_t space) const;
  int64_t peakBytes() const { return entries[peakEntry()].liveBytes; }

  /// Allocations live in the entry, the largest first. With the entry's op's
  /// scratch they are its live bytes; a rest counts where it is live.
  std::vector<ProfileChange> liveAt(size_t entry) const;
};

/// The profile of a schedule, under the rules of docs/opgraph.md. Requires what
/// runSchedule requires. O(n log n).
MemoryProfile buildProfile(const OpGraph &graph, const Schedule &schedule,
                           const MemoryOptions &options = {});

/// The live bytes that Inductor's estimator reports for the same schedule, for
/// comparison: one number before the first op and two for each op, views
/// included. It counts values instead of storages (two inputs that share one
/// count twice), holds primals only, releases no result that nobody uses
/// except beside a used result of the same op, and knows no scratch. Source:
/// PyTorch, build_memory_profile of inductor's memory estimator, 2025; its
/// getitem nodes are no ops here, so an unclaimed rest goes right after its op.
std::vector<int64_t> buildInductorProfile(const OpGraph &graph,
                                          const Schedule &schedule);

} // namespace memplan::graph

#endif // MEMPLAN_GRAPH_PROFILE_H
