#!/usr/bin/python3
"""mobilenet.py > mobilenet.mlir: writes a small MobileNet in linalg on tensors.

The network classifies a 64x64 RGB picture: a stem that concatenates a strided
convolution and a pooled copy of its input, inverted-residual blocks (expand,
depthwise convolution, squeeze-and-excite in some, project, residual add), a
global average pool and a dense layer. @main classifies two generated pictures
and prints every class score and its exact bits.

All weights are slices of one table of numbers, so that the file stays small:
element i of the table is a hash of i, exact in f32 and within [-1, 1).
"""
import struct

TABLE_SIZE = 6144
CLASSES = 10

# For each inverted-residual block: output channels, stride, expansion factor, and
# whether it has squeeze-and-excite.
BLOCKS = [(16, 1, 3, False), (24, 2, 3, False), (24, 1, 3, True),
          (32, 2, 3, False), (32, 1, 3, True), (32, 1, 3, False),
          (48, 2, 3, True), (48, 1, 2, True)]


def table_hex():
    values = []
    for i in range(TABLE_SIZE):
        mixed = (i * 2654435761 + 12345) & 0xFFFFFFFF
        mixed ^= mixed >> 15
        values.append(((mixed >> 8) & 0xFFFF) / 32768.0 - 1.0)
    return struct.pack(f"<{TABLE_SIZE}f", *values).hex().upper()


def tensor(shape):
    return "tensor<" + "x".join(map(str, shape)) + "xf32>"


