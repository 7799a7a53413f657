//===- Globals.cpp - Arenas that are variables of the module --------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Globals.h"

#include "Reporter.h"

#include "memplan/Verifier/Flow.h"

#include "memplan/IR/Constants.h"
#include "memplan/IR/Memplan.h"

#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SCCIterator.h"

#include <memory>

using namespace mlir;
using namespace memplan;
using namespace memplan::verifier;

namespace {

/// A function, with the functions that its ops name.
struct Callable {
  FunctionOpInterface function;
  std::vector<Callable *> callees;
  /// By callee, the op that names it.
  std::vector<Operation *> namings;
  /// The number of its call SCC; 0 if the function does not call itself,
  /// directly or through others.
  unsigned cycle = 0;
  /// A function that may run more than once at a time, and from which calls
  /// lead to this one; null if there is none.
  Callable *cause = nullptr;
  /// Set if the function is its own cause: an op that shows this, and the
  /// reason.
  Operation *culprit = nullptr;
  StringRef reason = {};
};

} // namespace

template <> struct llvm::GraphTraits<Callable *> {
  using NodeRef = Callable *;
  using ChildIteratorType = std::vector<Callable *>::iterator;
  static NodeRef getEntryNode(Callable *node) { return node; }
  // NOLINTBEGIN(readability-identifier-naming)
  static ChildIteratorType child_begin(Callable *node) {
    return node->callees.begin();
  }
  static ChildIteratorType child_end(Callable *node) {
    return node->callees.end();
  }
  // NOLINTEND(readability-identifier-naming)
};

/// The op, or one around it, because of which `op` may run at the same time as
/// other ops of its function or twice at a time; null if there is none.
static Operation *findConcurrency(Operation *op) {
  for (; op && !isa<FunctionOpInterface>(op); op = op->getParentOp()) {
    if (op->hasAttr(MemplanDialect::kStepAttr) ||
        op->hasAttr(MemplanDialect::kStreamAttr))
      return op;
    Operation *parent = op->getParentOp();
    // These dialects run regions on many threads.
    if (parent && !isa<FunctionOpInterface>(parent) &&
        (!hasKnownControlFlow(parent) || isParallelLoop(parent) ||
         llvm::is_contained({"acc", "gpu", "omp"},
                            parent->getName().getDialectNamespace())))
      return parent;
  }
  return nullptr;
}

namespace {

class GlobalArenas : Reporter {
public:
  LogicalResult run(ArrayRef<FunctionOpInterface> functions, Operation *root) {
    for (FunctionOpInterface function : functions)
      walkOwn(function, [&](Operation *op) {
        auto arena = dyn_cast<ArenaOp>(op);
        if ((arena && arena.getMemory() == ArenaMemory::Global) ||
            (isa<memref::GetGlobalOp>(op) &&
             op->hasAttr(MemplanDialect::kArenaAttr)))
          addArena(op);
      });
    for (FunctionOpInterface function : functions)
      walkOwn(function, [&](Operation *op) {
        if (auto get = dyn_cast<memref::GetGlobalOp>(op))
          checkWrites(get);
      });
    if (arenas.empty())
      return success(isSound);
    root->walk<WalkOrder::PreOrder>([&](Operation *op) { visit(op); });
    spread();
    findCycles();
    llvm::for_each(arenas, [&](Operation *arena) { checkRuns(arena); });
    return success(isSound);
  }

private:
  void addArena(Operation *op) {
    arenas.push_back(op);
    auto get = dyn_cast<memref::GetGlobalOp>(op);
    if (!get)
      return;
    auto variable = symbols.lookupNearestSymbolFrom<memref::GlobalOp>(
        op, get.getNameAttr());
    arenaOf.try_emplace(variable, op);
    if (variable.getConstant()) {
      InFlightDiagnostic diag = error(op);
      diag << "is an arena in @" << variable.getSymName()
           << ", which is constant";
      diag.attachNote(variable.getLoc()) << "the variable";
    }
  }

  /// Nothing may write to a constant: several may share its bytes.
  void checkWrites(memref::GetGlobalOp get) {
    auto variable = symbols.lookupNearestSymbolFrom<memref::GlobalOp>(
        get, get.getNameAttr());
    if (!variable || !variable.getConstant() ||
        get->hasAttr(MemplanDialect::kArenaAttr))
      return;
    for (Operation *write : findWrites(get)) {
      InFlightDiagnostic diag = error(write);
      diag << "writes to the constant @" << variable.getSymName();
      diag.attachNote(variable.getLoc()) << "the constant";
    }
  }

