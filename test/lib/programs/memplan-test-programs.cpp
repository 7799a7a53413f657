//===- memplan-test-programs.cpp - Programs in one process ------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Tests all programs of folders in one process that loads the libraries once:
// each program is compared with its plans (Comparison.h) and its output with
// the FileCheck directives in its text (Directives.h). See printUsage.

#include "Child.h"
#include "Comparison.h"
#include "Execution.h"
#include "Server.h"
#include "TestCorrespondence.h"
#include "TestStripes.h"

#include "memplan/InitAll.h"
#include "memplan/Transforms/Embedding.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace memplan::test;
using llvm::StringRef;

static void printUsage() {
  llvm::errs() << R"(usage: memplan-test-programs [OPTION...] PATH...
       memplan-test-programs --serve

Compares programs, files or all of folders, with their plans.

  --print          print what each program is compared with, and check no
                   expected texts
  --time-limit=S   seconds for a program, and for each of its runs (60)
  --serve          answer requests of scripts (test/tools/server.py)
)";
}

namespace {

struct Options {
  std::vector<std::string> paths;
  unsigned seconds = 60;
  bool print = false;
  bool serve = false;
};

} // namespace

static bool readOptions(int argc, char **argv, Options &options) {
  for (int i = 1; i < argc; ++i) {
    StringRef word = argv[i];
    if (word == "--print") {
      options.print = true;
    } else if (word == "--serve") {
      options.serve = true;
    } else if (word.consume_front("--time-limit=")) {
      if (word.getAsInteger(10, options.seconds) || options.seconds == 0)
        return false;
    } else if (word.starts_with("-")) {
      return false;
    } else {
      options.paths.push_back(word.str());
    }
  }
  return options.serve == options.paths.empty();
}

/// The programs, in order. False after an error message.
static bool findPrograms(const Options &options,
                         std::vector<std::string> &programs) {
  for (const std::string &path : options.paths) {
    if (!llvm::sys::fs::is_directory(path)) {
      programs.push_back(path);
      continue;
    }
    std::error_code error;
    std::vector<std::string> found;
    for (llvm::sys::fs::recursive_directory_iterator it(path, error), end;
         it != end && !error; it.increment(error))
      if (llvm::sys::path::extension(it->path()) == ".mlir")
        found.push_back(it->path());
    if (error || found.empty()) {
      llvm::errs() << path << ": has no programs\n";
      return false;
    }
    llvm::sort(found);
    programs.insert(programs.end(), found.begin(), found.end());
  }
  return true;
}

/// All comparisons of one program.
static llvm::Error testProgram(mlir::MLIRContext &context, StringRef path,
                               const Options &options) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return llvm::createStringError(file.getError(), "cannot be read");
  StringRef text = (*file)->getBuffer();
  auto directives = readDirectives(text);
  if (!directives)
    return directives.takeError();
  std::string program = text.str();
  if (!directives->helpers.empty()) {
    llvm::SmallString<128> beside = llvm::sys::path::parent_path(path);
    llvm::sys::path::append(beside, directives->helpers);
    auto helpers = llvm::MemoryBuffer::getFile(beside);
    if (!helpers)
      return llvm::createStringError(helpers.getError(),
                                     beside + " cannot be read");
    program += (*helpers)->getBuffer();
  }
  for (const Directive &directive : directives->comparisons) {
    auto explain = [&](llvm::Error error) {
      return directive.text.empty()
                 ? std::move(error)
                 : llvm::createStringError("PROGRAM: " + directive.text + ": " +
                                           llvm::toString(std::move(error)));
    };
    auto output = comparePlans(context, program, directive, directives->runs,
                               options.seconds);
    if (!output)
      return explain(output.takeError());
    if (options.print)
      llvm::outs() << *output;
    else if (directive.form != Directive::Form::ThenDeallocated)
      if (llvm::Error error = checkOutput(*output, path, text, directive))
        return explain(std::move(error));
  }
  return llvm::Error::success();
}

/// Makes this process load, once for its children, what all of them use.
static void warmUp(mlir::MLIRContext &context) {
  constexpr llvm::StringLiteral program = R"(
    func.func @main() {
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : i64
      %a = memref.alloc() : memref<8xi64>
      linalg.fill ins(%one : i64) outs(%a : memref<8xi64>)
      %x = memref.load %a[%zero] : memref<8xi64>
      vector.print %x : i64
      return
    }
  )";
  llvm::cantFail(comparePlans(context, program, Directive(), {{}}, 60));
}

int main(int argc, char **argv) {
  Options options;
  if (!readOptions(argc, argv, options)) {
    printUsage();
    return 2;
  }
  mlir::registerAllPasses();
  memplan::registerAllPasses();
  memplan::registerTestCorrespondence();
  memplan::registerTestStripes();
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  memplan::registerMemplanDialects(registry);
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects(false);
  loadRuntime();
  warmUp(context);
  if (options.serve)
    return serve(context, registry);

  std::vector<std::string> programs;
  if (!findPrograms(options, programs))
    return 2;
  size_t failures = 0;
  for (const std::string &path : programs) {
    ChildResult result = runInChild(
        [&] {
          llvm::Error error = testProgram(context, path, options);
          if (!error)
            return 0;
          llvm::errs() << llvm::toString(std::move(error));
          return 1;
        },
        options.seconds);
    llvm::outs() << result.standardOutput;
    if (result.status == 0)
      continue;
    ++failures;
    llvm::outs() << path << ": FAILED";
    if (result.status != 1)
      llvm::outs() << ": " << result.describe();
    llvm::outs() << ": " << StringRef(result.standardError).rtrim() << "\n";
  }
  llvm::outs() << programs.size() << " programs, " << failures << " failed\n";
  return failures == 0 && !programs.empty() ? 0 : 1;
}
