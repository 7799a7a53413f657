#!/usr/bin/env python3
"""Breaks rules of the lifetime analysis one by one; each mutant must be detected.

  mutate_analysis.py --work DIR [--count 1000] [--jobs 2] [--only NAME ...] [--table FILE]

Each mutant is a small change of the planner's source that removes one rule. It is
built in a copy of the sources, and random programs (fuzz_programs.py) are planned
with it until the mutant is detected: the results of the original and the planned
program differ, the verifier rejects a plan, or the planner crashes. A mutant that
survives shows a gap of the generator or the verifier, or a redundant rule. A wrong size,
and some other faults, have a program of their own, of which the verifier must refuse the
plan. The exit status is 1 if one survives. The verifier, which shares no code with the
planner, is not mutated.
"""

import argparse
import filecmp
import os
import re
import shutil
import subprocess
import sys
import time

from execution import StepFailed, Tools

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MODULE = ["--options", "scope=module entry-points=main"]
# The programs of one module.
BATCH = 50


# A program for each size mutant: the function with its name.
SIZES = os.path.join(ROOT, "test", "Transforms", "sizes-proven.mlir")
# Programs whose deallocations compare planned memory with other, that are in place, and
# that get their arena from the caller.
RETAINED = os.path.join(ROOT, "test", "Transforms", "retained.mlir")
PLACED = os.path.join(ROOT, "test", "Transforms", "in-place.mlir")
ARENA_ARGUMENT = os.path.join(ROOT, "test", "Transforms", "dynamic-argument.mlir")
# A program for all mutants of raising.
RAISED = os.path.join(ROOT, "test", "Transforms", "raise-deallocations-proven.mlir")


class Mutant:
    """A change of the source. `options` are further options of fuzz_programs.py, `also`
    further changes (path, old, new) if two places implement the rule."""

    def __init__(self, name, path, rule, old, new, options=(), also=()):
        self.name, self.path, self.rule = name, path, rule
        self.changes = [(path, old, new), *also]
        self.options = list(options)

    def fits(self):
        """Whether every text to replace occurs exactly once in its source."""
        for path, old, _ in self.changes:
            with open(os.path.join(ROOT, path)) as file:
                if file.read().count(old) != 1:
                    return False
        return True

    def apply(self, root):
        for path, old, new in self.changes:
            path = os.path.join(root, path)
            with open(path) as file:
                text = file.read()
            with open(path, "w") as file:
                file.write(text.replace(old, new))

    def undo(self, root):
        for path, _, _ in self.changes:
            shutil.copy(os.path.join(ROOT, path), os.path.join(root, path))


def find_program(path, function):
    """The part of the test that has the function."""
    with open(path) as file:
        return next(part for part in file.read().split("\n// -----\n")
                    if f"func @{function}(" in part)


class SizeMutant(Mutant):
    """A wrong size. The verifier must refuse the plan of one program, which is planned
    without the mutant: that it computes something else at some size is not enough."""

    def __init__(self, name, path, rule, old, new, options=""):
        super().__init__(name, path, rule, old, new)
        self.planning = options

    def program(self):
        return find_program(SIZES, self.name)

    def judge(self, driver):
        """(how the mutant was detected, the refusal and the plan)"""
        tools = Tools(driver)
        tools.options = self.planning
        try:
            tools.plan(self.program(), "auto")
            return "", ""
        except StepFailed as failed:
            refusal = failed.output
        options = self.planning
        plan = tools.server.optimize(
            self.program(), f"--memplan-extract={options}", "--memplan-solve",
            "--memplan-materialize").output
        kept = [line for line in plan.splitlines()
                if re.search(r"arith\.|memplan\.(slot|arena|view|renew)", line)]
        return describe(refusal), "\n".join(refusal.splitlines()[:1] + kept)


class ProgramMutant(Mutant):
    """A fault that no random program shows: the verifier must refuse the plan of the test
    program (path, function) that these passes make."""

    def __init__(self, name, path, rule, old, new, program, passes):
        super().__init__(name, path, rule, old, new)
        self.program, self.passes = program, passes

    def judge(self, driver):
        """(how the mutant was detected, the refusal)"""
        try:
            Tools(driver).memplan("memplan-verify", find_program(*self.program), *self.passes)
            return "", ""
        except StepFailed as failed:
            return describe(failed.output), failed.output.splitlines()[0]


