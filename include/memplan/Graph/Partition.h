//===- Partition.h - Partitions of joint graphs -----------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Splits a joint graph (of forward outputs and gradients) into a forward and a
// backward function. The partition decides which values the forward function
// saves and which ops the backward function runs again.
//
//   x --> a --> b --> y (forward output)      saved {b}:  backward runs g
//               |                             saved {a}:  b, g (b runs again)
//               +--> g --> dx (gradient)      saved {x}:  a, b, g
//          dy --^
//
// The decision is a minimum cut between the values of the forward function and
// the needs of the backward function; a flow of equal size proves it minimal.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_GRAPH_PARTITION_H
#define MEMPLAN_GRAPH_PARTITION_H

#include "memplan/Graph/Memory.h"
#include "memplan/Graph/OpGraph.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memplan::graph {

enum class PartitionStrategy {
  Default, ///< saves every forward value that the backward function uses
  /// Saves the set of values with the fewest bytes and recomputes the others. A
  /// view of a whole storage costs nothing if the storage is saved, a view of a
  /// part costs its own bytes, and a storage is counted once. Among the cuts
  /// with the fewest bytes, one with the fewest recomputed FLOPs.
  MinCut,
};
template <> struct EnumNames<PartitionStrategy> {
  static constexpr std::array<std::string_view, 2> names = {"default",
                                                            "min-cut"};
};

struct PartitionOptions {
  PartitionStrategy strategy = PartitionStrategy::MinCut;
  /// Ops of a higher cost class are not recomputed, unless their tag asks for
  /// it.
  CostClass recompute = CostClass::Medium;
  /// The caller holds every primal during the backward function, so saving it
  /// costs nothing. If false, this applies to static primals only. Donated
  /// primals are not held. A storage of a forward output is always held.
  bool primalsAreHeld = false;
  /// If the peak of the pair is higher than with the default strategy, values
  /// that are recomputed and live at that peak are saved instead, with a
  /// remark.
  bool keepPeak = false;
  /// MinCut only: the most bytes to keep (as Partition::keptBytes).
  /// Within it the recomputation costs as little as the search finds, for ops
  /// of any cost class; a larger budget never keeps less or costs more.
  std::optional<int64_t> budget;
  /// Search steps for the order of the backward function; with 0 only simple
  /// orders are considered.
  int64_t orderSteps = 200000;
  /// If given, the search ends once it is true, with the best partition so far.
  /// Another thread or a signal handler may set it.
  const std::atomic<bool> *stop = nullptr;

  bool isStopped() const { return stop && *stop; }
};

/// Why no partition is made with these options: a budget without a cut. Empty
/// if they are fine.
std::string whyNotUsable(const PartitionOptions &options);

struct PartitionRemark {
  /// noOp: the remark is about the whole.
  OpId op;
  std::string message;
};

/// In bytes, by the profiles of forwardPart and backwardPart. Both peaks
/// include all memory that the caller holds (heldBytes).
struct PairPeaks {
  int64_t forward = 0;
  int64_t backward = 0;
  /// The larger of the two.
  int64_t pair = 0;
};

struct Partition {
  /// Values that the backward function takes, inputs first, then in program
  /// order.
  std::vector<ValueId> saved;
  /// The ops of both functions in the order in which they run; an op in both is
  /// recomputed.
  Schedule forward, backward;
  /// The recomputed ops in program order, except those of cost class Free
  /// without FLOPs.
  std::vector<OpId> recomputed;

