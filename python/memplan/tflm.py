# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans for TensorFlow Lite Micro: offsets of tensors in the metadata of a .tflite model.

    import memplan.tflm
    planned = memplan.tflm.plan(open("model.tflite", "rb").read())
    open("planned.tflite", "wb").write(planned.model)
    print(planned.arena_size, planned.lower_bound)

The runtime takes the offsets from the metadata "OfflineMemoryAllocation" and places only
the scratch buffers of its kernels itself. Nothing but this package is needed.
"""
from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Tuple

from .core import MemplanError, Problem, solve

_NAME = b"OfflineMemoryAllocation"
#: What the runtime aligns tensors to.
_ALIGNMENT = 16
#: Bytes of an element by TensorType of the schema.
_WIDTHS = {0: 4, 1: 2, 2: 4, 3: 1, 4: 8, 6: 1, 7: 2, 8: 8, 9: 1, 10: 8, 11: 16, 12: 8,
           15: 4, 16: 2}
_INT4 = 17


@dataclass(frozen=True)
class PlannedModel:
    """A model with offsets, and the problem that they solve."""
    model: bytes = field(repr=False)
    #: By tensor; -1 for tensors without a place in the arena.
    offsets: Tuple[int, ...]
    arena_size: int
    lower_bound: int
    #: Bytes of all tensors of the arena.
    total_size: int
    status: str


class _Table:
    """A table of a flatbuffer; fields by number."""

    def __init__(self, data: bytes, position: int) -> None:
        self.data, self.position = data, position
        self.vtable = position - _read("<i", data, position)
        self.fields = (_read("<H", data, self.vtable) - 4) // 2

    def place(self, number: int) -> int:
        """Where the field is; 0 if the table has none."""
        if number >= self.fields:
            return 0
        offset: int = _read("<H", self.data, self.vtable + 4 + 2 * number)
        return self.position + offset if offset else 0

    def scalar(self, number: int, layout: str, default: int = 0) -> int:
        place = self.place(number)
        return _read(layout, self.data, place) if place else default

    def target(self, number: int) -> int:
        """Where the table, vector or string of the field is; 0 if there is none."""
        place = self.place(number)
        return place + _read("<I", self.data, place) if place else 0

    def tables(self, number: int) -> List[_Table]:
        start = self.target(number)
        if not start:
            return []
        places = range(start + 4, start + 4 + 4 * _read("<I", self.data, start), 4)
        return [_Table(self.data, place + _read("<I", self.data, place)) for place in places]

    def numbers(self, number: int) -> List[int]:
        start = self.target(number)
        count = _read("<I", self.data, start) if start else 0
        if start + 4 + 4 * count > len(self.data):
            raise MemplanError("this is no .tflite model: a vector ends outside of it")
        return list(struct.unpack_from(f"<{count}i", self.data, start + 4))

    def text(self, number: int) -> bytes:
        start = self.target(number)
        return self.data[start + 4:start + 4 + _read("<I", self.data, start)] if start else b""


def _read(layout: str, data: bytes, position: int) -> int:
    if position < 0 or position + struct.calcsize(layout) > len(data):
        raise MemplanError("this is no .tflite model: an offset points outside of it")
    value: int = struct.unpack_from(layout, data, position)[0]
    return value


# Numbers of the fields in the schema of TensorFlow Lite.
_MODEL_SUBGRAPHS, _MODEL_BUFFERS, _MODEL_METADATA = 2, 4, 6
_GRAPH_TENSORS, _GRAPH_INPUTS, _GRAPH_OUTPUTS, _GRAPH_OPERATORS = 0, 1, 2, 3
_TENSOR_SHAPE, _TENSOR_TYPE, _TENSOR_BUFFER, _TENSOR_NAME, _TENSOR_IS_VARIABLE = 0, 1, 2, 3, 5
_OPERATOR_INPUTS, _OPERATOR_OUTPUTS = 1, 2
_BUFFER_DATA, _BUFFER_OFFSET = 0, 1
_METADATA_NAME, _METADATA_BUFFER = 0, 1


def _root(data: bytes) -> _Table:
    if data[4:8] != b"TFL3":
        raise MemplanError("this is no .tflite model: it does not begin with TFL3")
    return _Table(data, _read("<I", data, 0))


def problem_of(data: bytes) -> Tuple[Problem, Dict[str, int], int]:
    """The tensors of the arena as a problem, with lifetimes as the runtime has them; the
    number of each tensor by its id in the problem; and how many tensors the model has."""
    model = _root(data)
    graphs = model.tables(_MODEL_SUBGRAPHS)
    if len(graphs) != 1:
        raise MemplanError(f"the model has {len(graphs)} subgraphs; the runtime applies the "
                           "offsets of the first one to all")
    graph, buffers = graphs[0], model.tables(_MODEL_BUFFERS)
    for held in buffers:
        if held.scalar(_BUFFER_OFFSET, "<Q") > 1:
            raise MemplanError("the model has buffers outside of its flatbuffer")
    tensors, operators = graph.tables(_GRAPH_TENSORS), graph.tables(_GRAPH_OPERATORS)
    first: Dict[int, int] = {}
    last: Dict[int, int] = {}

    def use(tensor: int, time: int) -> None:
        if not 0 <= tensor < len(tensors):
            return
        first.setdefault(tensor, time)
        last[tensor] = time

    # Inputs and outputs live before the first operator; outputs live to the end.
    outputs = graph.numbers(_GRAPH_OUTPUTS)
    for tensor in graph.numbers(_GRAPH_INPUTS):
        use(tensor, 0)
    written = set()
    for time, operator in enumerate(operators, 1):
        for tensor in operator.numbers(_OPERATOR_OUTPUTS):
            written.add(tensor)
            use(tensor, time)
        for tensor in operator.numbers(_OPERATOR_INPUTS):
            use(tensor, time)
    for tensor in outputs:
        if tensor not in written:
            first[tensor] = 0
        use(tensor, len(operators))

    problem = Problem(arena_alignment=_ALIGNMENT)
    numbers = {}
    for number, table in enumerate(tensors):
        buffer = table.scalar(_TENSOR_BUFFER, "<I")
        constant = buffer < len(buffers) and buffers[buffer].target(_BUFFER_DATA)
        if number not in first or constant or table.scalar(_TENSOR_IS_VARIABLE, "<B"):
            continue
        kind = table.scalar(_TENSOR_TYPE, "<b")
        elements = 1
        for size in table.numbers(_TENSOR_SHAPE):
            elements *= size
        if elements <= 0 or (kind not in _WIDTHS and kind != _INT4):
            # Sizes that only the runtime knows: it places the tensor.
            continue
        size = (elements + 1) // 2 if kind == _INT4 else elements * _WIDTHS[kind]
        name = f"{number}:{table.text(_TENSOR_NAME).decode(errors='replace')}"
        problem.add(name, -(-size // _ALIGNMENT) * _ALIGNMENT, first[number], last[number] + 1,
                    alignment=_ALIGNMENT)
        numbers[name] = number
    return problem, numbers, len(tensors)


def results_in_order(data: bytes) -> List[int]:
    """The tensors that the operators of the first subgraph write, in the order of the operators."""
    graph = _root(data).tables(_MODEL_SUBGRAPHS)[0]
    return [tensor for operator in graph.tables(_GRAPH_OPERATORS)
            for tensor in operator.numbers(_OPERATOR_OUTPUTS)]


def plan(data: bytes, strategy: str = "auto", **options: Any) -> PlannedModel:
    """Plans the tensors of a .tflite model of one subgraph. Options are those of
    memplan.solve. Offsets that the model has already are replaced."""
    problem, numbers, count = problem_of(data)
    solved = solve(problem, strategy=strategy, **options)
    offsets = [-1] * count
    for number, offset in zip(numbers.values(), solved.offsets):
        offsets[number] = offset
    return PlannedModel(with_offsets(data, offsets), tuple(offsets), solved.arena_size,
                        solved.lower_bound, problem.total_size,
                        solved.status)


def with_offsets(data: bytes, offsets: List[int]) -> bytes:
    """The model with these offsets in its metadata.

    References in a flatbuffer only point forward. So a new root, its two longer vectors and
    the new entries are put in front of the bytes of the model, which stay as they are.
    """
    old = _root(data)
    buffers, metadata = old.tables(_MODEL_BUFFERS), old.tables(_MODEL_METADATA)
    metadata = [entry for entry in metadata if entry.text(_METADATA_NAME) != _NAME]
    if max(offsets, default=0) >= 2**31:
        raise MemplanError("the arena has more than 2 GiB, and offsets have 32 bits")
    content = struct.pack("<3I", 1, 0, len(offsets)) + struct.pack(f"<{len(offsets)}i", *offsets)

    head = bytearray(struct.pack("<I4s", 0, b"TFL3"))
    later: List[Tuple[int, int]] = []  # places that refer to positions of the old model

    def align(alignment: int) -> int:
        head.extend(bytes(-len(head) % alignment))
        return len(head)

    def refer(place: int, target: int) -> None:
        struct.pack_into("<I", head, place, target - place)

    def vector(old_tables: List[_Table]) -> Tuple[int, int]:
        """A vector of the old tables and one more; its place, and that of the last entry."""
        start = align(4)
        head.extend(struct.pack("<I", len(old_tables) + 1) + bytes(4 * len(old_tables) + 4))
        for number, table in enumerate(old_tables):
            later.append((start + 4 + 4 * number, table.position))
        return start, start + 4 + 4 * len(old_tables)

    # The root has the fields of the old one; version (0) is a number, the others refer.
    count = max(old.fields, _MODEL_METADATA + 1)
    if 4 + 4 * count >= 2**16:
        raise MemplanError(f"this is no .tflite model: its root has {count} fields")
    vtable = align(4)
    head.extend(struct.pack("<2H", 4 + 2 * count, 4 + 4 * count))
    head.extend(struct.pack(f"<{count}H", *(
        4 + 4 * number if old.place(number) or number == _MODEL_METADATA else 0
        for number in range(count))))
    root = align(4)
    head.extend(struct.pack("<i", root - vtable) + bytes(4 * count))
    refer(0, root)
    for number in range(count):
        place = root + 4 + 4 * number
        if number == 0:
            struct.pack_into("<I", head, place, old.scalar(0, "<I"))
        elif number not in (_MODEL_BUFFERS, _MODEL_METADATA) and old.target(number):
            later.append((place, old.target(number)))
    start, new_buffer = vector(buffers)
    refer(root + 4 + 4 * _MODEL_BUFFERS, start)
    start, new_entry = vector(metadata)
    refer(root + 4 + 4 * _MODEL_METADATA, start)

    # Buffer {data}, and Metadata {name, buffer}.
    vtable = align(4)
    head.extend(struct.pack("<4H", 6, 8, 4, 0))
    table = align(4)
    head.extend(struct.pack("<iI", table - vtable, 0))
    refer(new_buffer, table)
    head.extend(bytes((12 - len(head)) % 16))  # the content is aligned, behind its length
    refer(table + 4, len(head))
    head.extend(struct.pack("<I", len(content)) + content)
    vtable = align(4)
    head.extend(struct.pack("<4H", 8, 12, 4, 8))
    table = align(4)
    head.extend(struct.pack("<i2I", table - vtable, 0, len(buffers)))
    refer(new_entry, table)
    refer(table + 4, align(4))
    head.extend(struct.pack("<I", len(_NAME)) + _NAME + b"\0")

    # No alignment of the model is greater than a page of weights has.
    shift = align(64)
    for place, target in later:
        refer(place, shift + target)
    return bytes(head) + data
