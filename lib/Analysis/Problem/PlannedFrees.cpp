//===- PlannedFrees.cpp - Deallocations of planned buffers ----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A deallocation is removed if everything that it may free is planned. One that
// may free a planned buffer and another one can neither be removed nor kept, so
// none of the buffers that it may free is planned. If a deallocation stays, the
// buffers that it is given but never frees are not planned either.
//
//===----------------------------------------------------------------------===//

#include "Problem/PlannedFrees.h"

#include "Alias/GuardedFrees.h"
#include "Alias/OwnershipUses.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace memplan;

namespace {
/// A memref that an op frees, or buffers that only together can be planned.
struct Free {
  /// The op to report as the reason.
  Operation *op;
  /// The memref that it frees; null for the buffers of a phi cycle, which are
  /// planned together or not at all.
  OpOperand *operand;
  /// The buffers that the memref may be; only one of them if the memref is
  /// settled.
  SmallVector<unsigned> records;
  /// It may free memory that is no buffer of the function.
  bool freesForeign = false;
  /// None of the buffers is planned, so that a deallocation stays.
  bool isDissolved = false;
};

/// The values that are planned buffers of the function on every path, and stay
/// so, because control flow joins them only with such values, directly or
/// through others. The buffers that such a value may be need not be enumerated,
/// which would cost their number for each value.
class SettledValues {
public:
  SettledValues(const FunctionProblem &problem,
                const llvm::DenseMap<AliasGraph::Id, unsigned> &recordOf,
                const AliasGraph &graph);

  /// One of the buffers joined with the value; std::nullopt if it is not
  /// settled.
  std::optional<unsigned> lookup(AliasGraph::Id id) const {
    return hasSource[id] ? recordOfClass[classes[id]] : std::nullopt;
  }

private:
  llvm::IntEqClasses classes;
  std::vector<std::optional<unsigned>> recordOfClass;
  std::vector<bool> hasSource;
};

class FreeSettler {
public:
  FreeSettler(FunctionProblem &result,
              const llvm::DenseMap<AliasGraph::Id, unsigned> &recordOf,
              const AliasGraph &graph, LifetimeAnalysis &lifetimes)
      : result(result), recordOf(recordOf), graph(graph), lifetimes(lifetimes),
        freesOf(result.buffers.size()) {}

  void run() {
    excludeAskedFor();
    excludeCloned();
    collect();
    for (Free &free : all)
      if (free.freesForeign)
        dissolve(free);
    for (unsigned i = 0; i < result.buffers.size(); ++i)
      if (!result.buffers[i].isPlanned())
        pending.push_back(i);
    do {
      while (!pending.empty())
        for (unsigned index : freesOf[pending.pop_back_val()])
          dissolve(all[index]);
      settleRetained();
    } while (!pending.empty());
    llvm::erase_if(result.phiCycles, [&](const PhiCycle &cycle) {
      return !result.buffers[cycle.records.front()].isPlanned();
    });
    listPlanned();
  }

private:
  /// Where the memory of a memref may be.
  enum class Place { Arena, Elsewhere, Either };

  void excludeAskedFor();
  void excludeCloned();
  void collect();
  void dissolve(Free &free);
  Place getPlace(Value memref) const;
  bool goes(const Free &free) const;
  bool freesOthers(bufferization::DeallocOp op) const;
  void settleRetained();
  void listPlanned();

  /// The planned op: the function, or the parallel loop whose body it is.
  Operation *getBody() const {
    return result.parallel ? result.parallel : result.function.getOperation();
  }

  void exclude(unsigned index, const Twine &reason, Operation *culprit) {
    result.buffers[index].exclude(reason, culprit);
    pending.push_back(index);
  }

  FunctionProblem &result;
  const llvm::DenseMap<AliasGraph::Id, unsigned> &recordOf;
  const AliasGraph &graph;
  LifetimeAnalysis &lifetimes;
  /// Computed when the first deallocation is found.
  std::optional<SettledValues> settled;
  std::vector<Free> all;
  llvm::DenseMap<OpOperand *, unsigned> freeOf;
  /// For each buffer, the entries of `all` that may free it.
  std::vector<SmallVector<unsigned, 2>> freesOf;
  /// Buffers that are no longer planned, and whose frees must be visited.
  SmallVector<unsigned> pending;
};
} // namespace

