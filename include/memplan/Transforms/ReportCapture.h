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

/// While one is alive, reports that passes of this thread would print on
/// standard error are appended to its text. They nest. Passes of a context that
/// has threads run in this one, too, if they are passes on modules, as all that
/// report are.
class ReportCapture {
public:
  ReportCapture() : stream(captured), outer(current) { current = this; }
  ~ReportCapture() { current = outer; }
  ReportCapture(const ReportCapture &) = delete;
  ReportCapture &operator=(const ReportCapture &) = delete;

  const std::string &text() const { return captured; }

  /// Where reports without a file go.
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
