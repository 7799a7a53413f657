//===- FindRotation.cpp - Buffers that can take turns ---------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Slots/FindRotation.h"
#include "Slots/RotationWalk.h"
#include "memplan/IR/BufferAllocation.h"

#include "llvm/ADT/SmallBitVector.h"

#include <algorithm>

using namespace mlir;
using namespace memplan;

using Token = Rotation::Token;
using TokenId = Rotation::TokenId;

/// The most names that are live at once.
static unsigned countLive(const RotationGroup &group) {
  std::vector<std::pair<int64_t, int>> events;
  for (auto &[name, ranges] : group.names)
    for (const LiveRange &range : ranges) {
      events.push_back({range.start, 1});
      events.push_back({range.end, -1});
    }
  llvm::sort(events);
  int count = 0, most = 0;
  for (auto [point, step] : events)
    most = std::max(most, count += step);
  return static_cast<unsigned>(most);
}

namespace {
/// Removes what only passes a slot through, and finds out which slot is where.
class TokenFlow {
public:
  explicit TokenFlow(Rotation &rotation)
      : rotation(rotation), same(rotation.tokens.size()) {
    for (TokenId id = 0; id < same.size(); ++id)
      same[id] = id;
    ends.resize(rotation.channels.size());
    for (auto [id, token] : llvm::enumerate(rotation.tokens))
      if (token.kind == Token::Kind::Argument ||
          token.kind == Token::Kind::Result)
        ends[token.channel].push_back(static_cast<TokenId>(id));
  }

  /// A port that gets nothing but one slot from outside, and itself, is that.
  void simplify() {
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned c = 0; c < rotation.channels.size(); ++c)
        for (unsigned p = 0; p < rotation.channels[c].ports.size(); ++p)
          changed |= simplifyPort(c, p);
    }
    for (unsigned c = 0; c < rotation.channels.size(); ++c)
      renumber(c);
    for (Rotation::Choice &choice : rotation.choices) {
      choice.whenTrue = find(choice.whenTrue);
      choice.whenFalse = find(choice.whenFalse);
    }
  }

  /// Removes what carries a slot that nothing takes any more.
  void prune(ArrayRef<TokenId> taken) {
    std::vector<bool> isNeeded(rotation.tokens.size(), false);
    SmallVector<TokenId> worklist;
    auto need = [&](TokenId id) {
      id = find(id);
      if (!isNeeded[id])
        worklist.push_back(id);
      isNeeded[id] = true;
    };
    llvm::for_each(taken, need);
    while (!worklist.empty()) {
      const Token &token = rotation.tokens[worklist.pop_back_val()];
      if (token.kind == Token::Kind::Argument ||
          token.kind == Token::Kind::Result) {
        const Rotation::Port &port =
            rotation.channels[token.channel].ports[token.index];
        // Values of the program get what they are from the program.
        if (port.isAdditional)
          llvm::for_each(port.incoming, need);
      } else if (token.kind != Token::Kind::Slot) {
        need(rotation.choices[token.index].whenTrue);
        need(rotation.choices[token.index].whenFalse);
      }
    }
    for (unsigned c = 0; c < rotation.channels.size(); ++c) {
      std::vector<Rotation::Port> &ports = rotation.channels[c].ports;
      llvm::SmallBitVector isUsed(ports.size());
      for (TokenId id : ends[c])
        if (isNeeded[id])
          isUsed.set(rotation.tokens[id].index);
      for (unsigned p = 0; p < ports.size(); ++p)
        if (ports[p].isAdditional && !isUsed.test(p))
          ports[p].incoming.clear();
      renumber(c);
    }
  }

  TokenId find(TokenId id) const {
    while (same[id] != id)
      id = same[id];
    return id;
  }

  /// The slots that each token may be.
  std::vector<llvm::SmallBitVector> computeSlots(unsigned count) {
    std::vector<llvm::SmallBitVector> slots(rotation.tokens.size(),
                                            llvm::SmallBitVector(count));
    for (auto [id, token] : llvm::enumerate(rotation.tokens))
      if (token.kind == Token::Kind::Slot)
        slots[id].set(token.index);
    for (bool changed = true; changed;) {
      changed = false;
      auto flow = [&](TokenId to, TokenId from) {
        if (!slots[from].test(slots[to])) // nothing new
          return;
        slots[to] |= slots[from];
        changed = true;
      };
      for (auto [id, token] : llvm::enumerate(rotation.tokens)) {
        auto to = static_cast<TokenId>(id);
        if (find(to) != to || token.kind == Token::Kind::Slot)
          continue;
        if (token.kind == Token::Kind::Argument ||
            token.kind == Token::Kind::Result) {
          for (TokenId from :
               rotation.channels[token.channel].ports[token.index].incoming)
            flow(to, from);
          continue;
        }
        flow(to, rotation.choices[token.index].whenTrue);
        flow(to, rotation.choices[token.index].whenFalse);
      }
    }
    return slots;
  }

