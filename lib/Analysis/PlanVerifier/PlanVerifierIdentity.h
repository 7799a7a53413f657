//===- PlanVerifierIdentity.h - Which values are which slots ----*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_PLANVERIFIERIDENTITY_H
#define MEMPLAN_LIB_ANALYSIS_PLANVERIFIERIDENTITY_H

#include "PlanVerifierAliases.h"
#include "PlanVerifierState.h"

namespace memplan::planverifier {

/// Which values are surely different slots, as far as the state says: of two
/// arguments of a loop each may be either of two slots, and yet they are never
/// the same one. The facts are in the entries of merged handles.
class SlotIdentity {
public:
  SlotIdentity(const Model &model, const Aliases &aliases, WorkingState &state)
      : model(model), aliases(aliases), state(state) {}

  /// True if no slot that `a` may be shares a byte with the one that `b` is.
  bool isDistinct(int a, int b);

  /// True if `a` and `b`, where they are the same slot, are the same buffer.
  bool isCompatible(int a, int b);

  /// A new buffer begins as `handle`: others that may be the same slot are not
  /// the same buffer.
  void renew(unsigned handle);

  /// Fills in which slots the targets of `bindings` are surely not, by the
  /// state before. Returns those of the merged handles `others`, which stay
  /// what they are, of which something else is known then. `select` is the op
  /// that binds, if it is one.
  Entries tellApart(Entries &bound, llvm::ArrayRef<Binding> bindings,
                    llvm::ArrayRef<unsigned> others,
                    mlir::Operation *select = nullptr);

private:
  bool mayBeOneSlot(unsigned a, unsigned b) const;
  bool areApart(const IdSet &a, const IdSet &b) const;
  bool isOtherChoice(mlir::Operation *op, unsigned other);
  bool isMadeToDiffer(mlir::Operation *op, unsigned other);
  std::optional<SlotFact> findFact(int a, int b);
  std::optional<bool> compare(llvm::ArrayRef<int> first,
                              llvm::ArrayRef<int> second);

  const Model &model;
  const Aliases &aliases;
  WorkingState &state;
};

} // namespace memplan::planverifier

#endif // MEMPLAN_LIB_ANALYSIS_PLANVERIFIERIDENTITY_H
