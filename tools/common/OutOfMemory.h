//===- OutOfMemory.h - The end of a tool without memory ---------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TOOLS_COMMON_OUTOFMEMORY_H
#define MEMPLAN_TOOLS_COMMON_OUTOFMEMORY_H

namespace memplan::tool {

/// Prints "TOOL: error: out of memory" and ends the process with exit code 3,
/// without a use of the heap. The name must outlive the process.
[[noreturn]] void exitWithoutMemory(const char *tool);

/// Lets `new` call exitWithoutMemory if there is no memory. Call it first in
/// main.
void exitIfOutOfMemory(const char *tool);

} // namespace memplan::tool

#endif // MEMPLAN_TOOLS_COMMON_OUTOFMEMORY_H
