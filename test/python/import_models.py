# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small models of three frameworks, with random weights.

Each entry of MODELS is a function that returns a Case: what import_model takes, and what
the framework computes for arguments of given sizes.
"""
import dataclasses
import os
import tempfile
from typing import Any, Callable, List, Sequence

import numpy

FOLDER = tempfile.mkdtemp(prefix="memplan-models-")


@dataclasses.dataclass
class Case:
    #: As for import_model.
    model: str
    #: Arguments of the program by the kind of run, weights included, and the results.
    runs: List[Callable[[], Any]]
    inputs: Sequence[str] = ()


MODELS = {}
#: What `import_model("import_models:exported.NAME")` finds.
class exported:
    pass


def model(function):
    MODELS[function.__name__] = function
    return function


def _array(tensor):
    import torch
    if isinstance(tensor, torch.Tensor):
        tensor = tensor.detach()
        if tensor.dtype == torch.bool:
            return tensor.to(torch.uint8).numpy()
        return tensor.contiguous().numpy()
    return numpy.asarray(tensor)


def torch_case(name, module, examples, shapes, others=(), onnx=None, axes=None):
    """`examples` are the arguments for the export, `others` further ones to run with. With
    `axes` the older export to ONNX makes the file."""
    import torch
    module = module.eval()
    path = os.path.join(FOLDER, name + (".onnx" if onnx else ".pt2"))
    with torch.no_grad():
        if onnx:
            torch.onnx.export(module, tuple(examples), path, dynamic_shapes=shapes,
                              input_names=onnx, external_data=False, dynamo=axes is None,
                              dynamic_axes=axes)
            weights = None
        else:
            program = torch.export.export(module, tuple(examples), dynamic_shapes=shapes,
                                          strict=False)
            torch.export.save(program, path)
            state = {**program.state_dict, **program.constants}
            weights = [state[spec.target] for spec in program.graph_signature.input_specs
                       if spec.kind.name in ("PARAMETER", "BUFFER") or
                       spec.kind.name == "CONSTANT_TENSOR" and
                       state[spec.target].is_floating_point()]

    def run(arguments):
        def compute():
            with torch.no_grad():
                saved = {key: value.clone() for key, value in module.state_dict().items()}
                results = module(*[a.clone() for a in arguments])
                module.load_state_dict(saved)
            results = results if isinstance(results, (tuple, list)) else (results,)
            given = [_array(a) for a in arguments]
            if onnx:
                import onnx as onnx_package
                graph = onnx_package.load(path).graph
                from onnx import numpy_helper
                by_name = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
                return by_name, given, [_array(r) for r in results]
            return None, [_array(w) for w in weights] + given, [_array(r) for r in results]
        return compute
    return Case(path, [run(list(examples))] + [run(list(other)) for other in others])


def dim(name, least=2, greatest=512):
    import torch
    return torch.export.Dim(name, min=least, max=greatest)


def _seeded():
    import torch
    torch.manual_seed(1)
    return torch



def _residual(torch):
    class Block(torch.nn.Module):
        def __init__(self, a, b, stride):
            super().__init__()
            self.first = torch.nn.Conv2d(a, b, 3, stride, 1, bias=False)
            self.norm = torch.nn.BatchNorm2d(b)
            self.second = torch.nn.Conv2d(b, b, 3, 1, 1, bias=False)
            self.short = torch.nn.Conv2d(a, b, 1, stride, bias=False)

        def forward(self, x):
            y = torch.relu(self.norm(self.first(x)))
            return torch.relu(self.second(y) + self.short(x))

    return torch.nn.Sequential(
        torch.nn.Conv2d(3, 8, 3, 1, 1), torch.nn.ReLU(), torch.nn.MaxPool2d(2),
        Block(8, 16, 1), Block(16, 16, 2), torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten(),
        torch.nn.Linear(16, 10))


@model
def torch_resnet():
    torch = _seeded()
    return torch_case("torch_resnet", _residual(torch), [torch.randn(2, 3, 16, 16)], None)


@model
def torch_resnet_dyn():
    torch = _seeded()
    return torch_case("torch_resnet_dyn", _residual(torch), [torch.randn(4, 3, 16, 16)],
                      ({0: dim("B", 2, 64)},), [[torch.randn(3, 3, 16, 16)]])


def _encoder(torch, width=16, heads=2):
    class Encoder(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.embed = torch.nn.Embedding(50, width)
            self.qkv = torch.nn.Linear(width, 3 * width)
            self.out = torch.nn.Linear(width, width)
            self.norm = torch.nn.LayerNorm(width)
            self.up = torch.nn.Linear(width, 4 * width)
            self.down = torch.nn.Linear(4 * width, width)

        def forward(self, ids):
            x = self.embed(ids)
            q, k, v = self.qkv(self.norm(x)).chunk(3, -1)
            q, k, v = (t.unflatten(-1, (heads, -1)).transpose(1, 2) for t in (q, k, v))
            a = torch.softmax(q @ k.transpose(-1, -2) / 3.0, -1) @ v
            x = x + self.out(a.transpose(1, 2).flatten(2))
            return x + self.down(torch.nn.functional.gelu(self.up(self.norm(x))))

    return Encoder()


@model
def torch_encoder_dyn():
    """Two free sizes."""
    torch = _seeded()
    ids = lambda b, s: torch.randint(0, 50, (b, s))
    return torch_case("torch_encoder_dyn", _encoder(torch), [ids(3, 7)],
                      ({0: dim("B"), 1: dim("S")},), [[ids(2, 11)], [ids(5, 4)]])


@model
def torch_decode_dyn():
    """A decode step with a cache of free length."""
    torch = _seeded()

    class Decode(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.qkv = torch.nn.Linear(16, 48)
            self.out = torch.nn.Linear(16, 16)

        def forward(self, x, keys, values):
            q, k, v = self.qkv(x).chunk(3, -1)
            keys, values = torch.cat([keys, k], 1), torch.cat([values, v], 1)
            a = torch.softmax(q @ keys.transpose(1, 2), -1) @ values
            return self.out(a), keys, values

    r = torch.randn
    return torch_case("torch_decode_dyn", Decode(),
                      [r(1, 1, 16), r(1, 6, 16), r(1, 6, 16)],
                      (None, {1: dim("T")}, {1: dim("T")}),
                      [[r(1, 1, 16), r(1, 9, 16), r(1, 9, 16)]])


@model
def torch_cache():
    """A cache that is a buffer of the model and is written at a position."""
    torch = _seeded()

    class Cache(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("keys", torch.randn(2, 12, 4))

        def forward(self, key, position, query):
            self.keys.index_copy_(1, position, key)
            return torch.softmax(query @ self.keys.transpose(1, 2), -1)

    r = torch.randn
    case = torch_case("torch_cache", Cache(), [r(2, 1, 4), torch.tensor([5]), r(2, 3, 4)], None)
    return case


@model
def torch_attention_dyn():
    """Strides that decompositions change, and tensors that are no parameters."""
    torch = _seeded()

    class Attention(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.qkv = torch.nn.Linear(16, 48)
            self.scale = torch.rand(16)
            self.order = torch.tensor([2, 0, 1])

        def forward(self, x):
            batch, length, width = x.shape
            q, k, v = (self.qkv(x).view(batch, length, 3, 4, 4)[:, :, self.order]
                       .permute(2, 0, 3, 1, 4))
            a = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
            a = a.transpose(1, 2).reshape(batch, length, width)
            return torch.mm(a.view(-1, width), self.qkv.weight.T) * self.scale.repeat(3)

    return torch_case("torch_attention_dyn", Attention(), [torch.randn(3, 7, 16)],
                      ({0: dim("B"), 1: dim("S")},), [[torch.randn(2, 5, 16)]])


@model
def torch_joined_views_dyn():
    """Views that join free sizes and do something else at once."""
    torch = _seeded()

    class Views(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = torch.nn.Parameter(torch.randn(8, 12))

        def forward(self, x):
            batch, length, _ = x.shape
            y = torch.einsum("bsd,de->bse", x, self.weight)
            heads = (x @ self.weight).view(batch, length, 3, 4).permute(1, 0, 2, 3).contiguous()
            return torch.tanh(y), torch.tanh(heads.view(length * batch, 12)), y.view(
                batch, 1, length, 3, 4)

    return torch_case("torch_joined_views_dyn", Views(), [torch.randn(3, 5, 8)],
                      ({0: dim("B"), 1: dim("S")},), [[torch.randn(4, 2, 8)]])


@model
def torch_unsigned_dyn():
    """Bytes of an image, which the compiler takes for signed numbers."""
    torch = _seeded()

    class Bytes(torch.nn.Module):
        def forward(self, x, y):
            values, order = x.sort(stable=True)
            darker = torch.nn.functional.pad(x // 2 + 100, (1, 0), value=200)
            return (x / 255, x * 0.5 + y, x.sum(), x.max(), x.min().float(), x % y, x > 130,
                    (x > y).sort(stable=True, descending=True)[1], x * y.int(), values, order, darker, y[:2], y - x)

    first = torch.tensor([200, 7, 250, 1, 0, 255], dtype=torch.uint8)
    return torch_case("torch_unsigned_dyn", Bytes(), [first, first.flip(0) + 3],
                      ({0: dim("B")},) * 2, [[first[:3], first[3:] + 100]])


@model
def torch_moe():
    torch = _seeded()

    class Experts(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.router = torch.nn.Linear(8, 4)
            self.weights = torch.nn.Parameter(torch.randn(4, 8, 8))

        def forward(self, x):
            scores, which = torch.topk(torch.softmax(self.router(x), -1), 2)
            chosen = self.weights[which]
            y = (x[:, None, None, :] @ chosen)[:, :, 0]
            return (y * scores[..., None]).sum(1)

    return torch_case("torch_moe", Experts(), [torch.randn(6, 8)], None)


@model
def torch_masked_moe_dyn():
    """Gates that are scattered, and tokens that are picked by two indices."""
    torch = _seeded()

    class Experts(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.router = torch.nn.Linear(8, 4)
            self.weights = torch.nn.Parameter(torch.randn(4, 8, 8))

        def forward(self, x, ends):
            scores, which = torch.topk(torch.softmax(self.router(x), -1), 2)
            gates = torch.zeros(*x.shape[:2], 4).scatter(-1, which, scores)
            kept = torch.ones(*x.shape[:2], 4).scatter(-1, which[..., 1:], 0.0)
            y = (torch.einsum("bsd,edf->bsef", x, self.weights) * gates[..., None]).sum(2)
            return y[torch.arange(x.shape[0]), ends], y[:, ends, which[:, 0, 0]], kept

    r, t = torch.randn, torch.tensor
    return torch_case("torch_masked_moe_dyn", Experts(), [r(3, 5, 8), t([4, 0, -2])],
                      ({0: dim("B"), 1: dim("S")}, {0: dim("B")}), [[r(2, 7, 8), t([1, 6])]])


@model
def torch_deformed_dyn():
    """Places of an image between its pixels."""
    torch = _seeded()

    class Deformed(torch.nn.Module):
        def forward(self, x, grid):
            y = torch.nn.functional.grid_sample(x, grid, align_corners=False)
            rows = torch.arange(2)[:, None]
            y[:, rows, torch.arange(y.shape[2])] = x.mean()
            return y

    r = torch.randn
    return torch_case("torch_deformed_dyn", Deformed(), [r(3, 2, 5, 6), r(3, 4, 4, 2)],
                      ({0: dim("B")}, {0: dim("B"), 1: dim("H"), 2: dim("W")}),
                      [[r(2, 2, 5, 6), r(2, 3, 5, 2)]])


@model
def torch_shift_dyn():
    """Pads that cut, and a sort that must be stable."""
    torch = _seeded()

    class Shift(torch.nn.Module):
        def forward(self, x):
            pad = torch.nn.functional.pad
            shifted = pad(x, (0, 0, 1, -1)) * 0.5 + pad(x, (1, -2, -1, 1, 0, 0), value=2.0)[..., :1]
            return shifted, (x * 2.0).round().argsort(dim=1, stable=True)

    return torch_case("torch_shift_dyn", Shift(), [torch.randn(3, 5, 6)],
                      ({0: dim("B"), 1: dim("S", 4)},), [[torch.randn(2, 9, 6)]])


@model
def torch_multiples_dyn():
    """A program from a file, whose sizes are multiples of free ones."""
    torch = _seeded()

    class Halves(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.conv = torch.nn.Conv2d(3, 4, 2, 2)

        def forward(self, x):
            return torch.nn.functional.interpolate(self.conv(x).relu(), scale_factor=2) + x[:, :1]

    h, w = dim("h", 2, 16), dim("w", 2, 16)
    return torch_case("torch_multiples_dyn", Halves(), [torch.randn(3, 3, 8, 12)],
                      ({0: dim("B"), 2: 2 * h, 3: 2 * w},), [[torch.randn(2, 3, 6, 10)]])


@model
def torch_diffusion_dyn():
    torch = _seeded()

    class Block(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.norm = torch.nn.GroupNorm(2, 8)
            self.conv = torch.nn.Conv2d(8, 8, 3, padding=1)
            self.time = torch.nn.Linear(4, 8)
            self.qkv = torch.nn.Conv2d(8, 24, 1)

        def forward(self, x, t):
            h = self.conv(torch.nn.functional.silu(self.norm(x)))
            h = h + self.time(t)[:, :, None, None]
            q, k, v = self.qkv(h).flatten(2).chunk(3, 1)
            a = torch.softmax(q.transpose(1, 2) @ k, -1)
            return x + (v @ a.transpose(1, 2)).view_as(x)

    r = torch.randn
    return torch_case("torch_diffusion_dyn", Block(), [r(3, 8, 6, 6), r(3, 4)],
                      ({0: dim("B")}, {0: dim("B")}), [[r(2, 8, 6, 6), r(2, 4)]])


@model
def torch_state_space():
    torch = _seeded()

    class Space(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.a = torch.nn.Parameter(torch.rand(8))
            self.project = torch.nn.Linear(8, 8)

        def forward(self, x):
            gates = torch.sigmoid(self.project(x)) * self.a
            return torch.cumsum(x * gates, 1) + torch.cumprod(gates, 1)

    return torch_case("torch_state_space", Space(), [torch.randn(2, 5, 8)], None)


@model
def torch_speech_dyn():
    torch = _seeded()

    class Speech(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.first = torch.nn.Conv1d(6, 16, 3, padding=1)
            self.second = torch.nn.Conv1d(16, 16, 3, padding=1)
            self.norm = torch.nn.LayerNorm(16)

        def forward(self, x):
            gelu = torch.nn.functional.gelu
            y = gelu(self.second(gelu(self.first(x)))).transpose(1, 2)
            return self.norm(y).log_softmax(-1)

    return torch_case("torch_speech_dyn", Speech(), [torch.randn(2, 6, 10)],
                      ({2: dim("T", 4)},), [[torch.randn(2, 6, 15)]])


@model
def onnx_lstm_dyn():
    torch = _seeded()

    class Lstm(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.lstm = torch.nn.LSTM(6, 8, batch_first=True)

        def forward(self, x):
            return self.lstm(x)[0]

    return torch_case("onnx_lstm_dyn", Lstm(), [torch.randn(3, 5, 6)], ({0: dim("B")},),
                      [[torch.randn(2, 5, 6)]], onnx=["x"])


@model
def onnx_gru_dyn():
    """Two layers in both directions; ONNX does not know the type of the second one's input."""
    torch = _seeded()

    class Gru(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.gru = torch.nn.GRU(6, 8, 2, bidirectional=True, batch_first=True)

        def forward(self, x):
            return self.gru(x)

    return torch_case("onnx_gru_dyn", Gru(), [torch.randn(3, 5, 6)], ({0: dim("B")},),
                      [[torch.randn(2, 5, 6)]], onnx=["x"])


@model
def onnx_rnn_dyn():
    torch = _seeded()
    r = torch.randn
    return torch_case("onnx_rnn_dyn", torch.nn.RNN(6, 8, nonlinearity="relu"),
                      [r(5, 3, 6), r(1, 3, 8)], None, [[r(7, 2, 6), r(1, 2, 8)]],
                      onnx=["x", "h"], axes={"x": {0: "S", 1: "B"}, "h": {1: "B"}})


@model
def onnx_packed_lstm_dyn():
    """Sequences of different lengths, which the LSTM takes as an operand."""
    torch = _seeded()

    class Packed(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.lstm = torch.nn.LSTM(6, 8, batch_first=True, bidirectional=True)

        def forward(self, x, lengths):
            rnn = torch.nn.utils.rnn
            y, (h, c) = self.lstm(rnn.pack_padded_sequence(x, lengths, batch_first=True))
            return rnn.pad_packed_sequence(y, batch_first=True)[0], h, c

    r, t = torch.randn, torch.tensor
    return torch_case("onnx_packed_lstm_dyn", Packed(), [r(3, 5, 6), t([5, 4, 2])], None,
                      [[r(2, 7, 6), t([7, 3])]], onnx=["x", "n"],
                      axes={"x": {0: "B", 1: "S"}, "n": {0: "B"}})


def recurrent_case(name, kind, gates, peepholes=0, **attributes):
    """A layer of ONNX with what PyTorch does not write. onnx computes the results."""
    import onnx
    inputs = ["x", "w", "r", "b"] + ["", "", "", "p"] * bool(peepholes)
    node = onnx.helper.make_node(kind, inputs, ["y", "h"], hidden_size=4, **attributes)
    weights = {"w": _random(1, gates * 4, 3), "r": _random(1, gates * 4, 4),
               "b": _random(1, gates * 8)}
    if peepholes:
        weights["p"] = _random(1, peepholes)
    tensor = lambda name, *shape: onnx.helper.make_tensor_value_info(name, 1, shape)
    first = ("B", "S") if attributes.get("layout") else ("S", "B")
    results = [tensor("y", None, None, None, None), tensor("h", None, None, None)]
    graph = onnx.helper.make_graph([node], "g", [tensor("x", *first, 3)], results)
    made = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)],
                                  ir_version=8)
    return onnx_model_case(name, made, weights, [[_random(5, 2, 3)], [_random(4, 6, 3)]])


