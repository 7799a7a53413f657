//===- SizeModel.h - Extents and bytes under hints --------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_SIZEMODEL_H
#define MEMPLAN_ANALYSIS_SIZEMODEL_H

#include "memplan/Analysis/SizeOps.h"
#include "memplan/Core/Formula.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Value.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace memplan {

/// Bytes that may depend on unknown sizes: the number under the hints, and the
/// formula, which is absent if there is only the number.
struct SymbolicBytes {
  int64_t bytes = 0;
  MaybeFormula formula = {};
};

/// Sizes of shaped values, as formulas over symbols and as numbers under hints.
///
/// A symbol is an extent of a function argument, an index argument, or an index
/// of which nothing more is known. The hints for the extents of an argument are
/// its attribute `memplan.dim_hints` (array<i64>, one for each dimension, 0 for
/// none); the hint for an index argument is `memplan.hint` (an i64). All other
/// symbols have the default hint. Formulas are followed through the ops that
/// forward sizes (tensor.dim, casts, reshapes, slices, pads,
/// destination-passing ties, index arithmetic). Each value is computed once. A
/// callee is computed for each call with other sizes (CallScope), so that its
/// formulas use the symbols of the caller.
///
/// These are estimates, unlike those of SizeFormulas: numbers do not wrap
/// around, the result of a loop has the extent of its init, and that of a
/// conditional the greater one.
class SizeModel : public SizeInterpreter<SizeModel, Formula, 1> {
  struct Memo;

public:
  /// `defaultHint` is at least 0.
  explicit SizeModel(int64_t defaultHint) : defaultHint(defaultHint) {
    memo = addMemo();
  }

  /// While it exists, the arguments of the callee have the sizes and numbers
  /// that the call gives them, and queries are about values of the callee. Only
  /// the first kMostScopes calls with different sizes get such a scope. In
  /// others, and if operands and arguments do not match, the arguments only
  /// have their own hints.
  class CallScope {
  public:
    CallScope(SizeModel &model, mlir::CallOpInterface call,
              mlir::FunctionOpInterface callee);
    ~CallScope() { model.memo = previous; }
    CallScope(const CallScope &) = delete;
    CallScope &operator=(const CallScope &) = delete;
    /// True if formulas use the symbols of the caller.
    bool isBound() const { return bound; }

  private:
    SizeModel &model;
    bool bound = false;
    SizeModel::Memo *previous;
  };
  static constexpr unsigned kMostScopes = 8;

  /// The number of the current scope, 0 outside of callees. Facts about a
  /// function may be cached by function and scope.
  unsigned getScope() const { return memo->number; }

  /// The value under the hints; the greatest one if it differs between
  /// iterations of a loop. At least 0, and at most the largest 64-bit number.
  int64_t evaluate(const Formula &formula) const;
  /// The same; std::nullopt if the formula depends on a symbol that only has
  /// the default hint, or on the iteration of a loop.
  std::optional<int64_t> evaluateHinted(const Formula &formula) const;

  /// Elements and bytes of a tensor, memref or vector; a scalar is one element.
  Formula getNumElements(mlir::Value value);
  int64_t getBytes(mlir::Value value);
  /// Bytes of a value, with its formula if its shape is dynamic.
  SymbolicBytes getSymbolicBytes(mlir::Value value);
  /// The greater of the two.
  static SymbolicBytes getMax(const SymbolicBytes &a, const SymbolicBytes &b);
  /// The sum; without a formula if that would have very many terms.
  static SymbolicBytes getSum(llvm::ArrayRef<SymbolicBytes> parts);
  /// The difference; the number is at least 0.
  static SymbolicBytes getDifference(const SymbolicBytes &a,
                                     const SymbolicBytes &b);
  /// The formula as text; empty if there is none.
  static std::string printFormula(const SymbolicBytes &bytes);
  /// Bytes from one element to the next; 0 if they are not known.
  int64_t getElementBytes(mlir::Type elementType, mlir::Operation *scope);

private:
  /// The least and the greatest value in the iterations of a loop.
  struct Range {
    int64_t least, most;
  };
  struct Symbol {
    Range hint;
    bool isHinted;
  };
  friend SizeInterpreter<SizeModel, Formula, 1>;
  Formula ofConstant(int64_t number);
  Formula ofArgument(mlir::BlockArgument argument);
  Formula combine(SizeOp op, const Formula &a, const Formula &b);
  Formula ofOther(mlir::Value value, int64_t least);
  llvm::DenseMap<mlir::Value, Formula> &getMemo() { return memo->indices; }
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, Formula> &getExtentMemo() {
    return memo->extents;
  }

  /// Two symbols of one name differ by a number that is not printed.
  Formula addSymbol(std::string name, Range hint, bool isHinted);
  Formula addUnknown();
  static Range apply(SizeOp op, Range a, Range b);
  /// The values that the formula may have. With `onlyHinted` std::nullopt if a
  /// symbol only has the default hint or depends on an iteration.
  std::optional<Range> getRange(const Formula &formula, bool onlyHinted) const;
  std::optional<Range> getRange(const Formula::Factor &factor,
                                bool onlyHinted) const;
  Formula computeExtent(mlir::Value shaped, unsigned dimension);
  Formula computeResultExtent(mlir::OpResult result, unsigned dimension);
  Formula computeArgumentExtent(mlir::BlockArgument argument,
                                unsigned dimension);
  Formula computeInductionVariable(mlir::BlockArgument argument);
  Formula computeCalleeExtent(mlir::CallOpInterface call, unsigned result,
                              unsigned dimension);

  /// The results so far, for arguments of functions as in one call, or without
  /// a known call.
  struct Memo {
    unsigned number = 0;
    llvm::DenseMap<std::pair<mlir::Value, unsigned>, Formula> extents;
    llvm::DenseMap<mlir::Value, Formula> indices;
  };
  Memo *addMemo() {
    memos.push_back(std::make_unique<Memo>());
    memos.back()->number = memos.size() - 1;
    return memos.back().get();
  }

  int64_t defaultHint;
  llvm::StringMap<Symbol> symbols;
  std::vector<std::unique_ptr<Memo>> memos;
  Memo *memo;
  /// The formulas for the arguments of a callee, and the memo that has them.
  struct Binding {
    llvm::SmallVector<MaybeFormula> sizes;
    Memo *memo;
  };
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<Binding, 1>> bindings;
  llvm::DenseMap<mlir::Type, int64_t> elementBytes;
  mlir::SymbolTableCollection symbolTables;
  /// Callees whose results are being computed.
  llvm::DenseSet<mlir::Operation *> activeCallees;
};

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_SIZEMODEL_H
