//===- JsonWriter.h - JSON output -------------------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_REPORT_JSONWRITER_H
#define MEMPLAN_LIB_REPORT_JSONWRITER_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace memplan {

/// Appends JSON text to a string; calls must nest as the text does. Objects and
/// arrays of style `Inline` stay on one line.
class JsonWriter {
public:
  enum class Style : uint8_t { Lines, Inline };

  explicit JsonWriter(std::string &out) : out(out) {}

  void beginObject(Style style = Style::Lines) { begin('{', style); }
  void endObject() { end('}'); }
  void beginArray(Style style = Style::Lines) { begin('[', style); }
  void endArray() { end(']'); }
  /// The key of the next value, in an object.
  void key(std::string_view name);

  void value(std::string_view text);
  void value(const char *text) { value(std::string_view(text)); }
  void value(int64_t number) { raw(std::to_string(number)); }
  void value(int number) { raw(std::to_string(number)); }
  void value(bool flag) { raw(flag ? "true" : "false"); }
  /// The number with `digits` digits after the decimal point, without trailing
  /// zeros.
  void value(double number, int digits);
  void null() { raw("null"); }

  template <typename T> void member(std::string_view name, const T &value) {
    key(name);
    this->value(value);
  }

private:
  void begin(char bracket, Style style);
  void end(char bracket);
  void separate();
  void raw(std::string_view text);

  struct Level {
    Style style;
    bool isEmpty = true;
  };
  std::string &out;
  std::vector<Level> levels;
  bool hasKey = false;
};

} // namespace memplan

#endif // MEMPLAN_LIB_REPORT_JSONWRITER_H
