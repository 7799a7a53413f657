//===- Version.h - The version of the library -------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_CORE_VERSION_H
#define MEMPLAN_CORE_VERSION_H

#include <string_view>

namespace memplan {

/// "major.minor.patch" of the linked library, e.g. "0.1.0"; data() is
/// null-terminated.
std::string_view version();

} // namespace memplan

#endif // MEMPLAN_CORE_VERSION_H
