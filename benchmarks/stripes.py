#!/usr/bin/python3
"""stripes.py [--write PAGE PICTURE [--replace]] [--only TEXT] [--rounds N]: measures memplan-stripe.

Plans each program with several limits on the FLOPs that stripes may compute again, and runs it
without stripes and with those that compute nothing twice. Results must be equal bit for bit. Writes
a table between the marks of PAGE, and the fronts (bytes over FLOPs) as an SVG picture. Programs are
the example network, those of ../shared, if that folder exists, and two networks of the tests, if
build/frameworks has PyTorch. Sizes are exact; times are the minimum of N rounds.
"""
import argparse
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile

import matplotlib
from matplotlib import pyplot

import native
import tables

ROOT = native.ROOT
SHARED = os.path.join(ROOT, "..", "shared")
#: Percent of the FLOPs of the program.
LIMITS = (0, 1, 2, 5, 10, 20, 50, 1000)
BEGIN, END = "<!-- begin: benchmarks/stripes.py -->\n", "<!-- end: benchmarks/stripes.py -->\n"
TITLES = ["program", "without", "0 % more FLOPs", "at most 10 %", "least", "memplan-fit, least",
          "time without", "time at 0 %"]
ZOO = """import zoo
def net():
    module, arguments, _ = zoo.{name}()
    return module, tuple(argument[:1] for argument in arguments)
"""


def imported(model, folder, *options):
    """The text of a model on tensors; None, with a message, if it cannot be imported here."""
    python = os.path.join(ROOT, "build", "frameworks", "bin", "python")
    path = os.pathsep.join(os.path.join(ROOT, name) for name in ("python", "test/python"))
    done = subprocess.run(
        [python if os.path.exists(python) else sys.executable, "-m", "memplan", "plan", model,
         "--emit=mlir", "-o", os.path.join(folder, "imported.mlir"), *options],
        text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
        env={**os.environ, "PYTHONPATH": path, "MEMPLAN_OPT": native.TOOL,
             "LD_LIBRARY_PATH": os.path.join(ROOT, "build", "lib")})
    if done.returncode:
        print(f"{model} is left out: {done.stdout.strip().splitlines()[-1][:200]}", file=sys.stderr)
        return None
    with open(os.path.join(folder, "imported.mlir"), encoding="utf-8") as file:
        return file.read()


