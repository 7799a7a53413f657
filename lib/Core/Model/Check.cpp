//===- Check.cpp - Checks of problems -------------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/ProblemTypes.h"
#include "memplan/Core/CheckedMath.h"

#include <algorithm>
#include <initializer_list>
#include <type_traits>

using namespace memplan;
using namespace memplan::detail;

namespace {

class Checker : IssueCollector {
public:
  Checker(const Problem &problem, size_t maxIssues)
      : IssueCollector(maxIssues), problem(problem) {}

  std::vector<Issue> run() {
    checkArena();
    for (BufferIndex i = 0; i < problem.buffers.size(); ++i)
      checkBuffer(i);
    forEachPairList([&](const auto &field) {
      for (const auto &pair : problem.*field.member)
        checkPair(pair);
    });
    checkCuts();
    reportAll(checkSizes(problem, maxIssues));
    reportAll(checkSharing(problem, maxIssues));
    checkMixture();
    if (issues.empty())
      checkTotal();
    return std::move(issues);
  }

private:
  std::string name(BufferIndex i) const {
    return "buffer '" + problem.buffers[i].id + "'";
  }

  /// Checks each number of a record by itself. `subject` is called for an
  /// error only, because it makes a text.
  template <typename Record, typename Subject>
  void checkNumbers(const Record &record, const Subject &subject,
                    std::initializer_list<BufferIndex> buffers) {
    forEachField<Record>([&](const auto &field) {
      if constexpr (std::is_same_v<int64_t Record::*, decltype(field.member)>) {
        int64_t value = record.*field.member;
        auto shown = [&] {
          return std::string(field.name) + " " + std::to_string(value);
        };
        if (field.limit == Limit::NotNegative && value < 0)
          report(subject() + " has the negative " + shown(), buffers);
        if (field.limit == Limit::PowerOfTwo && !isPowerOfTwo(value))
          report(subject() + " has the " + shown() +
                     ", which is not a power of two",
                 buffers);
      }
    });
  }

  void checkArena() {
    if (problem.capacity && *problem.capacity < 0)
      report("capacity " + std::to_string(*problem.capacity) + " is negative");
    if (!isPowerOfTwo(problem.arenaAlignment))
      report("arena alignment " + std::to_string(problem.arenaAlignment) +
             " is not a power of two");
    if (problem.buffers.size() > UINT32_MAX / 2)
      report("too many buffers");
  }

  void checkBuffer(BufferIndex i) {
    const Buffer &b = problem.buffers[i];
    checkNumbers(b, [&] { return name(i); }, {i});
    if (isPowerOfTwo(b.alignment) && b.alignment > problem.arenaAlignment)
      report(name(i) + " has the alignment " + std::to_string(b.alignment) +
                 " but the arena is aligned to " +
                 std::to_string(problem.arenaAlignment),
             {i});
    checkRanges(i);
    if (b.pinnedOffset)
      checkPin(i, *b.pinnedOffset);
  }

  void checkRanges(BufferIndex i) {
    const LiveRanges &ranges = problem.buffers[i].ranges;
    if (ranges.empty())
      report(name(i) + " has no live range", {i});
    // The difference of two times must fit into int64.
    constexpr int64_t kMaxTime = int64_t(1) << 62;
    for (size_t r = 0; r < ranges.size(); ++r) {
      if (ranges[r].start < -kMaxTime || ranges[r].end > kMaxTime)
        report(name(i) + " has the live range " + text(ranges[r]) +
                   ", which is not within [-2^62, 2^62]",
               {i});
      if (ranges[r].start >= ranges[r].end)
        report(name(i) + " has the empty live range " + text(ranges[r]), {i});
      else if (r > 0 && ranges[r].start < ranges[r - 1].end)
        report(name(i) + " has live ranges that overlap or are not sorted: " +
                   text(ranges[r - 1]) + " and " + text(ranges[r]),
               {i});
    }
  }

