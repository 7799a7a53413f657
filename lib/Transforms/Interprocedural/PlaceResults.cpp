//===- PlaceResults.cpp - Results in memory of the caller -----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fresh results become out-params or outputs. Other results are made fresh
// first, by a view of a new allocation or by a copy:
//
//   %v = memref.collapse_shape %a ...     %r = memref.alloc() : the type of %v
//   return %v                             %a is a reinterpret_cast of %r
//                                         return %r
//
//   %v = memref.subview %a ...            %r = memref.alloc()
//   return %v                             memref.copy %v, %r
//                                         return %r
//
//===----------------------------------------------------------------------===//

#include "Interprocedural/PlaceResults.h"

#include "Interprocedural/CallSignatures.h"
#include "Interprocedural/ResultsToOutParams.h"
#include "Interprocedural/SymbolUsers.h"
#include "memplan/Analysis/BuildProblem.h"
#include "memplan/IR/Memplan.h"
#include "memplan/Transforms/CallTrees.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace memplan;

/// The type with the identity layout.
static MemRefType dropLayout(MemRefType type) {
  return MemRefType::get(type.getShape(), type.getElementType(),
                         MemRefLayoutAttrInterface(), type.getMemorySpace());
}

/// True if the result is all of the operand's memory, in the same order.
static bool viewsAll(Operation *op) {
  if (isa<memref::ExpandShapeOp, memref::CollapseShapeOp,
          memref::AssumeAlignmentOp>(op))
    return true;
  if (auto cast = dyn_cast<memref::CastOp>(op))
    return isa<MemRefType>(cast.getSource().getType());
  auto cast = dyn_cast<memref::ReinterpretCastOp>(op);
  return cast && isa<MemRefType>(cast.getSource().getType()) &&
         cast.getType().hasStaticShape() &&
         cast.getType().getLayout().isIdentity();
}

namespace {
/// Makes the results of one function fresh.
class ResultFreshener {
public:
  ResultFreshener(func::FuncOp function, ArrayRef<func::CallOp> calls,
                  const ModuleAliases &aliases)
      : function(function), calls(calls.begin(), calls.end()),
        graph(aliases.getGraph(function)), order(aliases.getOrder(function)),
        exits(findExits(function)) {}

  /// Chooses the results that are not `fresh` but can be made so; a remark
  /// names each of the others that stays returned. Does not change the IR,
  /// because the alias graphs of other functions are still needed.
  void choose(ArrayRef<OutParamResult> fresh) {
    for (unsigned i = 0; i < function.getNumResults(); ++i) {
      if (!isa<BaseMemRefType>(function.getResultTypes()[i]) ||
          llvm::any_of(fresh, [&](const OutParamResult &result) {
            return result.number == i;
          }))
        continue;
      Sources sources = findSources(i);
      if (sources.unknown.empty() && sources.allocs.empty() &&
          !sources.hasGlobals)
        continue;
      std::string reason = findProblem(i, sources);
      if (!reason.empty()) {
        tell(i, reason);
        continue;
      }
      chosen.push_back({i, std::move(sources)});
    }
  }

  void run() {
    for (auto &[number, sources] : chosen)
      freshen(number, sources);
  }

private:
  /// The memory that a result may be.
  struct Sources {
    llvm::SmallSetVector<memref::AllocOp, 2> allocs;
    bool hasArguments = false;
    bool hasGlobals = false;
    /// If it may be other memory, a predicate that names it; otherwise empty.
    std::string unknown;
  };

  void tell(unsigned number, const std::string &reason) const {
    remark::missed(function.getLoc(),
                   remark::RemarkOpts::name("ResultNotPlaced")
                       .category("plan-memory")
                       .function(function.getName()))
        << "result " + std::to_string(number) + " of @" +
               function.getName().str() + " stays returned: it " + reason;
  }

  Sources findSources(unsigned number) const {
    Sources sources;
    llvm::SmallSetVector<AliasGraph::Id, 8> reached;
    for (func::ReturnOp exit : exits)
      reached.insert(graph.getId(exit.getOperand(number)));
    for (size_t i = 0; i < reached.size(); ++i) {
      Value value = graph.getValue(reached[i]);
      ArrayRef<AliasGraph::Id> predecessors = graph.predecessors(reached[i]);
      reached.insert(predecessors.begin(), predecessors.end());
      if (graph.mayBeFreshFromCall(reached[i]))
        sources.unknown = "may be memory that a callee allocates";
      if (!predecessors.empty())
        continue;
      Operation *op = value.getDefiningOp();
      if (llvm::is_contained(function.getArguments(), value))
        sources.hasArguments = true;
      else if (isa_and_nonnull<memref::GetGlobalOp>(op))
        sources.hasGlobals = true;
      else if (auto alloc = dyn_cast_or_null<memref::AllocOp>(op))
        sources.allocs.insert(alloc);
      else if (sources.unknown.empty())
        sources.unknown = op ? "may be a result of '" +
                                   op->getName().getStringRef().str() + "'"
                             : "may be an argument of a block";
    }
    return sources;
  }

