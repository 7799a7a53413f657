//===- CommandLine.cpp - Options of a command -----------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/CommandLine.h"

#include "memplan/Core/ByteSize.h"
#include "memplan/Core/CheckedMath.h"
#include "memplan/Core/Version.h"

#include <algorithm>

using namespace memplan;
using namespace memplan::tool;

namespace {

/// The name of an option as declared, "--format=F": what stands before '='.
std::string_view bareName(std::string_view declared) {
  return declared.substr(0, declared.find('='));
}

} // namespace

void CommandLine::flag(std::string name, std::string help, bool &target) {
  options.push_back({std::move(name), std::move(help), false,
                     [&target](const std::string &) -> std::string {
                       target = true;
                       return "";
                     }});
}

void CommandLine::value(std::string name, std::string help,
                        std::string &target) {
  custom(std::move(name), std::move(help),
         [&target](const std::string &text) -> std::string {
           target = text;
           return text.empty() ? "is empty" : "";
         });
}

void CommandLine::value(std::string name, std::string help,
                        std::vector<std::string> &target) {
  custom(std::move(name), std::move(help),
         [&target](const std::string &text) -> std::string {
           target.push_back(text);
           return "";
         });
}

std::string CommandLine::findName(const std::string &text,
                                  const std::vector<std::string> &names,
                                  size_t &index) {
  std::string all;
  for (index = 0; index < names.size(); ++index) {
    if (names[index] == text)
      return "";
    all += (all.empty() ? "" : ", ") + names[index];
  }
  return "is not one of " + all;
}

std::string CommandLine::parseNumber(const std::string &text, int64_t least,
                                     int64_t most, int64_t &value) {
  std::optional<int64_t> sum;
  for (char c : text) {
    sum = c >= '0' && c <= '9' ? checkedMul(sum.value_or(0), 10) : std::nullopt;
    if (sum)
      sum = checkedAdd(*sum, c - '0');
    if (!sum)
      break;
  }
  value = sum.value_or(0);
  if (sum && value >= least && value <= most)
    return "";
  return "is not a number from " + std::to_string(least) + " to " +
         (most == INT64_MAX ? "2^63 - 1" : std::to_string(most));
}

void CommandLine::bytes(std::string name, std::string help,
                        std::function<void(int64_t)> set) {
  custom(std::move(name), std::move(help),
         [set = std::move(set)](const std::string &text) -> std::string {
           std::optional<int64_t> value = parseByteSize(text);
           if (!value)
             return "is not bytes, such as 4096, 64K or 1M";
           set(*value);
           return "";
         });
}

void CommandLine::custom(std::string name, std::string help,
                         std::function<std::string(const std::string &)> set) {
  options.push_back({std::move(name), std::move(help), true, std::move(set)});
}

void CommandLine::positional(std::string help, std::string &target) {
  positionals.emplace_back(std::move(help), &target);
}

ParseResult CommandLine::parse(const std::vector<std::string> &args,
                               std::string &message) const {
  auto refuse = [&](std::string why) {
    message = std::move(why);
    return ParseResult::Error;
  };
  size_t numPositionals = 0;
  for (size_t i = 0; i < args.size(); ++i) {
    const std::string &arg = args[i] == "-o" ? "--output" : args[i];
    if (arg == "--version") {
      message = "memplan " + std::string(version()) + "\n";
      return ParseResult::Help;
    }
    if (arg == "--help" || arg == "-h") {
      message = helpText();
      return ParseResult::Help;
    }
    if (arg.rfind("-", 0) != 0 || arg == "-") {
      if (numPositionals == positionals.size())
        return refuse("more files than expected: '" + arg + "'");
      *positionals[numPositionals++].second = arg;
      continue;
    }
    size_t equals = arg.find('=');
    std::string name = arg.substr(0, equals);
    auto option =
        std::find_if(options.begin(), options.end(),
                     [&](const Option &o) { return bareName(o.name) == name; });
    if (option == options.end())
      return refuse("unknown option '" + arg + "' (see --help)");
    if (!option->hasValue && equals != std::string::npos)
      return refuse("option '" + name + "' takes no value");
    if (option->hasValue && equals == std::string::npos && i + 1 >= args.size())
      return refuse("option '" + arg + "' needs a value");
    std::string value = !option->hasValue             ? ""
                        : equals == std::string::npos ? args[++i]
                                                      : arg.substr(equals + 1);
    std::string why = option->set(value);
    if (!why.empty())
      return refuse(name.append(": '").append(value).append("' ").append(why));
  }
  return ParseResult::Run;
}

std::string CommandLine::helpText() const {
  std::string out = "usage: " + usage + "\n\n" + text + "\n\noptions:\n";
  auto add = [&](const std::string &name, const std::string &help) {
    constexpr size_t column = 26;
    std::string line = "  " + name;
    if (line.size() + 1 >= column) {
      out += line + "\n";
      line.clear();
    }
    for (size_t from = 0; from <= help.size();) {
      line.resize(column, ' ');
      size_t to = help.size() - from <= 79 - column
                      ? help.size()
                      : help.rfind(' ', from + 79 - column);
      out += line + help.substr(from, to - from) + "\n";
      line.clear();
      from = to + 1;
    }
  };
  for (const auto &[help, target] : positionals)
    add("FILE", help);
  for (const Option &option : options)
    add(option.name, option.help);
  add("--version", "print the version");
  add("--help", "this text");
  return closing.empty() ? out : out + "\n" + closing;
}
