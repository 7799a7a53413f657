//===- LowerFunction.cpp - Lower memplan ops to memref ops ----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/Copies.h"
#include "memplan/Core/Formula.h"
#include "memplan/IR/ArgumentAttributes.h"
#include "memplan/IR/Constants.h"
#include "memplan/IR/Memplan.h"
#include "memplan/IR/Observation.h"
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

/// `getConstant` returns an index constant.
using GetConstant = llvm::function_ref<Value(int64_t)>;

namespace {
/// Computes the offsets of slots.
class SlotLowering {
public:
  explicit SlotLowering(GetConstant getConstant) : getConstant(getConstant) {}

  /// Computes the offsets and ends of the slots, each before its op.
  void lower(ArrayRef<SlotOp> slots) {
    // A slot that is below another may be in a block behind it in the text.
    llvm::DenseMap<Operation *, SlotOp> previous;
    llvm::DenseMap<Block *, SlotOp> last;
    for (SlotOp op : slots)
      previous[op] = std::exchange(last[op->getBlock()], op);
    SmallVector<SlotOp> pending(llvm::reverse(slots));
    while (!pending.empty()) {
      SlotOp op = pending.back();
      bool isReady = true;
      auto require = [&](SlotOp other) {
        if (other && !ends.contains(other)) {
          pending.push_back(other);
          isReady = false;
        }
      };
      for (Value below : op.getAbove())
        require(below.getDefiningOp<SlotOp>());
      // Within a block the computed sizes are those of the first slots.
      require(previous.lookup(op));
      if (!isReady)
        continue;
      pending.pop_back();
      if (!ends.contains(op))
        lower(op);
    }
  }

  /// The greatest end of slots of an arena, or the least size.
  Value getSize(OpBuilder &builder, ArenaOp op) {
    return get(findGreatest(builder, op.getLoc(),
                            static_cast<int64_t>(op.getLeast()),
                            op.getSlots()));
  }

  Value getOffset(Value slot) { return get(offsets.lookup(slot)); }
  bool isAtZero(Value slot) { return offsets.lookup(slot).getConstant() == 0; }

private:
  void lower(SlotOp op) {
    OpBuilder builder(op);
    Number start =
        findGreatest(builder, op.getLoc(), static_cast<int64_t>(op.getLeast()),
                     op.getAbove());
    Number offset =
        align(builder, op.getLoc(), start, static_cast<int64_t>(op.getAlign()));
    offsets[op] = offset;
    ends[op] = add(builder, op.getLoc(), offset, clamp(builder, op));
  }

  /// A value, or a constant that has no value yet.
  struct Number {
    Value value;
    /// A sum of products, if no size is larger than SlotOp::kMostBytes: an
    /// arena of such a size cannot be allocated anyway. A maximum, and what is
    /// rounded up, is a symbol of its own.
    MaybeFormula formula;
    /// A power of two that divides it.
    int64_t multiple = 1;

    std::optional<int64_t> getConstant() const {
      return formula ? formula->getConstant() : std::nullopt;
    }
  };

  static Number makeNumber(Value value, const MaybeFormula &formula,
                           int64_t multiple = 1) {
    int64_t divisor = formula ? getKnownDivisor(*formula, {}) : 1;
    if (formula && formula->getConstant() == 0)
      divisor = kMaxMultiple;
    return {value, formula,
            std::max(multiple, std::min(kMaxMultiple, divisor & -divisor))};
  }
  static Number makeConstant(int64_t constant) {
    return makeNumber(nullptr, Formula(constant));
  }
  Value get(const Number &number) {
    return number.value ? number.value : getConstant(*number.getConstant());
  }

  /// The most products inside each other that are taken apart. Sizes have one
  /// for each extent, but squares of squares 2^n factors.
  static constexpr unsigned kMostDepth = 10;

  /// The formula of an index value over values that are not taken apart, and
  /// that count as not negative: a size that is negative counts as 0, as does
  /// each positive multiple of it.
  MaybeFormula findFormula(Value value, unsigned depth = 0) {
    if (std::optional<int64_t> constant = getConstantNumber(value);
        constant && *constant >= 0)
      return Formula(*constant);
    auto mul = value.getDefiningOp<arith::MulIOp>();
    if (mul && depth != kMostDepth &&
        getConstantNumber(mul.getLhs()).value_or(0) >= 0 &&
        getConstantNumber(mul.getRhs()).value_or(0) >= 0)
      return multiply(findFormula(mul.getLhs(), depth + 1),
                      findFormula(mul.getRhs(), depth + 1));
    return getSymbol(value);
  }

