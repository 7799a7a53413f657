//===- FunctionGraph.cpp - From functions to op graphs --------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/OpGraph/FunctionGraph.h"

#include "Programs/OpEffects.h"
#include "Programs/TensorViews.h"
#include "memplan/Analysis/Describe.h"
#include "memplan/Analysis/InPlace.h"
#include "memplan/Graph/Check.h"
#include "memplan/Graph/Profile.h"
#include "memplan/IR/ArgumentAttributes.h"
#include "memplan/IR/GraphAttributes.h"
#include "memplan/IR/Memplan.h"
#include "memplan/IR/Views.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace memplan;
using graph::OpId;
using graph::StorageId;
using graph::StorageKind;
using graph::ValueId;

static bool isBuffer(Value value) {
  return isa<BaseMemRefType>(value.getType());
}

static bool isTensor(Value value) { return isa<TensorType>(value.getType()); }

//===----------------------------------------------------------------------===//
// Glue
//===----------------------------------------------------------------------===//

static bool isConstant(Operation *op) {
  return op->hasTrait<OpTrait::ConstantLike>() || isa<memref::GetGlobalOp>(op);
}

/// True for a tensor.empty that is only used as a destination: each op that
/// writes to it makes a new result.
static bool isUnwritten(Value value) {
  auto empty = value.getDefiningOp<tensor::EmptyOp>();
  return empty && llvm::all_of(empty->getUses(), [](OpOperand &use) {
           auto destination =
               dyn_cast<DestinationStyleOpInterface>(use.getOwner());
           return destination && destination.isDpsInit(&use);
         });
}

bool memplan::isGlue(Operation *op) {
  if (isConstant(op))
    return true;
  if (isa<tensor::EmptyOp>(op))
    return isUnwritten(op->getResult(0));
  if (isa<memref::AllocOp, memref::AllocaOp, memref::DeallocOp, WorkspaceOp>(
          op))
    return true;
  if (op->getNumResults() == 0 || !llvm::all_of(op->getResults(), isBuffer))
    return false;
  // A reshape reads its shape, so it is an op of the graph.
  return getViewSource(op) &&
         !isa<bufferization::ToBufferOp, memref::ReshapeOp>(op);
}

//===----------------------------------------------------------------------===//
// The graph of a block
//===----------------------------------------------------------------------===//

namespace {
/// Finds the ops that the next op must come after, by its effects on memory.
class EffectOrder {
public:
  /// Memory that may alias: the storage of one allocation, or kArguments.
  using Class = int64_t;
  /// All memory that may be reached through arguments.
  static constexpr Class kArguments = -1;

  void access(Class memory, bool writes, std::vector<OpId> &after) {
    State &state = states[memory];
    if (state.writer)
      after.push_back(*state.writer);
    if (writes)
      after.insert(after.end(), state.readers.begin(), state.readers.end());
    pending.push_back({memory, writes});
  }

  /// Ends the accesses of op `id`, and completes the ops that it comes after.
  void finish(OpId id, bool isBarrier, bool hasEffects, bool isSpeculatable,
              std::vector<OpId> &after) {
    for (auto [memory, writes] : pending) {
      State &state = states[memory];
      if (writes) {
        state.writer = id;
        state.readers.clear();
      } else {
        state.readers.push_back(id);
      }
    }
    pending.clear();
    if (isBarrier)
      after.insert(after.end(), sinceBarrier.begin(), sinceBarrier.end());
    if (barrier && (hasEffects || !isSpeculatable))
      after.push_back(*barrier);
    if (isBarrier) {
      barrier = id;
      sinceBarrier.clear();
    } else if (hasEffects) {
      sinceBarrier.push_back(id);
    }
    llvm::sort(after);
    after.erase(std::unique(after.begin(), after.end()), after.end());
    llvm::erase(after, id);
  }

private:
  struct State {
    std::optional<OpId> writer;
    llvm::SmallVector<OpId, 2> readers;
  };
  llvm::DenseMap<Class, State> states;
  llvm::SmallVector<std::pair<Class, bool>> pending;
  std::optional<OpId> barrier;
  std::vector<OpId> sinceBarrier;
};
} // namespace

