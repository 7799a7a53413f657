//===- PlaceArenas.cpp - Heap, stack, argument or global ------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan/PlaceArenas.h"

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
/// Which functions may be active more than once at a time, for one variable of
/// the module would not do then.
class Reentrance {
public:
  explicit Reentrance(const ModuleAliases &aliases) : aliases(aliases) {
    // Callers last, so that what they call is known.
    for (ArrayRef<FunctionOpInterface> group : aliases.getCalleeFirstOrder())
      for (FunctionOpInterface function : group)
        findUnknownCallees(function);
    // Callers first, as what runs at once hands it on to its callees.
    for (ArrayRef<FunctionOpInterface> group :
         llvm::reverse(aliases.getCalleeFirstOrder()))
      for (FunctionOpInterface function : group)
        findConcurrentCallees(function);
  }

  /// Why the function may be active twice, as a predicate; empty if it is not.
  /// Callers outside of the module are not known.
  std::string find(FunctionOpInterface function) const {
    if (aliases.isRecursive(function))
      return "is recursive";
    if (Operation *call = concurrent.lookup(function))
      return "is called by '" + call->getName().getStringRef().str() + "' at " +
             describeLocation(call->getLoc()) +
             ", where calls may run at the same time";
    if (Operation *call = unknown.lookup(function);
        call && aliases.getTrust() == CalleeTrust::None)
      return "calls what may call it in turn, at " +
             describeLocation(call->getLoc());
    return "";
  }

private:
  /// The functions with a body that the call may be of.
  SmallVector<FunctionOpInterface> findCallees(CallOpInterface call) const {
    if (auto direct = dyn_cast<func::CallOp>(call.getOperation())) {
      if (FunctionOpInterface callee = aliases.getCallee(direct);
          callee && !callee.isExternal())
        return {callee};
      return {};
    }
    if (auto indirect = dyn_cast<func::CallIndirectOp>(call.getOperation()))
      return llvm::to_vector(aliases.getIndirectCallees(indirect));
    return {};
  }

  void findUnknownCallees(FunctionOpInterface function) {
    function.getFunctionBody().walk([&](CallOpInterface call) {
      SmallVector<FunctionOpInterface> callees = findCallees(call);
      bool isUnknown =
          callees.empty() || !isa<func::CallOp>(call.getOperation()) ||
          llvm::any_of(callees,
                       [&](Operation *op) { return unknown.contains(op); });
      if (isUnknown)
        unknown.try_emplace(function, call);
    });
  }

  /// True if the op, or one around it, may be executed while it is executed.
  static bool mayRunAtOnce(Operation *op, const ProgramOrder &order) {
    if (order.isInsideOpaque(op))
      return true;
    for (; op && !isa<FunctionOpInterface>(op); op = op->getParentOp())
      if (op->hasAttr(MemplanDialect::kStepAttr) ||
          op->hasAttr(MemplanDialect::kStreamAttr))
        return true;
    return false;
  }

  void findConcurrentCallees(FunctionOpInterface function) {
    const ProgramOrder &order = aliases.getOrder(function);
    Operation *inherited = concurrent.lookup(function);
    bool isCoroutine = findCoroutine(order) != nullptr;
    function.getFunctionBody().walk([&](CallOpInterface call) {
      bool here = isCoroutine || mayRunAtOnce(call, order);
      if (here || inherited)
        for (FunctionOpInterface callee : findCallees(call))
          concurrent.try_emplace(callee, here ? call : inherited);
    });
  }

  const ModuleAliases &aliases;
  /// The call that shows it, the first in the order of the module.
  llvm::DenseMap<Operation *, Operation *> concurrent, unknown;
};

