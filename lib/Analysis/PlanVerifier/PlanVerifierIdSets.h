//===- PlanVerifierIdSets.h - Sets of numbers that share --------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value that is the one before or a new slot may be as many slots as there
// are values before it. The sets of such values differ by one slot, and share
// what they have in common: a set is a tree of its binary digits (Okasaki and
// Gill, "Fast Mergeable Integer Maps", ML Workshop 1998), and each tree is
// there once, so that equal sets are the same pointer:
//
//      {1, 2, 4}           {1, 2, 4, 5}
//        /    \              /    \                                         .
//     {1, 2}   4          {1, 2}  {4, 5}       {1, 2} is in both
//      /  \                       /   \                                     .
//     1    2                     4     5
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_PLANVERIFIERIDSETS_H
#define MEMPLAN_LIB_ANALYSIS_PLANVERIFIERIDSETS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <deque>
#include <iterator>
#include <optional>

namespace memplan::planverifier {

/// A set of numbers below 2^31: none, one, or a tree that IdSets keeps.
class IdSet {
public:
  IdSet() = default;
  /// The set of one number.
  explicit IdSet(unsigned id) : bits((uintptr_t(id) << 1) | 1) {}

  bool empty() const { return bits == 0; }
  bool isOne() const { return (bits & 1) != 0; }
  size_t size() const;
  unsigned front() const;
  unsigned back() const;
  bool contains(unsigned id) const;
  /// The smallest number that is in both sets.
  static std::optional<unsigned> findCommon(IdSet a, IdSet b);

  bool operator==(IdSet other) const { return bits == other.bits; }
  bool operator!=(IdSet other) const { return bits != other.bits; }
  /// What the set is known by.
  uintptr_t key() const { return bits; }

  /// Two sets of which this is the union, all of the first before all of the
  /// second. It has more than one number.
  IdSet left() const;
  IdSet right() const;

  /// In ascending order.
  class Iterator;
  Iterator begin() const;
  Iterator end() const;

private:
  friend class IdSets;
  struct Node;
  explicit IdSet(const Node *node) : bits(reinterpret_cast<uintptr_t>(node)) {}
  const Node &node() const {
    // It was one. NOLINTNEXTLINE(performance-no-int-to-ptr)
    return *reinterpret_cast<const Node *>(bits);
  }
  /// The least range of numbers that it is in of those which have a power of
  /// two for their size, and begin at a multiple of it.
  unsigned first() const;
  unsigned span() const;
  /// The part that `id` would be in.
  IdSet sideOf(unsigned id) const;

  uintptr_t bits = 0;
};

class IdSet::Iterator {
public:
  using iterator_category = std::input_iterator_tag;
  using value_type = unsigned;
  using difference_type = std::ptrdiff_t;
  using pointer = const unsigned *;
  using reference = unsigned;

  Iterator() = default;
  explicit Iterator(IdSet set);
  unsigned operator*() const { return rest.back().front(); }
  Iterator &operator++();
  bool operator==(const Iterator &other) const { return rest == other.rest; }
  bool operator!=(const Iterator &other) const { return rest != other.rest; }

private:
  void descend(IdSet set);
  /// What is to come, the next number last.
  llvm::SmallVector<IdSet, 8> rest;
};

inline IdSet::Iterator IdSet::begin() const { return Iterator(*this); }
inline IdSet::Iterator IdSet::end() const { return Iterator(); }

/// The numbers of both children have the digits above `bit` in common; at `bit`
/// those of `left` have a 0, those of `right` a 1.
struct IdSet::Node {
  IdSet left, right;
  unsigned first;
  unsigned bit;
  size_t size;
};

/// Makes sets, and keeps them. The cost of an operation is, but for a
/// logarithm, the number of parts in which the sets differ.
class IdSets {
public:
  IdSets() = default;
  IdSets(const IdSets &) = delete;
  IdSets &operator=(const IdSets &) = delete;

  /// Of numbers in ascending order.
  IdSet get(llvm::ArrayRef<unsigned> ids);
  IdSet unite(IdSet a, IdSet b);
  IdSet subtract(IdSet a, IdSet b);
  /// The numbers of `set` that are greater.
  IdSet after(IdSet set, unsigned id);

private:
  IdSet join(IdSet left, IdSet right);

  std::deque<IdSet::Node> nodes;
  llvm::DenseMap<std::pair<uintptr_t, uintptr_t>, const IdSet::Node *> known;
};

} // namespace memplan::planverifier

#endif // MEMPLAN_LIB_ANALYSIS_PLANVERIFIERIDSETS_H
