//===- Csv.h - Problems and plans as CSV ---------------------- -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problems and plans as comma-separated text. The first line names the columns,
// in any order:
//
//   id,lower,upper,size             required; live on [lower, upper)
//   alignment                       bytes, a power of two; empty means 1
//   offset                          a pin; empty means none
//   ranges                          further live ranges, "9-12 15-20", each
//                                   half-open; empty means none
//
//   gaps                            times in the range at which it is not
//                                   live, "9-12 15-20"; empty means none
//
// The names that google/minimalloc takes besides say the same: buffer and
// buffer_id are id, begin and start are lower, and end is upper, but the last
// time at which the buffer is live (as are the ends of gaps then). A byte order
// mark at the start is skipped.
//
// Numbers are decimal and not negative. Lines may end in CR LF; empty lines are
// skipped. A field may be quoted ("a,b", a quote doubled).
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_CORE_CSV_H
#define MEMPLAN_CORE_CSV_H

#include "memplan/Core/Plan.h"
#include "memplan/Core/Problem.h"

#include <string>
#include <string_view>

namespace memplan {

/// Where and why a text could not be read.
struct CsvError {
  /// 1-based; 0 when the text as a whole is at fault.
  size_t line = 0;
  std::string message;
};

/// Whether the `offset` column pins buffers or holds a plan.
enum class CsvOffsets { Pins, Plan };

/// Reads a problem. Refuses missing, unknown and repeated columns, lines with
/// too few or too many fields (also a last line without a line end that is cut
/// short), numbers that are malformed, negative or beyond int64, empty and
/// overlapping ranges, alignments that are not powers of two, and duplicate
/// ids. With CsvOffsets::Plan every line must have an offset, and the offsets
/// go to `plan` with the arena size they imply. The arena alignment becomes the
/// largest alignment. False with `error` set when the text is refused. O(n).
bool parseCsv(std::string_view text, CsvOffsets offsets, Problem &problem,
              Plan &plan, CsvError &error);

/// The problem's columns with an `offset` for every buffer; parseCsv reads it
/// back, as pins or as a plan. Optional columns appear where they say
/// something.
std::string formatCsv(const Problem &problem, const Plan &plan);

} // namespace memplan

#endif // MEMPLAN_CORE_CSV_H
