"""Kernels on memrefs whose speed depends on LLVM's alias information.

kernels() returns a dict from name to text. Each kernel has a private function
@kernel(%in, %out) on 128x128 matrices of f32, which frees none of its buffers.
"""

MATRIX = "memref<128x128xf32>"
ROW = "memref<128xf32>"
ID = "affine_map<(d0, d1) -> (d0, d1)>"
ROWS = "affine_map<(d0, d1) -> (d0)>"


class Program:
    """Lines of a function's body."""

    def __init__(self):
        self.lines, self.count = [], 0

    def add(self, line):
        self.lines.append("  " + line)

    def alloc(self, shape=MATRIX, fill=None):
        self.count += 1
        name = f"%b{self.count}"
        self.add(f"{name} = memref.alloc() : {shape}")
        if fill is not None:
            self.add(f"linalg.fill ins(%{fill} : f32) outs({name} : {shape})")
        return name

    def generic(self, maps, kinds, ins, outs, body):
        """ins and outs: (name, shape). The body reads %x0, ... and %y."""
        types = ", ".join(f"%x{i}: f32" for i in range(len(ins)))
        names = ", ".join(n for n, _ in ins)
        shapes = ", ".join(s for _, s in ins)
        self.add(f"linalg.generic {{indexing_maps = [{', '.join(maps)}], "
                 f"iterator_types = [{', '.join(chr(34) + k + chr(34) for k in kinds)}]}}"
                 f" ins({names} : {shapes}) outs({outs[0]} : {outs[1]}) {{")
        self.add(f"^bb0({types}, %y: f32):")
        for line in body:
            self.add("  " + line)
        self.add("}")

    def elementwise(self, op, *operands):
        out = self.alloc()
        args = ", ".join(f"%x{i}" for i in range(len(operands)))
        self.generic([ID] * (len(operands) + 1), ["parallel"] * 2,
                     [(o, MATRIX) for o in operands], (out, MATRIX),
                     [f"%r = {op} {args} : f32", "linalg.yield %r : f32"])
        return out

    def matmul(self, a, b, order="ikj"):
        """The product; `order` names the loops from the outermost inwards."""
        out = self.alloc(fill="zero")
        dims = {loop: f"d{i}" for i, loop in enumerate(order)}
        maps = [f"affine_map<(d0, d1, d2) -> ({dims[x]}, {dims[y]})>"
                for x, y in ("ik", "kj", "ij")]
        kinds = ["reduction" if loop == "k" else "parallel" for loop in order]
        self.generic(maps, kinds, [(a, MATRIX), (b, MATRIX)], (out, MATRIX),
                     ["%p = arith.mulf %x0, %x1 : f32",
                      "%s = arith.addf %y, %p : f32", "linalg.yield %s : f32"])
        return out

    def reduce_rows(self, op, value, start):
        out = self.alloc(ROW, fill=start)
        self.generic([ID, ROWS], ["parallel", "reduction"], [(value, MATRIX)],
                     (out, ROW),
                     [f"%r = {op} %x0, %y : f32", "linalg.yield %r : f32"])
        return out

    def with_rows(self, op, value, rows, more=()):
        out = self.alloc()
        self.generic([ID, ROWS, ID], ["parallel"] * 2,
                     [(value, MATRIX), (rows, ROW)], (out, MATRIX),
                     [f"%r = {op} %x0, %x1 : f32", *more,
                      f"linalg.yield {'%e' if more else '%r'} : f32"])
        return out

    def softmax(self, value):
        top = self.reduce_rows("arith.maximumf", value, "low")
        powers = self.with_rows("arith.subf", value, top,
                                ["%e = math.exp %r : f32"])
        total = self.reduce_rows("arith.addf", powers, "zero")
        return self.with_rows("arith.divf", powers, total)

    def text(self, result):
        self.add(f"memref.copy {result}, %out : {MATRIX} to {MATRIX}")
        return "\n".join([
            f"func.func private @kernel(%in: {MATRIX}, %out: {MATRIX}) "
            "attributes {no_inline} {",
            "  %zero = arith.constant 0.0 : f32",
            "  %low = arith.constant -1.0e30 : f32",
            "  %fifth = arith.constant 0.2 : f32", *self.lines, "  return", "}",
            ""])


def chain_of_matmuls(order):
    program = Program()
    value = "%in"
    for _ in range(4):
        value = program.matmul(value, "%in" if value == "%in" else value, order)
        value = program.elementwise("math.absf", value)
    return program.text(value)