class ArenaPlacer {
public:
  ArenaPlacer(MutableArrayRef<FunctionProblem> problems,
              const ModuleAliases &aliases, const PlacementOptions &options)
      : problems(problems), aliases(aliases), options(options) {
    for (FunctionProblem &problem : problems)
      problemOf[problem.function] = &problem;
    bool hasGlobals = options.placement == ArenaPlacement::Global;
    for (const auto &entry : options.bySpace)
      hasGlobals |= entry.second == ArenaPlacement::Global;
    if (hasGlobals)
      reentrance.emplace(aliases);
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
    auto own = options.bySpace.find(formatSpace(arena.memorySpace));
    switch (own == options.bySpace.end() ? options.placement : own->second) {
    case ArenaPlacement::Alloc:
      return success();
    case ArenaPlacement::Alloca:
      if (wasOnStack)
        return success();
      reason = findStackProblem(arena);
      if (reason.empty())
        arena.memory = ArenaMemory::Stack;
      break;
    case ArenaPlacement::Argument:
      reason = findArgumentProblem(problem);
      break;
    case ArenaPlacement::Global:
      reason = reentrance->find(problem.function);
      if (isa_and_present<GpuAllocAttr>(arena.memorySpace))
        reason = "gpu.alloc allocates it, and no variable of the host";
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

  std::string findStackProblem(const ArenaProblem &arena) const {
    if (arena.memorySpace)
      return "it is in memory space " + describeSpace(arena.memorySpace) +
             ", whose stack is not known";
    if (arena.plan.arenaSize > options.allocaLimit)
      return "it has " + std::to_string(arena.plan.arenaSize) +
             " bytes and alloca-limit is " +
             std::to_string(options.allocaLimit);
    return "";
  }

  /// Why the arena of the function is no argument.
  std::string findArgumentProblem(const FunctionProblem &problem) {
    auto function =
        dyn_cast<func::FuncOp>(FunctionOpInterface(problem.function));
    if (!function || !users.findCallsInModule(function))
      return "the symbol of its function is used other than by func.call";
    if (aliases.isRecursive(problem.function))
      return "its function is recursive";
    return "its function is called where no memory can be handed in";
  }

  LogicalResult tell(const FunctionProblem &problem, const ArenaProblem &arena,
                     const std::string &reason) const {
    FunctionOpInterface function = problem.function;
    std::string text = "arena of @" + function.getName().str() +
                       " in memory space " + describeSpace(arena.memorySpace) +
                       " is not placed as asked: " + reason;
    if (options.isRequired)
      return emitError(function.getLoc()) << text;
    remark::missed(function.getLoc(), remark::RemarkOpts::name("ArenaNotPlaced")
                                          .category("plan-memory")
                                          .function(function.getName()))
        << text;
    return success();
  }

  /// True if every buffer of the arena was on the stack, those of callees and
  /// workers in it included.
  bool isAllOnStack(const FunctionProblem &problem, const ArenaProblem &arena) {
    if (auto it = onStack.find(&arena); it != onStack.end())
      return it->second;
    bool all = llvm::all_of(arena.placements, [&](const auto &placement) {
      const BufferRecord &record = problem.buffers[placement.first];
      if (!record.frame)
        return getStorage(record.allocation) == BufferStorage::Stack;
      const FunctionProblem *inner =
          record.workers ? &record.workers->problem
                         : problemOf.lookup(aliases.getCallee(
                               cast<func::CallOp>(record.allocation)));
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
  const PlacementOptions &options;
  llvm::DenseMap<Operation *, const FunctionProblem *> problemOf;
  std::optional<Reentrance> reentrance;
  SymbolUsers users;
  /// What isAllOnStack has found.
  llvm::DenseMap<const ArenaProblem *, bool> onStack;
};
} // namespace

FailureOr<PlacementOptions>
memplan::makePlacementOptions(Location loc, ArenaPlacement placement,
                              ArrayRef<std::string> spaceArenas,
                              int64_t allocaLimit, bool isRequired) {
  PlacementOptions options{placement, {}, allocaLimit, isRequired};
  if (!spaceArenas.empty() && placement == ArenaPlacement::Argument)
    return emitError(loc) << "space-arenas means nothing with arena=argument, "
                             "which is for all memory spaces";
  for (StringRef entry : spaceArenas) {
    auto [space, name] = entry.rsplit(':');
    auto wanted = llvm::StringSwitch<std::optional<ArenaPlacement>>(name)
                      .Case("alloc", ArenaPlacement::Alloc)
                      .Case("alloca", ArenaPlacement::Alloca)
                      .Case("global", ArenaPlacement::Global)
                      .Default(std::nullopt);
    if (space.empty() || !wanted)
      return emitError(loc) << "'" << entry
                            << "' names no memory space and one of alloc, "
                               "alloca and global, such as 1:global";
    if (!options.bySpace.try_emplace(space == "0" ? "" : space, *wanted).second)
      return emitError(loc)
             << "space-arenas names memory space " << space << " twice";
  }
  return options;
}

LogicalResult memplan::placeArenas(MutableArrayRef<FunctionProblem> problems,
                                   const ModuleAliases &aliases,
                                   const PlacementOptions &options) {
  return ArenaPlacer(problems, aliases, options).run();
}
