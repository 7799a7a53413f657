//===- Report.cpp - The model of a report ---------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Report/Report.h"

#include "memplan/Core/Bound.h"
#include "memplan/Core/CheckedMath.h"
#include "memplan/Core/Order.h"

#include <algorithm>
#include <set>
#include <string_view>

using namespace memplan;

static int64_t addSaturated(int64_t a, int64_t b) {
  return checkedAdd(a, b).value_or(INT64_MAX);
}

void ByteCount::add(std::optional<int64_t> size, const MaybeFormula &formula) {
  ++count;
  std::optional<int64_t> sum =
      size ? checkedAdd(bytes, *size) : std::optional<int64_t>();
  if (sum)
    bytes = *sum;
  else
    ++unknown;
  all = memplan::add(all, size ? MaybeFormula(*size) : formula);
}

ByteCount &ByteCount::operator+=(const ByteCount &other) {
  count += other.count;
  bytes = addSaturated(bytes, other.bytes);
  unknown += other.unknown;
  all = memplan::add(all, other.all);
  return *this;
}

std::vector<const HintReport *> SizesReport::list() const {
  std::vector<const HintReport *> all;
  for (const HintReport &hint : hints)
    if (!atBounds || hint.values != atBounds->values)
      all.push_back(&hint);
  if (atBounds)
    all.push_back(&*atBounds);
  return all;
}

std::string_view memplan::arenaStatusName(ArenaStatus status) {
  if (status == ArenaStatus::NothingToPlan)
    return "nothing-to-plan";
  if (status == ArenaStatus::Rejected)
    return "rejected";
  if (status == ArenaStatus::PlannedBefore)
    return "planned-before";
  return statusName(static_cast<PlanStatus>(status));
}

ArenaStatus memplan::getArenaStatus(PlanStatus status) {
  // The first of them are the same, in the same order.
  static_assert(static_cast<int>(ArenaStatus::Invalid) ==
                static_cast<int>(PlanStatus::Invalid));
  return static_cast<ArenaStatus>(status);
}

/// Adds one arena, and the allocations beside it.
static void addArena(ReportTotals &totals, const ArenaReport &arena) {
  totals.unplanned += arena.unplanned;
  bool isPart = arena.workers != 0 || (arena.isFrame && !arena.isFromCaller());
  if (arena.status == ArenaStatus::Rejected && !isPart)
    for (const BufferReport &buffer : arena.buffers)
      if (buffer.planned)
        totals.unplanned.add(buffer.size);
  if (!arena.isCounted())
    return;
  if (arena.status == ArenaStatus::PlannedBefore) {
    totals.plannedBefore.add(arena.arenaBytes);
    return;
  }
  if (!arena.hasPlan()) {
    ++totals.withoutPlan;
    return;
  }
  ++totals.arenas;
  if (arena.isFromCaller())
    totals.fromCallers.add(arena.arenaBytes);
  totals.arenaBytes = addSaturated(totals.arenaBytes, arena.arenaBytes);
  totals.boundBytes = addSaturated(totals.boundBytes, arena.boundBytes);
  totals.sumBytes = addSaturated(totals.sumBytes, arena.sumBytes);
}

/// Sets what depends on the sizes of the arena. `rest` is the memory beside
/// the arenas.
static void addSizes(ReportTotals &totals, const ArenaReport &arena,
                     const ByteCount &rest) {
  int64_t others = totals.arenaBytes - arena.arenaBytes;
  totals.arenaFormula = add(arena.sizes->arena, Formula(others));
  for (const HintReport *hint : arena.sizes->list()) {
    if (!hint->arenaBytes)
      continue;
    TotalsAt at;
    at.values = hint->values;
    at.arenaBytes = addSaturated(*hint->arenaBytes, others);
    SymbolValues named(hint->values.begin(), hint->values.end());
    if (std::optional<int64_t> more =
            rest.all ? rest.all->evaluate(named) : std::nullopt;
        more && totals.withoutPlan == 0)
      at.ramBytes = addSaturated(at.arenaBytes, *more);
    totals.atSizes.push_back(std::move(at));
  }
}

