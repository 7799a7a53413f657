//===- Server.cpp - Tools in one process ----------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Server.h"

#include "Child.h"
#include "Execution.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

#include <iostream>
#include <string>
#include <vector>

using namespace mlir;
using namespace memplan::test;

using Message = std::vector<std::string>;

static bool readNumber(size_t &number) {
  std::string line;
  return std::getline(std::cin, line) &&
         !StringRef(line).getAsInteger(10, number);
}

/// False at the end of the input.
static bool readMessage(Message &message) {
  size_t count, length;
  if (!readNumber(count))
    return false;
  message.resize(count);
  for (std::string &part : message) {
    if (!readNumber(length))
      return false;
    part.resize(length);
    if (!std::cin.read(part.data(), static_cast<std::streamsize>(length)))
      return false;
  }
  return true;
}

static void writeMessage(const Message &message) {
  std::cout << message.size() << '\n';
  for (const std::string &part : message)
    std::cout << part.size() << '\n' << part;
  std::cout.flush();
}

static int optimize(DialectRegistry &registry, const Message &request) {
  std::vector<std::string> arguments = {"memplan-opt"};
  arguments.insert(arguments.end(), request.begin() + 3, request.end());
  std::vector<char *> argv;
  for (std::string &argument : arguments)
    argv.push_back(argument.data());
  argv.push_back(nullptr);
  return asMainReturnCode(MlirOptMain(static_cast<int>(arguments.size()),
                                      argv.data(), "memplan-opt in a test\n",
                                      registry));
}

/// The program of the request, or null after an error on the standard error.
static OwningOpRef<ModuleOp> parseProgram(MLIRContext &context,
                                          const Message &request) {
  return parseSourceString<ModuleOp>(request[2], &context);
}

static int lower(MLIRContext &context, const Message &request) {
  OwningOpRef<ModuleOp> module = parseProgram(context, request);
  if (!module || failed(lowerToLLVM(*module)))
    return 1;
  module->print(llvm::outs());
  return 0;
}

/// Writes the number of live buffers in a line of its own before the output.
static int execute(MLIRContext &context, const Message &request,
                   unsigned seconds) {
  OwningOpRef<ModuleOp> module = parseProgram(context, request);
  if (!module || failed(lowerToLLVM(*module)))
    return 1;
  std::optional<uint8_t> fill;
  unsigned byte;
  if (!StringRef(request[3]).getAsInteger(10, byte))
    fill = static_cast<uint8_t>(byte);
  auto program = CompiledProgram::compile(*module, request[4] != "0");
  if (!program) {
    llvm::errs() << llvm::toString(program.takeError()) << "\n";
    return 1;
  }
  auto execution = program->run({}, fill, seconds);
  if (!execution) {
    llvm::errs() << llvm::toString(execution.takeError()) << "\n";
    return 1;
  }
  llvm::outs() << execution->live << "\n" << execution->output;
  return 0;
}

int memplan::test::serve(MLIRContext &context, DialectRegistry &registry) {
  Message request;
  while (readMessage(request)) {
    unsigned seconds = 0;
    StringRef command = request.empty() ? "" : StringRef(request[0]);
    bool runs = command == "execute";
    bool isKnown = runs || command == "opt" || command == "lower";
    if (!isKnown || request.size() < (runs ? 5 : 3) ||
        StringRef(request[1]).getAsInteger(10, seconds)) {
      std::cerr << "memplan-test-programs: unknown request\n";
      return 1;
    }
    ChildResult result = runInChild(
        [&] {
          if (command == "opt")
            return optimize(registry, request);
          ScopedDiagnosticHandler handler(&context, [](Diagnostic &diagnostic) {
            llvm::errs() << diagnostic.getLocation() << ": " << diagnostic
                         << "\n";
          });
          return runs ? execute(context, request, seconds)
                      : lower(context, request);
        },
        seconds, request[2]);
    StringRef output = result.standardOutput, live;
    if (runs && result.status == 0)
      std::tie(live, output) = output.split('\n');
    writeMessage({std::to_string(result.status), output.str(),
                  result.standardError, live.str()});
  }
  return 0;
}
