//===- Memory.h - The memory that a schedule allocates ----------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Simulates a schedule: which memory it allocates, and at which times this
// memory is live. The profile and the planning problem are derived from the
// result.
//
//   time 0    before the first op: inputs, parameters, constants
//   time k    the k-th entry of the schedule runs (k from 1)
//
// An allocation with begin 2 and end 5 is made by the op at time 2 and released
// after the op at time 4: it is live at 2, 3 and 4.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_GRAPH_MEMORY_H
#define MEMPLAN_GRAPH_MEMORY_H

#include "memplan/Core/Problem.h"
#include "memplan/Graph/OpGraph.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::graph {

/// The origin of a storage. If several inputs share a storage, it has the first
/// of their origins in the order of this enum.
enum class Origin {
  Op,        ///< made by an op
  Parameter, ///< static inputs and storages of kind parameter
  Constant,
  Primal,
  Rng,     ///< random state of either function
  Input,   ///< an input without a role
  Tangent, ///< gradient of a forward output
  Donated, ///< given away by the caller
};
template <> struct EnumNames<Origin> {
  static constexpr std::array<std::string_view, 8> names = {
      "op",  "parameter", "constant", "primal",
      "rng", "input",     "tangent",  "donated"};
};

/// A set of origins.
class Origins {
public:
  constexpr Origins() = default;
  constexpr Origins(std::initializer_list<Origin> origins) {
    for (Origin origin : origins)
      insert(origin);
  }
  constexpr bool contains(Origin origin) const { return bits & bit(origin); }
  constexpr void insert(Origin origin) { bits |= bit(origin); }
  constexpr void erase(Origin origin) { bits &= ~bit(origin); }
  constexpr void insert(Origins others) { bits |= others.bits; }
  constexpr void erase(Origins others) { bits &= ~others.bits; }

private:
  static constexpr uint32_t bit(Origin origin) {
    return 1u << static_cast<uint32_t>(origin);
  }
  uint32_t bits = 0;
};

/// All origins but Op: those of memory that exists when a function is called.
constexpr Origins getInputOrigins() {
  return {Origin::Parameter, Origin::Constant, Origin::Primal, Origin::Rng,
          Origin::Input,     Origin::Tangent,  Origin::Donated};
}

/// The names like "parameter, primal", in the order of the enum; "none" for the
/// empty set.
std::string namesOf(Origins origins);

/// The origins of a list like "primal,tangent". "all" stands for all origins
/// but op, "none" for the empty set. Returns std::nullopt for an unknown name.
std::optional<Origins> parseOrigins(std::string_view list);

struct MemoryOptions {
  /// The origins of memory that is never released. Other memory is released
  /// after its last use, or at once if it has none. Memory of outputs is never
  /// released.
  Origins held = {Origin::Parameter, Origin::Constant, Origin::Primal,
                  Origin::Rng, Origin::Input};
  /// The origins of memory that is not counted.
  Origins excluded;
  /// A result reuses the memory of an operand that dies at its op, if a tie
  /// allows it.
  bool takeTies = false;
};

/// Memory of the size of one storage, live on one interval of time.
struct Allocation {
  /// The storage that the memory was allocated for; `tied` has the storages
  /// that reused it through ties, in order.
  StorageId storage = 0;
  std::vector<StorageId> tied;
  /// The number of the execution of the storage's maker, from 1.
  uint32_t repeat = 1;
  Origin origin = Origin::Op;
  int64_t bytes = 0;
  /// Bytes of the storage that no value covers (runSchedule); they are released
  /// right after the op. At most `bytes`.
  int64_t restBytes = 0;
  /// Index into ScheduleMemory::spaces.
  uint32_t space = 0;
  /// The memory is live at the times [begin, end).
  size_t begin = 0;
  size_t end = 0;
  /// False if the memory is held or has an output; it is then live at the end.
  bool isReleased = true;
};

struct ScheduleMemory {
  /// By time of allocation, for one op in the order of its results.
  std::vector<Allocation> allocations;
  /// The entry of the schedule at time k is opAt[k]; opAt[0] is noOp.
  std::vector<OpId> opAt;
  /// Names of the memory spaces; the default one ("") is the first.
  std::vector<std::string> spaces;
};

/// The memory that the schedule of a well-formed graph allocates; requires a
/// graph and a schedule that checkGraph and checkSchedule accept. A use of a
/// value means the result of the latest execution of its op: a view that is not
/// executed again keeps the memory of its first execution. If an op fills a
/// storage with two or more results, the bytes that none of these values covers
/// are the unclaimed rest. O(n log n).
ScheduleMemory runSchedule(const OpGraph &graph, const Schedule &schedule,
                           const MemoryOptions &options = {});

/// The origin of a buffer of a problem.
struct PlannedBuffer {
  enum class Kind { Allocation, Rest, Scratch } kind;
  /// For an allocation or a rest, the index in ScheduleMemory::allocations; for
  /// scratch, the time.
  size_t index;
};

/// The buffers of one memory space.
struct ProblemInSpace {
  /// Index into ScheduleMemory::spaces.
  uint32_t space = 0;
  Problem problem;
  /// By index of the buffer.
  std::vector<PlannedBuffer> buffers;
};

/// One planning problem for each memory space in use. It has a buffer for the
/// claimed bytes of each allocation, for each rest, and for the scratch of each
/// op. Its maximal load is the profile's peak in the space. Buffers are aligned
/// to at least `alignment` bytes (a power of two).
std::vector<ProblemInSpace> buildProblems(const OpGraph &graph,
                                          const ScheduleMemory &memory,
                                          int64_t alignment = 64);

} // namespace memplan::graph

#endif // MEMPLAN_GRAPH_MEMORY_H
