//===- PlanVerifierEvents.cpp - What each op does to the slots ------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanVerifierAsync.h"

#include "memplan/IR/Memplan.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace memplan::planverifier {
namespace {

constexpr StringLiteral kStored = "stores the address of";
constexpr StringLiteral kReturned = "returns";
constexpr StringLiteral kFreed = "deallocates";
constexpr StringLiteral kAsync = "uses asynchronously";
constexpr StringLiteral kUnawaited =
    "uses asynchronously, without an await on every path,";
constexpr StringLiteral kUnknown = "has unknown effects on";
constexpr StringLiteral kAddress = "takes the address of";
constexpr StringLiteral kLost = "calls a function that keeps or frees";
constexpr StringLiteral kTensor = "makes a tensor of";
constexpr StringLiteral kWithTensor = "uses, together with a tensor,";
constexpr StringLiteral kCarried =
    "calls a function that may hand out the address of";

/// Why what happens inside `op`, or is done by it, cannot be told to end at a
/// known time; empty if it can.
StringRef findUnknownEnd(Operation *op, CallSummaries &calls) {
  auto isToken = [](Type type) {
    return isa<gpu::AsyncTokenType, async::TokenType>(type);
  };
  for (; op && !isa<FunctionOpInterface>(op); op = op->getParentOp()) {
    // Loops and branches hand tokens on and are done themselves.
    bool startsSomething =
        llvm::any_of(op->getResultTypes(), isToken) && !hasKnownControlFlow(op);
    if ((goesOn(op) || startsSomething) && !calls.isAwaited(op))
      return startsTask(op) ? kUnawaited : kAsync;
  }
  return "";
}

/// Ops that take a memref for its shape or place alone, and give no address.
bool isHarmlessQuery(Operation *op) {
  if (isa<memref::DimOp, memref::RankOp, memref::ExtractStridedMetadataOp>(op))
    return true;
  return isa<memref::ExtractAlignedPointerAsIndexOp>(op) &&
         llvm::all_of(op->getUsers(),
                      [](Operation *user) { return isa<arith::CmpIOp>(user); });
}

bool isMemRefType(Type type) { return isa<BaseMemRefType>(type); }

/// True for types of values in which no address can be.
bool isNumber(Type type) {
  if (auto tuple = dyn_cast<TupleType>(type))
    return llvm::all_of(tuple.getTypes(), isNumber);
  if (auto vector = dyn_cast<VectorType>(type))
    return isNumber(vector.getElementType());
  return isa<IntegerType, FloatType, IndexType, ComplexType, NoneType>(type);
}

bool holdsNumbers(Type type) {
  auto memref = dyn_cast<BaseMemRefType>(type);
  return isNumber(memref ? memref.getElementType() : type);
}

/// True if a function of which the body is not known may give back an address
/// other than as a memref.
bool mayCarryAddress(Operation *call) {
  return !llvm::all_of(call->getResultTypes(), holdsNumbers) ||
         llvm::any_of(call->getOperandTypes(), [](Type type) {
           return isa<async::GroupType>(type) ||
                  (isMemRefType(type) && !holdsNumbers(type));
         });
}

/// Tensors may come to be memory: when is up to bufferization.
bool hasTensors(Operation *op) {
  auto isTensor = llvm::IsaPred<TensorType>;
  return llvm::any_of(op->getOperandTypes(), isTensor) ||
         llvm::any_of(op->getResultTypes(), isTensor);
}

} // namespace

/// True if an op with regions hands the operand on to them or to its results.
bool UseClassifier::isForwarded(OpOperand &operand) const {
  if (!kind.branchesToRegions)
    return false;
  auto branch = cast<RegionBranchOpInterface>(op);
  SmallVector<RegionSuccessor> successors;
  branch.getSuccessorRegions(RegionBranchPoint::parent(), successors);
  return llvm::any_of(successors, [&](RegionSuccessor &successor) {
    OperandRange forwarded = branch.getEntrySuccessorOperands(successor);
    unsigned begin = forwarded.empty() ? 0 : forwarded.getBeginOperandIndex();
    return operand.getOperandNumber() >= begin &&
           operand.getOperandNumber() < begin + forwarded.size();
  });
}

