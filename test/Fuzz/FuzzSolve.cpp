//===- FuzzSolve.cpp - Every strategy against the verifier
//-----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Problems of all features, made of bytes, are solved by every strategy. The
// plans must be correct by verify() and by a comparison of all pairs, and no
// strategy may contradict what another one has proven. verify() itself is
// compared on offsets of the bytes.

#include "Problems.h"

#include "memplan/Core/Bound.h"
#include "memplan/Core/Order.h"
#include "memplan/Core/Solver.h"
#include "memplan/Core/Verify.h"

#include <algorithm>

using namespace memplan;
using namespace memplan::fuzz;

namespace {

/// What the plans of one problem say about its least arena.
struct Known {
  int64_t atLeast = 0;
  int64_t atMost = INT64_MAX;
};

void checkConstant(const Problem &problem, const Plan &plan) {
  require(verify(problem, plan).empty(), "verify() rejects a plan of solve()");
  require(isCorrect(problem, plan), "a plan of solve() is wrong");
  int64_t highest = 0;
  for (size_t i = 0; i < plan.offsets.size(); ++i)
    highest = std::max(highest, plan.offsets[i] + problem.buffers[i].size);
  require(plan.arenaSize == highest, "the arena does not end with a buffer");
}

/// The order at the values of the bytes.
void checkOrder(const Problem &problem, const Plan &plan, Bytes bytes) {
  require(plan.order.has_value(), "a plan of formulas has no order");
  require(verifyOrder(problem, *plan.order).empty(),
          "verifyOrder() rejects the order of a plan");
  for (unsigned round = 0; round < 4; ++round) {
    std::vector<int64_t> values;
    for (const SizeSymbol &symbol : problem.symbols) {
      int64_t value = bytes.number();
      value = std::max(value, symbol.least);
      value = std::min(value, symbol.greatest.value_or(value));
      if (value % symbol.multipleOf != 0)
        value -= value % symbol.multipleOf;
      // Without such a value near by, the order need not hold.
      if (value < symbol.least || value > symbol.greatest.value_or(value))
        return;
      values.push_back(value);
    }
    std::optional<Problem> constant = evaluateAt(problem, values);
    if (!constant || !check(*constant).empty())
      continue;
    constant->capacity.reset();
    Plan at;
    at.status = PlanStatus::Feasible;
    at.offsets = computeOffsets(*constant, *plan.order);
    at.arenaSize = getArenaSize(*constant, at.offsets);
    require(isCorrect(*constant, at), "an order is wrong at some sizes");
  }
}

void checkPlan(const Problem &problem, const Plan &plan, Known &known,
               const Bytes &bytes) {
  if (plan.message.find("defect") != std::string::npos)
    fail(plan.message);
  if (hasFormulas(problem)) {
    if (plan.hasOffsets())
      checkOrder(problem, plan, bytes);
    return;
  }
  require(plan.status != PlanStatus::Invalid, "a problem has no plan");
  require(lowerBound(problem) <= plan.lowerBound ||
              plan.status == PlanStatus::Infeasible,
          "a plan has less than the lower bound");
  if (plan.status == PlanStatus::Infeasible) {
    // Without a capacity that can be exceeded, the pins contradict each other.
    int64_t above =
        std::min(problem.capacity.value_or(INT64_MAX), INT64_MAX - 1);
    require(known.atMost > above,
            "a problem with a plan is said to be infeasible");
    known.atLeast = std::max(known.atLeast, above + 1);
    return;
  }
  require(plan.offsets.size() == problem.buffers.size(),
          "a plan has no offsets");
  checkConstant(problem, plan);
  known.atMost = std::min(known.atMost, plan.arenaSize);
  known.atLeast = std::max(known.atLeast, plan.lowerBound);
  require(known.atLeast <= known.atMost,
          "an arena is smaller than what was proven");
  require(plan.status != PlanStatus::Optimal ||
              plan.arenaSize == plan.lowerBound,
          "an optimal arena is not the bound");
}

/// The verifier on offsets of the bytes, which are mostly wrong.
void checkVerifier(const Problem &problem, Bytes bytes) {
  Plan plan;
  plan.status = PlanStatus::Feasible;
  for (const Buffer &buffer : problem.buffers) {
    plan.offsets.push_back(bytes.number());
    if (plan.offsets.back() > 0)
      plan.offsets.back() &= -buffer.alignment;
  }
  plan.arenaSize = bytes.flag() ? bytes.number() : INT64_MAX;
  require(verify(problem, plan).empty() == isCorrect(problem, plan),
          "verify() and a comparison of all pairs differ");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Bytes bytes(data, size);
  SolveOptions options;
  options.effort = Effort::Low;
  options.minimize = bytes.flag();
  options.nodeLimit = 1 + int64_t(bytes.below(1024));
  options.seed = bytes.byte();
  options.threads = 1;
  Problem problem = makeProblem(bytes);
  if (!check(problem).empty()) {
    require(solve(problem, options).status == PlanStatus::Invalid,
            "solve() accepts what check() rejects");
    return 0;
  }
  if (!hasFormulas(problem))
    checkVerifier(problem, bytes);
  Known known;
  for (Strategy strategy : allStrategies()) {
    options.strategy = strategy;
    checkPlan(problem, solve(problem, options), known, bytes);
  }
  // Threads change nothing.
  if (bytes.oneOf(16) && problem.buffers.size() > 4) {
    Plan alone = solve(problem, options);
    options.threads = 2;
    require(solve(problem, options).offsets == alone.offsets,
            "threads change a plan");
  }
  return 0;
}