  void visit(Operation *op) {
    if (isa<async::CoroBeginOp, LLVM::CoroBeginOp>(op))
      if (auto function = op->getParentOfType<FunctionOpInterface>())
        mark(getNode(function), op, "is a coroutine");
    auto call = dyn_cast<func::CallOp>(op);
    for (NamedAttribute attribute : op->getAttrDictionary()) {
      bool isCallee = call && attribute.getName() == call.getCalleeAttrName();
      attribute.getValue().walk<WalkOrder::PreOrder>([&](SymbolRefAttr name) {
        Operation *symbol = symbols.lookupNearestSymbolFrom(op, name);
        if (auto function = dyn_cast_or_null<FunctionOpInterface>(symbol))
          addNaming(op, getNode(function), isCallee);
        else if (Operation *arena = arenaOf.lookup(symbol))
          addUse(op, arena, name);
        return WalkResult::skip();
      });
    }
  }

  /// Refuses a use of the variable by another op than the arena.
  void addUse(Operation *op, Operation *arena, SymbolRefAttr name) {
    if (op == arena)
      return;
    InFlightDiagnostic diag = error(op);
    diag << "uses " << name << ", which is an arena";
    diag.attachNote(arena->getLoc()) << "the arena";
  }

  void addNaming(Operation *op, Callable *callee, bool isCallee) {
    auto caller = op->getParentOfType<FunctionOpInterface>();
    if (!isCallee || !caller)
      mark(callee, op,
           "is named here other than by a 'func.call' of a function");
    else if (findConcurrency(op))
      mark(callee, op, "is called here, where calls may run at the same time");
    if (!caller)
      return;
    Callable *node = getNode(caller);
    node->callees.push_back(callee);
    node->namings.push_back(op);
  }

  static void mark(Callable *node, Operation *culprit, StringRef reason) {
    if (node->cause)
      return;
    node->cause = node;
    node->culprit = culprit;
    node->reason = reason;
  }

  Callable *getNode(FunctionOpInterface function) {
    Callable *&node = nodeOf[function];
    if (node)
      return node;
    nodes.push_back(std::make_unique<Callable>());
    node = nodes.back().get();
    node->function = function;
    if (!isa<func::FuncOp>(function.getOperation()))
      mark(node, function, "is no 'func.func': its callers are not followed");
    return node;
  }

  /// If a function may run more than once at a time, so may its callees.
  void spread() {
    std::vector<Callable *> reached;
    for (const std::unique_ptr<Callable> &node : nodes)
      if (node->cause)
        reached.push_back(node.get());
    for (size_t i = 0; i < reached.size(); ++i)
      for (Callable *callee : reached[i]->callees)
        if (!callee->cause) {
          callee->cause = reached[i]->cause;
          reached.push_back(callee);
        }
  }

  void findCycles() {
    Callable start;
    for (const std::unique_ptr<Callable> &node : nodes)
      start.callees.push_back(node.get());
    unsigned count = 0;
    for (auto scc = llvm::scc_begin(&start); !scc.isAtEnd(); ++scc)
      if (scc.hasCycle()) {
        ++count;
        for (Callable *node : *scc)
          node->cycle = count;
      }
  }

  void checkRuns(Operation *arena) {
    if (Operation *around = findConcurrency(arena)) {
      InFlightDiagnostic diag = error(arena);
      diag << "is one variable of the module, but may be in use more than once "
              "at a time";
      diag.attachNote(around->getLoc()) << "by way of this op";
      return;
    }
    auto function = arena->getParentOfType<FunctionOpInterface>();
    const Callable *node = nodeOf.lookup(function);
    if (!node)
      return;
    if (node->cycle != 0) {
      InFlightDiagnostic diag = error(arena);
      diag << "is one variable of the module, but @" << function.getName()
           << " may be called again before it returns";
      for (auto [callee, naming] : llvm::zip(node->callees, node->namings))
        if (callee->cycle == node->cycle) {
          diag.attachNote(naming->getLoc())
              << "this leads to @" << function.getName();
          return;
        }
      return;
    }
    if (!node->cause)
      return;
    InFlightDiagnostic diag = error(arena);
    diag << "is one variable of the module, but @" << function.getName()
         << " may run more than once at a time";
    Diagnostic &note = diag.attachNote(node->cause->culprit->getLoc());
    note << "@" << node->cause->function.getName();
    if (node->cause != node)
      note << ", which leads to @" << function.getName() << ",";
    note << " " << node->cause->reason;
  }

  SymbolTableCollection symbols;
  /// In the order of the functions.
  std::vector<Operation *> arenas;
  /// By variable, the first op that is an arena in it.
  llvm::DenseMap<Operation *, Operation *> arenaOf;
  std::vector<std::unique_ptr<Callable>> nodes;
  llvm::DenseMap<Operation *, Callable *> nodeOf;
};

} // namespace

LogicalResult
memplan::verifier::checkGlobalArenas(ArrayRef<FunctionOpInterface> functions,
                                     Operation *root) {
  return GlobalArenas().run(functions, root);
}
