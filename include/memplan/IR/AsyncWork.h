//===- AsyncWork.h - Ops whose work goes on after them ----------*- C++ -*-===//
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

/// What an op does about asynchronous work.
enum class AsyncRole : uint8_t {
  /// Nothing: what it does is done when control goes on.
  None,
  /// Starts work, which begins when the awaited values are ready.
  Starts,
  /// Starts none; its finished values are ready after the awaited ones.
  Joins,
  /// Control goes on when the awaited values are ready.
  Awaits
};

} // namespace memplan

#include "memplan/IR/AsyncWork.h.inc"

namespace memplan {

/// What an op says of asynchronous work: by AsyncWorkInterface, or by
/// upstream's gpu::AsyncOpInterface.
struct AsyncWork {
  AsyncRole role = AsyncRole::None;
  llvm::SmallVector<mlir::Value> awaited, finished;
};
AsyncWork getAsyncWork(mlir::Operation *op);

/// Attaches the interface to ops of the async dialect.
void registerAsyncWorkModels(mlir::DialectRegistry &registry);

} // namespace memplan

#endif // MEMPLAN_IR_ASYNCWORK_H
