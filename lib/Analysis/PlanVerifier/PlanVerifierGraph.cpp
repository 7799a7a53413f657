//===- PlanVerifierGraph.cpp - The flow graph of a function ---------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks are cut at the ops whose regions control enters, so that structured
// and unstructured control flow become one graph:
//
//   block { a; scf.if {b} else {c}; d }      [a, scf.if] -> [b] -> [d]
//                                                        -> [c] ->
//
//===----------------------------------------------------------------------===//

#include "PlanVerifierBytes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;

namespace memplan::planverifier {

unsigned getDepth(Value value, Model &model) {
  Region *body = &model.function.getFunctionBody();
  SmallVector<Region *> inside;
  unsigned depth = 0;
  for (Region *region = value.getParentRegion(); region != body;
       region = region->getParentRegion()) {
    if (auto known = model.depths.find(region); known != model.depths.end()) {
      depth = known->second;
      break;
    }
    inside.push_back(region);
  }
  for (Region *region : llvm::reverse(inside))
    model.depths[region] = ++depth;
  return depth;
}

bool runsInParallel(Operation *op) {
  return isa<affine::AffineParallelOp>(op) ||
         op->hasTrait<OpTrait::HasParallelRegion>();
}

bool hasKnownControlFlow(Operation *op) {
  if (op->getNumRegions() == 0)
    return false;
  if (isa<affine::AffineParallelOp, scf::ParallelOp, scf::ForallOp>(op))
    return true;
  return isa<RegionBranchOpInterface>(op) && !runsInParallel(op) &&
         !isa_and_present<async::AsyncDialect>(op->getDialect());
}

namespace {

class GraphBuilder {
public:
  explicit GraphBuilder(Model &model) : model(model) {}

  void run(Region &root) {
    addRegion(root, 0);
    assert(next == model.ops.size() && "in the order of the list");
  }

private:
  unsigned addNode(Block *block, unsigned depth, Operation *after) {
    model.nodes.emplace_back();
    model.nodes.back().block = block;
    model.nodes.back().depth = depth;
    model.nodes.back().after = after;
    model.nodes.back().opsBegin = model.nodes.back().opsEnd = next;
    return model.nodes.size() - 1;
  }

  void addRegion(Region &region, unsigned depth) {
    for (Block &block : region)
      addBlock(block, depth);
    for (Block &block : region)
      addBranches(block, depth);
  }

  void addBlock(Block &block, unsigned depth) {
    unsigned node = addNode(&block, depth, nullptr);
    entries[&block] = node;
    while (next != model.ops.size() && model.ops[next].op->getBlock() == &block)
      if (hasKnownControlFlow(model.ops[next].op))
        node = addStructured(model.ops[next].op, node, depth);
      else
        model.nodes[node].opsEnd = next = model.ops[next].end;
    if (!block.empty())
      model.nodes[node].last = &block.back();
    exits[&block] = node;
  }

  /// Adds the regions of `op`, with which `node` ends; returns the node that
  /// follows.
  unsigned addStructured(Operation *op, unsigned node, unsigned depth) {
    model.nodes[node].last = op;
    model.nodes[node].opsEnd = ++next;
    size_t index = model.structured.size();
    model.structured.push_back({op, {}});
    NodeSpan span;
    span.begin = model.nodes.size();
    for (Region &region : op->getRegions())
      addRegion(region, depth + 1);
    span.end = model.nodes.size();
    model.structured[index].second = span;
    model.spans[op] = span;
    unsigned following = addNode(op->getBlock(), depth, op);
    addStructuredEdges(op, node, following, depth);
    return following;
  }

  //===--------------------------------------------------------------------===//
  // Edges
  //===--------------------------------------------------------------------===//

  Edge &addEdge(unsigned from, unsigned to, unsigned keepBelow) {
    model.nodes[from].edges.emplace_back();
    Edge &edge = model.nodes[from].edges.back();
    edge.target = to;
    edge.keepBelow = keepBelow;
    return edge;
  }

  static void forward(Edge &edge, ValueRange targets, ValueRange sources) {
    for (auto [target, source] : llvm::zip(targets, sources))
      if (isa<BaseMemRefType>(target.getType()))
        edge.forwarded.push_back({target, source});
      else if (isa<async::TokenType, async::ValueType, async::GroupType,
                   gpu::AsyncTokenType>(target.getType()))
        edge.tokens.push_back({target, source});
      else if (target.getType().isInteger(1))
        edge.flags.push_back({target, source});
  }

  void addBranches(Block &block, unsigned depth) {
    if (block.empty())
      return;
    Operation *terminator = &block.back();
    unsigned from = exits[&block];
    auto branch = dyn_cast<BranchOpInterface>(terminator);
    for (unsigned i = 0, e = terminator->getNumSuccessors(); i != e; ++i) {
      Block *target = terminator->getSuccessor(i);
      Edge &edge = addEdge(from, entries[target], depth);
      edge.sameRegionBlock = target;
      if (!branch)
        continue;
      SuccessorOperands operands = branch.getSuccessorOperands(i);
      forward(
          edge,
          target->getArguments().drop_front(operands.getProducedOperandCount()),
          operands.getForwardedOperands());
    }
  }