def programs(folder):
    """Yields the name of a program, its text on tensors and the function that is measured."""
    with open(os.path.join(ROOT, "examples", "mobilenet.mlir"), encoding="utf-8") as file:
        # The harness would clash with that of the C program.
        yield "examples/mobilenet", file.read().replace("@main", "@harness"), "forward"
    for name, options in (("dscnn_int8", ()), ("mbv2_int8", ("--input=i8[1, 96, 96, 3]",))):
        path = os.path.join(SHARED, "tflite", name + ".tflite")
        if not os.path.exists(path):
            print(f"{name} is left out: there is no {path}", file=sys.stderr)
        elif text := imported(path, folder, "--weights=constants", *options):
            yield name, re.sub(r"@main\b", "@program", text), "program"
    for name in ("nelli_mobilenet_v2", "nelli_resnet18", "nelli_squeezenet1_1", "nelli_densenet121",
                 "imex_mobilenetv3-linalg", "imex_resnet-50-linalg", "buddy_Bert"):
        path = os.path.join(SHARED, "models", name + ".mlir")
        if not os.path.exists(path):
            print(f"{name} is left out: there is no {path}", file=sys.stderr)
            continue
        with open(path, encoding="utf-8") as file:
            yield name, re.sub(r"@main\b", "@harness", file.read()), native.ENTRIES[name]
    for name in ("unet", "vit"):
        path = os.path.join(folder, name + ".py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(ZOO.format(name=name))
        if text := imported(path + ":net", folder):
            yield f"{name} of test/python/zoo.py", re.sub(r"@main\b", "@program", text), "program"


def plan(text, entry, *passes):
    """The bytes of the arena of the function, and the FLOPs again in percent."""
    output = native.run(native.TOOL, *passes, "-o", os.devnull, stdin=text).stderr
    # Warnings come first.
    report = json.loads(output[output.index('{\n  "schema"'):])
    return (sum(arena["arena_bytes"] for arena in report["arenas"] if arena["function"] == entry),
            100 * sum(change["extra_flops"] / max(change["flops"], 1)
                      for change in report.get("changes", ()) if change["function"] == entry))


def front(points):
    """Those of the points (bytes, FLOPs) that no other one beats, the largest first."""
    best = []
    for size, flops in sorted(points, key=lambda point: (point[1], point[0])):
        if not best or size < best[-1][0]:
            best.append((size, flops))
    return best


def times(text, entry, folder, rounds):
    """Nanoseconds of a call without stripes and with those that compute nothing twice."""
    paths, hashes, texts = [], set(), []
    for stripes in ("=stripe-sums=false", "=stripes=0"):
        texts.append(native.run(native.TOOL, f"--memplan-bufferize{stripes}", stdin=text).stdout)
        if texts[-1] in texts[:-1]:
            paths.append(paths[0])
            continue
        own = os.path.join(folder, f"program{stripes}")
        os.makedirs(own, exist_ok=True)
        bufferized, constants = native.move_constants(texts[-1])
        paths.append(native.compile_program(bufferized, entry, "planned", constants, own)[0])
    least = dict.fromkeys(paths, float("inf"))
    for _ in range(rounds):
        for path in least:
            time, *_, digest = native.run(path).stdout.split()[-5:]
            least[path] = min(least[path], float(time))
            hashes.add(digest)
    if len(hashes) > 1:
        sys.exit("results differ in stripes")
    return [least[path] for path in paths]


def measure(text, entry, folder, rounds):
    """The cells of a row, and the front."""
    whole, _ = plan(text, entry, "--memplan-from-tensors=stripe-sums=false report=json")
    planned = {limit: plan(text, entry, f"--memplan-from-tensors=stripes={limit} report=json")
               for limit in LIMITS}
    fitted, more = plan(text, entry, f"--memplan-fit=budget=1 best-effort plan=false function={entry}",
                        "--plan-memory=report=json")
    points = front([(whole, 0.0), *planned.values()])
    within = [min(size for size, flops in planned.values() if flops <= most) for most in (0, 10)]
    least, flops = points[-1]
    return ([whole, *(min(size, whole) for size in within), f"{least} ({flops:.1f} %)",
             f"{fitted} ({more:.1f} %)", *(f"{time / 1000:.0f} us" for time in times(text, entry, folder, rounds))],
            whole, points)


def draw(fronts, path):
    """Bytes (logarithmic) over FLOPs again, with a step at each point."""
    # No time and no random names: equal figures are equal files.
    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "memplan", "svg.fonttype": "none", "font.size": 7})
    columns = 3
    rows = -(-len(fronts) // columns)
    figure, axes = pyplot.subplots(rows, columns, figsize=(8, 1.8 * rows), squeeze=False)
    for panel, (name, whole, points) in itertools.zip_longest(axes.flat, fronts, fillvalue=("", 0, [])):
        if not points:
            panel.axis("off")
            continue
        sizes, flops = zip((whole, 0.0), *points)
        most = max(10.0, *flops)
        panel.step([*flops, most], [*sizes, sizes[-1]], where="post")
        panel.plot(flops, sizes, "o", color="C0", markersize=3)
        panel.set(title=name, xlim=(-most / 30, most), yscale="log")
        panel.set_yticks([whole, sizes[-1]], [str(whole), str(sizes[-1])])
        panel.minorticks_off()
        panel.xaxis.set_major_formatter("{x:.0f} %")
    figure.supxlabel("FLOPs that are computed again; bytes of the arena upwards (logarithmic)")
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def table(rows):
    lines = [TITLES, ["---"] + ["---:"] * (len(TITLES) - 1)] + rows
    return "".join("| " + " | ".join(map(str, line)) + " |\n" for line in lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", nargs=2, metavar=("PAGE", "PICTURE"))
    parser.add_argument("--replace", action="store_true",
                        help="write the page even if it has fewer rows than the old one")
    parser.add_argument("--only", default="", metavar="TEXT", help="programs with TEXT in their names")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    rows, fronts = [], []
    with tempfile.TemporaryDirectory() as folder:
        for name, text, entry in programs(folder):
            if options.only in name:
                row, whole, points = measure(text, entry, folder, options.rounds)
                rows.append([name, *row])
                fronts.append((name.split(" of ")[0].replace("examples/", ""), whole, points))
                print(" | ".join(map(str, rows[-1])), file=sys.stderr, flush=True)
    print(table(rows), end="")
    if not options.write:
        return
    page, drawing = options.write
    with open(page, encoding="utf-8") as file:
        before, rest = file.read().split(BEGIN)
    text = before + BEGIN + table(rows) + END + rest.split(END)[1]
    if not tables.write(page, text, replace=options.replace):
        sys.exit(1)
    draw(fronts, drawing)


main()
