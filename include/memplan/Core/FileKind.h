//===- FileKind.h - What a file is ------------------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_CORE_FILEKIND_H
#define MEMPLAN_CORE_FILEKIND_H

#include <string>
#include <string_view>

namespace memplan {

/// The kinds of files that the tools read.
enum class FileKind {
  Unknown,
  Empty,
  Program,
  /// A problem as CSV, or problems and plans as JSON.
  Problem,
  Graph,
  Trace,
  /// A memory snapshot of PyTorch as it writes it.
  Pickle,
  Page,
  OtherReport
};

/// Guesses from the first bytes of the text; for errors, after reading failed.
FileKind guessFileKind(std::string_view text);

/// What a file of the kind is, and what reads it: "a trace, which
/// 'memplan-graph plan --trace=auto' reads"; empty for FileKind::Unknown.
std::string describeFileKind(FileKind kind);

} // namespace memplan

#endif // MEMPLAN_CORE_FILEKIND_H