class FunctionGraphBuilder::Impl {
public:
  Impl(Operation *module, CostModel &costs) : module(module), costs(costs) {}

  FailureOr<FunctionGraph> build(FunctionOpInterface function);

private:
  friend class BlockGraph;
  const AliasGraph *getAliases(FunctionOpInterface function);
  void findFreshResults(FunctionOpInterface function);
  bool isFresh(Value value);
  bool isConstantGlobal(Operation *op);
  SymbolicBytes getPeak(FunctionOpInterface function, Region &region,
                        bool isIterated);
  SymbolicBytes getPeakInside(FunctionOpInterface function, Operation *op);
  SymbolicBytes getCalleePeak(CallOpInterface call);

  Operation *module;
  bool isUnwritten(Value value);

  CostModel &costs;
  EffectAnalysis effects;
  std::unique_ptr<ModuleAliases> aliases;
  SymbolTableCollection symbols;
  /// By function, the results that are fresh memory if they are no argument:
  /// allocated by the function and reached by nothing else.
  llvm::DenseMap<Operation *, llvm::BitVector> freshResults;
  /// Results of ::isUnwritten, as empty tensors may have many uses.
  llvm::DenseMap<Value, bool> unwritten;
  /// The peaks of callees, by function and by the scope of its sizes.
  llvm::DenseMap<std::pair<Operation *, unsigned>, SymbolicBytes> calleePeaks;
  /// Callees that are being computed: a recursion counts once.
  llvm::DenseSet<Operation *> activeCallees;
};

/// Builds the graph of one block.
class memplan::BlockGraph {
public:
  BlockGraph(FunctionGraphBuilder::Impl &builder, FunctionOpInterface function,
             Block &block, FunctionGraph &out)
      : builder(builder), function(function), block(block), out(out),
        graph(out.graph) {}

  void build();

private:
  StorageId addStorage(Value value, int64_t bytes, Type type);
  ValueId addValue(Value value, StorageId storage, int64_t offset,
                   int64_t bytes);
  ValueId addWhole(Value value);
  void addInput(Value value);
  ValueId getOutside(Value value);
  std::optional<ValueId> getOperand(Value value, bool isNeeded = false);
  SmallVector<Value> getRoots(Value memory);
  bool isInside(Value value) const { return value.getParentBlock() == &block; }

  void addOp(Operation *op);
  void addOperands(Operation *op);
  void addGlueOperands(Value glue);
  EffectOrder::Class getClass(StorageId storage, bool writes) const;
  void addAccesses(Operation *op, OpEffects &effects);
  void addResults(Operation *op);
  void addFree(memref::DeallocOp dealloc);
  void addTies(Operation *op, OpResult result, unsigned index);
  void addTie(OpOperand &operand, unsigned index);
  void addOperandId(ValueId id);
  void addReserve(int64_t bytes);
  void addOutputs(Operation *terminator);
  void describe(Operation *op, const OpEffects &effects);
  SymbolicBytes getScratchInside(Operation *op);

  FunctionGraphBuilder::Impl &builder;
  FunctionOpInterface function;
  Block &block;
  FunctionGraph &out;
  graph::OpGraph &graph;
  EffectOrder order;
  const AliasGraph *aliases = nullptr;
  llvm::DenseMap<Operation *, OpId> opIds;
  /// Storages that may be memory of the arguments.
  llvm::DenseSet<StorageId> shared;
  /// By the storage of a tensor that views a buffer, the classes of that
  /// buffer, which uses of the tensor read.
  llvm::DenseMap<StorageId, SmallVector<EffectOrder::Class, 2>> memoryOf;
  /// The op that is being built.
  graph::Op node;
  SmallVector<EffectOrder::Class, 2> accessed;
  bool readsTensorMemory = false;
  llvm::DenseMap<ValueId, unsigned> operandIndex;
  /// The reserve that is kept beside each value.
  llvm::DenseMap<ValueId, ValueId> reserves;
  /// Tensors whose elements are not contiguous.
  llvm::DenseSet<Value> strided;
  /// The storages of tensors that an op overwrites (bufferizesToWrite).
  llvm::DenseSet<StorageId> overwritten;
};

