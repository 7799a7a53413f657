//===- BufferUse.cpp - Effects of one use of a buffer ---------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/AliasGraph.h"
#include "memplan/IR/AsyncWork.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace memplan;

static std::string quote(Operation *op) {
  return ("'" + op->getName().getStringRef() + "'").str();
}

static std::string describeUnawaited(Operation *start) {
  return "is used by " + quote(start) + ", which is not awaited on every path";
}

/// Opaque ops whose regions have finished when the op ends.
static bool isSynchronous(Operation *op) {
  return isa<gpu::LaunchOp, scf::ParallelOp, scf::ForallOp,
             affine::AffineParallelOp, memref::GenericAtomicRMWOp,
             linalg::LinalgOp, scf::ReduceOp, omp::ParallelOp, omp::WsloopOp,
             omp::LoopNestOp, vector::MaskOp>(op);
}

/// True for types whose values hold no address: numbers, and groups of them.
static bool isPlain(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return isPlain(vector.getElementType());
  if (auto tuple = dyn_cast<TupleType>(type))
    return llvm::all_of(tuple.getTypes(), isPlain);
  return isa<IntegerType, FloatType, IndexType, ComplexType, NoneType>(type);
}

/// True if no result of the op can hold the address of an operand.
static bool hasPlainResults(Operation *op) {
  return llvm::all_of(op->getResultTypes(), isPlain);
}

/// True for memrefs with plain elements: the graph follows the memref itself,
/// and no address can be stored in it.
static bool isFollowed(Type type) {
  auto memref = dyn_cast<BaseMemRefType>(type);
  return memref && isPlain(memref.getElementType());
}

static std::string quote(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << "'" << type << "'";
  return text;
}

/// How a callee without a known body may hand a memref argument to a value that
/// the graph does not follow, as the end of a sentence; empty if it cannot.
static std::string findUnfollowedExit(Operation *call) {
  for (Type type : call->getResultTypes())
    if (!isPlain(type) && !isFollowed(type))
      return "whose result of type " + quote(type) + " may hold its address";
  for (Type type : call->getOperandTypes())
    if ((isa<BaseMemRefType>(type) && !isFollowed(type)) ||
        isa<async::GroupType>(type))
      return "which may put its address in an operand of type " + quote(type);
  return "";
}

/// True for ops with tensors, which give bufferization the memory of a tensor
/// or a place to put one in. Bufferization may access that memory at other ops.
static bool hasTensors(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>) ||
         llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
}

/// Ops that declare memory effects but may go on after they have been executed.
static bool mayBeAsynchronous(Operation *op) {
  if (isa<memref::DmaStartOp, memref::DmaWaitOp, affine::AffineDmaStartOp,
          affine::AffineDmaWaitOp>(op))
    return true;
  if (isa<gpu::MemcpyOp, gpu::MemsetOp>(op))
    return op->getNumResults() != 0;
  return isOfDevice(op);
}

bool AliasGraph::forwardsTo(OpOperand &use, Operation *op) const {
  // The op may forward to its results, to the arguments of its regions and
  // successors, or, if it is a terminator, to the results and region arguments
  // of its parent.
  Operation *parent =
      op->hasTrait<OpTrait::IsTerminator>() ? op->getParentOp() : nullptr;
  return llvm::any_of(successors(getId(use.get())), [&](Id target) {
    Value value = values[target];
    if (Operation *definition = value.getDefiningOp())
      return definition == op || definition == parent;
    Block *owner = cast<BlockArgument>(value).getOwner();
    return owner->getParentOp() == op || owner->getParentOp() == parent ||
           llvm::is_contained(op->getSuccessors(), owner);
  });
}

