//===- EmitHeader.cpp - A C header with the memory of a program -----------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Explain/PlanDiagnostics.h"
#include "Output.h"
#include "memplan/Analysis/ElementSize.h"
#include "memplan/Analysis/IndexBounds.h"
#include "memplan/IR/Memplan.h"
#include "memplan/IR/SizeFunction.h"
#include "memplan/Transforms/DescribePlan.h"
#include "memplan/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANEMITHEADER
#include "memplan/Transforms/Passes.h.inc"
} // namespace memplan

using namespace memplan;

namespace {

/// An arena of a function.
struct ArenaFacts {
  /// A value of the option `arena`.
  StringRef placement;
  std::string space;
  /// std::nullopt if the size is known only when the program runs.
  std::optional<int64_t> bytes;
  /// Of such a size: the greatest one, if the entry checks bounds of extents.
  std::optional<int64_t> most = {};
  /// In bytes.
  int64_t alignment = 1;
  /// The number of the argument, with arena=argument.
  std::optional<unsigned> argument;
  /// The name of the variable, for a global arena that is not private.
  std::string variable = {};
  /// The name of the function that returns the size, and its declaration in C,
  /// for an argument without a constant size. Empty if there is none.
  std::string sizeFunction = {}, declaration = {};
};

/// An argument that is a memref, or a result in the arena.
struct BufferFacts {
  /// The number of the argument or result.
  int64_t number = 0;
  MemRefType type;
  int64_t bytes = 0;
  /// For a result: bytes from the start of the arena.
  int64_t offset = 0;
  /// For an out-param: the alignment in bytes that the program asks for, or 0.
  int64_t alignment = 0;
};

/// The memory of a public function and all that it calls, or of the program.
struct MemoryFacts {
  /// The prefix of its macros, unique in the header.
  std::string macro;
  /// Arenas, allocations that stay, and variables; and constants.
  ByteCount ram, rom;
};

struct FunctionFacts {
  std::string name;
  /// The prefix of its macros, unique in the header.
  std::string macro;
  /// Of a public function, in a program with constants.
  std::optional<MemoryFacts> memory;
  bool isPublic = false;
  SmallVector<ArenaFacts, 1> arenas;
  /// The arenas of results.
  ByteCount returned;
  SmallVector<BufferFacts, 4> arguments, outputs;
};

StringRef namePlacement(Operation *arena) {
  if (auto op = dyn_cast<ArenaOp>(arena))
    switch (op.getMemory()) {
    case ArenaMemory::Heap:
    case ArenaMemory::Returned:
      return "alloc";
    case ArenaMemory::Stack:
      return "alloca";
    case ArenaMemory::Global:
      return "global";
    }
  if (isa<memref::AllocaOp>(arena))
    return "alloca";
  return isa<memref::GetGlobalOp>(arena) ? "global" : "alloc";
}

/// The name of the placement in macros.
StringRef nameMemory(StringRef placement) {
  if (placement == "argument")
    return "ARENA";
  if (placement == "global")
    return "STATIC";
  return placement == "alloca" ? "STACK" : "HEAP";
}

/// The name in upper case as an identifier of C: other characters become
/// underscores.
std::string makeIdentifier(StringRef name) {
  std::string result;
  for (char c : name)
    result += llvm::isAlnum(c) ? llvm::toUpper(c) : '_';
  if (result.empty() || llvm::isDigit(result.front()))
    result.insert(result.begin(), '_');
  return result;
}

/// True if the name is an identifier of C.
bool isIdentifier(StringRef name) {
  return !name.empty() && !llvm::isDigit(name.front()) &&
         llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

/// The name of the variable if the arena is global and not private; otherwise
/// empty.
std::string nameVariable(Operation *arena) {
  auto get = dyn_cast<memref::GetGlobalOp>(arena);
  auto global = get ? SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
                          get, get.getNameAttr())
                    : memref::GlobalOp();
  return global && global.isPublic() ? global.getSymName().str()
                                     : std::string();
}

std::string print(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

int64_t getAskedAlignment(FunctionOpInterface function, unsigned argument) {
  auto alignment = function.getArgAttrOfType<IntegerAttr>(
      argument, MemplanDialect::kAlignAttr);
  return alignment ? alignment.getInt() : 0;
}

/// The type of C that a lowered integer or index has; empty if there is none.
std::string nameInteger(Type type, const DataLayout &layout) {
  if (type.isInteger(1))
    return "uint8_t";
  uint64_t bits = layout.getTypeSizeInBits(type).getFixedValue();
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
    return "";
  return "int" + std::to_string(bits) + "_t";
}

/// Declares the function that sizes an arena (SizeFunction.h), whose name is no
/// identifier of C.
std::string declareSizeFunction(FunctionOpInterface function,
                                Attribute memorySpace) {
  auto sizes = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      function, StringAttr::get(function.getContext(),
                                getSizeFunctionName(function, memorySpace)));
  if (!sizes)
    return "";
  DataLayout layout = DataLayout::closest(function);
  std::string parameters;
  bool isKnown = true;
  for (const SizeParameter &parameter : getSizeParameters(function)) {
    std::string type = nameInteger(parameter.type, layout);
    isKnown &= !type.empty();
    parameters += (parameters.empty() ? "" : ", ") + type + " argument" +
                  std::to_string(parameter.argument);
    if (parameter.dimension)
      parameters += "_size" + std::to_string(*parameter.dimension);
  }
  if (!isKnown)
    return "";
  std::string symbol;
  for (char c : sizes.getName())
    symbol += llvm::isAlnum(c) ? c : '_';
  if (llvm::isDigit(symbol.front()))
    symbol.insert(symbol.begin(), '_');
  return nameInteger(IndexType::get(function.getContext()), layout) + " " +
         symbol + "(" + (parameters.empty() ? "void" : parameters) +
         ") __asm__(\"" + sizes.getName().str() + "\");";
}

/// The greatest value of a range; std::nullopt if none is known.
std::optional<int64_t> getMost(const IndexRange &range) {
  return range.greatest < kMostExtent ? std::optional(range.greatest)
                                      : std::nullopt;
}

/// The most bytes that the function which sizes an arena returns for extents
/// that `function` accepts.
std::optional<int64_t> findMostBytes(FunctionOpInterface function,
                                     StringRef sizeFunction) {
  auto sizes = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      function, StringAttr::get(function.getContext(), sizeFunction));
  if (!sizes || sizes.isExternal() || !sizes.getBody().hasOneBlock())
    return std::nullopt;
  // A copy that checks what `function` checks.
  OwningOpRef<func::FuncOp> copy = cast<func::FuncOp>(sizes->clone());
  IndexBounds given(function);
  ImplicitLocOpBuilder builder(copy->getLoc(), copy->getContext());
  builder.setInsertionPointToStart(&copy->getBody().front());
  for (auto [i, parameter] : llvm::enumerate(getSizeParameters(function))) {
    if (!parameter.dimension || i >= copy->getNumArguments())
      continue;
    std::optional<int64_t> most = getMost(given.getExtent(
        function.getArgument(parameter.argument), *parameter.dimension));
    if (!most)
      continue;
    Value extent = copy->getArgument(i);
    Value isWithin =
        arith::CmpIOp::create(builder, arith::CmpIPredicate::sle, extent,
                              arith::ConstantIndexOp::create(builder, *most));
    Value isNatural =
        arith::CmpIOp::create(builder, arith::CmpIPredicate::sge, extent,
                              arith::ConstantIndexOp::create(builder, 0));
    cf::AssertOp::create(
        builder, arith::AndIOp::create(builder, isWithin, isNatural), "");
  }
  return getMost(IndexBounds(*copy).get(
      copy->getBody().front().getTerminator()->getOperand(0)));
}

