# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements with regions: branches that yield buffers, loops that carry them."""

from . import carried as carry
from . import elements, statements
from .values import Object, State, Value

MAX_DEPTH = 4


def block(body, budget):
    """Random statements; the driver of everything below."""
    for _ in range(budget):
        body.module.statement(body)


def small_block(body):
    block(body, body.rng.randrange(1, 6))


# Branches.


def run_branches(body, count, yields_of):
    """Generates `count` alternative regions from the same state.

    yields_of(i) writes region i and returns the values it yields, each with
    the state it leaves. Afterwards a value of an object that some branch freed
    is dead under its old names, but may live on as a result.
    """
    before = body.state
    states, yielded = [], []
    for i in range(count):
        body.state = before.copy()
        yielded.append(yields_of(i))
        states.append(body.state)
    body.state = State.join(states)
    return yielded


def branch_results(body, before_objects, yielded, names, types):
    """The results of the alternatives; each may be any of the yielded values."""
    shared = Object(body.loop, freeable=all(
        o.freeable and o.loop is body.loop
        for values in yielded for v in values for o in v.objects
        if o not in before_objects or o in body.state.dead))
    body.state.initialised.add(shared)
    for position, (name, type_) in enumerate(zip(names, types)):
        column = [values[position] for values in yielded]
        objects = {shared}
        for value in column:
            objects |= {o for o in value.objects
                        if o in before_objects and o not in body.state.dead}
        body.values.append(Value(name, type_, objects,
                                 all(v.base for v in column)))


def known_objects(body):
    return {o for v in body.values for o in v.objects}


def choose_types(body, most=2):
    return [body.plain_type() for _ in range(body.rng.randrange(most + 1))]


def yield_list(body, types):
    return [body.readable_of(type_) for type_ in types]


def yield_line(body, values, op="scf.yield"):
    if values:
        body.line(f"{op} {', '.join(v.name for v in values)} : "
                  f"{', '.join(str(v.type) for v in values)}")
    elif op == "scf.yield":
        body.line("scf.yield")


def result_head(body, types):
    names = [body.fresh() for _ in types]
    head = f"{', '.join(names)} = " if names else ""
    arrow = f" -> ({', '.join(map(str, types))})" if types else ""
    return names, head, arrow


def branch_region(body, types, late=None):
    with body.scope():
        small_block(body)
        if late:
            fill_late(body, late)
        values = yield_list(body, types)
        yield_line(body, values)
    return values


def fill_late(body, value):
    """The first write to a buffer that was allocated some time ago."""
    if body.state.writable(value):
        body.fill(value)
        if body.chance(0.5):
            body.checksum(value)


def read_late(body, value):
    """Reads the buffer after both branches have written it."""
    if value and body.state.readable(value) and body.chance(0.6):
        body.checksum(value)


def if_(body):
    types = choose_types(body)
    late = None
    if body.chance(0.35):
        late = body.allocate(body.plain_type(), filled=False)
    bit = body.bit()
    before = known_objects(body)
    names, head, arrow = result_head(body, types)
    both = bool(types) or body.chance(0.6)
    body.line(f"{head}scf.if {bit}{arrow} {{")

    def region(i):
        if i == 1:
            if not both:
                return []
            body.line("} else {")
        return branch_region(body, types, late)

    yielded = run_branches(body, 2, region)
    body.line("}")
    branch_results(body, before, yielded, names, types)
    read_late(body, late)


def switch(body):
    types = choose_types(body)
    before = known_objects(body)
    number = body.rng.choice(body.numbers)
    selector = body.emit(f"arith.index_cast {number} : i64 to index")
    names, head, arrow = result_head(body, types)
    cases = body.rng.randrange(1, 4)
    arrow = f" -> {', '.join(map(str, types))}" if types else ""
    body.line(f"{head}scf.index_switch {selector}{arrow}")

    def region(i):
        body.line("default {" if i == cases else f"case {i} {{")
        values = branch_region(body, types)
        body.line("}")
        return values

    yielded = run_branches(body, cases + 1, region)
    branch_results(body, before, yielded, names, types)


