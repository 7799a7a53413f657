#!/usr/bin/python3
"""Compares memplan-graph's profiles of forward and backward pairs with the recorded
peaks of PyTorch's partitions.

  check_recorded_peaks.py FILE.aten.json...

Every partition of a file that lists its order of ops is compared, in this order and
reordered: forward peak, baseline, backward peak and the larger of the two. The
partition default_1.13 has no order, as it was recorded for the graph before equal ops
were merged. If a file has it, that graph is reconstructed (see unmerge).
"""
import copy
import json
import os
import subprocess
import sys
import tempfile

import aten_graph


def pair_profile(forward, backward):
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name, graph in (("fwd", forward), ("bwd", backward)):
            paths.append(os.path.join(folder, name + ".json"))
            with open(paths[-1], "w", encoding="utf-8") as file:
                json.dump(graph, file)
        run = subprocess.run(
            ["memplan-graph", "profile", paths[0], "--backward=" + paths[1],
             "--format=json"], stdout=subprocess.PIPE, text=True, check=True)
        return json.loads(run.stdout)


# Ops that the backward function of recorded graphs had twice before equal ops were
# merged: (op, ops that use the second one, the op before which the second one ran).
# They follow from the gaps in the numbers of the names, and from the recorded number
# of ops of the partition.
SECOND_OPS = {"resnet2": [
    ("sub_5", ["mul_20"], "mul_20"), ("sub_9", ["mul_29"], "mul_29"),
    ("sub_13", ["mul_38"], "mul_38"), ("sub_17", ["mul_47"], "mul_47"),
    ("sub_21", ["mul_56"], "mul_56"),
    ("scalar_tensor", ["where_1"], "where_1"),
    ("scalar_tensor", ["where_2"], "where_2"),
    ("scalar_tensor", ["where_3"], "where_3"),
    ("sum_2", [], "sub_9"), ("mul_15", [], "mul_25"),
    ("unsqueeze_25", [], "mul_25"), ("unsqueeze_26", [], "mul_25"),
    ("unsqueeze_27", ["sub_12"], "mul_25")]}
# Ops whose second copy uses the second copy of its operand.
SECOND_CHAIN = {"mul_15", "unsqueeze_25", "unsqueeze_26", "unsqueeze_27"}
# Outputs of the backward function that are a second copy: position, op.
SECOND_OUTPUTS = {"resnet2": [(12, "sum_2")]}


def unmerge(recorded, merged, name):
    """The recorded graph with the partition `name`, whose order is reconstructed from
    that of the partition `merged`: the backward function computes values that it does
    not get right before their first use, and SECOND_OPS are inserted again."""
    recorded = copy.deepcopy(recorded)
    data, nodes = recorded.data, recorded.nodes
    by_name = {n["name"]: i for i, n in nodes.items()}
    result = data["results"][name]
    result["saved"] = [by_name[s] for s in result["saved_names"]
                       if s in by_name]  # the others are second views
    result["fw_order"] = data["results"][merged]["fw_order"]
    given = set(result["saved"]) | set(recorded.with_role("tangent"))
    order = []

    def compute(i):
        if i not in given:
            for j in nodes[i]["inputs"]:
                compute(j)
            given.add(i)
            order.append(i)

    for i in data["results"][merged]["bw_order"]:
        compute(i)
    previous = second_sum = None
    for op, users, place in SECOND_OPS.get(data["model"], []):
        node = copy.deepcopy(nodes[by_name[op]])
        node["id"] = max(nodes) + 1
        node["name"] += "_second"
        while node["name"] in by_name:
            node["name"] += "_more"
        if op in SECOND_CHAIN:
            node["inputs"] = [previous]
        if node["cls"] == "view":
            node["storages"] = nodes[node["inputs"][0]]["storages"]
        else:
            node["storages"] = [max(recorded.makers) + 1]
            recorded.makers[node["storages"][0]] = node["id"]
        by_name[node["name"]] = previous = node["id"]
        nodes[previous] = node
        if op == "sum_2":
            second_sum = previous
        for user in users:
            inputs = nodes[by_name[user]]["inputs"]
            inputs[inputs.index(by_name[op])] = previous
        order.insert(order.index(by_name[place]), previous)
    for position, op in SECOND_OUTPUTS.get(data["model"], []):
        assert op == "sum_2"
        data["bwd_outputs"][position] = second_sum
    result["bw_order"] = order
    assert len(order) == result["bw_nodes"]
    return recorded


def main():
    failures = 0
    for path in sys.argv[1:]:
        recorded = aten_graph.Recorded(path)
        cases = [(recorded, name, suffix) for name in recorded.partitions()
                 for suffix in ("", "_reordered")]
        if "default_1.13" in recorded.data["results"]:
            rebuilt = unmerge(recorded, "default_1.13_on_cse", "default_1.13")
            cases.append((rebuilt, "default_1.13", ""))
        for graph, name, suffix in cases:
            result = graph.data["results"][name]
            found = pair_profile(graph.forward(name),
                                 graph.backward(name, bool(suffix)))
            got = [found[k] for k in ("forward_peak_bytes", "baseline_bytes",
                                      "backward_peak_bytes", "peak_bytes")]
            expected = [result[k] for k in ("fwd_peak", "bwd_baseline",
                                            "bwd_peak" + suffix,
                                            "peak" + suffix)]
            verdict = "equal" if got == expected else f"not {expected}"
            failures += got != expected
            print(graph.data["model"], name + suffix, got, verdict)
    sys.exit(failures > 0)


main()
