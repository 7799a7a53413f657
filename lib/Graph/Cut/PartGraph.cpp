//===- PartGraph.cpp - The functions of a partition as graphs -------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/Partition.h"

#include <map>

using namespace memplan::graph;

namespace {

/// Copies the chosen ops of a joint graph. A joint storage becomes one storage
/// for each op that makes it in this part, and one if it is made before this
/// part runs.
class PartBuilder {
public:
  explicit PartBuilder(const OpGraph &joint)
      : joint(joint), makers(storageMakers(joint)),
        valueMaker(valueMakers(joint)), here(joint.values.size(), absent),
        opHere(joint.ops.size(), noOp) {}

  void addInput(ValueId v, Input input, StorageId storage) {
    input.value = addValue(v, storage, joint.values[v].offset);
    part.graph.inputs.push_back(input);
  }

  StorageId copyOf(StorageId s) {
    Storage storage = joint.storages[s];
    if (storage.kind != StorageKind::Parameter &&
        storage.kind != StorageKind::Constant)
      storage.kind = StorageKind::Temporary;
    return addStorage(std::move(storage));
  }

  /// The storage of this part for a joint storage that was made before the part
  /// runs.
  StorageId arrived(StorageId s) {
    auto [entry, isNew] = arrivals.try_emplace(s, 0);
    if (isNew)
      entry->second = copyOf(s);
    return entry->second;
  }

  void addOp(OpId i) {
    Op op = joint.ops[i];
    opHere[i] = static_cast<OpId>(part.graph.ops.size());
    for (ValueId &operand : op.operands)
      operand = valueHere(operand);
    std::map<StorageId, StorageId> made;
    for (size_t r = 0; r < op.results.size(); ++r) {
      ValueId v = joint.ops[i].results[r];
      StorageId s = joint.values[v].storage;
      int64_t offset = joint.values[v].offset;
      StorageId storage = 0;
      if (makers[s] == i) {
        auto [entry, isNew] = made.try_emplace(s, 0);
        if (isNew)
          entry->second = copyOf(s);
        storage = entry->second;
      } else {
        // A view of the operand in the same storage.
        for (size_t k = 0; k < op.operands.size(); ++k)
          if (ValueId from = joint.ops[i].operands[k];
              joint.values[from].storage == s) {
            const Value &source = part.graph.values[op.operands[k]];
            storage = source.storage;
            offset += source.offset - joint.values[from].offset;
            break;
          }
      }
      op.results[r] = addValue(v, storage, offset);
    }
    std::vector<OpId> after;
    for (OpId before : op.after)
      if (opHere[before] != noOp)
        after.push_back(opHere[before]);
    op.after = std::move(after);
    part.graph.ops.push_back(std::move(op));
    part.ops.push_back(i);
  }

  void addOutput(ValueId v) { part.graph.outputs.push_back(valueHere(v)); }

  PartGraph take(const std::string &suffix, uint32_t numForwardOutputs) {
    part.graph.name = joint.name.empty() ? suffix : joint.name + "_" + suffix;
    part.graph.numForwardOutputs = numForwardOutputs;
    inferStorageKinds(part.graph);
    return std::move(part);
  }

private:
  static constexpr ValueId absent = UINT32_MAX;

  StorageId addStorage(Storage storage) {
    // A storage that is both an input and made again in this part needs two
    // ids.
    std::string id = storage.id;
    for (int copy = 2; !storageIds.try_emplace(storage.id, 0).second; ++copy)
      storage.id = id + "#" + std::to_string(copy);
    part.graph.storages.push_back(std::move(storage));
    return static_cast<StorageId>(part.graph.storages.size() - 1);
  }

  ValueId addValue(ValueId v, StorageId storage, int64_t offset) {
    Value value = joint.values[v];
    value.storage = storage;
    value.offset = offset;
    here[v] = static_cast<ValueId>(part.graph.values.size());
    part.graph.values.push_back(std::move(value));
    part.values.push_back(v);
    return here[v];
  }

  /// The value of this part for a joint value; constants are added at their
  /// first use.
  ValueId valueHere(ValueId v) {
    if (here[v] == absent)
      addValue(v, arrived(joint.values[v].storage), joint.values[v].offset);
    return here[v];
  }

  const OpGraph &joint;
  std::vector<OpId> makers, valueMaker;
  PartGraph part;
  std::vector<ValueId> here;
  std::vector<OpId> opHere;
  std::map<StorageId, StorageId> arrivals;
  std::map<std::string, int> storageIds;
};

/// Whether the value is a constant or a view of one; neither function passes it
/// to the other.
bool isConstant(const OpGraph &graph, ValueId v) {
  return graph.storages[graph.values[v].storage].kind == StorageKind::Constant;
}

bool isForwardRole(InputRole role) {
  return role != InputRole::Tangent && role != InputRole::BackwardRng;
}

} // namespace

PartGraph memplan::graph::forwardPart(const OpGraph &graph,
                                      const Partition &partition) {
  PartBuilder builder(graph);
  for (const Input &input : graph.inputs)
    if (isForwardRole(input.role))
      builder.addInput(input.value, input,
                       builder.arrived(graph.values[input.value].storage));
  for (OpId op : partition.forward)
    builder.addOp(op);
  for (size_t i = 0; i < graph.numForwardOutputs; ++i)
    builder.addOutput(graph.outputs[i]);
  std::vector<OpId> maker = valueMakers(graph);
  for (ValueId v : partition.saved)
    if (maker[v] != noOp && !isConstant(graph, v))
      builder.addOutput(v);
  return builder.take("forward", graph.numForwardOutputs);
}

PartGraph memplan::graph::backwardPart(const OpGraph &graph,
                                       const Partition &partition) {
  PartBuilder builder(graph);
  // By storage: an input in it, as a saved view of an input is the input's
  // memory.
  std::vector<int32_t> inputIn(graph.storages.size(), -1);
  for (size_t i = 0; i < graph.inputs.size(); ++i)
    inputIn[graph.values[graph.inputs[i].value].storage] =
        static_cast<int32_t>(i);
  std::vector<bool> isReturned(graph.storages.size());
  for (size_t i = 0; i < graph.numForwardOutputs; ++i)
    isReturned[graph.values[graph.outputs[i]].storage] = true;
  for (ValueId v : partition.saved) {
    if (isConstant(graph, v))
      continue;
    StorageId storage = graph.values[v].storage;
    Input input;
    input.isDonated = !isReturned[storage];
    if (inputIn[storage] >= 0)
      input = graph.inputs[inputIn[storage]];
    // If a part of a storage is saved, the whole storage is live.
    builder.addInput(v, input, builder.arrived(storage));
  }
  for (const Input &input : graph.inputs)
    if (!isForwardRole(input.role))
      builder.addInput(input.value, input,
                       builder.arrived(graph.values[input.value].storage));
  for (OpId op : partition.backward)
    builder.addOp(op);
  for (size_t i = graph.numForwardOutputs; i < graph.outputs.size(); ++i)
    builder.addOutput(graph.outputs[i]);
  return builder.take("backward", 0);
}