StorageId BlockGraph::addStorage(Value value, int64_t bytes, Type type) {
  graph::Storage storage;
  storage.id = "s" + std::to_string(graph.storages.size());
  storage.bytes = bytes;
  if (auto memref = dyn_cast_or_null<BaseMemRefType>(type))
    storage.space = formatSpace(memref.getMemorySpace());
  SymbolicBytes size{bytes};
  if (value) {
    if (isTensor(value) || isBuffer(value))
      size = builder.costs.sizes().getSymbolicBytes(value);
    storage.formula = builder.costs.sizes().printFormula(size);
    if (auto alloc = value.getDefiningOp<memref::AllocOp>())
      storage.alignment = alloc.getAlignment().value_or(1);
  }
  graph.storages.push_back(std::move(storage));
  out.sizes.storages.push_back(size);
  return graph.storages.size() - 1;
}

ValueId BlockGraph::addValue(Value value, StorageId storage, int64_t offset,
                             int64_t bytes) {
  ValueId id = graph.values.size();
  graph.values.push_back({"v" + std::to_string(id), storage, offset, bytes});
  out.values.push_back(value);
  if (value)
    out.ids[value] = id;
  return id;
}

/// A tensor or memref has the bytes of its elements, any other value none.
ValueId BlockGraph::addWhole(Value value) {
  int64_t bytes =
      isTensor(value) || isBuffer(value) ? builder.costs.getBytes(value) : 0;
  StorageId storage = addStorage(value, bytes, value.getType());
  return addValue(value, storage, 0, bytes);
}

void BlockGraph::addInput(Value value) {
  ValueId id = addWhole(value);
  graph::Input input;
  input.value = id;
  auto argument = dyn_cast<BlockArgument>(value);
  if (argument && argument.getOwner()->getParentOp() == function) {
    if (auto role = getArgumentAttr<StringAttr>(argument, kRoleAttr))
      input.role = *graph::parseName<graph::InputRole>(role.getValue());
    input.isStatic = bool(getArgumentAttr(argument, kStaticAttr));
    input.isDonated = bool(getArgumentAttr(argument, kDonatedAttr));
  }
  graph.storages[graph.values[id].storage].kind =
      input.isStatic ? StorageKind::Parameter : StorageKind::Input;
  graph.inputs.push_back(input);
}

/// The id of a value that is defined outside of the block.
ValueId BlockGraph::getOutside(Value value) {
  auto it = out.ids.find(value);
  if (it != out.ids.end())
    return it->second;
  Operation *op = value.getDefiningOp();
  if (op && isConstant(op)) {
    ValueId id = addWhole(value);
    StorageId storage = graph.values[id].storage;
    graph.storages[storage].kind = StorageKind::Constant;
    if (isBuffer(value) && !builder.isConstantGlobal(op))
      shared.insert(storage);
    return id;
  }
  addInput(value);
  return graph.inputs.back().value;
}

/// The id of a tensor or scalar that an op of the block uses; std::nullopt if
/// the graph has no value for it, unless `isNeeded`.
std::optional<ValueId> BlockGraph::getOperand(Value value, bool isNeeded) {
  auto it = out.ids.find(value);
  if (it != out.ids.end())
    return it->second;
  Operation *op = value.getDefiningOp();
  if (!isNeeded && op &&
      (builder.isUnwritten(value) || (isConstant(op) && !isTensor(value))))
    return std::nullopt;
  return getOutside(value);
}

