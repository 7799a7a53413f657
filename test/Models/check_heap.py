#!/usr/bin/python3
"""check_heap.py FOLDER TOOLS (PROGRAM ENTRY)...: runs programs of FOLDER on memrefs with
a heap that records allocations and frees, and compares with memplan-profile.

A program is bufferized, frees are inserted by upstream's ownership analysis and moved
behind the last use by upstream's optimize-allocation-liveness; allocations are moved to
their first use by this script. The peak must be equal, and, without allocations in loops,
branches and callees, the curve as well: the live bytes before each release that follows
an allocation, and before each allocation that follows a release. The trace must give the
same peak in memplan-graph plan --trace=csv. TOOLS/mkmain.py makes a main function."""
import csv
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
import execution  # noqa: E402


def run(*command, text=None, env=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True, env=env)
    if done.returncode:
        sys.exit("%s failed:\n%s" % (" ".join(command)[:400], done.stderr[-3000:]))
    return done.stdout


TOOLS = execution.Tools()


def optimize(text, *flags):
    return TOOLS.memplan(" ".join(flags), text, *flags)[0]


def sink_allocations(text):
    """Moves each allocation before the first line that names it, or before the op around
    that line: the last line before it with the indentation of the allocation."""
    lines = text.splitlines()
    alloc = re.compile(r"( *)(%\w+) = memref\.alloc\(\)")
    for i in range(len(lines) - 1, -1, -1):
        match = alloc.match(lines[i])
        if not match:
            continue
        indent, name = match.groups()
        use = re.compile(re.escape(name) + r"\b")
        start = i
        for j in range(i + 1, len(lines)):
            if re.match(indent + r"[^ ^})]", lines[j]):
                start = j
            if use.search(lines[j]):
                lines.insert(start, lines[i])
                del lines[i]
                break
    return "\n".join(lines) + "\n"


def split_types(text):
    """The types of a list."""
    types, depth, start = [], 0, 0
    for i, c in enumerate(text + ","):
        depth += (c in "<([{") - (c in ">)]}" and text[i - 1] != "-")
        if c == "," and depth == 0:
            types.append(text[start:i].strip())
            start = i + 1
    return types


def return_no_arguments(text, entry):
    """Removes results of the entry function that are its arguments, as the ownership
    analysis would return copies of them."""
    head = re.search(r"func\.func @%s\(.*$" % re.escape(entry), text, re.M)
    body = re.compile(r"^    return( .*)?$", re.M).search(text, head.end())
    signature, arrow, types = head.group(0).rpartition(" -> ")
    if not arrow or not body.group(1):
        return text
    types = types.removesuffix(" {").strip()
    types = split_types(types[1:-1] if types.startswith("(") else types)
    values = body.group(1).partition(" : ")[0].split(",")
    kept = [(v.strip(), t) for v, t in zip(values, types)
            if not v.strip().startswith("%arg")]
    result = ", ".join(v for v, _ in kept)
    result_types = ", ".join(t for _, t in kept)
    return (text[:head.start()] + signature +
            (" -> (%s)" % result_types if kept else "") + " {" +
            text[head.end():body.start()] + "    return" +
            (" %s : %s" % (result, result_types) if kept else "") + text[body.end():])


def turning_points(entries):
    """The live bytes at the local extrema of a list of (live bytes, is allocation)."""
    points = []
    for live, is_allocation in entries:
        if points and points[-1][1] == is_allocation:
            points[-1] = (live, is_allocation)
        else:
            points.append((live, is_allocation))
    return [live for live, _ in points]


