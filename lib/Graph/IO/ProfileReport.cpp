//===- ProfileReport.cpp - Profiles as text, CSV and JSON -----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/ProfileReport.h"

#include "IO/Table.h"
#include "memplan/Core/Formula.h"
#include "memplan/Core/JsonWriter.h"

using namespace memplan;
using namespace memplan::graph;

namespace {

using Align = Table::Align;

/// The names of ops and allocations of a profile.
class ProfileNames {
public:
  ProfileNames(const OpGraph &graph, const MemoryProfile &profile)
      : graph(graph), profile(profile) {}

  const Op *opAt(size_t time) const {
    OpId op = profile.memory.opAt[time];
    return op == noOp ? nullptr : &graph.ops[op];
  }
  std::string opId(size_t time) const {
    const Op *op = opAt(time);
    return op ? op->id : "";
  }
  std::string allocation(uint32_t index) const {
    return allocationName(graph, profile.memory.allocations[index]);
  }

private:
  const OpGraph &graph;
  const MemoryProfile &profile;
};

/// The time of an entry, e.g. "at time 3, when op 'b' has allocated".
std::string whenOf(const ProfileNames &names, const ProfileEntry &entry) {
  if (entry.phase == ProfilePhase::Start)
    return "before the first op";
  return "at time " + std::to_string(entry.time) + ", when op '" +
         names.opId(entry.time) + "' has " +
         (entry.phase == ProfilePhase::Allocate ? "allocated" : "released");
}

bool isInUse(const MemoryProfile &profile, uint32_t space) {
  for (size_t i = 0; i < profile.entries.size(); ++i)
    if (profile.liveIn(i, space) > 0)
      return true;
  return false;
}

std::string spaceName(const std::string &space) {
  return space.empty() ? "the default space" : "space '" + space + "'";
}

/// A table of the `top` largest allocations that are live in an entry, in all
/// spaces or in `space`.
std::string liveTable(const OpGraph &graph, const MemoryProfile &profile,
                      size_t entryIndex, const uint32_t *space, size_t top) {
  ProfileNames names(graph, profile);
  const ProfileEntry &entry = profile.entries[entryIndex];
  std::vector<Table::Column> columns = {
      {"bytes", Align::Right}, {"storage"}, {"from"}, {"made by"},
      {"live", Align::Right},  {"location"}};
  bool hasFormulas = false;
  for (const ProfileChange &live : profile.liveAt(entryIndex)) {
    StorageId storage = profile.memory.allocations[live.allocation].storage;
    hasFormulas |= !graph.storages[storage].formula.empty();
  }
  const Op *op = names.opAt(entry.time);
  bool hasScratch = entry.scratchBytes > 0 && (!space || *space == 0);
  hasFormulas |= hasScratch && !op->scratchFormula.empty();
  if (hasFormulas)
    columns.insert(columns.begin() + 1, {"formula"});
  Table table(std::move(columns));
  auto addRow = [&](std::vector<std::string> row, const std::string &formula) {
    if (hasFormulas)
      row.insert(row.begin() + 1, formula);
    table.addRow(std::move(row));
  };
  size_t numShown = 0, numLeft = 0;
  int64_t bytesLeft = 0;
  for (const ProfileChange &live : profile.liveAt(entryIndex)) {
    const Allocation &a = profile.memory.allocations[live.allocation];
    if (space && a.space != *space)
      continue;
    if (numShown == top) {
      ++numLeft;
      bytesLeft += live.bytes;
      continue;
    }
    ++numShown;
    const Op *maker = names.opAt(a.begin);
    addRow({grouped(live.bytes), names.allocation(live.allocation),
            std::string(nameOf(a.origin)), maker ? maker->id : "",
            std::to_string(a.begin) + ".." +
                (a.isReleased ? std::to_string(a.end - 1) : "end"),
            maker ? maker->location : ""},
           graph.storages[a.storage].formula);
  }
  if (hasScratch)
    addRow({grouped(entry.scratchBytes), "(scratch)", "op", op->id,
            std::to_string(entry.time) + ".." + std::to_string(entry.time),
            op->location},
           op->scratchFormula);
  std::string text = table.text();
  if (numLeft > 0)
    text += "and " + grouped(bytesLeft) + " bytes in " +
            std::to_string(numLeft) + " smaller ones\n";
  return text;
}

/// The live bytes of an entry as a formula over the symbols of storages and
/// scratch, e.g. "128*n + 128"; empty if all sizes are static. Sizes without a
/// formula, such as parts of storages, are summed up as a number.
std::string liveFormula(const OpGraph &graph, const MemoryProfile &profile,
                        size_t entryIndex) {
  const ProfileEntry &entry = profile.entries[entryIndex];
  MaybeFormula sum = Formula();
  bool isSymbolic = false;
  auto add = [&](const std::string &text, int64_t bytes) {
    isSymbolic |= !text.empty();
    std::string error;
    MaybeFormula size =
        text.empty() ? Formula(bytes) : parseFormula(text, error);
    // A graph of another tool may have other formulas.
    sum = memplan::add(sum, size ? size : Formula::symbol("(" + text + ")"));
  };
  for (const ProfileChange &live : profile.liveAt(entryIndex)) {
    const Allocation &a = profile.memory.allocations[live.allocation];
    const Storage &storage = graph.storages[a.storage];
    add(live.bytes == storage.bytes ? storage.formula : "", live.bytes);
  }
  if (entry.scratchBytes > 0)
    add(graph.ops[profile.memory.opAt[entry.time]].scratchFormula,
        entry.scratchBytes);
  return isSymbolic && sum ? sum->print() : "";
}

std::vector<Table::Column> entryColumns(const MemoryProfile &profile) {
  std::vector<Table::Column> columns = {{"time", Align::Right},
                                        {"phase"},
                                        {"op"},
                                        {"name"},
                                        {"live_bytes", Align::Right}};
  if (profile.memory.spaces.size() > 1)
    for (const std::string &space : profile.memory.spaces)
      columns.push_back({"live_bytes[" + space + "]", Align::Right});
  columns.insert(columns.end(), {{"scratch_bytes", Align::Right},
                                 {"allocated"},
                                 {"released"},
                                 {"location"}});
  return columns;
}

Table entryTable(const OpGraph &graph, const MemoryProfile &profile) {
  ProfileNames names(graph, profile);
  Table table(entryColumns(profile));
  for (size_t i = 0; i < profile.entries.size(); ++i) {
    const ProfileEntry &entry = profile.entries[i];
    const Op *op = names.opAt(entry.time);
    std::vector<std::string> row = {
        std::to_string(entry.time), std::string(nameOf(entry.phase)),
        op ? op->id : "", op ? op->name : "", std::to_string(entry.liveBytes)};
    if (profile.memory.spaces.size() > 1)
      for (uint32_t s = 0; s < profile.memory.spaces.size(); ++s)
        row.push_back(std::to_string(profile.liveIn(i, s)));
    std::string changes;
    for (size_t c = entry.firstChange; c < entry.endChange; ++c)
      changes += (changes.empty() ? "" : " ") +
                 names.allocation(profile.changes[c].allocation);
    bool isRelease = entry.phase == ProfilePhase::Release;
    row.insert(row.end(),
               {std::to_string(entry.scratchBytes), isRelease ? "" : changes,
                isRelease ? changes : "", op ? op->location : ""});
    table.addRow(std::move(row));
  }
  return table;
}

std::string rolesText(const MemoryOptions &options) {
  std::string text = "held: " + namesOf(options.held) + "\n";
  if (namesOf(options.excluded) != "none")
    text += "not counted: " + namesOf(options.excluded) + "\n";
  if (options.takeTies)
    text += "results take the place of dying operands where a tie allows it\n";
  return text;
}

void writeNames(JsonWriter &json, std::string_view key, Origins origins) {
  std::vector<std::string_view> names;
  for (size_t i = 0; i < EnumNames<Origin>::names.size(); ++i)
    if (origins.contains(static_cast<Origin>(i)))
      names.push_back(EnumNames<Origin>::names[i]);
  json.list(key, names, [&](std::string_view name) { json.value(name); });
}

void writeAllocation(JsonWriter &json, const OpGraph &graph,
                     const ScheduleMemory &memory, const Allocation &a) {
  const Storage &storage = graph.storages[a.storage];
  json.beginObject(JsonWriter::Style::Inline);
  json.member("id", allocationName(graph, a));
  json.member("storage", storage.id);
  json.member("origin", nameOf(a.origin));
  json.member("bytes", a.bytes);
  json.text("formula", storage.formula);
  if (a.restBytes > 0)
    json.member("rest_bytes", a.restBytes);
  if (a.space > 0)
    json.member("space", memory.spaces[a.space]);
  json.member("begin", static_cast<int64_t>(a.begin));
  json.member("end", static_cast<int64_t>(a.end));
  json.member("released", a.isReleased);
  if (OpId maker = memory.opAt[a.begin]; maker != noOp) {
    json.member("op", graph.ops[maker].id);
    json.text("location", graph.ops[maker].location);
  }
  if (!a.tied.empty())
    json.list("tied", a.tied,
              [&](StorageId s) { json.value(graph.storages[s].id); });
  json.endObject();
}

} // namespace

