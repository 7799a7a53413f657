//===- StripeModel.cpp - The memory of chains, estimated ------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stripe/StripeModel.h"

#include "memplan/Analysis/InPlace.h"
#include "memplan/Core/CheckedMath.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

#include <tuple>

using namespace mlir;
using namespace memplan;

/// The ops whose results the result of `op` may share memory with; `isView` if
/// it always does.
static SmallVector<Operation *> getTies(Operation *op, bool &isView) {
  SmallVector<Operation *> ties;
  auto add = [&](Value value) {
    Operation *maker = value.getDefiningOp();
    if (maker && maker->getBlock() == op->getBlock() &&
        !isa<tensor::EmptyOp>(maker) &&
        !maker->hasTrait<OpTrait::ConstantLike>())
      ties.push_back(maker);
  };
  isView = isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp,
               tensor::ExtractSliceOp>(op);
  if (isView)
    add(op->getOperand(0));
  // Bufferization computes the operand in the padded tensor.
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    if (pad.getSource().getDefiningOp<linalg::LinalgOp>())
      add(pad.getSource());
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    for (OpOperand *input : structured.getDpsInputOperands())
      if (mayWriteOver(structured, *input))
        add(input->get());
  if (auto written = dyn_cast<DestinationStyleOpInterface>(op))
    for (Value init : written.getDpsInits())
      add(init);
  return ties;
}

StripeModel::StripeModel(Block &block, CostModel &costs) {
  for (Operation &op : block) {
    positions[&op] = infos.size();
    infos.emplace_back().op = &op;
  }
  for (Info &info : infos) {
    Operation *op = info.op;
    if (!isa<tensor::EmptyOp>(op) && !op->hasTrait<OpTrait::ConstantLike>())
      for (Value result : op->getResults())
        if (isa<RankedTensorType>(result.getType()))
          info.bytes = saturatingAdd(info.bytes, costs.getBytes(result));
    for (Operation *user : op->getUsers()) {
      info.users.push_back(positions[block.findAncestorOpInBlock(*user)]);
      // Results of the function are not in its arena.
      if (user->hasTrait<OpTrait::IsTerminator>())
        info.bytes = 0;
    }
    for (Operation *tie : getTies(op, info.isView))
      info.ties.push_back(positions[tie]);
    if (auto written = dyn_cast<DestinationStyleOpInterface>(op))
      for (Value init : written.getDpsInits())
        if (Operation *maker = init.getDefiningOp();
            maker && llvm::is_contained(info.ties, positions.lookup(maker)))
          info.inits.push_back(positions.lookup(maker));
    info.bytes = std::min(info.bytes, mostOfOp());
    info.flops = costs.getCost(op).getFlops();
    allFlops = saturatingAdd(allFlops, info.flops);
  }
  for (unsigned i = 0; i < infos.size(); ++i)
    for (unsigned user : infos[i].users)
      infos[user].makers.push_back(i);
}

/// The size of the result of a producer along the dimension of its rows.
static int64_t getSize(Operation *op, const Rows &rows) {
  return cast<RankedTensorType>(op->getResult(0).getType())
      .getDimSize(rows.dim);
}

int64_t StripeModel::extraFlops(const Chain &chain) const {
  if (chain.keepsRows)
    return 0;
  double extra = 0;
  for (const auto &[op, rows] : chain.producers)
    if (rows.halo() > 0 && !isForFree(op))
      extra += static_cast<double>(infoOf(op).flops) *
               static_cast<double>(rows.halo()) *
               static_cast<double>(chain.stripes() - 1) /
               static_cast<double>(getSize(op, rows));
  return std::min(toFlops(extra), mostOfOp());
}

int64_t memplan::toFlops(double flops) {
  constexpr double kEnd = 9223372036854775808.0;
  return flops < kEnd ? static_cast<int64_t>(flops) : INT64_MAX;
}

/// True for a pad that adds some of the rows that are cut. Slices of its
/// operand have several sizes, so that they are copied into the padded slice.
static bool padsRows(Operation *op, const Rows &rows) {
  auto pad = dyn_cast<tensor::PadOp>(op);
  return pad && pad.getSourceType().getDimSize(rows.dim) != getSize(op, rows);
}

