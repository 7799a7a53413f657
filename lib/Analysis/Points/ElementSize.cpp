//===- ElementSize.cpp - Bytes of types in memory -------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/ElementSize.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace memplan;

/// Integers and floats are laid out in whole bytes, rounded up to a power of
/// two: i1 and i4 take 1, i24 takes 4, f80 takes 16. From 65 bits on the
/// builtin data layout under-reports the alignment (i65 would get 12 bytes,
/// LLVM uses 16); the power of two never does.
static ElementLayout getScalarLayout(int64_t bits) {
  int64_t bytes =
      static_cast<int64_t>(llvm::PowerOf2Ceil(llvm::divideCeil(bits, 8)));
  return {bytes, std::min<int64_t>(bytes, 16)};
}

static std::optional<ElementLayout> getVectorLayout(VectorType type,
                                                    const DataLayout &layout) {
  // Rank 0 is a vector of one element in LLVM; its type size is not defined.
  if (type.isScalable())
    return std::nullopt;
  std::optional<ElementLayout> element =
      getElementLayout(type.getElementType(), layout);
  if (!element)
    return std::nullopt;
  // The innermost dimension is an LLVM vector, padded to a power of two; the
  // outer ones are arrays of it. Counting whole bytes for sub-byte elements
  // over-estimates, which is safe.
  int64_t inner = type.getRank() == 0 ? 1 : type.getShape().back();
  int64_t bytes, total;
  if (llvm::MulOverflow<int64_t>(inner, element->stride, bytes) ||
      bytes > kMaxBufferBytes)
    return std::nullopt;
  int64_t padded = static_cast<int64_t>(llvm::PowerOf2Ceil(bytes));
  int64_t outer = 1;
  for (int64_t size :
       type.getRank() == 0 ? ArrayRef<int64_t>() : type.getShape().drop_back())
    if (llvm::MulOverflow(outer, size, outer))
      return std::nullopt;
  if (llvm::MulOverflow(padded, outer, total) || total > kMaxBufferBytes)
    return std::nullopt;
  return ElementLayout{total, padded};
}

std::optional<ElementLayout>
memplan::getElementLayout(Type type, const DataLayout &layout) {
  if (auto integer = dyn_cast<IntegerType>(type)) {
    // LLVM has no integers of no bits.
    if (integer.getWidth() == 0)
      return std::nullopt;
    return getScalarLayout(integer.getWidth());
  }
  if (auto real = dyn_cast<FloatType>(type))
    return getScalarLayout(real.getWidth());
  if (isa<IndexType>(type))
    return getScalarLayout(
        static_cast<int64_t>(layout.getTypeSizeInBits(type).getFixedValue()));
  if (auto complex = dyn_cast<ComplexType>(type)) {
    std::optional<ElementLayout> part =
        getElementLayout(complex.getElementType(), layout);
    if (!part)
      return std::nullopt;
    return ElementLayout{2 * part->stride, part->alignment};
  }
  if (auto vector = dyn_cast<VectorType>(type))
    return getVectorLayout(vector, layout);
  if (isa<BaseMemRefType>(type) || !isa<DataLayoutTypeInterface>(type))
    return std::nullopt;
  llvm::TypeSize size = layout.getTypeSize(type);
  if (size.isScalable())
    return std::nullopt;
  int64_t alignment = static_cast<int64_t>(layout.getTypeABIAlignment(type));
  if (alignment < 1 || !llvm::isPowerOf2_64(alignment))
    return std::nullopt;
  return ElementLayout{
      static_cast<int64_t>(llvm::alignTo(size.getFixedValue(), alignment)),
      alignment};
}

std::optional<int64_t> memplan::getSizeInBytes(MemRefType type,
                                               const DataLayout &layout) {
  std::optional<ElementLayout> element =
      getElementLayout(type.getElementType(), layout);
  if (!element || !type.hasStaticShape())
    return std::nullopt;
  // A zero extent makes the buffer empty whatever the others are.
  if (llvm::is_contained(type.getShape(), 0))
    return 0;
  int64_t bytes = element->stride;
  for (int64_t size : type.getShape())
    if (llvm::MulOverflow(bytes, size, bytes) || bytes > kMaxBufferBytes)
      return std::nullopt;
  return bytes;
}
