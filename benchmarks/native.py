#!/usr/bin/python3
"""native.py [--write FILE] [--only TEXT] [--rounds N]: measures the speed of planned code.

Compiles each kernel of kernels.py and each executable program of ../shared/models, if
that folder exists, with -O3 for this machine and with its buffers allocated in several
ways. Runs the variants alternately, N rounds, and prints a table in Markdown. Results
must be equal bit for bit. --only: programs with TEXT in their names.
"""
import argparse
import math
import os
import re
import subprocess
import sys
import tempfile

import kernels
from nativedriver import driver, find_signature, parse_memref

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOOL = os.path.join(ROOT, "build", "bin", "memplan-opt")
MODELS = os.path.join(ROOT, "..", "shared", "models")
# The function of each model that is measured.
ENTRIES = {
    "buddy_Bert": "forward", "buddy_next-rope": "kernel",
    "cinnamon_llama2_15m": "forward", "imex_OpTest_MnistCnn": "test",
    "imex_jit__net_loss_91_linalg": "main", "imex_mobilenetv3-linalg": "predict",
    "imex_resnet-50-linalg": "predict",
    "lean_cifar8_bn_sgd_train_step": "cifar8_bn_sgd_train_step",
    "lean_cnn_train_step": "cnn_train_step", "lean_mlp_train_step": "mlp_train_step",
    "nelli_densenet121": "forward", "nelli_mobilenet_v2": "forward",
    "nelli_resnet18": "forward", "nelli_squeezenet1_1": "forward",
    "poly_2mm": "main", "poly_deriche": "main", "poly_gemver": "main",
}

HEADER = """# The speed of planned code

Written by `./dev bench`; do not edit. Each program is compiled by clang with -O3 for the
machine on which it runs. The variants:

- *upstream*: `buffer-deallocation-pipeline`, with one malloc and one free for each
  buffer; the others are compared with its time.
- *early free*: also `optimize-allocation-liveness`.
- *planned*: `plan-memory`, with one malloc and one free for each call, then
  `buffer-deallocation-pipeline` for the unplanned buffers.
- *argument*: `plan-memory=arena=argument`, with an arena that the caller keeps.
- *no scopes*: *planned* without `memplan-alias-scopes`.

Times are the minimum over all calls in all rounds; the variants alternate. Constants of
one value with 4096 elements or more are variables here. For *upstream / planned /
argument* the table has the *loops* that LLVM vectorized and, after the plus, did not
vectorize, the page *faults* and *mallocs* of a call, and the *peak* of the heap during
it. [vectorized-loops.md](vectorized-loops.md) has the loops that are not vectorized only
when planned.

With the scopes LLVM keeps the sums of the convolutions of imex_resnet-50 in a register
and unrolls their loops by eight. Without them, and in *upstream*, it stores each sum and
unrolls by four. Both forms wait for one addition after the other; the first was 3 to 5 %
slower on two machines. With the scopes LLVM vectorizes a loop of the depthwise
convolution by masked gathers: 1.2 to 1.3 times faster on two machines, and 1.27 times slower on
one whose gathers are slow. There
`memplan-to-llvm=alias-scopes=false` is the better choice.

The linear layers have a weight that is transposed before the product. Their contractions
read it in place (`memplan-fold-transposes`), or a copy, as with `fold-transposes=false`.

"""

DEALLOCATE, LOWERED = "--buffer-deallocation-pipeline", "--memplan-to-llvm"
VARIANTS = {
    "upstream": ([DEALLOCATE], LOWERED),
    "early free": ([DEALLOCATE, "--optimize-allocation-liveness"], LOWERED),
    "planned": (["--plan-memory", DEALLOCATE], LOWERED),
    "argument": (["--plan-memory=scope=module arena=argument "
                  "require=placed entry-points={entry}", DEALLOCATE], LOWERED),
    "no scopes": (["--plan-memory", DEALLOCATE], LOWERED + "=alias-scopes=false"),
}
COMPARED = ("upstream", "planned", "argument")


