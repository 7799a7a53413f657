"""Prints an op graph whose least peak no search proves: layers of ops, each of which
reads results of several earlier layers. With the argument "joint" they are the
backward function of a joint graph."""
import json
import random
import sys

rng = random.Random(7)
values = [{"id": "x", "bytes": 64}]
ops = []
made = ["x"]
for i in range(900):
    name = f"v{i}"
    values.append({"id": name, "bytes": rng.randrange(1, 1000)})
    operands = [rng.choice(made[-60:]) for _ in range(rng.randrange(1, 4))]
    ops.append({"id": f"o{i}", "operands": operands, "results": [name],
                "flops": rng.randrange(1, 100)})
    made.append(name)
graph = {"format": "memplan.opgraph", "version": 1, "values": values,
         "inputs": [{"value": "x"}], "ops": ops, "outputs": made[-20:]}
if sys.argv[1:] == ["joint"]:
    values += [{"id": "p", "bytes": 64}, {"id": "q", "bytes": 64}]
    ops.insert(0, {"id": "forward", "operands": ["p"], "results": ["q"], "flops": 1})
    ops[1]["operands"].append("q")
    graph["inputs"] = [{"value": "p", "role": "primal"}, {"value": "x", "role": "tangent"}]
    graph["outputs"].insert(0, "q")
    graph["forward_outputs"] = 1
print(json.dumps(graph))
