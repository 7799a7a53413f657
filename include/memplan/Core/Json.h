//===- Json.h - Reading JSON ------------------------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A JSON reader that builds no tree: a graph of a million ops is read straight
// into its lists. Errors of the syntax and errors that the caller reports both
// have a line and a column.
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

/// Reads a JSON text (RFC 8259) from front to back. Each read* function
/// consumes one value and returns whether it succeeded; the first failure is
/// kept and makes every later call fail. Strings stay valid as long as the
/// reader and its text.
class JsonReader {
public:
  enum class Kind { Object, Array, String, Number, Boolean, Null, Invalid };

  explicit JsonReader(std::string_view text) : text(text) {}

  /// The kind of the next value, which is not consumed.
  Kind peek();

  /// Calls member(key) for each member, in order; `member` must consume the
  /// member's value, or return false after a failure. Repeated keys are
  /// rejected among the first 64 members of an object.
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

  /// Calls item() for each item; `item` must consume the item, or return false
  /// after a failure.
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
  /// Consumes any value; its syntax is checked.
  bool skip();
  /// Returns true if only white space is left, and fails otherwise.
  bool atEnd();

  /// Byte offset of the value that was read or peeked at last.
  size_t position() const { return start; }
  /// Records a failure at position(); returns false.
  bool fail(std::string message) { return failAt(start, std::move(message)); }
  bool failAt(size_t position, std::string message);

  /// The first failure. Requires that a call has failed.
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
  /// The strings that had escapes, with these replaced.
  std::deque<std::string> unescaped;
  /// The keys read so far of the objects that are not closed yet.
  std::deque<std::string_view> keys;
};

/// The text with U+FFFD in place of each byte that is not part of a UTF-8
/// character.
std::string toUtf8(std::string_view text);

/// Appends the text as a JSON string, quotes included. Bytes that are not UTF-8
/// become U+FFFD.
void appendJsonString(std::string &out, std::string_view text);

} // namespace memplan

#endif // MEMPLAN_CORE_JSON_H
