//===- OpGraph.h - A graph of operations and what they keep -----*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The model of what is known before there are buffers: which op reads and
// writes which values, what memory the values live in, and what each op costs.
// Profiles, partitions, orders and recomputation are decided on it; like
// Problem it knows nothing of MLIR.
//
//   storage s0 (4096 bytes)       Storages cost memory, values do not: a value
//   +-----------+-----------+     is a range of bytes in a storage. Here op 7
//   | v0 [0, 4096)          |     makes v0, the whole of s0, and op 8 makes v1,
//   |           | v1 [2048..|     a view of its upper half. s0 is live until
//   the
//   +-----------+-----------+     last op that uses v0 or v1 has run.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_GRAPH_OPGRAPH_H
#define MEMPLAN_GRAPH_OPGRAPH_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::graph {

/// Indices into OpGraph::storages, ::values and ::ops.
using StorageId = uint32_t;
using ValueId = uint32_t;
using OpId = uint32_t;

/// Follows from where values of the storage stand (inferStorageKinds), which
/// checkGraph compares.
enum class StorageKind {
  Temporary, ///< made by an op and released after its last use
  Input,     ///< holds an input
  Parameter, ///< holds inputs that outlive the graph: weights, their state
  Output,    ///< made by an op; a value of it is handed out of the graph
  Constant,  ///< there before the graph runs, made by no op, no input
};

/// What memory costs.
struct Storage {
  std::string id;
  /// Bytes; where the size is symbolic, the size under the hints given.
  int64_t bytes = 0;
  /// The size as a formula over symbols, e.g. "4*n*m"; empty when static.
  std::string formula;
  /// Bytes; a power of two.
  int64_t alignment = 1;
  StorageKind kind = StorageKind::Temporary;
  /// Names the memory space; empty for the default one.
  std::string space;
};

/// A range of bytes of a storage: what ops read and write.
struct Value {
  std::string id;
  StorageId storage = 0;
  /// Bytes from the start of the storage.
  int64_t offset = 0;
  int64_t bytes = 0;
};

/// What recomputing an op costs, roughly.
enum class CostClass {
  Free,      ///< constants, views, empty and filled memory
  Cheap,     ///< elementwise, broadcast, transpose, cast
  Medium,    ///< reductions, softmax
  Expensive, ///< contractions, convolutions, pooling windows, calls, loops
};

enum class Randomness {
  None,
  /// Counter-based with its state as an operand: a repeat draws the same.
  ExplicitState,
  /// State outside of the graph: keeps its order, is never repeated.
  ImplicitState,
};

/// What the author of the program asks for.
enum class RecomputeTag {
  None,
  MustSave,
  PreferSave,
  PreferRecompute,
  MustRecompute,
};

/// Result number `result`, whose storage the op makes, may take the place of
/// operand number `operand` if that dies at the op.
struct InPlaceTie {
  uint32_t result;
  uint32_t operand;
};

struct Op {
  std::string id;
  /// What it computes, e.g. "linalg.matmul"; several ops may share it.
  std::string name;
  std::vector<ValueId> operands;
  /// Each value is the result of at most one op. The first op of the program
  /// that has a result in a storage makes that storage, unless it holds an
  /// input or a constant. A result in a storage that is there already is a
  /// view (or was written in place): another operand of the op lies in that
  /// storage.
  std::vector<ValueId> results;
  /// 2 for a multiply-add.
  int64_t flops = 0;
  int64_t bytesRead = 0;
  int64_t bytesWritten = 0;
  /// Bytes of the default memory space that the op needs only while it runs.
  int64_t scratchBytes = 0;
  /// As Storage::formula.
  std::string scratchFormula;
  CostClass cost = CostClass::Cheap;
  /// No effect but its results.
  bool pure = true;
  /// May run where the original program would not have run it.
  bool speculatable = true;
  /// A code generator would merge it with its neighbours.
  bool fusible = false;
  Randomness randomness = Randomness::None;
  RecomputeTag tag = RecomputeTag::None;
  std::vector<InPlaceTie> ties;
  /// Ops that must run before this one though no value says so: effects.
  std::vector<OpId> after;
  /// Source location, for people.
  std::string location;
  /// The named region of the program that the op belongs to, '/' between
  /// levels; a backward op may carry the scope of its forward op.
  std::string scope;
};