/// The allocations, arguments and globals that a memref may be.
SmallVector<Value> BlockGraph::getRoots(Value memory) {
  if (!aliases)
    aliases = builder.getAliases(function);
  SmallVector<Value> roots;
  for (AliasGraph::Id id : aliases->getSources(aliases->getId(memory)))
    roots.push_back(aliases->getValue(id));
  return roots;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

void BlockGraph::addOperandId(ValueId id) {
  auto [it, isNew] = operandIndex.try_emplace(id, node.operands.size());
  if (!isNew)
    return;
  node.operands.push_back(id);
  auto reserve = reserves.find(id);
  if (reserve != reserves.end())
    addOperandId(reserve->second);
}

/// Adds the sizes and offsets that glue uses as operands of the op that uses
/// the glue, and orders that op behind the ops that made the glue's memrefs.
void BlockGraph::addGlueOperands(Value glue) {
  llvm::SmallVector<Value> worklist = {glue};
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    Operation *op = value.getDefiningOp();
    bool isGone = isa_and_nonnull<tensor::EmptyOp>(op)
                      ? builder.isUnwritten(value) // asked often
                      : op && isGlue(op);
    if (!op || op->getBlock() != &block)
      continue;
    if (!isGone) {
      node.after.push_back(opIds.lookup(op));
      continue;
    }
    for (Value operand : op->getOperands()) {
      if (isBuffer(operand))
        worklist.push_back(operand);
      else if (std::optional<ValueId> id = getOperand(operand))
        addOperandId(*id);
    }
  }
}

/// True if the op may write the memory of the tensor after bufferization, which
/// cannot give it a copy: a tensor without a rank has no known size. Of a
/// callee without a body bufferization assumes that it writes its arguments.
static bool bufferizesToWrite(Operation *op, Value tensor) {
  return isa<UnrankedTensorType>(tensor.getType()) && isa<CallOpInterface>(op);
}

void BlockGraph::addOperands(Operation *op) {
  auto add = [&](Value value) {
    if (isBuffer(value) || builder.isUnwritten(value))
      return addGlueOperands(value);
    std::optional<ValueId> id = getOperand(value);
    if (!id)
      return;
    addOperandId(*id);
    StorageId storage = graph.values[*id].storage;
    if (isTensor(value)) {
      bool mayWrite = bufferizesToWrite(op, value);
      order.access(storage, mayWrite, node.after);
      if (mayWrite)
        overwritten.insert(storage);
    }
    auto memory = memoryOf.find(storage);
    if (memory == memoryOf.end())
      return;
    readsTensorMemory = true;
    for (EffectOrder::Class read : memory->second)
      order.access(read, false, node.after);
  };
  for (Value operand : op->getOperands())
    add(operand);
  if (op->getNumRegions() == 0)
    return;
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : captured)
    add(value);
}

/// False for a root whose memory the alias graph does not know, such as a
/// memref that was loaded from memory.
static bool isKnownMemory(Value root) {
  Operation *op = root.getDefiningOp();
  return !op || isConstant(op) ||
         hasEffect<MemoryEffects::Allocate>(op, root) ||
         isa<memref::GetGlobalOp, bufferization::ToBufferOp, WorkspaceOp,
             CallOpInterface>(op);
}

EffectOrder::Class BlockGraph::getClass(StorageId storage, bool writes) const {
  StorageKind kind = graph.storages[storage].kind;
  bool isOwn = kind == StorageKind::Temporary ||
               (kind == StorageKind::Constant && !writes);
  return isOwn && !shared.contains(storage) ? EffectOrder::Class(storage)
                                            : EffectOrder::kArguments;
}

void BlockGraph::addAccesses(Operation *op, OpEffects &effects) {
  for (const MemoryAccess &access : effects.accesses)
    for (Value root : getRoots(access.memory)) {
      effects.isBarrier |= !isKnownMemory(root);
      Operation *definition = root.getDefiningOp();
      // Memory that is allocated inside of the op is not seen outside.
      if (definition && definition != op && op->isProperAncestor(definition))
        continue;
      bool isAllocated =
          isInside(root) && definition &&
          isa<memref::AllocOp, memref::AllocaOp, WorkspaceOp>(definition);
      auto it = out.ids.find(root);
      if (it == out.ids.end() && isAllocated) {
        ValueId id = addWhole(root);
        node.results.push_back(id);
        accessed.push_back(graph.values[id].storage);
        order.access(accessed.back(), true, node.after);
        continue;
      }
      ValueId id;
      if (auto toBuffer = root.getDefiningOp<bufferization::ToBufferOp>();
          toBuffer && it == out.ids.end())
        id = *getOperand(toBuffer.getTensor(), true);
      else
        id = it == out.ids.end() ? getOutside(root) : it->second;
      // A result of the op itself is no operand.
      if (!llvm::is_contained(node.results, id))
        addOperandId(id);
      accessed.push_back(getClass(graph.values[id].storage, access.writes));
      order.access(accessed.back(), access.writes, node.after);
    }
}

