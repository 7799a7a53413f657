# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that are random graphs of blocks: loops, irreducible ones too.

The graph is generated first. A forward must-analysis over it then gives the buffers
that are alive and initialised at the entry of each block, from which the statements of
the block are generated.
"""

from . import control, elements
from .values import Object, State, Value

FUEL = 6


class Node:
    """A block: its successors, carried types, and effects fixed beforehand."""

    def __init__(self, number):
        self.number = number
        self.successors = []
        self.types = []
        self.fills = set()   # indices of entry buffers it writes in full
        self.kills = set()   # indices of entry buffers it frees
        self.alive_in = set()
        self.init_in = set()
        self.arguments = []

    @property
    def label(self):
        return f"^n{self.number}"


def draw(rng, body, count):
    """A random graph; in half of the graphs all blocks pass the same two or three buffers."""
    kept = None
    if rng.random() < 0.5:
        kept = [body.plain_type()] * rng.choice([2, 2, 3])
    nodes = [Node(i) for i in range(count)]
    for node in nodes[1:]:
        room = [n for n in nodes[:node.number] if len(n.successors) < 2]
        rng.choice(room).successors.append(node)
        node.types = kept or [body.plain_type()
                              for _ in range(rng.choice([0, 0, 1, 1, 2]))]
    for node in nodes:
        if len(node.successors) < 2 and rng.random() < 0.75:
            node.successors.append(rng.choice(nodes[1:]))
    return nodes


def flow(nodes, count, filled):
    """Certainly alive and certainly initialised entry buffers, per block."""
    everything = set(range(count))
    predecessors = {n: [p for p in nodes if n in p.successors] for n in nodes}
    for node in nodes:
        node.alive_in, node.init_in = set(everything), set(everything)
    nodes[0].init_in = set(filled)
    changed = True
    while changed:
        changed = False
        for node in nodes[1:]:
            alive, init = set(everything), set(everything)
            for p in predecessors[node]:
                alive &= p.alive_in - p.kills
                init &= p.init_in | p.fills
            if (alive, init) != (node.alive_in, node.init_in):
                node.alive_in, node.init_in = alive, init
                changed = True


def settle(nodes, count, filled):
    """Drops frees of and writes to buffers that may be dead."""
    while True:
        flow(nodes, count, filled)
        wrong = [n for n in nodes if not n.kills <= n.alive_in or
                 not n.fills <= n.alive_in]
        if not wrong:
            return
        for node in wrong:
            node.kills &= node.alive_in
            node.fills &= node.alive_in


def generate(body):
    """The blocks of a function; the entry block is already open."""
    rng = body.rng
    count = rng.randrange(1, 5)
    filled = [i for i in range(count) if rng.random() < 0.6]
    buffers = [body.allocate(body.plain_type(), filled=i in filled)
               for i in range(count)]
    passable = {i for i in range(count) if rng.random() < 0.5}
    nodes = draw(rng, body, rng.randrange(2, 8))
    entry = nodes[0]
    for node in nodes[1:]:
        node.fills = {i for i in range(count) if rng.random() < 0.3}
        if body.weights["dealloc"]:
            node.kills = {i for i in range(count)
                          if i not in passable and rng.random() < 0.25}
    settle(nodes, count, filled)
    control.small_block(body)
    # Buffers that the entry block freed must not be used again.
    usable = {i for i in range(count) if body.state.writable(buffers[i])}
    for node in nodes:
        node.fills &= usable
        node.kills &= usable
    settle(nodes, count, filled)
    outside = list(body.numbers)
    fuel = elements.constant(body.emit, "i64", FUEL)
    if len(nodes) == 1:
        body.line("return")
        return
    for node in nodes:
        write_block(body, nodes, node, buffers, usable, passable, fuel)
        body.numbers[:] = outside
    body.line("^exit:")
    body.indent += 1
    body.line("return")
    body.indent -= 1


def write_block(body, nodes, node, buffers, usable, passable, fuel):
    entry = node is nodes[0]
    if not entry:
        fuel = body.fresh()
        names = [body.fresh() for _ in node.types]
        args = ", ".join([f"{fuel}: i64"] +
                         [f"{n}: {t}" for n, t in zip(names, node.types)])
        body.line(f"{node.label}({args}):")
    before = list(body.values)
    body.indent += 1
    if not entry:
        body.loop = object()
        body.state = State()
        body.values = []
        body.numbers.append(fuel)
        for i in sorted(usable & node.alive_in):
            body.values.append(buffers[i])
            if i in node.init_in:
                body.state.initialised |= buffers[i].objects
        # Several may be the same buffer, or a global.
        made = Object(body.loop, freeable=False)
        body.state.initialised |= {made, body.outside}
        objects = {made, body.outside}
        for i in passable & usable:
            objects |= buffers[i].objects
        for name, type_ in zip(names, node.types):
            node.arguments.append(Value(name, type_, objects, base=False))
        body.values += node.arguments
        # Entry buffers belong to no block, so no statement frees them.
        body.depth += 1
        for i in sorted(node.fills):
            body.fill(buffers[i])
        control.small_block(body)
        body.depth -= 1
    terminator(body, nodes, node, buffers, passable, fuel)
    body.indent -= 1
    if entry:
        body.values = before


def edge(body, node, target, passable, buffers, fuel):
    """The operands of a branch, evaluated in the block that branches."""
    private = {o for i, b in enumerate(buffers) if i not in passable
               for o in b.objects}
    values = []
    for type_ in target.types:
        arguments = [v for v in node.arguments if str(v.type) == str(type_)]
        if arguments and body.chance(0.6):
            values.append(body.rng.choice(arguments))
            continue
        value = body.pick(lambda v: body.state.readable(v) and
                          str(v.type) == str(type_) and
                          not v.objects & private and
                          not any(o.local for o in v.objects))
        values.append(value or body.allocate(type_))
        for o in values[-1].objects:
            o.freeable = False
    names = ", ".join([fuel] + [v.name for v in values])
    types = ", ".join(["i64"] + [str(t) for t in target.types])
    return f"{target.label}({names} : {types})"


def terminator(body, nodes, node, buffers, passable, fuel):
    bit = body.bit()
    one = elements.constant(body.emit, "i64", 1)
    zero = elements.constant(body.emit, "i64", 0)
    left = body.emit(f"arith.subi {fuel}, {one} : i64")
    edges = [edge(body, node, s, passable, buffers, left)
             for s in node.successors]
    for i in sorted(node.kills):
        body.line(f"memref.dealloc {buffers[i].name} : {buffers[i].type}")
    backward = any(s.number <= node.number for s in node.successors)
    if not edges:
        body.line("return")
        return
    if backward:
        go = body.emit(f"arith.cmpi sgt, {fuel}, {zero} : i64")
        label = f"^go{body.module.number()}"
        body.line(f"cf.cond_br {go}, {label}, ^exit")
        body.line(f"{label}:")
    if len(edges) == 1:
        body.line(f"cf.br {edges[0]}")
    elif body.chance(0.3) and not any(s.types for s in node.successors):
        # cf.switch with buffers as operands may print in a form that it cannot parse:
        # it rejects one of several results of an operation.
        body.line(f"cf.switch {left} : i64, [default: {edges[0]}, "
                  f"4: {edges[1]}]")
    else:
        body.line(f"cf.cond_br {bit}, {edges[0]}, {edges[1]}")
