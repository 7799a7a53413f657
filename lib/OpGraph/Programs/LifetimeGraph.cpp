//===- LifetimeGraph.cpp - Planned lifetimes as an op graph ---------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/OpGraph/LifetimeGraph.h"

#include "memplan/Analysis/Describe.h"
#include "memplan/Graph/Profile.h"
#include "memplan/IR/ArgumentAttributes.h"
#include "memplan/IR/GraphAttributes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <map>

using namespace mlir;
using namespace memplan;
using graph::StorageKind;
using graph::ValueId;

namespace {
/// The op graph of one function.
class LifetimeGraph {
public:
  LifetimeGraph(FunctionOpInterface function, const ProgramOrder &order,
                CostModel &costs)
      : function(function), order(order), costs(costs) {
    graph.name = function.getName().str();
  }

  void addArguments();
  void addConstants();
  void addArena(const FunctionProblem &problem, const ArenaProblem &arena);
  void addUnplanned(const BufferRecord &record);
  void addCall(func::CallOp call, const AliasGraph &aliases,
               const CalleePeaks &peaks);
  void addCarried(const AliasGraph &aliases);
  graph::OpGraph finish();
  SymbolicSizes takeSizes() { return std::move(sizes); }

private:
  ValueId addValue(std::string id, const SymbolicBytes &bytes,
                   int64_t alignment, Attribute space);
  ValueId addRange(std::string id, const SymbolicBytes &bytes,
                   int64_t alignment, Attribute space, LiveRange range);
  ValueId addUntilFreed(std::string id, Value buffer,
                        const SymbolicBytes &bytes, int64_t alignment);
  graph::Storage &storageOf(ValueId value) {
    return graph.storages[graph.values[value].storage];
  }

  FunctionOpInterface function;
  const ProgramOrder &order;
  CostModel &costs;
  graph::OpGraph graph;
  SymbolicSizes sizes;
  /// By program point: the op and its scratch.
  std::map<int64_t, graph::Op> points;
  std::map<int64_t, SymbolicBytes> scratch;
  /// Memory that addUntilFreed has added; it counts once, however often its op
  /// runs.
  struct Counted {
    Value buffer;
    std::string id;
    SymbolicBytes bytes;
    int64_t alignment;
    LiveRange range;
  };
  std::vector<Counted> counted;
  unsigned numCarried = 0;
};
} // namespace

ValueId LifetimeGraph::addValue(std::string id, const SymbolicBytes &bytes,
                                int64_t alignment, Attribute space) {
  graph::Storage storage;
  storage.id = id;
  storage.bytes = bytes.bytes;
  storage.formula = costs.sizes().printFormula(bytes);
  storage.alignment = alignment;
  storage.space = formatSpace(space);
  graph.values.push_back({std::move(id),
                          static_cast<graph::StorageId>(graph.storages.size()),
                          0, bytes.bytes});
  graph.storages.push_back(std::move(storage));
  sizes.storages.push_back(bytes);
  return graph.values.size() - 1;
}

ValueId LifetimeGraph::addRange(std::string id, const SymbolicBytes &bytes,
                                int64_t alignment, Attribute space,
                                LiveRange range) {
  ValueId value = addValue(std::move(id), bytes, alignment, space);
  points[range.start].results.push_back(value);
  if (range.end - 1 > range.start)
    points[range.end - 1].operands.push_back(value);
  return value;
}

void LifetimeGraph::addArguments() {
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<BaseMemRefType>(argument.getType());
    if (!type || !type.hasRank())
      continue;
    unsigned number = argument.getArgNumber();
    graph::Input input;
    input.value = addValue("arg" + std::to_string(number),
                           costs.sizes().getSymbolicBytes(argument), 1,
                           type.getMemorySpace());
    if (auto role = getArgumentAttr<StringAttr>(argument, kRoleAttr))
      input.role = *graph::parseName<graph::InputRole>(role.getValue());
    input.isStatic = bool(getArgumentAttr(argument, kStaticAttr));
    // Held to the end, as its last use is not known.
    graph::Storage &storage = storageOf(input.value);
    storage.kind = input.isStatic ? StorageKind::Parameter : StorageKind::Input;
    graph.inputs.push_back(input);
  }
}

/// Globals are live from the start to the end.
void LifetimeGraph::addConstants() {
  llvm::DenseSet<Attribute> seen;
  for (Operation *op : order.getOps()) {
    auto get = dyn_cast<memref::GetGlobalOp>(op);
    if (!get || !seen.insert(get.getNameAttr()).second)
      continue;
    auto type = cast<MemRefType>(get.getType());
    ValueId value = addValue("@" + get.getName().str(), {costs.getBytes(get)},
                             1, type.getMemorySpace());
    storageOf(value).kind = StorageKind::Constant;
  }
}

