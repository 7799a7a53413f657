//===- Text.cpp - Reports as text -----------------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Report/Report.h"

#include <algorithm>
#include <cstdio>

using namespace memplan;

namespace {

/// The most live ranges that a line shows.
constexpr size_t kMostRanges = 6;

std::string fixed(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof(text), "%.*f", digits, value);
  return text;
}

std::string number(int64_t value) { return std::to_string(value); }

std::string plural(int64_t count, const char *noun) {
  return number(count) + " " + noun + (count == 1 ? "" : "s");
}

/// "4096 bytes and 1 of unknown size", or "40 * B + 4096 bytes"
std::string describeSize(const ByteCount &count) {
  std::string text = printShort(count.getFormula());
  if (!text.empty())
    return text + " bytes";
  if (count.count > count.unknown || count.count == 0)
    text = number(count.bytes) + " bytes";
  if (count.unknown > 0)
    text += (text.empty() ? "" : " and ") + number(count.unknown) +
            " of unknown size";
  return text;
}

/// The memory of a program, at each of the sizes if it depends on them.
std::string describeRam(const ReportTotals &totals) {
  std::vector<std::pair<NamedSizes, int64_t>> atSizes;
  for (const TotalsAt &at : totals.atSizes)
    if (at.ramBytes)
      atSizes.emplace_back(at.values, *at.ramBytes);
  return atSizes.empty() ? describeSize(totals.ram)
                         : describeBytes(totals.ram.all, atSizes);
}

/// "3 buffers, 4096 bytes and 1 of unknown size"
std::string describe(const ByteCount &count, const char *noun) {
  return plural(count.count, noun) + ", " + describeSize(count);
}

/// "4096 bytes saved (33.3 %)", or "64 bytes more than without reuse".
std::string describeSaving(int64_t sum, int64_t arena) {
  std::string percent =
      " (" + fixed(100.0 * (1.0 - ratioOf(std::min(arena, sum), sum)), 1) +
      " %)";
  if (arena > sum)
    return number(arena - sum) + " bytes more than without reuse";
  return number(sum - arena) + " bytes saved" + percent;
}

std::string describeRanges(const LiveRanges &ranges) {
  std::string text;
  for (size_t i = 0; i < std::min(ranges.size(), kMostRanges); ++i)
    text += std::string(i > 0 ? " " : "") + "[" + number(ranges[i].start) +
            ", " + number(ranges[i].end) + ")";
  if (ranges.size() > kMostRanges)
    text += " and " + number(int64_t(ranges.size() - kMostRanges)) + " more";
  return text;
}

class TextPrinter {
public:
  explicit TextPrinter(std::string &out) : out(out) {}

  void print(const Report &report) {
    const ChangeReport *last = nullptr;
    for (const ChangeReport &change : report.changes) {
      if (!last || last->function != change.function ||
          last->memorySpace != change.memorySpace)
        out += "@" + change.function + " was changed before planning" +
               (change.memorySpace.empty()
                    ? ""
                    : ", for memory space " + change.memorySpace) +
               "\n";
      out += formatText(change);
      last = &change;
    }
    for (const ArenaReport &arena : report.arenas)
      print(arena);
    printTotals(report);
  }

private:
  void line(const std::string &key, const std::string &text) {
    out += "  " + key +
           std::string(11 - std::min<size_t>(key.size(), 10), ' ') + text +
           "\n";
  }

  void print(const ArenaReport &arena) {
    if (arena.workers != 0)
      out += "frame of each of " + plural(arena.workers, "worker") + ", " +
             arena.loop + ", in the ";
    else if (!arena.loop.empty())
      out += "arena of each iteration of " + arena.loop + ", in @" +
             arena.function + " in memory space " + arena.memorySpace;
    if (arena.workers != 0 || arena.loop.empty())
      out += "arena of @" + arena.function + " in memory space " +
             arena.memorySpace;
    if (arena.status == ArenaStatus::PlannedBefore) {
      out += ": planned before, " + number(arena.arenaBytes) + " bytes\n";
      return;
    }
    if (arena.status == ArenaStatus::NothingToPlan) {
      out += ": nothing to plan";
      if (arena.unplanned.count > 0)
        out += "; not planned " + describe(arena.unplanned, "buffer");
      out += "\n";
      printUnplanned(arena);
      return;
    }
    out += "\n";
    printPlan(arena);
    if (arena.concurrency)
      printConcurrency(arena);
    printPeak(arena);
    printSharedSlots(arena);
    printInPlace(arena);
    if (arena.unplanned.count > 0) {
      out += "  not planned\n";
      printUnplanned(arena);
    }
  }

