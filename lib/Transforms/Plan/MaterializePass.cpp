//===- MaterializePass.cpp - The memplan-materialize pass -----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/ProblemIR.h"
#include "memplan/Core/Verify.h"
#include "memplan/Transforms/Materialize.h"
#include "memplan/Transforms/Passes.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANMATERIALIZE
#include "memplan/Transforms/Passes.h.inc"
} // namespace memplan

using namespace memplan;

namespace {

/// The solution of one function, as its problem ops state it.
struct StatedPlan {
  SmallVector<ProblemOp> problems;
  llvm::StringMap<BufferOp> buffers;
};

struct MaterializePass
    : memplan::impl::MemplanMaterializeBase<MaterializePass> {
  using MemplanMaterializeBase::MemplanMaterializeBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    MemplanMaterializeBase::getDependentDialects(registry);
    registerAliasInterfaces(registry);
  }

  void runOnOperation() override {
    ModuleAliases aliases(getOperation(), calleeTrust);
    // All functions are checked before the first is rewritten.
    std::vector<FunctionProblem> ready;
    SmallVector<ProblemOp> used;
    for (FunctionOpInterface function : aliases.getFunctions()) {
      StatedPlan stated = findPlan(function);
      if (stated.problems.empty())
        continue;
      FunctionProblem problem;
      if (failed(adopt(function, aliases, stated, problem)))
        return signalPassFailure();
      used.append(stated.problems);
      ready.push_back(std::move(problem));
    }
    if (failed(checkNoneLeft(used)))
      return signalPassFailure();
    for (FunctionProblem &problem : ready)
      materialize(problem, aliases.getOrder(problem.function));
    for (ProblemOp op : used)
      op.erase();
  }

  /// A problem of a function beside it that does not stand right before it
  /// would be passed over silently.
  LogicalResult checkNoneLeft(ArrayRef<ProblemOp> used) {
    llvm::DenseSet<Operation *> adopted;
    for (ProblemOp op : used)
      adopted.insert(op);
    WalkResult walk = getOperation()->walk([&](ProblemOp op) {
      if (adopted.contains(op))
        return WalkResult::advance();
      for (auto function : op->getBlock()->getOps<FunctionOpInterface>())
        if (function.getName() == op.getFunction()) {
          op.emitError() << "does not stand right before @" << op.getFunction();
          return WalkResult::interrupt();
        }
      return WalkResult::advance();
    });
    return failure(walk.wasInterrupted());
  }

  /// The problems of a function stand right before it.
  static StatedPlan findPlan(FunctionOpInterface function) {
    StatedPlan stated;
    for (Operation *op = function->getPrevNode();
         auto problem = dyn_cast_or_null<ProblemOp>(op);
         op = op->getPrevNode()) {
      if (problem.getFunction() != function.getName())
        break;
      stated.problems.push_back(problem);
      for (BufferOp buffer : problem.getBody().front().getOps<BufferOp>())
        stated.buffers[buffer.getSymName()] = buffer;
    }
    return stated;
  }

  /// Derives the function's problem anew and takes the stated offsets, provided
  /// that the statement is about this program.
  LogicalResult adopt(FunctionOpInterface function,
                      const ModuleAliases &aliases, StatedPlan &stated,
                      FunctionProblem &problem) {
    PlanningOptions options;
    options.alignment = 1;
    problem = buildFunctionProblem(function, aliases, options);
    if (problem.isInvalid)
      return failure();
    if (problem.alreadyPlanned)
      return function.emitError()
             << "@" << function.getName() << " has an arena already";
    size_t taken = 0;
    for (ArenaProblem &arena : problem.arenas) {
      if (arena.records.empty())
        continue;
      if (failed(adoptArena(function, stated, problem, arena)))
        return failure();
      taken += arena.records.size();
    }
    if (taken != stated.buffers.size())
      return stated.problems.front().emitError()
             << "is stale: it states " << stated.buffers.size()
             << " buffers but @" << function.getName() << " has " << taken
             << " to plan";
    return success();
  }

