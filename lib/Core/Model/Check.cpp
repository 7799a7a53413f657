//===- Check.cpp - Checks of problems -------------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Core/CheckedMath.h"
#include "memplan/Core/Verify.h"

#include <algorithm>
#include <initializer_list>
#include <set>
#include <type_traits>

using namespace memplan;

namespace {

/// Collects at most `maxIssues` issues.
class Checker {
public:
  Checker(const Problem &problem, size_t maxIssues)
      : problem(problem), maxIssues(maxIssues) {}

  std::vector<Issue> run() {
    checkArena();
    checkSymbols();
    for (BufferIndex i = 0; i < problem.buffers.size(); ++i)
      checkBuffer(i);
    forEachPairList([&](const auto &field) {
      for (const auto &pair : problem.*field.member)
        checkPair(pair);
    });
    checkSharing();
    checkCuts();
    if (issues.empty())
      checkTotal();
    return std::move(issues);
  }

private:
  void report(std::string message, std::vector<BufferIndex> buffers = {}) {
    if (issues.size() < maxIssues)
      issues.push_back({std::move(message), std::move(buffers)});
  }

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

  void checkSymbols() {
    for (const SizeSymbol &symbol : problem.symbols) {
      if (!symbols.insert(symbol.name).second)
        report("two symbols have the name '" + symbol.name + "'");
      if (symbol.multipleOf < 1)
        report("symbol '" + symbol.name + "' is a multiple of " +
               std::to_string(symbol.multipleOf) + ", which is not positive");
      if (symbol.greatest && symbol.least > *symbol.greatest)
        report("symbol '" + symbol.name + "' is at least " +
               std::to_string(symbol.least) + " and at most " +
               std::to_string(*symbol.greatest));
    }
    for (const std::vector<int64_t> &hint : problem.hints)
      if (hint.size() != problem.symbols.size())
        report("a hint has " + std::to_string(hint.size()) +
               " values, and there are " +
               std::to_string(problem.symbols.size()) + " symbols");
  }

  void checkBuffer(BufferIndex i) {
    const Buffer &b = problem.buffers[i];
    if (b.formula)
      for (const std::string &name : b.formula->getSymbols())
        if (!symbols.count(name))
          report(this->name(i) + " has the size " + b.formula->print() +
                     ", and '" + name + "' is no symbol",
                 {i});
    checkNumbers(b, [&] { return name(i); }, {i});
    if (isPowerOfTwo(b.alignment) && b.alignment > problem.arenaAlignment)
      report(name(i) + " has the alignment " + std::to_string(b.alignment) +
                 " but the arena is aligned to " +
                 std::to_string(problem.arenaAlignment),
             {i});
    checkRanges(i);
    if (b.pinnedOffset)
      checkPin(i, *b.pinnedOffset);
    if (problem.bankSize && *problem.bankSize > 0)
      checkBank(i, *problem.bankSize);
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

  void checkRule(const Conflict &) {}
  void checkRule(const AllOrNone &) {}
  void checkRule(const PermittedOverlap &overlap) {
    if (overlap.minDelta > overlap.maxDelta)
      report(describe(overlap) + " has the empty range [" +
                 std::to_string(overlap.minDelta) + ", " +
                 std::to_string(overlap.maxDelta) + "]",
             {overlap.first, overlap.second});
  }
  void checkRule(const SoftConflict &soft) {
    if (soft.kind == SoftConflict::Kind::Bank && !problem.bankSize)
      report(describe(soft) + " is about banks, and the problem has no bank "
                              "size",
             {soft.first, soft.second});
    if (soft.weight < 0 || !weights)
      return;
    weights = checkedAdd(*weights, soft.weight);
    if (!weights)
      report("the sum of the weights overflows 64 bits at the " +
                 describe(soft),
             {soft.first, soft.second});
  }

  void checkSharing() {
    if (problem.bankSize && *problem.bankSize <= 0)
      report("bank size " + std::to_string(*problem.bankSize) +
             " is not positive");
    bool hasRules = problem.bankSize || !problem.allOrNone.empty() ||
                    !problem.softConflicts.empty();
    if (hasRules && hasFormulas(problem))
      report("sizes that are formulas cannot have soft conflicts, pairs of all "
             "or none or banks");
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
    if (!problem.cuts.empty() && (problem.bankSize || hasFormulas(problem)))
      report("a problem with cuts cannot have banks, or sizes that are "
             "formulas");
  }

  void checkBank(BufferIndex i, int64_t bankSize) {
    const Buffer &b = problem.buffers[i];
    if (b.size > bankSize)
      report(name(i) + " of " + std::to_string(b.size) +
                 " bytes does not fit into a bank of " +
                 std::to_string(bankSize),
             {i});
    if (isPowerOfTwo(b.alignment) && bankSize % b.alignment != 0)
      report("bank size " + std::to_string(bankSize) +
                 " is no multiple of the alignment " +
                 std::to_string(b.alignment) + " of " + name(i),
             {i});
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
  size_t maxIssues;
  std::vector<Issue> issues;
  std::set<std::string> symbols;
  /// The sum of the weights of soft conflicts, unless it overflows.
  std::optional<int64_t> weights = 0;
};

} // namespace

std::vector<Issue> memplan::check(const Problem &problem, size_t maxIssues) {
  return Checker(problem, maxIssues).run();
}
