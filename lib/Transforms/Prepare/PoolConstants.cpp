//===- PoolConstants.cpp - One constant for each memory space -------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckOptions.h"

#include "memplan/IR/Constants.h"
#include "memplan/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>
#include <unordered_map>

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANPOOLCONSTANTS
#include "memplan/Transforms/Passes.h.inc"
} // namespace memplan

using namespace memplan;

namespace {

/// A constant global that moves into a pool.
struct Constant {
  memref::GlobalOp global;
  SmallVector<memref::GetGlobalOp> reads;
  /// Its bytes in memory, in `owned` unless they are those of the attribute.
  ArrayRef<char> bytes;
  SmallVector<char, 0> owned;
  bool isResource = false;
  /// In bytes: what it asks for, and where it is in the pool.
  int64_t alignment = 1, offset = 0;
  bool isPlaced = false;
};

/// The constants of one memory space.
class Pool {
public:
  std::vector<Constant> constants;
  SmallVector<char, 0> bytes;
  int64_t alignment = 1;
  bool isResource = false;

  /// Places every constant. A constant whose bytes are a part of a larger one
  /// is that part.
  void place() {
    std::vector<Constant *> order;
    order.reserve(constants.size());
    for (Constant &constant : constants)
      order.push_back(&constant);
    // The larger ones first, so that a part comes behind the whole; the others
    // in the order of the program.
    std::stable_sort(order.begin(), order.end(),
                     [](const Constant *a, const Constant *b) {
                       return a->bytes.size() > b->bytes.size();
                     });
    llvm::DenseMap<StringRef, Constant *> known;
    auto textOf = [](const Constant &constant) {
      return StringRef(constant.bytes.data(), constant.bytes.size());
    };
    std::vector<Constant *> distinct;
    for (Constant *constant : order) {
      auto [equal, isNew] = known.try_emplace(textOf(*constant), constant);
      if (isNew)
        distinct.push_back(constant);
      equal->second->alignment =
          std::max(equal->second->alignment, constant->alignment);
    }
    std::vector<Constant *> parts = findParts(distinct);
    // The greatest alignments first, so that little is lost between constants.
    std::stable_sort(distinct.begin(), distinct.end(),
                     [](const Constant *a, const Constant *b) {
                       return a->alignment > b->alignment;
                     });
    for (Constant *constant : distinct) {
      if (constant->isPlaced)
        continue;
      bytes.resize(llvm::alignTo(bytes.size(), constant->alignment), 0);
      constant->offset = static_cast<int64_t>(bytes.size());
      llvm::append_range(bytes, constant->bytes);
    }
    for (Constant *part : parts)
      part->offset += wholes[part]->offset;
    for (Constant &constant : constants) {
      constant.offset = known.lookup(textOf(constant))->offset;
      alignment = std::max(alignment, constant.alignment);
      isResource |= constant.isResource;
    }
  }

private:
  /// Finds constants of which the bytes are a part of a larger one, at an
  /// offset that is aligned for both. Marks them as placed; their offsets are
  /// then those in the larger one. Larger ones that are parts themselves are no
  /// places. The bytes compared are limited, so that it takes about linear
  /// time.
  std::vector<Constant *> findParts(ArrayRef<Constant *> distinct) {
    constexpr size_t prefix = 8;
    int64_t total = 0;
    std::unordered_map<uint64_t, SmallVector<Constant *, 1>> byPrefix;
    auto prefixOf = [](const char *at) {
      uint64_t value;
      std::memcpy(&value, at, prefix);
      return value;
    };
    for (Constant *constant : distinct) {
      total += static_cast<int64_t>(constant->bytes.size());
      if (constant->bytes.size() >= prefix)
        byPrefix[prefixOf(constant->bytes.data())].push_back(constant);
    }
    int64_t budget = 16 * total + (int64_t(1) << 24);
    std::vector<Constant *> parts;
    int64_t step = distinct.front()->alignment;
    for (const Constant *constant : distinct)
      step = std::min(step, constant->alignment);
    for (Constant *whole : distinct) {
      if (whole->isPlaced || whole->bytes.size() < prefix)
        continue;
      for (size_t at = 0; at + prefix <= whole->bytes.size() && budget > 0;
           at += static_cast<size_t>(step)) {
        auto found = byPrefix.find(prefixOf(whole->bytes.data() + at));
        if (found == byPrefix.end())
          continue;
        for (Constant *part : found->second) {
          --budget;
          size_t size = part->bytes.size();
          if (part == whole || part->isPlaced ||
              at + size > whole->bytes.size() ||
              whole->alignment < part->alignment ||
              at % static_cast<size_t>(part->alignment) != 0)
            continue;
          budget -= static_cast<int64_t>(size);
          if (std::memcmp(whole->bytes.data() + at, part->bytes.data(), size))
            continue;
          part->isPlaced = true;
          part->offset = static_cast<int64_t>(at);
          wholes[part] = whole;
          parts.push_back(part);
        }
      }
    }
    return parts;
  }

