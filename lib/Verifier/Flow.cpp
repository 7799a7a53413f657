//===- Flow.cpp - The flow graph of a function ----------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Verifier/Flow.h"

#include "memplan/IR/ArgumentAttributes.h"
#include "memplan/IR/AsyncWork.h"
#include "memplan/IR/Constants.h"
#include "memplan/IR/Memplan.h"
#include "memplan/IR/Views.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;

namespace memplan::verifier {

bool isToken(Type type) {
  return isa<async::TokenType, async::ValueType, async::GroupType,
             gpu::AsyncTokenType>(type);
}

void walkOwn(Operation *root, llvm::function_ref<void(Operation *)> visit) {
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    visit(op);
    return op != root && op->hasTrait<OpTrait::IsIsolatedFromAbove>()
               ? WalkResult::skip()
               : WalkResult::advance();
  });
}

bool isExit(Operation *op) {
  if (op->getNextNode() || !op->mightHaveTrait<OpTrait::IsTerminator>() ||
      op->getNumSuccessors() != 0 ||
      op->getName().getStringRef().ends_with(".unreachable"))
    return false;
  Operation *parent = op->getParentOp();
  return isa<FunctionOpInterface>(parent) ||
         (hasKnownControlFlow(parent) && !isParallelLoop(parent) &&
          !isa<RegionBranchTerminatorOpInterface>(op));
}

bool isParallelLoop(Operation *op) {
  return isa<affine::AffineParallelOp, scf::ParallelOp, scf::ForallOp>(op);
}

bool isCountedLoop(Operation *op) {
  return isa<scf::ForOp, affine::AffineForOp>(op) || isParallelLoop(op);
}

bool hasKnownControlFlow(Operation *op) {
  if (op->getNumRegions() == 0)
    return false;
  if (isParallelLoop(op))
    return true;
  return isa<RegionBranchOpInterface>(op) &&
         !op->hasTrait<OpTrait::HasParallelRegion>() &&
         !isa_and_present<async::AsyncDialect>(op->getDialect());
}

std::optional<SmallVector<LoopRange>> getLoopRanges(Operation *op) {
  SmallVector<LoopRange> ranges;
  // The index type may be too narrow for a constant in the IR.
  std::optional<unsigned> indexBits;
  auto fits = [&](Type type, int64_t value) {
    if (!type.isIndex() || llvm::isInt<8>(value))
      return true;
    if (!indexBits)
      indexBits = DataLayout::closest(op).getTypeSizeInBits(type);
    return llvm::isIntN(*indexBits, value);
  };
  auto add = [&](BlockArgument variable, std::optional<int64_t> begin,
                 std::optional<int64_t> end, std::optional<int64_t> step) {
    int64_t extent;
    if (!begin || !end || !step || *begin >= *end || *step < 1 ||
        llvm::SubOverflow(*end, *begin, extent) ||
        !fits(variable.getType(), *begin) || !fits(variable.getType(), *end) ||
        !fits(variable.getType(), *step))
      return false;
    ranges.push_back({variable, *begin, *step, (extent - 1) / *step + 1});
    return true;
  };
  if (auto loop = dyn_cast<affine::AffineParallelOp>(op)) {
    auto getBound = [](AffineMap map) -> std::optional<int64_t> {
      auto bound = dyn_cast<AffineConstantExpr>(map.getResult(0));
      if (!bound || map.getNumResults() != 1)
        return std::nullopt;
      return bound.getValue();
    };
    for (auto [i, variable] : llvm::enumerate(loop.getIVs()))
      if (!add(variable, getBound(loop.getLowerBoundMap(i)),
               getBound(loop.getUpperBoundMap(i)), loop.getSteps()[i]))
        return std::nullopt;
    return ranges;
  }
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  if (!loop)
    return std::nullopt;
  auto variables = loop.getLoopInductionVars();
  auto lower = loop.getLoopLowerBounds(), upper = loop.getLoopUpperBounds();
  auto steps = loop.getLoopSteps();
  if (!variables || !lower || !upper || !steps || variables->empty())
    return std::nullopt;
  for (auto [variable, begin, end, step] :
       llvm::zip(*variables, *lower, *upper, *steps))
    if (!add(cast<BlockArgument>(variable), getConstantNumber(begin),
             getConstantNumber(end), getConstantNumber(step)))
      return std::nullopt;
  // An unsigned comparison orders a negative bound behind the others.
  if (auto forOp = dyn_cast<scf::ForOp>(op);
      forOp && forOp.getUnsignedCmp() && ranges[0].begin < 0)
    return std::nullopt;
  return ranges;
}