BufferUse AliasGraph::classifyCall(func::CallOp call, OpOperand &use) const {
  BufferUse result;
  const FunctionSummary *summary = nullptr;
  std::string callee = ("@" + call.getCallee()).str();
  switch (module.resolveCall(call, summary)) {
  case ModuleAliases::CalleeKind::External:
    if (module.getTrust() == CalleeTrust::None) {
      result.escape = "is passed to " + callee + ", whose body is not known";
      return result;
    }
    if (std::string exit = findUnfollowedExit(call); !exit.empty())
      result.escape = "is passed to " + callee + ", " + exit;
    break;
  case ModuleAliases::CalleeKind::Summarised: {
    const std::string &escape =
        summary->argumentEscapes[use.getOperandNumber()];
    if (!escape.empty())
      result.escape = "is passed to " + callee + ", which " + escape;
    break;
  }
  }
  result.access = true;
  result.forward = forwardsTo(use, call);
  return result;
}

BufferUse AliasGraph::classifyIndirectCall(func::CallIndirectOp call,
                                           OpOperand &use) const {
  BufferUse result;
  if (module.getTrust() == CalleeTrust::None) {
    result.escape = "is passed to an unknown function";
    return result;
  }
  if (std::string exit = findUnfollowedExit(call); !exit.empty())
    result.escape = "is passed to an unknown function, " + exit;
  // The callee itself is the first operand.
  unsigned argument = use.getOperandNumber() - 1;
  for (FunctionOpInterface callee : module.getIndirectCallees(call)) {
    std::string name = ("@" + callee.getName()).str();
    const FunctionSummary *summary = module.getSummary(callee);
    if (!summary->argumentEscapes[argument].empty())
      result.escape = "may be passed to " + name + ", which " +
                      summary->argumentEscapes[argument];
  }
  result.access = true;
  result.forward = forwardsTo(use, call);
  return result;
}

/// The effects that an op declares on one memref. An escape if it frees the
/// memref, or has no read or write effect on it and so may keep it.
static BufferUse classifyEffects(Operation *op, Value buffer) {
  BufferUse result;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface) {
    result.escape = "is used by " + quote(op) + ", whose effects are not known";
    return result;
  }
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffectsOnValue(buffer, effects);
  for (const MemoryEffects::EffectInstance &effect : effects) {
    if (isa<MemoryEffects::Free>(effect.getEffect()))
      result.escape = "is freed by " + quote(op);
    else if (isa<MemoryEffects::Read, MemoryEffects::Write>(effect.getEffect()))
      result.access = true;
  }
  if (!result.access && result.escape.empty())
    result.escape = "is used by " + quote(op) + ", which may keep it";
  return result;
}

