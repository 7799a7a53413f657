//===- PairFlags.cpp - Options for pairs of graphs ------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PairFlags.h"

#include "Commands.h"

using namespace memplan;
using namespace memplan::tool;

void tool::addPairFlags(CommandLine &commandLine, std::string &backward,
                        std::vector<std::string> &saved) {
  commandLine.value("--backward=FILE",
                    "the backward graph; FILE is the forward graph, whose "
                    "outputs are inputs of the backward graph with the same "
                    "ids",
                    backward);
  commandLine.value("--saved=OUT=IN",
                    "input IN of the backward graph is output OUT of the "
                    "forward graph; may be repeated",
                    saved);
}

/// Adds the pair "FORWARD=BACKWARD" of value ids to `saved`; returns "" or the
/// reason why it is not a pair.
static std::string addSaved(const std::string &text,
                            const graph::OpGraph &forward,
                            const graph::OpGraph &backward,
                            std::vector<graph::SavedValue> &saved) {
  size_t equals = text.find('=');
  if (equals == text.npos)
    return "expected FORWARD=BACKWARD, two values";
  std::string from = text.substr(0, equals), to = text.substr(equals + 1);
  for (graph::ValueId output : forward.outputs)
    for (const graph::Input &input : backward.inputs)
      if (forward.values[output].id == from &&
          backward.values[input.value].id == to) {
        saved.push_back({output, input.value});
        return "";
      }
  return "no output of the forward graph and input of the backward graph have "
         "these ids";
}

bool tool::loadPair(const std::string &forward, const std::string &backward,
                    const std::vector<std::string> &saved, GraphPair &pair) {
  if (!loadGraph(forward, pair.forward, pair.forwardSchedule) ||
      !loadGraph(backward, pair.backward, pair.backwardSchedule))
    return false;
  pair.saved = graph::matchSaved(pair.forward, pair.backward);
  for (const std::string &text : saved)
    if (std::string why =
            addSaved(text, pair.forward, pair.backward, pair.saved);
        !why.empty()) {
      fail(std::string("--saved: '").append(text) + "': " + why);
      return false;
    }
  return true;
}