void BlockGraph::addTies(Operation *op, OpResult result, unsigned index) {
  OpOperand *operand = nullptr;
  if (auto destination = dyn_cast<DestinationStyleOpInterface>(op))
    operand = destination.getTiedOpOperand(result);
  else if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
    operand = loop.getTiedLoopInit(result);
  if (operand)
    addTie(*operand, index);
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    for (OpOperand *input : structured.getDpsInputOperands())
      if (mayWriteOver(structured, *input))
        addTie(*input, index);
}

void BlockGraph::addTie(OpOperand &operand, unsigned index) {
  auto id = out.ids.find(operand.get());
  if (id == out.ids.end())
    return;
  auto it = operandIndex.find(id->second);
  if (it == operandIndex.end() ||
      graph.values[id->second].bytes != graph.values[node.results[index]].bytes)
    return;
  node.ties.push_back({index, it->second});
}

void BlockGraph::addResults(Operation *op) {
  for (OpResult result : op->getResults()) {
    if (isBuffer(result)) {
      // A memref result is memory that the op or its regions allocate; memory
      // that the op forwards has an id already.
      for (Value root : getRoots(result)) {
        Operation *definition = root.getDefiningOp();
        if (!definition || out.ids.contains(root) ||
            !(definition == op || op->isProperAncestor(definition)) ||
            isa<bufferization::ToBufferOp>(definition))
          continue;
        ValueId id = addWhole(root);
        if (isa<CallOpInterface>(definition) && !builder.isFresh(root))
          shared.insert(graph.values[id].storage);
        node.results.push_back(id);
      }
      continue;
    }
    unsigned index = node.results.size();
    std::optional<TensorView> view = getTensorView(result, strided);
    std::optional<ValueId> source;
    if (view)
      source = isBuffer(view->source) ? std::nullopt
                                      : getOperand(view->source, true);
    if (source) {
      const graph::Value from = graph.values[*source];
      int64_t bytes = builder.costs.getBytes(result);
      int64_t most = graph.storages[from.storage].bytes;
      bytes = std::min(bytes, most);
      int64_t offset = saturatingAdd(
          from.offset,
          saturatingMul(view->offset, builder.costs.getElementBytes(
                                          getElementTypeOrSelf(result))));
      node.results.push_back(addValue(result, from.storage,
                                      std::min(offset, most - bytes), bytes));
      continue;
    }
    if (view && isBuffer(view->source)) {
      // A tensor that views a buffer.
      SmallVector<Value> roots = getRoots(view->source);
      if (roots.size() == 1 && out.ids.contains(roots.front())) {
        ValueId root = out.ids.lookup(roots.front());
        const graph::Value from = graph.values[root];
        int64_t bytes = std::min(builder.costs.getBytes(result), from.bytes);
        node.results.push_back(addValue(result, from.storage, 0, bytes));
      } else {
        node.results.push_back(addWhole(result));
      }
      memoryOf[graph.values[node.results.back()].storage] = accessed;
      continue;
    }
    node.results.push_back(addWhole(result));
    if (isTensor(result))
      addTies(op, result, index);
  }
}

void BlockGraph::addReserve(int64_t bytes) {
  StorageId storage = addStorage(Value(), bytes, Type());
  ValueId reserve = addValue(Value(), storage, 0, bytes);
  for (ValueId result : node.results)
    reserves[result] = reserve;
  node.results.push_back(reserve);
}

