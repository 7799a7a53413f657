//===- MemPlanPlugin.cpp - memplan for the stock mlir-opt -----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Core/Version.h"
#include "memplan/InitAll.h"
#include "memplan/Transforms/Embedding.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

#include <mutex>

/// Both kinds of plugin register the passes, as one file may be loaded as
/// either or as both.
static void registerPasses() {
  static std::once_flag isRegistered;
  std::call_once(isRegistered, [] { memplan::registerAllPasses(); });
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "memplan", memplan::version().data(),
          registerPasses};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "memplan", memplan::version().data(),
          [](mlir::DialectRegistry *registry) {
            memplan::registerMemplanDialects(*registry);
            registerPasses();
          }};
}
