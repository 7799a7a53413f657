//===- ReadPlanPass.cpp - The memplan-read-plan pass ----------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes a plan of another solver into the problems of a module. The plan is
// not trusted: it is verified here, and the materialized program is verified
// like any other.
//
//===----------------------------------------------------------------------===//

#include "Plan/SolveProblems.h"
#include "memplan/Analysis/ProblemIR.h"
#include "memplan/Core/Bound.h"
#include "memplan/Core/Csv.h"
#include "memplan/Core/Order.h"
#include "memplan/Core/Verify.h"
#include "memplan/Report/ReadReport.h"
#include "memplan/Transforms/DescribePlan.h"
#include "memplan/Transforms/Passes.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANREADPLAN
#include "memplan/Transforms/Passes.h.inc"
} // namespace memplan

using namespace memplan;

namespace {

/// What a plan says of a buffer.
struct Placed {
  /// In bytes.
  int64_t offset;
  Buffer buffer;
};

/// By the name of the buffer.
using Offsets = llvm::StringMap<Placed>;

struct ReadPlanPass : memplan::impl::MemplanReadPlanBase<ReadPlanPass> {
  using MemplanReadPlanBase::MemplanReadPlanBase;

  void runOnOperation() override {
    auto text = llvm::MemoryBuffer::getFileOrSTDIN(file, /*IsText=*/true);
    if (std::error_code code = text.getError()) {
      error() << "cannot read the plan: " << code.message();
      return signalPassFailure();
    }
    // The size of a frame depends on the plan of its own problem, so plans are
    // written one by one: into a clone, which replaces the module if all of
    // them are right.
    OwningOpRef<Operation *> clone = getOperation()->clone();
    StringRef contents = (*text)->getBuffer();
    if (failed(readPlans(contents, *clone)))
      return signalPassFailure();
    for (auto [own, read] :
         llvm::zip_equal(getOperation()->getRegions(), clone->getRegions()))
      own.takeBody(read);
  }

private:
  /// Begins an error about the file.
  InFlightDiagnostic error() {
    return mlir::emitError(getOperation().getLoc()) << "'" << file << "': ";
  }

  LogicalResult readPlans(StringRef text, Operation *root) {
    ArenaChoice choice{functionName, memorySpace, loop};
    SmallVector<ProblemOp> stated, chosen;
    root->walk([&](ProblemOp op) {
      stated.push_back(op);
      if (choice.accepts(getArenaName(op)))
        chosen.push_back(op);
    });
    if (stated.empty())
      return error() << "there is no problem: memplan-extract states them";
    if (chosen.empty())
      return attachNames(error() << "there is no such problem", stated, "");
    auto choose = [&](ProblemOp op) {
      return choice.accepts(getArenaName(op));
    };
    if (!text.ltrim().starts_with("{")) {
      Offsets offsets;
      if (failed(readCsv(text, chosen, offsets)))
        return failure();
      return planProblems(root, choose,
                          [&](ProblemOp op) { return take(op, offsets); });
    }
    std::vector<ReportedProblem> arenas;
    TextError wrong;
    if (!parseReport(std::string_view(text.data(), text.size()), arenas, wrong))
      return error() << "line " << wrong.line << ", column " << wrong.column
                     << ": " << wrong.message;
    // The problem in a report of memplan-solve has the name of a file instead
    // of a function.
    bool isOnly = arenas.size() == 1 && chosen.size() == 1;
    return planProblems(root, choose, [&](ProblemOp op) {
      return takeFromReport(op, arenas, isOnly);
    });
  }

  LogicalResult readCsv(StringRef text, ArrayRef<ProblemOp> chosen,
                        Offsets &offsets) {
    if (chosen.size() > 1)
      return attachNames(error() << "CSV is of one problem, and there are "
                                 << chosen.size(),
                         chosen, "");
    Problem read;
    Plan plan;
    CsvError csv;
    if (!parseCsv(std::string_view(text.data(), text.size()), CsvOffsets::Plan,
                  read, plan, csv))
      return error() << "line " << csv.line << ": " << csv.message;
    for (auto [buffer, offset] : llvm::zip_equal(read.buffers, plan.offsets))
      offsets[buffer.id] = {offset, buffer};
    return success();
  }

