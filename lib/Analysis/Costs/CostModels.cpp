//===- CostModels.cpp - Costs of upstream's ops ---------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Costs/AttachCosts.h"
#include "Costs/TosaCosts.h"
#include "memplan/Analysis/CostModel.h"
#include "memplan/IR/Memplan.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace memplan;
using graph::CostClass;

static Attribute getSpace(Type type) {
  if (auto memref = dyn_cast<BaseMemRefType>(type))
    return memref.getMemorySpace();
  return Attribute();
}

static bool isMemory(Type type) {
  return isa<TensorType, BaseMemRefType>(type);
}

//===----------------------------------------------------------------------===//
// Elementwise ops
//===----------------------------------------------------------------------===//

/// Operations on one element; integer operations count like floating-point
/// ones.
static int64_t getFlopsPerElement(Operation *op) {
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
            arith::RemFOp, arith::NegFOp, arith::MaximumFOp, arith::MinimumFOp,
            arith::MaxNumFOp, arith::MinNumFOp, arith::CmpFOp>(
          [](auto) { return 1; })
      .Case<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivSIOp,
            arith::DivUIOp, arith::CeilDivSIOp, arith::CeilDivUIOp,
            arith::FloorDivSIOp, arith::RemSIOp, arith::RemUIOp, arith::MaxSIOp,
            arith::MaxUIOp, arith::MinSIOp, arith::MinUIOp, arith::CmpIOp>(
          [](auto) { return 1; })
      .Case<math::FmaOp>([](auto) { return 2; })
      // Complex arithmetic in real operations.
      .Case<complex::AddOp, complex::SubOp, complex::NegOp>(
          [](auto) { return 2; })
      .Case<complex::MulOp>([](auto) { return 6; })
      .Case<complex::DivOp>([](auto) { return 11; })
      .Default([](Operation *op) {
        StringRef dialect = op->getName().getDialectNamespace();
        return dialect == "math" || dialect == "complex" ? 1 : 0;
      });
}

template <typename Op>
struct ElementwiseModel : CostModelOf<Op, ElementwiseModel<Op>> {
  OpCost estimateCost(Operation *op, CostContext &context) const {
    OpCost cost;
    if (op->getNumResults() == 0 || op->hasTrait<OpTrait::ConstantLike>())
      return cost;
    Value shaped = op->getResult(0);
    // A comparison counts as an operation on the type of its operands.
    Type elementType = getElementTypeOrSelf(
        op->getNumOperands() ? op->getOperand(0).getType() : shaped.getType());
    if (!elementType.isIndex() && !elementType.isInteger(1))
      if (int64_t flops = getFlopsPerElement(op))
        cost.addFlops(elementType,
                      saturatingMul(flops, context.getNumElements(shaped)));
    for (Value operand : op->getOperands())
      if (isa<TensorType>(operand.getType()))
        cost.addTraffic(Attribute(), context.getBytes(operand), 0);
    if (isa<TensorType>(shaped.getType())) {
      cost.addTraffic(Attribute(), 0, context.getBytes(shaped));
      cost.costClass = CostClass::Cheap;
    }
    return cost;
  }
};

//===----------------------------------------------------------------------===//
// Structured ops: iteration space times body
//===----------------------------------------------------------------------===//

/// The number of iterations of a structured op; 0 if one of its loops has none.
static int64_t countIterations(linalg::LinalgOp op, CostContext &context) {
  AffineMap map = op.getShapesToLoopsMap();
  SmallVector<AffineExpr> extents;
  MLIRContext *ctx = op->getContext();
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<ShapedType>(operand.get().getType());
    for (int64_t d = 0, e = type ? type.getRank() : 0; d < e; ++d)
      extents.push_back(
          getAffineConstantExpr(context.getExtent(operand.get(), d), ctx));
  }
  int64_t iterations = 1;
  for (AffineExpr loop : map.getResults()) {
    auto extent = dyn_cast<AffineConstantExpr>(loop.replaceDims(extents));
    int64_t count = extent ? std::max<int64_t>(extent.getValue(), 0) : 0;
    iterations = saturatingMul(iterations, count);
  }
  return iterations;
}

