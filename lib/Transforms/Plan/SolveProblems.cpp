//===- SolveProblems.cpp - Solve the problems of a module -----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan/SolveProblems.h"

#include "Explain/PlanDiagnostics.h"
#include "memplan/Analysis/ParallelFrames.h"
#include "memplan/Analysis/ProblemIR.h"
#include "memplan/Transforms/SolveHook.h"

#include <tuple>

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
    resolveFrames(root);
    SmallVector<SmallVector<unsigned, 1>> needs(entries.size());
    for (auto [entry, own] : llvm::zip_equal(entries, needs))
      for (Frame frame : entry.frames)
        if (frame.problem >= 0)
          own.push_back(frame.problem);
    SmallVector<unsigned> left =
        runInRounds(needs, [&](ArrayRef<unsigned> round) { planRound(round); });
    if (!left.empty())
      return reportCircle(left.front());
    return success(llvm::all_of(entries, [](const Entry &entry) {
      return entry.state == State::Solved;
    }));
  }

private:
  enum class State { Waiting, Solved, Failed };

  /// A buffer that is the arena of another problem.
  struct Frame {
    BufferOp buffer;
    /// The number of that problem, or -1 if there is no such problem.
    int problem;
  };

  struct Entry {
    ProblemOp op;
    SmallVector<Frame, 1> frames;
    State state = State::Waiting;
  };

  /// Finds the problems, in the order of the program, and their frames.
  void resolveFrames(Operation *root) {
    // The block, function, loop and memory space of each problem. Its order is
    // not used.
    using Key = std::tuple<Block *, Attribute, Attribute, Attribute>;
    llvm::DenseMap<Key, int> byKey;
    root->walk([&](ProblemOp op) {
      byKey[Key(op->getBlock(), op.getFunctionAttr(), op.getLoopAttr(),
                op.getMemorySpaceAttr())] = static_cast<int>(entries.size());
      entries.push_back({op, {}});
    });
    for (Entry &entry : entries)
      for (BufferOp buffer : entry.op.getBody().front().getOps<BufferOp>())
        if (buffer.getFrameOf()) {
          auto it = byKey.find(
              Key(entry.op->getBlock(), buffer.getFrameOfAttr(),
                  buffer.getLoopAttr(), entry.op.getMemorySpaceAttr()));
          entry.frames.push_back({buffer, it == byKey.end() ? -1 : it->second});
        }
  }

  /// Emits an error at a frame of a problem that is, directly or through
  /// others, a frame of this frame. The waiting problem `number` needs such a
  /// frame.
  LogicalResult reportCircle(unsigned number) {
    llvm::DenseSet<unsigned> seen;
    while (true) {
      const Frame *next =
          llvm::find_if(entries[number].frames, [&](const Frame &frame) {
            return frame.problem >= 0 &&
                   entries[frame.problem].state == State::Waiting;
          });
      if (!seen.insert(number).second)
        return BufferOp(next->buffer).emitError()
               << "is a frame of a problem that has a frame of this one";
      number = next->problem;
    }
  }

  /// Plans problems that do not depend on each other.
  void planRound(ArrayRef<unsigned> round) {
    SmallVector<unsigned> chosen;
    SmallVector<ProblemOp> ops;
    for (unsigned number : round) {
      Entry &entry = entries[number];
      bool isPlanned = isChosen(entry.op);
      LogicalResult sizes =
          isPlanned ? setFrameSizes(entry) : setKnownFrameSizes(entry);
      if (isPlanned && succeeded(sizes)) {
        chosen.push_back(number);
        ops.push_back(entry.op);
      } else {
        entry.state = succeeded(sizes) ? State::Solved : State::Failed;
      }
    }
    if (prepare)
      prepare(ops);
    for (unsigned number : chosen)
      entries[number].state =
          succeeded(plan(entries[number].op)) ? State::Solved : State::Failed;
  }

  /// Sets the sizes of the frames of a problem. Fails if a frame has no plan.
  LogicalResult setFrameSizes(const Entry &entry) {
    for (Frame frame : entry.frames) {
      BufferOp buffer = frame.buffer;
      if (frame.problem < 0)
        return buffer.emitError()
               << "is a frame of @" << *buffer.getFrameOf()
               << ", which has no such problem in this memory space";
      // The problem of the frame has emitted an error.
      if (entries[frame.problem].state != State::Solved)
        return failure();
      ProblemOp callee = entries[frame.problem].op;
      if (!callee.getArenaSize())
        return buffer.emitError() << "is a frame of @" << *buffer.getFrameOf()
                                  << ", whose problem has no plan yet";
      if (failed(setFrameSize(buffer, callee)))
        return failure();
    }
    return success();
  }

  /// Sets the sizes of frames that have a plan, in a problem that has none, so
  /// that the problem can be written out for another solver.
  LogicalResult setKnownFrameSizes(const Entry &entry) {
    ProblemOp op = entry.op;
    if (op.getStatus())
      return success();
    for (Frame frame : entry.frames)
      if (frame.problem >= 0)
        if (ProblemOp callee = entries[frame.problem].op;
            callee.getArenaSize() && failed(setFrameSize(frame.buffer, callee)))
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
  std::vector<Entry> entries;
};
} // namespace

