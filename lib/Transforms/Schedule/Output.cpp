//===- Output.cpp - Where reports of passes go ----------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schedule/Output.h"

#include "memplan/Transforms/ReportCapture.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Support/FileUtilities.h"

#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

LogicalResult
memplan::writeOutput(StringRef path, Location loc,
                     llvm::function_ref<void(llvm::raw_ostream &)> print) {
  if (path.empty()) {
    print(ReportCapture::getStream());
    return success();
  }
  std::string message;
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(path, &message);
  if (!file)
    return emitError(loc) << "cannot write the report: " << message;
  print(file->os());
  file->keep();
  return success();
}
