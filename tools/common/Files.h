//===- Files.h - Whole files in and out -------------------------*- C++ -*-===//
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

/// Reads the file, or standard input for "-". False when it cannot, with the
/// system's reason.
bool readAll(const std::string &path, std::string &text, std::string &reason);

/// Writes the file, or standard output for "-": as a whole, or not at all where
/// the path is that of a regular file or of none. False when it cannot, also
/// when the disk is full, with the system's reason.
bool writeAll(const std::string &path, const std::string &text,
              std::string &reason);

/// The path as messages show it.
std::string displayName(const std::string &path);

} // namespace memplan::tool

#endif // MEMPLAN_TOOLS_COMMON_FILES_H