  /// The reason why the result cannot be made fresh, as a predicate; empty if
  /// it can.
  std::string findProblem(unsigned number, const Sources &sources) const {
    auto type = dyn_cast<MemRefType>(function.getResultTypes()[number]);
    if (!type || !type.hasStaticShape())
      return "has a dynamic shape";
    if (!sources.unknown.empty())
      return sources.unknown;
    if (!calls.empty() && (sources.hasArguments || sources.hasGlobals))
      return "may be memory that callers in the module know by another name";
    MemRefType fresh = dropLayout(type);
    if (!calls.empty() && fresh != type &&
        !memref::CastOp::areCastCompatible(fresh, type))
      return "has a layout that a buffer of its own does not have";
    for (memref::AllocOp alloc : sources.allocs) {
      if (!alloc.getType().hasStaticShape())
        return "may be memory of dynamic size";
      if (order.isInsideOpaque(alloc))
        return "may be memory that is allocated where ops may run at the same "
               "time";
      if (std::string reason = findOtherUse(alloc, number); !reason.empty())
        return reason;
    }
    return "";
  }

  /// If something other than this result may keep or free the memory, a
  /// predicate that names it; otherwise empty.
  std::string findOtherUse(memref::AllocOp alloc, unsigned number) const {
    for (AliasGraph::Id alias : graph.getAliases(graph.getId(alloc)))
      for (OpOperand &use : graph.getValue(alias).getUses()) {
        Operation *op = use.getOwner();
        BufferUse kind = graph.classify(use);
        if (isa<func::ReturnOp>(op)) {
          if (use.getOperandNumber() != number)
            return "may be the same memory as another result";
        } else if (!kind.escape.empty() || kind.free) {
          return "may be memory that '" + op->getName().getStringRef().str() +
                 "' keeps or frees";
        }
      }
    return "";
  }

  /// The allocation of which the value is always the whole; null if that is not
  /// known.
  memref::AllocOp findWhole(Value value) const {
    while (Operation *op = value.getDefiningOp()) {
      if (auto alloc = dyn_cast<memref::AllocOp>(op))
        return alloc;
      if (!viewsAll(op))
        return nullptr;
      value = op->getOperand(0);
    }
    return nullptr;
  }

  void freshen(unsigned number, const Sources &sources) {
    auto type = cast<MemRefType>(function.getResultTypes()[number]);
    MemRefType fresh = dropLayout(type);
    memref::AllocOp whole;
    if (exits.size() == 1 && sources.allocs.size() == 1 &&
        !sources.hasArguments && !sources.hasGlobals)
      whole = findWhole(exits.front().getOperand(number));
    if (whole && whole->getBlock()->isEntryBlock() &&
        whole->getParentOp() == function &&
        whole.getType().getLayout().isIdentity() &&
        whole.getType().getNumElements() == fresh.getNumElements())
      renameWhole(whole, number, fresh);
    else
      for (func::ReturnOp exit : exits)
        copyBefore(exit, number, fresh);
    if (fresh != type)
      retype(number, type, fresh);
  }

  void renameWhole(memref::AllocOp alloc, unsigned number, MemRefType fresh) {
    OpBuilder builder(alloc);
    Location loc = alloc.getLoc();
    auto memory =
        memref::AllocOp::create(builder, loc, fresh, alloc.getAlignmentAttr());
    memory->setDiscardableAttrs(alloc->getDiscardableAttrDictionary());
    exits.front()->setOperand(number, memory);
    Value view = memory;
    MemRefType type = alloc.getType();
    if (fresh != type)
      view = memref::ReinterpretCastOp::create(
          builder, loc, type, memory, /*offset=*/0, type.getShape(),
          type.getStridesAndOffset().first);
    alloc.replaceAllUsesWith(view);
    alloc.erase();
  }

