#!/usr/bin/python3
"""Recorded joint graphs of PyTorch (NAME.aten.json) as op graphs of memplan.

  aten_graph.py FILE                    the joint graph
  aten_graph.py FILE PARTITION fwd      the forward graph of a recorded partition
  aten_graph.py FILE PARTITION bwd      its backward graph
  aten_graph.py FILE PARTITION bwd_reordered
  aten_graph.py FILE --list             the partitions that have an order

Ops and values are named as the graph's nodes. A node without a storage of its
own is a view. A tuple is an op with one result for each item, named NODE.0, NODE.1;
its getitem nodes are views of these results.
"""
import json
import sys

COSTS = {"compute": "expensive", "reduction": "medium", "pointwise": "cheap",
         "random": "cheap", "view": "free", "getitem": "free"}
ROLES = {"primal": "primal", "tangent": "tangent", "fwd_rng": "fwd_rng",
         "bwd_rng": "bwd_rng"}


class Recorded:
    """A recorded joint graph."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.data = json.load(file)
        self.nodes = {n["id"]: n for n in self.data["nodes"]}
        self.makers = {}
        for node in self.data["nodes"]:
            for storage in node["storages"]:
                self.makers.setdefault(storage, node["id"])

    def with_role(self, role):
        return [n["id"] for n in self.data["nodes"]
                if n["op"] == "placeholder" and n["role"] == role]

    def partitions(self):
        return [name for name, result in self.data["results"].items()
                if "fw_order" in result]

    def joint(self):
        inputs = [i for i, n in self.nodes.items() if n["op"] == "placeholder"]
        order = [i for i, n in self.nodes.items()
                 if n["op"] not in ("placeholder", "output")]
        outputs = [o for o in self.data["outputs"] if o is not None]
        forward = sum(o is not None for o in
                      self.data["outputs"][:self.data["num_fwd_outputs"]])
        return SubGraph(self, "joint", inputs, order, outputs, forward).graph

    def forward(self, partition):
        result = self.data["results"][partition]
        users = [o for o in self.data["fwd_outputs"] if o is not None]
        inputs = self.with_role("primal") + self.with_role("fwd_rng")
        return SubGraph(self, partition + ".fwd", inputs, result["fw_order"],
                        users + result["saved"], len(users)).graph

    def backward(self, partition, reordered):
        result = self.data["results"][partition]
        outputs = [o for o in self.data["bwd_outputs"] if o is not None]
        inputs = list(result["saved"])
        inputs += [i for role in ("tangent", "bwd_rng")
                   for i in self.with_role(role) if i not in inputs]
        order = result["bw_order_reordered" if reordered else "bw_order"]
        return SubGraph(self, partition + ".bwd", inputs, order, outputs,
                        0).graph


class SubGraph:
    """Some nodes of a recorded graph, in an order, as an op graph."""

    def __init__(self, recorded, name, inputs, order, outputs, num_forward):
        self.recorded = recorded
        self.storages = {}  # id -> storage
        self.values = {}    # id -> value
        self.inside = {}    # recorded storage -> storage of this graph
        self.graph = {"format": "memplan.opgraph", "version": 1,
                      "name": recorded.data["model"] + "." + name,
                      "inputs": [], "ops": []}
        for i in inputs:
            self.add_input(recorded.nodes[i])
        for i in order:
            self.add_op(recorded.nodes[i])
        self.graph["storages"] = list(self.storages.values())
        self.graph["values"] = list(self.values.values())
        self.graph["outputs"] = [self.value_of(o) for o in outputs]
        self.graph["forward_outputs"] = num_forward

    def value_of(self, node_id):
        """The values of a node that others use by its name."""
        return self.values_of(node_id)[0]

    def values_of(self, node_id):
        node = self.recorded.nodes[node_id]
        if not node["is_tuple"]:
            return [node["name"]]
        return [f"{node['name']}.{k}" for k in range(len(node["storages"]))]

    def add_storage(self, recorded_id, size):
        name = f"s{recorded_id}"
        while name in self.storages:  # it is both an input and made again
            name += "'"
        self.storages[name] = {"id": name, "bytes": size}
        return name

    def add_value(self, name, storage, size):
        # An expanded view is larger than its storage; only the storage counts.
        size = min(size, self.storages[storage]["bytes"])
        self.values[name] = {"id": name, "storage": storage, "bytes": size}

    def add_input(self, node):
        for name, storage, size in self.parts(node):
            if storage not in self.inside:
                self.inside[storage] = self.add_storage(storage, size)
            self.add_value(name, self.inside[storage],
                           size if node["is_tuple"] else node["size_bytes"])
            entry = {"value": name}
            if node["role"] in ROLES:
                entry["role"] = ROLES[node["role"]]
            self.graph["inputs"].append(entry)

    def parts(self, node):
        """(value, recorded storage, bytes of the storage) for each item."""
        return zip(self.values_of(node["id"]), node["storages"],
                   node["storage_bytes"])

    def add_op(self, node):
        if node["op"] == "get_attr":
            for name, storage, size in self.parts(node):
                self.inside[storage] = self.add_storage(storage, size)
                self.storages[self.inside[storage]]["kind"] = "constant"
                self.add_value(name, self.inside[storage], size)
            return
        operands = []
        for i in node["inputs"]:
            names = self.values_of(i)
            if node["cls"] == "getitem" and self.recorded.nodes[i]["is_tuple"]:
                names = [names[int(node["args"][1])]] \
                    if self.is_whole(i, node) else names
            operands += [n for n in names if n in self.values]
        num_storages = len(self.storages)
        results = []
        for name, storage, size in self.parts(node):
            source = next((self.values[o]["storage"] for o in operands
                           if self.same(o, storage)), None)
            if source is None:
                source = self.add_storage(storage, size)
                self.inside[storage] = source
            self.add_value(name, source,
                           size if node["is_tuple"] else node["size_bytes"])
            results.append(name)
        op = {"id": node["name"], "name": str(node["target"]),
              "operands": operands, "results": results}
        if node["flops"]:
            op["flops"] = int(node["flops"])
        read = {o: self.values[o]["bytes"] for o in operands}
        is_view = len(self.storages) == num_storages
        if not is_view:
            op["bytes_read"] = sum(read.values())
            op["bytes_written"] = sum(self.values[r]["bytes"] for r in results)
        op["cost"] = ("free" if is_view
                      else COSTS.get(node["cls"], "expensive"))
        if node["cls"] == "random":
            op["random"] = "implicit"
        self.graph["ops"].append(op)

    def is_whole(self, tuple_id, item):
        """Whether the tuple lists one storage for each item, so that item k is storage k."""
        node = self.recorded.nodes[tuple_id]
        k = int(item["args"][1]) if len(item.get("args", [])) > 1 else -1
        return (0 <= k < len(node["storages"])
                and node["storages"][k] == item["storages"][0])

    def same(self, value, recorded_storage):
        """Whether the value lies in the recorded storage or a recomputed copy of it."""
        return self.values[value]["storage"].rstrip("'") == f"s{recorded_storage}"


def main():
    args = sys.argv[1:]
    if len(args) == 2 and args[1] == "--list":
        print("\n".join(Recorded(args[0]).partitions()))
        return
    if len(args) == 1:
        graph = Recorded(args[0]).joint()
    elif len(args) == 3 and args[2] == "fwd":
        graph = Recorded(args[0]).forward(args[1])
    elif len(args) == 3 and args[2] in ("bwd", "bwd_reordered"):
        graph = Recorded(args[0]).backward(args[1], args[2] != "bwd")
    else:
        sys.exit(__doc__)
    json.dump(graph, sys.stdout)


if __name__ == "__main__":
    main()