  Formula getSymbol(Value value) {
    auto name = names.try_emplace(value, names.size()).first->second;
    return Formula::symbol("v" + std::to_string(name));
  }

  /// True if the value is known not to be negative, unless a product wraps.
  static bool isNotNegative(Value value, unsigned depth = 0) {
    if (std::optional<int64_t> constant = getConstantNumber(value))
      return *constant >= 0;
    auto mul = value.getDefiningOp<arith::MulIOp>();
    return value.getDefiningOp<memref::DimOp>() ||
           (mul && depth != kMostDepth &&
            isNotNegative(mul.getLhs(), depth + 1) &&
            isNotNegative(mul.getRhs(), depth + 1));
  }

  /// The size of the slot, between 0 and SlotOp::kMostBytes. The size of a
  /// conditional allocation may be negative where control does not reach it. No
  /// sum of up to 2^14 sizes wraps.
  Number clamp(OpBuilder &builder, SlotOp op) {
    Location loc = op.getLoc();
    if (std::optional<int64_t> size = getConstantNumber(op.getSize()))
      return makeConstant(
          std::clamp<int64_t>(*size, 0, int64_t(SlotOp::kMostBytes)));
    std::pair<Block *, Value> key{op->getBlock(), op.getSize()};
    if (auto known = sizes.find(key); known != sizes.end())
      return known->second;
    Value size = op.getSize();
    if (!isNotNegative(size))
      size = arith::MaxSIOp::create(builder, loc, size, getConstant(0));
    size = arith::MinUIOp::create(builder, loc, size,
                                  getConstant(SlotOp::kMostBytes));
    return sizes[key] = makeNumber(size, findFormula(op.getSize()));
  }

  Number add(OpBuilder &builder, Location loc, const Number &a,
             const Number &b) {
    MaybeFormula sum = memplan::add(a.formula, b.formula);
    if (sum && sum->getConstant())
      return makeNumber(nullptr, sum);
    if (a.getConstant() == 0)
      return b;
    if (b.getConstant() == 0)
      return a;
    return makeNumber(arith::AddIOp::create(builder, loc, get(a), get(b)), sum,
                      std::min(a.multiple, b.multiple));
  }

  /// True if no coefficient of `a` is greater than that of `b`. The check of
  /// lowered programs applies the same rule; it would not find a better one.
  static bool isPlainlyNotGreater(const Number &a, const Number &b) {
    MaybeFormula difference = subtract(b.formula, a.formula);
    return difference &&
           llvm::all_of(difference->terms(), [](const Formula::Term &term) {
             return term.coefficient > 0;
           });
  }

  /// The greatest end of the slots, or the constant. An end that is plainly not
  /// greater than another is left out.
  Number findGreatest(OpBuilder &builder, Location loc, int64_t least,
                      ValueRange slots) {
    SmallVector<Number> greatest{makeConstant(least)};
    for (Value slot : slots) {
      const Number &end = ends.find(slot)->second;
      if (llvm::any_of(greatest, [&](const Number &other) {
            return isPlainlyNotGreater(end, other);
          }))
        continue;
      llvm::erase_if(greatest, [&](const Number &other) {
        return isPlainlyNotGreater(other, end);
      });
      greatest.push_back(end);
    }
    Number result = greatest.front();
    for (const Number &other : ArrayRef(greatest).drop_front()) {
      Value max = arith::MaxUIOp::create(builder, loc, get(result), get(other));
      result = makeNumber(max, getSymbol(max),
                          std::min(result.multiple, other.multiple));
    }
    return result;
  }

  Number align(OpBuilder &builder, Location loc, const Number &a,
               int64_t alignment) {
    if (a.getConstant())
      if (MaybeFormula up = alignUp(a.formula, alignment))
        return makeNumber(nullptr, up);
    if (a.multiple >= alignment)
      return a;
    Value behind =
        arith::AddIOp::create(builder, loc, get(a), getConstant(alignment - 1));
    Value up =
        arith::AndIOp::create(builder, loc, behind, getConstant(-alignment));
    return makeNumber(up, getSymbol(up), alignment);
  }

