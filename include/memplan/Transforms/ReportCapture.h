//===- ReportCapture.h - Reports of passes as text --------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TRANSFORMS_REPORTCAPTURE_H
#define MEMPLAN_TRANSFORMS_REPORTCAPTURE_H

#include "llvm/Support/raw_ostream.h"

#include <string>

namespace memplan {

/// Captures reports: while an object is alive, reports that passes of this
/// thread would print on standard error are appended to its text. Captures
/// nest; the innermost one gets the text. A module pass runs in the thread that
/// runs the pass manager even if the context has more threads, and all passes
/// that print reports are module passes.
class ReportCapture {
public:
  ReportCapture() : stream(captured), outer(current) { current = this; }
  ~ReportCapture() { current = outer; }
  ReportCapture(const ReportCapture &) = delete;
  ReportCapture &operator=(const ReportCapture &) = delete;

  const std::string &text() const { return captured; }

  /// The stream for reports without a file.
  static llvm::raw_ostream &getStream() {
    return current ? static_cast<llvm::raw_ostream &>(current->stream)
                   : llvm::errs();
  }

private:
  std::string captured;
  llvm::raw_string_ostream stream;
  ReportCapture *outer;
  static thread_local ReportCapture *current;
};

} // namespace memplan

#endif // MEMPLAN_TRANSFORMS_REPORTCAPTURE_H
