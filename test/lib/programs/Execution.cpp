//===- Execution.cpp - Programs that run ------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution.h"

#include "Child.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>

#include <malloc.h>
#include <unistd.h>

using namespace mlir;
using namespace memplan::test;

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

/// Scopes have an effect on planned programs that are optimized.
static constexpr const char *kLowering =
    "expand-realloc,"
    "one-shot-bufferize{allow-unknown-ops=true},"
    "bufferization-lower-deallocations,"
    "convert-bufferization-to-memref,"
    "async-parallel-for,"
    "func.func(convert-linalg-to-loops),"
    "scf-forall-to-parallel,"
    "convert-vector-to-scf,"
    "async-to-async-runtime,"
    "func.func(async-runtime-ref-counting),"
    "func.func(async-runtime-ref-counting-opt),"
    "lower-affine,"
    "convert-scf-to-cf,"
    "expand-strided-metadata,"
    "lower-affine,"
    "func.func(memplan-alias-scopes),"
    "convert-async-to-llvm,"
    "convert-complex-to-llvm,"
    "convert-math-to-llvm,"
    "convert-math-to-libm,"
    "func.func(arith-expand),"
    "convert-vector-to-llvm,"
    "finalize-memref-to-llvm{use-generic-functions=true},"
    "convert-func-to-llvm,"
    "convert-arith-to-llvm,"
    "convert-cf-to-llvm,"
    "convert-index-to-llvm,"
    "reconcile-unrealized-casts";

static void dropMemorySpaces(ModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](MemRefType type) -> std::optional<Type> {
    if (!isa_and_present<IntegerAttr>(type.getMemorySpace()))
      return std::nullopt;
    return MemRefType::get(type.getShape(), type.getElementType(),
                           type.getLayout());
  });
  replacer.addReplacement([](UnrankedMemRefType type) -> std::optional<Type> {
    if (!isa_and_present<IntegerAttr>(type.getMemorySpace()))
      return std::nullopt;
    return UnrankedMemRefType::get(type.getElementType(), Attribute());
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

/// Declared functions that promise to overwrite their last argument add the
/// first one to itself.
static void defineContracts(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isDeclaration() || function.getNumArguments() != 2 ||
        !function.getArgAttr(1, "memplan.overwrites"))
      continue;
    function.removeArgAttrsAttr();
    OpBuilder builder(function.getContext());
    builder.setInsertionPointToStart(function.addEntryBlock());
    Value from = function.getArgument(0), to = function.getArgument(1);
    linalg::MapOp::create(
        builder, function.getLoc(), ValueRange{from, from}, to,
        [](OpBuilder &nested, Location loc, ValueRange args) {
          Value sum;
          if (isa<FloatType>(args[0].getType()))
            sum = arith::AddFOp::create(nested, loc, args[0], args[1]);
          else
            sum = arith::AddIOp::create(nested, loc, args[0], args[1]);
          linalg::YieldOp::create(nested, loc, sum);
        });
    func::ReturnOp::create(builder, function.getLoc());
  }
}

/// If @main asks for arenas, a new @main allocates them and calls it.
static void provideArenas(ModuleOp module) {
  auto planned = module.lookupSymbol<func::FuncOp>("main");
  if (!planned)
    return;
  bool asks = false;
  for (unsigned i = 0; i < planned.getNumArguments(); ++i)
    asks |= planned.getArgAttr(i, "memplan.arena") != nullptr;
  if (!asks)
    return;
  Location loc = planned.getLoc();
  planned.setName("main_planned");
  planned.setPrivate();
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  SmallVector<Type> own;
  for (unsigned i = 0; i < planned.getNumArguments(); ++i)
    if (!planned.getArgAttr(i, "memplan.arena"))
      own.push_back(planned.getArgument(i).getType());
  auto caller = func::FuncOp::create(builder, loc, "main",
                                     builder.getFunctionType(own, {}));
  builder.setInsertionPointToStart(caller.addEntryBlock());
  SmallVector<Value> operands, arenas;
  // As a caller of @main would.
  SmallVector<Value> bytes;
  if (module.lookupSymbol<func::FuncOp>("main.arena_bytes"))
    bytes = func::CallOp::create(builder, loc, "main.arena_bytes",
                                 builder.getIndexType(), caller.getArguments())
                .getResults();
  unsigned next = 0;
  for (unsigned i = 0; i < planned.getNumArguments(); ++i) {
    auto alignment = planned.getArgAttrOfType<IntegerAttr>(i, "memplan.arena");
    if (!alignment) {
      operands.push_back(caller.getArgument(next++));
      continue;
    }
    auto type = cast<MemRefType>(planned.getArgument(i).getType());
    arenas.push_back(memref::AllocOp::create(
        builder, loc, type,
        type.hasStaticShape() ? ValueRange() : ValueRange(bytes), alignment));
    operands.push_back(arenas.back());
  }
  func::CallOp::create(builder, loc, planned, operands);
  for (Value arena : arenas)
    memref::DeallocOp::create(builder, loc, arena);
  func::ReturnOp::create(builder, loc);
}

