"""large.py KIND COUNT: prints a large input: a problem of so many buffers (problem),
an op graph (graph), or a joint graph of as many forward as backward ops (joint)."""
import json
import sys

kind, count = sys.argv[1], int(sys.argv[2])


def size(i):
    return 64 * (1 + i % 50)


def graph(values, inputs, ops, outputs, forward):
    values = [{"id": name, "bytes": size} for name, size in values]
    ops = [{"id": result, "operands": operands, "results": [result],
            "flops": i % 100} for i, (result, operands) in enumerate(ops)]
    print(json.dumps({"format": "memplan.opgraph", "version": 1,
                      "values": values, "inputs": inputs, "ops": ops,
                      "outputs": outputs, "forward_outputs": forward}))


if kind == "problem":
    print("id,lower,upper,size")
    for i in range(count):
        print(f"b{i},{i},{i + 1 + i * 7919 % 97},{size(i * 31)}")
elif kind == "graph":
    graph([(f"v{i}", size(i)) for i in range(count + 1)], [{"value": "v0"}],
          [(f"v{i}", [f"v{i - 1}", f"v{max(0, i - 1 - 7 * (i % 11))}"])
           for i in range(1, count + 1)], [f"v{count}"], 1)
else:
    forward = [(f"f{i}", [f"f{i - 1}" if i else "x"]) for i in range(count)]
    backward = [(f"g{i}", [f"g{i + 1}" if i < count - 1 else "dy", f"f{i}"])
                for i in reversed(range(count))]
    graph([("x", 64), ("dy", 64)] + [(f"{side}{i}", size(i)) for side in "fg"
                                     for i in range(count)],
          [{"value": "x", "role": "primal"}, {"value": "dy", "role": "tangent"}],
          forward + backward, [f"f{count - 1}", "g0"], 1)
