//===- Observation.cpp - What a running program did with slots ------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Report/Observation.h"

#include "memplan/Core/CheckedMath.h"
#include "memplan/Core/Json.h"
#include "memplan/Core/JsonWriter.h"
#include "memplan/Report/Picture.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

using namespace memplan;

namespace {
class ObservationReader {
public:
  ObservationReader(std::string_view text, Observation &result)
      : json(text), result(result) {}

  bool read() {
    bool hasFormat = false;
    bool isRead = json.readObject([&](std::string_view key) {
      if (key == "format") {
        std::string format;
        hasFormat = true;
        return json.readString(format) &&
               (format == "memplan.observation" ||
                json.fail("the format is not memplan.observation"));
      }
      if (key == "version") {
        int64_t version = 0;
        return json.readInt(version) &&
               (version == 1 || json.fail("the version is not 1"));
      }
      if (key == "counts")
        return readCounts();
      if (key == "arenas")
        return json.readArray([&] { return readArena(); });
      if (key == "sites")
        return json.readArray([&] { return readSite(); });
      if (key == "events")
        return json.readArray([&] { return readEvent(); });
      return json.skip();
    });
    if (!isRead || !json.atEnd())
      return false;
    if (!hasFormat)
      return json.failAt(0, "this is no observation: it has no 'format'");
    if (!counts)
      return json.failAt(0, "this is no observation: it has no 'counts'");
    auto births = static_cast<uint64_t>(std::count_if(
        result.events.begin(), result.events.end(),
        [](const ObservedEvent &event) { return event.kind == "birth"; }));
    // Without dropped events all births are listed.
    return (result.counts.dropped > 0 ? births <= result.counts.births
                                      : births == result.counts.births) ||
           json.failAt(*counts, std::to_string(result.counts.births) +
                                    " births are counted, " +
                                    std::to_string(result.counts.dropped) +
                                    " events are dropped, but " +
                                    std::to_string(births) +
                                    " births are listed");
  }

  TextError error() const { return json.error(); }

private:
  bool readCounts() {
    json.peek();
    counts = json.position();
    std::pair<std::string_view, uint64_t *> members[] = {
        {"birth", &result.counts.births},
        {"use_of_dead", &result.counts.usesOfDead},
        {"findings", &result.counts.findings},
        {"dropped", &result.counts.dropped}};
    std::set<std::string_view> read;
    if (!json.readObject([&](std::string_view key) {
          for (auto [name, count] : members)
            if (name == key) {
              read.insert(name);
              return readCount(*count);
            }
          return json.skip();
        }))
      return false;
    for (const auto &member : members)
      if (read.count(member.first) == 0)
        return json.failAt(*counts, "there is no count '" +
                                        std::string(member.first) + "'");
    return true;
  }

  bool readLoop(ArenaName &name) {
    std::string loop;
    if (!json.readString(loop))
      return false;
    int64_t number = 0;
    for (char c : loop) {
      if (c < '0' || c > '9' || number > INT64_MAX / 20)
        return json.fail("a loop is not a number");
      number = number * 10 + (c - '0');
    }
    if (!loop.empty())
      name.loop = number;
    return true;
  }

  /// Reads a member that names an arena; false in `isRead` if it is none.
  bool readName(std::string_view key, ArenaName &name, bool &isRead) {
    isRead = true;
    if (key == "function")
      return json.readString(name.function);
    if (key == "loop")
      return readLoop(name);
    if (key == "memory_space")
      return json.readString(name.memorySpace);
    isRead = false;
    return true;
  }

  bool readArena() {
    ObservedArena &arena = result.arenas.emplace_back();
    return json.readObject([&](std::string_view key) {
      bool isRead;
      if (!readName(key, arena.name, isRead) || isRead)
        return isRead;
      if (key == "peak_bytes")
        return json.readInt(arena.peakBytes);
      if (key == "extent_bytes")
        return json.readInt(arena.extentBytes);
      return json.skip();
    });
  }

