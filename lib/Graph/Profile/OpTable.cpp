//===- OpTable.cpp - Memory and FLOPs per forward op ----------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/OpTable.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

using namespace memplan::graph;

namespace {

class OpTableBuilder {
public:
  explicit OpTableBuilder(const OpGraph &graph)
      : graph(graph), valueMaker(valueMakers(graph)),
        storageMaker(storageMakers(graph)), isForward(graph.ops.size()),
        owner(graph.ops.size(), noOp), gradientOf(graph.values.size(), noValue),
        isParameter(graph.storages.size()),
        firstReader(graph.storages.size(), noOp) {}

  OpTable build() {
    findForwardOps();
    findParameters();
    findOwners();
    addRows();
    fillForward();
    fillBackward();
    addScopes();
    return std::move(table);
  }

private:
  static constexpr ValueId noValue = UINT32_MAX;

  StorageId storageOf(ValueId value) const {
    return graph.values[value].storage;
  }

  void findForwardOps() {
    for (uint32_t o = 0; o < graph.numForwardOutputs; ++o)
      if (OpId maker = valueMaker[graph.outputs[o]]; maker != noOp)
        isForward[maker] = true;
    for (size_t i = graph.ops.size(); i-- > 0;) {
      if (!isForward[i])
        continue;
      for (ValueId operand : graph.ops[i].operands)
        if (OpId maker = valueMaker[operand]; maker != noOp)
          isForward[maker] = true;
      // Ops that a forward op must follow, such as writes in place, are forward
      // ops as well.
      for (OpId before : graph.ops[i].after)
        isForward[before] = true;
    }
  }

  void findParameters() {
    for (StorageId s = 0; s < graph.storages.size(); ++s)
      isParameter[s] = graph.storages[s].kind == StorageKind::Parameter ||
                       graph.storages[s].kind == StorageKind::Constant;
    for (const Input &input : graph.inputs)
      if (input.isStatic)
        isParameter[storageOf(input.value)] = true;
  }

  /// Finds the forward op of each backward op, in program order, by its scope,
  /// its location, the gradients that it uses, or the saved values.
  void findOwners() {
    for (OpId i = 0; i < graph.ops.size(); ++i) {
      const Op &op = graph.ops[i];
      if (!isForward[i])
        continue;
      if (!op.scope.empty())
        byScope[op.scope].push_back(i);
      if (!op.location.empty())
        byLocation[op.location].push_back(i);
      for (ValueId operand : op.operands)
        if (firstReader[storageOf(operand)] == noOp)
          firstReader[storageOf(operand)] = i;
    }
    // The k-th tangent is the gradient of the k-th forward output.
    uint32_t output = 0;
    for (const Input &input : graph.inputs)
      if (input.role == InputRole::Tangent && output < graph.numForwardOutputs)
        gradientOf[input.value] = graph.outputs[output++];
    for (ValueId value : graph.outputs)
      isOutput.insert(value);
    for (OpId i = 0; i < graph.ops.size(); ++i)
      if (!isForward[i]) {
        owner[i] = findOwner(i);
        claimGradients(i);
      }
  }

  OpId findOwner(OpId i) const {
    const Op &op = graph.ops[i];
    OpId used = ownerByUse(op);
    if (auto it = byScope.find(op.scope); it != byScope.end())
      return chooseAmong(it->second, used);
    if (auto it = byLocation.find(op.location); it != byLocation.end())
      return chooseAmong(it->second, used);
    return used;
  }

  static OpId chooseAmong(const std::vector<OpId> &candidates, OpId used) {
    bool isCandidate =
        std::binary_search(candidates.begin(), candidates.end(), used);
    return isCandidate ? used : candidates.back();
  }

  OpId ownerByUse(const Op &op) const {
    // First choice: the op uses a gradient of a forward op's result, and it
    // also uses memory of that op or makes the gradient of one of its inputs.
    for (ValueId operand : op.operands) {
      if (gradientOf[operand] == noValue)
        continue;
      OpId made = valueMaker[gradientOf[operand]];
      bool isTangent = valueMaker[operand] == noOp;
      if (made != noOp &&
          (isTangent || usesSaved(op, made) || yieldsInputGradient(op, made)))
        return made;
    }
    // Second choice: the owner of a backward op that made an operand.
    for (ValueId operand : op.operands)
      if (OpId maker = valueMaker[operand];
          maker != noOp && !isForward[maker] && owner[maker] != noOp)
        return owner[maker];
    // Third choice: among the makers of the operands, or the first readers of
    // inputs, the first forward op.
    OpId first = noOp;
    for (ValueId operand : op.operands) {
      OpId maker = storageMaker[storageOf(operand)];
      OpId source = maker != noOp && isForward[maker]
                        ? maker
                        : firstReader[storageOf(operand)];
      first = std::min(first, source);
    }
    return first;
  }

