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
/// A descent and relax end after so much work: ops and times that costs look
/// at, and ops that join candidates, which take about kGrowth times as long.
static constexpr int64_t kMostWork = int64_t(1) << 27;
static constexpr int64_t kGrowth = 256;
/// The candidates that are kept: the peak comes back to the same ops.
static constexpr size_t kMostKept = 1 << 14;

/// What few stripes of sums may cost, as a part of the peak.
static constexpr int64_t kSlack = 16;

static SmallVector<int64_t> getDivisors(int64_t count) {
  SmallVector<int64_t> divisors;
  for (int64_t d = 1; d <= count / d; ++d) {
    if (count % d != 0)
      continue;
    divisors.push_back(d);
    if (d < count / d)
      divisors.push_back(count / d);
  }
  llvm::sort(divisors);
  // Not all of it at once.
  divisors.pop_back();
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
/// A chain that the search may add.
struct Candidate {
  Chain chain;
  /// Computes nothing twice, however small the stripes.
  bool isFree;
};

class Search {
public:
  Search(Block &block, const StripeModel &model, const StripeOptions &options)
      : block(block), order(block), model(model), state(model),
        onlySums(options.onlySums), target(options.target),
        mostExtra(toFlops(static_cast<double>(model.flops()) *
                          options.maxExtraFlops)) {}

  /// Descends from no chain; with FLOPs to spend, also from the chains that are
  /// found without any. If the peak that is left is not small enough, goes on
  /// from there with chains that keep rows, whose sizes are no constants. There
  /// are many of these: to begin with them takes several times as long.
  std::vector<Chain> run() {
    descend();
    if (mostExtra > 0) {
      StripeState best = state;
      int64_t most = std::exchange(mostExtra, 0);
      state = StripeState(model);
      descend();
      mostExtra = most;
      descend();
      if (!isBetter(state.cost(), best.cost()))
        state = std::move(best);
    }
    if (!onlySums && state.cost().peak > target) {
      mayKeep = true;
      candidates.clear();
      kept = 0;
      descend();
    }
    relax();
    return state.chains();
  }

private:
  bool isBetter(const StripeCost &a, const StripeCost &b) const {
    auto rank = [&](const StripeCost &cost) {
      int64_t more = cost.peak > target ? 1 : 0;
      return std::tuple(more * cost.peak, more * cost.peaks, more * cost.area,
                        cost.extraFlops, cost.calls);
    };
    return rank(a) < rank(b);
  }

  /// The chains at the positions `removed` are replaced by `added`.
  struct Change {
    SmallVector<size_t> removed;
    std::vector<Chain> added;
  };

  int64_t spent() const { return work + state.work(); }

  void descend() {
    limit = spent() + kMostWork;
    while (spent() < limit && state.cost().peak > target) {
      StripeCost cost = state.cost();
      Change best = findBest(cost);
      if (std::tie(cost.peak, cost.peaks) >=
          std::tie(state.cost().peak, state.cost().peaks))
        return;
      state.replace(best.removed, std::move(best.added));
    }
  }

  /// The change with the least cost, of those that are better than `bestCost`;
  /// sets that.
  Change findBest(StripeCost &bestCost) {
    llvm::DenseSet<Operation *> critical = state.critical();
    Change best;
    for (Operation *root : getRoots(critical)) {
      for (const Candidate &candidate : getCandidates(root)) {
        if (spent() >= limit)
          return best;
        if (mostExtra == 0 && !candidate.isFree)
          continue;
        if (!touches(candidate.chain, critical))
          continue;
        // Without a halo the smallest stripes need least; relax enlarges them.
        SmallVector<int64_t> choices = {1};
        if (!candidate.isFree)
          choices = getDivisors(candidate.chain.count);
        Change change = add(candidate.chain);
        for (int64_t rows : choices) {
          change.added.back().rows = rows;
          StripeCost cost = state.costWith(change.removed, change.added);
          if (cost.extraFlops <= mostExtra && isBetter(cost, bestCost)) {
            best = change;
            bestCost = cost;
          }
        }
      }
    }
    return best;
  }

  /// The ops whose chains may have one of the critical ops, in the order of the
  /// block: those that use it through at most kLongest ops that cost FLOPs.
  std::vector<Operation *>
  getRoots(const llvm::DenseSet<Operation *> &critical) {
    llvm::DenseMap<Operation *, size_t> least;
    std::vector<std::pair<Operation *, size_t>> open;
    auto reach = [&](Operation *op, size_t costly) {
      auto [entry, isNew] = least.try_emplace(op, costly);
      if (!isNew && entry->second <= costly)
        return;
      entry->second = costly;
      open.emplace_back(op, costly);
    };
    for (Operation *op : critical)
      reach(op, 0);
    while (!open.empty()) {
      auto [op, costly] = open.back();
      open.pop_back();
      ++work;
      costly += isForFree(op) ? 0 : 1;
      if (costly > kLongest || !isStripable(op))
        continue;
      for (Operation *user : op->getUsers())
        if (user->getBlock() == &block)
          reach(user, costly);
    }
    std::vector<Operation *> roots;
    roots.reserve(least.size());
    for (const auto &entry : least)
      if (isStripable(entry.first))
        roots.push_back(entry.first);
    llvm::sort(roots, [](Operation *a, Operation *b) {
      return a->isBeforeInBlock(b);
    });
    return roots;
  }

  ArrayRef<Candidate> getCandidates(Operation *root) {
    if (kept > kMostKept) {
      candidates.clear();
      kept = 0;
    }
    auto [entry, isNew] = candidates.try_emplace(root);
    if (!isNew)
      return entry->second;
    entry->second = onlySums ? collectSums(root) : collect(root);
    kept += entry->second.size();
    for (const Candidate &candidate : entry->second)
      work += kGrowth * static_cast<int64_t>(candidate.chain.producers.size());
    return entry->second;
  }

  /// The chains of a root, cut along each loop, with as many ops as join, and
  /// with fewer.
  std::vector<Candidate> collect(Operation *root) const {
    std::vector<Candidate> found;
    for (auto [loop, count] : getCuts(root)) {
      for (size_t length = 0; length <= kLongest; ++length) {
        size_t costly = 0;
        auto mayJoin = [&](Operation *op, const Rows &) {
          return order.mayMove(op, root) &&
                 (isForFree(op) || (costly < length && ++costly > 0));
        };
        Chain chain = growChain(root, loop, count, false, mayJoin);
        if (costly < length)
          break;
        if (chain.producers.empty())
          continue;
        if (mayKeep && llvm::any_of(chain.producers, [](const auto &entry) {
              return entry.second.halo() > 0;
            })) {
          costly = 0;
          Chain keeping = growChain(root, loop, count, true, mayJoin);
          if (keeping.keepsAny())
            addTo(found, std::move(keeping));
        }
        addTo(found, std::move(chain));
      }
    }
    return found;
  }

  /// An op that rounds a sum, with the sum: rows of all channels, so that the
  /// loops inside stay long.
  std::vector<Candidate> collectSums(Operation *root) const {
    std::vector<Candidate> found;
    if (!isRounding(root))
      return found;
    SmallVector<std::pair<unsigned, int64_t>> cuts = getCuts(root);
    if (cuts.empty())
      return found;
    auto [loop, count] = cuts.front();
    for (bool withPads : {false, true}) {
      Chain chain = growChain(root, loop, count, /*keepsRows=*/false,
                              [&](Operation *op, const Rows &rows) {
                                if (!order.mayMove(op, root))
                                  return false;
                                if (getWidth(op) > getWidth(root))
                                  return rows.halo() == 0;
                                return withPads && isa<tensor::PadOp>(op);
                              });
      if (llvm::any_of(chain.producers,
                       [](const auto &entry) { return isSum(entry.first); }))
        addTo(found, std::move(chain));
    }
    return found;
  }

  static void addTo(std::vector<Candidate> &found, Chain chain) {
    bool isFree = llvm::all_of(chain.producers, [](const auto &entry) {
      return entry.second.halo() == 0 || isForFree(entry.first);
    });
    isFree |= chain.keepsRows;
    found.push_back({std::move(chain), isFree});
  }

  static bool touches(const Chain &chain,
                      const llvm::DenseSet<Operation *> &critical) {
    return critical.contains(chain.root) ||
           llvm::any_of(chain.producers, [&](const auto &entry) {
             return critical.contains(entry.first);
           });
  }

  /// Adds `candidate`, which takes the ops that other chains have. What it
  /// leaves of a chain stays a chain along the same dimensions.
  Change add(const Chain &candidate) {
    Change change;
    auto takeFrom = [&](Operation *op) {
      if (std::optional<size_t> index = state.chainOf(op))
        change.removed.push_back(*index);
    };
    takeFrom(candidate.root);
    for (const auto &entry : candidate.producers)
      takeFrom(entry.first);
    llvm::sort(change.removed);
    change.removed.erase(llvm::unique(change.removed), change.removed.end());
    for (size_t index : change.removed)
      keepRest(state.chain(index), candidate, change.added);
    change.added.push_back(candidate);
    return change;
  }

  static void keepRest(const Chain &chain, const Chain &candidate,
                       std::vector<Chain> &result) {
    llvm::DenseSet<Operation *> left;
    for (const auto &entry : chain.producers)
      if (!contains(candidate, entry.first))
        left.insert(entry.first);
    auto keep = [&](Operation *root, unsigned loop, int64_t count) {
      Chain rest = growChain(
          root, loop, count, chain.keepsRows,
          [&](Operation *op, const Rows &) { return left.contains(op); });
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

  /// Removes chains and enlarges stripes that the peak does not need.
  void relax() {
    int64_t peak = std::max(state.cost().peak, target);
    // Few stripes are worth some bytes.
    if (onlySums)
      peak += peak / kSlack;
    limit = spent() + kMostWork;
    for (size_t i = state.size(); i-- > 0 && spent() < limit;) {
      if (state.costWith(i, {}).peak <= peak) {
        state.replace(i, {});
        continue;
      }
      Chain chain = state.chain(i);
      SmallVector<int64_t> divisors = getDivisors(chain.count);
      for (int64_t rows : llvm::reverse(divisors)) {
        if (rows <= state.chain(i).rows)
          break;
        chain.rows = rows;
        if (state.costWith(i, chain).peak <= peak) {
          state.replace(i, {chain});
          break;
        }
      }
    }
  }

  Block &block;
  MemoryOrder order;
  const StripeModel &model;
  StripeState state;
  bool onlySums;
  /// Whether chains may keep rows.
  bool mayKeep = false;
  int64_t target;
  int64_t mostExtra;
  llvm::DenseMap<Operation *, std::vector<Candidate>> candidates;
  size_t kept = 0;
  /// What the search has done so far outside `state`, and what ends the descent
  /// or relax.
  int64_t work = 0, limit = 0;
};
} // namespace

std::vector<Chain> memplan::chooseChains(Block &block, const StripeModel &model,
                                         const StripeOptions &options) {
  return Search(block, model, options).run();
}
