//===- JsonWriter.cpp - Prints JSON ---------------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JsonWriter.h"

#include <cstdio>

using namespace memplan;

/// The length of the UTF-8 character at the start of the text, or 0 if there is
/// none: overlong forms and surrogates are none.
static size_t getCharacterLength(std::string_view text) {
  auto byte = [&](size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  unsigned first = byte(0);
  if (first < 0x80)
    return 1;
  size_t length = first >= 0xF0 && first <= 0xF4   ? 4
                  : first >= 0xE0 && first <= 0xEF ? 3
                  : first >= 0xC2 && first <= 0xDF ? 2
                                                   : 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80)
      return 0;
  if ((first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) > 0x9F) ||
      (first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) > 0x8F))
    return 0;
  return length;
}

std::string memplan::quoteJson(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    size_t length = getCharacterLength(text);
    auto c = static_cast<unsigned char>(text.front());
    if (length == 0) {
      out += "\xEF\xBF\xBD";
      length = 1;
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += text.front();
    } else if (c < 0x20) {
      char code[8];
      std::snprintf(code, sizeof(code), "\\u%04x", c);
      out += code;
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return out + "\"";
}

void JsonWriter::separate() {
  if (hasKey) {
    hasKey = false;
    return;
  }
  if (levels.empty())
    return;
  Level &level = levels.back();
  if (!level.isEmpty)
    out += ',';
  if (level.style == Style::Lines) {
    out += '\n';
    out.append(2 * levels.size(), ' ');
  } else if (!level.isEmpty) {
    out += ' ';
  }
  level.isEmpty = false;
}

void JsonWriter::raw(std::string_view text) {
  separate();
  out += text;
}

void JsonWriter::begin(char bracket, Style style) {
  separate();
  if (!levels.empty() && levels.back().style == Style::Inline)
    style = Style::Inline;
  out += bracket;
  levels.push_back({style});
}

void JsonWriter::end(char bracket) {
  Level level = levels.back();
  levels.pop_back();
  if (level.style == Style::Lines && !level.isEmpty) {
    out += '\n';
    out.append(2 * levels.size(), ' ');
  }
  out += bracket;
}

void JsonWriter::key(std::string_view name) {
  separate();
  out += quoteJson(name);
  out += ": ";
  hasKey = true;
}

void JsonWriter::value(std::string_view text) { raw(quoteJson(text)); }

void JsonWriter::value(double number, int digits) {
  char text[64];
  std::snprintf(text, sizeof(text), "%.*f", digits, number);
  std::string_view shown = text;
  if (shown.find('.') != std::string_view::npos) {
    while (shown.back() == '0')
      shown.remove_suffix(1);
    if (shown.back() == '.')
      shown.remove_suffix(1);
  }
  raw(shown);
}