@model
def onnx_peephole_lstm_dyn():
    return recurrent_case("onnx_peephole_lstm_dyn", "LSTM", 4, 12)


@model
def onnx_batch_first_gru_dyn():
    return recurrent_case("onnx_batch_first_gru_dyn", "GRU", 3, layout=1)


@model
def onnx_cnn_dyn():
    torch = _seeded()
    return torch_case("onnx_cnn_dyn", _residual(torch), [torch.randn(3, 3, 16, 16)],
                      ({0: dim("N")},), [[torch.randn(2, 3, 16, 16)]], onnx=["x"])


@model
def onnx_encoder_dyn():
    torch = _seeded()
    ids = lambda b, s: torch.randint(0, 50, (b, s))
    return torch_case("onnx_encoder_dyn", _encoder(torch), [ids(3, 7)],
                      ({0: dim("B"), 1: dim("S")},), [[ids(2, 5)]], onnx=["ids"])


@model
def torch_wrong_ops_dyn():
    """What the compiler computes otherwise, or overlooks."""
    torch = _seeded()

    class Bags(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.table = torch.nn.EmbeddingBag(10, 3, mode="sum", padding_idx=4)

        def forward(self, indices, starts, weights):
            bags = self.table(indices, starts, per_sample_weights=weights)
            return torch.nn.functional.gelu(3 * bags, approximate="tanh")

    def arguments(*indices):
        return [torch.tensor(indices), torch.tensor([0, 2, 2]), torch.randn(len(indices))]

    size = dim("N")
    return torch_case("torch_wrong_ops_dyn", Bags(), arguments(1, 2, 4, 5, 4, 3, 9),
                      ({0: size}, None, {0: size}), [arguments(9, 4, 0)])


@model
def torch_upsample_dyn():
    torch = _seeded()

    class Up(torch.nn.Module):
        def forward(self, x):
            grow = torch.nn.functional.interpolate
            x = torch.nn.functional.pad(x, (1, 1, 1, 1), "reflect")
            return grow(x, scale_factor=2, mode="bilinear"), grow(x, scale_factor=2)

    return torch_case("torch_upsample_dyn", Up(), [torch.randn(3, 2, 5, 5)], ({0: dim("B")},),
                      [[torch.randn(2, 2, 5, 5)]])


def onnx_text_case(name, text, weights, runs, meaning=""):
    """An ONNX model in ONNX's own syntax; onnx computes the results. Where it does not know the
    ops of an old opset, it takes those of `meaning`."""
    from onnx import parser
    return onnx_model_case(name, parser.parse_model(text), weights, runs,
                           parser.parse_model(meaning) if meaning else None)


def onnx_model_case(name, made, weights, runs, meaning=None):
    import onnx
    from onnx import numpy_helper
    from onnx.reference import ReferenceEvaluator
    made.graph.initializer.extend(numpy_helper.from_array(value, key)
                                  for key, value in weights.items())
    path = os.path.join(FOLDER, name + ".onnx")
    onnx.save(made, path)

    def run(arguments):
        names = [value.name for value in made.graph.input]
        return lambda: (weights, list(arguments), ReferenceEvaluator(meaning or made).run(
            None, dict(zip(names, arguments))))
    return Case(path, [run(arguments) for arguments in runs])


@model
def onnx_old_opset_dyn():
    """Ops of an old opset, and ops that only their definition explains."""
    return onnx_text_case("onnx_old_opset_dyn", """
        <ir_version: 4, opset_import: ["" : 11]>
        g (float[N, 4] x) => (float[N, 5] y, float[N, 2] z) <int64[1] zero={0}, int64[1] two={2},
          int64[1] one={1}> {
          a = MatMul(x, w)
          b = Softmax<axis=1>(a)
          u = Unsqueeze<axes=[1]>(b)
          c = Squeeze<axes=[1]>(u)
          y = Softsign(c)
          z = Slice(x, zero, two, one)
        }""", {"w": _random(4, 5)}, [[_random(3, 4)], [_random(2, 4)]])


_RESIZED = """<ir_version: 8, opset_import: ["" : 17]>
    g (float[N, 2, 4, 6] x) => (float[N, 2, H, W] y, float[N, 2, I, V] z, float[N, 2, 4, 6] h) {
      larger = Constant<value = float[4] {1, 1, 2, 1.5}>()
      smaller = Constant<value = float[4] {1, 1, 0.6, 0.7}>()
      y = Resize<mode="linear", coordinate_transformation_mode="asymmetric">(x, , larger)
      z = Resize<mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="ceil">(x, , smaller)
      s = Shape(x)
      f = Flatten<axis=2>(x)
      c = Hardmax<axis=1>(f)
      h = Reshape(c, s)
    }"""


@model
def onnx_old_resize_dyn():
    return onnx_text_case("onnx_old_resize_dyn", """<ir_version: 5, opset_import: ["" : 10]>
        g (float[N, 2, 4, 6] x) => (float[N, 2, H, W] y, float[N, 2, I, V] z, float[N, 2, 4, 6] h) {
          larger = Constant<value = float[4] {1, 1, 2, 1.5}>()
          smaller = Constant<value = float[4] {1, 1, 0.6, 0.7}>()
          y = Resize<mode="linear">(x, larger)
          z = Resize<mode="nearest">(x, smaller)
          h = Hardmax<axis=2>(x)
        }""", {}, [[_random(2, 2, 4, 6)], [_random(3, 2, 4, 6)]], _RESIZED)


def _pools(padding):
    return f"""<ir_version: 8, opset_import: ["" : 17]>
        g (float[N, 2, H, W] x) => (float[N, 2, A, B] a, float[N, 2, C, D] b, float[N, 2, E, F] c,
                                    float[N, G, I, K] d, float[N, 2, 1, 1] e) {{
          {padding}
          b = MaxPool<kernel_shape=[3, 2], strides=[2, 1], dilations=[2, 3], pads=[1, 1, 0, 0]>(x)
          c = MaxPool<kernel_shape=[2, 3], auto_pad="SAME_LOWER">(x)
          m = MeanVarianceNormalization<axes=[2, 3]>(x)
          e = GlobalMaxPool(m)
        }}"""


@model
def onnx_pools_dyn():
    """Paddings that differ at both ends, or are negative, of any size of image."""
    padding = """a = MaxPool<kernel_shape=[5, 5], pads=[4, 4, 3, 3]>(x)
        pads = Constant<value = int64[8] {0, -1, 2, 0, 0, 1, -1, -3}>()
        d = Pad(x, pads)"""
    # numpy pads nothing negative, and onnx pads this pool otherwise than onnxruntime.
    meaning = """around = Constant<value = int64[8] {0, 0, 4, 4, 0, 0, 3, 3}>()
        least = Constant<value = float {-1e30}>()
        wide = Pad(x, around, least)
        a = MaxPool<kernel_shape=[5, 5]>(wide)
        axes = Constant<value = int64[3] {1, 2, 3}>()
        first = Constant<value = int64[3] {1, 0, 0}>()
        last = Constant<value = int64[3] {2, -1, -3}>()
        s = Slice(x, first, last, axes)
        pads = Constant<value = int64[8] {0, 0, 2, 0, 0, 1, 0, 0}>()
        d = Pad(s, pads)"""
    return onnx_text_case("onnx_pools_dyn", _pools(padding), {}, [
        [_random(2, 2, 8, 9)], [_random(1, 2, 7, 12)]], _pools(meaning))


@model
def onnx_unsigned_dyn():
    """Ops that the compiler takes for ones of signed elements."""
    x, y = (numpy.array([values], "uint8") for values in ([200, 7, 250, 1, 0, 255],
                                                          [100, 9, 3, 2, 255, 1]))
    return onnx_text_case("onnx_unsigned_dyn", """
        <ir_version: 8, opset_import: ["" : 17]>
        g (uint8[N, 6] x, uint8[N, 6] y) => (uint8[N, 6] a, uint8[N, 6] b, uint8[N, 3] c, int64[N, 3] d,
                                          uint8[N, 1, 5] e, uint8[N, 6] f)
        <int64[1] three={3}, int64[1] one={1}, uint8 low={20}, uint8 high={220}> {
          a = Div(x, y)
          b = Mod(x, y)
          c, d = TopK(x, three)
          row = Unsqueeze(x, one)
          e = MaxPool<kernel_shape=[2]>(row)
          f = Clip(x, low, high)
        }""", {}, [[x, y], [numpy.concatenate([x, y]), numpy.concatenate([y, x | 1])]])


@model
def onnx_sizes_dyn():
    """Sizes that are left out, also between arguments; a number of sizes that is computed."""
    return onnx_text_case("onnx_sizes_dyn", """
        <ir_version: 8, opset_import: ["" : 17]>
        g (float[B, S, 16] x, float[B, S] m) => (float[B, 4, S, 4] y, float[B, S, 8] z)
        <int64[1] zero={0}, int64[1] one={1}, int64[1] three={3}, int64[1] last={-1},
         int64[2] heads={4, 4}, int64[2] halves={2, 8}> {
          sizes = Shape(m)
          batch = Slice(sizes, zero, one)
          shape = Concat<axis=0>(batch, last, heads)
          h = Reshape(x, shape)
          t = Transpose<perm=[0, 2, 1, 3]>(h)
          y = Tanh(t)
          all = Shape(x)
          place = Mod(last, three)
          front = Slice(all, zero, place)
          split = Concat<axis=0>(front, halves)
          s = Reshape(x, split)
          i = Constant<value = int64 {1}>()
          z = Gather<axis=2>(s, i)
        }""", {}, [[_random(3, 5, 16), _random(3, 5)], [_random(2, 7, 16), _random(2, 7)]])


@model
def onnx_functions_dyn():
    return onnx_text_case("onnx_functions_dyn", """
        <ir_version: 10, opset_import: ["" : 23, "local" : 1]>
        g (float[B, H, S, 8] q, float[B, H, T, 8] k) => (float[B, H, S, 8] y) {
          n = local.twice(k)
          y = Attention(q, n, k)
        }
        <domain: "local", opset_import: ["" : 23]>
        twice (a) => (b) { b = Add(a, a) }
        """, {}, [[_random(2, 3, 5, 8), _random(2, 3, 4, 8)]])


@model
def onnx_mlp():
    torch = _seeded()
    net = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 4))
    return torch_case("onnx_mlp", net, [torch.randn(5, 8)], None, onnx=["x"])


