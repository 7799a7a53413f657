//===- PlanVerifierGuards.h - Frees that spare arguments --------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_PLANVERIFIERGUARDS_H
#define MEMPLAN_LIB_ANALYSIS_PLANVERIFIERGUARDS_H

#include "PlanVerifierAliases.h"

namespace memplan::planverifier {

/// Tells which guarded deallocations never free an argument of the function.
///
/// For each value that may be the argument, the i1 values of which it is known
/// what they are whenever it is: those that control hands on beside it, and
/// those that decide the way by which it comes.
class FreeGuards {
public:
  /// Both outlive this. Computes when asked.
  FreeGuards(const Model &model, const Flows &flows)
      : model(model), flows(flows) {}

  /// True if the deallocation does not free what it is given when this is the
  /// argument.
  bool spares(mlir::OpOperand &freed, unsigned argument);

private:
  /// What i1 values are, in the order in which it was found out.
  using Facts = llvm::SmallVector<std::pair<mlir::Value, bool>, 4>;
  /// One of these holds.
  using Cases = llvm::SmallVector<Facts, 2>;
  /// One value becoming another along an edge.
  struct Way {
    mlir::Value target;
    const Edge *edge;
    /// What holds where the edge is taken.
    Facts facts;
  };

  void collectWays();
  const llvm::DenseMap<mlir::Value, Cases> &getCases(unsigned argument);
  static bool addCase(Cases &cases, Facts facts);
  Facts follow(const Way &way, const Facts &facts);
  bool isKept(mlir::Value value, mlir::Value target);
  static std::optional<bool> evaluate(mlir::Value value, const Facts &facts,
                                      unsigned depth = 0);

  const Model &model;
  const Flows &flows;
  bool hasWays = false;
  llvm::DenseMap<mlir::Value, std::vector<Way>> ways;
  llvm::DenseMap<unsigned, llvm::DenseMap<mlir::Value, Cases>> known;
  mlir::DominanceInfo dominance;
};

} // namespace memplan::planverifier

#endif // MEMPLAN_LIB_ANALYSIS_PLANVERIFIERGUARDS_H
