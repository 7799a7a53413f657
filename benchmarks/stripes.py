#!/usr/bin/python3
"""stripes.py [--write PAGE PICTURE [--replace]] [--only TEXT] [--rounds N]: measures memplan-stripe.

Plans each program with several limits on the FLOPs that stripes may compute again, and runs it
without stripes and with those that compute nothing twice. Results must be equal bit for bit. Writes
a table between the marks of PAGE, and the fronts (bytes over FLOPs) as an SVG picture. Programs are
the example network, those of ../shared, if that folder exists, and two networks of the tests, if
build/frameworks has PyTorch. Sizes are exact; times are the minimum of N rounds.
"""
import argparse
import json
import math
import os
import re
import subprocess
import sys
import tempfile

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
    for stripes in ("", "=stripes=0"):
        texts.append(native.run(native.TOOL, f"--memplan-bufferize{stripes}", stdin=text).stdout)
        if texts[-1] in texts[:-1]:
            paths.append(paths[0])
            continue
        own = os.path.join(folder, f"program{stripes}")
        os.makedirs(own, exist_ok=True)
        bufferized, constants = native.move_constants(texts[-1])
        paths.append(native.compile_program(bufferized, entry, "planned", constants, own)[0])
    least = dict.fromkeys(paths, math.inf)
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
    whole, _ = plan(text, entry, "--memplan-from-tensors=report=json")
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


WIDTH, HEIGHT, COLUMNS, LEFT, TOP, FOOT = 250, 190, 3, 58, 34, 34


def panel(name, whole, points, column, row):
    """Bytes (logarithmic) over FLOPs again, with a step at each point."""
    most = max(10.0, *(flops for _, flops in points))
    low, high = math.log(min(size for size, _ in points)), math.log(whole)
    left, top = column * WIDTH, row * HEIGHT

    def place(size, flops):
        down = (high - math.log(size)) / max(high - low, 1e-9)
        return (left + LEFT + flops / most * (WIDTH - LEFT - 20),
                top + TOP + down * (HEIGHT - TOP - FOOT))

    text = [f'<text x="{left + LEFT}" y="{top + 16}" font-weight="bold">{name}</text>']
    bottom = top + HEIGHT - FOOT
    text.append(f'<path d="M{left + LEFT} {top + TOP}V{bottom}H{left + WIDTH - 20}" fill="none" stroke="#888"/>')
    for at in (0, most):
        x = place(whole, at)[0]
        text.append(f'<text x="{x:.1f}" y="{bottom + 15}" text-anchor="middle">{at:.0f} %</text>')
    path = ""
    for size, flops in [(whole, 0.0), *points]:
        x, y = place(size, flops)
        path += f"H{x:.1f}V{y:.1f}" if path else f"M{x:.1f} {y:.1f}"
        text.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="#1f77b4"/>')
    path += f"H{left + WIDTH - 20}"
    text.append(f'<path d="{path}" fill="none" stroke="#1f77b4" stroke-width="2"/>')
    for size in (whole, points[-1][0]):
        y = place(size, 0)[1]
        text.append(f'<text x="{left + LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{size}</text>')
    return text


def picture(fronts):
    rows = -(-len(fronts) // COLUMNS)
    width, height = WIDTH * COLUMNS, HEIGHT * rows + 20
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
             'font-family="sans-serif" font-size="11">',
             f'<rect width="{width}" height="{height}" fill="white"/>']
    for number, (name, whole, points) in enumerate(fronts):
        lines += panel(name, whole, points, number % COLUMNS, number // COLUMNS)
    lines.append(f'<text x="{width // 2}" y="{height - 8}" text-anchor="middle">bytes of the arena '
                 '(logarithmic) over FLOPs that are computed again</text></svg>')
    return "\n".join(lines) + "\n"


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
    with open(drawing, "w", encoding="utf-8") as file:
        file.write(picture(fronts))


main()
