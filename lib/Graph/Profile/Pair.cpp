//===- Pair.cpp - Pairs of forward and backward graphs --------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/Pair.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

using namespace memplan::graph;

namespace {

constexpr uint32_t none = UINT32_MAX;

/// Rewrites the backward graph so that saved values have the storage and offset
/// that they have in the forward graph.
class BackwardBuilder {
public:
  BackwardBuilder(const OpGraph &forward, const OpGraph &original,
                  const std::vector<SavedValue> &saved)
      : forward(forward), original(original), saved(saved), graph(original),
        source(original.values.size(), none),
        target(original.storages.size(), none),
        shift(original.storages.size()) {}

  std::vector<GraphIssue> build() {
    std::vector<GraphIssue> found = placeAll();
    if (found.empty())
      rewrite();
    return found;
  }

  /// Finds the forward storages of the saved values; does not change `graph`.
  std::vector<GraphIssue> placeAll() {
    for (const SavedValue &s : saved)
      place(s);
    return std::move(issues);
  }

  /// The forward storage that contains the backward storage, and the offset in
  /// it in bytes; `none` for storages that only the backward graph has.
  std::pair<StorageId, int64_t> findForward(StorageId b) const {
    return {target[b], shift[b]};
  }

  const OpGraph &forward, &original;
  const std::vector<SavedValue> &saved;
  OpGraph graph;
  /// By backward value: the forward value that was saved as it, or `none`.
  std::vector<ValueId> source;

private:
  void refuse(ValueId value, std::string why) {
    issues.push_back({"input '" + original.values[value].id + "' " + why,
                      GraphPart::Values, value});
  }

  /// Places the storage of the backward value in that of the forward value.
  void place(const SavedValue &s) {
    const Value &from = forward.values[s.forward];
    const Value &to = original.values[s.backward];
    if (source[s.backward] != none)
      return refuse(s.backward,
                    "takes two values that the forward graph saves");
    if (from.bytes != to.bytes)
      return refuse(s.backward, "has " + std::to_string(to.bytes) +
                                    " bytes, but the forward value '" +
                                    from.id + "' that it takes has " +
                                    std::to_string(from.bytes));
    source[s.backward] = s.forward;
    int64_t delta = from.offset - to.offset;
    const Storage &whole = forward.storages[from.storage];
    if (target[to.storage] == none) {
      target[to.storage] = from.storage;
      shift[to.storage] = delta;
    }
    if (target[to.storage] != from.storage || shift[to.storage] != delta)
      return refuse(s.backward,
                    "shares storage '" + original.storages[to.storage].id +
                        "' with another input that the forward graph saved "
                        "elsewhere");
    if (delta < 0 || original.storages[to.storage].bytes > whole.bytes - delta)
      return refuse(s.backward, "lies in storage '" +
                                    original.storages[to.storage].id +
                                    "', which does not fit into '" + whole.id +
                                    "' of the forward graph");
  }

  void rewrite() {
    std::unordered_map<StorageId, StorageId> merged;
    for (StorageId b = 0; b < original.storages.size(); ++b)
      if (target[b] != none)
        merged.emplace(target[b], b);
    for (Value &value : graph.values) {
      StorageId b = value.storage;
      if (target[b] == none)
        continue;
      value.offset += shift[b];
      value.storage = merged[target[b]];
      graph.storages[value.storage].bytes = forward.storages[target[b]].bytes;
    }
    dropStorages([&](StorageId b) {
      return target[b] != none && merged[target[b]] != b;
    });
  }

  /// Removes the storages for which `isDropped` holds and renumbers the others.
  template <typename Predicate> void dropStorages(Predicate &&isDropped) {
    std::vector<Storage> kept;
    std::vector<StorageId> newId(graph.storages.size());
    for (StorageId b = 0; b < graph.storages.size(); ++b) {
      newId[b] = static_cast<StorageId>(kept.size());
      if (!isDropped(b))
        kept.push_back(std::move(graph.storages[b]));
    }
    graph.storages = std::move(kept);
    for (Value &value : graph.values)
      value.storage = newId[value.storage];
  }

  std::vector<StorageId> target;
  std::vector<int64_t> shift;
  std::vector<GraphIssue> issues;
};

} // namespace

std::vector<SavedValue> memplan::graph::matchSaved(const OpGraph &forward,
                                                   const OpGraph &backward) {
  std::unordered_map<std::string_view, ValueId> outputs;
  for (ValueId output : forward.outputs)
    outputs.emplace(forward.values[output].id, output);
  std::vector<SavedValue> saved;
  for (const Input &input : backward.inputs)
    if (auto it = outputs.find(backward.values[input.value].id);
        it != outputs.end())
      saved.push_back({it->second, input.value});
  return saved;
}

int64_t PairProfile::peakBytes() const {
  return std::max(forwardPeakBytes(), backwardPeakBytes());
}