class Writer:
    """Writes the body of @forward, one op per call; a value is a pair of its
    name and its shape."""

    def __init__(self):
        self.lines = []
        self.names = 0
        self.slices = 0

    def emit(self, text):
        self.lines.append("    " + text)

    def value(self, shape, text):
        name = f"%v{self.names}"
        self.names += 1
        self.emit(f"{name} = {text}")
        return name, tuple(shape)

    def weights(self, *shape):
        """The next slice of the table, as a tensor of that shape."""
        size = 1
        for extent in shape:
            size *= extent
        self.slices += 1
        offset = self.slices * 977 % (TABLE_SIZE - size + 1)
        flat, _ = self.value(
            [size], f"tensor.extract_slice %table[{offset}] [{size}] [1] : "
            f"{tensor([TABLE_SIZE])} to {tensor([size])}")
        if len(shape) == 1:
            return flat, shape
        dims = ", ".join(map(str, range(len(shape))))
        return self.value(
            shape, f"tensor.expand_shape {flat} [[{dims}]] output_shape "
            f"{list(shape)} : {tensor([size])} into {tensor(shape)}")

    def empty(self, shape):
        return self.value(shape, f"tensor.empty() : {tensor(shape)}")

    def filled(self, shape, scalar="%zero"):
        out, _ = self.empty(shape)
        return self.value(
            shape, f"linalg.fill ins({scalar} : f32) outs({out} : "
            f"{tensor(shape)}) -> {tensor(shape)}")

    def named(self, op, inputs, init, attributes=""):
        names = ", ".join(name for name, _ in inputs)
        types = ", ".join(tensor(shape) for _, shape in inputs)
        return self.value(
            init[1], f"{op}{attributes} ins({names} : {types}) outs({init[0]} "
            f": {tensor(init[1])}) -> {tensor(init[1])}")

    def pointwise(self, maps, inputs, shape, body):
        """A linalg.generic over `shape`; the lines of its body may use %in0, ... and
        must define %y."""
        out, _ = self.empty(shape)
        iterators = ", ".join(['"parallel"'] * len(shape))
        names = ", ".join(name for name, _ in inputs)
        types = ", ".join(tensor(s) for _, s in inputs)
        result = self.value(
            shape, f"linalg.generic {{indexing_maps = [{', '.join(maps)}], "
            f"iterator_types = [{iterators}]}}")
        self.emit(f"    ins({names} : {types}) outs({out} : {tensor(shape)}) {{")
        arguments = ", ".join(f"%in{i}: f32" for i in range(len(inputs)))
        self.emit(f"  ^bb0({arguments}, %unused: f32):")
        for line in body:
            self.emit("    " + line)
        self.emit("    linalg.yield %y : f32")
        self.emit(f"}} -> {tensor(shape)}")
        return result

    def normalize(self, x, fan_in, relu):
        """Batch normalization at inference: x * scale + bias of the channel, then
        ReLU6 if `relu`."""
        scale = (3.0 / fan_in)**0.5
        body = [
            f"%scale = arith.constant {scale:.9e} : f32",
            "%scaled = arith.mulf %in0, %scale : f32",
            "%small = arith.mulf %in1, %tenth : f32",
        ]
        if relu:
            body += [
                "%biased = arith.addf %scaled, %small : f32",
                "%low = arith.maximumf %biased, %zero : f32",
                "%y = arith.minimumf %low, %six : f32",
            ]
        else:
            body += ["%y = arith.addf %scaled, %small : f32"]
        return self.pointwise(["#nchw", "#channel", "#nchw"],
                              [x, self.weights(x[1][1])], x[1], body)

    def padded(self, x):
        n, c, h, w = x[1]
        shape = (n, c, h + 2, w + 2)
        result = self.value(shape,
                            f"tensor.pad {x[0]} low[0, 0, 1, 1] high[0, 0, 1, 1] {{")
        self.emit("^bb0(%n: index, %c: index, %h: index, %w: index):")
        self.emit("  tensor.yield %zero : f32")
        self.emit(f"}} : {tensor(x[1])} to {tensor(shape)}")
        return result

    def convolution(self, x, channels, kernel, stride, relu=True):
        n, c, h, w = x[1]
        source = self.padded(x) if kernel == 3 else x
        init = self.filled((n, channels, h // stride, w // stride))
        result = self.named(
            "linalg.conv_2d_nchw_fchw",
            [source, self.weights(channels, c, kernel, kernel)], init,
            f" {{dilations = dense<1> : vector<2xi64>, strides = dense<{stride}>"
            " : vector<2xi64>}")
        return self.normalize(result, c * kernel * kernel, relu)

    def depthwise(self, x, stride):
        n, c, h, w = x[1]
        init = self.filled((n, c, h // stride, w // stride))
        result = self.named(
            "linalg.depthwise_conv_2d_nchw_chw",
            [self.padded(x), self.weights(c, 3, 3)], init,
            f" {{dilations = dense<1> : vector<2xi64>, strides = dense<{stride}>"
            " : vector<2xi64>}")
        return self.normalize(result, 9, relu=True)

    def max_pool(self, x):
        n, c, h, w = x[1]
        init = self.filled((n, c, h // 2, w // 2), "%lowest")
        window, _ = self.empty((2, 2))
        return self.named(
            "linalg.pooling_nchw_max", [x, (window, (2, 2))], init,
            " {dilations = dense<1> : vector<2xi64>, strides = dense<2> : "
            "vector<2xi64>}")

    def average(self, x):
        """The mean of each channel, as one row."""
        n, c, h, w = x[1]
        summed = self.filled((n, c, 1, 1))
        window, _ = self.empty((h, w))
        summed = self.named(
            "linalg.pooling_nchw_sum", [x, (window, (h, w))], summed,
            " {dilations = dense<1> : vector<2xi64>, strides = dense<1> : "
            "vector<2xi64>}")
        row = self.value((n, c), f"tensor.collapse_shape {summed[0]} [[0], [1, 2,"
                         f" 3]] : {tensor(summed[1])} into {tensor((n, c))}")
        return self.pointwise(
            ["#row", "#row"], [row], (n, c),
            [f"%count = arith.constant {float(h * w):.1f} : f32",
             "%y = arith.divf %in0, %count : f32"])

    def dense(self, x, channels, activation):
        n, c = x[1]
        product = self.named("linalg.matmul", [x, self.weights(c, channels)],
                             self.filled((n, channels)))
        return self.pointwise(["#row", "#row_channel", "#row"],
                              [product, self.weights(channels)], (n, channels),
                              activation)

    def squeeze_excite(self, x):
        n, c, _, _ = x[1]
        hidden = self.dense(self.average(x), c // 4, [
            "%sum = arith.addf %in0, %in1 : f32",
            "%y = arith.maximumf %sum, %zero : f32"
        ])
        gate = self.dense(hidden, c, [
            "%sum = arith.addf %in0, %in1 : f32",
            "%shifted = arith.addf %sum, %three : f32",
            "%low = arith.maximumf %shifted, %zero : f32",
            "%high = arith.minimumf %low, %six : f32",
            "%y = arith.divf %high, %six : f32"
        ])
        return self.pointwise(["#nchw", "#gate", "#nchw"], [x, gate], x[1],
                              ["%y = arith.mulf %in0, %in1 : f32"])

    def block(self, x, channels, stride, expansion, with_gate):
        y = self.convolution(x, x[1][1] * expansion, 1, 1)
        y = self.depthwise(y, stride)
        if with_gate:
            y = self.squeeze_excite(y)
        y = self.convolution(y, channels, 1, 1, relu=False)
        if x[1] != y[1]:
            return y
        return self.pointwise(["#nchw", "#nchw", "#nchw"], [x, y], x[1],
                              ["%y = arith.addf %in0, %in1 : f32"])

    def network(self, picture):
        convolved = self.convolution(picture, 13, 3, 2)
        pooled = self.max_pool(picture)
        n, _, h, w = convolved[1]
        x = self.value((n, 16, h, w), f"tensor.concat dim(1) {convolved[0]}, "
                       f"{pooled[0]} : ({tensor(convolved[1])}, "
                       f"{tensor(pooled[1])}) -> {tensor((n, 16, h, w))}")
        for block in BLOCKS:
            x = self.block(x, *block)
        x = self.average(self.convolution(x, 64, 1, 1))
        return self.dense(x, CLASSES, ["%y = arith.addf %in0, %in1 : f32"])


MAIN = """
  // Classifies two pictures that are hashes of their coordinates.
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %classes = arith.constant @CLASSES@ : index
    scf.for %seed = %c0 to %c2 step %c1 {
      %empty = tensor.empty() : tensor<1x3x64x64xf32>
      %picture = linalg.generic {indexing_maps = [#nchw],
          iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
          outs(%empty : tensor<1x3x64x64xf32>) {
        ^bb0(%unused: f32):
          %c = linalg.index 1 : index
          %h = linalg.index 2 : index
          %w = linalg.index 3 : index
          %p0 = arith.constant 73 : index
          %p1 = arith.constant 179 : index
          %p2 = arith.constant 283 : index
          %p3 = arith.constant 419 : index
          %range = arith.constant 256 : index
          %t0 = arith.muli %c, %p0 : index
          %t1 = arith.muli %h, %p1 : index
          %t2 = arith.muli %w, %p2 : index
          %t3 = arith.muli %seed, %p3 : index
          %s0 = arith.addi %t0, %t1 : index
          %s1 = arith.addi %t2, %t3 : index
          %s2 = arith.muli %s0, %s1 : index
          %s3 = arith.addi %s2, %s1 : index
          %byte = arith.remui %s3, %range : index
          %integer = arith.index_cast %byte : index to i32
          %float = arith.sitofp %integer : i32 to f32
          %scale = arith.constant 0.00390625 : f32
          %y = arith.mulf %float, %scale : f32
          linalg.yield %y : f32
      } -> tensor<1x3x64x64xf32>
      %scores = func.call @forward(%picture) : (tensor<1x3x64x64xf32>) -> tensor<1x@CLASSES@xf32>
      scf.for %i = %c0 to %classes step %c1 {
        %score = tensor.extract %scores[%c0, %i] : tensor<1x@CLASSES@xf32>
        vector.print %score : f32
        %bits = arith.bitcast %score : f32 to i32
        vector.print %bits : i32
      }
    }
    return
  }
}"""


def main():
    writer = Writer()
    result = writer.network(("%picture", (1, 3, 64, 64)))
    print("// A small MobileNet. Written by mobilenet.py; do not edit.")
    for name, dims, results in (
        ("nchw", "n, c, h, w", "n, c, h, w"), ("channel", "n, c, h, w", "c"),
        ("gate", "n, c, h, w", "n, c"), ("row", "n, c", "n, c"),
        ("row_channel", "n, c", "c")):
        print(f"#{name} = affine_map<({dims}) -> ({results})>")
    print("module {")
    print(f"  func.func @forward(%picture: {tensor((1, 3, 64, 64))}) -> "
          f"{tensor(result[1])} {{")
    for name, number in (("zero", "0.0"), ("tenth", "0.1"), ("three", "3.0"),
                         ("six", "6.0"), ("lowest", "-3.40282347E+38")):
        print(f"    %{name} = arith.constant {number} : f32")
    print(f'    %table = arith.constant dense<"0x{table_hex()}"> : '
          f"{tensor([TABLE_SIZE])}")
    print("\n".join(writer.lines))
    print(f"    return {result[0]} : {tensor(result[1])}")
    print("  }")
    print(MAIN.replace("@CLASSES@", str(CLASSES)).lstrip("\n"))


main()
