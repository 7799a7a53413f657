//===- State.cpp - Which buffers are where, and whole ---------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "State.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace memplan::verifier {

const Instance *Variant::find(unsigned name) const {
  for (const Instance &instance : instances)
    if (llvm::is_contained(instance.names, name))
      return &instance;
  return nullptr;
}

std::vector<std::pair<unsigned, int>> Variant::getKey() const {
  std::vector<std::pair<unsigned, int>> key;
  for (const Instance &instance : instances)
    for (unsigned name : instance.names)
      key.push_back({name, instance.slot});
  llvm::sort(key);
  return key;
}

void normalize(Instances &instances) {
  for (Instance &instance : instances)
    llvm::sort(instance.names);
  llvm::sort(instances, [](const Instance &a, const Instance &b) {
    return a.names.front() < b.names.front();
  });
}

bool join(Instances &into, const Instances &other, bool keepsLost) {
  if (into == other)
    return false;
  llvm::DenseMap<unsigned, unsigned> instanceOf;
  for (auto [i, instance] : llvm::enumerate(into))
    for (unsigned name : instance.names)
      instanceOf[name] = i;
  // What is one instance on both sides.
  Instances joined;
  std::vector<unsigned> parts(into.size(), 0);
  std::vector<std::pair<unsigned, unsigned>> whole;
  std::vector<unsigned> others(other.size(), 0);
  for (auto [number, second] : llvm::enumerate(other)) {
    llvm::SmallMapVector<unsigned, Instance, 2> found;
    for (unsigned name : second.names) {
      auto it = instanceOf.find(name);
      if (it == instanceOf.end())
        continue;
      const Instance &first = into[it->second];
      Instance &instance = found[it->second];
      instance.slot = first.slot;
      instance.content = std::max(first.content, second.content);
      instance.loss = first.content == Content::Lost ? first.loss : second.loss;
      instance.names.push_back(name);
      if (instance.names.size() > 1)
        continue;
      instance.lost = first.lost;
      for (ByteRange bytes : second.lost)
        addBytes(instance.lost, bytes);
      if (!first.lost.empty())
        instance.loss = first.loss;
    }
    for (auto &[first, instance] : found) {
      ++parts[first];
      ++others[number];
      whole.push_back({first, static_cast<unsigned>(number)});
      joined.push_back(std::move(instance));
    }
  }
  // Names of which it is not known any more whether they are one instance: what
  // is written to one may be in the other.
  for (auto [origin, instance] : llvm::zip_equal(whole, joined))
    if ((parts[origin.first] > 1 || others[origin.second] > 1) &&
        instance.content == Content::Fresh)
      instance.content = Content::Intact;
  if (!keepsLost)
    llvm::erase_if(joined, [](const Instance &instance) {
      return instance.content == Content::Lost;
    });
  normalize(joined);
  if (joined == into)
    return false;
  into = std::move(joined);
  return true;
}

bool join(Variants &into, const Variants &other) {
  bool changed = false;
  std::map<std::vector<std::pair<unsigned, int>>, size_t> known;
  for (auto [i, variant] : llvm::enumerate(into))
    known[variant.getKey()] = i;
  for (const Variant &variant : other) {
    auto [it, isNew] = known.try_emplace(variant.getKey(), into.size());
    if (isNew) {
      into.push_back(variant);
      changed = true;
    } else {
      Variant &known = into[it->second];
      changed |= join(known.instances, variant.instances, /*keepsLost=*/true);
      auto isKnownToBoth = [&](const auto &condition) {
        return llvm::is_contained(variant.conditions, condition);
      };
      size_t before = known.conditions.size();
      llvm::erase_if(known.conditions, [&](const auto &condition) {
        return !isKnownToBoth(condition);
      });
      changed |= known.conditions.size() != before;
    }
  }
  return changed;
}

bool join(State &into, const State &other) {
  bool changed = join(into.base, other.base, /*keepsLost=*/false);
  for (const auto &[component, variants] : other.components)
    changed |= join(into.components[component], variants);
  for (auto [own, more] : llvm::zip_equal(into.arenas, other.arenas)) {
    changed |= (own | more) != own;
    own |= more;
  }
  return changed;
}

} // namespace memplan::verifier
