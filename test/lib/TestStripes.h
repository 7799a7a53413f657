//===- TestStripes.h - Compute chains in stripes ----------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_LIB_TESTSTRIPES_H
#define MEMPLAN_TEST_LIB_TESTSTRIPES_H

namespace memplan {

/// Registers test-stripes.
void registerTestStripes();

} // namespace memplan

#endif // MEMPLAN_TEST_LIB_TESTSTRIPES_H