namespace {

/// True for ops that allocate, free or view memory and for pure ops: they
/// belong to no step.
bool isBookkeeping(Operation *op) {
  return isa<ArenaOp, ViewOp, RenewOp, ReleaseOp, WorkspaceOp, memref::AllocOp,
             memref::AllocaOp, memref::DeallocOp, bufferization::DeallocOp>(
             op) ||
         isMemoryEffectFree(op);
}

class GraphBuilder {
public:
  explicit GraphBuilder(FlowGraph &graph) : graph(graph) {}

  void addRegion(Region &region) {
    for (Block &block : region) {
      groupSteps(block);
      addBlock(block);
    }
    for (Block &block : region)
      addBranches(block);
  }

private:
  unsigned addNode() {
    graph.nodes.emplace_back();
    return graph.nodes.size() - 1;
  }

  static bool matters(Operation *op) {
    auto isInteresting = [](Type type) {
      return isa<BaseMemRefType>(type) || isToken(type);
    };
    // Barriers, and copies inside of a kernel.
    StringRef dialect = op->getName().getDialectNamespace();
    return op->getNumRegions() != 0 || !op->getNextNode() || dialect == "gpu" ||
           dialect == "nvgpu" || getAsyncWork(op).role != AsyncRole::None ||
           llvm::any_of(op->getOperandTypes(), isInteresting) ||
           llvm::any_of(op->getResultTypes(), isInteresting);
  }

  void addBlock(Block &block) {
    unsigned node = addNode();
    entries[&block] = node;
    for (Operation &op : block) {
      if (hasKnownControlFlow(&op) && !graph.stepOf.contains(&op)) {
        graph.nodes[node].ops.push_back(&op);
        for (Region &region : op.getRegions())
          addRegion(region);
        unsigned next = addNode();
        addStructuredEdges(&op, node, next);
        graph.sidesOf[&op] = {node, next};
        node = next;
      } else if (matters(&op)) {
        if (getAsyncWork(&op).role == AsyncRole::Starts)
          graph.tokenOps[&op] = {node, graph.nodes[node].ops.size()};
        graph.nodes[node].ops.push_back(&op);
      }
    }
    exits[&block] = node;
  }

  //===--------------------------------------------------------------------===//
  // Steps
  //===--------------------------------------------------------------------===//

  /// Finds the steps of the block. Ops with the same `memplan.step` run at the
  /// same time, and so do adjacent ops that each have a `memplan.stream`.
  void groupSteps(Block &block) {
    std::optional<unsigned> open;
    for (Operation &op : block) {
      auto get = [&](StringRef name) {
        return dyn_cast_or_null<IntegerAttr>(op.getDiscardableAttr(name));
      };
      IntegerAttr number = get(MemplanDialect::kStepAttr);
      bool isMember = number || get(MemplanDialect::kStreamAttr);
      if (!isMember && (!open || graph.steps[*open].number))
        continue;
      if (isBookkeeping(&op))
        continue;
      if (!isMember) {
        open = std::nullopt;
        continue;
      }
      bool joins = open && graph.steps[*open].number == number;
      if (!joins && number && !numbers.insert(number).second) {
        graph.strayMembers.push_back(&op);
        continue;
      }
      if (!joins) {
        open = graph.steps.size();
        graph.steps.push_back({number, {}});
      }
      graph.steps[*open].members.push_back(&op);
    }
    for (; grouped != graph.steps.size(); ++grouped) {
      const OpsAtOnce &step = graph.steps[grouped];
      for (Operation *op = step.members.front();; op = op->getNextNode()) {
        graph.stepOf[op] = grouped;
        if (op == step.members.back())
          break;
      }
    }
  }

