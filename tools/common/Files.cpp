//===- Files.cpp - Reading and writing whole files ------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

using namespace memplan;

bool tool::readAll(const std::string &path, std::string &text,
                   std::string &reason) {
  errno = 0;
  FILE *file = path == "-" ? stdin : std::fopen(path.c_str(), "rb");
  if (!file) {
    reason = std::strerror(errno);
    return false;
  }
  char buffer[1 << 16];
  size_t count;
  while ((count = std::fread(buffer, 1, sizeof(buffer), file)) > 0)
    text.append(buffer, count);
  bool isRead = !std::ferror(file);
  if (!isRead)
    reason = std::strerror(errno);
  if (file != stdin)
    std::fclose(file);
  constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
  if (text.compare(0, byteOrderMark.size(), byteOrderMark) == 0)
    text.erase(0, byteOrderMark.size());
  return isRead;
}

/// Writes the text and closes the file unless it is standard output; on failure
/// errno has the reason. The file is closed here, as a full disk may be
/// reported only then.
static bool writeAndClose(FILE *file, const std::string &text) {
  bool isWritten =
      std::fwrite(text.data(), 1, text.size(), file) == text.size();
  int error = errno;
  bool isClosed = (file == stdout ? std::fflush(file) : std::fclose(file)) == 0;
  if (!isWritten)
    errno = error;
  return isWritten && isClosed;
}

/// Writes a file in the same directory and renames it to `path`. `rights`
/// become its permissions.
static bool replaceFile(const std::string &path, const std::string &text,
                        mode_t rights) {
  // mkstemp() replaces the last six characters.
  std::string name = path + "." + std::string(6, 'X');
  int handle = mkstemp(name.data());
  if (handle < 0)
    return false;
  FILE *file = fdopen(handle, "wb");
  bool isDone = fchmod(handle, rights) == 0 && writeAndClose(file, text) &&
                std::rename(name.c_str(), path.c_str()) == 0;
  int error = errno;
  if (!isDone)
    unlink(name.c_str());
  errno = error;
  return isDone;
}

/// The file that is written if `path` is: the target of a symbolic link.
static std::string targetOf(const std::string &path) {
  std::error_code error;
  std::string target = std::filesystem::canonical(path, error).string();
  return error ? path : target;
}

bool tool::writeAll(const std::string &path, const std::string &text,
                    std::string &reason) {
  errno = 0;
  bool isWritten = false;
  struct stat before;
  if (path == "-") {
    isWritten = writeAndClose(stdout, text);
  } else if (stat(path.c_str(), &before) == 0 && !S_ISREG(before.st_mode)) {
    // A device or a pipe is written directly, not replaced.
    FILE *file = std::fopen(path.c_str(), "wb");
    isWritten = file && writeAndClose(file, text);
  } else {
    bool isNew = errno != 0;
    mode_t mask = umask(0);
    umask(mask);
    isWritten = replaceFile(isNew ? path : targetOf(path), text,
                            isNew ? 0666 & ~mask : before.st_mode & 07777);
  }
  if (!isWritten)
    reason = std::strerror(errno);
  return isWritten;
}

tool::ReplacedFile::ReplacedFile(const std::string &path)
    : target(path), written(path) {
  struct stat before;
  if (path == "-")
    return;
  if (stat(path.c_str(), &before) == 0) {
    if (!S_ISREG(before.st_mode))
      return;
    target = targetOf(path);
    rights = before.st_mode & 07777;
  }
  std::string folder = std::filesystem::path(target).parent_path().string();
  if (access(folder.empty() ? "." : folder.c_str(), W_OK) == 0)
    written = target + "." + std::to_string(getpid()) + ".tmp";
}

tool::ReplacedFile::~ReplacedFile() {
  if (written != target)
    unlink(written.c_str());
}

bool tool::ReplacedFile::finish(std::string &reason) {
  if (written == target || access(written.c_str(), F_OK) != 0)
    return true;
  if ((rights < 0 ||
       chmod(written.c_str(), static_cast<mode_t>(rights)) == 0) &&
      std::rename(written.c_str(), target.c_str()) == 0)
    return true;
  reason = std::strerror(errno);
  return false;
}

std::string tool::nameFile(const std::string &path, const char *standard) {
  return path == "-" ? standard : "'" + path + "'";
}

std::string tool::displayName(const std::string &path) {
  return path == "-" ? "<stdin>" : path;
}

void tool::printError(const std::string &where, const std::string &message) {
  std::string text = where, line;
  text.append(": error: ").append(message);
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if ((byte >= 0x20 && byte != 0x7f) || c == '\n' || c == '\t') {
      line += c;
      continue;
    }
    constexpr char digits[] = "0123456789abcdef";
    line += {'\\', 'x', digits[byte / 16], digits[byte % 16]};
  }
  std::fprintf(stderr, "%s\n", line.c_str());
}