  LogicalResult takeFromReport(ProblemOp op, ArrayRef<ReportedProblem> arenas,
                               bool isOnly) {
    ArenaName name = getArenaName(op);
    auto isChosen = [&](const ReportedProblem &arena) {
      return isOnly || arena.name == name;
    };
    auto found = llvm::find_if(arenas, isChosen);
    if (found == arenas.end())
      return error() << "has no arena " << describeArenaOptions(name, "");
    if (llvm::count_if(arenas, isChosen) > 1)
      return error() << "has more than one arena "
                     << describeArenaOptions(name, "");
    Offsets offsets;
    for (auto [buffer, offset] :
         llvm::zip_equal(found->problem.buffers, found->offsets)) {
      if (!offset)
        return error() << "slot '" << buffer.id << "' of @" << op.getFunction()
                       << " has no offset";
      offsets[buffer.id] = {*offset, buffer};
    }
    return take(op, offsets, &*found);
  }

  /// The order of the report, if the buffers of the problem have the places of
  /// its slots and if it says the same as the offsets.
  static std::optional<PlaceOrder> takeOrder(const Problem &problem,
                                             const Plan &plan,
                                             const ReportedProblem &arena) {
    if (!arena.order)
      return std::nullopt;
    llvm::StringMap<BufferIndex> indices;
    for (auto [index, buffer] : llvm::enumerate(problem.buffers))
      indices[buffer.id] = static_cast<BufferIndex>(index);
    PlaceOrder order = *arena.order;
    for (auto [number, place] : llvm::enumerate(order.places)) {
      for (BufferIndex &member : place.members) {
        member = indices.lookup(arena.problem.buffers[member].id);
        order.placeOf[member] = static_cast<unsigned>(number);
      }
      llvm::sort(place.members);
    }
    std::optional<Problem> constant =
        evaluateAt(problem, getHints(problem).front());
    if (!constant || computeOffsets(*constant, order) != plan.offsets)
      return std::nullopt;
    return order;
  }

  /// A plan of another version of the program may fit by chance.
  void warnIfStale(ProblemOp op, const Problem &problem,
                   const Offsets &offsets) {
    for (const Buffer &buffer : problem.buffers) {
      const Buffer &planned = offsets.find(buffer.id)->second.buffer;
      bool hasSize = buffer.formula || planned.size == buffer.size;
      if (hasSize && planned.ranges == buffer.ranges)
        continue;
      InFlightDiagnostic warning =
          op.emitWarning() << "the plan in '" << file
                           << "' is of another problem, though it fits: @"
                           << buffer.id << " has ";
      if (hasSize)
        warning << "another life there";
      else
        warning << planned.size << " bytes there and " << buffer.size
                << " in the problem";
      return;
    }
  }

  LogicalResult take(ProblemOp op, const Offsets &offsets,
                     const ReportedProblem *arena = nullptr) {
    SmallVector<BufferOp> buffers;
    Problem problem = readProblem(op, &buffers);
    Plan plan;
    plan.strategy = "given";
    size_t used = 0;
    for (const Buffer &buffer : problem.buffers) {
      auto it = offsets.find(buffer.id);
      if (it == offsets.end())
        return op.emitError() << "the plan in '" << file
                              << "' has no offset for @" << buffer.id;
      ++used;
      plan.offsets.push_back(it->second.offset);
    }
    plan.arenaSize = arenaSizeOf(problem, plan.offsets);
    if (used != offsets.size())
      return op.emitError()
             << "the plan in '" << file << "' has " << offsets.size()
             << " buffers but the problem has " << used;
    std::vector<Issue> issues = verify(problem, plan, 1);
    if (issues.empty() && hasFormulas(problem)) {
      if (arena)
        plan.order = takeOrder(problem, plan, *arena);
      // Offsets at the first hint give an order for all sizes.
      if (!plan.order)
        plan.order = findOrder(problem, plan);
      issues = verifyOrder(problem, *plan.order, 1);
    }
    for (const Issue &issue : issues) {
      InFlightDiagnostic wrong = op.emitError()
                                 << "the plan in '" << file
                                 << "' is wrong: " << issue.message;
      for (BufferIndex buffer : issue.buffers)
        wrong.attachNote(buffers[buffer].getLoc())
            << "@" << buffers[buffer].getSymName() << " is stated here";
      return wrong;
    }
    warnIfStale(op, problem, offsets);
    plan.lowerBound = lowerBound(problem);
    plan.status = plan.arenaSize == plan.lowerBound ? PlanStatus::Optimal
                                                    : PlanStatus::Feasible;
    writePlan(op, buffers, plan);
    return success();
  }
};
} // namespace
