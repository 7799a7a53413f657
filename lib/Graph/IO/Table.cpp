//===- Table.cpp - Tables as aligned text and CSV -------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IO/Table.h"

#include <algorithm>

using namespace memplan;
using namespace memplan::graph;

namespace {

void appendCsvField(std::string &out, std::string_view field) {
  if (field.find_first_of(",\"\r\n") == field.npos) {
    out += field;
    return;
  }
  out += '"';
  for (char c : field) {
    if (c == '"')
      out += '"';
    out += c;
  }
  out += '"';
}

} // namespace

std::string Table::text() const {
  std::vector<size_t> widths;
  for (size_t c = 0; c < columns.size(); ++c) {
    size_t width = columns[c].head.size();
    for (const auto &row : rows)
      width = std::max(width, row[c].size());
    widths.push_back(width);
  }
  std::string out;
  auto addLine = [&](auto &&cell) {
    std::string line;
    for (size_t c = 0; c < columns.size(); ++c) {
      const std::string &content = cell(c);
      std::string padding(widths[c] - content.size(), ' ');
      line += c ? "  " : "";
      line += columns[c].align == Align::Left ? content + padding
                                              : padding + content;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  };
  addLine([&](size_t c) -> const std::string & { return columns[c].head; });
  for (const auto &row : rows)
    addLine([&](size_t c) -> const std::string & { return row[c]; });
  return out;
}

std::string Table::csv() const {
  std::string out;
  for (size_t c = 0; c < columns.size(); ++c) {
    out += c ? "," : "";
    appendCsvField(out, columns[c].head);
  }
  out += '\n';
  for (const auto &row : rows) {
    for (size_t c = 0; c < row.size(); ++c) {
      out += c ? "," : "";
      appendCsvField(out, row[c]);
    }
    out += '\n';
  }
  return out;
}

std::string memplan::graph::grouped(int64_t number) {
  std::string digits = std::to_string(number);
  size_t first = digits[0] == '-' ? 1 : 0;
  for (size_t i = digits.size(); i > first + 3;) {
    i -= 3;
    digits.insert(i, 1, ' ');
  }
  return digits;
}
