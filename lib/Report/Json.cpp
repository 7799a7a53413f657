//===- Json.cpp - Reports as JSON -----------------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Core/JsonWriter.h"
#include "memplan/Report/Report.h"

#include <type_traits>

using namespace memplan;

using Style = JsonWriter::Style;

namespace {
class Printer {
public:
  explicit Printer(std::string &out) : json(out) {}

  void print(const Report &report);

private:
  void print(std::string_view key, const ByteCount &count);
  void print(std::string_view key, const LiveRanges &ranges);
  void print(const ArenaReport &arena);
  void print(const ConcurrencyReport &steps, int64_t arenaBytes);
  void print(const SlotReport &slot, const ArenaReport &arena);
  void print(const SizesReport &sizes, const ArenaReport &arena);
  void printHint(const HintReport &hint);
  void printAtSizes(const ReportTotals &totals);
  /// Writes the fields of a record that names no slots, each record of a list
  /// on a line.
  template <typename Record>
  void printRecord(const Record &record, Style style) {
    json.beginObject(style);
    forEachField<Record>([&](const auto &field) {
      const auto &value = record.*field.member;
      if (!field.isWritten(record))
        return;
      if constexpr (std::decay_t<decltype(field)>::isRecordList)
        json.list(
            field.name, value,
            [&](const auto &item) { printRecord(item, Style::Inline); },
            Style::Lines);
      else
        print(field.name, value);
    });
    json.endObject();
  }
  /// Writes a field of a record, unless it is left out.
  template <typename Field, typename Record>
  void printField(const Field &field, const Record &record,
                  const ArenaReport &arena) {
    const auto &value = record.*field.member;
    if (!field.isWritten(record))
      return;
    if constexpr (std::is_same_v<typename Field::Value, BufferIndex>)
      json.member(field.name, arena.slots[value].id);
    else if constexpr (std::is_same_v<typename Field::Value, MaybeFormula>)
      printFormula(field.name, value);
    else
      print(field.name, value);
  }
  /// Writes the pairs of slots: by their names, if they say nothing else.
  template <typename Pair>
  void printPairs(std::string_view key, const std::vector<Pair> &pairs,
                  const ArenaReport &arena) {
    if (pairs.empty())
      return;
    json.key(key);
    json.beginArray();
    for (const Pair &pair : pairs) {
      isBarePair<Pair> ? json.beginArray(Style::Inline)
                       : json.beginObject(Style::Inline);
      if constexpr (isBarePair<Pair>) {
        json.value(arena.slots[pair.first].id);
        json.value(arena.slots[pair.second].id);
      } else {
        forEachField<Pair>(
            [&](const auto &field) { printField(field, pair, arena); });
      }
      isBarePair<Pair> ? json.endArray() : json.endObject();
    }
    json.endArray();
  }
  void print(std::string_view key, const std::string &text) {
    json.member(key, text);
  }
  void print(std::string_view key, int64_t number) { json.member(key, number); }
  void print(std::string_view key, SoftConflict::Kind kind) {
    json.member(key, kind == SoftConflict::Kind::Bank ? "bank" : "bytes");
  }
  void print(std::string_view key, const std::vector<int64_t> &numbers) {
    json.list(key, numbers, [&](int64_t number) { json.value(number); });
  }
  void print(const BufferReport &buffer, const ArenaReport &arena);
  void printSlotNames(std::string_view key, const std::vector<unsigned> &slots,
                      const ArenaReport &arena);

  void printRatio(std::string_view key, int64_t numerator,
                  int64_t denominator) {
    json.key(key);
    json.value(ratioOf(numerator, denominator), 6);
  }

  /// Writes the number, or null if it is not known.
  void print(std::string_view key, std::optional<int64_t> number) {
    json.key(key);
    number ? json.value(*number) : json.null();
  }

  /// Writes the formula, unless it is absent.
  void printFormula(std::string_view key, const MaybeFormula &formula) {
    if (formula)
      json.member(key, formula->print());
  }

  JsonWriter json;
};
} // namespace

void Printer::print(std::string_view key, const ByteCount &count) {
  json.key(key);
  json.beginObject(Style::Inline);
  json.member("count", count.count);
  json.member("bytes", count.bytes);
  json.member("unknown", count.unknown);
  printFormula("formula", count.getFormula());
  json.endObject();
}

void Printer::print(std::string_view key, const LiveRanges &ranges) {
  json.key(key);
  json.beginArray(Style::Inline);
  for (const LiveRange &range : ranges) {
    json.beginArray(Style::Inline);
    json.value(range.start);
    json.value(range.end);
    json.endArray();
  }
  json.endArray();
}

void Printer::printSlotNames(std::string_view key,
                             const std::vector<unsigned> &slots,
                             const ArenaReport &arena) {
  json.list(key, slots,
            [&](unsigned slot) { json.value(arena.slots[slot].id); });
}

