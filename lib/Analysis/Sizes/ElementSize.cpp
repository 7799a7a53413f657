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

/// Integers and floats take whole bytes, rounded up to their alignment: i1 and
/// i4 take 1 byte, i24 takes 4, f80 takes 16. LLVM aligns them to the next
/// power of two, but no scalar to more than 16 bytes. The builtin data layout
/// reports too small an alignment from 65 bits on (i65 would take 12 bytes;
/// LLVM takes 16).
static ElementLayout getScalarLayout(int64_t bits) {
  auto bytes = static_cast<int64_t>(llvm::divideCeil(bits, 8));
  int64_t alignment = std::min<int64_t>(llvm::PowerOf2Ceil(bytes), 16);
  return {static_cast<int64_t>(llvm::alignTo(bytes, alignment)), alignment};
}

/// Bits of one element of an LLVM vector, in which scalars are not padded.
static std::optional<int64_t> getBits(Type type, const DataLayout &layout) {
  if (isa<IntegerType, FloatType>(type))
    return type.getIntOrFloatBitWidth();
  std::optional<ElementLayout> element = getElementLayout(type, layout);
  return element ? std::optional<int64_t>(8 * element->stride) : std::nullopt;
}

static std::optional<ElementLayout> getVectorLayout(VectorType type,
                                                    const DataLayout &layout) {
  // A vector of rank 0 is a vector of one element in LLVM; the data layout does
  // not define its size.
  if (type.isScalable())
    return std::nullopt;
  std::optional<int64_t> element = getBits(type.getElementType(), layout);
  if (!element)
    return std::nullopt;
  // The innermost dimension is an LLVM vector, padded to a power of two bytes;
  // the outer ones are arrays of it.
  int64_t inner = type.getRank() == 0 ? 1 : type.getShape().back();
  int64_t bits, total;
  if (llvm::MulOverflow<int64_t>(inner, *element, bits) ||
      bits / 8 > kMaxBufferBytes)
    return std::nullopt;
  auto padded =
      static_cast<int64_t>(llvm::PowerOf2Ceil(llvm::divideCeil(bits, 8)));
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
    // LLVM has no integers of width 0.
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

std::optional<int64_t> memplan::getKnownSize(MemRefType type,
                                             const DataLayout &layout) {
  return type.getLayout().isIdentity() ? getSizeInBytes(type, layout)
                                       : std::nullopt;
}
