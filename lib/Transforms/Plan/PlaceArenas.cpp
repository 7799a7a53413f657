//===- PlaceArenas.cpp - Place arenas in memory ---------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan/PlaceArenas.h"
#include "memplan/Analysis/Steps.h"

#include "Interprocedural/SymbolUsers.h"
#include "memplan/Analysis/Describe.h"
#include "memplan/Analysis/ParallelFrames.h"
#include "memplan/IR/BufferAllocation.h"
#include "memplan/Transforms/DescribePlan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/CallInterfaces.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace memplan;

namespace {
/// Finds the functions that may be active more than once at a time: their arena
/// cannot be one global variable. Follows the func.calls of func.funcs; any
/// other use of a function's symbol may call it at any time.
class Reentrance {
public:
  Reentrance(const ModuleAliases &aliases, SymbolUsers &users)
      : aliases(aliases) {
    Edges callers, callees;
    for (FunctionOpInterface function : aliases.getFunctions()) {
      const ProgramOrder &order = aliases.getOrder(function);
      bool isCoroutine = findCoroutine(order) != nullptr;
      function.getFunctionBody().walk([&](CallOpInterface call) {
        auto direct = dyn_cast<func::CallOp>(call.getOperation());
        FunctionOpInterface callee =
            direct ? aliases.getCallee(direct) : FunctionOpInterface();
        if (!callee || callee.isExternal()) {
          add(unknown, function,
              "calls a function that may call it back, at " +
                  describeLocation(call->getLoc()));
          return;
        }
        callees[function].push_back(callee);
        callers[callee].push_back(function);
        if (isCoroutine || mayRunAtOnce(call, order))
          add(atOnce, callee,
              describeCall(direct) + ", where calls may run at the same time");
      });
      addOtherUses(function, users);
    }
    spread(atOnce, callees);
    spread(unknown, callers);
  }

  /// The reason why the function may be active twice, as a predicate; empty if
  /// it cannot be. Assumes that callers outside of the module do not do it.
  std::string find(FunctionOpInterface function) const {
    if (aliases.isRecursive(function))
      return "is recursive";
    if (auto it = atOnce.find(function); it != atOnce.end()) {
      FunctionOpInterface first = it->second.function;
      if (first == function)
        return it->second.reason;
      return "is reached from @" + first.getName().str() + ", which " +
             it->second.reason;
    }
    if (auto it = unknown.find(function);
        it != unknown.end() && aliases.getTrust() == CalleeTrust::None)
      return it->second.reason;
    return "";
  }

private:
  /// A reason, as a predicate, and the function that it is about.
  struct Cause {
    FunctionOpInterface function;
    std::string reason;
  };
  using Causes = llvm::DenseMap<Operation *, Cause>;
  using Edges =
      llvm::DenseMap<Operation *, SmallVector<FunctionOpInterface, 2>>;

  static void add(Causes &causes, FunctionOpInterface function,
                  const std::string &reason) {
    causes.try_emplace(function, Cause{function, reason});
  }

  /// Propagates the causes along the edges.
  void spread(Causes &causes, const Edges &edges) const {
    SmallVector<FunctionOpInterface> reached;
    for (FunctionOpInterface function : aliases.getFunctions())
      if (causes.contains(function))
        reached.push_back(function);
    for (size_t i = 0; i < reached.size(); ++i) {
      auto next = edges.find(reached[i]);
      if (next == edges.end())
        continue;
      Cause cause = causes.lookup(reached[i]);
      for (FunctionOpInterface function : next->second)
        if (causes.try_emplace(function, cause).second)
          reached.push_back(function);
    }
  }

  /// True if two executions of the op, or the op and others of its step, may
  /// run at the same time.
  static bool mayRunAtOnce(Operation *op, const ProgramOrder &order) {
    if (order.isInsideOpaque(op))
      return true;
    for (; op && !isa<FunctionOpInterface>(op); op = op->getParentOp())
      if (isInStep(op))
        return true;
    return false;
  }

  static std::string describeCall(func::CallOp call) {
    return "is called by '" + call->getName().getStringRef().str() + "' at " +
           describeLocation(call->getLoc());
  }

  /// Adds the uses of the function's symbol that are not a func.call in a
  /// func.func.
  void addOtherUses(FunctionOpInterface function, SymbolUsers &users) {
    auto calls = users.findCallsOfSymbol(function);
    if (!calls)
      return add(atOnce, function, "may be named other than by 'func.call'");
    for (func::CallOp call : *calls) {
      Operation *caller = call->getParentOp();
      if (auto around = call->getParentOfType<FunctionOpInterface>())
        caller = around;
      if (!isa<func::FuncOp>(caller))
        add(atOnce, function,
            describeCall(call) + " in '" +
                caller->getName().getStringRef().str() +
                "', whose callers are not followed");
    }
  }

  const ModuleAliases &aliases;
  /// Functions that may run at the same time as themselves.
  Causes atOnce;
  /// Functions that may be called back by a callee without a body.
  Causes unknown;
};

class ArenaPlacer {
public:
  ArenaPlacer(MutableArrayRef<FunctionProblem> problems,
              const ModuleAliases &aliases, const ArenaPlaces &places,
              bool isRequired)
      : problems(problems), aliases(aliases), places(places),
        isRequired(isRequired) {
    for (FunctionProblem &problem : problems)
      problemOf[problem.function] = &problem;
    bool hasGlobals = places.placement == ArenaPlacement::Global;
    for (const auto &entry : places.bySpace)
      hasGlobals |= entry.second == ArenaPlacement::Global;
    if (hasGlobals)
      reentrance.emplace(aliases, users);
  }

