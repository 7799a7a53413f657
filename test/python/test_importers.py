# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of PyTorch, ONNX and JAX: imported, planned, run. The results are those of the
framework within rounding, and those of the unplanned program bit for bit."""
import os
import re
import sys
import textwrap

import numpy
import pytest

pytest.importorskip("torch")
pytest.importorskip("iree.compiler")
pytest.importorskip("onnx")
jax = pytest.importorskip("jax")
sys.path.insert(0, os.path.dirname(__file__))

import memplan
import dying
import import_models
from memplan.importers import ImportFailure, _child, _known, import_model, parse_input
from memplan.importers import onnx as onnx_importer
from memplan.importers._model import FreeSize
from memplan.__main__ import main
from memplan.running.executable import Executable


def arguments_of(program, run):
    """Of ONNX models the weights come behind the inputs, by name."""
    by_name, arguments, wanted = run()
    if by_name is not None:
        arguments = arguments + [by_name[a.name] for a in program.arguments[len(arguments):]]
    return arguments, wanted


@pytest.mark.parametrize("name", sorted(import_models.MODELS))
def test_model(name):
    case = import_models.MODELS[name]()
    program = import_model(case.model, case.inputs)
    assert not re.search(r"dense_resource<[^>]*> : tensor<[^>]*f32>", program.text)
    unplanned = memplan.run_pipeline(program.text, "builtin.module(memplan-bufferize)")
    planned = memplan.plan(program.text, from_tensors=True)
    memplan.run_pipeline(planned.text, "builtin.module(memplan-verify)")
    before, after = (Executable(p.text, program.entry) for p in (unplanned, planned))
    for run in case.runs:
        arguments, wanted = arguments_of(program, run)
        given = [a.copy() for a in arguments]
        results = after(*given)
        for argument, used, original in zip(program.arguments, given, arguments):
            # The old value, or the new one.
            values = [original] if argument.new_value is None else \
                [original, results[argument.new_value]]
            assert any(numpy.array_equal(used, value) for value in values), argument.name
        for one, other in zip(before(*[a.copy() for a in arguments]), results):
            assert one.shape == other.shape and one.tobytes() == other.tobytes()
        for got, want in zip(results[-len(wanted):], wanted):
            assert got.size == want.size
            if want.dtype.kind == "u":  # A program has no signs.
                got = got.view(want.dtype)
            numpy.testing.assert_allclose(got.reshape(want.shape), want, rtol=2e-5, atol=2e-5)


def test_names_and_ranges():
    case = import_models.MODELS["torch_resnet_dyn"]()
    text = import_model(case.model).text
    assert "memplan.dim_bounds = array<i64: 2, 64, 1," in text
    assert 'loc("0/convolution' in text
    assert os.path.dirname(__file__) not in text
    case = import_models.MODELS["onnx_encoder_dyn"]()
    assert 'memplan.dim_names = ["' in import_model(case.model).text
    # JAX cannot slice three rows of fewer.
    import_models.exported.rows = lambda x, k: jax.lax.dynamic_slice(x, (k, 0), (3, 2))
    text = import_model("import_models:exported.rows", ["f32[N:3..64, 5]", "i32[]"]).text
    assert "memplan.dim_bounds = array<i64: 3, 64, 1, 0, -1, 1>" in text


def test_lines_are_those_of_the_model(tmp_path):
    (tmp_path / "net.py").write_text(textwrap.dedent("""
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = torch.nn.Linear(8, 8)

            def forward(self, x):
                return self.layer(x)

        net, plain = Net(), torch.nn.Sequential(torch.nn.Linear(8, 8))
        """))
    # PyTorch's own files have lines as well, which nobody looks for.
    for name, place in (("net", ("layer", "10")), ("plain", ("0", "0"))):
        text = import_model(f"{tmp_path}/net.py:{name}", ["f32[2, 8]"]).text
        assert set(re.findall(r'loc\("(\w+)/\w+":(\d+):0\)', text)) == {place}


def test_inputs():
    spec = parse_input("i64[1, S:2..2048, B]")
    assert [getattr(size, "name", size) for size in spec.sizes] == [1, "S", "B"]
    assert spec.sizes[1].greatest == 2048
    for wrong in ("f33[2]", "f32", "f32[2, -]", "f32[S:..3]", "f32[S:5..2]",
                  "f32[99999999999999999999]", "f32[\N{SUPERSCRIPT TWO}]"):
        with pytest.raises(ImportFailure):
            parse_input(wrong)


@pytest.mark.parametrize("model, message", [
    ("nowhere:net", "No module named 'nowhere'"),
    ("import_models:nothing", "has no 'nothing'"),
    ("missing.onnx", "no such file"),
    ("missing.pt2", "no such file"),
    ("missing.xyz", "no such file"),
    (".", "is a folder"),
])
def test_wrong_model(model, message):
    with pytest.raises(ImportFailure, match=message):
        import_model(model)


@pytest.mark.parametrize("name, message", [("empty.onnx", "has no output"), ("text.onnx", "is not an ONNX model"),
                                           ("text.pt2", "is not an exported program")])
def test_file_without_a_model(tmp_path, name, message):
    (tmp_path / name).write_bytes(b"" if "empty" in name else b"text")
    with pytest.raises(ImportFailure, match=message):
        import_model(str(tmp_path / name))


def test_unsupported_op_is_named(capsys):
    assert main(["plan", "import_models:unsupported"]) == 1
    said = capsys.readouterr().err
    assert "torch.aten.histc at histc" in said and "Traceback" not in said


@pytest.mark.parametrize("kind, message", [
    ("crash", "op.crash at 2: the compiler ended with SIGSEGV"),
    ("spin", "op.spin at 2: the compiler did not end within [12] s of processor time"),
    ("leave", "op.leave at 2: the compiler ended with exit code 3"),
    ("fail", "op.fail at 2: KeyError: 'strange'"),
    ("grow", "op.grow at 2: MemoryError"),
    ("refuse", "^no$"),
])
def test_compiler_that_dies(kind, message):
    before = dying.compute("model", ["fine"])
    assert before[0] == 1 and before[1] != os.getpid()
    with pytest.raises(ImportFailure, match=message) as caught, _child.limited(1):
        dying.compute("model", ["fine", "fine", kind, "fine", "fine", "fine"])
    assert "\n" not in str(caught.value)
    after = dying.compute("model", ["fine"])
    assert after == dying.compute("model", ["fine"])
    assert (after == before) == (kind in ("fail", "refuse", "grow"))


def test_op_on_which_the_compiler_dies(tmp_path):
    onnx = pytest.importorskip("onnx")
    model = tmp_path / "model.onnx"
    onnx.save(onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 17]>
        g (float[3] x) => (float[3] y, float[3] z) {
          a = Tanh(x) b = Exp(x) [bad] c = Sin(a) y = Add(b, c) z = Abs(b) }"""), model)
    with pytest.raises(ImportFailure, match="model.onnx .*: onnx.Sin at bad: .*SIGSEGV"):
        dying.import_with(str(model), "onnx", "onnx.Sin", "from_file", "main")
    import_model(str(model))
    text = jax.jit(lambda x: (jax.numpy.tanh(x) + 1, jax.numpy.sin(x) * x)).lower(
        numpy.zeros(3, "f4")).as_text(debug_info=True)
    with pytest.raises(ImportFailure, match="f .*: stablehlo.sine at .*: the compiler ended with SIGSEGV"):
        dying.import_with("f", "stablehlo", "stablehlo.sine", "from_text", text, "main")


