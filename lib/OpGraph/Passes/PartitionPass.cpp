//===- PartitionPass.cpp - The memplan-partition pass ---------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Output.h"
#include "Passes/EmitSchedule.h"
#include "Passes/GraphPass.h"
#include "memplan/Graph/Partition.h"
#include "memplan/IR/GraphAttributes.h"
#include "memplan/IR/Memplan.h"
#include "memplan/OpGraph/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANPARTITION
#include "memplan/OpGraph/Passes.h.inc"
} // namespace memplan

using namespace memplan;
using graph::InputRole;
using graph::OpId;
using graph::ValueId;

/// Replaces destinations that an op does not read by a tensor.empty, so that
/// the op does not depend on them.
static void dropUnreadDestinations(FunctionOpInterface function) {
  function.walk([](linalg::LinalgOp op) {
    for (OpOperand &init : op.getDpsInitsMutable()) {
      auto type = dyn_cast<RankedTensorType>(init.get().getType());
      if (!type || !type.hasStaticShape() ||
          init.get().getDefiningOp<tensor::EmptyOp>() ||
          op.payloadUsesValueFromOperand(&init))
        continue;
      OpBuilder builder(op);
      init.set(tensor::EmptyOp::create(builder, op.getLoc(), type.getShape(),
                                       type.getElementType(),
                                       type.getEncoding()));
    }
  });
}

namespace {
/// Builds the forward or the backward function of a partition.
class HalfBuilder {
public:
  HalfBuilder(const FunctionGraph &joint, StringRef suffix)
      : joint(joint), builder(joint.getFunction()),
        name((joint.getFunction().getName() + suffix).str()) {}

  void addArgument(Value value, DictionaryAttr attributes) {
    inputs.push_back(value);
    attributeDicts.push_back(attributes);
  }
  void addResult(Value value) { outputs.push_back(value); }

  func::FuncOp build(ArrayRef<OpId> schedule, llvm::BitVector isRecomputed) {
    builder.setInsertionPoint(joint.getFunction());
    auto type = builder.getFunctionType(TypeRange(ValueRange(inputs)),
                                        TypeRange(ValueRange(outputs)));
    auto half =
        func::FuncOp::create(builder, joint.getFunction().getLoc(), name, type);
    half.setVisibility(
        cast<SymbolOpInterface>(joint.getFunction().getOperation())
            .getVisibility());
    for (auto [index, attributes] : llvm::enumerate(attributeDicts))
      if (attributes)
        half.setArgAttrs(index, attributes);
    Block *entry = half.addEntryBlock();
    IRMapping mapping;
    for (auto [input, argument] :
         llvm::zip_equal(inputs, entry->getArguments())) {
      argument.setLoc(input.getLoc());
      mapping.map(input, argument);
    }
    builder.setInsertionPointToEnd(entry);
    ScheduleEmitter emitter(joint, builder, mapping, std::move(isRecomputed));
    emitter.emit(schedule);
    SmallVector<Value> results;
    for (Value output : outputs)
      results.push_back(emitter.get(output));
    func::ReturnOp::create(
        builder, joint.getFunction().getFunctionBody().front().back().getLoc(),
        results);
    return half;
  }

private:
  const FunctionGraph &joint;
  OpBuilder builder;
  std::string name;
  SmallVector<Value> inputs, outputs;
  SmallVector<DictionaryAttr> attributeDicts;
};

struct PartitionPass
    : GraphPass<PartitionPass, memplan::impl::MemplanPartitionBase> {
  using GraphPass::GraphPass;

  LogicalResult run(ModuleOp module) {
    FailureOr<FunctionOpInterface> function =
        findFunction(module, functionName);
    if (failed(function) || failed(checkFunction(module, *function)))
      return failure();
    dropUnreadDestinations(*function);
    FailureOr<GraphContext> context = GraphContext::create(module);
    if (failed(context))
      return failure();
    FailureOr<FunctionGraph> joint = context->builder->build(*function);
    if (failed(joint))
      return failure();
    if (std::string why = graph::whyNotJoint(joint->graph); !why.empty())
      return mlir::emitError(function->getLoc())
             << "@" << function->getName() << " is no joint function: " << why;
    graph::Partition partition = graph::partition(joint->graph, getOptions());
    // A reserve that the device keeps for an op is not an SSA value, so the
    // forward function cannot return it.
    for (ValueId saved : partition.saved)
      if (!joint->values[saved])
        return mlir::emitError(function->getLoc())
               << "@" << function->getName()
               << " saves memory that the target description keeps for an op";
    for (const graph::PartitionRemark &remark : partition.remarks)
      emitRemark(joint->ops[remark.op]->getLoc()) << remark.message;
    if (failed(writeOutput(output, module.getLoc(), [&](llvm::raw_ostream &os) {
          os << graph::partitionReport(joint->graph, partition);
        })))
      return failure();
    buildForward(*joint, partition);
    buildBackward(*joint, partition);
    if (!keepJoint)
      function->erase();
    return success();
  }

  /// Checks the function before anything is changed: emits an error and fails
  /// if it cannot be partitioned.
  LogicalResult checkFunction(ModuleOp module, FunctionOpInterface function) {
    StringRef name = function.getName();
    if (!isa<func::FuncOp>(function.getOperation()) || function.isExternal())
      return mlir::emitError(function.getLoc())
             << "@" << name << " is no func.func with a body";
    if (!function->hasAttr(kNumForwardOutputsAttr))
      return mlir::emitError(function.getLoc())
             << "@" << name << " does not say how many of its "
             << function.getNumResults()
             << " results are forward outputs: attribute '"
             << kNumForwardOutputsAttr << "'";
    for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
      if (!function.getArgAttr(index, kRoleAttr))
        return mlir::emitError(function.getLoc())
               << "argument " << index << " of @" << name
               << " has no attribute '" << kRoleAttr << "'";
      if (isa<BaseMemRefType>(type))
        return mlir::emitError(function.getLoc())
               << "argument " << index << " of @" << name << " has the type "
               << type << ": only functions on tensors are partitioned";
    }
    for (StringRef suffix : {"_fwd", "_bwd"})
      if (SymbolTable::lookupSymbolIn(module, (name + suffix).str()))
        return mlir::emitError(function.getLoc())
               << "@" << name << suffix << " is there already";
    if (!keepJoint && !SymbolTable::symbolKnownUseEmpty(function, module))
      return mlir::emitError(function.getLoc())
             << "@" << name
             << " is used in the module: it can be partitioned with keep-joint "
                "only";
    return success();
  }

