//===- PartitionText.cpp - Partitions as text, JSON and DOT ---------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Core/JsonWriter.h"
#include "memplan/Graph/Partition.h"

using namespace memplan;
using namespace memplan::graph;

namespace {

std::string count(size_t number, const std::string &what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

std::string quotedDot(const std::string &text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    if (c == '\n')
      result += "\\n";
    else
      result += c;
  }
  return result + "\"";
}

} // namespace

std::string memplan::graph::partitionReport(const OpGraph &graph,
                                            const Partition &partition) {
  std::vector<OpId> maker = valueMakers(graph);
  std::vector<bool> isOutput(graph.storages.size());
  for (size_t i = 0; i < graph.numForwardOutputs; ++i)
    isOutput[graph.values[graph.outputs[i]].storage] = true;
  auto isReturned = [&](ValueId v) {
    StorageId s = graph.values[v].storage;
    return isOutput[s] && graph.storages[s].kind == StorageKind::Output;
  };
  size_t primals = 0, outputs = 0;
  for (ValueId v : partition.saved) {
    primals += maker[v] == noOp;
    outputs += isReturned(v);
  }
  std::string text;
  auto line = [&](const std::string &what) { text += what + "\n"; };
  line("saved: " + count(partition.saved.size() - primals - outputs, "value") +
       ", " + std::to_string(partition.savedUniqueBytes) + " bytes (" +
       std::to_string(partition.savedBytes) +
       " counting each value by itself); " + count(primals, "input") + ", " +
       std::to_string(partition.savedPrimalBytes) + " bytes" +
       (outputs == 0
            ? ""
            : "; " + count(outputs, "forward output") + ", " +
                  std::to_string(partition.savedOutputBytes) + " bytes"));
  for (ValueId v : partition.saved) {
    const Value &value = graph.values[v];
    const Storage &storage = graph.storages[value.storage];
    std::string what =
        "  " + value.id + ": " + std::to_string(value.bytes) + " bytes";
    if (maker[v] == noOp)
      what += ", input";
    else
      what += " by " + graph.ops[maker[v]].id +
              (isReturned(v) ? ", forward output" : "");
    if (value.bytes != storage.bytes || value.id != storage.id)
      what += ", in storage " + storage.id + " of " +
              std::to_string(storage.bytes) + " bytes";
    line(what);
  }
  if (partition.flow > 0 || partition.cutCapacity > 0)
    line("cut: capacity " + std::to_string(partition.cutCapacity) + ", flow " +
         std::to_string(partition.flow) +
         (partition.cutCapacity == partition.flow ? ": no cut is smaller"
                                                  : ": differ"));
  line("forward: " + count(partition.forward.size(), "op"));
  line("backward: " + count(partition.backward.size(), "op"));
  line("recomputed: " + count(partition.recomputed.size(), "op") + ", " +
       std::to_string(partition.recomputedFlops) + " FLOPs");
  for (OpId op : partition.recomputed)
    line("  " + graph.ops[op].id + ": " + graph.ops[op].name + ", " +
         std::to_string(graph.ops[op].flops) + " FLOPs");
  line("peak: forward " + std::to_string(partition.peaks.forward) +
       ", backward " + std::to_string(partition.peaks.backward) + ", pair " +
       std::to_string(partition.peaks.pair) + " bytes");
  for (const PartitionRemark &remark : partition.remarks)
    line("remark: " +
         (remark.op == noOp ? std::string()
                            : "op " + graph.ops[remark.op].id + " is ") +
         remark.message);
  return text;
}

