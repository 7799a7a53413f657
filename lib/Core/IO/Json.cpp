//===- Json.cpp - Reading JSON --------------------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Core/Json.h"

#include "memplan/Core/CheckedMath.h"

#include <algorithm>
#include <cstdio>
#include <optional>

using namespace memplan;

TextError memplan::textErrorAt(std::string_view text, size_t position,
                               std::string message) {
  std::string_view before = text.substr(0, position);
  size_t lineStart = before.rfind('\n');
  TextError error;
  error.line =
      1 + static_cast<size_t>(std::count(before.begin(), before.end(), '\n'));
  error.column = 1 + position - (lineStart == before.npos ? 0 : lineStart + 1);
  error.message = std::move(message);
  return error;
}

TextError JsonReader::error() const {
  return textErrorAt(text, failedAt, message);
}

bool JsonReader::failAt(size_t position, std::string why) {
  if (!hasFailed) {
    hasFailed = true;
    failedAt = std::min(position, text.size());
    message = std::move(why);
  }
  return false;
}

void JsonReader::skipSpace() {
  while (cursor < text.size() && (text[cursor] == ' ' || text[cursor] == '\n' ||
                                  text[cursor] == '\t' || text[cursor] == '\r'))
    ++cursor;
  start = cursor;
}

JsonReader::Kind JsonReader::peek() {
  skipSpace();
  if (hasFailed || cursor >= text.size())
    return Kind::Invalid;
  switch (char c = text[cursor]) {
  case '{':
    return Kind::Object;
  case '[':
    return Kind::Array;
  case '"':
    return Kind::String;
  case 't':
  case 'f':
    return Kind::Boolean;
  case 'n':
    return Kind::Null;
  default:
    return c == '-' || (c >= '0' && c <= '9') ? Kind::Number : Kind::Invalid;
  }
}

bool JsonReader::open(char bracket, const char *expected) {
  skipSpace();
  if (hasFailed)
    return false;
  if (cursor >= text.size() || text[cursor] != bracket)
    return fail(cursor >= text.size()
                    ? "the text ends where " + std::string(expected) +
                          " should begin"
                    : "expected " + std::string(expected));
  // The formats of memplan nest less deeply, and the recursion stays far from
  // the end of the stack.
  if (depth >= 256)
    return fail("nested deeper than 256 levels");
  ++depth;
  ++cursor;
  return true;
}

/// Returns true after it has consumed the closing bracket; otherwise consumes
/// the comma that separates items and returns false. Also returns true after a
/// failure, which ends the caller's loop.
bool JsonReader::close(char bracket, bool isFirst) {
  if (hasFailed)
    return true;
  skipSpace();
  if (cursor < text.size() && text[cursor] == bracket) {
    ++cursor;
    --depth;
    return true;
  }
  if (cursor >= text.size())
    fail("the text ends inside of an array or object");
  else if (!isFirst && text[cursor] != ',')
    fail(std::string("expected ',' or '") + bracket + "'");
  else if (!isFirst)
    ++cursor;
  return hasFailed;
}

bool JsonReader::readKey(std::string_view &key, size_t firstKey) {
  if (peek() != Kind::String)
    return fail("expected a key, a string in double quotes");
  if (!readString(key))
    return false;
  if (keys.size() - firstKey < 64) {
    if (std::find(keys.begin() + static_cast<ptrdiff_t>(firstKey), keys.end(),
                  key) != keys.end())
      return fail("the key '" + std::string(key) + "' stands twice");
    keys.push_back(key);
  }
  size_t keyStart = start;
  skipSpace();
  if (cursor >= text.size() || text[cursor] != ':')
    return fail("expected ':' after the key '" + std::string(key) + "'");
  ++cursor;
  start = keyStart;
  return true;
}

bool JsonReader::readString(std::string_view &value) {
  if (peek() != Kind::String)
    return fail("expected a string");
  size_t from = cursor + 1;
  bool isAscii = true;
  for (size_t i = from; i < text.size(); ++i) {
    isAscii &= static_cast<unsigned char>(text[i]) < 0x80;
    if (text[i] == '"') {
      value = text.substr(from, i - from);
      // Written again, two such names could be the same.
      if (!isAscii && toUtf8(value) != value)
        return failAt(from, "a string is not in UTF-8");
      cursor = i + 1;
      return true;
    }
    if (text[i] == '\\')
      return readEscaped(from, value);
    if (static_cast<unsigned char>(text[i]) < 0x20)
      return failAt(i, "a control character in a string");
  }
  return fail("the text ends inside of a string");
}

bool JsonReader::readString(std::string &value) {
  std::string_view view;
  if (!readString(view))
    return false;
  value = view;
  return true;
}

