"""check_costs.py FOLDER: compares memplan-cost on programs of FOLDER with closed forms,
written by hand from the descriptions of the networks in their papers. In FLOPs; a
multiply-add counts as 2."""
import json
import subprocess
import sys

folder = sys.argv[1]
failures = 0


def costs(program, function, text=None):
    command = ["memplan-opt", "-", "--memplan-cost=format=json output=-", "-o", "/dev/null"]
    if text is None:
        with open("%s/%s.mlir" % (folder, program)) as file:
            text = file.read()
    out = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
    for entry in json.loads(out)["functions"]:
        if entry["function"] == function:
            kinds = {kind["kind"]: kind["flops"] for kind in entry["kinds"] if kind["flops"]}
            return kinds, entry
    raise SystemExit("%s: no function %s" % (program, function))


def expect(what, found, expected):
    global failures
    if found != expected:
        failures += 1
        print("%s: %s, expected %s" % (what, found, expected))
    else:
        print("%s: %s" % (what, found))


def conv(side, window, inputs, outputs):
    """The FLOPs of a convolution with a square output of width `side` and a square window."""
    return 2 * side * side * window * window * inputs * outputs


def resnet50():
    """He et al., table 1, 50 layers; the first 1x1 of a stage has the stride."""
    flops, elements = conv(112, 7, 3, 64), 112 * 112 * 64
    relus, sums, inputs = 112 * 112 * 64, 0, 64
    for blocks, width, side in ((3, 64, 56), (4, 128, 28), (6, 256, 14), (3, 512, 7)):
        for block in range(blocks):
            flops += conv(side, 1, inputs, width) + conv(side, 3, width, width) + conv(side, 1, width, 4 * width)
            made = side * side * 6 * width
            if block == 0:
                flops += conv(side, 1, inputs, 4 * width)
                made += side * side * 4 * width
            elements += made
            relus += side * side * 6 * width
            sums += side * side * 4 * width
            inputs = 4 * width
    kinds, entry = costs("imex_resnet-50-linalg", "predict")
    # Batch norm in this program has five elementwise ops: minus mean, deviation plus
    # epsilon, quotient, times scale, plus shift. Then the mean of 7 x 7, a bias, and
    # softmax.
    elementwise = 5 * elements + relus + sums + 49 * 2048 + 2048 + 1000 + 5 * 1000
    expect("resnet-50", kinds, {
        "linalg.conv_2d_nhwc_hwcf": flops, "linalg.matmul": 2 * 2048 * 1000,
        "linalg.pooling_nhwc_max": 56 * 56 * 64 * 9, "linalg.generic": elementwise})
    # The paper states 3.8e9 multiply-adds.
    macs = (flops + 2 * 2048 * 1000) / 2
    expect("resnet-50, 1e9 multiply-adds", round(macs / 1e9, 2), 3.86)
    expect("resnet-50 on memrefs, convolutions",
           costs("imex_resnet-50-linalg.memref", "predict")[0]["linalg.conv_2d_nhwc_hwcf"], flops)


