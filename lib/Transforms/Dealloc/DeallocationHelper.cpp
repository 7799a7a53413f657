//===- DeallocationHelper.cpp - Recognise upstream's helper ---------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Transforms/RaiseDeallocations.h"

#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace memplan;

namespace {
/// Compares two functions op by op. Constants may be at any place.
class FunctionComparison {
public:
  bool isSame(Region &a, Region &b) {
    if (!llvm::hasSingleElement(a) || !llvm::hasSingleElement(b))
      return a.empty() && b.empty();
    Block &x = a.front(), &y = b.front();
    if (x.getArgumentTypes() != y.getArgumentTypes())
      return false;
    for (auto [from, to] : llvm::zip_equal(x.getArguments(), y.getArguments()))
      counterpart[from] = to;
    auto first = x.begin(), second = y.begin();
    for (;; ++first, ++second) {
      first = skipConstants(first, x.end());
      second = skipConstants(second, y.end());
      if (first == x.end() || second == y.end())
        return first == x.end() && second == y.end();
      if (!isSame(*first, *second))
        return false;
    }
  }

private:
  static Block::iterator skipConstants(Block::iterator it,
                                       Block::iterator end) {
    while (it != end && it->hasTrait<OpTrait::ConstantLike>())
      ++it;
    return it;
  }

  /// The attributes without `nontemporal = false`, which is the default:
  /// printed text omits it.
  static DictionaryAttr attributesOf(Operation &op) {
    NamedAttrList attributes(op.getAttrDictionary());
    if (attributes.get("nontemporal") == BoolAttr::get(op.getContext(), false))
      attributes.erase("nontemporal");
    return attributes.getDictionary(op.getContext());
  }

  bool isSame(Value a, Value b) {
    Attribute first, second;
    if (matchPattern(a, m_Constant(&first)))
      return matchPattern(b, m_Constant(&second)) && first == second;
    return counterpart.lookup(a) == b;
  }

  bool isSame(Operation &a, Operation &b) {
    bool isEqual =
        a.getName() == b.getName() && attributesOf(a) == attributesOf(b) &&
        a.getResultTypes() == b.getResultTypes() &&
        a.getNumOperands() == b.getNumOperands() &&
        a.getNumRegions() == b.getNumRegions() &&
        llvm::all_of(llvm::zip_equal(a.getOperands(), b.getOperands()),
                     [&](auto pair) {
                       return isSame(std::get<0>(pair), std::get<1>(pair));
                     });
    if (!isEqual)
      return false;
    for (auto [from, to] : llvm::zip_equal(a.getResults(), b.getResults()))
      counterpart[from] = to;
    return llvm::all_of(llvm::zip_equal(a.getRegions(), b.getRegions()),
                        [&](auto pair) {
                          return isSame(std::get<0>(pair), std::get<1>(pair));
                        });
  }

  llvm::DenseMap<Value, Value> counterpart;
};
} // namespace

/// Canonicalizes a function for the comparison.
static void canonicalizeHelper(func::FuncOp function) {
  MLIRContext *context = function.getContext();
  IRRewriter rewriter(context);
  DominanceInfo dominance(function);
  eliminateCommonSubExpressions(rewriter, dominance, function);
  RewritePatternSet patterns(context);
  llvm::SmallDenseSet<TypeID> seen;
  function->walk([&](Operation *op) {
    if (seen.insert(op->getName().getTypeID()).second)
      op->getName().getRegisteredInfo()->getCanonicalizationPatterns(patterns,
                                                                     context);
  });
  (void)applyPatternsGreedily(function, std::move(patterns));
}

struct DeallocationRaiser::Helpers {
  SymbolTableCollection symbols;
  /// Upstream's helper, simplified.
  OwningOpRef<ModuleOp> scratch;
  func::FuncOp model;
  /// By function, whether it is the helper.
  llvm::DenseMap<Operation *, bool> known;
};

DeallocationRaiser::DeallocationRaiser()
    : helpers(std::make_unique<Helpers>()) {}
DeallocationRaiser::~DeallocationRaiser() = default;

bool DeallocationRaiser::isHelper(func::CallOp call) {
  auto callee = helpers->symbols.lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
  if (!callee || callee.isExternal() || call.getNumOperands() != 5 ||
      call.getNumResults() != 0)
    return false;
  Builder builder(call.getContext());
  auto table = [&](Type type) {
    return MemRefType::get({ShapedType::kDynamic}, type);
  };
  Type pointers = table(builder.getIndexType());
  Type flags = table(builder.getI1Type());
  if (callee.getArgumentTypes() !=
      ArrayRef<Type>({pointers, pointers, flags, flags, flags}))
    return false;
  auto [it, isNew] = helpers->known.try_emplace(callee, false);
  if (!isNew)
    return it->second;
  if (!helpers->model) {
    helpers->scratch = ModuleOp::create(builder.getUnknownLoc());
    OpBuilder inner = OpBuilder::atBlockEnd(helpers->scratch->getBody());
    SymbolTable symbols(*helpers->scratch);
    helpers->model = bufferization::buildDeallocationLibraryFunction(
        inner, builder.getUnknownLoc(), symbols);
    canonicalizeHelper(helpers->model);
  }
  OpBuilder inner = OpBuilder::atBlockEnd(helpers->scratch->getBody());
  auto copy = cast<func::FuncOp>(inner.clone(*callee));
  canonicalizeHelper(copy);
  bool isSame =
      FunctionComparison().isSame(copy.getBody(), helpers->model.getBody());
  copy.erase();
  return helpers->known[callee] = isSame;
}
