//===- PhiCycleWalk.h - Follow slots through a program ----------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_PHICYCLEWALK_H
#define MEMPLAN_LIB_ANALYSIS_PHICYCLEWALK_H

#include "memplan/Analysis/Lifetimes.h"
#include "memplan/Analysis/PhiCycle.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"

#include <map>

namespace memplan {

/// The values of a group of buffers that may become a phi cycle. A *name* is a
/// value that holds a slot while it is live, together with all its views: an
/// allocation, or a value where control flow joins several.
struct PhiCycleGroup {
  using Id = AliasGraph::Id;
  PhiCycleGroup(const ProgramOrder &order, const AliasGraph &graph,
                LifetimeAnalysis &lifetimes)
      : order(order), graph(graph), lifetimes(lifetimes) {}

  const ProgramOrder &order;
  const AliasGraph &graph;
  LifetimeAnalysis &lifetimes;

  /// The record of each allocation.
  llvm::DenseMap<mlir::Operation *, unsigned> recordOf;
  /// The allocations that may have a live instance when the next one is made.
  llvm::DenseSet<mlir::Operation *> carried;
  /// The live ranges of each name, in ascending order of names.
  std::vector<std::pair<Id, LiveRanges>> names;
  llvm::DenseMap<Id, unsigned> indexOf;
  /// For each op, the allocations that are first used there and take a slot.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Operation *, 1>>
      takenAt;
  /// The innermost region that contains all of the ops.
  mlir::Region *root = nullptr;
  /// By block, the ops that use or define names, or have such ops in their
  /// regions, in program order.
  llvm::DenseMap<mlir::Block *, std::vector<mlir::Operation *>> ops;
  /// The ops with regions in which slots are taken, freed or forwarded.
  llvm::DenseSet<mlir::Operation *> active;
  /// For a select, the next select, if that takes the other operand under the
  /// same condition. Both are taken to happen at the first.
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> otherSelect;

  /// Fills in all of the above from the aliases of the allocations. Fails if
  /// one of them is neither a name nor a view of one.
  mlir::LogicalResult build(llvm::ArrayRef<mlir::Operation *> allocations);

  bool isLive(Id name, int64_t point) const;

  /// The blocks of a region with several blocks in which slots are followed; in
  /// all others all slots are free. Each block comes after one of its
  /// predecessors, unless all slots are free at its begin.
  std::vector<mlir::Block *> orderBlocks(mlir::Region &region) const;
  Id nameOf(mlir::Value value) const {
    return lifetimes.getViewRoot(graph.getId(value));
  }
  bool isName(Id id) const { return indexOf.contains(id); }

private:
  mlir::LogicalResult addOwner(Id name);
  void addOp(mlir::Operation *op);
  void activate(mlir::Operation *op);
  void takeAtFirstUse(mlir::Operation *allocation, LiveRanges &ranges);
  void pairSelects(std::map<Id, LiveRanges> &live);

  llvm::SmallVector<mlir::Operation *> relevant;
  llvm::SmallVector<mlir::Block *> joins;
  llvm::DenseSet<mlir::Operation *> added;
};

/// Facts that the walk assumes from its start and learns only in its course.
struct PhiCycleAssumptions {
  unsigned slotCount = 0;
  /// Arguments and results of join points that are not themselves the slot:
  /// they may be other memory, or a view of the buffer in the slot. An
  /// additional value carries the slot beside them.
  llvm::DenseSet<mlir::Value> apart;
  /// Allocations that are left out of the cycle, because they are used after
  /// they have been forwarded to a join.
  llvm::DenseSet<mlir::Operation *> outside;
};

/// Follows the slots through the program. They are all free at the start of the
/// root region.
class PhiCycleWalk {
public:
  enum class Outcome {
    Done,
    /// An assumption was wrong and has been corrected; walk again.
    Again,
    Impossible
  };
  PhiCycleWalk(const PhiCycleGroup &group, PhiCycleAssumptions &assumptions,
               PhiCycle &result)
      : group(group), assumptions(assumptions), result(result) {}