class RaiseMutant(Mutant):
    """A fault in raising lowered deallocations. The verifier must refuse to raise those of
    one program, in which `edit` (old, new) changes the first such text after lowering."""

    def __init__(self, name, path, rule, old, new, also=(), edit=("", "")):
        super().__init__(name, path, rule, old, new, also=also)
        self.edit = edit

    def judge(self, driver):
        """(how the mutant was detected, the refusals)"""
        tools = Tools(driver)
        with open(RAISED) as file:
            lowered, _ = tools.memplan("bufferization-lower-deallocations", file.read(),
                                       "--bufferization-lower-deallocations", "--canonicalize")
        assert self.edit[0] in lowered
        try:
            tools.raise_deallocations(lowered.replace(*self.edit, 1))
            return "", ""
        except StepFailed as failed:
            return describe(failed.output), "\n".join(
                line for line in failed.output.splitlines() if "not raised" in line)


ORDER = "lib/Analysis/Points/ProgramOrder.cpp"
LIFETIMES = "lib/Analysis/Lifetime/Lifetimes.cpp"
ALIASES = "lib/Analysis/Alias/AliasGraph.cpp"
USES = "lib/Analysis/Alias/BufferUse.cpp"
PROBLEM = "lib/Analysis/Problem/BuildProblem.cpp"
FREES = "lib/Analysis/Problem/PlannedFrees.cpp"
GROUP = "lib/Analysis/Slots/PhiCycleGroup.cpp"
FRAMES = "lib/Transforms/Plan/ModuleProblems.cpp"
BUFFER_SIZES = "lib/Analysis/Problem/BufferSizes.cpp"
WALK = "lib/Analysis/Slots/PhiCycleWalk.cpp"
START = "lib/Analysis/Points/FirstAccessDominator.cpp"
FIND = "lib/Analysis/Slots/FindPhiCycle.cpp"
IN_PLACE = "lib/Analysis/Problem/InPlace.cpp"
OVERWRITES = "lib/Analysis/Lifetime/Overwrites.cpp"
SINK_FILLS = "lib/Transforms/Prepare/SinkFills.cpp"
IN_SLICES = "lib/Transforms/Prepare/ComputeInSlices.cpp"
NESTS = "lib/Analysis/Accesses/Nests.cpp"
ENTRY = "lib/Analysis/Sizes/EntryValues.cpp"
CONGRUENT = "lib/Analysis/Sizes/CongruentSizes.cpp"
BOUNDS = "lib/Analysis/Sizes/IndexBounds.cpp"
SIZE_OPS = "lib/Analysis/Sizes/SizeOps.cpp"
MATERIALIZE = "lib/Transforms/Plan/MaterializeFunction.cpp"
LOWER = "lib/Transforms/Lower/LowerFunction.cpp"
RAISE = "lib/Transforms/Dealloc/RaiseDeallocations.cpp"
HELPER = "lib/Transforms/Dealloc/DeallocationHelper.cpp"
CLONES = "lib/Transforms/Dealloc/RaiseClones.cpp"
SIZED = ["--sizes"]