  void printPlan(const ArenaReport &arena) {
    std::string how = arena.strategy;
    if (!arena.winner.empty() && arena.winner != arena.strategy)
      how += " (" + arena.winner + ")";
    how += ", " + std::string(arenaStatusName(arena.status));
    if (!arena.message.empty())
      how += " (" + arena.message + ")";
    line("strategy", how);
    auto slots = static_cast<int64_t>(arena.slots.size());
    line("buffers",
         number(arena.buffersPlanned) +
             (arena.hasPlan() ? " planned" : " to plan") +
             (slots != arena.buffersPlanned ? " in " + plural(slots, "slot")
                                            : "") +
             ", " + number(arena.unplanned.count) + " not" +
             (arena.unplanned.count > 0
                  ? " (" + describeSize(arena.unplanned) + ")"
                  : ""));
    std::string bytes = " bytes";
    if (arena.sizes && !arena.sizes->hints.empty())
      bytes += " at " + describeValues(arena.sizes->hints.front().values);
    line("sum", number(arena.sumBytes) + bytes + ", the arena without reuse");
    line("bound", number(arena.boundBytes) + bytes +
                      ", no plan of these buffers is smaller");
    line("arena",
         arena.hasPlan()
             ? number(arena.arenaBytes) + bytes + ", " +
                   fixed(ratioOf(arena.arenaBytes, arena.boundBytes), 4) +
                   " of the bound, " +
                   describeSaving(arena.sumBytes, arena.arenaBytes) +
                   describePlacement(arena)
             : "none: there is no plan");
    if (!arena.problem.cuts.empty())
      line("results", "the first " + number(arena.problem.cuts.back()) +
                          " bytes of the arena, which others use until the "
                          "results are written");
    if (arena.penalty)
      line("penalty", number(*arena.penalty) + ", at least " +
                          number(arena.penaltyBound) +
                          " in every plan that fits");
    if (arena.sizes)
      printSizes(*arena.sizes);
    if (arena.problem.capacity)
      line("capacity", describeCapacity(arena));
    for (const StrategyReport &strategy : arena.strategies)
      line("  " + strategy.name, number(strategy.arenaBytes) + " bytes");
  }

  /// The formulas, and a line for each hint.
  void printSizes(const SizesReport &sizes) {
    if (sizes.arena)
      line("arena is", sizes.arena->print());
    if (sizes.bound)
      line("bound is", sizes.bound->print());
    for (const HintReport *hint : sizes.list()) {
      bool isGreatest = sizes.atBounds && hint == &*sizes.atBounds;
      printHint(isGreatest ? "greatest" : "sizes", *hint,
                isGreatest && sizes.boundedBytes
                    ? "; dynamic=bounded needs " + number(*sizes.boundedBytes) +
                          " at all sizes"
                    : "");
    }
  }

  void printHint(const std::string &name, const HintReport &hint,
                 const std::string &more) {
    std::string text = describeValues(hint.values) + ": bound " +
                       number(hint.boundBytes) + " bytes";
    if (hint.arenaBytes)
      text += ", arena " + number(*hint.arenaBytes) + ", " +
              fixed(ratioOf(*hint.arenaBytes, hint.boundBytes), 4) +
              " of the bound, " +
              describeSaving(hint.sumBytes, *hint.arenaBytes) + more;
    line(name, text);
  }

  static std::string describePlacement(const ArenaReport &arena) {
    if (arena.status == ArenaStatus::Rejected)
      return "; not used: the function is unchanged";
    if (arena.placement.empty())
      return "";
    if (arena.isFromCaller())
      return ", provided by the caller";
    if (arena.placement == "workgroup")
      return ", of each workgroup";
    return arena.placement == "stack" ? ", on the stack"
                                      : ", a global variable";
  }

  static std::string describeCapacity(const ArenaReport &arena) {
    // Without a plan the arena would have at least the bytes of the bound.
    int64_t used = (arena.hasPlan() ? arena.arenaBytes : arena.boundBytes) +
                   arena.unplanned.bytes;
    std::string text = number(*arena.problem.capacity) + " bytes";
    if (used > *arena.problem.capacity)
      text += ", " + std::string(arena.hasPlan() ? "" : "at least ") +
              number(used - *arena.problem.capacity) + " too few";
    else if (arena.hasPlan())
      text += ", " + number(*arena.problem.capacity - used) + " left";
    if (arena.unplanned.bytes > 0)
      text += "; " + number(arena.unplanned.bytes) +
              " not planned count against it";
    if (arena.unplanned.unknown > 0)
      text += "; says nothing of " + plural(arena.unplanned.unknown, "buffer") +
              " of unknown size";
    return text;
  }

