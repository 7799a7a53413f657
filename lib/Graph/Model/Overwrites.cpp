//===- Overwrites.cpp - Memory that ops write in place --------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/Overwrites.h"

#include <algorithm>

using namespace memplan::graph;

Overwrites::Overwrites(const OpGraph &graph)
    : graph(graph), isViewOp(graph.ops.size()), writes(graph.storages.size()) {
  std::vector<OpId> makers = storageMakers(graph);
  for (OpId i = 0; i < graph.ops.size(); ++i) {
    const Op &op = graph.ops[i];
    bool isView = op.cost == CostClass::Free && !op.results.empty();
    for (ValueId result : op.results) {
      StorageId s = graph.values[result].storage;
      isView = isView && makers[s] != i;
      if (makers[s] == i || op.cost == CostClass::Free)
        continue;
      writes[s].push_back(read(i, result));
      ++numWrites;
    }
    isViewOp[i] = isView;
  }
}

Access Overwrites::read(OpId op, ValueId operand) const {
  const Value &value = graph.values[operand];
  return {op, operand, value.offset, value.offset + value.bytes};
}

const Access *Overwrites::behind(OpId op) const {
  if (isViewOp[op])
    return nullptr;
  const Access *first = nullptr;
  for (ValueId operand : graph.ops[op].operands) {
    const std::vector<Access> &list = writes[graph.values[operand].storage];
    Access own = read(op, operand);
    for (auto write = std::upper_bound(
             list.begin(), list.end(), op,
             [](OpId op, const Access &write) { return op < write.op; });
         write != list.end(); ++write)
      if (write->overlaps(own)) {
        if (!first || write->op < first->op)
          first = &*write;
        break;
      }
  }
  return first;
}

namespace {

/// Answers whether dependences order two ops. Ops with implicit random state
/// keep their order.
class Dependences {
public:
  explicit Dependences(const OpGraph &graph)
      : graph(graph), makers(valueMakers(graph)),
        previousRandom(graph.ops.size(), noOp), seen(graph.ops.size()) {
    OpId last = noOp;
    for (OpId op = 0; op < graph.ops.size(); ++op)
      if (graph.ops[op].randomness == Randomness::ImplicitState) {
        previousRandom[op] = last;
        last = op;
      }
  }

  bool orders(OpId first, OpId second) {
    ++search;
    stack.assign(1, second);
    while (!stack.empty()) {
      OpId op = stack.back();
      stack.pop_back();
      // Ops before `first` in program order do not depend on it.
      forEachBefore(op, [&](OpId before) {
        if (before == noOp || before < first || seen[before] == search)
          return;
        seen[before] = search;
        stack.push_back(before);
      });
      if (seen[first] == search)
        return true;
    }
    return false;
  }

  /// Whether an effect edge or an operand connects the ops.
  bool connects(OpId first, OpId second) const {
    bool isFound = false;
    forEachBefore(second, [&](OpId before) { isFound |= before == first; });
    return isFound;
  }

private:
  template <typename Visit> void forEachBefore(OpId op, Visit visit) const {
    for (OpId before : graph.ops[op].after)
      visit(before);
    for (ValueId operand : graph.ops[op].operands)
      visit(makers[operand]);
    visit(previousRandom[op]);
  }

  const OpGraph &graph;
  std::vector<OpId> makers, previousRandom, stack;
  /// By op: the last search that met it.
  std::vector<uint32_t> seen;
  uint32_t search = 0;
};

} // namespace

std::optional<UnorderedAccess>
memplan::graph::findUnordered(const OpGraph &graph) {
  Overwrites overwrites(graph);
  if (overwrites.isEmpty())
    return std::nullopt;
  Dependences dependences(graph);
  std::optional<UnorderedAccess> found;
  auto compare = [&](const Access &first, const Access &second,
                     bool firstWrites) {
    if (first.op == second.op || (found && found->second.op <= second.op) ||
        dependences.connects(first.op, second.op) ||
        dependences.orders(first.op, second.op))
      return;
    found = {first, second, firstWrites};
  };
  // Compares an access with the writes before and behind it, up to one that
  // covers it: the next ones are compared with that one.
  auto check = [&](StorageId storage, const Access &access, bool isWrite) {
    const std::vector<Access> &list = overwrites.of(storage);
    auto at = std::lower_bound(
        list.begin(), list.end(), access.op,
        [](const Access &write, OpId op) { return write.op < op; });
    for (auto write = at; write != list.begin();)
      if ((--write)->overlaps(access)) {
        compare(*write, access, true);
        if (write->covers(access))
          break;
      }
    for (auto write = at; write != list.end(); ++write)
      if (write->op != access.op && write->overlaps(access)) {
        compare(access, *write, isWrite);
        if (write->covers(access))
          break;
      }
  };
  for (OpId op = 0; op < graph.ops.size(); ++op) {
    if (!overwrites.accesses(op))
      continue;
    for (ValueId operand : graph.ops[op].operands)
      check(graph.values[operand].storage, overwrites.read(op, operand), false);
  }
  for (StorageId s = 0; s < graph.storages.size(); ++s)
    for (const Access &write : overwrites.of(s))
      check(s, write, true);
  return found;
}