def affine_if(body):
    if not body.affine_ivs:
        return
    types = choose_types(body, 1)
    before = known_objects(body)
    iv = body.rng.choice(body.affine_ivs)
    bound = body.rng.randrange(3)
    names, head, arrow = result_head(body, types)
    arrow = arrow.replace("(", "").replace(")", "") if len(types) == 1 else arrow
    body.line(f"{head}affine.if affine_set<(d0) : (d0 - {bound} >= 0)>({iv})"
              f"{arrow} {{")
    both = bool(types) or body.chance(0.5)

    def region(i):
        if i == 1:
            if not both:
                return []
            body.line("} else {")
        with body.scope():
            small_block(body)
            values = yield_list(body, types)
            yield_line(body, values, "affine.yield")
        return values

    yielded = run_branches(body, 2, region)
    body.line("}")
    branch_results(body, before, yielded, names, types)


def execute_region(body):
    """One block, or a diamond of blocks that passes a buffer on."""
    types = choose_types(body)
    before = known_objects(body)
    bit = body.bit()
    # A buffer that one block writes, and that is read behind the region if it has.
    hidden = None
    if body.chance(0.5):
        hidden = body.allocate(body.plain_type(), filled=False)
        body.values.remove(hidden)
    names, head, arrow = result_head(body, types)
    body.line(f"{head}scf.execute_region{arrow} {{")
    if body.chance(0.5):
        values = branch_region(body, types)
        hidden = None
    else:
        values = diamond(body, types, bit, hidden)
    body.line("}")
    branch_results(body, before, [values], names, types)
    if hidden:
        body.line(f"scf.if {bit} {{")
        with body.scope():
            body.checksum(hidden)
        body.line("}")


def diamond(body, types, bit, hidden):
    late = None
    if body.chance(0.5):
        late = body.allocate(body.plain_type(), filled=False)
    before = known_objects(body)
    prefix = f"^d{body.module.number()}"
    body.line(f"  cf.cond_br {bit}, {prefix}a, {prefix}b")

    def arm(i):
        body.line(f"{prefix}{'ab'[i]}:")
        with body.scope():
            small_block(body)
            if late:
                fill_late(body, late)
            if hidden and i == 0:
                body.fill(hidden)
            values = yield_list(body, types)
            names = ", ".join(v.name for v in values)
            args = f"({names} : {', '.join(map(str, types))})" if values else ""
            body.line(f"cf.br {prefix}c{args}")
        return values

    yielded = run_branches(body, 2, arm)
    names = [body.fresh() for _ in types]
    args = ", ".join(f"{n}: {t}" for n, t in zip(names, types))
    body.line(f"{prefix}c{f'({args})' if args else ''}:")
    with body.scope():
        branch_results(body, before, yielded, names, types)
        values = body.values[len(body.values) - len(types):]
        read_late(body, late)
        small_block(body)
        # Values that the end of the region frees must not be yielded.
        values = [v if body.state.readable(v) else body.allocate(v.type)
                  for v in values]
        yield_line(body, values)
    if late:
        body.values.remove(late)
    return values


# Loops.


def after_loop(body, before, runs):
    """The state after a loop: freed objects are dead; initialisation counts if the body ran."""
    inside = body.state
    body.state = before
    body.state.dead |= inside.dead
    if runs:
        body.state.initialised |= inside.initialised


def fill_at_first(body, value, number):
    """Fills in the first iteration a buffer that all iterations read. This is the last
    statement except for the carried values, so that other statements precede it."""
    if not body.state.writable(value):
        return
    zero = elements.constant(body.emit, "i64", 0)
    first = body.emit(f"arith.cmpi eq, {number}, {zero} : i64")
    body.line(f"scf.if {first} {{")
    with body.scope():
        body.fill(value)
    body.line("}")
    body.state.wrote(value)
    body.checksum(value)
    if body.chance(0.5):
        statements.store_one(body)


