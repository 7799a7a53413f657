//===- SizeFunction.cpp - The function that sizes an arena ----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/IR/SizeFunction.h"

#include "memplan/IR/MemorySpace.h"
#include "memplan/IR/Memplan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace memplan;

std::string memplan::getSizeFunctionName(FunctionOpInterface function,
                                         Attribute memorySpace) {
  std::string name = (function.getName() + ".arena_bytes").str();
  return memorySpace ? name + "." + formatSpace(memorySpace) : name;
}

SmallVector<SizeParameter>
memplan::getSizeParameters(FunctionOpInterface function) {
  SmallVector<SizeParameter> parameters;
  for (unsigned i = 0; i != function.getNumArguments(); ++i) {
    Type type = function.getArgumentTypes()[i];
    if (function.getArgAttr(i, MemplanDialect::kArenaAttr))
      continue;
    if (type.isIntOrIndex())
      parameters.push_back({i, std::nullopt, type});
    if (auto memref = dyn_cast<MemRefType>(type))
      for (unsigned d = 0; d != memref.getRank(); ++d)
        if (memref.isDynamicDim(d))
          parameters.push_back({i, d, IndexType::get(type.getContext())});
  }
  return parameters;
}

bool memplan::isSizeDeclaration(Operation *op, FunctionOpInterface function) {
  auto declared = dyn_cast<func::FuncOp>(op);
  SmallVector<Type> types;
  for (const SizeParameter &parameter : getSizeParameters(function))
    types.push_back(parameter.type);
  Type index = IndexType::get(op->getContext());
  return declared && declared.isExternal() &&
         declared.getFunctionType() ==
             FunctionType::get(op->getContext(), types, index);
}
