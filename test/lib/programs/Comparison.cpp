//===- Comparison.cpp - Programs before and after planning -------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Comparison.h"

#include "Execution.h"

#include "memplan/Equivalence/Equivalence.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/FileCheck/FileCheck.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#include <map>

using namespace mlir;
using namespace memplan::test;

/// Each strategy plans with each set of options. The arenas of the last set are
/// printed.
static constexpr StringLiteral kStrategies[] = {
    "naive", "linear-scan", "greedy", "greedy-by-breadth", "best-fit", "auto",
};
static constexpr StringLiteral kOptionSets[] = {
    // Buffers may share bytes in place.
    "in-place=true prepare=true",
    // They are apart, and filled where the program fills them.
    "in-place=false prepare=false",
};

/// What a planned program finds in memory that it did not write. The original
/// runs with other bytes, too: as integers and as floats they differ in sign
/// and magnitude.
static constexpr uint8_t kFill = 170;

template <typename... Parts>
static llvm::Error makeError(const char *format, Parts &&...parts) {
  return llvm::createStringError(
      llvm::formatv(format, std::forward<Parts>(parts)...).str());
}

/// "line 3: expected '1', got '2'"
static std::string describeDifference(StringRef expected, StringRef actual) {
  auto lines = [](StringRef text) {
    SmallVector<StringRef> lines;
    text.rtrim('\n').split(lines, '\n');
    return lines;
  };
  auto left = lines(expected), right = lines(actual);
  for (size_t i = 0; i < std::min(left.size(), right.size()); ++i)
    if (left[i] != right[i])
      return llvm::formatv("line {0}: expected '{1}', got '{2}'", i + 1,
                           left[i], right[i]);
  return llvm::formatv("expected {0} lines, got {1}", left.size(),
                       right.size());
}

/// `text` with consecutive lines of one step in reverse order.
static std::string reverseSteps(StringRef text) {
  auto stepOf = [](StringRef line) -> StringRef {
    size_t at = line.find("memplan.step = ");
    if (at == StringRef::npos)
      return "";
    return line.drop_front(at + strlen("memplan.step = "))
        .take_while(llvm::isDigit);
  };
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (size_t first = 0; first < lines.size();) {
    StringRef step = stepOf(lines[first]);
    size_t last = first + 1;
    while (last < lines.size() && stepOf(lines[last]) == step)
      ++last;
    if (!step.empty())
      std::reverse(lines.begin() + first, lines.begin() + last);
    first = last;
  }
  return llvm::join(lines, "\n");
}

namespace {

/// The outputs of all runs of a program, and the buffers that each left.
struct Executions {
  std::string output;
  std::vector<int64_t> live;
};

/// The sizes of arenas by function and memory space, in the order of the
/// program, and the number of allocations that are left.
struct PlannedMemory {
  llvm::MapVector<std::pair<StringAttr, Attribute>, int64_t> arenas;
  llvm::MapVector<StringAttr, int64_t> left;
};

class Comparison {
public:
  Comparison(MLIRContext &context, const Directive &directive,
             const std::vector<std::vector<int64_t>> &runs, unsigned seconds)
      : context(context), directive(directive), runs(runs), seconds(seconds),
        handler(&context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
            llvm::raw_string_ostream(diagnostics)
                << diagnostic.getLocation() << ": error: " << diagnostic
                << "\n";
        }) {}

  llvm::Expected<std::string> compare(StringRef program);

private:
  llvm::Expected<OwningOpRef<ModuleOp>> parse(StringRef text);
  /// Runs passes on the module; `what` is their name in errors.
  llvm::Error apply(ModuleOp module, StringRef what, const std::string &passes);
  /// An error if the text is not the text of what it says.
  llvm::Error checkRoundTrip(const std::string &text);
  llvm::Error checkLowered(ModuleOp planned, ModuleOp lowered);

  llvm::Expected<CompiledProgram> compile(ModuleOp module);
  /// Compiles a copy of the module and runs it.
  llvm::Expected<Executions> execute(ModuleOp module);
  llvm::Expected<Executions> executeRuns(const CompiledProgram &program,
                                         std::optional<uint8_t> fill);

  llvm::Error runOriginal(ModuleOp module);
  llvm::Expected<OwningOpRef<ModuleOp>> plan(ModuleOp module,
                                             const std::string &options);
  llvm::Error compareWith(const Executions &expected, const Executions &actual);
  llvm::Error comparePlan(ModuleOp module, const std::string &options,
                          PlannedMemory &memory);
  llvm::Error compareReversed(const std::string &planned);
  llvm::Error compareDeallocated(ModuleOp module);

