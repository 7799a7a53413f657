//===- ChooseChains.cpp - Which ops to compute in stripes -----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stripe/ChooseChains.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <tuple>
#include <utility>

using namespace mlir;
using namespace memplan;

/// A chain grows through at most so many ops that cost FLOPs.
static constexpr size_t kLongest = 24;
/// The descent takes at most so many steps.
static constexpr unsigned kSteps = 256;

/// What few stripes of sums may cost, as a part of the peak.
static constexpr int64_t kSlack = 16;

static SmallVector<int64_t> getDivisors(int64_t count) {
  SmallVector<int64_t> divisors;
  for (int64_t d = 1; d < count; ++d)
    if (count % d == 0)
      divisors.push_back(d);
  return divisors;
}

static bool contains(const Chain &chain, Operation *op) {
  return op == chain.root || chain.producers.contains(op);
}

/// The bits of an element of the result.
static unsigned getWidth(Operation *op) {
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
}

static bool isSum(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  return structured && structured.getNumReductionLoops() > 0;
}

/// True if the op computes narrower elements, one from one of an operand.
static bool isRounding(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  return structured && isStripable(op) && !isSum(op) &&
         llvm::any_of(structured.getDpsInputOperands(), [&](OpOperand *input) {
           Operation *maker = input->get().getDefiningOp();
           return maker && maker->getNumResults() == 1 &&
                  maker->getBlock() == op->getBlock() &&
                  getWidth(maker) > getWidth(op);
         });
}

bool memplan::hasRoundedSum(func::FuncOp function) {
  return llvm::any_of(function.getFunctionBody().front(),
                      [](Operation &op) { return isRounding(&op); });
}

namespace {
class Search {
public:
  Search(Block &block, StripeModel &model, const StripeOptions &options)
      : block(block), model(model), onlySums(options.onlySums),
        mostExtra(static_cast<int64_t>(static_cast<double>(model.flops()) *
                                       options.maxExtraFlops)) {}

  /// Descends from no chain; with FLOPs to spend, also from the chains that are
  /// found without any.
  std::vector<Chain> run() {
    std::vector<Chain> best = descend({});
    if (mostExtra > 0) {
      int64_t most = std::exchange(mostExtra, 0);
      std::vector<Chain> chains = descend({});
      mostExtra = most;
      chains = descend(std::move(chains));
      if (isBetter(model.getCost(chains), model.getCost(best)))
        best = std::move(chains);
    }
    relax(best);
    return best;
  }

private:
  static bool isBetter(const StripeCost &a, const StripeCost &b) {
    return std::tie(a.peak, a.peaks, a.area, a.extraFlops, a.calls) <
           std::tie(b.peak, b.peaks, b.area, b.extraFlops, b.calls);
  }

  std::vector<Chain> descend(std::vector<Chain> chains) {
    collect();
    llvm::DenseSet<Operation *> critical;
    StripeCost cost = model.getCost(chains, &critical);
    for (unsigned step = 0; step < kSteps; ++step) {
      std::vector<Chain> best;
      StripeCost bestCost = cost;
      for (const Chain &candidate : candidates) {
        if (!touches(candidate, critical))
          continue;
        // Without a halo the smallest stripes need least; relax enlarges them.
        SmallVector<int64_t> choices = {1};
        if (!isFree(candidate))
          choices = getDivisors(candidate.count);
        for (int64_t rows : choices) {
          std::vector<Chain> with = add(chains, candidate, rows);
          StripeCost withCost = model.getCost(with);
          if (withCost.extraFlops <= mostExtra &&
              isBetter(withCost, bestCost)) {
            best = std::move(with);
            bestCost = withCost;
          }
        }
      }
      if (std::tie(bestCost.peak, bestCost.peaks) >=
          std::tie(cost.peak, cost.peaks))
        break;
      chains = std::move(best);
      cost = model.getCost(chains, &critical);
    }
    return chains;
  }

  /// All chains: of each root, cut along each loop, with as many ops as join,
  /// and with fewer.
  void collect() {
    candidates.clear();
    if (onlySums)
      return collectSums();
    for (Operation &root : block) {
      if (!isStripable(&root))
        continue;
      for (auto [loop, count] : getCuts(&root)) {
        for (size_t length = 0; length <= kLongest; ++length) {
          size_t costly = 0;
          Chain chain =
              growChain(&root, loop, count, [&](Operation *op, const Rows &) {
                return isForFree(op) || (costly < length && ++costly > 0);
              });
          if (costly < length)
            break;
          if (!chain.producers.empty() && (mostExtra > 0 || isFree(chain)))
            candidates.push_back(std::move(chain));
        }
      }
    }
  }

