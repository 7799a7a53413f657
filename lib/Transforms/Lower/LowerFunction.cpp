//===- LowerFunction.cpp - Lower memplan ops to memref ops ----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/Copies.h"
#include "memplan/IR/Constants.h"
#include "memplan/IR/Memplan.h"
#include "memplan/Transforms/Materialize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace memplan;

/// Marks an allocation or deallocation so that upstream's deallocation passes
/// do not change it.
static void markManual(Operation *op) {
  op->setAttr(bufferization::BufferizationDialect::kManualDeallocation,
              UnitAttr::get(op->getContext()));
}

/// Creates the variable of a global arena, right before the function. It is
/// public if it holds results, which callers read, and private otherwise.
static memref::GlobalOp createGlobal(ArenaOp op, FunctionOpInterface function,
                                     SymbolTableCollection &symbols) {
  OpBuilder builder(op.getContext());
  bool hasResults = function->hasAttr(MemplanDialect::kOutputsAttr);
  auto global = memref::GlobalOp::create(
      builder, op.getLoc(), ("memplan_arena_" + function.getName()).str(),
      hasResults ? StringAttr() : builder.getStringAttr("private"),
      op.getArena().getType(),
      /*initial_value=*/builder.getUnitAttr(), /*constant=*/false,
      builder.getI64IntegerAttr(static_cast<int64_t>(op.getAlign())));
  // The symbol table makes the name unique.
  Operation *table =
      SymbolTable::getNearestSymbolTable(function->getParentOp());
  symbols.getSymbolTable(table).insert(global, Block::iterator(function));
  return global;
}

static Operation *createLowered(ArenaOp op, FunctionOpInterface function,
                                SymbolTableCollection &symbols) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  MemRefType type = op.getArena().getType();
  IntegerAttr alignment = builder.getI64IntegerAttr(op.getAlign());
  switch (op.getMemory()) {
  case ArenaMemory::Heap: {
    auto alloc = memref::AllocOp::create(builder, loc, type, alignment);
    if (op.isReleased())
      markManual(alloc);
    return alloc;
  }
  case ArenaMemory::Stack:
    return memref::AllocaOp::create(builder, loc, type, alignment);
  case ArenaMemory::Global: {
    memref::GlobalOp global = createGlobal(op, function, symbols);
    return memref::GetGlobalOp::create(builder, loc, type, global.getSymName());
  }
  }
  llvm_unreachable("an arena is somewhere");
}

static void lowerArena(ArenaOp op, FunctionOpInterface function,
                       SymbolTableCollection &symbols) {
  Operation *lowered = createLowered(op, function, symbols);
  lowered->setAttr(MemplanDialect::kArenaAttr, UnitAttr::get(op.getContext()));
  op.replaceAllUsesWith(lowered->getResult(0));
  op.erase();
}

static void lowerRelease(ReleaseOp op) {
  OpBuilder builder(op);
  markManual(memref::DeallocOp::create(builder, op.getLoc(), op.getArena()));
  op.erase();
}

/// Lowers to a cast of the slot to its own type. The cast is the name of the
/// new buffer for the verifier, until other passes fold it.
static void lowerRenew(RenewOp op) {
  OpBuilder builder(op);
  Value slot = op.getSlot();
  auto cast =
      memref::CastOp::create(builder, op.getLoc(), slot.getType(), slot);
  cast->setAttr(MemplanDialect::kRenewAttr, builder.getUnitAttr());
  op.replaceAllUsesWith(cast.getResult());
  op.erase();
}

/// Lowers to a marked load of the first element, by which the verifier knows
/// that the buffer is live at the return. `getConstant` returns an index
/// constant.
static void lowerOutput(OutputOp op,
                        llvm::function_ref<Value(int64_t)> getConstant) {
  auto type = cast<MemRefType>(op.getBuffer().getType());
  if (type.getNumElements() != 0) {
    SmallVector<Value> first(type.getRank(), Value());
    for (Value &index : first)
      index = getConstant(0);
    OpBuilder builder(op);
    auto load =
        memref::LoadOp::create(builder, op.getLoc(), op.getBuffer(), first);
    load->setAttr(MemplanDialect::kOutputAttr, op.getNumberAttr());
  }
  op.erase();
}

/// `getConstant` returns an index constant.
static void lowerView(ViewOp op,
                      llvm::function_ref<Value(int64_t)> getConstant) {
  OpBuilder builder(op);
  Value offset = getConstant(static_cast<int64_t>(op.getOffset()));
  for (auto [worker, stride] : llvm::zip(op.getWorkers(), op.getStrides())) {
    Value frame = arith::MulIOp::create(builder, op.getLoc(), worker,
                                        getConstant(stride));
    offset = arith::AddIOp::create(builder, op.getLoc(), offset, frame);
  }
  auto view = memref::ViewOp::create(builder, op.getLoc(),
                                     cast<MemRefType>(op.getResult().getType()),
                                     op.getArena(), offset, ValueRange());
  view->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  op.getResult().replaceAllUsesWith(view.getResult());
  op.erase();
}