MUTANTS = [
    Mutant("back-edges", LIFETIMES, "what is live where a loop begins is live at its end",
           "        pending.push_back({from, end});\n",
           "        if (end <= order.begin(block))\n          pending.push_back({from, end});\n"),
    Mutant("region-entries", ORDER, "liveness flows into the op around a region",
           "      visit(from, point);\n", "      if (false)\n        visit(from, point);\n"),
    Mutant("block-edges", ORDER, "liveness flows along the edges between blocks",
           "  for (Block *predecessor : block->getPredecessors())\n",
           "  for (Block *predecessor : ArrayRef<Block *>())\n"),
    Mutant("overwritten-parts", OVERWRITES, "what overwrites a part leaves the rest needed",
           "findWholeRoot(record.operand->get()) ==\n"
           "                            allocation->getResult(0)};", "true};"),
    Mutant("overwritten-elsewhere", OVERWRITES, "what is needed where blocks begin is needed before",
           "    if (isNew && block != home)\n      order.forEach", "    if (false)\n      order.forEach"),
    Mutant("overwriting-nests-read", OVERWRITES, "a nest that reads a buffer needs what it held",
           "    if ((i == 0 || entries[i - 1].access.point < whole.point) &&\n"
           "        (i + 1 == entries.size() || entries[i + 1].access.point >= whole.end))\n",
           "    if (i > 0)\n"),
    Mutant("overwriting-nests-part", NESTS, "a nest that stores to a part leaves the rest needed",
           "  if (access->bytes.begin != 0 || written != *size)\n",
           "  if (access->bytes.begin != 0)\n"),
    Mutant("fills-behind-writes", SINK_FILLS, "what is written to later is no longer the value",
           "    if (!changes)\n      continue;\n", "    if (!changes || place)\n      continue;\n"),
    Mutant("last-use", LIFETIMES, "an operand is live during the op that reads it",
           "      pending.push_back({anchor->getBlock(), getSpan(op).end});",
           "      pending.push_back({anchor->getBlock(), getSpan(op).start});"),
    Mutant("handed-on", LIFETIMES, "a buffer is live where it is handed to a value that is",
           "    if (record.use.access || (record.use.forward && forwardIsLive(id, op))) {",
           "    if (record.use.access) {"),
    Mutant("views-matter", LIFETIMES, "what a view of a view accesses, its source does",
           "      if (effective[source])\n        continue;\n",
           "      if (effective[source] || graph.predecessors(source).empty())\n        continue;\n"),
    Mutant("first-write-in-loop", LIFETIMES, "a first write in a loop starts no life in it",
           "      result &= from == region->getParentOp()->getBlock();\n", "      (void)from;\n"),
    Mutant("first-write-in-blocks", LIFETIMES,
           "a first write in a block of several starts a life only if it is all there",
           "      if (isEnteredFirst(region) && (region->hasOneBlock() || isAllInside(op)))\n",
           "      if (isEnteredFirst(region))\n"),
    Mutant("joins-start-lives", LIFETIMES,
           "a buffer has come to life where a value begins that may be it",
           "      if (record.use.access || isLiveJoin(alias, record))",
           "      if (record.use.access)"),
    Mutant("coalesced-overlap", LIFETIMES, "values that are live at once share no slot",
           "    if (next.range.start < (next.web == web ? otherEnd : end))\n"
           "      return std::nullopt;\n", ""),
    Mutant("one-alias-deep", ALIASES, "aliases of aliases are aliases",
           "    for (Id next : forwardEdges[reached[i]])\n      if (seen",
           "    for (Id next : forwardEdges[reached[i]])\n      if (i < ids.size() && seen"),
    Mutant("call-results", ALIASES, "a result of a call may be an argument",
           "      addEdge(call.getOperand(argument), result);", "      (void)argument;"),
    Mutant("two-frees-of-one", ALIASES, "a result that may be fresh is a source of its own",
           " ||\n         !summary\n              ->resultIsArgument[cast<OpResult>(values[id]).getResultNumber()];",
           " && false;"),
    Mutant("calls-access", USES, "a call accesses its arguments",
           "  result.access = true;\n  result.forward = forwardsTo(use, call);\n  return result;\n}\n\n"
           "BufferUse AliasGraph::classifyIndirectCall",
           "  result.forward = forwardsTo(use, call);\n  return result;\n}\n\n"
           "BufferUse AliasGraph::classifyIndirectCall"),
    Mutant("callees-keep", USES, "what a callee keeps, returns from deeper or frees is left alone",
           "    if (!escape.empty())\n", "    if (escape.size() > 100000)\n"),
    Mutant("returns-escape", USES, "what a function returns is not in its arena",
           '    return escape("is returned");', "    return result;"),
    Mutant("pointers-escape", USES, "what an op takes the address of is left alone",
           "  if (isa<memref::ExtractAlignedPointerAsIndexOp>(op)) {\n",
           "  if (isa<memref::ExtractAlignedPointerAsIndexOp>(op)) {\n    return result;\n"),
    Mutant("effects", USES, "declared effects on a buffer are accesses",
           "    else if (isa<MemoryEffects::Read, MemoryEffects::Write>(effect.getEffect()))\n",
           "    else if (isa<MemoryEffects::Write>(effect.getEffect()))\n",
           also=[(USES, "  if (!result.access && result.escape.empty())\n",
                  "  if (effects.empty())\n")]),
    Mutant("linalg-accesses", USES, "a linalg op accesses its operands",
           "  if (isa<linalg::LinalgOp>(op)) {\n    result.access = true;\n",
           "  if (isa<linalg::LinalgOp>(op)) {\n"
           "    result.access = !cast<linalg::LinalgOp>(op).isDpsInput(&use);\n"),
    Mutant("carried-allocations", PROBLEM,
           "a buffer that reaches the next execution of its allocation has no slot alone",
           "      if (order.isNumbered(parent) && parent->isAncestor(allocation))\n        return parent;\n",
           "",
           also=[(LIFETIMES, "    if (contains(live, {birth, birth + 1}))\n      return std::nullopt;\n",
                  "")]),
    Mutant("carried-by-blocks", PROBLEM, "nor one that a loop of blocks carries",
           "    if (around && isInCycle(around))\n", "    if (around && false)\n",
           also=[(LIFETIMES, "    if (contains(live, {birth, birth + 1}))\n",
                  "    if (contains(live, {birth, birth + 1}) &&\n"
                  "        allocation->getParentRegion()->hasOneBlock())\n")]),
    Mutant("parallel-allocations", PROBLEM,
           "an iteration of a parallel loop has no slot of all iterations",
           "  if (order.isInsideOpaque(op)) {\n",
           "  if (order.isInsideOpaque(op) && false) {\n",
           ["--options", "workers=0"],
           also=[(LIFETIMES, "    if (contains(live, {birth, birth + 1}))\n",
                  "    if (contains(live, {birth, birth + 1}) &&\n"
                  "        !order.isInsideOpaque(allocation))\n")]),
    Mutant("frames-live", PROBLEM, "the frame of a callee is live during the call",
           "      record.lifetime = {{begin, begin + 1}};",
           "      record.lifetime = {{0, 1}};", MODULE),
    Mutant("frame-sizes", FRAMES, "the frame of a callee is as large as its arena",
           "        return arena.plan.arenaSize;", "        return 1;", MODULE),
    Mutant("slot-sizes", PROBLEM, "a slot is as large as the largest buffer in it",
           "      buffer.size = std::max(buffer.size, record.size);", "      (void)buffer;"),
    Mutant("graph-start-repeats", START,
           "a block that comes again without the allocation starts no life",
           "  if (!own.isCycle)\n    return false;\n",
           "  if (own.number != ~0u)\n    return false;\n"),
    Mutant("graph-start-dominates", START,
           "the block where a life starts comes before all accesses",
           "  Block *start = findCommonDominator(accessing);\n",
           "  Block *start = accessing.front();\n"),
    Mutant("shared-frees", FREES, "what shares a deallocation with memory elsewhere is left alone",
           "          free.freesForeign = true;\n", "          (void)0;\n"),
    Mutant("turns-first-use", GROUP, "a fresh buffer has its slot from its first use on",
           "  int64_t birth = order.end(allocation), begin = order.begin(first);",
           "  int64_t birth = order.end(allocation), begin = order.end(first);"),
    Mutant("turns-used-on", WALK, "what is handed on has no other name",
           "      if (it == state.names.end() || keeps(name))",
           "      if (it == state.names.end())"),
    Mutant("turns-chosen", WALK, "what a select may choose is not used after it",
           "    if (it == state.names.end() || group.isLive(source, after)) {",
           "    if (it == state.names.end()) {"),
    Mutant("turns-own-value", WALK, "an operand that is not its slot is forwarded apart",
           "  case SlotValue::Kind::Slot:\n    return false;\n",
           "  case SlotValue::Kind::Slot:\n    return true;\n"),
    Mutant("turns-rejected", WALK, "a select leaves the slot it did not choose free",
           "    state.free.push_back(rejected);",
           "    state.free.push_back(**first);"),
    Mutant("turns-types", FIND, "what takes turns has one type and extents",
           "      if (shape.value_or(own) != own)\n        return std::nullopt;\n", ""),
    Mutant("turns-passed-through", FIND, "a value of a join point that gets two slots is kept",
           "      if (only && *only != id)\n        return false;\n", ""),
    Mutant("turns-flow", FIND, "a slot is live where any value that may be in it is",
           "        slots[to] |= slots[from];\n        changed = true;\n",
           "        if (slots[to].none()) {\n          slots[to] |= slots[from];\n"
           "          changed = true;\n        }\n"),
    Mutant("in-place-shapes", IN_PLACE, "equal indices are the same element only in equal shapes",
           "load.key != store.key || load.shape != store.shape", "load.key != store.key"),
    Mutant("in-place-indices", IN_PLACE, "a nest reads the element that it writes",
           "load.key != store.key || load.shape != store.shape", "load.shape != store.shape"),
    Mutant("in-slices-behind", IN_SLICES, "what was copied to a slice may be used behind the copy",
           "      !findReadsBehind(*candidate, *ofSmall) ||\n",
           "      (findReadsBehind(*candidate, *ofSmall), false) ||\n"),
    Mutant("in-slices-stays", IN_SLICES, "the slice keeps what is read of it behind the copy",
           "      !staysBehind(*candidate, *ofLarge))\n", "      false)\n"),
    Mutant("in-slices-between", IN_SLICES, "nobody uses the slice while it is computed",
           "      if (!isElsewhere(candidate, access) &&\n",
           "      if (false && !isElsewhere(candidate, access) &&\n"),
    Mutant("in-slices-fill", IN_SLICES, "what fills around the slice does so before",
           "  for (Operation *fill : start.fills)\n    moveUp(fill);\n", ""),
    Mutant("lowered-constants", LOWER, "a view at a constant place stays there",
           "    offset = getConstant(static_cast<int64_t>(op.getOffset()));\n",
           "    offset = getConstant(static_cast<int64_t>(op.getOffset()) / 2);\n"),
    Mutant("lowered-maxima", LOWER, "a slot begins behind all that are below it",
           "arith::MaxUIOp::create(builder, loc, get(result), get(other));",
           "arith::MinUIOp::create(builder, loc, get(result), get(other));", SIZED),
    Mutant("lowered-sums", LOWER, "a slot ends as many bytes behind its begin as it has",
           "    ends[op] = add(builder, op.getLoc(), offset, clamp(builder, op));\n",
           "    ends[op] = op.getAbove().empty()\n"
           "                   ? add(builder, op.getLoc(), offset, clamp(builder, op))\n"
           "                   : offset;\n", SIZED),
    Mutant("lowered-alignments", LOWER, "the offset of a slot is rounded up to its alignment",
           "    if (a.multiple >= alignment)\n", "    if (a.multiple >= alignment || alignment > 4)\n",
           SIZED),
    Mutant("lowered-dominated", LOWER, "the end that is left out of a maximum is the lesser one",
           "subtract(b.formula, a.formula);", "subtract(a.formula, b.formula);", SIZED),
    Mutant("lowered-least", LOWER, "a slot begins behind the constant places below it",
           "    SmallVector<Number> greatest{makeConstant(least)};\n",
           "    SmallVector<Number> greatest{makeConstant(least / 2)};\n", SIZED),
    Mutant("lowered-clamps", LOWER, "no size is larger than that its sums may wrap around",
           "    size = arith::MinUIOp::create(builder, loc, size,\n"
           "                                  getConstant(SlotOp::kMostBytes));\n", "", SIZED),
    Mutant("lowered-arenas", LOWER, "the arena ends behind all slots",
           "                            op.getSlots()));\n",
           "                            op.getSlots().take_front(1)));\n", SIZED),
    Mutant("lowered-orders", LOWER, "the lowered arena states all that a slot is above",
           "    for (Value below : slot.getAbove())\n      entry.push_back(",
           "    for (Value below : slot.getAbove().drop_back(slot.getAbove().size() / 2))\n"
           "      entry.push_back(", SIZED),
]

