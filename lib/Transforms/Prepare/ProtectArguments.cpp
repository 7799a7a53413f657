//===- ProtectArguments.cpp - Old or final values of arguments ------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bufferization keeps the values of tensors, but not of the memory behind them:
// the memory of an argument may be used for any value, and memory that is both
// read through bufferization.to_tensor and written by
// bufferization.materialize_in_destination is two things to it. The pass looks
// at what one-shot analysis would write in place and forbids what leaves
// half of a value behind.
//
//===----------------------------------------------------------------------===//

#include "Prepare/MemoryOrder.h"
#include "memplan/IR/GraphAttributes.h"
#include "memplan/Transforms/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::bufferization;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANPROTECTARGUMENTS
#include "memplan/Transforms/PipelineParts.h.inc"
} // namespace memplan

using namespace memplan;

//===----------------------------------------------------------------------===//
// Arguments that are tensors
//===----------------------------------------------------------------------===//

/// True if callers outside of the module see the memory of the argument and the
/// function may write there.
static bool isWritable(func::FuncOp function, unsigned argument) {
  auto writable = function.getArgAttrOfType<BoolAttr>(
      argument, BufferizationDialect::kWritableAttrName);
  return isa<TensorType>(function.getArgumentTypes()[argument]) &&
         (!writable || writable.getValue());
}

static bool hasWritableArgument(func::FuncOp function) {
  if (function.isExternal() || !function.isPublic())
    return false;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (isWritable(function, i))
      return true;
  return false;
}

/// True if the value is all of the memory of the argument, in its own shape or
/// another one.
static bool isInMemoryOf(Value value, BlockArgument argument,
                         const OneShotAnalysisState &state) {
  while (!state.areEquivalentBufferizedValues(value, argument)) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return false;
    if (isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
            op)) {
      value = op->getOperand(0);
      continue;
    }
    if (auto tensor = dyn_cast<ToTensorOp>(op)) {
      auto buffer = tensor.getBuffer().getDefiningOp<ToBufferOp>();
      if (!buffer || !state.isInPlace(buffer->getOpOperand(0)))
        return false;
      value = buffer.getTensor();
      continue;
    }
    AliasingOpOperandList sources = state.getAliasingOpOperands(value);
    if (sources.getNumAliases() != 1)
      return false;
    AliasingOpOperand source = *sources.begin();
    if (source.relation != BufferRelation::Equivalent ||
        !state.isInPlace(*source.opOperand))
      return false;
    value = source.opOperand->get();
  }
  return true;
}

/// True if the function leaves in the memory of the argument what is neither
/// its old value nor its new one.
static bool isHalfWritten(func::FuncOp function, unsigned argument,
                          const func_ext::FuncAnalysisState &analysis,
                          const OneShotAnalysisState &state) {
  auto written = analysis.writtenBbArgs.find(function);
  if (written == analysis.writtenBbArgs.end() ||
      !written->second.contains(argument))
    return false;
  auto newValue =
      function.getArgAttrOfType<IntegerAttr>(argument, kNewValueAttr);
  // Every return leaves a result there.
  return !llvm::all_of(getReturnOps(function), [&](func::ReturnOp exit) {
    return llvm::any_of(exit->getOpOperands(), [&](OpOperand &result) {
      return isa<TensorType>(result.get().getType()) &&
             (!newValue || newValue.getInt() == result.getOperandNumber()) &&
             isInMemoryOf(result.get(), function.getArgument(argument), state);
    });
  });
}

/// Makes the arguments that would be half written read-only; all of the
/// function if `all`. Returns false if there are none.
static bool protectArguments(func::FuncOp function, bool all,
                             const func_ext::FuncAnalysisState &analysis,
                             const OneShotAnalysisState &state) {
  SmallVector<unsigned> wrong;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (isWritable(function, i) && isHalfWritten(function, i, analysis, state))
      wrong.push_back(i);
  if (wrong.empty())
    return false;
  if (all)
    wrong = llvm::to_vector(llvm::make_filter_range(
        llvm::seq(function.getNumArguments()),
        [&](unsigned i) { return isWritable(function, i); }));
  for (unsigned argument : wrong)
    function.setArgAttr(argument, BufferizationDialect::kWritableAttrName,
                        BoolAttr::get(function.getContext(), false));
  return true;
}

//===----------------------------------------------------------------------===//
// Memrefs that are read as tensors
//===----------------------------------------------------------------------===//

/// True if each execution of `op` is before the next one of `write`, after
/// that of `start`, in every run of the innermost block around all three.
/// Conservative: blocks of a graph have no order.
static bool isBefore(Operation *op, Operation *write, Operation *start) {
  for (Block *block = start->getBlock(); block;
       block = block->getParentOp()->getBlock())
    if (Operation *end = block->findAncestorOpInBlock(*write)) {
      Operation *reader = block->findAncestorOpInBlock(*op);
      return reader && reader != end && reader->isBeforeInBlock(end);
    }
  return false;
}

/// True if a loop that the tensor is made in carries the memory to its next
/// iteration.
static bool isCarried(ToTensorOp tensor, const OneShotAnalysisState &state) {
  bool isYielded = false;
  state.applyOnAliases(tensor.getResult(), [&](Value alias) {
    isYielded |= llvm::any_of(alias.getUsers(), [&](Operation *user) {
      return user->hasTrait<OpTrait::IsTerminator>() &&
             isa<LoopLikeOpInterface>(user->getParentOp()) &&
             user->getParentOp()->isProperAncestor(tensor);
    });
  });
  return isYielded;
}