_GRAPH = '<ir_version: 8, opset_import: ["" : {}, "com.microsoft" : 1]> g (float[{}] x) => (float[a, b, c, d] y) {{ {} }}'


@pytest.mark.parametrize("opset, sizes, seen, node, message", [
    (17, "1,4,2,2", "y = DepthToSpace<blocksize = 2, mode = \"DCR\">(x)", None, None),
    (17, "1,4,2,2", "y = DepthToSpace<blocksize = 2>(x)", "y = DepthToSpace<blocksize = 2, mode = \"CRD\">(x)",
     "onnx.DepthToSpace at y: version 13 with mode = CRD was not .*; known are DCR"),
    (18, "1,4,2,2", "k = Constant<value_ints = [1]>() y = ReduceSum(x, k)", "y = ReduceSum(x)", "input axes = none"),
    (17, "1,4,2,2", "y = Softmax<axis = 1>(x)", "y = Softmax<axis = -1>(x)", "axis = negative"),
    (17, "1,4,2,2", "y = Softmax<axis = 2>(x)", "y = Softmax<axis = 3>(x)", None),
    (17, "1,4,2,2", "y = Elu<alpha = 2.0>(x)", "y = Elu<alpha = 0.25>(x)", None),
    (17, "1,4,2,2", "y = Elu(x)", "y = Elu<alpha = 0.25>(x)", None),
    (17, "1,4,2,2", "y = Cast<to = 1>(x)", "y = Cast<to = 7>(x)", "to = int64 was not .*; known are float"),
    (17, "1,4,2,2", "y = Tanh(x)", "y = com.microsoft.FusedGelu(x)", "^com.microsoft.FusedGelu at y: "),
    (17, "1,4,2,2", "y = Tanh(x)", "y = Sin(x)", "onnx.Sin at y: this op is not supported"),
])
def test_unknown_is_refused(monkeypatch, opset, sizes, seen, node, message):
    onnx = pytest.importorskip("onnx")
    table = {}
    for known in _known.nodes_of(onnx, onnx.parser.parse_model(_GRAPH.format(opset, sizes, seen))):
        table.setdefault(known.op, {})[str(known.version)] = {"seen": known.traits}
    monkeypatch.setattr(_known, "table", lambda: table)
    model = onnx.parser.parse_model(_GRAPH.format(opset, sizes, node or seen))
    if message is None:
        _known.check(onnx, model)
        # Another version, and free sizes.
        for other in (_GRAPH.format(5, sizes, node or seen), _GRAPH.format(opset, "N,4,2,2", node or seen)):
            with pytest.raises(ImportFailure, match="version|sizes = free"):
                _known.check(onnx, onnx.parser.parse_model(other))
        for entry in table.values():
            for version in entry.values():
                version["wrong"] = [{"traits": k.traits, "types": k.types} for k in _known.nodes_of(onnx, model)]
        message = "has other values than the reference"
    with pytest.raises(ImportFailure, match=message):
        _known.check(onnx, model)


