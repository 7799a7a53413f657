//===- BufferHover.cpp - What is planned for a buffer ---------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferHover.h"

#include "memplan/Transforms/Embedding.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace memplan;

/// Narrows the text to the program around the line, which becomes relative.
static StringRef findProgram(StringRef text, int &line) {
  StringRef program = text;
  int number = 0, first = 0;
  for (StringRef rest = text; !rest.empty(); ++number) {
    StringRef current = rest.split('\n').first;
    rest = rest.drop_front(std::min(rest.size(), current.size() + 1));
    if (!current.starts_with("// -----"))
      continue;
    if (number >= line) {
      program = program.take_front(current.data() - program.data());
      break;
    }
    program = rest;
    first = number + 1;
  }
  line -= first;
  return program;
}

static const char *findPosition(StringRef program, int line, int column) {
  for (; line > 0; --line)
    program = program.split('\n').second;
  return program.data() +
         std::min<size_t>(column, program.split('\n').first.size());
}

static bool contains(SMRange range, const char *position) {
  return range.isValid() && range.Start.getPointer() <= position &&
         position <= range.End.getPointer();
}

/// The op whose name or result, in its definition or in a use, is at the
/// position.
static Operation *findOp(const AsmParserState &state, const char *position) {
  for (const AsmParserState::OperationDefinition &op : state.getOpDefs()) {
    if (contains(op.loc, position))
      return op.op;
    for (const auto &group : op.resultGroups) {
      if (contains(group.definition.loc, position))
        return op.op;
      for (SMRange use : group.definition.uses)
        if (contains(use, position))
          return op.op;
    }
  }
  return nullptr;
}

static std::string describe(const ArenaReport &arena,
                            const BufferReport &buffer) {
  std::string name = buffer.label.empty() ? "" : " \"" + buffer.label + "\"";
  if (!buffer.planned)
    return llvm::formatv("memplan: `{0}`{1} is not planned: it {2}",
                         buffer.name, name, buffer.reason);
  auto places = llvm::map_range(buffer.slots, [&](unsigned index) {
    const SlotReport &slot = arena.slots[index];
    std::string offset = slot.offset ? std::to_string(*slot.offset) : "(none)";
    return buffer.slots.size() == 1 ? offset : offset + " (" + slot.id + ")";
  });
  auto live = llvm::map_range(buffer.live, [](const LiveRange &range) {
    return llvm::formatv("[{0}, {1})", range.start, range.end).str();
  });
  return llvm::formatv(
      "memplan: `{0}`{1}, {2} bytes at offset {3} of the arena of @{4} in "
      "memory space {5}, which has {6} bytes; live {7}{8}",
      buffer.name, name, buffer.size.value_or(0), llvm::join(places, " or "),
      arena.function, arena.memorySpace, arena.arenaBytes,
      llvm::join(live, " "),
      buffer.op.empty() ? "" : ", made by `" + buffer.op + "`");
}

std::string memplan::lsp::describeBufferAt(StringRef text, int line, int column,
                                           const DialectRegistry &registry) {
  StringRef program = findProgram(text, line);
  if (line < 0)
    return "";
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  // The language server itself shows what is wrong.
  ScopedDiagnosticHandler silent(&context, [](Diagnostic &) {});
  llvm::SourceMgr source;
  source.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(program, "",
                                       /*RequiresNullTerminator=*/false),
      SMLoc());
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  AsmParserState state;
  if (failed(parseAsmSourceFile(source, module->getBody(),
                                ParserConfig(&context), &state)))
    return "";
  Operation *op = findOp(state, findPosition(program, line, column));
  if (!op || op->getNumResults() == 0)
    return "";
  auto function = op->getParentOfType<FunctionOpInterface>();
  if (!function)
    return "";
  std::string value;
  llvm::raw_string_ostream os(value);
  AsmState names(function);
  op->getResult(0).printAsOperand(os, names);
  std::string name = function.getName().str();
  // A text that is one module was parsed into another one.
  ModuleOp root = *module;
  if (auto inner = dyn_cast<ModuleOp>(root.getBody()->front());
      inner && llvm::hasSingleElement(root.getBody()->getOperations()))
    root = inner;
  FailureOr<PlanData> plans = computePlans(root);
  if (failed(plans))
    return "";
  for (const ArenaReport &arena : plans->report.arenas)
    if (arena.function == name)
      for (const BufferReport &buffer : arena.buffers)
        if (buffer.value == value)
          return describe(arena, buffer);
  return "";
}