Use UseClassifier::classifyEffects(Value value) {
  if (!effects)
    cast<MemoryEffectOpInterface>(op).getEffects(effects.emplace());
  Use use;
  bool writesElsewhere = false;
  for (const MemoryEffects::EffectInstance &effect : *effects) {
    bool affects = effect.getValue() == value ||
                   (!effect.getValue() && !effect.getSymbolRef());
    bool writes = isa<MemoryEffects::Write>(effect.getEffect());
    if (affects && isa<MemoryEffects::Free>(effect.getEffect()))
      use.problem = kFreed;
    use.reads |= affects && isa<MemoryEffects::Read>(effect.getEffect());
    use.writes |= affects && writes;
    writesElsewhere |= !affects && writes;
  }
  if (!use.problem.empty() || use.reads || use.writes)
    return use;
  // Without an effect on the operand it is the address that is used; memrefs
  // among the results are followed.
  if (writesElsewhere)
    use.problem = kStored;
  else if (!llvm::all_of(op->getResultTypes(), isMemRefType))
    use.problem = kAddress;
  return use;
}

Use UseClassifier::classify(OpOperand &operand) {
  if (isHarmlessQuery(op))
    return {};
  if (kind.goesOn)
    if (StringRef problem = findUnknownEnd(op, calls); !problem.empty())
      return {false, false, problem};
  // What kernels do with their arguments is taken to be what functions without
  // a body do.
  if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
    return {true, true, launch.getAsyncObject() ? StringRef(kAsync) : ""};
  if (isa<bufferization::ToTensorOp>(op))
    return {false, false, kTensor};
  if (auto dealloc = dyn_cast<bufferization::DeallocOp>(op)) {
    bool freed = false;
    for (auto [memref, condition] :
         llvm::zip(dealloc.getMemrefs(), dealloc.getConditions()))
      freed |= memref == operand.get() && !matchPattern(condition, m_Zero());
    return {false, false, freed ? StringRef(kFreed) : StringRef()};
  }
  if (kind.calls) {
    auto call = cast<CallOpInterface>(op);
    unsigned begin = call.getArgOperands().getBeginOperandIndex();
    unsigned index = operand.getOperandNumber() - begin;
    if (!dyn_cast_if_present<SymbolRefAttr>(call.getCallableForCallee())) {
      bool isKnown = isa<func::CallIndirectOp>(op) && !mayCarryAddress(op) &&
                     !calls.mayLoseIndirectly(call, index);
      return {isKnown, isKnown, isKnown ? StringRef() : StringRef(kUnknown)};
    }
    const CallSummary *summary = calls.get(call);
    if (!summary && mayCarryAddress(op))
      return {true, true, kCarried};
    bool lost = summary && index < summary->losesArgument.size() &&
                summary->losesArgument[index];
    return {true, !calls.onlyReads(call, index),
            lost ? StringRef(kLost) : StringRef()};
  }
  if (isa<memref::DeallocOp, memref::ReallocOp>(op))
    return {false, false, kFreed};
  // It declares no effects.
  if (isa<affine::AffinePrefetchOp>(op))
    return {true, false, {}};
  if (kind.views) {
    // Of other memrefs, such as one that holds a shape, it needs the contents.
    Value viewed = cast<ViewLikeOpInterface>(op).getViewSource();
    return {viewed != operand.get(), false, {}};
  }
  if (kind.selects)
    return {};
  if (kind.terminates) {
    bool forwards = isa<BranchOpInterface>(op) ||
                    isa<RegionBranchTerminatorOpInterface>(op);
    bool leaves = op->getNumSuccessors() == 0 &&
                  isa<FunctionOpInterface>(op->getParentOp());
    if (leaves)
      return {false, false, kReturned};
    return {false, false, forwards ? StringRef() : StringRef(kUnknown)};
  }
  if (isForwarded(operand))
    return {};
  if (hasTensors(op))
    return {true, true, kWithTensor};
  if (kind.declaresEffects)
    return classifyEffects(operand.get());
  if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
    return {true, true, {}};
  return {false, false, kUnknown};
}

namespace {

class EventBuilder {
public:
  EventBuilder(Model &model, const Aliases &aliases, CallSummaries &calls,
               bool quiet)
      : model(model), aliases(aliases), calls(calls), quiet(quiet) {}

