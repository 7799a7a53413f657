# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The values that loops carry and pass to the next iteration."""

from . import control, statements
from .values import MemType, Object, Value

MAX_OFFER_DEPTH = 2

# How often a loop passes each kind of value to the next iteration.
OFFERS = {
    "argument": 6, "fresh": 5, "select": 3, "branch": 4, "view": 2, "call": 2,
    "other": 2, "loop": 1,
}


class Carried:
    """The carried values of one type, and the rule that the loop follows for them.

    share:   the arguments may be the same buffers in any order; none is freed.
             `extras` are outer values that the loop may yield as well.
    rotate:  each argument owns its buffer; the body frees the last, makes a new
             first and passes the others down by one place.
    replace: each argument owns its buffer; the body frees and replaces any of
             them under a condition, and passes them on in any order.
    """

    def __init__(self, discipline, type_, inits, extras=()):
        self.discipline = discipline
        self.type = type_
        self.inits = inits
        self.extras = list(extras)

    @property
    def owns(self):
        return self.discipline != "share"

    def objects(self):
        return {o for v in self.inits + self.extras for o in v.objects}


def owned_inits(body, type_, count, groups):
    inits = []
    for _ in range(count):
        taken = {o for group in groups for o in group.objects()}
        taken |= {o for v in inits for o in v.objects}
        value = body.pick(lambda v: body.may_free(v) and
                          body.state.readable(v) and
                          str(v.type) == str(type_) and
                          not v.objects & taken)
        inits.append(value or body.allocate(type_))
    return inits


def shared_group(body, type_, count):
    """The initial values may be equal, arguments, or globals."""
    inits = [body.readable_of(type_) for _ in range(count)]
    if body.chance(0.15):
        inits = [inits[0]] * count
    if body.weights["global"] and body.chance(0.1):
        inits[0] = select_outside(body, inits[0])
    extras = []
    if body.chance(0.2):
        extra = body.pick(lambda v: body.state.readable(v) and
                          str(v.type) == str(type_) and
                          not any(o.local for o in v.objects))
        extras = [extra] if extra else []
    return Carried("share", type_, inits, extras)


def select_outside(body, value):
    """A select of the buffer or a global."""
    outside = body.global_of(value.type)
    if not outside:
        return value
    name = body.emit(f"arith.select {body.bit()}, {value.name}, {outside.name}"
                     f" : {value.type}")
    return Value(name, value.type, value.objects | outside.objects, base=False,
                 whole=value.whole)


def choose_carried(body):
    groups = []
    for _ in range(body.rng.choice([0, 1, 1, 1, 2])):
        type_ = body.plain_type()
        count = body.rng.choice([1, 1, 2, 2, 3])
        if body.weights["dealloc"] and body.chance(0.4):
            inits = owned_inits(body, type_, count, groups)
            groups.append(Carried(body.rng.choice(["rotate", "replace"]),
                                  type_, inits))
        else:
            groups.append(shared_group(body, type_, count))
    # An owned buffer must not be reachable through another group.
    owned = {o for g in groups if g.owns for o in g.objects()}
    for group in groups:
        if not group.owns and group.objects() & owned:
            group.inits = [body.allocate(group.type) for _ in group.inits]
            group.extras = []
    body.state.kill(owned)
    return groups


def flat(groups):
    return [v for group in groups for v in group.inits]


def arguments(body, groups, names):
    """The region arguments of the carried values, in the loop's scope."""
    made = []
    names = iter(names)
    for group in groups:
        row = []
        if group.owns:
            for _ in group.inits:
                own = Object(body.loop, freeable=False)
                body.state.initialised.add(own)
                row.append(Value(next(names), group.type, [own]))
        else:
            previous = Object(body.loop, freeable=False)
            body.state.initialised.add(previous)
            base = all(v.base for v in group.inits + group.extras)
            for _ in group.inits:
                row.append(Value(next(names), group.type,
                                 group.objects() | {previous}, base))
        body.values.extend(row)
        made.append(row)
    return made


def hold(body, value):
    """Forbids frees of the value in this iteration, as it will be yielded."""
    for o in value.objects:
        if o.loop is body.loop:
            o.freeable = False
    return value


