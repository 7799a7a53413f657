#!/usr/bin/env python3
# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs random networks on tensors with and without stripes and compares the results.

  fuzz_stripes.py --first 1 --count 100

A network is a function of convolutions, poolings, pads, reshapes, transposes, sums
along dimensions, sums of i8 that are rounded, concatenations, and ops on elements that read any earlier tensor.
Its integers wrap around, so that results are equal bit for bit however it is computed. Each
module is computed without stripes, with none, few and any FLOPs again, and planned; also in
stripes that keep rows wherever there are some, whether that gains anything or not.
The last line counts programs, chains and differences; the exit status is 1 if results
differ or a step fails.
"""

import argparse
import os
import random
import re
import sys

from execution import StepFailed, Tools

SHARES = [0, 15, 1000]


def tensor(shape, element="i32"):
    return f"tensor<{'x'.join(map(str, [*shape, element]))}>"


def projection(rank, dims):
    """The affine map from `rank` loops to `dims`; -1 stands for the constant 0."""
    loops = ", ".join(f"d{i}" for i in range(rank))
    return f"affine_map<({loops}) -> ({', '.join('0' if d < 0 else f'd{d}' for d in dims)})>"


def kinds(kind, rank):
    return ", ".join([f'"{kind}"'] * rank)


class Network:
    """One function; `shapes` has its values and `lines` its text."""

    def __init__(self, rng, name):
        self.rng, self.name = rng, name
        self.lines, self.shapes, self.arguments, self.names = [], {}, [], 0
        last = self.argument([1, rng.randint(5, 14), rng.randint(4, 11), rng.randint(1, 6)])
        for _ in range(rng.randint(2, 11)):
            if rng.random() < 0.25:
                last = rng.choice(list(self.shapes))
            last = self.step(last)
        self.result = last

    def argument(self, shape):
        name = f"%a{len(self.arguments)}"
        self.arguments.append(name)
        self.shapes[name] = list(shape)
        return name

    def add(self, text, shape):
        self.names += 1
        name = f"%v{self.names}"
        self.lines.append(f"  {name} = {text}")
        self.shapes[name] = list(shape)
        return name

    def other(self, text):
        self.names += 1
        self.lines.append(f"  %c{self.names} = {text}")
        return f"%c{self.names}"

    def start(self, shape, value=None):
        """A tensor to add up in: a fill, the broadcast of a bias, or an argument."""
        empty = self.other(f"tensor.empty() : {tensor(shape)}")
        kind = self.rng.choice(["fill", "fill", "bias"]) if value is None else "fill"
        if kind == "fill":
            number = self.rng.randint(-3, 3) if value is None else value
            scalar = self.other(f"arith.constant {number} : i32")
            return self.other(f"linalg.fill ins({scalar} : i32) outs({empty} : "
                              f"{tensor(shape)}) -> {tensor(shape)}")
        bias = self.argument(shape[-1:])
        dims = ", ".join(map(str, range(len(shape) - 1)))
        return self.other(f"linalg.broadcast ins({bias} : {tensor(shape[-1:])}) outs({empty} : "
                          f"{tensor(shape)}) dimensions = [{dims}]")

    def step(self, x):
        if len(self.shapes[x]) == 4 and self.rng.random() < 0.3:
            x = self.pad(x)
        steps = [self.elements, self.elements, self.pair, self.pair, self.reduce,
                 self.transpose, self.pad, self.reshape, self.concatenate, self.slice]
        if len(self.shapes[x]) == 4 and self.shapes[x][0] == 1:
            steps += [self.convolution] * 5 + [self.depthwise] * 2 + [self.pool] * 2 + [self.quantized] * 3
        if len(self.shapes[x]) == 2:
            steps += [self.matmul] * 4 + [self.quantized] * 2
        for _ in range(20):
            found = self.rng.choice(steps)(x)
            if found:
                return found
        return self.elements(x)

    def window(self, shape):
        """(kernel, strides, dilations, result's rows and columns) that fit, or None."""
        kernel = [self.rng.randint(1, 3) for _ in range(2)]
        strides = [self.rng.choice([1, 1, 2, 3]) for _ in range(2)]
        dilations = [self.rng.choice([1, 1, 1, 2]) for _ in range(2)]
        sizes = []
        for size, k, s, d in zip(shape[1:3], kernel, strides, dilations):
            left = size - ((k - 1) * d + 1)
            if left < 0:
                return None
            sizes.append(left // s + 1)
        attributes = (f"{{dilations = dense<[{dilations[0]}, {dilations[1]}]> : tensor<2xi64>, "
                      f"strides = dense<[{strides[0]}, {strides[1]}]> : tensor<2xi64>}}")
        return kernel, attributes, sizes

    def windowed(self, op, x, weight, channels, kind):
        found = self.window(self.shapes[x])
        if not found:
            return None
        kernel, attributes, sizes = found
        shape = [1, *sizes, channels]
        if kind == "pool":
            w = self.other(f"tensor.empty() : {tensor(kernel)}")
            weight = kernel
        else:
            weight = kernel + weight
            w = self.argument(weight)
        init = self.start(shape, -9 if op.endswith("max") else None)
        return self.add(f"linalg.{op} {attributes} ins({x}, {w} : {tensor(self.shapes[x])}, "
                        f"{tensor(weight)}) outs({init} : {tensor(shape)}) -> {tensor(shape)}",
                        shape)

    def convolution(self, x):
        c, f = self.shapes[x][3], self.rng.randint(1, 6)
        return self.windowed("conv_2d_nhwc_hwcf", x, [c, f], f, "conv")

    def depthwise(self, x):
        c = self.shapes[x][3]
        return self.windowed("depthwise_conv_2d_nhwc_hwc", x, [c], c, "depthwise")

    def pool(self, x):
        op = self.rng.choice(["pooling_nhwc_sum", "pooling_nhwc_max"])
        return self.windowed(op, x, None, self.shapes[x][3], "pool")

    def matmul(self, x):
        m, k = self.shapes[x]
        n = self.rng.randint(1, 9)
        w = self.argument([k, n])
        init = self.start([m, n])
        return self.add(f"linalg.matmul ins({x}, {w} : {tensor([m, k])}, {tensor([k, n])}) "
                        f"outs({init} : {tensor([m, n])}) -> {tensor([m, n])}", [m, n])

    def narrow(self, x, shape, source, target, body):
        """The elements of `x` in another type; `body` makes %t of %a."""
        rank = len(shape)
        loops = projection(rank, range(rank))
        empty = self.other(f"tensor.empty() : {tensor(shape, target)}")
        return self.other(
            f"linalg.generic {{indexing_maps = [{loops}, {loops}], "
            f"iterator_types = [{kinds('parallel', rank)}]}} ins({x} : {tensor(shape, source)}) "
            f"outs({empty} : {tensor(shape, target)}) {{\n  ^bb0(%a: {source}, %o: {target}):\n"
            f"{body}    linalg.yield %t : {target}\n  }} -> {tensor(shape, target)}")

    def quantized(self, x):
        """A sum in i32 of operands in i8, which is rounded to i8."""
        shape = self.shapes[x]
        cut = "    %t = arith.trunci %a : i32 to i8\n"
        channels = self.rng.randint(1, 6)
        kernel = [shape[-1], channels]
        result, op, attributes = [*shape[:-1], channels], "matmul", ""
        if len(shape) == 4:
            found = self.window(shape)
            if not found:
                return None
            window, attributes, sizes = found
            kernel, op = window + kernel, "conv_2d_nhwc_hwcf"
            result[1:3] = sizes
        left = self.narrow(x, shape, "i32", "i8", cut)
        right = self.narrow(self.argument(kernel), kernel, "i32", "i8", cut)
        init = self.start(result)
        total = self.other(
            f"linalg.{op} {attributes} ins({left}, {right} : {tensor(shape, 'i8')}, "
            f"{tensor(kernel, 'i8')}) outs({init} : {tensor(result)}) -> {tensor(result)}")
        shift = ("    %k = arith.constant 3 : i32\n    %s = arith.shrsi %a, %k : i32\n"
                 "    %t = arith.trunci %s : i32 to i8\n")
        rounded = self.narrow(total, result, "i32", "i8", shift)
        wide = self.narrow(rounded, result, "i8", "i32", "    %t = arith.extsi %a : i8 to i32\n")
        self.shapes[wide] = result
        return wide

    def generic(self, operands, maps, rank, reduced, init, body, shape):
        loops = ", ".join('"reduction"' if i in reduced else '"parallel"' for i in range(rank))
        types = ", ".join(tensor(self.shapes[o]) for o in operands)
        names = ", ".join(f"%e{i}: i32" for i in range(len(operands) + 1))
        ins = f"ins({', '.join(operands)} : {types}) " if operands else ""
        return self.add(
            f"linalg.generic {{indexing_maps = [{', '.join(maps)}], iterator_types = [{loops}]}} "
            f"{ins}outs({init} : {tensor(shape)}) {{\n  ^bb0({names}):\n{body}"
            f"  }} -> {tensor(shape)}", shape)

    def elements(self, x):
        """Of one operand, with the position in the loops now and then."""
        shape = self.shapes[x]
        rank = len(shape)
        body = f"    %k = arith.constant {self.rng.randint(-9, 9)} : i32\n"
        body += f"    %t = arith.{self.rng.choice(['muli', 'addi', 'maxsi', 'xori'])} %e0, %k : i32\n"
        last = "%t"
        if self.rng.random() < 0.3:
            dim = self.rng.randrange(rank)
            body += (f"    %i = linalg.index {dim} : index\n"
                     "    %j = arith.index_cast %i : index to i32\n"
                     "    %u = arith.addi %t, %j : i32\n")
            last = "%u"
        body += f"    linalg.yield {last} : i32\n"
        init = self.other(f"tensor.empty() : {tensor(shape)}")
        if self.rng.random() < 0.15:
            init = self.start(shape)
            body = body.replace("%e0, %k", "%e0, %e1")
        return self.generic([x], [projection(rank, range(rank))] * 2, rank, (), init, body, shape)

    def pair(self, x):
        """Of two operands, the second of the same shape, smaller, or turned around."""
        shape = self.shapes[x]
        rank = len(shape)
        choices = []
        for y, other in self.shapes.items():
            if other == shape:
                choices += [(y, range(rank))] * 3
            elif len(other) == rank and all(o in (1, s) for o, s in zip(other, shape)):
                choices.append((y, [-1 if o != s else i
                                    for i, (o, s) in enumerate(zip(other, shape))]))
            elif rank > 1 and other == shape[-1:]:
                choices.append((y, [rank - 1]))
            elif rank >= 2 and other == shape[:-2] + [shape[-1], shape[-2]]:
                choices.append((y, [*range(rank - 2), rank - 1, rank - 2]))
        if not choices:
            return None
        y, dims = self.rng.choice(choices)
        op = self.rng.choice(["addi", "subi", "muli", "minsi"])
        body = f"    %t = arith.{op} %e0, %e1 : i32\n    linalg.yield %t : i32\n"
        init = self.other(f"tensor.empty() : {tensor(shape)}")
        return self.generic([x, y], [projection(rank, range(rank)), projection(rank, dims),
                                     projection(rank, range(rank))], rank, (), init, body, shape)

    def reduce(self, x):
        shape = self.shapes[x]
        rank = len(shape)
        if rank < 2:
            return None
        reduced = sorted(self.rng.sample(range(rank), self.rng.randint(1, min(2, rank - 1))))
        kept = [i for i in range(rank) if i not in reduced]
        result = [shape[i] for i in kept]
        # In the order of the loops: 31 * sum + x depends on it.
        body = ("    %k = arith.constant 31 : i32\n    %m = arith.muli %e1, %k : i32\n"
                "    %t = arith.addi %m, %e0 : i32\n    linalg.yield %t : i32\n")
        if self.rng.random() < 0.5:
            body = "    %t = arith.addi %e1, %e0 : i32\n    linalg.yield %t : i32\n"
        return self.generic([x], [projection(rank, range(rank)), projection(rank, kept)], rank,
                            reduced, self.start(result), body, result)

    def transpose(self, x):
        shape = self.shapes[x]
        dims = list(range(len(shape)))
        self.rng.shuffle(dims)
        result = [shape[d] for d in dims]
        empty = self.other(f"tensor.empty() : {tensor(result)}")
        return self.add(f"linalg.transpose ins({x} : {tensor(shape)}) outs({empty} : "
                        f"{tensor(result)}) permutation = {dims}", result)

    def pad(self, x):
        shape = self.shapes[x]
        low = [self.rng.choice([0, 0, 1, 2]) for _ in shape]
        high = [self.rng.choice([0, 0, 1, 3]) for _ in shape]
        if len(shape) == 4:
            low[0] = high[0] = 0
        result = [l + s + h for l, s, h in zip(low, shape, high)]
        value = self.other(f"arith.constant {self.rng.randint(-5, 5)} : i32")
        names = ", ".join(f"%p{i}: index" for i in range(len(shape)))
        return self.add(f"tensor.pad {x} low{low} high{high} {{\n  ^bb0({names}):\n"
                        f"    tensor.yield {value} : i32\n  }} : {tensor(shape)} to "
                        f"{tensor(result)}", result)

    def reshape(self, x):
        shape = self.shapes[x]
        rank = len(shape)
        if rank > 1 and self.rng.random() < 0.6:
            at = self.rng.randrange(rank - 1)
            groups = [[i] for i in range(at)] + [[at, at + 1]] + [[i] for i in range(at + 2, rank)]
            result = [*shape[:at], shape[at] * shape[at + 1], *shape[at + 2:]]
            return self.add(f"tensor.collapse_shape {x} {groups} : {tensor(shape)} into "
                            f"{tensor(result)}", result)
        at = self.rng.randrange(rank)
        factors = [f for f in range(1, shape[at] + 1) if shape[at] % f == 0]
        if rank > 3:
            return None
        factor = self.rng.choice(factors)
        result = [*shape[:at], factor, shape[at] // factor, *shape[at + 1:]]
        groups = [[i] for i in range(at)] + [[at, at + 1]] + [[i + 1] for i in range(at + 1, rank)]
        return self.add(f"tensor.expand_shape {x} {groups} output_shape {result} : "
                        f"{tensor(shape)} into {tensor(result)}", result)

    def concatenate(self, x):
        shape = self.shapes[x]
        dim = self.rng.randrange(len(shape))
        same = [y for y, other in self.shapes.items() if len(other) == len(shape) and
                all(a == b for i, (a, b) in enumerate(zip(shape, other)) if i != dim)]
        y = self.rng.choice(same)
        result = list(shape)
        result[dim] += self.shapes[y][dim]
        if len(shape) == 4 and dim == 0:
            return None
        return self.add(f"tensor.concat dim({dim}) {x}, {y} : ({tensor(shape)}, "
                        f"{tensor(self.shapes[y])}) -> {tensor(result)}", result)

    def slice(self, x):
        shape = self.shapes[x]
        if max(shape) < 3:
            return None
        offsets = [self.rng.randint(0, min(2, s - 1)) for s in shape]
        strides = [self.rng.choice([1, 1, 1, 2]) for _ in shape]
        sizes = [(s - o - 1) // t + 1 for s, o, t in zip(shape, offsets, strides)]
        return self.add(f"tensor.extract_slice {x}{offsets} {sizes} {strides} : "
                        f"{tensor(shape)} to {tensor(sizes)}", sizes)

    def text(self):
        arguments = ", ".join(f"{a}: {tensor(self.shapes[a])}" for a in self.arguments)
        result = tensor(self.shapes[self.result])
        return (f"func.func private @{self.name}({arguments}) -> {result} {{\n" +
                "\n".join(self.lines) + f"\n  return {self.result} : {result}\n}}\n")


def filled(name, shape, factor):
    """A tensor of numbers from -5 to 5 that depend on all positions."""
    rank = len(shape)
    lines = [f"  %x{name} = tensor.empty() : {tensor(shape)}",
             f"  %{name} = linalg.generic {{indexing_maps = [{projection(rank, range(rank))}], "
             f"iterator_types = [{kinds('parallel', rank)}]}} "
             f"outs(%x{name} : {tensor(shape)}) {{", "  ^bb0(%o: i32):",
             "    %s0 = arith.constant 0 : index"]
    for i in range(rank):
        lines += [f"    %i{i} = linalg.index {i} : index",
                  f"    %f{i} = arith.constant {factor + 13 * i} : index",
                  f"    %m{i} = arith.muli %i{i}, %f{i} : index",
                  f"    %s{i + 1} = arith.addi %s{i}, %m{i} : index"]
    lines += ["    %k = arith.constant 11 : index", f"    %r = arith.remui %s{rank}, %k : index",
              "    %h = arith.constant 5 : index", "    %q = arith.subi %r, %h : index",
              "    %v = arith.index_cast %q : index to i32", "    linalg.yield %v : i32",
              f"  }} -> {tensor(shape)}"]
    return "\n".join(lines)


def module(seed, networks):
    rng = random.Random(f"stripes {seed}")
    text, main = "", "func.func @main() {\n"
    for number in range(networks):
        network = Network(rng, f"net{number}")
        text += network.text()
        names = []
        for i, argument in enumerate(network.arguments):
            names.append(f"n{number}_{i}")
            main += filled(names[-1], network.shapes[argument], rng.randint(3, 40)) + "\n"
        types = ", ".join(tensor(network.shapes[a]) for a in network.arguments)
        shape = network.shapes[network.result]
        rank = len(shape)
        main += (
            f"  %y{number} = func.call @net{number}({', '.join('%' + n for n in names)}) : "
            f"({types}) -> {tensor(shape)}\n"
            f"  %z{number} = arith.constant dense<7> : tensor<i64>\n"
            f"  %t{number} = linalg.generic {{indexing_maps = [{projection(rank, range(rank))}, "
            f"{projection(rank, [])}], iterator_types = [{kinds('reduction', rank)}]}} "
            f"ins(%y{number} : {tensor(shape)}) outs(%z{number} : tensor<i64>) {{\n"
            "  ^bb0(%a: i32, %o: i64):\n    %m = arith.constant 31 : i64\n"
            "    %x = arith.muli %o, %m : i64\n    %b = arith.extsi %a : i32 to i64\n"
            "    %s = arith.addi %x, %b : i64\n    linalg.yield %s : i64\n"
            f"  }} -> tensor<i64>\n  %p{number} = tensor.extract %t{number}[] : tensor<i64>\n"
            f"  vector.print %p{number} : i64\n")
    return text + main + "  return\n}\n"


def test(tools, seed, networks):
    """(the number of chains, what is wrong or None)"""
    text, chains = module(seed, networks), 0
    try:
        expected = tools.execute(tools.memplan("bufferize", text, "--memplan-bufferize")[0])
        for share in SHARES:
            striped, report = tools.memplan(
                "stripe", text, f"--memplan-stripe=max-extra-flops={share} output=-")
            chains += len(re.findall(r" rows? at once", report + striped))
            bufferized, _ = tools.memplan("bufferize", text,
                                          f"--memplan-bufferize=stripes={share}")
            if tools.execute(bufferized) != expected:
                return chains, f"stripes={share}: other results"
        for rows in (1, 3):
            kept, _ = tools.memplan("keep", text, f"--test-stripes=rows={rows}")
            if tools.execute(tools.memplan("bufferize", kept, "--memplan-bufferize")[0]) != expected:
                return chains, f"kept rows, {rows} at once: other results"
        # Without `stripes`, sums with their rounding are striped.
        for share in (-1, SHARES[seed % len(SHARES)]):
            planned, _ = tools.memplan(
                "plan", text, f"--memplan-from-tensors=stripes={share} require=verified")
            if tools.execute(planned) != expected:
                return chains, f"planned with stripes={share}: other results"
    except StepFailed as failed:
        return chains, str(failed)[:2000]
    return chains, None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--networks", type=int, default=4, help="networks in a module")
    parser.add_argument("--keep", help="the folder for modules that fail")
    parser.add_argument("--print", action="store_true", help="print the first module and stop")
    options = parser.parse_args()
    if options.print:
        print(module(options.first, options.networks))
        return 0
    tools, chains, wrong = Tools(), 0, 0
    for seed in range(options.first, options.first + options.count):
        found, detail = test(tools, seed, options.networks)
        chains += found
        if detail:
            wrong += 1
            print(f"seed {seed}: {detail}", flush=True)
            if options.keep:
                with open(os.path.join(options.keep, f"stripes-{seed}.mlir"), "w") as out:
                    out.write(module(seed, options.networks))
    print(f"{options.count} modules, {chains} chains, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