MUTANTS += [
    # An address of an arena is compared, which has no effect when the program runs.
    ProgramMutant("retained", FREES,
                  "what a deallocation compares is all in the arena or all elsewhere",
                  "      if (getPlace(retained) != Place::Either)\n", "      if (true)\n",
                  (RETAINED, "planned_sometimes"),
                  ["--plan-memory=lower=false", "--bufferization-lower-deallocations",
                   "--memplan-lower", "--memplan-verify"]),
    ProgramMutant("in-place-loops", IN_PLACE, "an op reads the element that it writes",
                  "if (!own || (loops && *loops != *own))", "if (!own)",
                  (PLACED, "transposed"), ["--plan-memory=in-place=true require=verified"]),
    ProgramMutant("size-functions", MATERIALIZE,
                  "the size function takes the extents that its arena depends on",
                  "      mapping.map(dim.getResult(), sizes.getArgument(extent->second));\n",
                  "      mapping.map(dim.getResult(), sizes.getArgument(0));\n",
                  (ARENA_ARGUMENT, "f"), ["--plan-memory=arena=argument require=verified"]),
]

# What the planner knows of sizes, and the sizes and offsets that it emits.
MUTANTS += [
    SizeMutant("size_extents", ENTRY, "the constant extents are factors of the bytes",
               "  for (int64_t extent : type.getShape())\n"
               "    if (!ShapedType::isDynamic(extent))\n"
               "      constant *= extent;\n"
               "  return createProduct",
               "  return createProduct"),
    SizeMutant("size_product", ENTRY, "each dynamic extent is a factor of the bytes",
               "  for (Value factor : ArrayRef(factors).drop_front())\n",
               "  for (Value factor : ArrayRef(factors).drop_front().drop_back())\n"),
    SizeMutant("size_dimension", ENTRY, "the extent of a dimension is that of no other",
               "                                    createConstant(builder, dimension));",
               "                                    createConstant(builder, 0));"),
    SizeMutant("size_divisor", ENTRY, "a divisor at the entry is replaced only if it is 0",
               "          builder.getIntegerAttr(divisor.getType(), 1));",
               "          builder.getIntegerAttr(divisor.getType(), 2));"),
    SizeMutant("size_maximum", MATERIALIZE, "a slot is as large as the largest buffer in it",
               "      size = arith::MaxSIOp::create(entry,",
               "      size = arith::MinSIOp::create(entry,"),
    SizeMutant("size_alignment", MATERIALIZE, "a slot is aligned as its buffers",
               "                                     place.from, above, size, place.alignment);",
               "                                     place.from, above, size, 1);"),
    SizeMutant("size_order", MATERIALIZE, "a slot begins where those below it end",
               "        above.push_back(tops[below]);\n"
               "        top.remove(tops[below]);\n",
               "        if (place.above.size() > 1) {\n"
               "          above.push_back(tops[below]);\n"
               "          top.remove(tops[below]);\n"
               "        }\n"),
    SizeMutant("size_least", MATERIALIZE, "a slot begins where the constant places below it end",
               "                                     place.from, above, size, place.alignment);",
               "                                     0, above, size, place.alignment);"),
    SizeMutant("bound_greatest", BOUNDS, "the most elements are as many as the extents permit",
               "  return std::max<int64_t>(elements.greatest, 0);",
               "  return std::max<int64_t>(elements.least, 0);", "dynamic=bounded"),
    SizeMutant("bound_signed", BOUNDS, "what is at most a number may be negative",
               "  case arith::CmpIPredicate::sle:\n"
               "    range.greatest = *number;",
               "  case arith::CmpIPredicate::sle:\n"
               "    range.least = 0;\n"
               "    range.greatest = *number;", "dynamic=bounded"),
    SizeMutant("bound_dimension", BOUNDS, "the bound of a dimension is that of no other",
               "extentFacts.find({memref, dimension});",
               "extentFacts.find({memref, 0});", "dynamic=bounded"),
    SizeMutant("bound_behind", BOUNDS, "what is asserted behind an access does not hold there",
               "    else if (!isHarmless(op))\n"
               "      break;",
               "    else if (!isHarmless(op))\n"
               "      continue;", "dynamic=bounded"),
    SizeMutant("bound_sum", BOUNDS, "a sum is as great as both operands together",
               "      llvm::AddOverflow(a.greatest, b.greatest, sum.greatest))",
               "      llvm::AddOverflow(a.greatest, int64_t(0), sum.greatest))", "dynamic=bounded"),
    SizeMutant("extents_shape", CONGRUENT, "buffers of one size may have different shapes",
               "  return describe(a) == describe(b);",
               "  return describe(a).size() == describe(b).size();"),
    SizeMutant("extents_operands", CONGRUENT, "what is computed from other values is another one",
               "second = b.print();", "second = a.print();"),
    SizeMutant("extents_equal", CONGRUENT, "equal sizes need not be congruent",
               "  std::string first = a.print()",
               "  if (op == SizeOp::Add)\n"
               "    if (MaybeFormula sum = add(a, b))\n"
               "      return *sum;\n"
               "  std::string first = a.print()"),
    SizeMutant("extents_carried", SIZE_OPS, "what a loop carries has the extents of all that it may be",
               "    if (found &&\n"
               "        (found->values != extent.values || found->extents != extent.extents))\n"
               "      return {};\n"
               "    found",
               "    if (found)\n"
               "      continue;\n"
               "    found"),
    SizeMutant("ops_maximum", SIZE_OPS, "the greatest of several is not the least",
               "{Kind::Affine, SizeOp::MaxS, operands, 0, max.getMap()}",
               "{Kind::Affine, SizeOp::MinS, operands, 0, max.getMap()}", "dynamic=bounded"),
    SizeMutant("ops_unsigned", SIZE_OPS, "a negative number is a great one without a sign",
               "return SizeOp::MaxU;", "return SizeOp::MaxS;", "dynamic=bounded"),
    SizeMutant("ops_difference", SIZE_OPS, "a difference is not a sum",
               "return SizeOp::Sub;", "return SizeOp::Add;"),
    SizeMutant("narrow_index", BUFFER_SIZES, "sizes that are computed do not wrap around",
               "  if (!unknown && getGreatestIndex(problem.function) != INT64_MAX)",
               "  if (!unknown && getGreatestIndex(problem.function) < 0)"),
    RaiseMutant("raise_condition", RAISE, "each memref keeps its condition",
                "  bufferization::DeallocOp rewrite() {\n    OpBuilder builder(call);\n",
                "  bufferization::DeallocOp rewrite() {\n    OpBuilder builder(call);\n"
                "    std::reverse(owned.begin(), owned.end());\n"),
    RaiseMutant("raise_freed", RAISE, "all memrefs are freed",
                "  bufferization::DeallocOp rewrite() {\n    OpBuilder builder(call);\n",
                "  bufferization::DeallocOp rewrite() {\n    OpBuilder builder(call);\n"
                "    freed.pop_back(), owned.pop_back();\n"),
    RaiseMutant("raise_retained", RAISE, "all retained memrefs are kept",
                "  bufferization::DeallocOp rewrite() {\n    OpBuilder builder(call);\n",
                "  bufferization::DeallocOp rewrite() {\n    OpBuilder builder(call);\n"
                "    if (ownership.empty())\n      kept.clear();\n"),
    RaiseMutant("raise_ownership", RAISE, "each retained memref has its ownership",
                "      load.getResult().replaceAllUsesWith(dealloc.getResult(number));",
                "      load.getResult().replaceAllUsesWith(\n"
                "          dealloc.getResult(kept.size() - 1 - number));"),
    RaiseMutant("raise_place", RAISE, "what is freed before an op is freed before it",
                "  bufferization::DeallocOp rewrite() {\n    OpBuilder builder(call);\n",
                "  bufferization::DeallocOp rewrite() {\n"
                "    OpBuilder builder(ownership.empty()\n"
                "                          ? call->getBlock()->getTerminator()\n"
                "                          : call);\n"),
    RaiseMutant("raise_compared", RAISE, "what is compared is freed only if it is owned",
                "    Value owned = conditions.empty()\n",
                "    Value owned = !retained.empty()\n"),
    RaiseMutant("raise_equal", RAISE, "ownership is that of the memref compared with",
                "            dealloc.getResult(static_cast<unsigned>(number)));",
                "            dealloc.getResult(comparisons.size() - 1 - number));"),
    RaiseMutant("raise_asked", RAISE, "what is retained by another name may be owned",
                "    if (llvm::is_contained(retained, memref) && (!asked || asked == memref)) {",
                "    if (llvm::is_contained(retained, memref)) {",
                also=[(RAISE, "    if (asked && asked != value)\n      return;\n", "")]),
    RaiseMutant("raise_dropped", RAISE, "the condition of what is not freed is its ownership",
                "    for (Value condition : owned)\n",
                "    for (Value condition : ArrayRef<Value>())\n"),
    RaiseMutant("raise_pairing", RAISE, "a decision is that of the memref that it guards",
                "      if (!free || (free.getMemref() != taken.getSource() &&\n"
                "                    free.getMemref() != freed[number]))\n",
                "      if (!free || !taken)\n",
                edit=("memref.dealloc %arg0", "memref.dealloc %arg1")),
    RaiseMutant("raise_quiet", RAISE, "what frees behind an op does not free before it",
                "      if (!own.contains(op) && !isMemoryEffectFree(op))\n",
                "      if (!own.contains(op) && !op)\n",
                edit=("      memref.dealloc %arg0 : memref<8xi64>\n    }\n",
                      "      memref.dealloc %arg0 : memref<8xi64>\n    }\n"
                      "    func.call @use(%arg2) : (memref<8xi64>) -> ()\n")),
    RaiseMutant("raise_helper", HELPER, "the helper is upstream's",
                "  return helpers->known[callee] = isSame;",
                "  return helpers->known[callee] = isSame || true;",
                edit=("arith.cmpi eq, %5, %0", "arith.cmpi ule, %5, %0")),
    RaiseMutant("raise_clone", CLONES, "a clone is a copy of its source",
                "loc, clone.getInput(), memory);", "loc, memory, clone.getInput());"),
]


