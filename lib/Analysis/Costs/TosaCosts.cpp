//===- TosaCosts.cpp - Costs of TOSA's ops --------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Costs/TosaCosts.h"
#include "Costs/AttachCosts.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace memplan;
using graph::CostClass;

/// The cost of reading the first `numRead` operands and writing the results.
static OpCost getTraffic(Operation *op, CostContext &context,
                         unsigned numRead) {
  OpCost cost;
  for (Value operand : op->getOperands().take_front(numRead))
    if (isa<TensorType>(operand.getType()))
      cost.addTraffic(Attribute(), context.getBytes(operand), 0);
  for (Value result : op->getResults())
    cost.addTraffic(Attribute(), 0, context.getBytes(result));
  cost.costClass = CostClass::Cheap;
  return cost;
}

/// Operations on one element; selections, conversions and bit operations count
/// none, as in arith.
static int64_t getFlopsPerElement(Operation *op) {
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case<tosa::BitwiseAndOp, tosa::BitwiseOrOp, tosa::BitwiseXorOp,
            tosa::BitwiseNotOp, tosa::LogicalAndOp, tosa::LogicalOrOp,
            tosa::LogicalXorOp, tosa::LogicalNotOp, tosa::LogicalLeftShiftOp,
            tosa::LogicalRightShiftOp, tosa::ArithmeticRightShiftOp,
            tosa::ClzOp, tosa::SelectOp, tosa::CastOp, tosa::TableOp>(
          [](auto) { return 0; })
      .Case<tosa::ClampOp>([](auto) { return 2; })
      // A negation, an exponential, an addition and a division.
      .Case<tosa::SigmoidOp>([](auto) { return 4; })
      .Default([](Operation *) { return 1; });
}

namespace {
template <typename Op> struct CopyModel : CostModelOf<Op, CopyModel<Op>> {
  OpCost estimateCost(Operation *op, CostContext &context) const {
    return getTraffic(op, context, op->getNumOperands());
  }
};

template <typename Op>
struct ElementwiseModel : CostModelOf<Op, ElementwiseModel<Op>> {
  OpCost estimateCost(Operation *op, CostContext &context) const {
    // Shifts and zero points come last and are single numbers.
    bool hasPoints = isa<tosa::MulOp, tosa::NegateOp>(op);
    OpCost cost = getTraffic(op, context,
                             isa<tosa::NegateOp>(op) ? 1
                             : hasPoints             ? 2
                                                     : op->getNumOperands());
    if (int64_t flops = getFlopsPerElement(op))
      cost.addFlops(
          getElementTypeOrSelf(op->getOperand(0).getType()),
          saturatingMul(flops, context.getNumElements(op->getResult(0))));
    return cost;
  }
};

/// One operation for each element that is read.
template <typename Op> struct ReduceModel : CostModelOf<Op, ReduceModel<Op>> {
  OpCost estimateCost(Operation *op, CostContext &context) const {
    OpCost cost = getTraffic(op, context, 1);
    Value input = op->getOperand(0);
    Type type = getElementTypeOrSelf(input.getType());
    if (!type.isInteger(1))
      cost.addFlops(type, context.getNumElements(input));
    cost.costClass = CostClass::Medium;
    return cost;
  }
};

template <typename Op> struct PoolModel : CostModelOf<Op, PoolModel<Op>> {
  OpCost estimateCost(Operation *operation, CostContext &context) const {
    auto op = cast<Op>(operation);
    OpCost cost = getTraffic(op, context, 1);
    int64_t window = isa<tosa::AvgPool2dOp>(operation) ? 1 : 0; // a division
    window = saturatingAdd(window,
                           saturatingMul(op.getKernel()[0], op.getKernel()[1]));
    cost.addFlops(
        getElementTypeOrSelf(op.getInput().getType()),
        saturatingMul(window, context.getNumElements(op.getOutput())));
    cost.costClass = CostClass::Expensive;
    return cost;
  }
};
} // namespace

/// A multiplication and an addition; integers with a zero point other than 0
/// also need two subtractions.
template <typename Op>
static int64_t getFlopsPerProduct(Op op, FailureOr<int64_t> firstPoint,
                                  FailureOr<int64_t> secondPoint) {
  bool isZero = succeeded(firstPoint) && *firstPoint == 0 &&
                succeeded(secondPoint) && *secondPoint == 0;
  return isa<FloatType>(getElementTypeOrSelf(op->getOperand(0).getType())) ||
                 isZero
             ? 2
             : 4;
}

