//===- Contracts.cpp - Effects of ops and callees on memrefs --------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contracts.h"

#include "Guards.h"

#include "memplan/IR/AsyncWork.h"
#include "memplan/IR/CalleeContract.h"
#include "memplan/IR/Memplan.h"
#include "memplan/IR/Views.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace memplan::verifier {

constexpr StringLiteral kFreed = "deallocates";
constexpr StringLiteral kUnknown = "has unknown effects on";

//===----------------------------------------------------------------------===//
// Asynchronous work
//===----------------------------------------------------------------------===//

bool startsTask(Operation *op) {
  if (isa<gpu::AsyncOpInterface>(op))
    return op->getNumResults() != 0 &&
           isa<gpu::MemcpyOp, gpu::MemsetOp, gpu::LaunchFuncOp, gpu::LaunchOp>(
               op);
  return getAsyncWork(op).role == AsyncRole::Starts;
}

/// True if the effects of the op may continue behind it. Dialects are compared
/// by name, because few of them need to be linked.
static bool goesOn(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  StringRef name = op->getName().getStringRef();
  return llvm::is_contained({"async", "nvgpu", "nvvm", "amdgpu", "rocdl",
                             "xegpu", "xevm", "mpi", "acc", "shmem"},
                            dialect) ||
         llvm::is_contained({"omp.task", "omp.taskloop", "omp.target",
                             "omp.target_data", "omp.target_enter_data",
                             "omp.target_exit_data", "omp.target_update",
                             "omp.teams", "omp.distribute"},
                            name) ||
         isa<memref::DmaStartOp, affine::AffineDmaStartOp>(op);
}

