# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sizes and inputs to run a model with, and how far results are apart."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence

from ..importers import Imported
from ..importers._model import FreeSize
from ._signature import Shaped, dtype_of
from .compiled import input_numbers

#: The greatest difference that counts as rounding, as a share of the greatest value of a result, or of
#: 1 if that is smaller; by dtype.
_TOLERANCES = {"float64": 1e-9, "float32": 1e-5, "float16": 2e-3, "bfloat16": 2e-2}
#: The greatest free size that is chosen where the model gives no example.
_MOST = 16


def free_sizes(imported: Imported) -> Dict[str, FreeSize]:
    return {size.name: size for n in input_numbers(imported)
            for size in imported.arguments[n].sizes if size}


def choose_sizes(imported: Imported, count: int = 3) -> List[Dict[str, int]]:
    """Sets of values for the free sizes, as different as their bounds allow: an example, the least
    ones, and others; no two sizes of a set are equal by chance where bounds allow it."""
    free = free_sizes(imported)
    if not free:
        return [{}]
    sets: List[Dict[str, int]] = []
    for turn in range(2 * count):
        chosen = {name: _value(size, turn, place) for place, (name, size) in enumerate(free.items())}
        if chosen not in sets and len(sets) < count:
            sets.append(chosen)
    return sets


def _value(size: FreeSize, turn: int, place: int) -> int:
    least = max(size.least, 1)
    wanted = [size.hints[0] if size.hints else 2 + place, least, 5 + 2 * place, 3 + place, _MOST - place, 4][turn % 6]
    if size.greatest is not None:
        wanted = min(wanted, size.greatest)
    wanted = max(wanted, least)
    return -(-wanted // size.multiple) * size.multiple


def random_inputs(imported: Imported, types: Sequence[Shaped], sizes: Dict[str, int], seed: int,
                  examples: Sequence[Any], limit: int) -> List[Any]:
    """An array for each input: floats are normal, integers of 32 and 64 bits, which may be indices,
    are below `limit`. Inputs that the model was imported with, and whose values no size changes, are
    taken where they are integers."""
    import numpy
    random = numpy.random.default_rng(seed)
    arrays = []
    for place, n in enumerate(input_numbers(imported)):
        argument, kind = imported.arguments[n], types[n]
        free = argument.sizes or (None,) * len(kind.shape)
        shape = [sizes[size.name] if size else extent or 1 for size, extent in zip(free, kind.shape)]
        dtype = dtype_of(kind)
        example = examples[place] if place < len(examples) else None
        if dtype.kind in "iu" and example is not None and list(example.shape) == shape:
            arrays.append(numpy.array(example).astype(dtype))
        elif dtype.kind == "b":
            arrays.append(random.integers(0, 2, shape).astype(bool))
        elif dtype.kind in "iu" and dtype.itemsize < 4:
            held = numpy.iinfo(dtype)
            arrays.append(random.integers(held.min, held.max + 1, shape).astype(dtype))
        elif dtype.kind in "iu":
            arrays.append(random.integers(0, max(limit, 1), shape).astype(dtype))
        else:
            arrays.append(random.standard_normal(shape).astype(dtype))
    return arrays


@dataclass(frozen=True)
class Difference:
    """How far two arrays are apart at most."""
    value: float
    #: Units in the last place; None for integers.
    ulps: Optional[int]
    #: What `value` may be.
    allowed: float
    #: The index of the greatest difference.
    place: str = ""
    #: Why they cannot be compared.
    problem: str = ""
    #: True of several elements of one value, which say little.
    is_constant: bool = False

    @property
    def is_small(self) -> bool:
        return not self.problem and self.value <= self.allowed

    def __str__(self) -> str:
        if self.problem:
            return self.problem
        if not self.value:
            return ("equal bit for bit" if not self.ulps else "equal") + \
                ("; all elements have one value, which shows little" if self.is_constant else "")
        ulps = "" if self.ulps is None else f" ({self.ulps} ulps)"
        return f"greatest difference {self.value:.3g}{ulps} at {self.place}"


def difference(got: Any, want: Any, tolerance: Optional[float] = None) -> Difference:
    """Of a result and what it should be; shapes may differ in sizes of 1."""
    import numpy
    if got.size != want.size or [n for n in got.shape if n != 1] != [n for n in want.shape if n != 1]:
        return Difference(float("inf"), None, 0, problem=f"shape {list(got.shape)} and not {list(want.shape)}")
    got = got.reshape(want.shape)
    if want.dtype.kind in "u" and got.dtype.itemsize == want.dtype.itemsize:
        got = got.view(want.dtype)  # A program has no signs.
    if not got.size:
        return Difference(0, None, 0)
    if want.dtype.kind in "iub":
        apart = numpy.abs(got.astype("f8") - want.astype("f8"))
        allowed = 0.0
        ulps = None
    else:
        a, b = got.astype("f8"), want.astype("f8")
        same = (a == b) | (numpy.isnan(a) & numpy.isnan(b))
        with numpy.errstate(invalid="ignore"):
            apart = numpy.where(same, 0, numpy.nan_to_num(numpy.abs(a - b), nan=numpy.inf, posinf=numpy.inf))
        finite = numpy.abs(b[numpy.isfinite(b)])
        share = _TOLERANCES.get(want.dtype.name, 1e-5) if tolerance is None else tolerance
        allowed = share * max(1.0, float(finite.max()) if finite.size else 1.0)
        ulps = _ulps(got.astype(want.dtype), want)
    place = numpy.unravel_index(int(apart.argmax()), apart.shape) if apart.ndim else ()
    return Difference(float(apart.max()), ulps, allowed, f"[{', '.join(map(str, place))}]",
                      is_constant=want.size > 1 and bool((want == want.flat[0]).all()))


def _ulps(got: Any, want: Any) -> int:
    import numpy
    kind = f"i{want.dtype.itemsize}"
    least = int(numpy.iinfo(kind).min)

    def order(array: Any) -> Any:
        """Integers in the order of the numbers."""
        bits = numpy.atleast_1d(numpy.ascontiguousarray(array)).view(kind).astype(object if kind == "i8" else "i8")
        return numpy.where(bits < 0, least - bits, bits)

    known = numpy.isfinite(got.astype("f8")) & numpy.isfinite(want.astype("f8"))
    apart = numpy.abs(order(got) - order(want))[numpy.atleast_1d(known)]
    return int(apart.max()) if apart.size else 0
