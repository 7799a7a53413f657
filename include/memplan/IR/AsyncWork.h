//===- AsyncWork.h - Asynchronous work --------------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_IR_ASYNCWORK_H
#define MEMPLAN_IR_ASYNCWORK_H

#include "mlir/IR/OpDefinition.h"

namespace memplan {

/// The role of an op in asynchronous work.
enum class AsyncRole : uint8_t {
  /// None: all effects of the op have happened when control goes on.
  None,
  /// Starts work, which begins when the awaited values are ready.
  Starts,
  /// Starts no work; its finished values are ready after the awaited ones.
  Joins,
  /// Control goes on only when the awaited values are ready.
  Awaits
};

} // namespace memplan

#include "memplan/IR/AsyncWork.h.inc"

namespace memplan {

/// The asynchronous work of an op, from AsyncWorkInterface or from upstream's
/// gpu::AsyncOpInterface.
struct AsyncWork {
  AsyncRole role = AsyncRole::None;
  llvm::SmallVector<mlir::Value> awaited, finished;
};
AsyncWork getAsyncWork(mlir::Operation *op);

/// Attaches the interface to ops of the async dialect.
void registerAsyncWorkModels(mlir::DialectRegistry &registry);

} // namespace memplan

#endif // MEMPLAN_IR_ASYNCWORK_H