  llvm::DenseMap<Constant *, Constant *> wholes;
};

/// The bytes of an element in memory, or 0 if elements of the type are not
/// pooled.
int64_t getElementBytes(Type type) {
  if (type.isInteger(1))
    return 1;
  unsigned bits = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
  return bits % 8 == 0 && llvm::isPowerOf2_32(bits) ? bits / 8 : 0;
}

/// Reads the bytes of a constant. Returns why they are not pooled, or "".
StringRef readBytes(Constant &constant, int64_t bytes) {
  auto size = static_cast<size_t>(bytes);
  Attribute value = *constant.global.getInitialValue();
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob || blob->getData().size() != size)
      return "its resource has no bytes, or not as many as its type";
    constant.bytes = blob->getData();
    constant.isResource = true;
    return "";
  }
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense)
    return "its elements are not dense";
  // The program states a splat as one element, and the pool all of its bytes.
  constexpr size_t mostOfSplat = 1 << 16;
  if (dense.isSplat() && size > mostOfSplat)
    return "it is one value, of more than 65536 bytes";
  if (dense.getElementType().isInteger(1)) {
    for (bool bit : dense.getValues<bool>())
      constant.owned.push_back(static_cast<char>(bit));
  } else if (dense.isSplat()) {
    ArrayRef<char> element = dense.getRawData();
    for (size_t at = 0; at < size; at += element.size())
      constant.owned.append(element.begin(), element.end());
  } else {
    constant.bytes = dense.getRawData();
    return "";
  }
  constant.bytes = constant.owned;
  return "";
}

