//===- CommandLine.cpp - Command line options -----------------------------===//
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

#include <CLI/CLI.hpp>

#include <algorithm>

using namespace memplan;
using namespace memplan::tool;

namespace {

/// The name of an option declared as "--format=F": the part before '='.
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
  CLI::App app;
  app.set_version_flag("--version", "memplan " + std::string(version()) + "\n");
  app.allow_extras();
  for (const Option &option : options) {
    std::string name(bareName(option.name));
    // Called for one value at a time, in the order of the command line.
    CLI::callback_t set = [&option, name](const CLI::results_t &values) {
      const std::string &value = values.front();
      if (std::string why = option.set(value); !why.empty())
        throw CLI::ValidationError(
            name, std::string("'").append(value).append("' ").append(why));
      return true;
    };
    std::string names = name == "--output" ? "-o," + name : name;
    if (option.hasValue)
      app.add_option(names, set)
          ->type_name("VALUE")
          ->expected(1)
          ->trigger_on_parse();
    else
      app.add_flag_callback(names, [&option] { option.set(""); })
          ->disable_flag_override()
          ->trigger_on_parse();
  }
  for (size_t i = 0; i < positionals.size(); ++i)
    app.add_option("FILE" + std::to_string(i), *positionals[i].second);
  try {
    std::vector<std::string> reversed;
    for (auto arg = args.rbegin(); arg != args.rend(); ++arg) {
      // CLI11 treats "--name=" as an option without a value, so pass an empty
      // value as a separate argument.
      bool isEmpty = std::any_of(
          options.begin(), options.end(), [&](const Option &option) {
            return option.hasValue &&
                   *arg == std::string(bareName(option.name)) + "=";
          });
      if (isEmpty)
        reversed.emplace_back();
      reversed.push_back(isEmpty ? arg->substr(0, arg->size() - 1) : *arg);
    }
    app.parse(std::move(reversed));
  } catch (const CLI::CallForHelp &) {
    message = helpText();
    return ParseResult::Help;
  } catch (const CLI::CallForVersion &call) {
    message = call.what();
    return ParseResult::Help;
  } catch (const CLI::ParseError &error) {
    message = error.what();
    return ParseResult::Error;
  }
  std::vector<std::string> unknown = app.remaining();
  if (unknown.empty())
    return ParseResult::Run;
  bool isOption = unknown.front().size() > 1 && unknown.front()[0] == '-';
  if (!isOption) {
    message = "more files than expected: '" + unknown.front() + "'";
    return ParseResult::Error;
  }
  std::string_view name(unknown.front());
  std::string meant = findSimilar(name.substr(0, name.find('=')));
  message = "unknown option '" + unknown.front() + "' (" +
            (meant.empty() ? "" : "did you mean '" + meant + "'? ") +
            "see --help)";
  return ParseResult::Error;
}

/// The option that begins like the name, or with it, or that contains one of
/// the words of the name; empty if there is none.
std::string CommandLine::findSimilar(std::string_view name) const {
  for (const Option &option : options) {
    std::string_view known = bareName(option.name);
    if (known.substr(0, name.size()) == name ||
        name.substr(0, known.size()) == known ||
        (name.size() > 5 && known.find(name.substr(2)) != known.npos))
      return std::string(known);
  }
  return "";
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
