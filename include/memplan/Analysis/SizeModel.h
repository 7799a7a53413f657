//===- SizeModel.h - Extents and bytes under hints --------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_SIZEMODEL_H
#define MEMPLAN_ANALYSIS_SIZEMODEL_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Value.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace memplan {

/// Bytes that may depend on unknown sizes: the number under the hints, and the
/// formula, which is null if there is only the number.
struct SymbolicBytes {
  int64_t bytes = 0;
  mlir::AffineExpr formula;
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
class SizeModel {
  struct Memo;

public:
  /// `defaultHint` is at least 0.
  SizeModel(mlir::MLIRContext *context, int64_t defaultHint)
      : context(context), defaultHint(defaultHint) {
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

  /// The extent of a dimension, in elements; a symbol of its own if nothing
  /// more is known.
  mlir::AffineExpr getExtent(mlir::Value shaped, unsigned dimension);
  /// The value of an index or integer, likewise.
  mlir::AffineExpr getIndex(mlir::Value value);
  mlir::AffineExpr getIndex(mlir::OpFoldResult value);

  /// The value under the hints; the greatest one if it differs between
  /// iterations of a loop. At least 0, and at most the largest 64-bit number.
  int64_t evaluate(mlir::AffineExpr expr) const;
  /// The same; std::nullopt if the formula depends on a symbol that only has
  /// the default hint, or on the iteration of a loop.
  std::optional<int64_t> evaluateHinted(mlir::AffineExpr expr) const;

  /// Elements and bytes of a tensor, memref or vector; a scalar is one element.
  mlir::AffineExpr getNumElements(mlir::Value value);
  int64_t getBytes(mlir::Value value);
  /// Bytes of a value, with its formula if its shape is dynamic.
  SymbolicBytes getSymbolicBytes(mlir::Value value);
  /// The greater of the two. The formula is "max(a, b)" if it depends on the
  /// symbols which one that is.
  SymbolicBytes getMax(const SymbolicBytes &a, const SymbolicBytes &b);
  /// The sum; without a formula if that would have very many terms.
  SymbolicBytes getSum(llvm::ArrayRef<SymbolicBytes> parts);
  /// The difference; the number is at least 0.
  SymbolicBytes getDifference(const SymbolicBytes &a, const SymbolicBytes &b);
  /// The formula as text; empty if there is none.
  std::string printFormula(const SymbolicBytes &bytes) const;
  /// Bytes from one element to the next; 0 if they are not known.
  int64_t getElementBytes(mlir::Type elementType, mlir::Operation *scope);

private:
  /// The least and the greatest value in the iterations of a loop.
  struct Range {
    int64_t least, most;
  };
  struct Symbol {
    std::string name;
    Range hint;
    bool isHinted;
  };
  mlir::AffineExpr addSymbol(std::string name, Range hint, bool isHinted);
  /// The values that the expression may have. With `onlyHinted` std::nullopt if
  /// a symbol only has the default hint or depends on an iteration.
  std::optional<Range> getRange(mlir::AffineExpr expr, bool onlyHinted) const;
  mlir::AffineExpr addUnknown();
  mlir::AffineExpr constant(int64_t value) const;
  mlir::AffineExpr computeExtent(mlir::Value shaped, unsigned dimension);
  mlir::AffineExpr computeResultExtent(mlir::OpResult result,
                                       unsigned dimension);
  mlir::AffineExpr computeIndex(mlir::Value value);
  mlir::AffineExpr computeArgumentExtent(mlir::BlockArgument argument,
                                         unsigned dimension);
  mlir::AffineExpr computeInductionVariable(mlir::BlockArgument argument);
  mlir::AffineExpr computeCalleeExtent(mlir::CallOpInterface call,
                                       unsigned result, unsigned dimension);
  enum class Combination { Min, Max, FloorDiv, CeilDiv };
  /// A symbol that stands for a function of two formulas, such as "min(a, b)".
  mlir::AffineExpr combine(Combination kind, mlir::AffineExpr a,
                           mlir::AffineExpr b);
  mlir::AffineExpr simplify(mlir::AffineExpr expr);
  std::string print(mlir::AffineExpr expr) const;

  /// The results so far, for arguments of functions as in one call, or without
  /// a known call.
  struct Memo {
    unsigned number = 0;
    llvm::DenseMap<std::pair<mlir::Value, unsigned>, mlir::AffineExpr> extents;
    llvm::DenseMap<mlir::Value, mlir::AffineExpr> indices;
  };
  Memo *addMemo() {
    memos.push_back(std::make_unique<Memo>());
    memos.back()->number = memos.size() - 1;
    return memos.back().get();
  }

  mlir::MLIRContext *context;
  int64_t defaultHint;
  std::vector<Symbol> symbols;
  std::vector<std::unique_ptr<Memo>> memos;
  Memo *memo;
  /// The formulas for the arguments of a callee, and the memo that has them.
  struct Binding {
    llvm::SmallVector<mlir::AffineExpr> sizes;
    Memo *memo;
  };
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<Binding, 1>> bindings;
  /// The symbols made by combine(); equal ones are one symbol.
  llvm::DenseMap<
      std::pair<unsigned, std::pair<mlir::AffineExpr, mlir::AffineExpr>>,
      mlir::AffineExpr>
      combined;
  llvm::DenseMap<mlir::Type, int64_t> elementBytes;
  mlir::SymbolTableCollection symbolTables;
  /// Callees whose results are being computed.
  llvm::DenseSet<mlir::Operation *> activeCallees;
};

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_SIZEMODEL_H
