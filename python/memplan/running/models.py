# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models in their own frameworks: the values of their weights, and what they compute.

Arrays are those of numpy; bfloat16 has the dtype of ml_dtypes.
"""
from __future__ import annotations

import importlib
import importlib.util
import operator
import os
import subprocess
import sys
import tempfile
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

from ..core import MemplanError
from ..importers._tools import need

#: A value inside of a model: the name that it has in the locations of the program, and its array.
Step = Tuple[str, Any]


class ReferenceFailure(MemplanError):
    """A framework that is missing, or that refuses to run the model."""


def _install(package: str, why: str) -> ReferenceFailure:
    return ReferenceFailure(f"{why} needs the Python package {package}, which is not installed; "
                            f"pip install {package}")


def _as(array: Any, dtype: Any) -> Any:
    """The array with elements of the model's type: a program has no signs."""
    if array.dtype == dtype:
        return array
    return array.view(dtype) if array.dtype.itemsize == dtype.itemsize else array.astype(dtype)


class Model:
    """A model whose program has been imported."""

    def framework(self) -> str:
        """Its name, for people; raises ReferenceFailure if it is not installed."""
        raise ReferenceFailure("this program has no framework that it can be compared with")

    def weights(self) -> Dict[str, Any]:
        """The values of the arguments that are weights, by name."""
        return {}

    def examples(self) -> Sequence[Any]:
        """The arrays that the model was imported with; None where there is none."""
        return ()

    def run(self, inputs: Sequence[Any]) -> List[Any]:
        """The results of the program, computed by the framework for its other arguments."""
        raise NotImplementedError

    def shape_of(self, name: str) -> Sequence[Any]:
        """Of an input or result: sizes, and the names of free ones; empty if they are not known."""
        return ()

    def steps(self, inputs: Sequence[Any]) -> Iterator[Step]:
        """Values inside of the model in the order in which it computes them, if the framework gives
        them."""
        return iter(())


def _to_numpy(value: Any) -> Any:
    """An array of a tensor of PyTorch."""
    import torch
    value = value.detach().cpu()
    if value.dtype == torch.bfloat16:
        return value.view(torch.int16).numpy().view(need("ml_dtypes").bfloat16)
    return value.numpy()


def _to_torch(array: Any) -> Any:
    import numpy
    import torch
    array = numpy.array(array)  # The model may overwrite it.
    if array.dtype.name == "bfloat16":
        return torch.from_numpy(array.view(numpy.int16)).view(torch.bfloat16)
    return torch.from_numpy(array)


class TorchModel(Model):
    """An exported program, and how the importer decomposes it."""

    def __init__(self, exported: Any, decompose: Callable[[], Tuple[Any, Dict[str, str]]],
                 weights: Dict[str, Any], targets: Sequence[Optional[str]]) -> None:
        #: `targets` names for each result of the program what it is the new state of; None for the
        #: results of the model.
        self.exported, self.decompose, self.tensors, self.targets = exported, decompose, weights, targets

    def framework(self) -> str:
        return f"PyTorch {need('torch').__version__}"

    def weights(self) -> Dict[str, Any]:
        for name, tensor in self.tensors.items():
            if tensor.device.type == "meta":
                raise ReferenceFailure(f"the model is on PyTorch's meta device: '{name}' has no values")
        return {name: _to_numpy(tensor) for name, tensor in self.tensors.items()}

    def _flat(self) -> List[Any]:
        import torch
        leaves: List[Any] = torch.utils._pytree.tree_leaves(self.exported.example_inputs)
        return leaves

    def examples(self) -> Sequence[Any]:
        import torch
        return [None if value.device.type == "meta" else _to_numpy(value) for value in self._flat()
                if isinstance(value, torch.Tensor)]

    def _arguments(self, inputs: Sequence[Any]) -> List[Any]:
        import torch
        given = iter(inputs)
        return [_to_torch(next(given)).view(value.dtype) if isinstance(value, torch.Tensor) else value
                for value in self._flat()]

    def run(self, inputs: Sequence[Any]) -> List[Any]:
        import torch
        self.weights()
        module, flat = self.exported.module(), self._arguments(inputs)
        state = {name: value.clone() for name, value in module.named_buffers()}
        args, kwargs = torch.utils._pytree.tree_unflatten(flat, self.exported.call_spec.in_spec)
        names = [spec.arg.name for spec in self.exported.graph_signature.input_specs
                 if spec.kind.name == "USER_INPUT"]
        with torch.no_grad():
            given = torch.utils._pytree.tree_leaves(module(*args, **kwargs))
            outputs = iter([value for value in given if isinstance(value, torch.Tensor)])
            changed = {**dict(module.named_buffers()), **dict(zip(names, flat))}
            results = [_to_numpy((changed[name] if name else next(outputs)).clone()) for name in self.targets]
            for name, value in module.named_buffers():
                value.copy_(state[name])
        return results

    def steps(self, inputs: Sequence[Any]) -> Iterator[Step]:
        import torch
        program, places = self.decompose()
        held, tensors = {**program.constants, **program.state_dict}, iter(self._arguments(inputs))
        given = [next(tensors) if spec.kind.name == "USER_INPUT" else held[spec.target].clone()
                 for spec in program.graph_signature.input_specs]
        found: List[Step] = []

        class Observer(torch.fx.Interpreter):
            def run_node(self, node: Any) -> Any:
                value = super().run_node(node)
                # What is taken out of several results shares its place with others.
                if node.op == "call_function" and node.target is not operator.getitem and \
                        isinstance(value, torch.Tensor):
                    found.append((places[node.name], _to_numpy(value.clone())))
                return value

        with torch.no_grad():
            Observer(program.graph_module).run(*given)
        return iter(found)


