//===- CheckSizes.cpp - Checks of problems with formulas ------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/ProblemTypes.h"

#include <set>

using namespace memplan;
using namespace memplan::detail;

namespace {

class SizeChecker : IssueCollector {
public:
  SizeChecker(const Problem &problem, size_t maxIssues)
      : IssueCollector(maxIssues), problem(problem) {}

  std::vector<Issue> run() {
    for (const SizeSymbol &symbol : problem.symbols)
      checkSymbol(symbol);
    for (const std::vector<int64_t> &hint : problem.hints)
      if (hint.size() != problem.symbols.size())
        report("a hint has " + std::to_string(hint.size()) +
               " values, and there are " +
               std::to_string(problem.symbols.size()) + " symbols");
    for (BufferIndex i = 0; i < problem.buffers.size(); ++i)
      if (const Buffer &buffer = problem.buffers[i]; buffer.formula)
        for (const std::string &name : buffer.formula->getSymbols())
          if (!symbols.count(name))
            report("buffer '" + buffer.id + "' has the size " +
                       buffer.formula->print() + ", and '" + name +
                       "' is no symbol",
                   {i});
    return std::move(issues);
  }

private:
  void checkSymbol(const SizeSymbol &symbol) {
    if (!symbols.insert(symbol.name).second)
      report("two symbols have the name '" + symbol.name + "'");
    if (symbol.multipleOf < 1)
      report("symbol '" + symbol.name + "' is a multiple of " +
             std::to_string(symbol.multipleOf) + ", which is not positive");
    if (symbol.greatest && symbol.least > *symbol.greatest)
      report("symbol '" + symbol.name + "' is at least " +
             std::to_string(symbol.least) + " and at most " +
             std::to_string(*symbol.greatest));
  }

  const Problem &problem;
  std::set<std::string> symbols;
};

} // namespace

std::vector<Issue> detail::checkSizes(const Problem &problem,
                                      size_t maxIssues) {
  return SizeChecker(problem, maxIssues).run();
}
