//===- Json.h - Reading JSON ------------------------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// JSON without a tree in memory: a graph of a million ops is read straight into
// its lists, and every error has a line and a column, of the syntax and of the
// meaning alike.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_CORE_JSON_H
#define MEMPLAN_CORE_JSON_H

#include "memplan/Core/TextError.h"

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace memplan {

/// Walks over a JSON text (RFC 8259). Each read* function consumes one value;
/// the first failure is kept and makes every later call fail. Strings stay
/// valid as long as the reader and its text.
class JsonReader {
public:
  enum class Kind { Object, Array, String, Number, Boolean, Null, Invalid };

  explicit JsonReader(std::string_view text) : text(text) {}

  /// The kind of the value to be read next.
  Kind peek();

  /// Calls member(key) for each member, in order, with the reader at its
  /// value; `member` consumes it, or returns false after a failure. Refuses
  /// repeated keys in objects of up to 64 members.
  template <typename Member> bool readObject(Member &&member) {
    if (!open('{', "an object"))
      return false;
    size_t firstKey = keys.size();
    for (bool isFirst = true; !close('}', isFirst); isFirst = false) {
      std::string_view key;
      if (hasFailed || !readKey(key, firstKey) || !member(key))
        return false;
    }
    keys.resize(firstKey);
    return !hasFailed;
  }

  /// Calls item() for each item, with the reader at it.
  template <typename Item> bool readArray(Item &&item) {
    if (!open('[', "an array"))
      return false;
    for (bool isFirst = true; !close(']', isFirst); isFirst = false)
      if (hasFailed || !item())
        return false;
    return !hasFailed;
  }

  bool readString(std::string_view &value);
  bool readString(std::string &value);
  /// A number without fraction and exponent that fits into int64.
  bool readInt(int64_t &value);
  bool readBool(bool &value);
  /// Any value, which is checked and dropped.
  bool skip();
  /// Nothing but white space is left.
  bool atEnd();

  /// Byte offset of the value read last (or whose start was peeked at).
  size_t position() const { return start; }
  /// Fails at that value.
  bool fail(std::string message) { return failAt(start, std::move(message)); }
  bool failAt(size_t position, std::string message);

  /// The first failure, with its line and column.
  TextError error() const;

private:
  bool open(char bracket, const char *expected);
  bool close(char bracket, bool isFirst);
  bool readKey(std::string_view &key, size_t firstKey);
  bool readRawNumber(std::string_view &number);
  bool readWord(std::string_view word);
  bool readEscaped(size_t from, std::string_view &value);
  bool readUnicode(std::string &out);
  void skipSpace();

  std::string_view text;
  size_t cursor = 0;
  size_t start = 0;
  size_t depth = 0;
  bool hasFailed = false;
  size_t failedAt = 0;
  std::string message;
  /// Strings that had escapes.
  std::deque<std::string> unescaped;
  /// Keys of the objects that are open.
  std::deque<std::string_view> keys;
};

/// The text, with U+FFFD for each byte that is not UTF-8.
std::string toUtf8(std::string_view text);

/// Appends the text as a JSON string, quotes included. Bytes that are not UTF-8
/// become U+FFFD.
void appendJsonString(std::string &out, std::string_view text);

} // namespace memplan

#endif // MEMPLAN_CORE_JSON_H