static void addMemory(ReportTotals &totals,
                      const std::vector<const ArenaReport *> &arenas,
                      const ByteCount &constants, const ByteCount &variables) {
  totals.ram.count = totals.arenas + totals.withoutPlan;
  totals.ram.bytes = totals.arenaBytes;
  totals.ram.unknown = totals.withoutPlan;
  ByteCount rest = totals.plannedBefore;
  rest += totals.unplanned;
  rest += variables;
  const ArenaReport *sized = nullptr;
  bool hasSeveral = false;
  for (const ArenaReport *arena : arenas)
    if (arena->sizes && arena->isCounted() && arena->hasPlan()) {
      hasSeveral |= sized != nullptr;
      sized = arena;
    }
  if (sized && !hasSeveral)
    addSizes(totals, *sized, rest);
  // Equal names of different functions are different symbols.
  totals.ram.all = hasSeveral || totals.withoutPlan > 0 ? std::nullopt
                   : sized                              ? totals.arenaFormula
                                                        : totals.arenaBytes;
  totals.ram += rest;
  totals.rom = constants;
}

/// Drops formulas in the symbols of several functions.
static void dropMixed(ByteCount &count, const std::set<std::string> &sources) {
  if (sources.size() > 1)
    count.all.reset();
}

ReportTotals memplan::computeTotals(const Report &report) {
  ReportTotals totals;
  std::vector<const ArenaReport *> arenas;
  std::set<std::string> unplanned, arguments, results;
  for (const ArenaReport &arena : report.arenas) {
    addArena(totals, arena);
    arenas.push_back(&arena);
    if (arena.unplanned.getFormula() ||
        (arena.sizes && arena.status != ArenaStatus::NothingToPlan))
      unplanned.insert(arena.function);
  }
  for (const FunctionReport &function : report.functions) {
    totals.arguments += function.arguments;
    totals.results += function.results;
    if (function.arguments.getFormula())
      arguments.insert(function.name);
    if (function.results.getFormula())
      results.insert(function.name);
  }
  dropMixed(totals.unplanned, unplanned);
  dropMixed(totals.arguments, arguments);
  dropMixed(totals.results, results);
  addMemory(totals, arenas, report.constants, report.variables);
  return totals;
}

ReportTotals memplan::computeTotals(const Report &report,
                                    const FunctionReport &function) {
  ReportTotals totals;
  std::set<std::string_view> reached(function.reached.begin(),
                                     function.reached.end());
  std::vector<const ArenaReport *> arenas;
  std::set<std::string> unplanned;
  for (const ArenaReport &arena : report.arenas)
    if (reached.count(arena.function) != 0 &&
        (!arena.isFromCaller() || arena.function == function.name)) {
      addArena(totals, arena);
      arenas.push_back(&arena);
      if (arena.unplanned.getFormula() || arena.sizes)
        unplanned.insert(arena.function);
    }
  dropMixed(totals.unplanned, unplanned);
  totals.arguments = function.arguments;
  totals.results = function.results;
  addMemory(totals, arenas, function.constants, function.variables);
  return totals;
}

std::string memplan::describeValues(const NamedSizes &values) {
  std::string text;
  for (const auto &[name, value] : values)
    text +=
        (text.empty() ? "" : " and ") + name + " = " + std::to_string(value);
  return text;
}

std::string memplan::printShort(const MaybeFormula &formula) {
  constexpr size_t kMostCharacters = 80;
  std::string text = formula ? formula->print() : "";
  return text.size() <= kMostCharacters ? text : "";
}

std::string memplan::describeBytes(
    const MaybeFormula &formula,
    const std::vector<std::pair<NamedSizes, int64_t>> &atSizes) {
  std::string text = printShort(formula);
  bool isFirst = text.empty();
  text += isFirst ? "" : " bytes: ";
  for (size_t i = 0; i < atSizes.size(); ++i)
    text += (i > 0 ? ", " : "") + std::to_string(atSizes[i].second) +
            (isFirst && i == 0 ? " bytes at " : " at ") +
            describeValues(atSizes[i].first);
  return text;
}

