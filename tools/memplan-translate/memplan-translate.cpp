//===- memplan-translate.cpp - Problems as IR, CSV and JSON ---------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Translates the problem ops of memplan-extract to CSV and JSON for other
// solvers, and CSV and JSON to problem ops. The pass memplan-read-plan applies
// the offsets of a solution.
//
//===----------------------------------------------------------------------===//

#include "common/Files.h"
#include "memplan/Analysis/ProblemIR.h"
#include "memplan/Core/Bound.h"
#include "memplan/Core/Csv.h"
#include "memplan/Report/ReadReport.h"
#include "memplan/Report/Report.h"
#include "memplan/Transforms/DescribePlan.h"
#include "memplan/Transforms/Embedding.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace memplan;

static llvm::cl::opt<std::string>
    functionName("function",
                 llvm::cl::desc("The problem of this function; if empty, all"));
static llvm::cl::opt<std::string>
    memorySpace("memory-space",
                llvm::cl::desc("The problem in this memory space, 0 for the "
                               "default one; if empty, all"));

static llvm::cl::opt<std::string>
    loop("loop",
         llvm::cl::desc("The problem of the body of this parallel loop of the "
                        "function, by its number, or none for that of the "
                        "function itself; if empty, all"));

static bool isChosen(const ArenaName &name) {
  return ArenaChoice{functionName, memorySpace, loop}.accepts(name);
}

static SmallVector<ProblemOp> findChosen(Operation *root) {
  SmallVector<ProblemOp> problems;
  root->walk([&](ProblemOp op) {
    if (isChosen(getArenaName(op)))
      problems.push_back(op);
  });
  return problems;
}

/// The plan in the ops' attributes; without offsets if there is none.
static Plan readPlan(ProblemOp op, ArrayRef<BufferOp> buffers) {
  Plan plan;
  plan.status = PlanStatus::Limit;
  plan.message = "not solved";
  if (op.getStatus())
    for (PlanStatus status :
         {PlanStatus::Optimal, PlanStatus::Feasible, PlanStatus::Infeasible,
          PlanStatus::Limit, PlanStatus::Invalid})
      if (*op.getStatus() == StringRef(statusName(status))) {
        plan.status = status;
        plan.message.clear();
      }
  bool placed = op.getStatus() && llvm::all_of(buffers, [](BufferOp buffer) {
                  return buffer.getOffset().has_value();
                });
  if (placed)
    for (BufferOp buffer : buffers)
      plan.offsets.push_back(static_cast<int64_t>(*buffer.getOffset()));
  plan.strategy = op.getStrategy().value_or("").str();
  plan.arenaSize = static_cast<int64_t>(op.getArenaSize().value_or(0));
  plan.lowerBound = static_cast<int64_t>(op.getLowerBound().value_or(0));
  plan.penalty = static_cast<int64_t>(op.getPenalty().value_or(0));
  plan.penaltyBound = static_cast<int64_t>(op.getPenaltyBound().value_or(0));
  return plan;
}

static LogicalResult emitNoProblem(Operation *root) {
  SmallVector<ProblemOp> stated;
  root->walk([&](ProblemOp op) { stated.push_back(op); });
  if (stated.empty())
    return emitError(root->getLoc())
           << "there is no memplan.problem; --memplan-extract of memplan-opt "
              "states those of a program";
  return attachNames(emitError(root->getLoc()) << "there is no such problem",
                     stated, "--");
}

static LogicalResult writeCsv(Operation *root, llvm::raw_ostream &os) {
  SmallVector<ProblemOp> problems = findChosen(root);
  if (problems.empty())
    return emitNoProblem(root);
  if (problems.size() != 1)
    return attachNames(emitError(root->getLoc())
                           << "CSV is of one problem, and there are "
                           << problems.size(),
                       problems, "--");
  ProblemOp op = problems.front();
  SmallVector<BufferOp> buffers;
  Problem problem = readProblem(op, &buffers);
  if (std::string reason = whyNotCsv(problem); !reason.empty())
    return emitError(op.getLoc())
           << "the problem of @" << op.getFunction() << " " << reason
           << ", which CSV cannot say; JSON can";
  os << formatCsv(problem, readPlan(op, buffers));
  return success();
}