void Printer::print(const ConcurrencyReport &steps, int64_t arenaBytes) {
  json.key("concurrency");
  json.beginObject();
  json.member("steps", steps.steps);
  json.member("widest_step", steps.widestStep);
  json.member("sequential_bound_bytes", steps.sequentialBound);
  json.member("sequential_arena_bytes", steps.sequentialArena);
  json.member("price_bytes", arenaBytes - steps.sequentialArena);
  printRatio("price_ratio", arenaBytes, steps.sequentialArena);
  json.endObject();
}

/// True if the slot has one buffer, which is in it whenever the slot is live,
/// and the buffer's name.
static bool isOwnSlot(const SlotReport &slot, const ArenaReport &arena) {
  return slot.uses.size() == 1 && slot.uses.front().live == slot.ranges &&
         arena.buffers[slot.uses.front().buffer].name == slot.id;
}

void Printer::print(const SlotReport &slot, const ArenaReport &arena) {
  json.beginObject(Style::Inline);
  forEachField<Buffer>([&](const auto &field) {
    if (field.is(&Buffer::pinnedOffset))
      print("offset", slot.offset);
    printField(field, slot, arena);
  });
  if (!isOwnSlot(slot, arena)) {
    json.objects("uses", slot.uses, [&](const SlotUse &use) {
      json.member("buffer", arena.buffers[use.buffer].name);
      print("live", use.live);
    });
  }
  json.endObject();
}

void Printer::print(const BufferReport &buffer, const ArenaReport &arena) {
  json.beginObject(Style::Inline);
  json.member("name", buffer.name);
  json.text("value", buffer.value);
  json.text("label", buffer.label);
  json.text("type", buffer.type);
  json.text("location", buffer.location);
  json.text("op", buffer.op);
  json.text("op_location", buffer.opLocation);
  print("size", buffer.size);
  json.text("formula", buffer.formula);
  json.member("alignment", buffer.alignment);
  json.member("planned", buffer.planned);
  if (buffer.planned) {
    printSlotNames("slots", buffer.slots, arena);
    if (buffer.slots.size() == 1 && arena.slots[buffer.slots.front()].offset)
      json.member("offset", *arena.slots[buffer.slots.front()].offset);
    print("live", buffer.live);
  } else {
    json.member("reason", buffer.reason);
    json.text("reason_location", buffer.reasonLocation);
    json.text("remedy", buffer.remedy);
  }
  json.endObject();
}

void Printer::printHint(const HintReport &hint) {
  json.key("values");
  json.beginArray(Style::Inline);
  for (const auto &value : hint.values)
    json.value(value.second);
  json.endArray();
  json.member("sum_bytes", hint.sumBytes);
  json.member("bound_bytes", hint.boundBytes);
  print("arena_bytes", hint.arenaBytes);
  if (hint.arenaBytes)
    printRatio("ratio_to_bound", *hint.arenaBytes, hint.boundBytes);
  else
    print("ratio_to_bound", std::nullopt);
}

void Printer::print(const SizesReport &sizes, const ArenaReport &arena) {
  json.key("sizes");
  json.beginObject();
  printFormula("arena", sizes.arena);
  printFormula("bound", sizes.bound);
  json.objects("symbols", sizes.symbols, [&](const SizeSymbol &symbol) {
    json.member("name", symbol.name);
    if (symbol.least != INT64_MIN)
      json.member("least", symbol.least);
    if (symbol.greatest)
      json.member("greatest", *symbol.greatest);
    if (symbol.multipleOf != 1)
      json.member("multiple_of", symbol.multipleOf);
  });
  json.objects("hints", sizes.hints,
               [&](const HintReport &hint) { printHint(hint); });
  if (sizes.atBounds) {
    json.key("at_bounds");
    json.beginObject(Style::Inline);
    printHint(*sizes.atBounds);
    if (sizes.boundedBytes)
      json.member("bounded_bytes", *sizes.boundedBytes);
    json.endObject();
  }
  json.objects("places", sizes.places, [&](const Place &place) {
    printSlotNames("slots", place.members, arena);
    json.member("alignment", place.alignment);
    if (place.offset) {
      json.member("offset", *place.offset);
    } else {
      json.member("from", place.from);
      json.list("above", place.above, [&](unsigned lower) {
        json.value(static_cast<int64_t>(lower));
      });
    }
  });
  json.endObject();
}