def give(body, value):
    """The same for a value that the next iteration may free; it is yielded only once."""
    for o in hold(body, value).objects:
        o.owned = o.owned or o.loop is body.loop
    return value


def loop_body(body, groups, rows):
    """Statements and, per group, the values passed to the next iteration."""
    early, freed = {}, set()
    for position, (group, row) in enumerate(zip(groups, rows)):
        if group.discipline == "rotate" and body.chance(0.2):
            body.line(f"memref.dealloc {row[-1].name} : {group.type}")
            body.state.kill(row[-1].objects)
            freed.add(position)
        if body.chance(0.4):
            keep = give if group.owns else hold
            early[position] = keep(body, body.allocate(group.type))
    control.small_block(body)
    result = []
    for position, (group, row) in enumerate(zip(groups, rows)):
        fresh = early.get(position)
        if group.discipline == "rotate":
            fresh = fresh or give(body, body.allocate(group.type))
            if position not in freed:
                if body.chance(0.3):
                    body.checksum(row[-1])
                body.line(f"memref.dealloc {row[-1].name} : {group.type}")
                body.state.kill(row[-1].objects)
            if body.chance(0.3):
                control.small_block(body)
            result.append([fresh] + row[:-1])
        elif group.discipline == "replace":
            result.append([give(body, v) for v in replaced(body, group, row)])
        else:
            result.append(share_yields(body, groups, rows, position, fresh))
    return [v for row in result for v in row]


def condition_values(body, groups, rows):
    """Statements of the first region of a while, and the values for its second region."""
    control.small_block(body)
    passed = []
    for position, (group, row) in enumerate(zip(groups, rows)):
        if group.owns:
            passed += body.rng.sample(row, k=len(row))
        else:
            passed += share_yields(body, groups, rows, position, None)
    return passed


def replaced(body, group, row):
    """The owned buffers, some freed and allocated anew under a condition."""
    made = []
    for value in row:
        if body.chance(0.4):
            made.append(value)
            continue
        name, bit = body.fresh(), body.bit()
        body.line(f"{name} = scf.if {bit} -> ({group.type}) {{")

        def region(i, value=value):
            if i == 1:
                body.line("} else {")
            with body.scope():
                if i == 0:
                    if body.chance(0.4):
                        body.checksum(value)
                    body.line(f"memref.dealloc {value.name} : {group.type}")
                    body.state.kill(value.objects)
                    value = body.allocate(group.type)
                    hold(body, value)
                if body.chance(0.3):
                    control.small_block(body)
                control.yield_line(body, [value])

        control.run_branches(body, 2, region)
        body.line("}")
        own = Object(body.loop, freeable=False)
        body.state.initialised.add(own)
        made.append(Value(name, group.type, [own]))
        body.values.append(made[-1])
    body.rng.shuffle(made)
    return made


# The values that a loop with shared buffers yields.


