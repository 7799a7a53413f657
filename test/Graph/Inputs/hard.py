"""Prints an op graph whose least peak no search proves: layers of ops, each of which
reads results of several earlier layers."""
import json
import random

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
print(json.dumps({"format": "memplan.opgraph", "version": 1, "values": values,
                  "inputs": [{"value": "x"}], "ops": ops,
                  "outputs": made[-20:]}))
