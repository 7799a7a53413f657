//===- PartitionPage.cpp - Partitions as HTML pages -----------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/PartitionPage.h"

#include "memplan/Core/JsonWriter.h"
#include "memplan/Report/Picture.h"

using namespace memplan;
using namespace memplan::graph;

namespace {

/// The ops of the backward function that use each saved value, by value.
std::vector<std::vector<OpId>> findUsers(const OpGraph &graph,
                                         const Partition &partition) {
  std::vector<std::vector<OpId>> users(graph.values.size());
  std::vector<bool> isSaved(graph.values.size());
  for (ValueId v : partition.saved)
    isSaved[v] = true;
  for (OpId op : partition.backward)
    for (ValueId v : graph.ops[op].operands)
      if (isSaved[v] && (users[v].empty() || users[v].back() != op))
        users[v].push_back(op);
  return users;
}

/// The ops of both functions, each once.
std::vector<OpId> findOps(const OpGraph &graph, const Partition &partition) {
  std::vector<OpId> ops;
  std::vector<bool> isListed(graph.ops.size());
  for (const std::vector<OpId> *part :
       {&partition.forward, &partition.backward})
    for (OpId op : *part) {
      if (!isListed[op])
        ops.push_back(op);
      isListed[op] = true;
    }
  return ops;
}

} // namespace

std::string
memplan::graph::partitionHtml(const OpGraph &graph, const Partition &partition,
                              const std::vector<RematerializePoint> &curve) {
  std::vector<OpId> makers = valueMakers(graph);
  std::vector<std::vector<OpId>> users = findUsers(graph, partition);
  int64_t flops = 0;
  for (const Op &op : graph.ops)
    flops += op.flops;
  std::string text;
  JsonWriter json(text);
  json.beginObject();
  json.key("partition");
  json.json(partitionJson(graph, partition));
  json.member("flops", flops);
  json.objects("ops", findOps(graph, partition), [&](OpId op) {
    json.member("id", graph.ops[op].id);
    json.member("name", graph.ops[op].name);
    json.member("flops", graph.ops[op].flops);
    json.text("location", graph.ops[op].location);
  });
  json.objects("saved", partition.saved, [&](ValueId v) {
    const Storage &storage = graph.storages[graph.values[v].storage];
    json.member("id", graph.values[v].id);
    json.member("bytes", graph.values[v].bytes);
    json.member("storage", storage.id);
    json.member("storage_bytes", storage.bytes);
    if (makers[v] != noOp)
      json.member("by", graph.ops[makers[v]].id);
    json.list("users", users[v],
              [&](OpId op) { json.value(graph.ops[op].id); });
  });
  json.objects("curve", curve, [&](const RematerializePoint &point) {
    json.member("peak_bytes", point.peak);
    json.member("extra_flops", point.extraFlops);
    json.member("repeats", static_cast<int64_t>(point.repeats));
  });
  json.endObject();
  return makePartitionPage(text);
}
