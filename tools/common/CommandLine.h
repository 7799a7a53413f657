//===- CommandLine.h - Options of a command ---------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A command declares its options, with their help and where they are stored,
// and parses; the help text is made of the declarations.
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
  /// `usage` is what follows "usage: ", `text` what the command does.
  CommandLine(std::string usage, std::string text)
      : usage(std::move(usage)), text(std::move(text)) {}

  /// --name
  void flag(std::string name, std::string help, bool &target);
  /// --name=VALUE; several are kept in order in a list target.
  void value(std::string name, std::string help, std::string &target);
  void value(std::string name, std::string help,
             std::vector<std::string> &target);
  /// --name=N, from `least` to `most`.
  void number(std::string name, std::string help, int64_t &target,
              int64_t least = 0, int64_t most = INT64_MAX);
  void number(std::string name, std::string help,
              std::optional<int64_t> &target, int64_t least = 0,
              int64_t most = INT64_MAX);
  /// --name=VALUE; `set` returns why it refuses the value ("is not ..."), or
  /// "".
  void custom(std::string name, std::string help,
              std::function<std::string(const std::string &)> set);
  /// A file; the next ones in the order of their declaration.
  void positional(std::string help, std::string &target);

  /// `message` becomes the help text or the error. Options are --name=VALUE or
  /// --name VALUE.
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

  std::string usage, text;
  std::vector<Option> options;
  std::vector<std::pair<std::string, std::string *>> positionals;
};

} // namespace memplan::tool

#endif // MEMPLAN_TOOLS_COMMON_COMMANDLINE_H