def for_(body, groups=None):
    """A counted loop; its carried values are random unless given."""
    affine = body.chance(body.weights["affine"] / 10)
    trips = body.rng.choice([0, 1, 2, 2, 3, 3, None])
    if body.depth > 2:
        trips = body.rng.choice([0, 1, 2])
    groups = carry.choose_carried(body) if groups is None else groups
    late = None
    if trips and body.chance(0.25):
        late = body.allocate(body.plain_type(), filled=False)
    inits = carry.flat(groups)
    before = body.state.copy()
    if trips is None and not affine:
        number = body.rng.choice(body.numbers)
        three = elements.constant(body.emit, "i64", 3)
        rest = body.emit(f"arith.remui {number}, {three} : i64")
        upper = body.emit(f"arith.index_cast {rest} : i64 to index")
    else:
        trips = 2 if trips is None else trips
        upper = body.index(trips)
    iv = body.fresh()
    names = [body.fresh() for _ in inits]
    results, head, arrow = result_head(body, [v.type for v in inits])
    carried = ", ".join(f"{n} = {v.name}" for n, v in zip(names, inits))
    carried = f" iter_args({carried}){arrow}" if inits else ""
    if affine:
        body.line(f"{head}affine.for {iv} = 0 to {trips}{carried} {{")
    else:
        body.line(f"{head}scf.for {iv} = {body.index(0)} to {upper} step "
                  f"{body.index(1)}{carried} {{")
    last_free = body.pick(body.may_free) if trips and body.chance(0.2) else None
    with body.loop_scope():
        rows = carry.arguments(body, groups, names)
        wide = body.emit(f"arith.index_cast {iv} : index to i64")
        body.numbers.append(wide)
        body.bits.append(body.emit(f"arith.trunci {wide} : i64 to i1"))
        if affine:
            body.affine_ivs.append(iv)
        yielded = carry.loop_body(body, groups, rows)
        if late:
            fill_at_first(body, late, wide)
        if last_free and usable_free(body, last_free, yielded):
            free_in_last_iteration(body, last_free, wide, trips)
        if yielded:
            yield_line(body, yielded, "affine.yield" if affine else "scf.yield")
    body.line("}")
    after_loop(body, before, bool(trips))
    carry.loop_results(body, groups, results)


def usable_free(body, value, yielded):
    """Whether the buffer is alive and no longer reachable after this point."""
    return (body.state.writable(value) and body.weights["dealloc"] and
            not any(v.objects & value.objects for v in yielded))


def free_in_last_iteration(body, value, number, trips):
    last = elements.constant(body.emit, "i64", trips - 1)
    bit = body.emit(f"arith.cmpi eq, {number}, {last} : i64")
    body.line(f"scf.if {bit} {{")
    body.line(f"  memref.dealloc {value.name} : {value.type}")
    body.line("}")
    body.state.kill(value.objects)


