//===- GraphJson.cpp - Op graphs as JSON ----------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/GraphJson.h"

#include "memplan/Core/FileKind.h"
#include "memplan/Core/Json.h"
#include "memplan/Core/JsonWriter.h"
#include "memplan/Graph/Check.h"

#include <unordered_map>

using namespace memplan;
using namespace memplan::graph;

namespace {

constexpr std::string_view formatName = "memplan.opgraph";

/// An id and its byte offset in the text; ids are resolved after the whole text
/// is read.
struct Reference {
  std::string_view id;
  size_t position;
};

/// The references of an op.
struct OpReferences {
  std::vector<Reference> operands, results, after;
};

class GraphReader {
public:
  GraphReader(std::string_view text, OpGraph &graph,
              std::optional<Schedule> &schedule)
      : text(text), reader(text), graph(graph), schedule(schedule) {}

  bool read(TextError &error) {
    bool isRead = readGraph() && reader.atEnd() && resolve();
    if (!isRead) {
      error = reader.error();
      FileKind guess = guessFileKind(text);
      if (std::string kind = describeFileKind(guess);
          !isGraph && guess != FileKind::Graph && !kind.empty())
        error.message = "not an op graph: the text is " + kind;
      return false;
    }
    return check(error);
  }

private:
  bool readGraph() {
    bool hasFormat = false;
    bool isRead = reader.readObject([&](std::string_view key) {
      if (key == "format") {
        hasFormat = true;
        return readFormat();
      }
      if (key == "version")
        return readVersion();
      if (key == "name")
        return reader.readString(graph.name);
      if (key == "storages")
        return reader.readArray([&] { return readStorage(); });
      if (key == "values")
        return reader.readArray([&] { return readValue(); });
      if (key == "inputs")
        return reader.readArray([&] { return readInput(); });
      if (key == "ops")
        return reader.readArray([&] { return readOp(); });
      if (key == "outputs")
        return readReferences(outputs);
      if (key == "forward_outputs")
        return readCount(forwardOutputs.emplace());
      if (key == "schedule")
        return readReferences(steps.emplace());
      return unknownKey(key);
    });
    if (isRead && !hasFormat)
      return reader.failAt(0, "no key 'format' with the value '" +
                                  std::string(formatName) + "'");
    return isRead;
  }

  bool unknownKey(std::string_view key) {
    return reader.fail("unknown key '" + std::string(key) + "'");
  }

  bool readFormat() {
    std::string_view name;
    if (!reader.readString(name))
      return false;
    isGraph = name == formatName;
    return isGraph ||
           reader.fail("expected the format '" + std::string(formatName) + "'");
  }

  bool readVersion() {
    int64_t version;
    if (!reader.readInt(version))
      return false;
    return version == 1 || reader.fail("expected version 1");
  }

  bool readCount(int64_t &count) {
    if (!reader.readInt(count))
      return false;
    return count >= 0 || reader.fail("expected a number from 0");
  }

  template <typename Enum> bool readEnum(Enum &value) {
    std::string_view name;
    if (!reader.readString(name))
      return false;
    std::optional<Enum> parsed = parseName<Enum>(name);
    if (!parsed)
      return reader.fail("'" + std::string(name) + "' is not one of " +
                         allNames<Enum>());
    value = *parsed;
    return true;
  }

  bool readReference(Reference &reference) {
    if (!reader.readString(reference.id))
      return false;
    reference.position = reader.position();
    return true;
  }

  bool readReferences(std::vector<Reference> &references) {
    return reader.readArray(
        [&] { return readReference(references.emplace_back()); });
  }

  bool readStorage() {
    reader.peek();
    storagePositions.push_back(reader.position());
    Storage &storage = graph.storages.emplace_back();
    bool hasKind = false;
    bool isRead = reader.readObject([&](std::string_view key) {
      if (key == "id")
        return reader.readString(storage.id);
      if (key == "bytes")
        return readCount(storage.bytes);
      if (key == "formula")
        return reader.readString(storage.formula);
      if (key == "alignment")
        return readCount(storage.alignment);
      if (key == "kind") {
        hasKind = true;
        return readEnum(storage.kind);
      }
      if (key == "space")
        return reader.readString(storage.space);
      return unknownKey(key);
    });
    hasStatedKind.push_back(hasKind);
    return isRead;
  }