std::string memplan::graph::allocationName(const OpGraph &graph,
                                           const Allocation &allocation) {
  std::string name = graph.storages[allocation.storage].id;
  if (allocation.repeat > 1)
    name += " run " + std::to_string(allocation.repeat);
  return name;
}

std::string memplan::graph::formatProfileText(const OpGraph &graph,
                                              const MemoryProfile &profile,
                                              size_t top, bool withEntries) {
  ProfileNames names(graph, profile);
  size_t peak = profile.peakEntry();
  std::string text = "graph: " + graph.name + "\n" +
                     "peak: " + grouped(profile.peakBytes()) + " bytes, " +
                     whenOf(names, profile.entries[peak]) + "\n";
  if (std::string formula = liveFormula(graph, profile, peak); !formula.empty())
    text += "  = " + formula + ", under the hints given\n";
  text += rolesText(profile.options);
  std::vector<uint32_t> spaces;
  for (uint32_t s = 0; s < profile.memory.spaces.size(); ++s)
    if (isInUse(profile, s))
      spaces.push_back(s);
  if (spaces.size() <= 1)
    text +=
        "\nlive at the peak:\n" + liveTable(graph, profile, peak, nullptr, top);
  for (uint32_t s : spaces) {
    if (spaces.size() <= 1)
      break;
    size_t entry = profile.peakEntry(s);
    text += "\npeak of " + spaceName(profile.memory.spaces[s]) + ": " +
            grouped(profile.liveIn(entry, s)) + " bytes, " +
            whenOf(names, profile.entries[entry]) + "\n" +
            liveTable(graph, profile, entry, &s, top);
  }
  if (withEntries)
    text += "\n" + entryTable(graph, profile).text();
  return text;
}

