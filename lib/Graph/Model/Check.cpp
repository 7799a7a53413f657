//===- Check.cpp - Checks of op graphs and schedules ----------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/Check.h"

#include "Model/Overwrites.h"
#include "memplan/Core/CheckedMath.h"

#include <string_view>
#include <unordered_map>

using namespace memplan;
using namespace memplan::graph;

namespace {

/// Collects at most `limit` issues.
class Issues {
public:
  explicit Issues(size_t limit) : limit(limit) {}

  bool isFull() const { return found.size() >= limit; }
  bool isEmpty() const { return found.empty(); }
  size_t size() const { return found.size(); }
  void add(GraphPart part, size_t index, std::string message) {
    if (!isFull())
      found.push_back({std::move(message), part, index});
  }
  std::vector<GraphIssue> take() { return std::move(found); }

private:
  size_t limit;
  std::vector<GraphIssue> found;
};

std::string quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

class GraphChecker {
public:
  GraphChecker(const OpGraph &graph, size_t maxIssues)
      : graph(graph), issues(maxIssues) {}

  std::vector<GraphIssue> check() {
    checkIds(graph.storages, GraphPart::Storages, "storage");
    checkIds(graph.values, GraphPart::Values, "value");
    checkIds(graph.ops, GraphPart::Ops, "op");
    checkStorages();
    checkValues();
    checkIndices();
    // The other checks index values and storages.
    if (issues.isEmpty()) {
      checkOrder();
      checkKinds();
      checkSums();
    }
    // This check needs the operands of writes in place.
    if (issues.isEmpty())
      checkOverwrites();
    return issues.take();
  }

private:
  template <typename T>
  void checkIds(const std::vector<T> &list, GraphPart part,
                std::string_view what) {
    std::unordered_map<std::string_view, size_t> seen;
    seen.reserve(list.size());
    for (size_t i = 0; i < list.size() && !issues.isFull(); ++i) {
      if (list[i].id.empty())
        issues.add(part, i,
                   std::string(what) + " number " + std::to_string(i) +
                       " has no id");
      else if (!seen.emplace(list[i].id, i).second)
        issues.add(part, i,
                   "two " + std::string(what) + "s have the id " +
                       quoted(list[i].id));
    }
    if (list.size() >= noOp)
      issues.add(part, 0, "more than 2^32 - 2 " + std::string(what) + "s");
  }

  void checkStorages() {
    for (StorageId s = 0; s < graph.storages.size(); ++s) {
      const Storage &storage = graph.storages[s];
      if (storage.bytes < 0)
        issues.add(GraphPart::Storages, s,
                   "storage " + quoted(storage.id) + " has " +
                       std::to_string(storage.bytes) + " bytes");
      if (!isPowerOfTwo(storage.alignment))
        issues.add(GraphPart::Storages, s,
                   "storage " + quoted(storage.id) + " has alignment " +
                       std::to_string(storage.alignment) +
                       ", which is not a power of two");
    }
  }

  void checkValues() {
    for (ValueId v = 0; v < graph.values.size(); ++v) {
      const Value &value = graph.values[v];
      if (value.storage >= graph.storages.size()) {
        issues.add(GraphPart::Values, v,
                   "value " + quoted(value.id) + " lies in storage number " +
                       std::to_string(value.storage) + " of " +
                       std::to_string(graph.storages.size()));
        continue;
      }
      const Storage &storage = graph.storages[value.storage];
      if (value.offset < 0 || value.bytes < 0 || value.offset > storage.bytes ||
          value.bytes > storage.bytes - value.offset)
        issues.add(GraphPart::Values, v,
                   "value " + quoted(value.id) + " of " +
                       std::to_string(value.bytes) + " bytes at " +
                       std::to_string(value.offset) + " leaves storage " +
                       quoted(storage.id) + " of " +
                       std::to_string(storage.bytes) + " bytes");
    }
  }

  void checkValueIndex(ValueId value, GraphPart part, size_t index,
                       std::string_view what) {
    if (value >= graph.values.size())
      issues.add(part, index,
                 std::string(what) + " is value number " +
                     std::to_string(value) + " of " +
                     std::to_string(graph.values.size()));
  }