  bool readValue() {
    reader.peek();
    valuePositions.push_back(reader.position());
    Value &value = graph.values.emplace_back();
    Reference &storage = valueStorages.emplace_back();
    return reader.readObject([&](std::string_view key) {
      if (key == "id")
        return reader.readString(value.id);
      if (key == "storage")
        return readReference(storage);
      if (key == "offset")
        return readCount(value.offset);
      if (key == "bytes")
        return readCount(value.bytes);
      return unknownKey(key);
    });
  }

  bool readInput() {
    reader.peek();
    inputPositions.push_back(reader.position());
    Input &input = graph.inputs.emplace_back();
    Reference &value = inputValues.emplace_back();
    value.position = reader.position();
    return reader.readObject([&](std::string_view key) {
      if (key == "value")
        return readReference(value);
      if (key == "role")
        return readEnum(input.role);
      if (key == "static")
        return reader.readBool(input.isStatic);
      if (key == "donated")
        return reader.readBool(input.isDonated);
      return unknownKey(key);
    });
  }

  bool readOp() {
    reader.peek();
    opPositions.push_back(reader.position());
    Op &op = graph.ops.emplace_back();
    OpReferences &references = opReferences.emplace_back();
    return reader.readObject([&](std::string_view key) {
      if (key == "id")
        return reader.readString(op.id);
      if (key == "name")
        return reader.readString(op.name);
      if (key == "operands")
        return readReferences(references.operands);
      if (key == "results")
        return readReferences(references.results);
      if (key == "after")
        return readReferences(references.after);
      if (key == "flops")
        return readCount(op.flops);
      if (key == "bytes_read")
        return readCount(op.bytesRead);
      if (key == "bytes_written")
        return readCount(op.bytesWritten);
      if (key == "scratch_bytes")
        return readCount(op.scratchBytes);
      if (key == "scratch_formula")
        return reader.readString(op.scratchFormula);
      if (key == "cost")
        return readEnum(op.cost);
      if (key == "pure")
        return reader.readBool(op.pure);
      if (key == "speculatable")
        return reader.readBool(op.speculatable);
      // Graphs of earlier versions have it; nothing reads it.
      if (key == "fusible")
        return reader.skip();
      if (key == "random")
        return readEnum(op.randomness);
      if (key == "recompute")
        return readEnum(op.tag);
      if (key == "ties")
        return reader.readArray([&] { return readTie(op); });
      if (key == "location")
        return reader.readString(op.location);
      if (key == "scope")
        return reader.readString(op.scope);
      return unknownKey(key);
    });
  }

  bool readTie(Op &op) {
    reader.peek();
    size_t position = reader.position();
    std::vector<int64_t> numbers;
    if (!reader.readArray([&] { return readCount(numbers.emplace_back()); }))
      return false;
    if (numbers.size() != 2 || numbers[0] >= noOp || numbers[1] >= noOp)
      return reader.failAt(position,
                           "expected a result's and an operand's number");
    op.ties.push_back(
        {static_cast<uint32_t>(numbers[0]), static_cast<uint32_t>(numbers[1])});
    return true;
  }

  /// Replaces ids by indices.
  bool resolve() {
    std::unordered_map<std::string_view, uint32_t> storages, values, ops;
    if (!resolveStorages(storages))
      return false;
    values.reserve(graph.values.size());
    for (ValueId v = 0; v < graph.values.size(); ++v)
      values.emplace(graph.values[v].id, v);
    ops.reserve(graph.ops.size());
    for (OpId i = 0; i < graph.ops.size(); ++i)
      ops.emplace(graph.ops[i].id, i);

    for (size_t i = 0; i < graph.inputs.size(); ++i)
      if (!lookUp(values, inputValues[i], "value", graph.inputs[i].value))
        return false;
    for (OpId i = 0; i < graph.ops.size(); ++i)
      if (!lookUpAll(values, opReferences[i].operands, "value",
                     graph.ops[i].operands) ||
          !lookUpAll(values, opReferences[i].results, "value",
                     graph.ops[i].results) ||
          !lookUpAll(ops, opReferences[i].after, "op", graph.ops[i].after))
        return false;
    if (!lookUpAll(values, outputs, "value", graph.outputs))
      return false;
    graph.numForwardOutputs = static_cast<uint32_t>(std::min<int64_t>(
        forwardOutputs.value_or(static_cast<int64_t>(graph.outputs.size())),
        UINT32_MAX));
    if (steps && !lookUpAll(ops, *steps, "op", schedule.emplace()))
      return false;
    inferStatedKinds();
    return true;
  }

