//===- OpTableReport.cpp - Memory and FLOPs per forward op ----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/OpTable.h"

#include "IO/Table.h"
#include "memplan/Core/JsonWriter.h"

using namespace memplan;
using namespace memplan::graph;

namespace {

struct Figure {
  const char *name;
  int64_t OpTableFigures::*member;
};

constexpr Figure figures[] = {
    {"fwd_mem_in", &OpTableFigures::fwdMemIn},
    {"fwd_mem_tmp", &OpTableFigures::fwdMemTmp},
    {"fwd_mem_out", &OpTableFigures::fwdMemOut},
    {"bwd_mem_tmp", &OpTableFigures::bwdMemTmp},
    {"bwd_mem_tmp_net", &OpTableFigures::bwdMemTmpNet},
    {"bwd_mem_out", &OpTableFigures::bwdMemOut},
    {"parameter_bytes", &OpTableFigures::parameterBytes},
    {"fwd_flops", &OpTableFigures::forwardFlops},
    {"bwd_flops", &OpTableFigures::backwardFlops},
};

std::vector<Table::Column> figureColumns(std::vector<Table::Column> first) {
  for (const Figure &figure : figures)
    first.push_back({figure.name, Table::Align::Right});
  return first;
}

void addFigures(std::vector<std::string> &row, const OpTableFigures &values) {
  for (const Figure &figure : figures)
    row.push_back(std::to_string(values.*figure.member));
}

void writeFigures(JsonWriter &json, const OpTableFigures &values) {
  for (const Figure &figure : figures)
    json.member(figure.name, values.*figure.member);
}

Table rowTable(const OpGraph &graph, const OpTable &table, bool withTotal) {
  Table rows(figureColumns({{"op"}, {"name"}, {"scope"}}));
  for (const OpTableRow &row : table.rows) {
    const Op *op = row.op == noOp ? nullptr : &graph.ops[row.op];
    std::vector<std::string> cells = {op ? op->id : "(no forward op)",
                                      op ? op->name : "", op ? op->scope : ""};
    addFigures(cells, row.figures);
    rows.addRow(std::move(cells));
  }
  if (withTotal) {
    std::vector<std::string> cells = {"all", "", ""};
    addFigures(cells, table.total);
    rows.addRow(std::move(cells));
  }
  return rows;
}

} // namespace

std::string memplan::graph::formatOpTableText(const OpGraph &graph,
                                              const OpTable &table) {
  std::string text = rowTable(graph, table, true).text();
  if (table.scopes.empty())
    return text;
  Table scopes(figureColumns({{"scope"}}));
  for (const ScopeRow &row : table.scopes) {
    std::vector<std::string> cells = {row.scope};
    addFigures(cells, row.figures);
    scopes.addRow(std::move(cells));
  }
  return text + "\n" + scopes.text();
}

std::string memplan::graph::formatOpTableCsv(const OpGraph &graph,
                                             const OpTable &table) {
  return rowTable(graph, table, false).csv();
}

std::string memplan::graph::formatOpTableJson(const OpGraph &graph,
                                              const OpTable &table) {
  using Style = JsonWriter::Style;
  std::string out;
  JsonWriter json(out);
  json.beginObject();
  json.member("format", "memplan.op_table");
  json.member("version", 1);
  json.member("graph", graph.name);
  json.objects("rows", table.rows, [&](const OpTableRow &row) {
    if (row.op != noOp) {
      json.member("op", graph.ops[row.op].id);
      json.member("name", graph.ops[row.op].name);
      json.member("scope", graph.ops[row.op].scope);
    }
    json.list("backward_ops", row.backwardOps,
              [&](OpId op) { json.value(graph.ops[op].id); });
    writeFigures(json, row.figures);
  });
  json.objects("scopes", table.scopes, [&](const ScopeRow &row) {
    json.member("scope", row.scope);
    writeFigures(json, row.figures);
  });
  json.key("total");
  json.beginObject(Style::Inline);
  writeFigures(json, table.total);
  json.endObject();
  json.endObject();
  return out + "\n";
}