int64_t StripeModel::getInnerPeak(const Chain &chain) const {
  // The root writes to its place in the result.
  SmallVector<const Info *> inner;
  SmallVector<int64_t> bytes;
  SmallVector<bool> isApart;
  // Rows that are kept live from stripe to stripe; each stripe has a copy of
  // them together with those that it computes.
  int64_t keptBytes = 0;
  SmallVector<std::pair<unsigned, int64_t>> windows;
  llvm::SmallDenseMap<unsigned, unsigned, 32> at;
  auto add = [&](Operation *op, int64_t sliceBytes, bool apart) {
    at[positions.lookup(op)] = inner.size();
    inner.push_back(&infoOf(op));
    bytes.push_back(sliceBytes);
    isApart.push_back(apart);
  };
  for (Operation *op : orderInStripe(chain)) {
    if (op == chain.root) {
      add(op, 0, false);
      continue;
    }
    Rows rows = chain.computed(op);
    int64_t size = getSize(op, rows);
    int64_t rowBytes = infoOf(op).bytes / size;
    if (chain.keeps(op)) {
      Rows needed = chain.producers.lookup(op);
      keptBytes += rowBytes * needed.halo();
      windows.emplace_back(inner.size(), rowBytes * needed.of(chain.rows));
    }
    add(op, rowBytes * std::min(size, rows.of(chain.rows)),
        padsRows(op, rows) || (chain.keepsRows && isa<tensor::PadOp>(op)));
  }
  auto lastUse = [&](unsigned index) {
    unsigned last = index;
    for (unsigned user : inner[index]->users)
      if (auto found = at.find(user); found != at.end())
        last = std::max(last, found->second);
    return last;
  };
  SmallVector<unsigned> storage(inner.size()), last(inner.size(), 0);
  SmallVector<int64_t> load(inner.size(), keptBytes);
  for (unsigned i = 0; i < inner.size(); ++i) {
    storage[i] = i;
    for (unsigned tie : inner[i]->ties)
      if (auto found = at.find(tie);
          found != at.end() && i + 1 < inner.size() && !isApart[i] &&
          !chain.keeps(inner[found->second]->op) &&
          (inner[i]->isView || lastUse(found->second) == i)) {
        storage[i] = storage[found->second];
        break;
      }
    unsigned own = storage[i];
    bytes[own] = std::max(bytes[own], bytes[i]);
    // What is computed is copied to the rows that are kept, right away.
    last[own] = std::max(last[own], chain.keeps(inner[i]->op) ? i : lastUse(i));
  }
  for (auto [i, windowBytes] : windows)
    for (unsigned time = i; time <= lastUse(i); ++time)
      load[time] += windowBytes;
  for (unsigned i = 0; i < inner.size(); ++i)
    if (storage[i] == i)
      for (unsigned time = i; time <= last[i]; ++time)
        load[time] += bytes[i];
  return *llvm::max_element(load);
}

void StripeState::Peak::add(Peak other) {
  if (other.bytes > bytes)
    *this = other;
  else if (other.bytes == bytes)
    count += other.count;
}

StripeState::StripeState(const StripeModel &model, std::vector<Chain> chains)
    : model(&model), met(model.infos.size(), 0) {
  replace({}, std::move(chains));
}

std::vector<Chain> StripeState::chains() const {
  std::vector<Chain> result;
  result.reserve(entries.size());
  for (const Entry &entry : entries)
    result.push_back(entry.chain);
  return result;
}

std::optional<size_t> StripeState::chainOf(Operation *op) const {
  size_t index = owner[model->positions.lookup(op)];
  return index == kNone ? std::nullopt : std::optional(index);
}

StripeState::Entry StripeState::makeEntry(const Chain &chain) const {
  std::optional<int64_t> calls = checkedMul(
      chain.stripes() - 1, static_cast<int64_t>(chain.producers.size() + 1));
  return {chain, model->getInnerPeak(chain), model->extraFlops(chain),
          std::min(calls.value_or(INT64_MAX), model->mostOfOp())};
}