def test_ops_of_inner_graphs_are_checked(monkeypatch):
    onnx = pytest.importorskip("onnx")
    text = _GRAPH.format(17, "1,4,2,2", """c = Constant<value = bool {1}>()
        y = If<then_branch = t () => (z) { z = Tanh(x) }, else_branch = e () => (w) { [inner] w = Abs(x) }>(c)""")
    model = onnx.parser.parse_model(text)
    table = {}
    for known in _known.nodes_of(onnx, model):
        if known.op != "onnx.Abs":
            table.setdefault(known.op, {})[str(known.version)] = {"seen": known.traits}
    monkeypatch.setattr(_known, "table", lambda: table)
    with pytest.raises(ImportFailure, match="onnx.Abs at inner: this op is not supported"):
        _known.check(onnx, model)


def test_free_size_that_is_taken_for_a_constant(monkeypatch):
    import memplan.importers.torch as importer
    monkeypatch.setattr(importer, "_split_views", lambda torch, graph: None)
    model = import_models.MODELS["torch_joined_views_dyn"]().model
    with pytest.raises(ImportFailure, match="takes a free size for a constant at view"):
        import_model(model)


def test_size_that_depends_on_values():
    with pytest.raises(ImportFailure, match="torch.aten.index.Tensor at index: the size"):
        import_model("import_models:chosen_elements")


def test_activation_is_named(tmp_path):
    model = tmp_path / "model.onnx"
    onnx = pytest.importorskip("onnx")
    onnx.save(onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 17]>
        g (float[S, 2, 3] x, float[1, 12, 3] w, float[1, 12, 4] r) => (float[S, 1, 2, 4] y)
        { [layer] y = GRU<hidden_size = 4, activations = ["Elu", "Tanh"]>(x, w, r) }"""), model)
    with pytest.raises(ImportFailure, match="onnx.GRU at layer: .*Elu"):
        import_model(str(model))


def imported_text(tmp_path, text):
    """A model in ONNX's own syntax, and the program of it."""
    onnx = pytest.importorskip("onnx")
    model = onnx.parser.parse_model(text)
    onnx.save(model, tmp_path / "model.onnx")
    return model, import_model(str(tmp_path / "model.onnx"))


