//===- Output.cpp - Output files of passes --------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Output.h"

#include "memplan/Report/Picture.h"
#include "memplan/Transforms/ReportCapture.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
namespace fs = llvm::sys::fs;

/// Writes the text and closes the stream, which may be the first to report a
/// full disk.
static std::error_code writeAndClose(llvm::raw_fd_ostream &os, StringRef text) {
  os << text;
  os.close();
  std::error_code error = os.error();
  os.clear_error();
  return error;
}

/// Writes a temporary file beside `path` and renames it to `path`.
static std::error_code replaceFile(StringRef path, StringRef text) {
  int handle;
  SmallString<128> name;
  if (std::error_code error =
          fs::createUniqueFile(path + ".%%%%%%", handle, name, fs::OF_None,
                               fs::all_read | fs::all_write))
    return error;
  llvm::raw_fd_ostream os(handle, /*shouldClose=*/true);
  std::error_code error = writeAndClose(os, text);
  if (!error)
    error = fs::rename(name, path);
  if (error)
    (void)fs::remove(name);
  return error;
}

static std::error_code writeFile(StringRef path, StringRef text) {
  if (path == "-") {
    llvm::outs() << text;
    llvm::outs().flush();
    return {};
  }
  fs::file_status status;
  bool isThere = !fs::status(path, status);
  if (isThere && !fs::is_regular_file(status)) {
    // A device or a pipe is written to, not replaced.
    std::error_code error;
    llvm::raw_fd_ostream os(path, error);
    return error ? error : writeAndClose(os, text);
  }
  // Replaces the target of a link, not the link.
  SmallString<128> target(path);
  if (isThere && fs::real_path(path, target))
    target = path;
  return replaceFile(target, text);
}

LogicalResult
memplan::writeOutput(StringRef path, Location loc,
                     llvm::function_ref<void(llvm::raw_ostream &)> print) {
  if (path.empty()) {
    print(ReportCapture::getStream());
    return success();
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os);
  if (std::error_code error = writeFile(path, text))
    return emitError(loc) << "cannot write '" << path
                          << "': " << error.message();
  return success();
}

std::string memplan::formatReport(ReportFormat format, const Report &report) {
  switch (format) {
  case ReportFormat::None:
    return "";
  case ReportFormat::Text:
    return formatText(report);
  case ReportFormat::Json:
    return formatJson(report);
  case ReportFormat::Html:
    return formatHtml(report);
  case ReportFormat::Svg:
    return formatSvg(report);
  }
  return "";
}