  void printConcurrency(const ArenaReport &arena) {
    const ConcurrencyReport &steps = *arena.concurrency;
    line("steps", number(steps.steps) + ", of at most " +
                      number(steps.widestStep) + " ops at once");
    line("sequential",
         number(steps.sequentialArena) + " bytes, bound " +
             number(steps.sequentialBound) + "; concurrency costs " +
             number(arena.arenaBytes - steps.sequentialArena) + " bytes (" +
             fixed(ratioOf(arena.arenaBytes, steps.sequentialArena), 4) +
             " of it)");
  }

  static std::string describePlace(const SlotReport &slot) {
    return number(slot.size) + " bytes" +
           (slot.offset ? " at offset " + number(*slot.offset) : "");
  }

  /// ", memref<4xf32>, %alloc "conv1", made by linalg.exp, main.mlir:4:8"
  static std::string describeOrigin(const BufferReport &buffer) {
    std::string text;
    if (!buffer.type.empty())
      text += ", " + buffer.type;
    if (!buffer.value.empty())
      text += ", " + buffer.value;
    if (!buffer.label.empty())
      text += (buffer.value.empty() ? ", \"" : " \"") + buffer.label + "\"";
    if (!buffer.op.empty())
      text += ", made by " + buffer.op;
    if (!buffer.location.empty())
      text += ", " + buffer.location;
    return text;
  }

  void printPeak(const ArenaReport &arena) {
    if (arena.peakSlots.empty())
      return;
    line("peak",
         number(arena.peakBytes) + " bytes live at point " +
             number(arena.peakPoint) +
             (arena.peakLocation.empty() ? "" : ", " + arena.peakLocation) +
             (arena.peakBytes > arena.arenaBytes && !arena.inPlace.empty()
                  ? "; in place they share bytes"
                  : ""));
    for (unsigned index : arena.peakSlots) {
      const SlotReport &slot = arena.slots[index];
      out += "    " + slot.id + "  " + describePlace(slot);
      // The buffers that may be in the slot at the peak, for a shared slot.
      std::vector<unsigned> holders;
      for (const SlotUse &use : slot.uses)
        for (const LiveRange &range : use.live)
          if (range.start <= arena.peakPoint && arena.peakPoint < range.end)
            holders.push_back(use.buffer);
      bool isOwn = slot.uses.size() == 1;
      if (isOwn)
        out += describeOrigin(arena.buffers[slot.uses.front().buffer]);
      for (size_t i = 0; !isOwn && i < holders.size(); ++i) {
        const BufferReport &buffer = arena.buffers[holders[i]];
        out += (i == 0 ? ", holds " : " or ") + buffer.name + ", " +
               buffer.location;
      }
      out += "\n";
    }
  }

  /// Prints the shared slots with their buffers and the ranges in which each
  /// may be in the slot.
  void printSharedSlots(const ArenaReport &arena) {
    bool isFirst = true;
    for (const SlotReport &slot : arena.slots) {
      bool isShared = slot.uses.size() != 1;
      for (const SlotUse &use : slot.uses)
        isShared |= arena.buffers[use.buffer].slots.size() > 1;
      if (!isShared)
        continue;
      if (isFirst)
        out += "  shared slots\n";
      isFirst = false;
      out += "    " + slot.id + "  " + describePlace(slot) + ":";
      for (const SlotUse &use : slot.uses)
        out += std::string(&use == &slot.uses.front() ? " " : ", ") +
               arena.buffers[use.buffer].name + " " + describeRanges(use.live);
      if (slot.uses.empty())
        out += " spare " + describeRanges(slot.ranges);
      out += "\n";
    }
  }

  void printInPlace(const ArenaReport &arena) {
    if (!arena.inPlace.empty())
      out += "  in place\n";
    for (const InPlaceReport &inPlace : arena.inPlace)
      out += "    " + arena.slots[inPlace.written].id + " over " +
             arena.slots[inPlace.read].id + "  " + inPlace.op + ", " +
             inPlace.location + ": " + inPlace.proof + "\n";
  }