std::string memplan::describeBytes(const ArenaReport &arena) {
  std::vector<std::pair<NamedSizes, int64_t>> atSizes;
  if (arena.sizes)
    for (const HintReport *hint : arena.sizes->list())
      if (hint->arenaBytes)
        atSizes.emplace_back(hint->values, *hint->arenaBytes);
  return atSizes.empty() ? std::to_string(arena.arenaBytes) + " bytes"
                         : describeBytes(arena.sizes->arena, atSizes);
}

double memplan::ratioOf(int64_t numerator, int64_t denominator) {
  return denominator == 0 ? 1.0
                          : static_cast<double>(numerator) /
                                static_cast<double>(denominator);
}

int64_t memplan::computeSizeWithoutReuse(
    const std::vector<std::pair<int64_t, int64_t>> &sizes) {
  int64_t end = 0;
  for (auto [size, alignment] : sizes) {
    std::optional<int64_t> begin = checkedAlignTo(end, alignment);
    end = begin ? addSaturated(*begin, size) : INT64_MAX;
  }
  return end;
}

static HintReport describeHint(const Problem &problem, const HintResult &hint,
                               const Problem &constant) {
  HintReport report;
  for (size_t i = 0; i < hint.values.size(); ++i)
    report.values.emplace_back(problem.symbols[i].name, hint.values[i]);
  report.boundBytes = hint.lowerBound;
  report.arenaBytes = hint.arenaSize;
  std::vector<std::pair<int64_t, int64_t>> bytes;
  bytes.reserve(constant.buffers.size());
  for (const Buffer &buffer : constant.buffers)
    bytes.push_back({buffer.size, buffer.alignment});
  report.sumBytes = computeSizeWithoutReuse(bytes);
  return report;
}

/// Compares the order with constant offsets at the greatest sizes.
static void describeBounds(SizesReport &sizes, const Problem &problem,
                           const PlaceOrder &order, Strategy strategy) {
  std::optional<std::vector<int64_t>> greatest = getGreatestSizes(problem);
  if (!greatest)
    return;
  HintResult at;
  at.values = std::move(*greatest);
  std::optional<Problem> constant = evaluateAt(problem, at.values);
  if (!constant || !check(*constant, 1).empty())
    return;
  std::optional<int64_t> size = getArenaSizeAt(problem, at.values, order);
  if (!size)
    return;
  at.arenaSize = *size;
  SolveOptions options;
  options.strategy = strategy;
  Plan plan = solve(*constant, options);
  at.lowerBound = plan.lowerBound;
  if (plan.hasOffsets())
    sizes.boundedBytes = plan.arenaSize;
  sizes.atBounds = describeHint(problem, at, *constant);
}

std::optional<SizesReport> memplan::describeSizes(const Problem &problem,
                                                  const Plan &plan,
                                                  Strategy strategy) {
  if (!hasFormulas(problem))
    return std::nullopt;
  SizesReport sizes;
  sizes.symbols = problem.symbols;
  sizes.bound = getBoundFormula(problem);
  for (const HintResult &hint : plan.atHints)
    if (std::optional<Problem> constant = evaluateAt(problem, hint.values))
      sizes.hints.push_back(describeHint(problem, hint, *constant));
  // A plan that was read, or none.
  if (plan.atHints.empty())
    for (const std::vector<int64_t> &values : problem.hints)
      if (std::optional<Problem> constant = evaluateAt(problem, values)) {
        HintResult hint{values, 0, lowerBound(*constant)};
        sizes.hints.push_back(describeHint(problem, hint, *constant));
        sizes.hints.back().arenaBytes =
            plan.order ? getArenaSizeAt(problem, values, *plan.order)
                       : std::optional<int64_t>();
      }
  if (plan.order) {
    sizes.arena = getArenaFormula(problem, *plan.order);
    sizes.places = plan.order->places;
    describeBounds(sizes, problem, *plan.order, strategy);
  }
  // The greatest sizes are a hint of the problem only if it states them.
  if (std::optional<std::vector<int64_t>> greatest = getGreatestSizes(problem);
      sizes.atBounds && !problem.hints.empty() &&
      std::find(problem.hints.begin(), problem.hints.end(), *greatest) ==
          problem.hints.end())
    sizes.hints.erase(std::remove_if(sizes.hints.begin(), sizes.hints.end(),
                                     [&](const HintReport &hint) {
                                       return hint.values ==
                                              sizes.atBounds->values;
                                     }),
                      sizes.hints.end());
  return sizes;
}

