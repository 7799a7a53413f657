//===- Memory.cpp - The memory that a schedule allocates ------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/Memory.h"

#include "Model/Ties.h"

#include <algorithm>
#include <unordered_set>

using namespace memplan;
using namespace memplan::graph;

namespace {

using InstanceId = uint32_t;

/// One instance of a storage, from an execution of its maker to its last use.
struct Instance {
  StorageId storage;
  size_t begin;
  size_t lastUse;
  bool isHandedOut = false;
  uint32_t allocation = UINT32_MAX;
};

/// The current instance of each value while the schedule runs. Instances are
/// numbered in the order in which they are made, so two walks over a schedule
/// give the same numbers.
class Bindings {
public:
  explicit Bindings(const OpGraph &graph)
      : graph(graph), makers(storageMakers(graph)),
        ofValue(graph.values.size()), ofStorage(graph.storages.size()),
        madeAt(graph.storages.size(), SIZE_MAX) {
    for (StorageId s = 0; s < graph.storages.size(); ++s)
      if (makers[s] == noOp)
        ofStorage[s] = count++;
    for (ValueId v = 0; v < graph.values.size(); ++v)
      ofValue[v] = ofStorage[graph.values[v].storage];
  }

  InstanceId numInstances() const { return count; }
  bool isThereBefore(StorageId storage) const {
    return makers[storage] == noOp;
  }
  InstanceId operator[](ValueId value) const { return ofValue[value]; }

  /// Runs the op at `time`, which must differ between calls. Calls made(result
  /// number, instance) for each storage that the op makes.
  template <typename Made> void run(OpId i, size_t time, Made &&made) {
    const Op &op = graph.ops[i];
    for (size_t r = 0; r < op.results.size(); ++r) {
      ValueId result = op.results[r];
      StorageId storage = graph.values[result].storage;
      if (makers[storage] != i) {
        ofValue[result] = ofValue[sourceOf(op, storage)];
        continue;
      }
      if (madeAt[storage] != time) {
        madeAt[storage] = time;
        ofStorage[storage] = count++;
        made(r, ofStorage[storage]);
      }
      ofValue[result] = ofStorage[storage];
    }
  }

private:
  ValueId sourceOf(const Op &op, StorageId storage) const {
    for (ValueId operand : op.operands)
      if (graph.values[operand].storage == storage)
        return operand;
    return 0; // Not reached: checkGraph requires such an operand.
  }

  const OpGraph &graph;
  std::vector<OpId> makers;
  std::vector<InstanceId> ofValue, ofStorage;
  std::vector<size_t> madeAt;
  InstanceId count = 0;
};

class ScheduleRunner {
public:
  ScheduleRunner(const OpGraph &graph, const Schedule &schedule,
                 const MemoryOptions &options)
      : graph(graph), schedule(schedule), options(options),
        origins(graph.storages.size(), Origin::Op),
        rests(graph.storages.size()), spaceOf(graph.storages.size()),
        numRepeats(graph.storages.size()) {}

  ScheduleMemory run() {
    findOrigins();
    findSpaces();
    findRests();
    findInstances();
    memory.opAt.push_back(noOp);
    memory.opAt.insert(memory.opAt.end(), schedule.begin(), schedule.end());
    allocate();
    dropExcluded();
    return std::move(memory);
  }

private:
  void findOrigins() {
    for (StorageId s = 0; s < graph.storages.size(); ++s)
      if (graph.storages[s].kind == StorageKind::Constant)
        origins[s] = Origin::Constant;
    for (const Input &input : graph.inputs) {
      StorageId s = graph.values[input.value].storage;
      Origin origin = originOf(input, graph.storages[s].kind);
      if (origins[s] == Origin::Op || origin < origins[s])
        origins[s] = origin;
    }
  }

  static Origin originOf(const Input &input, StorageKind kind) {
    if (input.isDonated)
      return Origin::Donated;
    if (input.isStatic || kind == StorageKind::Parameter)
      return Origin::Parameter;
    switch (input.role) {
    case InputRole::None:
      return Origin::Input;
    case InputRole::Primal:
      return Origin::Primal;
    case InputRole::Tangent:
      return Origin::Tangent;
    case InputRole::ForwardRng:
    case InputRole::BackwardRng:
      return Origin::Rng;
    }
    return Origin::Input;
  }

  void findSpaces() {
    memory.spaces.push_back("");
    for (StorageId s = 0; s < graph.storages.size(); ++s) {
      const std::string &space = graph.storages[s].space;
      auto it = std::find(memory.spaces.begin(), memory.spaces.end(), space);
      spaceOf[s] = static_cast<uint32_t>(it - memory.spaces.begin());
      if (it == memory.spaces.end())
        memory.spaces.push_back(space);
    }
  }

