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

/// The values of a group of buffers, as far as a phi cycle is concerned. A
/// *name* is a value that holds a slot while it is live, with all its views: an
/// allocation, or where control flow joins several.
struct PhiCycleGroup {
  using Id = AliasGraph::Id;
  PhiCycleGroup(const ProgramOrder &order, const AliasGraph &graph,
                LifetimeAnalysis &lifetimes)
      : order(order), graph(graph), lifetimes(lifetimes) {}

  const ProgramOrder &order;
  const AliasGraph &graph;
  LifetimeAnalysis &lifetimes;

  /// By allocation, its record.
  llvm::DenseMap<mlir::Operation *, unsigned> recordOf;
  /// The allocations of which one instance may be live when the next is made.
  llvm::DenseSet<mlir::Operation *> carried;
  /// When each name is live, in ascending order of names.
  std::vector<std::pair<Id, LiveRanges>> names;
  llvm::DenseMap<Id, unsigned> indexOf;
  /// By the first op that uses them, the allocations that take a slot there.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Operation *, 1>>
      takenAt;
  /// The region that all of it happens in.
  mlir::Region *root = nullptr;
  /// By block, the ops in which or in whose regions names are used or made, in
  /// program order.
  llvm::DenseMap<mlir::Block *, std::vector<mlir::Operation *>> ops;
  /// The ops with regions in which slots change hands.
  llvm::DenseSet<mlir::Operation *> active;
  /// A select, and the one after it which by the same condition takes the name
  /// that the first does not. Both are taken to happen at the first.
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> otherSelect;

  /// Collects all that from the aliases of the allocations. Fails if one of
  /// them is no name and no view of one.
  mlir::LogicalResult build(llvm::ArrayRef<mlir::Operation *> allocations);

  bool isLive(Id name, int64_t point) const;

  /// The blocks of a graph where anything is to be followed: elsewhere all
  /// slots are free. Control comes to each from one before it, unless all slots
  /// are free there as well.
  std::vector<mlir::Block *> orderBlocks(mlir::Region &region) const;
  Id nameOf(mlir::Value value) const {
    return lifetimes.findWeb(graph.getId(value));
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

/// What has to be assumed before the walk and is only learned in its course.
struct PhiCycleAssumptions {
  unsigned slotCount = 0;
  /// Joins whose slot is not always where they are: they may be other memory,
  /// or a view of the buffer that holds the slot. The slot is reserved for them
  /// and travels beside them.
  llvm::DenseSet<mlir::Value> apart;
  /// Allocations that stay out of the phi cycle, as values that are used on
  /// beside the joins they are handed to.
  llvm::DenseSet<mlir::Operation *> outside;
};

/// Follows the slots through the program, from the start of the root region on
/// where all are free.
class PhiCycleWalk {
public:
  enum class Outcome {
    Done,
    /// An assumption was wrong and has been corrected.
    Again,
    Impossible
  };
  PhiCycleWalk(const PhiCycleGroup &group, PhiCycleAssumptions &assumptions,
               PhiCycle &result)
      : group(group), assumptions(assumptions), result(result) {}

  Outcome run();

  /// By name (as an index in the group's names), the slot it holds in the end,
  /// which is one of those it has held if it is not the same throughout.
  std::vector<std::optional<PhiCycle::SlotValueId>> held;
  /// The blocks of the group's root that were walked, if it is a graph.
  std::vector<mlir::Block *> rootBlocks;
  /// By allocation, the slot it takes.
  llvm::DenseMap<mlir::Operation *, PhiCycle::SlotValueId> taken;

private:
  using Id = AliasGraph::Id;
  using SlotValueId = PhiCycle::SlotValueId;
  using SlotValue = PhiCycle::SlotValue;

  /// Who holds what, and what is free, the next to be taken last.
  struct State {
    llvm::SmallVector<std::pair<Id, SlotValueId>, 4> names;
    llvm::SmallVector<SlotValueId, 4> free;

    std::pair<Id, SlotValueId> *find(Id name) {
      return llvm::find_if(names,
                           [&](auto &entry) { return entry.first == name; });
    }
  };
  /// A value forwarded through a join point by operand `position`.
  struct Position {
    unsigned position;
    /// Null where there is none.
    mlir::Value argument, result;
  };
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
  /// What is free where nothing is held.
  llvm::SmallVector<SlotValueId, 4> allFree;
  Outcome outcome = Outcome::Done;
};

} // namespace memplan

#endif // MEMPLAN_LIB_ANALYSIS_PHICYCLEWALK_H
