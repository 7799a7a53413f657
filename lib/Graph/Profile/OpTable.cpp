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
    findSaved();
    findUsers();
    group.assign(table.rows.size(), SIZE_MAX);
    for (size_t r = 0; r < table.rows.size(); ++r) {
      table.rows[r].figures = figuresOf({r}, r);
      table.total.add(table.rows[r].figures);
    }
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

  /// Finds the rows that save each storage and the first row that reads each
  /// parameter.
  void findSaved() {
    isSavable = savableStorages();
    savers.resize(graph.storages.size());
    std::vector<bool> isRead(graph.storages.size());
    for (size_t r = 0; r < table.rows.size(); ++r) {
      OpTableRow &row = table.rows[r];
      for (OpId b : row.backwardOps)
        for (ValueId operand : graph.ops[b].operands)
          if (StorageId s = storageOf(operand);
              isSavable[s] && (savers[s].empty() || savers[s].back() != r))
            savers[s].push_back(r);
      parameterBytes.push_back(0);
      if (row.op == noOp)
        continue;
      for (ValueId operand : graph.ops[row.op].operands)
        if (StorageId s = storageOf(operand);
            isParameter[s] && !isRead[s] &&
            graph.storages[s].kind != StorageKind::Constant) {
          isRead[s] = true;
          parameterBytes.back() += graph.storages[s].bytes;
        }
    }
  }

  void findUsers() {
    users.resize(graph.storages.size());
    isReturned.resize(graph.storages.size());
    for (OpId i = 0; i < graph.ops.size(); ++i)
      for (ValueId operand : graph.ops[i].operands)
        if (StorageId s = storageOf(operand);
            users[s].empty() || users[s].back() != i)
          users[s].push_back(i);
    for (ValueId output : graph.outputs)
      isReturned[storageOf(output)] = true;
  }

  std::vector<StorageId> storagesOf(const std::vector<ValueId> &values) const {
    std::vector<StorageId> found;
    found.reserve(values.size());
    for (ValueId value : values)
      found.push_back(storageOf(value));
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  /// The figures of the rows, taken as one op. `number` is a number of its own.
  OpTableFigures figuresOf(const std::vector<size_t> &rows, size_t number) {
    for (size_t r : rows)
      group[r] = number;
    auto isInside = [&](OpId op) { return group[rowOf[op]] == number; };
    OpTableFigures figures;
    std::vector<OpId> backwardOps;
    for (size_t r : rows) {
      const OpTableRow &row = table.rows[r];
      backwardOps.insert(backwardOps.end(), row.backwardOps.begin(),
                         row.backwardOps.end());
      figures.parameterBytes += parameterBytes[r];
      if (row.op == noOp)
        continue;
      figures.forwardFlops += graph.ops[row.op].flops;
      for (StorageId s : storagesOf(graph.ops[row.op].results))
        if (storageMaker[s] == row.op &&
            std::any_of(savers[s].begin(), savers[s].end(),
                        [&](size_t saver) { return group[saver] != number; }))
          figures.fwdMemOut += graph.storages[s].bytes;
    }
    std::sort(backwardOps.begin(), backwardOps.end());
    std::unordered_set<StorageId> saved;
    for (OpId b : backwardOps) {
      figures.backwardFlops += graph.ops[b].flops;
      for (StorageId s : storagesOf(graph.ops[b].operands)) {
        // A storage counts in the first row that saves it.
        if (!isSavable[s] || group[savers[s].front()] != number ||
            !saved.insert(s).second)
          continue;
        bool isOwn = storageMaker[s] != noOp && isInside(storageMaker[s]);
        (isOwn ? figures.fwdMemTmp : figures.fwdMemIn) +=
            graph.storages[s].bytes;
      }
    }
    addBackward(backwardOps, isInside, figures);
    return figures;
  }

  /// Sums up the memory that the ops make: for others, and for themselves at
  /// one time.
  template <typename Predicate>
  void addBackward(const std::vector<OpId> &backwardOps, Predicate isInside,
                   OpTableFigures &figures) const {
    int64_t live = 0, freed = 0;
    auto isShared = [&](StorageId s) {
      return isReturned[s] ||
             !std::all_of(users[s].begin(), users[s].end(), isInside);
    };
    auto lastUse = [&](StorageId s) {
      return users[s].empty() || isReturned[s] ? noOp : users[s].back();
    };
    for (OpId b : backwardOps) {
      const Op &op = graph.ops[b];
      std::vector<StorageId> made = storagesOf(op.results);
      made.erase(
          std::remove_if(made.begin(), made.end(),
                         [&](StorageId s) { return storageMaker[s] != b; }),
          made.end());
      for (StorageId s : made)
        (isShared(s) ? figures.bwdMemOut : live) += graph.storages[s].bytes;
      int64_t now = live + op.scratchBytes;
      figures.bwdMemTmp = std::max(figures.bwdMemTmp, now);
      figures.bwdMemTmpNet = std::max(figures.bwdMemTmpNet, now - freed);
      for (StorageId s : made)
        if (users[s].empty() && !isReturned[s])
          live -= graph.storages[s].bytes;
      for (StorageId s : storagesOf(op.operands)) {
        OpId maker = storageMaker[s];
        if (lastUse(s) != b || maker == noOp)
          continue;
        if (!isForward[maker] && isInside(maker) && !isShared(s))
          live -= graph.storages[s].bytes;
        else if (isSavable[s])
          freed += graph.storages[s].bytes;
      }
    }
  }

  void addScopes() {
    std::unordered_map<std::string_view, size_t> index;
    std::vector<std::vector<size_t>> rows;
    for (size_t r = 0; r < table.rows.size(); ++r) {
      if (table.rows[r].op == noOp)
        continue;
      std::string_view scope = graph.ops[table.rows[r].op].scope;
      for (size_t end = 0; end < scope.size();) {
        end = std::min(scope.find('/', end + 1), scope.size());
        auto [it, isNew] = index.emplace(scope.substr(0, end), rows.size());
        if (isNew) {
          table.scopes.emplace_back().scope = scope.substr(0, end);
          rows.emplace_back();
        }
        rows[it->second].push_back(r);
      }
    }
    for (size_t k = 0; k < rows.size(); ++k)
      table.scopes[k].figures = figuresOf(rows[k], table.rows.size() + k);
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
  /// By storage: the rows that save it, the ops that use it, and whether it is
  /// an output.
  std::vector<std::vector<size_t>> savers;
  std::vector<std::vector<OpId>> users;
  std::vector<bool> isReturned;
  /// By row: bytes of the parameters that it reads first, and the group of rows
  /// that it was in last (figuresOf).
  std::vector<int64_t> parameterBytes;
  std::vector<size_t> group;
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