  void checkIndices() {
    for (size_t i = 0; i < graph.inputs.size(); ++i)
      checkValueIndex(graph.inputs[i].value, GraphPart::Inputs, i, "input");
    for (size_t i = 0; i < graph.outputs.size(); ++i)
      checkValueIndex(graph.outputs[i], GraphPart::Outputs, i, "output");
    if (graph.numForwardOutputs > graph.outputs.size())
      issues.add(GraphPart::Graph, 0,
                 std::to_string(graph.numForwardOutputs) +
                     " forward outputs of " +
                     std::to_string(graph.outputs.size()) + " outputs");
    for (OpId i = 0; i < graph.ops.size() && !issues.isFull(); ++i) {
      const Op &op = graph.ops[i];
      std::string name = "op " + quoted(op.id);
      for (ValueId operand : op.operands)
        checkValueIndex(operand, GraphPart::Ops, i, name + ": an operand");
      for (ValueId result : op.results)
        checkValueIndex(result, GraphPart::Ops, i, name + ": a result");
      for (auto [what, number] :
           {std::pair<const char *, int64_t>("FLOPs", op.flops),
            {"bytes read", op.bytesRead},
            {"bytes written", op.bytesWritten},
            {"scratch bytes", op.scratchBytes}})
        if (number < 0)
          issues.add(GraphPart::Ops, i,
                     name + " has " + std::to_string(number) + " " + what);
      for (InPlaceTie tie : op.ties)
        if (tie.result >= op.results.size() ||
            tie.operand >= op.operands.size())
          issues.add(GraphPart::Ops, i,
                     name + " ties result " + std::to_string(tie.result) +
                         " to operand " + std::to_string(tie.operand) +
                         " but has " + std::to_string(op.results.size()) +
                         " results and " + std::to_string(op.operands.size()) +
                         " operands");
      for (OpId before : op.after)
        if (before >= i)
          issues.add(GraphPart::Ops, i,
                     name + " must run after op " +
                         (before < graph.ops.size()
                              ? quoted(graph.ops[before].id)
                              : "number " + std::to_string(before)) +
                         ", which is not an earlier op");
    }
  }

  /// Checks that every value is made once and before its uses.
  void checkOrder() {
    std::vector<OpId> makers = storageMakers(graph);
    std::vector<bool> isThere(graph.values.size());
    for (size_t i = 0; i < graph.inputs.size(); ++i) {
      ValueId value = graph.inputs[i].value;
      if (isThere[value])
        issues.add(GraphPart::Inputs, i,
                   "value " + quoted(graph.values[value].id) +
                       " is an input twice");
      isThere[value] = true;
    }
    std::vector<bool> isResult(graph.values.size());
    for (const Op &op : graph.ops)
      for (ValueId result : op.results)
        isResult[result] = true;
    for (ValueId v = 0; v < graph.values.size(); ++v)
      if (!isThere[v] && !isResult[v]) {
        if (storageOf(v).kind == StorageKind::Constant)
          isThere[v] = true;
        else
          issues.add(GraphPart::Values, v,
                     "value " + quoted(graph.values[v].id) +
                         " is no input, no constant and no op's result");
      }
    for (OpId i = 0; i < graph.ops.size() && !issues.isFull(); ++i)
      checkOpOrder(i, makers, isThere);
    for (size_t i = 0; i < graph.outputs.size(); ++i)
      if (!isThere[graph.outputs[i]])
        issues.add(GraphPart::Outputs, i,
                   "output " + quoted(graph.values[graph.outputs[i]].id) +
                       " is made by no op");
  }

  void checkOpOrder(OpId i, const std::vector<OpId> &makers,
                    std::vector<bool> &isThere) {
    const Op &op = graph.ops[i];
    std::string name = "op " + quoted(op.id);
    for (ValueId operand : op.operands)
      if (!isThere[operand])
        issues.add(GraphPart::Ops, i,
                   name + " uses value " + quoted(graph.values[operand].id) +
                       " before it is made");
    for (size_t r = 0; r < op.results.size(); ++r) {
      ValueId result = op.results[r];
      if (isThere[result])
        issues.add(GraphPart::Ops, i,
                   name + " makes value " + quoted(graph.values[result].id) +
                       ", which is there already");
      isThere[result] = true;
      if (makers[graph.values[result].storage] == i)
        continue;
      if (!hasOperandIn(op, graph.values[result].storage))
        issues.add(GraphPart::Ops, i,
                   name + ": result " + quoted(graph.values[result].id) +
                       " lies in storage " + quoted(storageOf(result).id) +
                       ", of which no operand is a part");
      for (InPlaceTie tie : op.ties)
        if (tie.result == r)
          issues.add(GraphPart::Ops, i,
                     name + " ties result " + quoted(graph.values[result].id) +
                         ", which is a view");
    }
  }

