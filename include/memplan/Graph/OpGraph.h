//===- OpGraph.h - A graph of operations and their memory -------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The model of a program before it has buffers: the values that each op reads
// and writes, the storages of the values, and the cost of each op. Profiles,
// partitions, orders and recomputation are computed on it. Like Problem it does
// not depend on MLIR.
//
//   storage s0 (4096 bytes)       Storages cost memory, values do not: a value
//   +-----------+-----------+     is a range of bytes in a storage. Here op 7
//   | v0 [0, 4096)          |     makes v0, the whole of s0, and op 8 makes v1,
//   |           | v1 [2048..|     a view of its upper half. s0 is live until
//   +-----------+-----------+     all ops that use v0 or v1 have run.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_GRAPH_OPGRAPH_H
#define MEMPLAN_GRAPH_OPGRAPH_H

#include "memplan/Core/OpKinds.h"

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

/// The kind of a storage. It must agree with the positions of the storage's
/// values in the graph (inferStorageKinds); checkGraph compares.
enum class StorageKind {
  Temporary, ///< made by an op and released after its last use
  Input,     ///< holds an input
  Parameter, ///< holds inputs that outlive the graph: weights, their state
  Output,    ///< made by an op; a value of it is an output of the graph
  Constant,  ///< there before the graph runs, made by no op, no input
};

/// A range of memory of its own.
struct Storage {
  std::string id;
  /// In bytes; if the size is symbolic, the size for the given hints.
  int64_t bytes = 0;
  /// The size as a formula over symbols, e.g. "4*n*m"; empty when static.
  std::string formula;
  /// In bytes; a power of two.
  int64_t alignment = 1;
  StorageKind kind = StorageKind::Temporary;
  /// Names the memory space; empty for the default one.
  std::string space;
};

/// A range of bytes of a storage, which ops read and write.
struct Value {
  std::string id;
  StorageId storage = 0;
  /// Bytes from the start of the storage.
  int64_t offset = 0;
  int64_t bytes = 0;
};

/// Result number `result`, whose storage the op makes, may reuse the memory of
/// operand number `operand` if this operand dies at the op.
struct InPlaceTie {
  uint32_t result;
  uint32_t operand;
};

struct Op {
  std::string id;
  /// The kind of the op, e.g. "linalg.matmul"; several ops may have the same
  /// name.
  std::string name;
  std::vector<ValueId> operands;
  /// Each value is the result of at most one op. The first op of the program
  /// that has a result in a storage makes that storage, unless it holds an
  /// input or a constant. A result in a storage that exists already is a view
  /// or was written in place; an operand of the op must lie in that storage.
  std::vector<ValueId> results;
  /// A multiply-add counts as 2.
  int64_t flops = 0;
  int64_t bytesRead = 0;
  int64_t bytesWritten = 0;
  /// Bytes of the default memory space that the op needs only while it runs.
  int64_t scratchBytes = 0;
  /// As Storage::formula, for scratchBytes.
  std::string scratchFormula;
  CostClass cost = CostClass::Cheap;
  /// The op has no effects but its results.
  bool pure = true;
  /// The op may run in executions in which the original program would not run
  /// it.
  bool speculatable = true;
  Randomness randomness = Randomness::None;
  RecomputeTag tag = RecomputeTag::None;
  std::vector<InPlaceTie> ties;
  /// Ops that must run before this one because of effects, not of operands.
  std::vector<OpId> after;
  /// Source location, for reports.
  std::string location;
  /// The named region of the program to which the op belongs, with '/' between
  /// levels; a backward op may have the scope of its forward op.
  std::string scope;
};

struct Input {
  ValueId value = 0;
  InputRole role = InputRole::None;
  /// Keeping the input costs nothing, as it outlives the graph (a weight).
  bool isStatic = false;
  /// The caller gives up the memory: it is released after the last use.
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
  /// The values that the graph returns, in order; a value may occur twice.
  std::vector<ValueId> outputs;
  /// The number of outputs that belong to the forward function; they come
  /// first, the others are gradients. Equal to outputs.size() without a
  /// backward function.
  uint32_t numForwardOutputs = 0;
};

/// Ops in the order in which they run. An op that occurs again is recomputed:
/// it makes new storages, which later uses read.
using Schedule = std::vector<OpId>;

/// Every op once, in program order.
Schedule programOrder(const OpGraph &graph);

/// Stands for the maker of an input or constant in storageMakers and
/// valueMakers.
inline constexpr OpId noOp = UINT32_MAX;

/// By storage: the op that makes it, or noOp for inputs and constants. Linear.
std::vector<OpId> storageMakers(const OpGraph &graph);

/// By value: the op that has it as a result, or noOp for inputs and constants.
/// Linear.
std::vector<OpId> valueMakers(const OpGraph &graph);

/// Sets the kind of every storage from its values: Input or Output if one of
/// them is an input or output, else Temporary. An input that is a Parameter and
/// a storage that is a Constant keep their kind.
void inferStorageKinds(OpGraph &graph);

template <> struct EnumNames<StorageKind> {
  static constexpr std::array<std::string_view, 5> names = {
      "temporary", "input", "parameter", "output", "constant"};
};

} // namespace memplan::graph

#endif // MEMPLAN_GRAPH_OPGRAPH_H