  LogicalResult adoptArena(FunctionOpInterface function, StatedPlan &stated,
                           FunctionProblem &problem, ArenaProblem &arena) {
    ProblemOp op;
    llvm::DenseMap<Operation *, int64_t> alignments;
    Plan &plan = arena.plan;
    for (auto [place, buffer] : llvm::enumerate(arena.problem.buffers)) {
      const BufferRecord &leader = problem.buffers[arena.records[place]];
      auto it = stated.buffers.find(buffer.id);
      if (it == stated.buffers.end())
        return leader.allocation->emitError()
               << "has no buffer in the problem of @" << function.getName();
      BufferOp entry = it->second;
      auto parent = cast<ProblemOp>(entry->getParentOp());
      if (parent.getMemorySpaceAttr() != arena.memorySpace)
        return entry.emitError() << "is stated for another memory space";
      if (op && op != parent)
        return entry.emitError() << "is stated apart from the other buffers of "
                                    "its memory space";
      op = parent;
      if (!entry.getOffset())
        return entry.emitError() << "has no offset; solve the problem first";
      if (!describesBuffer(entry, buffer))
        return entry.emitError()
               << "is stale: the program has changed since the problem was "
                  "extracted";
      buffer.alignment =
          std::max(buffer.alignment, static_cast<int64_t>(entry.getAlign()));
      alignments[entry] = buffer.alignment;
      plan.offsets.push_back(static_cast<int64_t>(*entry.getOffset()));
      plan.arenaSize =
          std::max(plan.arenaSize, plan.offsets.back() + buffer.size);
    }
    for (auto [index, place] : arena.placements) {
      BufferRecord &record = problem.buffers[index];
      record.alignment = arena.problem.buffers[place].alignment;
      if (nameOf(record) != arena.problem.buffers[place].id)
        return record.allocation->emitError()
               << "names buffer '" << nameOf(record) << "' but belongs to '"
               << arena.problem.buffers[place].id << "'";
    }
    arena.problem.arenaAlignment =
        std::max(arena.problem.arenaAlignment, op.getArenaAlignment());
    plan.status = PlanStatus::Feasible;
    return verifyStated(op, alignments, arena);
  }

  /// Verifies the offsets as the problem states them, its conflicts, permitted
  /// overlaps and capacity included. Its buffers need not be in the order of
  /// the program.
  static LogicalResult
  verifyStated(ProblemOp op,
               const llvm::DenseMap<Operation *, int64_t> &aligned,
               const ArenaProblem &arena) {
    SmallVector<BufferOp> entries;
    Problem problem = readProblem(op, &entries);
    problem.arenaAlignment = arena.problem.arenaAlignment;
    Plan plan;
    plan.status = arena.plan.status;
    plan.arenaSize = arena.plan.arenaSize;
    for (auto [buffer, entry] : llvm::zip_equal(problem.buffers, entries)) {
      buffer.alignment = std::max(buffer.alignment, aligned.lookup(entry));
      plan.offsets.push_back(
          static_cast<int64_t>(entry.getOffset().value_or(0)));
    }
    for (const Issue &issue : verify(problem, plan, 1)) {
      InFlightDiagnostic error = op.emitError()
                                 << "states a wrong plan: " << issue.message;
      for (BufferIndex buffer : issue.buffers)
        error.attachNote(entries[buffer].getLoc())
            << "@" << entries[buffer].getSymName() << " is stated here";
      return error;
    }
    return success();
  }

  static StringRef nameOf(const BufferRecord &record) {
    if (auto attr = record.allocation->getAttrOfType<StringAttr>(
            MemplanDialect::kBufferAttr))
      return attr.getValue();
    return record.name;
  }

  static bool describesBuffer(BufferOp entry, const Buffer &buffer) {
    ArrayRef<int64_t> points = entry.getLive();
    if (static_cast<int64_t>(entry.getSize()) != buffer.size ||
        points.size() != 2 * buffer.ranges.size())
      return false;
    for (auto [i, range] : llvm::enumerate(buffer.ranges))
      if (points[2 * i] != range.start || points[2 * i + 1] != range.end)
        return false;
    return true;
  }
};
} // namespace