void Printer::print(const ArenaReport &arena) {
  json.beginObject();
  json.member("function", arena.function);
  json.member("memory_space", arena.memorySpace);
  if (arena.workers != 0)
    json.member("workers", arena.workers);
  json.text("loop", arena.loop);
  if (arena.loopNumber)
    json.member("loop_number", *arena.loopNumber);
  json.member("is_frame", arena.isFrame);
  json.text("placement", arena.placement);
  json.member("status", arenaStatusName(arena.status));
  json.member("strategy", arena.strategy);
  json.member("winner", arena.winner);
  json.member("message", arena.message);
  json.member("nodes", arena.nodes);
  forEachOwnField(
      [&](const auto &field) { printField(field, arena.problem, arena); });
  json.member("buffers_planned", arena.buffersPlanned);
  json.member("buffers_unplanned", arena.unplanned.count);
  json.member("unplanned_bytes", arena.unplanned.bytes);
  json.member("unplanned_unknown", arena.unplanned.unknown);
  json.member("sum_bytes", arena.sumBytes);
  json.member("bound_bytes", arena.boundBytes);
  if (arena.hasPlan()) {
    json.member("arena_bytes", arena.arenaBytes);
    json.member("saved_bytes", arena.getSavedBytes());
    printRatio("ratio_to_bound", arena.arenaBytes, arena.boundBytes);
  } else {
    for (const char *key : {"arena_bytes", "saved_bytes", "ratio_to_bound"})
      print(key, std::nullopt);
  }
  if (arena.penalty) {
    json.member("penalty", *arena.penalty);
    json.member("penalty_bound", arena.penaltyBound);
  }
  if (arena.sizes)
    print(*arena.sizes, arena);
  if (arena.concurrency)
    print(*arena.concurrency, arena.arenaBytes);
  json.key("peak");
  json.beginObject();
  json.member("bytes", arena.peakBytes);
  json.member("point", arena.peakPoint);
  json.member("location", arena.peakLocation);
  printSlotNames("slots", arena.peakSlots, arena);
  json.endObject();
  if (!arena.strategies.empty()) {
    json.objects("strategies", arena.strategies,
                 [&](const StrategyReport &strategy) {
                   json.member("name", strategy.name);
                   json.member("arena_bytes", strategy.arenaBytes);
                 });
  }
  json.key("slots");
  json.beginArray();
  for (const SlotReport &slot : arena.slots)
    print(slot, arena);
  json.endArray();
  forEachPairList([&](const auto &field) {
    printPairs(field.name, arena.problem.*field.member, arena);
  });
  if (!arena.inPlace.empty()) {
    json.objects("in_place", arena.inPlace, [&](const InPlaceReport &inPlace) {
      json.member("read", arena.slots[inPlace.read].id);
      json.member("written", arena.slots[inPlace.written].id);
      json.member("op", inPlace.op);
      json.member("location", inPlace.location);
      json.member("proof", inPlace.proof);
    });
  }
  json.key("buffers");
  json.beginArray();
  for (const BufferReport &buffer : arena.buffers)
    print(buffer, arena);
  json.endArray();
  json.endObject();
}

void Printer::printAtSizes(const ReportTotals &totals) {
  if (totals.atSizes.empty())
    return;
  json.key("sizes");
  json.beginObject();
  printFormula("arena", totals.arenaFormula);
  printFormula("ram", totals.ram.all);
  json.objects("at", totals.atSizes, [&](const TotalsAt &at) {
    json.key("values");
    json.beginObject(Style::Inline);
    for (const auto &[name, value] : at.values)
      json.member(name, value);
    json.endObject();
    json.member("arena_bytes", at.arenaBytes);
    if (at.ramBytes)
      json.member("ram_bytes", *at.ramBytes);
  });
  json.endObject();
}

void Printer::print(const Report &report) {
  ReportTotals totals = computeTotals(report);
  json.beginObject();
  json.member("schema", "memplan-report");
  json.member("version", kReportVersion);
  if (report.timeMs) {
    json.key("time_ms");
    json.value(*report.timeMs, 3);
  }
  json.key("totals");
  json.beginObject();
  json.member("arenas", totals.arenas);
  json.member("arena_bytes", totals.arenaBytes);
  json.member("bound_bytes", totals.boundBytes);
  json.member("sum_bytes", totals.sumBytes);
  json.member("saved_bytes", totals.sumBytes - totals.arenaBytes);
  print("from_callers", totals.fromCallers);
  json.member("without_plan", totals.withoutPlan);
  json.member("unplanned_bytes", totals.unplanned.bytes);
  print("unplanned", totals.unplanned);
  print("planned_before", totals.plannedBefore);
  print("arguments", totals.arguments);
  print("results", totals.results);
  print("constants", report.constants);
  print("variables", report.variables);
  print("ram", totals.ram);
  print("rom", totals.rom);
  printAtSizes(totals);
  json.endObject();
  json.objects("functions", report.functions,
               [&](const FunctionReport &function) {
                 json.member("function", function.name);
                 json.text("location", function.location);
                 print("arguments", function.arguments);
                 print("results", function.results);
                 if (report.constants.count > 0) {
                   ReportTotals own = computeTotals(report, function);
                   print("ram", own.ram);
                   print("rom", own.rom);
                 }
               });
  json.key("arenas");
  json.beginArray();
  for (const ArenaReport &arena : report.arenas)
    print(arena);
  json.endArray();
  if (!report.changes.empty())
    json.list(
        "changes", report.changes,
        [&](const ChangeReport &change) { printRecord(change, Style::Lines); },
        Style::Lines);
  json.endObject();
}

std::string memplan::formatJson(const Report &report) {
  std::string out;
  Printer(out).print(report);
  return out + "\n";
}
