//===- ElementSize.h - Bytes of types in memory -----------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_ELEMENTSIZE_H
#define MEMPLAN_ANALYSIS_ELEMENTSIZE_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

#include <cstdint>
#include <optional>

namespace memplan {

/// Size and alignment of one element of a memref, in bytes.
struct ElementLayout {
  /// Bytes from one element to the next, as in the LLVM lowering. In-place ops
  /// and slices rely on it.
  int64_t stride;
  /// The alignment that an access may assume of an element's address; a power
  /// of two.
  int64_t alignment;
};

/// The layout of the element type; std::nullopt for types whose size is not
/// known at compile time (scalable vectors, memrefs, types of other dialects
/// without a data layout).
std::optional<ElementLayout> getElementLayout(mlir::Type elementType,
                                              const mlir::DataLayout &layout);

/// Bytes of a memref; std::nullopt if its shape is dynamic, if it exceeds
/// kMaxBufferBytes, or if the element type has no known layout.
std::optional<int64_t> getSizeInBytes(mlir::MemRefType type,
                                      const mlir::DataLayout &layout);

/// Bytes of an allocation of the type; std::nullopt, too, if its layout is not
/// the identity, as it may leave gaps then.
std::optional<int64_t> getKnownSize(mlir::MemRefType type,
                                    const mlir::DataLayout &layout);

/// Bytes of the largest buffer that is planned: the 48-bit address space.
/// Larger buffers cannot be allocated, and the limit keeps sums of sizes far
/// from overflow.
constexpr int64_t kMaxBufferBytes = int64_t(1) << 48;

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_ELEMENTSIZE_H
