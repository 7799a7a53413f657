//===- Pinwheels.h - Rectangles cut into five pieces ---------- -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rectangle can be cut into smaller rectangles such that no cut goes from one
// side to the opposite one. That takes at least five pieces, and five pieces
// always lie like this (a pinwheel) or mirrored:
//
//      bytes
//        ^   +-------+---------------+
//        |   |       |    fourth     |
//        |   | first +--------+------+
//        |   |       | middle |      |
//        |   +-------+--------+ third|
//        |   |     second     |      |
//        |   +----------------+------+
//        +--------------------------------> time
//
// `fourth` and `middle` begin when `first` ends, and the sum of their sizes is
// the size of `first`. `second` and `middle` end when `third` begins, and the
// sum of their sizes is the size of `third`. Buffers seldom satisfy all of
// these equalities by chance. If one of the five pieces is missing, the other
// four still satisfy enough of them to be recognized.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_PINWHEELS_H
#define MEMPLAN_LIB_CORE_PINWHEELS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace memplan::detail {

/// A buffer of `size` bytes that is live at the times [begin, end).
struct Rectangle {
  int64_t begin, end;
  int64_t size;
};

struct Pinwheel {
  enum Piece : size_t { First, Second, Third, Fourth, Middle };
  static constexpr uint32_t missing = UINT32_MAX;
  /// Indices of rectangles, or `missing`.
  std::array<uint32_t, 5> pieces;
  /// The rectangle that the five pieces cover.
  Rectangle whole;
  /// Bytes from the offset of `whole` to that of each piece.
  std::array<int64_t, 5> offsets;
};

/// The pinwheels with all five pieces among the rectangles, which must not be
/// empty. Two pinwheels with a common rectangle are ambiguous, and both are
/// left out. If more than 32 rectangles begin (or end) at one time, the search
/// ignores those that begin (or end) there. O(n log n) if only a few rectangles
/// begin or end at any time.
std::vector<Pinwheel> findPinwheels(const std::vector<Rectangle> &rectangles);

/// As findPinwheels, but exactly one piece is missing. A pinwheel is left out
/// if other rectangles may fill the place of the missing piece: if one that is
/// live only during its time, and is not larger, begins or ends with it.
std::vector<Pinwheel>
findBrokenPinwheels(const std::vector<Rectangle> &rectangles);

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_PINWHEELS_H