/// True if the iterations reduce over a window or multiply several operands:
/// ops whose results are better kept than computed again.
static bool isContractionLike(linalg::LinalgOp op) {
  if (linalg::isaContractionOpInterface(op) ||
      linalg::isaConvolutionOpInterface(op))
    return true;
  if (op.getNumReductionLoops() == 0)
    return false;
  if (isa<linalg::ConvolutionOpInterface>(*op))
    return true;
  // Convolutions and pooling written as generics have an index that is a sum.
  for (AffineMap map : op.getIndexingMapsArray())
    for (AffineExpr result : map.getResults())
      if (result.getKind() == AffineExprKind::Add)
        return true;
  // Contractions written as generics, with type conversions in the body,
  // multiply two inputs.
  if (op.getNumDpsInputs() < 2)
    return false;
  return llvm::any_of(*op.getBlock(),
                      [](Operation &inner) {
                        return isa<arith::MulFOp, arith::MulIOp>(inner);
                      }) &&
         llvm::any_of(*op.getBlock(), [](Operation &inner) {
           return isa<arith::AddFOp, arith::AddIOp>(inner);
         });
}

/// True if the op writes the same value to all elements.
static bool isFillLike(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() != 0 ||
      !op.getBlock()->without_terminator().empty())
    return false;
  for (OpOperand *input : op.getDpsInputOperands())
    if (isa<ShapedType>(input->get().getType()))
      return false;
  return llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
    return !op.payloadUsesValueFromOperand(&init);
  });
}

template <typename Op>
struct StructuredModel : CostModelOf<Op, StructuredModel<Op>> {
  OpCost estimateCost(Operation *operation, CostContext &context) const {
    auto op = cast<linalg::LinalgOp>(operation);
    int64_t iterations = countIterations(op, context);
    OpCost cost;
    for (Operation &inner : *op.getBlock()) {
      OpCost body = context.getCost(&inner);
      body.repeat(iterations);
      cost.isExact &= body.isExact;
      for (const TypedFlops &entry : body.flops)
        cost.addFlops(entry.type, entry.count);
      // A gather reads no more bytes than its source has.
      if (isa<tensor::ExtractOp, memref::LoadOp>(inner))
        cost.addTraffic(getSpace(inner.getOperand(0).getType()),
                        std::min(body.getBytesRead(),
                                 context.getBytes(inner.getOperand(0))),
                        0);
    }
    for (OpOperand *input : op.getDpsInputOperands())
      if (isMemory(input->get().getType()) &&
          op.payloadUsesValueFromOperand(input))
        cost.addTraffic(getSpace(input->get().getType()),
                        context.getBytes(input->get()), 0);
    for (OpOperand &init : op.getDpsInitsMutable()) {
      int64_t bytes = context.getBytes(init.get());
      cost.addTraffic(getSpace(init.get().getType()),
                      op.payloadUsesValueFromOperand(&init) ? bytes : 0, bytes);
    }
    if (isContractionLike(op))
      cost.costClass = CostClass::Expensive;
    else if (op.getNumReductionLoops() != 0)
      cost.costClass = CostClass::Medium;
    else if (!isFillLike(op))
      cost.costClass = CostClass::Cheap;
    return cost;
  }
};

/// For each element a maximum, a subtraction, an exponential, a sum and a
/// division.
struct SoftmaxModel : CostModelOf<linalg::SoftmaxOp, SoftmaxModel> {
  OpCost estimateCost(Operation *operation, CostContext &context) const {
    auto op = cast<linalg::SoftmaxOp>(operation);
    OpCost cost;
    cost.addFlops(getElementTypeOrSelf(op.getInput().getType()),
                  saturatingMul(5, context.getNumElements(op.getInput())));
    cost.addTraffic(getSpace(op.getInput().getType()),
                    context.getBytes(op.getInput()), 0);
    cost.addTraffic(getSpace(op.getOutput().getType()), 0,
                    context.getBytes(op.getOutput()));
    cost.costClass = CostClass::Medium;
    return cost;
  }
};