  LogicalResult run() {
    // What is inside an op that control does not enter is the op's.
    for (Node &node : model.nodes) {
      addWorkerFrames(node, EventKind::End, node.after);
      for (unsigned i = node.opsBegin; i < node.opsEnd; i = model.ops[i].end)
        addEvents(node, model.ops[i], i);
    }
    return failure(failed);
  }

private:
  void addEvents(Node &node, const ListedOp &listed, unsigned index) {
    Operation *op = listed.op;
    if (op->getNumResults() == 1)
      if (auto it = model.placed.find(op->getResult(0));
          it != model.placed.end()) {
        bool isArena = model.handles[it->second].kind == HandleKind::Arena;
        addEvent(node, isArena ? EventKind::Allocate : EventKind::Place, op,
                 it->second);
        return;
      }
    if (isa<ReleaseOp, memref::DeallocOp>(op))
      if (auto it = model.placed.find(op->getOperand(0));
          it != model.placed.end() &&
          model.handles[it->second].kind == HandleKind::Arena) {
        addEvent(node, EventKind::Release, op, it->second);
        return;
      }
    if (isa<RenewOp>(op)) {
      if (int handle = aliases.handleOf(op->getOperand(0));
          handle != kForeign) {
        addEvent(node, EventKind::Renew, op, handle);
        model.hasRenewals = model.hasBeginnings = true;
      }
      return;
    }
    if (isa<memref::CastOp>(op) && op->hasAttr(MemplanDialect::kRenewAttr)) {
      if (int handle = aliases.handleOf(op->getOperand(0));
          handle != kForeign) {
        addEvent(node, EventKind::Empty, op, handle);
        model.hasBeginnings = true;
      }
      return;
    }
    if (isa<LifetimeStartOp, LifetimeEndOp>(op)) {
      if (auto it = model.placed.find(op->getOperand(0));
          it != model.placed.end())
        addEvent(node,
                 isa<LifetimeStartOp>(op) ? EventKind::Start : EventKind::End,
                 op, it->second);
      return;
    }
    addAccess(node, listed, index);
    addBind(node, op);
    addWorkerFrames(node, EventKind::Start, op);
    if (op->hasTrait<OpTrait::IsTerminator>() && op->getNumSuccessors() == 0 &&
        node.depth == 0 && !isa<LLVM::UnreachableOp, ub::UnreachableOp>(op))
      addEvent(node, EventKind::Exit, op, 0);
  }

  Event &addEvent(Node &node, EventKind kind, Operation *op, unsigned handle) {
    node.events.push_back({kind, op, handle, {}, {}});
    return node.events.back();
  }

  /// A parallel loop owns the frames of its iterations while it runs.
  void addWorkerFrames(Node &node, EventKind kind, Operation *op) {
    auto frames = model.workerFrames.find(op);
    if (frames != model.workerFrames.end())
      for (unsigned frame : frames->second)
        addEvent(node, kind, op, frame);
  }

  void addAccess(Node &node, const ListedOp &listed, unsigned index) {
    Operation *op = listed.op;
    SmallVector<Access, 2> accesses;
    addOperands(listed, accesses);
    if (listed.end != index + 1 && !hasKnownControlFlow(op))
      addNested(op, index, accesses);
    if (!accesses.empty())
      addEvent(node, EventKind::Access, op, 0).accesses = std::move(accesses);
  }

  void addOperands(const ListedOp &listed, SmallVectorImpl<Access> &accesses) {
    UseClassifier uses(listed, calls);
    for (OpOperand &operand : listed.op->getOpOperands()) {
      int handle = aliases.handleOf(operand.get());
      if (handle == kForeign)
        continue;
      Use use = uses.classify(operand);
      if (!use.problem.empty()) {
        reportEscape(operand, use.problem, handle);
        continue;
      }
      if (use.reads || use.writes)
        merge(accesses, {static_cast<unsigned>(handle), use.reads, use.writes,
                         /*overwrites=*/false, operand.get()});
    }
  }

  /// The regions of an op of which nothing is known may run any number of times
  /// and in any order: what they touch, the op touches.
  void addNested(Operation *around, unsigned index,
                 SmallVectorImpl<Access> &accesses) {
    forEachOp(model, index + 1, model.ops[index].end, [&](const ListedOp &in) {
      Operation *op = in.op;
      SmallVector<Access, 2> inner;
      addOperands(in, inner);
      for (Access &access : inner) {
        Handle &handle = model.handles[access.handle];
        if (!around->isAncestor(
                handle.value.getParentRegion()->getParentOp())) {
          merge(accesses,
                {access.handle, access.reads, access.writes, false, nullptr});
          continue;
        }
        for (unsigned slot : handle.slots)
          merge(accesses, {slot, access.reads, access.writes, false, nullptr});
      }
      bool placed =
          op->getNumResults() == 1 && model.placed.count(op->getResult(0)) != 0;
      if (placed || handsArena(in) ||
          isa<LifetimeStartOp, LifetimeEndOp, RenewOp, ReleaseOp>(op)) {
        failed = true;
        if (quiet)
          return;
        InFlightDiagnostic diag =
            op->emitError() << "is inside an op whose flow of control is not "
                               "known, cannot be verified";
        diag.attachNote(around->getLoc()) << "inside this op";
      }
    });
  }