SettledValues::SettledValues(
    const FunctionProblem &problem,
    const llvm::DenseMap<AliasGraph::Id, unsigned> &recordOf,
    const AliasGraph &graph)
    : classes(static_cast<unsigned>(graph.size())), hasSource(graph.size()) {
  std::vector<SmallVector<AliasGraph::Id, 2>> freedWith(graph.size());
  std::vector<AliasGraph::Id> sources;
  for (AliasGraph::Id id = 0; id < graph.size(); ++id) {
    bool begins;
    for (AliasGraph::Id origin : graph.getOrigins(id, begins)) {
      freedWith[origin].push_back(id);
      classes.join(origin, id);
    }
    if (begins)
      sources.push_back(id);
  }
  classes.compress();
  // The buffers of a phi cycle are planned together, which joins them with
  // others.
  llvm::DenseSet<unsigned> inPhiCycles;
  for (const PhiCycle &cycle : problem.phiCycles)
    inPhiCycles.insert(cycle.records.begin(), cycle.records.end());
  recordOfClass.resize(classes.getNumClasses());
  std::vector<bool> isOther(classes.getNumClasses());
  for (AliasGraph::Id id : sources) {
    auto it = recordOf.find(id);
    if (it == recordOf.end() || inPhiCycles.contains(it->second) ||
        !problem.buffers[it->second].isPlanned())
      isOther[classes[id]] = true;
    else
      recordOfClass[classes[id]] = it->second;
  }
  for (unsigned i = 0; i < isOther.size(); ++i)
    if (isOther[i])
      recordOfClass[i] = std::nullopt;
  while (!sources.empty()) {
    AliasGraph::Id id = sources.back();
    sources.pop_back();
    if (hasSource[id])
      continue;
    hasSource[id] = true;
    llvm::append_range(sources, freedWith[id]);
  }
}

/// Excludes memrefs whose ownership the program uses for more than
/// deallocation.
void FreeSettler::excludeAskedFor() {
  getBody()->walk([&](bufferization::DeallocOp op) {
    for (unsigned i : findOwnershipAskedFor(op, graph))
      for (AliasGraph::Id source :
           graph.getSources(graph.getId(op.getMemrefs()[i])))
        if (auto it = recordOf.find(source);
            it != recordOf.end() && result.buffers[it->second].isPlanned())
          exclude(it->second,
                  "is freed by an op whose results are used for more than "
                  "deallocation",
                  op);
  });
}

/// Excludes a buffer if a clone of it is freed through another value than the
/// clone itself. A clone that is freed is not the memory of its operand, but
/// the verifier relies on that only if the clone is freed by its own value.
void FreeSettler::excludeCloned() {
  bool hasClones = false;
  getBody()->walk([&](bufferization::CloneOp) { hasClones = true; });
  if (!hasClones)
    return;
  for (AliasGraph::Id id = 0; id < graph.size(); ++id)
    for (const LifetimeAnalysis::UseRecord &use : lifetimes.getUses(id)) {
      if (!use.use.free)
        continue;
      llvm::SetVector<AliasGraph::Id> freed;
      freed.insert_range(graph.getSources(id));
      // The operand of a clone may be a clone, too.
      for (size_t i = 0; i < freed.size(); ++i) {
        auto clone =
            graph.getValue(freed[i]).getDefiningOp<bufferization::CloneOp>();
        if (!clone || freed[i] == id)
          continue;
        std::vector<AliasGraph::Id> sources =
            graph.getSources(graph.getId(clone.getInput()));
        freed.insert_range(sources);
        for (AliasGraph::Id source : sources)
          if (auto it = recordOf.find(source);
              it != recordOf.end() && result.buffers[it->second].isPlanned())
            exclude(
                it->second,
                "is cloned, and the clone is freed by another name than its "
                "own",
                use.operand->getOwner());
      }
    }
}

void FreeSettler::collect() {
  for (AliasGraph::Id id = 0; id < graph.size(); ++id) {
    for (const LifetimeAnalysis::UseRecord &use : lifetimes.getUses(id)) {
      if (!use.use.free)
        continue;
      Free free{use.operand->getOwner(), use.operand, {}};
      if (!settled)
        settled.emplace(result, recordOf, graph);
      if (std::optional<unsigned> record = settled->lookup(id)) {
        free.records.push_back(*record);
        freeOf[use.operand] = static_cast<unsigned>(all.size());
        all.push_back(std::move(free));
        continue;
      }
      for (AliasGraph::Id source : graph.getSources(id))
        if (auto it = recordOf.find(source); it != recordOf.end())
          free.records.push_back(it->second);
      if (free.records.empty())
        continue;
      for (AliasGraph::Id source :
           getFreedSources(graph, *use.operand, /*followsRetained=*/true)) {
        auto it = recordOf.find(source);
        if (it == recordOf.end())
          free.freesForeign = true;
        else
          freesOf[it->second].push_back(static_cast<unsigned>(all.size()));
      }
      freeOf[use.operand] = static_cast<unsigned>(all.size());
      all.push_back(std::move(free));
    }
  }
  for (const PhiCycle &cycle : result.phiCycles) {
    Free tie{cycle.before, nullptr, {}};
    for (unsigned index : cycle.records) {
      tie.records.push_back(index);
      freesOf[index].push_back(static_cast<unsigned>(all.size()));
    }
    all.push_back(std::move(tie));
  }
}