  bool usesSaved(const Op &op, OpId forward) const {
    for (ValueId operand : op.operands) {
      OpId maker = valueMaker[operand];
      StorageId storage = storageOf(operand);
      OpId storedBy = storageMaker[storage];
      bool isForwardMemory = storedBy == noOp ? gradientOf[operand] == noValue
                                              : isForward[storedBy];
      if ((maker != noOp && !isForward[maker] && !isForwardMemory) ||
          !isForwardMemory)
        continue;
      for (ValueId other : graph.ops[forward].operands)
        if (storageOf(other) == storage)
          return true;
      for (ValueId other : graph.ops[forward].results)
        if (storageOf(other) == storage)
          return true;
    }
    return false;
  }

  bool yieldsInputGradient(const Op &op, OpId forward) const {
    for (ValueId result : op.results) {
      if (!isOutput.count(result))
        continue;
      for (ValueId operand : graph.ops[forward].operands)
        if (valueMaker[operand] == noOp &&
            graph.values[operand].bytes == graph.values[result].bytes)
          return true;
    }
    return false;
  }

  /// Assumes that the results of the backward ops of f are the gradients of f's
  /// operands of the same size, in order.
  void claimGradients(OpId i) {
    if (owner[i] == noOp)
      return;
    const Op &forward = graph.ops[owner[i]];
    for (ValueId result : graph.ops[i].results) {
      if (storageMaker[storageOf(result)] != i)
        continue;
      // If all operands of this size have a gradient, the result updates the
      // last one.
      ValueId chosen = noValue;
      for (ValueId operand : forward.operands) {
        if (graph.values[operand].bytes != graph.values[result].bytes)
          continue;
        chosen = operand;
        if (claimed.insert((uint64_t(owner[i]) << 32) | operand).second)
          break;
      }
      gradientOf[result] = chosen;
    }
  }

  void addRows() {
    rowOf.assign(graph.ops.size(), SIZE_MAX);
    for (OpId i = 0; i < graph.ops.size(); ++i)
      if (isForward[i]) {
        rowOf[i] = table.rows.size();
        table.rows.emplace_back().op = i;
      }
    size_t unowned = SIZE_MAX;
    for (OpId i = 0; i < graph.ops.size(); ++i) {
      if (isForward[i])
        continue;
      if (owner[i] == noOp && unowned == SIZE_MAX) {
        unowned = table.rows.size();
        table.rows.emplace_back();
      }
      rowOf[i] = owner[i] == noOp ? unowned : rowOf[owner[i]];
      table.rows[rowOf[i]].backwardOps.push_back(i);
    }
  }

  /// By storage: whether the forward function can save it, that is, a forward
  /// op makes it or it is an input other than a parameter, a tangent or
  /// backward random state.
  std::vector<bool> savableStorages() const {
    std::vector<bool> isSavable(graph.storages.size());
    for (const Input &input : graph.inputs)
      if (input.role != InputRole::Tangent &&
          input.role != InputRole::BackwardRng)
        isSavable[storageOf(input.value)] = true;
    for (StorageId s = 0; s < graph.storages.size(); ++s) {
      if (storageMaker[s] != noOp)
        isSavable[s] = isForward[storageMaker[s]];
      if (isParameter[s])
        isSavable[s] = false;
    }
    return isSavable;
  }

  void fillForward() {
    isSavable = savableStorages();
    std::vector<bool> isCounted(graph.storages.size()), isRead(isCounted);
    // By storage: a row whose op did not make it saves it.
    std::vector<bool> isSavedByOther(graph.storages.size());
    for (OpTableRow &row : table.rows) {
      OpTableFigures &figures = row.figures;
      for (OpId b : row.backwardOps)
        for (ValueId operand : graph.ops[b].operands) {
          StorageId s = storageOf(operand);
          if (!isSavable[s])
            continue;
          bool isOwn = row.op != noOp && storageMaker[s] == row.op;
          isSavedByOther[s] = isSavedByOther[s] || !isOwn;
          if (isCounted[s])
            continue;
          isCounted[s] = true;
          (isOwn ? figures.fwdMemTmp : figures.fwdMemIn) +=
              graph.storages[s].bytes;
        }
      for (OpId b : row.backwardOps)
        figures.backwardFlops += graph.ops[b].flops;
      if (row.op == noOp)
        continue;
      figures.forwardFlops = graph.ops[row.op].flops;
      for (ValueId operand : graph.ops[row.op].operands)
        if (StorageId s = storageOf(operand);
            isParameter[s] && !isRead[s] &&
            graph.storages[s].kind != StorageKind::Constant) {
          isRead[s] = true;
          figures.parameterBytes += graph.storages[s].bytes;
        }
    }
    for (StorageId s = 0; s < graph.storages.size(); ++s)
      if (isSavedByOther[s] && storageMaker[s] != noOp)
        table.rows[rowOf[storageMaker[s]]].figures.fwdMemOut +=
            graph.storages[s].bytes;
  }