  bool readSite() {
    ObservedSite &site = result.sites.emplace_back();
    return json.readObject([&](std::string_view key) {
      bool isRead;
      if (!readName(key, site.arena, isRead) || isRead)
        return isRead;
      if (key == "buffer")
        return json.readString(site.buffer);
      if (key == "op")
        return json.readString(site.op);
      if (key == "location")
        return json.readString(site.location);
      return json.skip();
    });
  }

  bool readCount(uint64_t &count) {
    int64_t number = 0;
    if (!json.readInt(number))
      return false;
    count = static_cast<uint64_t>(number);
    return number >= 0 || json.fail("a number is negative");
  }

  /// Reads a number of which sums and differences of two fit into int64.
  bool readNumber(int64_t &number) {
    constexpr int64_t most = INT64_MAX / 2;
    return json.readInt(number) && ((-most <= number && number <= most) ||
                                    json.fail("a number is too large"));
  }

  bool readPointer(uint64_t &pointer) {
    std::string text;
    if (!json.readString(text))
      return false;
    if (text.size() < 3 || text.size() > 18 || text.substr(0, 2) != "0x")
      return json.fail("a pointer is not 0x and a number");
    for (char c : std::string_view(text).substr(2)) {
      int digit = c >= '0' && c <= '9'   ? c - '0'
                  : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                         : -1;
      if (digit < 0)
        return json.fail("a pointer is not 0x and a number");
      pointer = pointer * 16 + static_cast<uint64_t>(digit);
    }
    return true;
  }

  bool readEvent() {
    ObservedEvent &event = result.events.emplace_back();
    bool hasSite = false;
    bool isRead = json.readObject([&](std::string_view key) {
      if (key == "event")
        return json.readString(event.kind);
      if (key == "number")
        return readCount(event.number);
      if (key == "begin")
        return readCount(event.begin);
      if (key == "pointer")
        return readPointer(event.pointer);
      if (key == "offset")
        return readNumber(event.offset);
      if (key == "bytes")
        return readNumber(event.bytes);
      if (key == "point")
        return readNumber(event.point.emplace());
      if (key != "site")
        return json.skip();
      uint64_t site = 0;
      if (!readCount(site))
        return false;
      event.site = static_cast<size_t>(site);
      hasSite = true;
      // The list of sites comes first.
      return site < result.sites.size() || json.fail("there is no such site");
    });
    return isRead && (hasSite || json.fail("an event has no 'site'"));
  }

  JsonReader json;
  Observation &result;
  /// Where the counts begin.
  std::optional<size_t> counts;
};

/// Finds the differences between the lives of slots and a plan.
class Comparer {
public:
  Comparer(const std::vector<ReportedProblem> &plan,
           const Observation &observation)
      : plan(plan), observation(observation) {
    for (size_t i = 0; i < plan.size(); ++i) {
      const ReportedProblem &arena = plan[i];
      arenaOf[keyOf(arena.name)] = i;
      slotsOf.emplace_back();
      bool isDynamic = !arena.problem.symbols.empty();
      int64_t end = 0;
      for (size_t b = 0; b < arena.problem.buffers.size(); ++b) {
        const Buffer &buffer = arena.problem.buffers[b];
        slotsOf.back()[buffer.id] = b;
        isDynamic |= buffer.formula.has_value();
        if (arena.offsets[b])
          end = std::max(
              end,
              checkedAdd(*arena.offsets[b], buffer.size).value_or(INT64_MAX));
      }
      result.arenas.push_back({arena.name, end, isDynamic, std::nullopt, 0});
    }
  }

  ObservationComparison run() {
    for (const ObservedEvent &event : observation.events) {
      if (event.kind == "birth")
        addBirth(event);
      else if (event.kind == "death")
        addDeath(event);
      else if (event.kind == "use-of-dead")
        addUse(event);
    }
    for (const ObservedArena &arena : observation.arenas)
      comparePeak(arena);
    compareCounts();
    for (const auto &[arena, offset, bytes, from, to] : seen)
      result.lives.push_back({arena, offset, bytes, from, to});
    return std::move(result);
  }

private:
  using Key = std::tuple<std::string, std::string, std::optional<int64_t>>;
  static Key keyOf(const ArenaName &name) {
    return {name.function, name.memorySpace, name.loop};
  }

