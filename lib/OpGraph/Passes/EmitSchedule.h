//===- EmitSchedule.h - Ops in the order of a schedule ----------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TRANSFORMS_SCHEDULE_EMITSCHEDULE_H
#define MEMPLAN_TRANSFORMS_SCHEDULE_EMITSCHEDULE_H

#include "memplan/OpGraph/FunctionGraph.h"

#include "mlir/IR/IRMapping.h"

#include "llvm/ADT/BitVector.h"

namespace memplan {

/// Clones ops of a function in the order of a schedule, with the glue that they
/// need (constants, allocations, views: see isGlue). A use reads the latest
/// clone of its op. The location of a second or later clone is fused with the
/// name "recomputed". If the first clone is in the same function, a later one
/// also has its number as attribute memplan.recomputed, so that CSE does not
/// merge them.
///
///     a b c a d        %a = ...
///                      %b = f(%a)
///                      %c = g(%b)
///                      %a_0 = ... {memplan.recomputed = 1}
///                      %d = h(%a_0, %c)
class ScheduleEmitter {
public:
  /// `mapping` has the values that exist already. `isRecomputed` marks, by
  /// OpId, the ops that count as cloned before, in another function.
  ScheduleEmitter(const FunctionGraph &graph, mlir::OpBuilder &builder,
                  mlir::IRMapping &mapping,
                  llvm::BitVector isRecomputed = llvm::BitVector())
      : graph(graph), builder(builder), mapping(mapping),
        isRecomputed(std::move(isRecomputed)), numClones(graph.ops.size()) {
    this->isRecomputed.resize(graph.ops.size());
  }

  void emit(llvm::ArrayRef<graph::OpId> schedule);
  /// The latest clone of a value of the function; clones its glue if needed.
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

/// Rewrites the function, of one block, to the order of the schedule. On
/// memrefs an allocation moves to its first use, and a deallocation behind the
/// last op of the schedule that uses the storage. `graph` is stale afterwards.
void applySchedule(const FunctionGraph &graph,
                   llvm::ArrayRef<graph::OpId> schedule);

} // namespace memplan

#endif // MEMPLAN_TRANSFORMS_SCHEDULE_EMITSCHEDULE_H
