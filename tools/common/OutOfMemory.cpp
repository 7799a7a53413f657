//===- OutOfMemory.cpp - The end of a tool without memory -----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/OutOfMemory.h"

#include <cstring>
#include <initializer_list>
#include <new>
#include <unistd.h>

using namespace memplan;

static const char *toolName;

void tool::exitWithoutMemory(const char *tool) {
  for (const char *text : {tool, ": error: out of memory\n"})
    if (write(STDERR_FILENO, text, std::strlen(text)) < 0)
      break;
  _exit(3);
}

void tool::exitIfOutOfMemory(const char *tool) {
  toolName = tool;
  std::set_new_handler([] { exitWithoutMemory(toolName); });
}
