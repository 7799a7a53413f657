//===- Report.cpp - What planning did -------------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Transforms/Report.h"

#include "memplan/Analysis/ParallelFrames.h"
#include "memplan/Core/Bound.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace memplan;

template <typename T> static std::string toString(const T &value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

/// `file:line:column` where there is such a place; the location as printed
/// otherwise.
static std::string describeLocation(Location loc) {
  if (auto file = loc->findInstanceOf<FileLineColLoc>())
    return (file.getFilename().getValue() + ":" + Twine(file.getLine()) + ":" +
            Twine(file.getColumn()))
        .str();
  return toString(loc);
}

static std::string describeSpace(Attribute space) {
  if (!space)
    return "0";
  if (auto number = dyn_cast<IntegerAttr>(space))
    return std::to_string(number.getInt());
  if (auto name = dyn_cast<StringAttr>(space))
    return name.str();
  return toString(space);
}

static BufferReport describeBuffer(const FunctionProblem &problem,
                                   const BufferRecord &record) {
  BufferReport report;
  report.name = record.name;
  report.type = toString(record.type);
  report.location = describeLocation(record.allocation->getLoc());
  report.size = record.size;
  report.alignment = record.alignment;
  report.planned = record.isPlanned();
  if (report.planned)
    report.ranges = problem.getRanges(record);
  report.reason = record.reason;
  return report;
}

static ConcurrencyReport describeConcurrency(const Steps &steps,
                                             const Plan &sequential) {
  ConcurrencyReport report;
  report.steps = static_cast<int64_t>(steps.get().size());
  for (const Step &step : steps.get())
    report.widestStep =
        std::max(report.widestStep, static_cast<int64_t>(step.ops.size()));
  report.sequentialBound = sequential.lowerBound;
  report.sequentialArena = sequential.arenaSize;
  return report;
}

static ArenaReport describeArena(const FunctionProblem &problem,
                                 const ArenaProblem &arena, Strategy strategy,
                                 const ProgramOrder &order) {
  ArenaReport report;
  report.function = FunctionOpInterface(problem.function).getName().str();
  report.memorySpace = describeSpace(arena.memorySpace);
  const Plan &plan = arena.plan;
  report.strategy = strategyName(strategy);
  report.winner = plan.strategy;
  report.status = arena.records.empty() ? "nothing-to-plan"
                                        : std::string(statusName(plan.status));
  report.message = plan.message;
  report.nodes = plan.nodes;
  report.alignment = arena.problem.arenaAlignment;
  report.capacity = arena.problem.capacity;
  report.boundBytes = plan.lowerBound;
  report.arenaBytes = plan.arenaSize;
  if (arena.sequential)
    report.concurrency = describeConcurrency(problem.steps, *arena.sequential);

  std::vector<BufferIndex> placement(problem.buffers.size(), 0);
  for (auto [index, buffer] : arena.placements)
    placement[index] = buffer;
  std::vector<unsigned> shown(problem.buffers.size(), 0);
  for (auto [index, record] : llvm::enumerate(problem.buffers)) {
    // What a loop's body leaves alone is the function's to tell.
    if (record.type.getMemorySpace() != arena.memorySpace ||
        (problem.parallel && !record.isPlanned()))
      continue;
    shown[index] = static_cast<unsigned>(report.buffers.size());
    report.buffers.push_back(describeBuffer(problem, record));
    if (!record.isPlanned()) {
      ++report.buffersUnplanned;
      continue;
    }
    ++report.buffersPlanned;
    report.sumBytes += record.size;
    if (plan.hasOffsets())
      report.buffers.back().offset = plan.offsets[placement[index]];
  }
  if (arena.records.empty())
    return report;
  Peak peak = findPeak(arena.problem);
  report.peakPoint = peak.time;
  report.peakBytes = peak.bytes;
  report.peakLocation = describeLocation(order.getOp(peak.time)->getLoc());
  for (BufferIndex buffer : peak.buffers)
    report.peakBuffers.push_back(shown[arena.records[buffer]]);
  return report;
}

std::vector<ArenaReport> memplan::makeReports(const FunctionProblem &problem,
                                              Strategy strategy,
                                              const ProgramOrder &order) {
  std::vector<ArenaReport> reports;
  for (const ArenaProblem &arena : problem.arenas)
    reports.push_back(describeArena(problem, arena, strategy, order));
  if (!problem.workers)
    return reports;
  for (const std::unique_ptr<WorkerFrame> &frame :
       llvm::reverse(problem.workers->frames))
    for (const WorkerFrame::Arena &arena : frame->arenas) {
      reports.push_back(describeArena(frame->problem,
                                      frame->problem.arenas[arena.position],
                                      strategy, *frame->order));
      reports.back().workers = frame->count;
      reports.back().loop = describeLocation(frame->problem.parallel->getLoc());
    }
  return reports;
}

static double ratio(int64_t numerator, int64_t denominator) {
  return denominator == 0 ? 1.0
                          : static_cast<double>(numerator) /
                                static_cast<double>(denominator);
}

static void printConcurrency(const ArenaReport &report, raw_ostream &os) {
  const ConcurrencyReport &steps = *report.concurrency;
  os << "  steps      " << steps.steps << ", of at most " << steps.widestStep
     << " ops at once\n";
  os << "  sequential " << steps.sequentialArena << " bytes, bound "
     << steps.sequentialBound << "; concurrency costs "
     << report.arenaBytes - steps.sequentialArena << " bytes ("
     << llvm::format("%.4f", ratio(report.arenaBytes, steps.sequentialArena))
     << " of it)\n";
}

void memplan::printText(ArrayRef<ArenaReport> reports, raw_ostream &os) {
  for (const ArenaReport &report : reports) {
    if (report.workers != 0)
      os << "frame of each of " << report.workers << " workers, " << report.loop
         << ", in the ";
    os << "arena of @" << report.function << " in memory space "
       << report.memorySpace << "\n";
    os << "  strategy   " << report.strategy;
    if (!report.winner.empty() && report.winner != report.strategy)
      os << " (" << report.winner << ")";
    os << ", " << report.status;
    if (!report.message.empty())
      os << " (" << report.message << ")";
    os << "\n  buffers    " << report.buffersPlanned << " planned, "
       << report.buffersUnplanned << " not\n";
    os << "  sum        " << report.sumBytes
       << " bytes, each buffer on its own\n";
    os << "  bound      " << report.boundBytes
       << " bytes, no plan of these buffers is smaller\n";
    os << "  arena      " << report.arenaBytes << " bytes, "
       << llvm::format("%.4f", ratio(report.arenaBytes, report.boundBytes))
       << " of the bound, " << report.sumBytes - report.arenaBytes
       << " bytes saved ("
       << llvm::format(
              "%.1f", 100.0 * (1.0 - ratio(report.arenaBytes, report.sumBytes)))
       << " %)\n";
    if (report.concurrency)
      printConcurrency(report, os);
    if (!report.peakBuffers.empty()) {
      os << "  peak       " << report.peakBytes << " bytes live at point "
         << report.peakPoint << ", " << report.peakLocation << "\n";
      for (unsigned index : report.peakBuffers) {
        const BufferReport &buffer = report.buffers[index];
        os << "    " << buffer.name << "  " << buffer.size
           << " bytes at offset " << buffer.offset << ", " << buffer.type
           << ", " << buffer.location << "\n";
      }
    }
    if (report.buffersUnplanned == 0)
      continue;
    os << "  not planned\n";
    for (const BufferReport &buffer : report.buffers)
      if (!buffer.planned)
        os << "    " << buffer.name << "  " << buffer.type << ", "
           << buffer.location << ": " << buffer.reason << "\n";
  }
}

static void printBuffer(llvm::json::OStream &json, const BufferReport &buffer) {
  json.object([&] {
    json.attribute("name", buffer.name);
    json.attribute("type", buffer.type);
    json.attribute("location", buffer.location);
    json.attribute("size", buffer.size);
    json.attribute("alignment", buffer.alignment);
    json.attribute("planned", buffer.planned);
    if (!buffer.planned) {
      json.attribute("reason", buffer.reason);
      return;
    }
    json.attribute("offset", buffer.offset);
    json.attributeArray("live", [&] {
      for (const LiveRange &range : buffer.ranges)
        json.array([&] {
          json.value(range.start);
          json.value(range.end);
        });
    });
  });
}

static void printArena(llvm::json::OStream &json, const ArenaReport &report) {
  json.attribute("function", report.function);
  json.attribute("memory_space", report.memorySpace);
  if (report.workers != 0) {
    json.attribute("workers", report.workers);
    json.attribute("loop", report.loop);
  }
  json.attribute("strategy", report.strategy);
  json.attribute("winner", report.winner);
  json.attribute("status", report.status);
  json.attribute("message", report.message);
  json.attribute("nodes", report.nodes);
  json.attribute("alignment", report.alignment);
  if (report.capacity)
    json.attribute("capacity", *report.capacity);
  json.attribute("buffers_planned", report.buffersPlanned);
  json.attribute("buffers_unplanned", report.buffersUnplanned);
  json.attribute("sum_bytes", report.sumBytes);
  json.attribute("bound_bytes", report.boundBytes);
  json.attribute("arena_bytes", report.arenaBytes);
  json.attribute("saved_bytes", report.sumBytes - report.arenaBytes);
  json.attribute("ratio_to_bound", ratio(report.arenaBytes, report.boundBytes));
  if (report.concurrency)
    json.attributeObject("concurrency", [&] {
      const ConcurrencyReport &steps = *report.concurrency;
      json.attribute("steps", steps.steps);
      json.attribute("widest_step", steps.widestStep);
      json.attribute("sequential_bound_bytes", steps.sequentialBound);
      json.attribute("sequential_arena_bytes", steps.sequentialArena);
      json.attribute("price_bytes", report.arenaBytes - steps.sequentialArena);
      json.attribute("price_ratio",
                     ratio(report.arenaBytes, steps.sequentialArena));
    });
  json.attributeObject("peak", [&] {
    json.attribute("bytes", report.peakBytes);
    json.attribute("point", report.peakPoint);
    json.attribute("location", report.peakLocation);
    json.attributeArray("buffers", [&] {
      for (unsigned index : report.peakBuffers)
        json.value(report.buffers[index].name);
    });
  });
  json.attributeArray("buffers", [&] {
    for (const BufferReport &buffer : report.buffers)
      printBuffer(json, buffer);
  });
}

void memplan::printJson(ArrayRef<ArenaReport> reports, raw_ostream &os) {
  llvm::json::OStream json(os, 2);
  json.object([&] {
    json.attributeArray("arenas", [&] {
      for (const ArenaReport &report : reports)
        json.object([&] { printArena(json, report); });
    });
  });
  os << "\n";
}