void BlockGraph::describe(Operation *op, const OpEffects &effects) {
  OpCost cost = builder.costs.getCost(op);
  node.id = "o" + std::to_string(graph.ops.size());
  node.name = op->getName().getStringRef().str();
  if (StringRef kind = builder.costs.getKind(op); kind != node.name)
    node.name += " " + kind.str();
  node.flops = cost.getFlops();
  node.bytesRead = cost.getBytesRead();
  node.bytesWritten = cost.getBytesWritten();
  SymbolicBytes scratch =
      builder.costs.sizes().getSum({{cost.scratchBytes}, getScratchInside(op)});
  out.sizes.scratch.push_back(scratch);
  node.scratchBytes = scratch.bytes;
  node.scratchFormula = builder.costs.sizes().printFormula(scratch);
  node.cost = cost.costClass;
  node.pure = effects.isPure();
  node.speculatable = effects.isSpeculatable;
  if (auto random = op->getAttrOfType<StringAttr>(kRandomAttr))
    node.randomness = *graph::parseName<graph::Randomness>(random.getValue());
  if (auto tag = op->getAttrOfType<StringAttr>(kRecomputeAttr))
    node.tag = *graph::parseName<graph::RecomputeTag>(tag.getValue());
  node.location = formatLocation(op->getLoc());
  if (auto name = op->getLoc()->findInstanceOf<NameLoc>())
    node.scope = name.getName().getValue().str();
  if (cost.reserveBytes != 0)
    addReserve(cost.reserveBytes);
}

/// The peak of the live bytes inside of an op, beyond its results. A branch
/// makes its results; a loop gets the first ones as operands.
SymbolicBytes BlockGraph::getScratchInside(Operation *op) {
  SymbolicBytes peak = builder.getPeakInside(function, op);
  if (peak.bytes == 0 || isa<LoopLikeOpInterface>(op))
    return peak;
  SmallVector<SymbolicBytes> made;
  for (ValueId result : node.results) {
    const graph::Value &value = graph.values[result];
    if (value.bytes == graph.storages[value.storage].bytes)
      made.push_back(out.sizes.storages[value.storage]);
  }
  SizeModel &sizes = builder.costs.sizes();
  return sizes.getDifference(peak, sizes.getSum(made));
}

void BlockGraph::addOp(Operation *op) {
  node = graph::Op();
  operandIndex.clear();
  accessed.clear();
  readsTensorMemory = false;
  OpEffects effects = builder.effects.getEffects(op);
  addOperands(op);
  addAccesses(op, effects);
  addResults(op);
  describe(op, effects);
  order.finish(graph.ops.size(), effects.isBarrier,
               !effects.isPure() || readsTensorMemory, effects.isSpeculatable,
               node.after);
  opIds[op] = graph.ops.size();
  graph.ops.push_back(std::move(node));
  out.ops.push_back(op);
}

void BlockGraph::addOutputs(Operation *terminator) {
  auto add = [&](ValueId id) {
    graph.outputs.push_back(id);
    StorageKind &kind = graph.storages[graph.values[id].storage].kind;
    if (kind == StorageKind::Temporary)
      kind = StorageKind::Output;
  };
  for (Value operand : terminator->getOperands()) {
    if (!isBuffer(operand)) {
      add(*getOperand(operand, true));
      continue;
    }
    for (Value root : getRoots(operand)) {
      // Memory that no op has accessed has no contents to return.
      Operation *definition = root.getDefiningOp();
      bool isUntouched =
          isInside(root) && definition && !isConstant(definition);
      if (out.ids.contains(root) || !isUntouched)
        add(getOutside(root));
    }
  }
}

/// True if the memory does not escape from the values that the alias graph
/// knows, except by a return.
static bool isInSight(const AliasGraph &aliases, AliasGraph::Id id) {
  return llvm::all_of(aliases.getAliases(id), [&](AliasGraph::Id alias) {
    return llvm::all_of(aliases.getValue(alias).getUses(), [&](OpOperand &use) {
      return isa<func::ReturnOp>(use.getOwner()) ||
             aliases.classify(use).escape.empty();
    });
  });
}

/// The memref behind views, as far as these are glue.
static Value skipViews(Value memory) {
  while (Operation *op = memory.getDefiningOp()) {
    Value source = getViewSource(op);
    if (!source || !isGlue(op))
      break;
    memory = source;
  }
  return memory;
}

/// Records a deallocation that may be anywhere behind the last use of its
/// storage: of memory that is freed through the value that allocates it, and
/// that shares no class with other memory.
void BlockGraph::addFree(memref::DeallocOp dealloc) {
  Value memory = skipViews(dealloc.getMemref());
  auto it = out.ids.find(memory);
  if (it == out.ids.end() || getRoots(memory) != SmallVector<Value>{memory})
    return;
  StorageId storage = graph.values[it->second].storage;
  if (getClass(storage, true) != EffectOrder::kArguments &&
      isInSight(*aliases, aliases->getId(memory)))
    out.freed[dealloc] = storage;
}

