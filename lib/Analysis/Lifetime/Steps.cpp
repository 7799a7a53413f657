//===- Steps.cpp - Ops that run at once -----------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/Steps.h"

#include "memplan/IR/BufferAllocation.h"
#include "memplan/IR/CalleeContract.h"
#include "memplan/IR/Memplan.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

#include <map>

using namespace mlir;
using namespace memplan;

static std::optional<int64_t> getNumber(Operation *op, StringRef name) {
  if (auto attr = op->getAttrOfType<IntegerAttr>(name))
    return attr.getInt();
  return std::nullopt;
}

static std::optional<int64_t> getStep(Operation *op) {
  return getNumber(op, MemplanDialect::kStepAttr);
}

static std::optional<int64_t> getStream(Operation *op) {
  return getNumber(op, MemplanDialect::kStreamAttr);
}

bool memplan::isInStep(Operation *op) { return getStep(op) || getStream(op); }

/// True for ops that allocate or free a buffer, or have no memory effect. Their
/// time does not matter, so they belong to the step around them.
static bool isTimeless(Operation *op) {
  return isa<BufferAllocationInterface, memref::DeallocOp,
             bufferization::DeallocOp>(op) ||
         isMemoryEffectFree(op);
}

/// True if the op, which is no call, may write memory through the value.
static bool hasWriteEffect(Operation *op, Value value) {
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return true;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  return llvm::any_of(effects, [&](MemoryEffects::EffectInstance &effect) {
    return !isa<MemoryEffects::Read>(effect.getEffect()) &&
           (!effect.getValue() || effect.getValue() == value);
  });
}

namespace {

/// Finds out whether calls may write the memory of their arguments.
class CalleeWrites {
public:
  explicit CalleeWrites(const ModuleAliases &module) : module(module) {}

  bool mayWrite(OpOperand &operand) {
    Operation *op = operand.getOwner();
    if (!isa<CallOpInterface>(op))
      return hasWriteEffect(op, operand.get());
    auto call = dyn_cast<func::CallOp>(op);
    FunctionOpInterface callee = call ? module.getCallee(call) : nullptr;
    if (!callee)
      return true;
    unsigned number = operand.getOperandNumber();
    if (callee.isExternal())
      return !isDeclaredReadOnly(callee, number);
    // In a recursion an argument counts as written until the answer is known.
    auto [it, isNew] = known.try_emplace({callee, number}, true);
    if (!isNew)
      return it->second;
    bool writes = findWrite(callee, callee.getArgument(number));
    known[{callee, number}] = writes;
    return writes;
  }

  /// By name, whether the global may be written.
  using Globals = llvm::MapVector<StringAttr, bool>;

  /// Adds the globals that the callees of the op use, directly or through
  /// further calls.
  void addGlobals(Operation *op, Globals &globals) {
    SmallVector<FunctionOpInterface> pending;
    llvm::DenseSet<Operation *> seen;
    auto addCallee = [&](FunctionOpInterface callee) {
      if (callee && !callee.isExternal() && seen.insert(callee).second)
        pending.push_back(callee);
    };
    auto addCallees = [&](Operation *inner) {
      if (auto call = dyn_cast<func::CallOp>(inner))
        addCallee(module.getCallee(call));
      else if (auto call = dyn_cast<func::CallIndirectOp>(inner))
        llvm::for_each(module.getIndirectCallees(call), addCallee);
    };
    op->walk(addCallees);
    for (size_t i = 0; i < pending.size(); ++i) {
      FunctionOpInterface function = pending[i];
      function->walk(addCallees);
      for (auto [name, written] : getGlobals(function))
        globals[name] |= written;
    }
  }

private:
  /// The globals that the function itself uses, without constant ones.
  const Globals &getGlobals(FunctionOpInterface function) {
    auto [it, isNew] = globalsOf.try_emplace(function);
    if (!isNew)
      return it->second;
    Globals globals;
    function->walk([&](memref::GetGlobalOp op) {
      auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
          op, op.getNameAttr());
      if (!global || !global.getConstant())
        globals[op.getNameAttr().getAttr()] |= findWrite(function, op);
    });
    return globalsOf[function] = std::move(globals);
  }