def run_text(tmp_path, text, arguments):
    """What its plan computes, and the model."""
    model, program = imported_text(tmp_path, text)
    planned = memplan.plan(program.text, from_tensors=True)
    return Executable(planned.text, program.entry)(*arguments), model


def onnx_text(version, signature, body):
    return f'<ir_version: 10, opset_import: ["" : {version}]> g {signature} {{ {body} }}'


def array(values, *shape):
    return numpy.array(values, "f4").reshape(shape)


def ramp(*shape, dtype="f4"):
    count = int(numpy.prod(shape))
    return ((numpy.arange(count) * 7 % 11 - 5) / 3).astype(dtype).reshape(shape)


INSTANCE = "y = InstanceNormalization(x, s, b)"


@pytest.mark.parametrize("model, arguments, wanted", [
    pytest.param(
        onnx_text(16, "(float[1,1,3,2] x, float[1,1,4,2] k) => (float[1,1,1,4] z)",
                  'z = GridSample<mode="bilinear">(x, k)'),
        [array(range(6), 1, 1, 3, 2), array([-1.5, 0, .5, 1.2, 0, -.34, 3, .1], 1, 1, 4, 2)],
        [0, 1, 1.48, 0], id="grid outside"),
    pytest.param(
        onnx_text(17, "(float[1,2,1,2] x) => (float[1,2,1,2] y)", "y = MeanVarianceNormalization(x)"),
        [array([1, 2, 30, 50], 1, 2, 1, 2)], [-1, 1, -1, 1], id="default axes"),
    pytest.param(
        onnx_text(17, "(float[3,2] x, int64[3] y, float[2] w) => (float z)",
                  'z = SoftmaxCrossEntropyLoss<reduction="mean">(x, y, w)'),
        [array([.1, .2, .3, .4, .5, .9], 3, 2), numpy.array([0, 1, 1]), array([.5, 2], 2)],
        [0.59711605], id="loss with weights"),
    pytest.param(
        onnx_text(17, "(float[1,2,H,W] x, float[2] s, float[2] b) => (float[1,2,H,W] y)", INSTANCE),
        [array([-1, 0, 1, 2, 3, 4], 1, 2, 1, 3), array([1, 1.5], 2), array([0, 1], 2)],
        [-1.2247426, 0, 1.2247426, -0.8371138, 1, 2.8371138], id="free images"),
    pytest.param(
        onnx_text(20, "(float[3] x) => (float[3] y)", 'y = Gelu<approximate="tanh">(x)'),
        [array([-3, -1, 2], 3)], [-0.00363734, -0.158808, 1.9545977], id="gelu"),
    pytest.param(
        onnx_text(17, "(float[2,2] x) => (float[2,2] y)", "y = LpNormalization<axis=1>(x)"),
        [array([0, 0, 3, 4], 2, 2)], [0, 0, .6, .8], id="norm of zeros"),
    pytest.param(
        onnx_text(28, "(int32[3] x, int32[3] n) => (int32[3] y)", 'y = BitShift<direction="RIGHT">(x, n)'),
        [numpy.array([-8, 8, -8], "i4"), numpy.array([32, -1, 1], "i4")], [-1, 0, -4], id="shift"),
    pytest.param(
        onnx_text(17, "(float[2,N] x) => (int64[2,1] y)", "y = ArgMax<axis=1, select_last_index=1>(x)"),
        [array([1, 3, 3, 0, 2, 1, 2, 2], 2, 4)], [2, 3], id="last of free"),
    pytest.param(
        onnx_text(17, "(float[A,B] x) => (float[c,1] y)",
                  "s = Constant<value = int64[2] {-1, 2}>() r = Reshape(x, s) "
                  "k = Constant<value = int64[1] {1}>() y = Gather<axis = 1>(r, k)"),
        [array(range(12), 3, 4)], [1, 3, 5, 7, 9, 11], id="free sizes joined"),
    pytest.param(
        onnx_text(18, "(float[N,3] x, int64[4] p) => (float[a,b] y)",
                  "c = Constant<value = int64[2] {-1, 0}>() y = Pad(x, p, , c)"),
        [array(range(6), 2, 3), numpy.array([-1, 1, 2, -1])], [0, 0, 0, 0, 1, 2, 0, 0], id="computed pads"),
])
def test_values_of_onnx(tmp_path, model, arguments, wanted):
    (got,), _ = run_text(tmp_path, model, arguments)
    numpy.testing.assert_allclose(got.ravel(), wanted, rtol=2e-5, atol=1e-5)