namespace {
/// Makes ids of the backward graph unique in the joint graph; the forward
/// graph's ids are kept.
class UniqueIds {
public:
  template <typename T> explicit UniqueIds(const std::vector<T> &named) {
    for (const T &entry : named)
      taken.insert(entry.id);
  }
  std::string operator()(std::string id) {
    while (!taken.insert(id).second)
      id.insert(0, "backward.");
    return id;
  }

private:
  std::unordered_set<std::string> taken;
};
} // namespace

std::vector<GraphIssue>
memplan::graph::joinPair(const OpGraph &forward, const OpGraph &backward,
                         const std::vector<SavedValue> &saved, OpGraph &joint) {
  BackwardBuilder builder(forward, backward, saved);
  std::vector<GraphIssue> issues = builder.placeAll();
  if (!issues.empty())
    return issues;
  joint = forward;
  joint.outputs.resize(forward.numForwardOutputs);
  UniqueIds storageId(forward.storages), valueId(forward.values),
      opId(forward.ops);
  std::vector<StorageId> storages;
  for (StorageId b = 0; b < backward.storages.size(); ++b) {
    storages.push_back(builder.findForward(b).first);
    if (storages.back() != none)
      continue;
    storages.back() = static_cast<StorageId>(joint.storages.size());
    joint.storages.push_back(backward.storages[b]);
    joint.storages.back().id = storageId(backward.storages[b].id);
  }
  std::vector<ValueId> values;
  for (ValueId v = 0; v < backward.values.size(); ++v) {
    values.push_back(builder.source[v]);
    if (values.back() != none)
      continue;
    values.back() = static_cast<ValueId>(joint.values.size());
    Value value = backward.values[v];
    value.id = valueId(value.id);
    value.offset += builder.findForward(value.storage).second;
    value.storage = storages[value.storage];
    joint.values.push_back(std::move(value));
  }
  for (Input input : backward.inputs) {
    if (builder.source[input.value] != none)
      continue;
    input.value = values[input.value];
    if (input.role == InputRole::None)
      input.role = InputRole::Tangent;
    joint.inputs.push_back(input);
  }
  auto first = static_cast<OpId>(forward.ops.size());
  for (Op op : backward.ops) {
    op.id = opId(op.id);
    for (ValueId &operand : op.operands)
      operand = values[operand];
    for (ValueId &result : op.results)
      result = values[result];
    for (OpId &before : op.after)
      before += first;
    joint.ops.push_back(std::move(op));
  }
  for (ValueId output : backward.outputs)
    joint.outputs.push_back(values[output]);
  inferStorageKinds(joint);
  return {};
}

std::vector<GraphIssue> memplan::graph::buildPairProfile(
    const OpGraph &forward, const Schedule &forwardSchedule,
    const OpGraph &backward, const Schedule &backwardSchedule,
    const std::vector<SavedValue> &saved, const MemoryOptions &options,
    PairProfile &pair) {
  pair = PairProfile();
  BackwardBuilder builder(forward, backward, saved);
  std::vector<GraphIssue> issues = builder.build();
  if (!issues.empty())
    return issues;
  OpGraph &graph = builder.graph;

  std::vector<OpId> makers = storageMakers(forward);
  std::vector<bool> isStatic(forward.storages.size());
  for (const Input &input : forward.inputs)
    if (input.isStatic)
      isStatic[forward.values[input.value].storage] = true;
  std::vector<bool> isTaken(forward.storages.size());
  for (Input &input : graph.inputs) {
    ValueId from = builder.source[input.value];
    if (from == none) {
      if (!input.isDonated)
        pair.held.push_back({input.value, HeldReason::NotSaved});
      continue;
    }
    StorageId storage = forward.values[from].storage;
    isTaken[storage] = true;
    input.role = InputRole::None;
    // Values that the forward graph made are released here, and so are inputs
    // that the caller donates.
    input.isDonated |= makers[storage] != noOp;
    if (input.isDonated)
      continue;
    pair.held.push_back({input.value, HeldReason::ForwardInput});
    input.role = InputRole::Primal;
    input.isStatic = isStatic[storage];
    graph.storages[graph.values[input.value].storage].kind =
        forward.storages[storage].kind == StorageKind::Parameter
            ? StorageKind::Parameter
            : StorageKind::Input;
  }
  for (ValueId output : forward.outputs) {
    StorageId storage = forward.values[output].storage;
    if (isTaken[storage] || makers[storage] == noOp)
      continue;
    isTaken[storage] = true;
    pair.baseline.push_back(storage);
    pair.baselineBytes += forward.storages[storage].bytes;
  }

  MemoryOptions backwardOptions = options;
  backwardOptions.held.insert(Origin::Tangent);
  pair.forward = buildProfile(forward, forwardSchedule, options);
  pair.backward = buildProfile(graph, backwardSchedule, backwardOptions);
  pair.backwardGraph = std::move(graph);
  return {};
}