  void addStructuredEdges(Operation *op, unsigned from, unsigned next,
                          unsigned depth) {
    if (isa<affine::AffineParallelOp, scf::ParallelOp, scf::ForallOp>(op)) {
      // Each iteration is one pass through the body, in any order: that no two
      // disturb each other is checked apart from the flow of control.
      unsigned body = entries[&op->getRegion(0).front()];
      unsigned end = exits[&op->getRegion(0).front()];
      addEdge(from, body, depth + 1);
      addEdge(end, body, depth + 1);
      addEdge(end, next, depth + 1);
      if (!getLoopRanges(op))
        addEdge(from, next, depth + 1);
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
    bool enters = getLoopRanges(op).has_value();
    for (RegionSuccessor &successor : successors)
      if (!successor.isParent() || !enters)
        addRegionEdge(from, successor, next, depth,
                      branch.getEntrySuccessorOperands(successor));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        addTerminatorEdges(branch, block, next, depth);
  }

  void addTerminatorEdges(RegionBranchOpInterface branch, Block &block,
                          unsigned next, unsigned depth) {
    if (block.empty())
      return;
    auto terminator = dyn_cast<RegionBranchTerminatorOpInterface>(block.back());
    if (!terminator)
      return;
    SmallVector<RegionSuccessor> successors;
    branch.getSuccessorRegions(terminator, successors);
    for (RegionSuccessor &successor : successors)
      addRegionEdge(exits[&block], successor, next, depth,
                    terminator.getSuccessorOperands(successor));
  }

  void addRegionEdge(unsigned from, RegionSuccessor &successor, unsigned next,
                     unsigned depth, OperandRange operands) {
    Region *region = successor.getSuccessor();
    if (region && region->empty())
      region = nullptr;
    // Whatever a region defines is gone when control leaves it, and when it
    // enters it anew.
    Edge &edge =
        addEdge(from, region ? entries[&region->front()] : next, depth + 1);
    forward(edge, successor.getSuccessorInputs(), operands);
  }

  Model &model;
  /// The listed op that comes next.
  unsigned next = 0;
  DenseMap<Block *, unsigned> entries;
  DenseMap<Block *, unsigned> exits;
};

/// Tarjan's algorithm, with a stack of its own as graphs may be deep.
class ComponentFinder {
public:
  explicit ComponentFinder(ArrayRef<Successors> successors)
      : successors(successors), index(successors.size(), 0),
        low(successors.size(), 0), done(successors.size(), false) {}

  void visit(unsigned root) {
    if (index[root] != 0)
      return;
    enter(root);
    while (!frames.empty()) {
      auto [node, next] = frames.back();
      if (next < successors[node].size()) {
        ++frames.back().second;
        unsigned target = successors[node][next];
        if (index[target] == 0)
          enter(target);
        else if (!done[target])
          low[node] = std::min(low[node], index[target]);
        continue;
      }
      frames.pop_back();
      if (!frames.empty())
        low[frames.back().first] =
            std::min(low[frames.back().first], low[node]);
      if (low[node] == index[node])
        close(node);
    }
  }

  std::vector<Component> take() {
    std::reverse(components.begin(), components.end());
    for (Component &component : components)
      llvm::sort(component);
    return std::move(components);
  }

private:
  void enter(unsigned node) {
    index[node] = low[node] = ++counter;
    path.push_back(node);
    frames.push_back({node, 0});
  }

  void close(unsigned node) {
    Component &component = components.emplace_back();
    unsigned member;
    do {
      member = path.back();
      path.pop_back();
      done[member] = true;
      component.push_back(member);
    } while (member != node);
  }

  ArrayRef<Successors> successors;
  std::vector<unsigned> index, low;
  std::vector<bool> done;
  std::vector<unsigned> path;
  std::vector<std::pair<unsigned, unsigned>> frames;
  std::vector<Component> components;
  unsigned counter = 0;
};

} // namespace

void buildGraph(Model &model) {
  buildGraph(model, model.function.getFunctionBody());
}

void buildGraph(Model &model, Region &root) { GraphBuilder(model).run(root); }

std::vector<Component> findComponents(ArrayRef<Successors> successors,
                                      ArrayRef<unsigned> roots) {
  ComponentFinder finder(successors);
  for (unsigned root : roots)
    finder.visit(root);
  return finder.take();
}

std::vector<Component> findComponents(ArrayRef<Node> nodes) {
  std::vector<Successors> successors(nodes.size());
  for (auto [node, targets] : llvm::zip_equal(nodes, successors))
    for (const Edge &edge : node.edges)
      targets.push_back(edge.target);
  return findComponents(successors, /*roots=*/0);
}

bool isCyclic(ArrayRef<Node> nodes, ArrayRef<unsigned> component) {
  return component.size() > 1 ||
         llvm::any_of(nodes[component.front()].edges, [&](const Edge &edge) {
           return edge.target == component.front();
         });
}

} // namespace memplan::planverifier