  void checkPin(BufferIndex i, int64_t pin) {
    const Buffer &b = problem.buffers[i];
    if (pin < 0)
      report(name(i) + " is pinned at the negative offset " +
                 std::to_string(pin),
             {i});
    else if (isPowerOfTwo(b.alignment) && pin % b.alignment != 0)
      report(name(i) + " is pinned at offset " + std::to_string(pin) +
                 ", which is not a multiple of its alignment " +
                 std::to_string(b.alignment),
             {i});
  }

  template <typename Pair> void checkPair(const Pair &pair) {
    size_t n = problem.buffers.size();
    if (pair.first >= n || pair.second >= n)
      return report(std::string(Pair::noun) + " names buffer #" +
                    std::to_string(pair.first >= n ? pair.first : pair.second) +
                    " but there are " + std::to_string(n) + " buffers");
    if (pair.first == pair.second)
      return report(std::string(Pair::noun) + " of " + name(pair.first) +
                        " with itself",
                    {pair.first});
    checkNumbers(pair, [&] { return describe(pair); },
                 {pair.first, pair.second});
    checkRule(pair);
  }

  template <typename Pair> std::string describe(const Pair &pair) const {
    return std::string(Pair::noun) + " of " + name(pair.first) + " and " +
           name(pair.second);
  }

  /// The rules of other types of problems are elsewhere.
  template <typename Pair> void checkRule(const Pair &) {}
  void checkRule(const PermittedOverlap &overlap) {
    if (overlap.minDelta > overlap.maxDelta)
      report(describe(overlap) + " has the empty range [" +
                 std::to_string(overlap.minDelta) + ", " +
                 std::to_string(overlap.maxDelta) + "]",
             {overlap.first, overlap.second});
  }

  void checkCuts() {
    int64_t last = 0;
    for (int64_t cut : problem.cuts) {
      if (cut <= last)
        report("the cut at " + std::to_string(cut) +
               " is not above the one before it");
      else if (cut % problem.arenaAlignment != 0)
        report("the cut at " + std::to_string(cut) +
               " is not a multiple of the arena's alignment " +
               std::to_string(problem.arenaAlignment));
      last = std::max(last, cut);
    }
  }

  /// No solver knows how to solve a mixture of these types.
  void checkMixture() {
    bool isSized = hasFormulas(problem);
    if (isSized && (problem.bankSize || !problem.allOrNone.empty() ||
                    !problem.softConflicts.empty()))
      report("sizes that are formulas cannot have soft conflicts, pairs of all "
             "or none or banks");
    if (!problem.cuts.empty() && (problem.bankSize || isSized))
      report("a problem with cuts cannot have banks, or sizes that are "
             "formulas");
  }

  /// No strategy places a buffer higher than the sum of the padded sizes above
  /// the highest pin. If this sum plus one fits into int64, no strategy needs a
  /// check for overflow.
  void checkTotal() {
    std::optional<int64_t> top = 0, total = 0;
    if (!problem.cuts.empty())
      top = std::max<int64_t>(problem.cuts.back(), 0);
    for (BufferIndex i = 0; i < problem.buffers.size(); ++i) {
      const Buffer &b = problem.buffers[i];
      std::optional<int64_t> padded = checkedAdd(b.size, b.alignment - 1);
      if (padded && problem.bankSize)
        padded = checkedAdd(*padded, *problem.bankSize);
      total = padded ? checkedAdd(*total, *padded) : std::nullopt;
      if (b.pinnedOffset) {
        std::optional<int64_t> end = checkedAdd(*b.pinnedOffset, b.size);
        top = end ? std::optional<int64_t>(std::max(*top, *end)) : std::nullopt;
      }
      std::optional<int64_t> sum =
          total && top ? checkedAdd(*total, *top) : std::nullopt;
      if (!sum || !checkedAdd(*sum, 1)) {
        report("the sum of the buffer sizes overflows 64 bits at " + name(i),
               {i});
        return;
      }
    }
  }

  static std::string text(const LiveRange &range) {
    return "[" + std::to_string(range.start) + ", " +
           std::to_string(range.end) + ")";
  }

  const Problem &problem;
};

} // namespace

std::vector<Issue> memplan::check(const Problem &problem, size_t maxIssues) {
  return Checker(problem, maxIssues).run();
}