  Outcome run();

  /// By index in the group's names: the slot value that the name holds; the
  /// last one if it changes.
  std::vector<std::optional<PhiCycle::SlotValueId>> held;
  /// The walked blocks of the group's root, if that has several blocks.
  std::vector<mlir::Block *> rootBlocks;
  /// By allocation, the slot that it takes.
  llvm::DenseMap<mlir::Operation *, PhiCycle::SlotValueId> taken;

private:
  using Id = AliasGraph::Id;
  using SlotValueId = PhiCycle::SlotValueId;
  using SlotValue = PhiCycle::SlotValue;

  /// The slot value that each name holds, and the free ones; the last of these
  /// is taken first.
  struct State {
    llvm::SmallVector<std::pair<Id, SlotValueId>, 4> names;
    llvm::SmallVector<SlotValueId, 4> free;

    std::pair<Id, SlotValueId> *find(Id name) {
      return llvm::find_if(names,
                           [&](auto &entry) { return entry.first == name; });
    }
  };
  /// A value that operand `position` of each edge forwards to a join point.
  struct Position {
    unsigned position;
    /// Null if there is none.
    mlir::Value argument, result;
  };
  /// A join point, and the names and slots that the walk has sent through it.
  struct Flow {
    unsigned joinPoint;
    std::vector<Position> positions;
    /// Names that hold their slot while control is in the join point.
    llvm::SmallVector<std::pair<Id, SlotValueId>, 4> kept;
    bool isEntered = false;
  };
  using KeepsFn = llvm::function_ref<bool(Id)>;

  mlir::LogicalResult walkRegion(
      mlir::Region &region, State state,
      llvm::function_ref<mlir::LogicalResult(mlir::Block &, State)> leave);
  mlir::LogicalResult walkGraph(
      mlir::Region &region, State state,
      llvm::function_ref<mlir::LogicalResult(mlir::Block &, State)> leave);
  mlir::LogicalResult walkBlock(mlir::Block &block, State &state);
  mlir::LogicalResult take(mlir::Operation *op, State &state);
  mlir::LogicalResult choose(mlir::Operation *select, State &state);
  mlir::LogicalResult enter(mlir::Operation *op, State &state);
  mlir::LogicalResult walkLoop(mlir::Operation *op, State &state);
  mlir::LogicalResult walkWhile(mlir::Operation *op, State &state);
  mlir::LogicalResult walkBranches(mlir::Operation *op, State &state);

  Flow makeFlow(mlir::Operation *op, mlir::Block *block,
                llvm::ArrayRef<Position> candidates);
  mlir::LogicalResult send(State state, Flow &flow, PhiCycle::Edge edge,
                           mlir::ValueRange operands, KeepsFn keeps);
  mlir::FailureOr<State> arrive(const Flow &flow, bool atResults);
  mlir::LogicalResult arriveAtResults(const Flow &flow, State &state);
  static void release(State &state, KeepsFn keeps);
  llvm::DenseSet<Id> findLiveNames(const State &state, int64_t point) const;
  bool isOwnValue(mlir::Value operand, Id name, SlotValueId slotValue) const;
  mlir::LogicalResult stayOutside(Id name);
  mlir::LogicalResult impossible();
  mlir::LogicalResult again();
  SlotValueId addSlotValue(SlotValue slotValue);
  void hold(State &state, Id name, SlotValueId slotValue);

  const PhiCycleGroup &group;
  PhiCycleAssumptions &assumptions;
  PhiCycle &result;
  /// The free slot values where no slot is held.
  llvm::SmallVector<SlotValueId, 4> allFree;
  Outcome outcome = Outcome::Done;
};

} // namespace memplan

#endif // MEMPLAN_LIB_ANALYSIS_PHICYCLEWALK_H
