//===- PlanVerifierModel.h - What the verifier sees of a function -*- C++
//-*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A planned function as the verifier sees it: the arenas and the buffers placed
// in them, a flow graph whose nodes are straight-line pieces of blocks, and on
// each node the events that matter to memory. It is derived from the IR alone.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_PLANVERIFIERMODEL_H
#define MEMPLAN_LIB_ANALYSIS_PLANVERIFIERMODEL_H

#include "PlanVerifierIdSets.h"
#include "PlanVerifierLiveness.h"

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace memplan::planverifier {

/// Bytes [begin, end).
struct ByteRange {
  int64_t begin = 0;
  int64_t end = 0;
  bool overlaps(ByteRange other) const {
    return std::max(begin, other.begin) < std::min(end, other.end);
  }
};

enum class HandleKind : uint8_t {
  /// The arena itself.
  Arena,
  /// A buffer placed in an arena: the result of a view of the arena.
  Slot,
  /// A value that is one of several slots, or a slot of an earlier execution of
  /// its view: a block argument, a region's result, a select, a call's result.
  Merged
};

/// A reference to memory whose state is followed through the program. All views
/// of one handle share it.
struct Handle {
  HandleKind kind = HandleKind::Slot;
  /// Lifetime markers say when it may be accessed.
  bool marked = false;
  /// Nothing uses it.
  bool unused = false;
  /// A slot in which a renewal may begin a buffer.
  bool renewable = false;
  /// A renewal begins a buffer by its very name.
  bool renewed = false;
  /// How many regions of the function enclose its definition.
  unsigned depth = 0;
  /// The handle of the arena; unused for merged handles.
  unsigned arena = 0;
  /// Its place in the arena; unused for merged handles.
  ByteRange bytes;
  mlir::Value value;
  /// The slots it may refer to; a slot has itself.
  IdSet slots;
};

constexpr int kForeign = -1;

/// `target`, a merged handle, becomes one of `sources`; kForeign stands for
/// memory outside every arena.
struct Binding {
  unsigned target = 0;
  llvm::SmallVector<int, 1> sources;
};

struct Access {
  unsigned handle = 0;
  bool reads = false;
  bool writes = false;
  /// It surely writes all that `memref` names before it reads any of it.
  bool overwrites = false;
  /// What the op names, from which the bytes follow; null where one access
  /// stands for several.
  mlir::Value memref;
};

enum class EventKind : uint8_t {
  Allocate,
  Release,
  Place,
  Start,
  Renew,
  Empty,
  End,
  Access,
  Bind,
  Exit
};

struct Event {
  EventKind kind;
  mlir::Operation *op;
  unsigned handle = 0;
  llvm::SmallVector<Access, 2> accesses;
  std::vector<Binding> bindings;
};

struct Edge {
  unsigned target = 0;
  /// Handles defined in fewer than so many regions outlive the edge.
  unsigned keepBelow = 0;
  /// Where the edge stays within a region: handles of that region outlive it if
  /// they are used in or after this block.
  mlir::Block *sameRegionBlock = nullptr;
  /// The operands forwarded, as (target, source) values; `bindings` are derived
  /// from them once the aliases are known.
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>, 1> forwarded;
  std::vector<Binding> bindings;
  /// The same for what tells of the end of tasks.
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>, 0> tokens;
  /// And for what may tell whether memory is owned: every i1.
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>, 0> flags;
};

/// What the verifier asks of many ops, told mostly by their names.
struct OpKind {
  bool isolated = false;
  bool calls = false;
  bool views = false;
  bool selects = false;
  bool terminates = false;
  bool branchesToRegions = false;
  bool declaresEffects = false;
  bool coroutine = false;
  /// It may still run after control has gone on, as it is, or is in, an op that
  /// does.
  bool goesOn = false;
};

/// An op with memrefs among its operands or results, or with regions or
/// successors, or a call, or the end of a block of the function itself: no
/// other op matters to memory.
struct ListedOp {
  mlir::Operation *op;
  OpKind kind;
  /// The first listed op after those inside it.
  unsigned end;
};

/// A piece of a block that ends with `last`: its terminator or an op with
/// regions that control enters.
struct Node {
  mlir::Block *block = nullptr;
  unsigned depth = 0;
  /// The op with regions that control comes from, when the node follows one.
  mlir::Operation *after = nullptr;
  mlir::Operation *last = nullptr;
  /// Its listed ops, and what is inside those.
  unsigned opsBegin = 0;
  unsigned opsEnd = 0;
  std::vector<Event> events;
  std::vector<Edge> edges;
};

/// The nodes [begin, end) inside the regions of an op.
struct NodeSpan {
  unsigned begin = 0;
  unsigned end = 0;
};

class CallSummaries;

struct Model {
  mlir::FunctionOpInterface function;
  /// Keeps the sets of slots.
  std::unique_ptr<IdSets> idSets = std::make_unique<IdSets>();
  /// No memref.view repeats one that dominates it, as after the elimination of
  /// common subexpressions: one view may be several buffers, one after another.
  bool mayMergeBuffers = false;
  /// Buffers begin in slots that travel, so that it matters which values are
  /// surely different slots.
  bool hasRenewals = false;
  /// There are these, or what they were lowered to: where the slots may be the
  /// same is not known then, but that what a slot held is needed no more.
  bool hasBeginnings = false;
  /// It returns at its first suspension and goes on afterwards.
  bool isCoroutine = false;
  /// By region, how many it is in, and itself; of those that were asked for.
  llvm::DenseMap<mlir::Region *, unsigned> depths;
  /// In program order, each before what is inside it.
  std::vector<ListedOp> ops;
  std::vector<Handle> handles;
  std::vector<Node> nodes;
  /// The handles of arenas and slots, by their values.
  llvm::DenseMap<mlir::Value, unsigned> placed;
  /// The slots of arenas that are used as one buffer, by the arenas' values.
  llvm::DenseMap<mlir::Value, unsigned> wholeArenas;
  /// The slots of arenas that are split among the iterations of a parallel
  /// loop; taken while it runs.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<unsigned, 1>>
      workerFrames;
  /// The ops with regions that control enters, in program order.
  std::vector<std::pair<mlir::Operation *, NodeSpan>> structured;
  llvm::DenseMap<mlir::Operation *, NodeSpan> spans;
  Liveness liveness;

  const Handle &arenaOf(unsigned slot) const {
    return handles[handles[slot].arena];
  }
};

/// Fills in the listed ops, which everything else goes through.
void listOps(Model &model);
void listOps(Model &model, mlir::Region &root);

/// True for ops that may still run after control has gone on.
bool goesOn(mlir::Operation *op);

/// Calls `fn` on the listed ops [begin, end) in program order, leaving out ops
/// that are isolated from the function and what lies in them.
template <typename Fn>
void forEachOp(const Model &model, unsigned begin, unsigned end, Fn fn) {
  for (unsigned i = begin; i < end;) {
    const ListedOp &listed = model.ops[i];
    i = listed.kind.isolated ? listed.end : i + 1;
    if (!listed.kind.isolated)
      fn(listed);
  }
}
template <typename Fn> void forEachOp(const Model &model, Fn fn) {
  forEachOp(model, 0, model.ops.size(), fn);
}

/// How many regions of the function enclose the definition of `value`.
unsigned getDepth(mlir::Value value, Model &model);

/// Finds arenas and slots and checks that every slot lies in its arena and is
/// aligned. Emits an error per violation.
mlir::LogicalResult collectSlots(Model &model, CallSummaries &calls);

/// The bytes from one element of this type to the next, if they are known.
std::optional<int64_t> getElementBytes(mlir::Type type, mlir::Operation *scope);

/// The bytes of a memref of static shape, if they are known.
std::optional<int64_t> getSizeInBytes(mlir::MemRefType type,
                                      mlir::Operation *scope);

/// Builds nodes, edges and their forwarded operands, of the function or of one
/// region in it.
void buildGraph(Model &model);
void buildGraph(Model &model, mlir::Region &root);

/// The strongly connected parts of the graph that control may reach, each
/// sorted, in topological order.
using Component = llvm::SmallVector<unsigned, 1>;
std::vector<Component> findComponents(llvm::ArrayRef<Node> nodes);
/// The same of what can be reached from `roots` in any graph.
using Successors = llvm::SmallVector<unsigned, 2>;
std::vector<Component> findComponents(llvm::ArrayRef<Successors> successors,
                                      llvm::ArrayRef<unsigned> roots);
bool isCyclic(llvm::ArrayRef<Node> nodes, llvm::ArrayRef<unsigned> component);

/// True if control enters the regions of `op` in a way the graph describes.
bool hasKnownControlFlow(mlir::Operation *op);

/// True if iterations of the regions of `op` may run at once.
bool runsInParallel(mlir::Operation *op);

} // namespace memplan::planverifier

#endif // MEMPLAN_LIB_ANALYSIS_PLANVERIFIERMODEL_H