FunctionFacts describe(FunctionOpInterface function) {
  FunctionFacts facts;
  facts.name = function.getName().str();
  facts.isPublic = function.isPublic();
  DataLayout layout = DataLayout::closest(function);
  auto addArena = [&](Type type, StringRef placement, int64_t alignment,
                      std::optional<unsigned> argument) {
    auto memref = cast<MemRefType>(type);
    facts.arenas.push_back({placement, describeSpace(memref.getMemorySpace()),
                            memref.hasStaticShape()
                                ? std::optional(memref.getNumElements())
                                : std::nullopt,
                            std::nullopt, alignment, argument});
    if (argument && !memref.hasStaticShape()) {
      Attribute space = memref.getMemorySpace();
      facts.arenas.back().sizeFunction = getSizeFunctionName(function, space);
      facts.arenas.back().declaration = declareSizeFunction(function, space);
      facts.arenas.back().most =
          findMostBytes(function, facts.arenas.back().sizeFunction);
    }
  };
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto number = static_cast<unsigned>(i);
    auto memref = dyn_cast<MemRefType>(type);
    if (auto alignment = function.getArgAttrOfType<IntegerAttr>(
            number, MemplanDialect::kArenaAttr))
      addArena(type, "argument", alignment.getInt(), number);
    else if (std::optional<int64_t> bytes =
                 memref ? getKnownSize(memref, layout) : std::nullopt)
      facts.arguments.push_back({number, memref, *bytes, /*offset=*/0,
                                 getAskedAlignment(function, number)});
  }
  function.getFunctionBody().walk([&](Operation *op) {
    if (isa<FunctionOpInterface>(op))
      return WalkResult::skip();
    // The memory of a result is an allocation as any other.
    if (isReturnedArena(op)) {
      facts.returned.add(
          cast<MemRefType>(op->getResult(0).getType()).getNumElements());
    } else if (std::optional<int64_t> alignment = getArenaAlignment(op)) {
      addArena(op->getResult(0).getType(), namePlacement(op), *alignment,
               std::nullopt);
      facts.arenas.back().variable = nameVariable(op);
      if (!facts.arenas.back().bytes)
        facts.arenas.back().most =
            getMost(IndexBounds(function).getExtent(op->getResult(0), 0));
    }
    return WalkResult::advance();
  });
  if (auto outputs =
          function->getAttrOfType<ArrayAttr>(MemplanDialect::kOutputsAttr))
    for (auto output : outputs.getAsRange<DictionaryAttr>()) {
      auto type = cast<MemRefType>(output.getAs<TypeAttr>("type").getValue());
      facts.outputs.push_back({output.getAs<IntegerAttr>("result").getInt(),
                               type, getKnownSize(type, layout).value_or(0),
                               output.getAs<IntegerAttr>("offset").getInt()});
    }
  return facts;
}