GRID = "(float[2,2,H,3] x, float[2,R,3,2] k) => (float[2,2,R,3] z)"
GRID_ARGUMENTS = [ramp(2, 2, 4, 3), ramp(2, 2, 3, 2)]
ATTENTION = "(float[2,3,8] q, float[2,5,4] k, float[2,5,4] v) => (float[2,3,8] y)"
FREE_ATTENTION = "(float[B,S,8] q, float[B,T,4] k, float[B,T,4] v) => (float[B,S,8] y)"
ATTENTION_ARGUMENTS = [ramp(2, 3, 8), ramp(2, 5, 4), ramp(2, 5, 4)]


@pytest.mark.parametrize("model, arguments", [
    pytest.param(onnx_text(23, "(float[3,4] x, float[4] s) => (float[3,4] y)",
                           "y = RMSNormalization(x, s)"), [ramp(3, 4), ramp(4)], id="rms"),
    pytest.param(onnx_text(23, "(float[B,3,4] x, float[3,4] s) => (float[B,3,4] y)",
                           "y = RMSNormalization<axis=1>(x, s)"),
                 [ramp(2, 3, 4), ramp(3, 4)], id="rms free"),
    pytest.param(onnx_text(23, ATTENTION, "y = Attention<q_num_heads=4, kv_num_heads=2>(q, k, v)"),
                 ATTENTION_ARGUMENTS, id="grouped attention"),
    pytest.param(onnx_text(23, FREE_ATTENTION,
                           "y = Attention<q_num_heads=4, kv_num_heads=2, is_causal=1>(q, k, v)"),
                 ATTENTION_ARGUMENTS, id="grouped attention free"),
    pytest.param(onnx_text(23, "(float[B,2,S,4] x, float[9,2] c, float[9,2] s, int64[B,S] i) => "
                               "(float[B,2,S,4] y)", "y = RotaryEmbedding(x, c, s, i)"),
                 [ramp(2, 2, 3, 4), ramp(9, 2), ramp(9, 2), numpy.array([[0, 1, 2], [3, 8, 1]])],
                 id="rotary free"),
    pytest.param(onnx_text(24, "(float[B,3] x) => (float[B,3] y)", "y = Swish(x)"), [ramp(2, 3)], id="swish"),
    *(pytest.param(onnx_text(20, GRID, f'z = GridSample<mode="{mode}", padding_mode="{padding}", '
                                       f"align_corners={align}>(x, k)"), GRID_ARGUMENTS,
                   id=f"grid {mode} {padding} {align}")
      for mode, padding, align in (("nearest", "zeros", 0), ("linear", "border", 1),
                                   ("cubic", "reflection", 0))),
    pytest.param(onnx_text(20, "(float[1,1,2,2,3] x, float[1,2,2,2,3] k) => (float[1,1,2,2,2] z)",
                           "z = GridSample(x, k)"),
                 [ramp(1, 1, 2, 2, 3), ramp(1, 2, 2, 2, 3)], id="grid of voxels"),
    pytest.param(onnx_text(21, "(int8[2,2,3] a, float[1] p, int8[1] zp, int8[2,3,2] b, float[1] q, "
                               "int8[1] zq, float[1] r, int8[1] zr) => (int8[2,2,2] y)",
                           "y = QLinearMatMul(a, p, zp, b, q, zq, r, zr)"),
                 [ramp(2, 2, 3, dtype="i1") * 30, array([.1], 1), numpy.array([-14], "i1"),
                  ramp(2, 3, 2, dtype="i1") * 20, array([.2], 1), numpy.array([-13], "i1"), array([.9], 1),
                  numpy.array([-9], "i1")], id="batched quantized"),
    pytest.param(onnx_text(17, "(float[15,9] x) => (float[15,9] y)",
                           f"m = Constant<value = bool[15,9] {{{', '.join('0110' '1001' '1' * 15)}}}>() "
                           "z = Constant<value = float {2.0}>() y = Where(m, x, z)"),
                 [ramp(15, 9)], id="many truth values"),
    pytest.param(onnx_text(20, "(float[2,2,3] t) => (float[2,2,3,2] y)",
                           "s = Constant<value = int64[4] {2, 1, 2, 3}>() y = AffineGrid(t, s)"),
                 [ramp(2, 2, 3)], id="condition of sizes"),
])
def test_bodies_of_onnx(tmp_path, model, arguments):
    (got,), parsed = run_text(tmp_path, model, arguments)
    reference = pytest.importorskip("onnx.reference").ReferenceEvaluator(parsed)
    wanted, = reference.run(None, dict(zip([value.name for value in parsed.graph.input], arguments)))
    numpy.testing.assert_allclose(got.view(wanted.dtype).reshape(wanted.shape), wanted, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("model, message", [
    (onnx_text(17, "(float[2,2] x) => (float y)", "[layer] y = Det(x)"), "onnx.Det at layer: "),
    (onnx_text(17, "(float[2,2] x, int64[N] s) => (float[a,b] y)", "[layer] y = Slice(x, s, s)"),
     "onnx.Slice at layer: the length of starts"),
    (onnx_text(21, "(float[2] x) => (int4[2] y)", "[layer] y = Cast<to=22>(x)"),
     "onnx.Cast at layer: elements of the type int4"),
    (onnx_text(17, "(float[2] x) => (seq(float[2]) y)", "[layer] y = SequenceConstruct(x)"),
     "onnx.SequenceConstruct at layer: sequences"),
    (onnx_text(17, "(float[2] x) => (float[2] y)", "[layer] y = RandomNormalLike(x)"),
     "onnx.RandomNormalLike at layer: random"),
    (onnx_text(17, "(float[0,2] x, int64[2] s) => (float[a,b] y)", "[layer] y = Reshape<allowzero=1>(x, s)"),
     "onnx.Reshape at layer: .*allowzero"),
    (onnx_text(19, "(float[1,1,2,4] x) => (float[a,b,c,d] y)",
               "s = Constant<value = float[4] {1.0, 1.0, 0.6, 0.6}>() [layer] y = Resize<mode = \"linear\", "
               "coordinate_transformation_mode = \"align_corners\">(x, , s)"),
     "onnx.Resize at layer: .*align_corners"),
    (onnx_text(17, "(float[2] x, int64[2] p) => (float[a] y)", "[layer] y = Pad<mode = \"edge\">(x, p)"),
     "onnx.Pad at layer: pads that are no constant .* mode edge"),
])
def test_refused_ops_of_onnx(monkeypatch, tmp_path, model, message):
    """They are refused whatever the table says."""
    monkeypatch.setattr(_known, "table", lambda: None)
    onnx = pytest.importorskip("onnx")
    onnx.save(onnx.parser.parse_model(model), tmp_path / "model.onnx")
    with pytest.raises(ImportFailure, match=message):
        onnx_importer.from_file.__wrapped__(str(tmp_path / "model.onnx"), "main")


def test_split_to_nothing(tmp_path):
    """The compiler divided by the size of the second part."""
    try:
        (got,), _ = run_text(tmp_path, onnx_text(
            23, "(float[2,4] x) => (float[a,b] y)",
            "k = Shape<start=1, end=2>(x) z = Sub(k, k) l = Concat<axis=0>(k, z) "
            "y, w = Split<axis=-1>(x, l)"),
            [ramp(2, 4)])
    except ImportFailure:
        return
    numpy.testing.assert_array_equal(got, ramp(2, 4))


@pytest.mark.parametrize("name, results", [("onnx_encoder_dyn", 1), ("onnx_sizes_dyn", 2)])
def test_reshapes_of_onnx_are_planned(name, results):
    program = import_model(import_models.MODELS[name]().model)
    (arena,) = memplan.plan(program.text, from_tensors=True).arenas
    assert [buffer.reason for buffer in arena.unplanned] == ["is returned"] * results


def test_states_of_loops_are_planned():
    program = import_model(import_models.MODELS["onnx_packed_lstm_dyn"]().model)
    (arena,) = memplan.plan(program.text, from_tensors=True).arenas
    assert [buffer.reason for buffer in arena.unplanned] == ["is returned"] * 3


def test_multiples_of_free_sizes():
    text = import_model(import_models.MODELS["torch_multiples_dyn"]().model).text
    assert "memplan.dim_bounds = array<i64: 2, 512, 1, 0, -1, 1, 4, 32, 2, 4, 32, 2>" in text


def test_names_of_sizes_are_kept(tmp_path):
    onnx = pytest.importorskip("onnx")
    name = 'a"b\\n\n\N{GREEK SMALL LETTER ALPHA}'
    values = [onnx.helper.make_tensor_value_info(v, onnx.TensorProto.FLOAT, [name, 3]) for v in "xy"]
    graph = onnx.helper.make_graph([onnx.helper.make_node("Exp", ["x"], ["y"])], "g", values[:1],
                                   values[1:])
    model = tmp_path / "model.onnx"
    onnx.save(onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)]), model)
    program = import_model(str(model))
    assert program.arguments[0].sizes[0].name == name
    assert 'memplan.dim_names = ["a\\22b\\\\n\\0A\\CE\\B1", ""]' in program.text
    memplan.plan(program.text, from_tensors=True)