bool JsonReader::readEscaped(size_t from, std::string_view &value) {
  std::string out;
  for (cursor = from; cursor < text.size();) {
    char c = text[cursor++];
    if (c == '"') {
      if (toUtf8(out) != out)
        return failAt(from, "a string is not in UTF-8");
      value = unescaped.emplace_back(std::move(out));
      return true;
    }
    if (static_cast<unsigned char>(c) < 0x20)
      return failAt(cursor - 1, "a control character in a string");
    if (c != '\\') {
      out += c;
      continue;
    }
    char code = cursor < text.size() ? text[cursor++] : '\0';
    constexpr std::string_view codes = "\"\\/bfnrt",
                               meanings = "\"\\/\b\f\n\r\t";
    if (size_t i = codes.find(code); i != codes.npos && code != '\0')
      out += meanings[i];
    else if (code != 'u' || !readUnicode(out))
      return failAt(cursor - 1, "not an escape sequence of JSON");
  }
  return fail("the text ends inside of a string");
}

/// Reads the four digits behind \u and, if they are the first half of a
/// surrogate pair, the second half; appends the character as UTF-8.
bool JsonReader::readUnicode(std::string &out) {
  auto digits = [&](uint32_t &code) {
    code = 0;
    for (int i = 0; i < 4; ++i, ++cursor) {
      char c = cursor < text.size() ? text[cursor] : ' ';
      int digit = c >= '0' && c <= '9'   ? c - '0'
                  : c >= 'a' && c <= 'f' ? c - 'a' + 10
                  : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                         : -1;
      if (digit < 0)
        return false;
      code = code * 16 + static_cast<uint32_t>(digit);
    }
    return true;
  };
  uint32_t code, low;
  if (!digits(code) || (code >= 0xDC00 && code < 0xE000))
    return false;
  if (code >= 0xD800 && code < 0xDC00) {
    if (text.substr(cursor, 2) != "\\u")
      return false;
    cursor += 2;
    if (!digits(low) || low < 0xDC00 || low >= 0xE000)
      return false;
    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
  }
  auto put = [&](uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  }
  return true;
}

bool JsonReader::readRawNumber(std::string_view &number) {
  if (peek() != Kind::Number)
    return fail("expected a number");
  size_t i = cursor;
  auto digits = [&] {
    size_t first = i;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9')
      ++i;
    return i > first;
  };
  if (text[i] == '-')
    ++i;
  size_t whole = i;
  if (!digits() || (text[whole] == '0' && i > whole + 1))
    return fail("not a number of JSON");
  if (i < text.size() && text[i] == '.' && (++i, !digits()))
    return fail("not a number of JSON");
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && (text[i] == '+' || text[i] == '-'))
      ++i;
    if (!digits())
      return fail("not a number of JSON");
  }
  number = text.substr(cursor, i - cursor);
  cursor = i;
  return true;
}

bool JsonReader::readInt(int64_t &value) {
  std::string_view number;
  if (!readRawNumber(number))
    return false;
  bool isNegative = number.front() == '-';
  std::optional<int64_t> sum = 0;
  for (char c : number.substr(isNegative ? 1 : 0)) {
    if (c < '0' || c > '9')
      return fail("expected a whole number");
    // Negative numbers are summed up as such, so that -2^63 fits.
    sum = checkedMul(*sum, 10);
    if (sum)
      sum = checkedAdd(*sum, isNegative ? '0' - c : c - '0');
    if (!sum)
      return fail("the number " + std::string(number) +
                  " does not fit into 64 bits");
  }
  value = *sum;
  return true;
}

bool JsonReader::readWord(std::string_view word) {
  if (text.substr(cursor, word.size()) != word)
    return fail("not a value of JSON");
  cursor += word.size();
  return true;
}

bool JsonReader::readBool(bool &value) {
  if (peek() != Kind::Boolean)
    return fail("expected true or false");
  value = text[cursor] == 't';
  return readWord(value ? "true" : "false");
}

bool JsonReader::skip() {
  std::string_view dropped;
  bool flag;
  switch (peek()) {
  case Kind::Object:
    return readObject([&](std::string_view) { return skip(); });
  case Kind::Array:
    return readArray([&] { return skip(); });
  case Kind::String:
    return readString(dropped);
  case Kind::Number:
    return readRawNumber(dropped);
  case Kind::Boolean:
    return readBool(flag);
  case Kind::Null:
    return readWord("null");
  case Kind::Invalid:
    break;
  }
  return fail(cursor >= text.size() ? "the text ends where a value should begin"
                                    : "not a value of JSON");
}

bool JsonReader::atEnd() {
  skipSpace();
  if (!hasFailed && cursor < text.size())
    return fail("something follows the end of the value");
  return !hasFailed;
}

/// The length in bytes of the UTF-8 character at the start of the text, or 0 if
/// the text does not start with one. Overlong forms and surrogates are not
/// UTF-8.
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

std::string memplan::toUtf8(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    size_t length = getCharacterLength(text);
    out += length > 0 ? text.substr(0, length) : "\xEF\xBF\xBD";
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return out;
}

void memplan::appendJsonString(std::string &out, std::string_view text) {
  out += '"';
  for (char c : toUtf8(text)) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof(code), "\\u%04x", c);
      out += code;
    } else {
      out += c;
    }
  }
  out += '"';
}
