# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of TOSA in int8 whose results depend on all of their inputs.

The scales of a file with random weights fit ranges that its values hardly use, so that results are equal
whatever the input is. spread() gives each sum the bias and scale that fit inputs which it is given, and
returns the scores of the classes, because the softmax of the file makes the same number of all of them.
"""
import re

import numpy

#: The standard deviation of each channel, of 256 values.
SPREAD = 50
_CONSTANT = re.compile(r'    (%\w+) = "tosa\.const"\(\) <\{values = dense<(.*)> : tensor<((?:\d+x)*)i(8|16|32|64)>}>')
_OP = re.compile(r"    (%\w+) = tosa\.(\w+) ([^{:]*?)(?: \{(.*)\})? : \((.*)\) -> tensor<([^>]*)>")


def _constant(held, shape, bits):
    """The elements of a constant: hexadecimal, one value, or nested lists."""
    shape, dtype = [int(size) for size in shape.split("x")[:-1]], numpy.dtype(f"i{int(bits) // 8}")
    if held.startswith('"0x'):
        return numpy.frombuffer(bytes.fromhex(held[3:-1]), dtype).reshape(shape)
    numbers = numpy.array([int(word) for word in re.findall(r"-?\d+", held)], dtype)
    return numpy.broadcast_to(numbers, shape) if numbers.size == 1 else numbers.reshape(shape)


def _numbers(name, attributes):
    return [int(word) for word in re.search(name + r" = array<i64: ([^>]*)>", attributes).group(1).split(",")]


def _windows(x, attributes, size, zero):
    """The windows of a convolution; the last two dimensions are rows and columns of the kernel."""
    top, bottom, left, right = _numbers("pad", attributes)
    rows, columns = _numbers("stride", attributes)
    padded = numpy.pad(x, ((0, 0), (top, bottom), (left, right), (0, 0)), constant_values=zero) - zero
    return numpy.lib.stride_tricks.sliding_window_view(padded, size, (1, 2))[:, ::rows, ::columns]


def _dense(numbers, element):
    return f"dense<[{', '.join(map(str, numbers))}]> : tensor<{len(numbers)}x{element}>"


def _scales(scales):
    """Multipliers of 31 bits and shifts."""
    shifts = [int(30 - numpy.floor(numpy.log2(scale))) for scale in scales]
    return [min(round(scale * 2.0 ** shift), 2 ** 31 - 1) for scale, shift in zip(scales, shifts)], shifts


class _Spreader:
    """Follows the values of the inputs through the program, and changes sums on the way."""

    def __init__(self, text, inputs):
        self.lines, self.known, self.scores = text.split("\n"), {}, None
        head = next(line for line in self.lines if "func.func @" in line)
        self.known[re.search(r"\((%\w+):", head).group(1)] = numpy.concatenate(inputs).astype("f4")

    def text(self):
        sums = {}
        lines = []
        for line in self.lines:
            constant, op = _CONSTANT.match(line), _OP.match(line)
            if constant:
                self.known[constant.group(1)] = _constant(*constant.group(2, 3, 4))
            elif op and op.group(2) in ("conv2d", "depthwise_conv2d"):
                sums[op.group(1)] = len(lines)
            elif op and op.group(2) == "rescale" and op.group(3).split(", ")[0] in sums:
                self.fit(op, lines, sums[op.group(3).split(", ")[0]])
                continue
            if op:
                self.follow(op)
            lines.append(re.sub(r"^    return %\w+", f"    return {self.scores}", line))
        return "\n".join(lines)

    def follow(self, op):
        """The values of the result. The first reshape of a batch is behind the last sum."""
        result, kind, names, attributes = op.group(1), *op.group(2, 3, 4)
        operands = [self.known.get(name) for name in names.split(", ")]
        if operands[0] is None:
            return
        x = operands[0].astype("f4")
        if kind == "conv2d":
            windows = _windows(x, attributes, operands[1].shape[1:3], operands[3].item())
            found = numpy.tensordot(windows, operands[1].astype("f4"), ((3, 4, 5), (3, 1, 2)))
        elif kind == "depthwise_conv2d":
            windows = _windows(x, attributes, operands[1].shape[:2], operands[3].item())
            found = numpy.einsum("nhwcij,ijc->nhwc", windows, operands[1][..., 0].astype("f4"))
        elif kind == "rescale":
            scale = operands[1].astype("f8") * 2.0 ** -operands[2].astype("f8")
            found = numpy.round((x - operands[3].item()) * scale + operands[4].item()).astype("f4")
            if op.group(6).endswith("i8"):
                found = found.clip(-128, 127)
        elif kind == "clamp":
            least, most = (float(re.search(name + r" = (-?\d+)", attributes).group(1)) for name in ("min_val", "max_val"))
            found = x.clip(least, most)
        elif kind == "add":
            found = x + operands[1]
        elif kind == "reduce_sum":
            found = x.sum(int(re.search(r"axis = (\d+)", attributes).group(1)), keepdims=True)
        elif kind == "reshape":
            sizes = [int(size) for size in op.group(6).split("x")[:-1]]
            found = operands[0].reshape(sizes) if x.size == numpy.prod(sizes) else None
            if found is None:
                self.scores = result
        else:
            found = None
        self.known[result] = found

    def fit(self, rescale, lines, at):
        """Replaces bias and scale of the sum in line `at`, so that each channel of the result is spread
        around its zero point, and appends the rescaling."""
        total, scale, shift, zero, more = rescale.group(3).split(", ")
        values = self.known[total]
        mean, spread = (numpy.asarray(f(values, (0, 1, 2))) for f in (numpy.mean, numpy.std))
        scales, shifts = _scales(SPREAD / numpy.maximum(spread, 1))
        bias = numpy.round(-mean).astype("i4")
        names = [f"%{what}{total[1:]}" for what in ("bias", "scale", "shift")]
        for name, constant in zip(names, (_dense(bias, "i32"), _dense(scales, "i32"), _dense(shifts, "i8"))):
            kind = constant.split(" : ")[1]
            lines.insert(at, f'    {name} = "tosa.const"() <{{values = {constant}}}> : () -> {kind}')
        op = _OP.match(lines[at + 3])
        x, weight, old, *rest = op.group(3).split(", ")
        types = op.group(5).split(", ")
        lines[at + 3] = lines[at + 3].replace(op.group(3), ", ".join([x, weight, names[0], *rest])).replace(
            op.group(5), ", ".join([*types[:2], f"tensor<{len(bias)}xi32>", *types[3:]]))
        lines.append(rescale.group(0).replace(f"{total}, {scale}, {shift}", ", ".join([total, *names[1:]])))
        self.known.update(zip(names[1:], (numpy.array(scales), numpy.array(shifts))))
        self.known[total] = values + bias
        self.follow(_OP.match(lines[-1]))


def spread(text, inputs):
    """The program of one input with other biases and scales. `inputs` are batches of one."""
    return _Spreader(text, inputs).text()


def smooth_inputs(shape, count, seed=1):
    """Inputs of coarse random patterns and noise."""
    random = numpy.random.default_rng(seed)
    inputs = []
    for _ in range(count):
        coarse = random.integers(-90, 90, [1, *(-(-size // 8) for size in shape[1:3]), shape[3]])
        pattern = coarse.repeat(8, 1).repeat(8, 2)[:, :shape[1], :shape[2]]
        inputs.append((pattern + random.integers(-37, 37, shape)).astype("i1"))
    return inputs
