# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models that run with planned memory: compared with their frameworks, called from Python and C."""
import json
import os
import re
import subprocess
import sys

import numpy
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("iree.compiler")
onnx = pytest.importorskip("onnx")
sys.path.insert(0, os.path.dirname(__file__))

import int8_models
import memplan
import zoo
from linked import Built, compare
from memplan.__main__ import main
from memplan.importers import import_model
from memplan.running import models, toolchain
from memplan.running.executable import Executable


class Residual(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = torch.nn.Conv2d(3, 8, 3, padding=1)
        self.first = torch.nn.Conv2d(8, 8, 3, padding=1)
        self.second = torch.nn.Conv2d(8, 8, 3, padding=1)
        self.norm = torch.nn.BatchNorm2d(8)
        self.head = torch.nn.Linear(8, 4)

    def forward(self, x):
        x = self.stem(x).relu()
        x = (x + self.norm(self.second(self.first(x).relu()))).relu()
        return self.head(x.mean((2, 3)))


def residual():
    torch.manual_seed(1)
    return (Residual().eval(), (torch.randn(2, 3, 8, 8),),
            ({0: torch.export.Dim("B", min=1, max=16)},))


class Counter(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(3))

    def forward(self, x):
        self.total.add_(x)
        return self.total * 2


def counter():
    return Counter(), (torch.ones(3),)


ONNX = """<ir_version: 8, opset_import: ["" : 17]>
    g (float[N, 4] x) => (float[N, 3] y) <float[4, 3] w = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}> {
        [first] a = Relu(x) [product] b = MatMul(a, w) [last] y = Tanh(b)
    }"""


@pytest.fixture
def onnx_model(tmp_path):
    path = tmp_path / "model.onnx"
    onnx.save(onnx.parser.parse_model(ONNX), path)
    return str(path)


def test_check(capsys, onnx_model):
    assert main(["check", "test_running:residual"]) == 0
    said = capsys.readouterr().out
    # The example, the least size and another one, with what each needs.
    assert [line for line in said.split("\n") if "B = " in line and "greatest difference" in line][2]
    planned = [line.split("memory: ")[1].split() for line in said.split("\n") if "memory" in line]
    assert len(planned) == 3 and all(int(words[1]) == int(words[4]) + int(words[6]) for words in planned)
    assert main(["check", onnx_model, "--sizes", "N=5", "-q"]) == 0
    assert main(["check", onnx_model, "--sizes", "M=5"]) == 1
    assert "no free size 'M'; it has N" in capsys.readouterr().err


@pytest.mark.parametrize("layer", ["stem", "second"])
def test_transposed_weight_is_found(capsys, monkeypatch, layer):
    right = models.TorchModel.weights

    def wrong(self):
        held = right(self)
        held[f"{layer}.weight"] = held[f"{layer}.weight"].swapaxes(2, 3)
        return held

    monkeypatch.setattr(models.TorchModel, "weights", wrong)
    assert main(["check", "test_running:residual"]) == 1
    assert f"they part at {layer}/convolution" in capsys.readouterr().err


def test_wrong_constant_is_found(capsys, tmp_path, onnx_model):
    program = str(tmp_path / "program.mlir")
    assert main(["plan", onnx_model, "--emit=mlir", "-o", program, "-q"]) == 0
    with open(program, encoding="utf-8") as file:
        text = file.read()
    assert main(["check", onnx_model, "--program", program]) == 0
    with open(program, "w", encoding="utf-8") as file:
        file.write(text.replace("0.000000e+00 : f32", "2.500000e-01 : f32", 1))
    capsys.readouterr()
    assert main(["check", onnx_model, "--program", program]) == 1
    assert "they part at first" in capsys.readouterr().err


def test_wrong_constant_of_jax_is_found(capsys, tmp_path):
    jax = pytest.importorskip("jax")
    program = str(tmp_path / "program.mlir")
    (tmp_path / "perceptron.py").write_text(PERCEPTRON)
    model = f"{tmp_path}/perceptron.py:model"
    assert main(["plan", model, "--emit=mlir", "-o", program, "-q"]) == 0
    with open(program, encoding="utf-8") as file:
        text = file.read()
    for right, wrong, op in (("2.500000e-01 : f32", "5.000000e-01 : f32", "jit(f)/tail/mul"),
                             ("0.000000e+00 : f32", "1.250000e-01 : f32", "jit(f)/jit(relu)/max")):
        assert text.count(right) >= 1 and jax
        with open(program, "w", encoding="utf-8") as file:
            # Sums begin with another zero than the maximum has.
            lines = [line if "linalg.fill" in line else line.replace(right, wrong) for line in text.split("\n")]
            file.write("\n".join(lines))
        capsys.readouterr()
        assert main(["check", model, "--program", program]) == 1
        assert f"they part at {op}: " in capsys.readouterr().err


PERCEPTRON = """
import jax

def f(x, w):
    y = jax.nn.relu(jax.numpy.exp(x) - 1.5) + x
    with jax.named_scope("tail"):
        y = y * 0.25
    return jax.numpy.tanh(y) * w

def model():
    return f, (jax.numpy.linspace(0.1, 1.0, 12).reshape(3, 4), jax.numpy.ones((3, 4)))
"""


def test_run(capsys, tmp_path, onnx_model):
    x = numpy.random.default_rng(1).standard_normal((6, 4)).astype("f4")
    numpy.save(tmp_path / "x.npy", x)
    assert main(["run", onnx_model, "--input", str(tmp_path / "x.npy"), "-o", str(tmp_path / "y.npy")]) == 0
    weights = numpy.arange(12, dtype="f4").reshape(4, 3)
    numpy.testing.assert_allclose(numpy.load(tmp_path / "y.npy"), numpy.tanh(numpy.maximum(x, 0) @ weights),
                                  rtol=1e-6)
    assert main(["run", onnx_model, "--input", str(tmp_path / "y.npy")]) == 1
    assert "input 'x' has the shape [6, 3]; expected is [?, 4]" in capsys.readouterr().err


def test_compile():
    net = memplan.compile("test_running:residual")
    module = residual()[0]
    for batch in (1, 7):
        x = torch.randn(batch, 3, 8, 8)
        numpy.testing.assert_allclose(net(x.numpy()), module(x).detach().numpy(), rtol=1e-5, atol=1e-5)
    assert net.arena_bytes(B=7) == 7 * net.arena_bytes(B=1)
    with pytest.raises(ValueError, match="has B = 17; expected is 1 to 16"):
        net(numpy.zeros((17, 3, 8, 8), "f4"))
    with pytest.raises(ValueError, match="elements of float64; expected is float32"):
        net(numpy.zeros((1, 3, 8, 8)))


def test_budget():
    """In stripes, the first convolution and the pool behind it."""
    torch.manual_seed(1)
    net = torch.nn.Sequential(torch.nn.Conv2d(3, 16, 3, padding=1), torch.nn.ReLU(), torch.nn.Conv2d(16, 4, 1),
                              torch.nn.AdaptiveAvgPool2d(1))
    x = torch.randn(1, 3, 16, 16)
    whole, small = (memplan.compile(net, ["f32[1, 3, 16, 16]"], **options) for options in ({}, {"budget": "25%"}))
    assert [change["change"] for change in small.program.changes] == ["striped"]
    assert small.arena_bytes() <= whole.arena_bytes() / 4
    numpy.testing.assert_array_equal(small(x.numpy()), whole(x.numpy()))
    numpy.testing.assert_allclose(small(x.numpy()), net(x).detach().numpy(), atol=1e-5)


def test_state_is_kept():
    net = memplan.compile(counter())
    assert [float(net(numpy.ones(3, "f4"))[0]) for _ in range(3)] == [2, 4, 6]
    assert main(["check", "test_running:counter", "-q"]) == 0


def without(monkeypatch, *tools):
    right = toolchain.find
    monkeypatch.setattr(toolchain, "find", lambda tool: None if tool in tools else right(tool))


@pytest.mark.parametrize("command, names, package", [("build", ("clang", "llc"), "apt install clang-22"),
                                                     ("run", ("mlir-translate",), "apt install mlir-22-tools")])
def test_missing_tool(capsys, monkeypatch, onnx_model, command, names, package):
    without(monkeypatch, *names)
    assert main([command, onnx_model]) == 1
    said = capsys.readouterr().err
    assert package in said and said.count("\n") == 1


def test_check_without_a_compiler(capsys, monkeypatch, onnx_model):
    """LLVM's library compiles; the counts of bytes are those of each run."""
    without(monkeypatch, "clang", "llc")
    assert main(["check", onnx_model]) == 0
    planned = [line.split("memory: ")[1].split() for line in capsys.readouterr().out.split("\n") if "memory" in line]
    assert len(planned) == 3 and all(int(words[1]) == int(words[4]) + int(words[6]) > 0 for words in planned)


@pytest.mark.parametrize("module, model, extra", [("torch", "net.pt2", "torch"), ("jax", "uses_jax.py:net", "jax")])
def test_missing_package(tmp_path, module, model, extra):
    """In a process of its own, which has not imported it."""
    (tmp_path / "net.pt2").touch()
    (tmp_path / "uses_jax.py").write_text("import jax\nnet = jax.numpy.exp\n")
    done = subprocess.run([sys.executable, "-c", f"import sys; sys.modules['{module}'] = None\n"
                           f"from memplan.__main__ import main; sys.exit(main(['check', '{tmp_path}/{model}']))"],
                          capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert f"pip install 'memplan[{extra}]'" in done.stderr


@pytest.mark.parametrize("weights", ["arguments", "constants"])
def test_tflite(capsys, tmp_path, weights):
    pytest.importorskip("tosa_converter_for_tflite")
    pytest.importorskip("ai_edge_litert")
    tflm_models = pytest.importorskip("tflm_models")
    path = tmp_path / "model.tflite"
    path.write_bytes(tflm_models.residual(2, 8))
    assert main(["check", str(path), "--weights", weights]) == 0
    assert main(["plan", str(path), "--weights", weights, "--emit=mlir"]) == 0
    text = capsys.readouterr().out.split("module {")[1]
    assert ('loc("t' in text) and ("tensor<8x3x3x3xf32> {" in text) == (weights == "arguments")
    path.write_bytes(b"nothing")
    assert main(["plan", str(path)]) == 1
    assert "is no .tflite model" in capsys.readouterr().err


@pytest.mark.parametrize("name", zoo.MODELS)
def test_zoo(name):
    """Equal to PyTorch at three sizes, and the built model to the planned one bit for bit."""
    lines = compare(f"zoo:{name}")
    assert len(lines) == (1 if name == "lstm" else 3) and not [line for line in lines if "refused" in line]


BYTES = """<ir_version: 8, opset_import: ["" : 17]>
    g (float[N, 16] x) => (uint8[N, 16] y) <float[1] scale = {255}> { a = Mul(x, scale) y = Cast<to = 2>(a) }"""


def test_unsigned_bytes_of_floats(tmp_path):
    """Vectors that convert to signed bytes would not have those above 127."""
    path = tmp_path / "bytes.onnx"
    onnx.save(onnx.parser.parse_model(BYTES), path)
    x = numpy.linspace(0, 1, 64, dtype="f4").reshape(4, 16)
    got = Built(str(path))([x], [numpy.zeros((4, 16), "u1")])[0]
    numpy.testing.assert_array_equal(got, (x * 255).astype("u1"))


SHARED = os.path.join(os.path.dirname(__file__), "..", "..", "..", "shared", "tflite")


@pytest.mark.skipif(not os.path.isdir(SHARED), reason="files that are no part of the project")
def test_int8(capsys):
    pytest.importorskip("tosa_converter_for_tflite")
    pytest.importorskip("ai_edge_litert")
    assert main(["check", os.path.join(SHARED, "dscnn_int8.tflite")]) == 0
    assert "equal bit for bit" in capsys.readouterr().out
    model = os.path.join(SHARED, "mbv2_int8.tflite")
    assert main(["check", model, "--input", "i8[1, 96, 96, 3]", "--budget", "64K"]) == 0
    found = re.search(r"equal bit for bit[^$]*observed (\d+) bytes", capsys.readouterr().out)
    assert int(found.group(1)) <= 64 << 10
    assert main(["check", model, "--input", "i8[1, 48, 96, 3]"]) == 1
    assert "takes tensor<?x96x96x3xi8>" in capsys.readouterr().err


@pytest.mark.skipif(not os.path.isdir(SHARED), reason="files that are no part of the project")
@pytest.mark.parametrize("name, shape", [("dscnn_int8", (1, 49, 10, 1)), ("mbv2_int8", (1, 96, 96, 3))])
def test_int8_in_stripes(name, shape):
    """Bit for bit equal to the program without stripes, where each row of the input changes the results."""
    pytest.importorskip("tosa_converter_for_tflite")
    imported = import_model(os.path.join(SHARED, f"{name}.tflite"), [f"i8{list(shape)}"], weights="constants")
    inputs = int8_models.smooth_inputs(shape, 16)
    text = int8_models.spread(imported.text, inputs)
    for row in range(shape[1]):
        inputs.append(inputs[row % 16].copy())
        inputs[-1][:, row] ^= 64

    def run(**options):
        program = memplan.plan(text, from_tensors=True, **options)
        executable = Executable(program.text)
        return program.arenas[0].arena_size, numpy.concatenate([executable(x)[0] for x in inputs])

    whole, expected = run(stripe_sums=False)
    assert len(numpy.unique(expected)) > 100
    rows = numpy.arange(shape[1])
    changed = (expected[16:] != expected[rows % 16]).any(1)
    assert changed.mean() > 0.9
    for options in ({}, {"stripes": 0}, {"stripes": 10}, {"stripes": 1000}):
        size, results = run(**options)
        assert size < whole / 2
        numpy.testing.assert_array_equal(results, expected)


LINKED = os.path.join(os.path.dirname(__file__), "..", "..", "examples", "linked")


def compiled_c(folder, source, *objects):
    program = str(folder / "program")
    subprocess.run([toolchain.find("clang"), "-Wall", "-Werror", "-I", str(folder), source,
                    *(str(folder / name) for name in objects), "-lm", "-o", program], check=True)
    return program


def test_example_in_c(tmp_path):
    """The numbers of the program of C are those of the framework."""
    assert main(["build", f"{LINKED}/model.py:net", "--input", "f32[1, 3, 32, 32]", "-o", str(tmp_path / "net"),
                 "-q"]) == 0
    program = compiled_c(tmp_path, f"{LINKED}/main.c", "net.o", "net_weights.o")
    x = torch.randn(1, 3, 32, 32)
    said = subprocess.run([program], input=x.numpy().tobytes(), capture_output=True, check=True).stdout
    import importlib.util
    spec = importlib.util.spec_from_file_location("linked_model", f"{LINKED}/model.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    want = module.net.eval()(x).detach().numpy().ravel()
    numpy.testing.assert_allclose([float(line) for line in said.split()], want, rtol=1e-5, atol=1e-5)


FREE = """
#include "r.h"
#include <stdio.h>
static float x[16 * 3 * 8 * 8], y[16 * 4];
%s
int main(void) {
  %s
  for (int64_t b = 1; b <= 16; b += 5) {
    if (fread(x, 3 * 8 * 8 * 4, b, stdin) != b) return 1;
    %s
    for (int i = 0; i < b * 4; ++i) printf("%%.9g\\n", y[i]);
  }
  return 0;
}
"""


@pytest.mark.parametrize("arena, weights", [("argument", "file"), ("global", "file"), ("heap", "object")])
def test_free_sizes_in_c(tmp_path, arena, weights):
    assert main(["build", "test_running:residual", "-o", str(tmp_path / "r"), "--arena", arena, "--weights",
                 weights, "-q"]) == 0
    given, read = ("w, ", f'fread(w, sizeof w, 1, fopen("{tmp_path}/r.weights", "rb"));') \
        if weights == "file" else ("", "")
    static = "static _Alignas(64) unsigned char w[R_WEIGHTS_BYTES];" if weights == "file" else ""
    call = f"r({given}x, y, b);"
    if arena == "argument":
        static += "static _Alignas(R_ARENA_ALIGNMENT) unsigned char arena[R_ARENA_BYTES_MAX];"
        call = f"if (r_arena_bytes(b) > sizeof arena) return 2;\n    r({given}x, y, b, arena);"
    source = tmp_path / "main.c"
    source.write_text(FREE % (static, read, call))
    objects = ["r.o"] + (["r_weights.o"] if weights == "object" else [])
    program = compiled_c(tmp_path, str(source), *objects)
    batches = [torch.randn(b, 3, 8, 8) for b in (1, 6, 11, 16)]
    said = subprocess.run([program], input=b"".join(x.numpy().tobytes() for x in batches), capture_output=True,
                          check=True).stdout
    module = residual()[0]
    want = numpy.concatenate([module(x).detach().numpy().ravel() for x in batches])
    numpy.testing.assert_allclose([float(line) for line in said.split()], want, rtol=1e-5, atol=1e-5)


def test_build_refuses(capsys, tmp_path, onnx_model):
    folder = tmp_path / "made"
    folder.mkdir()
    assert main(["build", onnx_model, "-o", str(folder / "r"), "--arena", "global"]) == 1
    assert "a global arena needs a greatest value for each free size" in capsys.readouterr().err
    assert main(["build", onnx_model, onnx_model, "-o", str(folder / "r")]) == 1
    assert "functions of one name: model, model" in capsys.readouterr().err
    assert main(["build", "test_running:residual", "-o", str(folder / "main")]) == 1
    said = capsys.readouterr().err
    assert "'main' is no name for a function of C" in said and "Traceback" not in said
    assert not list(folder.iterdir())


def test_built_json(tmp_path):
    assert main(["build", "test_running:counter", "-o", str(tmp_path / "c"), "-q"]) == 0
    made = json.loads((tmp_path / "c.json").read_text())
    assert [value["name"] for value in made["results"]] == ["mul"]
    assert made["weights"]["values"] == [{"name": "total", "label": "total", "type": "f32", "shape": [3],
                                          "bytes": 12, "offset": 0, "is_state": True}]
    assert main(["build", "test_running:counter", "--state", "results", "-o", str(tmp_path / "c"), "-q"]) == 0
    made = json.loads((tmp_path / "c.json").read_text())
    assert [(value["name"], value["new_value_of"]) for value in made["results"]] == [("new_total", "total"),
                                                                                     ("mul", "")]


def test_one_size_in_two_inputs(tmp_path):
    """The function of the arena's bytes takes it once."""
    (tmp_path / "two.py").write_text(
        "import torch\n"
        "class Two(torch.nn.Module):\n"
        "    def forward(self, x, y):\n"
        "        return torch.cat([x.exp(), y.tanh()], 1).sin().sum((0, 1))\n"
        "two = Two()\n")
    assert main(["build", f"{tmp_path}/two.py:two", "--input", "f32[B, 4]", "--input", "f32[B, 2]", "-o",
                 str(tmp_path / "two"), "-q"]) == 0
    source = tmp_path / "main.c"
    source.write_text('#include "two.h"\nint main(void) { return two_arena_bytes(3) != 3 * two_arena_bytes(1); }\n')
    subprocess.run([compiled_c(tmp_path, str(source), "two.o")], check=True)


POSITIONS, HEADS, WIDTH = 2048, 4, 16


class Decode(torch.nn.Module):
    """A step of attention with a cache; `how` it is updated."""

    def __init__(self, how):
        super().__init__()
        self.how = how
        self.project = torch.nn.Linear(HEADS * WIDTH, 3 * HEADS * WIDTH)
        if how != "inputs":
            self.register_buffer("keys", torch.zeros(1, HEADS, POSITIONS, WIDTH))
            self.register_buffer("values", torch.zeros(1, HEADS, POSITIONS, WIDTH))

    def forward(self, x, position, keys=None, values=None):
        query, key, value = self.project(x).view(1, 1, 3, HEADS, WIDTH).permute(2, 0, 3, 1, 4).unbind(0)
        keys, values = (keys, values) if self.how == "inputs" else (self.keys, self.values)
        if self.how == "slices":
            keys[:, :, position] = key
            values[:, :, position] = value
        else:
            keys.index_copy_(2, position, key)
            values.index_copy_(2, position, value)
        mask = (torch.arange(POSITIONS) <= position).view(1, 1, 1, POSITIONS)
        return torch.nn.functional.scaled_dot_product_attention(query, keys, values, attn_mask=mask).flatten()


def decode(how):
    torch.manual_seed(3)
    return Decode(how).eval()


def tokens(how="buffers"):
    given = (torch.randn(1, 1, HEADS * WIDTH), torch.tensor([7]))
    return given + tuple(torch.zeros(1, HEADS, POSITIONS, WIDTH) for _ in range(2 if how == "inputs" else 0))


CACHE_BYTES = HEADS * POSITIONS * WIDTH * 4


@pytest.mark.parametrize("how", ["buffers", "slices", "inputs"])
def test_cache_is_not_copied(how):
    """Ten steps are those of the framework; neither the arena nor an allocation has room for a cache."""
    module = decode(how)
    net = memplan.compile((decode(how), tokens(how)), observe=True)
    held = [numpy.zeros((1, HEADS, POSITIONS, WIDTH), "f4") for _ in range(2 if how == "inputs" else 0)]
    caches = [torch.zeros(1, HEADS, POSITIONS, WIDTH) for _ in held]
    for position in (0, 1, 2, 3, 4, 5, 6, 7, 1024, 2047):
        x = torch.randn(1, 1, HEADS * WIDTH)
        with torch.no_grad():
            want = module(x, torch.tensor([position]), *caches)
        got = net(x.numpy(), numpy.array([position]), *held)
        numpy.testing.assert_allclose(got, want.numpy(), rtol=1e-5, atol=1e-5)
        assert net.peak_bytes < CACHE_BYTES / 4
    for mine, other in zip(held, caches):
        numpy.testing.assert_allclose(mine, other.numpy(), rtol=1e-5, atol=1e-5)
    copies = [line for line in net.program.text.split("\n") if "memref.copy" in line and "to memref<" in line]
    assert copies and not [line for line in copies if f"1x{HEADS}x{POSITIONS}x{WIDTH}" in line.split(" to ")[0]]


def test_state_must_be_writable():
    net = memplan.compile((decode("inputs"), tokens("inputs")))
    x, position, keys, values = (numpy.array(tensor) for tensor in tokens("inputs"))
    with pytest.raises(ValueError, match="input 'keys' is overwritten, and shares memory with another one"):
        net(x, position, keys, keys)
    keys.flags.writeable = False
    with pytest.raises(ValueError, match="input 'keys' is overwritten: it must be a contiguous array"):
        net(x, position, keys, values)
    net = memplan.compile((decode("inputs"), tokens("inputs")), state="results")
    assert [result.shape for result in net(x, position, keys, values)] == [keys.shape, keys.shape, (HEADS * WIDTH,)]
    assert not keys.any()


class Prefill(torch.nn.Module):
    """Fills the first positions of the caches of another module."""

    def __init__(self, step, length):
        super().__init__()
        self.step, self.length = step, length

    def forward(self, x):
        step = self.step
        query, key, value = step.project(x).view(1, self.length, 3, HEADS, WIDTH).permute(2, 0, 3, 1, 4).unbind(0)
        step.keys[:, :, :self.length] = key
        step.values[:, :, :self.length] = value
        return torch.nn.functional.scaled_dot_product_attention(query, key, value, is_causal=True).flatten()


def both():
    module = decode("buffers")
    return Prefill(module, 5).eval(), module


def prefill():
    return BOTH[0], (torch.zeros(1, 5, HEADS * WIDTH),)


def step():
    return BOTH[1], tokens()


BOTH = both()


def steps_of_both():
    """Inputs of a prefill and three steps, and what the framework makes of them."""
    whole, one = both()
    first, rest = torch.randn(1, 5, HEADS * WIDTH), [torch.randn(1, 1, HEADS * WIDTH) for _ in range(3)]
    with torch.no_grad():
        want = [whole(first)] + [one(x, torch.tensor([5 + n])) for n, x in enumerate(rest)]
    return [first.numpy(), *(x.numpy() for x in rest)], [value.numpy() for value in want]


def test_models_share_an_arena():
    nets = memplan.compile(["test_running:prefill", "test_running:step"])
    given, want = steps_of_both()
    got = [nets[0](given[0])] + [nets[1](x, numpy.array([5 + n])) for n, x in enumerate(given[1:])]
    for mine, other in zip(got, want):
        numpy.testing.assert_allclose(mine, other, rtol=1e-5, atol=1e-5)
    addresses = [net.arguments_for(inputs)[-1].ctypes.data
                 for net, inputs in zip(nets, [given[:1], (given[1], numpy.array([1]))])]
    assert addresses[0] == addresses[1] and not addresses[0] % 64
    with pytest.raises(memplan.MemplanError, match="inputs are those of one model"):
        memplan.compile(["a.onnx", "b.onnx"], ["f32[1]"])


@pytest.mark.parametrize("arena", ["argument", "global"])
def test_models_share_an_arena_in_c(tmp_path, arena):
    """One arena, one cache and one copy of the weights; a prefill and three steps."""
    assert main(["build", "test_running:prefill", "test_running:step", "-o", str(tmp_path / "both"), "--arena", arena,
                 "-q"]) == 0
    made = json.loads((tmp_path / "both.json").read_text())
    needs = [one["arena"]["bytes"] for one in made["functions"]]
    assert made["arena"]["bytes"] == max(needs) > min(needs) > 0 and made["ram_bytes"] == max(needs)
    assert made["weights"]["bytes"] == 2 * CACHE_BYTES + 4 * (HEADS * WIDTH + 1) * 3 * HEADS * WIDTH
    given = ", arena" if arena == "argument" else ""
    source = tmp_path / "main.c"
    source.write_text(f"""#include "both.h"
#include <stdio.h>
{"static _Alignas(BOTH_ARENA_ALIGNMENT) unsigned char arena[BOTH_ARENA_BYTES];" if given else ""}
int main(void) {{
  static float x[5 * 64], y[5 * 64];
  if (fread(x, 4, 5 * 64, stdin) != 5 * 64) return 1;
  prefill(x, y{given});
  for (int i = 0; i < 5 * 64; ++i) printf("%.9g\\n", y[i]);
  for (int64_t n = 5; fread(x, 4, 64, stdin) == 64; ++n) {{
    step(x, &n, y{given});
    for (int i = 0; i < 64; ++i) printf("%.9g\\n", y[i]);
  }}
  return 0;
}}
""")
    program = compiled_c(tmp_path, str(source), "both.o", "both_weights.o")
    given, want = steps_of_both()
    said = subprocess.run([program], input=b"".join(x.tobytes() for x in given), capture_output=True, check=True)
    numpy.testing.assert_allclose([float(line) for line in said.stdout.split()], numpy.concatenate(want), rtol=1e-5,
                                  atol=1e-5)


class Shifted(torch.nn.Module):
    """Reads rows that it has overwritten: they alone are kept."""

    def __init__(self):
        super().__init__()
        self.register_buffer("rows", torch.arange(512.).reshape(64, 8))

    def forward(self, x):
        old = self.rows[2:4].clone()
        self.rows[2:3] = x
        return self.rows.sum(0) + old.sum(0)


def test_old_part_is_kept():
    module, net = Shifted(), memplan.compile((Shifted(), (torch.ones(1, 8),)))
    for number in range(3):
        x = torch.full((1, 8), float(number))
        numpy.testing.assert_array_equal(net(x.numpy()), module(x).numpy())
    assert net.arena_bytes() < 128


CACHED = """<ir_version: 8, opset_import: ["" : 17]>
    g (float[1, N, 2] past.0, float[1, 1, 2] x, int64[1, 1, 2] n) => (float[1, %s, 2] present.0, float[1, 1, 2] y) {
        present.0 = %s
        y = ReduceSum(present.0, axis)
    }"""


def cached_onnx(path, size, op):
    model = onnx.parser.parse_model((CACHED % (size, op)).replace(".0", "_0"))
    model.graph.initializer.append(onnx.numpy_helper.from_array(numpy.array([1]), "axis"))
    onnx.save(model, path)
    return str(path)


def test_state_of_onnx(capsys, tmp_path):
    """Names say which result is the new value of which input; they must have one size."""
    path = cached_onnx(tmp_path / "m.onnx", "N", "ScatterElements<axis = 1>(past_0, n, x)")
    from memplan.importers import import_model
    from memplan.running import Compiled
    net = Compiled(import_model(path), state="past_*=present_*")
    past = numpy.zeros((1, 5, 2), "f4")
    for place in range(3):
        y = net(past, numpy.full((1, 1, 2), place + 1, "f4"), numpy.full((1, 1, 2), place))
    assert past[0, :, 0].tolist() == [1, 2, 3, 0, 0] and y.tolist() == [[[6, 6]]]
    assert main(["check", path, "--state", "past_*=present_*", "-q"]) == 0
    path = cached_onnx(tmp_path / "longer.onnx", "M", "Concat<axis = 1>(past_0, x)")
    capsys.readouterr()
    assert main(["check", path, "--state", "past_0=present_0"]) == 1
    assert "'past_0' has the sizes [1, N, 2], and its new value 'present_0' [1, M, 2]" in capsys.readouterr().err
    assert main(["check", path, "--state", "past_0=y"]) == 1
    assert main(["check", path, "--state", "past=y"]) == 1
    assert "no argument 'past'; it has past_0, x, n" in capsys.readouterr().err


def test_donated_argument():
    jax = pytest.importorskip("jax")

    def step(cache, x, n):
        cache = jax.lax.dynamic_update_slice(cache, x, (n, 0))
        return cache, cache.sum(0)

    example = (jax.numpy.zeros((POSITIONS, 4)), jax.numpy.ones((1, 4)), jax.numpy.int32(3))
    net = memplan.compile((jax.jit(step, donate_argnums=0), example), observe=True)
    cache = numpy.zeros((POSITIONS, 4), "f4")
    for n in range(10):
        total = net(cache, numpy.full((1, 4), n, "f4"), numpy.int32(n))
        assert total.tolist() == [n * (n + 1) / 2] * 4 and net.peak_bytes < cache.nbytes
    assert cache[:10, 0].tolist() == list(range(10)) and not cache[10:].any()


class Cache(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("cache", torch.zeros(1, 4, 3))

    def forward(self, x, position):
        self.cache.index_copy_(1, position, x)
        return self.cache.sum(1)


def cache():
    return Cache(), (torch.ones(1, 1, 3), torch.tensor([1]))


def test_cache_in_c(tmp_path):
    """The cache is the argument that the program writes, and C finds it there."""
    assert main(["build", "test_running:cache", "-o", str(tmp_path / "c"), "-q"]) == 0
    source = tmp_path / "main.c"
    source.write_text("""#include "c.h"
static _Alignas(64) unsigned char arena[C_ARENA_BYTES + 64];
int main(void) {
  float x[3] = {1, 2, 3}, y[3];
  for (int64_t n = 0; n < 3; ++n)
    c(x, &n, y, arena);
  const float *held = (const float *)c_weights;
  return y[2] != 9 || held[8] != 3 || held[9] != 0;
}
""")
    subprocess.run([compiled_c(tmp_path, str(source), "c.o", "c_weights.o")], check=True)