std::string memplan::graph::formatProfileCsv(const OpGraph &graph,
                                             const MemoryProfile &profile) {
  return entryTable(graph, profile).csv();
}

std::string memplan::graph::formatProfileJson(const OpGraph &graph,
                                              const MemoryProfile &profile) {
  using Style = JsonWriter::Style;
  const ScheduleMemory &memory = profile.memory;
  std::string out;
  JsonWriter json(out);
  json.beginObject();
  json.member("format", "memplan.profile");
  json.member("version", 1);
  json.member("graph", graph.name);
  size_t peak = profile.peakEntry();
  json.member("peak_bytes", profile.entries[peak].liveBytes);
  json.member("peak_entry", static_cast<int64_t>(peak));
  json.text("peak_formula", liveFormula(graph, profile, peak));
  writeNames(json, "held", profile.options.held);
  writeNames(json, "excluded", profile.options.excluded);
  json.member("ties", profile.options.takeTies);
  std::vector<uint32_t> spaces(memory.spaces.size());
  for (uint32_t s = 0; s < spaces.size(); ++s)
    spaces[s] = s;
  json.objects("spaces", spaces, [&](uint32_t s) {
    size_t entry = profile.peakEntry(s);
    json.member("space", memory.spaces[s]);
    json.member("peak_bytes", profile.liveIn(entry, s));
    json.member("peak_entry", static_cast<int64_t>(entry));
  });
  json.objects(
      "live_at_peak", profile.liveAt(peak), [&](const ProfileChange &live) {
        json.member("allocation", static_cast<int64_t>(live.allocation));
        json.member("bytes", live.bytes);
      });
  json.list(
      "allocations", memory.allocations,
      [&](const Allocation &a) { writeAllocation(json, graph, memory, a); },
      Style::Lines);
  size_t index = 0;
  json.objects("entries", profile.entries, [&](const ProfileEntry &entry) {
    OpId op = memory.opAt[entry.time];
    json.member("time", static_cast<int64_t>(entry.time));
    json.member("phase", nameOf(entry.phase));
    if (op != noOp) {
      json.member("op", graph.ops[op].id);
      json.text("name", graph.ops[op].name);
      json.text("location", graph.ops[op].location);
    }
    json.member("live_bytes", entry.liveBytes);
    if (spaces.size() > 1)
      json.list("live_bytes_by_space", spaces,
                [&](uint32_t s) { json.value(profile.liveIn(index, s)); });
    if (entry.scratchBytes > 0) {
      json.member("scratch_bytes", entry.scratchBytes);
      if (op != noOp)
        json.text("scratch_formula", graph.ops[op].scratchFormula);
    }
    std::vector<ProfileChange> changes(
        profile.changes.begin() + static_cast<ptrdiff_t>(entry.firstChange),
        profile.changes.begin() + static_cast<ptrdiff_t>(entry.endChange));
    json.list(entry.phase == ProfilePhase::Release ? "released" : "allocated",
              changes, [&](const ProfileChange &change) {
                json.value(static_cast<int64_t>(change.allocation));
              });
    ++index;
  });
  json.endObject();
  return out + "\n";
}

