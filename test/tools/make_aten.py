#!/usr/bin/python3
"""Writes joint graphs in the form of the recorded ones (NAME.aten.json), with
partitions and their peaks, so that the reader of this form is tested on more
than the three recorded graphs: views and views of views, splits (tuples of views),
dropout (a random op with two results, one of which may go unused), tied
weights, primals that share a storage, recurrent nets, expanded scalars,
outputs that are inputs or occur twice, parts that are saved and recomputed.

  make_aten.py FOLDER COUNT SEED

The peaks are computed here, by storage, without any code of the project.
"""
import json
import os
import random
import sys


class Maker:
    def __init__(self, rng):
        self.rng = rng
        self.nodes = []
        self.num_storages = 0
        self.bytes = {}

    def storage(self, size):
        self.bytes[self.num_storages] = size
        self.num_storages += 1
        return self.num_storages - 1

    def node(self, op, cls, inputs, storages, size, role=None, is_tuple=False,
             args=()):
        node = {"id": len(self.nodes), "name": f"n{len(self.nodes)}", "op": op,
                "target": cls, "inputs": list(inputs), "cls": cls,
                "size_bytes": size, "is_tuple": is_tuple, "role": role,
                "flops": 0, "args": list(args),
                "storages": list(storages),
                "storage_bytes": [self.bytes[s] for s in storages]}
        self.nodes.append(node)
        return node["id"]

    def compute(self, inputs):
        size = self.rng.choice([4, 64, 100, 1000])
        return self.node("call_function", "pointwise", inputs,
                         [self.storage(size)], size)

    def view(self, source):
        node = self.nodes[source]
        size = self.rng.choice([node["size_bytes"], node["size_bytes"] // 2,
                                4 * node["size_bytes"]])
        return self.node("call_function", "view", [source], node["storages"],
                         size)

    def getitem(self, source, k, storage, size):
        return self.node("call_function", "getitem", [source], [storage], size,
                         args=[f"%{source}", str(k)])

    def split(self, source):
        node = self.nodes[source]
        storage = node["storages"][0]
        whole = self.node("call_function", "view", [source], [storage] * 3, 0,
                          is_tuple=True)
        part = self.bytes[storage] // 3
        return [self.getitem(whole, k, storage, part)
                for k in range(3) if self.rng.random() < 0.8]

    def dropout(self, source):
        size = self.nodes[source]["size_bytes"]
        storages = [self.storage(size), self.storage(size // 4)]
        whole = self.node("call_function", "random", [source], storages, 0,
                          is_tuple=True)
        items = [self.getitem(whole, 0, storages[0], size)]
        if self.rng.random() < 0.7:
            items.append(self.getitem(whole, 1, storages[1], size // 4))
        return items

    def grow(self, pool, steps):
        for _ in range(steps):
            source = self.rng.choice(pool[-6:])
            kind = self.rng.random()
            if kind < 0.5:
                pool.append(self.compute(
                    [source, self.rng.choice(pool)][:self.rng.choice([1, 2])]))
            elif kind < 0.75:
                pool.append(self.view(source))
            elif kind < 0.87:
                pool.extend(self.split(source))
            else:
                pool.extend(self.dropout(source))


def make_graph(rng, name):
    maker = Maker(rng)
    primals = [maker.node("placeholder", "placeholder", [],
                          [maker.storage(rng.choice([40, 400, 4000]))], 0,
                          "primal") for _ in range(rng.randint(2, 5))]
    if rng.random() < 0.3:  # two primals share a storage
        shared = maker.nodes[primals[0]]["storages"]
        primals.append(maker.node("placeholder", "placeholder", [], shared, 0,
                                  "primal"))
    tangents = [maker.node("placeholder", "placeholder", [],
                           [maker.storage(4)], 4, "tangent")]
    for node in maker.nodes:
        node["size_bytes"] = node["storage_bytes"][0]
    forward = list(primals)
    if rng.random() < 0.4:  # a recurrent net: one weight, many steps
        state = maker.compute(primals[:1])
        for _ in range(rng.randint(2, 8)):
            state = maker.compute([state, primals[-1]])
            forward.append(state)
    maker.grow(forward, rng.randint(3, 30))
    first_backward = len(maker.nodes)
    outputs = [rng.choice(forward) for _ in range(rng.randint(1, 3))]
    backward = forward + tangents
    backward.append(maker.compute([tangents[0], rng.choice(forward)]))
    maker.grow(backward, rng.randint(3, 30))
    gradients = [rng.choice([v for v in backward if v >= first_backward])
                 for _ in range(rng.randint(1, 3))] + [None]
    data = {"model": name, "num_fwd_outputs": len(outputs),
            "outputs": outputs + gradients, "fwd_outputs": outputs,
            "bwd_outputs": gradients, "nodes": maker.nodes}
    partitions = [partition(rng, maker, data, first_backward)
                  for _ in range(3)]
    data["results"] = {f"p{k}": p for k, p in enumerate(partitions)}
    return data


def needed(maker, wanted, given):
    """The nodes that compute `wanted` from `given`, in order; None if this needs a
    tangent or a primal that is not given."""
    seen, stack = set(), [w for w in wanted if w not in given]
    while stack:
        i = stack.pop()
        if i in seen or i in given:
            continue
        if maker.nodes[i]["op"] == "placeholder":
            return None
        seen.add(i)
        stack += maker.nodes[i]["inputs"]
    return sorted(seen)


def partition(rng, maker, data, first_backward):
    """Saves some forward values; the backward function recomputes the others that it
    needs, if possible."""
    primals = [n["id"] for n in maker.nodes if n["role"] == "primal"]
    tangents = [n["id"] for n in maker.nodes if n["role"] == "tangent"]
    gradients = [g for g in data["bwd_outputs"] if g is not None]
    saved = sorted(rng.sample(range(first_backward),
                              rng.randint(0, first_backward // 2)))
    saved = [s for s in saved if s not in tangents
             and not maker.nodes[s]["is_tuple"]]
    while True:
        order = needed(maker, gradients, set(saved) | set(tangents))
        blocked = [] if order is None else recomputed_twice(maker, order, saved)
        if order is not None and not blocked:
            break
        extra = [p for p in primals if p not in saved] if order is None else [
            b for b in blocked if not maker.nodes[b]["is_tuple"]]
        extra = extra or [i for b in blocked
                          for i in maker.nodes[b]["inputs"]]
        before = list(saved)
        saved = sorted(set(saved) | set(extra))
        saved = [s for s in saved if not maker.nodes[s]["is_tuple"]]
        if saved == before:
            saved = [i for i in range(first_backward) if i not in tangents
                     and not maker.nodes[i]["is_tuple"]]
            order = needed(maker, gradients, set(saved) | set(tangents))
            break
    forward = needed(maker, data["fwd_outputs"] + saved, set(primals))
    ps = {s for p in primals for s in maker.nodes[p]["storages"]}
    fwd_peak = peak(maker, forward, primals, data["fwd_outputs"] + saved, ps)
    baseline_storages = {s for o in data["fwd_outputs"]
                         for s in maker.nodes[o]["storages"]} - ps
    baseline_storages -= {s for v in saved
                          for s in maker.nodes[v]["storages"]}
    baseline = sum(maker.bytes[s] for s in baseline_storages)
    held = ps | {s for t in tangents for s in maker.nodes[t]["storages"]}
    bwd_peak = baseline + peak(maker, order, saved + tangents, gradients, held)
    return {"saved": saved, "fw_order": forward, "bw_order": order,
            "bw_order_reordered": order, "fwd_peak": fwd_peak,
            "bwd_baseline": baseline, "bwd_peak": bwd_peak,
            "bwd_peak_reordered": bwd_peak, "peak": max(fwd_peak, bwd_peak),
            "peak_reordered": max(fwd_peak, bwd_peak)}


def recomputed_twice(maker, order, saved):
    """Nodes of the order that would recompute a storage whose original the backward
    function gets as well: the peak is computed by storage and cannot distinguish the
    two."""
    original = {s for v in saved for s in maker.nodes[v]["storages"]}
    makers = {}
    for node in maker.nodes:
        for s in node["storages"]:
            makers.setdefault(s, node["id"])
    return [i for i in order for s in maker.nodes[i]["storages"]
            if s in original and makers[s] == i]


def peak(maker, order, inputs, outputs, held):
    live = {s for i in inputs for s in maker.nodes[i]["storages"]}
    kept = held | {s for o in outputs for s in maker.nodes[o]["storages"]}
    last = {}
    for step, i in enumerate(order):
        for s in (*maker.nodes[i]["storages"],
                  *(s for j in maker.nodes[i]["inputs"]
                    for s in item_storages(maker, i, j))):
            last[s] = step
    most = sum(maker.bytes[s] for s in live)
    live = {s for s in live if s in last or s in kept}
    for step, i in enumerate(order):
        live |= set(maker.nodes[i]["storages"])
        most = max(most, sum(maker.bytes[s] for s in live))
        live = {s for s in live if s in kept or last[s] > step}
    return most


def item_storages(maker, user, source):
    """The storages that `user` uses: a getitem uses its item, other nodes the whole tuple."""
    if maker.nodes[user]["cls"] == "getitem":
        return maker.nodes[user]["storages"]
    return maker.nodes[source]["storages"]


def main():
    folder, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    os.makedirs(folder, exist_ok=True)
    for k in range(count):
        data = make_graph(random.Random(seed + k), f"made{seed + k}")
        path = os.path.join(folder, f"made{seed + k}.aten.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(data, file)


main()