  //===--------------------------------------------------------------------===//
  // Edges
  //===--------------------------------------------------------------------===//

  Edge &addEdge(unsigned from, unsigned to) {
    return graph.nodes[from].edges.emplace_back(Edge{to});
  }

  void forward(Edge &edge, ValueRange targets, OperandRange sources) {
    for (auto [i, pair] : llvm::enumerate(llvm::zip(targets, sources))) {
      auto [target, source] = pair;
      // Values of other dialects may be tokens (AsyncWorkInterface).
      Type type = target.getType();
      if (isMemRef(target) || isToken(type) ||
          !isa<BuiltinDialect>(type.getDialect()) || type.isInteger(1))
        edge.forwarded.push_back({target, source});
      if (isMemRef(target))
        graph.becomes[sources.getBase() + i].push_back(target);
    }
  }

  void addBranches(Block &block) {
    if (block.empty())
      return;
    Operation *terminator = &block.back();
    auto branch = dyn_cast<BranchOpInterface>(terminator);
    for (unsigned i = 0, e = terminator->getNumSuccessors(); i != e; ++i) {
      Block *target = terminator->getSuccessor(i);
      Edge &edge = addEdge(exits[&block], entries[target]);
      if (auto choice = dyn_cast<cf::CondBranchOp>(terminator)) {
        edge.choice = choice.getCondition();
        edge.chosen = i == 0;
      }
      if (!branch)
        continue;
      SuccessorOperands operands = branch.getSuccessorOperands(i);
      forward(
          edge,
          target->getArguments().drop_front(operands.getProducedOperandCount()),
          operands.getForwardedOperands());
    }
  }

  void addStructuredEdges(Operation *op, unsigned from, unsigned next) {
    bool enters = getLoopRanges(op).has_value();
    if (isParallelLoop(op)) {
      // The graph has one iteration after another, in any order. Slots checks
      // that no two of them share bytes.
      unsigned body = entries[&op->getRegion(0).front()];
      unsigned end = exits[&op->getRegion(0).front()];
      addEdge(from, body);
      addEdge(end, body);
      addEdge(end, next);
      if (!enters)
        addEdge(from, next);
      return;
    }
    auto branch = cast<RegionBranchOpInterface>(op);
    SmallVector<Attribute> constants;
    for (Value operand : op->getOperands()) {
      constants.emplace_back();
      matchPattern(operand, m_Constant(&constants.back()));
    }
    SmallVector<RegionSuccessor> successors;
    branch.getEntrySuccessorRegions(constants, successors);
    for (RegionSuccessor &successor : successors)
      if (!successor.isParent() || !enters)
        addRegionEdge(from, successor, next,
                      branch.getEntrySuccessorOperands(successor));
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        auto terminator =
            block.empty()
                ? RegionBranchTerminatorOpInterface()
                : dyn_cast<RegionBranchTerminatorOpInterface>(block.back());
        if (!terminator)
          continue;
        successors.clear();
        branch.getSuccessorRegions(terminator, successors);
        // The terminator of a region that is never entered forwards its
        // operands to nothing.
        if (successors.empty())
          for (OpOperand &operand : terminator->getOpOperands())
            graph.becomes[&operand];
        for (RegionSuccessor &successor : successors)
          setChoice(addRegionEdge(exits[&block], successor, next,
                                  terminator.getSuccessorOperands(successor)),
                    terminator, successor);
      }
    // The arguments of a region that is never entered get their sources from an
    // edge that is not taken.
    llvm::DenseSet<unsigned> entered;
    auto note = [&](unsigned node) {
      for (const Edge &edge : graph.nodes[node].edges)
        entered.insert(edge.target);
    };
    note(from);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        note(exits[&block]);
    for (Region &region : op->getRegions())
      if (!region.empty() && !entered.contains(entries[&region.front()])) {
        RegionSuccessor successor(&region, region.getArguments());
        OperandRange operands = branch.getEntrySuccessorOperands(successor);
        if (operands.size() > region.getNumArguments())
          continue;
        RegionSuccessor entry(&region,
                              region.getArguments().take_back(operands.size()));
        addRegionEdge(from, entry, next, operands).isTaken = false;
      }
  }

