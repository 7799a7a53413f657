//===- Components.h - Problems within a problem --------------- -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problems within a problem: the parts between points in time where nothing is
// live, which share nothing and are solved one by one, and any other selection
// of buffers.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_COMPONENTS_H
#define MEMPLAN_LIB_CORE_COMPONENTS_H

#include "Model/Model.h"

#include <vector>

namespace memplan::detail {

/// The non-empty buffers by component, in the order of time; within one by
/// index. Buffers in conflict are in one component. O(n log n).
std::vector<std::vector<BufferIndex>> findComponents(const Model &model);

/// The problem of these buffers alone, with the relations among them, in their
/// order.
Problem selectBuffers(const Problem &problem,
                      const std::vector<BufferIndex> &buffers);

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_COMPONENTS_H