/// Emits an error and fails if no function has an arena but one allocates
/// memory or is on tensors: the program has no plan, so its sizes are not
/// known.
LogicalResult checkPlanned(ModuleOp module) {
  FunctionOpInterface unplanned;
  StringRef reason;
  WalkResult walk =
      module->walk<WalkOrder::PreOrder>([&](FunctionOpInterface function) {
        if (hasArena(function))
          return WalkResult::interrupt();
        if (unplanned || function.isExternal())
          return WalkResult::advance();
        bool allocates = false;
        walkAllocations(function, [&](Operation *) { allocates = true; });
        if (allocates)
          reason = "allocates memory; plan-memory plans it";
        else if (isOnTensors(function))
          reason = "is on tensors; memplan-from-tensors plans it";
        if (!reason.empty())
          unplanned = function;
        return WalkResult::advance();
      });
  if (walk.wasInterrupted() || !unplanned)
    return success();
  return unplanned.emitError()
         << "the program has no plan whose sizes a header "
            "could give: @"
         << unplanned.getName() << " " << reason;
}

/// Adds the arenas and the allocations of a function. An arena that is an
/// argument counts only for callers outside of the program.
void addMemory(const FunctionFacts &facts, FunctionOpInterface function,
               bool isEntry, ByteCount &ram) {
  for (const ArenaFacts &arena : facts.arenas)
    if (isEntry || !arena.argument)
      ram.add(arena.bytes);
  ram += facts.returned;
  DataLayout layout = DataLayout::closest(function);
  walkAllocations(function, [&](Operation *op) {
    auto type = dyn_cast<MemRefType>(op->getResult(0).getType());
    if (!getArenaAlignment(op))
      ram.add(type ? getKnownSize(type, layout) : std::nullopt);
  });
}

/// What the header says.
struct ProgramFacts {
  /// The public functions with a body, and the private ones with an arena.
  std::vector<FunctionFacts> functions;
  /// Of the program, if it has constants.
  std::optional<MemoryFacts> memory;
};