  MLIRContext &context;
  const Directive &directive;
  const std::vector<std::vector<int64_t>> &runs;
  unsigned seconds;
  std::string diagnostics;
  ScopedDiagnosticHandler handler;

  Executions original;
  /// Planned programs that were executed, and read back.
  std::map<std::string, bool> seen;
};

} // namespace

static std::string printModule(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text;
}

llvm::Expected<OwningOpRef<ModuleOp>> Comparison::parse(StringRef text) {
  diagnostics.clear();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return makeError("the program is no MLIR:\n{0}", diagnostics);
  return module;
}

llvm::Error Comparison::apply(ModuleOp module, StringRef what,
                              const std::string &passes) {
  diagnostics.clear();
  auto manager = PassManager::on<ModuleOp>(&context);
  std::string message;
  llvm::raw_string_ostream stream(message);
  if (failed(parsePassPipeline(passes, manager, stream)))
    return makeError("{0}: no pipeline: {1}", what, message);
  if (failed(manager.run(module)))
    return makeError("{0} fails:\n{1}", what, diagnostics);
  return llvm::Error::success();
}

llvm::Error Comparison::checkRoundTrip(const std::string &text) {
  auto module = parse(text);
  if (!module)
    return module.takeError();
  std::string again = printModule(**module);
  if (again != text)
    return makeError("a planned program that is read back differs: {0}",
                     describeDifference(text, again));
  return llvm::Error::success();
}

llvm::Expected<CompiledProgram> Comparison::compile(ModuleOp module) {
  OwningOpRef<ModuleOp> lowered(module.clone());
  diagnostics.clear();
  if (failed(lowerToLLVM(*lowered)))
    return makeError("the lowering to LLVM fails:\n{0}", diagnostics);
  auto program = CompiledProgram::compile(*lowered);
  if (!program)
    return makeError("the program cannot be compiled: {0}\n{1}",
                     llvm::toString(program.takeError()), diagnostics);
  return program;
}

llvm::Expected<Executions>
Comparison::executeRuns(const CompiledProgram &program,
                        std::optional<uint8_t> fill) {
  Executions executions;
  for (const std::vector<int64_t> &arguments : runs) {
    auto execution = program.run(arguments, fill, seconds);
    if (!execution)
      return execution.takeError();
    executions.output += execution->output;
    executions.live.push_back(execution->live);
  }
  return executions;
}

llvm::Expected<Executions> Comparison::execute(ModuleOp module) {
  auto program = compile(module);
  if (!program)
    return program.takeError();
  return executeRuns(*program, kFill);
}

llvm::Error Comparison::runOriginal(ModuleOp module) {
  auto program = compile(module);
  if (!program)
    return program.takeError();
  auto executions = executeRuns(*program, std::nullopt);
  if (!executions)
    return executions.takeError();
  original = std::move(*executions);
  if (StringRef(original.output).trim().empty())
    return makeError("the program prints nothing");
  for (uint8_t fill : {uint8_t(1), kFill}) {
    auto filled = executeRuns(*program, fill);
    if (!filled)
      return filled.takeError();
    if (filled->output != original.output)
      return makeError("the program reads memory that it did not write: {0}",
                       describeDifference(original.output, filled->output));
  }
  return llvm::Error::success();
}

/// Checks that lowering has kept what the functions do.
llvm::Error Comparison::checkLowered(ModuleOp planned, ModuleOp lowered) {
  diagnostics.clear();
  SymbolTable after(lowered);
  for (auto function : planned.getOps<func::FuncOp>())
    if (failed(memplan::checkLowering(
            function, after.lookup<func::FuncOp>(function.getName()))))
      return makeError("the lowered program failed verification:\n{0}",
                       diagnostics);
  return llvm::Error::success();
}

/// The program in memplan ops, lowered, both verified.
llvm::Expected<OwningOpRef<ModuleOp>>
Comparison::plan(ModuleOp module, const std::string &options) {
  OwningOpRef<ModuleOp> planned(module.clone());
  if (llvm::Error error = apply(*planned, "plan-memory",
                                "plan-memory{lower=false require=verified " +
                                    options + "},memplan-verify"))
    return error;
  std::string text = printModule(*planned);
  if (seen.emplace(text, true).second)
    if (llvm::Error error = checkRoundTrip(text))
      return error;
  OwningOpRef<ModuleOp> lowered(planned->clone());
  if (llvm::Error error =
          apply(*lowered, "memplan-lower", "memplan-lower,memplan-verify"))
    return error;
  if (llvm::Error error = checkLowered(*planned, *lowered))
    return error;
  return lowered;
}

