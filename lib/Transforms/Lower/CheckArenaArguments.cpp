//===- CheckArenaArguments.cpp - Run-time checks of arenas ----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interprocedural/SymbolUsers.h"
#include "memplan/IR/Memplan.h"
#include "memplan/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANCHECKARENAARGUMENTS
#include "memplan/Transforms/Passes.h.inc"
} // namespace memplan

using namespace memplan;

namespace {
struct CheckArenaArgumentsPass
    : memplan::impl::MemplanCheckArenaArgumentsBase<CheckArenaArgumentsPass> {
  void runOnOperation() override {
    SymbolUsers users;
    // The walk includes functions of nested modules.
    getOperation().walk([&](func::FuncOp function) {
      if (function.isExternal() || !function.isPublic())
        return;
      // Found before the first check changes the calls.
      auto calls = users.findCallsInModule(function);
      for (unsigned i = 0; i != function.getNumArguments(); ++i)
        if (auto alignment = function.getArgAttrOfType<IntegerAttr>(
                i, MemplanDialect::kArenaAttr);
            alignment && alignment.getType().isInteger()) {
          if (!calls) {
            function.emitWarning()
                << "its arena is not checked: its symbol is used other than by "
                   "func.call";
            return;
          }
          check(function, i, alignment.getInt(), *calls);
        }
    });
  }

private:
  /// Inserts the checks of an arena argument of no constant size: it must have
  /// as many bytes as `@f.arena_bytes` returns.
  static void checkSize(func::FuncOp function, unsigned number,
                        int64_t alignment, ImplicitLocOpBuilder &builder) {
    auto sizes = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        function, builder.getStringAttr(function.getName() + ".arena_bytes"));
    if (!sizes) {
      function.emitWarning() << "its arena is not checked: there is no @"
                             << function.getName() << ".arena_bytes";
      return;
    }
    BlockArgument arena = function.getArgument(number);
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(builder, value);
    };
    SmallVector<Value> operands;
    for (BlockArgument argument : function.getArguments()) {
      if (argument.getType().isIntOrIndex())
        operands.push_back(argument);
      auto type = dyn_cast<MemRefType>(argument.getType());
      if (type && argument != arena)
        for (int64_t i = 0; i != type.getRank(); ++i)
          if (type.isDynamicDim(static_cast<unsigned>(i)))
            operands.push_back(
                memref::DimOp::create(builder, argument, constant(i)));
    }
    Value wanted = func::CallOp::create(builder, sizes, operands).getResult(0);
    Value bytes = memref::DimOp::create(builder, arena, constant(0));
    Value address =
        memref::ExtractAlignedPointerAsIndexOp::create(builder, arena);
    auto require = [&](arith::CmpIPredicate predicate, Value is, Value other,
                       const Twine &what) {
      Value holds = arith::CmpIOp::create(builder, predicate, is, other);
      cf::AssertOp::create(
          builder, holds,
          ("the arena of @" + function.getName() + " " + what).str());
    };
    require(arith::CmpIPredicate::uge, bytes, wanted,
            "has less bytes than @" + function.getName() +
                ".arena_bytes returns");
    require(arith::CmpIPredicate::eq,
            arith::RemUIOp::create(builder, address, constant(alignment)),
            constant(0), "is not aligned to " + Twine(alignment) + " bytes");
  }

  /// Inserts the checks of arena argument `number`, makes its size dynamic, and
  /// casts the operands of the calls. `alignment` is in bytes.
  static void check(func::FuncOp function, unsigned number, int64_t alignment,
                    ArrayRef<func::CallOp> calls) {
    BlockArgument arena = function.getArgument(number);
    auto type = cast<MemRefType>(arena.getType());
    auto anySize =
        MemRefType::get({ShapedType::kDynamic}, type.getElementType(),
                        type.getLayout(), type.getMemorySpace());
    ImplicitLocOpBuilder builder(arena.getLoc(), function.getContext());
    builder.setInsertionPointToStart(&function.getFunctionBody().front());

    if (!type.hasStaticShape())
      return checkSize(function, number, alignment, builder);
    arena.setType(anySize);
    function.setType(FunctionType::get(
        function.getContext(), function.getFunctionBody().getArgumentTypes(),
        function.getResultTypes()));
    function.removeArgAttr(number, MemplanDialect::kArenaAttr);
    Value whole = memref::CastOp::create(builder, type, arena);
    arena.replaceAllUsesExcept(whole, whole.getDefiningOp());

    builder.setInsertionPoint(whole.getDefiningOp());
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(builder, value);
    };
    auto require = [&](arith::CmpIPredicate predicate, Value is, int64_t wanted,
                       const Twine &what) {
      Value holds =
          arith::CmpIOp::create(builder, predicate, is, constant(wanted));
      cf::AssertOp::create(
          builder, holds,
          ("the arena of @" + function.getName() + " " + what).str());
    };
    Value bytes = memref::DimOp::create(builder, arena, constant(0));
    require(arith::CmpIPredicate::uge, bytes, type.getNumElements(),
            "has less than " + Twine(type.getNumElements()) + " bytes");
    Value address =
        memref::ExtractAlignedPointerAsIndexOp::create(builder, arena);
    if (type.getNumElements() > 0)
      require(arith::CmpIPredicate::ne, address, 0, "is null");
    if (alignment > 1)
      require(arith::CmpIPredicate::eq,
              arith::RemUIOp::create(builder, address, constant(alignment)), 0,
              "is not aligned to " + Twine(alignment) + " bytes");

    for (func::CallOp call : calls) {
      OpBuilder at(call);
      call.setOperand(number, memref::CastOp::create(at, call.getLoc(), anySize,
                                                     call.getOperand(number)));
    }
  }
};
} // namespace