  /// A slot that is live.
  struct Life {
    const ObservedEvent *birth;
    size_t arena, slot;
  };

  const ObservedSite &siteOf(const ObservedEvent &event) const {
    return observation.sites[event.site];
  }

  std::string describeOp(const ObservedEvent &event) const {
    const ObservedSite &site = siteOf(event);
    std::string text = site.op + " at " + site.location;
    if (event.point)
      text += " (point " + std::to_string(*event.point) + ")";
    return text;
  }

  void add(const ObservedEvent &event, const std::string &what) {
    const ObservedSite &site = siteOf(event);
    result.differences.push_back("slot " + site.buffer + " of @" +
                                 site.arena.function + " " + what);
  }

  bool isLive(const Life &life, int64_t point) const {
    for (const LiveRange &range :
         plan[life.arena].problem.buffers[life.slot].ranges)
      if (range.start <= point && point < range.end)
        return true;
    return false;
  }

  /// True if the plan permits the two to have these offsets at once.
  bool isPermitted(const Life &a, const Life &b) const {
    if (a.arena != b.arena)
      return false;
    int64_t delta = b.birth->offset - a.birth->offset;
    for (const PermittedOverlap &overlap : plan[a.arena].problem.overlaps) {
      int64_t own = overlap.first == a.slot ? delta : -delta;
      if (((overlap.first == a.slot && overlap.second == b.slot) ||
           (overlap.first == b.slot && overlap.second == a.slot)) &&
          overlap.minDelta <= own && own <= overlap.maxDelta)
        return true;
    }
    return false;
  }

  void addBirth(const ObservedEvent &event) {
    const ObservedSite &site = siteOf(event);
    auto arena = arenaOf.find(keyOf(site.arena));
    if (arena == arenaOf.end())
      return add(event, "is born for " + describeOp(event) +
                            ", but the plan has no such arena");
    auto slot = slotsOf[arena->second].find(site.buffer);
    if (slot == slotsOf[arena->second].end())
      return add(event, "is born for " + describeOp(event) +
                            ", but the plan has no such slot");
    Life life{&event, arena->second, slot->second};
    ObservationComparison::Row &row = result.arenas[life.arena];
    ++row.numLives;
    const Buffer &planned = plan[life.arena].problem.buffers[life.slot];
    std::optional<int64_t> offset = plan[life.arena].offsets[life.slot];
    if (!row.isDynamic && offset && event.offset != *offset)
      add(event, "is born at offset " + std::to_string(event.offset) + " for " +
                     describeOp(event) + ", planned at " +
                     std::to_string(*offset));
    if (!planned.formula && event.bytes > planned.size)
      add(event, "is born with " + std::to_string(event.bytes) + " bytes for " +
                     describeOp(event) + ", planned with " +
                     std::to_string(planned.size));
    if (event.point && !isLive(life, *event.point))
      add(event, "is born for " + describeOp(event) +
                     ", where it is dead by the plan");
    for (const auto &[number, other] : live)
      if (other.birth->pointer < event.pointer + uint64_t(event.bytes) &&
          event.pointer < other.birth->pointer + uint64_t(other.birth->bytes) &&
          !isPermitted(life, other))
        add(event, "is born for " + describeOp(event) + " at bytes of slot " +
                       siteOf(*other.birth).buffer + " of @" +
                       siteOf(*other.birth).arena.function +
                       ", which is live: born for " + describeOp(*other.birth));
    live[event.number] = life;
  }

  void addDeath(const ObservedEvent &event) {
    auto life = live.find(event.begin);
    // The birth may have been dropped.
    if (life == live.end())
      return;
    if (event.point && isLive(life->second, *event.point))
      add(*life->second.birth,
          "dies after " + describeOp(event) + ", where it is live by the plan");
    see(life->second, event);
    live.erase(life);
  }

