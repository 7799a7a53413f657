//===- ByteSize.h - Numbers of bytes with suffixes --------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_CORE_BYTESIZE_H
#define MEMPLAN_CORE_BYTESIZE_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace memplan {

/// Parses a number of bytes: "4096", "64K", "1M", "2G" or "1T", a decimal
/// number times a power of 1024. "KiB", "MiB", ... are the same suffixes;
/// letters may be of either case. Returns std::nullopt for any other text, for
/// negative numbers, and if the result does not fit into int64.
std::optional<int64_t> parseByteSize(std::string_view text);

} // namespace memplan

#endif // MEMPLAN_CORE_BYTESIZE_H
