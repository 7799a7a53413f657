//===- Components.h - Components of a problem -------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The components of a problem, between which no buffer is live and which are
// solved independently.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_COMPONENTS_H
#define MEMPLAN_LIB_CORE_COMPONENTS_H

#include "Model/Model.h"

#include <vector>

namespace memplan::detail {

/// The buffers of size > 0 by component; components are in the order of time,
/// the buffers of a component by index. Buffers with a conflict or a permitted
/// overlap are in the same component. O(n log n).
std::vector<std::vector<BufferIndex>> findComponents(const Model &model);

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_COMPONENTS_H