//===----------------------------------------------------------------------===//
// Copies: every operand read, every result or destination written, nothing
// computed
//===----------------------------------------------------------------------===//

/// Reads all operands but the destination, and writes all of the results; if
/// there are none, all of the destination.
template <typename Op> struct CopyModel : CostModelOf<Op, CopyModel<Op>> {
  OpCost estimateCost(Operation *op, CostContext &context) const {
    OpCost cost;
    auto destination = dyn_cast<DestinationStyleOpInterface>(op);
    for (OpOperand &operand : op->getOpOperands())
      if (isMemory(operand.get().getType()) &&
          !(destination && destination.isDpsInit(&operand)))
        cost.addTraffic(getSpace(operand.get().getType()),
                        context.getBytes(operand.get()), 0);
    for (Value result : op->getResults())
      if (isMemory(result.getType()))
        cost.addTraffic(getSpace(result.getType()), 0,
                        context.getBytes(result));
    if (op->getNumResults() == 0 && destination)
      for (Value init : destination.getDpsInits())
        cost.addTraffic(getSpace(init.getType()), 0, context.getBytes(init));
    cost.costClass = CostClass::Cheap;
    return cost;
  }
};

/// Reads all of the source and writes as many bytes of the destination.
template <typename Op>
struct TransferModel : CostModelOf<Op, TransferModel<Op>> {
  OpCost estimateCost(Operation *op, CostContext &context) const {
    Value source = op->getOperand(0), destination = op->getOperand(1);
    int64_t bytes = context.getBytes(source);
    OpCost cost;
    cost.addTraffic(getSpace(source.getType()), bytes, 0);
    cost.addTraffic(getSpace(destination.getType()), 0, bytes);
    cost.costClass = CostClass::Cheap;
    return cost;
  }
};

struct AllocTensorModel
    : CostModelOf<bufferization::AllocTensorOp, AllocTensorModel> {
  OpCost estimateCost(Operation *operation, CostContext &context) const {
    auto op = cast<bufferization::AllocTensorOp>(operation);
    OpCost cost;
    if (op.getCopy()) {
      int64_t bytes = context.getBytes(op.getResult());
      cost.addTraffic(Attribute(), bytes, bytes);
      cost.costClass = CostClass::Cheap;
    }
    return cost;
  }
};

/// Executes the region for each element of the result, or of its padding.
template <typename Op>
struct GenerateModel : CostModelOf<Op, GenerateModel<Op>> {
  OpCost estimateCost(Operation *operation, CostContext &context) const {
    auto op = cast<Op>(operation);
    Value result = op.getResult();
    int64_t elements = context.getNumElements(result);
    OpCost cost;
    if constexpr (std::is_same_v<Op, tensor::PadOp>) {
      elements -= context.getNumElements(op.getSource());
      cost.addTraffic(Attribute(), context.getBytes(op.getSource()), 0);
    }
    for (Region &region : op->getRegions()) {
      OpCost body = context.getCost(region);
      body.repeat(std::max<int64_t>(elements, 0));
      cost.add(body);
    }
    cost.addTraffic(Attribute(), 0, context.getBytes(result));
    cost.costClass = CostClass::Cheap;
    return cost;
  }
};

