//===- ReadPlanPass.cpp - The memplan-read-plan pass ----------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Puts a plan that was made elsewhere into the problems of a module. Nothing in
// it is trusted: what becomes of it is verified as any plan is.
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/ProblemIR.h"
#include "memplan/Core/Bound.h"
#include "memplan/Core/CheckedMath.h"
#include "memplan/Core/Csv.h"
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

/// Offsets by buffer.
using Offsets = llvm::StringMap<int64_t>;

struct ReadPlanPass : memplan::impl::MemplanReadPlanBase<ReadPlanPass> {
  using MemplanReadPlanBase::MemplanReadPlanBase;

  void runOnOperation() override {
    SmallVector<ProblemOp> problems = findChosen();
    if (problems.empty()) {
      error() << "there is no such problem: memplan-extract states them";
      return signalPassFailure();
    }
    auto text = llvm::MemoryBuffer::getFileOrSTDIN(file, /*IsText=*/true);
    if (std::error_code code = text.getError()) {
      error() << "cannot read the plan: " << code.message();
      return signalPassFailure();
    }
    // All of them are judged before the first is changed.
    std::vector<Solved> solved;
    StringRef contents = (*text)->getBuffer();
    if (failed(contents.ltrim().starts_with("{")
                   ? readJson(contents, problems, solved)
                   : readCsv(contents, problems, solved)))
      return signalPassFailure();
    for (Solved &part : solved)
      writePlan(part.op, part.buffers, part.plan);
  }

private:
  struct Solved {
    ProblemOp op;
    SmallVector<BufferOp> buffers;
    Plan plan;
  };

  InFlightDiagnostic error() {
    return mlir::emitError(getOperation().getLoc()) << "'" << file << "': ";
  }

  SmallVector<ProblemOp> findChosen() {
    SmallVector<ProblemOp> problems;
    getOperation()->walk([&](ProblemOp op) {
      if ((functionName.empty() || op.getFunction() == functionName) &&
          (memorySpace.empty() ||
           describeSpace(op.getMemorySpaceAttr()) == memorySpace))
        problems.push_back(op);
    });
    return problems;
  }

  LogicalResult readCsv(StringRef text, ArrayRef<ProblemOp> problems,
                        std::vector<Solved> &solved) {
    if (problems.size() > 1)
      return error() << "CSV is of one problem, and there are "
                     << problems.size()
                     << ": name the function and the memory space";
    Problem read;
    Plan plan;
    CsvError csv;
    if (!parseCsv(std::string_view(text.data(), text.size()), CsvOffsets::Plan,
                  read, plan, csv))
      return error() << "line " << csv.line << ": " << csv.message;
    Offsets offsets;
    for (auto [buffer, offset] : llvm::zip_equal(read.buffers, plan.offsets))
      offsets[buffer.id] = offset;
    return take(problems.front(), offsets, solved);
  }

  LogicalResult readJson(StringRef text, ArrayRef<ProblemOp> problems,
                         std::vector<Solved> &solved) {
    std::vector<ReportedProblem> arenas;
    TextError wrong;
    if (!parseReport(std::string_view(text.data(), text.size()), arenas, wrong))
      return error() << "line " << wrong.line << ", column " << wrong.column
                     << ": " << wrong.message;
    // A report of memplan-solve has the name of a file.
    bool isOnly = arenas.size() == 1 && problems.size() == 1;
    for (ProblemOp op : problems) {
      auto found = llvm::find_if(arenas, [&](const ReportedProblem &arena) {
        return isOnly || describes(arena, op);
      });
      if (found == arenas.end())
        return error() << "has no arena of @" << op.getFunction()
                       << " in memory space "
                       << describeSpace(op.getMemorySpaceAttr());
      Offsets offsets;
      for (auto [buffer, offset] :
           llvm::zip_equal(found->problem.buffers, found->offsets)) {
        if (!offset)
          return error() << "slot '" << buffer.id << "' of @"
                         << op.getFunction() << " has no offset";
        offsets[buffer.id] = *offset;
      }
      if (failed(take(op, offsets, solved)))
        return failure();
    }
    return success();
  }

  static bool describes(const ReportedProblem &arena, ProblemOp op) {
    std::optional<int64_t> own;
    if (op.getLoop())
      own = static_cast<int64_t>(*op.getLoop());
    return arena.function == op.getFunction() && arena.loopNumber == own &&
           arena.memorySpace == describeSpace(op.getMemorySpaceAttr());
  }

  LogicalResult take(ProblemOp op, const Offsets &offsets,
                     std::vector<Solved> &solved) {
    Solved part{op, {}, {}};
    Problem problem = readProblem(op, &part.buffers);
    part.plan.strategy = "given";
    size_t used = 0;
    for (const Buffer &buffer : problem.buffers) {
      auto it = offsets.find(buffer.id);
      if (it == offsets.end())
        return op.emitError() << "the plan in '" << file
                              << "' has no offset for @" << buffer.id;
      ++used;
      part.plan.offsets.push_back(it->second);
      std::optional<int64_t> end = checkedAdd(it->second, buffer.size);
      part.plan.arenaSize =
          std::max(part.plan.arenaSize, end.value_or(INT64_MAX));
    }
    if (used != offsets.size())
      return op.emitError()
             << "the plan in '" << file << "' has " << offsets.size()
             << " buffers but the problem has " << used;
    for (const Issue &issue : verify(problem, part.plan, 1)) {
      InFlightDiagnostic wrong = op.emitError()
                                 << "the plan in '" << file
                                 << "' is wrong: " << issue.message;
      for (BufferIndex buffer : issue.buffers)
        wrong.attachNote(part.buffers[buffer].getLoc())
            << "@" << part.buffers[buffer].getSymName() << " is stated here";
      return wrong;
    }
    part.plan.lowerBound = lowerBound(problem);
    part.plan.status = part.plan.arenaSize == part.plan.lowerBound
                           ? PlanStatus::Optimal
                           : PlanStatus::Feasible;
    solved.push_back(std::move(part));
    return success();
  }
};
} // namespace
