//===- InitAll.h - Registers all that was built -----------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Needs MemPlan::OpGraphPasses, or MemPlan::Transforms alone in a build without
// op graphs.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_INITALL_H
#define MEMPLAN_INITALL_H

#include "memplan/Config.h"
#include "memplan/Transforms/Passes.h"
#if MEMPLAN_BUILD_OPGRAPH
#include "memplan/OpGraph/Passes.h"
#endif

namespace memplan {

/// Registers the passes and the pipelines of this build.
inline void registerAllPasses() {
  registerMemplanPasses();
#if MEMPLAN_BUILD_OPGRAPH
  registerMemplanOpGraphPasses();
#endif
  registerMemplanPipelines();
}

} // namespace memplan

#endif // MEMPLAN_INITALL_H