def jax_case(name, function, arguments, inputs=(), others=()):
    import jax
    setattr(exported, name, (lambda *a: function(*a)) if inputs else
            (lambda: (function, tuple(arguments))))

    def run(given):
        def compute():
            results = jax.tree_util.tree_leaves(jax.jit(function)(*given))
            leaves = jax.tree_util.tree_leaves(given)
            return None, [numpy.asarray(a) for a in leaves], [numpy.asarray(r) for r in results]
        return compute
    return Case(f"import_models:exported.{name}", [run(a) for a in (arguments, *others)], inputs)


def _random(*shape):
    import zlib
    seed = zlib.crc32(repr(shape).encode())
    return numpy.random.default_rng(seed).standard_normal(shape).astype("float32")


@model
def jax_mlp_train():
    import jax
    import jax.numpy as np

    def loss(p, x, y):
        return ((np.tanh(x @ p["a"]) @ p["b"] - y) ** 2).mean()
    return jax_case("mlp_train", jax.value_and_grad(loss),
                    ({"a": _random(8, 16), "b": _random(16, 4)}, _random(5, 8), _random(5, 4)))


@model
def jax_conv_train():
    import jax
    import jax.numpy as np

    def loss(p, x):
        y = jax.lax.conv(x, p["k"], (1, 1), "SAME")
        y = jax.nn.relu(y).mean((2, 3))
        return (y @ p["w"]).sum()
    return jax_case("conv_train", jax.grad(loss),
                    ({"k": _random(4, 3, 3, 3), "w": _random(4, 2)}, _random(2, 3, 8, 8)))


