//===- ReadReport.cpp - Planning problems from reports --------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Report/ReadReport.h"

#include "memplan/Core/Json.h"
#include "memplan/Core/Order.h"

#include <algorithm>
#include <type_traits>
#include <unordered_map>

using namespace memplan;

namespace {

class ReportReader {
public:
  ReportReader(std::string_view text, std::vector<ReportedProblem> &problems)
      : json(text), problems(problems) {}

  bool read() {
    bool hasArenas = false;
    bool isRead = json.readObject([&](std::string_view key) {
      if (key != "arenas")
        return json.skip();
      hasArenas = true;
      return json.readArray([&] { return readArena(); });
    });
    if (!isRead || !json.atEnd())
      return false;
    return hasArenas ||
           json.failAt(0, "this is no report: it has no list 'arenas'");
  }

  TextError error() const { return json.error(); }

private:
  static constexpr BufferIndex kNone = UINT32_MAX;
  /// A name of a slot, with its byte offset in the text.
  struct Name {
    std::string text;
    size_t position = 0;
  };

  bool readArena() {
    json.peek();
    size_t start = json.position();
    ReportedProblem arena;
    int64_t unplanned = 0;
    bool hasSlots = false;
    indices.clear();
    places.clear();
    names.clear();
    std::vector<PermittedOverlap> inPlace;
    auto readMember = [&](std::string_view key) {
      if (key == "function")
        return json.readString(arena.name.function);
      if (key == "memory_space")
        return json.readString(arena.name.memorySpace);
      if (key == "loop_number")
        return json.readInt(arena.name.loop.emplace());
      if (key == "unplanned_bytes")
        return json.readInt(unplanned);
      if (key == "arena_bytes" && json.peek() == JsonReader::Kind::Number)
        return json.readInt(arena.arenaBytes.emplace());
      if (key == "sizes")
        return readSizes(arena.problem);
      if (key == "in_place")
        return json.readArray(
            [&] { return readInPlace(inPlace.emplace_back()); });
      if (key != "slots")
        return readField(key, arena.problem);
      hasSlots = true;
      return json.readArray([&] { return readSlot(arena); });
    };
    if (!json.readObject(readMember))
      return false;
    if (!hasSlots)
      return json.failAt(start, "an arena has no slots");
    Problem &problem = arena.problem;
    if (problem.capacity)
      problem.capacity =
          std::max<int64_t>(std::max<int64_t>(*problem.capacity, 0) -
                                std::max<int64_t>(unplanned, 0),
                            0);
    // A report of a problem has the permitted overlaps, a report of a program
    // only those that the plan uses.
    if (problem.overlaps.empty())
      problem.overlaps = std::move(inPlace);
    bool areFound = true;
    forEachPairList([&](const auto &field) {
      for (auto &pair : problem.*field.member)
        areFound = areFound && findSlot(pair, pair.first) &&
                   findSlot(pair, pair.second);
    });
    if (!areFound || (!places.empty() && !orderPlaces(arena)))
      return false;
    problems.push_back(std::move(arena));
    return true;
  }

  /// Reads the member `key` of an object into the field of this name; skips a
  /// member that is no field.
  template <typename Record>
  bool readField(std::string_view key, Record &record) {
    std::optional<bool> isRead;
    forEachField<Record>([&](const auto &field) {
      if (isRead || key != field.name)
        return;
      if constexpr (std::decay_t<decltype(field)>::isRecordList)
        isRead = json.readArray(
            [&] { return readPair((record.*field.member).emplace_back()); });
      else
        isRead = read(record.*field.member);
    });
    return isRead ? *isRead : json.skip();
  }

  bool read(std::string &text) { return json.readString(text); }
  bool read(int64_t &number) { return json.readInt(number); }
  bool read(std::optional<int64_t> &number) {
    return json.readInt(number.emplace());
  }
  bool read(std::vector<int64_t> &numbers) {
    return json.readArray([&] { return json.readInt(numbers.emplace_back()); });
  }
  bool read(LiveRanges &ranges) {
    return json.readArray([&] { return readRange(ranges); });
  }
  bool read(std::optional<Formula> &formula) {
    std::string text, error;
    if (!json.readString(text))
      return false;
    formula = parseFormula(text, error);
    return formula || json.fail("a size is no formula: " + error);
  }
  bool read(SoftConflict::Kind &kind) {
    std::string_view name;
    if (!json.readString(name))
      return false;
    kind =
        name == "bank" ? SoftConflict::Kind::Bank : SoftConflict::Kind::Bytes;
    return name == "bank" || name == "bytes" ||
           json.fail("a soft conflict is of 'bytes' or a 'bank'");
  }

  /// The slot may follow, so this is the number of the name in `names`.
  bool read(BufferIndex &slot) {
    slot = static_cast<BufferIndex>(names.size());
    Name &name = names.emplace_back();
    bool isRead = json.readString(name.text);
    name.position = json.position();
    return isRead;
  }