std::string memplan::graph::partitionJson(const OpGraph &graph,
                                          const Partition &partition) {
  std::string text;
  JsonWriter json(text);
  auto value = [&](ValueId v) { json.value(graph.values[v].id); };
  auto op = [&](OpId i) { json.value(graph.ops[i].id); };
  json.beginObject(JsonWriter::Style::Inline);
  json.member("format", "memplan.partition");
  json.member("version", 1);
  json.member("graph", graph.name);
  json.list("saved", partition.saved, value);
  json.list("forward", partition.forward, op);
  json.list("backward", partition.backward, op);
  json.list("recomputed", partition.recomputed, op);
  json.member("saved_bytes", partition.savedBytes);
  json.member("saved_unique_bytes", partition.savedUniqueBytes);
  json.member("saved_primal_bytes", partition.savedPrimalBytes);
  json.member("saved_output_bytes", partition.savedOutputBytes);
  json.member("kept_bytes", partition.keptBytes);
  json.member("least_kept_bytes", partition.leastKeptBytes);
  json.member("recompute_cost", partition.recomputeCost);
  json.member("cut_capacity", partition.cutCapacity);
  json.member("flow", partition.flow);
  json.member("recomputed_flops", partition.recomputedFlops);
  json.member("forward_peak", partition.peaks.forward);
  json.member("backward_peak", partition.peaks.backward);
  json.member("pair_peak", partition.peaks.pair);
  json.list("remarks", partition.remarks, [&](const PartitionRemark &remark) {
    json.beginObject();
    if (remark.op != noOp)
      json.member("op", graph.ops[remark.op].id);
    json.member("message", remark.message);
    json.endObject();
  });
  json.endObject();
  return text + "\n";
}

std::string memplan::graph::partitionDot(const OpGraph &graph,
                                         const Partition &partition) {
  enum : uint8_t { Forward = 1, Backward = 2 };
  std::vector<uint8_t> where(graph.ops.size());
  for (OpId op : partition.forward)
    where[op] |= Forward;
  for (OpId op : partition.backward)
    where[op] |= Backward;
  std::vector<bool> isSaved(graph.values.size());
  for (ValueId v : partition.saved)
    isSaved[v] = true;
  std::vector<OpId> maker = valueMakers(graph);

  std::string text = "digraph " +
                     quotedDot(graph.name.empty() ? "partition" : graph.name) +
                     " {\n  rankdir=LR;\n  node [shape=box, style=filled];\n";
  for (const Input &input : graph.inputs)
    text += "  i" + std::to_string(input.value) +
            " [label=" + quotedDot(graph.values[input.value].id) +
            ", shape=ellipse, fillcolor=white];\n";
  // A recomputed op is drawn in both functions.
  auto drawOps = [&](uint8_t side, const char *prefix, const char *name,
                     const char *color) {
    text += std::string("  subgraph cluster_") + name + " {\n    label=\"" +
            name + "\";\n";
    for (OpId op = 0; op < graph.ops.size(); ++op)
      if (where[op] & side)
        text += std::string("    ") + prefix + std::to_string(op) + " [label=" +
                quotedDot(graph.ops[op].id + "\n" + graph.ops[op].name) +
                ", fillcolor=" +
                (where[op] == (Forward | Backward) ? "gold" : color) + "];\n";
    text += "  }\n";
  };
  drawOps(Forward, "f", "forward", "lightblue");
  drawOps(Backward, "b", "backward", "lightsalmon");
  auto drawEdges = [&](uint8_t side, const char *prefix) {
    for (OpId op = 0; op < graph.ops.size(); ++op) {
      if (!(where[op] & side))
        continue;
      for (ValueId v : graph.ops[op].operands) {
        std::string from;
        bool crosses = side == Backward && isSaved[v];
        if (maker[v] == noOp)
          from = "i" + std::to_string(v);
        else
          from = (crosses ? "f" : prefix) + std::to_string(maker[v]);
        // Constants have no node.
        if (maker[v] == noOp && graph.storages[graph.values[v].storage].kind ==
                                    StorageKind::Constant)
          continue;
        text += "  " + from + " -> " + prefix + std::to_string(op);
        if (crosses)
          text += " [label=" +
                  quotedDot(graph.values[v].id + ": " +
                            std::to_string(graph.values[v].bytes) + " bytes") +
                  ", color=red, penwidth=2]";
        text += ";\n";
      }
    }
  };
  drawEdges(Forward, "f");
  drawEdges(Backward, "b");
  return text + "}\n";
}
