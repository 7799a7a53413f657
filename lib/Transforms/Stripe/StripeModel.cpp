//===- StripeModel.cpp - The memory of chains, estimated ------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stripe/StripeModel.h"

#include "memplan/Analysis/InPlace.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

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
    info.flops = costs.getCost(op).getFlops();
    allFlops = saturatingAdd(allFlops, info.flops);
  }
}

/// The size of the result of a producer along the dimension of its rows.
static int64_t getSize(Operation *op, const Rows &rows) {
  return cast<RankedTensorType>(op->getResult(0).getType())
      .getDimSize(rows.dim);
}

int64_t StripeModel::extraFlops(const Chain &chain) const {
  double extra = 0;
  for (const auto &[op, rows] : chain.producers)
    if (rows.halo() > 0 && !isForFree(op))
      extra += static_cast<double>(infoOf(op).flops) *
               static_cast<double>(rows.halo() * (chain.stripes() - 1)) /
               static_cast<double>(getSize(op, rows));
  return static_cast<int64_t>(extra);
}

int64_t StripeModel::getInnerPeak(const Chain &chain) const {
  // In the order of the block; the root writes to its place in the result.
  SmallVector<const Info *> inner;
  SmallVector<int64_t> bytes;
  llvm::SmallDenseMap<unsigned, unsigned, 32> at;
  auto add = [&](Operation *op, int64_t sliceBytes) {
    at[positions.lookup(op)] = inner.size();
    inner.push_back(&infoOf(op));
    bytes.push_back(sliceBytes);
  };
  for (const auto &entry : llvm::reverse(chain.producers)) {
    int64_t size = getSize(entry.first, entry.second);
    add(entry.first, infoOf(entry.first).bytes / size *
                         std::min(size, entry.second.of(chain.rows)));
  }
  add(chain.root, 0);
  auto lastUse = [&](unsigned index) {
    unsigned last = index;
    for (unsigned user : inner[index]->users)
      if (auto found = at.find(user); found != at.end())
        last = std::max(last, found->second);
    return last;
  };
  SmallVector<unsigned> storage(inner.size()), last(inner.size(), 0);
  SmallVector<int64_t> load(inner.size(), 0);
  for (unsigned i = 0; i < inner.size(); ++i) {
    storage[i] = i;
    for (unsigned tie : inner[i]->ties)
      if (auto found = at.find(tie);
          found != at.end() && i + 1 < inner.size() &&
          (inner[i]->isView || lastUse(found->second) == i)) {
        storage[i] = storage[found->second];
        break;
      }
    unsigned own = storage[i];
    bytes[own] = std::max(bytes[own], bytes[i]);
    last[own] = std::max(last[own], lastUse(i));
  }
  for (unsigned i = 0; i < inner.size(); ++i)
    if (storage[i] == i)
      for (unsigned time = i; time <= last[i]; ++time)
        load[time] += bytes[i];
  return *llvm::max_element(load);
}

StripeCost StripeModel::getCost(const std::vector<Chain> &chains,
                                llvm::DenseSet<Operation *> *critical) const {
  StripeCost cost;
  size_t n = infos.size();
  // Ops of a chain run at the position of its root.
  std::vector<unsigned> runsAt(n);
  std::vector<bool> isGone(n), isRoot(n);
  for (unsigned i = 0; i < n; ++i)
    runsAt[i] = i;
  std::vector<int64_t> load(n, 0);
  cost.calls = static_cast<int64_t>(n);
  for (const Chain &chain : chains) {
    unsigned root = positions.lookup(chain.root);
    isRoot[root] = true;
    cost.extraFlops += extraFlops(chain);
    cost.calls += (chain.stripes() - 1) *
                  static_cast<int64_t>(chain.producers.size() + 1);
    for (const auto &entry : chain.producers) {
      unsigned position = positions.lookup(entry.first);
      runsAt[position] = root;
      isGone[position] = true;
    }
    load[root] += getInnerPeak(chain);
  }
  auto lastUse = [&](unsigned position) {
    unsigned last = runsAt[position];
    for (unsigned user : infos[position].users)
      last = std::max(last, runsAt[user]);
    return last;
  };
  std::vector<unsigned> storage(n), last(n, 0);
  std::vector<int64_t> bytes(n, 0);
  for (unsigned i = 0; i < n; ++i) {
    storage[i] = i;
    const Info &info = infos[i];
    if (isGone[i] || info.bytes == 0)
      continue;
    for (unsigned tie : isRoot[i] ? ArrayRef(info.inits) : ArrayRef(info.ties))
      if (!isGone[tie] && (info.isView || lastUse(tie) == i)) {
        storage[i] = storage[tie];
        break;
      }
    unsigned own = storage[i];
    bytes[own] = std::max(bytes[own], info.bytes);
    last[own] = std::max(last[own], lastUse(i));
  }
  for (unsigned i = 0; i < n; ++i)
    if (storage[i] == i && bytes[i] > 0)
      for (unsigned time = i; time <= last[i]; ++time)
        load[time] += bytes[i];
  for (int64_t bytesLive : load) {
    cost.area = saturatingAdd(cost.area, bytesLive);
    if (bytesLive > cost.peak) {
      cost.peak = bytesLive;
      cost.peaks = 0;
    }
    cost.peaks += bytesLive == cost.peak;
  }
  if (!critical)
    return cost;
  critical->clear();
  auto peak = static_cast<unsigned>(llvm::max_element(load) - load.begin());
  for (unsigned i = 0; i < n; ++i)
    if (bytes[storage[i]] > 0 && storage[i] <= peak && last[storage[i]] >= peak)
      critical->insert(infos[i].op);
  for (const Chain &chain : chains)
    if (positions.lookup(chain.root) == peak) {
      critical->insert(chain.root);
      for (const auto &entry : chain.producers)
        critical->insert(entry.first);
    }
  return cost;
}