  /// Computes the bytes that no value covers, for storages that their maker
  /// fills with several results.
  void findRests() {
    std::vector<uint32_t> numResults(graph.storages.size());
    std::vector<OpId> makers = storageMakers(graph);
    for (OpId i = 0; i < graph.ops.size(); ++i)
      for (ValueId result : graph.ops[i].results)
        if (makers[graph.values[result].storage] == i)
          ++numResults[graph.values[result].storage];
    std::vector<ValueId> parts;
    for (ValueId v = 0; v < graph.values.size(); ++v)
      if (numResults[graph.values[v].storage] >= 2)
        parts.push_back(v);
    std::sort(parts.begin(), parts.end(), [&](ValueId a, ValueId b) {
      const Value &x = graph.values[a], &y = graph.values[b];
      return std::tuple(x.storage, x.offset, a) <
             std::tuple(y.storage, y.offset, b);
    });
    for (size_t i = 0; i < parts.size();) {
      StorageId storage = graph.values[parts[i]].storage;
      int64_t covered = 0, end = 0;
      for (; i < parts.size() && graph.values[parts[i]].storage == storage;
           ++i) {
        const Value &value = graph.values[parts[i]];
        int64_t valueEnd = value.offset + value.bytes;
        covered += std::max<int64_t>(0, valueEnd - std::max(end, value.offset));
        end = std::max(end, valueEnd);
      }
      rests[storage] = graph.storages[storage].bytes - covered;
    }
  }

  /// First walk: finds the last use of each instance.
  void findInstances() {
    Bindings bindings(graph);
    for (StorageId s = 0; s < graph.storages.size(); ++s)
      if (bindings.isThereBefore(s))
        instances.push_back({s, 0, 0});
    for (size_t time = 1; time <= schedule.size(); ++time) {
      const Op &op = graph.ops[schedule[time - 1]];
      for (ValueId operand : op.operands)
        instances[bindings[operand]].lastUse = time;
      bindings.run(schedule[time - 1], time, [&](size_t r, InstanceId) {
        instances.push_back({graph.values[op.results[r]].storage, time, time});
      });
    }
    for (ValueId output : graph.outputs)
      instances[bindings[output]].isHandedOut = true;
  }

  /// Second walk: gives every instance memory, either new or that of a dying
  /// operand.
  void allocate() {
    Bindings bindings(graph);
    InstanceId next = 0;
    for (; next < bindings.numInstances(); ++next)
      allocateOwn(next);
    std::vector<InstanceId> operands;
    for (size_t time = 1; time <= schedule.size(); ++time) {
      OpId i = schedule[time - 1];
      operands.clear();
      if (options.takeTies)
        for (ValueId operand : graph.ops[i].operands)
          operands.push_back(bindings[operand]);
      bindings.run(i, time, [&](size_t r, InstanceId instance) {
        if (!options.takeTies || !takeTie(i, r, instance, operands, time))
          allocateOwn(instance);
      });
    }
    for (const Instance &instance : instances) {
      Allocation &allocation = memory.allocations[instance.allocation];
      bool isReleased = !instance.isHandedOut &&
                        !options.held.contains(origins[instance.storage]);
      allocation.isReleased &= isReleased;
      allocation.end = std::max(allocation.end, instance.lastUse + 1);
    }
    for (Allocation &allocation : memory.allocations)
      if (!allocation.isReleased)
        allocation.end = schedule.size() + 1;
  }

  void allocateOwn(InstanceId id) {
    Instance &instance = instances[id];
    instance.allocation = static_cast<uint32_t>(memory.allocations.size());
    Allocation &allocation = memory.allocations.emplace_back();
    allocation.storage = instance.storage;
    allocation.repeat = ++numRepeats[instance.storage];
    allocation.origin = origins[instance.storage];
    allocation.bytes = graph.storages[instance.storage].bytes;
    allocation.restBytes = rests[instance.storage];
    allocation.space = spaceOf[instance.storage];
    allocation.begin = instance.begin;
  }

  /// Gives the instance the memory of the first operand that a tie of result r
  /// allows; returns false if there is none.
  bool takeTie(OpId i, size_t r, InstanceId id,
               const std::vector<InstanceId> &operands, size_t time) {
    const Op &op = graph.ops[i];
    for (InPlaceTie tie : op.ties) {
      if (tie.result != r || !mayTake(op, tie, operands, time))
        continue;
      Instance &taken = instances[operands[tie.operand]];
      Instance &instance = instances[id];
      ++numRepeats[instance.storage];
      instance.allocation = taken.allocation;
      // No other result can take it at this op.
      taken.lastUse = time - 1;
      memory.allocations[instance.allocation].tied.push_back(instance.storage);
      return true;
    }
    return false;
  }

