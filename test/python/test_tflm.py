# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of TensorFlow Lite Micro with offsets of memplan: what the runtime computes, and
the arena that it needs."""
import os
import subprocess
import sys

import numpy
import pytest

runtime = pytest.importorskip("tflite_micro").runtime
pytest.importorskip("flatbuffers")
sys.path.insert(0, os.path.dirname(__file__))

import memplan
import memplan.tflm
import tflm_models
from tflm_models import schema


def run(model, arena=1 << 24):
    """The outputs for inputs from a seed."""
    interpreter = runtime.Interpreter.from_bytes(model, arena_size=arena)
    random = numpy.random.default_rng(2)
    shape = interpreter.get_input_details(0)["shape"]
    interpreter.set_input(random.standard_normal(shape).astype("f4"), 0)
    interpreter.invoke()
    return interpreter.get_output(0)


def head_size(model):
    """The bytes of the arena that hold tensors, as the runtime counts them."""
    code = ("import sys; from tflite_micro import runtime\n"
            "i = runtime.Interpreter.from_bytes(sys.stdin.buffer.read(), arena_size=1 << 24)\n"
            "i.print_allocations()")
    done = subprocess.run([sys.executable, "-c", code], input=model, capture_output=True, check=True)
    for line in (done.stdout + done.stderr).decode().splitlines():
        words = line.split()
        if "head" in words:
            return int(words[words.index("head") + 1])
    raise AssertionError(done.stderr)


@pytest.mark.parametrize("name", sorted(tflm_models.MODELS))
def test_plan(name):
    model = tflm_models.MODELS[name]()
    planned = memplan.tflm.plan(model)
    assert planned.arena_size == planned.lower_bound
    assert run(model).tobytes() == run(planned.model).tobytes()
    before, after = head_size(model), head_size(planned.model)
    assert after <= before and after == planned.arena_size
    # A plan that puts tensors over each other must be seen.
    wrong = memplan.tflm.with_offsets(model, [0 if o >= 0 else o for o in planned.offsets])
    try:
        assert run(wrong).tobytes() != run(model).tobytes()
    except RuntimeError:
        pass


def test_metadata():
    """Other metadata stays, offsets are replaced, and all else is as it was."""
    model = tflm_models.dense()
    once = memplan.tflm.with_offsets(model, [-1] * 9)
    twice = memplan.tflm.plan(once).model
    read = schema.ModelT.InitFromPackedBuf
    first, last = read(model, 0), read(twice, 0)
    assert [entry.name for entry in last.metadata] == [b"OfflineMemoryAllocation"]
    assert len(last.subgraphs[0].tensors) == len(first.subgraphs[0].tensors)
    for one, other in zip(first.buffers, last.buffers):
        assert (one.data is None) == (other.data is None)
        assert one.data is None or bytes(one.data) == bytes(other.data)
    content = numpy.frombuffer(bytes(last.buffers[last.metadata[0].buffer].data), "<i4")
    assert list(content[:3]) == [1, 0, len(last.subgraphs[0].tensors)]
    assert tuple(content[3:]) == memplan.tflm.plan(model).offsets


@pytest.mark.parametrize("data, message", [
    (b"", "no .tflite model"),
    (b"\0" * 64, "TFL3"),
    (b"\xff\xff\xff\x7fTFL3" + b"\0" * 64, "outside"),
])
def test_no_model(data, message):
    with pytest.raises(memplan.MemplanError, match=message):
        memplan.tflm.plan(data)


def test_offsets_of_more_than_32_bits():
    with pytest.raises(memplan.MemplanError, match="2 GiB"):
        memplan.tflm.with_offsets(tflm_models.dense(), [2**31] + [0] * 8)


def test_truncated():
    model = tflm_models.dense()
    for size in range(8, len(model), 997):
        try:
            memplan.tflm.plan(model[:size])
        except memplan.MemplanError:
            pass