  /// Reads a pair, which is a list of two names if it says nothing else.
  template <typename Pair> bool readPair(Pair &pair) {
    json.peek();
    size_t start = json.position();
    pair.first = pair.second = kNone;
    bool isRead;
    size_t more = 0;
    if constexpr (isBarePair<Pair>)
      isRead = json.readArray([&] {
        BufferIndex other = kNone;
        more += pair.second != kNone;
        return read(pair.first == kNone    ? pair.first
                    : pair.second == kNone ? pair.second
                                           : other);
      });
    else
      isRead = json.readObject(
          [&](std::string_view key) { return readField(key, pair); });
    return isRead &&
           ((pair.second != kNone && pair.first != kNone && more == 0) ||
            failPair<Pair>(start));
  }

  bool readInPlace(PermittedOverlap &overlap) {
    json.peek();
    size_t start = json.position();
    overlap.first = overlap.second = kNone;
    return json.readObject([&](std::string_view key) {
      if (key == "written")
        return read(overlap.first);
      if (key == "read")
        return read(overlap.second);
      if (key != "delta")
        return json.skip();
      bool isRead = json.readInt(overlap.minDelta);
      overlap.maxDelta = overlap.minDelta;
      return isRead;
    }) && ((overlap.first != kNone && overlap.second != kNone) ||
           failPair<PermittedOverlap>(start));
  }

  template <typename Pair> bool failPair(size_t position) {
    return json.failAt(position,
                       std::string("a ") + Pair::noun + " is not of two slots");
  }

  /// Makes the number of the name of a slot the slot's index.
  template <typename Pair> bool findSlot(const Pair &, BufferIndex &slot) {
    const Name &name = names[slot];
    auto it = indices.find(name.text);
    if (it == indices.end())
      return failPair<Pair>(name.position);
    slot = it->second;
    return true;
  }

  /// A place of the order, with the names of its slots.
  struct NamedPlace {
    Place place;
    std::vector<std::string> slots;
    size_t position;
  };

  bool readPlace() {
    json.peek();
    NamedPlace &named = places.emplace_back();
    named.position = json.position();
    return json.readObject([&](std::string_view key) {
      if (key == "slots")
        return json.readArray(
            [&] { return json.readString(named.slots.emplace_back()); });
      if (key == "alignment")
        return json.readInt(named.place.alignment);
      if (key == "offset")
        return json.readInt(named.place.offset.emplace());
      if (key == "from")
        return json.readInt(named.place.from);
      if (key != "above")
        return json.skip();
      return json.readArray([&] {
        int64_t lower;
        size_t number = places.size() - 1;
        if (!json.readInt(lower))
          return false;
        if (lower < 0 || static_cast<size_t>(lower) >= number)
          return json.fail("a place is above one that does not precede it");
        named.place.above.push_back(static_cast<unsigned>(lower));
        return true;
      });
    });
  }

  /// Makes the order of `places`, which hold each slot once.
  bool orderPlaces(ReportedProblem &arena) {
    constexpr unsigned kNone = ~0U;
    PlaceOrder order;
    order.placeOf.assign(arena.problem.buffers.size(), kNone);
    for (NamedPlace &named : places) {
      int64_t alignment = named.place.alignment;
      if (alignment <= 0 || (alignment & (alignment - 1)) != 0 ||
          named.place.offset.value_or(named.place.from) < 0)
        return json.failAt(named.position, "a place has a wrong number");
      for (const std::string &name : named.slots) {
        auto it = indices.find(name);
        if (it == indices.end() || order.placeOf[it->second] != kNone)
          return json.failAt(named.position,
                             "a place is not of slots without another one");
        order.placeOf[it->second] = static_cast<unsigned>(order.places.size());
        named.place.members.push_back(it->second);
      }
      if (named.slots.empty())
        return json.failAt(named.position, "a place has no slot");
      std::sort(named.place.members.begin(), named.place.members.end());
      order.places.push_back(std::move(named.place));
    }
    for (size_t i = 0; i < order.placeOf.size(); ++i)
      if (order.placeOf[i] == kNone)
        return json.failAt(places.front().position,
                           "slot '" + arena.problem.buffers[i].id +
                               "' has no place");
    arena.order = std::move(order);
    return true;
  }

  bool readSlot(ReportedProblem &arena) {
    json.peek();
    size_t start = json.position();
    Buffer buffer;
    std::optional<int64_t> offset;
    size_t missing = 0;
    forEachField<Buffer>([&](const auto &field) {
      missing += field.presence == Presence::Required;
    });
    auto readMember = [&](std::string_view key) {
      if (key == "offset")
        return json.peek() == JsonReader::Kind::Number
                   ? json.readInt(offset.emplace())
                   : json.skip();
      forEachField<Buffer>([&](const auto &field) {
        missing -= field.presence == Presence::Required && key == field.name;
      });
      return readField(key, buffer);
    };
    if (!json.readObject(readMember))
      return false;
    if (missing > 0)
      return json.failAt(start, "a slot has no name, size or live ranges");
    auto index = static_cast<BufferIndex>(arena.problem.buffers.size());
    if (!indices.try_emplace(buffer.id, index).second)
      return json.failAt(start, "there are two slots '" + buffer.id + "'");
    arena.problem.buffers.push_back(std::move(buffer));
    arena.offsets.push_back(offset);
    return true;
  }

