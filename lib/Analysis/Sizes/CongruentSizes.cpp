//===- CongruentSizes.cpp - Sizes that are computed alike -----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/CongruentSizes.h"

#include "memplan/Analysis/IndexBounds.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace memplan;

unsigned CongruentSizes::number(StringRef text) {
  return numbers.try_emplace(text, numbers.size()).first->second;
}

Formula CongruentSizes::addSymbol(StringRef text) {
  return Formula::symbol("v" + std::to_string(number(text)));
}

CongruentSizes::CongruentSizes(FunctionOpInterface function)
    : isIndexNarrow(getGreatestIndex(function) != INT64_MAX) {}

/// Arithmetic of 64 bits is that of an index only if an index has as many.
Formula CongruentSizes::get(OpFoldResult value) {
  auto dynamic = dyn_cast<Value>(value);
  if (isIndexNarrow && dynamic && !dynamic.getType().isIndex())
    return ofOther(dynamic, INT64_MIN);
  return SizeInterpreter::get(value);
}

/// No formula has the least number.
Formula CongruentSizes::ofConstant(int64_t number) {
  return number == INT64_MIN ? addSymbol("least") : Formula(number);
}

Formula CongruentSizes::combine(SizeOp op, const Formula &a, const Formula &b) {
  // Squares of squares would have as many factors as 2^n.
  constexpr size_t kMostComplex = 32;
  if (op == SizeOp::Mul && a.complexity() + b.complexity() <= kMostComplex)
    if (MaybeFormula product = multiply(a, b))
      return *product;
  std::string first = a.print(), second = b.print();
  // A sum is the same in both orders.
  if (op == SizeOp::Add && second < first)
    std::swap(first, second);
  return addSymbol(std::to_string(static_cast<unsigned>(op)) + "(" + first +
                   ", " + second + ")");
}

/// Of other ops, too, the result is the same if all operands are.
Formula CongruentSizes::ofOther(Value value, int64_t /*least*/) {
  Operation *op = value.getDefiningOp();
  std::string key;
  llvm::raw_string_ostream text(key);
  if (isTooDeep() || !op || op->getNumRegions() != 0 ||
      !isMemoryEffectFree(op) || isa<BaseMemRefType>(value.getType())) {
    text << "value " << value.getAsOpaquePointer();
    return addSymbol(key);
  }
  text << op->getName() << " " << cast<OpResult>(value).getResultNumber() << " "
       << getAttrsWithoutPoison(op).getAsOpaquePointer() << " "
       << value.getType().getAsOpaquePointer();
  for (Value operand : op->getOperands())
    text << ", " << get(operand).print();
  return addSymbol(key);
}

Formula CongruentSizes::computeExtent(Value memref, unsigned dimension) {
  if (std::optional<Formula> product = followExtent(memref, dimension))
    return *product;
  std::string key;
  llvm::raw_string_ostream(key)
      << "extent " << dimension << " of " << memref.getAsOpaquePointer();
  return addSymbol(key);
}

bool CongruentSizes::haveSameExtents(Value a, Value b) {
  auto describe = [&](Value memref) {
    SmallVector<Formula> shape;
    for (unsigned i = 0, e = cast<MemRefType>(memref.getType()).getRank();
         i != e; ++i)
      if (Formula extent = getExtent(memref, i); extent != Formula(1))
        shape.push_back(std::move(extent));
    return shape;
  };
  return describe(a) == describe(b);
}

unsigned CongruentSizes::getShape(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  std::string key;
  llvm::raw_string_ostream text(key);
  text << "shape " << type.getAsOpaquePointer();
  for (unsigned i = 0; i != type.getRank(); ++i)
    text << ", " << getExtent(memref, i).print();
  return number(key);
}
