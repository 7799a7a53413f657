//===- AssignSpacesPass.cpp - The memplan-assign-spaces pass --------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckOptions.h"
#include "Complaints.h"
#include "Output.h"
#include "Prepare/Accesses.h"
#include "Spaces/ApplySpaces.h"
#include "memplan/Analysis/BuildProblem.h"
#include "memplan/Analysis/CostModel.h"
#include "memplan/Equivalence/Equivalence.h"
#include "memplan/IR/Circles.h"
#include "memplan/IR/MemorySpace.h"
#include "memplan/Transforms/Passes.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANASSIGNSPACES
#include "memplan/Transforms/Passes.h.inc"
} // namespace memplan

using namespace memplan;

namespace {
/// What was done with one function.
struct SpacesReport {
  std::string function;
  size_t numBuffers = 0, numStaying = 0, numPieces = 0;
  int64_t fastBytes = 0;
  int64_t prefetchedBytes = 0;
  struct Row {
    std::string name;
    int64_t cost;
    AssignmentTraffic traffic;
  };
  /// Everything slow, farthest last use, and the assignment.
  std::vector<Row> rows;
  int64_t lowerBound = 0;
  PlanStatus status = PlanStatus::Invalid;
};

/// The changes of one function, before they are made.
struct FunctionSpaces {
  FunctionOpInterface function;
  SpaceRows rows;
  SpaceAssignment assignment;
  Prefetches prefetches;
  SpacesReport report;
};
} // namespace

/// The memory space of that spelling, as formatSpace() prints it; "0" is the
/// default space. Emits an error and fails if it is none.
static FailureOr<Attribute> parseSpace(StringRef text, StringRef option,
                                       Location loc) {
  int64_t number;
  if (!text.getAsInteger(10, number))
    return number == 0 ? Attribute()
                       : IntegerAttr::get(
                             IntegerType::get(loc.getContext(), 64), number);
  if (!text.starts_with("#") && !text.empty())
    return Attribute(StringAttr::get(loc.getContext(), text));
  Attribute parsed = parseAttribute(text, loc.getContext());
  if (!parsed)
    return emitError(loc) << option << " must be a memory space, not '" << text
                          << "'";
  return parsed;
}

static void printText(ArrayRef<SpacesReport> reports, StringRef fast,
                      StringRef slow, int64_t capacity, llvm::raw_ostream &os) {
  for (const SpacesReport &report : reports) {
    os << "@" << report.function << ": space " << fast << " of " << capacity
       << " bytes before space " << slow << "\n  buffers: " << report.numBuffers
       << " may move, " << report.numStaying << " stay; pieces in space "
       << fast << ": " << report.numPieces << ", placed in " << report.fastBytes
       << " bytes\n";
    os << "                                cost   bytes of space "
       << llvm::left_justify(slow, 8) << "     copied in    copied out\n";
    for (const SpacesReport::Row &row : report.rows)
      os << "  " << llvm::left_justify(row.name, 20)
         << llvm::format("%14lld%25lld%14lld%14lld\n",
                         static_cast<long long>(row.cost),
                         static_cast<long long>(row.traffic.getSlowBytes()),
                         static_cast<long long>(row.traffic.copiedIn),
                         static_cast<long long>(row.traffic.copiedOut));
    os << "  " << llvm::left_justify("lower bound", 20)
       << llvm::format("%14lld", static_cast<long long>(report.lowerBound))
       << "   " << statusName(report.status);
    if (report.lowerBound > 0)
      os << llvm::format(", ratio %.4f",
                         static_cast<double>(report.rows.back().cost) /
                             static_cast<double>(report.lowerBound));
    os << "\n";
    if (report.prefetchedBytes > 0)
      os << "  copied in before the op that needs it: "
         << report.prefetchedBytes << " bytes\n";
  }
}

