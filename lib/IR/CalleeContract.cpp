//===- CalleeContract.cpp - Contracts of declared functions ---------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/IR/CalleeContract.h"

#include "memplan/IR/Memplan.h"

using namespace mlir;

bool memplan::isDeclaredReadOnly(FunctionOpInterface function,
                                 unsigned number) {
  // The values are "none", "read", "write" and "read-write".
  auto access =
      function.getArgAttrOfType<StringAttr>(number, "bufferization.access");
  return (access && !access.getValue().contains("write")) ||
         function.getArgAttr(number, "llvm.readonly") ||
         function.getArgAttr(number, "llvm.readnone");
}

bool memplan::isDeclaredInPlace(FunctionOpInterface function, unsigned read,
                                unsigned written) {
  auto over = function.getArgAttrOfType<DenseI64ArrayAttr>(
      written, MemplanDialect::kOverwritesAttr);
  return over && function.isExternal() &&
         llvm::is_contained(over.asArrayRef(), static_cast<int64_t>(read));
}
