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

/// Bytes that may depend on sizes that are not known: the number under the
/// hints, and the formula, null where the number is all there is.
struct SymbolicBytes {
  int64_t bytes = 0;
  mlir::AffineExpr formula;
};

/// Sizes of shaped values as formulas over symbols, and under hints as numbers.
///
/// A symbol is an extent of a function argument, an index argument, or an index
/// that nothing tells more of. The hint of an argument's extents is its
/// attribute `memplan.dim_hints` (array<i64>, one a dimension, 0 for none),
/// that of an index argument `memplan.hint` (an i64); all others have the
/// default hint. Formulas are followed through the ops that hand sizes on
/// (tensor.dim, casts, reshapes, slices, pads, destination-passing ties, index
/// arithmetic); each value is looked at once. A callee is looked at for each
/// call with other sizes (CallScope), so that its formulas are over the symbols
/// of the caller.
class SizeModel {
  struct Frame;

public:
  /// `defaultHint` is at least 0.
  SizeModel(mlir::MLIRContext *context, int64_t defaultHint)
      : context(context), defaultHint(defaultHint) {
    frame = addFrame();
  }

  /// While it exists, the arguments of the callee have the sizes and numbers
  /// that the call gives them. What is asked then is asked of values of the
  /// callee. Of the calls with other sizes the first kMostScopes have such a
  /// scope; in others, and where operands and arguments do not match, the
  /// callee's arguments are what its attributes say.
  class CallScope {
  public:
    CallScope(SizeModel &model, mlir::CallOpInterface call,
              mlir::FunctionOpInterface callee);
    ~CallScope() { model.frame = previous; }
    CallScope(const CallScope &) = delete;
    CallScope &operator=(const CallScope &) = delete;
    /// What is asked is over symbols of the caller.
    bool isBound() const { return bound; }

  private:
    SizeModel &model;
    bool bound = false;
    SizeModel::Frame *previous;
  };
  static constexpr unsigned kMostScopes = 8;

  /// The number of the scope that is open, 0 outside of callees: what is known
  /// of a function may be kept by function and scope.
  unsigned getScope() const { return frame->number; }

  mlir::AffineExpr getExtent(mlir::Value shaped, unsigned dimension);
  mlir::AffineExpr getIndex(mlir::Value value);
  mlir::AffineExpr getIndex(mlir::OpFoldResult value);

  /// The value under the hints, of those in several iterations of a loop the
  /// greatest; the largest number where it does not fit into 64 bits, and 0
  /// where it would be negative.
  int64_t evaluate(mlir::AffineExpr expr) const;
  /// The same; nothing where the formula depends on a symbol that has only the
  /// default hint.
  std::optional<int64_t> evaluateHinted(mlir::AffineExpr expr) const;

  /// Elements and bytes of a tensor, memref or vector; of a scalar one element.
  mlir::AffineExpr getNumElements(mlir::Value value);
  int64_t getBytes(mlir::Value value);
  /// Bytes of a value, with its formula if its shape is dynamic.
  SymbolicBytes getSymbolicBytes(mlir::Value value);
  /// The greater of the two: where no hint decides it, "max(a, b)".
  SymbolicBytes getMax(const SymbolicBytes &a, const SymbolicBytes &b);
  /// Without a formula where that would have very many terms.
  SymbolicBytes getSum(llvm::ArrayRef<SymbolicBytes> parts);
  /// At least 0.
  SymbolicBytes getDifference(const SymbolicBytes &a, const SymbolicBytes &b);
  /// As people write it; empty where there is no formula.
  std::string printFormula(const SymbolicBytes &bytes) const;
  /// Bytes from one element to the next; 0 where they are not known.
  int64_t getElementBytes(mlir::Type elementType, mlir::Operation *scope);

private:
  /// Where the number depends on the iteration of a loop there are several.
  struct Range {
    int64_t least, most;
  };
  struct Symbol {
    std::string name;
    Range hint;
    bool isHinted;
  };
  mlir::AffineExpr addSymbol(std::string name, Range hint, bool isHinted);
  /// With `onlyHinted` nothing where a symbol has only the default hint, or
  /// depends on an iteration.
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

  /// What has been asked, of functions with the arguments that they have in
  /// one call, or anyhow.
  struct Frame {
    unsigned number = 0;
    llvm::DenseMap<std::pair<mlir::Value, unsigned>, mlir::AffineExpr> extents;
    llvm::DenseMap<mlir::Value, mlir::AffineExpr> indices;
  };
  Frame *addFrame() {
    frames.push_back(std::make_unique<Frame>());
    frames.back()->number = frames.size() - 1;
    return frames.back().get();
  }

  mlir::MLIRContext *context;
  int64_t defaultHint;
  std::vector<Symbol> symbols;
  std::vector<std::unique_ptr<Frame>> frames;
  Frame *frame;
  /// Of a callee: the formulas that its arguments have in a frame.
  struct Binding {
    llvm::SmallVector<mlir::AffineExpr> sizes;
    Frame *frame;
  };
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<Binding, 1>> bindings;
  /// Symbols of combine(): equal ones are one symbol.
  llvm::DenseMap<
      std::pair<unsigned, std::pair<mlir::AffineExpr, mlir::AffineExpr>>,
      mlir::AffineExpr>
      combined;
  llvm::DenseMap<mlir::Type, int64_t> elementBytes;
  mlir::SymbolTableCollection symbolTables;
  /// Callees whose results are looked at.
  llvm::DenseSet<mlir::Operation *> activeCallees;
};

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_SIZEMODEL_H
