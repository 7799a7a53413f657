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

/// The op which shows that many threads of a device run the function on the
/// same memory: the gpu.module around it, the function itself if it is marked
/// as a kernel, or an op in it that reads a thread id or synchronizes threads.
/// Null if there is none. Calls from such code are not seen here (see
/// ModuleAliases::getDeviceMark). Cost: one walk.
mlir::Operation *findDeviceMark(mlir::FunctionOpInterface function);

} // namespace memplan

#endif // MEMPLAN_LIB_ANALYSIS_DEVICECODE_H
