//===- CheckCapacity.cpp - Errors about the capacity ----------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Explain/PlanDiagnostics.h"

#include "memplan/Analysis/ElementSize.h"
#include "memplan/Core/Bound.h"
#include "memplan/Core/CheckedMath.h"
#include "memplan/Core/Verify.h"
#include "memplan/IR/Memplan.h"
#include "memplan/Transforms/DescribePlan.h"
#include "memplan/Transforms/SolveHook.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace memplan;

/// The most notes of one error.
static constexpr size_t kMostNotes = 16;

static bool fits(const Problem &problem, const SolveOptions &options) {
  Plan plan = SolveHook::solve(problem, options);
  return plan.hasOffsets() && plan.arenaSize <= *problem.capacity;
}

/// The problem with each buffer aligned to the larger of `alignment` and the
/// alignment that the program asks for, in bytes.
static Problem realign(Problem problem, const FunctionProblem &function,
                       const ArenaProblem &arena, int64_t alignment) {
  llvm::StringMap<int64_t> own;
  for (const auto &placement : arena.placements)
    for (BufferIndex slot : arena.getSlots(placement)) {
      int64_t &most = own[arena.problem.buffers[slot].id];
      most = std::max(most, function.buffers[placement.first].ownAlignment);
    }
  for (Buffer &buffer : problem.buffers)
    buffer.alignment = std::max(alignment, own.lookup(buffer.id));
  return problem;
}

/// Bytes of the unplanned buffers of the arena's memory space that are
/// returned.
static int64_t countReturnedBytes(const FunctionProblem &problem,
                                  const ArenaProblem &arena) {
  DataLayout layout = DataLayout::closest(problem.function);
  int64_t bytes = 0;
  for (const BufferRecord &record : problem.buffers)
    if (!record.isPlanned() && record.culprit &&
        isa<func::ReturnOp>(record.culprit) &&
        record.type.getMemorySpace() == arena.memorySpace)
      bytes += getKnownSize(record.type, layout).value_or(0);
  return bytes;
}

/// The first change with which the arena fits, as a sentence; empty if none is
/// found.
static std::string findRemedy(const FunctionProblem &function,
                              const ArenaProblem &arena,
                              const SolveOptions &tried,
                              llvm::function_ref<bool()> fitsInModuleScope) {
  const Problem &problem = arena.problem;
  SolveOptions best = tried;
  best.strategy = Strategy::Auto;
  best.effort = Effort::Normal;
  if (arena.unplannedBytes <= *arena.capacity) {
    if (tried.strategy != Strategy::Auto && fits(problem, best))
      return "it fits with strategy=auto";
    int64_t alignment = problem.arenaAlignment;
    for (const Buffer &buffer : problem.buffers)
      alignment = std::min(alignment, buffer.alignment);
    if (fits(realign(problem, function, arena, 1), best)) {
      // The largest alignment that fits.
      int64_t enough = 1;
      while (2 * enough < alignment &&
             fits(realign(problem, function, arena, 2 * enough), best))
        enough *= 2;
      return "it fits with alignment=" + std::to_string(enough);
    }
  }
  int64_t returned = countReturnedBytes(function, arena);
  int64_t left = *arena.capacity - (arena.unplannedBytes - returned);
  if (returned == 0 || left < 0)
    return "";
  Problem without = problem;
  without.capacity = left;
  if (!arena.records.empty() && !fits(without, best))
    return "";
  std::string bytes = std::to_string(returned) + " bytes that are returned";
  if (FunctionOpInterface(function.function).isPublic())
    return "it fits with results=out-params, without the " + bytes;
  if (!fitsInModuleScope())
    return "";
  return "it fits with scope=module, without the " + bytes +
         ", which its callers then plan";
}

