//===- EmitSchedule.h - Ops in the order of a schedule ----------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TRANSFORMS_SCHEDULE_EMITSCHEDULE_H
#define MEMPLAN_TRANSFORMS_SCHEDULE_EMITSCHEDULE_H

#include "memplan/Analysis/FunctionGraph.h"

#include "mlir/IR/IRMapping.h"

#include "llvm/ADT/BitVector.h"

namespace memplan {

/// Clones ops of a function in the order of a schedule, with the glue they
/// need. A use reads the latest clone of its op; a clone that is not the first
/// one has the location of the op fused with the name "recomputed", and, if the
/// first is in the same function, its number (memplan.recomputed), so that CSE
/// does not merge the two.
///
///     a b c a d        %a = ...
///                      %b = f(%a)
///                      %c = g(%b)
///                      %a_0 = ... {memplan.recomputed = 1}
///                      %d = h(%a_0, %c)
class ScheduleEmitter {
public:
  /// Values that `mapping` has are there already. `isRecomputed` tells, by
  /// OpId, what counts as cloned before; empty for nothing.
  ScheduleEmitter(const FunctionGraph &graph, mlir::OpBuilder &builder,
                  mlir::IRMapping &mapping,
                  llvm::BitVector isRecomputed = llvm::BitVector())
      : graph(graph), builder(builder), mapping(mapping),
        isRecomputed(std::move(isRecomputed)), numClones(graph.ops.size()) {
    this->isRecomputed.resize(graph.ops.size());
  }

  void emit(llvm::ArrayRef<graph::OpId> schedule);
  /// The clone of a value of the function, with the glue that makes it.
  mlir::Value get(mlir::Value value);

private:
  void emitOp(graph::OpId id);
  void provide(mlir::Operation *op);

  const FunctionGraph &graph;
  mlir::OpBuilder &builder;
  mlir::IRMapping &mapping;
  llvm::BitVector isRecomputed;
  std::vector<int64_t> numClones;
};

/// Brings the ops of the function into the order of the schedule; what an op
/// allocates on memrefs is allocated where it is first needed, and freed where
/// nothing of the schedule needs it any more. `graph` is stale afterwards.
void applySchedule(const FunctionGraph &graph,
                   llvm::ArrayRef<graph::OpId> schedule);

} // namespace memplan

#endif // MEMPLAN_TRANSFORMS_SCHEDULE_EMITSCHEDULE_H