  bool handsArena(const ListedOp &listed) {
    if (!listed.kind.calls)
      return false;
    auto call = cast<CallOpInterface>(listed.op);
    return llvm::any_of(
        llvm::seq<unsigned>(0, call.getArgOperands().size()),
        [&](unsigned i) { return calls.getArenaAlignment(call, i) != 0; });
  }

  static void merge(SmallVectorImpl<Access> &accesses, Access access) {
    for (Access &other : accesses)
      if (other.handle == access.handle && other.memref == access.memref) {
        other.reads |= access.reads;
        other.writes |= access.writes;
        return;
      }
    accesses.push_back(access);
  }

  void addBind(Node &node, Operation *op) {
    if (hasKnownControlFlow(op))
      return;
    std::vector<Binding> bindings;
    for (Value result : op->getResults()) {
      int handle = aliases.handleOf(result);
      if (handle == kForeign || model.handles[handle].value != result)
        continue;
      Binding binding =
          aliases.bind(handle, aliases.getFlows().sourcesOf(result));
      if (isa<CallOpInterface>(op) && !aliases.getFlows().isOnlySources(result))
        binding.sources.push_back(kForeign);
      bindings.push_back(std::move(binding));
    }
    if (!bindings.empty())
      addEvent(node, EventKind::Bind, op, 0).bindings = std::move(bindings);
  }

  void reportEscape(OpOperand &operand, StringRef problem, unsigned handle) {
    failed = true;
    if (quiet)
      return;
    const Handle &slot = model.handles[model.handles[handle].slots.front()];
    bool isFree = problem == kFreed;
    InFlightDiagnostic diag = operand.getOwner()->emitError();
    diag << problem
         << (isFree ? " a buffer that lies in an arena"
                    : " a buffer that lies in an arena; it escapes "
                      "and cannot be verified");
    diag.attachNote(slot.value.getLoc())
        << "the buffer at bytes [" << slot.bytes.begin << ", " << slot.bytes.end
        << ") of the arena";
  }

  Model &model;
  const Aliases &aliases;
  CallSummaries &calls;
  bool quiet;
  bool failed = false;
};

} // namespace

LogicalResult buildEvents(Model &model, const Aliases &aliases,
                          CallSummaries &calls, bool quiet) {
  return EventBuilder(model, aliases, calls, quiet).run();
}

//===----------------------------------------------------------------------===//
// Last uses
//===----------------------------------------------------------------------===//

namespace {

class LastUses {
public:
  explicit LastUses(Model &model) : model(model), uses(model.handles.size()) {}

  void run() {
    for (Node &node : model.nodes) {
      for (Event &event : node.events) {
        if (event.kind == EventKind::Start || event.kind == EventKind::End ||
            event.kind == EventKind::Renew)
          uses[event.handle].push_back(event.op);
        for (Access &access : event.accesses)
          uses[access.handle].push_back(event.op);
        addBindings(event.bindings, event.op);
        // An argument is the caller's.
        if (event.kind == EventKind::Exit)
          for (unsigned id = 0; id != model.handles.size(); ++id)
            if (model.handles[id].kind == HandleKind::Slot &&
                isa<BlockArgument>(model.handles[id].value))
              uses[id].push_back(event.op);
      }
      for (Edge &edge : node.edges)
        addBindings(edge.bindings, node.last);
    }
    for (unsigned id = 0; id != model.handles.size(); ++id)
      if (model.handles[id].kind != HandleKind::Arena) {
        model.handles[id].unused = uses[id].empty();
        model.liveness.add(id, model.handles[id].value.getParentBlock(),
                           uses[id]);
      }
  }

private:
  void addBindings(ArrayRef<Binding> bindings, Operation *op) {
    for (const Binding &binding : bindings)
      for (int source : binding.sources)
        if (source != kForeign)
          uses[source].push_back(op);
  }

  Model &model;
  std::vector<SmallVector<Operation *, 4>> uses;
};

} // namespace

void findLastUses(Model &model) { LastUses(model).run(); }

} // namespace memplan::planverifier