  static constexpr int64_t kMaxMultiple = int64_t(1) << 40;
  GetConstant getConstant;
  llvm::DenseMap<Value, Number> offsets, ends;
  /// By block and size of a slot, the number that it counts as, in that block.
  llvm::DenseMap<std::pair<Block *, Value>, Number> sizes;
  llvm::DenseMap<Value, unsigned> names;
};
} // namespace

/// States the order of the slots of an arena as an attribute, which it returns,
/// and as attributes of its views. Null if it has none. `position` numbers the
/// slots of the function in the order of the text.
static ArrayAttr
annotateSlots(Value arena,
              const llvm::DenseMap<Operation *, unsigned> &position) {
  llvm::DenseMap<Value, int64_t> numbers;
  Builder builder(arena.getContext());
  SmallVector<Attribute> described;
  SmallVector<ViewOp> views;
  SmallVector<Value> pending;
  if (auto op = arena.getDefiningOp<ArenaOp>())
    pending = op.getSlots();
  for (Operation *user : arena.getUsers())
    if (auto view = dyn_cast<ViewOp>(user); view && view.getSlot())
      views.push_back(view);
  if (isa<BlockArgument>(arena)) {
    // The users of a value are in no order that means something.
    llvm::sort(views, [&](ViewOp a, ViewOp b) {
      return position.lookup(a.getSlot().getDefiningOp()) >
             position.lookup(b.getSlot().getDefiningOp());
    });
    for (ViewOp view : views)
      pending.push_back(view.getSlot());
  }
  while (!pending.empty()) {
    auto slot = pending.back().getDefiningOp<SlotOp>();
    bool isReady = true;
    for (Value below : slot.getAbove())
      if (!numbers.contains(below))
        pending.push_back(below), isReady = false;
    if (!isReady)
      continue;
    pending.pop_back();
    if (!numbers.try_emplace(slot, described.size()).second)
      continue;
    SmallVector<int64_t> entry{static_cast<int64_t>(slot.getLeast())};
    for (Value below : slot.getAbove())
      entry.push_back(numbers.lookup(below));
    described.push_back(builder.getDenseI64ArrayAttr(entry));
  }
  for (ViewOp view : views)
    view->setAttr(
        MemplanDialect::kSlotAttr,
        builder.getDenseI64ArrayAttr({numbers.lookup(view.getSlot()),
                                      static_cast<int64_t>(view.getOffset())}));
  return described.empty() ? ArrayAttr() : builder.getArrayAttr(described);
}

static Operation *createLowered(ArenaOp op, FunctionOpInterface function,
                                SymbolTableCollection &symbols,
                                SlotLowering &slots) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  MemRefType type = op.getArena().getType();
  IntegerAttr alignment = builder.getI64IntegerAttr(op.getAlign());
  SmallVector<Value> size;
  if (!op.getSlots().empty())
    size.push_back(slots.getSize(builder, op));
  switch (op.getMemory()) {
  case ArenaMemory::Heap: {
    auto alloc = memref::AllocOp::create(builder, loc, type, size, alignment);
    if (op.isReleased())
      markManual(alloc);
    return alloc;
  }
  case ArenaMemory::Returned: {
    auto alloc = memref::AllocOp::create(builder, loc, type, alignment);
    alloc->setAttr(MemplanDialect::kReturnedAttr, builder.getUnitAttr());
    return alloc;
  }
  case ArenaMemory::Stack:
    return memref::AllocaOp::create(builder, loc, type, size, alignment);
  case ArenaMemory::Global: {
    memref::GlobalOp global = createGlobal(op, function, symbols);
    return memref::GetGlobalOp::create(builder, loc, type, global.getSymName());
  }
  }
  llvm_unreachable("an arena is somewhere");
}

