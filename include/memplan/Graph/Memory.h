//===- Memory.h - What a schedule allocates and when ------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a schedule on paper: which memory it allocates, from when to when. The
// profile and the planning problem are two views of the answer.
//
//   time 0    before the first op: inputs, parameters, constants
//   time k    the k-th entry of the schedule runs (k from 1)
//
// An allocation with begin 2 and end 5 is made by the op of time 2 and released
// after the op of time 4: it is live at 2, 3 and 4.
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

/// Where memory comes from. A storage that several inputs share has the first
/// of these that one of them has.
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

/// Every origin but op: what a function has when it is called.
constexpr Origins getInputOrigins() {
  return {Origin::Parameter, Origin::Constant, Origin::Primal, Origin::Rng,
          Origin::Input,     Origin::Tangent,  Origin::Donated};
}

/// "parameter, primal": in the order of the enum; "none" for the empty set.
std::string namesOf(Origins origins);

/// The origins of a list "primal,tangent"; "all" is every one but op, "none"
/// the empty set. Nothing where a name is none of these.
std::optional<Origins> parseOrigins(std::string_view list);

struct MemoryOptions {
  /// Held: never released. All others are released after their last use, one
  /// without uses right away. What the graph hands out is never released.
  Origins held = {Origin::Parameter, Origin::Constant, Origin::Primal,
                  Origin::Rng, Origin::Input};
  /// Not counted at all.
  Origins excluded;
  /// A result takes the place of an operand that dies at its op, where a tie
  /// allows it.
  bool takeTies = false;
};

/// A piece of memory, of the size of the storage that it was made for.
struct Allocation {
  /// The storage that the memory was made for. Storages that took its place
  /// through ties follow in `tied`.
  StorageId storage = 0;
  std::vector<StorageId> tied;
  /// Which execution of the storage's maker this is, from 1.
  uint32_t repeat = 1;
  Origin origin = Origin::Op;
  int64_t bytes = 0;
  /// Bytes of the storage that no value claims; released right after the op
  /// (see OpGraph's parts of one storage). Never more than `bytes`.
  int64_t restBytes = 0;
  /// Index into ScheduleMemory::spaces.
  uint32_t space = 0;
  /// Times, half-open.
  size_t begin = 0;
  size_t end = 0;
  /// False for what is held or handed out: it is live at the end.
  bool isReleased = true;
};

struct ScheduleMemory {
  /// By time of allocation, inside an op by its results.
  std::vector<Allocation> allocations;
  /// The entry of the schedule at time k is opAt[k]; opAt[0] is noOp.
  std::vector<OpId> opAt;
  /// Names of the memory spaces, the default one ("") first.
  std::vector<std::string> spaces;
};

/// What the schedule of a well-formed graph allocates; requires that
/// checkGraph and checkSchedule accept both. A value means the latest execution
/// of its op before the use: a view that is not derived again keeps the memory
/// that it was derived from. A storage that an op fills with two or more
/// results has an unclaimed rest, the bytes that none of its values covers.
/// O(n log n).
ScheduleMemory runSchedule(const OpGraph &graph, const Schedule &schedule,
                           const MemoryOptions &options = {});

/// What a buffer of a problem stands for.
struct PlannedBuffer {
  enum class Kind { Allocation, Rest, Scratch } kind;
  /// Of an allocation or a rest: index in ScheduleMemory::allocations. Of
  /// scratch: the time.
  size_t index;
};

/// The buffers of one memory space.
struct SpaceProblem {
  /// Index into ScheduleMemory::spaces.
  uint32_t space = 0;
  Problem problem;
  /// Per buffer.
  std::vector<PlannedBuffer> buffers;
};

/// One problem a memory space in use, for the solver: a buffer for what each
/// allocation claims, its rest and each op's scratch. Its lower bound by bytes
/// live at once is the profile's peak in that space. Buffers are aligned to at
/// least `alignment` bytes (a power of two).
std::vector<SpaceProblem> buildProblems(const OpGraph &graph,
                                        const ScheduleMemory &memory,
                                        int64_t alignment = 64);

} // namespace memplan::graph

#endif // MEMPLAN_GRAPH_MEMORY_H
