//===- RuntimeCalls.cpp - Calls of libMemPlanRuntime ----------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Observe/RuntimeCalls.h"

#include "memplan/Analysis/ElementSize.h"
#include "memplan/Transforms/DescribePlan.h"

#include "mlir/Analysis/DataLayoutAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace memplan;

static constexpr llvm::StringLiteral kSiteName = "memplan_site";

bool memplan::isOnDevice(Operation *op) {
  return op->getParentOfType<gpu::GPUModuleOp>() ||
         op->getParentOfType<gpu::LaunchOp>();
}

SmallVector<Operation *> memplan::findReturns(FunctionOpInterface function) {
  SmallVector<Operation *> returns;
  for (Block &block : function.getFunctionBody())
    if (block.back().hasTrait<OpTrait::ReturnLike>())
      returns.push_back(&block.back());
  return returns;
}

Value RuntimeCalls::createIndex(OpBuilder &builder, Location loc,
                                int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value RuntimeCalls::createAddress(OpBuilder &builder, Location loc,
                                  Value memref) {
  return memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, memref);
}

Value RuntimeCalls::createBytes(OpBuilder &builder, Location loc,
                                Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  std::optional<ElementLayout> element = getElementLayout(
      type.getElementType(),
      DataLayout::closest(builder.getInsertionBlock()->getParentOp()));
  int64_t constant = element ? element->stride : 0;
  for (int64_t extent : type.getShape())
    if (!ShapedType::isDynamic(extent))
      constant *= extent;
  Value bytes = createIndex(builder, loc, constant);
  for (int64_t i = 0; i != type.getRank(); ++i)
    if (type.isDynamicDim(static_cast<unsigned>(i)))
      bytes = arith::MulIOp::create(
          builder, loc, bytes,
          memref::DimOp::create(builder, loc, memref,
                                createIndex(builder, loc, i)));
  return bytes;
}

Value RuntimeCalls::createSite(OpBuilder &builder, Operation *table,
                               const Site &site) {
  std::string text;
  auto add = [&](StringRef field) {
    text += field;
    text += '\0';
  };
  auto function = site.op->getParentOfType<FunctionOpInterface>();
  add(function ? function.getName() : "");
  add(site.loop < 0 ? "" : std::to_string(site.loop));
  add(describeSpace(site.space));
  add(site.buffer);
  add(site.op->getName().getStringRef());
  add(describeLocation(site.op->getLoc()));
  add(site.shares);

  auto [known, isNew] = texts.try_emplace(table);
  if (isNew)
    // Another pass may have created some.
    for (auto global : table->getRegion(0).getOps<LLVM::GlobalOp>())
      if (global.getSymName().starts_with(kSiteName))
        if (auto value = dyn_cast_or_null<StringAttr>(global.getValueAttr()))
          known->second[value.getValue()] = global.getSymNameAttr();
  StringAttr &name = known->second[text];
  if (!name) {
    // The table must exist before there is a second constant of the name.
    SymbolTable &symbolTable = symbols.getSymbolTable(table);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&table->getRegion(0).front());
    auto type =
        LLVM::LLVMArrayType::get(builder.getI8Type(), unsigned(text.size()));
    auto global = LLVM::GlobalOp::create(
        builder, site.op->getLoc(), type, /*isConstant=*/true,
        LLVM::Linkage::Internal, kSiteName, builder.getStringAttr(text));
    name = symbolTable.insert(global);
  }
  return LLVM::AddressOfOp::create(
      builder, site.op->getLoc(),
      LLVM::LLVMPointerType::get(builder.getContext()), name.getValue());
}

void RuntimeCalls::call(OpBuilder &builder, StringRef callee, const Site &site,
                        ValueRange operands) {
  Location loc = site.op->getLoc();
  Operation *table = SymbolTable::getNearestSymbolTable(
      site.op->getParentOfType<FunctionOpInterface>()->getParentOp());
  SmallVector<Value> all{createSite(builder, table, site)};
  llvm::append_range(all, operands);
  auto declaration = symbols.getSymbolTable(table).lookup<func::FuncOp>(callee);
  if (!declaration) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&table->getRegion(0).front());
    declaration = func::FuncOp::create(
        builder, table->getLoc(), callee,
        builder.getFunctionType(ValueRange(all).getTypes(), {}));
    declaration.setPrivate();
    symbols.getSymbolTable(table).insert(declaration);
  }
  func::CallOp::create(builder, loc, declaration, all);
}
