//===- Files.h - Reading and writing whole files ----------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TOOLS_COMMON_FILES_H
#define MEMPLAN_TOOLS_COMMON_FILES_H

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

/// The path for messages; "-" becomes "<stdin>".
std::string displayName(const std::string &path);

} // namespace memplan::tool

#endif // MEMPLAN_TOOLS_COMMON_FILES_H
