//===- DeviceCode.h - Functions that many threads run -----------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_DEVICECODE_H
#define MEMPLAN_LIB_ANALYSIS_DEVICECODE_H

#include "mlir/IR/Attributes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace memplan {

/// What shows that many threads of a device run the function, all of them on
/// the same memory: the gpu.module that it is in, itself if it is marked as a
/// kernel, or an op in it that asks which thread it is or waits for the others.
/// Null if nothing does. That a function is called from such code is not seen
/// here. Cost: one walk.
mlir::Operation *findDeviceMark(mlir::FunctionOpInterface function);

} // namespace memplan

#endif // MEMPLAN_LIB_ANALYSIS_DEVICECODE_H