  static void setChoice(Edge &edge, Operation *terminator,
                        RegionSuccessor &successor) {
    Region *from = terminator->getParentRegion();
    if (auto branch = dyn_cast<scf::IfOp>(terminator->getParentOp())) {
      edge.choice = branch.getCondition();
      edge.chosen = from == &branch.getThenRegion();
    } else if (auto condition = dyn_cast<scf::ConditionOp>(terminator)) {
      edge.choice = condition.getCondition();
      edge.chosen = !successor.isParent();
    }
  }

  Edge &addRegionEdge(unsigned from, RegionSuccessor &successor, unsigned next,
                      OperandRange operands) {
    Region *region = successor.getSuccessor();
    bool isEntered = region && !region->empty();
    Edge &edge = addEdge(from, isEntered ? entries[&region->front()] : next);
    forward(edge, successor.getSuccessorInputs(), operands);
    return edge;
  }

  FlowGraph &graph;
  DenseMap<Block *, unsigned> entries, exits;
  llvm::DenseSet<Attribute> numbers;
  size_t grouped = 0;
};

} // namespace

FlowGraph::FlowGraph(Region &root) {
  GraphBuilder(*this).addRegion(root);
  findOrder();
}

void FlowGraph::findOrder() {
  std::vector<bool> isReached(nodes.size(), false);
  std::vector<std::pair<unsigned, SmallVector<unsigned, 2>>> stack;
  auto enter = [&](unsigned node) {
    isReached[node] = true;
    SmallVector<unsigned, 2> targets;
    for (const Edge &edge : nodes[node].edges)
      targets.push_back(edge.target);
    llvm::sort(targets);
    stack.push_back({node, std::move(targets)});
  };
  enter(0);
  while (!stack.empty()) {
    auto &[node, targets] = stack.back();
    if (targets.empty()) {
      order.push_back(node);
      stack.pop_back();
      continue;
    }
    unsigned target = targets.pop_back_val();
    if (!isReached[target])
      enter(target);
  }
  std::reverse(order.begin(), order.end());
  rank.resize(nodes.size(), 0);
  for (auto [i, node] : llvm::enumerate(order))
    rank[node] = i;
  // Unreachable nodes need no proof.
  for (auto [node, reached] : llvm::zip_equal(nodes, isReached))
    if (!reached)
      node = {};
  passed.resize(order.size() + 1, 0);
  for (unsigned node : order)
    for (const Edge &edge : nodes[node].edges)
      if (rank[edge.target] <= rank[node]) {
        ++passed[rank[edge.target]];
        --passed[rank[node] + 1];
      }
  std::partial_sum(passed.begin(), passed.end(), passed.begin());
}

bool isPlacement(Operation *op) {
  return isa<ViewOp, RenewOp>(op) || op->hasAttr(MemplanDialect::kRenewAttr);
}

Value getViewed(Value value) {
  Operation *view = value.getDefiningOp();
  if (!view || !isMemRef(value) || isPlacement(view))
    return nullptr;
  // A choice among one memref is that memref.
  if (auto select = dyn_cast<SelectLikeOpInterface>(view);
      select && select.getTrueValue() == select.getFalseValue())
    return select.getTrueValue();
  Value source = getViewSource(view);
  if (!source || !isMemRef(source))
    return nullptr;
  // A lowered placement is a view of the arena.
  if (Operation *definition = source.getDefiningOp())
    return definition->hasAttr(MemplanDialect::kArenaAttr) ? nullptr : source;
  bool isArena = getArgumentAttr(cast<BlockArgument>(source),
                                 MemplanDialect::kArenaAttr) != nullptr;
  return isArena ? nullptr : source;
}

bool isRelativeView(Operation *op) {
  return isa_and_present<memref::CastOp, memref::SubViewOp,
                         memref::ExpandShapeOp, memref::CollapseShapeOp,
                         memref::TransposeOp>(op);
}

} // namespace memplan::verifier
