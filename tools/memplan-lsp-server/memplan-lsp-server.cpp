//===- memplan-lsp-server.cpp - The language server -----------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's language server with memplan's dialect. Hovering over a buffer also
// shows what plan-memory does with it.
//
//===----------------------------------------------------------------------===//

#include "HoverProxy.h"
#include "memplan/Transforms/Embedding.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/CommandLine.h"

int main(int argc, char **argv) {
  llvm::cl::SetVersionPrinter(memplan::printVersion);
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  memplan::registerMemplanDialects(registry);
  auto serve = [&] {
    return static_cast<int>(
        mlir::failed(mlir::MlirLspServerMain(argc, argv, registry)));
  };
  auto style = llvm::lsp::JSONStreamStyle::Standard;
  for (llvm::StringRef argument : llvm::ArrayRef(argv, argc).drop_front()) {
    argument = argument.ltrim('-');
    if (argument.starts_with("help") || argument == "version" ||
        argument == "h")
      return serve();
    if (argument == "lit-test" || argument == "input-style=delimited")
      style = llvm::lsp::JSONStreamStyle::Delimited;
  }
  return memplan::lsp::runWithHover(serve, style, registry);
}