private:
  /// True when the token is there before `op` and in its regions.
  bool isOutside(TokenId id, Operation *op) const {
    const Token &token = rotation.tokens[id];
    if (token.kind == Token::Kind::Slot)
      return true;
    if (token.kind == Token::Kind::Chosen ||
        token.kind == Token::Kind::Rejected)
      return !op->isAncestor(rotation.choices[token.index].select);
    const Rotation::Channel &from = rotation.channels[token.channel];
    if (token.kind == Token::Kind::Result)
      return !op->isAncestor(from.op);
    return !op->isAncestor(from.block->getParentOp());
  }

  bool simplifyPort(unsigned c, unsigned p) {
    Rotation::Channel &channel = rotation.channels[c];
    Rotation::Port &port = channel.ports[p];
    if (!port.isAdditional || port.incoming.empty())
      return false;
    std::optional<TokenId> only;
    for (TokenId &id : port.incoming) {
      id = find(id);
      const Token &token = rotation.tokens[id];
      bool isItself = (token.kind == Token::Kind::Argument ||
                       token.kind == Token::Kind::Result) &&
                      token.channel == c && token.index == p;
      if (isItself)
        continue;
      if (only && *only != id)
        return false;
      only = id;
    }
    // What comes into a block on all edges is there already: control has been
    // where it is defined before it came to the block for the first time.
    if (!only || (channel.op && !isOutside(*only, channel.op)))
      return false;
    for (TokenId id : ends[c])
      if (rotation.tokens[id].index == p)
        same[id] = *only;
    port.incoming.clear();
    return true;
  }

  /// Drops the ports of a channel that were found to be something else.
  void renumber(unsigned c) {
    std::vector<Rotation::Port> &ports = rotation.channels[c].ports;
    std::vector<unsigned> numbers(ports.size());
    unsigned next = 0;
    for (unsigned p = 0; p < ports.size(); ++p) {
      numbers[p] = next;
      if (!ports[p].incoming.empty())
        ++next;
    }
    llvm::erase_if(ends[c], [&](TokenId id) {
      return find(id) != id ||
             ports[rotation.tokens[id].index].incoming.empty();
    });
    for (TokenId id : ends[c])
      rotation.tokens[id].index = numbers[rotation.tokens[id].index];
    llvm::erase_if(ports, [](const Rotation::Port &port) {
      return port.incoming.empty();
    });
    for (Rotation::Port &port : ports)
      for (TokenId &id : port.incoming)
        id = find(id);
  }

  Rotation &rotation;
  /// Each token, or another one that is the same slot.
  std::vector<TokenId> same;
  /// By channel, the tokens that are its arguments and results.
  std::vector<std::vector<TokenId>> ends;
};
} // namespace

