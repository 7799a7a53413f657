//===- memplan-opt.cpp - The optimizer driver -----------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Files.h"
#include "common/Interruption.h"
#include "common/OutOfMemory.h"
#include "common/ProgressLine.h"
#include "memplan/Core/FileKind.h"
#include "memplan/InitAll.h"
#include "memplan/Transforms/Embedding.h"
#include "memplan/Transforms/SolveHook.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <pthread.h>
#include <sys/resource.h>

namespace {

/// Solves problems, several at once, with one progress line. Ctrl-C ends all
/// searches of the process: each pass goes on with the best plans so far. While
/// nothing is solved, and the second time, Ctrl-C ends the process.
class Solver {
public:
  memplan::Plan solve(const memplan::Problem &problem,
                      const memplan::SolveOptions &options) {
    const std::atomic<bool> &stop = enter();
    bool isShown = !isShowing.exchange(true);
    memplan::Plan plan =
        memplan::tool::solveWithProgress(problem, options, isShown, &stop);
    if (isShown)
      isShowing = false;
    leave();
    return plan;
  }

  bool isInterrupted() const { return interrupted; }

private:
  const std::atomic<bool> &enter() {
    std::lock_guard<std::mutex> guard(lock);
    if (numRunning++ == 0 && !interrupted)
      interruption.emplace();
    return interrupted ? interrupted : interruption->flag();
  }

  void leave() {
    std::lock_guard<std::mutex> guard(lock);
    if (--numRunning > 0 || interrupted)
      return;
    interrupted = interruption->hasCome();
    interruption.reset();
  }

  std::mutex lock;
  size_t numRunning = 0;
  std::optional<memplan::tool::Interruption> interruption;
  std::atomic<bool> interrupted{false}, isShowing{false};
};

} // namespace

/// Whether statistics were requested. Debian's LLVM is built without them, so
/// the pass manager prints an empty table.
static bool wantsStatistics() {
  auto &options = llvm::cl::getRegisteredOptions();
  auto it = options.find("mlir-pass-statistics");
  return it != options.end() && it->second->getNumOccurrences() != 0;
}

static void makeRoomForNests() {
  constexpr size_t bytes = memplan::kStackBytes;
  rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < bytes) {
    limit.rlim_cur = std::min<rlim_t>(bytes, limit.rlim_max);
    setrlimit(RLIMIT_STACK, &limit);
  }
#ifdef __GLIBC__
  // Of the threads that passes run in; memory is used only when it is touched.
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, bytes);
  pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
#endif
}

/// Says what the input is if it is of another tool: MLIR's error does not.
static void explainInput(llvm::StringRef path) {
  if (path == "-")
    return;
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return;
  llvm::StringRef text = (*file)->getBuffer();
  memplan::FileKind kind = memplan::guessFileKind({text.data(), text.size()});
  if (kind != memplan::FileKind::Program && kind != memplan::FileKind::Unknown)
    llvm::errs() << "memplan-opt: '" << path << "' is "
                 << memplan::describeFileKind(kind) << "\n";
}

int main(int argc, char **argv) {
  memplan::tool::exitIfOutOfMemory("memplan-opt");
  llvm::install_bad_alloc_error_handler([](void *, const char *, bool) {
    memplan::tool::exitWithoutMemory("memplan-opt");
  });
  makeRoomForNests();
  llvm::cl::SetVersionPrinter(memplan::printVersion);
  mlir::registerAllPasses();
  memplan::registerAllPasses();
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  memplan::registerMemplanDialects(registry);
  Solver solver;
  memplan::SolveHook hook(
      [&](const memplan::Problem &problem,
          const memplan::SolveOptions &options) {
        return solver.solve(problem, options);
      },
      /*isConcurrent=*/true);
  auto [input, output] = mlir::registerAndParseCLIOptions(
      argc, argv, "memplan optimizer driver\n", registry);
  bool printsStatistics = wantsStatistics();
  memplan::tool::ReplacedFile file(output);
  mlir::LogicalResult result =
      mlir::MlirOptMain(argc, argv, input, file.name(), registry);
  if (mlir::failed(result))
    explainInput(input);
  std::string reason;
  if (mlir::succeeded(result) && !file.finish(reason)) {
    llvm::errs() << "memplan-opt: cannot write '" << output << "': " << reason
                 << "\n";
    result = mlir::failure();
  }
  if (solver.isInterrupted())
    llvm::errs()
        << "memplan-opt: interrupted: the plans are the best that were "
           "found so far\n";
  if (printsStatistics)
    memplan::printPlanStatistics(llvm::errs());
  return mlir::asMainReturnCode(result);
}