class OnnxModel(Model):
    """An ONNX file, run by onnxruntime where it is installed and has the ops, and by onnx's reference
    otherwise."""

    def __init__(self, path: str, weights: Sequence[Any]) -> None:
        #: Initializers that are arguments; the values of external ones are read when they are needed.
        self.path, self.tensors, self.is_refused = path, weights, False

    def framework(self) -> str:
        runtime = self._runtime()
        if runtime:
            try:
                self._session(runtime, self.path)
                return f"onnxruntime {runtime.__version__}"
            except Exception:  # An op that it does not have.
                self.is_refused = True
        return f"the reference of onnx {need('onnx').__version__}"

    def _runtime(self) -> Any:
        try:
            return None if self.is_refused else importlib.import_module("onnxruntime")
        except ImportError:
            return None

    @staticmethod
    def _session(runtime: Any, source: Any, is_whole: bool = False) -> Any:
        options = runtime.SessionOptions()
        options.log_severity_level = 4
        if is_whole:
            options.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_DISABLE_ALL
        return runtime.InferenceSession(source, options, providers=["CPUExecutionProvider"])

    def weights(self) -> Dict[str, Any]:
        helper = need("onnx.numpy_helper", "onnx")
        folder = os.path.dirname(os.path.abspath(self.path))
        return {tensor.name: helper.to_array(tensor, base_dir=folder) for tensor in self.tensors}

    def shape_of(self, name: str) -> Sequence[Any]:
        graph = need("onnx").load(self.path, load_external_data=False).graph
        value = next((value for value in (*graph.input, *graph.output) if value.name == name), None)
        return [dim.dim_param or dim.dim_value for dim in value.type.tensor_type.shape.dim] if value else ()

    def run(self, inputs: Sequence[Any]) -> List[Any]:
        return self._run(inputs, False)[1]

    def _run(self, inputs: Sequence[Any], is_whole: bool) -> Tuple[List[str], List[Any]]:
        onnx = need("onnx")
        model = onnx.load(self.path)
        defaults = {tensor.name for tensor in model.graph.initializer}
        given = [value for value in model.graph.input if value.name not in defaults]
        to_dtype = onnx.helper.tensor_dtype_to_np_dtype
        feeds = {value.name: _as(array, to_dtype(value.type.tensor_type.elem_type))
                 for value, array in zip(given, inputs)}
        names = [value.name for value in model.graph.output]
        if is_whole:
            names = [name for node in model.graph.node for name in node.output if name]
            model.graph.output.extend(onnx.ValueInfoProto(name=name) for name in names
                                      if name not in {value.name for value in model.graph.output})
        runtime = self._runtime()
        if not runtime:
            evaluator = need("onnx.reference", "onnx").ReferenceEvaluator(model)
            return names, list(evaluator.run(names, feeds))
        session = self._session(runtime, model.SerializeToString() if is_whole else self.path, is_whole)
        return names, list(session.run(names, feeds))

    def steps(self, inputs: Sequence[Any]) -> Iterator[Step]:
        import numpy
        from ..importers._bodies import place_of
        names, values = self._run(inputs, True)
        places = {name: place_of(node) for node in need("onnx").load(self.path).graph.node
                  for name in node.output}
        return iter([(places[name], value) for name, value in zip(names, values)
                     if isinstance(value, numpy.ndarray)])


