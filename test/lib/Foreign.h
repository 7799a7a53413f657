//===- Foreign.h - A dialect unknown to memplan -----------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_LIB_FOREIGN_H
#define MEMPLAN_TEST_LIB_FOREIGN_H

#include "memplan/IR/AsyncWork.h"
#include "memplan/IR/BufferAllocation.h"
#include "memplan/IR/InPlace.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "ForeignDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "ForeignTypes.h.inc"

#define GET_OP_CLASSES
#include "ForeignOps.h.inc"

#endif // MEMPLAN_TEST_LIB_FOREIGN_H