void BlockGraph::build() {
  for (BlockArgument argument : block.getArguments())
    addInput(argument);
  for (Operation &op : block.without_terminator())
    if (!isGlue(&op))
      addOp(&op);
  // What reads memory that is overwritten later cannot be computed again.
  for (graph::Op &op : graph.ops)
    if (llvm::any_of(op.operands, [&](ValueId operand) {
          return overwritten.contains(graph.values[operand].storage);
        }))
      op.pure = false;
  for (auto dealloc : block.getOps<memref::DeallocOp>())
    addFree(dealloc);
  if (block.mightHaveTerminator())
    addOutputs(block.getTerminator());
  graph.numForwardOutputs = graph.outputs.size();
}

//===----------------------------------------------------------------------===//
// The builder
//===----------------------------------------------------------------------===//

bool FunctionGraphBuilder::Impl::isUnwritten(Value value) {
  if (!value.getDefiningOp<tensor::EmptyOp>())
    return false;
  auto [it, isNew] = unwritten.try_emplace(value);
  if (isNew)
    it->second = ::isUnwritten(value);
  return it->second;
}

const AliasGraph *
FunctionGraphBuilder::Impl::getAliases(FunctionOpInterface function) {
  if (!aliases) {
    aliases = std::make_unique<ModuleAliases>(module);
    for (ArrayRef<FunctionOpInterface> scc : aliases->getCalleeFirstOrder())
      for (FunctionOpInterface callee : scc)
        findFreshResults(callee);
  }
  return &aliases->getGraph(function);
}

/// Callees must come first; nothing is known of a recursion.
void FunctionGraphBuilder::Impl::findFreshResults(
    FunctionOpInterface function) {
  const AliasGraph &graph = aliases->getGraph(function);
  llvm::BitVector isFreshResult(function.getNumResults(), true);
  llvm::DenseMap<Value, unsigned> resultOf;
  for (Block &block : function.getFunctionBody()) {
    auto exit = dyn_cast<func::ReturnOp>(block.getTerminator());
    if (!exit)
      continue;
    for (OpOperand &returned : exit->getOpOperands()) {
      if (!isBuffer(returned.get()))
        continue;
      unsigned result = returned.getOperandNumber();
      for (AliasGraph::Id id : graph.getSources(graph.getId(returned.get()))) {
        Value source = graph.getValue(id);
        if (llvm::is_contained(function.getArguments(), source))
          continue;
        unsigned first = resultOf.try_emplace(source, result).first->second;
        if (first == result && isFresh(source) && isInSight(graph, id))
          continue;
        isFreshResult.reset(first);
        isFreshResult.reset(result);
      }
    }
  }
  freshResults[function] = std::move(isFreshResult);
}

/// True for an allocation, and for a result of a call that is fresh memory or
/// an operand of the call.
bool FunctionGraphBuilder::Impl::isFresh(Value value) {
  auto call = value.getDefiningOp<func::CallOp>();
  if (!call)
    return value.getDefiningOp<memref::AllocOp>() != nullptr;
  auto known = freshResults.find(aliases->getCallee(call));
  return known != freshResults.end() &&
         known->second.test(cast<OpResult>(value).getResultNumber());
}

bool FunctionGraphBuilder::Impl::isConstantGlobal(Operation *op) {
  auto get = dyn_cast<memref::GetGlobalOp>(op);
  auto global = get ? symbols.lookupNearestSymbolFrom<memref::GlobalOp>(
                          get, get.getNameAttr())
                    : memref::GlobalOp();
  return global && global.getConstant();
}

