//===- Files.cpp - Whole files in and out ---------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Files.h"

#include <cstdio>

using namespace memplan;

bool tool::readAll(const std::string &path, std::string &text) {
  FILE *file = path == "-" ? stdin : std::fopen(path.c_str(), "rb");
  if (!file)
    return false;
  char buffer[1 << 16];
  size_t count;
  while ((count = std::fread(buffer, 1, sizeof(buffer), file)) > 0)
    text.append(buffer, count);
  bool isRead = !std::ferror(file);
  if (file != stdin)
    std::fclose(file);
  return isRead;
}

bool tool::writeAll(const std::string &path, const std::string &text) {
  FILE *file = path == "-" ? stdout : std::fopen(path.c_str(), "wb");
  if (!file)
    return false;
  bool isWritten =
      std::fwrite(text.data(), 1, text.size(), file) == text.size();
  // A full disk shows only when the last bytes leave.
  isWritten &= (file == stdout ? std::fflush(file) : std::fclose(file)) == 0;
  return isWritten;
}

std::string tool::displayName(const std::string &path) {
  return path == "-" ? "<stdin>" : path;
}
