//===- CatchErrors.h - Errors of the C API ----------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CAPI_CATCHERRORS_H
#define MEMPLAN_LIB_CAPI_CATCHERRORS_H

#include "memplan-c/Core.h"

#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string>

/// Stores the message, truncated if necessary, for memplanLastError ("" for
/// MEMPLAN_OK); returns `result`. It is defined in libMemPlanC; libMemPlanMLIRC
/// calls it, too.
extern "C" MEMPLAN_C_API MemplanResult
memplanFailWith(MemplanResult result, const char *message) noexcept;

namespace memplan::capi {

inline MemplanResult badArgument(const std::string &message) {
  return memplanFailWith(MEMPLAN_BAD_ARGUMENT, message.c_str());
}

/// Runs a function that returns a MemplanResult; turns an exception into
/// MEMPLAN_NO_RESOURCES. After success there is no last error.
template <typename Function>
MemplanResult catchErrors(Function &&function) noexcept {
  try {
    MemplanResult result = function();
    return result == MEMPLAN_OK ? memplanFailWith(MEMPLAN_OK, "") : result;
  } catch (const std::bad_alloc &) {
    return memplanFailWith(MEMPLAN_NO_RESOURCES, "out of memory");
  } catch (const std::exception &error) {
    return memplanFailWith(MEMPLAN_NO_RESOURCES, error.what());
  } catch (...) {
    return memplanFailWith(MEMPLAN_NO_RESOURCES, "unknown error");
  }
}

/// A copy that memplanTextFree can free; throws std::bad_alloc.
inline char *copyText(const std::string &text) {
  char *copy = static_cast<char *>(std::malloc(text.size() + 1));
  if (!copy)
    throw std::bad_alloc();
  std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

/// Sets `*copy` to a copy of the text and `*length`, unless it is null, to its
/// length in bytes; returns MEMPLAN_OK.
inline MemplanResult returnText(const std::string &text, char **copy,
                                size_t *length) {
  *copy = copyText(text);
  if (length)
    *length = text.size();
  return MEMPLAN_OK;
}

} // namespace memplan::capi

#endif // MEMPLAN_LIB_CAPI_CATCHERRORS_H
