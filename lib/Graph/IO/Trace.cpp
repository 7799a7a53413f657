//===- Trace.cpp - Traces of recorded allocations -------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/Trace.h"

#include "memplan/Core/CheckedMath.h"
#include "memplan/Core/Json.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

using namespace memplan;
using namespace memplan::graph;

namespace {

/// Makes buffers of the events of a trace. Functions that return a text return
/// the reason why they reject the event, or "".
class TraceBuilder {
public:
  explicit TraceBuilder(Trace &trace) : trace(trace) {}

  uint32_t space(std::string_view name) {
    for (uint32_t s = 0; s < trace.spaces.size(); ++s)
      if (trace.spaces[s] == name)
        return s;
    trace.spaces.emplace_back(name);
    trace.reservedBytes.emplace_back();
    live.emplace_back();
    reserved.emplace_back();
    return static_cast<uint32_t>(trace.spaces.size() - 1);
  }

  std::string allocate(uint32_t space, uint64_t pointer, int64_t bytes,
                       std::string_view name) {
    size_t time = ++trace.numEvents;
    if (live[space].count(pointer))
      return "allocates memory at " + hex(pointer) + ", which is live";
    std::optional<int64_t> sum = checkedAdd(totalBytes, bytes);
    if (!sum)
      return "makes the sum of all sizes exceed 2^63 - 1";
    totalBytes = *sum;
    add(space, pointer, bytes, name, time);
    return "";
  }

  std::string release(uint32_t space, uint64_t pointer,
                      std::optional<int64_t> bytes) {
    size_t time = ++trace.numEvents;
    auto it = live[space].find(pointer);
    if (it != live[space].end()) {
      trace.buffers[it->second].end = time;
      live[space].erase(it);
      return "";
    }
    if (!bytes) {
      ++trace.numUnknownFrees;
      return "";
    }
    std::optional<int64_t> sum = checkedAdd(totalBytes, *bytes);
    if (!sum)
      return "makes the sum of all sizes exceed 2^63 - 1";
    totalBytes = *sum;
    add(space, pointer, *bytes, "", 0);
    trace.buffers.back().end = time;
    live[space].erase(pointer);
    return "";
  }

  bool isLive(uint32_t space, uint64_t pointer) const {
    return live[space].count(pointer) != 0;
  }

  /// The allocator obtains `bytes` for the space from the system, or returns
  /// them if the number is negative.
  void reserve(uint32_t space, int64_t bytes) {
    reserved[space].now = saturatingAdd(reserved[space].now, bytes);
    reserved[space].most = std::max(reserved[space].most, reserved[space].now);
    reserved[space].isKnown = true;
  }

  /// Adds to the bytes that the allocator holds for the space at the end of the
  /// trace.
  void holdsAtEnd(uint32_t space, int64_t bytes) {
    reserved[space].atEnd =
        saturatingAdd(reserved[space].atEnd.value_or(0), bytes);
    reserved[space].isKnown = true;
  }

  /// Memory without events: it is live during the whole trace.
  void wasThere(uint32_t space, uint64_t pointer, int64_t bytes) {
    if (std::optional<int64_t> sum = checkedAdd(totalBytes, bytes)) {
      totalBytes = *sum;
      add(space, pointer, bytes, "", 0);
    }
  }

  void finish() {
    for (TracedBuffer &buffer : trace.buffers)
      if (buffer.end == 0)
        buffer.end = trace.numEvents + 1;
    for (uint32_t s = 0; s < trace.spaces.size(); ++s)
      if (reserved[s].isKnown)
        trace.reservedBytes[s] = reserved[s].most +
                                 reserved[s].atEnd.value_or(reserved[s].now) -
                                 reserved[s].now;
  }

  /// Saturates at a quarter of the range of int64, so that three results can be
  /// added without overflow.
  static int64_t saturatingAdd(int64_t a, int64_t b) {
    constexpr int64_t limit = INT64_MAX / 4;
    return std::clamp(a + std::clamp(b, -limit, limit), -limit, limit);
  }

