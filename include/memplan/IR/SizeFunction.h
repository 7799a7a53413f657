//===- SizeFunction.h - The function that sizes an arena --------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Callers that hand an arena of no constant size to a function `f` ask
// `@f.arena_bytes` for its bytes, or `@f.arena_bytes.1` for those of an arena
// in memory space 1. Its arguments are what the size may depend on: for each
// argument of `f` but the arenas, its dynamic extents if it is a memref, and
// else itself if it is an integer or an index.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_IR_SIZEFUNCTION_H
#define MEMPLAN_IR_SIZEFUNCTION_H

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <optional>
#include <string>

namespace memplan {

/// An argument of `f`, or an extent of it.
struct SizeParameter {
  unsigned argument;
  std::optional<unsigned> dimension;
  mlir::Type type;
};

std::string getSizeFunctionName(mlir::FunctionOpInterface function,
                                mlir::Attribute memorySpace);
/// The arguments of the size functions of the function.
llvm::SmallVector<SizeParameter>
getSizeParameters(mlir::FunctionOpInterface function);
/// True for a declaration that the size function may replace: callers in the
/// module may have declared it.
bool isSizeDeclaration(mlir::Operation *op, mlir::FunctionOpInterface function);

} // namespace memplan

#endif // MEMPLAN_IR_SIZEFUNCTION_H
