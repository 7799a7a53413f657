//===- Server.h - Tools in one process --------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_PROGRAMS_SERVER_H
#define MEMPLAN_TEST_PROGRAMS_SERVER_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"

namespace memplan::test {

/// Serves requests from the standard input until it ends, each in a child
/// process, so that scripts do not load the libraries for every command.
///
/// Messages are lists of byte strings: the number of strings, then for each
/// string its length and its bytes; numbers are decimal, in a line of their
/// own. A request is the name of a command, a time limit in seconds, a program,
/// and arguments:
///
///   opt SECONDS PROGRAM ARGUMENT...  memplan-opt with these arguments
///   lower SECONDS PROGRAM            the program in LLVM's dialect
///   execute SECONDS PROGRAM FILL LEVEL
///                                    runs @main; FILL is a byte for freed
///                                    memory, or empty (Execution.h), LEVEL 0
///                                    or 2
///
/// An answer is the exit status (negative: the signal), the standard output,
/// the standard error and, of `run` and `execute`, the number of buffers that
/// the program did not free.
int serve(mlir::MLIRContext &context, mlir::DialectRegistry &registry);

} // namespace memplan::test

#endif // MEMPLAN_TEST_PROGRAMS_SERVER_H
