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
//   alignment                       bytes, a power of two; empty means 1; as
//   it,
//                                   each other number that a buffer has
//                                   (Buffer::fields)
//   offset                          a pin; empty means none
//   ranges                          further live ranges, "9-12 15-20", each
//                                   half-open; empty means none
//   gaps                            parts of [lower, upper) in which it is not
//                                   live, "9-12 15-20"; empty means none
//   soft                            soft conflicts with other buffers and their
//                                   weights, "b:3 c:1"; each pair once
//   soft_banks                      the same for buffers in one bank
//   all_or_none                     the other buffers of pairs of all or none,
//                                   "b c"; each pair once
//
// The column names of google/minimalloc are accepted as well: buffer and
// buffer_id mean id, begin and start mean lower, and end means upper, except
// that end and the ends of gaps are then inclusive: the last time at which the
// buffer is live. Its column hint is ignored; its gaps with windows are an
// error. A byte order mark at the start is skipped.
//
// Numbers are decimal and not negative. Lines may end in CR LF; empty lines are
// skipped. A field may be quoted ("a,b", a quote doubled).
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_CORE_CSV_H
#define MEMPLAN_CORE_CSV_H

#include "memplan/Core/Plan.h"
#include "memplan/Core/Problem.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan {

/// The position and the reason of a read error.
struct CsvError {
  /// 1-based; 0 if the error is not about one line.
  size_t line = 0;
  std::string message;
};

/// Whether the `offset` column pins buffers or holds a plan.
enum class CsvOffsets { Pins, Plan };

/// Reads a problem. Columns that it does not know are ignored, and named in
/// `ignored`, except those whose name nearly is that of a missing column.
/// Rejects missing, misspelt and repeated columns, lines with
/// too few or too many fields (so also a file that is cut off inside a line),
/// numbers that are malformed, negative or beyond int64, empty and overlapping
/// ranges, alignments that are not powers of two, and duplicate ids. With
/// CsvOffsets::Plan every line must have an offset; the offsets go to `plan`,
/// and plan.arenaSize becomes the highest end of a buffer. The arena alignment
/// becomes the largest alignment, and the bank size `bankSize`. Returns false
/// and sets `error` if the text is rejected. O(n).
bool parseCsv(std::string_view text, CsvOffsets offsets, Problem &problem,
              Plan &plan, CsvError &error,
              std::optional<int64_t> bankSize = std::nullopt,
              std::vector<std::string> *ignored = nullptr);

/// What of the problem CSV cannot state, as a clause such as "has 2 conflicts
/// and 1 overlaps"; empty if there is nothing. A capacity and a bank
/// size are properties of the memory, which options state.
std::string whyNotCsv(const Problem &problem);

/// The problem with an `offset` column for the plan, in a form that parseCsv
/// reads back, as pins or as a plan, if whyNotCsv allows it. Optional columns
/// are left out if every buffer has the default.
std::string formatCsv(const Problem &problem, const Plan &plan);

} // namespace memplan

#endif // MEMPLAN_CORE_CSV_H