@model
def jax_scan():
    import jax
    import jax.numpy as np

    def cell(state, x):
        state = np.tanh(state @ _W + x)
        return state, state.sum(-1)
    _W = _random(6, 6)
    return jax_case("scan", lambda s, xs: jax.lax.scan(cell, s, xs),
                    (_random(2, 6), _random(7, 2, 6)))


def _exchanges(a, b, rows):
    """Loops whose step carries an old tensor on as another one."""
    import jax
    import jax.numpy as np
    repeat = lambda step, *state: jax.lax.fori_loop(0, 5, step, state)
    twice = lambda t, s: jax.lax.fori_loop(0, 2, lambda k, u: (u[1], np.tanh(u[0] + s[0])), (s[1], s[0]))
    return (repeat(lambda t, s: (s[1], s[0]), a, b), repeat(lambda t, s: (np.tanh(s[0] + s[1]), s[0]), a, b),
            repeat(lambda t, s: (s[1], s[2], s[0] * 0.5 + s[1]), a, b, a + b), repeat(twice, a, b),
            jax.lax.scan(lambda s, x: ((x, s[0], s[1]), x + s[2]), (a, b, a * 3), rows))


@model
def jax_exchanges():
    return jax_case("exchanges", _exchanges, (_random(4), _random(4) + 1, _random(6, 4)))