LogicalResult memplan::test::lowerToLLVM(ModuleOp module) {
  dropMemorySpaces(module);
  defineContracts(module);
  provideArenas(module);
  auto lowering = PassManager::on<ModuleOp>(module.getContext());
  if (failed(parsePassPipeline(kLowering, lowering)))
    llvm::report_fatal_error("the lowering is no pipeline");
  return lowering.run(module);
}

//===----------------------------------------------------------------------===//
// The heap
//===----------------------------------------------------------------------===//

static std::atomic<int64_t> liveBuffers(0);
static std::optional<uint8_t> fillByte;

/// What memref.alloc and memref.dealloc call.
static void *allocateBuffer(uint64_t size) {
  // AddressSanitizer says that a buffer of 0 bytes has 1, which is not to fill.
  void *buffer = std::malloc(std::max<uint64_t>(size, 1));
  if (buffer && fillByte)
    std::memset(buffer, static_cast<uint8_t>(~*fillByte), size);
  ++liveBuffers;
  return buffer;
}

static void freeBuffer(void *buffer) {
  if (buffer && fillByte)
    std::memset(buffer, *fillByte, malloc_usable_size(buffer));
  --liveBuffers;
  std::free(buffer);
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

static constexpr const char *kRuntime[] = {
    MEMPLAN_LLVM_LIB_DIR "/libmlir_runner_utils.so",
    MEMPLAN_LLVM_LIB_DIR "/libmlir_c_runner_utils.so",
    MEMPLAN_LLVM_LIB_DIR "/libmlir_async_runtime.so",
    MEMPLAN_LLVM_LIB_DIR "/libmlir_float16_utils.so",
};

void memplan::test::loadRuntime() {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::InitializeNativeTargetAsmParser();
  for (const char *library : kRuntime) {
    std::string error;
    if (llvm::sys::DynamicLibrary::LoadLibraryPermanently(library, &error))
      llvm::report_fatal_error(llvm::Twine("cannot load ") + library + ": " +
                               error);
  }
}

llvm::Expected<CompiledProgram> CompiledProgram::compile(ModuleOp lowered,
                                                         bool optimize) {
  auto transformer = makeOptimizingTransformer(optimize ? 2 : 0,
                                               /*sizeLevel=*/0,
                                               /*targetMachine=*/nullptr);
  // The engine finds the runtime in this process. As a library of an engine,
  // the asynchronous runtime would be destroyed with it, for all engines.
  ExecutionEngineOptions options;
  options.enableGDBNotificationListener = false;
  options.enablePerfNotificationListener = false;
  options.jitCodeGenOptLevel =
      optimize ? llvm::CodeGenOptLevel::Default : llvm::CodeGenOptLevel::None;
  options.transformer = transformer;
  auto engine = ExecutionEngine::create(lowered, options);
  if (!engine)
    return engine.takeError();
  (*engine)->registerSymbols([](llvm::orc::MangleAndInterner interner) {
    llvm::orc::SymbolMap symbols;
    auto add = [&](const char *name, auto *function) {
      symbols[interner(name)] = {llvm::orc::ExecutorAddr::fromPtr(function),
                                 llvm::JITSymbolFlags::Exported};
    };
    add("_mlir_memref_to_llvm_alloc", &allocateBuffer);
    add("_mlir_memref_to_llvm_free", &freeBuffer);
    return symbols;
  });
  auto entry = (*engine)->lookupPacked("main");
  if (!entry)
    return entry.takeError();
  CompiledProgram program;
  program.engine = std::move(*engine);
  program.entry = *entry;
  return program;
}

/// Addresses of buffers are no results of a program.
static std::string hideAddresses(StringRef text) {
  constexpr StringLiteral mark = "base@ = ";
  std::string result;
  while (true) {
    auto [before, after] = text.split(mark);
    result += before;
    if (before.size() == text.size())
      return result;
    result += mark;
    if (after.consume_front("0x")) {
      result += "...";
      after = after.drop_while([](char c) { return llvm::isHexDigit(c); });
    }
    text = after;
  }
}

llvm::Expected<Execution>
CompiledProgram::run(llvm::ArrayRef<int64_t> arguments,
                     std::optional<uint8_t> fill, unsigned seconds) const {
  SmallVector<int64_t> values(arguments);
  SmallVector<void *> packed;
  for (int64_t &value : values)
    packed.push_back(&value);
  constexpr StringLiteral mark = "\nlive buffers: ";
  ChildResult result = runInChild(
      [&] {
        fillByte = fill;
        liveBuffers = 0;
        entry(packed.data());
        std::string live = (mark + llvm::Twine(liveBuffers.load())).str();
        return write(STDERR_FILENO, live.data(), live.size()) < 0;
      },
      seconds);
  auto [errors, live] = StringRef(result.standardError).rsplit(mark);
  Execution execution;
  if (result.status != 0 || live.getAsInteger(10, execution.live))
    return llvm::createStringError("the program fails: " + result.describe() +
                                   "\n" + result.standardOutput +
                                   result.standardError);
  execution.output = hideAddresses(result.standardOutput);
  return execution;
}