static void printJson(ArrayRef<SpacesReport> reports, StringRef fast,
                      StringRef slow, int64_t capacity, llvm::raw_ostream &os) {
  llvm::json::OStream json(os, 2);
  json.object([&] {
    json.attribute("fast", fast);
    json.attribute("slow", slow);
    json.attribute("capacity", capacity);
    json.attributeArray("functions", [&] {
      for (const SpacesReport &report : reports)
        json.object([&] {
          json.attribute("function", report.function);
          json.attribute("buffers", static_cast<int64_t>(report.numBuffers));
          json.attribute("staying", static_cast<int64_t>(report.numStaying));
          json.attribute("pieces", static_cast<int64_t>(report.numPieces));
          json.attribute("fast_bytes", report.fastBytes);
          json.attribute("prefetched_bytes", report.prefetchedBytes);
          json.attribute("lower_bound", report.lowerBound);
          json.attribute("status", StringRef(statusName(report.status)));
          json.attributeArray("assignments", [&] {
            for (const SpacesReport::Row &row : report.rows)
              json.object([&] {
                json.attribute("name", row.name);
                json.attribute("cost", row.cost);
                json.attribute("slow_bytes", row.traffic.getSlowBytes());
                json.attribute("copied_in", row.traffic.copiedIn);
                json.attribute("copied_out", row.traffic.copiedOut);
              });
          });
        });
    });
  });
  os << "\n";
}

namespace {
struct AssignSpacesPass
    : memplan::impl::MemplanAssignSpacesBase<AssignSpacesPass> {
  using MemplanAssignSpacesBase::MemplanAssignSpacesBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    MemplanAssignSpacesBase::getDependentDialects(registry);
    registerAliasInterfaces(registry);
    registry.insert<arith::ArithDialect>();
  }

  void runOnOperation() override {
    if (failed(readOptions()) || failed(checkNoCircles(getOperation())))
      return signalPassFailure();
    ModuleOp module = getOperation();
    ModuleAliases aliases(module);
    llvm::DenseSet<Operation *> ordered;
    walkOrderedFunctions(module, [&](FunctionOpInterface function) {
      ordered.insert(function);
    });
    // Nothing changes before all functions have an assignment.
    std::vector<FunctionSpaces> functions;
    for (const auto &scc : aliases.getCalleeFirstOrder())
      for (FunctionOpInterface function : scc) {
        if (!ordered.contains(function))
          continue;
        if (aliases.isRecursive(function) || aliases.getDeviceMark(function)) {
          emitRemark(function.getLoc())
              << "the buffers of @" << function.getName()
              << " keep their memory spaces: it is recursive, or many threads "
                 "run it";
          continue;
        }
        FailureOr<FunctionSpaces> assigned = assign(function, aliases);
        if (failed(assigned))
          return signalPassFailure();
        if (assigned->assignment.hasSteps())
          functions.push_back(std::move(*assigned));
      }
    llvm::DenseMap<Operation *, SpacesReport *> reports;
    for (FunctionSpaces &function : functions)
      if (apply(function))
        reports[function.function] = &function.report;
    // In the order of the module.
    std::vector<SpacesReport> sorted;
    for (FunctionOpInterface function : aliases.getFunctions())
      if (SpacesReport *report = reports.lookup(function))
        sorted.push_back(std::move(*report));
    std::string slowName = formatSpace(spaces.slow);
    std::string fastName = formatSpace(spaces.fast);
    for (std::string *name : {&slowName, &fastName})
      if (name->empty())
        *name = "0";
    auto print = [&](llvm::raw_ostream &os) {
      if (report == TableFormat::Json)
        printJson(sorted, fastName, slowName, bytes, os);
      else if (report == TableFormat::Text)
        printText(sorted, fastName, slowName, bytes, os);
    };
    if (report != TableFormat::None &&
        failed(writeOutput(output, module.getLoc(), print)))
      return signalPassFailure();
  }

private:
  LogicalResult readOptions();
  /// Without steps if no buffer of the function may move.
  FailureOr<FunctionSpaces> assign(FunctionOpInterface function,
                                   const ModuleAliases &aliases);
  /// Returns false if the function stays as it was.
  bool apply(const FunctionSpaces &assigned);
  bool isAccepted(FunctionOpInterface original, FunctionOpInterface function);

