//===- InPlace.h - Ops that may write over what they read -------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_IR_INPLACE_H
#define MEMPLAN_IR_INPLACE_H

#include "mlir/IR/OpDefinition.h"

#include "memplan/IR/InPlace.h.inc"

#endif // MEMPLAN_IR_INPLACE_H
