//===- CalleeTrust.h - Assumptions about callees ----------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_CALLEETRUST_H
#define MEMPLAN_ANALYSIS_CALLEETRUST_H

namespace memplan {

/// The assumptions about callees without a body, and about calls through a
/// value.
enum class CalleeTrust {
  /// The function-boundary rules of ownership-based deallocation: arguments are
  /// neither kept nor freed; results may be arguments. A call through a value
  /// may reach any function of the module whose address is taken.
  Boundary,
  /// No assumption: the arguments escape.
  None,
};

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_CALLEETRUST_H