/// What an input is to a training graph.
enum class InputRole {
  None,
  Primal,      ///< of the forward function
  Tangent,     ///< gradient of a forward output
  ForwardRng,  ///< random state of the forward function
  BackwardRng, ///< random state of the backward function
};

struct Input {
  ValueId value = 0;
  InputRole role = InputRole::None;
  /// Free to keep: it is there anyway (a weight).
  bool isStatic = false;
  /// The caller gives its memory away: released after the last use.
  bool isDonated = false;
};

/// Ops stand in program order: an op's operands are inputs, constants or
/// results of earlier ops.
struct OpGraph {
  std::string name;
  std::vector<Storage> storages;
  std::vector<Value> values;
  std::vector<Op> ops;
  std::vector<Input> inputs;
  /// What the graph hands out, in order; a value may stand twice.
  std::vector<ValueId> outputs;
  /// The first so many outputs are the forward function's, the others
  /// gradients; equal to outputs.size() where there is no backward function.
  uint32_t numForwardOutputs = 0;
};

/// Ops in the order they run. An op that stands again is recomputed: it makes
/// fresh storages, which later uses read.
using Schedule = std::vector<OpId>;

/// Every op once, in program order.
Schedule programOrder(const OpGraph &graph);

/// What `storageMakers` and `valueMakers` say where no op made it.
inline constexpr OpId noOp = UINT32_MAX;

/// Per storage, the op that makes it; noOp for inputs and constants. Linear.
std::vector<OpId> storageMakers(const OpGraph &graph);

/// Per value, the op that it is a result of; noOp for inputs and constants.
std::vector<OpId> valueMakers(const OpGraph &graph);

/// Gives every storage the kind that follows from where its values stand.
/// Parameters and constants are told from inputs and temporaries by their kind,
/// which stays.
void inferStorageKinds(OpGraph &graph);

/// The names that files and reports use, by the order of the enum.
template <typename Enum> struct EnumNames;
template <> struct EnumNames<StorageKind> {
  static constexpr std::array<std::string_view, 5> names = {
      "temporary", "input", "parameter", "output", "constant"};
};
template <> struct EnumNames<CostClass> {
  static constexpr std::array<std::string_view, 4> names = {
      "free", "cheap", "medium", "expensive"};
};
template <> struct EnumNames<Randomness> {
  static constexpr std::array<std::string_view, 3> names = {"none", "explicit",
                                                            "implicit"};
};
template <> struct EnumNames<RecomputeTag> {
  static constexpr std::array<std::string_view, 5> names = {
      "none", "must_save", "prefer_save", "prefer_recompute", "must_recompute"};
};
template <> struct EnumNames<InputRole> {
  static constexpr std::array<std::string_view, 5> names = {
      "none", "primal", "tangent", "fwd_rng", "bwd_rng"};
};

template <typename Enum> std::string_view nameOf(Enum value) {
  return EnumNames<Enum>::names[static_cast<size_t>(value)];
}

/// The value of that name, or nothing.
template <typename Enum> std::optional<Enum> parseName(std::string_view name) {
  for (size_t i = 0; i < EnumNames<Enum>::names.size(); ++i)
    if (EnumNames<Enum>::names[i] == name)
      return static_cast<Enum>(i);
  return std::nullopt;
}

/// "a, b or c": every name of the enum, for messages.
template <typename Enum> std::string allNames() {
  std::string text;
  size_t count = EnumNames<Enum>::names.size();
  for (size_t i = 0; i < count; ++i) {
    text += EnumNames<Enum>::names[i];
    text += i + 2 < count ? ", " : i + 2 == count ? " or " : "";
  }
  return text;
}

} // namespace memplan::graph

#endif // MEMPLAN_GRAPH_OPGRAPH_H