static void noteUnplanned(InFlightDiagnostic &error,
                          const FunctionProblem &problem,
                          const ArenaProblem &arena) {
  DataLayout layout = DataLayout::closest(problem.function);
  size_t count = 0;
  for (const BufferRecord &record : problem.buffers) {
    if (record.isPlanned() || record.type.getMemorySpace() != arena.memorySpace)
      continue;
    std::optional<int64_t> size = getKnownSize(record.type, layout);
    if (!size || *size == 0)
      continue;
    if (++count > kMostNotes)
      break;
    error.attachNote(record.origin->getLoc())
        << record.name << ", " << *size
        << " bytes, counts although it is not planned: it " << record.reason;
  }
}

void memplan::explainShortage(const FunctionProblem &function,
                              const ArenaProblem &arena,
                              const SolveOptions &tried,
                              llvm::function_ref<bool()> fitsInModuleScope,
                              InFlightDiagnostic &error) {
  noteUnplanned(error, function, arena);
  std::string remedy = findRemedy(function, arena, tried, fitsInModuleScope);
  if (remedy.empty())
    remedy =
        "memplan-fit may make it fit, as it reorders ops and computes "
        "values again; memplan-assign-spaces moves buffers to other memory "
        "spaces";
  error.attachNote(FunctionOpInterface(function.function).getLoc()) << remedy;
}

LogicalResult
memplan::checkPlan(const ArenaSite &site, const Problem &problem,
                   const Plan &plan,
                   llvm::function_ref<void(InFlightDiagnostic &)> explain) {
  Location loc = site.loc;
  if (plan.status == PlanStatus::Invalid) {
    InFlightDiagnostic error = emitError(loc)
                               << "no plan for the arena of @" << site.function
                               << ": " << plan.message;
    for (const Issue &issue : check(problem))
      for (BufferIndex buffer : issue.buffers)
        error.attachNote(site.locate(buffer)) << issue.message;
    return error;
  }
  if (problem.buffers.empty() ||
      (plan.hasOffsets() &&
       (!problem.capacity || plan.arenaSize <= *problem.capacity)))
    return success();
  InFlightDiagnostic error = emitError(loc);
  error << "arena of @" << site.function << " in memory space "
        << describeSpace(site.memorySpace);
  if (!problem.capacity)
    return error << " has no plan: " << plan.message;
  // If the lower bound exceeds the capacity, no strategy can succeed.
  bool impossible = !plan.hasOffsets() || plan.lowerBound > *problem.capacity;
  int64_t unplanned = site.unplanned;
  int64_t capacity = *site.capacity;
  int64_t arenaBytes = impossible ? plan.lowerBound : plan.arenaSize;
  error << " requires " << (impossible ? "at least " : "") << arenaBytes
        << " bytes";
  if (unplanned > 0)
    error << ", with " << unplanned << " more that are not planned,";
  error << " but its capacity is " << capacity;
  std::optional<int64_t> needed = checkedAdd(arenaBytes, unplanned);
  if (needed && *needed > capacity)
    error << ", " << *needed - capacity << " too few";
  if (!impossible)
    error << " (the least that " << plan.strategy
          << " found; the lower bound is " << plan.lowerBound << ")";
  Peak peak = findPeak(problem);
  for (size_t i = 0; i < std::min(peak.buffers.size(), kMostNotes); ++i) {
    const Buffer &buffer = problem.buffers[peak.buffers[i]];
    error.attachNote(site.locate(peak.buffers[i]))
        << buffer.id << ", " << buffer.size << " bytes, is live at the peak of "
        << peak.bytes << " bytes"
        << (peak.bytes > arenaBytes
                ? ", which share bytes where ops write over what they read"
                : "");
  }
  if (peak.buffers.size() > kMostNotes) {
    int64_t bytes = 0;
    for (BufferIndex buffer : ArrayRef(peak.buffers).drop_front(kMostNotes))
      bytes += problem.buffers[buffer].size;
    error.attachNote(loc) << "and " << peak.buffers.size() - kMostNotes
                          << " more buffers, " << bytes << " bytes together";
  }
  if (explain)
    explain(error);
  return error;
}