class Offers:
    """Values of one carried group that may go to the next iteration."""

    def __init__(self, body, groups, rows, position):
        self.body = body
        self.type = groups[position].type
        self.row = rows[position]
        self.mine = set(self.row[0].objects)
        self.others = {o for i, row in enumerate(rows) if i != position
                       for v in row for o in v.objects} - self.mine

    def allowed(self, value):
        """Whether the objects of the value are among those of the next arguments."""
        return (self.body.state.readable(value) and
                str(value.type) == str(self.type) and
                all(o in self.mine or o.loop is self.body.loop and
                    o not in self.others and not o.local and not o.owned
                    for o in value.objects))

    def any(self, depth=0):
        body = self.body
        kinds = dict(OFFERS)
        if (depth >= MAX_OFFER_DEPTH or body.depth >= control.MAX_DEPTH or
                len(body.lines) > body.module.max_lines):
            kinds = {"argument": 1, "fresh": 1}
        kind = body.rng.choices(list(kinds), list(kinds.values()))[0]
        return hold(body, getattr(self, kind)(depth + 1))

    def argument(self, _):
        return self.body.rng.choice(self.row)

    def fresh(self, _):
        """A new buffer, perhaps a part of a larger one."""
        body = self.body
        if str(self.type) != "memref<8xi64>" or body.chance(0.7):
            return body.allocate(self.type)
        whole = body.allocate(MemType((128,), "i8"))
        hold(body, whole)
        body.values.append(statements.bytes_view(body, whole))
        return body.values[-1]

    def other(self, _):
        return self.body.pick(self.allowed) or self.row[0]

    def select(self, depth):
        body = self.body
        one, two = self.any(depth), self.any(depth)
        name = body.emit(f"arith.select {body.bit()}, {one.name}, {two.name} : "
                         f"{self.type}")
        return self.named(name, [one, two])

    def view(self, depth):
        """The same buffer cast to another type and back."""
        body, source = self.body, self.any(depth)
        kinds = [statements.unranked, statements.metadata]
        made = body.rng.choice(kinds)(body, source)
        return made or source

    def call(self, depth):
        body, one = self.body, self.any(depth)
        kind = body.rng.choice(["pass", "pick", "maybe"])
        helper = body.module.helper(kind, self.type)
        if kind == "pass":
            name = body.emit(f"func.call @{helper}({one.name}) : "
                             f"({self.type}) -> {self.type}")
            return self.named(name, [one])
        bit = body.bit()
        if kind == "maybe":
            name = body.emit(f"func.call @{helper}({one.name}, {bit}) : "
                             f"({self.type}, i1) -> {self.type}")
            made = self.named(name, [one])
            own = Object(body.loop, freeable=False)
            body.state.initialised.add(own)
            made.objects |= {own}
            return made
        two = self.any(depth)
        name = body.emit(
            f"func.call @{helper}({one.name}, {two.name}, {bit}) : "
            f"({self.type}, {self.type}, i1) -> {self.type}")
        return self.named(name, [one, two])

    def branch(self, depth):
        """One of several buffers, which are made or chosen in regions."""
        body = self.body
        before = control.known_objects(body)
        name = body.fresh()
        count, bit, selector = 2, None, None
        if body.chance(0.7):
            bit = body.bit()
            body.line(f"{name} = scf.if {bit} -> ({self.type}) {{")
        else:
            count = body.rng.choice([2, 3])
            selector = body.emit("arith.index_cast "
                                 f"{body.rng.choice(body.numbers)} : "
                                 "i64 to index")
            body.line(f"{name} = scf.index_switch {selector} -> {self.type}")

        def region(i):
            if selector:
                body.line("default {" if i == count - 1 else f"case {i} {{")
            elif i == 1:
                body.line("} else {")
            with body.scope():
                if body.chance(0.4):
                    control.small_block(body)
                value = self.any(depth)
                control.yield_line(body, [value])
            if selector:
                body.line("}")
            return [value]

        yielded = control.run_branches(body, count, region)
        if not selector:
            body.line("}")
        control.branch_results(body, before, yielded, [name], [self.type])
        return body.values[-1]

    def loop(self, depth):
        """The result of an inner loop on the value."""
        body = self.body
        inits = [self.any(depth) for _ in range(body.rng.choice([1, 2]))]
        inner = body.rng.choice([control.for_, control.while_])
        inner(body, [Carried("share", self.type, inits)])
        made = body.values[-1]
        hold(body, made)
        return made

    def named(self, name, values):
        objects = {o for v in values for o in v.objects}
        made = Value(name, self.type, objects, all(v.base for v in values))
        self.body.values.append(made)
        return made


def share_yields(body, groups, rows, position, fresh):
    """Any mix of the arguments, values derived from them, and new buffers."""
    row = rows[position]
    offers = Offers(body, groups, rows, position)
    plain = body.chance(0.4)
    made = []
    order = body.rng.sample(row, k=len(row))
    for i in range(len(row)):
        if made and body.chance(0.08):
            made.append(made[-1])
        elif plain and body.chance(0.6):
            made.append(order[i])
        elif fresh and body.chance(0.5):
            made.append(fresh)
            fresh = None
        else:
            made.append(offers.any())
    body.rng.shuffle(made)
    return made


def loop_results(body, groups, names):
    names = iter(names)
    for group in groups:
        if group.owns:
            for _ in group.inits:
                own = Object(body.loop)
                body.state.initialised.add(own)
                body.values.append(Value(next(names), group.type, [own]))
            continue
        last = Object(body.loop)
        body.state.initialised.add(last)
        objects = group.objects() | {last}
        base = all(v.base for v in group.inits + group.extras)
        for _ in group.inits:
            body.values.append(Value(next(names), group.type, objects, base))
