//===- CountingInterpreter.h - Executes a graph and counts ------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reference for profiles: executes a schedule as a reference-counting runtime
// would and counts the allocated bytes. A variable is dropped when no later op
// of the schedule reads it, and memory is freed with its last variable. Shares
// only the model with the library, and is slow.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_GRAPH_COUNTINGINTERPRETER_H
#define MEMPLAN_TEST_UNIT_GRAPH_COUNTINGINTERPRETER_H

#include "memplan/Graph/OpGraph.h"

#include <map>
#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace memplan::graph::test {

/// The counts after an event.
struct Count {
  size_t time;
  bool isRelease;
  /// Bytes by memory space; spaces without bytes are left out.
  std::map<std::string, int64_t> bytes;

  friend bool operator==(const Count &a, const Count &b) {
    return a.time == b.time && a.isRelease == b.isRelease && a.bytes == b.bytes;
  }
  friend std::ostream &operator<<(std::ostream &os, const Count &c) {
    os << (c.isRelease ? "release " : "allocate ") << c.time << ":";
    for (const auto &[space, bytes] : c.bytes)
      os << " '" << space << "' " << bytes;
    return os;
  }
};

class CountingInterpreter {
public:
  CountingInterpreter(const OpGraph &graph, const Schedule &schedule,
                      bool takesTies)
      : graph(graph), schedule(schedule), takesTies(takesTies) {}

  std::vector<Count> run() {
    startUp();
    for (size_t time = 1; time <= schedule.size(); ++time)
      execute(time);
    return counts;
  }

private:
  /// Memory; its bytes are counted from its construction to its destruction.
  struct Block {
    Block(CountingInterpreter &owner, const Storage &storage)
        : owner(owner), storage(storage), bytes(storage.bytes) {
      owner.live[storage.space] += bytes;
    }
    ~Block() { shrink(bytes); }
    void shrink(int64_t by) {
      bytes -= by;
      owner.live[storage.space] -= by;
      owner.hasReleased = true;
    }
    CountingInterpreter &owner;
    const Storage &storage;
    int64_t bytes;
  };
  using Memory = std::shared_ptr<Block>;

  void startUp() {
    std::set<ValueId> inputs, results;
    for (const Input &input : graph.inputs)
      inputs.insert(input.value);
    for (const Op &op : graph.ops)
      results.insert(op.results.begin(), op.results.end());
    std::map<StorageId, Memory> outside;
    for (ValueId v = 0; v < graph.values.size(); ++v) {
      if (results.count(v))
        continue;
      StorageId s = graph.values[v].storage;
      if (!outside.count(s))
        outside[s] = std::make_shared<Block>(*this, graph.storages[s]);
      variables[v] = outside[s];
      if (!inputs.count(v))
        held.push_back(outside[s]);
    }
    for (auto &[s, memory] : outside)
      if (isHeld(s))
        held.push_back(memory);
    outside.clear();
    hasReleased = false;
    count(0, false);
    dropDead(0);
  }

  /// Whether the caller keeps the storage, which may be through any of several
  /// inputs.
  bool isHeld(StorageId s) const {
    for (const Input &input : graph.inputs)
      if (graph.values[input.value].storage == s && !input.isDonated &&
          (input.role != InputRole::Tangent || input.isStatic))
        return true;
    return false;
  }

  void execute(size_t time) {
    const Op &op = graph.ops[schedule[time - 1]];
    hasReleased = false;
    std::map<StorageId, Memory> made;
    std::vector<Memory> memories;
    bool hasAllocated = false;
    std::set<Block *> taken;
    for (size_t r = 0; r < op.results.size(); ++r) {
      StorageId s = graph.values[op.results[r]].storage;
      Memory memory = viewed(op, s);
      if (!memory && made.count(s))
        memory = made[s];
      if (!memory && takesTies)
        memory = takeTie(op, r, time, taken);
      if (!memory) {
        memory = std::make_shared<Block>(*this, graph.storages[s]);
        hasAllocated = true;
        fresh[memory.get()] = s;
      }
      made[s] = memory;
      memories.push_back(memory);
    }
    if (hasAllocated || op.scratchBytes > 0) {
      live[""] += op.scratchBytes;
      count(time, false);
      live[""] -= op.scratchBytes;
    }
    hasReleased = false;
    for (size_t r = 0; r < op.results.size(); ++r)
      variables[op.results[r]] = memories[r];
    for (auto [block, s] : fresh)
      if (int64_t rest = unclaimed(op, s))
        block->shrink(rest);
    fresh.clear();
    memories.clear();
    made.clear();
    dropDead(time);
  }

