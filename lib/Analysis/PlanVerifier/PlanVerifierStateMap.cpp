//===- PlanVerifierStateMap.cpp - States that share -----------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanVerifierStateMap.h"

#include "llvm/ADT/STLExtras.h"

#include <array>

namespace memplan::planverifier {

constexpr unsigned kBits = 4;
constexpr unsigned kFanout = 1u << kBits;

struct StateMap::Node final : Shared {
  std::array<Place, kFanout> children;
};

StateMap::StateMap(size_t size) : levels(1) {
  while (size > size_t(1) << (kBits * levels))
    ++levels;
}

void StateMap::set(unsigned handle, EntryPtr entry) {
  assign(root, levels, handle, Place(std::move(entry)));
}

/// `level` nodes are above the entries from here on.
void StateMap::assign(Place &place, unsigned level, unsigned handle,
                      Place &&entry) {
  if (level == 0) {
    place = std::move(entry);
    return;
  }
  if (!place) {
    if (!entry)
      return;
    place = new Node();
  } else if (place->UseCount() > 1) {
    place = new Node(static_cast<Node &>(*place));
  }
  auto &children = static_cast<Node &>(*place).children;
  bool removes = !entry;
  assign(children[(handle >> (kBits * (level - 1))) % kFanout], level - 1,
         handle, std::move(entry));
  if (removes &&
      llvm::none_of(children, [](const Place &child) { return child; }))
    place = nullptr;
}

void StateMap::compare(const StateMap &a, const StateMap &b, CompareFn fn) {
  compare(a.root.get(), b.root.get(), std::max(a.levels, b.levels), 0, fn);
}

void StateMap::compare(Shared *a, Shared *b, unsigned level, unsigned first,
                       CompareFn fn) {
  if (a == b)
    return;
  if (level == 0) {
    fn(first, static_cast<SharedEntry *>(a), static_cast<SharedEntry *>(b));
    return;
  }
  for (unsigned i = 0; i != kFanout; ++i)
    compare(a ? static_cast<Node *>(a)->children[i].get() : nullptr,
            b ? static_cast<Node *>(b)->children[i].get() : nullptr, level - 1,
            first + (i << (kBits * (level - 1))), fn);
}

} // namespace memplan::planverifier