@model
def jax_exchanges_dyn():
    """Also the gradient through an exchange."""
    import jax

    def f(a, b, rows):
        return _exchanges(a, b, rows), jax.grad(lambda a: _exchanges(a, b, rows)[4][1].sum())(a)
    return jax_case("exchanges_dyn", f, (_random(4), _random(4) + 1, _random(6, 4)),
                    ["f32[N]", "f32[N]", "f32[T, N]"], [(_random(3), _random(3) + 1, _random(2, 3))])


@model
def jax_switch():
    """A loop whose step chooses among a new tensor, the old one, and one from outside."""
    import jax

    def f(a, b):
        step = lambda t, s: (jax.lax.switch(t % 3, [lambda: s[0] + b, lambda: b, lambda: s[1]]), s[0])
        one = lambda t, c: jax.lax.switch(t % 3, [lambda: c + b, lambda: c * b, lambda: b])
        return jax.lax.fori_loop(0, 5, step, (a, b)), jax.lax.fori_loop(0, 4, one, a)
    return jax_case("switch", f, (_random(4), _random(4) + 1))


@model
def jax_while():
    import jax
    import jax.numpy as np

    def step(state):
        x, n = state
        return x @ x / np.linalg.norm(x) if False else x * 0.5 + 0.1, n + 1
    return jax_case("while_", lambda x: jax.lax.while_loop(
        lambda s: (np.abs(s[0]).max() > 0.3) & (s[1] < 20), step, (x, 0)), (_random(4, 4),))


