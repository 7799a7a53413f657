//===- Table.h - Tables as aligned text and CSV -----------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_GRAPH_IO_TABLE_H
#define MEMPLAN_LIB_GRAPH_IO_TABLE_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::graph {

/// A table with a head, which can be written as aligned text or as CSV.
class Table {
public:
  enum class Align { Left, Right };
  struct Column {
    std::string head;
    Align align = Align::Left;
  };

  explicit Table(std::vector<Column> columns) : columns(std::move(columns)) {}

  void addRow(std::vector<std::string> cells) {
    rows.push_back(std::move(cells));
  }

  /// Columns are separated by two blanks; lines have no trailing blanks.
  std::string text() const;
  /// CSV; fields with commas, quotes or line ends are quoted.
  std::string csv() const;

private:
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
};

/// The number with blanks between groups of three digits, as "1 234 567".
std::string grouped(int64_t number);

} // namespace memplan::graph

#endif // MEMPLAN_LIB_GRAPH_IO_TABLE_H
