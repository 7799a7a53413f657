//===- Model.h - Problems in solver form ------------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The form of a problem that the solvers use: flat arrays, sections instead of
// time points, and one list of relations (conflicts, permitted overlaps) for
// each buffer.
//
// A section is a maximal group of time points whose live sets are all contained
// in one live set: it begins where a buffer starts after another has ended. Two
// buffers are live at once exactly if their section ranges intersect.
//
//   events      S S S E E S E S S E E E      S start, E end
//   sections    |--- 0 ---|-1-|--- 2 ---|
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_MODEL_H
#define MEMPLAN_LIB_CORE_MODEL_H

#include "memplan/Core/Problem.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace memplan::detail {

/// A view of a part of a vector.
template <typename T> struct Slice {
  const T *first = nullptr;
  const T *last = nullptr;

  const T *begin() const { return first; }
  const T *end() const { return last; }
  size_t size() const { return last - first; }
  bool empty() const { return first == last; }
  const T &front() const { return *first; }
  const T &back() const { return last[-1]; }
  const T &operator[](size_t i) const { return first[i]; }
};

/// Sections [begin, end).
struct SectionRange {
  uint32_t begin;
  uint32_t end;
};

/// A conflict or a permitted overlap of a buffer (`this`) with another one.
struct Relation {
  BufferIndex other;
  /// A conflict: the two never share bytes, and the deltas have no meaning.
  bool isConflict;
  /// In bytes: sharing is allowed if offset(this) - offset(other) is in
  /// [minDelta, maxDelta]. Clamped to the differences at which the two can
  /// share or touch.
  int64_t minDelta;
  int64_t maxDelta;
};

/// Requires a problem that check() accepts; the problem must outlive the model.
class Model {
public:
  explicit Model(const Problem &problem);

  uint32_t size() const { return static_cast<uint32_t>(rows.size()); }
  uint32_t numSections() const { return sectionCount; }
  int64_t sizeOf(BufferIndex b) const { return rows[b].size; }
  int64_t alignOf(BufferIndex b) const { return rows[b].alignment; }
  bool isPinned(BufferIndex b) const { return pins[b] >= 0; }
  /// The pinned offset, or -1.
  int64_t pinOf(BufferIndex b) const { return pins[b]; }
  /// Pinned buffers, by index.
  const std::vector<BufferIndex> &pinned() const { return pinnedBuffers; }

  /// The sections in which the buffer is live, sorted and disjoint; none for a
  /// buffer of size 0, which clashes with none.
  Slice<SectionRange> ranges(BufferIndex b) const {
    const Row &row = rows[b];
    if (row.rangeEnd - row.rangeBegin == 1)
      return {&row.only, &row.only + 1};
    return {rangeData.data() + row.rangeBegin, rangeData.data() + row.rangeEnd};
  }
  /// From the first section in which the buffer is live to behind the last one;
  /// [0, 0) for a buffer of size 0.
  SectionRange hull(BufferIndex b) const {
    Slice<SectionRange> r = ranges(b);
    return r.empty() ? SectionRange{0, 0}
                     : SectionRange{r.front().begin, r.back().end};
  }
  /// The relations of the buffer, by the other buffer, then by minDelta.
  /// Permitted overlaps of pairs that conflict or are never live at once are
  /// left out.
  Slice<Relation> relations(BufferIndex b) const {
    if (relationData.empty())
      return {};
    return {relationData.data() + relationBegin[b],
            relationData.data() + relationBegin[b + 1]};
  }
  bool hasRelations() const { return !relationData.empty(); }
  bool hasOverlaps(BufferIndex b) const {
    return !relationData.empty() && overlapping[b];
  }
  /// Prefetches the buffer's row.
  void fetch(BufferIndex b) const { __builtin_prefetch(&rows[b]); }
  /// True if the problem has no relation and no pin, and no buffer has several
  /// ranges.
  bool isPlain() const { return plain; }

  bool liveTogether(BufferIndex a, BufferIndex b) const;
  /// The sum of the live sizes of each section, in bytes; permitted overlaps
  /// are ignored.
  std::vector<int64_t> sectionLoads() const;

  const Problem &problem;

private:
  void buildSections();
  void buildRelations();

  /// The hot fields of a buffer. They share a cache line, as buffers are
  /// accessed in any order and do not all fit into the caches.
  struct alignas(32) Row {
    int64_t size;
    int64_t alignment;
    /// The buffer's range if it has exactly one.
    SectionRange only;
    uint32_t rangeBegin, rangeEnd;
  };

  uint32_t sectionCount = 0;
  bool plain = true;
  std::vector<Row> rows;
  std::vector<int64_t> pins;
  std::vector<BufferIndex> pinnedBuffers;
  /// The ranges of the buffers with several ranges, by buffer.
  std::vector<SectionRange> rangeData;
  std::vector<uint32_t> relationBegin;
  std::vector<Relation> relationData;
  std::vector<char> overlapping;
};

/// The greatest known number of bytes such that some plan with the least arena
/// has all offsets and ends at multiples of it; at least 1.
int64_t offsetGranule(const Model &model);

/// memplan::lowerBound for a given model.
int64_t lowerBound(const Model &model);

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_MODEL_H
