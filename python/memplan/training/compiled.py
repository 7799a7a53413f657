# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A backend of torch.compile with memplan's partition. A model may have several graphs, which
may run more than once in a step: the backend sees each call, measures what autograd really
holds for it, and gives each new graph what the others leave of the budget."""
from __future__ import annotations

import contextlib
import copy
import hashlib
import os
import warnings
import weakref
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import torch
from torch.fx import GraphModule
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import is_traceable_wrapper_subclass

from . import nodes as _nodes
from .partition import GraphReport, PartitionWarning, budget_bytes
from .report import TrainingReport


@dataclass(eq=False)
class _Call:
    """A call of a graph whose backward function has not run yet."""
    graph: GraphReport
    #: The node of autograd.
    context: Any
    #: Bytes by storage: those that are neither arguments nor results, and the others.
    own: Dict[int, int]
    others: Dict[int, int]
    arguments: List[int]
    results: List[int]
    #: What results hold as they are a part of it, until the program releases them.
    parts: Dict[int, StorageWeakRef]

    def released(self) -> Dict[int, int]:
        return {key: self.own[key] for key, part in self.parts.items() if part.expired()}

    def is_alive(self) -> bool:
        context = self.context()
        try:
            return context is not None and context.saved_tensors is not None
        except RuntimeError:  # The backward function has run.
            return False


def _plain_tensors(value: Any) -> List[torch.Tensor]:
    """The tensors in a value; of a subclass those of which it is made."""
    found: List[torch.Tensor] = []
    for tensor in _nodes.tensors(value):
        if is_traceable_wrapper_subclass(tensor):
            names, _ = tensor.__tensor_flatten__()
            found += _plain_tensors([getattr(tensor, name) for name in names])
        else:
            found.append(tensor)
    return found


def _storages(value: Any) -> Dict[int, int]:
    """Bytes by storage."""
    found = {}
    for tensor in _plain_tensors(value):
        storage = _nodes.storage_of(tensor)
        if storage is not None:
            found[storage._cdata] = int(storage.nbytes())
    return found


def _shown(results: Any) -> Dict[int, int]:
    """The bytes of all results in a storage, by storage."""
    found: Dict[int, int] = {}
    for tensor in _plain_tensors(results):
        storage = _nodes.storage_of(tensor)
        if storage is not None:
            found[storage._cdata] = found.get(storage._cdata, 0) + tensor.numel() * tensor.element_size()
    return found


def _context(results: Any) -> Optional[Any]:
    """The node of autograd that holds what a graph keeps; views of results are behind others."""
    todo = [tensor.grad_fn for tensor in _nodes.tensors(results)]
    for _ in range(3):
        for node in todo:
            if "CompiledFunction" in type(node).__name__:
                return node
        todo = [next_node for node in todo if node is not None for next_node, _ in node.next_functions]
    return None


def _held(context: Any) -> Dict[int, int]:
    """What the node of autograd holds, besides save_for_backward too."""
    return _storages([context.saved_tensors, [value for value in vars(context).values()
                                              if isinstance(value, (list, tuple, torch.Tensor))]])


def _explain_changes(context: Any) -> None:
    """From now on PyTorch's error about a tensor that the program changed before the backward function
    of this graph names the way out."""
    graph = type(context)._forward_cls
    if hasattr(graph, "memplan_backward"):
        return
    backward = graph.memplan_backward = graph.backward

    def explained(context: Any, *gradients: Any) -> Any:
        try:
            return backward(context, *gradients)
        except RuntimeError as error:
            if "modified by an inplace operation" not in str(error):
                raise
            raise RuntimeError(
                f"{error}\nmemplan: this is an argument, a weight or a result of the compiled model that its "
                "backward function needs, with PyTorch's default partition as well, and the program changed it "
                "in place after the call: write `y = y + 1` instead of `y += 1`, or change a clone") from error
    graph.backward = staticmethod(explained)


class _Saved:
    """The reports of a graph beside the code in PyTorch's cache, from which the code may come
    without a partition."""

    def __init__(self, module: GraphModule, inputs: Sequence[Any], identity: str) -> None:
        about = [(tuple(map(str, value.shape)), tuple(map(str, value.stride())), value.dtype, value.device,
                  value.requires_grad) if isinstance(value, torch.Tensor) else type(value) for value in inputs]
        text = f"{identity} {torch.is_grad_enabled()} {about} {module.print_readable(print_output=False)}"
        folder = Path(torch._inductor.runtime.cache_dir_utils.cache_dir()) / "memplan"
        self.path = folder / (hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest() + ".json")

    def write(self, reports: Sequence[GraphReport]) -> None:
        with contextlib.suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            other = self.path.with_suffix(f".{os.getpid()}")
            other.write_text("\n".join(report.to_json() for report in reports), "utf-8")
            os.replace(other, self.path)

    def read(self) -> List[GraphReport]:
        try:
            return [GraphReport.from_json(line) for line in self.path.read_text("utf-8").splitlines()]
        except (OSError, ValueError, TypeError):
            return []


class Backend:
    """`inner` is the backend that makes code, with `partitioner` as its partition."""

    def __init__(self, partitioner: Any, inner: Callable[[GraphModule, Sequence[Any]], Any], has_cache: bool) -> None:
        self.has_cache = has_cache
        self.partitioner = partitioner
        self.inner = inner
        self._calls: List[_Call] = []
        #: What all graphs held when the last measured step began its backward, and what they hold
        #: with the default partition.
        self._step: Optional[Tuple[int, int]] = None
        #: Calls are measured from the making of a graph to the next backward function.
        self._is_watching = False
        self._has_warned = False

    def __deepcopy__(self, memo: Any) -> "Backend":
        # The compiled code of a copy is that of the original.
        return self

    def __call__(self, module: GraphModule, inputs: Sequence[Any]) -> Callable[..., Any]:
        self._forget_dead()
        reports = self.partitioner.reports
        first = len(reports)
        self.partitioner.before = (self._default_bytes(), self.kept_bytes())
        saved = _Saved(module, inputs, self.partitioner.uuid()) if self.has_cache else None
        try:
            function: Callable[..., Any] = self.inner(module, inputs)
        finally:
            self.partitioner.before = (0, 0)
        if saved and reports[first:]:
            saved.write(reports[first:])
        elif saved:
            reports += saved.read()
        graphs = [report for report in reports[first:] if not report.is_region]
        if not graphs:
            return function
        self._is_watching = True

        def run(*arguments: Any) -> Any:
            results = function(*arguments)
            if self._is_watching:
                self._measure(graphs[-1], arguments, results)
            return results
        return run

    def reset(self) -> None:
        if hasattr(self.inner, "reset"):
            self.inner.reset()

    def kept_bytes(self) -> int:
        """What the graphs hold now that is neither an argument nor a result of the model: what
        one graph makes and another keeps counts."""
        own: Dict[int, int] = {}
        for call in self._calls:
            released = call.released()
            own.update((key, size) for key, size in call.own.items() if key not in released)
        return sum(own.values()) + sum(self._between().values())

    def _between(self) -> Dict[int, int]:
        """What is passed from graph to graph, and held."""
        found: Dict[int, int] = {}
        results: Dict[int, int] = {}
        own = {key for call in self._calls for key in call.own}
        for call in self._calls:
            for key in call.arguments:
                if key in results and key not in own and (size := call.others.get(key) or results[key]):
                    found[key] = size
            results.update((key, call.others.get(key, 0)) for key in call.results)
        return found

    def _default_bytes(self) -> int:
        return sum(call.graph.default_kept_bytes - sum(call.released().values()) for call in self._calls) + sum(
            self._between().values())

    def _forget_dead(self) -> None:
        self._calls = [call for call in self._calls if call.is_alive()]

    def _measure(self, graph: GraphReport, arguments: Any, results: Any) -> None:
        context = _context(results)
        if context is None:
            return
        held, given, made, shown = _held(context), _storages(arguments), _storages(results), _shown(results)
        own = {key: size for key, size in held.items() if key not in given and key not in made}
        # A result that is a part of a storage holds all of it.
        whole = {key: size for key, size in made.items() if key not in given and shown[key] < size}
        own.update(whole)
        others = {key: size for key, size in held.items() if key not in own}
        parts = {storage._cdata: StorageWeakRef(storage) for tensor in _plain_tensors(results)
                 if (storage := _nodes.storage_of(tensor)) is not None
                 and storage._cdata in whole and storage._cdata not in held}
        self._calls.append(_Call(graph, weakref.ref(context), own, others, list(given), list(made), parts))
        graph.measured_bytes = sum(own.values())
        context.register_prehook(lambda gradients: self._end_forward())
        _explain_changes(context)

    def _end_forward(self) -> None:
        """A backward function begins: the sum of what is held is known."""
        if not self._is_watching:
            return
        self._is_watching = False
        kept, by_default = self.kept_bytes(), self._default_bytes()
        self._step = (kept, by_default)
        limit = budget_bytes(self.partitioner.options["budget"], by_default)
        if limit is not None and kept > limit and len(self._calls) > 1 and not self._has_warned:
            self._has_warned = True
            between = sum(self._between().values())
            warnings.warn(f"memplan: the budget of the model is {limit} bytes, but its {len(self._calls)} calls of "
                          f"graphs keep {kept}, {between} of them passed from graph to graph, which no budget can "
                          "change", PartitionWarning, stacklevel=2)

    def report(self) -> TrainingReport:
        return TrainingReport(tuple(self.partitioner.reports), *(self._step or (None, None)))


class CompiledModule(torch._dynamo.OptimizedModule):
    """What torch.compile makes of a module, with a report, which deep copies share."""
    memplan_backend: Backend

    def report(self) -> Any:
        return self.memplan_backend.report()

    def __deepcopy__(self, memo: Any) -> "CompiledModule":
        made: CompiledModule = torch._dynamo.OptimizedModule(copy.deepcopy(self._orig_mod, memo),
                                                             copy.deepcopy(self.dynamo_ctx, memo))
        give_report(made, self.memplan_backend)
        memo[id(self)] = made
        return made

    def __reduce__(self) -> Any:
        # Files hold what torch.compile makes.
        return (torch._dynamo.OptimizedModule, *super().__reduce__()[1:])


def give_report(compiled: Any, backend: Backend) -> Any:
    if isinstance(compiled, torch._dynamo.OptimizedModule):
        object.__setattr__(compiled, "memplan_backend", backend)
        object.__setattr__(compiled, "__class__", CompiledModule)
    else:
        compiled.report = backend.report
    return compiled
