//===- GraphBuilder.h - Op graphs for tests ---------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Op graphs for tests in one expression. Graphs come only from build(), which
// checks them, so that no test can forget it:
//
//   GraphBuilder().input("x", 64).op("a", {"x"}, {{"y", 64}})
//       .op("v", {"y"}, {{"half", 32, "y", 32}}).outputs({"half"}).build()
//
// Values are named; a result {"y", 64} has a storage of its own, {"half", 32,
// "y", 32} is 32 bytes at offset 32 of the storage of value "y" (or of the
// storage declared as "y").
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_GRAPH_GRAPHBUILDER_H
#define MEMPLAN_TEST_UNIT_GRAPH_GRAPHBUILDER_H

#include "memplan/Graph/Check.h"

#include "gtest/gtest.h"

#include <map>
#include <string>

namespace memplan::graph::test {

/// All messages, one in each line, for the output of a failed expectation.
inline std::string text(const std::vector<GraphIssue> &issues) {
  std::string result;
  for (const GraphIssue &issue : issues)
    result += issue.message + "\n";
  return result;
}

/// A result of an op: in a new storage, or a part of another value's storage.
struct Result {
  std::string id;
  int64_t bytes;
  std::string in = "";
  int64_t offset = 0;
};

class GraphBuilder {
public:
  GraphBuilder &storage(const std::string &id, int64_t bytes,
                        const std::string &space = "") {
    Storage storage;
    storage.id = id;
    storage.bytes = bytes;
    storage.space = space;
    storages[id] = static_cast<StorageId>(graph.storages.size());
    graph.storages.push_back(std::move(storage));
    return *this;
  }
  GraphBuilder &input(const std::string &id, int64_t bytes,
                      InputRole role = InputRole::None) {
    return inputIn({id, bytes}, role);
  }
  GraphBuilder &inputIn(const Result &value, InputRole role = InputRole::None) {
    Input input;
    input.value = add(value);
    input.role = role;
    graph.inputs.push_back(input);
    return *this;
  }
  GraphBuilder &parameter(const std::string &id, int64_t bytes) {
    input(id, bytes, InputRole::Primal);
    graph.storages.back().kind = StorageKind::Parameter;
    graph.inputs.back().isStatic = true;
    return *this;
  }
  GraphBuilder &donated(const std::string &id, int64_t bytes) {
    input(id, bytes);
    graph.inputs.back().isDonated = true;
    return *this;
  }
  GraphBuilder &constant(const std::string &id, int64_t bytes) {
    add({id, bytes});
    graph.storages.back().kind = StorageKind::Constant;
    return *this;
  }
  GraphBuilder &op(const std::string &id,
                   const std::vector<std::string> &operands,
                   const std::vector<Result> &results) {
    Op op;
    op.id = op.name = id;
    for (const std::string &operand : operands)
      op.operands.push_back(value(operand));
    for (const Result &result : results)
      op.results.push_back(add(result));
    ops[id] = static_cast<OpId>(graph.ops.size());
    graph.ops.push_back(std::move(op));
    return *this;
  }
  /// Sets the scratch of the op added last.
  GraphBuilder &scratch(int64_t bytes) {
    graph.ops.back().scratchBytes = bytes;
    return *this;
  }
  GraphBuilder &flops(int64_t flops) {
    graph.ops.back().flops = flops;
    return *this;
  }
  GraphBuilder &cost(CostClass cost) {
    graph.ops.back().cost = cost;
    return *this;
  }
  GraphBuilder &tie(uint32_t result, uint32_t operand) {
    graph.ops.back().ties.push_back({result, operand});
    return *this;
  }
  GraphBuilder &scope(const std::string &scope) {
    graph.ops.back().scope = scope;
    return *this;
  }
  GraphBuilder &after(const std::vector<std::string> &before) {
    for (const std::string &id : before)
      graph.ops.back().after.push_back(opId(id));
    return *this;
  }
  GraphBuilder &random(Randomness randomness) {
    graph.ops.back().randomness = randomness;
    return *this;
  }
  GraphBuilder &impure() {
    graph.ops.back().pure = false;
    return *this;
  }
  GraphBuilder &notSpeculatable() {
    graph.ops.back().speculatable = false;
    return *this;
  }
  /// All outputs belong to the forward function unless numForward is given.
  GraphBuilder &outputs(const std::vector<std::string> &ids,
                        int numForward = -1) {
    graph.outputs.clear();
    for (const std::string &id : ids)
      graph.outputs.push_back(value(id));
    graph.numForwardOutputs =
        static_cast<uint32_t>(numForward < 0 ? int(ids.size()) : numForward);
    return *this;
  }

  /// The op added last, to set members without a function here.
  Op &lastOp() { return graph.ops.back(); }

  OpGraph build() {
    OpGraph result = raw();
    EXPECT_EQ(text(checkGraph(result)), "");
    return result;
  }
  /// The graph without checks, with storage kinds inferred; for tests of the
  /// checks.
  OpGraph raw() {
    OpGraph result = graph;
    inferStorageKinds(result);
    return result;
  }

  /// The schedule of the graph that runs the ops with these ids.
  Schedule schedule(const std::vector<std::string> &ids) const {
    Schedule result;
    for (const std::string &id : ids)
      result.push_back(opId(id));
    return result;
  }

private:
  ValueId add(const Result &result) {
    Value value;
    value.id = result.id;
    value.bytes = result.bytes;
    value.offset = result.offset;
    if (result.in.empty()) {
      storage(result.id, result.bytes);
      value.storage = storages[result.id];
    } else if (values.count(result.in)) {
      value.storage = graph.values[values[result.in]].storage;
    } else {
      EXPECT_EQ(storages.count(result.in), 1u) << result.in;
      value.storage = storages[result.in];
    }
    ValueId id = static_cast<ValueId>(graph.values.size());
    values[result.id] = id;
    graph.values.push_back(std::move(value));
    return id;
  }
  ValueId value(const std::string &id) const {
    auto it = values.find(id);
    EXPECT_NE(it, values.end()) << "no value " << id;
    return it == values.end() ? 0 : it->second;
  }
  OpId opId(const std::string &id) const {
    auto it = ops.find(id);
    EXPECT_NE(it, ops.end()) << "no op " << id;
    return it == ops.end() ? 0 : it->second;
  }

  OpGraph graph;
  std::map<std::string, StorageId> storages;
  std::map<std::string, ValueId> values;
  std::map<std::string, OpId> ops;
};

} // namespace memplan::graph::test

#endif // MEMPLAN_TEST_UNIT_GRAPH_GRAPHBUILDER_H