struct PoolConstantsPass
    : memplan::impl::MemplanPoolConstantsBase<PoolConstantsPass> {
  using MemplanPoolConstantsBase::MemplanPoolConstantsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(checkOptions(module.getLoc(), alignment, 0)))
      return signalPassFailure();
    llvm::MapVector<Attribute, Pool> pools;
    bool isWritten = false;
    SymbolTable symbols(module);
    SymbolTableCollection tables;
    SymbolUserMap users(tables, module);
    for (auto global : module.getOps<memref::GlobalOp>()) {
      if (!global.getConstant() || users.useEmpty(global))
        continue;
      Constant constant;
      constant.global = global;
      for (Operation *user : users.getUsers(global))
        if (auto get = dyn_cast<memref::GetGlobalOp>(user)) {
          constant.reads.push_back(get);
          for (Operation *write : findWrites(get)) {
            InFlightDiagnostic error = write->emitError()
                                       << "writes to the constant @"
                                       << global.getSymName();
            error.attachNote(global.getLoc()) << "the constant";
            isWritten = true;
          }
        }
      StringRef reason =
          constant.reads.size() == users.getUsers(global).size()
              ? prepare(constant)
              : StringRef("an op other than memref.get_global names it");
      if (!reason.empty())
        global.emitRemark() << "the constant @" << global.getSymName()
                            << " is not pooled: " << reason;
      else
        pools[global.getType().getMemorySpace()].constants.push_back(
            std::move(constant));
    }
    if (isWritten)
      return signalPassFailure();
    for (auto &[space, pool] : pools) {
      for (Constant &constant : pool.constants)
        if (!constant.owned.empty())
          constant.bytes = constant.owned;
      pool.place();
      rewrite(space, pool, symbols);
    }
  }

  /// Reads the constant. Returns why it is not pooled, or "".
  StringRef prepare(Constant &constant) {
    MemRefType type = constant.global.getType();
    int64_t elementBytes = getElementBytes(type.getElementType());
    if (!constant.global.isPrivate())
      return "other modules may read it";
    if (!constant.global.getInitialValue() ||
        isa<UnitAttr>(*constant.global.getInitialValue()))
      return "it has no value";
    if (elementBytes == 0)
      return "its elements are not bytes, or a power of two of them";
    if (!type.getLayout().isIdentity() || type.getNumElements() == 0)
      return "it has a layout, or no element";
    int64_t bytes = elementBytes;
    for (int64_t extent : type.getShape())
      if (llvm::MulOverflow(bytes, extent, bytes))
        return "its size does not fit into 64 bits";
    uint64_t needed = std::max({static_cast<uint64_t>(elementBytes),
                                static_cast<uint64_t>(int64_t(alignment)),
                                constant.global.getAlignment().value_or(1)});
    // What a pool loses to alignment is then less than its constants, and a
    // page for each of them.
    constexpr uint64_t page = 4096;
    if (needed > page && needed > static_cast<uint64_t>(bytes))
      return "its alignment is more than 4096 and than its size";
    constant.alignment = static_cast<int64_t>(needed);
    return readBytes(constant, bytes);
  }

  /// Creates the pool, and views of it in the places of the constants.
  static void rewrite(Attribute space, Pool &pool, SymbolTable &symbols) {
    memref::GlobalOp first = pool.constants.front().global;
    OpBuilder builder(first);
    auto size = static_cast<int64_t>(pool.bytes.size());
    Type byte = builder.getI8Type();
    auto type =
        MemRefType::get({size}, byte, MemRefLayoutAttrInterface(), space);
    auto shape = RankedTensorType::get({size}, byte);
    std::string name = "memplan_constants";
    if (space) {
      std::string text;
      llvm::raw_string_ostream os(text);
      if (auto number = dyn_cast<IntegerAttr>(space))
        os << number.getValue();
      else
        os << space;
      name += "_";
      for (char c : text)
        name += llvm::isAlnum(c) ? c : '_';
    }
    ElementsAttr value;
    if (pool.isResource)
      value = DenseResourceElementsAttr::get(
          shape, name,
          HeapAsmResourceBlob::allocateAndCopyWithAlign(
              pool.bytes, static_cast<size_t>(pool.alignment)));
    else
      value = DenseElementsAttr::getFromRawBuffer(shape, pool.bytes);
    auto global = memref::GlobalOp::create(
        builder, builder.getUnknownLoc(), name,
        builder.getStringAttr("private"), type, value,
        /*constant=*/true, builder.getI64IntegerAttr(pool.alignment));
    SymbolTable::setSymbolVisibility(global, SymbolTable::Visibility::Private);
    StringAttr symbol = symbols.insert(global);
    for (Constant &constant : pool.constants) {
      for (memref::GetGlobalOp get : constant.reads) {
        builder.setInsertionPoint(get);
        Location loc = get.getLoc();
        Value all = memref::GetGlobalOp::create(builder, loc, type, symbol);
        Value offset =
            ConstantMaker(get).createIndex(builder, loc, constant.offset);
        Value view = memref::ViewOp::create(builder, loc, get.getType(), all,
                                            offset, ValueRange());
        get.replaceAllUsesWith(view);
        get.erase();
      }
      symbols.erase(constant.global);
    }
  }
};
} // namespace
