//===- PlanVerifierTurns.h - Buffers that take turns -----------*- C++ -*- ===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_PLANVERIFIERTURNS_H
#define MEMPLAN_LIB_ANALYSIS_PLANVERIFIERTURNS_H

#include "PlanVerifierState.h"

namespace memplan::planverifier {

/// Of a loop that hands on n buffers in a circle each value is any of them in
/// the end, but after n passes only if one pass tells the next one value more.
///
///   scf.for ... iter_args(%x = %a, %y = %b, %z = %c) {
///     scf.yield %z, %x, %y
///   }
class Turns {
public:
  /// `isLoop` tells of components of the graph, `componentOf` of its nodes.
  /// Control may get to every node.
  Turns(const Model &model, llvm::ArrayRef<unsigned> componentOf,
        const std::vector<bool> &isLoop);

  /// `bound` is bound at the begin of a node in a loop. The handles become in
  /// the end whatever flows to them, wherever control may come from, and to
  /// those they take turns with: that is what they are from now on.
  void add(Entries &bound, RefSets &sets);

private:
  const Model &model;
  /// By handle.
  std::vector<unsigned> turnOf;
  /// By turn, what its handles are as far as is known yet, or null.
  std::vector<const RefSet *> refsOf;
};

} // namespace memplan::planverifier

#endif // MEMPLAN_LIB_ANALYSIS_PLANVERIFIERTURNS_H
