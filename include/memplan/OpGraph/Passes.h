//===- Passes.h - Passes on op graphs of programs ---------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_OPGRAPH_PASSES_H
#define MEMPLAN_OPGRAPH_PASSES_H

#include "memplan/Graph/Partition.h"
#include "memplan/Graph/Reorder.h"
#include "memplan/Transforms/Passes.h"

namespace memplan {

#define GEN_PASS_DECL
#include "memplan/OpGraph/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "memplan/OpGraph/Passes.h.inc"

} // namespace memplan

#endif // MEMPLAN_OPGRAPH_PASSES_H
