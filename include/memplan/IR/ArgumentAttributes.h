//===- ArgumentAttributes.h - Attributes of entry arguments -----*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entry block of a gpu.func has arguments behind those of the function: its
// workgroup and private memory. The function has no attributes for them.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_IR_ARGUMENTATTRIBUTES_H
#define MEMPLAN_IR_ARGUMENTATTRIBUTES_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace memplan {

/// The attribute of this type that a function has for the argument; null if
/// there is none, or if the block argument is none of a function.
template <typename AttributeT = mlir::Attribute>
AttributeT getArgumentAttr(mlir::BlockArgument argument, llvm::StringRef name) {
  auto function = mlir::dyn_cast_if_present<mlir::FunctionOpInterface>(
      argument.getOwner()->getParentOp());
  unsigned number = argument.getArgNumber();
  if (!function || !argument.getOwner()->isEntryBlock() ||
      number >= function.getNumArguments())
    return {};
  return mlir::dyn_cast_if_present<AttributeT>(
      function.getArgAttr(number, name));
}

} // namespace memplan

#endif // MEMPLAN_IR_ARGUMENTATTRIBUTES_H