def run(*arguments, stdin=None):
    done = subprocess.run(arguments, text=True, input=stdin,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        sys.exit(f"{' '.join(arguments)}:\n{done.stderr[-3000:]}")
    return done


def tool(name):
    folder = run("llvm-config-22", "--bindir").stdout.strip()
    return os.path.join(folder, name)


def compile_program(text, entry, variant, constants, folder):
    """The path of the executable, and the numbers of loops that were vectorized and not."""
    path = os.path.join(folder, variant.replace(" ", "-"))
    before, lowering = VARIANTS[variant]
    before = [option.format(entry=entry) for option in before]
    # Some programs free their buffers themselves.
    if "memref.dealloc" in text:
        before = [option for option in before if option != DEALLOCATE]
    text = run(TOOL, *before, stdin=text).stdout
    arguments, results, head = find_signature(text, entry)
    text = text.replace(head, head.replace(
        "attributes {", "attributes {llvm.emit_c_interface, ") if "attributes {" in head
        else head[:-1] + "attributes {llvm.emit_c_interface} {", 1)
    lowered = run(TOOL, lowering, stdin=text).stdout
    with open(path + ".ll", "w", encoding="utf-8") as file:
        file.write(run(tool("mlir-translate"), "--mlir-to-llvmir",
                       stdin=lowered).stdout)
    with open(path + ".c", "w", encoding="utf-8") as file:
        file.write(driver(entry, arguments, results, constants))
    flags = ["-O3", "-march=native", "-Wno-override-module"]
    remarks = run(tool("clang"), *flags, "-Rpass=loop-vectorize",
                  "-Rpass-missed=loop-vectorize", "-c", path + ".ll",
                  "-o", path + ".o").stderr
    libraries = run("llvm-config-22", "--libdir").stdout.strip()
    run(tool("clang"), *flags, path + ".c", path + ".o", "-o", path,
        "-Wl,--wrap=malloc,--wrap=free,--wrap=calloc,--wrap=aligned_alloc", "-L" + libraries,
        "-Wl,-rpath," + libraries, "-lmlir_c_runner_utils", "-lmlir_runner_utils",
        "-lm")
    return path, "%d+%d" % (len(re.findall(r"vectorized loop", remarks)),
                            len(re.findall(r"loop not vectorized", remarks)))


def move_constants(text):
    """Turns large splat constants into variables that the C program fills, as the
    compiler would take minutes for them. Returns the module, and (name, type, value) of
    each variable."""
    moved = []

    def move(match):
        name, memref, number = match.groups()
        sizes, _ = parse_memref(memref)
        if math.prod(sizes) < 4096:
            return match.group(0)
        moved.append((name, memref, number))
        return f"memref.global @{name} : {memref}"

    text = re.sub(r'memref\.global "private" constant @(\w+) : (memref<[^>]*>) = '
                  r"dense<([-+.\deE]+)>", move, text)
    return text, moved


def measure(name, text, entry, folder, rounds):
    text, constants = move_constants(text)
    programs = {v: compile_program(text, entry, v, constants, folder)
                for v in VARIANTS}
    least = dict.fromkeys(programs, float("inf"))
    facts, hashes = {}, {}
    for number in range(rounds):
        for variant, (path, _) in programs.items():
            time, faults, mallocs, peak, digest = run(path).stdout.split()[-5:]
            least[variant] = min(least[variant], float(time))
            facts[variant] = (faults, mallocs, f"{int(peak) / 1024:.0f}")
            hashes[variant] = digest
        # Long calls vary less, so two rounds suffice.
        if number >= 2 and least["upstream"] > 5e7:
            break
    if len(set(hashes.values())) > 1:
        sys.exit(f"{name}: results differ: {hashes}")
    base = least["upstream"]
    row = [name, f"{base / 1000:.0f} us"] + [
        f"{least[v] / base:.2f}" for v in VARIANTS if v != "upstream"]
    row.append(" / ".join(programs[v][1] for v in COMPARED))
    for i in range(3):
        row.append(" / ".join(facts[v][i] for v in COMPARED))
    return row


def linear_layers(rows, width=256, layers=4):
    """Layers as PyTorch writes them: the weight is transposed before each product."""
    weight, kept = f"tensor<{width}x{width}xf32>", f"tensor<{rows}x{width}xf32>"
    names = [f"%w{number}" for number in range(layers)]
    body = ["%zero = arith.constant 0.0 : f32"]
    value = "%x"
    for number, name in enumerate(names):
        body += [
            f"%e{number} = tensor.empty() : {weight}",
            f"%t{number} = linalg.transpose ins({name} : {weight}) outs(%e{number} : {weight}) "
            "permutation = [1, 0]",
            f"%o{number} = tensor.empty() : {kept}",
            f"%f{number} = linalg.fill ins(%zero : f32) outs(%o{number} : {kept}) -> {kept}",
            f"%m{number} = linalg.matmul ins({value}, %t{number} : {kept}, {weight}) "
            f"outs(%f{number} : {kept}) -> {kept}"]
        value = f"%m{number}"
    arguments = ", ".join(f"{name}: {weight}" for name in names)
    return (f"func.func @kernel(%x: {kept}, {arguments}) -> {kept} {{\n  " + "\n  ".join(body) +
            f"\n  return {value} : {kept}\n}}\n")


def collect():
    """Yields (name, text, entry function) of each program."""
    for rows, what in ((64, "64 rows"), (1, "one row")):
        for fold, how in (("true", "weights read"), ("false", "weights copied")):
            text = run(TOOL, f"--memplan-bufferize=fold-transposes={fold}",
                       stdin=linear_layers(rows)).stdout
            yield f"linear layers, {what}, {how}", text, "kernel"
    for name, text in kernels.kernels().items():
        text = text.replace("func.func private @kernel", "func.func @kernel")
        yield name, text.replace(" attributes {no_inline}", ""), "kernel"
    for name, entry in sorted(ENTRIES.items()):
        path = os.path.join(MODELS, name + ".memref.mlir")
        if not os.path.exists(path):
            continue
        with open(path, encoding="utf-8") as file:
            # The C program has a main of its own.
            text = re.sub(r"@main\b", "@program", file.read())
        yield name, text, "program" if entry == "main" else entry


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", metavar="FILE")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    titles = ["program", "upstream", "early free", "planned", "argument",
              "no scopes", "loops", "faults", "mallocs", "peak KiB"]
    rows = [titles, ["---"] + ["---:"] * (len(titles) - 1)]

    def table():
        return "".join("| " + " | ".join(row) + " |\n" for row in rows)

    with tempfile.TemporaryDirectory() as folder:
        for name, text, entry in collect():
            if options.only in name:
                rows.append(measure(name, text, entry, folder, options.rounds))
                print(" | ".join(rows[-1]), file=sys.stderr, flush=True)
                # A run takes long, so write the intermediate results.
                if options.write:
                    with open(options.write, "w", encoding="utf-8") as file:
                        file.write(HEADER + table())
    print(table(), end="")


if __name__ == "__main__":
    main()