@model
def jax_attention():
    import jax
    import jax.numpy as np

    def f(x, w):
        q, k, v = np.split(x @ w, 3, -1)
        return jax.nn.softmax(q @ k.T) @ v
    return jax_case("attention", f, (_random(7, 8), _random(8, 24)))


@model
def jax_sort():
    import jax
    import jax.numpy as np
    return jax_case("sort", lambda x: (np.sort(x), np.cumsum(x, 1), jax.lax.top_k(x, 3)[0],
                                       x.at[np.array([1, 2])].add(1.0)), (_random(4, 10),))


def _order(x):
    import jax
    import jax.numpy as np
    keys = np.round(x)
    return (np.argsort(keys, 1), jax.lax.sort((keys.astype(np.int32), x), num_keys=1),
            jax.lax.top_k(keys, 4), jax.lax.top_k(keys.astype(np.int32), 3))


def _products(x, y):
    import jax
    import jax.numpy as np
    dot = [jax.lax.dot(x, y, preferred_element_type=kind) for kind in ("int32", "uint32")]
    image = jax.lax.conv(x[None, None], y[None, None], (1, 1), "SAME", preferred_element_type=np.int32)
    given = np.ones((2, 3), "float32")
    return (*dot, x.astype("float32") @ given, (x.T.astype("float32") * 1).T @ given, image, *jax.lax.top_k(x, 2), x // 2, x.astype("float32") / 255)


@model
def jax_unsigned():
    x, y = (numpy.array([values, values[::-1]], "uint8") for values in ([200, 7], [250, 130]))
    return jax_case("unsigned", _products, (x, y))


def _truth(x, weights, words):
    import jax
    import jax.numpy as np
    one_hot, mask = jax.nn.one_hot(words, 4), x > 0
    return (one_hot @ weights, mask.astype("float32") @ weights, np.einsum("ab,cb->ac", mask, mask),
            mask.astype("int32") @ mask.T, jax.lax.dot(mask, mask.T, preferred_element_type="int32"),
            jax.lax.reduce_window(mask, False, jax.lax.max, (1, 2), (1, 1), "VALID"))


@model
def jax_truth_values():
    words = numpy.array([2, 0, 3], "int32")
    return jax_case("truth_values", _truth, (_random(5, 4), _random(4, 3), words))


@model
def jax_truth_values_dyn():
    words = numpy.array([2, 0, 3], "int32")
    return jax_case("truth_values_dyn", _truth, (_random(5, 4), _random(4, 3), words),
                    ["f32[N, 4]", "f32[4, 3]", "i32[M]"], [(_random(2, 4), _random(4, 3), words[:2])])


def _noisy(x, weights, image, seed):
    import jax
    import jax.numpy as np
    key = jax.random.fold_in(jax.random.key(7), seed)
    hidden = np.where(jax.random.bernoulli(key, 0.5, (x.shape[0], 5)), x @ weights, 0)
    pixels = image.astype("float32") / 255
    return (hidden @ weights.T + jax.random.normal(key, x.shape), pixels, pixels @ x,
            image > 130, jax.lax.div(image, np.flip(image)), jax.lax.rem(image, np.flip(image)),
            np.maximum(image, 140), image.astype("int32") * 2, np.arange(x.shape[0], dtype="uint32"),
            jax.lax.dot(image, np.flip(image), preferred_element_type="int32"))


@model
def jax_noisy_dyn():
    """Random numbers and bytes of free sizes, also divided by 0."""
    def given(size):
        image = numpy.arange(100, 100 + 36, dtype="uint8").reshape(6, 6) * 3
        return _random(size, 6), _random(6, 5), image[:size, :size], numpy.int32(size)
    return jax_case("noisy_dyn", _noisy, given(6),
                    ["f32[N, 6]", "f32[6, 5]", "u8[N, N]", "i32[]"], [given(3)])


@model
def jax_equal_elements():
    x = numpy.array([[0, -0.0, 0, 2, 1, 2], [-numpy.inf, 1, -numpy.inf, -numpy.inf, 1, 1]], "float32")
    return jax_case("equal_elements", _order, (x,), others=[(_random(2, 6),)])


@model
def jax_equal_elements_dyn():
    return jax_case("equal_elements_dyn", _order, (_random(4, 6),), ["f32[N, 6]"],
                    [(numpy.zeros((2, 6), "float32"),)])


@model
def jax_random():
    import jax
    import jax.numpy as np

    def f(x, seed):
        kept = jax.random.bernoulli(jax.random.key(3), 0.5, x.shape)
        return np.where(kept, x, 0), jax.random.normal(jax.random.key(seed), (4,))
    return jax_case("random", f, (_random(4, 6), numpy.int32(5)))


def _outside(x, k):
    return (x[k], x[:, k], x[k, k], x.at[k].add(1.0), x.at[k].set(2.0), x.at[k, k].min(0.0),
            x.at[:, k].max(0.5), x.at[1].min(0.0))


# The indices of three runs.
_INDICES = [numpy.array(k, "int32") for k in ([0, 3, -1], [9, -9, 2], [100000000, 3, 4])]


@model
def jax_outside():
    first, *others = [(_random(4, 5), k) for k in _INDICES]
    return jax_case("outside", _outside, first, others=others)


@model
def jax_outside_dyn():
    first, *others = [(_random(n, 5), k) for n, k in zip((4, 4, 3), _INDICES)]
    return jax_case("outside_dyn", _outside, first, ["f32[N, 5]", "i32[M]"], others)


@model
def jax_affine_dyn():
    import jax.numpy as np
    return jax_case("affine_dyn", lambda x, w: np.tanh(x @ w) * 2.0, (_random(5, 8), _random(8, 3)),
                    ["f32[N, 8]", "f32[8, 3]"], [(_random(2, 8), _random(8, 3))])


def _block(x, w, heads=2):
    """A causal transformer block."""
    import jax
    import jax.numpy as np
    batch, length, width = x.shape
    y = (x - x.mean(-1, keepdims=True)) * jax.lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)
    q, k, v = (t.reshape(batch, length, heads, -1).swapaxes(1, 2)
               for t in np.split(y @ w["qkv"], 3, -1))
    causal = np.arange(length)[:, None] >= np.arange(length)
    scores = np.where(causal, q @ k.swapaxes(2, 3) / 2.0, -1e9)
    a = (jax.nn.softmax(scores) @ v).swapaxes(1, 2).reshape(x.shape)
    return x + jax.nn.gelu(a @ w["up"]) @ w["down"]