  SpacePair spaces;
  SpaceCosts costs;
  /// Of the fast space.
  int64_t bytes = 0;
  int64_t leastAlignment = 64;
  /// The bytes of the fast space that a function and its callees need.
  llvm::DenseMap<Operation *, int64_t> needed;
};
} // namespace

/// The costs of the target, unless the options set them.
LogicalResult AssignSpacesPass::readOptions() {
  Location loc = getOperation().getLoc();
  needed.clear();
  costs = SpaceCosts();
  FailureOr<Attribute> fastSpace = parseSpace(fast, "fast", loc);
  FailureOr<Attribute> slowSpace = parseSpace(slow, "slow", loc);
  if (failed(fastSpace) || failed(slowSpace))
    return failure();
  spaces = {*fastSpace, *slowSpace};
  if (spaces.fast == spaces.slow)
    return emitError(loc) << "fast and slow are the same memory space";
  FailureOr<TargetDescription> target = readTargetAttributes(getOperation());
  if (failed(target))
    return failure();
  auto nameOf = [](Attribute space) {
    std::string name = formatSpace(space);
    return name.empty() ? std::string("0") : name;
  };
  std::string fastName = nameOf(spaces.fast), slowName = nameOf(spaces.slow);
  bytes = capacity;
  leastAlignment = PlanMemoryOptions().alignment.bytes;
  if (auto it = target->spaces.find(fastName); it != target->spaces.end()) {
    costs.fastRead = it->second.readCost.value_or(costs.fastRead);
    costs.fastWrite = it->second.writeCost.value_or(costs.fastWrite);
    leastAlignment = std::max(leastAlignment, it->second.alignment);
    if (bytes == 0)
      bytes = it->second.capacity;
  }
  if (auto it = target->spaces.find(slowName); it != target->spaces.end()) {
    costs.slowRead = it->second.readCost.value_or(costs.slowRead);
    costs.slowWrite = it->second.writeCost.value_or(costs.slowWrite);
  }
  auto findMove = [&](StringRef from, StringRef to, int64_t &cost) {
    auto it = target->moves.find((from + " to " + to).str());
    if (it != target->moves.end())
      cost = it->second;
  };
  findMove(slowName, fastName, costs.copyIn);
  findMove(fastName, slowName, costs.copyOut);
  auto setCosts = [&](StringRef option, StringRef text, int64_t &fastCost,
                      int64_t &slowCost) -> LogicalResult {
    if (text.empty())
      return success();
    std::string error;
    auto list = splitBySpace(std::string_view(text), error);
    if (!list)
      return emitError(loc) << option << ": " << error;
    for (const SpaceValue &entry : *list) {
      int64_t cost;
      if (StringRef(entry.value).getAsInteger(10, cost) || cost < 0 ||
          cost > 1000000)
        return emitError(loc) << option << ": '" << entry.value
                              << "' is no number from 0 to 1000000";
      if (!entry.space.empty() && entry.space != fastName &&
          entry.space != slowName)
        return emitError(loc) << option << ": space " << entry.space
                              << " is neither fast nor slow";
      if (entry.space.empty() || entry.space == fastName)
        fastCost = cost;
      if (entry.space.empty() || entry.space == slowName)
        slowCost = cost;
    }
    return success();
  };
  if (failed(setCosts("read-cost", readCost, costs.fastRead, costs.slowRead)) ||
      failed(
          setCosts("write-cost", writeCost, costs.fastWrite, costs.slowWrite)))
    return failure();
  if (moveCost >= 0)
    costs.copyIn = costs.copyOut = moveCost;
  if (failed(checkOptions(loc, leastAlignment, Capacities())) ||
      failed(checkAtLeast(loc, "move-cost", moveCost, -1)) ||
      failed(checkAtLeast(loc, "prefetch", prefetch, 0)))
    return failure();
  if (bytes <= 0)
    return emitError(loc) << "the capacity of space " << fastName
                          << " is unknown: set capacity, or describe the space "
                             "in the target";
  return success();
}

