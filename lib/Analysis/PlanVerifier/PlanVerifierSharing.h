//===- PlanVerifierSharing.h - Slots that one op shares --------*- C++ -*- ===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_PLANVERIFIERSHARING_H
#define MEMPLAN_LIB_ANALYSIS_PLANVERIFIERSHARING_H

#include "PlanVerifierBytes.h"

namespace memplan::planverifier {

/// An op that writes one slot and uses another that overlaps it may destroy
/// what it has yet to read, or write one of its results over another.
class Sharing {
public:
  Sharing(const Bytes &bytes, WorkingState &state)
      : bytes(bytes), state(state) {}

  /// Two slots with common bytes that the op of `event` uses so: the one that
  /// it writes, and the other one.
  std::optional<std::pair<unsigned, unsigned>> find(const Event &event);

private:
  std::optional<std::pair<unsigned, unsigned>>
  find(mlir::Operation *op, const Access &written, const Access &other);

  const Bytes &bytes;
  WorkingState &state;
};

} // namespace memplan::planverifier

#endif // MEMPLAN_LIB_ANALYSIS_PLANVERIFIERSHARING_H
