# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The generator's facts about a value: its type and the objects that it may be.

An Object stands for one allocation, or for several of which only one can exist
at a time (those that a loop carries). The State at a point of the program has the
objects that are certainly alive and those that are certainly initialised:

  a value may be written  if none of its objects may be dead,
  a value may be read     if moreover all of its objects are initialised,
  a value may be freed    if moreover it is a base pointer and all of its
                          objects belong to the loop that is being generated.

Freeing a value kills every object that it may name, so a use after free, a
double free or a read of uninitialised memory cannot be generated; a leak can.
"""

import itertools

ELEMENT_BYTES = {
    "i64": 8, "i32": 4, "i16": 2, "i8": 1, "i1": 1,
    "index": 8, "f32": 4, "f64": 8,
}


class MemType:
    """A memref type. `dynamic` hides the sizes, which are known here."""

    def __init__(self, shape, element, layout="", dynamic=False, space=None):
        self.shape = tuple(shape)
        self.element = element
        self.layout = layout
        self.dynamic = dynamic
        self.space = space

    @property
    def rank(self):
        return len(self.shape)

    @property
    def elements(self):
        count = 1
        for size in self.shape:
            count *= size
        return count

    @property
    def plain(self):
        return not self.layout and not self.dynamic

    def __str__(self):
        sizes = ["?" if self.dynamic else str(size) for size in self.shape]
        text = "x".join(sizes + [self.element])
        if self.layout:
            text += ", " + self.layout
        if self.space is not None:
            text += f", {self.space}"
        return f"memref<{text}>"

    def name(self):
        """A symbol suffix for helpers on this type; plain types only."""
        sizes = "x".join(str(size) for size in self.shape)
        space = "" if self.space is None else f"s{self.space}"
        return f"{sizes}{self.element}{space}"

    def unranked(self):
        space = "" if self.space is None else f", {self.space}"
        return f"memref<*x{self.element}{space}>"


class Object:
    """One allocation; `loop` is the loop body that creates and may free it."""

    _ids = itertools.count()

    def __init__(self, loop, freeable=True, local=False):
        self.id = next(Object._ids)
        self.loop = loop
        self.freeable = freeable
        self.local = local  # an alloca: must not leave its region
        # Yielded to the next iteration by a group that frees its buffers.
        self.owned = False


class Value:
    """An SSA memref. `whole`: writing all of it initialises its only object."""

    def __init__(self, name, type_, objects, base=True, whole=True):
        self.name = name
        self.type = type_
        self.objects = frozenset(objects)
        self.base = base
        self.whole = whole


class State:
    """The facts that certainly hold at a point of the program."""

    def __init__(self, dead=(), initialised=()):
        self.dead = set(dead)
        self.initialised = set(initialised)

    def copy(self):
        return State(self.dead, self.initialised)

    def writable(self, value):
        return not (value.objects & self.dead)

    def readable(self, value):
        return self.writable(value) and value.objects <= self.initialised

    def wrote(self, value):
        if value.whole and len(value.objects) == 1:
            self.initialised |= value.objects

    def kill(self, objects):
        self.dead |= set(objects)

    @staticmethod
    def join(states):
        """The state after paths meet."""
        result = states[0].copy()
        for state in states[1:]:
            result.dead |= state.dead
            result.initialised &= state.initialised
        return result
