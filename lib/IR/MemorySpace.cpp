//===- MemorySpace.cpp - Special memory spaces ----------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/IR/MemorySpace.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVAttributes.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

bool memplan::isWorkgroupSpace(Attribute memorySpace) {
  if (auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(memorySpace))
    return space.getValue() == gpu::AddressSpace::Workgroup;
  if (auto space = dyn_cast_or_null<spirv::StorageClassAttr>(memorySpace))
    return space.getValue() == spirv::StorageClass::Workgroup;
  if (auto space = dyn_cast_or_null<NVVM::NVVMMemorySpaceAttr>(memorySpace))
    return space.getValue() == NVVM::NVVMMemorySpace::Shared;
  return false;
}

std::string memplan::formatSpace(Attribute space) {
  if (!space)
    return "";
  if (auto number = dyn_cast<IntegerAttr>(space))
    return std::to_string(number.getInt());
  if (auto name = dyn_cast<StringAttr>(space))
    return name.getValue().str();
  std::string text;
  llvm::raw_string_ostream(text) << space;
  return text;
}