  bool readSizes(Problem &problem) {
    return json.readObject([&](std::string_view key) {
      if (key == "symbols")
        return json.readArray([&] { return readSymbol(problem); });
      if (key == "hints")
        return json.readArray([&] { return readHint(problem); });
      if (key == "places")
        return json.readArray([&] { return readPlace(); });
      return json.skip();
    });
  }

  bool readSymbol(Problem &problem) {
    SizeSymbol &symbol = problem.symbols.emplace_back();
    symbol.least = INT64_MIN;
    return json.readObject([&](std::string_view key) {
      if (key == "name")
        return json.readString(symbol.name);
      if (key == "least")
        return json.readInt(symbol.least);
      if (key == "greatest")
        return read(symbol.greatest);
      if (key == "multiple_of")
        return json.readInt(symbol.multipleOf);
      return json.skip();
    });
  }

  bool readHint(Problem &problem) {
    std::vector<int64_t> &values = problem.hints.emplace_back();
    return json.readObject([&](std::string_view key) {
      return key == "values" ? read(values) : json.skip();
    });
  }

  bool readRange(LiveRanges &ranges) {
    int64_t ends[2] = {0, 0};
    size_t count = 0;
    json.peek();
    size_t start = json.position();
    if (!json.readArray([&] {
          int64_t end;
          if (!json.readInt(end))
            return false;
          if (count < 2)
            ends[count] = end;
          ++count;
          return true;
        }))
      return false;
    if (count != 2)
      return json.failAt(start, "a live range is not a start and an end");
    ranges.push_back({ends[0], ends[1]});
    return true;
  }

  JsonReader json;
  std::vector<ReportedProblem> &problems;
  /// The slots of the arena that is read, by name, and the places of its order.
  std::unordered_map<std::string, BufferIndex> indices;
  /// The names in its pairs.
  std::vector<Name> names;
  std::vector<NamedPlace> places;
};

} // namespace

bool ArenaChoice::accepts(const ArenaName &name) const {
  return (function.empty() || name.function == function) &&
         (memorySpace.empty() || name.memorySpace == memorySpace) &&
         (loop.empty() || name.getLoopText() == loop);
}

std::string memplan::describeArenaOptions(const ArenaName &name,
                                          std::string_view prefix) {
  std::string start(prefix);
  return start + "function=" + name.function + " " + start +
         "memory-space=" + name.memorySpace + " " + start +
         "loop=" + name.getLoopText();
}

/// The values of the symbols of the problem, in their order.
static std::optional<std::vector<int64_t>>
findValues(const Problem &problem,
           const std::vector<std::pair<std::string_view, int64_t>> &sizes,
           std::string &error) {
  std::vector<std::optional<int64_t>> found(problem.symbols.size());
  for (auto [name, value] : sizes) {
    auto symbol = std::find_if(
        problem.symbols.begin(), problem.symbols.end(),
        [name = name](const SizeSymbol &known) { return known.name == name; });
    std::string text(name);
    if (symbol == problem.symbols.end())
      return error = "the arena depends on no size '" + text + "'",
             std::nullopt;
    std::optional<int64_t> &own = found[symbol - problem.symbols.begin()];
    if (own)
      return error = "size '" + text + "' is given twice", std::nullopt;
    if (value < symbol->least || value > symbol->greatest.value_or(INT64_MAX) ||
        (symbol->multipleOf > 1 && value % symbol->multipleOf != 0))
      return error = "size '" + text + "' cannot be " + std::to_string(value),
             std::nullopt;
    own = value;
  }
  std::vector<int64_t> values;
  for (size_t i = 0; i < found.size(); ++i) {
    if (!found[i])
      return error = "size '" + problem.symbols[i].name + "' is missing",
             std::nullopt;
    values.push_back(*found[i]);
  }
  return values;
}

std::optional<int64_t> memplan::getArenaBytes(
    const ReportedProblem &arena,
    const std::vector<std::pair<std::string_view, int64_t>> &sizes,
    std::string &error) {
  auto values = findValues(arena.problem, sizes, error);
  if (!values)
    return std::nullopt;
  bool isDynamic = hasFormulas(arena.problem);
  if (isDynamic ? !arena.order : !arena.arenaBytes)
    return error = "the report has no plan of this arena", std::nullopt;
  if (!isDynamic)
    return arena.arenaBytes;
  std::optional<int64_t> bytes =
      getArenaSizeAt(arena.problem, *values, *arena.order);
  if (!bytes)
    error = "the arena is too large at these sizes";
  return bytes;
}

bool memplan::parseReport(std::string_view text,
                          std::vector<ReportedProblem> &problems,
                          TextError &error) {
  problems.clear();
  ReportReader reader(text, problems);
  if (reader.read())
    return true;
  problems.clear();
  error = reader.error();
  return false;
}