  bool findWrite(FunctionOpInterface function, Value memref) {
    const AliasGraph &graph = module.getGraph(function);
    for (AliasGraph::Id alias : graph.getAliases(graph.getId(memref)))
      for (OpOperand &use : graph.getValue(alias).getUses()) {
        BufferUse kind = graph.classify(use);
        bool touches = kind.access || kind.free || !kind.escape.empty();
        if (touches && !isa<func::ReturnOp>(use.getOwner()) && mayWrite(use))
          return true;
      }
    return false;
  }

  const ModuleAliases &module;
  llvm::DenseMap<std::pair<Operation *, unsigned>, bool> known;
  llvm::DenseMap<Operation *, Globals> globalsOf;
};

/// The subviews through which `value` views its memory, innermost first.
/// Follows only views that stay within their source.
SmallVector<memref::SubViewOp, 2> getParts(Value value) {
  SmallVector<memref::SubViewOp, 2> parts;
  for (;;) {
    Operation *op = value.getDefiningOp();
    if (!isa_and_nonnull<memref::SubViewOp, memref::CastOp,
                         memref::ExpandShapeOp, memref::CollapseShapeOp,
                         memref::TransposeOp>(op))
      return parts;
    if (auto part = dyn_cast<memref::SubViewOp>(op))
      parts.push_back(part);
    value = op->getOperand(0);
  }
}

/// True if the two subviews have no common element, because they are apart in
/// some dimension.
bool areApart(memref::SubViewOp a, memref::SubViewOp b) {
  auto endsBefore = [](memref::SubViewOp first, memref::SubViewOp second,
                       size_t dim) {
    int64_t offset = first.getStaticOffsets()[dim];
    int64_t size = first.getStaticSizes()[dim];
    int64_t stride = first.getStaticStrides()[dim];
    int64_t next = second.getStaticOffsets()[dim];
    if (ShapedType::isDynamic(offset) || ShapedType::isDynamic(size) ||
        ShapedType::isDynamic(stride) || ShapedType::isDynamic(next) ||
        stride < 1 || ShapedType::isDynamic(second.getStaticStrides()[dim]) ||
        second.getStaticStrides()[dim] < 1)
      return false;
    return size == 0 || offset + (size - 1) * stride < next;
  };
  if (a.getSource() != b.getSource())
    return false;
  for (size_t dim = 0; dim < a.getStaticOffsets().size(); ++dim)
    if (endsBefore(a, b, dim) || endsBefore(b, a, dim))
      return true;
  return false;
}

/// By source of the memory and by accessed value: whether it may be written. In
/// program order.
using Touched =
    llvm::MapVector<std::pair<AliasGraph::Id, AliasGraph::Id>, bool>;

class StepFinder {
public:
  StepFinder(FunctionOpInterface function, const ModuleAliases &module)
      : order(module.getOrder(function)), graph(module.getGraph(function)),
        writes(module) {}

  LogicalResult run(FunctionOpInterface function) {
    function->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op != function && isa<FunctionOpInterface>(op))
        return WalkResult::skip();
      for (Region &region : op->getRegions())
        for (Block &block : region)
          visit(block);
      return WalkResult::advance();
    });
    for (const Step &step : steps)
      if (failed(checkDependencies(step)))
        hasErrors = true;
    return failure(hasErrors);
  }

  std::vector<Step> steps;