  bool hasOperandIn(const Op &op, StorageId storage) const {
    for (ValueId operand : op.operands)
      if (graph.values[operand].storage == storage)
        return true;
    return false;
  }

  void checkKinds() {
    OpGraph expected = {"",        graph.storages, graph.values,
                        graph.ops, graph.inputs,   graph.outputs,
                        0};
    inferStorageKinds(expected);
    for (StorageId s = 0; s < graph.storages.size() && !issues.isFull(); ++s)
      if (graph.storages[s].kind != expected.storages[s].kind)
        issues.add(GraphPart::Storages, s,
                   "storage " + quoted(graph.storages[s].id) +
                       " is said to be " +
                       std::string(nameOf(graph.storages[s].kind)) +
                       " but its values make it " +
                       std::string(nameOf(expected.storages[s].kind)));
  }

  void checkSums() {
    std::optional<int64_t> bytes = 0, flops = 0, traffic = 0;
    auto add = [](std::optional<int64_t> &sum, int64_t number) {
      if (sum)
        sum = checkedAdd(*sum, number);
    };
    for (const Storage &storage : graph.storages)
      add(bytes, storage.bytes);
    for (const Op &op : graph.ops) {
      add(bytes, op.scratchBytes);
      add(flops, op.flops);
      add(traffic, op.bytesRead);
      add(traffic, op.bytesWritten);
    }
    if (!bytes || !flops || !traffic)
      issues.add(GraphPart::Graph, 0,
                 std::string("the sum of all ") +
                     (!bytes   ? "storages and scratch bytes"
                      : !flops ? "FLOPs"
                               : "bytes read and written") +
                     " exceeds 2^63 - 1");
  }

  /// Checks that dependences order each write in place with all other accesses
  /// to its bytes, as schedules change the order of other ops.
  void checkOverwrites() {
    std::optional<UnorderedAccess> pair = findUnordered(graph);
    if (!pair)
      return;
    auto nameOf = [&](OpId op) { return quoted(graph.ops[op].id); };
    const Access &first = pair->first, &second = pair->second;
    std::string before = nameOf(first.op), behind = nameOf(second.op);
    std::string value = quoted(graph.values[first.value].id);
    std::string why = !pair->firstWrites
                          ? "op " + behind + " overwrites value " + value +
                                ", which op " + before + " reads before"
                          : "op " + behind + " accesses value " +
                                quoted(graph.values[second.value].id) +
                                ", which op " + before + " overwrites as " +
                                value;
    issues.add(GraphPart::Ops, second.op,
               why + ", but no dependence orders them: list " + before +
                   " in \"after\" of " + behind +
                   " (an op that only makes views has cost free)");
  }

  const Storage &storageOf(ValueId value) const {
    return graph.storages[graph.values[value].storage];
  }

  const OpGraph &graph;
  Issues issues;
};

/// Which writes in place each execution of a storage's maker has seen, while a
/// schedule runs.
class Contents {
public:
  Contents(const OpGraph &graph, const Overwrites &overwrites,
           const std::vector<OpId> &makers)
      : graph(graph), overwrites(overwrites), makers(makers),
        instanceOf(graph.values.size()), seen(graph.storages.size()) {
    for (ValueId v = 0; v < graph.values.size(); ++v)
      instanceOf[v] = graph.values[v].storage;
  }

  /// If the op would read memory that an op behind it in program order has
  /// overwritten: that op, and the operand.
  const Access *findLost(OpId i) {
    if (overwrites.isEmpty() || !overwrites.accesses(i))
      return nullptr;
    for (ValueId operand : graph.ops[i].operands) {
      Access own = overwrites.read(i, operand);
      for (const Access &write : seen[instanceOf[operand]])
        if (write.op >= i && write.overlaps(own)) {
          lost = {write.op, operand, write.begin, write.end};
          return &lost;
        }
    }
    return nullptr;
  }

  void run(OpId i) {
    if (overwrites.isEmpty())
      return;
    const Op &op = graph.ops[i];
    std::unordered_map<StorageId, size_t> made;
    for (ValueId result : op.results) {
      StorageId storage = graph.values[result].storage;
      if (makers[storage] == i) {
        auto [entry, isNew] = made.try_emplace(storage, seen.size());
        if (isNew)
          seen.emplace_back();
        instanceOf[result] = entry->second;
        continue;
      }
      for (ValueId operand : op.operands)
        if (graph.values[operand].storage == storage)
          instanceOf[result] = instanceOf[operand];
      if (op.cost != CostClass::Free)
        seen[instanceOf[result]].push_back(overwrites.read(i, result));
    }
  }

private:
  const OpGraph &graph;
  const Overwrites &overwrites;
  const std::vector<OpId> &makers;
  /// By value: the execution that made its memory, and by execution: the
  /// writes. The first executions are those of inputs and constants.
  std::vector<size_t> instanceOf;
  std::vector<std::vector<Access>> seen;
  Access lost = {};
};

} // namespace

