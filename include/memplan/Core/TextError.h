//===- TextError.h - Errors in text files -----------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_CORE_TEXTERROR_H
#define MEMPLAN_CORE_TEXTERROR_H

#include <cstddef>
#include <string>
#include <string_view>

namespace memplan {

/// The position and the reason of a read error.
struct TextError {
  /// 1-based; 0 if the error is not about one line.
  size_t line = 0;
  /// 1-based, in bytes.
  size_t column = 0;
  /// Lower case, no full stop.
  std::string message;
};

/// The error at a byte offset of the text.
TextError textErrorAt(std::string_view text, size_t position,
                      std::string message);

} // namespace memplan

#endif // MEMPLAN_CORE_TEXTERROR_H