  graph::PartitionOptions getOptions() {
    graph::PartitionOptions options;
    options.strategy = strategy;
    return options;
  }

  static bool isForwardRole(InputRole role) {
    return role == InputRole::Primal || role == InputRole::ForwardRng;
  }

  static DictionaryAttr getArgAttributes(const FunctionGraph &joint,
                                         Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument ? DictionaryAttr::get(joint.getFunction().getContext(),
                                          joint.getFunction().getArgAttrs(
                                              argument.getArgNumber()))
                    : DictionaryAttr();
  }

  static void buildForward(const FunctionGraph &joint,
                           const graph::Partition &partition) {
    HalfBuilder half(joint, "_fwd");
    for (const graph::Input &input : joint.graph.inputs)
      if (isForwardRole(input.role))
        half.addArgument(joint.values[input.value],
                         getArgAttributes(joint, joint.values[input.value]));
    Operation *terminator =
        joint.getFunction().getFunctionBody().front().getTerminator();
    int64_t numOutputs = joint.graph.numForwardOutputs;
    for (Value output : terminator->getOperands().take_front(numOutputs))
      half.addResult(output);
    for (ValueId saved : partition.saved)
      half.addResult(joint.values[saved]);
    func::FuncOp forward =
        half.build(partition.forward, llvm::BitVector(joint.ops.size()));
    forward->setAttr(kNumForwardOutputsAttr,
                     Builder(forward).getI64IntegerAttr(numOutputs));
  }

  /// The attributes of an argument of the backward function for a saved value:
  /// those of the primal and its number, if it is one; otherwise the mark that
  /// its memory is donated, unless the caller has it as a forward output.
  static DictionaryAttr getSavedAttributes(const FunctionGraph &joint,
                                           ValueId saved) {
    Value value = joint.values[saved];
    Builder builder(joint.getFunction().getContext());
    auto argument = dyn_cast<BlockArgument>(value);
    const graph::OpGraph &graph = joint.graph;
    for (unsigned i = 0; !argument && i < graph.numForwardOutputs; ++i)
      if (graph.values[graph.outputs[i]].storage == graph.values[saved].storage)
        return DictionaryAttr();
    if (!argument)
      return builder.getDictionaryAttr(
          builder.getNamedAttr(kDonatedAttr, builder.getUnitAttr()));
    Attribute role =
        joint.getFunction().getArgAttr(argument.getArgNumber(), kRoleAttr);
    int64_t index = 0;
    for (unsigned i = 0; i < argument.getArgNumber(); ++i)
      index += joint.getFunction().getArgAttr(i, kRoleAttr) == role;
    NamedAttrList attributes(
        joint.getFunction().getArgAttrs(argument.getArgNumber()));
    attributes.set(kArgIndexAttr, builder.getI64IntegerAttr(index));
    return attributes.getDictionary(builder.getContext());
  }

  static void buildBackward(const FunctionGraph &joint,
                            const graph::Partition &partition) {
    HalfBuilder half(joint, "_bwd");
    for (ValueId saved : partition.saved)
      half.addArgument(joint.values[saved], getSavedAttributes(joint, saved));
    for (const graph::Input &input : joint.graph.inputs)
      if (!isForwardRole(input.role))
        half.addArgument(joint.values[input.value],
                         getArgAttributes(joint, joint.values[input.value]));
    Operation *terminator =
        joint.getFunction().getFunctionBody().front().getTerminator();
    for (Value output :
         terminator->getOperands().drop_front(joint.graph.numForwardOutputs))
      half.addResult(output);
    llvm::BitVector isRecomputed(joint.ops.size());
    for (OpId op : partition.forward)
      isRecomputed.set(op);
    half.build(partition.backward, std::move(isRecomputed));
  }
};
} // namespace