/// Ops of a chain run at the position of its root.
void StripeState::run(const Chain &chain, bool inStripes) {
  unsigned root = model->positions.lookup(chain.root);
  isRoot[root] = inStripes;
  for (const auto &entry : chain.producers) {
    unsigned op = model->positions.lookup(entry.first);
    runsAt[op] = inStripes ? root : op;
    isGone[op] = inStripes;
  }
}

unsigned StripeState::lastUse(unsigned op) const {
  unsigned last = runsAt[op];
  for (unsigned user : model->infos[op].users)
    last = std::max(last, runsAt[user]);
  return last;
}

/// The op whose memory the op takes; itself if it needs its own or none.
unsigned StripeState::findTie(unsigned op) const {
  const StripeModel::Info &info = model->infos[op];
  if (isGone[op] || info.bytes == 0)
    return op;
  for (unsigned tie : isRoot[op] ? ArrayRef(info.inits) : ArrayRef(info.ties))
    if (!isGone[tie] && (info.isView || lastUse(tie) == op))
      return tie;
  return op;
}

/// Gives the op its memory, after all earlier ops with the same memory.
void StripeState::store(unsigned op) {
  storage[op] = op;
  last[op] = 0;
  bytes[op] = 0;
  if (isGone[op] || model->infos[op].bytes == 0)
    return;
  unsigned own = storage[op] = storage[findTie(op)];
  bytes[own] = std::max(bytes[own], model->infos[op].bytes);
  last[own] = std::max(last[own], lastUse(op));
}

void StripeState::rebuild() {
  auto n = static_cast<unsigned>(model->infos.size());
  allWork += n;
  runsAt.resize(n);
  for (unsigned i = 0; i < n; ++i)
    runsAt[i] = i;
  isGone.assign(n, false);
  isRoot.assign(n, false);
  owner.assign(n, kNone);
  storage.resize(n);
  last.resize(n);
  bytes.resize(n);
  members.assign(n, {});
  // Changes of the load first, then their sums.
  load.assign(n + 1, 0);
  ownCost = {};
  ownCost.calls = n;
  for (auto [index, entry] : llvm::enumerate(entries)) {
    run(entry.chain, true);
    unsigned root = model->positions.lookup(entry.chain.root);
    owner[root] = index;
    for (const auto &producer : entry.chain.producers)
      owner[model->positions.lookup(producer.first)] = index;
    load[root] += entry.innerPeak;
    load[root + 1] -= entry.innerPeak;
    ownCost.extraFlops += entry.extraFlops;
    ownCost.calls += entry.calls;
  }
  for (unsigned i = 0; i < n; ++i) {
    store(i);
    members[storage[i]].push_back(i);
  }
  for (unsigned i = 0; i < n; ++i)
    if (bytes[i] > 0) {
      load[i] += bytes[i];
      load[last[i] + 1] -= bytes[i];
    }
  before.assign(n + 1, {});
  after.assign(n + 1, {});
  for (unsigned time = 0; time < n; ++time) {
    if (time > 0)
      load[time] += load[time - 1];
    ownCost.area = saturatingAdd(ownCost.area, load[time]);
    before[time + 1] = before[time];
    before[time + 1].add({load[time], 1});
  }
  for (unsigned time = n; time-- > 0;) {
    after[time] = after[time + 1];
    after[time].add({load[time], 1});
  }
  ownCost.peak = after[0].bytes;
  ownCost.peaks = after[0].count;
}

/// All ops whose memory may change if the ops `touched` join a chain or leave
/// one: with an op all that have the same memory. Ascending.
SmallVector<unsigned> StripeState::getAffected(ArrayRef<unsigned> touched) {
  SmallVector<unsigned> affected;
  ++meeting;
  auto meet = [&](unsigned op) {
    unsigned first = storage[op];
    if (met[first] == meeting)
      return;
    met[first] = meeting;
    llvm::append_range(affected, members[first]);
  };
  auto decide = [&](unsigned op) {
    meet(op);
    meet(findTie(op));
  };
  for (unsigned op : touched) {
    decide(op);
    for (unsigned user : model->infos[op].users)
      decide(user);
    // Their last use may be another one.
    for (unsigned maker : model->infos[op].makers) {
      if (model->infos[maker].bytes == 0)
        continue;
      meet(maker);
      for (unsigned user : model->infos[maker].users)
        decide(user);
    }
  }
  llvm::sort(affected);
  return affected;
}