/// The predicate of an error if the effects of `op`, which may be inside of
/// other ops, end at an unknown time; empty if the time is known.
StringRef Contracts::findUnknownEnd(Operation *op) {
  for (Operation *use = op; op && !isa<FunctionOpInterface>(op);
       op = op->getParentOp()) {
    // Loops and branches forward tokens and are themselves done.
    bool starts =
        startsTask(op) || (llvm::any_of(op->getResultTypes(), isToken) &&
                           !hasKnownControlFlow(op));
    if ((goesOn(op) || starts) && !isAwaited(op))
      return startsTask(op)
                 ? "uses asynchronously, without an await on every path,"
                 : "uses asynchronously";
    // It is not known that the regions of this op are done when the op is.
    if (op != use && op->getNumRegions() != 0 && !hasKnownControlFlow(op) &&
        !startsTask(op) && !isa<MemoryEffectOpInterface>(op) &&
        !op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
      return "uses, inside of an op that is not known,";
  }
  return "";
}

bool Contracts::isAwaited(Operation *start) {
  if (!startsTask(start))
    return false;
  auto [it, isNew] = awaited.try_emplace(start, false);
  if (!isNew)
    return it->second;
  // The task must be awaited inside of the closest op whose control flow is not
  // known, because such an op is only known to be done when its regions are.
  Region *root = start->getParentRegion();
  while (!isa<FunctionOpInterface>(root->getParentOp()) &&
         hasKnownControlFlow(root->getParentOp()))
    root = root->getParentRegion();
  std::unique_ptr<FlowGraph> &graph = graphs[root->getParentOp()];
  if (!graph)
    graph = std::make_unique<FlowGraph>(*root);
  bool result = walkTask(*graph, start, [](Operation *) {});
  return awaited[start] = result;
}

namespace {

/// Values such that the task has ended when one of them has been awaited.
using Witnesses = llvm::SmallSetVector<Value, 4>;

} // namespace

bool walkTask(const FlowGraph &graph, Operation *start,
              llvm::function_ref<void(Operation *)> visit,
              llvm::function_ref<void(const Edge &)> followed) {
  // By node, the witnesses on all paths to its entry; they only become fewer.
  std::vector<std::optional<Witnesses>> entering(graph.nodes.size());
  llvm::SmallVector<unsigned> dirty;
  bool isLost = false;
  auto follow = [&](const Edge &edge, const Witnesses &witnesses) {
    // A value that the edge redefines may belong to another task. No op can
    // name a value that goes out of scope, so it need not be removed.
    Witnesses next = witnesses;
    for (auto [target, source] : edge.forwarded)
      next.remove(target);
    for (auto [target, source] : edge.forwarded)
      if (witnesses.contains(source))
        next.insert(target);
    std::optional<Witnesses> &known = entering[edge.target];
    if (!known) {
      known = std::move(next);
    } else if (!known->remove_if(
                   [&](Value value) { return !next.contains(value); })) {
      return;
    }
    dirty.push_back(edge.target);
  };
  auto run = [&](unsigned number, size_t first, Witnesses witnesses) {
    const Node &node = graph.nodes[number];
    for (size_t i = first; i != node.ops.size(); ++i) {
      Operation *op = node.ops[i];
      visit(op);
      AsyncWork work = getAsyncWork(op);
      bool follows = llvm::any_of(
          work.awaited, [&](Value value) { return witnesses.contains(value); });
      if (follows && work.role == AsyncRole::Awaits)
        return;
      for (Value value : op->getResults())
        if (witnesses.contains(value)) // to remove it takes longer
          witnesses.remove(value);
      if (follows)
        witnesses.insert_range(work.finished);
      if (witnesses.empty()) {
        isLost = true;
        return;
      }
    }
    isLost |=
        node.edges.empty() &&
        (node.ops.empty() ||
         !node.ops.back()->getName().getStringRef().ends_with(".unreachable"));
    for (const Edge &edge : node.edges) {
      followed(edge);
      follow(edge, witnesses);
    }
  };
  if (auto it = graph.tokenOps.find(start); it != graph.tokenOps.end()) {
    Witnesses witnesses;
    witnesses.insert_range(getAsyncWork(start).finished);
    run(it->second.first, it->second.second + 1, std::move(witnesses));
  }
  while (!dirty.empty()) {
    unsigned node = dirty.pop_back_val();
    run(node, 0, *entering[node]);
  }
  return !isLost;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// True if an op with regions forwards the operand to them or to its results.
static bool isForwarded(OpOperand &operand) {
  auto branch = dyn_cast<RegionBranchOpInterface>(operand.getOwner());
  if (!branch || !hasKnownControlFlow(branch))
    return false;
  SmallVector<RegionSuccessor> successors;
  branch.getSuccessorRegions(RegionBranchPoint::parent(), successors);
  return llvm::any_of(successors, [&](RegionSuccessor &successor) {
    OperandRange forwarded = branch.getEntrySuccessorOperands(successor);
    const OpOperand *begin = forwarded.getBase();
    return begin <= &operand && &operand < begin + forwarded.size();
  });
}

static Use classifyEffects(MemoryEffectOpInterface op, Value value) {
  SmallVector<MemoryEffects::EffectInstance> effects;
  op.getEffects(effects);
  Use use;
  bool writesElsewhere = false;
  for (const MemoryEffects::EffectInstance &effect : effects) {
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
  // An op that declares no effect on the operand uses its address. Results that
  // are memrefs are followed.
  if (writesElsewhere)
    use.problem = "stores the address of";
  else if (!llvm::all_of(op->getResults(), isMemRef))
    use.problem = "takes the address of";
  return use;
}

/// True if the op writes every element of the memref and does not need the old
/// ones.
static bool overwritesAll(OpOperand &operand) {
  if (auto copy = dyn_cast<memref::CopyOp>(operand.getOwner()))
    return copy.getTarget() == operand.get();
  auto op = dyn_cast<linalg::LinalgOp>(operand.getOwner());
  return op && op.isDpsInit(&operand) &&
         !op.payloadUsesValueFromOperand(&operand) &&
         op.getMatchingIndexingMap(&operand).isPermutation();
}

/// True for ops that use only the shape or the layout of a memref.
static bool isHarmlessQuery(Operation *op) {
  return isa<memref::DimOp, memref::RankOp, memref::ExtractStridedMetadataOp>(
      op);
}

/// True for the types of values that cannot contain an address.
static bool isNumber(Type type) {
  if (auto tuple = dyn_cast<TupleType>(type))
    return llvm::all_of(tuple.getTypes(), isNumber);
  if (auto vector = dyn_cast<VectorType>(type))
    return isNumber(vector.getElementType());
  return isa<IntegerType, FloatType, IndexType, ComplexType, NoneType>(type);
}

/// True if a callee whose body is not known may hand out an address other than
/// as a memref result: in another result, or in memory or a group that it is
/// given.
static bool mayCarryAddress(Operation *call) {
  auto holdsNumbers = [](Type type) {
    auto memref = dyn_cast<BaseMemRefType>(type);
    return isNumber(memref ? memref.getElementType() : type);
  };
  return !llvm::all_of(call->getResultTypes(), holdsNumbers) ||
         llvm::any_of(call->getOperandTypes(), [&](Type type) {
           return isa<async::GroupType>(type) ||
                  (isa<BaseMemRefType>(type) && !holdsNumbers(type));
         });
}

/// True if the op has tensors. Bufferization, which may come later, decides
/// which memory they are.
static bool hasTensors(Operation *op) {
  auto isTensor = llvm::IsaPred<TensorType>;
  return llvm::any_of(op->getOperandTypes(), isTensor) ||
         llvm::any_of(op->getResultTypes(), isTensor);
}

Use Contracts::classify(OpOperand &operand) {
  Operation *op = operand.getOwner();
  auto refuse = [](StringRef problem) {
    return Use{false, false, false, problem};
  };
  if (isHarmlessQuery(op) || isPlacement(op))
    return {};
  if (StringRef problem = findUnknownEnd(op); !problem.empty())
    return refuse(problem);
  // Kernels are assumed to treat their arguments as functions without a body
  // do.
  if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
    return {true, true, false,
            launch.getAsyncObject() ? StringRef("uses asynchronously") : ""};
  if (isa<bufferization::ToTensorOp>(op))
    return refuse("makes a tensor of");
  if (auto dealloc = dyn_cast<bufferization::DeallocOp>(op)) {
    // A retained operand is only compared.
    unsigned position = operand.getOperandNumber();
    bool isFreed = position < dealloc.getMemrefs().size() &&
                   !matchPattern(dealloc.getConditions()[position], m_Zero());
    return refuse(isFreed ? StringRef(kFreed) : StringRef());
  }
  if (isa<memref::DistinctObjectsOp>(op))
    return refuse("asserts to be distinct");
  if (auto call = dyn_cast<CallOpInterface>(op))
    return classifyCall(call, operand);
  if (isa<memref::DeallocOp, memref::ReallocOp>(op))
    return refuse(kFreed);
  // A view reads its other memref operands, such as the one with the shape of
  // memref.reshape.
  if (Value viewed = getViewSource(op))
    return {viewed != operand.get(), false};
  if (isa<SelectLikeOpInterface>(op))
    return {};
  if (op->hasTrait<OpTrait::IsTerminator>()) {
    if (op->getNumSuccessors() == 0 &&
        isa<FunctionOpInterface>(op->getParentOp()))
      return refuse("returns");
    // The values that a parallel loop reduces are not followed.
    bool forwards = isa<BranchOpInterface>(op) ||
                    (isa<RegionBranchTerminatorOpInterface>(op) &&
                     !isParallelLoop(op->getParentOp()));
    return refuse(forwards ? StringRef() : StringRef(kUnknown));
  }
  if (isParallelLoop(op))
    return refuse(kUnknown);
  if (isForwarded(operand))
    return {};
  if (isa<affine::AffinePrefetchOp>(op))
    return {true, false};
  if (hasTensors(op))
    return refuse("uses, together with a tensor,");
  if (auto declares = dyn_cast<MemoryEffectOpInterface>(op)) {
    Use use = classifyEffects(declares, operand.get());
    use.overwrites = use.writes && !use.reads && overwritesAll(operand);
    return use;
  }
  if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
    return {true, true};
  return refuse(kUnknown);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

FunctionOpInterface Contracts::getCallee(Operation *op) {
  auto call = dyn_cast<CallOpInterface>(op);
  return dyn_cast_or_null<FunctionOpInterface>(
      call ? call.resolveCallableInTable(&symbols) : nullptr);
}

FunctionOpInterface Contracts::getBody(CallOpInterface call) {
  FunctionOpInterface function = getCallee(call);
  return function && !function.isExternal() ? function : FunctionOpInterface();
}

const Contract *Contracts::getContract(CallOpInterface call) {
  FunctionOpInterface function = getBody(call);
  return function ? &getContract(function) : nullptr;
}

const Contract &Contracts::getContract(FunctionOpInterface function) {
  if (!known.contains(function))
    settle(function);
  return known.find(function)->second;
}

const std::vector<FunctionOpInterface> &
Contracts::getAddressed(CallOpInterface call) {
  static const std::vector<FunctionOpInterface> none;
  Operation *module = call->getParentOfType<ModuleOp>();
  auto callee = dyn_cast<Value>(call.getCallableForCallee());
  if (!module || !callee)
    return none;
  if (addressedIn != module) {
    addressedIn = module;
    addressed.clear();
    module->walk([&](func::ConstantOp op) {
      auto function = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(
          op, op.getValueAttr());
      if (function && !function.isExternal())
        addressed[op.getType()].push_back(function);
    });
  }
  auto it = addressed.find(callee.getType());
  return it == addressed.end() ? none : it->second;
}

bool Contracts::onlyReads(CallOpInterface call, unsigned argument) {
  if (const Contract *contract = getContract(call))
    return argument < contract->writes.size() && !contract->writes[argument];
  FunctionOpInterface function = getCallee(call);
  return function && argument < function.getNumArguments() &&
         isDeclaredReadOnly(function, argument);
}

Use Contracts::classifyCall(CallOpInterface call, OpOperand &operand) {
  constexpr StringLiteral kLost = "calls a function that keeps or frees";
  unsigned argument =
      operand.getOperandNumber() - call.getArgOperands().getBeginOperandIndex();
  auto mayKeepOrFree = [&](const Contract &contract) {
    return argument >= contract.keepsOrFrees.size() ||
           contract.keepsOrFrees[argument];
  };
  if (!dyn_cast_if_present<SymbolRefAttr>(call.getCallableForCallee())) {
    if (!isa<func::CallIndirectOp>(call) || mayCarryAddress(call) ||
        !call->getParentOfType<ModuleOp>())
      return {false, false, false, kUnknown};
    for (FunctionOpInterface function : getAddressed(call))
      if (mayKeepOrFree(getContract(function)))
        return {false, false, false, kUnknown};
    return {true, true};
  }
  const Contract *contract = getContract(call);
  if (!contract && mayCarryAddress(call))
    return {true, true, false,
            "calls a function that may hand out the address of"};
  return {true, !onlyReads(call, argument), false,
          contract && mayKeepOrFree(*contract) ? StringRef(kLost)
                                               : StringRef()};
}

int64_t Contracts::getArenaAlignment(OpOperand &operand) {
  auto call = dyn_cast<CallOpInterface>(operand.getOwner());
  FunctionOpInterface function = call ? getBody(call) : FunctionOpInterface();
  if (!function)
    return 0;
  unsigned argument =
      operand.getOperandNumber() - call.getArgOperands().getBeginOperandIndex();
  if (argument >= function.getNumArguments())
    return 0;
  auto alignment = function.getArgAttrOfType<IntegerAttr>(
      argument, MemplanDialect::kArenaAttr);
  return alignment ? alignment.getInt() : 0;
}

bool Contracts::addressesArenaUser(Operation *op) {
  auto address = dyn_cast<func::ConstantOp>(op);
  auto function = address
                      ? symbols.lookupNearestSymbolFrom<FunctionOpInterface>(
                            op, address.getValueAttr())
                      : FunctionOpInterface();
  for (unsigned i = 0; function && i != function.getNumArguments(); ++i)
    if (function.getArgAttr(i, MemplanDialect::kArenaAttr))
      return true;
  return false;
}

SmallVector<Value> Contracts::getSources(OpResult result, bool &isOther) {
  Operation *op = result.getOwner();
  isOther = false;
  if (hasKnownControlFlow(op) || getViewed(result) || isPlacement(op))
    return {};
  if (auto clone = dyn_cast<bufferization::CloneOp>(op)) {
    // A clone may be a copy or the same memory.
    isOther = true;
    return {clone.getInput()};
  }
  if (auto effects = dyn_cast<MemoryEffectOpInterface>(op);
      effects && effects.getEffectOnValue<MemoryEffects::Allocate>(result))
    return {};
  SmallVector<Value> operands(
      llvm::make_filter_range(op->getOperands(), isMemRef));
  isOther = !isa<SelectLikeOpInterface>(op);
  auto call = dyn_cast<CallOpInterface>(op);
  const Contract *contract = call ? getContract(call) : nullptr;
  if (!contract || result.getResultNumber() >= contract->results.size())
    return operands;
  const Contract::Result &known = contract->results[result.getResultNumber()];
  isOther = known.isOther;
  operands.clear();
  for (unsigned argument : known.arguments.set_bits())
    operands.push_back(call.getArgOperands()[argument]);
  return operands;
}

/// Derives the contracts of the function and of all functions that it may call.
/// All start without effects and only grow, so that the iteration ends for
/// recursive functions, too.
void Contracts::settle(FunctionOpInterface function) {
  struct Frame {
    FunctionOpInterface function;
    SmallVector<FunctionOpInterface> callees;
    size_t next = 0;
  };
  std::vector<FunctionOpInterface> order;
  llvm::DenseMap<Operation *, SmallVector<FunctionOpInterface>> callers;
  std::vector<Frame> stack;
  auto enter = [&](FunctionOpInterface entered) {
    Contract &contract = known[entered];
    contract.writes.resize(entered.getNumArguments());
    contract.keepsOrFrees.resize(entered.getNumArguments());
    for (unsigned i = 0; i != entered.getNumResults(); ++i)
      contract.results.push_back(
          {llvm::BitVector(entered.getNumArguments()), false});
    Frame frame{entered, {}};
    entered->walk([&](CallOpInterface call) {
      if (FunctionOpInterface callee = getBody(call))
        frame.callees.push_back(callee);
      if (isa<Value>(call.getCallableForCallee()))
        llvm::append_range(frame.callees, getAddressed(call));
    });
    stack.push_back(std::move(frame));
  };
  llvm::DenseSet<Operation *> open;
  open.insert(function);
  enter(function);
  while (!stack.empty()) {
    Frame &frame = stack.back();
    if (frame.next == frame.callees.size()) {
      order.push_back(frame.function);
      stack.pop_back();
      continue;
    }
    FunctionOpInterface callee = frame.callees[frame.next++];
    callers[callee].push_back(frame.function);
    if (!known.contains(callee) && open.insert(callee).second)
      enter(callee);
  }
  // Callees come first. Without recursion each contract is then derived once.
  llvm::SetVector<Operation *> pending;
  for (FunctionOpInterface member : llvm::reverse(order))
    pending.insert(member);
  while (!pending.empty()) {
    auto member = cast<FunctionOpInterface>(pending.pop_back_val());
    Contract contract = derive(member);
    Contract &before = known.find(member)->second;
    if (contract == before)
      continue;
    before = std::move(contract);
    for (FunctionOpInterface caller : callers[member])
      pending.insert(caller);
  }
}

Contract Contracts::derive(FunctionOpInterface function) {
  Contract contract = known.find(function)->second;
  unsigned count = function.getNumArguments();
  FlowGraph graph(function.getFunctionBody());
  // By value, the arguments that it may be; bit `count` stands for other
  // memory.
  llvm::DenseMap<Value, llvm::BitVector> origins;
  llvm::DenseMap<Value, SmallVector<Value, 2>> targets;
  llvm::SetVector<Value> pending;
  auto add = [&](Value value, const llvm::BitVector &bits) {
    llvm::BitVector &own = origins[value];
    own.resize(count + 1);
    if (!bits.test(own)) // all of them are known
      return;
    own |= bits;
    pending.insert(value);
  };
  llvm::BitVector other(count + 1);
  other.set(count);
  bool isCoroutine = false;
  for (BlockArgument argument : function.getArguments())
    if (isMemRef(argument)) {
      llvm::BitVector own(count + 1);
      own.set(argument.getArgNumber());
      add(argument, own);
    }
  for (const Node &node : graph.nodes)
    for (const Edge &edge : node.edges)
      for (auto [target, source] : edge.forwarded)
        targets[source].push_back(target);
  walkOwn(function, [&](Operation *op) {
    isCoroutine |= isa<async::CoroBeginOp, LLVM::CoroBeginOp>(op);
    for (OpResult result : op->getResults()) {
      if (!isMemRef(result) || hasKnownControlFlow(op))
        continue;
      if (Value viewed = getViewed(result)) {
        targets[viewed].push_back(result);
        continue;
      }
      bool isOther;
      SmallVector<Value> sources = getSources(result, isOther);
      // Callers may free a clone, which is a copy in that case.
      if (isa<bufferization::CloneOp>(op))
        sources.clear();
      for (Value source : sources)
        targets[source].push_back(result);
      auto call = dyn_cast<CallOpInterface>(op);
      if (isOther || (sources.empty() && !(call && getBody(call))))
        add(result, other);
    }
    if (op->getNumRegions() == 0 || hasKnownControlFlow(op) || op == function)
      return;
    // It is not known how values flow through these regions.
    SmallVector<Value> into(op->getOperands()), out(op->getResults());
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        llvm::append_range(out, block.getArguments());
        if (!block.empty())
          llvm::append_range(into, block.back().getOperands());
      }
    for (Value target : llvm::make_filter_range(out, isMemRef)) {
      add(target, other);
      for (Value source : llvm::make_filter_range(into, isMemRef))
        targets[source].push_back(target);
    }
  });
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    llvm::BitVector bits = origins.find(value)->second;
    for (Value target : targets.lookup(value))
      add(target, bits);
  }
  if (isCoroutine) {
    contract.keepsOrFrees.set();
    contract.writes.set();
  }
  GuardedOrigins guarded(graph);
  // Keeps of the arguments that the operand may be those that the deallocation
  // may free.
  auto keepFreed = [&](OpOperand &operand, llvm::BitVector &arguments) {
    Facts guards = getGuards(operand);
    llvm::BitVector freed(count + 1);
    auto getOrigins = [&](OpResult result) {
      bool isOther;
      return hasKnownControlFlow(result.getOwner())
                 ? SmallVector<Value>()
                 : getSources(result, isOther);
    };
    auto visit = [&](Value value) {
      auto argument = dyn_cast<BlockArgument>(value);
      if (argument &&
          argument.getOwner() == &function.getFunctionBody().front())
        freed.set(argument.getArgNumber());
      else if (argument || value.getDefiningOp()->getNumRegions() != 0)
        freed |= arguments;
    };
    if (!guards.empty() &&
        guarded.walk(operand.get(), guards, getOrigins, visit))
      arguments &= freed;
  };
  walkOwn(function, [&](Operation *op) {
    bool returns =
        op->getParentOp() == function && op->hasTrait<OpTrait::ReturnLike>();
    for (OpOperand &operand : op->getOpOperands()) {
      auto it = origins.find(operand.get());
      if (it == origins.end())
        continue;
      if (returns) {
        Contract::Result &result = contract.results[operand.getOperandNumber()];
        llvm::BitVector arguments = it->second;
        result.isOther |= arguments.test(count);
        arguments.resize(count);
        result.arguments |= arguments;
        continue;
      }
      Use use = classify(operand);
      llvm::BitVector arguments = it->second;
      if (use.problem == kFreed)
        keepFreed(operand, arguments);
      for (unsigned argument : arguments.set_bits()) {
        if (argument == count)
          continue;
        if (!use.problem.empty())
          contract.keepsOrFrees.set(argument);
        if (use.writes || !use.problem.empty())
          contract.writes.set(argument);
      }
    }
  });
  return contract;
}

} // namespace memplan::verifier