static LogicalResult writeJson(Operation *root, llvm::raw_ostream &os) {
  Report report;
  for (ProblemOp op : findChosen(root)) {
    SmallVector<BufferOp> buffers;
    Problem problem = readProblem(op, &buffers);
    Plan plan = readPlan(op, buffers);
    if (!op.getStatus())
      plan.lowerBound = lowerBound(problem);
    FailureOr<std::optional<PlaceOrder>> order = readOrder(buffers);
    if (failed(order))
      return failure();
    if (plan.hasOffsets())
      plan.order = std::move(*order);
    Report part = makeReport(
        problem, plan, parseStrategy(plan.strategy).value_or(Strategy::Auto),
        op.getFunction().str());
    ArenaName name = getArenaName(op);
    part.arenas.front().memorySpace = name.memorySpace;
    part.arenas.front().loopNumber = name.loop;
    report.arenas.push_back(std::move(part.arenas.front()));
  }
  if (report.arenas.empty())
    return emitNoProblem(root);
  os << formatJson(report);
  return success();
}

/// Creates problem ops at the end of a module.
class ProblemPrinter {
public:
  explicit ProblemPrinter(MLIRContext *context)
      : loc(UnknownLoc::get(context)), module(ModuleOp::create(loc)),
        builder(OpBuilder::atBlockEnd(module->getBody())) {}

  /// A problem without a function gets the function name "problem".
  void print(const ArenaName &name, const Problem &problem) {
    OpBuilder::InsertionGuard guard(builder);
    StringRef function =
        name.function.empty() ? StringRef("problem") : StringRef(name.function);
    StringRef space = name.memorySpace;
    Attribute attribute;
    int64_t number;
    if (space != "0" && !space.getAsInteger(10, number))
      attribute = builder.getI64IntegerAttr(number);
    else if (space != "0")
      attribute = builder.getStringAttr(space);
    auto op = ProblemOp::create(builder, loc, function, attribute);
    if (name.loop)
      op.setLoop(*name.loop);
    writeFields(op, problem);
    builder.setInsertionPointToEnd(&op.getBody().front());
    for (const Buffer &buffer : problem.buffers)
      writeBuffer(builder, loc, buffer);
    writePairs(builder, loc, problem);
  }

  OwningOpRef<Operation *> take() {
    return OwningOpRef<Operation *>(module.release().getOperation());
  }

private:
  Location loc;
  OwningOpRef<ModuleOp> module;
  OpBuilder builder;
};

/// The text of the input.
static StringRef getText(const llvm::SourceMgr &input) {
  return input.getMemoryBuffer(input.getMainFileID())->getBuffer();
}
static Location getLocation(const llvm::SourceMgr &input, MLIRContext *context,
                            size_t line, size_t column) {
  return FileLineColLoc::get(
      context,
      input.getMemoryBuffer(input.getMainFileID())->getBufferIdentifier(), line,
      column);
}

/// Emits the error of a reader. If the text is of another kind than `kind`,
/// that is the error, with the option that reads it.
static void emitReadError(llvm::SourceMgr &input, MLIRContext *context,
                          StringRef kind, size_t line, size_t column,
                          StringRef message) {
  StringRef text = getText(input);
  StringRef begin = text.ltrim();
  bool isJson = begin.starts_with("{") || begin.starts_with("[");
  InFlightDiagnostic error =
      emitError(getLocation(input, context, line, column));
  if (text.contains('\0'))
    error << "a binary file, not " << kind;
  else if (kind == "CSV" && isJson)
    error << "JSON, not CSV; --json-to-problem reads JSON";
  else if (kind == "JSON" && !isJson)
    error << "not JSON; --csv-to-problem reads CSV, and problems in MLIR are "
             "read by --problem-to-json";
  else
    error << message;
}

