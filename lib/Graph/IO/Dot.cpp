//===- Dot.cpp - Op graphs in the DOT language ----------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/Dot.h"

#include <string_view>

using namespace memplan;
using namespace memplan::graph;

namespace {

/// The text as a quoted string of the DOT language; control characters other
/// than line ends are left out.
std::string dotString(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      out += '\\';
    if (c == '\n')
      out += "\\n";
    else if (static_cast<unsigned char>(c) >= 0x20)
      out += c;
  }
  return out + "\"";
}

std::string_view colourOf(CostClass cost) {
  switch (cost) {
  case CostClass::Free:
    return "white";
  case CostClass::Cheap:
    return "palegreen";
  case CostClass::Medium:
    return "khaki";
  case CostClass::Expensive:
    return "lightsalmon";
  }
  return "white";
}

class DotWriter {
public:
  DotWriter(const OpGraph &graph, const Schedule *schedule)
      : graph(graph), makers(valueMakers(graph)),
        storageMaker(storageMakers(graph)), times(graph.ops.size()) {
    for (size_t step = 0; schedule && step < schedule->size(); ++step)
      times[(*schedule)[step]] +=
          (times[(*schedule)[step]].empty() ? "" : ", ") +
          std::to_string(step + 1);
  }

  std::string write() {
    out = "digraph " + dotString(graph.name) +
          " {\n  node [style=filled, fillcolor=white];\n";
    for (ValueId v = 0; v < graph.values.size(); ++v)
      if (makers[v] == noOp)
        out += "  v" + std::to_string(v) + " [shape=ellipse, label=" +
               dotString(graph.values[v].id + "\n" + bytesOf(v)) + "];\n";
    for (OpId i = 0; i < graph.ops.size(); ++i)
      writeOp(i);
    for (size_t o = 0; o < graph.outputs.size(); ++o) {
      std::string node = "o" + std::to_string(o);
      out += "  " + node + " [shape=diamond, label=" +
             dotString(o < graph.numForwardOutputs ? "output" : "gradient") +
             "];\n";
      writeEdge(graph.outputs[o], node);
    }
    return out + "}\n";
  }

private:
  void writeOp(OpId i) {
    const Op &op = graph.ops[i];
    std::string label = op.id;
    if (!op.name.empty() && op.name != op.id)
      label += "\n" + op.name;
    if (!times[i].empty())
      label += "\nruns at " + times[i];
    if (op.scratchBytes > 0)
      label += "\nscratch " + std::to_string(op.scratchBytes) + " bytes";
    std::string node = "op" + std::to_string(i);
    out += "  " + node +
           " [shape=box, fillcolor=" + std::string(colourOf(op.cost)) +
           ", label=" + dotString(label) + "];\n";
    for (ValueId operand : op.operands)
      writeEdge(operand, node);
    for (OpId before : op.after)
      out += "  op" + std::to_string(before) + " -> " + node +
             " [style=dotted];\n";
  }

  void writeEdge(ValueId value, const std::string &to) {
    OpId maker = makers[value];
    bool isView =
        maker != noOp && storageMaker[graph.values[value].storage] != maker;
    out += "  " +
           (maker == noOp ? "v" + std::to_string(value)
                          : "op" + std::to_string(maker)) +
           " -> " + to;
    if (maker != noOp)
      out += " [label=" +
             dotString(graph.values[value].id + "\n" + bytesOf(value)) +
             (isView ? ", style=dashed]" : "]");
    out += ";\n";
  }

  std::string bytesOf(ValueId value) const {
    return std::to_string(graph.values[value].bytes) + " bytes";
  }

  const OpGraph &graph;
  std::vector<OpId> makers, storageMaker;
  std::vector<std::string> times;
  std::string out;
};

} // namespace

std::string memplan::graph::formatDot(const OpGraph &graph,
                                      const Schedule *schedule) {
  return DotWriter(graph, schedule).write();
}
