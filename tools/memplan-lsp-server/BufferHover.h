//===- BufferHover.h - What is planned for a buffer -------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TOOLS_LSP_BUFFERHOVER_H
#define MEMPLAN_TOOLS_LSP_BUFFERHOVER_H

#include "mlir/IR/DialectRegistry.h"

#include <string>

namespace memplan::lsp {

/// Describes, in Markdown, what plan-memory does with the buffer whose
/// allocation or use is at the position (line and column from 0) of a program:
/// size, offset and live ranges, or the reason why it is not planned. Empty if
/// no buffer is there, or if the program has errors. Parts of the text between
/// lines "// -----" are programs of their own, as for the language server.
std::string describeBufferAt(llvm::StringRef text, int line, int column,
                             const mlir::DialectRegistry &registry);

} // namespace memplan::lsp

#endif // MEMPLAN_TOOLS_LSP_BUFFERHOVER_H