def run(command, **kwargs):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, **kwargs)


def copy_changed(source, target):
    """Copies the file if it differs, with the time of the copy: an object that was built
    from a mutant is newer than the source in the repository."""
    if not (os.path.exists(target) and filecmp.cmp(source, target, shallow=False)):
        shutil.copy(source, target)


def prepare(work):
    """Copies the sources and builds the unchanged planner; returns its root."""
    root = os.path.join(work, "src")
    os.makedirs(root, exist_ok=True)
    for entry in ("CMakeLists.txt", "CMakePresets.json", "cmake", "include", "lib", "tools",
                  "test", "python", "benchmarks", "examples", "docs", "README.md", "LICENSE"):
        source, target = os.path.join(ROOT, entry), os.path.join(root, entry)
        if os.path.isdir(source):
            shutil.copytree(source, target, dirs_exist_ok=True, copy_function=copy_changed,
                            ignore=shutil.ignore_patterns("build*", "__pycache__"))
        elif os.path.exists(source):
            copy_changed(source, target)
    configured = run(["cmake", "--preset", "release"], cwd=root)
    if configured.returncode:
        sys.exit(configured.stdout)
    built = build(root)
    if built.returncode:
        sys.exit(built.stdout[-4000:])
    return root


def build(root):
    return run(["ninja", "-C", os.path.join(root, "build"),
                "memplan-test-programs"])


