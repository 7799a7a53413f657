//===- PlanVerifierSlots.cpp - Arenas and the slots in them ---------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanVerifierAliases.h"
#include "PlanVerifierWorkers.h"

#include "memplan/IR/Memplan.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace memplan::planverifier {
namespace {

struct ElementLayout {
  int64_t size;
  int64_t alignment;
};

/// Large enough for every real element, small enough that no sum overflows.
constexpr int64_t kMaxElementBits = int64_t(1) << 40;

std::optional<ElementLayout> getScalarLayout(Type type,
                                             const DataLayout &layout) {
  auto align = static_cast<int64_t>(layout.getTypeABIAlignment(type));
  auto size = static_cast<int64_t>(layout.getTypeSize(type).getFixedValue());
  if (align < 1)
    return std::nullopt;
  // LLVM aligns integers wider than 64 bits to 16, which the data layout of the
  // IR does not know.
  int64_t unit =
      type.isInteger() && size > 8 ? std::max<int64_t>(align, 16) : align;
  return ElementLayout{static_cast<int64_t>(llvm::alignTo(size, unit)), align};
}

std::optional<ElementLayout> getElementLayout(Type type,
                                              const DataLayout &layout);

/// A vector is an array of rows, each padded to its alignment; one of rank 0 is
/// laid out as a row of one element.
std::optional<ElementLayout> getVectorLayout(VectorType type,
                                             const DataLayout &layout) {
  std::optional<ElementLayout> element =
      getElementLayout(type.getElementType(), layout);
  if (!element || type.isScalable())
    return std::nullopt;
  int64_t bits = element->size * 8;
  for (int64_t dim : type.getShape())
    if (llvm::MulOverflow(bits, dim, bits) || bits > kMaxElementBits)
      return std::nullopt;
  int64_t width = type.getRank() == 0 ? 1 : type.getShape().back();
  auto row = VectorType::get({width}, type.getElementType());
  std::optional<ElementLayout> result = getScalarLayout(row, layout);
  if (result)
    result->size *= type.getNumElements() / width;
  return result;
}

/// The bytes from one element to the next and their alignment; nothing for
/// types whose size the data layout cannot tell.
std::optional<ElementLayout> getElementLayout(Type type,
                                              const DataLayout &layout) {
  if (isa<IntegerType, FloatType, IndexType>(type))
    return getScalarLayout(type, layout);
  if (auto complex = dyn_cast<ComplexType>(type)) {
    if (!isa<IntegerType, FloatType, IndexType>(complex.getElementType()))
      return std::nullopt;
    return getScalarLayout(type, layout);
  }
  if (auto vector = dyn_cast<VectorType>(type))
    return getVectorLayout(vector, layout);
  if (isa<DataLayoutTypeInterface>(type) && !isa<BaseMemRefType>(type))
    return getScalarLayout(type, layout);
  return std::nullopt;
}

/// The bytes of so many elements; nothing if they overflow.
std::optional<int64_t> multiply(ArrayRef<int64_t> shape, int64_t elementSize) {
  // A dimension of no extent makes it empty whatever the others are.
  if (llvm::is_contained(shape, 0))
    return 0;
  int64_t size = elementSize;
  for (int64_t dim : shape)
    if (llvm::MulOverflow(size, dim, size))
      return std::nullopt;
  return size;
}

class SlotCollector {
public:
  SlotCollector(Model &model, CallSummaries &calls)
      : model(model), calls(calls) {}

  LogicalResult run() {
    for (BlockArgument argument : model.function.getArguments())
      collectArgument(argument);
    // Two passes: in a graph of blocks a use may stand before its definition.
    forEachOp(model, [&](const ListedOp &listed) { collectArena(listed.op); });
    forEachOp(model, [&](const ListedOp &listed) {
      for (Value operand : listed.op->getOperands())
        if (auto arena = arenas.find(operand); arena != arenas.end()) {
          collectUse(listed.op, arena->second);
          return;
        }
      if (isa<ViewOp>(listed.op))
        error(listed.op) << "is not a view of an arena, cannot be verified";
    });
    placeInFrames();
    return failure(failed);
  }

private:
  struct ArenaInfo {
    unsigned id;
    int64_t alignment;
  };

  /// An arena that the callers hand in; they allocate and release it.
  void collectArgument(BlockArgument argument) {
    auto alignment = model.function.getArgAttrOfType<IntegerAttr>(
        argument.getArgNumber(), MemplanDialect::kArenaAttr);
    if (alignment)
      addArena(model.function, argument, alignment.getInt());
  }

