//===- Problems.cpp - Planning problems from bytes
//-------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Problems.h"

#include "memplan/Core/CheckedMath.h"

using namespace memplan;
using namespace memplan::fuzz;

MaybeFormula fuzz::makeFormula(Bytes &bytes, const SizeSymbols &symbols,
                               unsigned depth) {
  size_t kind = depth == 0 ? bytes.below(2) : bytes.below(10);
  if (kind == 0 || (kind == 1 && symbols.empty())) {
    int64_t constant = bytes.number();
    return constant == INT64_MIN ? Formula() : Formula(constant);
  }
  if (kind == 1)
    return Formula::symbol(symbols[bytes.below(symbols.size())].name);
  MaybeFormula a = makeFormula(bytes, symbols, depth - 1);
  MaybeFormula b = makeFormula(bytes, symbols, depth - 1);
  switch (kind) {
  case 2:
    return add(a, b);
  case 3:
    return subtract(a, b);
  case 4:
    return multiply(a, b);
  case 5:
    return floorDiv(a, b);
  case 6:
    return ceilDiv(a, b);
  case 7:
    return mod(a, b);
  case 8:
    return max(a, b);
  default:
    return min(a, b);
  }
}

static void makeSymbols(Bytes &bytes, Problem &problem) {
  for (size_t i = 1 + bytes.below(3); i-- > 0;) {
    SizeSymbol symbol;
    symbol.name = std::string(1, char('k' + problem.symbols.size()));
    symbol.least = bytes.flag() ? bytes.number() : 0;
    if (bytes.flag())
      symbol.greatest = bytes.number();
    symbol.multipleOf = bytes.oneOf(4) ? bytes.number() : 1;
    problem.symbols.push_back(std::move(symbol));
  }
  for (size_t i = bytes.below(4); i-- > 0;) {
    std::vector<int64_t> &hint = problem.hints.emplace_back();
    for (size_t s = 0; s < problem.symbols.size(); ++s)
      hint.push_back(bytes.number());
  }
}

static Buffer makeBuffer(Bytes &bytes, const Problem &problem) {
  Buffer buffer;
  buffer.id = "b" + std::to_string(problem.buffers.size());
  buffer.size = bytes.number();
  uint8_t features = bytes.byte();
  int64_t start = bytes.below(64);
  for (size_t i = 1 + (features & 1) * bytes.below(4); i-- > 0;) {
    int64_t end = start + 1 + int64_t(bytes.below(24));
    buffer.ranges.push_back({start, end});
    start = end + int64_t(bytes.below(4));
  }
  if (features & 2)
    buffer.alignment = int64_t(1) << bytes.below(9);
  if ((features & 0xc) == 0xc)
    buffer.pinnedOffset = bytes.flag()
                              ? bytes.number()
                              : int64_t(bytes.below(32)) * buffer.alignment;
  if (!problem.symbols.empty() && (features & 0x10)) {
    // As a reader makes it: the size is the value at the first hint.
    buffer.formula = makeFormula(bytes, problem.symbols, 3);
    SymbolValues values;
    for (size_t s = 0; s < problem.symbols.size(); ++s)
      values[problem.symbols[s].name] =
          problem.hints.empty() ? 1 : problem.hints.front()[s];
    if (buffer.formula)
      buffer.size = buffer.formula->evaluate(values).value_or(buffer.size);
  }
  return buffer;
}

Problem fuzz::makeProblem(Bytes &bytes) {
  Problem problem;
  uint8_t features = bytes.byte();
  problem.arenaAlignment = int64_t(1) << (features & 1 ? bytes.below(12) : 8);
  if (features & 2)
    problem.capacity = bytes.number();
  if ((features & 0xc) == 0xc)
    makeSymbols(bytes, problem);
  // Relations come first, so that more bytes are more buffers.
  size_t numBuffers = bytes.below(features & 0x10 ? 64 : 12);
  std::vector<Conflict> conflicts;
  std::vector<PermittedOverlap> overlaps;
  auto pick = [&] {
    return static_cast<BufferIndex>(bytes.below(numBuffers + (features >> 7)));
  };
  if (features & 0x20)
    for (size_t i = bytes.below(8); i-- > 0;) {
      BufferIndex first = pick();
      problem.conflicts.push_back({first, pick()});
    }
  if (features & 0x40)
    for (size_t i = bytes.below(12); i-- > 0;) {
      PermittedOverlap overlap = {pick(), 0};
      overlap.second = pick();
      if (bytes.flag()) {
        overlap.minDelta = bytes.number();
        overlap.maxDelta = bytes.flag()
                               ? bytes.number()
                               : checkedAdd(overlap.minDelta, bytes.byte())
                                     .value_or(overlap.minDelta);
      }
      problem.overlaps.push_back(overlap);
    }
  for (size_t i = 0; i < numBuffers; ++i)
    problem.buffers.push_back(makeBuffer(bytes, problem));
  return problem;
}

static bool mayShare(const Problem &problem, const Plan &plan, BufferIndex a,
                     BufferIndex b) {
  for (const Conflict &c : problem.conflicts)
    if ((c.first == a && c.second == b) || (c.first == b && c.second == a))
      return false;
  if (!rangesIntersect(problem.buffers[a].ranges, problem.buffers[b].ranges))
    return true;
  for (const PermittedOverlap &o : problem.overlaps)
    if ((o.first == a && o.second == b) || (o.first == b && o.second == a)) {
      int64_t delta = plan.offsets[o.second] - plan.offsets[o.first];
      if (o.minDelta <= delta && delta <= o.maxDelta)
        return true;
    }
  return false;
}

bool fuzz::isCorrect(const Problem &problem, const Plan &plan) {
  if (plan.offsets.size() != problem.buffers.size() ||
      plan.arenaSize < plan.lowerBound)
    return false;
  if (problem.capacity && plan.status != PlanStatus::Limit &&
      plan.arenaSize > *problem.capacity)
    return false;
  for (BufferIndex i = 0; i < problem.buffers.size(); ++i) {
    const Buffer &a = problem.buffers[i];
    int64_t offset = plan.offsets[i];
    std::optional<int64_t> end = checkedAdd(offset, a.size);
    if (offset < 0 || offset % a.alignment != 0 ||
        offset != a.pinnedOffset.value_or(offset) || !end ||
        *end > plan.arenaSize)
      return false;
  }
  for (BufferIndex i = 0; i < problem.buffers.size(); ++i)
    for (BufferIndex k = 0; k < i; ++k) {
      const Buffer &a = problem.buffers[i], &b = problem.buffers[k];
      bool shareBytes = a.size > 0 && b.size > 0 &&
                        plan.offsets[i] < plan.offsets[k] + b.size &&
                        plan.offsets[k] < plan.offsets[i] + a.size;
      if (shareBytes && !mayShare(problem, plan, k, i))
        return false;
    }
  return true;
}
