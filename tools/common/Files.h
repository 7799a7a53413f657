//===- Files.h - Reading and writing whole files ----------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TOOLS_COMMON_FILES_H
#define MEMPLAN_TOOLS_COMMON_FILES_H

#include <cstdint>
#include <string>

namespace memplan::tool {

/// Reads the file, or standard input for "-". On failure returns false and sets
/// `reason` to the system's message.
bool readAll(const std::string &path, std::string &text, std::string &reason);

/// Writes the file, or standard output for "-". A regular file is written as a
/// whole or stays unchanged. On failure, also if the disk is full, returns
/// false and sets `reason` to the system's message.
bool writeAll(const std::string &path, const std::string &text,
              std::string &reason);

/// A file that another library writes, by name. If it is a regular one, it is
/// written beside `path` and then renamed, so that it is written as a whole or
/// stays unchanged; name() is `path` if it is not, or if the folder is
/// read-only.
class ReplacedFile {
public:
  explicit ReplacedFile(const std::string &path);
  /// Removes what was written, unless finish() was called.
  ~ReplacedFile();
  ReplacedFile(const ReplacedFile &) = delete;
  ReplacedFile &operator=(const ReplacedFile &) = delete;

  /// The file to write.
  const std::string &name() const { return written; }
  /// Does nothing if no file was written. On failure returns false and sets
  /// `reason` to the system's message.
  bool finish(std::string &reason);

private:
  std::string target, written;
  /// The permissions of the file that is replaced; -1 for a new one.
  int64_t rights = -1;
};

/// The path in quotes for messages, or `standard` for "-".
std::string nameFile(const std::string &path, const char *standard);

/// The path for messages; "-" becomes "<stdin>".
std::string displayName(const std::string &path);

/// Prints "WHERE: error: MESSAGE" to standard error. Control characters, which
/// may come from a file or the command line, are printed as "\x1b".
void printError(const std::string &where, const std::string &message);

} // namespace memplan::tool

#endif // MEMPLAN_TOOLS_COMMON_FILES_H
