//===- SharingModel.h - Problems in which sharing costs --------- -*- C++
//-*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The form of a problem with soft conflicts, pairs of all or none or banks that
// its searches use: for each buffer, one rule for each other buffer with which
// it may not share bytes, or pays for it.
//
// A placed buffer at y forbids a buffer some offsets, and makes others cost
// something:
//
//            y - size             y            y + other size
//   apart       (######################################)
//   soft        ($$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$)
//   all or none (################## # #################)    y itself is free
//
// A *spot* is the lowest offset of each stretch in which neither changes. No
// other offset is worth trying: the buffer could move down and pay no more.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_SHARINGMODEL_H
#define MEMPLAN_LIB_CORE_SHARINGMODEL_H

#include "Model/Model.h"

#include <cstdint>
#include <vector>

namespace memplan::detail {

/// What a buffer must not or should not have in common with another one.
struct SharingRule {
  BufferIndex other;
  /// The two are live together or in conflict.
  bool isApart = false;
  bool isAllOrNone = false;
  /// What the plan pays if they share a byte, and if they are in one bank.
  int64_t weight = 0;
  int64_t bankWeight = 0;
};

/// A possible offset of a buffer, and what it pays there to the buffers that
/// are placed.
struct Spot {
  int64_t offset;
  int64_t cost;
};

class SharingModel {
public:
  /// True if the rules take a bounded amount of memory.
  static bool fits(const Model &model);
  /// `model` must outlive this; it ignores soft conflicts.
  explicit SharingModel(const Model &model);

  uint32_t size() const { return model.size(); }
  /// By the other buffer. None of them is empty, and an empty buffer has none.
  Slice<SharingRule> rules(BufferIndex b) const {
    return {ruleData.data() + ruleBegin[b], ruleData.data() + ruleBegin[b + 1]};
  }
  /// The lowest aligned offset from `at` on at which the buffer crosses no end
  /// of a bank.
  int64_t align(BufferIndex b, int64_t at) const;

  /// What a rule costs at these offsets; -1 if it forbids them.
  int64_t costOf(const SharingRule &rule, BufferIndex b, int64_t at,
                 int64_t otherAt) const;

  const Model &model;
  /// In bytes; 0 without banks.
  const int64_t bankSize;

private:
  std::vector<uint32_t> ruleBegin;
  std::vector<SharingRule> ruleData;
};

/// Finds the spots of buffers among those that are placed.
class SpotFinder {
public:
  explicit SpotFinder(const SharingModel &model) : model(model) {}

  /// The spots of `b` by rising offset, at least one; the last one costs
  /// nothing. Without `keepAll` only those that cost less than all below them.
  /// `offsets` has -1 for a buffer that is not placed. O(k log k) for k placed
  /// buffers with a rule.
  const std::vector<Spot> &find(BufferIndex b,
                                const std::vector<int64_t> &offsets,
                                bool keepAll = false);

private:
  struct Event {
    int64_t at;
    int64_t forbids, cost; // The changes at this offset.
  };
  void add(int64_t first, int64_t last, int64_t forbids, int64_t cost);
  void addRule(BufferIndex b, const SharingRule &rule, int64_t otherAt);

  const SharingModel &model;
  std::vector<Event> events;
  std::vector<Spot> spots;
};

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_SHARINGMODEL_H