class JaxModel(Model):
    """A function of JAX: its leaves that the program has, and how it is called."""

    def __init__(self, call: Callable[..., Any], tree: Any, leaves: Sequence[Any],
                 kept: Sequence[int], examples: Optional[Sequence[Any]] = None, function: Any = None) -> None:
        #: `leaves` are shapes and types; the program has those that are `kept`. `function` is what JAX can
        #: trace again; None if only its program is left.
        self.call, self.tree, self.leaves, self.kept, self.given = call, tree, leaves, kept, examples
        self.function = function

    def framework(self) -> str:
        return f"JAX {need('jax').__version__}"

    def examples(self) -> Sequence[Any]:
        import numpy
        if self.given is None:
            return ()
        kind = need("jax").ShapeDtypeStruct
        return [None if isinstance(self.given[number], kind) else numpy.asarray(self.given[number])
                for number in self.kept]

    def _called(self, inputs: Sequence[Any]) -> Any:
        import numpy
        jax = need("jax")
        # The program lacks what it does not use.
        values: List[Any] = [numpy.zeros([size if isinstance(size, int) else 1 for size in leaf.shape],
                                         leaf.dtype) for leaf in self.leaves]
        for number, value in zip(self.kept, inputs):
            values[number] = _as(numpy.asarray(value), numpy.dtype(self.leaves[number].dtype))
        return jax.tree_util.tree_unflatten(self.tree, values)

    def run(self, inputs: Sequence[Any]) -> List[Any]:
        import numpy
        args, kwargs = self._called(inputs)
        return [numpy.asarray(leaf) for leaf in need("jax").tree_util.tree_leaves(self.call(*args, **kwargs))]

    def steps(self, inputs: Sequence[Any]) -> Iterator[Step]:
        """Of ops of one name the last one: the program has no numbers."""
        if self.function is None:
            raise ReferenceFailure("the function itself was not given")
        jax = need("jax")
        args, kwargs = self._called(inputs)
        traced = jax.make_jaxpr(self.function)(*args, **kwargs)
        found: Dict[str, Any] = {}
        _evaluate(traced.jaxpr, traced.consts, jax.tree_util.tree_leaves((args, kwargs)), "", found)
        return iter(found.items())


#: Ops of JAX that are functions, by the parameter that has their body.
_BODIES = {"jit": "jaxpr", "pjit": "jaxpr", "closed_call": "call_jaxpr", "custom_jvp_call": "call_jaxpr",
           "custom_vjp_call": "call_jaxpr"}


def _evaluate(body: Any, constants: Sequence[Any], arguments: Sequence[Any], prefix: str,
              found: Dict[str, Any]) -> List[Any]:
    """The results of a traced function, op by op; `found` gets the values by the names of their ops."""
    import numpy
    values: Dict[Any, Any] = dict(zip([*body.constvars, *body.invars], [*constants, *arguments]))

    def value(variable: Any) -> Any:
        return variable.val if hasattr(variable, "val") else values[variable]

    for op in body.eqns:
        kind, given = op.primitive.name, [value(variable) for variable in op.invars]
        place = "/".join(filter(None, [prefix, str(op.source_info.name_stack)]))
        if kind in _BODIES and _BODIES[kind] in op.params:
            inner = op.params[_BODIES[kind]]
            name = f"jit({op.params['name']})" if kind in ("jit", "pjit") else ""
            made = _evaluate(inner.jaxpr, inner.consts, given, "/".join(filter(None, [place, name])), found)
        else:
            parameters = op.primitive.get_bind_params(op.params)
            # Before version 0.10 functions are apart.
            functions, parameters = parameters if isinstance(parameters, tuple) else ((), parameters)
            made = op.primitive.bind(*functions, *given, **parameters)
            made = list(made) if op.primitive.multiple_results else [made]
            if len(made) == 1:
                name = "/".join(filter(None, [place, kind]))
                found.pop(name, None)
                found[name] = numpy.asarray(made[0])
        values.update(zip(op.outvars, made))
    return [value(variable) for variable in body.outvars]


