//===- PlanVerifierCalls.cpp - What callees do with slots -----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanVerifierDataflow.h"
#include "PlanVerifierGuards.h"

#include "memplan/IR/Memplan.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace memplan::planverifier {

int64_t CallSummaries::getArenaAlignment(CallOpInterface call,
                                         unsigned argument) {
  FunctionOpInterface function = resolve(call);
  if (!function || argument >= function.getNumArguments())
    return 0;
  auto alignment = function.getArgAttrOfType<IntegerAttr>(
      argument, MemplanDialect::kArenaAttr);
  return alignment ? alignment.getInt() : 0;
}

bool CallSummaries::onlyReads(CallOpInterface call, unsigned argument) {
  if (getArenaAlignment(call, argument) != 0)
    return false;
  if (const CallSummary *summary = get(call))
    return argument < summary->writesArgument.size() &&
           !summary->writesArgument[argument];
  auto function = dyn_cast_or_null<FunctionOpInterface>(
      call.resolveCallableInTable(&symbols));
  if (!function || !function.isExternal() ||
      argument >= function.getNumArguments())
    return false;
  // "none" or "read", against "write" and "read-write".
  auto access =
      function.getArgAttrOfType<StringAttr>(argument, "bufferization.access");
  return (access && !access.getValue().contains("write")) ||
         function.getArgAttr(argument, "llvm.readonly") ||
         function.getArgAttr(argument, "llvm.readnone");
}

CallSummary CallSummaries::summarize(FunctionOpInterface function) {
  Model model;
  model.function = function;
  listOps(model);
  buildGraph(model);
  Flows flows(model, *this);
  SmallVector<std::pair<Value, unsigned>> arguments;
  for (BlockArgument argument : function.getArguments())
    if (isa<BaseMemRefType>(argument.getType()))
      arguments.push_back({argument, argument.getArgNumber()});
  flows.propagate(arguments);

  FreeGuards guards(model, flows);
  CallSummary summary(function.getNumArguments(), function.getNumResults());
  if (model.isCoroutine) {
    summary.losesArgument.set();
    summary.writesArgument.set();
  }
  forEachOp(model, [&](const ListedOp &listed) {
    Operation *op = listed.op;
    bool returns =
        op->getParentOp() == function && op->hasTrait<OpTrait::ReturnLike>();
    for (unsigned i = 0, e = function.getNumResults(); returns && i != e; ++i)
      if (!flows.isOnlyArguments(op->getOperand(i), model))
        summary.resultIsOnlyArguments.reset(i);
    UseClassifier uses(listed, *this);
    for (OpOperand &operand : op->getOpOperands()) {
      IdSet roots = flows.rootsOf(operand.get());
      if (roots.empty())
        continue;
      llvm::BitVector *found = nullptr;
      Use use = returns ? Use() : uses.classify(operand);
      if (returns && operand.getOperandNumber() < function.getNumResults())
        found = &summary.resultIsArgument[operand.getOperandNumber()];
      else if (!use.problem.empty())
        found = &summary.losesArgument;
      bool frees = isa<memref::DeallocOp, bufferization::DeallocOp>(op);
      for (unsigned root : roots) {
        if (frees && found && guards.spares(operand, root))
          continue;
        if (found)
          found->set(root);
        if (use.writes || !use.problem.empty())
          summary.writesArgument.set(root);
      }
    }
  });
  return summary;
}

/// Null if the argument may be the callee's arena, else what is wrong with it.
static const char *findHandedProblem(const Model &model, const Aliases &aliases,
                                     CallOpInterface call, unsigned argument,
                                     int64_t alignment) {
  OperandRange operands = call.getArgOperands();
  Value handed = operands[argument];
  // The slots of an arena are aligned, or were reported.
  if (!model.placed.count(handed)) {
    auto alloc = handed.getDefiningOp<memref::AllocOp>();
    auto alloca = handed.getDefiningOp<memref::AllocaOp>();
    std::optional<uint64_t> known = alloc    ? alloc.getAlignment()
                                    : alloca ? alloca.getAlignment()
                                             : std::nullopt;
    if (static_cast<int64_t>(known.value_or(1)) % alignment != 0)
      return "which is not known to be aligned as it expects";
  }
  IdSet mine = aliases.getFlows().rootsOf(handed);
  for (unsigned i = 0, e = operands.size(); i != e; ++i) {
    IdSet others = aliases.getFlows().rootsOf(operands[i]);
    if (i != argument &&
        (operands[i] == handed || IdSet::findCommon(mine, others)))
      return "and also as another argument";
  }
  return nullptr;
}

bool handsArenas(const Model &model, CallSummaries &calls) {
  bool found = false;
  forEachOp(model, [&](const ListedOp &listed) {
    if (!listed.kind.calls)
      return;
    if (auto call = dyn_cast<CallOpInterface>(listed.op))
      for (unsigned i = 0, e = call.getArgOperands().size(); i != e; ++i)
        found |= calls.getArenaAlignment(call, i) != 0;
  });
  return found;
}

