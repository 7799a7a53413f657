//===- Model.h - The problem in solver form ------------------- -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The problem as the solvers read it: flat arrays, sections instead of time
// points, and one list of exceptions (conflicts, permitted overlaps) a buffer.
//
// A section is a maximal group of time points whose live sets are all contained
// in one live set: it begins where a buffer starts after another has ended.
// Two buffers are live at once exactly when their section ranges intersect, and
// only those maximal live sets are kept:
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

/// What one buffer may do with another beyond the rule for live ranges.
struct Relation {
  BufferIndex other;
  /// Never share bytes; the deltas mean nothing.
  bool isConflict;
  /// Bytes: sharing is allowed when offset(this) - offset(other) is in
  /// [minDelta, maxDelta]. Clamped to where the two can share bytes at all.
  int64_t minDelta;
  int64_t maxDelta;
};

/// Requires a problem that check() accepts, which must outlive the model.
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

  /// The sections the buffer is live in, sorted and disjoint; none for an empty
  /// buffer, which never clashes.
  Slice<SectionRange> ranges(BufferIndex b) const {
    const Row &row = rows[b];
    if (row.rangeEnd - row.rangeBegin == 1)
      return {&row.only, &row.only + 1};
    return {rangeData.data() + row.rangeBegin, rangeData.data() + row.rangeEnd};
  }
  /// Sections from the first to behind the last live one (0, 0 when empty).
  SectionRange hull(BufferIndex b) const {
    Slice<SectionRange> r = ranges(b);
    return r.empty() ? SectionRange{0, 0}
                     : SectionRange{r.front().begin, r.back().end};
  }
  /// Sorted by the other buffer, then by minDelta. Permitted overlaps of pairs
  /// that conflict or are never live at once are left out.
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
  /// Has what is known of the buffer fetched from memory.
  void fetch(BufferIndex b) const { __builtin_prefetch(&rows[b]); }
  /// No relation, no pin, one range a buffer anywhere in the problem.
  bool isPlain() const { return plain; }

  bool liveTogether(BufferIndex a, BufferIndex b) const;
  /// Sections' live sums in bytes, permitted overlaps ignored.
  std::vector<int64_t> sectionLoads() const;

  const Problem &problem;

private:
  void buildSections();
  void buildRelations();

  /// What most questions are about is together, as buffers are asked for in any
  /// order and many do not fit the caches.
  struct alignas(32) Row {
    int64_t size;
    int64_t alignment;
    /// Its range, if it has one.
    SectionRange only;
    uint32_t rangeBegin, rangeEnd;
  };

  uint32_t sectionCount = 0;
  bool plain = true;
  std::vector<Row> rows;
  std::vector<int64_t> pins;
  std::vector<BufferIndex> pinnedBuffers;
  /// Of the buffers with several ranges.
  std::vector<SectionRange> rangeData;
  std::vector<uint32_t> relationBegin;
  std::vector<Relation> relationData;
  std::vector<char> overlapping;
};

/// The greatest number of bytes that every offset and end of some least plan is
/// a multiple of.
int64_t offsetGranule(const Model &model);

/// memplan::lowerBound for a model that exists already.
int64_t lowerBound(const Model &model);

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_MODEL_H