void FreeSettler::dissolve(Free &free) {
  free.isDissolved = true;
  for (unsigned index : free.records)
    if (result.buffers[index].isPlanned())
      exclude(index,
              free.operand
                  ? "shares a deallocation with memory that is not planned"
                  : "is in a phi cycle with memory that is not planned",
              free.op);
}

FreeSettler::Place FreeSettler::getPlace(Value memref) const {
  if (settled && settled->lookup(graph.getId(memref)))
    return Place::Arena;
  bool planned = false, other = false;
  for (AliasGraph::Id source : graph.getSources(graph.getId(memref))) {
    auto it = recordOf.find(source);
    bool is = it != recordOf.end() && result.buffers[it->second].isPlanned();
    (is ? planned : other) = true;
  }
  return !planned ? Place::Elsewhere : other ? Place::Either : Place::Arena;
}

/// True if the memref has the constant condition `false`: it is never freed,
/// and no reason to own a retained one.
static bool isNeverOwned(bufferization::DeallocOp op, unsigned memref) {
  return matchPattern(op.getConditions()[memref], m_Zero());
}

/// True if the op frees only planned buffers through the memref.
bool FreeSettler::goes(const Free &free) const {
  return free.operand && !free.isDissolved &&
         llvm::any_of(free.records, [&](unsigned index) {
           return result.buffers[index].isPlanned();
         });
}

/// True if the op may free memory that is not planned.
bool FreeSettler::freesOthers(bufferization::DeallocOp op) const {
  for (OpOperand &memref : op.getMemrefsMutable()) {
    if (isNeverOwned(op, memref.getOperandNumber()))
      continue;
    auto it = freeOf.find(&memref);
    if (it == freeOf.end() || !goes(all[it->second]))
      return true;
  }
  return false;
}

/// A deallocation that stays compares the addresses of its memrefs with those
/// of its retained values. A retained value must not be in the arena on some
/// paths only, so the buffers that it may be are not planned.
void FreeSettler::settleRetained() {
  getBody()->walk([&](bufferization::DeallocOp op) {
    if (!freesOthers(op))
      return;
    for (Value retained : op.getRetained()) {
      if (getPlace(retained) != Place::Either)
        continue;
      for (AliasGraph::Id source : graph.getSources(graph.getId(retained))) {
        auto it = recordOf.find(source);
        if (it == recordOf.end() || !result.buffers[it->second].isPlanned())
          continue;
        exclude(it->second, "is compared with memory that is not planned", op);
      }
    }
  });
}

void FreeSettler::listPlanned() {
  llvm::MapVector<Operation *, SmallVector<unsigned>> planned;
  for (Free &free : all)
    if (goes(free))
      planned[free.operand->getOwner()].push_back(
          free.operand->getOperandNumber());
  getBody()->walk([&](bufferization::DeallocOp op) {
    auto isInArena = [&](Value memref) {
      return getPlace(memref) != Place::Elsewhere;
    };
    if (llvm::none_of(op.getMemrefs(), isInArena) &&
        llvm::none_of(op.getRetained(), isInArena))
      return;
    for (unsigned i = 0, e = op.getMemrefs().size(); i < e; ++i)
      if (isNeverOwned(op, i))
        planned[op].push_back(i);
    // An op that frees nothing is removed, with the conditions that it returns.
    if (freesOthers(op) || op.getMemrefs().empty())
      planned.try_emplace(op);
  });
  for (auto &[op, memrefs] : planned) {
    llvm::sort(memrefs);
    result.frees.push_back({op, std::move(memrefs), {}});
    auto dealloc = dyn_cast<bufferization::DeallocOp>(op);
    if (!dealloc)
      continue;
    for (auto [i, retained] : llvm::enumerate(dealloc.getRetained()))
      if (getPlace(retained) == Place::Arena)
        result.frees.back().retained.push_back(static_cast<unsigned>(i));
  }
}

void memplan::settleFrees(
    FunctionProblem &problem,
    const llvm::DenseMap<AliasGraph::Id, unsigned> &recordOf,
    const AliasGraph &graph, LifetimeAnalysis &lifetimes) {
  FreeSettler(problem, recordOf, graph, lifetimes).run();
}
