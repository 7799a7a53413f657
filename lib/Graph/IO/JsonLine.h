//===- JsonLine.h - JSON output line by line --------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_GRAPH_IO_JSONLINE_H
#define MEMPLAN_LIB_GRAPH_IO_JSONLINE_H

#include "memplan/Core/Json.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::graph {

/// Writes a JSON object on one line. The constructor appends '{' and end()
/// appends '}'.
class JsonLine {
public:
  explicit JsonLine(std::string &out) : out(out) { out += '{'; }

  void text(std::string_view key, std::string_view value) {
    begin(key);
    appendJsonString(out, value);
  }
  void number(std::string_view key, int64_t value) {
    begin(key);
    out += std::to_string(value);
  }
  void flag(std::string_view key, bool value) {
    begin(key);
    out += value ? "true" : "false";
  }
  /// A list; write(item) must append one item.
  template <typename T, typename Write>
  void list(std::string_view key, const std::vector<T> &items, Write &&write) {
    begin(key);
    out += '[';
    for (size_t i = 0; i < items.size(); ++i) {
      out += i ? ", " : "";
      write(items[i]);
    }
    out += ']';
  }
  /// Appends a key; the caller must append the value.
  void begin(std::string_view key) {
    out += isFirst ? "" : ", ";
    isFirst = false;
    appendJsonString(out, key);
    out += ": ";
  }
  void end() { out += '}'; }

private:
  std::string &out;
  bool isFirst = true;
};

/// Appends a member of the outermost object: a list with each item on a line of
/// its own. write(item) must append one item.
template <typename T, typename Write>
void appendJsonList(std::string &out, std::string_view key,
                    const std::vector<T> &items, Write &&write) {
  out += ",\n ";
  appendJsonString(out, key);
  out += ": [";
  for (size_t i = 0; i < items.size(); ++i) {
    out += i ? ",\n  " : "\n  ";
    write(items[i]);
  }
  out += "]";
}

} // namespace memplan::graph

#endif // MEMPLAN_LIB_GRAPH_IO_JSONLINE_H