/// Checks, by memory space, the arenas that the function had before, together
/// with its other allocations.
static LogicalResult checkArenas(FunctionOpInterface function,
                                 const PlanningOptions &options) {
  struct Space {
    int64_t arenas = 0;
    int64_t others = 0;
  };
  llvm::MapVector<Attribute, Space> spaces;
  for (const PlacedArena &arena : findArenas(function))
    if (!arena.isFrame)
      spaces[arena.memorySpace].arenas += arena.size;
  DataLayout layout = DataLayout::closest(function);
  walkAllocations(function, [&](Operation *op) {
    auto type = cast<MemRefType>(op->getResult(0).getType());
    auto space = spaces.find(type.getMemorySpace());
    if (!op->hasAttr(MemplanDialect::kArenaAttr) && space != spaces.end())
      space->second.others += getKnownSize(type, layout).value_or(0);
  });
  LogicalResult result = success();
  for (auto &[memorySpace, space] : spaces) {
    int64_t needed = space.arenas + space.others;
    std::optional<int64_t> capacity = options.getCapacity(memorySpace);
    if (!capacity || needed <= *capacity)
      continue;
    InFlightDiagnostic error = emitError(function.getLoc());
    error << "@" << function.getName()
          << " is planned already, and its arena in memory space "
          << describeSpace(memorySpace) << " has " << space.arenas << " bytes";
    if (space.others > 0)
      error << ", with " << space.others << " more that are not planned,";
    error << " but the capacity is " << *capacity << ", " << needed - *capacity
          << " too few";
    result = error;
  }
  return result;
}

void memplan::remarkUnusedSpaces(Location loc,
                                 ArrayRef<FunctionProblem> problems,
                                 ArrayRef<std::string> spaces,
                                 StringRef option) {
  if (spaces.empty())
    return;
  llvm::StringSet<> used;
  for (const FunctionProblem &problem : problems) {
    for (const ArenaProblem &arena : problem.arenas)
      used.insert(describeSpace(arena.memorySpace));
    if (problem.alreadyPlanned)
      for (const PlacedArena &arena : findArenas(problem.function))
        used.insert(describeSpace(arena.memorySpace));
  }
  for (const std::string &space : spaces)
    if (!used.contains(space))
      emitRemark(loc) << option << " names memory space " << space
                      << ", in which nothing is allocated";
}

LogicalResult
memplan::checkUnplannedCapacity(Location loc,
                                ArrayRef<FunctionProblem> problems,
                                const PlanningOptions &options) {
  LogicalResult result = success();
  if (!options.capacities.isLimited())
    return result;
  std::vector<std::string> spaces;
  spaces.reserve(options.capacities.bySpace.size());
  for (const auto &[space, bytes] : options.capacities.bySpace)
    spaces.push_back(space);
  remarkUnusedSpaces(loc, problems, spaces, "capacity");
  for (const FunctionProblem &problem : problems) {
    FunctionOpInterface function = problem.function;
    if (problem.alreadyPlanned && failed(checkArenas(function, options)))
      result = failure();
    for (const ArenaProblem &arena : problem.arenas) {
      std::optional<int64_t> capacity = options.getCapacity(arena.memorySpace);
      if (!capacity || !arena.records.empty() ||
          arena.unplannedBytes <= *capacity)
        continue;
      InFlightDiagnostic error = emitError(function.getLoc());
      error << "the buffers of @" << function.getName() << " in memory space "
            << describeSpace(arena.memorySpace) << " that are not planned have "
            << arena.unplannedBytes << " bytes but the capacity is "
            << *capacity << ", " << arena.unplannedBytes - *capacity
            << " too few";
      noteUnplanned(error, problem, arena);
      result = error;
    }
  }
  return result;
}

LogicalResult memplan::checkAllPlanned(const FunctionProblem &problem) {
  LogicalResult result = success();
  for (const BufferRecord &record : problem.buffers) {
    if (record.isPlanned())
      continue;
    InFlightDiagnostic error = emitError(record.origin->getLoc())
                               << record.name << " is not planned: it "
                               << record.reason;
    if (std::string wayOut = describeWayOut(record); !wayOut.empty())
      error << "; " << wayOut;
    if (record.culprit && record.culprit != record.origin)
      error.attachNote(record.culprit->getLoc()) << "the reason is here";
    result = error;
  }
  return result;
}
