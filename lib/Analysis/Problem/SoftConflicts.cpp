//===- SoftConflicts.cpp - Sharing that the producer has a price for ------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Problem/SoftConflicts.h"

#include "memplan/IR/MemorySpace.h"
#include "memplan/IR/Memplan.h"
#include "memplan/IR/OpCost.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

#include <map>

using namespace mlir;
using namespace memplan;

/// The ops of a pipe that an op of another one may wait for.
static constexpr int kQueue = 64;

/// The most ops of pipes, those of loops counted twice.
static constexpr size_t kMostOps = 1 << 16;

/// The largest sum of the weights of a pair.
static constexpr int64_t kMostWeight = int64_t(1) << 40;

namespace {
using Pair = std::pair<BufferIndex, BufferIndex>;
/// Ordered, so that the problem does not depend on addresses.
using Weights = std::map<Pair, int64_t>;

void addWeight(Weights &weights, BufferIndex a, BufferIndex b, int64_t weight) {
  int64_t &sum = weights[std::minmax(a, b)];
  sum = std::min(kMostWeight, sum + std::min(weight, kMostWeight));
}

/// An op of a pipe and the buffers of one arena that it accesses.
struct PipeOp {
  Operation *op = nullptr;
  unsigned pipe = 0;
  /// How long it runs.
  int64_t cycles = 1;
  int64_t point = 0;
  SmallVector<BufferIndex, 4> reads, writes;
};

/// An op of a pipe each time that it is looked at: the first iteration of a
/// loop, and the others.
struct Issue {
  const PipeOp *op;
  int64_t times;
};

/// The pipes that use the buffers of one arena.
class Pipeline {
public:
  Pipeline(const FunctionProblem &function, const ArenaProblem &arena,
           const ProgramOrder &order, const AliasGraph &graph)
      : function(function), arena(arena), order(order), graph(graph) {
    collectOps();
  }

  void addWaits(Weights &weights);

private:
  void collectOps();
  void collectOps(BufferIndex buffer, Operation *allocation);
  void issue(Block &block, int64_t times, SmallVectorImpl<Issue> &issues) const;
  const LiveRange *findRange(BufferIndex buffer, int64_t point) const;
  bool begins(BufferIndex buffer, const PipeOp &op, const PipeOp *last) const;

  const FunctionProblem &function;
  const ArenaProblem &arena;
  const ProgramOrder &order;
  const AliasGraph &graph;
  llvm::MapVector<Operation *, PipeOp> ops;
  llvm::MapVector<Attribute, unsigned> pipes;
  /// The ops with regions that have ops of pipes inside.
  llvm::DenseSet<Operation *> around;
};
} // namespace

void Pipeline::collectOps() {
  for (auto [record, buffer] : arena.placements) {
    const BufferRecord &known = function.buffers[record];
    if (!known.frame && !arena.carried.contains(record))
      collectOps(buffer, known.origin);
  }
}

/// The op itself, or one around it, that has a pipe; null if there is none.
static Operation *findPipeOp(Operation *op, Operation *function) {
  for (; op && op != function; op = op->getParentOp())
    if (op->hasAttr(MemplanDialect::kPipeAttr))
      return op;
  return nullptr;
}

void Pipeline::collectOps(BufferIndex buffer, Operation *allocation) {
  for (AliasGraph::Id id :
       graph.getAliases(graph.getId(allocation->getResult(0)))) {
    Value value = graph.getValue(id);
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      Operation *op = findPipeOp(user, function.function);
      if (!op || !order.isNumbered(op) || !graph.classify(use).access)
        continue;
      PipeOp &known = ops[op];
      if (!known.op) {
        known.op = op;
        known.point = order.begin(op);
        Attribute pipe = op->getAttr(MemplanDialect::kPipeAttr);
        known.pipe = pipes.try_emplace(pipe, pipes.size()).first->second;
        if (auto cycles =
                op->getAttrOfType<IntegerAttr>(MemplanDialect::kCyclesAttr))
          known.cycles = cycles.getInt();
        for (Operation *parent = op->getParentOp();
             parent && parent != function.function;
             parent = parent->getParentOp())
          around.insert(parent);
      }
      SmallVector<MemoryEffects::EffectInstance> effects;
      auto interface = dyn_cast<MemoryEffectOpInterface>(user);
      if (interface)
        interface.getEffectsOnValue(value, effects);
      bool reads = effects.empty(), writes = effects.empty();
      for (const MemoryEffects::EffectInstance &effect : effects) {
        reads |= isa<MemoryEffects::Read>(effect.getEffect());
        writes |= isa<MemoryEffects::Write>(effect.getEffect());
      }
      if (reads && !llvm::is_contained(known.reads, buffer))
        known.reads.push_back(buffer);
      if (writes && !llvm::is_contained(known.writes, buffer))
        known.writes.push_back(buffer);
    }
  }
}

