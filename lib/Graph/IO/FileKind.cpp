//===- FileKind.cpp - What a file without an op graph is ------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IO/FileKind.h"

using namespace memplan::graph;

/// The kind of a file is looked for in so many bytes.
constexpr size_t maxHead = 4096;

std::string memplan::graph::describeOtherKind(std::string_view text) {
  size_t begin = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  if (begin == text.npos)
    return "empty";
  std::string_view head = text.substr(begin, maxHead);
  auto has = [&](std::string_view part) {
    return head.find(part) != head.npos;
  };
  if (head.front() != '{' && head.front() != '[') {
    if (head.front() == '<')
      return "a page for browsers";
    if (has("func.func") || has("module {") || has("builtin.module"))
      return "a program in MLIR, whose graph 'memplan-opt "
             "--memplan-export-graph' writes";
    std::string_view first = head.substr(0, head.find('\n'));
    if (first.find("lower,upper") != first.npos ||
        first.find(",size") != first.npos)
      return "a planning problem, which 'memplan-solve' reads";
    if (first.find("event,pointer") != first.npos)
      return "a trace, which 'memplan-graph plan --trace=csv' reads";
    return "";
  }
  if (has("\"memplan.opgraph\""))
    return "";
  if (has("\"arenas\"") || has("\"slots\"") || has("\"buffers\""))
    return "a planning problem or a plan, which 'memplan-solve' reads";
  if (has("\"memplan."))
    return "a report, which no tool reads";
  return "";
}
