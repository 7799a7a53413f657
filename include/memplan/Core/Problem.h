//===- Problem.h - The offset-assignment problem ----------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The problem that every strategy solves: to place buffers, which are live on
// ranges of an integer time line, at byte offsets of one arena.
//
//   address
//     64 |        +----+          Time is half-open: a buffer with the range
//        |  +-----+ b1 |          [1, 4) is live at 1, 2 and 3. Two buffers
//     32 |  | b0  +----+----+     clash when they share a byte at a time both
//        |  +-----+ |  b2   |     are live; here b0 = [1, 4), b1 = [4, 6) and
//      0 +--1-----4-+-6-----9 t   b2 = [5, 9), so b0 and b2 may share bytes.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_CORE_PROBLEM_H
#define MEMPLAN_CORE_PROBLEM_H

#include "memplan/Core/Fields.h"
#include "memplan/Core/Formula.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memplan {

/// A half-open interval [start, end) of time points.
struct LiveRange {
  int64_t start;
  int64_t end;

  friend bool operator==(const LiveRange &a, const LiveRange &b) {
    return a.start == b.start && a.end == b.end;
  }
};

/// Sorted, disjoint, non-empty ranges. Ranges that touch are allowed
/// ([0, 2), [2, 5)); normalizeRanges merges them.
using LiveRanges = std::vector<LiveRange>;

/// Index of a buffer in Problem::buffers.
using BufferIndex = uint32_t;

struct Buffer {
  /// Names the buffer in messages and files; unique in its problem.
  std::string id;
  /// In bytes. A buffer of size 0 is allowed and clashes with none.
  int64_t size = 0;
  /// In bytes; a power of two. The buffer's offset is a multiple of it.
  int64_t alignment = 1;
  /// The times at which the buffer's contents may still be needed. Not empty.
  LiveRanges ranges;
  /// In bytes: every plan must place the buffer at this offset.
  std::optional<int64_t> pinnedOffset;
  /// In bytes: set if the size is known only when the program runs; `size` is
  /// then its value at the first hint.
  std::optional<Formula> formula;

  static constexpr auto fields() {
    return std::tuple(
        Field{"name", "sym_name", &Buffer::id, Presence::Required},
        Field{"size", "size", &Buffer::size, Presence::Required,
              Limit::NotNegative},
        Field{"formula", "formula", &Buffer::formula},
        Field{"alignment", "align", &Buffer::alignment, Presence::Written,
              Limit::PowerOfTwo, "bytes, a power of two (default 1)"},
        Field{"pin", "offset", &Buffer::pinnedOffset},
        Field{"live", "live", &Buffer::ranges, Presence::Required});
  }
};

/// The fields of a record about two buffers. `noun` names it in messages.
template <typename Pair, typename... Fields>
constexpr auto fieldsOfPair(const Fields &...more) {
  return std::tuple(
      Field{"first", "first", &Pair::first, Presence::Required},
      Field{"second", "second", &Pair::second, Presence::Required}, more...);
}

/// The two buffers must not share a byte, whatever their live ranges.
struct Conflict {
  BufferIndex first;
  BufferIndex second;

  static constexpr const char *noun = "conflict";
  static constexpr auto fields() { return fieldsOfPair<Conflict>(); }
};

/// The two buffers may share bytes although both are live, provided that
/// minDelta <= offset(second) - offset(first) <= maxDelta (bytes). In-place
/// reuse is [0, 0]; a diagonal (partial) overlap is a wider range. Outside the
/// range the pair behaves as any other: it must not share a byte while both
/// are live. An explicit Conflict of the same pair wins.
struct PermittedOverlap {
  BufferIndex first;
  BufferIndex second;
  int64_t minDelta = 0;
  int64_t maxDelta = 0;

  static constexpr const char *noun = "permitted overlap";
  static constexpr auto fields() {
    return fieldsOfPair<PermittedOverlap>(
        Field{"min_delta", "min_delta", &PermittedOverlap::minDelta,
              Presence::Written},
        Field{"max_delta", "max_delta", &PermittedOverlap::maxDelta,
              Presence::Written});
  }
};

/// Sharing that is allowed but costs `weight` (not negative), once for the
/// pair: two hardware pipes that use the same bytes wait for each other, and
/// two buffers in one memory bank are not accessed at once.
struct SoftConflict {
  /// What the two should not have in common.
  enum class Kind : uint8_t { Bytes, Bank };

  BufferIndex first;
  BufferIndex second;
  int64_t weight = 1;
  /// Bank requires a problem with a bank size.
  Kind kind = Kind::Bytes;