static OwningOpRef<Operation *> readCsv(llvm::SourceMgr &input,
                                        MLIRContext *context) {
  StringRef text = getText(input);
  context->loadDialect<MemplanDialect>();
  Problem problem;
  Plan plan;
  CsvError error;
  if (!parseCsv(std::string_view(text.data(), text.size()), CsvOffsets::Pins,
                problem, plan, error)) {
    emitReadError(input, context, "CSV", error.line, 1, error.message);
    return nullptr;
  }
  ProblemPrinter printer(context);
  printer.print({functionName, memorySpace.empty() ? "0" : memorySpace.c_str(),
                 std::nullopt},
                problem);
  return printer.take();
}

/// Reads the problems of a report; offsets are ignored except for pins.
static OwningOpRef<Operation *> readJson(llvm::SourceMgr &input,
                                         MLIRContext *context) {
  StringRef text = getText(input);
  context->loadDialect<MemplanDialect>();
  std::vector<ReportedProblem> problems;
  TextError error;
  if (!parseReport(std::string_view(text.data(), text.size()), problems,
                   error)) {
    emitReadError(input, context, "JSON", error.line, error.column,
                  error.message);
    return nullptr;
  }
  ProblemPrinter printer(context);
  bool isEmpty = true;
  for (const ReportedProblem &entry : problems)
    if (isChosen(entry.name)) {
      printer.print(entry.name, entry.problem);
      isEmpty = false;
    }
  if (!isEmpty)
    return printer.take();
  InFlightDiagnostic diagnostic = emitError(getLocation(input, context, 1, 1));
  diagnostic << (problems.empty() ? "the report has no arena"
                                  : "there is no such arena");
  for (const ReportedProblem &entry : ArrayRef(problems).take_front(8))
    diagnostic.attachNote()
        << "this one: " << describeArenaOptions(entry.name, "--");
  return nullptr;
}

/// The place of the output's name in an argument, "-o NAME" or "-o=NAME", with
/// one hyphen or two; std::nullopt if there is none. mlirTranslateMain() opens
/// the file itself.
static std::optional<std::pair<int, size_t>> findOutput(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    StringRef option(argv[i]);
    if (option == "--")
      break;
    if ((option == "-o" || option == "--o") && i + 1 < argc)
      return std::pair(i + 1, size_t(0));
    if (option.starts_with("-o=") || option.starts_with("--o="))
      return std::pair(i, option.find('=') + 1);
  }
  return std::nullopt;
}

int main(int argc, char **argv) {
  auto registerDialects = [](DialectRegistry &registry) {
    registerAllDialects(registry);
    registerMemplanDialects(registry);
  };
  TranslateFromMLIRRegistration toCsv(
      "problem-to-csv", "a memplan.problem as CSV, as memplan-solve reads it",
      writeCsv, registerDialects);
  TranslateFromMLIRRegistration toJson(
      "problem-to-json", "the memplan.problems of a module as a JSON report",
      writeJson, registerDialects);
  TranslateToMLIRRegistration fromCsv("csv-to-problem",
                                      "CSV as a memplan.problem", readCsv);
  TranslateToMLIRRegistration fromJson(
      "json-to-problem", "the arenas of a JSON report as memplan.problems",
      readJson);
  llvm::cl::SetVersionPrinter(printVersion);
  const char *description = "Problems in and out of IR";
  std::optional<std::pair<int, size_t>> output = findOutput(argc, argv);
  if (!output)
    return failed(mlirTranslateMain(argc, argv, description));
  auto [number, begin] = *output;
  std::string option(argv[number]), name = option.substr(begin), reason;
  tool::ReplacedFile file(name);
  option.replace(begin, std::string::npos, file.name());
  std::vector<char *> arguments(argv, argv + argc + 1);
  arguments[number] = option.data();
  if (failed(mlirTranslateMain(argc, arguments.data(), description)))
    return 1;
  if (file.finish(reason))
    return 0;
  llvm::errs() << "memplan-translate: cannot write '" << name << "': " << reason
               << "\n";
  return 1;
}