/// tensor.gather and tensor.scatter: copies the elements that the indices
/// select.
template <typename Op> struct GatherModel : CostModelOf<Op, GatherModel<Op>> {
  OpCost estimateCost(Operation *operation, CostContext &context) const {
    auto op = cast<Op>(operation);
    int64_t bytes;
    if constexpr (std::is_same_v<Op, tensor::GatherOp>)
      bytes = context.getBytes(op.getResult());
    else
      bytes = context.getBytes(op.getSource());
    OpCost cost;
    cost.addTraffic(Attribute(),
                    saturatingAdd(bytes, context.getBytes(op.getIndices())),
                    bytes);
    cost.costClass = CostClass::Cheap;
    return cost;
  }
};

//===----------------------------------------------------------------------===//
// Single elements and vectors
//===----------------------------------------------------------------------===//

static int64_t getAccessBytes(Type accessed, CostContext &context) {
  int64_t elements = 1;
  if (auto vector = dyn_cast<VectorType>(accessed))
    for (int64_t extent : vector.getShape())
      elements = saturatingMul(elements, extent);
  return saturatingMul(elements,
                       context.getElementBytes(getElementTypeOrSelf(accessed)));
}

/// Reads a value of the type of the first result from the first memory operand.
template <typename Op> struct LoadModel : CostModelOf<Op, LoadModel<Op>> {
  OpCost estimateCost(Operation *op, CostContext &context) const {
    OpCost cost;
    for (Value operand : op->getOperands())
      if (isMemory(operand.getType())) {
        cost.addTraffic(getSpace(operand.getType()),
                        getAccessBytes(op->getResult(0).getType(), context), 0);
        break;
      }
    return cost;
  }
};

/// Writes the first operand that is no memory to the first that is.
template <typename Op> struct StoreModel : CostModelOf<Op, StoreModel<Op>> {
  OpCost estimateCost(Operation *op, CostContext &context) const {
    OpCost cost;
    Type stored;
    Value destination;
    for (Value operand : op->getOperands()) {
      if (isMemory(operand.getType()))
        destination = destination ? destination : operand;
      else if (!stored)
        stored = operand.getType();
    }
    if (stored && destination)
      cost.addTraffic(getSpace(destination.getType()), 0,
                      getAccessBytes(stored, context));
    return cost;
  }
};

/// `Flops` operations for each element of operand number `Operand`.
template <typename Op, unsigned Operand, int64_t Flops> struct VectorFlops {
  static void add(Operation *op, CostContext &context, OpCost &cost) {
    Value operand = op->getOperand(Operand);
    cost.addFlops(getElementTypeOrSelf(operand.getType()),
                  saturatingMul(Flops, context.getNumElements(operand)));
  }
};
struct VectorFmaModel : CostModelOf<vector::FMAOp, VectorFmaModel> {
  OpCost estimateCost(Operation *op, CostContext &context) const {
    OpCost cost;
    VectorFlops<vector::FMAOp, 0, 2>::add(op, context, cost);
    return cost;
  }
};
template <typename Op>
struct VectorReductionModel : CostModelOf<Op, VectorReductionModel<Op>> {
  OpCost estimateCost(Operation *op, CostContext &context) const {
    OpCost cost;
    VectorFlops<Op, 0, 1>::add(op, context, cost);
    return cost;
  }
};
struct ContractModel : CostModelOf<vector::ContractionOp, ContractModel> {
  OpCost estimateCost(Operation *operation, CostContext &context) const {
    auto op = cast<vector::ContractionOp>(operation);
    SmallVector<int64_t> bounds;
    op.getIterationBounds(bounds);
    int64_t flops = 2;
    for (int64_t bound : bounds)
      flops = saturatingMul(flops, bound);
    OpCost cost;
    cost.addFlops(getElementTypeOrSelf(op.getAcc().getType()), flops);
    return cost;
  }
};
struct OuterProductModel
    : CostModelOf<vector::OuterProductOp, OuterProductModel> {
  OpCost estimateCost(Operation *operation, CostContext &context) const {
    auto op = cast<vector::OuterProductOp>(operation);
    OpCost cost;
    cost.addFlops(getElementTypeOrSelf(op.getResult().getType()),
                  saturatingMul(op.getAcc() ? 2 : 1,
                                context.getNumElements(op.getResult())));
    return cost;
  }
};

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

