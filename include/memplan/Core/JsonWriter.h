//===- JsonWriter.h - JSON output -------------------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_CORE_JSONWRITER_H
#define MEMPLAN_CORE_JSONWRITER_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace memplan {

/// Appends JSON text to a string; calls must nest as the text does. Objects and
/// arrays of style `Inline`, and everything in them, stay on one line. The only
/// writer of JSON in the libraries.
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
  /// A value that is JSON text already, with or without a line end.
  void json(std::string_view text) {
    raw(text.substr(0, text.find_last_not_of('\n') + 1));
  }

  template <typename T> void member(std::string_view name, const T &value) {
    key(name);
    this->value(value);
  }
  /// Writes the member unless the text is empty.
  void text(std::string_view name, std::string_view value) {
    if (!value.empty())
      member(name, value);
  }
  /// An array; write(item) must write one value for each item.
  template <typename T, typename Write>
  void list(std::string_view name, const std::vector<T> &items, Write &&write,
            Style style = Style::Inline) {
    key(name);
    beginArray(style);
    for (const T &item : items)
      write(item);
    endArray();
  }
  /// An array with an object on each line; write(item) must write its members.
  template <typename T, typename Write>
  void objects(std::string_view name, const std::vector<T> &items,
               Write &&write) {
    list(
        name, items,
        [&](const T &item) {
          beginObject(Style::Inline);
          write(item);
          endObject();
        },
        Style::Lines);
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

#endif // MEMPLAN_CORE_JSONWRITER_H
