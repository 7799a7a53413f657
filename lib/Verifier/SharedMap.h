//===- SharedMap.h - Maps that share their equal parts ----------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A big-endian Patricia trie (Okasaki and Gill, "Fast mergeable integer maps",
// ML 1998). To copy a map takes constant time; a later change copies one path
// of the trie. The shape depends on the keys alone. So the time to compare two
// maps that come from one map is proportional to the changes since.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_VERIFIER_SHAREDMAP_H
#define MEMPLAN_LIB_VERIFIER_SHAREDMAP_H

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/bit.h"

#include <cstdint>
#include <limits>

namespace memplan::verifier {

/// A map with integer keys. Each entry also has a number, its reach; `visit`
/// finds the entries with a reach above a limit.
template <typename T> class SharedMap {
public:
  const T *find(uint64_t key) const {
    const Node *node = root.get();
    while (node && node->bit != 0)
      node = node->children[(key & node->bit) != 0].get();
    return node && node->key == key ? &node->value : nullptr;
  }

  void set(uint64_t key, T value, int64_t reach = 0) {
    Pointer leaf(new Node);
    leaf->key = key;
    leaf->value = std::move(value);
    leaf->reach = reach;
    root = insert(std::move(root), std::move(leaf));
  }

  void erase(uint64_t key) { root = erase(std::move(root), key); }

  /// Visits the entries with a key in [begin, end) and a reach above `reach`,
  /// in the order of the keys.
  void visit(uint64_t begin, uint64_t end, int64_t reach,
             llvm::function_ref<void(const T &)> visit) const {
    SharedMap::visit(root.get(), begin, end, reach, visit);
  }

  /// Visits the entries that the two maps do not share, as one object, with the
  /// values of both maps. A value is null if its map has no such key.
  void
  compare(const SharedMap &other,
          llvm::function_ref<void(const T *own, const T *others)> visit) const {
    compare(root.get(), other.root.get(), visit);
  }

private:
  struct Node;
  using Pointer = llvm::IntrusiveRefCntPtr<Node>;

  struct Node : llvm::RefCountedBase<Node> {
    /// The key of a leaf; for a branch, the bits above `bit`, which all keys
    /// below have in common.
    uint64_t key = 0;
    /// The highest bit in which the keys below differ; 0 for a leaf.
    uint64_t bit = 0;
    /// The greatest reach of the leaves below.
    int64_t reach = 0;
    Pointer children[2];
    T value = {};

    bool covers(uint64_t other) const {
      return bit == 0 ? key == other : (other & ~(2 * bit - 1)) == key;
    }
    uint64_t last() const { return bit == 0 ? key : key | (2 * bit - 1); }
    void update() { reach = std::max(children[0]->reach, children[1]->reach); }
  };

  /// The node itself if there is no other reference to it, otherwise a copy.
  static Pointer own(Pointer node) {
    return node->UseCount() == 1 ? std::move(node) : Pointer(new Node(*node));
  }

  static Pointer insert(Pointer node, Pointer leaf) {
    if (!node || (node->bit == 0 && node->key == leaf->key))
      return leaf;
    if (!node->covers(leaf->key)) {
      Pointer branch(new Node);
      branch->bit = llvm::bit_floor(node->key ^ leaf->key);
      branch->key = leaf->key & ~(2 * branch->bit - 1);
      bool isRight = (leaf->key & branch->bit) != 0;
      branch->children[isRight] = std::move(leaf);
      branch->children[!isRight] = std::move(node);
      branch->update();
      return branch;
    }
    node = own(std::move(node));
    Pointer &child = node->children[(leaf->key & node->bit) != 0];
    child = insert(std::move(child), std::move(leaf));
    node->update();
    return node;
  }

  static Pointer erase(Pointer node, uint64_t key) {
    if (!node || !node->covers(key))
      return node;
    if (node->bit == 0)
      return nullptr;
    node = own(std::move(node));
    bool isRight = (key & node->bit) != 0;
    node->children[isRight] = erase(std::move(node->children[isRight]), key);
    if (!node->children[isRight])
      return node->children[!isRight];
    node->update();
    return node;
  }

  static void visit(const Node *node, uint64_t begin, uint64_t end,
                    int64_t reach, llvm::function_ref<void(const T &)> fn) {
    if (!node || node->reach <= reach || node->key >= end ||
        node->last() < begin)
      return;
    if (node->bit == 0)
      return fn(node->value);
    for (const Pointer &child : node->children)
      visit(child.get(), begin, end, reach, fn);
  }

  static void compare(const Node *a, const Node *b,
                      llvm::function_ref<void(const T *, const T *)> fn) {
    if (a == b)
      return;
    if (a && b && a->bit == b->bit && a->key == b->key) {
      if (a->bit == 0)
        return fn(&a->value, &b->value);
      for (unsigned i : {0, 1})
        compare(a->children[i].get(), b->children[i].get(), fn);
      return;
    }
    // One of the two nodes may belong below the other one.
    bool isBelow = a && b && a->bit > b->bit && a->covers(b->key);
    bool isAbove = a && b && b->bit > a->bit && b->covers(a->key);
    if (isBelow || isAbove) {
      const Node *upper = isBelow ? a : b, *lower = isBelow ? b : a;
      for (unsigned i : {0, 1}) {
        const Node *child = upper->children[i].get();
        const Node *same =
            ((lower->key & upper->bit) != 0) == (i == 1) ? lower : nullptr;
        compare(isBelow ? child : same, isBelow ? same : child, fn);
      }
      return;
    }
    constexpr int64_t kAny = std::numeric_limits<int64_t>::min();
    visit(a, 0, ~uint64_t(0), kAny, [&](const T &own) { fn(&own, nullptr); });
    visit(b, 0, ~uint64_t(0), kAny, [&](const T &own) { fn(nullptr, &own); });
  }

  Pointer root;
};

} // namespace memplan::verifier

#endif // MEMPLAN_LIB_VERIFIER_SHAREDMAP_H
