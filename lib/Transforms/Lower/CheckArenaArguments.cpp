//===- CheckArenaArguments.cpp - Run-time checks of arenas ----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interprocedural/SymbolUsers.h"
#include "memplan/IR/Memplan.h"
#include "memplan/IR/SizeFunction.h"
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
      // A check makes the size of its arena dynamic, and forgets that it is
      // one.
      SmallVector<unsigned> arenas;
      for (bool isStatic : {false, true})
        for (unsigned i = 0; i != function.getNumArguments(); ++i)
          if (auto alignment = function.getArgAttrOfType<IntegerAttr>(
                  i, MemplanDialect::kArenaAttr);
              alignment && alignment.getType().isInteger() &&
              isStatic == cast<MemRefType>(function.getArgumentTypes()[i])
                              .hasStaticShape())
            arenas.push_back(i);
      if (!arenas.empty() && !calls) {
        function.emitWarning()
            << "its arena is not checked: its symbol is used other than by "
               "func.call";
        return;
      }
      for (unsigned arena : arenas)
        check(function, arena,
              function
                  .getArgAttrOfType<IntegerAttr>(arena,
                                                 MemplanDialect::kArenaAttr)
                  .getInt(),
              *calls);
    });
  }

private:
  /// Inserts the checks of an arena argument of no constant size: it must have
  /// as many bytes as its size function returns (SizeFunction.h).
  static void checkSize(func::FuncOp function, unsigned number,
                        int64_t alignment, ImplicitLocOpBuilder &builder) {
    BlockArgument arena = function.getArgument(number);
    std::string name = getSizeFunctionName(
        function, cast<MemRefType>(arena.getType()).getMemorySpace());
    auto sizes = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        function, builder.getStringAttr(name));
    if (!sizes) {
      function.emitWarning()
          << "its arena is not checked: there is no @" << name;
      return;
    }
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(builder, value);
    };
    SmallVector<Value> operands;
    for (const SizeParameter &parameter : getSizeParameters(function)) {
      Value argument = function.getArgument(parameter.argument);
      operands.push_back(
          parameter.dimension
              ? memref::DimOp::create(builder, argument,
                                      constant(*parameter.dimension))
              : argument);
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
            "has fewer bytes than @" + name + " returns");
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
