# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small .tflite models with random weights, written with the schema of tflite_micro."""
import flatbuffers
import numpy
from tflite_micro.tensorflow.lite.micro.python import schema_py_generated as schema

_OP = schema.BuiltinOperator


class Builder:
    """A model of one subgraph of float tensors in NHWC."""

    def __init__(self, *shape):
        self.random = numpy.random.default_rng(1)
        self.model = schema.ModelT()
        self.model.version = 3
        self.model.operatorCodes, self.model.buffers = [], [schema.BufferT()]
        self.graph = schema.SubGraphT()
        self.graph.tensors, self.graph.operators = [], []
        self.model.subgraphs = [self.graph]
        self.kinds = {}
        self.graph.inputs = [self.tensor(shape)]

    def tensor(self, shape, values=None):
        tensor = schema.TensorT()
        tensor.shape, tensor.type = list(shape), schema.TensorType.FLOAT32
        tensor.name = f"t{len(self.graph.tensors)}".encode()
        tensor.buffer = 0
        if values is not None:
            buffer = schema.BufferT()
            buffer.data = numpy.frombuffer(values.astype("<f4").tobytes(), numpy.uint8)
            tensor.buffer = len(self.model.buffers)
            self.model.buffers.append(buffer)
        self.graph.tensors.append(tensor)
        return len(self.graph.tensors) - 1

    def shape(self, tensor):
        return self.graph.tensors[tensor].shape

    def weights(self, *shape):
        return self.tensor(shape, self.random.standard_normal(shape) / 4)

    def op(self, kind, options_type, options, inputs, shape, version=1):
        if kind not in self.kinds:
            code = schema.OperatorCodeT()
            code.builtinCode, code.version = kind, version
            code.deprecatedBuiltinCode = min(kind, 127)
            self.kinds[kind] = len(self.kinds)
            self.model.operatorCodes.append(code)
        operator = schema.OperatorT()
        operator.opcodeIndex, operator.inputs = self.kinds[kind], inputs
        operator.outputs = [self.tensor(shape)]
        operator.builtinOptionsType, operator.builtinOptions = options_type, options
        self.graph.operators.append(operator)
        return operator.outputs[0]

    def conv(self, x, channels, size=3, stride=1):
        options = schema.Conv2DOptionsT()
        options.padding, options.strideW, options.strideH = schema.Padding.SAME, stride, stride
        options.dilationWFactor = options.dilationHFactor = 1
        options.fusedActivationFunction = schema.ActivationFunctionType.RELU
        n, h, w, c = self.shape(x)
        return self.op(_OP.CONV_2D, schema.BuiltinOptions.Conv2DOptions, options,
                       [x, self.weights(channels, size, size, c), self.weights(channels)],
                       (n, -(-h // stride), -(-w // stride), channels))

    def concat(self, *parts):
        options = schema.ConcatenationOptionsT()
        options.axis, options.fusedActivationFunction = 3, 0
        n, h, w, _ = self.shape(parts[0])
        return self.op(_OP.CONCATENATION, schema.BuiltinOptions.ConcatenationOptions, options,
                       list(parts), (n, h, w, sum(self.shape(part)[3] for part in parts)))

    def add(self, a, b):
        options = schema.AddOptionsT()
        options.fusedActivationFunction = 0
        return self.op(_OP.ADD, schema.BuiltinOptions.AddOptions, options, [a, b], self.shape(a))

    def finish(self, *outputs):
        self.graph.outputs = list(outputs)
        builder = flatbuffers.Builder(1024)
        builder.Finish(self.model.Pack(builder), b"TFL3")
        return bytes(builder.Output())


def dense(blocks=2, layers=5, size=16):
    b = Builder(1, size, size, 3)
    x = b.conv(b.graph.inputs[0], 8)
    for block in range(blocks):
        for _ in range(layers):
            x = b.concat(x, b.conv(b.conv(x, 16, 1), 6))
        x = b.conv(x, b.shape(x)[3] // 2, 1, 2)
    return b.finish(x)


def residual(blocks=3, size=16):
    b = Builder(1, size, size, 3)
    x = b.conv(b.graph.inputs[0], 8)
    for block in range(blocks):
        width, stride = 8 << block, 1 if block == 0 else 2
        y = b.conv(b.conv(x, width, 3, stride), width)
        x = b.add(y, b.conv(x, width, 1, stride))
    return b.finish(x)


def random_wiring(nodes=24, size=8):
    b = Builder(1, size, size, 4)
    values = [b.conv(b.graph.inputs[0], 8)]
    for _ in range(nodes):
        first, second = b.random.integers(max(0, len(values) - 7), len(values), 2)
        a, c = values[first], values[second]
        value = b.concat(a, c)
        values.append(b.conv(value, int(b.random.integers(2, 24))))
    return b.finish(b.concat(*values[-3:]))


MODELS = {"dense": dense, "residual": residual, "random_wiring": random_wiring}