BufferUse AliasGraph::classify(OpOperand &use) const {
  Operation *op = use.getOwner();
  BufferUse result;
  auto escape = [&](const Twine &reason) {
    result.escape = reason.str();
    return result;
  };
  if (order.isInsideOpaque(op)) {
    Operation *last = order.getAnchor(op)->getParentOp();
    for (Operation *outer = op->getParentOp(); outer != last;
         outer = outer->getParentOp())
      if (startsAsyncWork(outer)) {
        if (!async.isAwaited(outer))
          return escape(describeUnawaited(outer));
      } else if (!isTransparent(outer) && !isSynchronous(outer))
        return escape("is used inside " + quote(outer) +
                      ", which may run at another time");
    // An outermost construct of OpenMP ends with a barrier only if it is a
    // parallel region.
    if (isa<omp::WsloopOp, omp::LoopNestOp>(order.getAnchor(op)))
      return escape("is used inside " + quote(order.getAnchor(op)) +
                    ", which may run at another time");
  }

  auto launch = dyn_cast<gpu::LaunchFuncOp>(op);
  if (launch && module.getTrust() == CalleeTrust::None)
    return escape("is passed to " + quote(op) + ", whose body is not known");
  if (launch && launch.getAsyncObject())
    return escape("is used by 'gpu.launch_func' on a stream, and nothing says "
                  "when it has finished");
  bool isGpuWork = isa<gpu::MemcpyOp, gpu::MemsetOp, gpu::LaunchFuncOp>(op);
  if ((isGpuWork || isa<AsyncWorkInterface>(op)) && startsAsyncWork(op)) {
    if (!async.isAwaited(op))
      return escape(describeUnawaited(op));
    if (!isGpuWork)
      return classifyEffects(op, use.get());
    result.access = true;
    return result;
  }
  // Without a token and a stream the host waits for the kernel.
  if (launch) {
    result.access = true;
    return result;
  }
  if (isa<memref::DeallocOp>(op)) {
    result.free = true;
    return result;
  }
  if (auto dealloc = dyn_cast<bufferization::DeallocOp>(op)) {
    // Retained memrefs are only compared. A memref with the constant condition
    // `false` is never freed: functions list their arguments like that.
    unsigned position = use.getOperandNumber();
    result.free = position < dealloc.getMemrefs().size() &&
                  !matchPattern(dealloc.getConditions()[position], m_Zero());
    return result;
  }
  if (isa<memref::DimOp, memref::RankOp>(op))
    return result;
  if (isa<memref::ReallocOp>(op))
    return escape("is reallocated");
  if (isa<bufferization::CloneOp>(op)) {
    // A clone may be a copy or the same memory.
    result.access = true;
    result.forward = true;
    return result;
  }
  if (auto reshape = dyn_cast<memref::ReshapeOp>(op)) {
    // Makes a view of the source and reads the shape.
    result.forward = &use == &reshape.getSourceMutable();
    result.access = !result.forward;
    return result;
  }
  if (isa<memref::PrefetchOp, affine::AffinePrefetchOp>(op)) {
    result.access = true;
    return result;
  }
  if (isa<bufferization::ToTensorOp>(op))
    return escape("becomes the result of " + quote(op));
  if (isa<memref::ExtractAlignedPointerAsIndexOp>(op)) {
    // Planning raises these, if it knows their form.
    bool isOfDeallocation = llvm::any_of(
        op->getUsers(), llvm::IsaPred<arith::CmpIOp, memref::StoreOp>);
    return escape("has its pointer taken by " + quote(op) +
                  (isOfDeallocation
                       ? "; if buffer-deallocation-pipeline has made this "
                         "comparison of pointers, plan before it"
                       : ""));
  }
  if (isa<func::ReturnOp>(op))
    return escape("is returned");
  if (auto call = dyn_cast<func::CallOp>(op))
    return classifyCall(call, use);
  if (auto call = dyn_cast<func::CallIndirectOp>(op))
    return classifyIndirectCall(call, use);
  if (isa<CallOpInterface>(op))
    return escape("is passed to " + quote(op));

  bool isBranch = isa<BranchOpInterface, RegionBranchTerminatorOpInterface>(op);
  if (isBranch || isTransparent(op)) {
    result.forward = forwardsTo(use, op);
    if (!result.forward)
      return escape("is forwarded by " + quote(op) + " to an unknown value");
    return result;
  }
  if (hasTensors(op))
    return escape("is used by " + quote(op) +
                  " together with a tensor, and bufferization may access it "
                  "elsewhere");
  if (mayBeAsynchronous(op))
    return escape("is used by " + quote(op) + ", which may be asynchronous");
  if (!hasPlainResults(op)) {
    // A view yields only memrefs and plain numbers.
    bool others = llvm::any_of(op->getResultTypes(), [](Type type) {
      return !isa<BaseMemRefType, IndexType, IntegerType>(type);
    });
    if (others || !forwardsTo(use, op))
      return escape("is used by " + quote(op) +
                    ", whose result may be the same memory");
    result.forward = true;
    if (!isMemoryEffectFree(op)) {
      BufferUse effects = classifyEffects(op, use.get());
      result.access = effects.access;
      result.escape = effects.escape;
    }
    return result;
  }
  if (isa<linalg::LinalgOp>(op)) {
    result.access = true;
    return result;
  }
  return classifyEffects(op, use.get());
}