  bool
  resolveStorages(std::unordered_map<std::string_view, uint32_t> &storages) {
    size_t numImplied = 0;
    for (const Reference &reference : valueStorages)
      numImplied += reference.id.data() == nullptr;
    // The map has views of the ids, so the storages must not move from here on.
    graph.storages.reserve(graph.storages.size() + numImplied);
    for (StorageId s = 0; s < graph.storages.size(); ++s)
      storages.emplace(graph.storages[s].id, s);
    for (ValueId v = 0; v < graph.values.size(); ++v) {
      Value &value = graph.values[v];
      if (valueStorages[v].id.data() != nullptr || storages.count(value.id))
        continue;
      Storage &storage = graph.storages.emplace_back();
      storage.id = value.id;
      storage.bytes = value.bytes;
      storages.emplace(storage.id,
                       static_cast<StorageId>(graph.storages.size() - 1));
      storagePositions.push_back(valuePositions[v]);
      hasStatedKind.push_back(false);
    }
    for (ValueId v = 0; v < graph.values.size(); ++v) {
      Value &value = graph.values[v];
      if (valueStorages[v].id.data() == nullptr)
        value.storage = storages[value.id];
      else if (!lookUp(storages, valueStorages[v], "storage", value.storage))
        return false;
    }
    return true;
  }

  /// Infers the kinds that the text does not state.
  void inferStatedKinds() {
    std::vector<StorageKind> stated;
    stated.reserve(graph.storages.size());
    for (const Storage &storage : graph.storages)
      stated.push_back(storage.kind);
    for (StorageId s = 0; s < graph.storages.size(); ++s)
      if (!hasStatedKind[s])
        graph.storages[s].kind = StorageKind::Temporary;
    inferStorageKinds(graph);
    for (StorageId s = 0; s < graph.storages.size(); ++s)
      if (hasStatedKind[s])
        graph.storages[s].kind = stated[s];
  }

  bool lookUp(const std::unordered_map<std::string_view, uint32_t> &ids,
              const Reference &reference, std::string_view what,
              uint32_t &index) {
    auto it = ids.find(reference.id);
    if (it == ids.end())
      return reader.failAt(reference.position,
                           "no " + std::string(what) + " has the id '" +
                               std::string(reference.id) + "'");
    index = it->second;
    return true;
  }

  bool lookUpAll(const std::unordered_map<std::string_view, uint32_t> &ids,
                 const std::vector<Reference> &references,
                 std::string_view what, std::vector<uint32_t> &indices) {
    indices.resize(references.size());
    for (size_t i = 0; i < references.size(); ++i)
      if (!lookUp(ids, references[i], what, indices[i]))
        return false;
    return true;
  }

  bool check(TextError &error) {
    std::vector<GraphIssue> issues = checkGraph(graph, 1);
    if (issues.empty() && schedule)
      issues = checkSchedule(graph, *schedule, 1);
    if (issues.empty())
      return true;
    error =
        textErrorAt(text, positionOf(issues.front()), issues.front().message);
    return false;
  }

  size_t positionOf(const GraphIssue &issue) const {
    auto at = [&](const std::vector<size_t> &positions) {
      return issue.index < positions.size() ? positions[issue.index] : 0;
    };
    switch (issue.part) {
    case GraphPart::Graph:
      return 0;
    case GraphPart::Storages:
      return at(storagePositions);
    case GraphPart::Values:
      return at(valuePositions);
    case GraphPart::Ops:
      return at(opPositions);
    case GraphPart::Inputs:
      return at(inputPositions);
    case GraphPart::Outputs:
      return issue.index < outputs.size() ? outputs[issue.index].position : 0;
    case GraphPart::Schedule:
      return issue.index < steps->size() ? (*steps)[issue.index].position : 0;
    }
    return 0;
  }