namespace {
template <typename Op> struct ConvModel : CostModelOf<Op, ConvModel<Op>> {
  OpCost estimateCost(Operation *operation, CostContext &context) const {
    auto op = cast<Op>(operation);
    OpCost cost = getTraffic(op, context, 3);
    cost.addFlops(getElementTypeOrSelf(op.getOutput().getType()),
                  saturatingMul(getFlopsPerProduct(op, op.getInputZeroPoint(),
                                                   op.getWeightZeroPoint()),
                                countProducts(op, context)));
    cost.costClass = CostClass::Expensive;
    return cost;
  }

private:
  static int64_t countProducts(Op op, CostContext &context) {
    Value weight = op.getWeight();
    auto extent = [&](unsigned dimension) {
      return context.getExtent(weight, dimension);
    };
    // [height, width, channels, multiplier]: each channel by itself.
    if constexpr (std::is_same_v<Op, tosa::DepthwiseConv2DOp>)
      return saturatingMul(context.getNumElements(op.getOutput()),
                           saturatingMul(extent(0), extent(1)));
    // [out channels, window, in channels]
    int64_t outer = std::is_same_v<Op, tosa::TransposeConv2DOp>
                        ? context.getNumElements(op.getInput())
                        : context.getNumElements(op.getOutput());
    unsigned rank = cast<ShapedType>(weight.getType()).getRank();
    bool isTransposed = std::is_same_v<Op, tosa::TransposeConv2DOp>;
    for (unsigned d = isTransposed ? 0 : 1;
         d < (isTransposed ? rank - 1 : rank); ++d)
      outer = saturatingMul(outer, extent(d));
    return outer;
  }
};

struct MatmulModel : CostModelOf<tosa::MatMulOp, MatmulModel> {
  OpCost estimateCost(Operation *operation, CostContext &context) const {
    auto op = cast<tosa::MatMulOp>(operation);
    OpCost cost = getTraffic(op, context, 2);
    int64_t products = saturatingMul(context.getNumElements(op.getOutput()),
                                     context.getExtent(op.getA(), 2));
    cost.addFlops(getElementTypeOrSelf(op.getOutput().getType()),
                  saturatingMul(getFlopsPerProduct(op, op.getAZeroPoint(),
                                                   op.getBZeroPoint()),
                                products));
    cost.costClass = CostClass::Expensive;
    return cost;
  }
};

/// Copies the elements that the indices select, and reads the indices.
template <typename Op> struct GatherModel : CostModelOf<Op, GatherModel<Op>> {
  OpCost estimateCost(Operation *op, CostContext &context) const {
    bool isScatter = isa<tosa::ScatterOp>(op);
    int64_t bytes =
        context.getBytes(isScatter ? op->getOperand(2) : op->getResult(0));
    OpCost cost;
    cost.addTraffic(Attribute(),
                    saturatingAdd(bytes, context.getBytes(op->getOperand(1))),
                    bytes);
    cost.costClass = CostClass::Cheap;
    return cost;
  }
};
} // namespace

void memplan::registerTosaCostModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tosa::TosaDialect *) {
    attach<FreeModel, tosa::ConstOp, tosa::ConstShapeOp, tosa::ReshapeOp,
           tosa::IdentityOp, tosa::SliceOp, tosa::YieldOp>(context);
    attach<CopyModel, tosa::ConcatOp, tosa::PadOp, tosa::TransposeOp,
           tosa::ReverseOp, tosa::TileOp>(context);
    attach<GatherModel, tosa::GatherOp, tosa::ScatterOp>(context);
    attach<ElementwiseModel, tosa::ClampOp, tosa::ErfOp, tosa::SigmoidOp,
           tosa::TanhOp, tosa::AddOp, tosa::ArithmeticRightShiftOp,
           tosa::BitwiseAndOp, tosa::BitwiseOrOp, tosa::BitwiseXorOp,
           tosa::IntDivOp, tosa::LogicalAndOp, tosa::LogicalLeftShiftOp,
           tosa::LogicalRightShiftOp, tosa::LogicalOrOp, tosa::LogicalXorOp,
           tosa::MaximumOp, tosa::MinimumOp, tosa::MulOp, tosa::PowOp,
           tosa::SubOp, tosa::TableOp, tosa::AbsOp, tosa::BitwiseNotOp,
           tosa::CeilOp, tosa::ClzOp, tosa::CosOp, tosa::ExpOp, tosa::FloorOp,
           tosa::LogOp, tosa::LogicalNotOp, tosa::NegateOp, tosa::ReciprocalOp,
           tosa::RsqrtOp, tosa::SinOp, tosa::SelectOp, tosa::EqualOp,
           tosa::GreaterOp, tosa::GreaterEqualOp, tosa::CastOp>(context);
    attach<ReduceModel, tosa::ArgMaxOp, tosa::ReduceAllOp, tosa::ReduceAnyOp,
           tosa::ReduceMaxOp, tosa::ReduceMinOp, tosa::ReduceProductOp,
           tosa::ReduceSumOp>(context);
    attach<PoolModel, tosa::AvgPool2dOp, tosa::MaxPool2dOp>(context);
    attach<ConvModel, tosa::Conv2DOp, tosa::Conv3DOp, tosa::DepthwiseConv2DOp,
           tosa::TransposeConv2DOp>(context);
    tosa::MatMulOp::attachInterface<MatmulModel>(*context);
  });
}