def while_(body, groups=None):
    """A while loop that counts; both regions may use and make buffers."""
    groups = carry.choose_carried(body) if groups is None else groups
    inits = carry.flat(groups)
    types = [v.type for v in inits]
    before = body.state.copy()
    limit = elements.constant(body.emit, "i64", body.rng.choice([0, 1, 2, 3]))
    start = elements.constant(body.emit, "i64", 0)
    head_names = [body.fresh() for _ in inits]
    body_names = [body.fresh() for _ in inits]
    results = [body.fresh() for _ in inits]
    count, next_count, end_count = body.fresh(), body.fresh(), body.fresh()
    all_types = ", ".join(["i64"] + [str(t) for t in types])
    args = ", ".join(f"{n} = {v}" for n, v in zip(
        [count] + head_names, [start] + [v.name for v in inits]))
    body.line(f"{', '.join([end_count] + results)} = scf.while ({args}) : "
              f"({all_types}) -> ({all_types}) {{")
    with body.loop_scope():
        rows = carry.arguments(body, groups, head_names)
        body.numbers.append(count)
        passed = carry.condition_values(body, groups, rows)
        bit = body.emit(f"arith.cmpi slt, {count}, {limit} : i64")
        names = ", ".join([count] + [v.name for v in passed])
        body.line(f"scf.condition({bit}) {names} : {all_types}")
    head_state = body.state.copy()
    body.line("} do {")
    args = ", ".join(f"{n}: {t}" for n, t in zip(
        [next_count] + body_names, ["i64"] + [str(t) for t in types]))
    body.line(f"^bb0({args}):")
    with body.loop_scope():
        rows = carry.arguments(body, groups, body_names)
        body.numbers.append(next_count)
        body.bits.append(body.emit(f"arith.trunci {next_count} : i64 to i1"))
        yielded = carry.loop_body(body, groups, rows)
        one = elements.constant(body.emit, "i64", 1)
        bumped = body.emit(f"arith.addi {next_count}, {one} : i64")
        names = ", ".join([bumped] + [v.name for v in yielded])
        body.line(f"scf.yield {names} : {all_types}")
    body.line("}")
    # The first region always runs, the second may never run.
    dead = body.state.dead
    body.state = before
    body.state.dead |= dead | head_state.dead
    body.state.initialised |= head_state.initialised
    carry.loop_results(body, groups, results)
    body.numbers.append(end_count)


def parallel(body):
    """A parallel loop whose iterations read shared buffers and have their own scratch buffers."""
    if body.depth > 2:
        return
    out = body.pick(lambda v: body.state.writable(v) and v.type.plain and
                    v.type.rank == 1 and v.type.elements and
                    v.type.space is None and v.whole and
                    len(v.objects) == 1)
    if not out:
        return
    size = out.type.shape[0]
    element = out.type.element
    source = body.pick(lambda v: body.state.readable(v) and
                       v.type.element == "i64" and v.type.elements and
                       statements.disjoint(v, out))
    iv = body.fresh()
    kind = body.rng.choice(["scf", "forall", "affine"])
    if kind == "scf":
        body.line(f"scf.parallel ({iv}) = ({body.index(0)}) to "
                  f"({body.index(size)}) step ({body.index(1)}) {{")
    elif kind == "forall":
        body.line(f"scf.forall ({iv}) in ({size}) {{")
    else:
        body.line(f"affine.parallel ({iv}) = (0) to ({size}) {{")
    with body.loop_scope():
        scratch = body.emit("memref.alloc() : memref<4xi64>")
        wide = body.emit(f"arith.index_cast {iv} : index to i64")
        if source:
            wide = body.emit(f"arith.addi {wide}, {body.load(source)} : i64")
        body.line(f"linalg.fill ins({wide} : i64) outs({scratch} : memref<4xi64>)")
        again = body.emit(f"memref.load {scratch}[{body.index(3)}] : memref<4xi64>")
        item = elements.from_i64(body.emit, element, again)
        body.line(f"memref.store {item}, {out.name}[{iv}] : {out.type}")
        if body.chance(0.5) and body.weights["dealloc"]:
            body.line(f"memref.dealloc {scratch} : memref<4xi64>")
    body.line("}")
    body.state.wrote(out)


def call_tree(body):
    """A call of a private function that was itself generated."""
    callee = body.module.private_function(body)
    if not callee:
        return
    args = []
    for type_ in callee.arguments:
        value = body.pick_readable(type_) or body.allocate(type_)
        args.append(value)
    names = ", ".join([body.rng.choice(body.numbers)] + [v.name for v in args])
    types = ", ".join(["i64"] + [str(v.type) for v in args])
    if callee.result is None:
        body.line(f"func.call @{callee.name}({names}) : ({types}) -> ()")
        return
    result = body.emit(f"func.call @{callee.name}({names}) : "
                       f"({types}) -> {callee.result}")
    made = Object(body.loop)
    body.state.initialised.add(made)
    # The callee may return a global.
    objects = {made, body.outside}
    body.state.initialised.add(body.outside)
    base = callee.result_base
    for value in args:
        objects |= value.objects
        base = base and value.base
    body.values.append(Value(result, callee.result, objects, base))