def chain_of_elementwise():
    program = Program()
    value = "%in"
    for op in ("math.absf", "arith.negf") * 6:
        other = program.elementwise(op, value)
        value = program.elementwise("arith.addf", value, other)
    return program.text(value)


def softmax_chain():
    program = Program()
    value = "%in"
    for _ in range(3):
        value = program.softmax(value)
    return program.text(value)


def attention():
    program = Program()
    scores = program.matmul("%in", "%in", "ikj")
    return program.text(program.matmul(program.softmax(scores), "%in", "ikj"))


def stencil():
    """Ten steps of a five-point average; borders stay as they were filled."""
    program = Program()
    inner = "strided<[128, 1], offset: {}>"
    value = "%in"
    for step in range(10):
        out = program.alloc(fill="zero")
        parts = []
        for i, (row, column) in enumerate(
                ((1, 1), (0, 1), (2, 1), (1, 0), (1, 2))):
            shape = f"memref<126x126xf32, {inner.format(row * 128 + column)}>"
            program.add(f"%s{step}_{i} = memref.subview {value}[{row}, {column}]"
                        f" [126, 126] [1, 1] : {MATRIX} to {shape}")
            parts.append((f"%s{step}_{i}", shape))
        program.add(f"%t{step} = memref.subview {out}[1, 1] [126, 126] [1, 1] : "
                    f"{MATRIX} to {parts[0][1]}")
        program.generic([ID] * 6, ["parallel"] * 2, parts,
                        (f"%t{step}", parts[0][1]),
                        ["%a = arith.addf %x0, %x1 : f32",
                         "%b = arith.addf %x2, %x3 : f32",
                         "%c = arith.addf %a, %b : f32",
                         "%d = arith.addf %c, %x4 : f32",
                         "%r = arith.mulf %d, %fifth : f32",
                         "linalg.yield %r : f32"])
        value = out
    return program.text(value)


def depthwise():
    """Three depthwise 3x3 convolutions along the last dimension's channels."""
    program = Program()
    picture = "memref<18x18x32xf32>"
    inside = "memref<16x16x32xf32>"
    window = "memref<3x3x32xf32>"
    inner = "memref<16x16x32xf32, strided<[576, 32, 1], offset: 608>>"
    flat = "memref<16x16x32xf32, strided<[512, 32, 1]>>"
    program.add(f"%flat = memref.reinterpret_cast %in to offset: [0], sizes: "
                f"[16, 16, 32], strides: [512, 32, 1] : {MATRIX} to {flat}")
    weights = program.alloc(window, fill="fifth")
    value, shape = "%flat", flat
    for step in range(3):
        padded = program.alloc(picture, fill="zero")
        program.add(f"%i{step} = memref.subview {padded}[1, 1, 0] [16, 16, 32] "
                    f"[1, 1, 1] : {picture} to {inner}")
        program.add(f"linalg.copy ins({value} : {shape}) "
                    f"outs(%i{step} : {inner})")
        out = program.alloc(inside, fill="zero")
        maps = ["affine_map<(y, x, a, b, c) -> (y + a, x + b, c)>",
                "affine_map<(y, x, a, b, c) -> (a, b, c)>",
                "affine_map<(y, x, a, b, c) -> (y, x, c)>"]
        program.generic(maps, ["parallel", "parallel", "reduction", "reduction",
                               "parallel"],
                        [(padded, picture), (weights, window)], (out, inside),
                        ["%p = arith.mulf %x0, %x1 : f32",
                         "%s = arith.addf %y, %p : f32",
                         "linalg.yield %s : f32"])
        value, shape = out, inside
    result = program.alloc(fill="zero")
    program.add(f"%back = memref.reinterpret_cast {result} to offset: [0], "
                f"sizes: [16, 16, 32], strides: [512, 32, 1] : {MATRIX} to "
                f"{flat}")
    program.add(f"linalg.copy ins({value} : {shape}) outs(%back : {flat})")
    return program.text(result)


def kernels():
    return {
        "matmuls, loops i-k-j": chain_of_matmuls("ikj"),
        "matmuls, loops i-j-k": chain_of_matmuls("ijk"),
        "matmuls, loops k-i-j": chain_of_matmuls("kij"),
        "softmax chain": softmax_chain(),
        "elementwise chain": chain_of_elementwise(),
        "stencil": stencil(),
        "depthwise convolution": depthwise(),
        "attention": attention(),
    }