  void collectArena(Operation *op) {
    if (std::optional<int64_t> alignment = getArenaAlignment(op))
      addArena(op, op->getResult(0), *alignment);
  }

  void addArena(Operation *op, Value arena, int64_t alignment) {
    auto type = dyn_cast<MemRefType>(arena.getType());
    if (!type || type.getRank() != 1 || !type.hasStaticShape() ||
        !type.getElementType().isInteger(8) || !type.getLayout().isIdentity()) {
      error(op) << "has an arena of type " << arena.getType()
                << " but an arena is a static one-dimensional memref of i8";
      return;
    }
    unsigned id = addHandle(HandleKind::Arena, arena);
    model.handles[id].arena = id;
    model.handles[id].bytes = {0, type.getDimSize(0)};
    arenas[arena] = {id, alignment};
  }

  void collectUse(Operation *user, ArenaInfo arena) {
    if (isa<ReleaseOp, memref::DeallocOp>(user)) {
      Operation *definition = model.handles[arena.id].value.getDefiningOp();
      if (!definition)
        noteArena(error(user) << "releases the arena that callers hand in",
                  arena);
      else if (!isHeapArena(definition))
        noteArena(error(user) << "releases an arena that is not on the heap",
                  arena);
      return;
    }
    if (auto view = dyn_cast<ViewOp>(user)) {
      WorkerOffset constant;
      constant.constant = static_cast<int64_t>(view.getOffset());
      std::optional<WorkerOffset> offset = constant;
      for (auto [worker, stride] :
           llvm::zip(view.getWorkers(), view.getStrides()))
        if (offset)
          offset = addScaled(*offset, worker, stride);
      addView(user, view.getResult(), arena, offset,
              static_cast<int64_t>(view.getAlign()));
      return;
    }
    if (auto view = dyn_cast<memref::ViewOp>(user)) {
      addView(user, view.getResult(), arena,
              evaluateOffset(view.getByteShift()), 1);
      return;
    }
    // The view of a whole arena as bytes folds away: the arena is the buffer.
    Value whole = model.handles[arena.id].value;
    if (!whole.getDefiningOp<ArenaOp>()) {
      if (!model.wholeArenas.count(whole))
        addSlot(user, whole, arena, 0, 1);
      return;
    }
    noteArena(error(user) << "uses the arena other than by a view or a "
                             "release, cannot be verified",
              arena);
  }

  void addView(Operation *view, Value value, ArenaInfo arena,
               const std::optional<WorkerOffset> &offset, int64_t alignment) {
    if (!offset)
      noteArena(error(view)
                    << "views the arena at an offset that is neither a "
                       "constant nor linear in the variables of parallel "
                       "loops with constant bounds, cannot be verified",
                arena);
    else if (offset->terms.empty())
      addSlot(view, value, arena, offset->constant, alignment);
    else
      addWorkerView(view, value, arena, *offset, alignment);
  }

  void addWorkerView(Operation *view, Value value, ArenaInfo arena,
                     const WorkerOffset &offset, int64_t alignment) {
    std::optional<int64_t> size = measure(view, value, alignment);
    if (!size || !checkAlignment(view, offset.constant, alignment, arena))
      return;
    for (const WorkerTerm &term : offset.terms)
      if (term.coefficient % alignment != 0) {
        error(view) << "stride " << term.coefficient << " is not a multiple of "
                    << alignment << ", the alignment of the buffer";
        return;
      }
    workerViews.push_back({view, value, arena.id, offset, *size});
  }

  void placeInFrames() {
    auto place = [&](const WorkerView &view, unsigned frame) {
      int64_t begin = view.offset.constant;
      placeSlot(view.value, frame, {begin, begin + view.size});
    };
    failed |= mlir::failed(placeWorkerViews(model, workerViews, place));
  }

  /// The bytes of the buffer; raises the alignment to what it needs.
  std::optional<int64_t> measure(Operation *view, Value value,
                                 int64_t &alignment) {
    auto type = cast<MemRefType>(value.getType());
    auto layout = getElementLayout(type.getElementType(), getDataLayout(view));
    if (!layout || !type.hasStaticShape() || !type.getLayout().isIdentity()) {
      error(view) << "views the arena as " << type
                  << ", whose size in bytes is not known, cannot be verified";
      return std::nullopt;
    }
    std::optional<int64_t> known = multiply(type.getShape(), layout->size);
    if (!known) {
      error(view) << "views the arena as " << type
                  << ", whose size in bytes overflows";
      return std::nullopt;
    }
    alignment = std::max(alignment, layout->alignment);
    for (OpOperand &use : value.getUses())
      if (auto call = dyn_cast<CallOpInterface>(use.getOwner()))
        alignment = std::max(
            alignment,
            calls.getArenaAlignment(
                call, use.getOperandNumber() -
                          call.getArgOperands().getBeginOperandIndex()));
    return known;
  }

