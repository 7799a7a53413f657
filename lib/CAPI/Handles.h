//===- Handles.h - The handle types of the C API ----------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CAPI_HANDLES_H
#define MEMPLAN_LIB_CAPI_HANDLES_H

#include "memplan-c/Graph.h"
#include "memplan/Core/Problem.h"
#include "memplan/Graph/OpGraph.h"

#include <optional>
#include <string_view>

struct MemplanProblem {
  memplan::Problem problem;
};

struct MemplanGraph {
  memplan::graph::OpGraph graph;
  memplan::graph::Schedule schedule;
};

namespace memplan::capi {

/// The text, or std::nullopt if it is NULL but its length is not 0.
inline std::optional<std::string_view> viewText(const char *text,
                                                size_t length) {
  if (!text && length)
    return std::nullopt;
  return std::string_view(text ? text : "", length);
}

} // namespace memplan::capi

#endif // MEMPLAN_LIB_CAPI_HANDLES_H