  /// Each op that rounds a sum, with the sum: rows of all channels, so that the
  /// loops inside stay long.
  void collectSums() {
    for (Operation &root : block) {
      if (!isRounding(&root))
        continue;
      SmallVector<std::pair<unsigned, int64_t>> cuts = getCuts(&root);
      if (cuts.empty())
        continue;
      auto [loop, count] = cuts.front();
      for (bool withPads : {false, true}) {
        Chain chain =
            growChain(&root, loop, count, [&](Operation *op, const Rows &rows) {
              if (getWidth(op) > getWidth(&root))
                return rows.halo() == 0;
              return withPads && isa<tensor::PadOp>(op);
            });
        if (llvm::any_of(chain.producers,
                         [](const auto &entry) { return isSum(entry.first); }))
          candidates.push_back(std::move(chain));
      }
    }
  }

  static bool isFree(const Chain &chain) {
    return llvm::all_of(chain.producers, [](const auto &entry) {
      return entry.second.halo() == 0 || isForFree(entry.first);
    });
  }

  static bool touches(const Chain &chain,
                      const llvm::DenseSet<Operation *> &critical) {
    return critical.contains(chain.root) ||
           llvm::any_of(chain.producers, [&](const auto &entry) {
             return critical.contains(entry.first);
           });
  }

  /// `chains` and `candidate`, which takes the ops that both have. What it
  /// leaves of a chain stays a chain along the same dimensions.
  std::vector<Chain> add(const std::vector<Chain> &chains,
                         const Chain &candidate, int64_t rows) {
    std::vector<Chain> result;
    for (const Chain &chain : chains) {
      bool isApart = !contains(candidate, chain.root) &&
                     llvm::none_of(chain.producers, [&](const auto &entry) {
                       return contains(candidate, entry.first);
                     });
      if (isApart) {
        result.push_back(chain);
        continue;
      }
      llvm::DenseSet<Operation *> left;
      for (const auto &entry : chain.producers)
        if (!contains(candidate, entry.first))
          left.insert(entry.first);
      auto keep = [&](Operation *root, unsigned loop, int64_t count) {
        Chain rest =
            growChain(root, loop, count, [&](Operation *op, const Rows &) {
              return left.contains(op);
            });
        rest.rows = count % chain.rows == 0 ? chain.rows : 1;
        left.erase(root);
        for (const auto &entry : rest.producers)
          left.erase(entry.first);
        if (!rest.producers.empty())
          result.push_back(std::move(rest));
      };
      if (!contains(candidate, chain.root))
        keep(chain.root, chain.loop, chain.count);
      for (const auto &[op, own] : chain.producers)
        if (left.contains(op) && isa<linalg::LinalgOp>(op))
          keep(op, *getLoop(op, own.dim),
               cast<RankedTensorType>(op->getResult(0).getType())
                   .getDimSize(own.dim));
    }
    result.push_back(candidate);
    result.back().rows = rows;
    return result;
  }

  /// Removes chains and enlarges stripes that the peak does not need.
  void relax(std::vector<Chain> &chains) {
    int64_t peak = model.getCost(chains).peak;
    // Few stripes are worth some bytes.
    if (onlySums)
      peak += peak / kSlack;
    for (size_t i = chains.size(); i-- > 0;) {
      Chain chain = chains[i];
      chains.erase(chains.begin() + static_cast<ptrdiff_t>(i));
      if (model.getCost(chains).peak <= peak)
        continue;
      chains.insert(chains.begin() + static_cast<ptrdiff_t>(i), chain);
      SmallVector<int64_t> divisors = getDivisors(chain.count);
      for (int64_t rows : llvm::reverse(divisors)) {
        chains[i].rows = rows;
        if (rows <= chain.rows || model.getCost(chains).peak <= peak)
          break;
      }
    }
  }

  Block &block;
  StripeModel &model;
  bool onlySums;
  int64_t mostExtra;
  std::vector<Chain> candidates;
};
} // namespace

std::vector<Chain> memplan::chooseChains(Block &block, StripeModel &model,
                                         const StripeOptions &options) {
  return Search(block, model, options).run();
}
