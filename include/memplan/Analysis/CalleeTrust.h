//===- CalleeTrust.h - What is believed of callees --------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_CALLEETRUST_H
#define MEMPLAN_ANALYSIS_CALLEETRUST_H

namespace memplan {

/// What is taken for granted of callees without a body, and of those called
/// through a value.
enum class CalleeTrust {
  /// The function-boundary rules of ownership-based deallocation: arguments are
  /// neither kept nor freed; results may be arguments. Through a value any
  /// function of the module may be called whose address is taken.
  Boundary,
  /// Nothing: what they are given escapes.
  None,
};

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_CALLEETRUST_H
