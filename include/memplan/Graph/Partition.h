//===- Partition.h - What a backward function keeps -------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Splits a joint graph (forward outputs and gradients) into a forward and a
// backward function, and decides which values the forward function saves for
// the backward function and which ops the backward function runs again.
//
//   x --> a --> b --> y (forward output)      saved {b}:  backward has the ops
//   g
//               |                             saved {a}:  b, g (b runs again)
//               +--> g --> dx (gradient)      saved {x}:  a, b, g
//          dy --^
//
// A minimum cut between what is there in the forward function and what the
// backward function needs decides; the flow of equal size is its proof.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_GRAPH_PARTITION_H
#define MEMPLAN_GRAPH_PARTITION_H

#include "memplan/Graph/Memory.h"
#include "memplan/Graph/OpGraph.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memplan::graph {

enum class PartitionStrategy {
  Default, ///< saves whatever forward value the backward function uses
  MinCut,  ///< saves what costs least and recomputes the rest
};
template <> struct EnumNames<PartitionStrategy> {
  static constexpr std::array<std::string_view, 2> names = {"default",
                                                            "min-cut"};
};

enum class CutModel {
  /// Bytes kept: whole views are their storage's and cost nothing more, a
  /// strict part costs its own bytes, and a storage is never paid twice. Of all
  /// cuts with the fewest bytes one with the fewest recomputed FLOPs.
  Bytes,
  /// The weights and bans of PyTorch 1.13's min-cut partitioner: bytes per
  /// value times 1.1^distance, twice where the value would not be materialised;
  /// only ops with `fusible` set are recomputed. For comparison.
  TorchCompat,
};
template <> struct EnumNames<CutModel> {
  static constexpr std::array<std::string_view, 2> names = {"bytes",
                                                            "torch-compat"};
};

struct PartitionOptions {
  PartitionStrategy strategy = PartitionStrategy::MinCut;
  CutModel model = CutModel::Bytes;
  /// Ops of a higher class are not recomputed, unless their tag says so.
  CostClass recompute = CostClass::Medium;
  /// The caller holds every primal anyway, so that each is free to keep; else
  /// only static ones are.
  bool primalsAreHeld = false;
  /// TorchCompat: ops farther from the backward function are not recomputed;
  /// PyTorch's inductor mode has 4, its nvfuser mode none.
  std::optional<int64_t> maxDistance;
  /// Bytes: where the pair peaks higher than with the default strategy, what is
  /// computed again at that peak is saved instead, with a remark.
  bool keepPeak = false;
  /// Search steps spent on the order of the backward function; 0 leaves
  /// recomputed ops right before their first use.
  int64_t orderSteps = 200000;
};

struct PartitionRemark {
  OpId op;
  std::string message;
};

/// Bytes, by the profiles of forwardPart and backwardPart. The backward peak
/// has backwardBaseline added.
struct PairPeaks {
  int64_t forward = 0;
  int64_t backward = 0;
  /// The larger of the two.
  int64_t pair = 0;
};

struct Partition {
  /// Values the backward function takes, in program order, inputs first.
  std::vector<ValueId> saved;
  /// Ops of the functions in the order they run; an op of both is recomputed.
  Schedule forward, backward;
  /// Ops of both functions in program order, without those that cost nothing:
  /// views and constants without FLOPs.
  std::vector<OpId> recomputed;

  /// Bytes of the saved values that ops made, each counted by itself.
  int64_t savedBytes = 0;
  /// Bytes of the storages that they lie in, each once; strict parts as such
  /// where the whole is not saved.
  int64_t savedUniqueBytes = 0;
  /// Bytes of the saved primals, each storage once.
  int64_t savedPrimalBytes = 0;
  /// MinCut: the capacity of the cut, summed from the cut arcs, and the flow;
  /// they are equal, which proves that no cut is smaller.
  int64_t cutCapacity = 0;
  int64_t flow = 0;
  int64_t recomputedFlops = 0;
  PairPeaks peaks;
  /// Ops that may not be recomputed though their tag asks for it, and why.
  std::vector<PartitionRemark> remarks;
};

/// Why the op may not run twice, or an empty text. Legal are pure, speculatable
/// ops without effect order that write nothing in place; random ones only with
/// explicit state. Linear in the graph.
std::string whyNotRepeatable(const OpGraph &graph, OpId op);

/// The tags as partition obeys them: where a tagged op feeds a tagged op of
/// another scope, the value between them is saved, or both regions would be
/// recomputed as one (as PyTorch's cleanup_recompute_tags).
std::vector<RecomputeTag> cleanRecomputeTags(const OpGraph &graph);

/// Why the graph is no joint graph, or an empty text: forward outputs that
/// depend on a tangent, or no backward outputs.
std::string whyNotJoint(const OpGraph &graph);

/// Splits a well-formed joint graph (checkGraph, whyNotJoint). Deterministic.
/// About linear: max-flow on a network of the graph's size.
Partition partition(const OpGraph &graph, const PartitionOptions &options = {});

/// How the backward function's memory counts: saved values are released after
/// their last use, primals and tangents are held.
MemoryOptions backwardMemory();

/// Bytes of forward outputs that ops made and the backward function does not
/// take: they are there while it runs.
int64_t backwardBaseline(const OpGraph &graph, const Partition &partition);

/// One function of a partition as a graph of its own; its program order is the
/// partition's schedule, its storages are those of its own run.
struct PartGraph {
  OpGraph graph;
  /// Per op and per value of `graph`, which of the joint graph it is.
  std::vector<OpId> ops;
  std::vector<ValueId> values;
};

/// Inputs: the primals and forward random states. Outputs: the forward outputs,
/// then the saved values that ops made, but for views of constants, which the
/// backward function has anyway.
PartGraph forwardPart(const OpGraph &graph, const Partition &partition);

/// Inputs: the saved values (those that ops made are donated: released after
/// their last use), then tangents and backward random states. Outputs: the
/// gradients; numForwardOutputs is 0.
PartGraph backwardPart(const OpGraph &graph, const Partition &partition);

/// What was saved, the certificate, the recomputed ops and the peaks, as text
/// for people, one fact a line.
std::string partitionReport(const OpGraph &graph, const Partition &partition);

/// The same as a JSON object, in one line: values and ops by their ids.
std::string partitionJson(const OpGraph &graph, const Partition &partition);

/// The joint graph as DOT: forward ops, backward ops and ops of both, and what
/// is saved with its bytes on the edges that cross.
std::string partitionDot(const OpGraph &graph, const Partition &partition);

} // namespace memplan::graph

#endif // MEMPLAN_GRAPH_PARTITION_H