static std::optional<int64_t> countTrips(OpFoldResult lower, OpFoldResult upper,
                                         OpFoldResult step,
                                         CostContext &context) {
  auto get = [&](OpFoldResult value) -> std::optional<int64_t> {
    if (auto attribute = dyn_cast<Attribute>(value))
      return cast<IntegerAttr>(attribute).getInt();
    return context.getIndex(cast<Value>(value));
  };
  std::optional<int64_t> from = get(lower), to = get(upper), by = get(step);
  if (!from || !to || !by || *by <= 0)
    return std::nullopt;
  return *to > *from ? llvm::divideCeilSigned(*to - *from, *by) : 0;
}

/// The maximum of a map of lower bounds, or the minimum of a map of upper ones;
/// std::nullopt if an operand is not known.
static std::optional<int64_t> evaluateBound(AffineMap map, ValueRange operands,
                                            bool isUpper,
                                            CostContext &context) {
  SmallVector<Attribute> numbers;
  Builder builder(map.getContext());
  for (Value operand : operands) {
    std::optional<int64_t> number = context.getIndex(operand);
    if (!number)
      return std::nullopt;
    numbers.push_back(builder.getIndexAttr(*number));
  }
  SmallVector<Attribute> results;
  if (failed(map.constantFold(numbers, results)) || results.empty())
    return std::nullopt;
  int64_t bound = cast<IntegerAttr>(results.front()).getInt();
  for (Attribute result : results) {
    int64_t number = cast<IntegerAttr>(result).getInt();
    bound = isUpper ? std::min(bound, number) : std::max(bound, number);
  }
  return bound;
}

static std::optional<int64_t> countTrips(affine::AffineForOp loop,
                                         CostContext &context) {
  std::optional<int64_t> from =
      evaluateBound(loop.getLowerBoundMap(), loop.getLowerBoundOperands(),
                    /*isUpper=*/false, context);
  std::optional<int64_t> to =
      evaluateBound(loop.getUpperBoundMap(), loop.getUpperBoundOperands(),
                    /*isUpper=*/true, context);
  if (!from || !to)
    return std::nullopt;
  return *to > *from ? llvm::divideCeilSigned(*to - *from, loop.getStepAsInt())
                     : 0;
}

static std::optional<int64_t> countTrips(LoopLikeOpInterface loop,
                                         CostContext &context) {
  if (auto affineLoop = dyn_cast<affine::AffineForOp>(*loop))
    return countTrips(affineLoop, context);
  if (std::optional<APInt> trips = loop.getStaticTripCount())
    return trips->getActiveBits() < 64 ? trips->getSExtValue()
                                       : std::numeric_limits<int64_t>::max();
  auto lower = loop.getLoopLowerBounds();
  auto upper = loop.getLoopUpperBounds();
  auto step = loop.getLoopSteps();
  if (!lower || !upper || !step)
    return std::nullopt;
  int64_t product = 1;
  for (auto [from, to, by] : llvm::zip_equal(*lower, *upper, *step)) {
    std::optional<int64_t> trips = countTrips(from, to, by, context);
    if (!trips)
      return std::nullopt;
    product = saturatingMul(product, *trips);
  }
  return product;
}

/// If the trip count is not known, one iteration is counted.
template <typename Op> struct LoopModel : CostModelOf<Op, LoopModel<Op>> {
  OpCost estimateCost(Operation *operation, CostContext &context) const {
    auto loop = cast<LoopLikeOpInterface>(operation);
    OpCost cost;
    for (Region *region : loop.getLoopRegions())
      cost.add(context.getCost(*region));
    if (std::optional<int64_t> trips = countTrips(loop, context))
      cost.repeat(*trips);
    else
      cost.isExact = false;
    cost.costClass = CostClass::Expensive;
    return cost;
  }
};

