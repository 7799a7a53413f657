//===- PlanVerifierIdSets.cpp - Sets of numbers that share ----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanVerifierIdSets.h"

#include "llvm/ADT/bit.h"

#include <algorithm>

namespace memplan::planverifier {

unsigned IdSet::first() const {
  return isOne() ? static_cast<unsigned>(bits >> 1) : node().first;
}

unsigned IdSet::span() const { return isOne() ? 1 : 2 * node().bit; }

size_t IdSet::size() const { return empty() ? 0 : isOne() ? 1 : node().size; }

IdSet IdSet::left() const { return node().left; }
IdSet IdSet::right() const { return node().right; }

unsigned IdSet::front() const {
  IdSet set = *this;
  while (!set.isOne())
    set = set.left();
  return set.first();
}

unsigned IdSet::back() const {
  IdSet set = *this;
  while (!set.isOne())
    set = set.right();
  return set.first();
}

bool IdSet::contains(unsigned id) const {
  if (empty())
    return false;
  IdSet set = *this;
  while (!set.isOne())
    set = (id & set.node().bit) == 0 ? set.left() : set.right();
  return set.first() == id;
}

IdSet::Iterator::Iterator(IdSet set) {
  if (!set.empty())
    descend(set);
}

void IdSet::Iterator::descend(IdSet set) {
  for (; !set.isOne(); set = set.left())
    rest.push_back(set.right());
  rest.push_back(set);
}

IdSet::Iterator &IdSet::Iterator::operator++() {
  rest.pop_back();
  if (!rest.empty())
    descend(rest.pop_back_val());
  return *this;
}

IdSet IdSet::sideOf(unsigned id) const {
  return (id & node().bit) == 0 ? left() : right();
}

std::optional<unsigned> IdSet::findCommon(IdSet a, IdSet b) {
  if (a.empty() || b.empty())
    return std::nullopt;
  if (a == b)
    return a.front();
  if (a.span() < b.span())
    std::swap(a, b);
  if ((b.first() & ~(a.span() - 1)) != a.first())
    return std::nullopt;
  if (b.span() < a.span())
    return findCommon(a.sideOf(b.first()), b);
  std::optional<unsigned> common = findCommon(a.left(), b.left());
  return common ? common : findCommon(a.right(), b.right());
}

//===----------------------------------------------------------------------===//
// IdSets
//===----------------------------------------------------------------------===//

/// The union of two sets whose ranges do not meet.
IdSet IdSets::join(IdSet left, IdSet right) {
  if (left.empty())
    return right;
  if (right.empty())
    return left;
  if (right.first() < left.first())
    std::swap(left, right);
  const IdSet::Node *&node = known[{left.key(), right.key()}];
  if (!node) {
    unsigned bit = llvm::bit_floor(left.first() ^ right.first());
    nodes.push_back({left, right, left.first() & ~(2 * bit - 1), bit,
                     left.size() + right.size()});
    node = &nodes.back();
  }
  return IdSet(node);
}

IdSet IdSets::get(llvm::ArrayRef<unsigned> ids) {
  if (ids.empty())
    return IdSet();
  if (ids.size() == 1)
    return IdSet(ids.front());
  unsigned bit = llvm::bit_floor(ids.front() ^ ids.back());
  const unsigned *middle = std::partition_point(
      ids.begin(), ids.end(), [&](unsigned id) { return (id & bit) == 0; });
  size_t count = middle - ids.begin();
  return join(get(ids.take_front(count)), get(ids.drop_front(count)));
}

IdSet IdSets::unite(IdSet a, IdSet b) {
  if (a == b || b.empty())
    return a;
  if (a.empty())
    return b;
  if (a.span() < b.span())
    std::swap(a, b);
  if ((b.first() & ~(a.span() - 1)) != a.first())
    return join(a, b);
  if (b.span() == a.span())
    return join(unite(a.left(), b.left()), unite(a.right(), b.right()));
  IdSet side = a.sideOf(b.first());
  IdSet other = side == a.left() ? a.right() : a.left();
  return join(unite(side, b), other);
}

IdSet IdSets::subtract(IdSet a, IdSet b) {
  if (a == b)
    return IdSet();
  if (a.empty() || b.empty())
    return a;
  unsigned span = std::max(a.span(), b.span());
  if ((a.first() & ~(span - 1)) != (b.first() & ~(span - 1)))
    return a;
  if (a.span() < span)
    return subtract(a, b.sideOf(a.first()));
  if (b.span() == span)
    return join(subtract(a.left(), b.left()), subtract(a.right(), b.right()));
  IdSet side = a.sideOf(b.first());
  IdSet other = side == a.left() ? a.right() : a.left();
  return join(subtract(side, b), other);
}

IdSet IdSets::after(IdSet set, unsigned id) {
  if (set.empty() || set.back() <= id)
    return IdSet();
  if (set.front() > id)
    return set;
  return join(after(set.left(), id), after(set.right(), id));
}

} // namespace memplan::planverifier