private:
  InFlightDiagnostic error(Operation *op) {
    hasErrors = true;
    return op->emitError();
  }

  void visit(Block &block) {
    // No step is open at the begin of a block.
    current = std::nullopt;
    last = nullptr;
    interrupting = nullptr;
    for (Operation &op : block) {
      std::optional<int64_t> number = getStep(&op);
      if (!number && !getStream(&op)) {
        endAt(&op);
        continue;
      }
      if (op.hasTrait<OpTrait::IsTerminator>()) {
        error(&op) << "ends its block and cannot be part of a step";
        continue;
      }
      if (number && !checkNumber(&op, *number))
        continue;
      checkNesting(&op);
      if (isTimeless(&op))
        continue;
      if (!current || steps[*current].number != number) {
        if (!number)
          interrupting = &op;
        current = steps.size();
        steps.push_back({number, {}, {order.begin(&op), order.end(&op)}});
      }
      steps[*current].ops.push_back(&op);
      steps[*current].range.end = order.end(&op);
    }
  }

  /// An op without annotation ends the current step if it uses buffers. A step
  /// with only streams also ends at an op that uses any memory.
  void endAt(Operation *op) {
    if (!current || isTimeless(op))
      return;
    if (!steps[*current].number || usesBuffers(op)) {
      interrupting = op;
      current = std::nullopt;
    }
  }

  bool usesBuffers(Operation *op) {
    return llvm::any_of(collectTouched(op), [&](const auto &entry) {
      return isa_and_nonnull<BufferAllocationInterface>(
          graph.getValue(entry.first.first).getDefiningOp());
    });
  }

  bool checkNumber(Operation *op, int64_t number) {
    auto [it, isNew] = firstOf.try_emplace(number, op);
    Operation *first = it->second;
    if (first->getBlock() != op->getBlock()) {
      InFlightDiagnostic diag = error(op);
      diag << "ops of step " << number << " are in different blocks";
      diag.attachNote(first->getLoc()) << "step " << number;
      return false;
    }
    if (last && *getStep(last) > number) {
      InFlightDiagnostic diag = error(op);
      diag << "step " << number << " comes after step " << *getStep(last);
      diag.attachNote(last->getLoc()) << "step " << *getStep(last);
      return false;
    }
    if (!last || *getStep(last) != number)
      interrupting = nullptr;
    if (interrupting) {
      InFlightDiagnostic diag = error(op);
      diag << "step " << number << " is interrupted by '"
           << interrupting->getName() << "', which is not part of it";
      diag.attachNote(interrupting->getLoc()) << "interrupted here";
      return false;
    }
    last = op;
    return true;
  }

  void checkNesting(Operation *op) {
    Operation *parent = op->getParentOp();
    for (; order.isNumbered(parent); parent = parent->getParentOp()) {
      if (!isInStep(parent))
        continue;
      InFlightDiagnostic diag = error(op);
      diag << "is part of a step inside an op that is part of a step itself";
      diag.attachNote(parent->getLoc()) << "inside this op";
      return;
    }
  }

  //===--------------------------------------------------------------------===//
  // Dependencies
  //===--------------------------------------------------------------------===//

  Touched collectTouched(Operation *op) {
    Touched touched;
    op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
      for (OpOperand &operand : inner->getOpOperands()) {
        if (!isa<BaseMemRefType>(operand.get().getType()))
          continue;
        BufferUse use = graph.classify(operand);
        if (!use.access && !use.free && use.escape.empty())
          continue;
        bool written = writes.mayWrite(operand);
        AliasGraph::Id id = graph.getId(operand.get());
        for (AliasGraph::Id source : graph.getSources(id))
          touched[{source, id}] |= written;
      }
    });
    return touched;
  }

  /// The value that `id` views, directly or through other views.
  AliasGraph::Id getRoot(AliasGraph::Id id) const {
    for (;;) {
      Operation *op = graph.getValue(id).getDefiningOp();
      if (!op || graph.predecessors(id).size() != 1 || isTransparent(op) ||
          isa<CallOpInterface, SelectLikeOpInterface>(op))
        return id;
      id = graph.predecessors(id).front();
    }
  }

  /// True if two values that may both come from one allocation are never the
  /// same instance in one execution of their block: one is the fresh allocation
  /// in that block, the other an argument bound before it.
  bool areInstancesApart(AliasGraph::Id source, AliasGraph::Id a,
                         AliasGraph::Id b) const {
    if (a != source)
      std::swap(a, b);
    auto argument = dyn_cast<BlockArgument>(graph.getValue(b));
    Operation *allocation = graph.getValue(source).getDefiningOp();
    return a == source && argument && allocation &&
           argument.getOwner()->findAncestorOpInBlock(*allocation);
  }

  bool areDisjoint(AliasGraph::Id source, AliasGraph::Id a,
                   AliasGraph::Id b) const {
    if (areInstancesApart(source, getRoot(a), getRoot(b)))
      return true;
    SmallVector<memref::SubViewOp, 2> others = getParts(graph.getValue(b));
    return llvm::any_of(
        getParts(graph.getValue(a)), [&](memref::SubViewOp part) {
          return llvm::any_of(others, [&](memref::SubViewOp other) {
            return areApart(part, other);
          });
        });
  }

  LogicalResult checkDependencies(const Step &step) {
    /// `source` and `value` are empty for a global that a callee uses.
    struct Use {
      Operation *op;
      std::optional<AliasGraph::Id> source, value;
      bool writes;
    };
    auto depend = [&](const Use &writer, const Use &other) {
      std::optional<int64_t> stream = getStream(writer.op);
      return writer.op != other.op &&
             !(stream && stream == getStream(other.op)) &&
             !(writer.value && other.value && writer.source == other.source &&
               areDisjoint(*writer.source, *writer.value, *other.value));
    };
    // Keyed by the value that the memory comes from, or by the name of a
    // global.
    llvm::MapVector<const void *, SmallVector<Use>> usesOf;
    for (Operation *op : step.ops) {
      for (auto [memory, writes] : collectTouched(op)) {
        Value source = graph.getValue(memory.first);
        auto global = source.getDefiningOp<memref::GetGlobalOp>();
        const void *key =
            global ? global.getNameAttr().getAttr().getAsOpaquePointer()
                   : source.getAsOpaquePointer();
        usesOf[key].push_back({op, memory.first, memory.second, writes});
      }
      CalleeWrites::Globals globals;
      this->writes.addGlobals(op, globals);
      for (auto [name, writes] : globals)
        usesOf[name.getAsOpaquePointer()].push_back({op, {}, {}, writes});
    }
    for (auto &[key, uses] : usesOf)
      for (const Use &writer : uses) {
        if (!writer.writes)
          continue;
        for (const Use &other : uses)
          if (depend(writer, other))
            return reportDependency(step, writer.op, other.op,
                                    writer.source ? writer.source
                                                  : other.source);
      }
    return success();
  }

  LogicalResult reportDependency(const Step &step, Operation *writer,
                                 Operation *other,
                                 std::optional<AliasGraph::Id> memory) {
    Operation *first = writer->isBeforeInBlock(other) ? writer : other;
    Operation *second = first == writer ? other : writer;
    InFlightDiagnostic diag = error(second);
    if (step.number)
      diag << "ops of step " << *step.number << " depend on each other";
    else
      diag << "ops of streams " << *getStream(first) << " and "
           << *getStream(second) << " that run at once depend on each other";
    diag.attachNote(writer->getLoc()) << "this op may write the memory";
    diag.attachNote(other->getLoc()) << "this op uses it";
    if (memory)
      diag.attachNote(graph.getValue(*memory).getLoc())
          << "the memory comes from here";
    else
      diag.attachNote(other->getLoc()) << "the memory is a global's";
    return failure();
  }

  const ProgramOrder &order;
  const AliasGraph &graph;
  CalleeWrites writes;
  bool hasErrors = false;
  std::optional<size_t> current;
  /// The last op of this block with a number, and the op that ended its step.
  Operation *last = nullptr;
  Operation *interrupting = nullptr;
  std::map<int64_t, Operation *> firstOf;
};

} // namespace

FailureOr<Steps> Steps::find(FunctionOpInterface function,
                             const ModuleAliases &module) {
  const ProgramOrder &order = module.getOrder(function);
  StepFinder finder(function, module);
  if (failed(finder.run(function)))
    return failure();
  Steps result;
  for (Step &step : finder.steps) {
    if (step.ops.empty())
      continue;
    LiveRange range{order.begin(step.ops.front()), order.end(step.ops.back())};
    result.steps.push_back({step.number, std::move(step.ops), range});
  }
  llvm::sort(result.steps, [](const Step &a, const Step &b) {
    return a.range.start < b.range.start;
  });
  return result;
}

const Step *Steps::around(int64_t point) const {
  auto it = llvm::partition_point(
      steps, [&](const Step &step) { return step.range.end <= point; });
  return it != steps.end() && it->range.start <= point ? &*it : nullptr;
}

void Steps::widen(LiveRanges &ranges) const {
  if (empty())
    return;
  for (LiveRange &range : ranges) {
    if (const Step *step = around(range.start))
      range.start = step->range.start;
    if (const Step *step = around(range.end - 1))
      range.end = step->range.end;
  }
  normalizeRanges(ranges);
}
