//===- CommandLine.h - Command line options ---------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A command declares its options with their help texts and targets, and then
// parses its arguments. The help text is generated from the declarations.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TOOLS_COMMON_COMMANDLINE_H
#define MEMPLAN_TOOLS_COMMON_COMMANDLINE_H

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::tool {

enum class ParseResult { Run, Help, Error };

class CommandLine {
public:
  /// `usage` follows "usage: " in the help text; `text` describes the command.
  CommandLine(std::string usage, std::string text)
      : usage(std::move(usage)), text(std::move(text)) {}

  /// --name
  void flag(std::string name, std::string help, bool &target);
  /// --name=VALUE; a list gets the values of repeated options in order.
  void value(std::string name, std::string help, std::string &target);
  void value(std::string name, std::string help,
             std::vector<std::string> &target);
  /// --name=N, from `least` to `most`. The target is an integer or an optional
  /// one.
  template <typename Target>
  void number(std::string name, std::string help, Target &target,
              int64_t least = 0, int64_t most = INT64_MAX) {
    custom(std::move(name), std::move(help),
           [&target, least, most](const std::string &text) {
             int64_t value;
             std::string why = parseNumber(text, least, most, value);
             if (why.empty())
               target = convertedTo(target, value);
             return why;
           });
  }
  /// --name=BYTES, such as 4096, 64K or 1M.
  void bytes(std::string name, std::string help,
             std::function<void(int64_t)> set);
  /// --name=VALUE; `set` returns "", or the reason why it rejects the value, as
  /// the end of a sentence: "is not ...".
  void custom(std::string name, std::string help,
              std::function<std::string(const std::string &)> set);
  /// --name=NAME, where NAME is one of `names`, the names of the enumerators
  /// from 0 on.
  template <typename Enum>
  void choice(std::string name, std::string help,
              std::vector<std::string> names, Enum &target) {
    custom(std::move(name), std::move(help),
           [&target, names = std::move(names)](const std::string &text) {
             size_t index = 0;
             std::string why = findName(text, names, index);
             if (why.empty())
               target = static_cast<Enum>(index);
             return why;
           });
  }
  /// A file argument; several are taken in the order of declaration.
  void positional(std::string help, std::string &target);

  /// Text after the options in the help text.
  void epilogue(std::string text) { closing = std::move(text); }

  /// Parses the arguments and sets the targets. If the result is not Run,
  /// `message` becomes the help text or the error. Options are --name=VALUE or
  /// --name VALUE; -o is --output.
  ParseResult parse(const std::vector<std::string> &args,
                    std::string &message) const;

private:
  struct Option {
    std::string name;
    std::string help;
    bool hasValue;
    std::function<std::string(const std::string &)> set;
  };
  std::string helpText() const;
  std::string findSimilar(std::string_view name) const;
  /// Returns "", or the reason why the text is not a number in the range.
  static std::string parseNumber(const std::string &text, int64_t least,
                                 int64_t most, int64_t &value);
  /// Returns "", or the reason why the text is none of the names.
  static std::string findName(const std::string &text,
                              const std::vector<std::string> &names,
                              size_t &index);
  template <typename T> static T convertedTo(const T &, int64_t value) {
    return static_cast<T>(value);
  }
  template <typename T>
  static T convertedTo(const std::optional<T> &, int64_t value) {
    return static_cast<T>(value);
  }

  std::string usage, text, closing;
  std::vector<Option> options;
  std::vector<std::pair<std::string, std::string *>> positionals;
};

} // namespace memplan::tool

#endif // MEMPLAN_TOOLS_COMMON_COMMANDLINE_H
