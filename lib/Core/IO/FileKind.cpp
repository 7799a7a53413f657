//===- FileKind.cpp - What a file is --------------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Core/FileKind.h"

using namespace memplan;

/// The kind of a file is looked for in so many bytes.
constexpr size_t maxHead = 4096;

FileKind memplan::guessFileKind(std::string_view text) {
  // Pickles of all protocols in use begin with this byte.
  if (!text.empty() && text.front() == '\x80')
    return FileKind::Pickle;
  size_t begin = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  if (begin == text.npos)
    return FileKind::Empty;
  std::string_view head = text.substr(begin, maxHead);
  auto has = [&](std::string_view part) {
    return head.find(part) != head.npos;
  };
  if (head.front() != '{' && head.front() != '[') {
    if (head.front() == '<')
      return FileKind::Page;
    if (has("func.func") || has("module {") || has("builtin.module"))
      return FileKind::Program;
    std::string_view first = head.substr(0, head.find('\n'));
    if (first.find("lower,upper") != first.npos ||
        first.find(",size") != first.npos)
      return FileKind::Problem;
    if (first.find("event,pointer") != first.npos)
      return FileKind::Trace;
    return FileKind::Unknown;
  }
  if (has("\"memplan.opgraph\""))
    return FileKind::Graph;
  if (has("\"device_traces\""))
    return FileKind::Trace;
  if (has("\"arenas\"") || has("\"slots\"") || has("\"buffers\""))
    return FileKind::Problem;
  return has("\"memplan.") ? FileKind::OtherReport : FileKind::Unknown;
}

std::string memplan::describeFileKind(FileKind kind) {
  switch (kind) {
  case FileKind::Unknown:
    return "";
  case FileKind::Empty:
    return "empty";
  case FileKind::Program:
    return "a program in MLIR, which 'memplan-opt --plan-memory' plans and "
           "whose graph 'memplan-opt --memplan-export-graph' writes";
  case FileKind::Problem:
    return "a planning problem or a plan, which 'memplan-solve' reads";
  case FileKind::Graph:
    return "an op graph, which 'memplan-graph plan' plans";
  case FileKind::Trace:
    return "a trace, which 'memplan-graph plan --trace=auto' reads";
  case FileKind::Pickle:
    return "a pickle; 'python -m memplan trace' makes a trace of a memory "
           "snapshot of PyTorch";
  case FileKind::Page:
    return "a page for browsers";
  case FileKind::OtherReport:
    return "a report, which no tool reads";
  }
  return "";
}
