# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What exporters write and ONNX's own tests have no case for: for onnx_ops.py.

Each is a model of one op in ONNX's own syntax, `op<attributes> types of operands`; floats are
random, integers as given.
"""
import re

import numpy

#: name: (opset, op and attributes, operands, number of results). An operand is a shape of
#: floats, an array, or None for one that is left out.
_I = lambda *values: numpy.array(values, "int64")
CASES = {}


def add(name, op, *operands, opset=22, results=1):
    assert name not in CASES
    CASES[name] = (opset, op, operands, results)


for _name, _attributes, _x, _w, _b in [
        ("plain", "", (2, 3, 6, 7), (4, 3, 3, 2), None),
        ("bias", "pads = [1, 1, 1, 1], strides = [1, 1]", (2, 3, 6, 7), (4, 3, 3, 3), (4,)),
        ("groups", "group = 2, pads = [2, 2, 2, 2], dilations = [2, 2], strides = [2, 2]", (2, 4, 9, 9),
         (6, 2, 3, 3), (6,)),
        ("depthwise", "group = 4, pads = [0, 1, 2, 1]", (2, 4, 6, 7), (4, 1, 3, 3), None),
        ("one", "kernel_shape = [1, 1], pads = [0, 0, 0, 0], dilations = [1, 1]", (2, 4, 6, 7), (3, 4, 1, 1), (3,)),
        ("valid", "auto_pad = \"VALID\"", (2, 3, 6, 7), (4, 3, 3, 2), None),
        ("upper", "auto_pad = \"SAME_UPPER\", strides = [2, 2]", (2, 3, 6, 7), (4, 3, 3, 2), None),
        ("row", "pads = [1, 2], strides = [2]", (2, 3, 9), (4, 3, 3), (4,)),
        ("space", "pads = [1, 0, 1, 1, 0, 1]", (1, 2, 5, 4, 6), (3, 2, 3, 2, 3), (3,))]:
    add(f"conv_{_name}", f"Conv<{_attributes}>", _x, _w, *([_b] if _b else []))
for _name, _attributes, _x, _w, _b in [
        ("bias", "strides = [2, 2], pads = [1, 1, 1, 1], output_padding = [1, 1]", (2, 3, 4, 5), (3, 4, 3, 3), (4,)),
        ("one", "strides = [1, 1], pads = [0, 0, 0, 0], dilations = [1, 1], output_padding = [0, 0]",
         (2, 3, 4, 5), (3, 4, 2, 3), (4,)),
        ("groups", "group = 2, strides = [2, 2], kernel_shape = [2, 2]", (2, 4, 4, 5), (4, 3, 2, 2), None),
        ("row", "strides = [2], pads = [1, 1]", (2, 3, 6), (3, 2, 4), (2,))]:
    add(f"convtranspose_{_name}", f"ConvTranspose<{_attributes}>", _x, _w, *([_b] if _b else []))
for _op, _more in (("MaxPool", ""), ("AveragePool", ", count_include_pad = 0"),
                   ("AveragePool", ", count_include_pad = 1")):
    for _name, _attributes in [
            ("ones", "kernel_shape = [3, 3], strides = [1, 1], pads = [1, 1, 1, 1], dilations = [1, 1]"),
            ("zeros", "kernel_shape = [2, 2], strides = [2, 2], pads = [0, 0, 0, 0], ceil_mode = 0"),
            ("ceil", "kernel_shape = [3, 3], strides = [2, 2], ceil_mode = 1"),
            ("greater", "kernel_shape = [5, 5], strides = [2, 1], pads = [2, 1, 1, 2]"),
            ("valid", "kernel_shape = [3, 3], auto_pad = \"VALID\"")]:
        add(f"{_op.lower()}{_more[-1:]}_{_name}", f"{_op}<{_attributes}{_more}>", (2, 3, 7, 8))
add("maxpool_row", "MaxPool<kernel_shape = [3], strides = [2]>", (2, 3, 9))
add("averagepool_row", "AveragePool<kernel_shape = [3], strides = [2]>", (2, 3, 9))

for _to, _number in dict(float=1, uint8=2, int8=3, int16=5, int32=6, int64=7, bool=9, float16=10,
                         double=11).items():
    for _from in ("float32", "int32", "int64", "bool", "uint8", "float64", "float16"):
        _x = numpy.array([0, 1, 3, 90] if _from != "bool" else [0, 1, 1, 0], _from)
        add(f"cast_{_from}_{_to}", f"Cast<to = {_number}>", _x, opset=23)
for _kind, _value in dict(float="{1.5}", int64="{-1}", int32="{2}", bool="{1}", double="{0.5}").items():
    add(f"constantofshape_{_kind}", f"ConstantOfShape<value = {_kind}[1] {_value}>", _I(2, 3), opset=20)

for _axis in (0, 1, 2, -1, -2):
    _name = str(_axis).replace("-", "m")
    add(f"concat_{_name}", f"Concat<axis = {_axis}>", (2, 3, 4), (2, 3, 4))
    add(f"concat_one_{_name}", f"Concat<axis = {_axis}>", (2, 3, 4))
    add(f"gather_{_name}", f"Gather<axis = {_axis}>", (4, 5, 6), _I([0, 2], [1, -1]), opset=13)
    add(f"gatherelements_{_name}", f"GatherElements<axis = {_axis}>", (2, 2, 2),
        numpy.int64([[[1, 0], [0, 1]]]), opset=13)
    add(f"split_{_name}", f"Split<axis = {_axis}>", (4, 4, 4), _I(1, 3), opset=18, results=2)
    add(f"split_number_{_name}", f"Split<axis = {_axis}, num_outputs = 2>", (4, 4, 4), opset=18, results=2)
    add(f"flatten_{_name}", f"Flatten<axis = {_axis}>", (2, 3, 4), opset=25)
    add(f"softmax_{_name}", f"Softmax<axis = {_axis}>", (2, 3, 4), opset=13)
    add(f"logsoftmax_{_name}", f"LogSoftmax<axis = {_axis}>", (2, 3, 4), opset=13)
    add(f"hardmax_{_name}", f"Hardmax<axis = {_axis}>", (2, 3, 4), opset=13)
    add(f"layernormalization_{_name}", f"LayerNormalization<axis = {_axis}>", (3, 4, 5),
        (3, 4, 5)[_axis:], (3, 4, 5)[_axis:], opset=17)
    add(f"cumsum_{_name}", "CumSum", (2, 3, 4), numpy.int64(_axis), opset=14)
    add(f"topk_{_name}", f"TopK<axis = {_axis}>", (3, 4, 5), _I(2), opset=24, results=2)
    for _op in ("ArgMax", "ArgMin"):
        add(f"{_op.lower()}_{_name}", f"{_op}<axis = {_axis}>", (2, 3, 4), opset=13)
        add(f"{_op.lower()}_drop_{_name}", f"{_op}<axis = {_axis}, keepdims = 0>", (2, 3, 4), opset=13)
    add(f"squeeze_{_name}", "Squeeze", tuple(1 if n == _axis % 3 else 4 for n in range(3)), _I(_axis), opset=25)
    add(f"unsqueeze_{_name}", "Unsqueeze", (2, 3), _I(_axis), opset=25)
    for _op in ("Mean", "Sum", "Max", "Min", "Prod", "L1", "L2", "SumSquare"):
        add(f"reduce{_op.lower()}_{_name}", f"Reduce{_op}<keepdims = {int(_axis > 0)}>", (2, 3, 4), _I(_axis), opset=18)
for _op in ("Mean", "Sum", "Max", "Min", "Prod", "L1", "L2", "SumSquare"):
    add(f"reduce{_op.lower()}_two", f"Reduce{_op}", (2, 3, 4), _I(0, 2), opset=18)
    add(f"reduce{_op.lower()}_all", f"Reduce{_op}<keepdims = 0>", (2, 3, 4), opset=18)

for _mode in ("constant", "reflect", "edge", "wrap"):
    add(f"pad_{_mode}", f"Pad<mode = \"{_mode}\">", (2, 5, 6), _I(0, 1, 2, 0, 2, 0), opset=25)
add("pad_cuts", "Pad", (2, 5, 6), _I(0, -1, 2, 0, 2, -2), opset=25)
add("pad_cuts_value", "Pad", (2, 5, 6), _I(0, -1, 2, 0, 2, -2), numpy.float32(2), opset=25)
add("pad_value", "Pad", (2, 5, 6), _I(0, 1, 2, 0, 2, 0), numpy.float32(2), opset=25)
for _mode, _coordinates, _nearest in [
        ("nearest", "asymmetric", "floor"), ("nearest", "half_pixel", "round_prefer_floor"),
        ("nearest", "asymmetric", "round_prefer_floor"), ("nearest", "half_pixel", "floor"),
        ("linear", "half_pixel", "floor"), ("linear", "pytorch_half_pixel", "floor"),
        ("linear", "align_corners", "floor"), ("linear", "asymmetric", "floor"),
        ("cubic", "half_pixel", "floor"), ("cubic", "align_corners", "floor"),
        ("cubic", "pytorch_half_pixel", "floor")]:
    _text = (f"Resize<mode = \"{_mode}\", coordinate_transformation_mode = \"{_coordinates}\", "
             f"nearest_mode = \"{_nearest}\"")
    _name = f"resize_{_mode}_{_coordinates}_{_nearest}"
    add(f"{_name}_scales", _text + ">", (1, 2, 4, 5), None, numpy.float32([1, 1, 2, 2]), opset=19)
    add(f"{_name}_sizes", _text + ">", (1, 2, 4, 5), None, None, _I(1, 2, 8, 10), opset=19)
    if _mode == "cubic":
        add(f"{_name}_alpha", _text + ", cubic_coeff_a = -0.75>", (1, 2, 4, 5), None, None, _I(1, 2, 8, 10), opset=19)

for _op, _gates, _states in (("LSTM", 4, 2), ("GRU", 3, 1), ("RNN", 1, 1)):
    _steps = numpy.int32([5, 3])
    for _direction, _n in (("forward", 1), ("reverse", 1), ("bidirectional", 2)):
        for _name, _attributes in (("", ""), ("_reset", ", linear_before_reset = 1"), ("_one", "")):
            if _name == "_reset" and _op != "GRU":
                continue
            _w = [(_n, _gates * 4, 3), (_n, _gates * 4, 4)]
            _all = [] if _name == "_one" else [(_n, _gates * 8), _steps, *[(_n, 2, 4)] * _states]
            add(f"{_op.lower()}_{_direction}{_name}",
                f"{_op}<hidden_size = 4, direction = \"{_direction}\"{_attributes}>",
                (5, 2, 3), *_w, *_all, opset=22, results=_states + 1)

add("lstm_peepholes", "LSTM<hidden_size = 4>",
    (5, 2, 3), (1, 16, 3), (1, 16, 4), (1, 32), None, None, None, (1, 12), results=3)
add("lstm_forget", "LSTM<hidden_size = 4, input_forget = 1, clip = 0.5>",
    (5, 2, 3), (1, 16, 3), (1, 16, 4), results=3)
add("gru_batch_first", "GRU<hidden_size = 4, layout = 1>", (2, 5, 3), (1, 12, 3), (1, 12, 4), results=2)
for _op, _gates, _given in (("RNN", 1, ["Relu"]), ("RNN", 1, ["Tanh"]), ("GRU", 3, ["Sigmoid", "Tanh"]),
                            ("GRU", 3, ["HardSigmoid", "Relu"]), ("LSTM", 4, ["Sigmoid", "Tanh", "Tanh"])):
    _text = ", ".join(f'"{_name}"' for _name in _given)
    add(f"{_op.lower()}_{'_'.join(_given).lower()}", f"{_op}<hidden_size = 4, activations = [{_text}]>",
        (5, 2, 3), (1, _gates * 4, 3), (1, _gates * 4, 4), results=2)

add("gemm", "Gemm<alpha = 0.5, beta = 2.0, transB = 1>", (3, 4), (5, 4), (5,), opset=13)
add("matmul", "MatMul", (2, 3, 4), (4, 5), opset=13)
add("batchnormalization", "BatchNormalization", (2, 3, 4, 5), (3,), (3,), (3,), numpy.float32([1, 2, 3]), opset=15)
add("instancenormalization", "InstanceNormalization", (2, 3, 4, 5), (3,), (3,), opset=22)
add("groupnormalization", "GroupNormalization<num_groups = 2>", (2, 4, 3, 5), (4,), (4,), opset=21)
add("clip_both", "Clip", (3, 4), numpy.float32(-0.5), numpy.float32(0.5), opset=13)
add("clip_least", "Clip", (3, 4), numpy.float32(0), opset=13)
add("clip_most", "Clip", (3, 4), None, numpy.float32(0.25), opset=13)
add("dropout", "Dropout", (3, 4), opset=22)
add("dropout_off", "Dropout", (3, 4), numpy.float32(0.5), numpy.bool_(False), opset=22)
add("expand", "Expand", (3, 1), _I(2, 3, 4), opset=13)
add("tile", "Tile", (2, 3), _I(2, 3), opset=13)
add("reshape", "Reshape", (2, 3, 4), _I(0, -1), opset=25)
add("shape", "Shape", (2, 3, 4), opset=25)
add("shape_part", "Shape<start = 1, end = 2>", (2, 3, 4), opset=25)
add("shape_end", "Shape<start = -1>", (2, 3, 4), opset=25)
add("slice", "Slice", (4, 5, 6), _I(1, 0), _I(3, 9), _I(0, 2), _I(1, 2), opset=13)
add("slice_end", "Slice", (4, 5, 6), _I(-3), _I(2**62), _I(1), opset=13)
add("slice_first", "Slice", (4, 5, 6), _I(1, 0), _I(3, -1), opset=13)
add("transpose", "Transpose<perm = [0, 2, 1]>", (2, 3, 4), opset=25)
add("transpose_plain", "Transpose", (2, 3, 4), opset=25)
add("where", "Where", numpy.array([[True, False, True]]), (2, 3), (2, 3), opset=16)
add("range", "Range", numpy.int64(1), numpy.int64(9), numpy.int64(2), opset=11)
add("trilu", "Trilu", (3, 4), opset=14)
add("trilu_lower", "Trilu<upper = 0>", (3, 4), numpy.int64(-1), opset=14)
add("einsum", "Einsum<equation = \"bij,bjk->bik\">", (2, 3, 4), (2, 4, 5), opset=12)
add("einsum_any", "Einsum<equation = \"...ij,...jk->...ik\">", (2, 3, 4), (2, 4, 5), opset=12)
add("onehot", "OneHot<axis = 1>", _I(0, 2, 1), _I(4), numpy.float32([0, 1]), opset=11)
add("mod", "Mod", numpy.int64([7, -7, 5]), _I(3, 3, -3), opset=13)
add("mod_float", "Mod<fmod = 1>", (3, 4), (3, 4), opset=13)
add("gathernd", "GatherND", (3, 4, 5), _I([0, 1], [2, 3]), opset=13)
add("scatternd", "ScatterND", (4, 3), _I([1], [3]), (2, 3), opset=18)
add("scatterelements", "ScatterElements<axis = 1>", (2, 5), _I([1, 3], [0, 2]), (2, 2), opset=18)
for _mode in ("DCR", "CRD"):
    add(f"depthtospace_{_mode.lower()}", f"DepthToSpace<blocksize = 2, mode = \"{_mode}\">", (1, 8, 2, 3), opset=13)
add("spacetodepth", "SpaceToDepth<blocksize = 2>", (1, 2, 4, 6), opset=13)
for _mode in ("none", "tanh"):
    add(f"gelu_{_mode}", f"Gelu<approximate = \"{_mode}\">", (3, 4), opset=20)
for _op in ("Max", "Min", "Sum", "Mean"):
    add(f"{_op.lower()}_two", _op, (3, 4), (4,), opset=13)
add("prelu", "PRelu", (2, 3, 4), (3, 1), opset=16)
add("globalaveragepool", "GlobalAveragePool", (2, 3, 4, 5), opset=22)
add("globalmaxpool", "GlobalMaxPool", (2, 3, 4, 5), opset=22)
_Q = numpy.float32(0.1)
for _kind in ("uint8", "int8"):
    _zero = numpy.array(3, _kind)
    add(f"quantizelinear_{_kind}", "QuantizeLinear", (3, 4), _Q, _zero, opset=25)
    add(f"dequantizelinear_{_kind}", "DequantizeLinear",
        numpy.array([[1, 5, 100], [3, 0, 7]], _kind), _Q, _zero, opset=25)
    add(f"dequantizelinear_axis_{_kind}", "DequantizeLinear<axis = 0>",
        numpy.array([[1, 5, 100], [3, 0, 7]], _kind),
        numpy.float32([0.1, 0.2]), numpy.array([3, 1], _kind), opset=25)

#: Models of several ops.
MODELS = {
    "if": """<ir_version: 8, opset_import: ["" : 17]> g (bool c, float[2, 3] x) => (float[2, 3] y) {
      y = If<then_branch = a () => (float[2, 3] u) { u = Tanh(x) },
             else_branch = b () => (float[2, 3] v) { v = Exp(x) }>(c) }""",
    "loop": """<ir_version: 8, opset_import: ["" : 17]> g (float[2, 3] x) => (float[2, 3] y) {
      n = Constant<value = int64 {3}>() t = Constant<value = bool {1}>()
      y = Loop<body = b (int64 i, bool c, float[2, 3] h) => (bool d, float[2, 3] k)
        { d = Identity(c) k = Tanh(h) }>(n, t, x) }""",
    "scan": """<ir_version: 8, opset_import: ["" : 17]> g (float[2] h, float[3, 2] x) => (float[2] last, float[3, 2] all) {
      last, all = Scan<num_scan_inputs = 1, body = b (float[2] old, float[2] t) => (float[2] new, float[2] out)
        { new = Add(old, t) out = Tanh(new) }>(h, x) }""",
    "constants": """<ir_version: 8, opset_import: ["" : 17]> g (float[3] x) => (float[3] y) {
      a = Constant<value_float = 2.0>() b = Constant<value_floats = [1.0, 2.0, 3.0]>()
      c = Constant<value = float[3] {1, 2, 3}>() i = Constant<value_ints = [3]>() j = Constant<value_int = 1>()
      k = Mul(i, j) d = Expand(a, k) e = Add(b, c) f = Add(d, e) y = Mul(f, x) }""",
    "hardmax": """<ir_version: 7, opset_import: ["" : 11]> g (float[2, 3, 4] x) => (float[2, 3, 4] y) {
      y = Hardmax<axis = 1>(x) }""",
    "softmax": """<ir_version: 7, opset_import: ["" : 11]> g (float[2, 3, 4] x) => (float[2, 3, 4] y) {
      y = Softmax<axis = 1>(x) }""",
    "logsoftmax": """<ir_version: 7, opset_import: ["" : 11]> g (float[2, 3, 4] x) => (float[2, 3, 4] y) {
      y = LogSoftmax<axis = 1>(x) }""",
    "upsample_nearest": """<ir_version: 4, opset_import: ["" : 9]> g (float[1, 2, 3, 4] x) => (float[1, 2, 6, 8] y) {
      s = Constant<value = float[4] {1, 1, 2, 2}>() y = Upsample<mode = "nearest">(x, s) }""",
    "upsample_linear": """<ir_version: 4, opset_import: ["" : 9]> g (float[1, 2, 3, 4] x) => (float[1, 2, 6, 8] y) {
      s = Constant<value = float[4] {1, 1, 2, 2}>() y = Upsample<mode = "linear">(x, s) }""",
    "resize_nearest": """<ir_version: 5, opset_import: ["" : 10]> g (float[1, 2, 3, 4] x) => (float[1, 2, 6, 8] y) {
      s = Constant<value = float[4] {1, 1, 2, 2}>() y = Resize<mode = "nearest">(x, s) }""",
    "resize_linear": """<ir_version: 5, opset_import: ["" : 10]> g (float[1, 2, 3, 4] x) => (float[1, 2, 6, 8] y) {
      s = Constant<value = float[4] {1, 1, 2, 2}>() y = Resize<mode = "linear">(x, s) }""",
}


def cases():
    """The name, model, inputs and results of each; None for results that onnx does not know."""
    import onnx
    from onnx.reference import ReferenceEvaluator
    random = numpy.random.default_rng(1)

    def given(operand):
        if isinstance(operand, tuple):
            return random.standard_normal(operand).astype("float32")
        return numpy.asarray(operand)

    for name, (opset, op, operands, results) in CASES.items():
        kind, attributes = re.fullmatch(r"(\w+)(?:<(.*)>)?", op).groups()
        names = ["" if operand is None else f"x{n}" for n, operand in enumerate(operands)]
        arrays = [given(operand) for operand in operands if operand is not None]
        outputs = [f"y{n}" for n in range(results)]
        text = (f'<ir_version: 10, opset_import: ["" : {opset}]> g () => () '
                f"{{ {', '.join(outputs)} = {kind}<{attributes or ''}>() }}").replace("<>", "")
        model = onnx.parser.parse_model(text)
        model.graph.node[0].input[:] = names
        for used, array in zip(filter(None, names), arrays):
            model.graph.input.append(onnx.helper.make_tensor_value_info(
                used, onnx.helper.np_dtype_to_tensor_dtype(array.dtype), array.shape))
        for output in outputs:
            model.graph.output.add().name = output
        try:
            if kind in ("LSTM", "GRU", "RNN") or name.startswith("pad_cuts"):
                raise NotImplementedError("it overlooks lengths of sequences, and pads nothing negative")
            values = ReferenceEvaluator(model).run(None, dict(zip(filter(None, names), arrays)))
        except Exception:  # It has errors of its own.
            yield name, onnx.shape_inference.infer_shapes(model, data_prop=True), arrays, None
            continue
        values = [numpy.asarray(value) for value in values]
        del model.graph.output[:]
        for output, value in zip(outputs, values):
            model.graph.output.append(onnx.helper.make_tensor_value_info(
                output, onnx.helper.np_dtype_to_tensor_dtype(value.dtype), value.shape))
        yield name, model, arrays, values
    for name, text in MODELS.items():
        model = onnx.parser.parse_model(text)
        inputs = []
        for value in model.graph.input:
            shape = [dim.dim_value for dim in value.type.tensor_type.shape.dim]
            inputs.append(numpy.asarray(True) if value.type.tensor_type.elem_type == onnx.TensorProto.BOOL
                          else given(tuple(shape)))
        yield name, model, inputs, None
