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

#include "mlir/IR/Threading.h"

#include <map>

using namespace mlir;
using namespace memplan;

namespace {
/// Plans problems in an order in which frames come before the problems that
/// they are buffers of.
class ProblemPlanner {
public:
  ProblemPlanner(llvm::function_ref<bool(ProblemOp)> isChosen,
                 llvm::function_ref<void(ArrayRef<ProblemOp>)> prepare,
                 llvm::function_ref<LogicalResult(ProblemOp)> plan)
      : isChosen(isChosen), prepare(prepare), plan(plan) {}

  LogicalResult run(Operation *root) {
    SmallVector<ProblemOp> problems;
    root->walk([&](ProblemOp op) {
      problems.push_back(op);
      byKey[getKey(op->getBlock(), op.getFunction(), op.getLoop(),
                   op.getMemorySpaceAttr())] = op;
    });
    SmallVector<ProblemOp> pending;
    for (ProblemOp op : problems)
      sortFramesFirst(op, pending);
    while (!pending.empty())
      planReady(pending);
    return success(llvm::all_of(problems, [&](ProblemOp op) {
      return states.lookup(op) == State::Solved;
    }));
  }

private:
  /// For lookups only: its order depends on addresses.
  using Key = std::tuple<Block *, std::string, int64_t, const void *>;
  enum class State { Entered, Sorted, Solved, Failed };

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

  /// Appends the problem to `sorted`, behind the problems of its frames. A
  /// problem that has a frame of itself fails.
  void sortFramesFirst(ProblemOp first, SmallVectorImpl<ProblemOp> &sorted) {
    SmallVector<ProblemOp> open{first};
    while (!open.empty()) {
      ProblemOp op = open.back();
      auto [it, isNew] = states.try_emplace(op, State::Entered);
      if (!isNew && it->second != State::Entered) {
        open.pop_back();
        continue;
      }
      SmallVector<ProblemOp> missing;
      bool hasFailed = false;
      for (BufferOp buffer : op.getBody().front().getOps<BufferOp>())
        if (ProblemOp frame = findFrame(op, buffer)) {
          auto state = states.find(frame);
          if (state == states.end()) {
            missing.push_back(frame);
          } else if (state->second == State::Entered) {
            buffer.emitError() << "is a frame of a problem that has a "
                                  "frame of this one";
            hasFailed = true;
            break;
          }
        }
      if (!hasFailed && !missing.empty()) {
        llvm::append_range(open, llvm::reverse(missing));
        continue;
      }
      open.pop_back();
      states[op] = hasFailed ? State::Failed : State::Sorted;
      if (!hasFailed)
        sorted.push_back(op);
    }
  }

  /// Plans the problems of `pending` whose frames all have been planned, or
  /// have failed, and removes them.
  void planReady(SmallVectorImpl<ProblemOp> &pending) {
    SmallVector<ProblemOp> ready, later, chosen;
    for (ProblemOp op : pending) {
      bool waits = llvm::any_of(
          op.getBody().front().getOps<BufferOp>(), [&](BufferOp buffer) {
            ProblemOp frame = findFrame(op, buffer);
            return frame && states.lookup(frame) == State::Sorted;
          });
      (waits ? later : ready).push_back(op);
    }
    for (ProblemOp op : ready) {
      bool isPlanned = isChosen(op);
      LogicalResult sizes =
          isPlanned ? setFrameSizes(op) : setKnownFrameSizes(op);
      if (isPlanned && succeeded(sizes))
        chosen.push_back(op);
      else
        states[op] = succeeded(sizes) ? State::Solved : State::Failed;
    }
    if (prepare)
      prepare(chosen);
    for (ProblemOp op : chosen)
      states[op] = succeeded(plan(op)) ? State::Solved : State::Failed;
    pending = std::move(later);
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
  llvm::function_ref<void(ArrayRef<ProblemOp>)> prepare;
  llvm::function_ref<LogicalResult(ProblemOp)> plan;
  std::map<Key, ProblemOp> byKey;
  llvm::DenseMap<Operation *, State> states;
};
} // namespace

LogicalResult
memplan::planProblems(Operation *root,
                      llvm::function_ref<bool(ProblemOp)> isChosen,
                      llvm::function_ref<LogicalResult(ProblemOp)> plan,
                      llvm::function_ref<void(ArrayRef<ProblemOp>)> prepare) {
  return ProblemPlanner(isChosen, prepare, plan).run(root);
}

LogicalResult memplan::solveProblems(Operation *root,
                                     const SolveOptions &options,
                                     SolvedPlans *plans, ExplainFn explain) {
  struct Solved {
    SmallVector<BufferOp> buffers;
    Problem problem;
    Plan plan;
  };
  llvm::DenseMap<Operation *, Solved> solved;
  SolveHook::Function concurrent = SolveHook::getConcurrent();
  // Solves problems of several functions at once. Only this thread reads and
  // writes ops, so all messages come in the order of the problems.
  auto solveAll = [&](ArrayRef<ProblemOp> ops) {
    std::vector<Solved *> ready;
    for (ProblemOp op : ops) {
      Solved &entry = solved[op];
      entry.problem = readProblem(op, &entry.buffers);
    }
    for (ProblemOp op : ops)
      ready.push_back(&solved.find(op)->second);
    if (!concurrent) {
      for (Solved *entry : ready)
        entry->plan = SolveHook::solve(entry->problem, options);
      return;
    }
    parallelForEach(root->getContext(), ready, [&](Solved *entry) {
      entry->plan = concurrent(entry->problem, options);
    });
  };
  auto accept = [&](ProblemOp op) -> LogicalResult {
    Solved &entry = solved.find(op)->second;
    if (failed(
            checkPlan(op, entry.buffers, entry.problem, entry.plan, explain)))
      return failure();
    writePlan(op, entry.buffers, entry.plan);
    if (plans)
      (*plans)[op] = std::move(entry.plan);
    return success();
  };
  return planProblems(root, [](ProblemOp) { return true; }, accept, solveAll);
}