static void lowerArena(ArenaOp op, FunctionOpInterface function,
                       SymbolTableCollection &symbols, SlotLowering &slots) {
  Operation *lowered = createLowered(op, function, symbols, slots);
  lowered->setAttr(MemplanDialect::kArenaAttr, UnitAttr::get(op.getContext()));
  if (Attribute described = op->getAttr(MemplanDialect::kSlotsAttr))
    lowered->setAttr(MemplanDialect::kSlotsAttr, described);
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
static void lowerOutput(OutputOp op, GetConstant getConstant) {
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

static void lowerView(ViewOp op, GetConstant getConstant, SlotLowering &slots) {
  OpBuilder builder(op);
  Value offset;
  if (!op.getSlot() || op.getOffset() != 0 || slots.isAtZero(op.getSlot()))
    offset = getConstant(static_cast<int64_t>(op.getOffset()));
  if (op.getSlot() && !slots.isAtZero(op.getSlot())) {
    Value start = slots.getOffset(op.getSlot());
    offset = offset ? arith::AddIOp::create(builder, op.getLoc(), start, offset)
                          .getResult()
                    : start;
  }
  for (auto [worker, stride] : llvm::zip(op.getWorkers(), op.getStrides())) {
    Value frame = arith::MulIOp::create(builder, op.getLoc(), worker,
                                        getConstant(stride));
    offset = arith::AddIOp::create(builder, op.getLoc(), offset, frame);
  }
  auto view = memref::ViewOp::create(builder, op.getLoc(),
                                     cast<MemRefType>(op.getResult().getType()),
                                     op.getArena(), offset, op.getSizes());
  view->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  op.getResult().replaceAllUsesWith(view.getResult());
  op.erase();
}

/// Removes a copy whose source and target are the same bytes of one buffer.
static void lowerCopy(Operation *op) {
  std::optional<PlainCopy> copy = matchPlainCopy(op);
  if (!copy)
    return;
  auto type = cast<MemRefType>(copy->source.getType());
  if (copy->source == copy->target || llvm::is_contained(type.getShape(), 0)) {
    op->erase();
    return;
  }
  std::optional<Slice> from = findSlice(copy->source);
  std::optional<Slice> to = findSlice(copy->target);
  if (from && to && from->root == to->root && from->begin == to->begin &&
      from->sizes == to->sizes && from->strides == to->strides)
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
  removeObservation(function);
  SmallVector<Operation *> ops, copies;
  function.getFunctionBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    // Functions of nested modules are lowered on their own.
    if (isa<FunctionOpInterface>(op))
      return WalkResult::skip();
    if (isa<ArenaOp, SlotOp, ReleaseOp, ViewOp, RenewOp, OutputOp, WorkspaceOp>(
            op))
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
  SlotLowering slots(getConstant);
  SmallVector<SlotOp> lowered;
  llvm::DenseMap<Operation *, unsigned> position;
  for (Operation *op : ops)
    if (auto slot = dyn_cast<SlotOp>(op)) {
      position[slot] = lowered.size();
      lowered.push_back(slot);
    }
  slots.lower(lowered);
  for (Operation *op : ops)
    if (auto arena = dyn_cast<ArenaOp>(op))
      if (ArrayAttr described = annotateSlots(arena, position))
        arena->setAttr(MemplanDialect::kSlotsAttr, described);
  for (BlockArgument argument : function.getArguments())
    if (getArgumentAttr(argument, MemplanDialect::kArenaAttr))
      if (ArrayAttr described = annotateSlots(argument, position))
        function.setArgAttr(argument.getArgNumber(), MemplanDialect::kSlotsAttr,
                            described);
  for (Operation *op : ops)
    if (isa<SlotOp>(op))
      continue;
    else if (auto renew = dyn_cast<RenewOp>(op))
      lowerRenew(renew);
    else if (auto view = dyn_cast<ViewOp>(op))
      lowerView(view, getConstant, slots);
    else if (auto output = dyn_cast<OutputOp>(op))
      lowerOutput(output, getConstant);
    else if (auto arena = dyn_cast<ArenaOp>(op))
      lowerArena(arena, function, symbols, slots);
    else if (auto release = dyn_cast<ReleaseOp>(op))
      lowerRelease(release);
    else
      lowerWorkspace(cast<WorkspaceOp>(op));
  // Other ops use an offset as a number (`@f.arena_bytes`).
  for (SlotOp slot : llvm::reverse(lowered)) {
    if (!slot->use_empty())
      slot.getOffset().replaceAllUsesWith(slots.getOffset(slot));
    slot.erase();
  }
}