/// The cost of the most expensive region.
template <typename Op> struct BranchModel : CostModelOf<Op, BranchModel<Op>> {
  OpCost estimateCost(Operation *op, CostContext &context) const {
    OpCost dearest;
    bool isFirst = true, isExact = true;
    int64_t scratch = 0;
    for (Region &region : op->getRegions()) {
      OpCost cost = context.getCost(region);
      auto key = [](const OpCost &cost) {
        return std::make_pair(
            cost.getFlops(),
            saturatingAdd(cost.getBytesRead(), cost.getBytesWritten()));
      };
      isExact &= cost.isExact && (isFirst || key(cost) == key(dearest));
      scratch = std::max(scratch, cost.scratchBytes);
      CostClass costClass = std::max(cost.costClass, dearest.costClass);
      if (isFirst || key(cost) > key(dearest))
        dearest = cost;
      dearest.costClass = costClass;
      isFirst = false;
    }
    dearest.isExact = isExact;
    dearest.scratchBytes = scratch;
    return dearest;
  }
};

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

static void attachToStructuredOps(MLIRContext *context) {
  attach<StructuredModel,
#define GET_OP_LIST
#include "mlir/Dialect/Linalg/IR/LinalgStructuredOps.cpp.inc"
         >(context);
  linalg::SoftmaxOp::attachInterface<SoftmaxModel>(*context);
  attach<CopyModel, linalg::PackOp, linalg::UnPackOp>(context);
  attach<FreeModel, linalg::YieldOp, linalg::IndexOp>(context);
}

static void attachToElementwiseOps(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    attach<ElementwiseModel,
#define GET_OP_LIST
#include "mlir/Dialect/Arith/IR/ArithOps.cpp.inc"
           >(context);
  });
  registry.addExtension(+[](MLIRContext *context, math::MathDialect *) {
    attach<ElementwiseModel,
#define GET_OP_LIST
#include "mlir/Dialect/Math/IR/MathOps.cpp.inc"
           >(context);
  });
  registry.addExtension(+[](MLIRContext *context, complex::ComplexDialect *) {
    attach<ElementwiseModel,
#define GET_OP_LIST
#include "mlir/Dialect/Complex/IR/ComplexOps.cpp.inc"
           >(context);
  });
}

static void attachToMemoryOps(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    attach<FreeModel, tensor::EmptyOp, tensor::DimOp, tensor::RankOp,
           tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
           tensor::ReshapeOp, tensor::ExtractSliceOp, tensor::YieldOp>(context);
    attach<LoadModel, tensor::ExtractOp>(context);
    attach<StoreModel, tensor::InsertOp>(context);
    attach<TransferModel, tensor::InsertSliceOp, tensor::ParallelInsertSliceOp>(
        context);
    attach<CopyModel, tensor::ConcatOp, tensor::SplatOp,
           tensor::FromElementsOp>(context);
    attach<GenerateModel, tensor::PadOp, tensor::GenerateOp>(context);
    tensor::GatherOp::attachInterface<GatherModel<tensor::GatherOp>>(*context);
    tensor::ScatterOp::attachInterface<GatherModel<tensor::ScatterOp>>(
        *context);
  });
  registry.addExtension(+[](MLIRContext *context, memref::MemRefDialect *) {
    attach<FreeModel, memref::AllocOp, memref::AllocaOp, memref::DeallocOp,
           memref::DimOp, memref::RankOp, memref::CastOp, memref::ExpandShapeOp,
           memref::CollapseShapeOp, memref::ReshapeOp, memref::SubViewOp,
           memref::ViewOp, memref::TransposeOp, memref::ReinterpretCastOp,
           memref::MemorySpaceCastOp, memref::ExtractStridedMetadataOp,
           memref::ExtractAlignedPointerAsIndexOp, memref::GetGlobalOp,
           memref::GlobalOp, memref::AssumeAlignmentOp>(context);
    attach<LoadModel, memref::LoadOp>(context);
    attach<StoreModel, memref::StoreOp>(context);
    attach<TransferModel, memref::CopyOp>(context);
  });
  registry.addExtension(+[](MLIRContext *context,
                            bufferization::BufferizationDialect *) {
    attach<FreeModel, bufferization::ToTensorOp, bufferization::ToBufferOp,
           bufferization::DeallocOp, bufferization::DeallocTensorOp>(context);
    bufferization::AllocTensorOp::attachInterface<AllocTensorModel>(*context);
    attach<CopyModel, bufferization::CloneOp>(context);
    attach<TransferModel, bufferization::MaterializeInDestinationOp>(context);
  });
  registry.addExtension(+[](MLIRContext *context, MemplanDialect *) {
    attach<FreeModel, ArenaOp, SlotOp, ReleaseOp, memplan::ViewOp, RenewOp,
           WorkspaceOp>(context);
  });
}