  /// Bytes of the saved values that ops made, without forward outputs; values
  /// of one storage count separately.
  int64_t savedBytes = 0;
  /// The same with each storage counted once; if only parts of a storage are
  /// saved, the bytes of these parts.
  int64_t savedUniqueBytes = 0;
  /// Bytes of the saved primals and of the saved forward outputs; each storage
  /// counts once.
  int64_t savedPrimalBytes = 0;
  int64_t savedOutputBytes = 0;
  /// Bytes that are live between the functions only for the backward function:
  /// savedUniqueBytes, and the saved primals that the caller does not hold.
  int64_t keptBytes = 0;
  /// Bytes that the caller holds while the backward function runs and that this
  /// function does not take: forward outputs, static primals, and all primals
  /// with primalsAreHeld.
  int64_t heldBytes = 0;
  /// With a budget: the fewest bytes that can be kept. If it exceeds the
  /// budget, the partition keeps so many, with a remark.
  int64_t leastKeptBytes = 0;
  /// The sum of recomputeCost over the recomputed ops, those at the end of the
  /// forward function up to a third more.
  int64_t recomputeCost = 0;
  /// MinCut: the capacity of the cut, as the sum over its arcs, and the flow.
  /// Their equality proves that no cut has a smaller capacity.
  int64_t cutCapacity = 0;
  int64_t flow = 0;
  int64_t recomputedFlops = 0;
  PairPeaks peaks;
  /// Ops that are not recomputed although their tag asks for it, or that are
  /// saved because of keepPeak, with the reason.
  std::vector<PartitionRemark> remarks;
};

/// What running the op again costs, about in nanoseconds of one core: the
/// larger of the time for its FLOPs and for its bytes, and a time for the call.
int64_t recomputeCost(const Op &op);

/// The reason why the op must not run twice, or an empty text. An op may run
/// twice if it is pure and speculatable, has no effect edges, does not write in
/// place, and does not draw from implicit random state. Linear in the graph.
std::string whyNotRepeatable(const OpGraph &graph, OpId op);

/// The tags that partition obeys. If an op that asks for recomputation feeds
/// such an op of another scope, its tag becomes MustSave; otherwise both
/// regions would be recomputed as one (as PyTorch's cleanup_recompute_tags).
std::vector<RecomputeTag> cleanRecomputeTags(const OpGraph &graph);

/// The reason why the graph is not a joint graph, or an empty text. A joint
/// graph has gradients, and no forward output depends on a tangent or a
/// backward random state.
std::string whyNotJoint(const OpGraph &graph);

/// Splits a well-formed joint graph (checkGraph, whyNotJoint). Deterministic.
/// The time is that of max-flow on a network of the graph's size, about linear,
/// and of `orderSteps`.
Partition partition(const OpGraph &graph, const PartitionOptions &options = {});

/// The memory options of the backward function: saved values are released after
/// their last use, primals, forward outputs and tangents are held.
MemoryOptions backwardMemory();

/// One function of a partition as a separate graph. Its program order is the
/// schedule of the partition.
struct PartGraph {
  OpGraph graph;
  /// By op and by value of `graph`: the op and the value of the joint graph.
  std::vector<OpId> ops;
  std::vector<ValueId> values;
};

/// Inputs: the primals and forward random states. Outputs: the forward outputs,
/// then the saved values that ops made, except views of constants, which the
/// backward function does not need as inputs.
PartGraph forwardPart(const OpGraph &graph, const Partition &partition);

/// Inputs: the saved values (those that ops made are donated: released after
/// their last use; forward outputs are not), then tangents and backward random
/// states. Outputs: the gradients; numForwardOutputs is 0.
PartGraph backwardPart(const OpGraph &graph, const Partition &partition);

/// The saved values, the cut with its proof, the recomputed ops and the peaks,
/// as text with one fact in each line.
std::string partitionReport(const OpGraph &graph, const Partition &partition);

/// The same as a JSON object, in one line: values and ops by their ids.
std::string partitionJson(const OpGraph &graph, const Partition &partition);

/// The joint graph in the DOT language: forward ops, backward ops and
/// recomputed ops; edges of saved values have the value's id and bytes.
std::string partitionDot(const OpGraph &graph, const Partition &partition);

} // namespace memplan::graph

#endif // MEMPLAN_GRAPH_PARTITION_H