  static constexpr const char *noun = "soft conflict";
  static constexpr auto fields() {
    return fieldsOfPair<SoftConflict>(
        Field{"weight", "weight", &SoftConflict::weight, Presence::Written,
              Limit::NotNegative},
        Field{"of", "of_bank", &SoftConflict::kind});
  }
};

/// The two buffers begin at the same byte or share none, whatever their live
/// ranges.
struct AllOrNone {
  BufferIndex first;
  BufferIndex second;

  static constexpr const char *noun = "pair of all or none";
  static constexpr auto fields() { return fieldsOfPair<AllOrNone>(); }
};

struct Problem {
  std::vector<Buffer> buffers;
  /// The symbols of the formulas.
  SizeSymbols symbols;
  /// Values for which the arena should be small; each has one for each symbol.
  /// Without one, a small and a large value of each symbol count.
  std::vector<std::vector<int64_t>> hints;
  /// The most bytes that the arena may have; absent if the arena is to be
  /// minimised without a limit.
  std::optional<int64_t> capacity;
  /// In bytes; a power of two. The base address of the arena is aligned to it,
  /// so no buffer may have a larger alignment. The arena's size is the highest
  /// end of a buffer and is not rounded up.
  int64_t arenaAlignment = 64;
  std::vector<Conflict> conflicts;
  std::vector<PermittedOverlap> overlaps;
  /// A plan should have the least sum of the weights that it pays; of two plans
  /// with the same sum, the one with the smaller arena is better. The capacity
  /// comes before both.
  std::vector<SoftConflict> softConflicts;
  std::vector<AllOrNone> allOrNone;
  /// In bytes: a buffer must not cross a multiple of it.
  std::optional<int64_t> bankSize;
  /// In bytes, ascending multiples of the arena's alignment: a buffer must not
  /// cross a cut, because the bytes on its two sides are separate allocations.
  std::vector<int64_t> cuts;

  /// All but the buffers, and what formulas need.
  static constexpr auto fields() {
    return std::tuple(Field{"alignment", "align", &Problem::arenaAlignment,
                            Presence::Written},
                      Field{"capacity", "capacity", &Problem::capacity},
                      Field{"bank_size", "banks", &Problem::bankSize},
                      Field{"cuts", "cuts", &Problem::cuts},
                      Field{"conflicts", "", &Problem::conflicts},
                      Field{"all_or_none", "", &Problem::allOrNone},
                      Field{"soft_conflicts", "", &Problem::softConflicts},
                      Field{"overlaps", "", &Problem::overlaps});
  }
  friend bool operator==(const Problem &a, const Problem &b) {
    return a.buffers == b.buffers && a.symbols == b.symbols &&
           a.hints == b.hints && haveEqualFields(a, b);
  }
};

/// True for records of pairs that say nothing else.
template <typename Pair>
constexpr bool isBarePair = std::tuple_size_v<decltype(Pair::fields())> == 2;

/// Calls visit(field) for each field of a problem that lists pairs of buffers.
template <typename Visit> void forEachPairList(Visit &&visit) {
  forEachField<Problem>([&](const auto &field) {
    if constexpr (std::decay_t<decltype(field)>::isRecordList)
      visit(field);
  });
}

/// Calls visit(field) for each other field of a problem.
template <typename Visit> void forEachOwnField(Visit &&visit) {
  forEachField<Problem>([&](const auto &field) {
    if constexpr (!std::decay_t<decltype(field)>::isRecordList)
      visit(field);
  });
}

/// The problem of some of the buffers, in this order: with the pairs of two of
/// them, the alignment of the arena and the bank size, without capacity and
/// cuts.
Problem selectBuffers(const Problem &problem,
                      const std::vector<BufferIndex> &buffers);

/// In bytes: the highest end of a buffer at these offsets, one for each buffer
/// (not negative); INT64_MAX if one overflows.
int64_t arenaSizeOf(const Problem &problem,
                    const std::vector<int64_t> &offsets);

/// The sum of the weights that the offsets pay. Requires one offset for each
/// buffer, but the numbers may be wrong.
int64_t penaltyOf(const Problem &problem, const std::vector<int64_t> &offsets);

/// True if the size of a buffer is a formula. Its plan then has an order
/// (memplan/Core/Order.h).
bool hasFormulas(const Problem &problem);

/// Sorts the ranges and merges those that touch or overlap; drops empty ones.
void normalizeRanges(LiveRanges &ranges);

/// True if the two sorted lists of ranges have a time point in common. Linear
/// in the number of ranges.
bool rangesIntersect(const LiveRanges &a, const LiveRanges &b);

} // namespace memplan

#endif // MEMPLAN_CORE_PROBLEM_H