  /// `value` is the buffer at `offset`; `view` is what errors are about.
  void addSlot(Operation *view, Value value, ArenaInfo arena, int64_t offset,
               int64_t alignment) {
    std::optional<int64_t> size = measure(view, value, alignment);
    if (!size)
      return;
    int64_t arenaSize = model.handles[arena.id].bytes.end;
    if (offset < 0 || *size > arenaSize || offset > arenaSize - *size) {
      noteArena(error(view) << "takes " << *size << " bytes at offset "
                            << offset << " but the arena has " << arenaSize,
                arena);
      return;
    }
    if (checkAlignment(view, offset, alignment, arena))
      placeSlot(value, arena.id, {offset, offset + *size});
  }

  void placeSlot(Value value, unsigned arena, ByteRange bytes) {
    unsigned id = addHandle(HandleKind::Slot, value);
    auto marked = value.getDefiningOp<ViewOp>();
    model.handles[id].marked = marked && !marked.getJoined();
    model.handles[id].arena = arena;
    model.handles[id].bytes = bytes;
    model.handles[id].slots = IdSet(id);
  }

  /// The op around `op` that says what data layout is in force there, if any
  /// does. Of each op it is found once, however deep it is.
  Operation *findScope(Operation *op) {
    SmallVector<Operation *> inside;
    Operation *scope = op->getParentOp();
    for (; scope && !isa<ModuleOp, DataLayoutOpInterface>(scope);
         scope = scope->getParentOp()) {
      if (auto known = scopes.find(scope); known != scopes.end()) {
        scope = known->second;
        break;
      }
      inside.push_back(scope);
    }
    for (Operation *around : inside)
      scopes[around] = scope;
    return scope;
  }

  /// The data layout in force at `op`, which most ops share.
  const DataLayout &getDataLayout(Operation *op) {
    Operation *scope = findScope(op);
    if (!dataLayout || scope != dataLayoutScope) {
      dataLayoutScope = scope;
      dataLayout.emplace(scope ? DataLayout::closest(scope) : DataLayout());
    }
    return *dataLayout;
  }

  bool checkAlignment(Operation *view, int64_t offset, int64_t alignment,
                      ArenaInfo arena) {
    if (offset % alignment != 0) {
      error(view) << "offset " << offset << " is not a multiple of "
                  << alignment << ", the alignment of the buffer";
      return false;
    }
    if (arena.alignment % alignment != 0) {
      noteArena(error(view)
                    << "needs an alignment of " << alignment
                    << " bytes but the arena is aligned to " << arena.alignment,
                arena);
      return false;
    }
    return true;
  }

  unsigned addHandle(HandleKind kind, Value value) {
    unsigned id = model.handles.size();
    model.handles.emplace_back();
    model.handles[id].kind = kind;
    model.handles[id].value = value;
    model.handles[id].depth = getDepth(value, model);
    if (!model.placed.insert({value, id}).second)
      model.wholeArenas[value] = id;
    return id;
  }

  InFlightDiagnostic error(Operation *op) {
    failed = true;
    return op->emitError();
  }

  void noteArena(InFlightDiagnostic &&diag, ArenaInfo arena) {
    diag.attachNote(model.handles[arena.id].value.getLoc()) << "the arena";
  }

  Model &model;
  CallSummaries &calls;
  DenseMap<Value, ArenaInfo> arenas;
  std::optional<DataLayout> dataLayout;
  Operation *dataLayoutScope = nullptr;
  DenseMap<Operation *, Operation *> scopes;
  std::vector<WorkerView> workerViews;
  bool failed = false;
};

} // namespace

std::optional<int64_t> getElementBytes(Type type, Operation *scope) {
  if (auto layout = getElementLayout(type, DataLayout::closest(scope)))
    return layout->size;
  return std::nullopt;
}

std::optional<int64_t> getSizeInBytes(MemRefType type, Operation *scope) {
  std::optional<int64_t> bytes = getElementBytes(type.getElementType(), scope);
  return bytes ? multiply(type.getShape(), *bytes) : std::nullopt;
}

LogicalResult collectSlots(Model &model, CallSummaries &calls) {
  return SlotCollector(model, calls).run();
}

} // namespace memplan::planverifier