/// The ops of pipes in the block in the order in which they are issued. Those
/// in a loop are there twice, if it has more than one iteration.
void Pipeline::issue(Block &block, int64_t times,
                     SmallVectorImpl<Issue> &issues) const {
  for (Operation &op : block) {
    if (auto it = ops.find(&op); it != ops.end()) {
      issues.push_back({&it->second, times});
      continue;
    }
    if (!around.contains(&op) || issues.size() > kMostOps)
      continue;
    int64_t more = 0;
    if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
      std::optional<APInt> trips = loop.getStaticTripCount();
      int64_t count =
          trips ? static_cast<int64_t>(trips->getLimitedValue(INT32_MAX)) : 2;
      more = std::max<int64_t>(count - 1, 0);
    }
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        issue(inner, times, issues);
    if (more > 0)
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          issue(inner, std::min(kMostWeight, saturatingMul(times, more)),
                issues);
  }
}

/// The live range of the buffer that the point is in.
const LiveRange *Pipeline::findRange(BufferIndex buffer, int64_t point) const {
  for (const LiveRange &range : arena.problem.buffers[buffer].ranges)
    if (range.start <= point && point < range.end)
      return &range;
  return nullptr;
}

/// True if the op is the first one to use contents of the buffer, and `last`
/// the last one that used it before.
bool Pipeline::begins(BufferIndex buffer, const PipeOp &op,
                      const PipeOp *last) const {
  const LiveRange *range = findRange(buffer, op.point);
  if (!range || !last)
    return range;
  if (range != findRange(buffer, last->point))
    return true;
  if (last->point < op.point)
    return false;
  // The next iteration of a loop: its own contents, unless it carries them.
  for (Operation *loop = op.op->getParentOp(); loop != function.function;
       loop = loop->getParentOp())
    if (isa<LoopLikeOpInterface>(loop))
      return order.begin(loop) < range->start && range->end <= order.end(loop);
  return false;
}

void Pipeline::addWaits(Weights &weights) {
  if (pipes.size() < 2)
    return;
  SmallVector<Issue> issues;
  FunctionOpInterface root = function.function;
  for (Block &block : function.parallel ? function.parallel->getRegion(0)
                                        : root.getFunctionBody())
    issue(block, 1, issues);
  size_t numBuffers = arena.problem.buffers.size();
  // By op: when it ends if each buffer has bytes of its own.
  std::vector<int64_t> ends(issues.size(), 0);
  // By pipe: its ops, in order. By buffer: when its last write and the reads
  // after it end, and its last use.
  std::vector<std::vector<size_t>> queues(pipes.size());
  std::vector<int64_t> writeEnd(numBuffers, 0), readEnd(numBuffers, 0);
  std::vector<const PipeOp *> lastUse(numBuffers, nullptr);
  llvm::DenseSet<Pair> overlapping;
  for (const PermittedOverlap &overlap : arena.problem.overlaps)
    overlapping.insert(std::minmax(overlap.first, overlap.second));
  for (auto [number, issue] : llvm::enumerate(issues)) {
    const PipeOp *op = issue.op;
    std::vector<size_t> &queue = queues[op->pipe];
    int64_t start = queue.empty() ? 0 : ends[queue.back()];
    for (BufferIndex buffer : op->reads)
      start = std::max(start, writeEnd[buffer]);
    for (BufferIndex buffer : op->writes)
      start = std::max({start, writeEnd[buffer], readEnd[buffer]});
    SmallVector<BufferIndex, 4> used(op->reads);
    for (BufferIndex buffer : op->writes)
      if (!llvm::is_contained(used, buffer))
        used.push_back(buffer);
    for (BufferIndex buffer : used) {
      if (!begins(buffer, *op, lastUse[buffer]))
        continue;
      // How long it would wait for the ops that use another buffer.
      Weights waits;
      for (const auto &[pipe, other] : llvm::enumerate(queues)) {
        int left = pipe == op->pipe ? 0 : kQueue;
        for (size_t running : llvm::reverse(other)) {
          if (ends[running] <= start || left-- == 0)
            break;
          auto wait = [&](BufferIndex held) {
            int64_t &most = waits[{buffer, held}];
            most = std::max(most, ends[running] - start);
          };
          llvm::for_each(issues[running].op->reads, wait);
          llvm::for_each(issues[running].op->writes, wait);
        }
      }
      for (const auto &[pair, wait] : waits)
        if (!llvm::is_contained(used, pair.second) &&
            !overlapping.contains(std::minmax(pair.first, pair.second)) &&
            !rangesIntersect(arena.problem.buffers[pair.first].ranges,
                             arena.problem.buffers[pair.second].ranges))
          addWeight(weights, pair.first, pair.second,
                    saturatingMul(wait, issue.times));
    }
    int64_t end = ends[number] =
        std::min(kMostWeight, saturatingAdd(start, op->cycles));
    for (BufferIndex buffer : op->reads)
      readEnd[buffer] = std::max(readEnd[buffer], end);
    for (BufferIndex buffer : op->writes)
      writeEnd[buffer] = readEnd[buffer] = end;
    for (BufferIndex buffer : used)
      lastUse[buffer] = op;
    queue.push_back(number);
  }
}

