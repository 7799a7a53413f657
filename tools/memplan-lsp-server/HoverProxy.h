//===- HoverProxy.h - Additions to the language server ----------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TOOLS_LSP_HOVERPROXY_H
#define MEMPLAN_TOOLS_LSP_HOVERPROXY_H

#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/FunctionExtras.h"
#include "llvm/Support/LSP/Transport.h"

namespace memplan::lsp {

/// Runs `server`, a language server on standard input and output, in a child
/// process, passes all messages on, and adds to each answer to a hover what
/// describeBufferAt says. MLIR's server has no hook for it. Returns the exit
/// status of the server.
int runWithHover(llvm::unique_function<int()> server,
                 llvm::lsp::JSONStreamStyle style,
                 const mlir::DialectRegistry &registry);

} // namespace memplan::lsp

#endif // MEMPLAN_TOOLS_LSP_HOVERPROXY_H