SmallVector<unsigned>
memplan::runInRounds(ArrayRef<SmallVector<unsigned, 1>> needs,
                     llvm::function_ref<void(ArrayRef<unsigned>)> run) {
  SmallVector<size_t> waitsFor =
      llvm::map_to_vector(needs, [](const auto &own) { return own.size(); });
  SmallVector<SmallVector<unsigned, 1>> waiting(needs.size());
  SmallVector<unsigned> ready, left;
  for (unsigned number = 0; number < needs.size(); ++number) {
    for (unsigned other : needs[number])
      waiting[other].push_back(number);
    if (needs[number].empty())
      ready.push_back(number);
  }
  while (!ready.empty()) {
    run(ready);
    SmallVector<unsigned> next;
    for (unsigned number : ready)
      for (unsigned other : waiting[number])
        if (--waitsFor[other] == 0)
          next.push_back(other);
    llvm::sort(next);
    ready = std::move(next);
  }
  for (unsigned number = 0; number < needs.size(); ++number)
    if (waitsFor[number] != 0)
      left.push_back(number);
  return left;
}

LogicalResult
memplan::planProblems(Operation *root,
                      llvm::function_ref<bool(ProblemOp)> isChosen,
                      llvm::function_ref<LogicalResult(ProblemOp)> plan,
                      llvm::function_ref<void(ArrayRef<ProblemOp>)> prepare) {
  return ProblemPlanner(isChosen, prepare, plan).run(root);
}

LogicalResult memplan::solveProblems(Operation *root,
                                     const SolveOptions &options) {
  struct Solved {
    SmallVector<BufferOp> buffers;
    Problem problem;
    Plan plan;
  };
  llvm::DenseMap<Operation *, std::unique_ptr<Solved>> solved;
  // Only this thread reads and writes ops, so all messages come in the order of
  // the problems.
  auto solveAll = [&](ArrayRef<ProblemOp> ops) {
    std::vector<std::pair<const Problem *, Plan *>> ready;
    for (ProblemOp op : ops) {
      auto &entry = solved[op] = std::make_unique<Solved>();
      entry->problem = readProblem(op, &entry->buffers);
      ready.emplace_back(&entry->problem, &entry->plan);
    }
    SolveHook::solveAll(root->getContext(), ready, options);
  };
  auto accept = [&](ProblemOp op) -> LogicalResult {
    Solved &entry = *solved.find(op)->second;
    auto locate = [&](BufferIndex buffer) {
      return entry.buffers[buffer].getLoc();
    };
    ArenaSite site{op.getLoc(),
                   op.getFunction(),
                   op.getMemorySpaceAttr(),
                   op.getCapacity(),
                   static_cast<int64_t>(op.getUnplanned().value_or(0)),
                   locate};
    if (failed(checkPlan(site, entry.problem, entry.plan)))
      return failure();
    writePlan(op, entry.buffers, entry.plan);
    return success();
  };
  return planProblems(root, [](ProblemOp) { return true; }, accept, solveAll);
}