  LogicalResult run() {
    LogicalResult result = success();
    for (FunctionProblem &problem : problems)
      for (ArenaProblem &arena : problem.arenas)
        if (!arena.records.empty() && !problem.isFrame &&
            failed(place(problem, arena)))
          result = failure();
    return result;
  }

private:
  LogicalResult place(FunctionProblem &problem, ArenaProblem &arena) {
    bool wasOnStack = isAllOnStack(problem, arena);
    if (wasOnStack)
      arena.memory = ArenaMemory::Stack;
    std::string reason;
    bool isConstant = !hasFormulas(arena.problem);
    auto own = places.bySpace.find(formatSpace(arena.memorySpace));
    switch (own == places.bySpace.end() ? places.placement : own->second) {
    case ArenaPlacement::Alloc:
      return success();
    case ArenaPlacement::Alloca:
      if (wasOnStack)
        return success();
      reason = isConstant ? findStackProblem(arena) : kNoSize;
      if (reason.empty())
        arena.memory = ArenaMemory::Stack;
      break;
    case ArenaPlacement::Argument:
      reason = findArgumentProblem(problem);
      if (reason == kCalled && !isConstant)
        reason = "its size is known only when the program runs, and its "
                 "function is called";
      break;
    case ArenaPlacement::Global:
      reason = reentrance->find(problem.function);
      if (saysWhatMemoryItUses(problem.function))
        reason = kSaysMemory;
      else if (isa_and_present<GpuAllocAttr>(arena.memorySpace))
        reason = "gpu.alloc allocates it, and no variable of the host";
      else if (reason.empty() && !isConstant)
        reason = kNoSize;
      else if (reason.empty())
        arena.memory = ArenaMemory::Global;
      else
        reason = "its function " + reason;
      break;
    }
    if (reason.empty())
      return success();
    return tell(problem, arena, reason);
  }

  static constexpr const char *kCalled =
      "its function is called where no memory can be handed in";
  static constexpr const char *kSaysMemory =
      "an attribute of its function says what memory it uses";
  /// Why an arena of no constant size is not placed as asked.
  static constexpr const char *kNoSize =
      "its size is known only when the program runs";

  std::string findStackProblem(const ArenaProblem &arena) const {
    if (arena.memorySpace)
      return "it is in memory space " + describeSpace(arena.memorySpace) +
             ", whose stack is not known";
    if (arena.plan.arenaSize > places.stackLimit)
      return "it has " + std::to_string(arena.plan.arenaSize) +
             " bytes, and the limit of arenas on the stack is " +
             std::to_string(places.stackLimit);
    return "";
  }

  /// The reason why the arena of the function is not an argument.
  std::string findArgumentProblem(const FunctionProblem &problem) {
    auto function =
        dyn_cast<func::FuncOp>(FunctionOpInterface(problem.function));
    if (function && users.hasUnknownUses(function))
      return "the module has an op that is not registered and may use the "
             "symbol of its function";
    if (function && saysWhatMemoryItUses(function))
      return kSaysMemory;
    if (!function || !users.findCallsInModule(function))
      return "the symbol of its function is used other than by func.call";
    if (aliases.isRecursive(problem.function))
      return "its function is recursive";
    return kCalled;
  }

  LogicalResult tell(const FunctionProblem &problem, const ArenaProblem &arena,
                     const std::string &reason) const {
    FunctionOpInterface function = problem.function;
    std::string text = "arena of @" + function.getName().str() +
                       " in memory space " + describeSpace(arena.memorySpace) +
                       " is not placed as asked: " + reason;
    if (isRequired)
      return emitError(function.getLoc()) << text;
    remark::missed(function.getLoc(), remark::RemarkOpts::name("ArenaNotPlaced")
                                          .category("plan-memory")
                                          .function(function.getName()))
        << text;
    return success();
  }

  /// True if every buffer of the arena was on the stack, including the buffers
  /// of callees and workers inside it.
  bool isAllOnStack(const FunctionProblem &problem, const ArenaProblem &arena) {
    if (auto it = onStack.find(&arena); it != onStack.end())
      return it->second;
    bool all = llvm::all_of(arena.placements, [&](const auto &placement) {
      const BufferRecord &record = problem.buffers[placement.first];
      // Results have memory of their own.
      if (llvm::is_contained(arena.lenders, placement.second))
        return true;
      if (!record.frame)
        return getStorage(record.origin) == BufferStorage::Stack;
      const FunctionProblem *inner =
          record.workers ? &record.workers->problem
                         : problemOf.lookup(aliases.getCallee(
                               cast<func::CallOp>(record.origin)));
      if (!inner)
        return false;
      return llvm::all_of(inner->arenas, [&](const ArenaProblem &other) {
        return other.memorySpace != arena.memorySpace ||
               isAllOnStack(*inner, other);
      });
    });
    return onStack[&arena] = all;
  }

  MutableArrayRef<FunctionProblem> problems;
  const ModuleAliases &aliases;
  const ArenaPlaces &places;
  bool isRequired;
  llvm::DenseMap<Operation *, const FunctionProblem *> problemOf;
  std::optional<Reentrance> reentrance;
  SymbolUsers users;
  /// Results of isAllOnStack.
  llvm::DenseMap<const ArenaProblem *, bool> onStack;
};
} // namespace

LogicalResult memplan::placeArenas(MutableArrayRef<FunctionProblem> problems,
                                   const ModuleAliases &aliases,
                                   const ArenaPlaces &places, bool isRequired) {
  return ArenaPlacer(problems, aliases, places, isRequired).run();
}