def resnet18_convolutions(side):
    """The stem halves the size twice; blocks have two 3x3 convolutions."""
    flops, inputs = conv(side // 2, 7, 3, 64), 64
    for width, part in ((64, 4), (128, 8), (256, 16), (512, 32)):
        for block in range(2):
            flops += conv(side // part, 3, inputs, width) + conv(side // part, 3, width, width)
            if inputs != width:
                flops += conv(side // part, 1, inputs, width)
            inputs = width
    return flops


def resnet18():
    """At 32 x 32."""
    flops = resnet18_convolutions(32)
    kinds, _ = costs("nelli_resnet18", "forward")
    expect("resnet-18, convolutions", kinds["linalg.conv_2d_nchw_fchw"], flops)
    expect("resnet-18, classifier", kinds["linalg.matmul"], 2 * 512 * 1000)
    expect("resnet-18, pooling", (kinds["linalg.pooling_nchw_max"], kinds["linalg.pooling_nchw_sum"]),
           (8 * 8 * 64 * 9, 512))


def resnet18_tosa():
    """At 224 x 224, in TOSA and lowered, with a batch of 1, the default hint. He et
    al., table 1: 1.8e9 multiply-adds."""
    flops = resnet18_convolutions(224)
    kinds, entry = costs("buddy_ResNet-18_dynbatch", "forward")
    expect("resnet-18 in TOSA, convolutions", kinds["tosa.conv2d"], flops)
    expect("resnet-18 in TOSA, 1e9 multiply-adds", round((flops + kinds["tosa.matmul"]) / 2e9, 1), 1.8)
    expect("resnet-18 in TOSA, pooling", (kinds["tosa.max_pool2d"], kinds["tosa.avg_pool2d"]),
           (56 * 56 * 64 * 9, 512 * (49 + 1)))
    expect("resnet-18 in TOSA, all ops are known", entry["exact"], True)
    lowered, _ = costs("buddy_ResNet-18_dynbatch.memref", "forward")
    expect("resnet-18 lowered", (lowered["linalg.conv_2d_nhwc_fhwc"], lowered["linalg.batch_matmul"],
                                 lowered["linalg.pooling_nhwc_max"]),
           (flops, kinds["tosa.matmul"], kinds["tosa.max_pool2d"]))


def loop_nests():
    """Calls of PolyBench kernels, which have their sizes as arguments.
    D = beta * D + (alpha * A * B) * C; a rank-2 update, two products with
    vectors."""
    ni, nj, nk, nl, n = 800, 900, 1100, 1200, 2000
    for form in ("", ".memref"):
        kinds, _ = costs("poly_2mm" + form, "main")
        expect("2mm" + form, kinds["kernel_2mm"], 3 * ni * nj * nk + ni * nl + 2 * ni * nj * nl)
        kinds, _ = costs("poly_gemver" + form, "main")
        expect("gemver" + form, kinds["kernel_gemver"], 4 * n * n + 3 * n * n + n + 3 * n * n)


def mobilenet_v2():
    """Sandler et al., table 2, at 32 x 32; depthwise convolutions are counted separately."""
    flops, depthwise, side, inputs = conv(16, 3, 3, 32), 0, 16, 32
    for expand, width, repeats, stride in ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2),
                                           (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)):
        for block in range(repeats):
            hidden = inputs * expand
            if expand != 1:
                flops += conv(side, 1, inputs, hidden)
            if block == 0:
                side //= stride
            depthwise += 2 * side * side * 9 * hidden
            flops += conv(side, 1, hidden, width)
            inputs = width
    flops += conv(side, 1, 320, 1280)
    kinds, _ = costs("nelli_mobilenet_v2", "forward")
    expect("mobilenet-v2, convolutions", kinds["linalg.conv_2d_nchw_fchw"], flops)
    expect("mobilenet-v2, depthwise", kinds["linalg.depthwise_conv_2d_nchw_chw"], depthwise)
    expect("mobilenet-v2, classifier", kinds["linalg.matmul"], 2 * 1280 * 1000)


def densenet121():
    """Huang et al., table 1, growth 32, at 32 x 32."""
    flops, side, inputs = conv(16, 7, 3, 64), 8, 64
    for block, layers in enumerate((6, 12, 24, 16)):
        for _ in range(layers):
            flops += conv(side, 1, inputs, 128) + conv(side, 3, 128, 32)
            inputs += 32
        if block < 3:
            inputs //= 2
            flops += conv(side, 1, 2 * inputs, inputs)
            side //= 2
    kinds, _ = costs("nelli_densenet121", "forward")
    expect("densenet-121, convolutions", kinds["linalg.conv_2d_nchw_fchw"], flops)
    expect("densenet-121, classifier", kinds["linalg.matmul"], 2 * 1024 * 1000)


def mnist():
    """Generics only: two convolutions, a pool of 2 x 2, two dense layers."""
    kinds, _ = costs("imex_OpTest_MnistCnn", "test")
    first, second, pooled = 224 * 224 * 32, 224 * 224 * 64, 112 * 112 * 64
    # Each dense layer and convolution starts from its bias; comparison of each
    # rectified element; softmax of 100.
    expect("mnist", kinds, {"linalg.generic": conv(224, 3, 1, 32) + conv(224, 3, 32, 64) + first + second +
                            4 * pooled + 2 * pooled * 128 + 128 + 2 * 128 * 100 + 5 * 100})


def encoder(layers, width, length):
    """Four projections, two products of attention, a feed-forward of 4 widths."""
    return layers * (24 * length * width ** 2 + 4 * length ** 2 * width)


def bert():
    kinds, _ = costs("buddy_Bert", "forward")
    expect("bert-tiny, encoder", kinds["linalg.batch_matmul"], encoder(2, 128, 12))
    expect("bert-tiny, pooler and classes", kinds["linalg.matmul"], 2 * 128 * 128 + 2 * 128 * 2)


def bert_base():
    """The matrix products of the encoder of BERT-base on 128 tokens; published figures
    are 22.5e9 including the other ops."""
    shapes = [(128, 768, 768)] * 4 + [(128, 768, 3072), (128, 3072, 768)]
    lines, arguments = [], []
    for layer in range(12):
        for index, (m, k, n) in enumerate(shapes):
            names = ["%%%s%d_%d" % (letter, layer, index) for letter in "abc"]
            types = ["tensor<%dx%dxf32>" % pair for pair in ((m, k), (k, n), (m, n))]
            arguments += ["%s: %s" % pair for pair in zip(names, types)]
            lines.append("%%r%d_%d = linalg.matmul ins(%s, %s : %s, %s) outs(%s : %s) -> %s" %
                         (layer, index, names[0], names[1], types[0], types[1], names[2], types[2], types[2]))
        for index, (m, k, n) in enumerate(((128, 64, 128), (128, 128, 64))):
            names = ["%%%s%d_%d" % (letter, layer, index) for letter in "xyz"]
            types = ["tensor<12x%dx%dxf32>" % pair for pair in ((m, k), (k, n), (m, n))]
            arguments += ["%s: %s" % pair for pair in zip(names, types)]
            lines.append("%%q%d_%d = linalg.batch_matmul ins(%s, %s : %s, %s) outs(%s : %s) -> %s" %
                         (layer, index, names[0], names[1], types[0], types[1], names[2], types[2], types[2]))
    text = "func.func @bert(%s) {\n%s\nreturn\n}" % (", ".join(arguments), "\n".join(lines))
    _, entry = costs("bert-base", "bert", text)
    expect("bert-base", entry["flops"], encoder(12, 768, 128))
    expect("bert-base, 1e9 FLOPs", round(entry["flops"] / 1e9, 1), 22.3)


for check in (resnet50, resnet18, resnet18_tosa, loop_nests, mobilenet_v2, densenet121, mnist, bert, bert_base):
    check()
sys.exit(failures != 0)