LogicalResult checkHandedArenas(const Model &model, const Aliases &aliases,
                                CallSummaries &calls) {
  bool failed = false;
  forEachOp(model, [&](const ListedOp &listed) {
    if (!listed.kind.calls)
      return;
    Operation *op = listed.op;
    auto call = cast<CallOpInterface>(op);
    for (unsigned i = 0, e = call.getArgOperands().size(); i != e; ++i) {
      int64_t alignment = calls.getArenaAlignment(call, i);
      if (alignment == 0)
        continue;
      if (const char *problem =
              findHandedProblem(model, aliases, call, i, alignment)) {
        op->emitError() << "hands the callee memory for its arena, " << problem;
        failed = true;
      }
    }
  });
  return failure(failed);
}

namespace {

/// Notes what happens to arguments that hold nothing of their own on entry.
class ContentsProbe : public Reporter {
public:
  ContentsProbe(const Model &model, unsigned count)
      : model(model), reads(count), keepsSome(count) {}

  void readClobbered(Operation *, unsigned handle, const Clobber &) override {
    for (unsigned slot : model.handles[handle].slots)
      reads.set(getArgument(slot));
  }

  void atExit(Operation *, WorkingState &state) override {
    returns = true;
    state.forEachPresent(0, [&](unsigned handle) {
      if (model.handles[handle].kind == HandleKind::Slot &&
          !state.find(handle)->clobbers.empty())
        keepsSome.set(getArgument(handle));
    });
  }

  CallContents take() {
    CallContents contents{reads, keepsSome};
    contents.overwrites.flip();
    if (!returns)
      contents.overwrites.reset();
    return contents;
  }

private:
  unsigned getArgument(unsigned slot) const {
    Value value = model.handles[slot].value;
    return cast<BlockArgument>(value).getArgNumber();
  }

  const Model &model;
  llvm::BitVector reads;
  llvm::BitVector keepsSome;
  bool returns = false;
};

/// Makes each memref argument a slot of an arena of its own.
void addArgumentSlots(Model &model) {
  for (BlockArgument argument : model.function.getArguments()) {
    if (!isa<BaseMemRefType>(argument.getType()))
      continue;
    unsigned id = model.handles.size();
    model.handles.resize(id + 2);
    Handle &arena = model.handles[id], &slot = model.handles[id + 1];
    arena.kind = HandleKind::Arena;
    arena.arena = slot.arena = id;
    slot.value = argument;
    slot.slots = IdSet(id + 1);
    // More than any argument has, where its size is not known.
    slot.bytes = {0, int64_t(1) << 62};
    if (auto type = dyn_cast<MemRefType>(argument.getType());
        type && type.hasStaticShape() && type.getLayout().isIdentity())
      if (auto size = getSizeInBytes(type, model.function))
        slot.bytes.end = *size;
    model.placed[argument] = id + 1;
  }
}

} // namespace

CallContents CallSummaries::analyzeContents(FunctionOpInterface function) {
  Model model;
  model.function = function;
  listOps(model);
  addArgumentSlots(model);
  buildGraph(model);
  Aliases aliases(model, *this);
  unsigned count = function.getNumArguments();
  // What is returned or lost is read after the call, if at all.
  (void)buildEvents(model, aliases, *this, /*quiet=*/true);
  findLastUses(model);
  Entries entry;
  for (unsigned id = 0; id != model.handles.size(); ++id)
    if (const Handle &slot = model.handles[id]; slot.kind == HandleKind::Slot) {
      entry.push_back({id, {}});
      entry.back().second.written = true;
      if (slot.bytes.end != 0)
        entry.back().second.clobbers = {{0, slot.bytes.end, function, id}};
    }
  ContentsProbe probe(model, count);
  runDataflow(model, aliases, *this, probe, entry);
  return probe.take();
}

void lookInto(CallOpInterface call, Access &access, const Model &model,
              CallSummaries &calls, WorkingState &state) {
  const Handle &info = model.handles[access.handle];
  const Entry *entry = state.find(access.handle);
  if (!entry || entry->clobbers.empty() || !access.memref)
    return;
  if (const CallContents *contents = calls.getContents(call)) {
    access.reads = false;
    access.overwrites = true;
    for (auto [i, operand] : llvm::enumerate(call.getArgOperands()))
      if (operand == access.memref) {
        access.reads |= contents->reads[i];
        access.overwrites &= contents->overwrites[i];
      }
    return;
  }
  // A callee without a body. A buffer that was used up and then lost as a
  // whole is one that begins anew where one view may stand for several.
  ByteSet whole = {{0, info.bytes.end - info.bytes.begin}};
  std::vector<Clobber> kept = {{0, whole.front().end, call, access.handle}};
  for (const Clobber &clobber : entry->clobbers)
    removeClobbers(kept, {{clobber.begin, clobber.end}});
  if (model.mayMergeBuffers && info.kind == HandleKind::Slot && !info.marked &&
      entry->consumed && kept.empty()) {
    Entry &renewed = state.edit(access.handle);
    renewed.clobbers.clear();
    renewed.consumed = false;
  }
}
} // namespace memplan::planverifier