  static std::string hex(uint64_t pointer) {
    constexpr char digits[] = "0123456789abcdef";
    std::string text;
    do
      text.insert(text.begin(), digits[pointer % 16]);
    while (pointer /= 16);
    return "0x" + text;
  }

private:
  void add(uint32_t space, uint64_t pointer, int64_t bytes,
           std::string_view name, size_t begin) {
    live[space][pointer] = trace.buffers.size();
    TracedBuffer &buffer = trace.buffers.emplace_back();
    buffer.name = name;
    buffer.pointer = pointer;
    buffer.bytes = bytes;
    buffer.begin = begin;
    buffer.space = space;
  }

  Trace &trace;
  std::vector<std::unordered_map<uint64_t, size_t>> live;
  /// Bytes that the allocator has obtained since the start of the trace;
  /// `atEnd` are all bytes that it holds at the end, if known.
  struct Reserved {
    int64_t now = 0, most = 0;
    std::optional<int64_t> atEnd;
    bool isKnown = false;
  };
  std::vector<Reserved> reserved;
  int64_t totalBytes = 0;
};

/// Parses a number in decimal or, with 0x, in hexadecimal.
std::optional<uint64_t> parseUnsigned(std::string_view text) {
  uint64_t base = 10, value = 0;
  if (text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X") {
    base = 16;
    text.remove_prefix(2);
  }
  if (text.empty())
    return std::nullopt;
  for (char c : text) {
    uint64_t digit = c >= '0' && c <= '9'   ? uint64_t(c - '0')
                     : c >= 'a' && c <= 'f' ? uint64_t(c - 'a' + 10)
                     : c >= 'A' && c <= 'F' ? uint64_t(c - 'A' + 10)
                                            : 16;
    if (digit >= base || value > (UINT64_MAX - digit) / base)
      return std::nullopt;
    value = value * base + digit;
  }
  return value;
}

std::optional<int64_t> parseSize(std::string_view text) {
  std::optional<uint64_t> value = parseUnsigned(text);
  if (!value || *value > INT64_MAX)
    return std::nullopt;
  return static_cast<int64_t>(*value);
}

/// Calls line(text, position) for each line until it returns false; returns
/// whether all calls returned true.
template <typename Line> bool forEachLine(std::string_view text, Line &&line) {
  for (size_t from = 0; from < text.size();) {
    size_t to = std::min(text.find('\n', from), text.size());
    std::string_view content = text.substr(from, to - from);
    if (!content.empty() && content.back() == '\r')
      content.remove_suffix(1);
    if (!line(content, from))
      return false;
    from = to + 1;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// CSV
//===----------------------------------------------------------------------===//

class CsvTraceReader {
public:
  CsvTraceReader(std::string_view text, TraceBuilder &builder, TextError &error)
      : text(text), builder(builder), error(error) {}

  bool read() {
    bool isRead = forEachLine(text, [&](std::string_view line, size_t from) {
      position = from;
      if (line.empty())
        return true;
      if (!split(line))
        return false;
      return columns.empty() ? readHead() : readEvent();
    });
    if (isRead && columns.empty())
      return fail("no line that names the columns");
    return isRead;
  }

private:
  enum Column { Time, Event, Pointer, Bytes, Name, Space, NumColumns };

  bool fail(std::string message) {
    error = textErrorAt(text, position, std::move(message));
    return false;
  }

  /// Splits a line into fields without their quotes.
  bool split(std::string_view line) {
    fields.assign(1, "");
    bool isQuoted = false;
    for (size_t i = 0; i < line.size(); ++i) {
      char c = line[i];
      if (isQuoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"')
        fields.back() += line[++i];
      else if (c == '"')
        isQuoted = !isQuoted;
      else if (c == ',' && !isQuoted)
        fields.emplace_back();
      else
        fields.back() += c;
    }
    return !isQuoted || fail("a quote is not closed");
  }

  bool readHead() {
    constexpr std::string_view names[] = {"time",  "event", "pointer",
                                          "bytes", "name",  "space"};
    index.assign(NumColumns, SIZE_MAX);
    for (size_t i = 0; i < fields.size(); ++i) {
      auto it = std::find(std::begin(names), std::end(names), fields[i]);
      if (it == std::end(names))
        return fail("unknown column '" + fields[i] + "'");
      if (index[size_t(it - std::begin(names))] != SIZE_MAX)
        return fail("the column '" + fields[i] + "' stands twice");
      index[size_t(it - std::begin(names))] = i;
    }
    for (Column column : {Event, Pointer, Bytes})
      if (index[column] == SIZE_MAX)
        return fail("no column '" + std::string(names[column]) + "'");
    columns = fields;
    return true;
  }

  std::string field(Column column) const {
    return index[column] == SIZE_MAX ? "" : fields[index[column]];
  }

  bool readEvent() {
    if (fields.size() != columns.size())
      return fail(std::to_string(fields.size()) + " fields, but " +
                  std::to_string(columns.size()) + " columns");
    if (std::string time = field(Time); !time.empty()) {
      std::optional<uint64_t> number = parseUnsigned(time);
      if (!number)
        return fail("the time '" + time + "' is not a number from 0");
      if (*number < lastTime)
        return fail("the time " + time + " comes after " +
                    std::to_string(lastTime));
      lastTime = *number;
    }
    std::optional<uint64_t> pointer = parseUnsigned(field(Pointer));
    if (!pointer)
      return fail("the pointer '" + field(Pointer) + "' is not a number");
    std::optional<int64_t> bytes = parseSize(field(Bytes));
    if (!bytes && !(field(Bytes).empty() && field(Event) == "free"))
      return fail("the size '" + field(Bytes) + "' is not a number of bytes");
    uint32_t space = builder.space(field(Space));
    std::string why;
    if (field(Event) == "alloc")
      why = builder.allocate(space, *pointer, *bytes, field(Name));
    else if (field(Event) == "free")
      why = builder.release(space, *pointer, bytes);
    else
      return fail("'" + field(Event) + "' is not one of alloc or free");
    return why.empty() || fail("the event " + why);
  }

  std::string_view text;
  TraceBuilder &builder;
  TextError &error;
  size_t position = 0;
  std::vector<std::string> fields, columns;
  std::vector<size_t> index;
  uint64_t lastTime = 0;
};

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

struct JsonEvent {
  std::string_view action, name;
  std::optional<uint64_t> pointer;
  std::optional<int64_t> bytes;
  size_t position = 0;
};

class JsonTraceReader {
public:
  JsonTraceReader(std::string_view text, TraceBuilder &builder)
      : reader(text), builder(builder) {}

  bool readTorch(TextError &error) {
    bool hasTraces = false;
    bool isRead = reader.readObject([&](std::string_view key) {
      if (key == "segments")
        return reader.readArray([&] { return readSegment(); });
      if (key != "device_traces")
        return reader.skip();
      hasTraces = true;
      size_t device = 0;
      return reader.readArray([&] {
        uint32_t space = builder.space("cuda:" + std::to_string(device++));
        return readDevice(space);
      });
    });
    if (isRead && !hasTraces)
      isRead = reader.failAt(0, "no key 'device_traces'; was the history "
                                "recorded?");
    if (isRead)
      addSegments();
    return finish(isRead, error);
  }

private:
  bool finish(bool isRead, TextError &error) {
    if (isRead && reader.atEnd())
      return true;
    error = reader.error();
    return false;
  }

  bool readPointer(JsonEvent &event) {
    if (reader.peek() == JsonReader::Kind::String) {
      std::string_view text;
      if (!reader.readString(text))
        return false;
      event.pointer = parseUnsigned(text);
    } else {
      int64_t number;
      if (!reader.readInt(number))
        return false;
      event.pointer = static_cast<uint64_t>(number);
    }
    return event.pointer || reader.fail("not a pointer");
  }

  bool readBytes(JsonEvent &event) {
    if (!reader.readInt(event.bytes.emplace()))
      return false;
    return *event.bytes >= 0 || reader.fail("expected a number from 0");
  }

  bool apply(const JsonEvent &event, uint32_t space) {
    bool isAllocation = event.action == "alloc";
    if (!event.pointer || (isAllocation && !event.bytes))
      return reader.failAt(event.position, "an event without its pointer or "
                                           "size");
    std::string why =
        isAllocation
            ? builder.allocate(space, *event.pointer, *event.bytes, event.name)
            : builder.release(space, *event.pointer, event.bytes);
    return why.empty() || reader.failAt(event.position, "the event " + why);
  }

  bool readDevice(uint32_t space) {
    return reader.readArray([&] {
      JsonEvent event;
      reader.peek();
      event.position = reader.position();
      bool isRead = reader.readObject([&](std::string_view key) {
        if (key == "action")
          return reader.readString(event.action);
        if (key == "addr")
          return readPointer(event);
        if (key == "size")
          return readBytes(event);
        if (key == "frames")
          return readFrames(event);
        return reader.skip();
      });
      return isRead && applyTorch(event, space);
    });
  }

  /// The name of the allocation is that of its innermost function.
  bool readFrames(JsonEvent &event) {
    return reader.readArray([&] {
      return reader.readObject([&](std::string_view key) {
        if (key == "name" && event.name.empty())
          return reader.readString(event.name);
        return reader.skip();
      });
    });
  }

  bool applyTorch(JsonEvent &event, uint32_t space) {
    uint64_t pointer = event.pointer.value_or(0);
    if (event.action == "alloc") {
      // Some versions record only the request of a free.
      if (requested.erase(pointer) && builder.isLive(space, pointer))
        builder.release(space, pointer, event.bytes);
      return apply(event, space);
    }
    if (event.action == "free_requested") {
      // The memory is in use until the free is completed.
      requested.insert(pointer);
      return true;
    }
    if (event.action == "free" || event.action == "free_completed") {
      requested.erase(pointer);
      return apply(event, space);
    }
    if (!event.bytes)
      return true; // oom, snapshot
    if (event.action == "segment_alloc" || event.action == "segment_map")
      builder.reserve(space, *event.bytes);
    else if (event.action == "segment_free" || event.action == "segment_unmap")
      builder.reserve(space, -*event.bytes);
    return true;
  }

  /// A segment that the allocator holds when the snapshot is taken.
  struct Segment {
    int64_t device = 0, address = 0, bytes = 0;
    struct Block {
      int64_t address = -1, bytes = 0;
      bool isActive = false;
    };
    std::vector<Block> blocks;
  };

  bool readSegment() {
    Segment &segment = segments.emplace_back();
    return reader.readObject([&](std::string_view key) {
      if (key == "device")
        return reader.readInt(segment.device);
      if (key == "address")
        return reader.readInt(segment.address);
      if (key == "total_size")
        return reader.readInt(segment.bytes);
      if (key == "blocks")
        return reader.readArray(
            [&] { return readBlock(segment.blocks.emplace_back()); });
      return reader.skip();
    });
  }

  bool readBlock(Segment::Block &block) {
    return reader.readObject([&](std::string_view key) {
      std::string_view state;
      if (key == "address")
        return reader.readInt(block.address);
      if (key == "size")
        return reader.readInt(block.bytes);
      if (key != "state")
        return reader.skip();
      if (!reader.readString(state))
        return false;
      block.isActive = state.substr(0, 6) == "active";
      return true;
    });
  }

  /// Adds active memory from before the trace, and the bytes that the allocator
  /// holds at the end.
  void addSegments() {
    for (const Segment &segment : segments) {
      uint32_t space = builder.space("cuda:" + std::to_string(segment.device));
      builder.holdsAtEnd(space, segment.bytes);
      uint64_t next = static_cast<uint64_t>(segment.address);
      for (const Segment::Block &block : segment.blocks) {
        uint64_t pointer =
            block.address >= 0 ? static_cast<uint64_t>(block.address) : next;
        next = pointer + static_cast<uint64_t>(block.bytes);
        if (block.isActive && block.bytes >= 0 &&
            !builder.isLive(space, pointer))
          builder.wasThere(space, pointer, block.bytes);
      }
    }
  }

  JsonReader reader;
  TraceBuilder &builder;
  std::unordered_set<uint64_t> requested;
  std::vector<Segment> segments;
};

} // namespace

bool memplan::graph::parseTrace(std::string_view text, TraceForm form,
                                Trace &trace, TextError &error) {
  trace = Trace();
  TraceBuilder builder(trace);
  bool isRead = false;
  switch (form) {
  case TraceForm::Csv:
    isRead = CsvTraceReader(text, builder, error).read();
    break;
  case TraceForm::Torch:
    isRead = JsonTraceReader(text, builder).readTorch(error);
    break;
  }
  builder.finish();
  return isRead;
}

TraceForm memplan::graph::guessTraceForm(std::string_view text) {
  size_t first = text.find_first_not_of(" \t\r\n");
  return first != text.npos && text[first] == '{' ? TraceForm::Torch
                                                  : TraceForm::Csv;
}

std::vector<ProblemInSpace> memplan::graph::buildProblems(const Trace &trace,
                                                          int64_t alignment) {
  std::vector<ProblemInSpace> all(trace.spaces.size());
  for (uint32_t s = 0; s < all.size(); ++s) {
    all[s].space = s;
    all[s].problem.arenaAlignment = alignment;
  }
  std::unordered_set<std::string> ids;
  for (size_t i = 0; i < trace.buffers.size(); ++i) {
    const TracedBuffer &traced = trace.buffers[i];
    std::string id =
        traced.name.empty() ? TraceBuilder::hex(traced.pointer) : traced.name;
    if (!ids.insert(id).second) {
      id += " at event " + std::to_string(traced.begin);
      for (std::string base = id; !ids.insert(id).second;)
        id = base + "'" + std::to_string(i);
    }
    Buffer &buffer = all[traced.space].problem.buffers.emplace_back();
    buffer.id = std::move(id);
    buffer.size = traced.bytes;
    buffer.alignment = alignment;
    buffer.ranges = {
        {static_cast<int64_t>(traced.begin), static_cast<int64_t>(traced.end)}};
    all[traced.space].buffers.push_back({PlannedBuffer::Kind::Allocation, i});
  }
  all.erase(std::remove_if(all.begin(), all.end(),
                           [](const ProblemInSpace &space) {
                             return space.problem.buffers.empty();
                           }),
            all.end());
  return all;
}

OpGraph graph::makeGraph(const Trace &trace) {
  OpGraph graph;
  std::vector<Op> ops(trace.numEvents + 1);
  for (size_t b = 0; b < trace.buffers.size(); ++b) {
    const TracedBuffer &buffer = trace.buffers[b];
    auto value = static_cast<ValueId>(graph.values.size());
    Storage &storage = graph.storages.emplace_back();
    storage.id = "m" + std::to_string(b);
    storage.bytes = buffer.bytes;
    storage.space = trace.spaces[buffer.space];
    graph.values.push_back(
        {storage.id, static_cast<StorageId>(value), 0, buffer.bytes});
    if (buffer.begin == 0) {
      Input &input = graph.inputs.emplace_back();
      input.value = value;
      input.isDonated = true;
    } else {
      ops[buffer.begin].name = buffer.name.empty() ? "alloc" : buffer.name;
      ops[buffer.begin].results.push_back(value);
    }
    if (buffer.end > trace.numEvents) {
      graph.outputs.push_back(value);
    } else {
      ops[buffer.end].name = "free";
      ops[buffer.end].operands.push_back(value);
    }
  }
  graph.numForwardOutputs = static_cast<uint32_t>(graph.outputs.size());
  for (size_t time = 1; time <= trace.numEvents; ++time)
    if (!ops[time].name.empty()) {
      ops[time].id = "event " + std::to_string(time);
      graph.ops.push_back(std::move(ops[time]));
    }
  return graph;
}

int64_t memplan::graph::touchedBytes(const Trace &trace, uint32_t space) {
  std::vector<std::pair<uint64_t, int64_t>> places;
  for (const TracedBuffer &buffer : trace.buffers)
    if (buffer.space == space)
      places.emplace_back(buffer.pointer, buffer.bytes);
  std::sort(places.begin(), places.end());
  int64_t touched = 0;
  uint64_t end = 0;
  for (auto [pointer, bytes] : places) {
    uint64_t placeEnd = pointer + static_cast<uint64_t>(bytes);
    if (placeEnd <= end)
      continue;
    touched += static_cast<int64_t>(placeEnd - std::max(end, pointer));
    end = placeEnd;
  }
  return touched;
}
