//===- Pinwheels.h - Five rectangles that make one ------------ -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rectangle cut into rectangles, but nowhere from one side to the other, has
// five pieces or more. Five always lie like this, or mirrored:
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
// `fourth` and `middle` begin when `first` ends and have its bytes together;
// `second` and `middle` end when `third` begins and have its bytes together.
// Buffers seldom satisfy all of these equalities by chance. Where one of the
// five is missing, the other four still satisfy enough of them.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_PINWHEELS_H
#define MEMPLAN_LIB_CORE_PINWHEELS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace memplan::detail {

/// Live at the times [begin, end), of `size` bytes.
struct Rectangle {
  int64_t begin, end;
  int64_t size;
};

struct Pinwheel {
  enum Piece : size_t { First, Second, Third, Fourth, Middle };
  static constexpr uint32_t missing = UINT32_MAX;
  /// Indices of rectangles, or `missing`.
  std::array<uint32_t, 5> pieces;
  /// What the five make.
  Rectangle whole;
  /// Bytes from the offset of `whole` to that of each piece.
  std::array<int64_t, 5> offsets;
};

/// The pinwheels of all five pieces among the rectangles, none of which is
/// empty. Those with a rectangle in common with another are ambiguous and left
/// out. Times at which more than 32 rectangles begin or end are not looked at.
/// O(n log n) where no more than a few begin or end at any time.
std::vector<Pinwheel> findPinwheels(const std::vector<Rectangle> &rectangles);

/// The same with four pieces, where the fifth seems to be no rectangle nor any
/// number of them: of those that are live in its time only, none that fits
/// begins or ends with it.
std::vector<Pinwheel>
findBrokenPinwheels(const std::vector<Rectangle> &rectangles);

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_PINWHEELS_H