void memplan::describeProblem(ArenaReport &arena, const Problem &problem,
                              const Plan &plan) {
  forEachField<Problem>([&](const auto &field) {
    arena.problem.*field.member = problem.*field.member;
  });
  for (const Buffer &buffer : problem.buffers) {
    SlotReport &slot = arena.slots.emplace_back(buffer);
    if (plan.hasOffsets())
      slot.offset = plan.offsets[arena.slots.size() - 1];
  }
  if (!problem.softConflicts.empty() && plan.hasOffsets()) {
    arena.penalty = plan.penalty;
    arena.penaltyBound = plan.penaltyBound;
  }
}

Report memplan::makeReport(const Problem &problem, const Plan &plan,
                           Strategy strategy, std::string name) {
  ArenaReport arena;
  arena.function = std::move(name);
  arena.status = problem.buffers.empty() ? ArenaStatus::NothingToPlan
                                         : getArenaStatus(plan.status);
  arena.strategy = strategyName(strategy);
  arena.winner = plan.strategy;
  arena.message = plan.message;
  arena.nodes = plan.nodes;
  arena.buffersPlanned = static_cast<int64_t>(problem.buffers.size());
  arena.boundBytes = plan.lowerBound;
  arena.arenaBytes = plan.arenaSize;
  describeProblem(arena, problem, plan);
  std::vector<std::pair<int64_t, int64_t>> sizes;
  for (SlotReport &slot : arena.slots) {
    auto index = static_cast<unsigned>(arena.buffers.size());
    sizes.push_back({slot.size, slot.alignment});
    slot.uses = {{index, slot.ranges}};
    BufferReport buffer;
    buffer.name = slot.id;
    buffer.size = slot.size;
    buffer.alignment = slot.alignment;
    buffer.planned = true;
    buffer.slots = {index};
    buffer.live = slot.ranges;
    arena.buffers.push_back(std::move(buffer));
  }
  arena.sizes = describeSizes(problem, plan, strategy);
  arena.sumBytes = computeSizeWithoutReuse(sizes);
  Peak peak = findPeak(problem);
  arena.peakPoint = peak.time;
  arena.peakBytes = peak.bytes;
  arena.peakSlots.assign(peak.buffers.begin(), peak.buffers.end());
  Report report;
  report.arenas.push_back(std::move(arena));
  return report;
}

std::vector<StrategyReport> memplan::compareStrategies(const Problem &problem,
                                                       const Plan &plan) {
  // Without a capacity every strategy has a plan to compare.
  Problem unlimited = problem;
  unlimited.capacity.reset();
  std::vector<StrategyReport> reports;
  for (Strategy strategy :
       {Strategy::Naive, Strategy::LinearScan, Strategy::GreedyBySize,
        Strategy::GreedyByBreadth, Strategy::BestFit}) {
    SolveOptions options;
    options.strategy = strategy;
    Plan other = solve(unlimited, options);
    if (other.hasOffsets())
      reports.push_back({std::string(strategyName(strategy)), other.arenaSize});
  }
  bool isListed = false;
  for (const StrategyReport &report : reports)
    isListed |= report.name == plan.strategy;
  if (!isListed && plan.hasOffsets())
    reports.push_back({plan.strategy, plan.arenaSize});
  return reports;
}