static void attachToVectorOps(MLIRContext *context) {
  attach<LoadModel, vector::LoadOp, vector::MaskedLoadOp, vector::GatherOp,
         vector::TransferReadOp>(context);
  attach<StoreModel, vector::StoreOp, vector::TransferWriteOp>(context);
  attach<VectorReductionModel, vector::ReductionOp,
         vector::MultiDimReductionOp>(context);
  attach<FreeModel, vector::BroadcastOp, vector::ShapeCastOp, vector::ExtractOp,
         vector::InsertOp, vector::ExtractStridedSliceOp,
         vector::InsertStridedSliceOp, vector::ShuffleOp, vector::TransposeOp,
         vector::PrintOp, vector::BitCastOp, vector::CreateMaskOp,
         vector::ConstantMaskOp, vector::StepOp, vector::FromElementsOp,
         vector::ToElementsOp, vector::TypeCastOp>(context);
  vector::FMAOp::attachInterface<VectorFmaModel>(*context);
  vector::ContractionOp::attachInterface<ContractModel>(*context);
  vector::OuterProductOp::attachInterface<OuterProductModel>(*context);
}

static void attachToControlFlow(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, scf::SCFDialect *) {
    attach<LoopModel, scf::ForOp, scf::ForallOp, scf::ParallelOp, scf::WhileOp>(
        context);
    attach<BranchModel, scf::IfOp, scf::IndexSwitchOp, scf::ExecuteRegionOp>(
        context);
    attach<FreeModel, scf::YieldOp, scf::ConditionOp, scf::ReduceReturnOp>(
        context);
  });
  registry.addExtension(+[](MLIRContext *context, affine::AffineDialect *) {
    attach<LoopModel, affine::AffineForOp, affine::AffineParallelOp>(context);
    attach<BranchModel, affine::AffineIfOp>(context);
    attach<FreeModel, affine::AffineYieldOp, affine::AffineApplyOp,
           affine::AffineMinOp, affine::AffineMaxOp>(context);
    attach<LoadModel, affine::AffineLoadOp, affine::AffineVectorLoadOp>(
        context);
    attach<StoreModel, affine::AffineStoreOp, affine::AffineVectorStoreOp>(
        context);
  });
  registry.addExtension(+[](MLIRContext *context, func::FuncDialect *) {
    attach<FreeModel, func::ReturnOp, func::FuncOp>(context);
  });
  registry.addExtension(+[](MLIRContext *context, cf::ControlFlowDialect *) {
    attach<FreeModel, cf::AssertOp>(context);
  });
}

void memplan::registerCostModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    attachToStructuredOps(context);
  });
  attachToElementwiseOps(registry);
  attachToMemoryOps(registry);
  registry.addExtension(+[](MLIRContext *context, vector::VectorDialect *) {
    attachToVectorOps(context);
  });
  attachToControlFlow(registry);
  registerTosaCostModels(registry);
}