void LifetimeGraph::addArena(const FunctionProblem &problem,
                             const ArenaProblem &arena) {
  for (auto [index, buffer] : llvm::enumerate(arena.problem.buffers)) {
    const BufferRecord &record = problem.buffers[arena.records[index]];
    SymbolicBytes bytes{buffer.size};
    if (buffer.formula)
      bytes = costs.sizes().getSymbolicBytes(record.origin->getResult(0));
    for (auto [part, range] : llvm::enumerate(buffer.ranges)) {
      std::string id = buffer.id;
      if (part != 0)
        id += "." + std::to_string(part);
      addRange(std::move(id), bytes, record.alignment, arena.memorySpace,
               range);
    }
  }
}

/// Adds memory that is live from the op that makes `buffer` to its
/// deallocation. If there is not exactly one, it is an output of the graph.
ValueId LifetimeGraph::addUntilFreed(std::string id, Value buffer,
                                     const SymbolicBytes &bytes,
                                     int64_t alignment) {
  int64_t begin = order.begin(order.getAnchor(buffer.getDefiningOp()));
  Operation *free = nullptr;
  unsigned frees = 0;
  for (Operation *user : buffer.getUsers())
    if (isa<memref::DeallocOp>(user)) {
      free = user;
      ++frees;
    }
  int64_t end = frees == 1
                    ? std::max(order.begin(order.getAnchor(free)), begin + 1)
                    : begin + 1;
  auto type = dyn_cast<BaseMemRefType>(buffer.getType());
  ValueId value =
      addRange(id, bytes, alignment, type ? type.getMemorySpace() : Attribute(),
               {begin, end});
  if (frees != 1) {
    graph.outputs.push_back(value);
    storageOf(value).kind = StorageKind::Output;
    end = order.size();
  }
  counted.push_back({buffer, std::move(id), bytes, alignment, {begin, end}});
  return value;
}

/// Adds a storage for each buffer that an iteration makes and hands to the next
/// one: the old instance is live beside the new one, from the start of the
/// iteration until the body of the loop frees it. It is left out if a buffer
/// from before the loop, at least as large, counts until the end of the loop.
///
///   for ... iter_args(%old = %argument)
///     %new = alloc        |  %old and %new
///     use %old, %new      |
///     dealloc %old        |
///     yield %new
void LifetimeGraph::addCarried(const AliasGraph &aliases) {
  llvm::DenseMap<AliasGraph::Id, const Counted *> countedOf;
  std::vector<Counted> known = counted;
  for (const Counted &entry : known)
    countedOf[aliases.getId(entry.buffer)] = &entry;
  if (known.empty())
    return;
  auto add = [&](BlockArgument argument) {
    Block *block = argument.getOwner();
    Operation *loop = block->getParentOp();
    bool isOfFunction = loop == function;
    int64_t start = order.begin(order.getAnchor(&block->front()));
    int64_t end =
        isOfFunction ? order.size() : order.end(order.getAnchor(loop));
    const Counted *made = nullptr;
    SmallVector<const Counted *> before;
    llvm::DenseSet<AliasGraph::Id> seen;
    SmallVector<AliasGraph::Id> worklist = {aliases.getId(argument)};
    while (!worklist.empty()) {
      AliasGraph::Id id = worklist.pop_back_val();
      if (!seen.insert(id).second)
        continue;
      llvm::append_range(worklist, aliases.predecessors(id));
      const Counted *entry = countedOf.lookup(id);
      if (!entry)
        continue;
      if (entry->range.start < start)
        before.push_back(entry);
      else if (!made || entry->bytes.bytes > made->bytes.bytes ||
               (entry->bytes.bytes == made->bytes.bytes && entry < made))
        made = entry;
    }
    if (!made || llvm::any_of(before, [&](const Counted *entry) {
          return entry->range.end >= end &&
                 entry->bytes.bytes >= made->bytes.bytes;
        }))
      return;
    Operation *free = nullptr;
    for (Operation *user : argument.getUsers())
      if (isa<memref::DeallocOp>(user) && user->getBlock() == block)
        free = user;
    if (free)
      end = std::max(order.begin(order.getAnchor(free)), start + 1);
    auto type = cast<BaseMemRefType>(made->buffer.getType());
    addRange(made->id + ".old" + std::to_string(numCarried++), made->bytes,
             made->alignment, type.getMemorySpace(), {start, end});
  };
  function->walk([&](Block *block) {
    if (block->empty() || block == &function.getFunctionBody().front())
      return;
    for (BlockArgument argument : block->getArguments())
      if (isa<BaseMemRefType>(argument.getType()))
        add(argument);
  });
}

void LifetimeGraph::addUnplanned(const BufferRecord &record) {
  Value buffer = record.origin->getResult(0);
  SymbolicBytes bytes{record.size};
  auto type = dyn_cast<BaseMemRefType>(buffer.getType());
  if (type && (bytes.bytes == 0 || !type.hasStaticShape()))
    bytes = costs.sizes().getSymbolicBytes(buffer);
  addUntilFreed(record.name, buffer, bytes,
                std::max<int64_t>(record.alignment, 1));
}