StripeCost StripeState::costWith(ArrayRef<size_t> removed,
                                 ArrayRef<Chain> added) {
  StripeCost cost = ownCost;
  // Changes of the load, by time.
  SmallVector<std::pair<unsigned, int64_t>> changes;
  SmallVector<unsigned> touched;
  auto change = [&](unsigned first, unsigned last, int64_t bytes) {
    changes.emplace_back(first, bytes);
    changes.emplace_back(last + 1, -bytes);
  };
  auto count = [&](const Entry &entry, int64_t sign) {
    run(entry.chain, sign > 0);
    unsigned root = model->positions.lookup(entry.chain.root);
    touched.push_back(root);
    for (const auto &producer : entry.chain.producers)
      touched.push_back(model->positions.lookup(producer.first));
    change(root, root, sign * entry.innerPeak);
    cost.extraFlops += sign * entry.extraFlops;
    cost.calls += sign * entry.calls;
  };
  for (size_t index : removed)
    count(entries[index], -1);
  for (const Chain &chain : added)
    count(makeEntry(chain), 1);

  SmallVector<unsigned> affected = getAffected(touched);
  SmallVector<std::tuple<unsigned, unsigned, int64_t>> old;
  old.reserve(affected.size());
  for (unsigned op : affected) {
    old.emplace_back(storage[op], last[op], bytes[op]);
    if (bytes[op] > 0)
      change(op, last[op], -bytes[op]);
  }
  for (unsigned op : affected)
    store(op);
  for (unsigned op : affected)
    if (bytes[op] > 0)
      change(op, last[op], bytes[op]);
  for (auto [op, values] : llvm::zip_equal(affected, old))
    std::tie(storage[op], last[op], bytes[op]) = values;
  for (const Chain &chain : added)
    run(chain, false);
  for (size_t index : removed)
    run(entries[index].chain, true);

  // A sum of changes at each time, without changes that undo each other.
  llvm::sort(changes);
  SmallVector<std::pair<unsigned, int64_t>> steps;
  for (auto [time, bytes] : changes) {
    if (steps.empty() || steps.back().first != time)
      steps.emplace_back(time, 0);
    steps.back().second += bytes;
  }
  llvm::erase_if(steps, [](const auto &step) { return step.second == 0; });
  allWork += static_cast<int64_t>(touched.size() + affected.size());
  if (steps.empty())
    return cost;
  unsigned first = steps.front().first, end = steps.back().first;
  allWork += end - first;
  Peak peak = before[first];
  peak.add(after[end]);
  int64_t more = 0;
  const auto *step = steps.begin();
  for (unsigned time = first; time < end; ++time) {
    if (step->first == time)
      more += (step++)->second;
    peak.add({load[time] + more, 1});
    cost.area = saturatingAdd(cost.area, more);
  }
  cost.peak = peak.bytes;
  cost.peaks = peak.count;
  return cost;
}

void StripeState::replace(ArrayRef<size_t> removed, std::vector<Chain> added) {
  for (size_t index : llvm::reverse(removed))
    entries.erase(entries.begin() + static_cast<ptrdiff_t>(index));
  entries.reserve(entries.size() + added.size());
  for (const Chain &chain : added)
    entries.push_back(makeEntry(chain));
  rebuild();
}

llvm::DenseSet<Operation *> StripeState::critical() {
  allWork += static_cast<int64_t>(storage.size());
  llvm::DenseSet<Operation *> critical;
  auto peak =
      static_cast<unsigned>(llvm::find(load, ownCost.peak) - load.begin());
  for (unsigned i = 0; i < storage.size(); ++i)
    if (bytes[storage[i]] > 0 && storage[i] <= peak && last[storage[i]] >= peak)
      critical.insert(model->infos[i].op);
  if (peak < owner.size() && isRoot[peak]) {
    critical.insert(model->infos[peak].op);
    for (const auto &entry : entries[owner[peak]].chain.producers)
      critical.insert(entry.first);
  }
  return critical;
}
