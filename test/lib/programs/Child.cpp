//===- Child.cpp - Work in a child process ------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Child.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace memplan::test;

bool ChildResult::timedOut() const { return status == -SIGALRM; }

std::string ChildResult::describe() const {
  if (timedOut())
    return "no end within the time limit";
  if (status < 0)
    return "ended by signal " + std::to_string(-status) + " (" +
           strsignal(-status) + ")";
  return "exit status " + std::to_string(status);
}

namespace {

/// A file in memory.
class MemoryFile {
public:
  explicit MemoryFile(llvm::StringRef content = "")
      : descriptor(memfd_create("memplan", MFD_CLOEXEC)) {
    if (descriptor < 0)
      llvm::report_fatal_error("cannot make a file in memory");
    while (!content.empty()) {
      ssize_t written = ::write(descriptor, content.data(), content.size());
      if (written <= 0)
        llvm::report_fatal_error("cannot write a file in memory");
      content = content.drop_front(written);
    }
    lseek(descriptor, 0, SEEK_SET);
  }
  ~MemoryFile() { close(descriptor); }
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile &operator=(const MemoryFile &) = delete;

  /// Makes the file the standard stream `stream` of this process.
  void install(int stream) const { dup2(descriptor, stream); }

  std::string read() const {
    std::string content(lseek(descriptor, 0, SEEK_END), '\0');
    size_t done = 0;
    while (done < content.size()) {
      ssize_t count =
          pread(descriptor, &content[done], content.size() - done, done);
      if (count <= 0)
        break;
      done += count;
    }
    content.resize(done);
    return content;
  }

private:
  int descriptor;
};

} // namespace

static void flushAll() {
  llvm::outs().flush();
  std::cout.flush();
  fflush(nullptr);
}

ChildResult memplan::test::runInChild(llvm::function_ref<int()> work,
                                      unsigned seconds, llvm::StringRef input) {
  MemoryFile in(input), out, error;
  // What is in a buffer now would be written by both processes.
  flushAll();
  pid_t child = fork();
  if (child < 0)
    llvm::report_fatal_error("cannot fork");
  if (child == 0) {
    in.install(STDIN_FILENO);
    out.install(STDOUT_FILENO);
    error.install(STDERR_FILENO);
    // A busy machine may be slow, and a program may wait for what never comes.
    rlimit processorTime = {seconds, seconds};
    setrlimit(RLIMIT_CPU, &processorTime);
    signal(SIGALRM, SIG_DFL);
    alarm(10 * seconds);
    int status = work();
    flushAll();
    _exit(status);
  }
  int state = 0;
  while (waitpid(child, &state, 0) < 0 && errno == EINTR) {
  }
  ChildResult result;
  result.status = WIFSIGNALED(state) ? -WTERMSIG(state) : WEXITSTATUS(state);
  if (result.status == -SIGXCPU || result.status == -SIGKILL)
    result.status = -SIGALRM;
  result.standardOutput = out.read();
  result.standardError = error.read();
  return result;
}