llvm::Error Comparison::compareWith(const Executions &expected,
                                    const Executions &actual) {
  if (actual.output != expected.output)
    return makeError("it prints something else: {0}\nIt prints\n{1}",
                     describeDifference(expected.output, actual.output),
                     actual.output);
  for (auto [before, after] : llvm::zip(expected.live, actual.live))
    if (after > before)
      return makeError("it leaves {0} buffers unfreed instead of {1}", after,
                       before);
  return llvm::Error::success();
}

llvm::Error Comparison::compareReversed(const std::string &planned) {
  std::string reversed = reverseSteps(planned);
  if (reversed == planned)
    return makeError("there is no step to reverse");
  auto module = parse(reversed);
  if (!module)
    return module.takeError();
  auto executions = execute(**module);
  if (!executions)
    return executions.takeError();
  if (llvm::Error error = compareWith(original, *executions))
    return makeError("with steps reversed {0}",
                     llvm::toString(std::move(error)));
  return llvm::Error::success();
}

/// The arenas of a planned program, and what is left beside them.
static PlannedMemory findMemory(ModuleOp module) {
  PlannedMemory memory;
  module.walk([&](func::FuncOp function) {
    function.walk([&](Operation *op) {
      if (!isa<memref::AllocOp, memref::AllocaOp>(op))
        return;
      auto type = cast<MemRefType>(op->getResult(0).getType());
      if (op->hasAttr("memplan.arena"))
        memory.arenas[{function.getNameAttr(), type.getMemorySpace()}] =
            type.getDimSize(0);
      else
        ++memory.left[function.getNameAttr()];
    });
  });
  return memory;
}

llvm::Error Comparison::comparePlan(ModuleOp module, const std::string &options,
                                    PlannedMemory &memory) {
  auto planned = plan(module, options);
  if (!planned)
    return planned.takeError();
  memory = findMemory(**planned);
  std::string text = printModule(**planned);
  auto again = plan(**planned, options);
  if (!again)
    return makeError("planned once more, {0}",
                     llvm::toString(again.takeError()));
  std::string second = printModule(**again);
  if (second != text)
    return makeError("a second planning changes the program: {0}",
                     describeDifference(text, second));
  // A text in memplan ops is never the text of a lowered program with arenas.
  if (!seen.emplace("lowered " + text, true).second)
    return llvm::Error::success();
  if (llvm::Error error = checkRoundTrip(text))
    return error;
  auto executions = execute(**planned);
  if (!executions)
    return executions.takeError();
  if (llvm::Error error = compareWith(original, *executions))
    return error;
  return directive.reverseSteps ? compareReversed(text)
                                : llvm::Error::success();
}

/// If planned before buffer-deallocation-pipeline, the program prints the same
/// as without a plan, and frees every buffer that the pipeline frees then.
llvm::Error Comparison::compareDeallocated(ModuleOp module) {
  OwningOpRef<ModuleOp> freed(module.clone());
  if (llvm::Error error = apply(*freed, "buffer-deallocation-pipeline",
                                "buffer-deallocation-pipeline"))
    return error;
  auto expected = execute(*freed);
  if (!expected)
    return expected.takeError();
  for (const char *lower : {"false", "true"}) {
    OwningOpRef<ModuleOp> planned(module.clone());
    if (llvm::Error error =
            apply(*planned, "plan-memory, buffer-deallocation-pipeline",
                  llvm::formatv("plan-memory{{lower={0} "
                                "require=verified {1}},"
                                "buffer-deallocation-pipeline,memplan-lower",
                                lower, directive.options)))
      return error;
    if (findMemory(*planned).arenas.empty())
      return makeError("nothing is planned");
    auto actual = execute(*planned);
    if (!actual)
      return actual.takeError();
    if (llvm::Error error = compareWith(*expected, *actual))
      return makeError("planned with lower={0}, then deallocated, {1}", lower,
                       llvm::toString(std::move(error)));
  }
  return llvm::Error::success();
}

/// The size of an arena in bytes, or "any" if it is known at run time only.
static std::string describeSize(int64_t size) {
  return ShapedType::isDynamic(size) ? "any" : std::to_string(size);
}

