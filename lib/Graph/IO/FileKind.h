//===- FileKind.h - What a file without an op graph is ----------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_GRAPH_IO_FILEKIND_H
#define MEMPLAN_LIB_GRAPH_IO_FILEKIND_H

#include <string>
#include <string_view>

namespace memplan::graph {

/// What the text is, if it is a known file but no op graph, and what reads it:
/// "a trace, which 'memplan-graph plan --trace=csv' reads"; otherwise empty.
std::string describeOtherKind(std::string_view text);

} // namespace memplan::graph

#endif // MEMPLAN_LIB_GRAPH_IO_FILEKIND_H
