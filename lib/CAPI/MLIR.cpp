//===- MLIR.cpp - memplan in MLIR's C API ---------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan-c/MLIR.h"

#include "memplan/IR/Memplan.h"
#include "memplan/InitAll.h"

#include "mlir/CAPI/Registration.h"

#include <mutex>

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Memplan, memplan, memplan::MemplanDialect)

void memplanRegisterPasses(void) {
  static std::once_flag isRegistered;
  std::call_once(isRegistered, [] { memplan::registerAllPasses(); });
}
