//===- CheckSpaces.cpp - Well-formed problems of two memories -------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/ProblemTypes.h"
#include "memplan/Core/CheckedMath.h"
#include "memplan/Core/Spaces.h"

#include <set>

using namespace memplan;
using namespace memplan::detail;

namespace {
/// The greatest sum of costs: exact as a double, with room for multiples.
constexpr int64_t kMostCost = int64_t(1) << 50;

class Checker : IssueCollector {
public:
  Checker(const SpaceProblem &problem, size_t maxIssues)
      : IssueCollector(maxIssues), problem(problem) {}

  std::vector<Issue> run() {
    const SpaceCosts &costs = problem.costs;
    for (int64_t cost : {costs.fastRead, costs.fastWrite, costs.slowRead,
                         costs.slowWrite, costs.copyIn, costs.copyOut})
      if (cost < 0)
        report("the cost " + std::to_string(cost) + " of a byte is negative");
    if (problem.capacity < 0 || problem.capacity > kMostCost)
      report("the capacity " + std::to_string(problem.capacity) +
             " is negative or too large");
    if (!isPowerOfTwo(problem.arenaAlignment))
      report("the alignment " + std::to_string(problem.arenaAlignment) +
             " of the fast memory is not a power of two");
    for (BufferIndex b = 0; b < problem.buffers.size(); ++b)
      checkBuffer(b);
    if (issues.empty())
      for (const SpaceInPlace &pair : problem.inPlace)
        checkPair(pair);
    if (issues.empty() && !costsAreSmall())
      report("the costs do not fit into 50 bits");
    return std::move(issues);
  }

private:
  void checkBuffer(BufferIndex b) {
    const SpaceBuffer &buffer = problem.buffers[b];
    std::string name = "buffer '" + buffer.id + "'";
    if (!ids.insert(buffer.id).second)
      report(name + " occurs twice", {b});
    if (buffer.size < 0 || buffer.size > kMostCost)
      report(name + " has " + std::to_string(buffer.size) + " bytes", {b});
    if (!isPowerOfTwo(buffer.alignment) ||
        buffer.alignment > problem.arenaAlignment)
      report(
          name + " has the alignment " + std::to_string(buffer.alignment) +
              ", which is no power of two or exceeds that of the fast memory",
          {b});
    if (buffer.times < 0)
      report(name + " is used " + std::to_string(buffer.times) + " times", {b});
    if (buffer.accesses.empty())
      report(name + " has no access", {b});
    for (size_t k = 0; k < buffer.accesses.size(); ++k) {
      const SpaceAccess &access = buffer.accesses[k];
      std::string which = "access " + std::to_string(k) + " to " + name;
      constexpr int64_t kMostTime = int64_t(1) << 61;
      if (access.span.start >= access.span.end ||
          access.span.start < -kMostTime || access.span.end > kMostTime)
        report(which + " has no time", {b});
      else if (k > 0 && access.span.start < buffer.accesses[k - 1].span.end)
        report(which + " begins before the previous one ends", {b});
      if (access.bytesRead < 0 || access.bytesWritten < 0)
        report(which + " has a negative number of bytes", {b});
      if (!access.inFast && !access.inSlow)
        report(which + " is possible in no memory", {b});
      if (k == 0 && access.needsContents && !buffer.beginsSlow)
        report(which + " needs contents that nothing has written", {b});
    }
  }

  void checkPair(const SpaceInPlace &pair) {
    auto isAccess = [&](BufferIndex b, unsigned k) {
      return b < problem.buffers.size() &&
             k < problem.buffers[b].accesses.size();
    };
    if (!isAccess(pair.read, pair.readAccess) ||
        !isAccess(pair.written, pair.writtenAccess) ||
        pair.read == pair.written)
      return report("a pair in place names an access that does not exist");
    const SpaceBuffer &read = problem.buffers[pair.read];
    const SpaceBuffer &written = problem.buffers[pair.written];
    bool isLast = pair.readAccess + 1 == read.accesses.size()
                      ? !read.endsSlow
                      : !read.accesses[pair.readAccess + 1].needsContents;
    if (read.size != written.size || !isLast ||
        written.accesses[pair.writtenAccess].needsContents ||
        !(read.accesses[pair.readAccess].span ==
          written.accesses[pair.writtenAccess].span))
      report("buffer '" + written.id + "' cannot be written over '" + read.id +
                 "': they differ in size or op, or contents are still needed",
             {pair.read, pair.written});
  }

  bool costsAreSmall() const {
    const SpaceCosts &costs = problem.costs;
    int64_t total = 0;
    bool fits = true;
    auto addProduct = [&](int64_t a, int64_t b, int64_t c) {
      std::optional<int64_t> product = checkedMul(a, b);
      if (product)
        product = checkedMul(*product, c);
      if (product)
        product = checkedAdd(total, *product);
      fits &= product && *product <= kMostCost;
      if (fits)
        total = *product;
    };
    for (const SpaceBuffer &buffer : problem.buffers)
      for (const SpaceAccess &access : buffer.accesses) {
        addProduct(costs.fastRead, access.bytesRead, 1);
        addProduct(costs.fastWrite, access.bytesWritten, 1);
        addProduct(costs.slowRead, access.bytesRead, 1);
        addProduct(costs.slowWrite, access.bytesWritten, 1);
        addProduct(costs.copyIn, buffer.size, buffer.times);
        addProduct(costs.copyOut, buffer.size, buffer.times);
      }
    return fits;
  }

  const SpaceProblem &problem;
  std::set<std::string> ids;
};
} // namespace

std::vector<Issue> memplan::check(const SpaceProblem &problem,
                                  size_t maxIssues) {
  return Checker(problem, maxIssues).run();
}