  void addUse(const ObservedEvent &event) {
    ++usesOfDead;
    add(event, "is used by " + describeOp(event) + ", but is dead");
  }

  /// Compares what was counted, as its events may have been dropped.
  void compareCounts() {
    const ObservedCounts &counts = observation.counts;
    for (const ObservationComparison::Row &row : result.arenas)
      if (row.numLives > 0 && !row.observed)
        result.differences.push_back("the arena of @" + row.name.function +
                                     " has lives, but no peak");
    if (counts.usesOfDead > usesOfDead)
      result.differences.push_back(
          "dead slots are used " + std::to_string(counts.usesOfDead) +
          " times, of which " + std::to_string(usesOfDead) + " are listed");
    if (counts.findings > 0)
      result.differences.push_back("guards have found " +
                                   std::to_string(counts.findings) +
                                   " errors while the program ran");
    if (counts.births > 0 && !result.isAnyCompared())
      result.differences.push_back(
          "no life can be compared: " + std::to_string(counts.births) +
          " slots are born, but no birth is kept (MEMPLAN_OBSERVE_EVENTS)");
  }

  /// Notes a life. An end in another part of the text than the begin is where
  /// the plan has it.
  void see(const Life &life, const ObservedEvent &death) {
    const ObservedEvent &birth = *life.birth;
    if (!birth.point)
      return;
    int64_t to = *birth.point + 1;
    for (const LiveRange &range :
         plan[life.arena].problem.buffers[life.slot].ranges)
      if (range.start <= *birth.point && *birth.point < range.end)
        to = range.end;
    if (death.point && *death.point > *birth.point)
      to = std::min(to, *death.point);
    seen.insert({life.arena, birth.offset, birth.bytes, *birth.point, to});
  }

  void comparePeak(const ObservedArena &observed) {
    auto arena = arenaOf.find(keyOf(observed.name));
    if (arena == arenaOf.end())
      return;
    ObservationComparison::Row &row = result.arenas[arena->second];
    row.observed = observed;
    if (row.isDynamic || (observed.peakBytes <= row.plannedBytes &&
                          observed.extentBytes <= row.plannedBytes))
      return;
    result.differences.push_back(
        "the arena of @" + observed.name.function + " has a peak of " +
        std::to_string(observed.peakBytes) + " bytes up to byte " +
        std::to_string(observed.extentBytes) + ", planned are " +
        std::to_string(row.plannedBytes) + " bytes");
  }

  const std::vector<ReportedProblem> &plan;
  const Observation &observation;
  ObservationComparison result;
  std::map<Key, size_t> arenaOf;
  std::vector<std::unordered_map<std::string, size_t>> slotsOf;
  /// By the number of the birth.
  std::map<uint64_t, Life> live;
  uint64_t usesOfDead = 0;
  std::set<std::tuple<size_t, int64_t, int64_t, int64_t, int64_t>> seen;
};
} // namespace

bool memplan::parseObservation(std::string_view text, Observation &observation,
                               TextError &error) {
  observation = {};
  ObservationReader reader(text, observation);
  if (reader.read())
    return true;
  error = reader.error();
  return false;
}

ObservationComparison memplan::compare(const std::vector<ReportedProblem> &plan,
                                       const Observation &observation) {
  return Comparer(plan, observation).run();
}

std::string memplan::makeObservedPage(std::string_view report,
                                      const ObservationComparison &compared) {
  std::string lives;
  JsonWriter json(lives);
  json.beginArray(JsonWriter::Style::Inline);
  for (const ObservationComparison::Life &life : compared.lives) {
    json.beginArray();
    for (int64_t number : {static_cast<int64_t>(life.arena), life.offset,
                           life.bytes, life.from, life.to})
      json.value(number);
    json.endArray();
  }
  json.endArray();
  // A report is an object with members.
  size_t brace = report.find('{');
  std::string text(report.substr(0, brace + 1));
  text += "\n  \"observed\": " + lives + ",";
  return makePlanPage(text.append(report.substr(brace + 1)));
}