ProgramFacts describe(ModuleOp module) {
  ProgramFacts program;
  llvm::StringSet<> macros;
  auto makeMacro = [&](StringRef name) {
    std::string macro = makeIdentifier(name), unique = macro;
    for (int count = 2; !macros.insert(unique).second; ++count)
      unique = macro + "_" + std::to_string(count);
    return unique;
  };
  SymbolReach reach(module);
  ByteCount constants = reach.countGlobals(/*areConstant=*/true);
  llvm::DenseMap<Operation *, FunctionFacts> all;
  module->walk<WalkOrder::PreOrder>([&](FunctionOpInterface function) {
    if (!function.isExternal())
      all[function] = describe(function);
  });
  // What sizes an arena is declared with it, and is no function of the program.
  llvm::StringSet<> sizeFunctions;
  for (const auto &[function, facts] : all)
    for (const ArenaFacts &arena : facts.arenas)
      sizeFunctions.insert(arena.sizeFunction);
  ByteCount ram = reach.countGlobals(/*areConstant=*/false);
  module->walk<WalkOrder::PreOrder>([&](FunctionOpInterface function) {
    if (function.isExternal() || sizeFunctions.contains(function.getName()))
      return;
    FunctionFacts facts = all[function];
    addMemory(facts, function, facts.isPublic, ram);
    if (!facts.isPublic && facts.arenas.empty())
      return;
    facts.macro = makeMacro(facts.name);
    if (facts.isPublic && constants.count > 0) {
      ReachedSymbols reached = reach.find(function);
      MemoryFacts memory{facts.macro,
                         reached.countGlobals(/*areConstant=*/false),
                         reached.countGlobals(/*areConstant=*/true)};
      for (Operation *callee : reached.functions)
        addMemory(all[callee], cast<FunctionOpInterface>(callee),
                  callee == function.getOperation(), memory.ram);
      facts.memory = std::move(memory);
    }
    program.functions.push_back(std::move(facts));
  });
  if (constants.count > 0)
    program.memory = MemoryFacts{makeMacro("program"), ram, constants};
  return program;
}

/// The name without characters that could end a comment of C or a line.
std::string asComment(StringRef name) {
  std::string text;
  for (char c : name)
    text += llvm::isPrint(c) && c != '*' ? c : '_';
  return text;
}

void writeMemory(const MemoryFacts &memory, llvm::raw_ostream &os) {
  auto write = [&](StringRef kind, const ByteCount &count) {
    os << "#define " << memory.macro << "_" << kind << "_BYTES " << count.bytes;
    if (count.unknown > 0)
      os << " /* and " << count.unknown << " of unknown size */";
    os << "\n";
  };
  write("RAM", memory.ram);
  write("ROM", memory.rom);
}

void writeHeader(const ProgramFacts &program, StringRef path,
                 llvm::raw_ostream &os) {
  ArrayRef<FunctionFacts> functions = program.functions;
  std::string guard = makeIdentifier(llvm::sys::path::filename(path));
  os << "/* The memory of a planned program, in bytes. Written by\n"
        "   memplan-emit-header: do not edit. */\n"
     << "#ifndef " << guard << "\n#define " << guard << "\n";
  bool hasFunctions =
      llvm::any_of(functions, [](const FunctionFacts &function) {
        return llvm::any_of(function.arenas, [](const ArenaFacts &arena) {
          return !arena.declaration.empty();
        });
      });
  if (hasFunctions)
    os << "\n#include <stdint.h>\n";
  bool hasSymbols =
      hasFunctions ||
      llvm::any_of(functions, [](const FunctionFacts &function) {
        return llvm::any_of(function.arenas, [](const ArenaFacts &arena) {
          return isIdentifier(arena.variable);
        });
      });
  if (hasSymbols)
    os << "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
  auto define = [&](const FunctionFacts &function, const Twine &name,
                    int64_t value) {
    os << "#define " << function.macro << "_" << name << " " << value << "\n";
  };
  for (const FunctionFacts &function : functions) {
    os << "\n/* " << asComment(function.name) << " */\n";
    bool hasArgument = false;
    // Different memory spaces may give the same identifier.
    llvm::StringSet<> names;
    for (const ArenaFacts &arena : function.arenas) {
      std::string base = nameMemory(arena.placement).str();
      if (arena.space != "0")
        base += "_SPACE_" + makeIdentifier(arena.space);
      std::string name = base;
      for (int count = 2; !names.insert(name).second; ++count)
        name = base + "_" + std::to_string(count);
      hasArgument |= arena.argument.has_value();
      if (arena.argument)
        os << "/* argument " << *arena.argument << " */\n";
      if (arena.bytes)
        define(function, name + "_BYTES", *arena.bytes);
      else if (arena.argument)
        os << "/* its bytes: what " << asComment(arena.sizeFunction)
           << " returns for the same call */\n"
           << arena.declaration << (arena.declaration.empty() ? "" : "\n");
      else
        os << "/* its bytes are known only when the function runs */\n";
      if (arena.most)
        define(function, name + "_BYTES_MAX", *arena.most);
      define(function, name + "_ALIGNMENT", arena.alignment);
      if (isIdentifier(arena.variable))
        os << "extern unsigned char " << arena.variable << "[" << *arena.bytes
           << "];\n";
    }
    if (!hasArgument)
      define(function, "ARENA_BYTES", 0);
    for (const BufferFacts &output : function.outputs) {
      os << "/* " << asComment(print(output.type)) << ", in the arena */\n";
      std::string name = "RESULT" + std::to_string(output.number);
      define(function, name + "_OFFSET", output.offset);
      define(function, name + "_BYTES", output.bytes);
    }
    for (const BufferFacts &argument : function.arguments) {
      std::string name = "ARGUMENT" + std::to_string(argument.number);
      define(function, name + "_BYTES", argument.bytes);
      if (argument.alignment > 0)
        define(function, name + "_ALIGNMENT", argument.alignment);
    }
    if (function.memory) {
      os << "/* with its callees: arenas, allocations and variables; constants "
            "*/\n";
      writeMemory(*function.memory, os);
    }
  }
  if (program.memory) {
    os << "\n/* all functions; a constant counts once */\n";
    writeMemory(*program.memory, os);
  }
  if (hasSymbols)
    os << "\n#ifdef __cplusplus\n}\n#endif\n";
  os << "\n#endif /* " << guard << " */\n";
}