  void copyBefore(func::ReturnOp exit, unsigned number, MemRefType fresh) {
    OpBuilder builder(exit);
    Value value = exit.getOperand(number);
    auto memory = memref::AllocOp::create(builder, exit.getLoc(), fresh);
    memref::CopyOp::create(builder, exit.getLoc(), value, memory);
    exit->setOperand(number, memory);
  }

  void retype(unsigned number, MemRefType type, MemRefType fresh) {
    SmallVector<Type> results(function.getResultTypes());
    results[number] = fresh;
    function.setFunctionType(FunctionType::get(
        function.getContext(), function.getArgumentTypes(), results));
    for (func::CallOp call : calls) {
      OpBuilder builder(call->getContext());
      builder.setInsertionPointAfter(call);
      Value result = call.getResult(number);
      result.setType(fresh);
      auto cast = memref::CastOp::create(builder, call.getLoc(), type, result);
      result.replaceAllUsesExcept(cast, cast);
    }
  }

  mutable func::FuncOp function;
  SmallVector<func::CallOp> calls;
  const AliasGraph &graph;
  const ProgramOrder &order;
  mutable SmallVector<func::ReturnOp> exits;
  SmallVector<std::pair<unsigned, Sources>> chosen;
};
} // namespace

/// Calls `visit` with each function whose signature may change and with its
/// calls.
static void forEachChangeable(
    ModuleOp module, const ModuleAliases &aliases,
    llvm::function_ref<void(func::FuncOp, ArrayRef<func::CallOp>)> visit) {
  llvm::SetVector<Operation *> planned = findPlannedFunctions(module);
  SymbolUsers users;
  for (FunctionOpInterface op : aliases.getFunctions()) {
    auto function = dyn_cast<func::FuncOp>(op.getOperation());
    if (!function || planned.contains(function) || aliases.getDeviceMark(op) ||
        findCoroutine(aliases.getOrder(op)))
      continue;
    auto calls = users.findCallsInModule(function);
    if (calls && llvm::none_of(*calls, [&](func::CallOp call) {
          return planned.contains(call->getParentOfType<func::FuncOp>());
        }))
      visit(function, *calls);
  }
}

/// Replaces each result by one allocation, and a memplan.output before each
/// return that names it.
static void turnIntoOutputs(func::FuncOp function,
                            ArrayRef<OutParamResult> results) {
  llvm::BitVector erased(function.getNumResults());
  for (const OutParamResult &result : results) {
    memref::AllocOp first = result.members.front();
    OpBuilder builder =
        OpBuilder::atBlockBegin(&function.getFunctionBody().front());
    IntegerAttr alignment = findAlignment(result);
    auto memory = memref::AllocOp::create(builder, first.getLoc(),
                                          first.getType(), alignment);
    for (memref::AllocOp alloc : result.members) {
      alloc.replaceAllUsesWith(memory.getResult());
      alloc.erase();
    }
    for (func::ReturnOp exit : findExits(function)) {
      builder.setInsertionPoint(exit);
      OutputOp::create(builder, exit.getLoc(), memory, result.number);
    }
    erased.set(result.number);
  }
  removeFrees(results);
  for (func::ReturnOp exit : findExits(function))
    exit->eraseOperands(erased);
  (void)function.eraseResults(erased);
}

void memplan::placeResults(ModuleOp module, CalleeTrust trust,
                           ResultPlacement placement) {
  if (placement == ResultPlacement::Return ||
      placement == ResultPlacement::Lend)
    return;
  bool keepsOutputs = placement == ResultPlacement::Arena;
  Signatures signatures = keepsOutputs ? Signatures::Called : Signatures::All;
  promoteToOutParams(module, trust, signatures);
  {
    ModuleAliases aliases(module, trust);
    std::vector<ResultFreshener> fresheners;
    forEachChangeable(module, aliases,
                      [&](func::FuncOp function, ArrayRef<func::CallOp> calls) {
                        fresheners.emplace_back(function, calls, aliases);
                        fresheners.back().choose(
                            findOutParamResults(function, aliases));
                      });
    for (ResultFreshener &freshener : fresheners)
      freshener.run();
  }
  promoteToOutParams(module, trust, signatures);
  if (!keepsOutputs)
    return;
  ModuleAliases aliases(module, trust);
  forEachChangeable(module, aliases,
                    [&](func::FuncOp function, ArrayRef<func::CallOp> calls) {
                      if (calls.empty())
                        turnIntoOutputs(function,
                                        findOutParamResults(function, aliases));
                    });
}