/// Removes a copy whose source and target are the same bytes. If they are
/// different buffers, a marked copy of no elements stays: it costs nothing and
/// tells the verifier which bytes the target has taken over.
static void lowerCopy(Operation *op) {
  std::optional<PlainCopy> copy = matchPlainCopy(op);
  if (!copy || op->hasAttr(MemplanDialect::kCopiedAttr))
    return;
  auto type = cast<MemRefType>(copy->source.getType());
  if (copy->source == copy->target || llvm::is_contained(type.getShape(), 0)) {
    op->erase();
    return;
  }
  std::optional<Slice> from = findSlice(copy->source);
  std::optional<Slice> to = findSlice(copy->target);
  if (!from || !to || from->sizes != to->sizes || from->strides != to->strides)
    return;
  if (from->root == to->root) {
    if (from->begin == to->begin)
      op->erase();
    return;
  }
  auto one = from->root.getDefiningOp<ViewOp>();
  auto other = to->root.getDefiningOp<ViewOp>();
  std::optional<int64_t> bytes = from->getContiguousBytes();
  if (!bytes || !one || !other || one.getArena() != other.getArena() ||
      !llvm::equal(one.getWorkers(), other.getWorkers()) ||
      one.getStrides() != other.getStrides() ||
      static_cast<int64_t>(one.getOffset()) + from->begin !=
          static_cast<int64_t>(other.getOffset()) + to->begin)
    return;
  OpBuilder builder(op);
  auto takeNone = [&](Value memref) -> Value {
    auto type = cast<MemRefType>(memref.getType());
    int64_t zero = 0, one = 1;
    return memref::ReinterpretCastOp::create(
        builder, op->getLoc(),
        MemRefType::get({0}, type.getElementType(), MemRefLayoutAttrInterface(),
                        type.getMemorySpace()),
        memref, zero, zero, one);
  };
  auto left = memref::CopyOp::create(builder, op->getLoc(),
                                     takeNone(from->root), takeNone(to->root));
  left->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  left->setAttr(MemplanDialect::kCopiedAttr,
                builder.getDenseI64ArrayAttr({from->begin, to->begin, *bytes}));
  op->erase();
}

/// True if every use of the buffer is an access in its block that ends with its
/// op, and none frees it.
static bool staysInBlock(Value buffer) {
  return llvm::all_of(buffer.getUses(), [&](OpOperand &use) {
    Operation *op = use.getOwner();
    if (op->getBlock() != buffer.getParentBlock() || op->getNumResults() != 0 ||
        isa<memref::DmaStartOp>(op))
      return false;
    bool accesses = hasEffect<MemoryEffects::Read>(op, buffer) ||
                    hasEffect<MemoryEffects::Write>(op, buffer);
    return accesses && !hasEffect<MemoryEffects::Free>(op, buffer);
  });
}

/// True in code of a device, whose threads have a stack but no heap.
static bool hasNoHeap(Operation *op) {
  return op->getParentOfType<gpu::GPUModuleOp>() ||
         op->getParentOfType<gpu::LaunchOp>();
}

/// Turns scratch that is not planned into an allocation of its own. It is freed
/// at the end of its block if no op can keep it.
static void lowerWorkspace(WorkspaceOp op) {
  OpBuilder builder(op);
  auto type = cast<MemRefType>(op.getResult().getType());
  IntegerAttr alignment = builder.getI64IntegerAttr(op.getAlign());
  bool onStack = hasNoHeap(op);
  Operation *alloc =
      onStack ? memref::AllocaOp::create(builder, op.getLoc(), type, alignment)
                    .getOperation()
              : memref::AllocOp::create(builder, op.getLoc(), type, alignment)
                    .getOperation();
  alloc->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  Value memory = alloc->getResult(0);
  op.getResult().replaceAllUsesWith(memory);
  Block *block = op->getBlock();
  op.erase();
  if (onStack || !staysInBlock(memory) || block->empty() ||
      !block->back().hasTrait<OpTrait::IsTerminator>())
    return;
  builder.setInsertionPoint(&block->back());
  memref::DeallocOp::create(builder, memory.getLoc(), memory);
}

void memplan::lowerToMemRef(FunctionOpInterface function,
                            SymbolTableCollection &symbols) {
  if (function.isExternal())
    return;
  SmallVector<Operation *> ops, copies;
  function.getFunctionBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    // Functions of nested modules are lowered on their own.
    if (isa<FunctionOpInterface>(op))
      return WalkResult::skip();
    if (isa<ArenaOp, ReleaseOp, ViewOp, RenewOp, OutputOp, WorkspaceOp>(op))
      ops.push_back(op);
    else if (matchPlainCopy(op))
      copies.push_back(op);
    return WalkResult::advance();
  });
  if (ops.empty())
    return;
  llvm::for_each(copies, lowerCopy);

  // Each constant is created once, in the entry block.
  OpBuilder builder(function.getContext());
  ConstantMaker maker(function);
  llvm::DenseMap<int64_t, Value> constants;
  auto getConstant = [&](int64_t constant) {
    Value &value = constants[constant];
    builder.setInsertionPointToStart(&function.getFunctionBody().front());
    if (!value)
      value = maker.createIndex(builder, function.getLoc(), constant);
    return value;
  };
  for (Operation *op : ops)
    if (auto renew = dyn_cast<RenewOp>(op))
      lowerRenew(renew);
    else if (auto view = dyn_cast<ViewOp>(op))
      lowerView(view, getConstant);
    else if (auto output = dyn_cast<OutputOp>(op))
      lowerOutput(output, getConstant);
    else if (auto arena = dyn_cast<ArenaOp>(op))
      lowerArena(arena, function, symbols);
    else if (auto release = dyn_cast<ReleaseOp>(op))
      lowerRelease(release);
    else
      lowerWorkspace(cast<WorkspaceOp>(op));
}