/// True if memory of the tensor is read after the op has written to the memref,
/// or by the op where it does not write.
static bool isReadAfter(ToTensorOp tensor, MaterializeInDestinationOp write,
                        const OneShotAnalysisState &state) {
  // A tensor that is made later is meant to have what is written. A value that
  // was computed in the memory of the tensor is there already.
  if (isBefore(write, tensor, write) ||
      (write.getDest() == tensor.getBuffer() &&
       state.areEquivalentBufferizedValues(write.getSource(), tensor)))
    return false;
  bool isRead = false;
  state.applyOnAliases(tensor.getResult(), [&](Value alias) {
    for (OpOperand &use : alias.getUses()) {
      if (!isRead && state.bufferizesToMemoryRead(use))
        isRead = !isBefore(use.getOwner(), write, tensor);
    }
  });
  return isRead;
}

/// Copies the tensors of the function whose memory would be overwritten while
/// they are read. Returns false if there are none.
static bool copyOverwritten(func::FuncOp function,
                            const OneShotAnalysisState &state) {
  // What is written to a memref that may be one of several is written to each.
  using Writes = SmallVector<MaterializeInDestinationOp>;
  llvm::DenseMap<Value, Writes> writes;
  Writes all, anywhere;
  function.walk([&](MaterializeInDestinationOp write) {
    if (!isa<BaseMemRefType>(write.getDest().getType()))
      return;
    all.push_back(write);
    if (Value memory = findOwnMemory(write.getDest()))
      writes[memory].push_back(write);
    else
      anywhere.push_back(write);
  });
  SmallVector<ToTensorOp> overwritten;
  function.walk([&](ToTensorOp tensor) {
    bool isCopied = tensor->hasOneUse() &&
                    isa<AllocTensorOp>(*tensor->user_begin()) &&
                    *tensor->user_begin() == tensor->getNextNode();
    if (isCopied)
      return;
    auto isLost = [&](ArrayRef<MaterializeInDestinationOp> some) {
      return llvm::any_of(some, [&](MaterializeInDestinationOp write) {
        return isReadAfter(tensor, write, state);
      });
    };
    ArrayRef<MaterializeInDestinationOp> own = all, others;
    if (Value memory = findOwnMemory(tensor.getBuffer())) {
      auto it = writes.find(memory);
      own = it == writes.end() ? ArrayRef<MaterializeInDestinationOp>()
                               : ArrayRef(it->second);
      others = anywhere;
    }
    if ((!own.empty() || !others.empty()) &&
        (isCarried(tensor, state) || isLost(own) || isLost(others)))
      overwritten.push_back(tensor);
  });
  for (ToTensorOp tensor : overwritten) {
    OpBuilder builder(tensor->getContext());
    builder.setInsertionPointAfter(tensor);
    auto copy = AllocTensorOp::create(builder, tensor.getLoc(),
                                      cast<RankedTensorType>(tensor.getType()),
                                      ValueRange(), tensor.getResult());
    tensor.getResult().replaceAllUsesExcept(copy.getResult(), copy);
  }
  return !overwritten.empty();
}

static bool writesToMemRef(func::FuncOp function) {
  return function
      .walk([](MaterializeInDestinationOp write) {
        return isa<BaseMemRefType>(write.getDest().getType())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct ProtectArgumentsPass
    : memplan::impl::MemplanProtectArgumentsBase<ProtectArgumentsPass> {
  void runOnOperation() override {
    // What is forbidden changes what else is written in place. Each round
    // forbids more; from the fourth on all arguments of a function at once.
    constexpr unsigned kPreciseRounds = 3;
    bool changes = true;
    for (unsigned round = 0; changes; ++round) {
      FailureOr<bool> changed = protect(/*all=*/round >= kPreciseRounds);
      if (failed(changed))
        return signalPassFailure();
      changes = *changed;
    }
    for (auto function : getOperation().getOps<func::FuncOp>())
      for (unsigned i = 0; i < function.getNumArguments(); ++i)
        function.removeArgAttr(i, kNewValueAttr);
  }

private:
  /// True if something was forbidden.
  FailureOr<bool> protect(bool all) {
    SmallVector<func::FuncOp> checked, writing;
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (hasWritableArgument(function))
        checked.push_back(function);
      if (writesToMemRef(function))
        writing.push_back(function);
    }
    if (checked.empty() && writing.empty())
      return false;
    OneShotBufferizationOptions options;
    options.allowReturnAllocsFromLoops = true;
    options.bufferizeFunctionBoundaries = true;
    options.setFunctionBoundaryTypeConversion(
        LayoutMapOption::IdentityLayoutMap);
    OneShotAnalysisState state(getOperation(), options);
    if (failed(analyzeModuleOp(getOperation(), state)))
      return failure();
    bool changed = false;
    const auto *analysis = state.getExtension<func_ext::FuncAnalysisState>();
    for (func::FuncOp function : checked)
      changed |= protectArguments(function, all, *analysis, state);
    for (func::FuncOp function : writing)
      changed |= copyOverwritten(function, state);
    return changed;
  }
};
} // namespace