#: Those of LiteRT that compute what the standard says, and those without delegates, for models that the
#: first ones refuse: their 1x1 convolutions of int8 round once, not twice.
_KERNELS = ("BUILTIN_REF", "BUILTIN_WITHOUT_DEFAULT_DELEGATES")


class TfliteModel(Model):
    """A .tflite file, run by LiteRT."""

    def __init__(self, path: str, weights: Dict[str, Tuple[str, str]]) -> None:
        #: `weights` are those that are arguments, as text and type.
        self.path, self.texts, self.kernels = path, weights, _KERNELS[0]

    def _package(self) -> Any:
        for name in ("ai_edge_litert", "tensorflow"):
            if importlib.util.find_spec(name):
                return importlib.import_module(name)
        raise _install("ai-edge-litert", "running a .tflite model")

    def framework(self) -> str:
        package = self._package()
        self._call(None)
        kernels = "reference kernels" if self.kernels == _KERNELS[0] else "kernels"
        name = "LiteRT" if package.__name__ == "ai_edge_litert" else "TensorFlow Lite"
        return f"the {kernels} of {name} {getattr(package, '__version__', '')}".strip()

    def weights(self) -> Dict[str, Any]:
        return {name: _dense(text, kind) for name, (text, kind) in self.texts.items()}

    def _call(self, inputs: Optional[Sequence[Any]]) -> Dict[str, Any]:
        """Results and tensors, for these inputs or zeros."""
        import numpy
        self._package()
        script = os.path.join(os.path.dirname(__file__), "_litert.py")
        with tempfile.TemporaryDirectory() as folder:
            given, made = (os.path.join(folder, name) for name in ("inputs.npz", "results.npz"))
            if inputs is not None:
                numpy.savez(given, **{str(n): array for n, array in enumerate(inputs)})
            for kernels in _KERNELS[_KERNELS.index(self.kernels):]:
                done = subprocess.run(
                    [sys.executable, script, self.path, given if inputs is not None else "-", made, kernels],
                    capture_output=True, text=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
                if not done.returncode:
                    self.kernels = kernels
                    with numpy.load(made) as held:
                        return dict(held)
        lines = done.stderr.strip().split("\n")
        raise ReferenceFailure(f"LiteRT cannot run {self.path}: {lines[-1][:300] or f'exit status {done.returncode}'}")

    def run(self, inputs: Sequence[Any]) -> List[Any]:
        held = self._call(inputs)
        return [held[f"r{n}"] for n in range(sum(name[0] == "r" for name in held))]

    def steps(self, inputs: Sequence[Any]) -> Iterator[Step]:
        from ..tflm import results_in_order
        held = self._call(inputs)
        with open(self.path, "rb") as file:
            order = results_in_order(file.read())
        return iter([(str(held["names"][number]), held[f"t{number}"]) for number in order
                     if f"t{number}" in held])


def _dense(text: str, kind: str) -> Any:
    """The array of what stands in dense<...> of a tensor."""
    import numpy
    from ._signature import DTYPES, parse_type
    held = parse_type(kind)
    dtype = numpy.dtype(DTYPES[held.element])
    shape = [size or 0 for size in held.shape]
    if text.startswith('"0x'):
        return numpy.frombuffer(bytes.fromhex(text[3:-1]), dtype).reshape(shape).copy()
    words = text.replace("[", " ").replace("]", " ").replace(",", " ").split()
    values = [{"true": 1, "false": 0}.get(word) if word in ("true", "false") else
              int(word) if dtype.kind in "iu" and not word.startswith("0x") else _float(word, dtype)
              for word in words]
    array = numpy.array(values, dtype)
    return numpy.full(shape, array[0], dtype) if array.size == 1 else array.reshape(shape)


def _float(word: str, dtype: Any) -> Any:
    """A number, or the bits of one that has no decimal form."""
    import numpy
    if not word.startswith("0x"):
        return float(word)
    return numpy.array(int(word, 16), f"u{dtype.itemsize}").view(dtype)[()]
