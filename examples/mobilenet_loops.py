#!/usr/bin/env python3
# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes mobilenet_loops.mlir: a network of depthwise separable blocks as loops.

  mobilenet_loops.py > mobilenet_loops.mlir

The code is as a code generator for a microcontroller would lower it: one nest of
scf.for for each layer over rows, columns and channels. The sum of a window stays
in a register, and each element of the result is stored once, so every layer may
write its result over the part of its input that it no longer reads.
"""

CHANNELS = [8, 16, 32, 32, 64, 64]
STRIDES = [1, 2, 1, 2, 1]
SIZE = 32
CLASSES = 10


class Writer:
    def __init__(self):
        self.lines = []
        self.depth = 1
        self.count = 0
        self.weights = []

    def line(self, text):
        self.lines.append("  " * self.depth + text)

    def name(self, stem):
        self.count += 1
        return f"%{stem}{self.count}"

    def open(self, text):
        self.line(text)
        self.depth += 1

    def close(self, text="}"):
        self.depth -= 1
        self.line(text)

    def loop(self, count):
        variable = self.name("i")
        self.open(f"scf.for {variable} = %c0 to %c{count} step %c1 {{")
        return variable

    def sum_loop(self, count, start):
        """Begins a loop that carries a sum; returns its variable, the sum so far and the result."""
        variable, so_far, result = self.name("k"), self.name("s"), self.name("r")
        self.open(f"{result} = scf.for {variable} = %c0 to %c{count} step %c1 "
                  f"iter_args({so_far} = {start}) -> (f32) {{")
        return variable, so_far, result

    def value(self, stem, text):
        name = self.name(stem)
        self.line(f"{name} = {text}")
        return name

    def weight(self, *shape):
        name = f"%w{len(self.weights)}"
        type_ = f"memref<{'x'.join(map(str, shape))}xf32>"
        self.weights.append((name, type_, shape))
        return name, type_

    def multiply(self, x, y, so_far):
        product = self.value("m", f"arith.mulf {x}, {y} : f32")
        return self.value("t", f"arith.addf {so_far}, {product} : f32")

    def activate(self, x, bias, bias_type, channel):
        b = self.value("b", f"memref.load {bias}[{channel}] : {bias_type}")
        y = self.value("y", f"arith.addf {x}, {b} : f32")
        return self.value("z", f"arith.maximumf {y}, %zero : f32")

    def window(self, source, size, channels, stride, out, result):
        """A 3x3 convolution, padded by one; depthwise if `out` is 0."""
        of = (size - 1) // stride + 1
        type_ = f"memref<{size}x{size}x{channels}xf32>"
        into = f"memref<{of}x{of}x{out or channels}xf32>"
        taps, taps_type = (self.weight(3, 3, channels, out) if out else
                           self.weight(3, 3, channels))
        bias, bias_type = self.weight(out or channels)
        if not result:
            result = self.value("a", f"memref.alloc() : {into}")
        h, w, c = self.loop(of), self.loop(of), self.loop(out or channels)
        kh, s0, r0 = self.sum_loop(3, "%zero")
        kw, s1, r1 = self.sum_loop(3, s0)
        y = self.value("p", f"affine.apply affine_map<(i, k) -> (i * {stride} "
                            f"+ k - 1)>({h}, {kh})")
        x = self.value("p", f"affine.apply affine_map<(i, k) -> (i * {stride} "
                            f"+ k - 1)>({w}, {kw})")
        # As unsigned numbers, negative indices are too large as well.
        inside = [self.value("g", f"arith.cmpi ult, {p}, %c{size} : index")
                  for p in (y, x)]
        both = self.value("g", f"arith.andi {inside[0]}, {inside[1]} : i1")
        taken = self.name("v")
        self.open(f"{taken} = scf.if {both} -> (f32) {{")
        channel = c
        if out:
            channel, so_far, r2 = self.sum_loop(channels, s1)
        else:
            so_far = s1
        tap = ", ".join([kh, kw, channel] + ([c] if out else []))
        v = self.value("x", f"memref.load {source}[{y}, {x}, {channel}] : {type_}")
        t = self.value("f", f"memref.load {taps}[{tap}] : {taps_type}")
        total = self.multiply(v, t, so_far)
        if out:
            self.line(f"scf.yield {total} : f32")
            self.close()
            total = r2
        self.line(f"scf.yield {total} : f32")
        self.depth -= 1
        self.open("} else {")
        self.line(f"scf.yield {s1} : f32")
        self.close()
        self.line(f"scf.yield {taken} : f32")
        self.close()
        self.line(f"scf.yield {r1} : f32")
        self.close()
        z = self.activate(r0, bias, bias_type, c)
        self.line(f"memref.store {z}, {result}[{h}, {w}, {c}] : {into}")
        for _ in range(3):
            self.close()
        return result, of

    def pointwise(self, source, size, channels, out):
        type_ = f"memref<{size}x{size}x{channels}xf32>"
        into = f"memref<{size}x{size}x{out}xf32>"
        taps, taps_type = self.weight(channels, out)
        bias, bias_type = self.weight(out)
        result = self.value("a", f"memref.alloc() : {into}")
        h, w, c = self.loop(size), self.loop(size), self.loop(out)
        k, s, r = self.sum_loop(channels, "%zero")
        v = self.value("x", f"memref.load {source}[{h}, {w}, {k}] : {type_}")
        t = self.value("f", f"memref.load {taps}[{k}, {c}] : {taps_type}")
        self.line(f"scf.yield {self.multiply(v, t, s)} : f32")
        self.close()
        z = self.activate(r, bias, bias_type, c)
        self.line(f"memref.store {z}, {result}[{h}, {w}, {c}] : {into}")
        for _ in range(3):
            self.close()
        return result

    def head(self, source, size, channels):
        """The mean of each channel, and a dense layer."""
        type_ = f"memref<{size}x{size}x{channels}xf32>"
        mean_type = f"memref<{channels}xf32>"
        mean = self.value("a", f"memref.alloc() : {mean_type}")
        c = self.loop(channels)
        h, s0, r0 = self.sum_loop(size, "%zero")
        w, s1, r1 = self.sum_loop(size, s0)
        v = self.value("x", f"memref.load {source}[{h}, {w}, {c}] : {type_}")
        t = self.value("t", f"arith.addf {s1}, {v} : f32")
        self.line(f"scf.yield {t} : f32")
        self.close()
        self.line(f"scf.yield {r1} : f32")
        self.close()
        part = self.value("m", f"arith.mulf {r0}, %part : f32")
        self.line(f"memref.store {part}, {mean}[{c}] : {mean_type}")
        self.close()
        taps, taps_type = self.weight(channels, CLASSES)
        c = self.loop(CLASSES)
        k, s, r = self.sum_loop(channels, "%zero")
        v = self.value("x", f"memref.load {mean}[{k}] : {mean_type}")
        t = self.value("f", f"memref.load {taps}[{k}, {c}] : {taps_type}")
        self.line(f"scf.yield {self.multiply(v, t, s)} : f32")
        self.close()
        self.line(f"memref.store {r}, %out[{c}] : memref<{CLASSES}xf32>")
        self.close()


def constants(writer, size):
    known = {0, 1, 3, CLASSES, *CHANNELS}
    while size >= 1:
        known.add(size)
        size //= 2
    for value in sorted(known):
        writer.line(f"%c{value} = arith.constant {value} : index")
    writer.line("%zero = arith.constant 0.0 : f32")


def write_network():
    writer = Writer()
    constants(writer, 2 * SIZE)
    size, channels = SIZE, CHANNELS[0]
    value, _ = writer.window("%in", 2 * SIZE, 3, 2, channels, None)
    for stride, out in zip(STRIDES, CHANNELS[1:]):
        value, size = writer.window(value, size, channels, stride, 0, None)
        value = writer.pointwise(value, size, channels, out)
        channels = out
    writer.line(f"%part = arith.constant {1 / size ** 2} : f32")
    writer.head(value, size, channels)
    writer.line("return")
    return writer


def write_main(weights):
    """Fills the picture and the weights, and prints the scores."""
    lines = ["func.func @main() {"]
    writer = Writer()
    constants(writer, 2 * SIZE)
    buffers = [("%in", f"memref<{2 * SIZE}x{2 * SIZE}x3xf32>",
                (2 * SIZE, 2 * SIZE, 3))] + weights
    for number, (name, type_, shape) in enumerate(buffers):
        writer.line(f"{name} = memref.alloc() : {type_}")
        variables = []
        total = None
        for extent in shape:
            bound = writer.value("n", f"arith.constant {extent} : index")
            variable = writer.name("i")
            writer.open(f"scf.for {variable} = %c0 to {bound} step %c1 {{")
            variables.append(variable)
        # Pseudorandom numbers of either sign.
        total = writer.value("n", f"arith.constant {7 * number + 3} : index")
        for variable in variables:
            factor = writer.value("n", "arith.constant 31 : index")
            scaled = writer.value("n", f"arith.muli {total}, {factor} : index")
            total = writer.value("n", f"arith.addi {scaled}, {variable} : index")
        modulus = writer.value("n", "arith.constant 61 : index")
        rest = writer.value("n", f"arith.remui {total}, {modulus} : index")
        whole = writer.value("n", f"arith.index_cast {rest} : index to i32")
        real = writer.value("n", f"arith.sitofp {whole} : i32 to f32")
        half = writer.value("n", "arith.constant 27.0 : f32")
        centred = writer.value("n", f"arith.subf {real}, {half} : f32")
        scale = writer.value("n", "arith.constant 0.01 : f32")
        value = writer.value("n", f"arith.mulf {centred}, {scale} : f32")
        writer.line(f"memref.store {value}, {name}[{', '.join(variables)}] : {type_}")
        for _ in shape:
            writer.close()
    writer.line(f"%out = memref.alloc() : memref<{CLASSES}xf32>")
    names = ", ".join([name for name, _, _ in buffers] + ["%out"])
    types = ", ".join([type_ for _, type_, _ in buffers] +
                      [f"memref<{CLASSES}xf32>"])
    writer.line(f"call @network({names}) : ({types}) -> ()")
    variable = writer.name("i")
    writer.open(f"scf.for {variable} = %c0 to %c{CLASSES} step %c1 {{")
    score = writer.value("n", f"memref.load %out[{variable}] : memref<{CLASSES}xf32>")
    writer.line(f"vector.print {score} : f32")
    writer.close()
    writer.line("return")
    return lines + writer.lines + ["}"]


def main():
    writer = write_network()
    arguments = [f"%in: memref<{2 * SIZE}x{2 * SIZE}x3xf32>"]
    arguments += [f"{name}: {type_}" for name, type_, _ in writer.weights]
    arguments.append(f"%out: memref<{CLASSES}xf32>")
    print(f"// Written by {__file__.rpartition('/')[2]}.")
    print("func.func @network(" + ",\n                   ".join(arguments) + ") {")
    print("\n".join(writer.lines))
    print("}\n")
    print("\n".join(write_main(writer.weights)))


if __name__ == "__main__":
    main()