  void printUnplanned(const ArenaReport &arena) {
    for (const BufferReport &buffer : arena.buffers)
      if (!buffer.planned) {
        std::string size = buffer.size ? number(*buffer.size) : buffer.formula;
        out += "    " + buffer.name +
               (size.empty() ? " " : "  " + size + " bytes") +
               describeOrigin(buffer).substr(size.empty() ? 1 : 0) + ": " +
               buffer.reason +
               (buffer.remedy.empty() ? "" : "; " + buffer.remedy) + "\n";
      }
  }

  void printTotals(const Report &report) {
    ReportTotals totals = computeTotals(report);
    std::vector<std::pair<NamedSizes, int64_t>> atSizes;
    atSizes.reserve(totals.atSizes.size());
    for (const TotalsAt &at : totals.atSizes)
      atSizes.emplace_back(at.values, at.arenaBytes);
    out += "total: " + plural(totals.arenas, "arena") + ", " +
           (atSizes.empty() ? number(totals.arenaBytes) + " bytes"
                            : describeBytes(totals.arenaFormula, atSizes)) +
           "; " + number(totals.sumBytes) + " without reuse" +
           (atSizes.empty() ? ""
                            : " at " + describeValues(atSizes.front().first)) +
           ", " + describeSaving(totals.sumBytes, totals.arenaBytes);
    if (totals.withoutPlan > 0)
      out += "; " + plural(totals.withoutPlan, "arena") + " without a plan";
    auto add = [&](const char *what, const ByteCount &count, const char *noun) {
      if (count.count > 0)
        out += std::string("; ") + what + describe(count, noun);
    };
    add("provided by callers ", totals.fromCallers, "arena");
    add("planned before ", totals.plannedBefore, "arena");
    add("not planned ", totals.unplanned, "buffer");
    add("", totals.arguments, "argument");
    add("", totals.results, "result");
    add("", report.constants, "constant");
    add("", report.variables, "global");
    out += "\n";
    // The memory of a program; a problem without one has only the arena.
    if (!report.functions.empty())
      out += "RAM: " + describeRam(totals) +
             "; ROM: " + describeSize(totals.rom) + "\n";
    if (report.functions.size() < 2 || report.constants.count == 0)
      return;
    for (const FunctionReport &function : report.functions) {
      ReportTotals own = computeTotals(report, function);
      out += "  @" + function.name + " and its callees: RAM " +
             describeRam(own) + "; ROM " + describeSize(own.rom) + "\n";
    }
  }

  std::string &out;
};

} // namespace

/// ", 64 FLOPs (0.50 % more)"
static std::string describeFlops(int64_t extra, int64_t all) {
  return ", " + number(extra) + " FLOPs (" +
         fixed(100.0 * static_cast<double>(extra) /
                   static_cast<double>(std::max<int64_t>(all, 1)),
               2) +
         " % more)";
}

std::string memplan::formatText(const ChangeReport &change) {
  std::string text =
      "  " + change.change +
      std::string(18 - std::min<size_t>(change.change.size(), 17), ' ') +
      number(change.bytes) + " bytes";
  if (change.savedBytes < 0)
    text += ", " + number(-change.savedBytes) + " more";
  else
    text += ", " + number(change.savedBytes) + " saved";
  if (!change.stripes.empty())
    text += ", " + plural(static_cast<int64_t>(change.stripes.size()), "chain");
  if (change.repeats > 0)
    text += ", " + plural(change.repeats, "op") +
            (change.repeats == 1 ? " runs again" : " run again");
  if (change.extraFlops > 0 || change.repeats > 0)
    text += describeFlops(change.extraFlops, change.allFlops);
  return text + "\n" + formatStripes(change);
}

std::string memplan::formatStripes(const ChangeReport &change) {
  std::string text;
  for (const StripeReport &stripe : change.stripes) {
    text += "    " + number(stripe.rows) + " of " + number(stripe.count) +
            " rows at once";
    if (stripe.halo > 0)
      text += ", " + plural(stripe.halo, "row") + " again at each seam" +
              describeFlops(stripe.extraFlops, change.allFlops);
    if (stripe.kept > 0)
      text += ", " + plural(stripe.kept, "row") + " kept";
    for (const OpReport &op : stripe.ops)
      text += (&op == &stripe.ops.front() ? ": " : ", ") + op.op;
    text += "\n";
  }
  return text;
}

std::string memplan::formatText(const Report &report) {
  std::string out;
  TextPrinter(out).print(report);
  return out;
}
