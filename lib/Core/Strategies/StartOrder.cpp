//===- StartOrder.cpp - Placing buffers by their starts -------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Strategies/StartOrder.h"

#include "Model/BigMemory.h"
#include "memplan/Core/CheckedMath.h"

#include <algorithm>
#include <utility>

using namespace memplan;
using namespace memplan::detail;

namespace {

/// A block of the list; it is taken by the buffer with this index. The block
/// with the index `size` of the model has no bytes and is below all others.
using Block = uint32_t;

/// The gaps above blocks, in the order of the fit rule.
class GapTreap {
public:
  GapTreap(uint32_t blocks, Fit fit)
      : nodes(size_t(blocks) + 1), none(blocks), root(none), fit(fit) {}

  void insert(Block block, int64_t low, int64_t width) {
    nodes[block] = {low, width, width, none, none};
    root = insert(root, block);
  }
  void erase(Block block) { root = erase(root, block); }

  /// The block below the first gap with room for the bytes, or `end()`.
  Block find(int64_t size) const {
    Block at = root;
    if (nodes[at].widest < size)
      return none;
    while (true) {
      const Node &node = nodes[at];
      if (nodes[node.left].widest >= size)
        at = node.left;
      else if (node.width >= size)
        return at;
      else
        at = node.right;
    }
  }
  Block end() const { return none; }
  int64_t lowOf(Block block) const { return nodes[block].low; }

private:
  struct Node {
    int64_t low;
    int64_t width;
    /// The greatest width of the subtree; 0 for no node.
    int64_t widest;
    Block left, right;
  };

  bool isBefore(Block a, Block b) const {
    const Node &x = nodes[a], &y = nodes[b];
    if (fit == Fit::Best && x.width != y.width)
      return x.width < y.width;
    return x.low < y.low;
  }

  /// A number that looks random; different for each block.
  static uint32_t priorityOf(Block block) {
    uint32_t mixed = block;
    mixed = (mixed ^ (mixed >> 16)) * 0x85ebca6bU;
    mixed = (mixed ^ (mixed >> 13)) * 0xc2b2ae35U;
    return mixed ^ (mixed >> 16);
  }

  void update(Block at) {
    Node &node = nodes[at];
    node.widest = std::max(
        {node.width, nodes[node.left].widest, nodes[node.right].widest});
  }

  /// The functions below return the root of the tree that they make.
  Block insert(Block at, Block block) {
    if (at == none)
      return block;
    Node &node = nodes[at];
    if (priorityOf(block) > priorityOf(at)) {
      split(at, block, nodes[block].left, nodes[block].right);
      update(block);
      return block;
    }
    Block &child = isBefore(block, at) ? node.left : node.right;
    child = insert(child, block);
    node.widest = std::max(node.widest, nodes[block].width);
    return at;
  }

  Block erase(Block at, Block block) {
    Node &node = nodes[at];
    if (at == block)
      return merge(node.left, node.right);
    Block &child = isBefore(block, at) ? node.left : node.right;
    child = erase(child, block);
    update(at);
    return at;
  }

  /// Splits a tree into the gaps before and behind that of the block.
  void split(Block at, Block block, Block &before, Block &behind) {
    if (at == none) {
      before = behind = none;
      return;
    }
    if (isBefore(at, block)) {
      before = at;
      split(nodes[at].right, block, nodes[at].right, behind);
    } else {
      behind = at;
      split(nodes[at].left, block, before, nodes[at].left);
    }
    update(at);
  }

  Block merge(Block before, Block behind) {
    if (before == none || behind == none)
      return before == none ? behind : before;
    bool isFirst = priorityOf(before) > priorityOf(behind);
    Block top = isFirst ? before : behind;
    if (isFirst)
      nodes[top].right = merge(nodes[top].right, behind);
    else
      nodes[top].left = merge(before, nodes[top].left);
    update(top);
    return top;
  }

  ZeroedArray<Node> nodes;
  Block none;
  Block root;
  Fit fit;
};

/// The memory at the current time.
class Memory {
public:
  Memory(const Model &model, Fit fit)
      : model(model), ground(model.size()), gaps(ground + 1, fit),
        links(size_t(ground) + 1), last(ground), offsets(model.size(), -1) {
    if (ground > 0)
      alignment = model.alignOf(0);
  }

  int64_t take(Block block) {
    Block below = gaps.find(model.sizeOf(block));
    if (below == gaps.end()) {
      offsets[block] = endOf(last);
      links[last].above = block;
      links[block].below = last;
      last = block;
      return offsets[block];
    }
    offsets[block] = gaps.lowOf(below);
    gaps.erase(below);
    Block above = links[below].above;
    link(below, block);
    link(block, above);
    return offsets[block];
  }

  void release(Block block) {
    Block below = links[block].below;
    if (widthAbove(below, block) > 0)
      gaps.erase(below);
    if (block == last) {
      last = below;
      return;
    }
    Block above = links[block].above;
    if (widthAbove(block, above) > 0)
      gaps.erase(block);
    link(below, above);
  }

private:
  /// The lowest offset above the block.
  int64_t endOf(Block block) const {
    return block == ground
               ? 0
               : alignTo(offsets[block] + model.sizeOf(block), alignment);
  }
  int64_t widthAbove(Block below, Block above) const {
    return offsets[above] - endOf(below);
  }

  /// Makes the two neighbours and adds the gap between them.
  void link(Block below, Block above) {
    links[below].above = above;
    links[above].below = below;
    if (int64_t width = widthAbove(below, above); width > 0)
      gaps.insert(below, endOf(below), width);
  }

  struct Links {
    Block below, above;
  };

  const Model &model;
  int64_t alignment = 1;
  Block ground;
  GapTreap gaps;
  std::vector<Links> links;
  /// The uppermost block. Above it all is free.
  Block last;

public:
  /// By buffer, in bytes; -1 before it is placed.
  std::vector<int64_t> offsets;
};

} // namespace

static bool isByStart(const Model &model,
                      const std::vector<BufferIndex> &order) {
  uint32_t start = 0;
  for (BufferIndex b : order) {
    if (model.alignOf(b) != model.alignOf(order.front()))
      return false;
    if (model.sizeOf(b) == 0)
      continue;
    uint32_t next = model.ranges(b).front().begin;
    if (next < start)
      return false;
    start = next;
  }
  return true;
}

std::optional<Placement>
detail::placeByStart(const Model &model, const std::vector<BufferIndex> &order,
                     Fit fit, int64_t limit) {
  if (!model.isPlain() || !isByStart(model, order))
    return std::nullopt;
  // A list for each section of the buffers that end with it: its first buffer,
  // and for each buffer the next one.
  std::vector<BufferIndex> ending(size_t(model.numSections()) + 1, UINT32_MAX);
  std::vector<BufferIndex> nextEnding(model.size());
  Memory memory(model, fit);
  int64_t height = 0;
  uint32_t now = 0;
  for (BufferIndex b : order) {
    if (model.sizeOf(b) == 0) {
      memory.offsets[b] = 0;
      continue;
    }
    SectionRange live = model.ranges(b).front();
    for (; now < live.begin; ++now)
      for (BufferIndex done = ending[now + 1]; done != UINT32_MAX;
           done = nextEnding[done])
        memory.release(done);
    height = std::max(height, memory.take(b) + model.sizeOf(b));
    if (height >= limit)
      return Placement{{}, INT64_MAX};
    nextEnding[b] = std::exchange(ending[live.end], b);
  }
  return Placement{std::move(memory.offsets), height};
}