/// "naive=192 others=128", or every strategy with its size.
static std::string describeSizes(ArrayRef<int64_t> sizes) {
  ArrayRef<int64_t> others = sizes.drop_front();
  if (llvm::all_equal(others))
    return llvm::formatv("naive={0} others={1}", describeSize(sizes[0]),
                         describeSize(others[0]));
  std::string text;
  for (auto [strategy, size] : llvm::zip(kStrategies, sizes))
    text += llvm::formatv("{0}{1}={2}", text.empty() ? "" : " ", strategy,
                          describeSize(size));
  return text;
}

static llvm::Expected<std::string>
describeMemory(ArrayRef<PlannedMemory> plans) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (const auto &arena : plans.front().arenas) {
    const auto &[function, space] = arena.first;
    SmallVector<int64_t> sizes;
    for (auto [strategy, plan] : llvm::zip(kStrategies, plans)) {
      auto *found = plan.arenas.find(arena.first);
      if (found == plan.arenas.end())
        return makeError("{0}: @{1} has no arena", strategy,
                         function.getValue());
      sizes.push_back(found->second);
    }
    stream << "arena @" << function.getValue();
    if (space) {
      stream << " space ";
      space.print(stream, /*elideType=*/isa<IntegerAttr>(space));
    }
    stream << ": " << describeSizes(sizes) << "\n";
  }
  for (auto [function, count] : plans.back().left)
    stream << "left @" << function.getValue() << ": " << count << "\n";
  return text;
}

llvm::Expected<std::string> Comparison::compare(StringRef program) {
  auto parsed = parse(program);
  if (!parsed)
    return parsed.takeError();
  ModuleOp module = **parsed;
  if (directive.form == Directive::Form::ThenDeallocated) {
    if (llvm::Error error = compareDeallocated(module))
      return error;
    return std::string();
  }
  if (directive.form == Directive::Form::Deallocated)
    if (llvm::Error error = apply(module, "buffer-deallocation-pipeline",
                                  "buffer-deallocation-pipeline"))
      return error;
  if (directive.form != Directive::Form::Plain)
    if (llvm::Error error = apply(module, "memplan-raise-deallocations",
                                  "memplan-raise-deallocations"))
      return error;
  if (llvm::Error error = runOriginal(module))
    return error;
  SmallVector<PlannedMemory> plans(std::size(kStrategies));
  for (StringRef set : kOptionSets)
    for (auto [strategy, memory] : llvm::zip(kStrategies, plans)) {
      std::string options = llvm::formatv("strategy={0} {1}{2}", strategy, set,
                                          directive.options);
      if (llvm::Error error = comparePlan(module, options, memory))
        return makeError("planned with {0}, {1}", options,
                         llvm::toString(std::move(error)));
    }
  auto memory = describeMemory(plans);
  if (!memory)
    return memory.takeError();
  return original.output + *memory;
}

llvm::Expected<std::string> memplan::test::comparePlans(
    MLIRContext &context, StringRef program, const Directive &directive,
    const std::vector<std::vector<int64_t>> &runs, unsigned seconds) {
  return Comparison(context, directive, runs, seconds).compare(program);
}

llvm::Error memplan::test::checkOutput(StringRef output, StringRef path,
                                       StringRef program,
                                       const Directive &directive) {
  llvm::FileCheckRequest request;
  for (const std::string &prefix : directive.prefixes)
    request.CheckPrefixes.push_back(prefix);
  request.EnableVarScope = true;
  llvm::FileCheck check(request);
  std::string messages;
  llvm::SourceMgr sources;
  sources.setDiagHandler(
      [](const llvm::SMDiagnostic &diagnostic, void *messages) {
        llvm::raw_string_ostream stream(*static_cast<std::string *>(messages));
        diagnostic.print(nullptr, stream, /*ShowColors=*/false);
      },
      &messages);
  auto add = [&](StringRef text, StringRef name, SmallString<0> &storage) {
    auto raw = llvm::MemoryBuffer::getMemBufferCopy(text, name);
    StringRef canonical = check.CanonicalizeFile(*raw, storage);
    sources.AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBuffer(canonical, name), SMLoc());
    return canonical;
  };
  SmallString<0> expectedStorage, actualStorage;
  StringRef expected = add(program, path, expectedStorage);
  if (!check.ValidateCheckPrefixes() || check.readCheckFile(sources, expected))
    return makeError("{0}", messages);
  StringRef actual = add(output, "<output>", actualStorage);
  if (!check.checkInput(sources, actual))
    return makeError("{0}The output is\n{1}", messages, output);
  return llvm::Error::success();
}