/// The peak of the bytes that ops of the region make and hold, including the
/// operands of its terminator. With `isIterated` the ops may overwrite its
/// arguments, which a loop carries.
SymbolicBytes FunctionGraphBuilder::Impl::getPeak(FunctionOpInterface function,
                                                  Region &region,
                                                  bool isIterated) {
  SymbolicBytes peak;
  for (Block &block : region) {
    FunctionGraph inner;
    inner.function = function;
    BlockGraph(*this, function, block, inner).build();
    if (isIterated)
      for (graph::Input &input : inner.graph.inputs)
        input.isDonated = isa<BlockArgument>(inner.values[input.value]);
    graph::MemoryOptions options;
    options.excluded = graph::getInputOrigins();
    options.takeTies = true;
    graph::MemoryProfile profile = graph::buildProfile(
        inner.graph, graph::programOrder(inner.graph), options);
    peak = costs.sizes().getMax(peak, inner.sizes.getLive(costs.sizes(),
                                                          inner.graph, profile,
                                                          profile.peakEntry()));
  }
  return peak;
}

/// True if regions of the op may allocate memory or make tensors.
static bool mayAllocateInside(Operation *op) {
  if (op->getNumRegions() == 0 || isa<DestinationStyleOpInterface>(op) ||
      isa<tensor::PadOp, tensor::GenerateOp>(op))
    return false;
  return op
      ->walk([&](Operation *inner) {
        return inner != op && (isa<memref::AllocOp, memref::AllocaOp,
                                   WorkspaceOp, CallOpInterface>(inner) ||
                               llvm::any_of(inner->getResults(), isTensor))
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

SymbolicBytes FunctionGraphBuilder::Impl::getCalleePeak(CallOpInterface call) {
  auto callee = dyn_cast_or_null<FunctionOpInterface>(call.resolveCallable());
  if (!isa_and_nonnull<func::FuncOp>(callee.getOperation()) ||
      callee.isExternal() || activeCallees.contains(callee))
    return {};
  SizeModel::CallScope scope(costs.sizes(), call, callee);
  std::pair<Operation *, unsigned> key(callee, costs.sizes().getScope());
  auto known = calleePeaks.find(key);
  if (known != calleePeaks.end())
    return known->second;
  activeCallees.insert(callee);
  SymbolicBytes peak = getPeak(callee, callee.getFunctionBody(), false);
  activeCallees.erase(callee);
  return calleePeaks[key] = peak;
}

SymbolicBytes
FunctionGraphBuilder::Impl::getPeakInside(FunctionOpInterface function,
                                          Operation *op) {
  if (auto call = dyn_cast<CallOpInterface>(op))
    return getCalleePeak(call);
  if (!mayAllocateInside(op))
    return {};
  SymbolicBytes peak;
  for (Region &region : op->getRegions())
    peak = costs.sizes().getMax(
        peak, getPeak(function, region, isa<LoopLikeOpInterface>(op)));
  return peak;
}

std::string memplan::getNoGraphReason(FunctionOpInterface function) {
  if (!isa<func::FuncOp>(function))
    return "is a '" + function->getName().getStringRef().str() +
           "': an op graph is made of a func.func";
  if (function.isExternal())
    return "has no body: an op graph is made of one block";
  if (!function.getFunctionBody().hasOneBlock())
    return "has several blocks: an op graph is made of one block";
  return "";
}

FailureOr<FunctionGraph>
FunctionGraphBuilder::Impl::build(FunctionOpInterface function) {
  if (std::string reason = getNoGraphReason(function); !reason.empty())
    return mlir::emitError(function.getLoc())
           << "@" << function.getName() << " " << reason;
  FunctionGraph result;
  result.function = function;
  result.graph.name = function.getName().str();
  BlockGraph(*this, function, function.getFunctionBody().front(), result)
      .build();
  if (auto count = function->getAttrOfType<IntegerAttr>(kNumForwardOutputsAttr))
    result.graph.numForwardOutputs = count.getInt();
  for (const graph::GraphIssue &issue : graph::checkGraph(result.graph, 1))
    return mlir::emitError(function.getLoc())
           << "@" << function.getName()
           << " has no sound op graph: " << issue.message;
  return result;
}

FunctionGraphBuilder::FunctionGraphBuilder(Operation *module, CostModel &costs)
    : impl(std::make_unique<Impl>(module, costs)) {}
FunctionGraphBuilder::~FunctionGraphBuilder() = default;

FailureOr<FunctionGraph>
FunctionGraphBuilder::build(FunctionOpInterface function) {
  return impl->build(function);
}