/// Memory that the callee returns belongs to the caller from the call on; other
/// memory of the callee is only needed during the call.
void LifetimeGraph::addCall(func::CallOp call, const AliasGraph &aliases,
                            const CalleePeaks &peaks) {
  int64_t point = order.begin(order.getAnchor(call));
  std::string prefix = "p" + std::to_string(point) + ".";
  std::map<std::string, SmallVector<SymbolicBytes>> handedOut;
  for (OpResult result : call.getResults()) {
    auto type = dyn_cast<BaseMemRefType>(result.getType());
    if (!type || !aliases.mayBeFreshFromCall(aliases.getId(result)))
      continue;
    SymbolicBytes bytes = costs.sizes().getSymbolicBytes(result);
    addUntilFreed(prefix + "result" + std::to_string(result.getResultNumber()),
                  result, bytes, 1);
    handedOut[formatSpace(type.getMemorySpace())].push_back(bytes);
  }
  SizeModel &model = costs.sizes();
  for (const auto &[space, peak] : peaks) {
    SymbolicBytes bytes =
        model.getDifference(peak, model.getSum(handedOut[space]));
    if (bytes.bytes <= 0)
      continue;
    if (space.empty()) {
      SymbolicBytes &sum = scratch[point];
      sum = model.getSum({sum, bytes});
      points[point].scratchBytes = sum.bytes;
      points[point].scratchFormula = model.printFormula(sum);
      continue;
    }
    // The scratch of an op is always in the default space.
    std::string name = prefix;
    name.append("space").append(space);
    ValueId value = addValue(name, bytes, 1, Attribute());
    storageOf(value).space = space;
    points[point].results.push_back(value);
  }
}

graph::OpGraph LifetimeGraph::finish() {
  for (auto &[point, op] : points) {
    Operation *operation = order.getOp(point);
    op.id = "p" + std::to_string(point);
    op.name = operation->getName().getStringRef().str();
    op.location = formatLocation(operation->getLoc());
    graph.ops.push_back(std::move(op));
    sizes.scratch.push_back(scratch[point]);
  }
  return std::move(graph);
}

FailureOr<graph::OpGraph>
LifetimeGraphBuilder::build(FunctionOpInterface function) {
  SymbolicSizes sizes;
  return build(function, sizes);
}

FailureOr<graph::OpGraph>
LifetimeGraphBuilder::build(FunctionOpInterface function,
                            SymbolicSizes &sizes) {
  const ProgramOrder &order = aliases.getOrder(function);
  FunctionProblem problem =
      buildFunctionProblem(function, aliases, PlanningOptions());
  if (problem.isInvalid)
    return failure();
  LifetimeGraph lifetimes(function, order, costs);
  for (const ArenaProblem &arena : problem.arenas)
    lifetimes.addArena(problem, arena);
  if (plannedOnly)
    return lifetimes.finish();
  lifetimes.addArguments();
  lifetimes.addConstants();
  for (const BufferRecord &record : problem.buffers)
    if (!record.isPlanned() && record.origin->getNumResults() == 1)
      lifetimes.addUnplanned(record);
  for (Operation *op : order.getOps())
    if (auto call = dyn_cast<func::CallOp>(op))
      lifetimes.addCall(call, aliases.getGraph(function), getCalleePeaks(call));
  lifetimes.addCarried(aliases.getGraph(function));
  graph::OpGraph graph = lifetimes.finish();
  sizes = lifetimes.takeSizes();
  return graph;
}

CalleePeaks LifetimeGraphBuilder::getCalleePeaks(func::CallOp call) {
  FunctionOpInterface callee = aliases.getCallee(call);
  if (!callee || callee.isExternal() || active.contains(callee))
    return {};
  SizeModel::CallScope scope(costs.sizes(), call, callee);
  std::pair<Operation *, unsigned> key(callee, costs.sizes().getScope());
  auto known = peaks.find(key);
  if (known != peaks.end())
    return known->second;
  active.insert(callee);
  SymbolicSizes sizes;
  FailureOr<graph::OpGraph> graph = build(callee, sizes);
  active.erase(callee);
  if (failed(graph))
    return {};
  graph::MemoryOptions options;
  options.excluded = graph::getInputOrigins();
  graph::MemoryProfile profile =
      graph::buildProfile(*graph, graph::programOrder(*graph), options);
  CalleePeaks found;
  for (auto [index, space] : llvm::enumerate(profile.memory.spaces))
    found[space] = sizes.getLive(costs.sizes(), *graph, profile,
                                 profile.peakEntry(index), index);
  peaks[key] = found;
  return found;
}
