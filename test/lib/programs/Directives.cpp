//===- Directives.cpp - How a program states its tests -----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Directives.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace memplan::test;
using llvm::StringRef;

static llvm::Expected<Directive> readComparison(StringRef line) {
  Directive result;
  result.text = line.str();
  llvm::SmallVector<StringRef> words;
  llvm::SplitString(line, words);
  for (StringRef word : words) {
    if (word == "plain") {
      result.form = Directive::Form::Plain;
    } else if (word == "deallocate") {
      result.form = Directive::Form::Deallocated;
    } else if (word == "raise") {
      result.form = Directive::Form::Raised;
    } else if (word == "then-deallocate") {
      result.form = Directive::Form::ThenDeallocated;
    } else if (word == "reverse-steps") {
      result.reverseSteps = true;
    } else if (word.consume_front("--check-prefix=") ||
               word.consume_front("--check-prefixes=")) {
      for (StringRef prefix : llvm::split(word, ','))
        result.prefixes.push_back(prefix.str());
    } else if (word.contains('=')) {
      result.options += (" " + word).str();
    } else {
      return llvm::createStringError("PROGRAM: unknown word '" + word + "'");
    }
  }
  return result;
}

llvm::Expected<Directives> memplan::test::readDirectives(StringRef program) {
  Directives result;
  for (StringRef line : llvm::split(program, '\n')) {
    line = line.trim();
    if (!line.consume_front("//"))
      continue;
    line = line.ltrim();
    if (line.consume_front("PROGRAM:")) {
      auto comparison = readComparison(line.trim());
      if (!comparison)
        return comparison.takeError();
      result.comparisons.push_back(std::move(*comparison));
    } else if (line.consume_front("WITH:")) {
      result.helpers = line.trim().str();
    } else if (line.consume_front("ARGUMENTS:")) {
      std::vector<int64_t> arguments;
      for (StringRef number : llvm::split(line, ','))
        if (number.trim().getAsInteger(10, arguments.emplace_back()))
          return llvm::createStringError("ARGUMENTS: '" + number.trim() +
                                         "' is no number");
      result.runs.push_back(std::move(arguments));
    } else if (line.starts_with("RUN:")) {
      return llvm::createStringError(
          "RUN: is not for programs of this folder; they have PROGRAM:");
    }
  }
  if (result.comparisons.empty())
    result.comparisons.emplace_back();
  if (result.runs.empty())
    result.runs.emplace_back();
  return result;
}