def test_scan_of_free_sizes(tmp_path):
    model = tmp_path / "model.onnx"
    onnx = pytest.importorskip("onnx")
    onnx.save(onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 17]>
        g (float[B] h, float[S, B] x) => (float[B] last, float[S, B] all) {
          [steps] last, all = Scan<num_scan_inputs = 1, body = one (float[B] old, float[B] t)
            => (float[B] new, float[B] out) { new = Add(old, t) out = Tanh(new) }>(h, x)
        }"""), model)
    with pytest.raises(ImportFailure, match="onnx.Scan at steps: "):
        import_model(str(model))


def test_scan_of_opset_8(tmp_path, monkeypatch):
    model = tmp_path / "model.onnx"
    onnx = pytest.importorskip("onnx")
    onnx.save(onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 8]>
        g (float[1, 2] h, float[1, 3, 2] x) => (float[1, 2] last, float[1, 3, 2] all) {
          [steps] last, all = Scan<num_scan_inputs = 1, body = one (float[2] old, float[2] t)
            => (float[2] new, float[2] out) { new = Add(old, t) out = Identity(new) }>("", h, x)
        }"""), model)
    # Not only the table refuses it.
    monkeypatch.setattr(_known, "table", lambda: None)
    with pytest.raises(ImportFailure, match="onnx.Scan at steps: ONNX converts a Scan of opset 8 without"):
        import_model(str(model))


