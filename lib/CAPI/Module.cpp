//===- Module.cpp - Planning programs given as text -----------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan-c/Module.h"

#include "CatchErrors.h"
#include "memplan-c/MLIR.h"
#include "memplan/Transforms/Embedding.h"
#include "memplan/Transforms/OptionParsers.h"
#include "memplan/Transforms/ReportCapture.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#include <exception>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <system_error>

using namespace mlir;
using namespace memplan::capi;

namespace {
struct Message {
  MemplanSeverity severity;
  std::string text;
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
};
} // namespace

struct MemplanRun {
  bool succeeded = false;
  std::string text;
  std::string report;
  std::vector<Message> messages;

  void add(MemplanSeverity severity, Location loc, const std::string &text) {
    Message message{severity, text, "", 0, 0};
    if (auto place = loc->findInstanceOf<FileLineColLoc>()) {
      message.file = place.getFilename().str();
      message.line = place.getLine();
      message.column = place.getColumn();
    }
    messages.push_back(std::move(message));
  }

  void add(Diagnostic &diagnostic) {
    MemplanSeverity severity = MEMPLAN_ERROR;
    if (diagnostic.getSeverity() == DiagnosticSeverity::Warning)
      severity = MEMPLAN_WARNING;
    else if (diagnostic.getSeverity() == DiagnosticSeverity::Remark)
      severity = MEMPLAN_REMARK;
    else if (diagnostic.getSeverity() == DiagnosticSeverity::Note)
      severity = MEMPLAN_NOTE;
    add(severity, diagnostic.getLocation(), diagnostic.str());
    for (Diagnostic &note : diagnostic.getNotes())
      add(MEMPLAN_NOTE, note.getLocation(), note.str());
  }
};

/// The dialects of memplan-opt; built once and only read afterwards.
static const DialectRegistry &getRegistry() {
  static const DialectRegistry *registry = [] {
    registerAllPasses();
    memplanRegisterPasses();
    auto *made = new DialectRegistry;
    registerAllDialects(*made);
    registerAllExtensions(*made);
    memplan::registerMemplanDialects(*made);
    return made;
  }();
  return *registry;
}

/// Parses under a lock, as options of registered passes keep state while they
/// are parsed.
static LogicalResult parsePipeline(StringRef pipeline, PassManager &manager,
                                   std::string &errors) {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  llvm::raw_string_ostream stream(errors);
  memplan::OptionErrors values;
  FailureOr<OpPassManager> parsed = parsePassPipeline(pipeline, stream);
  errors = values.text + errors;
  if (failed(parsed))
    return failure();
  static_cast<OpPassManager &>(manager) = std::move(*parsed);
  return success();
}

static void runOn(StringRef text, StringRef name, StringRef pipeline,
                  MemplanRun &run) {
  MLIRContext context(getRegistry(), MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { run.add(diagnostic); });
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, name),
                             llvm::SMLoc());
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return;
  PassManager manager(&context, ModuleOp::getOperationName());
  if (!pipeline.empty()) {
    std::string errors;
    if (failed(parsePipeline(pipeline, manager, errors))) {
      while (!errors.empty() && errors.back() == '\n')
        errors.pop_back();
      run.add(MEMPLAN_ERROR, UnknownLoc::get(&context),
              "cannot parse the pipeline '" + pipeline.str() + "': " + errors);
      return;
    }
  }
  memplan::ReportCapture reports;
  LogicalResult ran = manager.run(*module);
  run.report = reports.text();
  if (failed(ran))
    return;
  llvm::raw_string_ostream os(run.text);
  module->print(os);
  run.text += '\n';
  run.succeeded = true;
}

namespace {
/// What a thread runs, and what that has thrown.
struct Work {
  llvm::function_ref<void()> run;
  std::exception_ptr thrown;
};
} // namespace

static void *runWork(void *data) {
  auto *work = static_cast<Work *>(data);
  try {
    work->run();
  } catch (...) {
    work->thrown = std::current_exception();
  }
  return nullptr;
}

/// Calls the function in a thread whose stack has kStackBytes, whatever that of
/// this thread has, and waits for it. Throws what it throws, and
/// std::system_error if there can be no such thread.
static void runOnLargeStack(llvm::function_ref<void()> function) {
  Work work{function, nullptr};
  pthread_t thread;
  pthread_attr_t attributes;
  int error = pthread_attr_init(&attributes);
  if (error == 0) {
    error = pthread_attr_setstacksize(&attributes, memplan::kStackBytes);
    if (error == 0)
      error = pthread_create(&thread, &attributes, runWork, &work);
    pthread_attr_destroy(&attributes);
  }
  if (error != 0)
    throw std::system_error(error, std::generic_category(),
                            "no thread for the run");
  pthread_join(thread, nullptr);
  if (work.thrown)
    std::rethrow_exception(work.thrown);
}

MemplanResult memplanRun(const char *text, size_t length, const char *name,
                         size_t nameLength, const char *pipeline,
                         size_t pipelineLength, MemplanRun **run) {
  return catchErrors([&] {
    if ((!text && length) || (!name && nameLength) ||
        (!pipeline && pipelineLength) || !run)
      return badArgument("memplanRun: a parameter is NULL");
    auto result = std::make_unique<MemplanRun>();
    runOnLargeStack([&] {
      runOn({text, length}, {name, nameLength}, {pipeline, pipelineLength},
            *result);
    });
    *run = result.release();
    return MEMPLAN_OK;
  });
}

void memplanRunDestroy(MemplanRun *run) { delete run; }

int memplanRunSucceeded(const MemplanRun *run) { return run && run->succeeded; }

const char *memplanRunText(const MemplanRun *run, size_t *length) {
  bool exists = memplanRunSucceeded(run);
  if (length)
    *length = exists ? run->text.size() : 0;
  return exists ? run->text.c_str() : nullptr;
}

const char *memplanRunReport(const MemplanRun *run, size_t *length) {
  if (length)
    *length = run ? run->report.size() : 0;
  return run ? run->report.c_str() : nullptr;
}

size_t memplanRunDiagnosticCount(const MemplanRun *run) {
  return run ? run->messages.size() : 0;
}

MemplanResult memplanRunDiagnostic(const MemplanRun *run, size_t index,
                                   MemplanDiagnostic *diagnostic) {
  if (index >= memplanRunDiagnosticCount(run) || !diagnostic)
    return badArgument("memplanRunDiagnostic: there is no such diagnostic");
  const Message &message = run->messages[index];
  *diagnostic = {message.severity, message.text.c_str(), message.file.c_str(),
                 message.line, message.column};
  return MEMPLAN_OK;
}
