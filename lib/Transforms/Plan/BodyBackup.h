//===- BodyBackup.h - What a function was before it was planned -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_BODYBACKUP_H
#define MEMPLAN_LIB_TRANSFORMS_BODYBACKUP_H

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Operation.h"

namespace memplan {

/// A copy of a region, to go back to.
///
/// The payloads of linalg ops on memrefs, most of the ops of many programs, are
/// not copied: whoever changes the region between must keep these ops, wherever
/// they move to, and what is inside them. Planning does, as it changes nothing
/// but memrefs and erases nothing that has effects.
class BodyBackup {
public:
  explicit BodyBackup(mlir::Region &body);
  ~BodyBackup();

  /// Makes the region what it was. May be called once.
  void restore();

private:
  void copy(mlir::Region &from, mlir::Region &to);
  void keepPayload(mlir::Operation &op, mlir::Operation &mirror);

  mlir::Region &body;
  mlir::Region saved;
  mlir::IRMapping mapping;
  /// Ops and their copies, which lack what is inside.
  llvm::SmallVector<std::pair<mlir::Operation *, mlir::Operation *>> payloads;
  /// What the payloads take from outside, and the copies of that.
  llvm::SmallVector<std::pair<mlir::OpOperand *, mlir::Value>> captures;
};

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_BODYBACKUP_H
