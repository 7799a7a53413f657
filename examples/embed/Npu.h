//===- Npu.h - The dialect of an imaginary accelerator ----------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NPU_H
#define NPU_H

#include "memplan/IR/BufferAllocation.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"

#include <memory>

#include "NpuDialect.h.inc"

#define GET_OP_CLASSES
#include "NpuOps.h.inc"

namespace npu {

/// To run before planning: gives each npu.matmul an npu.scratch into which it
/// packs its second operand.
std::unique_ptr<mlir::Pass> createAddScratch();

/// To run after planning: lowers npu ops to scf and linalg ops on the same
/// memrefs, and allocations that were not planned to memref.alloc.
std::unique_ptr<mlir::Pass> createLowerNpu();

} // namespace npu

#endif // NPU_H