  /// The memory of the op's view of the storage, or null if the op makes the
  /// storage.
  Memory viewed(const Op &op, StorageId s) {
    for (const Op &earlier : graph.ops) {
      bool hasResult = false;
      for (ValueId result : earlier.results)
        hasResult |= graph.values[result].storage == s;
      if (!hasResult)
        continue;
      bool isOutside = graph.storages[s].kind == StorageKind::Constant;
      for (const Input &input : graph.inputs)
        isOutside |= graph.values[input.value].storage == s;
      if (&earlier == &op && !isOutside)
        return nullptr;
      break;
    }
    for (ValueId operand : op.operands)
      if (graph.values[operand].storage == s)
        return variables.at(operand);
    return nullptr;
  }

  /// If the op fills the storage with several results, the number of bytes in
  /// none of its values, counted byte by byte; else 0.
  int64_t unclaimed(const Op &op, StorageId s) const {
    int numResults = 0;
    for (ValueId result : op.results)
      numResults += graph.values[result].storage == s;
    if (numResults < 2)
      return 0;
    int64_t rest = 0;
    for (int64_t byte = 0; byte < graph.storages[s].bytes; ++byte) {
      bool isClaimed = false;
      for (const Value &value : graph.values)
        isClaimed |= value.storage == s && value.offset <= byte &&
                     byte < value.offset + value.bytes;
      rest += !isClaimed;
    }
    return rest;
  }

  Memory takeTie(const Op &op, size_t r, size_t time,
                 std::set<Block *> &taken) {
    const Storage &wanted = graph.storages[graph.values[op.results[r]].storage];
    for (InPlaceTie tie : op.ties) {
      if (tie.result != r)
        continue;
      ValueId operand = op.operands[tie.operand];
      Memory memory = variables.at(operand);
      const Value &value = graph.values[operand];
      const Storage &storage = graph.storages[value.storage];
      bool fits = storage.space == wanted.space &&
                  wanted.bytes <= value.bytes &&
                  wanted.alignment <= storage.alignment &&
                  value.offset % wanted.alignment == 0;
      if (!fits || taken.count(memory.get()) || isNeededAfter(operand, time))
        continue;
      // Check the other variables of the memory; dead ones have been dropped.
      bool isShared = false;
      for (const auto &[v, other] : variables)
        if (other == memory && v != operand &&
            (isNeededAfter(v, time) || isOperand(op, v)))
          isShared = true;
      for (const Memory &other : held)
        isShared |= other == memory;
      for (size_t k = 0; k < op.operands.size(); ++k)
        if (op.operands[k] == operand) {
          bool isTied = false;
          for (InPlaceTie t : op.ties)
            isTied |= t.result == r && t.operand == k;
          isShared |= !isTied;
        }
      for (ValueId result : op.results)
        isShared |= graph.values[result].storage == value.storage;
      if (isShared)
        continue;
      taken.insert(memory.get());
      return memory;
    }
    return nullptr;
  }

  static bool isOperand(const Op &op, ValueId v) {
    for (ValueId operand : op.operands)
      if (operand == v)
        return true;
    return false;
  }

  /// Whether an op after `time` reads the current value of the variable.
  bool isNeededAfter(ValueId v, size_t time) const {
    for (size_t later = time + 1; later <= schedule.size(); ++later) {
      const Op &op = graph.ops[schedule[later - 1]];
      if (isOperand(op, v))
        return true;
      for (ValueId result : op.results)
        if (result == v)
          return false;
    }
    for (ValueId output : graph.outputs)
      if (output == v)
        return true;
    return false;
  }

  void dropDead(size_t time) {
    for (auto it = variables.begin(); it != variables.end();)
      it = isNeededAfter(it->first, time) ? std::next(it) : variables.erase(it);
    if (hasReleased)
      count(time, true);
  }

  void count(size_t time, bool isRelease) {
    Count result{time, isRelease, {}};
    for (const auto &[space, bytes] : live)
      if (bytes != 0)
        result.bytes[space] = bytes;
    counts.push_back(result);
  }

  const OpGraph &graph;
  const Schedule &schedule;
  bool takesTies;
  std::map<std::string, int64_t> live;
  bool hasReleased = false;
  std::map<ValueId, Memory> variables;
  std::vector<Memory> held;
  /// Blocks that the running op has allocated.
  std::map<Block *, StorageId> fresh;
  std::vector<Count> counts;
};

} // namespace memplan::graph::test

#endif // MEMPLAN_TEST_UNIT_GRAPH_COUNTINGINTERPRETER_H