/// Adds the pairs whose allocations have a name in common in the attribute.
static void addNamedPairs(const FunctionProblem &function,
                          const ArenaProblem &arena, StringRef attribute,
                          Weights &weights) {
  llvm::MapVector<StringAttr, SmallVector<std::pair<BufferIndex, int64_t>>>
      named;
  for (auto [record, buffer] : arena.placements) {
    const BufferRecord &known = function.buffers[record];
    if (known.frame || arena.carried.contains(record))
      continue;
    auto names = known.origin->getAttrOfType<DictionaryAttr>(attribute);
    if (!names)
      continue;
    for (NamedAttribute entry : names)
      named[entry.getName()].push_back(
          {buffer, cast<IntegerAttr>(entry.getValue()).getInt()});
  }
  for (const auto &[name, members] : named)
    for (size_t i = 0; i != members.size(); ++i)
      for (size_t j = 0; j != i; ++j)
        if (members[i].first != members[j].first)
          addWeight(weights, members[i].first, members[j].first,
                    std::max(members[i].second, members[j].second));
}

/// True if some op or allocation has one of the attributes.
static bool isStated(const FunctionProblem &function,
                     const ProgramOrder &order) {
  MLIRContext *context = FunctionOpInterface(function.function).getContext();
  auto pipe = StringAttr::get(context, MemplanDialect::kPipeAttr);
  return llvm::any_of(
             function.buffers,
             [](const BufferRecord &record) {
               return record.origin->hasAttr(MemplanDialect::kApartAttr) ||
                      record.origin->hasAttr(MemplanDialect::kBankApartAttr);
             }) ||
         llvm::any_of(order.getOps(), [&](Operation *op) {
           return op->getDiscardableAttr(pipe) != nullptr;
         });
}

void memplan::addSoftConflicts(FunctionProblem &function,
                               const ProgramOrder &order,
                               const AliasGraph &graph,
                               const PlanningOptions &options) {
  bool hasConflicts = isStated(function, order);
  for (ArenaProblem &arena : function.arenas) {
    if (arena.records.empty())
      continue;
    Problem &problem = arena.problem;
    std::optional<int64_t> bank =
        options.bankSizes.find(formatSpace(arena.memorySpace));
    Weights weights, bankWeights;
    if (hasConflicts) {
      addNamedPairs(function, arena, MemplanDialect::kApartAttr, weights);
      addNamedPairs(function, arena, MemplanDialect::kBankApartAttr,
                    bankWeights);
      Pipeline(function, arena, order, graph).addWaits(weights);
    }
    if (!bank && weights.empty() && bankWeights.empty())
      continue;
    auto ignore = [&](const BufferRecord &record, const Twine &what,
                      const Twine &why) {
      emitRemark(record.origin->getLoc()) << what << ": " << why;
    };
    if (hasFormulas(problem)) {
      auto dynamic =
          llvm::find_if(function.buffers, [](const BufferRecord &record) {
            return record.isPlanned() && record.getSlotFormula().has_value();
          });
      if (dynamic != function.buffers.end())
        ignore(*dynamic, "pipes, soft conflicts and banks do not count",
               "the size of this buffer is known only when the program runs");
      continue;
    }
    for (auto [buffer, record] :
         llvm::zip_equal(problem.buffers, arena.records)) {
      if (!bank)
        break;
      const BufferRecord &known = function.buffers[record];
      std::string what =
          "banks of " + std::to_string(*bank) + " bytes do not count";
      if (known.frame)
        ignore(known, what, "the frame of a callee or worker may be larger");
      else if (buffer.size > *bank)
        ignore(known, what,
               "this buffer has " + std::to_string(buffer.size) + " bytes");
      else if (*bank % buffer.alignment != 0)
        ignore(known, what,
               "this buffer has alignment " + std::to_string(buffer.alignment));
      else
        continue;
      bank.reset();
    }
    problem.bankSize = bank;
    if (!bank)
      bankWeights.clear();
    for (const auto &[pair, weight] : weights)
      problem.softConflicts.push_back({pair.first, pair.second, weight});
    for (const auto &[pair, weight] : bankWeights)
      problem.softConflicts.push_back(
          {pair.first, pair.second, weight, SoftConflict::Kind::Bank});
  }
}
