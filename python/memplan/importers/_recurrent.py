# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LSTM, GRU and RNN of ONNX, as loops over the steps.

The compiler takes a free batch or length of a GRU and an RNN for a constant, and it
overlooks lengths of sequences, peepholes and clips of an LSTM. The result of each step is
written into its place of the whole result, which the loop carries.
"""
from __future__ import annotations

import dataclasses
import re
from typing import Any, Dict, List, Optional, Sequence

from ._bodies import LEAST_OPSET, Text, spliced
from ._foreign import walk
from ._model import ImportFailure
from ._tools import need

_GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}
_INPUTS = ("X", "W", "R", "B", "lengths", "initial_h", "initial_c", "P")
_DEFAULTS = {"LSTM": ["Sigmoid", "Tanh", "Tanh"], "GRU": ["Sigmoid", "Tanh"], "RNN": ["Tanh"]}
_ACTIVATIONS = ("Sigmoid", "Tanh", "Relu", "HardSigmoid")

class _Layer:
    """One node: what its inputs and attributes say, and the text of its definition."""

    def __init__(self, onnx: Any, node: Any, types: Dict[str, Any]) -> None:
        self.kind = node.op_type
        self.place = node.name or next(filter(None, node.output), "")
        self.attributes = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
        self.operands = _INPUTS[:len(node.input)]
        self.inputs = {name for name, given in zip(_INPUTS, node.input) if given}
        self.is_batch_first = bool(self.attributes.get("layout", 0))
        self.direction = self.attributes.get("direction", b"forward").decode()
        x, r = types[node.input[0]].tensor_type, types[node.input[2]].tensor_type
        self.hidden = self.attributes.get("hidden_size") or r.shape.dim[2].dim_value
        self.element = {1: "float", 10: "float16", 11: "double", 16: "bfloat16"}[x.elem_type]
        sizes = [str(dim.dim_value) if dim.HasField("dim_value") else name
                 for dim, name in zip(x.shape.dim, ("rows", "columns"))]
        # Of the body of the loop: steps and batch.
        self.steps, self.batch = reversed(sizes) if self.is_batch_first else sizes
        #: Values whose types ONNX does not infer.
        self.carried: Dict[str, List[str]] = {}
        self.functions = self._functions()

    def _functions(self) -> List[List[str]]:
        """The activations by direction, each an op and its attributes."""
        count = 2 if self.direction == "bidirectional" else 1
        given = [name.decode() for name in self.attributes.get("activations", [])] or \
            _DEFAULTS[self.kind] * count
        alphas, betas = (iter(self.attributes.get(f"activation_{name}", []))
                         for name in ("alpha", "beta"))
        made = []
        for name in given:
            if name not in _ACTIVATIONS:
                raise ImportFailure(f"onnx.{self.kind} at {self.place}: the activation {name} "
                                    f"is not supported; known are {', '.join(_ACTIVATIONS)}")
            if name == "HardSigmoid":
                name += f"<alpha = {next(alphas, 0.2)!r}, beta = {next(betas, 0.5)!r}>"
            made.append(name)
        size = len(made) // count
        return [made[:size], made[size:]]

    def activate(self, body: Text, name: str, value: str) -> str:
        """The function of a gate."""
        limit = self.attributes.get("clip")
        if limit:
            bounds = [body("Constant", attributes=f"value = {self.element} {{{sign * limit!r}}}")
                      for sign in (-1.0, 1.0)]
            value = body("Clip", value, *bounds)
        op, _, attributes = name.rstrip(">").partition("<")
        return body(op, value, attributes=attributes)

    def define(self, name: str) -> str:
        text = Text(name)
        x = text("Transpose", "X", attributes="perm = [1, 0, 2]") if self.is_batch_first else "X"
        shape = text("Shape", x)
        count = text.squeeze(text.slice(shape, 0, 1, 0), 0)
        batch = text.slice(shape, 1, 2, 0)
        hidden = text.numbers(self.hidden)
        backward = {"forward": [False], "reverse": [True], "bidirectional": [False, True]}
        parts = [self._direction(text, number, is_backward, x, count, batch, hidden)
                 for number, is_backward in enumerate(backward[self.direction])]
        whole = [text("Concat", *(text.unsqueeze(value, axis) for value in values),
                      attributes=f"axis = {axis}")
                 for values, axis in zip(zip(*parts), (1, 0, 0))]
        if self.is_batch_first:
            whole = [text("Transpose", value, attributes=f"perm = [{perm}]")
                     for value, perm in zip(whole, ("2, 0, 1, 3", "1, 0, 2", "1, 0, 2"))]
        lines = "\n  ".join(text.lines)
        return (f'<domain: "memplan", opset_import: ["" : {LEAST_OPSET}]>\n'
                f"{name} ({', '.join(self.operands)}) => ({', '.join(whole)}) {{\n  {lines}\n}}")

    def _direction(self, text: Text, number: int, is_backward: bool, x: str, count: str,
                   batch: str, hidden: str) -> List[str]:
        """The results of one direction: of all steps, and the last states."""
        size = self.hidden

        def part(name: str) -> str:
            if name not in self.inputs:
                return ""
            value = text("Transpose", name, attributes="perm = [1, 0, 2]") \
                if self.is_batch_first and name in ("initial_h", "initial_c") else name
            return text.slice(value, number, number + 1, 0)

        def gates(name: str, first: int = 0) -> List[str]:
            if name not in self.inputs:
                return []
            whole = text.squeeze(part(name), 0)
            # There are three peepholes of four gates.
            count = _GATES[self.kind] - (name == "P")
            return [text.slice(whole, n * size, (n + 1) * size, 0)
                    for n in range(first, first + count)]

        zero = f"value = {self.element}[1] {{0}}"
        sizes = text("Concat", batch, hidden, attributes="axis = 0")
        states = [text.squeeze(part(name), 0) if name in self.inputs else
                  text("ConstantOfShape", sizes, attributes=zero)
                  for name in ("initial_h", "initial_c")[:2 if self.kind == "LSTM" else 1]]
        every = text("ConstantOfShape", text("Concat", text.unsqueeze(count, 0), sizes,
                                             attributes="axis = 0"), attributes=zero)
        last = text("Sub", count, text("Constant", attributes="value = int64 {1}"))
        yes = text("Constant", attributes="value = bool {1}")

        body = Text(f"{text.prefix}_{number}_")
        now, go_on, y, *olds = (f"{body.prefix}{name}" for name in ("now", "go_on", "y", "h", "c"))
        olds = olds[:len(states)]
        step = body("Sub", last, now) if is_backward else now
        cell = _Cell(self, body, body("Gather", x, step, attributes="axis = 0"), olds,
                     gates("W"), gates("R"), gates("B"), gates("B", _GATES[self.kind]),
                     gates("P"), self.functions[number])
        news = cell.step()
        shown = news[0]
        if "lengths" in self.inputs:
            # Beyond its length a sequence keeps its states and has zeros.
            length = body("Cast", "lengths", attributes="to = 7")
            inside = body.unsqueeze(body("Less", step, length), 1)
            shown = body("Where", inside, shown,
                         body("Constant", attributes=f"value = {self.element} {{0}}"))
            news = [body("Where", inside, new, old) for new, old in zip(news, olds)]
        news.append(body("ScatterND", y, body("Reshape", step, body.numbers(1, 1)),
                         body.unsqueeze(shown, 0)))
        go = body("Identity", go_on)

        results = [f"{old}_last" for old in (*olds, y)]
        shapes = [[self.batch, str(size)]] * len(olds) + [[self.steps, self.batch, str(size)]]
        self.carried.update(zip(results, shapes))
        types = [f"{self.element}[{', '.join(shape)}]" for shape in shapes]
        before, after = (", ".join(f"{kind} {name}" for kind, name in zip(types, names))
                         for names in ([*olds, y], news))
        lines = "\n    ".join(body.lines)
        text.lines.append(
            f"{', '.join(results)} = Loop({count}, {yes}, {', '.join(states)}, {every}) "
            f"<body = steps (int64 {now}, bool {go_on}, {before}) => (bool {go}, {after}) {{\n"
            f"    {lines}\n  }}>")
        return [results[-1], *results[:-1]]


@dataclasses.dataclass
class _Cell:
    """One step. Weights and biases are those of each gate."""
    layer: _Layer
    body: Text
    x: str
    states: Sequence[str]
    weights: Sequence[str]
    recurrent: Sequence[str]
    bias: Sequence[str]
    recurrent_bias: Sequence[str]
    peepholes: Sequence[str]
    functions: Sequence[str]

    def step(self) -> List[str]:
        """The new states."""
        return {"LSTM": self._lstm, "GRU": self._gru, "RNN": self._rnn}[self.layer.kind]()

    def _linear(self, value: str, weights: Sequence[str], bias: Sequence[str], gate: int) -> str:
        return self.body("Gemm", value, weights[gate], *bias[gate:gate + 1],
                         attributes="transB = 1")

    def _here(self, gate: int) -> str:
        return self._linear(self.x, self.weights, self.bias, gate)

    def _there(self, gate: int, state: str) -> str:
        return self._linear(state, self.recurrent, self.recurrent_bias, gate)

    def _sum(self, gate: int) -> str:
        return self.body("Add", self._here(gate), self._there(gate, self.states[0]))

    def _rnn(self) -> List[str]:
        return [self.layer.activate(self.body, self.functions[0], self._sum(0))]

    def _gru(self) -> List[str]:
        body, h = self.body, self.states[0]
        z, r = (self.layer.activate(body, self.functions[0], self._sum(gate)) for gate in (0, 1))
        if self.layer.attributes.get("linear_before_reset"):
            old = body("Mul", r, self._there(2, h))
        else:
            old = self._there(2, body("Mul", r, h))
        new = self.layer.activate(body, self.functions[1], body("Add", self._here(2), old))
        # (1 - z) * new + z * h
        return [body("Add", new, body("Mul", z, body("Sub", h, new)))]

    def _lstm(self) -> List[str]:
        body, old = self.body, self.states[1]

        def gate(number: int, peephole: int, state: str) -> str:
            value = self._sum(number)
            if self.peepholes:
                value = body("Add", value, body("Mul", self.peepholes[peephole], state))
            return self.layer.activate(body, self.functions[0], value)

        i = gate(0, 0, old)
        if self.layer.attributes.get("input_forget"):
            one = body("Constant", attributes=f"value = {self.layer.element} {{1}}")
            f = body("Sub", one, i)
        else:
            f = gate(2, 2, old)
        new = self.layer.activate(body, self.functions[1], self._sum(3))
        c = body("Add", body("Mul", f, old), body("Mul", i, new))
        return [body("Mul", gate(1, 1, c), body(self.functions[2], c)), c]


def expand(onnx: Any, model: Any, opset: int) -> None:
    """Replaces LSTM, GRU and RNN in the main graph."""
    nodes = model.graph.node
    if opset < LEAST_OPSET:
        return
    for number, node in enumerate(list(nodes)):
        if node.op_type not in _GATES or node.domain:
            continue
        # Of a layer behind another one that was replaced, ONNX knows the types now.
        graph = onnx.shape_inference.infer_shapes(model, data_prop=True).graph
        types = {value.name: value.type for value in (*graph.input, *graph.value_info)}
        for tensor in graph.initializer:
            types.setdefault(tensor.name, onnx.helper.make_tensor_type_proto(
                tensor.data_type, list(tensor.dims)))
        if not all(name in types for name in (node.input[0], node.input[2])):
            continue
        layer = _Layer(onnx, node, types)
        function = need("onnx.parser").parse_function(layer.define(f"memplan{number}"))
        position = list(nodes).index(node)
        after = list(nodes)[position + 1:]
        del nodes[position:]
        nodes.extend([*spliced(onnx, function, node, {}), *after])
        element = types[node.input[0]].tensor_type.elem_type
        prefix: str = next(filter(None, node.output))
        for name, sizes in layer.carried.items():
            model.graph.value_info.append(onnx.helper.make_tensor_value_info(
                f"{prefix}/{name}", element,
                [int(size) if size.isdigit() else f"{name}_{size}" for size in sizes]))


def store_slices(ir: Any, module: Any) -> None:
    """Makes of each ScatterND of one leading index a write of a slice, which the compiler
    takes for one of single elements, each with a vector of indices."""
    def sizes_of(value: Any) -> List[str]:
        match = re.match(r"!torch.vtensor<\[([^\]]*)\]", str(value.type))
        return match.group(1).split(",") if match else []

    def is_slice(op: Any) -> bool:
        if op.name != "torch.operator" or ir.StringAttr(op.attributes["name"]).value != \
                "onnx.ScatterND" or len(op.operands) != 3:
            return False
        kind = op.attributes["torch.onnx.reduction"] if "torch.onnx.reduction" in op.attributes \
            else None
        data, indices, updates = map(sizes_of, op.operands)
        return sizes_of(op.results[0]) == data and indices == ["1", "1"] and \
            updates[:1] == ["1"] and updates[1:] == data[1:] and \
            (kind is None or ir.StringAttr(kind).value == "none")

    for op in [op for op in walk(module) if is_slice(op)]:
        with module.context, op.location, ir.InsertionPoint(op):
            integer = ir.Type.parse("!torch.int")

            def make(name: str, kind: Any, *operands: Any, **attributes: Any) -> Any:
                return ir.Operation.create(f"torch.{name}", [kind], list(operands),
                                           attributes).results[0]

            zero, one = (make("constant.int", integer, value=ir.IntegerAttr.get(
                ir.IntegerType.get_signless(64), value)) for value in (0, 1))
            data, indices, updates = op.operands
            size = make("aten.size.int", integer, data, zero)
            index = make("aten.add.int", integer, make("aten.item", integer, indices), size)
            index = make("aten.remainder.int", integer, index, size)
            result = make("aten.slice_scatter", op.results[0].type, data, updates, zero, index,
                          make("aten.add.int", integer, index, one), one)
            op.results[0].replace_all_uses_with(result)
            op.erase()
