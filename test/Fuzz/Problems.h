//===- Problems.h - Planning problems from bytes ---------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_FUZZ_PROBLEMS_H
#define MEMPLAN_TEST_FUZZ_PROBLEMS_H

#include "Bytes.h"

#include "memplan/Core/Plan.h"
#include "memplan/Core/Problem.h"

namespace memplan::fuzz {

/// A problem with every feature of the model; check() may reject it.
Problem makeProblem(Bytes &bytes);

/// A formula over the symbols; absent if it would be too complex.
MaybeFormula makeFormula(Bytes &bytes, const SizeSymbols &symbols,
                         unsigned depth);

/// Whether the plan is correct, by comparing all pairs of buffers: what
/// verify() must find out. Requires a problem of constant sizes that check()
/// accepts.
bool isCorrect(const Problem &problem, const Plan &plan);

} // namespace memplan::fuzz

#endif // MEMPLAN_TEST_FUZZ_PROBLEMS_H
