//===- State.cpp - The contents of the arenas at a point ------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "State.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;

namespace memplan::verifier {

/// Sorts the names and the instances, so that equal states compare equal.
static void normalize(Instances &instances) {
  for (Instance &instance : instances)
    llvm::sort(instance.names);
  llvm::sort(instances, [](const Instance &a, const Instance &b) {
    return a.names.front() < b.names.front();
  });
}

/// Joins `other` into `into` and removes lost instances. Returns true if `into`
/// changed.
static bool join(Instances &into, const Instances &other) {
  if (into == other)
    return false;
  llvm::DenseMap<unsigned, unsigned> instanceOf;
  for (auto [i, instance] : llvm::enumerate(into))
    for (unsigned name : instance.names)
      instanceOf[name] = i;
  // Names are one instance if they are on both sides.
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
  // The parts of an instance that is split may still be one instance. A write
  // to one of them may then be a write to the other, so none of them stays
  // fresh.
  for (auto [origin, instance] : llvm::zip_equal(whole, joined))
    if ((parts[origin.first] > 1 || others[origin.second] > 1) &&
        instance.content == Content::Fresh)
      instance.content = Content::Intact;
  llvm::erase_if(joined, [](const Instance &instance) {
    return instance.content == Content::Lost;
  });
  normalize(joined);
  if (joined == into)
    return false;
  into = std::move(joined);
  return true;
}

//===----------------------------------------------------------------------===//
// Webs
//===----------------------------------------------------------------------===//

int WebState::find(unsigned name) const {
  auto it = indexOf.find(name);
  return it == indexOf.end() ? -1 : static_cast<int>(it->second);
}

constexpr unsigned kBitsPerWord = 64;

/// Copies bits between places that do not overlap. Those at `to` are 0 before.
static void copyBits(std::vector<uint64_t> &target, unsigned to,
                     const std::vector<uint64_t> &source, unsigned from,
                     unsigned count) {
  while (count != 0) {
    unsigned lowTo = to % kBitsPerWord, lowFrom = from % kBitsPerWord;
    unsigned some =
        std::min({count, kBitsPerWord - lowTo, kBitsPerWord - lowFrom});
    uint64_t bits = source[from / kBitsPerWord] >> lowFrom &
                    llvm::maskTrailingOnes<uint64_t>(some);
    target[to / kBitsPerWord] |= bits << lowTo;
    to += some;
    from += some;
    count -= some;
  }
}

Relation WebState::getRelation(unsigned a, unsigned b) const {
  if (a == b)
    return {/*same=*/true, /*clash=*/false};
  auto [first, second] = std::minmax(a, b);
  uint64_t bits =
      (*rows[second])[2 * first / kBitsPerWord] >> (2 * first % kBitsPerWord);
  return {(bits & 1) != 0, (bits & 2) != 0};
}

void WebState::put(Row &row, unsigned index, Relation relation) {
  uint64_t &word = row[2 * index / kBitsPerWord];
  unsigned low = 2 * index % kBitsPerWord;
  word &= ~(uint64_t(3) << low);
  word |= (uint64_t(relation.same) | uint64_t(relation.clash) << 1) << low;
}

void WebState::set(Entry entry, function_ref<Relation(unsigned)> relateTo) {
  int known = find(entry.name);
  SmallVector<Relation> relations;
  for (unsigned i = 0; i != entries.size(); ++i)
    relations.push_back(relateTo(i));
  unsigned index = known < 0 ? entries.size() : known;
  if (known < 0) {
    indexOf[entry.name] = index;
    entries.push_back(std::move(entry));
    rows.emplace_back();
  } else {
    entries[index] = std::move(entry);
  }
  Row own(llvm::divideCeil(2 * index, kBitsPerWord));
  for (unsigned other = 0; other != index; ++other)
    put(own, other, relations[other]);
  rows[index] = std::make_shared<const Row>(std::move(own));
  for (unsigned other = index + 1; other < relations.size(); ++other) {
    Row row = *rows[other];
    put(row, index, relations[other]);
    if (row != *rows[other])
      rows[other] = std::make_shared<const Row>(std::move(row));
  }
}

/// The relations of the entry `origin` to the entries before the new entry with
/// the number `size`; none if `origin` is -1.
WebState::Row WebState::pick(int origin, ArrayRef<Run> runs,
                             unsigned size) const {
  Row row(llvm::divideCeil(2 * size, kBitsPerWord));
  if (origin < 0)
    return row;
  auto own = static_cast<unsigned>(origin);
  for (auto [to, from, count] : runs) {
    if (to >= size)
      break;
    unsigned end = from + std::min(count, size - to);
    // Relations to the entries behind it are not in its own row.
    unsigned middle = std::min(std::max(own, from), end);
    copyBits(row, 2 * to, *rows[own], 2 * from, 2 * (middle - from));
    for (unsigned other = middle; other != end; ++other)
      put(row, to + other - from, getRelation(own, other));
  }
  return row;
}

WebState::WebState(std::vector<Entry> list, const WebState &last,
                   ArrayRef<int> origins)
    : entries(std::move(list)) {
  SmallVector<Run> runs;
  size_t kept = 0;
  indexOf.reserve(entries.size());
  for (auto [i, origin] : llvm::enumerate(origins)) {
    auto to = static_cast<unsigned>(i), from = static_cast<unsigned>(origin);
    indexOf[entries[to].name] = to;
    if (origin < 0)
      continue;
    if (kept == to && from == to)
      ++kept;
    if (!runs.empty() && runs.back().to + runs.back().count == to &&
        runs.back().from + runs.back().count == from)
      ++runs.back().count;
    else
      runs.push_back({to, from, 1});
  }
  rows.reserve(entries.size());
  rows.assign(last.rows.begin(), last.rows.begin() + kept);
  for (unsigned to = kept; to != entries.size(); ++to)
    rows.push_back(
        std::make_shared<const Row>(last.pick(origins[to], runs, to)));
}

bool WebState::join(const WebState &other) {
  bool changed = false;
  for (auto [own, more] : llvm::zip_equal(entries, other.entries)) {
    if (more.content > own.content || (own.lost.empty() && !more.lost.empty()))
      own.loss = more.loss;
    changed |= more.content > own.content;
    own.content = std::max(own.content, more.content);
    ByteRanges before = own.lost;
    for (ByteRange bytes : more.lost)
      addBytes(own.lost, bytes);
    changed |= own.lost != before;
  }
  for (auto [row, more] : llvm::zip_equal(rows, other.rows)) {
    if (row == more)
      continue;
    Row joined = *row;
    for (auto [word, bits] : llvm::zip_equal(joined, *more))
      word |= bits;
    if (joined == *row)
      continue;
    row = joined == *more ? more : std::make_shared<const Row>(joined);
    changed = true;
  }
  return changed;
}

//===----------------------------------------------------------------------===//
// The base
//===----------------------------------------------------------------------===//

SlotOrder::SlotOrder(const Slots &slots) {
  using Point = std::pair<unsigned, int64_t>;
  std::vector<std::pair<Point, Point>> ends;
  std::vector<Point> points;
  for (const Slot &slot : slots.slots) {
    ByteRange own = slot.root == kBase ? slot.bytes.front()
                                       : ByteRange{INT64_MIN, INT64_MAX};
    ends.push_back({{slot.arena, own.begin}, {slot.arena, own.end}});
    points.push_back(ends.back().first);
    points.push_back(ends.back().second);
  }
  llvm::sort(points);
  points.erase(std::unique(points.begin(), points.end()), points.end());
  auto rank = [&](Point point) {
    return llvm::lower_bound(points, point) - points.begin();
  };
  for (auto [begin, end] : ends)
    bytes.push_back({rank(begin), rank(end)});
  std::vector<unsigned> sorted(slots.slots.size());
  std::iota(sorted.begin(), sorted.end(), 0);
  llvm::stable_sort(sorted, [&](unsigned a, unsigned b) {
    return bytes[a].begin < bytes[b].begin;
  });
  position.resize(sorted.size());
  firstOf.resize(slots.arenas.size() + 1, 0);
  for (auto [i, slot] : llvm::enumerate(sorted)) {
    position[slot] = i;
    begins.push_back(bytes[slot].begin);
    ++firstOf[slots.slots[slot].arena + 1];
  }
  std::partial_sum(firstOf.begin(), firstOf.end(), firstOf.begin());
}

const Instance *Base::find(unsigned name) const {
  const unsigned *id = idOf.find(name);
  return id ? instances.find(getKey(model->names[name].slots.front(), *id))
                  ->get()
            : nullptr;
}

Instance Base::take(unsigned name) {
  Instance instance = *find(name);
  instances.erase(getKey(instance.slot, instance.names.front()));
  for (unsigned known : instance.names)
    idOf.erase(known);
  return instance;
}

void Base::put(Instance instance) {
  if (instance.names.empty())
    return;
  llvm::sort(instance.names);
  unsigned id = instance.names.front();
  for (unsigned name : instance.names)
    idOf.set(name, id);
  uint64_t key = getKey(instance.slot, id);
  int64_t reach =
      instance.content == Content::Intact ? order->bytes[instance.slot].end : 0;
  instances.set(key, std::make_shared<const Instance>(std::move(instance)),
                reach);
}

SmallVector<unsigned> Base::findNames(uint64_t begin, uint64_t end,
                                      int64_t reach) const {
  SmallVector<unsigned> found;
  instances.visit(begin << 32, end << 32, reach, [&](const Entry &instance) {
    found.push_back(instance->names.front());
  });
  return found;
}

SmallVector<unsigned> Base::findIntact(int slot) const {
  ByteRange bytes = order->bytes[slot];
  auto end = llvm::lower_bound(order->begins, bytes.end);
  return findNames(0, end - order->begins.begin(), bytes.begin);
}

SmallVector<unsigned> Base::findInArena(unsigned arena) const {
  return findNames(order->firstOf[arena], order->firstOf[arena + 1], -1);
}

void Base::forgetDead(Instances &list, unsigned node) const {
  for (Instance &instance : list)
    llvm::erase_if(instance.names, [&](unsigned name) {
      return !model->mayBeLive(name, node);
    });
  llvm::erase_if(
      list, [](const Instance &instance) { return instance.names.empty(); });
}

void Base::rename(ArrayRef<std::pair<unsigned, int>> names, unsigned node) {
  // By first name of each instance that changes, the names that it gains.
  llvm::MapVector<unsigned, SmallVector<unsigned, 2>> gains;
  llvm::SmallDenseSet<unsigned> renamed;
  for (auto [name, source] : names) {
    renamed.insert(name);
    if (const Instance *last = find(name))
      gains[last->names.front()];
    if (const Instance *next = source < 0 ? nullptr : find(source))
      gains[next->names.front()].push_back(name);
  }
  Instances changed;
  for (auto &[id, more] : gains) {
    Instance &instance = changed.emplace_back(take(id));
    llvm::erase_if(instance.names,
                   [&](unsigned name) { return renamed.contains(name); });
    instance.names.append(more);
  }
  forgetDead(changed, node);
  for (Instance &instance : changed)
    put(std::move(instance));
}

bool Base::join(const Base &other, unsigned node) {
  Instances own, others;
  instances.compare(other.instances, [&](const Entry *a, const Entry *b) {
    if (a && b && **a == **b)
      return;
    if (a)
      own.push_back(**a);
    if (b)
      others.push_back(**b);
  });
  for (const Instance &instance : own)
    take(instance.names.front());
  forgetDead(own, node);
  forgetDead(others, node);
  normalize(own);
  normalize(others);
  bool changed = verifier::join(own, others);
  for (Instance &instance : own)
    put(std::move(instance));
  return changed;
}

bool join(State &into, const State &other, unsigned node) {
  bool changed = into.base.join(other.base, node);
  for (const auto &[number, web] : other.webs) {
    auto [it, isNew] = into.webs.try_emplace(number, web);
    changed |= isNew || it->second.join(web);
  }
  for (auto [own, more] : llvm::zip_equal(into.arenas, other.arenas)) {
    changed |= (own | more) != own;
    own |= more;
  }
  return changed;
}

} // namespace memplan::verifier