void writeJson(const ProgramFacts &program, llvm::raw_ostream &os) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  auto write = [&](const std::optional<MemoryFacts> &memory) {
    if (!memory)
      return;
    for (auto [name, count] :
         {std::pair("ram", &memory->ram), std::pair("rom", &memory->rom)})
      json.attributeObject(name, [&, count = count] {
        json.attribute("bytes", count->bytes);
        json.attribute("unknown", count->unknown);
      });
  };
  json.object([&] {
    json.attributeArray("functions", [&] {
      for (const FunctionFacts &function : program.functions)
        json.object([&] {
          json.attribute("name", function.name);
          json.attribute("public", function.isPublic);
          json.attributeArray("arenas", [&] {
            for (const ArenaFacts &arena : function.arenas)
              json.object([&] {
                json.attribute("placement", arena.placement);
                json.attribute("memory_space", arena.space);
                if (arena.bytes)
                  json.attribute("bytes", *arena.bytes);
                if (arena.most)
                  json.attribute("bytes_max", *arena.most);
                json.attribute("alignment", arena.alignment);
                if (arena.argument)
                  json.attribute("argument", *arena.argument);
                if (!arena.variable.empty())
                  json.attribute("variable", arena.variable);
              });
          });
          json.attributeArray("results", [&] {
            for (const BufferFacts &output : function.outputs)
              json.object([&] {
                json.attribute("result", output.number);
                json.attribute("type", print(output.type));
                json.attribute("offset", output.offset);
                json.attribute("bytes", output.bytes);
              });
          });
          json.attributeArray("arguments", [&] {
            for (const BufferFacts &argument : function.arguments)
              json.object([&] {
                json.attribute("argument", argument.number);
                json.attribute("type", print(argument.type));
                json.attribute("bytes", argument.bytes);
                if (argument.alignment > 0)
                  json.attribute("alignment", argument.alignment);
              });
          });
          write(function.memory);
        });
    });
    write(program.memory);
  });
  os << "\n";
}

struct EmitHeaderPass : memplan::impl::MemplanEmitHeaderBase<EmitHeaderPass> {
  using MemplanEmitHeaderBase::MemplanEmitHeaderBase;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (failed(checkPlanned(getOperation())))
      return signalPassFailure();
    ProgramFacts program = describe(getOperation());
    if (headerFile.empty() && jsonFile.empty())
      writeHeader(program, "memory.h", llvm::outs());
    StringRef path = headerFile == "-" ? "memory.h" : StringRef(headerFile);
    if (failed(write(
            headerFile,
            [&](llvm::raw_ostream &os) { writeHeader(program, path, os); })) ||
        failed(write(jsonFile,
                     [&](llvm::raw_ostream &os) { writeJson(program, os); })))
      return signalPassFailure();
  }

  /// Writes nothing if `file` is empty.
  LogicalResult write(StringRef file,
                      llvm::function_ref<void(llvm::raw_ostream &)> print) {
    if (file.empty())
      return success();
    return writeOutput(file, getOperation().getLoc(), print);
  }
};
} // namespace
