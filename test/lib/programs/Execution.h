//===- Execution.h - Programs that run ----------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_PROGRAMS_EXECUTION_H
#define MEMPLAN_TEST_PROGRAMS_EXECUTION_H

#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace memplan::test {

/// The only way in which programs are lowered, planned or not, so that a
/// difference of their outputs is caused by the plan. Lowers a module of func,
/// scf, affine, cf, linalg, memref, vector and async ops to LLVM's dialect.
/// Memory spaces are dropped, as upstream frees no memory outside of the
/// default one; a declared function that overwrites its last argument gets a
/// body that adds; and a @main that asks for arenas gets a caller that provides
/// them. Diagnostics go to the context.
mlir::LogicalResult lowerToLLVM(mlir::ModuleOp module);

/// What a program did.
struct Execution {
  /// What it printed; addresses of buffers are "base@ = ...".
  std::string output;
  /// Buffers that it did not free.
  int64_t live = 0;
};

/// A program in machine code.
class CompiledProgram {
public:
  /// Compiles a module in LLVM's dialect.
  static llvm::Expected<CompiledProgram> compile(mlir::ModuleOp lowered,
                                                 bool optimize = false);

  /// Calls @main in a child process with arguments of type index or i64. With
  /// `fill`, memory that is freed holds that byte, and memory that is allocated
  /// its complement (as with MALLOC_PERTURB_ of the C library): a program that
  /// reads such memory prints something else.
  llvm::Expected<Execution> run(llvm::ArrayRef<int64_t> arguments,
                                std::optional<uint8_t> fill,
                                unsigned seconds) const;

private:
  std::unique_ptr<mlir::ExecutionEngine> engine;
  void (*entry)(void **) = nullptr;
};

/// Loads what programs call while they run, once for all of them.
void loadRuntime();

} // namespace memplan::test

#endif // MEMPLAN_TEST_PROGRAMS_EXECUTION_H
