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

/// Ops of one block that run at once: within a step there is no order of time
/// (the multistream scheme of AITemplate).
struct Step {
  /// `memplan.step`; nothing for ops that only name a stream.
  std::optional<int64_t> number;
  /// Those that are annotated and use memory, in program order.
  std::vector<mlir::Operation *> ops;
  /// From the first of them to the last, with what lies between.
  LiveRange range{0, 0};
};

/// True if the op may run at once with others of its block.
bool isInStep(mlir::Operation *op);

/// The steps of a function. An op joins a step by `memplan.step = <number>`;
/// numbers do not fall within a block, and one block has all ops of a number.
/// `memplan.stream = <number>` alone joins the step of its neighbours with
/// streams, up to the next op without annotation that uses memory. Ops of one
/// stream run in order, within a step too.
///
///     op1 {memplan.step = 0}        %x live
///     op2 {memplan.step = 0}          |    %y live   both throughout step 0
///     op3 {memplan.step = 1}               |
class Steps {
public:
  /// Emits an error and fails if the annotations contradict each other, or ops
  /// of a step depend on each other: two that may use the same memory, one of
  /// which writes it, unless they are in one stream.
  ///
  /// A step of more than `maxParallelOps` ops (0: no limit) becomes several, of
  /// at most so many ops each, that run one after another.
  static mlir::FailureOr<Steps> find(mlir::FunctionOpInterface function,
                                     const ModuleAliases &module,
                                     int64_t maxParallelOps);

  bool empty() const { return steps.empty(); }
  /// In program order, disjoint.
  llvm::ArrayRef<Step> get() const { return steps; }
  /// The step that the point lies in, or null.
  const Step *around(int64_t point) const;

  /// Makes the ranges begin and end between steps.
  void widen(LiveRanges &ranges) const;

  /// Writes the numbers of the steps into the IR if some have been split: all
  /// steps of the function are then numbered from 0.
  void annotateSplits() const;

private:
  std::vector<Step> steps;
  bool split = false;
};

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_STEPS_H
