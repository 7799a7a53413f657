//===- FuzzParse.cpp - The dialect as text
//-----------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Programs and problems as text. What is read and printed is read again as the
// same; problems that are read can be solved, and programs planned. The
// verifier may refuse the plan of a program that uses memory wrongly.

#include "Bytes.h"
#include "Programs.h"

#include "memplan/IR/Memplan.h"

#include <algorithm>

using namespace mlir;
using namespace memplan;
using namespace memplan::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // Neither dense constants nor deep nests are of interest: they end in MLIR.
  // Nor are texts that contain what is taken for a finding in a message.
  std::string text(reinterpret_cast<const char *>(data), size);
  if (text.find("defect of the strategy") != std::string::npos ||
      std::count(text.begin(), text.end(), '{') > 40 ||
      std::count(text.begin(), text.end(), '<') > 40)
    return 0;
  std::string errors;
  OwningOpRef<ModuleOp> module = parse(text, errors, getContext());
  if (!module) {
    require(!errors.empty(), "a text is refused without an error");
    return 0;
  }
  std::string printed = print(*module);
  // MLIR accepts other symbols without a name, but cannot print them.
  if (printed.find("<<INVALID EMPTY SYMBOL>>") != std::string::npos)
    return 0;
  OwningOpRef<ModuleOp> again = parse(printed, errors, *module->getContext());
  require(again && print(*again) == printed,
          "a printed program is read as another one");
  errors.clear();
  bool hasProblem = false;
  module->walk([&](ProblemOp) { hasProblem = true; });
  (void)run(*module,
            hasProblem ? "memplan-solve{strategy=greedy}"
                       : "plan-memory{strategy=greedy}",
            errors);
  (void)run(*again, "memplan-verify", errors);
  return 0;
}