/// Fills in what becomes of the records and of the slots.
static void settle(Rotation &rotation, const RotationGroup &group,
                   const RotationWalk &walk, unsigned count) {
  TokenFlow flow(rotation);
  flow.simplify();
  std::vector<llvm::SmallBitVector> slots = flow.computeSlots(count);
  rotation.slots.resize(count);
  /// By name, the slots in which its buffer may be.
  std::vector<llvm::SmallBitVector> reachedBy;
  for (auto [name, token] : llvm::zip_equal(group.names, walk.held)) {
    reachedBy.push_back(slots[flow.find(*token)]);
    for (unsigned slot : reachedBy.back().set_bits())
      llvm::append_range(rotation.slots[slot], name.second);
  }
  std::vector<std::pair<unsigned, TokenId>> taken;
  for (auto &[allocation, record] : group.recordOf) {
    auto name = group.indexOf.find(group.graph.getId(allocation->getResult(0)));
    // What is never accessed may be anywhere.
    taken.push_back({record, name == group.indexOf.end()
                                 ? TokenId(count - 1)
                                 : flow.find(walk.taken.at(allocation))});
  }
  llvm::sort(taken);
  llvm::DenseMap<unsigned, Operation *> takenBefore;
  for (auto &[op, allocations] : group.takenAt)
    for (Operation *allocation : allocations)
      takenBefore[group.recordOf.lookup(allocation)] = op;
  llvm::DenseMap<unsigned, AliasGraph::Id> valueOf;
  for (auto &[allocation, record] : group.recordOf)
    valueOf[record] = group.graph.getId(allocation->getResult(0));
  for (auto [record, token] : taken) {
    // Wherever one of its names may be.
    llvm::SmallBitVector reached = slots[token];
    LiveRanges live;
    for (AliasGraph::Id alias : group.graph.getAliases(valueOf.lookup(record)))
      if (auto name = group.indexOf.find(alias); name != group.indexOf.end()) {
        reached |= reachedBy[name->second];
        llvm::append_range(live, group.names[name->second].second);
      }
    normalizeRanges(live);
    rotation.slotsOf.emplace_back(reached.set_bits_begin(),
                                  reached.set_bits_end());
    rotation.liveOf.push_back(std::move(live));
    rotation.takenBefore.push_back(takenBefore.lookup(record));
    rotation.records.push_back(record);
    rotation.taken.push_back(token);
  }
  flow.prune(rotation.taken);
  // All that it comes to, and slots from outside come into.
  Block *start = &group.root->front();
  if (!walk.rootBlocks.empty())
    if (Block *dominator = group.lifetimes.findCommonDominator(walk.rootBlocks))
      start = dominator;
  auto first = group.ops.find(start);
  rotation.before =
      first != group.ops.end() ? first->second.front() : start->getTerminator();
  int64_t begin = group.order.begin(rotation.before);
  for (LiveRanges &ranges : rotation.slots) {
    // One that is only ever reserved.
    if (ranges.empty())
      ranges.push_back({begin, begin + 1});
    normalizeRanges(ranges);
  }
}

std::optional<Rotation> memplan::findRotation(const FunctionProblem &problem,
                                              ArrayRef<unsigned> records,
                                              ArrayRef<unsigned> carried,
                                              const ProgramOrder &order,
                                              const AliasGraph &graph,
                                              LifetimeAnalysis &lifetimes) {
  RotationAssumptions assumptions;
  for (unsigned index : records) {
    Operation *allocation = problem.buffers[index].allocation;
    if (isScratch(allocation) || isa<bufferization::CloneOp>(allocation))
      assumptions.outside.insert(allocation);
  }
  for (;;) {
    RotationGroup group(order, graph, lifetimes);
    SmallVector<Operation *> members;
    for (unsigned index : carried)
      group.carried.insert(problem.buffers[index].allocation);
    MemRefType type;
    for (unsigned index : records) {
      const BufferRecord &record = problem.buffers[index];
      if (assumptions.outside.contains(record.allocation))
        continue;
      if (type && type != record.type)
        return std::nullopt;
      type = record.type;
      group.recordOf[record.allocation] = index;
      members.push_back(record.allocation);
    }
    if (members.empty() || failed(group.build(members)))
      return std::nullopt;
    // One that is made again while the others take turns has instances that
    // cannot be told apart from theirs.
    for (Operation *allocation : assumptions.outside)
      if (group.root->isAncestor(allocation->getParentRegion()) &&
          allocation->getBlock() != &group.root->front())
        return std::nullopt;
    assumptions.slotCount = std::max(assumptions.slotCount, countLive(group));
    Rotation rotation;
    RotationWalk walk(group, assumptions, rotation);
    RotationWalk::Outcome outcome = walk.run();
    if (outcome == RotationWalk::Outcome::Again)
      continue;
    if (outcome == RotationWalk::Outcome::Impossible)
      return std::nullopt;
    // What control never reaches has not been walked.
    for (const std::optional<TokenId> &token : walk.held)
      if (!token)
        return std::nullopt;
    settle(rotation, group, walk, assumptions.slotCount);
    return rotation;
  }
}