def measure(program, entry, tools, meter, folder):
    """The trace, as a list of (event, pointer, bytes)."""
    source = os.path.join(folder, "program.mlir")
    with open(source, "w") as file:
        file.write(program)
    harness = run("/usr/bin/python3", os.path.join(tools, "mkmain.py"), source, entry)
    # Surround the call of the entry function by calls that start and stop the recording.
    harness, count = re.subn(
        r"^( *)(.*(?:func\.)?call @%s\(.*)$" % re.escape(entry),
        r"\1func.call @meter_begin() : () -> ()\n\1\2\n\1func.call @meter_end() : () -> ()",
        harness, flags=re.M)
    if count != 1:
        sys.exit("%d calls of @%s" % (count, entry))
    harness = harness.rstrip()
    harness = harness[:harness.rindex("}")] + (
        "  func.func private @meter_begin()\n  func.func private @meter_end()\n}\n")
    lowered = TOOLS.lower(harness)
    trace = os.path.join(folder, "trace.csv")
    run("mlir-runner", "-O2", "-e", "harness_main", "-entry-point-result=void",
        "-shared-libs=" + ",".join([meter, *execution.runner_libraries()]),
        text=lowered, env=dict(os.environ, HEAP_METER=trace))
    with open(trace) as file:
        rows = list(csv.DictReader(file))
    return trace, [(r["event"], r["pointer"], int(r["bytes"] or 0)) for r in rows]


def check(path, entry, tools, meter, folder):
    with open(path) as file:
        text = file.read()
    # Remove alignments, so that allocations have the sizes of the buffers.
    text = re.sub(r"(memref\.alloc\([^)]*\)) \{alignment = \d+ : i64\}", r"\1", text)
    text = sink_allocations(return_no_arguments(optimize(text), entry))
    freed = optimize(
        optimize(text, "--buffer-deallocation-pipeline"),
        "--pass-pipeline=builtin.module(func.func(optimize-allocation-liveness))")
    trace, events = measure(freed, entry, tools, meter, folder)
    graph = optimize(text, "-o", "/dev/null",
                     "--memplan-export-graph=function=%s output=-" % entry)
    without = "--exclude=input,parameter,constant,primal,tangent,rng,donated"
    profile = json.loads(run("memplan-graph", "profile", "--format=json", without, "-",
                             text=graph))
    planned = json.loads(optimize(
        text, "-o", "/dev/null",
        "--memplan-profile=function=%s exclude=all format=json output=-" % entry))["profiles"][0]

    live, sizes, heap = 0, {}, []
    for event, pointer, size in events:
        if event == "alloc":
            sizes[pointer] = size
            live += size
        else:
            live -= sizes.pop(pointer)
        heap.append((live, event == "alloc"))
    heap_peak = max([live for live, _ in heap], default=0)
    entries = [(e["live_bytes"], e["phase"] == "allocate")
               for e in profile["entries"] if e["phase"] != "start"]
    has_inner = any(e.get("scratch_bytes") for e in profile["entries"])
    if profile["peak_bytes"] != heap_peak:
        sys.exit("%s: the profile's peak is %d, the heap's %d" %
                 (path, profile["peak_bytes"], heap_peak))
    if planned["peak_bytes"] > heap_peak:
        sys.exit("%s: with holes the peak is %d, the heap's %d" %
                 (path, planned["peak_bytes"], heap_peak))
    judged = run("memplan-graph", "plan", "--trace=csv", "--alignment=1", trace)
    if "\npeak: %d\n" % heap_peak not in judged:
        sys.exit("%s: the trace's peak is another one than %d:\n%s" %
                 (path, heap_peak, judged))
    if not has_inner:
        ours, theirs = turning_points(entries), turning_points(heap)
        if ours != theirs:
            at = next((i for i, (a, b) in enumerate(zip(ours, theirs)) if a != b),
                      min(len(ours), len(theirs)))
            sys.exit("%s: the curves differ at their turning point %d: %s and %s" %
                     (path, at, ours[at:at + 3], theirs[at:at + 3]))
    print("%s: peak %d (%d with holes), %d allocations%s" % (
        os.path.basename(path), heap_peak, planned["peak_bytes"],
        sum(e[0] == "alloc" for e in events),
        "" if has_inner else ", the curves are the same"))


def main():
    models, tools = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as folder:
        meter = os.path.join(folder, "heap_meter.so")
        run("clang-22", "-shared", "-fPIC", "-O1", "-o", meter,
            os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools",
                         "heap_meter.c"))
        for name, entry in zip(sys.argv[3::2], sys.argv[4::2]):
            check(os.path.join(models, name + ".memref.mlir"), entry, tools, meter, folder)


if __name__ == "__main__":
    main()
