//===- Interruption.h - Signals during a solve ------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TOOLS_COMMON_INTERRUPTION_H
#define MEMPLAN_TOOLS_COMMON_INTERRUPTION_H

#include <atomic>

namespace memplan::tool {

/// While it exists, the first SIGINT (Ctrl-C) or SIGTERM (timeout, kill) ends
/// the search, so that the best plan so far can be written; a second one ends
/// the process as usual. A process that ignores one goes on ignoring it. At
/// most one at a time.
class Interruption {
public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption &) = delete;
  Interruption &operator=(const Interruption &) = delete;

  /// True once a signal has come; a search ends when it is.
  const std::atomic<bool> &flag() const;
  bool hasCome() const { return flag().load(); }
};

} // namespace memplan::tool

#endif // MEMPLAN_TOOLS_COMMON_INTERRUPTION_H