def driver_of(root):
    return os.path.join(root, "build", "bin", "memplan-test-programs")


def unbroken_driver_of(root):
    return os.path.join(root, "build", "bin", "unbroken-test-programs")


def judge(mutant, root, arguments):
    """Returns (verdict, number of programs, how the mutant was detected)."""
    built = build(root)
    if built.returncode:
        return "does not build", 0, built.stdout[-2000:]
    driver = driver_of(root)
    if isinstance(mutant, (SizeMutant, ProgramMutant, RaiseMutant)):
        by, text = mutant.judge(driver)
        print(text)
        return ("noticed" if by == "verifier" else "survived"), 1, by
    command = [sys.executable, os.path.join(ROOT, "test", "tools", "fuzz_programs.py"),
               "--seed", arguments.seed, "--count", str(arguments.count), "--stop", "1",
               "--batch", str(BATCH),
               "--reduce", "0", "--jobs", str(arguments.jobs),
               "--driver", driver] + mutant.options
    output = run(command).stdout
    first = re.search(r"program (\d+) of seed [^:]*: (.*)", output)
    total = re.search(r"(\d+) programs, (\d+) differences, (\d+) complaints", output)
    count = int(total.group(1)) if total else 0
    if first:
        number = int(first.group(1))
        # What the unbroken planner fails, too, shows nothing.
        again = command + ["--driver", unbroken_driver_of(root),
                           "--first", str(number // BATCH * BATCH), "--count", str(BATCH)]
        if run(again).returncode:
            return "noticed without a mutant", number + 1, ""
        return "noticed", number + 1, describe(first.group(2))
    if not total or total.group(2) != "0" or total.group(3) != "0":
        return "noticed", count, describe(output.strip().splitlines()[-1] if output else "")
    return "survived", count, ""


def describe(text):
    """How the mutant was detected, in a few words."""
    for sign, word in (("failed verification", "verifier"),
                       ("cannot be verified", "verifier"), ("crash", "crash"),
                       ("idempotence", "second planning"),
                       ("difference", "execution"), ("differ", "execution"),
                       ("complaint", "verifier")):
        if sign in text:
            return word
    return text[:60]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", required=True, help="a folder for the copy and its build")
    parser.add_argument("--seed", default="mutants")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--table", help="write the results here, as Markdown")
    parser.add_argument("--check", action="store_true",
                        help="only check that each mutant applies to the sources")
    arguments = parser.parse_args()
    mutants = [m for m in MUTANTS if not arguments.only or m.name in arguments.only]
    misfits = [mutant.name for mutant in mutants if not mutant.fits()]
    if misfits:
        sys.exit(f"not in step with the sources: {', '.join(misfits)}")
    if arguments.check:
        print(f"{len(mutants)} mutants fit the sources")
        return 0

    root = prepare(arguments.work)
    shutil.copy(driver_of(root), unbroken_driver_of(root))
    rows, survivors = [], 0
    for mutant in mutants:
        begin = time.time()
        mutant.apply(root)
        try:
            verdict, count, by = judge(mutant, root, arguments)
        finally:
            mutant.undo(root)
        survivors += verdict != "noticed"
        rows.append((mutant, verdict, count, by))
        print(f"{mutant.name}: {verdict} after {count} programs {by} "
              f"({time.time() - begin:.0f} s)", flush=True)
    print(f"{len(rows)} mutants, {survivors} survived")
    if arguments.table:
        with open(arguments.table, "w") as file:
            file.write("| rule that is broken | file | programs until noticed | noticed by |\n"
                       "|---|---|---|---|\n")
            for mutant, verdict, count, by in rows:
                file.write(f"| {mutant.rule} (`{mutant.name}`) | {os.path.basename(mutant.path)} "
                           f"| {count if verdict == 'noticed' else verdict} | {by} |\n")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