  bool mayTake(const Op &op, InPlaceTie tie,
               const std::vector<InstanceId> &operands, size_t time) const {
    InstanceId id = operands[tie.operand];
    const Instance &operand = instances[id];
    ValueId value = op.operands[tie.operand];
    StorageId storage = graph.values[op.results[tie.result]].storage;
    if (operand.lastUse != time || operand.isHandedOut ||
        options.held.contains(origins[operand.storage]) ||
        options.excluded.contains(origins[operand.storage]))
      return false;
    if (!fitsBytes(graph.storages[storage], graph.storages[operand.storage],
                   graph.values[value]))
      return false;
    // As in fitsInPlace (Ties.h), but for instances of a storage.
    for (size_t k = 0; k < operands.size(); ++k)
      if (operands[k] == id &&
          (op.operands[k] != value || !isTied(op, tie.result, k)))
        return false;
    for (ValueId result : op.results)
      if (graph.values[result].storage == operand.storage)
        return false;
    return true;
  }

  void dropExcluded() {
    memory.allocations.erase(
        std::remove_if(memory.allocations.begin(), memory.allocations.end(),
                       [&](const Allocation &allocation) {
                         return options.excluded.contains(allocation.origin);
                       }),
        memory.allocations.end());
  }

  const OpGraph &graph;
  const Schedule &schedule;
  const MemoryOptions &options;
  std::vector<Origin> origins;
  std::vector<int64_t> rests;
  std::vector<uint32_t> spaceOf, numRepeats;
  std::vector<Instance> instances;
  ScheduleMemory memory;
};

} // namespace

std::optional<Origins> memplan::graph::parseOrigins(std::string_view list) {
  Origins origins;
  if (list == "none")
    return origins;
  for (size_t from = 0; from <= list.size();) {
    size_t to = std::min(list.find(',', from), list.size());
    std::string_view name = list.substr(from, to - from);
    if (std::optional<Origin> origin = parseName<Origin>(name)) {
      origins.insert(*origin);
    } else if (name == "all") {
      // "all" does not include Origin::Op.
      origins.insert(getInputOrigins());
    } else {
      return std::nullopt;
    }
    from = to + 1;
  }
  return origins;
}

std::string memplan::graph::namesOf(Origins origins) {
  std::string text;
  for (size_t i = 0; i < EnumNames<Origin>::names.size(); ++i)
    if (origins.contains(static_cast<Origin>(i)))
      text +=
          (text.empty() ? "" : ", ") + std::string(EnumNames<Origin>::names[i]);
  return text.empty() ? "none" : text;
}

ScheduleMemory memplan::graph::runSchedule(const OpGraph &graph,
                                           const Schedule &schedule,
                                           const MemoryOptions &options) {
  return ScheduleRunner(graph, schedule, options).run();
}

std::vector<ProblemInSpace>
memplan::graph::buildProblems(const OpGraph &graph,
                              const ScheduleMemory &memory, int64_t alignment) {
  std::vector<ProblemInSpace> all(memory.spaces.size());
  std::unordered_set<std::string> ids;
  for (uint32_t s = 0; s < all.size(); ++s) {
    all[s].space = s;
    all[s].problem.arenaAlignment = alignment;
  }
  auto add = [&](uint32_t space, std::string id, int64_t bytes,
                 int64_t ownAlignment, size_t begin, size_t end,
                 PlannedBuffer what) {
    // The graph may have an id that is equal to a generated one.
    for (std::string base = id; !ids.insert(id).second;)
      id = base + "'" + std::to_string(ids.size());
    Problem &problem = all[space].problem;
    Buffer &buffer = problem.buffers.emplace_back();
    buffer.id = std::move(id);
    buffer.size = bytes;
    buffer.alignment = std::max(alignment, ownAlignment);
    problem.arenaAlignment = std::max(problem.arenaAlignment, buffer.alignment);
    buffer.ranges = {{static_cast<int64_t>(begin), static_cast<int64_t>(end)}};
    all[space].buffers.push_back(what);
  };
  for (size_t i = 0; i < memory.allocations.size(); ++i) {
    const Allocation &a = memory.allocations[i];
    const Storage &storage = graph.storages[a.storage];
    std::string id = storage.id;
    if (a.repeat > 1)
      id += " run " + std::to_string(a.repeat);
    add(a.space, id, a.bytes - a.restBytes, storage.alignment, a.begin, a.end,
        {PlannedBuffer::Kind::Allocation, i});
    if (a.restBytes > 0)
      add(a.space, id + " rest", a.restBytes, 1, a.begin, a.begin + 1,
          {PlannedBuffer::Kind::Rest, i});
  }
  for (size_t time = 1; time < memory.opAt.size(); ++time) {
    const Op &op = graph.ops[memory.opAt[time]];
    if (op.scratchBytes > 0)
      add(0, op.id + " scratch", op.scratchBytes, 1, time, time + 1,
          {PlannedBuffer::Kind::Scratch, time});
  }
  all.erase(std::remove_if(all.begin(), all.end(),
                           [](const ProblemInSpace &space) {
                             return space.problem.buffers.empty();
                           }),
            all.end());
  return all;
}