@model
def jax_decoder_dyn():
    """Two free sizes: a gather, a mask, attention."""
    import jax
    import jax.numpy as np
    w = {"qkv": np.array(_random(8, 24)), "up": np.array(_random(8, 12)),
         "down": np.array(_random(12, 8))}
    ids = lambda b, s: (numpy.arange(b * s, dtype="i4").reshape(b, s) * 7 + s) % 11
    return jax_case("decoder_dyn", lambda e, i: _block(e[i], w) @ e.T, (_random(11, 8), ids(3, 5)),
                    ["f32[11, 8]", "i32[B, S]"], [(_random(11, 8), ids(2, 9))])


@model
def jax_block_train_dyn():
    import jax
    import jax.numpy as np

    def loss(qkv, up, down, x):
        return (_block(x, {"qkv": qkv, "up": up, "down": down}) ** 2).mean()
    weights = [_random(*shape) * 0.3 for shape in ((8, 24), (8, 12), (12, 8))]
    return jax_case("block_train_dyn", jax.value_and_grad(loss, (0, 1, 2)),
                    (*weights, _random(3, 5, 8)),
                    ["f32[8, 24]", "f32[8, 12]", "f32[12, 8]", "f32[B, S, 8]"],
                    [(*weights, _random(2, 7, 8))])