@pytest.mark.parametrize("pool, message", [
    ("y = MaxPool<kernel_shape=[3, 3], strides=[2, 2], auto_pad=\"SAME_UPPER\">(x)", "a free extent"),
    ("y, z = MaxPool<kernel_shape=[3, 3]>(x)", "Indices"),
    ("y = AveragePool<kernel_shape=[3, 3], ceil_mode=1, count_include_pad=1>(x)", "behind the padding"),
])
def test_pools_that_the_compiler_takes_for_others(tmp_path, pool, message):
    model = tmp_path / "model.onnx"
    onnx = pytest.importorskip("onnx")
    results = "float[N, 2, A, B] y" + (", int64[N, 2, A, B] z" if "z" in pool else "")
    onnx.save(onnx.parser.parse_model(f"""<ir_version: 8, opset_import: ["" : 17]>
        g (float[N, 2, H, W] x) => ({results}) {{ [pool] {pool} }}"""), model)
    with pytest.raises(ImportFailure, match=f"onnx.\\w+ at pool: .*{message}"):
        import_model(str(model))


def test_strict_export():
    query, keys, key = import_model("import_models:grouped_decode").arguments
    assert [size and size.name for size in keys.sizes] == ["B", None, "T", None]


def test_view_that_leaves_out_a_size():
    text = import_model("import_models:inferred_view").text
    assert "arith.divsi" not in text
    (arena,) = memplan.plan(text, from_tensors=True).arenas
    assert [buffer.reason for buffer in arena.unplanned] == ["is returned"]