std::string memplan::graph::formatPairText(const OpGraph &forward,
                                           const PairProfile &pair, size_t top,
                                           bool withEntries) {
  const OpGraph &backward = pair.backwardGraph;
  std::string text =
      "forward peak: " + grouped(pair.forwardPeakBytes()) +
      " bytes\nbackward peak: " + grouped(pair.backwardPeakBytes()) +
      " bytes, " + grouped(pair.baselineBytes) +
      " of them the baseline\npeak of the pair: " + grouped(pair.peakBytes()) +
      " bytes\n";
  text += "\nbaseline, forward outputs that the backward function does not "
          "take:\n";
  Table baseline({{"bytes", Align::Right}, {"storage"}});
  for (StorageId s : pair.baseline)
    baseline.addRow(
        {grouped(forward.storages[s].bytes), forward.storages[s].id});
  text += baseline.text();
  text += "\nnot released in the backward function:\n";
  Table held({{"bytes", Align::Right}, {"input"}, {"storage"}, {"why"}});
  for (const HeldInput &input : pair.held) {
    const Value &value = backward.values[input.value];
    const Storage &storage = backward.storages[value.storage];
    held.addRow({grouped(storage.bytes), value.id, storage.id,
                 std::string(nameOf(input.reason))});
  }
  text += held.text();
  return text + "\n" +
         formatProfileText(forward, pair.forward, top, withEntries) + "\n" +
         formatProfileText(backward, pair.backward, top, withEntries);
}

std::string memplan::graph::formatPairJson(const OpGraph &forward,
                                           const PairProfile &pair) {
  const OpGraph &backward = pair.backwardGraph;
  std::string out;
  JsonWriter json(out);
  json.beginObject();
  json.member("format", "memplan.pair_profile");
  json.member("version", 1);
  json.member("forward_peak_bytes", pair.forwardPeakBytes());
  json.member("baseline_bytes", pair.baselineBytes);
  json.member("backward_peak_bytes", pair.backwardPeakBytes());
  json.member("peak_bytes", pair.peakBytes());
  json.list("baseline", pair.baseline,
            [&](StorageId s) { json.value(forward.storages[s].id); });
  json.objects("not_released", pair.held, [&](const HeldInput &input) {
    const Value &value = backward.values[input.value];
    json.member("input", value.id);
    json.member("storage", backward.storages[value.storage].id);
    json.member("why", nameOf(input.reason));
  });
  json.key("forward");
  json.json(formatProfileJson(forward, pair.forward));
  json.key("backward");
  json.json(formatProfileJson(backward, pair.backward));
  json.endObject();
  return out + "\n";
}
