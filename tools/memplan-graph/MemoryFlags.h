//===- MemoryFlags.h - Options of the memory that counts --------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TOOLS_MEMPLANGRAPH_MEMORYFLAGS_H
#define MEMPLAN_TOOLS_MEMPLANGRAPH_MEMORYFLAGS_H

#include "common/CommandLine.h"
#include "memplan/Graph/Memory.h"

namespace memplan::tool {

/// Declares --hold, --release, --exclude and --in-place.
void addMemoryFlags(CommandLine &commandLine, graph::MemoryOptions &options);

} // namespace memplan::tool

#endif // MEMPLAN_TOOLS_MEMPLANGRAPH_MEMORYFLAGS_H
