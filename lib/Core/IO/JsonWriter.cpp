//===- JsonWriter.cpp - JSON output ---------------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Core/JsonWriter.h"

#include "memplan/Core/Json.h"

#include <cstdio>

using namespace memplan;

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
  appendJsonString(out, name);
  out += ": ";
  hasKey = true;
}

void JsonWriter::value(std::string_view text) {
  separate();
  appendJsonString(out, text);
}

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
