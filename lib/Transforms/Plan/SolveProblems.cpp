//===- SolveProblems.cpp - Solve the problems of a module -----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan/SolveProblems.h"

#include "memplan/Analysis/ParallelFrames.h"
#include "memplan/Transforms/SolveHook.h"

#include <map>

using namespace mlir;
using namespace memplan;

namespace {
/// Plans problems in an order in which frames come before the problems that
/// they are buffers of.
class ProblemPlanner {
public:
  ProblemPlanner(llvm::function_ref<bool(ProblemOp)> isChosen,
                 llvm::function_ref<LogicalResult(ProblemOp)> plan)
      : isChosen(isChosen), plan(plan) {}

  LogicalResult run(Operation *root) {
    SmallVector<ProblemOp> problems;
    root->walk([&](ProblemOp op) {
      problems.push_back(op);
      byKey[getKey(op->getBlock(), op.getFunction(), op.getLoop(),
                   op.getMemorySpaceAttr())] = op;
    });
    LogicalResult result = success();
    for (ProblemOp op : problems)
      if (failed(planWithFrames(op)))
        result = failure();
    return result;
  }

private:
  /// For lookups only: its order depends on addresses.
  using Key = std::tuple<Block *, std::string, int64_t, const void *>;
  enum class State { Entered, Solved, Failed };

  static Key getKey(Block *block, StringRef function,
                    std::optional<uint64_t> loop, Attribute space) {
    return {block, function.str(),
            loop ? static_cast<int64_t>(*loop) : int64_t(-1),
            space.getAsOpaquePointer()};
  }

  /// The problem whose arena the buffer stands for; null if the buffer is not a
  /// frame, or if there is no such problem.
  ProblemOp findFrame(ProblemOp op, BufferOp buffer) const {
    if (!buffer.getFrameOf())
      return nullptr;
    auto it = byKey.find(getKey(op->getBlock(), *buffer.getFrameOf(),
                                buffer.getLoop(), op.getMemorySpaceAttr()));
    return it == byKey.end() ? nullptr : it->second;
  }

  /// Plans the problems of the frames first, then the problem.
  LogicalResult planWithFrames(ProblemOp first) {
    SmallVector<ProblemOp> pending{first};
    while (!pending.empty()) {
      ProblemOp op = pending.back();
      auto [it, isNew] = states.try_emplace(op, State::Entered);
      if (!isNew && it->second != State::Entered) {
        pending.pop_back();
        continue;
      }
      SmallVector<ProblemOp> missing;
      for (BufferOp buffer : op.getBody().front().getOps<BufferOp>())
        if (ProblemOp frame = findFrame(op, buffer)) {
          auto state = states.find(frame);
          if (state == states.end()) {
            missing.push_back(frame);
          } else if (state->second == State::Entered) {
            states[op] = State::Failed;
            return buffer.emitError() << "is a frame of a problem that has a "
                                         "frame of this one";
          }
        }
      if (!missing.empty()) {
        llvm::append_range(pending, llvm::reverse(missing));
        continue;
      }
      pending.pop_back();
      bool isPlanned = isChosen(op)
                           ? succeeded(setFrameSizes(op)) && succeeded(plan(op))
                           : succeeded(setKnownFrameSizes(op));
      states[op] = isPlanned ? State::Solved : State::Failed;
    }
    return success(states.lookup(first) == State::Solved);
  }

  /// Sets the sizes of the frames of a problem. Fails if a frame has no plan.
  LogicalResult setFrameSizes(ProblemOp op) {
    for (BufferOp buffer : op.getBody().front().getOps<BufferOp>()) {
      if (!buffer.getFrameOf())
        continue;
      ProblemOp frame = findFrame(op, buffer);
      if (!frame)
        return buffer.emitError()
               << "is a frame of @" << *buffer.getFrameOf()
               << ", which has no such problem in this memory space";
      // The problem of the frame has emitted an error.
      if (states.lookup(frame) != State::Solved)
        return failure();
      if (!frame.getArenaSize())
        return buffer.emitError() << "is a frame of @" << *buffer.getFrameOf()
                                  << ", whose problem has no plan yet";
      if (failed(setFrameSize(buffer, frame)))
        return failure();
    }
    return success();
  }

  /// Sets the sizes of frames that have a plan, in a problem that has none, so
  /// that the problem can be written out for another solver.
  LogicalResult setKnownFrameSizes(ProblemOp op) {
    if (op.getStatus())
      return success();
    for (BufferOp buffer : op.getBody().front().getOps<BufferOp>())
      if (ProblemOp frame = findFrame(op, buffer);
          frame && frame.getArenaSize() && failed(setFrameSize(buffer, frame)))
        return failure();
    return success();
  }

  /// Sets the size and alignment of a buffer from the plan of its frame.
  static LogicalResult setFrameSize(BufferOp buffer, ProblemOp frame) {
    int64_t size = static_cast<int64_t>(*frame.getArenaSize());
    if (buffer.getLoop()) {
      int64_t times = static_cast<int64_t>(buffer.getTimes().value_or(1));
      std::optional<int64_t> stride =
          getFrameStride(size, frame.getArenaAlignment(), times);
      if (!stride)
        return buffer.emitError() << "needs more bytes for " << times
                                  << " frames than can be planned";
      size = *stride * times;
    }
    buffer.setSize(size);
    if (static_cast<int64_t>(buffer.getAlign()) < frame.getArenaAlignment())
      buffer.setAlign(frame.getArenaAlignment());
    return success();
  }

  llvm::function_ref<bool(ProblemOp)> isChosen;
  llvm::function_ref<LogicalResult(ProblemOp)> plan;
  std::map<Key, ProblemOp> byKey;
  llvm::DenseMap<Operation *, State> states;
};
} // namespace

LogicalResult
memplan::planProblems(Operation *root,
                      llvm::function_ref<bool(ProblemOp)> isChosen,
                      llvm::function_ref<LogicalResult(ProblemOp)> plan) {
  return ProblemPlanner(isChosen, plan).run(root);
}

LogicalResult memplan::solveProblems(Operation *root,
                                     const SolveOptions &options,
                                     SolvedPlans *plans, ExplainFn explain) {
  auto solve = [&](ProblemOp op) -> LogicalResult {
    SmallVector<BufferOp> buffers;
    Problem problem = readProblem(op, &buffers);
    Plan plan = SolveHook::solve(problem, options);
    if (failed(checkPlan(op, buffers, problem, plan, explain)))
      return failure();
    writePlan(op, buffers, plan);
    if (plans)
      (*plans)[op] = std::move(plan);
    return success();
  };
  return planProblems(root, [](ProblemOp) { return true; }, solve);
}