/// True if every op still reads the same values. Emits a warning otherwise.
bool AssignSpacesPass::isAccepted(FunctionOpInterface original,
                                  FunctionOpInterface function) {
  // The check knows copies and allocations that vanish: those of this pass, on
  // the way back.
  std::vector<Complaint> complaints =
      findComplaints(function->getContext(),
                     [&] { return checkContents(function, original); });
  if (complaints.empty())
    return true;
  InFlightDiagnostic diagnostic = emitWarning(function.getLoc())
                                  << "the buffers of @" << function.getName()
                                  << " keep their memory spaces: the change "
                                     "failed verification";
  diagnostic.attachNote(complaints.front().first) << complaints.front().second;
  return false;
}

FailureOr<FunctionSpaces>
AssignSpacesPass::assign(FunctionOpInterface function,
                         const ModuleAliases &aliases) {
  PlanningOptions planning;
  planning.alignment = leastAlignment;
  planning.inPlace = true;
  FunctionProblem lifetimes = buildFunctionProblem(function, aliases, planning);
  if (lifetimes.isInvalid)
    return failure();
  FunctionSpaces assigned;
  assigned.function = function;
  SpaceRows &rows = assigned.rows;
  rows = buildSpaceRows(function, aliases, lifetimes, spaces, leastAlignment,
                        needed);
  for (const StayingBuffer &buffer : rows.staying) {
    InFlightDiagnostic remark = emitRemark(buffer.allocation->getLoc())
                                << "the buffer keeps its memory space: it "
                                << buffer.reason;
    if (buffer.culprit)
      remark.attachNote(buffer.culprit->getLoc()) << "by this op";
  }
  if (rows.problem.buffers.empty())
    return assigned;
  rows.problem.costs = costs;
  rows.problem.capacity = bytes;
  SpaceAssignment &assignment = assigned.assignment;
  assignment = assignSpaces(rows.problem);
  // Such as loops whose costs are too large for 64 bits.
  if (!assignment.hasSteps() && assignment.status == PlanStatus::Invalid) {
    emitWarning(function.getLoc())
        << "the buffers of @" << function.getName()
        << " keep their memory spaces: " << assignment.message;
    return assigned;
  }
  if (!assignment.hasSteps())
    return emitError(function.getLoc())
           << "the buffers of @" << function.getName()
           << " have no assignment to memory spaces: " << assignment.message;
  if (!assignment.message.empty())
    emitRemark(function.getLoc()) << assignment.message;

  SpacesReport &summary = assigned.report;
  summary.function = function.getName().str();
  summary.numBuffers = rows.movable.size();
  summary.numStaying = rows.staying.size();
  summary.lowerBound = assignment.lowerBound;
  summary.status = assignment.status;
  auto addRow = [&](StringRef name, const SpaceAssignment &other) {
    if (other.hasSteps())
      summary.rows.push_back(
          {name.str(), other.cost, getTraffic(rows.problem, other)});
  };
  if (report != TableFormat::None) {
    addRow("everything slow", everythingSlow(rows.problem));
    addRow("farthest last use", farthestLastUse(rows.problem));
  }
  addRow("this assignment", assignment);
  for (const SpacePiece &piece : assignment.pieces) {
    summary.numPieces += piece.buffer < rows.movable.size();
    summary.fastBytes =
        std::max(summary.fastBytes,
                 piece.offset + rows.problem.buffers[piece.buffer].size);
  }
  needed[function] = summary.fastBytes;

  assigned.prefetches =
      findPrefetches(rows, assignment, aliases.getOrder(function), prefetch);
  summary.prefetchedBytes = assigned.prefetches.bytes;
  return assigned;
}

bool AssignSpacesPass::apply(const FunctionSpaces &assigned) {
  FunctionOpInterface function = assigned.function;
  OwningOpRef<Operation *> original = function->clone();
  std::vector<SpacedAllocation> allocations = applySpaces(
      assigned.rows, assigned.assignment, assigned.prefetches, spaces);
  auto before = cast<FunctionOpInterface>(*original);
  if (!allocations.empty() && !isAccepted(before, function)) {
    function.getFunctionBody().takeBody(before.getFunctionBody());
    return false;
  }
  finishSpaces(assigned.rows, allocations);
  return true;
}
