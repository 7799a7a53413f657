#!/usr/bin/env python3
# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Breaks plans at random and compares the verifier's verdicts with their outputs.

  mutate_plans.py --seed 1 --count 1000
  mutate_plans.py --seed 1 --count 1000 --sizes
  mutate_plans.py --seed 1 --count 10 program.mlir ...

Random programs, or those of files (--count mutants of each), are planned, and
each plan is changed in a place or a few: a buffer is placed elsewhere, two
memrefs change places among the operands of an op, one is replaced by another of
its type, a renewal or a write is dropped, an op or a placement is moved. Of slots,
whose sizes are known only when the program runs, an edge of their order is removed or
turned, the size is an element short or a constant, or a view has another extent.
The correct output of such a plan is known without the original program: it is the output with an allocation for each
placement. So a mutant is a hole in the state check if the check accepts it and it
prints something else. It is a hole in the correspondence
check if both checks accept it and it prints something else than the original
program. In what is accepted, assertions check that views end in their slots and slots
in their arena. Mutants that read what they have not written are left out.

The last line counts mutants, those that each check accepts, and holes; the exit
status is 1 if there is a hole. --other names a second memplan-test-programs, whose
verdict on the lowered mutants is compared. --keep DIR saves holes, and mutants
on which the two verdicts differ.
"""

import argparse
import os
import random
import re
import sys

from execution import StepFailed, Tools, program_of
from fuzz_programs import split_output, summary
from progen.module import Module
from progen.sizes import SizedModule
from server import Server

OPERATION = re.compile(r'^(?:(%[^=]*?) = )?"([\w.]+)"\(([^()]*)\)(.*)$')
KINDS = ["offset", "offset", "swap", "replace", "replace", "renew", "drop",
         "move", "move", "hoist"]
# Those of functions with slots; the first two change `above`, `least` and `of`.
SLOT_KINDS = ["edge", "turn", "short", "extent", "hint"]


class Op:
    """One op of the generic form: its head, its regions, its tail.

    A region is a list of blocks, a block a label (or None) and a list of ops.
    """

    def __init__(self, line):
        self.head = line
        self.regions = []
        self.tail = ""

    def parse(self):
        match = OPERATION.match(self.head)
        results, self.name, operands, rest = match.groups()
        self.operands = [o.strip() for o in operands.split(",") if o.strip()]
        self.results = []
        for result in (results or "").split(","):
            result = result.strip()
            base, colon, count = result.partition(":")
            if colon:
                self.results += [f"{base}#{i}" for i in range(int(count))]
            elif result:
                self.results.append(result)
        self.types, self.result_types = signature(self.tail or rest)

    def set_operands(self, operands):
        old = OPERATION.match(self.head)
        start, end = old.span(3)
        self.head = self.head[:start] + ", ".join(operands) + self.head[end:]
        self.operands = operands

    def set_slots(self, operands):
        """Another number of operands, for ops whose operands are of type index."""
        count = len(operands)
        self.set_operands(operands)
        self.types = ["index"] * count
        self.head = re.sub(r" : \([index, ]*\) -> ",
                           f" : ({', '.join(self.types)}) -> ", self.head)

    def segments(self):
        """The operands by the groups of a memplan.view: arena, slot, workers, sizes."""
        sizes = re.search(r"operandSegmentSizes = array<i32: ([\d, ]+)>", self.head)
        groups, start = [], 0
        for count in map(int, sizes.group(1).split(",")):
            groups.append(self.operands[start:start + count])
            start += count
        return groups

    def lines(self, indent=0):
        pad = "  " * indent
        yield pad + self.head
        for i, region in enumerate(self.regions):
            if i:
                yield pad + "}, {"
            for label, ops in region:
                if label:
                    yield pad + label
                for op in ops:
                    yield from op.lines(indent + 1)
        if self.regions:
            yield pad + self.tail

    def walk(self):
        """(op, its block, its parent op) for all nested ops."""
        for region in self.regions:
            for block in region:
                for op in block[1]:
                    yield op, block, self
                    yield from op.walk()


def split_types(text):
    parts, depth, start = [], 0, 0
    for i, char in enumerate(text):
        if char in "<({[":
            depth += 1
        elif char in ")}]" or (char == ">" and text[i - 1] != "-"):
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    last = text[start:].strip()
    return parts + [last] if last else parts


def signature(text):
    """The operand and result types at the end of the text."""
    at = len(text)
    while True:
        at = text.rfind(" : (", 0, at)
        if at < 0:
            return [], []
        depth = 0
        for end in range(at + 3, len(text)):
            depth += (text[end] == "(") - (text[end] == ")")
            if depth == 0:
                break
        if text[end + 1:end + 5] == " -> ":
            results = text[end + 5:]
            if results.startswith("("):
                results = results[1:-1]
            return split_types(text[at + 4:end]), split_types(results)


def parse(text):
    """The op of a text in generic form."""
    root = Op("")
    root.regions = [[(None, [])]]
    stack = [root]
    for line in text.splitlines():
        line = line.strip()
        top = stack[-1]
        if not line:
            continue
        if line.startswith("}, {"):
            top.regions.append([(None, [])])
        elif line.startswith("})"):
            top.tail = line
            top.parse()
            stack.pop()
        elif line.startswith("^"):
            region = top.regions[-1]
            if region == [(None, [])]:
                region.clear()
            region.append((line, []))
        elif line.startswith(("#", "!")):
            root.regions[0][0][1].append(Op(line))
        else:
            op = Op(line)
            top.regions[-1][-1][1].append(op)
            if line.endswith("({"):
                op.regions = [[(None, [])]]
                stack.append(op)
            else:
                op.parse()
    return root.regions[0][0][1]


def label_arguments(label):
    inside = label[label.find("(") + 1:label.rfind(")")] if "(" in label else ""
    for part in split_types(inside):
        name, _, type_ = part.partition(":")
        yield name.strip(), type_.strip()


def annotate(function):
    """For each op the memrefs in scope: {id(op): {name: type}}."""
    sight = {}

    def visit(region, outer):
        scope = dict(outer)
        for label, ops in region:
            # Values of earlier blocks are added, too; the parser rejects uses that do not dominate.
            if label:
                scope.update((n, t) for n, t in label_arguments(label)
                             if t.startswith("memref"))
            for op in ops:
                sight[id(op)] = dict(scope)
                for inner in op.regions:
                    visit(inner, scope)
                scope.update((n, t) for n, t in zip(op.results, op.result_types)
                             if t.startswith("memref"))

    for region in function.regions:
        visit(region, {})
    return sight


class NotApplicable(Exception):
    pass


def choose(rng, items):
    if not items:
        raise NotApplicable
    return rng.choice(items)


OFFSET = re.compile(r"offset = (\d+) : i64")
IN_PLACE = ("memplan.arena", "memplan.release", "memplan.view", "memplan.renew")


def mutate(function, kind, rng):
    """Changes the function in place; returns a description of the change."""
    everything = list(function.walk())
    sight = annotate(function)
    # Memrefs of one type with free extents differ in them: an op on both is undefined.
    sized = any(op.name == "memplan.slot" for op, _, _ in everything)
    if kind == "offset":
        views = [op for op, _, _ in everything if op.name == "memplan.view"]
        op = choose(rng, views)
        old = int(OFFSET.search(op.head).group(1))
        offsets = sorted({int(OFFSET.search(v.head).group(1)) for v in views
                          if v.operands[0] == op.operands[0]} - {old})
        align = int(re.search(r"align = (\d+) : i64", op.head).group(1))
        near = [o for o in (old - align, old + align) if o >= 0]
        new = choose(rng, offsets * 3 + near)
        op.head = OFFSET.sub(f"offset = {new} : i64", op.head)
        return f"{op.results[0]} moved from {old} to {new}"
    if kind in SLOT_KINDS:
        return mutate_slots(everything, kind, rng)
    if kind == "swap":
        pairs = []
        for op, _, _ in everything:
            memrefs = [i for i, t in enumerate(op.types)
                       if t.startswith("memref") and not (sized and "?" in t)]
            pairs += [(op, i, j) for i in memrefs for j in memrefs if i < j
                      and op.types[i] == op.types[j]
                      and op.operands[i] != op.operands[j]]
        op, i, j = choose(rng, pairs)
        operands = list(op.operands)
        operands[i], operands[j] = operands[j], operands[i]
        op.set_operands(operands)
        return f"operands {i} and {j} of {op.name} swapped"
    if kind == "replace":
        uses = []
        for op, _, _ in everything:
            if op.name in ("memplan.view", "memplan.release"):
                continue
            for i, type_ in enumerate(op.types):
                others = [n for n, t in sight[id(op)].items()
                          if t == type_ and n != op.operands[i]]
                if type_.startswith("memref") and others and not (
                        sized and "?" in type_):
                    uses.append((op, i, others))
        op, i, others = choose(rng, uses)
        operands = list(op.operands)
        operands[i] = choose(rng, others)
        text = f"operand {i} of {op.name}: {op.operands[i]} -> {operands[i]}"
        op.set_operands(operands)
        return text
    if kind == "renew":
        op = choose(rng, [op for op, _, _ in everything
                          if op.name == "memplan.renew"])
        op.head = op.head.replace("memplan.renew", "memref.cast")
        return f"{op.results[0]} not renewed"
    if kind == "drop":
        op, block, _ = choose(rng, [
            entry for entry in everything
            if not entry[0].results and entry[0] is not entry[1][1][-1]
            and any(t.startswith("memref") for t in entry[0].types)
            and entry[0].name not in IN_PLACE])
        block[1].remove(op)
        return f"{op.name} dropped"
    if kind == "move":
        op, block, _ = choose(rng, [
            entry for entry in everything
            if entry[0] is not entry[1][1][-1]
            and any(t.startswith("memref")
                    for t in entry[0].types + entry[0].result_types)])
        ops = block[1]
        at = ops.index(op)
        target = at + choose(rng, [-8, -4, -2, -1, 1, 2, 4, 8])
        target = max(0, min(len(ops) - 2, target))
        if target == at:
            raise NotApplicable
        ops.insert(target, ops.pop(at))
        return f"{op.name} moved by {target - at}"
    assert kind == "hoist"
    op, block, around = choose(rng, [
        entry for entry in everything
        if entry[0].name in ("memplan.view", "memplan.renew")
        and entry[2] is not function])
    for other, outer, _ in everything:
        if other is around:
            block[1].remove(op)
            outer[1].insert(outer[1].index(around), op)
    return f"{op.results[0]} moved out of {around.name}"


LEAST = re.compile(r"least = ([1-9]\d*) : i64")


def mutate_slots(everything, kind, rng):
    """Changes an op of slots, or a view of one."""
    slots = [op for op, _, _ in everything if op.name == "memplan.slot"]
    views = [op for op, _, _ in everything
             if op.name == "memplan.view" and op.segments()[1]]
    blocks = {id(op): block[1] for op, block, _ in everything}

    def insert(op, name, text):
        """A new value before the op."""
        value = f"%{kind}_{len(everything)}_{rng.randrange(10**6)}_{name}"
        new = Op(f"{value} = {text}")
        new.parse()
        ops = blocks[id(op)]
        ops.insert(ops.index(op), new)
        return value

    def constant(op, number):
        return insert(op, "c", f'"arith.constant"() <{{value = {number} : index}}> : '
                      "() -> index")

    if kind == "edge":
        # The arena is above the slots that it lists.
        above = [(op, i) for op in slots for i in range(len(op.operands) - 1)]
        above += [(op, i) for op, _, _ in everything if op.name == "memplan.arena"
                  for i in range(len(op.operands))]
        above += [(op, None) for op, _, _ in everything
                  if op.name in ("memplan.slot", "memplan.arena")
                  and LEAST.search(op.head)]
        op, i = choose(rng, above)
        if i is None:
            least = int(LEAST.search(op.head).group(1))
            new = choose(rng, [0, least // 2, least - 64])
            op.head = LEAST.sub(f"least = {max(0, new)} : i64", op.head)
            return f"{op.results[0]} from {new} instead of {least}"
        old = op.operands[i]
        op.set_slots(op.operands[:i] + op.operands[i + 1:])
        return f"{op.results[0]} no longer above {old}"
    if kind == "turn":
        made = {op.results[0]: op for op in slots}
        op, below = choose(rng, [(op, made[name]) for op in slots
                                 for name in op.operands[:-1] if name in made])
        op.set_slots([o for o in op.operands if o != below.results[0]])
        below.set_slots([op.results[0]] + below.operands)
        blocks[id(below)].remove(below)
        ops = blocks[id(op)]
        ops.insert(ops.index(op) + 1, below)
        return f"{below.results[0]} above {op.results[0]} instead of below"
    if kind == "short":
        op = choose(rng, slots)
        bits = [int(re.search(r"(\d+)(, .*)?>$", view.result_types[0]).group(1))
                for view in views if view.segments()[1] == op.results]
        old, less = op.operands[-1], constant(op, max(bits, default=8) // 8)
        size = insert(op, "s", f'"arith.subi"({old}, {less}) : (index, index) -> '
                      "index")
        op.set_operands(op.operands[:-1] + [size])
        return f"{op.results[0]} an element short"
    if kind == "extent":
        view = choose(rng, [view for view in views if view.segments()[3]])
        sizes = view.segments()[3]
        old = choose(rng, sizes)
        others = sorted({s for v in views for s in v.segments()[3]} - {old})
        if others and rng.random() < 0.5:
            new = choose(rng, others)
        else:
            one = constant(view, 1)
            new = insert(view, "s", f'"arith.addi"({old}, {one}) : (index, index) -> '
                         "index")
        at = len(view.operands) - len(sizes) + sizes.index(old)
        view.set_operands(view.operands[:at] + [new] + view.operands[at + 1:])
        return f"{view.results[0]} of extent {new} instead of {old}"
    assert kind == "hint"
    if rng.random() < 0.5:
        op = choose(rng, slots)
        bytes_ = choose(rng, [8, 64, 512, 4096])
        op.set_operands(op.operands[:-1] + [constant(op, bytes_)])
        return f"{op.results[0]} of {bytes_} bytes"
    # At a constant place, as with sizes that are bounded.
    view = choose(rng, views)
    view.set_operands(view.operands[:1] + view.operands[2:])
    view.head = re.sub(r"array<i32: 1, 1, ", "array<i32: 1, 0, ", view.head)
    view.head = view.head.replace(", index", "", 1)
    return f"{view.results[0]} at a constant place"


def mutate_some(function, rng, kinds=None):
    """Makes one or a few changes; returns their descriptions."""
    texts = []
    if not kinds:
        slots = any(op.name == "memplan.slot" for op, _, _ in function.walk())
        kinds = KINDS + SLOT_KINDS * 3 if slots else KINDS
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        try:
            texts.append(mutate(function, rng.choice(kinds), rng))
        except NotApplicable:
            pass
    return texts


SYMBOL = re.compile(r'sym_name = "([\w.]+)"')


def symbol(op):
    match = SYMBOL.search(op.head)
    return match.group(1) if match else ""


def unshared(lines):
    """The function with a separate allocation for every placement."""
    for line in lines:
        if not re.search(r'"memplan\.(view|renew)"', line):
            yield line
            continue
        op = Op(line.strip())
        op.parse()
        sizes = op.segments()[3] if op.name == "memplan.view" else []
        if op.name == "memplan.renew":
            for i in dynamic_extents(op.result_types[0]):
                at, size = (f"%renewed{op.results[0][1:]}_{what}{i}"
                            for what in ("at", "size"))
                yield f"{at} = arith.constant {i} : index"
                yield (f'{size} = "memref.dim"({op.operands[0]}, {at}) : '
                       f"({op.types[0]}, index) -> index")
                sizes.append(size)
        types = ", ".join(["index"] * len(sizes))
        yield (f'{op.results[0]} = "memref.alloc"({", ".join(sizes)}) '
               '<{alignment = 64 : i64, operandSegmentSizes = '
               f"array<i32: {len(sizes)}, 0>}}> : ({types}) -> "
               + op.result_types[0])


def dynamic_extents(type_):
    """The dimensions of the memref type whose extent is not a constant."""
    shape = re.match(r"memref<((?:[\d?]+x)*)", type_).group(1)
    return [i for i, extent in enumerate(shape.split("x")[:-1]) if extent == "?"]


def with_assertions(lines):
    """The function with assertions that views end in their slots, and these in the arena."""
    sizes = {}
    for count, line in enumerate(lines):
        yield line
        if not re.search(r'"memplan\.(slot|view)"', line):
            continue
        op = Op(line.strip())
        op.parse()
        name = f"%assert{count}"
        if op.name == "memplan.slot":
            sizes[op.results[0]] = f"{name}_size"
            yield f"{name}_zero = arith.constant 0 : index"
            yield f"{name}_size = arith.maxsi {op.operands[-1]}, {name}_zero : index"
            continue
        (arena,), slot, _, extents = op.segments()
        shape = re.match(r"memref<((?:[\d?]+x)*)[a-z]+(\d+)(, \d+)?>$",
                         op.result_types[0])
        if not slot or not shape:
            continue
        total = f"{name}_bytes"
        yield f"{total} = arith.constant {int(shape.group(2)) // 8} : index"
        for i, extent in enumerate(shape.group(1).split("x")[:-1]):
            factor = f"{name}_extent{i}"
            if extent == "?":
                factor = extents.pop(0)
            else:
                yield f"{factor} = arith.constant {extent} : index"
            yield f"{name}_bytes{i} = arith.muli {total}, {factor} : index"
            total = f"{name}_bytes{i}"
        offset = OFFSET.search(op.head).group(1)
        yield f"{name}_offset = arith.constant {offset} : index"
        yield f"{name}_zero = arith.constant 0 : index"
        yield f"{name}_whole = memref.dim {arena}, {name}_zero : {op.types[0]}"
        size = sizes[slot[0]]
        for i, (begin, bytes_, end) in enumerate([
                (f"{name}_offset", total, size), (slot[0], size, f"{name}_whole")]):
            yield f"{name}_sum{i} = arith.addi {begin}, {bytes_} : index"
            yield f"{name}_fits{i} = arith.cmpi ule, {name}_sum{i}, {end} : index"
            yield f'cf.assert {name}_fits{i}, "beyond the end"'


def without_frees(text):
    """The program without its own deallocations, as a mutant may use a freed buffer."""
    return re.sub(r'^ *"memref\.dealloc".*\n', "", text, flags=re.MULTILINE)


def declaration(op):
    head = re.sub(r', sym_visibility = "private"', "", op.head)
    head = re.sub(r'"func.func"\(\) <\{', '"func.func"() <{', head)
    head = re.sub(r", (arg|res)_attrs = \[.*?\](?=[,}])", "", head)
    return head.replace("sym_name", 'sym_visibility = "private", sym_name') + \
        "\n}) : () -> ()"


class Mutant:
    def __init__(self, number, program, texts, lines):
        self.number, self.program = number, program
        self.text, self.lines = "; ".join(texts), lines
        self.name = f"program_{number}"

    def renamed(self, lines=None):
        """The mutant as a function whose name has its number."""
        lines = list(self.lines if lines is None else lines)
        lines[0] = SYMBOL.sub(f'sym_name = "{self.name}"', lines[0])
        return lines


ERROR = re.compile(r"^[^\s:]+:(\d+):\d+: error: (.*)$", re.MULTILINE)


class Batch:
    """The mutants of the programs of one generated module."""

    def __init__(self, tools, options, seed, first):
        self.tools, self.options = tools, options
        # The output of a library is interleaved differently with ours, and globals
        # are shared by the programs.
        if options.sizes:
            module = SizedModule(seed, first, options.programs)
            self.main = module.main
        else:
            module = Module(seed, first, options.programs,
                            {"opaque_use": 0, "global": 0})
        number = first // options.programs
        self.original_text = module.render()
        self.scope = "module" if number % 3 == 2 else "function"
        if number % 4 == 1:
            self.original_text = tools.make_blocks(self.original_text)
        planned, _ = tools.memplan(
            "plan", self.original_text,
            f"--plan-memory=lower=false require=verified scope={self.scope}",
            "--mlir-print-op-generic")
        original, _ = tools.memplan("print", self.original_text,
                                    "--mlir-print-op-generic")
        self.head = [op for op in parse(planned)
                     if op.name_is_attribute()]
        self.planned = self.module_of(planned)
        self.original = self.module_of(original)
        rng = random.Random(f"{seed}.{first}.mutants")
        self.mutants = []
        sources = {symbol(op): "\n".join(op.lines())
                   for op in self.planned if symbol(op).startswith("program_")}
        for i in range(options.mutants):
            name = rng.choice(sorted(sources))
            function = parse(sources[name])[0]
            texts = mutate_some(function, rng, options.kinds)
            if texts:
                self.mutants.append(Mutant(i, name, texts,
                                           list(function.lines())))

    @staticmethod
    def module_of(text):
        return next(op for op in parse(text)
                    if not op.name_is_attribute()).regions[0][0][1]

    def run(self, flags, text):
        return self.tools.server.optimize(text, *flags, "-o", os.devnull)

    def rejected(self, flags, functions, others):
        """{index: message} of the functions, by the line of the error."""
        lines, owner = [op.head for op in self.head], []
        owner += [-1] * len(lines)
        lines.append('"builtin.module"() ({')
        owner.append(-1)
        for op in others:
            for line in op.lines():
                lines.append(line)
                owner.append(-1)
        for i, function in enumerate(functions):
            lines += function
            owner += [i] * len(function)
        lines.append("}) : () -> ()")
        done = self.run(flags, "\n".join(lines) + "\n")
        messages = {}
        for match in ERROR.finditer(done.errors):
            at = int(match.group(1)) - 1
            index = owner[at] if at < len(owner) else -1
            messages.setdefault(index, match.group(2))
        if done.status not in (0, 1):
            raise StepFailed("verify", done.errors, done.status)
        if -1 in messages:
            raise StepFailed("verify", messages[-1])
        return messages

    def others(self):
        return [op for op in self.planned
                if not symbol(op).startswith("program_")
                and symbol(op) != "main"]

    def parsing(self):
        """The mutants that are valid programs."""
        chunks, starts, line = [], [], 1
        heads = [op.head for op in self.head]
        declared = []
        for op in self.others():
            if op.name == "func.func":
                declared += declaration(op).splitlines()
            else:
                declared += list(op.lines())
        for mutant in self.mutants:
            chunk = (heads + ['"builtin.module"() ({'] + declared
                     + mutant.renamed() + ["}) : () -> ()", "// -----"])
            starts.append(line)
            line += len(chunk)
            chunks += chunk
        starts.append(line)
        done = self.run(["--split-input-file"], "\n".join(chunks) + "\n")
        bad = set()
        for match in re.finditer(r"^[^\s:]+:(\d+):\d+: error: (.*)$",
                                 done.errors, re.MULTILINE):
            at = int(match.group(1))
            bad |= {i for i in range(len(self.mutants))
                    if starts[i] <= at < starts[i + 1]}
            self.last_error = match.group(2)
        return [m for i, m in enumerate(self.mutants) if i not in bad]

    def program(self, functions):
        """A module that runs these functions, [(name, lines)]."""
        lines = [op.head for op in self.head] + ['"builtin.module"() ({']
        for op in self.others():
            lines += list(op.lines())
        for _, function in functions:
            lines += function
        lines += self.main([name for name, _ in functions])
        return "\n".join(lines + ["}) : () -> ()"]) + "\n"

    def main(self, names):
        """The lines of @main, which calls these programs."""
        lines = ['"func.func"() <{function_type = () -> (), '
                 'sym_name = "main"}> ({']
        for value in (0, 1, 2):
            lines.append(f'%p{value} = "arith.constant"() '
                         f'<{{value = {value} : i64}}> : () -> i64')
        for name in names:
            for value in (0, 1, 2):
                lines.append(f'"func.call"(%p{value}) <{{callee = @{name}}}> : '
                             '(i64) -> ()')
            number = name.rpartition("_")[2]
            lines.append(f'%n{number} = "arith.constant"() <{{value = {number}'
                         ' : i64}> : () -> i64')
            lines.append(f'"func.call"(%n{number}) <{{callee = @report}}> : '
                         '(i64) -> ()')
        return lines + ['"func.return"() : () -> ()', "}) : () -> ()"]

    def lowered(self, functions):
        text = without_frees(self.program(functions))
        return self.tools.memplan("lower", text, "--memplan-lower")[0]

    def outputs(self, functions, byte):
        """{name: output}; functions that crash are left out."""
        if not functions:
            return {}
        try:
            printed = self.tools.execute(self.lowered(functions),
                                         fresh_byte=byte)
            parts = split_output(printed)
            return {name: parts.get(int(name.rpartition("_")[2]))
                    for name, _ in functions}
        except StepFailed:
            if len(functions) == 1:
                return {}
        half = len(functions) // 2
        found = self.outputs(functions[:half], byte)
        found.update(self.outputs(functions[half:], byte))
        return found

    def other_verdicts(self, mutants):
        """The names of the lowered functions that the other verifier rejects."""
        text, _ = self.tools.memplan(
            "lower", self.program([(m.name, m.renamed()) for m in mutants]),
            "--memplan-lower")
        owner, name = [], None
        for line in text.splitlines():
            match = re.match(r"  func\.func (?:private )?@([\w.]+)", line)
            name = match.group(1) if match else name
            owner.append(name)
        done = self.options.other.optimize(text, "--memplan-verify", "-o", os.devnull)
        return {owner[int(m.group(1)) - 1]: m.group(2)
                for m in ERROR.finditer(done.errors)}


def is_attribute(op):
    return op.head.startswith(("#", "!"))


Op.name_is_attribute = is_attribute


def test_batch(batch, counts, report_text):
    def report(batch, mutant, what, detail):
        report_text(f"batch {batch.first}",
                    batch.program([(mutant.name, mutant.renamed())]), mutant,
                    what, detail)

    mutants = batch.parsing()
    counts["not a program"] += len(batch.mutants) - len(mutants)
    counts["mutants"] += len(mutants)
    refused = batch.rejected(["--memplan-verify=quiet"],
                             [m.renamed() for m in mutants], batch.others())
    accepted = [m for i, m in enumerate(mutants) if i not in refused]
    counts["state accepts"] += len(accepted)
    # The checks of the lowered form must agree.
    if batch.options.other:
        other = batch.other_verdicts(mutants)
        for i, mutant in enumerate(mutants):
            old, new = other.get(mutant.name), refused.get(i)
            if bool(old) != bool(new):
                key = "stricter than other" if new else "laxer than other"
                counts[key] += 1
                report(batch, mutant, key, old or new)
    corresponding = set()
    # With scope=module a function has other arguments than its original.
    if batch.scope == "function":
        originals = [op for op in batch.original if symbol(op) != "main"]
        functions = []
        for mutant in mutants:
            lines = mutant.renamed()
            lines[-1] = lines[-1].replace(
                "})", f"}}) {{original = @{mutant.program}}}", 1)
            lines[0] = SYMBOL.sub(f'sym_name = "mutant_{mutant.number}"',
                                  lines[0])
            functions.append(lines)
        differs = batch.rejected(["--test-correspondence"], functions,
                                 originals)
        corresponding = {m.name for i, m in enumerate(mutants)
                         if i not in differs}
        counts["correspondence accepts"] += len(corresponding)
    plain = [(m.name, m.renamed(unshared(m.lines))) for m in accepted]
    expected = batch.outputs(plain, 1)
    defined = batch.outputs(plain, 170)
    accepted = [m for m in accepted if expected.get(m.name) is not None
                and expected[m.name] == defined.get(m.name)]
    counts["executed"] += len(accepted)
    actual = batch.outputs([(m.name, m.renamed(with_assertions(m.lines)))
                            for m in accepted], 170)
    both = [m for m in accepted if m.name in corresponding]
    wanted = {}
    if both:
        printed = split_output(batch.tools.execute(batch.original_text))
        wanted = {f"program_{number}": text for number, text in printed.items()}
    counts["both accept"] += len(both)
    for mutant in accepted:
        if actual.get(mutant.name) != expected[mutant.name]:
            counts["holes"] += 1
            report(batch, mutant, "state hole",
                   f"{expected[mutant.name]} -> {actual.get(mutant.name)}")
        elif mutant in both and results(wanted.get(mutant.program)) != results(
                actual.get(mutant.name)):
            counts["holes"] += 1
            report(batch, mutant, "correspondence hole",
                   f"{wanted.get(mutant.program)} -> "
                   f"{actual.get(mutant.name)}")


def test_file(tools, options, path, counts, report):
    """Tests mutants of a program that prints something, one module for each."""
    original = program_of(path)
    planned, _ = tools.memplan(
        "plan", original, "--plan-memory=lower=false require=verified "
        f"{options.options}", "--mlir-print-op-generic")
    if '"memplan.view"' not in planned:
        return
    rng = random.Random(f"{options.seed}.{os.path.basename(path)}")
    mutants = []
    for i in range(options.count):
        ops = parse(planned)
        functions = [op for op in ops[-1].regions[0][0][1]
                     if op.name == "func.func" and len(list(op.walk())) > 1]
        function = rng.choice(functions)
        texts = mutate_some(function, rng, options.kinds)
        if texts:
            mutants.append(Mutant(i, symbol(function), texts,
                                  [line for op in ops for line in op.lines()]))

    def errors(mutants, *flags):
        lines, starts = [], []
        for mutant in mutants:
            starts.append(len(lines))
            lines += mutant.lines + ["// -----"]
        starts.append(len(lines))
        done = tools.server.optimize("\n".join(lines) + "\n",
                                     "--split-input-file", *flags, "-o",
                                     os.devnull)
        if done.status not in (0, 1):
            raise StepFailed("verify", done.errors, done.status)
        found = {}
        for match in ERROR.finditer(done.errors):
            at = int(match.group(1)) - 1
            for i in range(len(mutants)):
                if starts[i] <= at < starts[i + 1]:
                    found.setdefault(i, match.group(2))
        return found

    invalid = errors(mutants)
    counts["not a program"] += len(invalid)
    mutants = [m for i, m in enumerate(mutants) if i not in invalid]
    counts["mutants"] += len(mutants)
    refused = errors(mutants, "--memplan-verify=quiet")
    accepted = [m for i, m in enumerate(mutants) if i not in refused]
    counts["state accepts"] += len(accepted)
    if options.other:
        for i, mutant in enumerate(mutants):
            lowered, _ = tools.memplan("lower", "\n".join(mutant.lines) + "\n",
                                       "--memplan-lower")
            done = options.other.optimize(lowered, "--memplan-verify", "-o",
                                          os.devnull)
            old, new = ERROR.search(done.errors), refused.get(i)
            if bool(old) != bool(new):
                key = "stricter than other" if new else "laxer than other"
                counts[key] += 1
                report(path, "\n".join(mutant.lines) + "\n", mutant, key,
                       new or old.group(2))

    def printed(lines, byte):
        try:
            text = without_frees("\n".join(lines) + "\n")
            lowered, _ = tools.memplan("lower", text, "--memplan-lower")
            return tools.execute(lowered, fresh_byte=byte)
        except StepFailed:
            return None

    for mutant in [] if options.no_run else accepted:
        plain = list(unshared(mutant.lines))
        expected = printed(plain, 1)
        if expected is None or expected != printed(plain, 170):
            continue
        counts["executed"] += 1
        actual = printed(with_assertions(mutant.lines), 170)
        if actual != expected:
            counts["holes"] += 1
            report(path, "\n".join(mutant.lines) + "\n", mutant, "state hole",
                   f"{expected} -> {actual}")


def results(printed):
    """The output of a program without its number."""
    return None if printed is None else re.sub(r"(?m)^\d+, ", "", printed)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--options", default="",
                        help="further options of plan-memory, for files")
    parser.add_argument("--no-run", action="store_true",
                        help="only compare verdicts, of files")
    parser.add_argument("--seed", default="0")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=200,
                        help="mutants to make")
    parser.add_argument("--programs", type=int, default=5,
                        help="programs of a batch")
    parser.add_argument("--mutants", type=int, default=60,
                        help="mutants of a batch")
    parser.add_argument("--sizes", action="store_true",
                        help="programs of sizes that are known when they run")
    parser.add_argument("--kinds", type=lambda text: text.split(","),
                        help="the changes to make, such as edge,turn")
    parser.add_argument("--driver", help="memplan-test-programs")
    parser.add_argument("--other", type=Server)
    parser.add_argument("--keep", metavar="DIR")
    options = parser.parse_args()
    # Some mutants do not terminate.
    tools = Tools(options.driver, timeout=30)
    counts = dict.fromkeys(
        ["not a program", "mutants", "state accepts", "correspondence accepts",
         "both accept", "executed", "stricter than other", "laxer than other",
         "batches left out", "holes"], 0)

    def report(source, text, mutant, what, detail):
        source = os.path.basename(str(source))
        print(f"{source}, mutant {mutant.number} of "
              f"{mutant.program}: {what}: {mutant.text}: "
              f"{summary(detail)}", flush=True)
        if options.keep:
            name = (f"{options.seed}-{source.split()[-1]}-{mutant.number}-"
                    f"{what.replace(' ', '-')}.mlir")
            with open(os.path.join(options.keep, name), "w",
                      encoding="utf-8") as file:
                file.write(f"// {what}: {mutant.text}\n"
                           f"// {summary(detail)}\n")
                file.write(text)

    for path in options.files:
        try:
            test_file(tools, options, path, counts, report)
        except StepFailed as failed:
            counts["batches left out"] += 1
            print(f"{path}: {failed}", flush=True)
    first = options.first
    while not options.files and counts["mutants"] < options.count:
        try:
            batch = Batch(tools, options, options.seed, first)
            batch.first = first
            test_batch(batch, counts, report)
        except StepFailed as failed:
            counts["batches left out"] += 1
            print(f"batch {first}: {failed}", flush=True)
        first += options.programs
        if options.count > 500:
            print(", ".join(f"{v} {k}" for k, v in counts.items()), flush=True)
    print(", ".join(f"{value} {key}" for key, value in counts.items()))
    return 1 if counts["holes"] else 0


if __name__ == "__main__":
    sys.exit(main())