  void fillBackward() {
    // isShared: an op of a row other than the maker's uses the storage.
    std::vector<bool> isShared(graph.storages.size());
    std::vector<OpId> lastUse(graph.storages.size(), noOp);
    for (OpId i = 0; i < graph.ops.size(); ++i)
      for (ValueId operand : graph.ops[i].operands) {
        StorageId s = storageOf(operand);
        lastUse[s] = i;
        if (storageMaker[s] != noOp && rowOf[storageMaker[s]] != rowOf[i])
          isShared[s] = true;
      }
    for (ValueId output : graph.outputs) {
      isShared[storageOf(output)] = true;
      lastUse[storageOf(output)] = noOp;
    }
    for (OpTableRow &row : table.rows)
      fillBackward(row, isShared, lastUse);
  }

  void fillBackward(OpTableRow &row, const std::vector<bool> &isShared,
                    const std::vector<OpId> &lastUse) {
    OpTableFigures &figures = row.figures;
    int64_t live = 0, freed = 0;
    for (OpId b : row.backwardOps) {
      const Op &op = graph.ops[b];
      std::vector<StorageId> made, read;
      for (ValueId result : op.results)
        if (storageMaker[storageOf(result)] == b)
          made.push_back(storageOf(result));
      for (ValueId operand : op.operands)
        read.push_back(storageOf(operand));
      for (std::vector<StorageId> *list : {&made, &read}) {
        std::sort(list->begin(), list->end());
        list->erase(std::unique(list->begin(), list->end()), list->end());
      }
      for (StorageId s : made)
        (isShared[s] ? figures.bwdMemOut : live) += graph.storages[s].bytes;
      int64_t now = live + op.scratchBytes;
      figures.bwdMemTmp = std::max(figures.bwdMemTmp, now);
      figures.bwdMemTmpNet = std::max(figures.bwdMemTmpNet, now - freed);
      for (StorageId s : made)
        if (!isShared[s] && lastUse[s] == noOp)
          live -= graph.storages[s].bytes;
      for (StorageId s : read) {
        if (lastUse[s] != b)
          continue;
        OpId maker = storageMaker[s];
        if (maker != noOp && !isForward[maker] && !isShared[s])
          live -= graph.storages[s].bytes;
        else if (isSavable[s] && maker != noOp)
          freed += graph.storages[s].bytes;
      }
    }
  }

  void addScopes() {
    std::unordered_map<std::string_view, size_t> index;
    std::vector<std::pair<std::string_view, const OpTableFigures *>> parts;
    for (const OpTableRow &row : table.rows) {
      table.total.add(row.figures);
      if (row.op == noOp)
        continue;
      std::string_view scope = graph.ops[row.op].scope;
      for (size_t end = 0; end < scope.size();) {
        end = std::min(scope.find('/', end + 1), scope.size());
        parts.push_back({scope.substr(0, end), &row.figures});
      }
    }
    for (const auto &[scope, figures] : parts) {
      auto [it, isNew] = index.emplace(scope, table.scopes.size());
      if (isNew)
        table.scopes.emplace_back().scope = scope;
      table.scopes[it->second].figures.add(*figures);
    }
  }

  const OpGraph &graph;
  std::vector<OpId> valueMaker, storageMaker;
  std::vector<bool> isForward;
  /// By backward op: its forward op.
  std::vector<OpId> owner;
  /// By value: the forward value whose gradient it is.
  std::vector<ValueId> gradientOf;
  std::vector<bool> isParameter, isSavable;
  std::vector<OpId> firstReader;
  std::unordered_map<std::string_view, std::vector<OpId>> byScope, byLocation;
  std::unordered_set<ValueId> isOutput;
  /// Pairs (forward op, operand) whose gradient has been found.
  std::unordered_set<uint64_t> claimed;
  std::vector<size_t> rowOf;
  OpTable table;
};

} // namespace

void OpTableFigures::add(const OpTableFigures &other) {
  fwdMemIn += other.fwdMemIn;
  fwdMemTmp += other.fwdMemTmp;
  fwdMemOut += other.fwdMemOut;
  bwdMemTmp = std::max(bwdMemTmp, other.bwdMemTmp);
  bwdMemTmpNet = std::max(bwdMemTmpNet, other.bwdMemTmpNet);
  bwdMemOut += other.bwdMemOut;
  parameterBytes += other.parameterBytes;
  forwardFlops += other.forwardFlops;
  backwardFlops += other.backwardFlops;
}

OpTable memplan::graph::buildOpTable(const OpGraph &graph) {
  return OpTableBuilder(graph).build();
}