  std::string_view text;
  /// The text states the format of op graphs.
  bool isGraph = false;
  JsonReader reader;
  OpGraph &graph;
  std::optional<Schedule> &schedule;
  std::vector<size_t> storagePositions, valuePositions, inputPositions,
      opPositions;
  std::vector<bool> hasStatedKind;
  std::vector<Reference> valueStorages, inputValues, outputs;
  std::vector<OpReferences> opReferences;
  std::optional<int64_t> forwardOutputs;
  std::optional<std::vector<Reference>> steps;
};

void writeStorage(JsonWriter &json, const Storage &storage) {
  json.beginObject(JsonWriter::Style::Inline);
  json.member("id", storage.id);
  json.member("bytes", storage.bytes);
  json.text("formula", storage.formula);
  if (storage.alignment != 1)
    json.member("alignment", storage.alignment);
  json.member("kind", nameOf(storage.kind));
  json.text("space", storage.space);
  json.endObject();
}

void writeValue(JsonWriter &json, const OpGraph &graph, const Value &value) {
  json.beginObject(JsonWriter::Style::Inline);
  json.member("id", value.id);
  json.member("storage", graph.storages[value.storage].id);
  if (value.offset != 0)
    json.member("offset", value.offset);
  json.member("bytes", value.bytes);
  json.endObject();
}

void writeInput(JsonWriter &json, const OpGraph &graph, const Input &input) {
  json.beginObject(JsonWriter::Style::Inline);
  json.member("value", graph.values[input.value].id);
  if (input.role != InputRole::None)
    json.member("role", nameOf(input.role));
  if (input.isStatic)
    json.member("static", true);
  if (input.isDonated)
    json.member("donated", true);
  json.endObject();
}

void writeOp(JsonWriter &json, const OpGraph &graph, const Op &op) {
  json.beginObject(JsonWriter::Style::Inline);
  json.member("id", op.id);
  json.text("name", op.name);
  auto valueId = [&](ValueId value) { json.value(graph.values[value].id); };
  json.list("operands", op.operands, valueId);
  json.list("results", op.results, valueId);
  const Op fresh;
  if (op.flops != fresh.flops)
    json.member("flops", op.flops);
  if (op.bytesRead != fresh.bytesRead)
    json.member("bytes_read", op.bytesRead);
  if (op.bytesWritten != fresh.bytesWritten)
    json.member("bytes_written", op.bytesWritten);
  if (op.scratchBytes != fresh.scratchBytes)
    json.member("scratch_bytes", op.scratchBytes);
  json.text("scratch_formula", op.scratchFormula);
  if (op.cost != fresh.cost)
    json.member("cost", nameOf(op.cost));
  if (op.pure != fresh.pure)
    json.member("pure", op.pure);
  if (op.speculatable != fresh.speculatable)
    json.member("speculatable", op.speculatable);
  if (op.randomness != fresh.randomness)
    json.member("random", nameOf(op.randomness));
  if (op.tag != fresh.tag)
    json.member("recompute", nameOf(op.tag));
  if (!op.ties.empty())
    json.list("ties", op.ties, [&](InPlaceTie tie) {
      json.beginArray();
      json.value(static_cast<int64_t>(tie.result));
      json.value(static_cast<int64_t>(tie.operand));
      json.endArray();
    });
  if (!op.after.empty())
    json.list("after", op.after,
              [&](OpId before) { json.value(graph.ops[before].id); });
  json.text("location", op.location);
  json.text("scope", op.scope);
  json.endObject();
}

} // namespace

bool memplan::graph::parseGraph(std::string_view text, OpGraph &graph,
                                std::optional<Schedule> &schedule,
                                TextError &error) {
  graph = OpGraph();
  schedule.reset();
  return GraphReader(text, graph, schedule).read(error);
}

std::string memplan::graph::formatGraph(const OpGraph &graph,
                                        const Schedule *schedule) {
  constexpr auto kLines = JsonWriter::Style::Lines;
  std::string out;
  JsonWriter json(out);
  json.beginObject();
  json.member("format", formatName);
  json.member("version", 1);
  json.member("name", graph.name);
  json.list(
      "storages", graph.storages,
      [&](const Storage &storage) { writeStorage(json, storage); }, kLines);
  json.list(
      "values", graph.values,
      [&](const Value &value) { writeValue(json, graph, value); }, kLines);
  json.list(
      "inputs", graph.inputs,
      [&](const Input &input) { writeInput(json, graph, input); }, kLines);
  json.list(
      "ops", graph.ops, [&](const Op &op) { writeOp(json, graph, op); },
      kLines);
  json.list(
      "outputs", graph.outputs,
      [&](ValueId value) { json.value(graph.values[value].id); }, kLines);
  json.member("forward_outputs", static_cast<int64_t>(graph.numForwardOutputs));
  if (schedule)
    json.list(
        "schedule", *schedule, [&](OpId op) { json.value(graph.ops[op].id); },
        kLines);
  json.endObject();
  return out + "\n";
}
