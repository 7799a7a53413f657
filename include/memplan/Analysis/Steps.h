//===- Steps.h - Ops that run at once ---------------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_STEPS_H
#define MEMPLAN_ANALYSIS_STEPS_H

#include "memplan/Analysis/AliasGraph.h"
#include "memplan/Core/Problem.h"

namespace memplan {

/// Ops of one block that run at once: there is no order between the ops of a
/// step (the multistream scheme of AITemplate).
struct Step {
  /// `memplan.step`; std::nullopt for ops that only name a stream.
  std::optional<int64_t> number;
  /// The annotated ops that use memory, in program order.
  std::vector<mlir::Operation *> ops;
  /// The points from the first of the ops to the last, and those between.
  LiveRange range{0, 0};
};

/// True if the op is annotated to run at once with others of its block.
bool isInStep(mlir::Operation *op);

/// The steps of a function. `memplan.step = <number>` puts an op in a step; the
/// numbers must not decrease within a block, and all ops of a step must be in
/// one block. An op with only `memplan.stream = <number>` joins the step of its
/// neighbours with streams, up to the next op without annotation that uses
/// memory. Ops of one stream run in order, within a step too.
///
///     op1 {memplan.step = 0}        %x live
///     op2 {memplan.step = 0}          |    %y live   both throughout step 0
///     op3 {memplan.step = 1}               |
class Steps {
public:
  /// Emits an error and fails if the annotations contradict each other, or if
  /// ops of a step depend on each other: two that may use the same memory, of
  /// which one writes it, unless they are in one stream.
  static mlir::FailureOr<Steps> find(mlir::FunctionOpInterface function,
                                     const ModuleAliases &module);

  bool empty() const { return steps.empty(); }
  /// In program order, disjoint.
  llvm::ArrayRef<Step> get() const { return steps; }
  /// The step that the point lies in, or null.
  const Step *around(int64_t point) const;

  /// Extends ranges that begin or end within a step to the whole step.
  void widen(LiveRanges &ranges) const;

private:
  std::vector<Step> steps;
};

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_STEPS_H