@pytest.mark.parametrize("name, message", [
    ("fft", "iree_linalg_ext.fft"),
    ("cholesky", "stablehlo.custom_call of lapack_spotrf"),
])
def test_unsupported_op_of_jax_is_named(name, message):
    function = {"fft": jax.numpy.fft.fft, "cholesky": jax.numpy.linalg.cholesky}[name]
    setattr(import_models.exported, name, lambda: (function, (numpy.eye(4, dtype="f4"),)))
    with pytest.raises(ImportFailure, match=message):
        import_model(f"import_models:exported.{name}")


def test_unsigned_sort_of_free_size():
    import_models.exported.sorted = jax.numpy.argsort
    with pytest.raises(ImportFailure, match="stablehlo.compare at .*lt_to: this op of unsigned"):
        import_model("import_models:exported.sorted", ["u8[N]"])


def test_command(tmp_path, capsys):
    page, planned = tmp_path / "plan.html", tmp_path / "planned.mlir"
    assert main(["plan", "import_models:linear", "--input", "f32[B:2..64, 8]", "--report", "html",
                 "--report-file", str(page), "-o", str(planned)]) == 0
    assert "@main" in capsys.readouterr().out
    assert page.read_text().startswith("<!DOCTYPE html>")
    assert "memref<" in planned.read_text()
    assert main(["plan", "import_models:linear", "--input", "f32[B, 8]", "--emit=mlir"]) == 0
    out = capsys.readouterr().out
    # The size that an export needs as an example is made up, and no hint.
    assert "linalg.matmul" in out and "dim_hints" not in out


def test_hints_of_inputs():
    size = FreeSize("B", 2, 8, (2, 8))
    for text, sizes in (("f32[B:2..8=2,8]", (size,)), ("f32[B:2..8=2/8,T]", (size, FreeSize("T"))),
                        ("f32[3,B:2..8=2,8, 16]", (3, size, 16)),
                        ("f32[B=2, 8]", (FreeSize("B", hints=(2,)), 8)), ("f32[2,8]", (2, 8))):
        assert parse_input(text).sizes == sizes


def test_sizes_to_plan_for(tmp_path, capsys):
    (tmp_path / "two.py").write_text("import torch\n"
                                     "net = torch.nn.Sequential(torch.nn.Linear(8, 16),\n"
                                     "                          torch.nn.Linear(16, 4))\n")
    for hints in ("2/8", "2,8"):
        assert main(["plan", "import_models:linear", "--input", f"f32[B:2..64={hints}, 8]",
                     "--emit=mlir"]) == 0
        assert "memplan.dim_hints = [array<i64: 2, 0>, array<i64: 8, 0>]" in capsys.readouterr().out
    model = ["plan", f"{tmp_path}/two.py:net", "--input", "f32[B:2..64, 8]"]
    assert main([*model, "--sizes", "B=4", "--sizes", "B=16"]) == 0
    out = capsys.readouterr().out
    assert "arena 64 * B bytes: 256 at B = 4, 1024 at B = 16, 4096 at B = 64;" in out
    for text, message in (("f32[B:2..64=2,8]", "'=2,8' was read as sizes to plan for: write '=2, 8'"),
                          ("f32[B:2..4=2,8]", "8 is not within the range; '=2,8' was read as"),
                          ("f32[B:2..4=8]", "8 is not within the range\n")):
        assert main(["plan", "import_models:linear", "--input", text]) == 1
        assert message in capsys.readouterr().err


def test_models_in_files(tmp_path, capsys):
    (tmp_path / "own.py").write_text("import torch\n"
                                     "class Net(torch.nn.Module):\n"
                                     "    def forward(self, x):\n"
                                     "        return (x + 1) * (x - 1)\n"
                                     "net = Net()\n")
    for name in (f"{tmp_path}/own.py:net", f"{tmp_path}/own:net"):
        assert main(["plan", name, "--input", "f32[8]"]) == 0
    for name, message in ((f"{tmp_path}/own.py:Net", "is a class; give an instance"),
                          (f"{tmp_path}/none.py:net", "none.py: no such file"),
                          (":net", "is not of the form"),
                          (f"{tmp_path}/none.onnx", "none.onnx: no such file")):
        assert main(["plan", name, "--input", "f32[8]"]) == 1
        assert message in capsys.readouterr().err