std::vector<GraphIssue> memplan::graph::checkGraph(const OpGraph &graph,
                                                   size_t maxIssues) {
  return GraphChecker(graph, maxIssues).check();
}

std::vector<GraphIssue> memplan::graph::checkSchedule(const OpGraph &graph,
                                                      const Schedule &schedule,
                                                      size_t maxIssues) {
  Issues issues(maxIssues);
  std::vector<bool> stands(graph.ops.size());
  for (size_t step = 0; step < schedule.size(); ++step) {
    if (schedule[step] < graph.ops.size())
      stands[schedule[step]] = true;
    else
      issues.add(GraphPart::Schedule, step,
                 "entry is op number " + std::to_string(schedule[step]) +
                     " of " + std::to_string(graph.ops.size()));
  }
  if (!issues.isEmpty())
    return issues.take();

  std::vector<OpId> makers = valueMakers(graph);
  std::vector<OpId> storageMaker = storageMakers(graph);
  // isPassed[op]: another op whose effects must follow this op has run.
  std::vector<bool> hasRun(graph.ops.size()), isPassed(graph.ops.size());
  OpId lastRandom = 0;
  Overwrites overwrites(graph);
  Contents contents(graph, overwrites, storageMaker);
  std::optional<int64_t> bytes = 0;
  auto account = [&](int64_t more) {
    if (bytes)
      bytes = checkedAdd(*bytes, more);
  };
  // By op: the bytes of the storages that it makes, each once.
  std::vector<int64_t> made(graph.ops.size());
  for (StorageId s = 0; s < graph.storages.size(); ++s)
    if (storageMaker[s] == noOp)
      account(graph.storages[s].bytes);
    else
      made[storageMaker[s]] += graph.storages[s].bytes;
  for (size_t step = 0; step < schedule.size() && !issues.isFull(); ++step) {
    OpId i = schedule[step];
    const Op &op = graph.ops[i];
    size_t reported = issues.size();
    auto refuse = [&](const std::string &why) {
      issues.add(GraphPart::Schedule, step, "op " + quoted(op.id) + " " + why);
    };
    for (ValueId operand : op.operands)
      if (makers[operand] != noOp && !hasRun[makers[operand]])
        refuse("runs before op " + quoted(graph.ops[makers[operand]].id) +
               ", which makes its operand " + quoted(graph.values[operand].id));
    if (hasRun[i] && op.randomness == Randomness::ImplicitState)
      refuse("draws from implicit random state and may not be repeated");
    else if (hasRun[i] && !op.pure)
      refuse("has effects and may not be repeated");
    else if (hasRun[i] && isPassed[i])
      refuse("is repeated after an op whose effects must follow it");
    if (!hasRun[i]) {
      for (OpId before : op.after) {
        isPassed[before] = true;
        if (stands[before] && !hasRun[before])
          refuse("runs before op " + quoted(graph.ops[before].id) +
                 ", whose effects it must follow");
      }
      if (op.randomness == Randomness::ImplicitState) {
        if (i < lastRandom)
          refuse("runs after op " + quoted(graph.ops[lastRandom].id) +
                 ", but draws from implicit random state before it");
        lastRandom = i;
      }
    }
    if (const Access *lost = contents.findLost(i);
        lost && issues.size() == reported)
      refuse("reads value " + quoted(graph.values[lost->value].id) +
             " after op " + quoted(graph.ops[lost->op].id) +
             " has overwritten it");
    // What follows from an error is not reported.
    if (issues.size() == reported)
      contents.run(i);
    hasRun[i] = true;
    account(op.scratchBytes);
    account(made[i]);
  }
  for (ValueId output : graph.outputs)
    if (makers[output] != noOp && !hasRun[makers[output]])
      issues.add(GraphPart::Schedule, schedule.size(),
                 "op " + quoted(graph.ops[makers[output]].id) +
                     ", which makes output " + quoted(graph.values[output].id) +
                     ", does not run");
  if (!bytes)
    issues.add(GraphPart::Schedule, 0,
               "the sum of all bytes that the schedule allocates exceeds "
               "2^63 - 1");
  return issues.take();
}
