//===- SameAttributes.h - Ops with the same attributes ----------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_EQUIVALENCE_SAMEATTRIBUTES_H
#define MEMPLAN_LIB_EQUIVALENCE_SAMEATTRIBUTES_H

#include "mlir/IR/Operation.h"

namespace memplan {

/// True if the ops have the same name and the same attributes. To make the
/// dictionary of an op with properties takes much longer than to compare these.
inline bool haveSameAttributes(mlir::Operation *a, mlir::Operation *b) {
  if (a->getName() != b->getName())
    return false;
  return (a->getRawDictionaryAttrs() == b->getRawDictionaryAttrs() &&
          a->getName().compareOpProperties(a->getPropertiesStorage(),
                                           b->getPropertiesStorage())) ||
         a->getAttrDictionary() == b->getAttrDictionary();
}

} // namespace memplan

#endif // MEMPLAN_LIB_EQUIVALENCE_SAMEATTRIBUTES_H
