//===- Comparison.h - Programs before and after planning -----*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_PROGRAMS_COMPARISON_H
#define MEMPLAN_TEST_PROGRAMS_COMPARISON_H

#include "Directives.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace memplan::test {

/// Compares a program with its plans, by every strategy with every set of
/// options (Comparison.cpp has the table). Each plan is verified with the
/// memplan ops and lowered; its texts are read back; planning the planned
/// program changes nothing; and executed, it prints what the original prints,
/// bit for bit, with no more buffers unfreed. The original prints the same
/// whatever fresh memory holds.
///
/// Returns the output of the original, then the sizes of the arenas of each
/// function and the number of allocations left beside them, from the last set
/// of options:
///
///   arena @main: naive=192 others=128
///   left @main: 1
///
/// `others` is printed where all the other strategies agree. An error says the
/// strategy, the options and the difference.
llvm::Expected<std::string>
comparePlans(mlir::MLIRContext &context, llvm::StringRef program,
             const Directive &directive,
             const std::vector<std::vector<int64_t>> &runs, unsigned seconds);

/// Checks `output` with FileCheck's directives in the text of the program.
llvm::Error checkOutput(llvm::StringRef output, llvm::StringRef path,
                        llvm::StringRef program, const Directive &directive);

} // namespace memplan::test

#endif // MEMPLAN_TEST_PROGRAMS_COMPARISON_H
