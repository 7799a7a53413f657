# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops of blocks that carry buffers, and several loops of the same buffers."""

from . import carried, control, elements
from .values import Object, Value


def argument_list(names, types):
    return ", ".join(f"{n}: {t}" for n, t in zip(names, types))


def operand_list(values, types):
    if not values:
        return ""
    return f"({', '.join(values)} : {', '.join(map(str, types))})"


def ring(body, groups=None):
    """A loop of blocks: a header that may exit, and a body that branches back."""
    groups = carried.choose_carried(body) if groups is None else groups
    inits = carried.flat(groups)
    kinds = [v.type for v in inits]
    types = ["i64"] + kinds
    # A buffer that the header writes under the name of its argument, and that is read
    # under its own name behind the loop.
    written = [body.plain_type()] if body.chance(0.3) else []
    before = body.state.copy()
    start = elements.constant(body.emit, "i64", body.rng.choice([0, 1, 2, 3]))
    prefix = f"^r{body.module.number()}"
    results, head, arrow = control.result_head(body, kinds)
    count, rest = body.fresh(), body.fresh()
    names = [[body.fresh() for _ in inits] for _ in range(3)]
    body.line(f"{head}scf.execute_region{arrow} {{")
    own = [body.emit(f"memref.alloc() : {type_}") for type_ in written]
    other = [body.fresh() for _ in written]
    entry = operand_list([start] + [v.name for v in inits] + own, types + written)
    body.line(f"  cf.br {prefix}h{entry}")
    body.line(f"{prefix}h({argument_list([count] + names[0] + other, types + written)}):")
    with body.loop_scope():
        rows = carried.arguments(body, groups, names[0])
        for name, type_ in zip(other, written):
            body.fill(Value(name, type_, [Object(body.loop)]))
        body.numbers.append(count)
        passed = [v.name for v in carried.condition_values(body, groups, rows)]
        zero = elements.constant(body.emit, "i64", 0)
        bit = body.emit(f"arith.cmpi sgt, {count}, {zero} : i64")
        body.line(f"cf.cond_br {bit}, {prefix}b"
                  f"{operand_list([count] + passed, types)}, "
                  f"{prefix}e{operand_list(passed, kinds)}")
    head_state = body.state.copy()
    body.line(f"{prefix}b({argument_list([rest] + names[1], types)}):")
    with body.loop_scope():
        rows = carried.arguments(body, groups, names[1])
        body.numbers.append(rest)
        body.bits.append(body.emit(f"arith.trunci {rest} : i64 to i1"))
        yielded = [v.name for v in carried.loop_body(body, groups, rows)]
        one = elements.constant(body.emit, "i64", 1)
        less = body.emit(f"arith.subi {rest}, {one} : i64")
        yielded += [body.allocate(type_).name for type_ in written]
        body.line(f"cf.br {prefix}h{operand_list([less] + yielded, types + written)}")
    last = argument_list(names[2], kinds)
    body.line(f"{prefix}e{f'({last})' if last else ''}:")
    for name, type_ in zip(own, written):
        body.checksum(Value(name, type_, []))
    if inits:
        body.line(f"  scf.yield {', '.join(names[2])} : "
                  f"{', '.join(map(str, kinds))}")
    else:
        body.line("  scf.yield")
    body.line("}")
    # The header always runs, the body may never run.
    dead = body.state.dead
    body.state = before
    body.state.dead |= dead | head_state.dead
    body.state.initialised |= head_state.initialised
    carried.loop_results(body, groups, results)


def turns(body):
    """One to three loops; each starts with the results of the loop before."""
    type_ = body.plain_type()
    inits = [body.readable_of(type_) for _ in range(body.rng.choice([1, 2, 2, 3]))]
    kinds = [control.for_, control.for_, control.while_]
    if body.weights["ring"]:
        kinds.append(ring)
    for _ in range(body.rng.choice([1, 1, 2, 3])):
        group = carried.shared_group(body, type_, len(inits))
        group.inits = inits
        body.rng.choice(kinds)(body, [group])
        inits = [v if body.state.readable(v) else body.allocate(type_)
                 for v in body.values[-len(inits):]]
        body.rng.shuffle(inits)
        if body.chance(0.3):
            control.small_block(body)
            inits = [v if body.state.readable(v) else body.allocate(type_)
                     for v in inits]