@model
def jax_scan_dyn():
    import jax
    import jax.numpy as np

    def f(w, xs):
        def cell(h, x):
            h = np.tanh(h @ w + x)
            return h, h.sum(-1)
        return jax.lax.scan(cell, np.zeros(xs.shape[1:]), xs)
    return jax_case("scan_dyn", f, (_random(4, 4), _random(5, 2, 4)),
                    ["f32[4, 4]", "f32[T, B, 4]"], [(_random(4, 4), _random(7, 3, 4))])


@model
def jax_conv_dyn():
    """A pool with padding, dilated and with strides, and slices with a free size."""
    import jax
    import jax.numpy as np

    def f(k, x):
        x = jax.nn.relu(jax.lax.conv(x, k, (1, 1), "SAME"))
        x = jax.lax.reduce_window(x, -np.inf, jax.lax.max, (1, 1, 3, 2), (1, 1, 2, 2),
                                  ((0, 0), (0, 0), (1, 1), (0, 1)), window_dilation=(1, 1, 2, 1))
        return x[1:] - x[:-1], jax.lax.dynamic_update_slice(x, x[:1] * 2.0, (1, 0, 0, 0))
    return jax_case("conv_dyn", f, (_random(4, 3, 3, 3), _random(3, 3, 9, 8)),
                    ["f32[4, 3, 3, 3]", "f32[B:2..64, 3, 9, 8]"],
                    [(_random(4, 3, 3, 3), _random(5, 3, 9, 8))])


def unsupported():
    import torch

    class Histogram(torch.nn.Module):
        def forward(self, x):
            return torch.histc(x, 10)
    return Histogram(), (torch.randn(100),)


def chosen_elements():
    import torch

    class Chosen(torch.nn.Module):
        def forward(self, x):
            return x[x > 0]
    return Chosen(), (torch.randn(3, 4),), ({0: dim("B")},)


def grouped_decode():
    """Only the strict export knows that the cache is not larger than the repeated one."""
    import torch

    class Decode(torch.nn.Module):
        def forward(self, query, keys, key):
            keys = torch.cat([keys, key], 2)
            keys = keys[:, :, None].expand(-1, -1, 2, -1, -1).reshape(keys.shape[0], 4, -1, 4)
            return torch.softmax(query @ keys.transpose(2, 3), -1)
    one, two = {0: dim("B")}, {0: dim("B"), 2: dim("T")}
    r = torch.randn
    return Decode(), (r(3, 4, 1, 4), r(3, 2, 6, 4), r(3, 2, 1, 4)), (one, two, one)


def inferred_view():
    """A view that leaves out a size, the product of a free size and a number."""
    import torch

    class Heads(torch.nn.Module):
        def forward(self, x):
            batch, length, width = x.shape
            x = x.view(batch, length, 4, -1).permute(0, 2, 1, 3).reshape(-1, length, width // 4)
            return torch.softmax(torch.bmm(x, x.transpose(1, 2)), -1) * 2.0
    return Heads(), (torch.randn(3, 5, 8),), ({0: dim("B"), 1: dim("S")},)


def __getattr__(name):
    if name == "linear":
        return _seeded().nn.Linear(8, 4)
    raise AttributeError(name)
