#!/usr/bin/env python3
# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the table of the ops of ONNX that importers take: python/memplan/importers/onnx_ops.json.

It runs ONNX's own backend tests, the cases of onnx_cases.py, and the models of import_models.py
and test_importers.py: import, plan, compile, run, compare with the values that the test has. Most tests have one
version of each op, the newest. Each is also made a model of older versions of its op, whose
values onnxruntime computes, a model whose sizes are free, and one with constant operands.

    onnx_ops.py run ROWS [--jobs N] [--match REGEX] [--every N] [--minutes M]
                                         appends a line to ROWS for each case that it has not
    onnx_ops.py write ROWS               writes the table, and prints what it refuses of the equal ones
    onnx_ops.py docs [--check]           writes the table of docs/from-models.md

The environment is that of `./dev test --frameworks`, and onnxruntime.
"""
import argparse
import collections
import json
import multiprocessing
import os
import pickle
import re
import shutil
import signal
import sys
import tempfile
import time
import warnings

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TABLE = os.path.join(ROOT, "python", "memplan", "importers", "onnx_ops.json")
PAGE = os.path.join(ROOT, "docs", "from-models.md")
#: Versions of schemas that only older opsets have are not looked for.
OLDEST = 9


class Case:
    def __init__(self, name, model, inputs, outputs, rtol=1e-3, atol=1e-5):
        """The inputs of the graph in its order; None for the outputs: onnxruntime computes them."""
        self.name, self.model, self.inputs, self.outputs = name, model, inputs, outputs
        self.rtol, self.atol = rtol, atol


def copy(model):
    return type(model).FromString(model.SerializeToString())


def node_cases():
    import onnx
    from onnx.backend.test.case.node import collect_testcases

    def arrays(values):
        return [onnx.numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else value
                for value in values]

    for case in collect_testcases(None):
        for inputs, outputs in case.data_sets[:1]:
            yield Case(f"node/{case.name}", case.model, arrays(inputs), arrays(outputs),
                       max(case.rtol, 1e-3), max(case.atol, 1e-5))


def saved_cases():
    """Those that the package has as files: models of old opsets."""
    import glob
    import onnx.backend.test
    from onnx import numpy_helper
    data = os.path.join(os.path.dirname(onnx.backend.test.__file__), "data")

    def tensor(path):
        value = onnx.TensorProto()
        with open(path, "rb") as file:
            value.ParseFromString(file.read())
        return numpy_helper.to_array(value)

    for folder in sorted(glob.glob(f"{data}/simple/test_*") + glob.glob(f"{data}/pytorch-*/test_*")):
        kind, name = folder.split(os.sep)[-2:]
        first = f"{folder}/test_data_set_0"
        try:
            values = [[tensor(f"{first}/{what}_{number}.pb") for number in range(len(
                glob.glob(f"{first}/{what}_*.pb")))] for what in ("input", "output")]
        except Exception:  # Sequences and the like.
            continue
        yield Case(f"{kind}/{name}", onnx.load(f"{folder}/model.onnx"), *values)


def own_cases():
    import onnx_cases
    for name, model, inputs, outputs in onnx_cases.cases():
        yield Case(f"own/{name}", model, inputs, outputs)


def model_cases():
    """The models of import_models.py that are files of ONNX."""
    import onnx
    import import_models
    for name, make in sorted(import_models.MODELS.items()):
        if not name.startswith("onnx_"):
            continue
        case = make()
        weights, inputs, outputs = case.runs[0]()
        yield Case(f"models/{name}", onnx.load(case.model), inputs, outputs, 1e-4, 1e-4)


def tested_cases():
    """The models of test_importers.py that have arguments."""
    import onnx
    import test_importers as tests
    for function in (tests.test_values_of_onnx, tests.test_bodies_of_onnx):
        for parameters in function.pytestmark[0].args[1]:
            text, arguments = parameters.values[:2]
            yield Case(f"tested/{parameters.id}", onnx.parser.parse_model(text), arguments, None)


def single(case):
    """The only node of the case, or None."""
    nodes = case.model.graph.node
    return nodes[0] if len(nodes) == 1 and "_expanded" not in case.name and \
        not nodes[0].domain and not case.model.functions else None


def older(case):
    """The case with each older version of its op."""
    import numpy
    import onnx
    node = single(case)
    if node is None:
        return
    opset = max(entry.version for entry in case.model.opset_import)
    now = onnx.defs.get_schema(node.op_type, opset, "")
    versions = sorted({schema.since_version for schema in onnx.defs.get_all_schemas_with_history()
                       if schema.name == node.op_type and schema.domain == ""})
    names = [value.name for value in case.model.graph.input]
    for version, after in zip(versions, versions[1:]):
        if after - 1 < OLDEST or version >= now.since_version:
            continue
        schema = onnx.defs.get_schema(node.op_type, version, "")
        model, inputs = copy(case.model), list(case.inputs)
        changed = model.graph.node[0]
        # Operands that were attributes.
        kept = list(changed.input)
        for number, formal in enumerate(now.inputs):
            if number < len(kept) and kept[number] and formal.name in schema.attributes and \
                    formal.name not in [old.name for old in schema.inputs] and kept[number] in names:
                place = [value.name for value in model.graph.input].index(kept[number])
                value = numpy.asarray(inputs.pop(place))
                del model.graph.input[place]
                kept[number] = ""
                kind = schema.attributes[formal.name].type.value
                is_list = kind in (onnx.AttributeProto.INTS, onnx.AttributeProto.FLOATS)
                if kind in (onnx.AttributeProto.FLOAT, onnx.AttributeProto.FLOATS):
                    value = value.astype("f8")
                changed.attribute.append(onnx.helper.make_attribute(
                    formal.name, value.ravel().tolist() if is_list else value.item(), attr_type=kind))
        while kept and not kept[-1]:
            kept.pop()
        for number, formal in enumerate(schema.inputs[:len(kept)]):
            if not kept[number] and formal.option == onnx.defs.OpSchema.FormalParameterOption.Single:
                kept[number] = f"no_{formal.name}"
                model.graph.initializer.append(onnx.helper.make_tensor(
                    kept[number], onnx.TensorProto.FLOAT, [0], []))
        changed.input[:] = kept
        if len(kept) > schema.max_input or any(a.name not in schema.attributes for a in changed.attribute):
            continue
        # The newest opset that has this version.
        for entry in model.opset_import:
            entry.version = after - 1
        model.ir_version = 8
        yield Case(f"{case.name}@{version}", model, inputs, None, case.rtol, case.atol)


def is_size(value):
    """Whether models have it as a constant."""
    import numpy
    return isinstance(value, numpy.ndarray) and value.dtype.kind == "i" and value.ndim < 2


def constant(case, which, suffix):
    """The case with operands as constants, and the places of the others; None if there are none."""
    import numpy
    from onnx import numpy_helper
    node = single(case)
    if node is None or len(case.inputs) != len(case.model.graph.input):
        return None
    model, inputs = copy(case.model), []
    values = list(model.graph.input)
    del model.graph.input[:]
    for number, (value, given) in enumerate(zip(values, case.inputs)):
        if number and isinstance(given, (numpy.ndarray, numpy.generic)) and which(given):
            model.graph.initializer.append(numpy_helper.from_array(numpy.asarray(given), value.name))
        else:
            model.graph.input.append(value)
            inputs.append(given)
    return Case(case.name + suffix, model, inputs, case.outputs, case.rtol, case.atol)


def free(case):
    """The case with free sizes, and what models have as constants as such."""
    made = constant(case, is_size, "@free")
    if made is None:
        return None
    for values in (made.model.graph.input, made.model.graph.output):
        for value in values:
            if not value.type.HasField("tensor_type"):
                return None
            for number, dim in enumerate(value.type.tensor_type.shape.dim):
                if dim.dim_value != 1:  # Models state that a dimension is repeated.
                    dim.dim_param = f"{value.name}_{number}"
    del made.model.graph.value_info[:]
    return made


def cases():
    """All, those that others wrote first. Of those that are made of them only such whose nodes have
    traits that none before has."""
    import onnx
    from memplan.importers import _known
    seen = set()

    def is_new(case):
        try:
            key = json.dumps([[n.op, n.version, n.traits] for n in _known.nodes_of(onnx, case.model)])
        except Exception:
            return False
        known = key in seen
        seen.add(key)
        return not known

    first = [case for source in (own_cases, node_cases, saved_cases, model_cases, tested_cases) for case in source()]
    for case in first:
        is_new(case)
    yield from first
    for case in first:
        yield from filter(is_new, older(case))
    for case in first:
        for made in (free(case), constant(case, lambda value: True, "@const")):
            if made is not None and is_new(made):
                yield made


# Running one case.

def reference(case):
    """What onnxruntime computes, or onnx where that has no such op."""
    import numpy
    import onnx
    import onnx.reference
    onnx.checker.check_model(case.model, full_check=True)
    names = [value.name for value in case.model.graph.input]
    feed = {name: numpy.asarray(value) for name, value in zip(names, case.inputs)}
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    try:
        session = onnxruntime.InferenceSession(case.model.SerializeToString(), options,
                                               providers=["CPUExecutionProvider"])
        return session.run(None, feed)
    except Exception:
        if "@" in case.name:
            raise
        return onnx.reference.ReferenceEvaluator(case.model).run(None, feed)


def differs(got, want, rtol, atol):
    import numpy
    want = numpy.asarray(want)
    if got.size != want.size or got.shape != want.shape and got.ndim:
        return True
    got = got.reshape(want.shape)
    if want.dtype == bool:
        got = got != 0
    elif want.dtype.name == "bfloat16":
        got, want = (got.view("uint16").astype("uint32") << 16).view("float32"), want.astype("float32")
        rtol = atol = 2e-2
    elif want.dtype.kind in "iu" and got.itemsize == want.itemsize:
        got = got.view(want.dtype)
    elif want.dtype == numpy.float16:
        rtol, atol = max(rtol, 4e-3), max(atol, 4e-3)
    if want.dtype.kind not in "fiub":
        raise ValueError(f"a value of {want.dtype}")
    if want.dtype.kind in "iub":
        return not numpy.array_equal(got, want)
    return not numpy.allclose(got.astype("f8"), want.astype("f8"), rtol, atol, equal_nan=True)


def run_apart(function):
    """What the function returns, in a process that may die; None if it dies."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        signal.alarm(20)
        try:
            os.write(write, json.dumps(function()).encode())
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as file:
        text = file.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else None


def run(case, folder):
    import numpy
    import onnx
    import memplan
    from memplan.importers import _known, import_model
    from memplan.running.executable import Executable
    from onnx import numpy_helper
    row = {"name": case.name, "nodes": [
        {"op": n.op, "version": n.version, "traits": n.traits, "types": n.types}
        for n in _known.nodes_of(onnx, case.model)]}

    def end(result, why=""):
        return {**row, "result": result, "why": str(why)[:300]}

    if not all(isinstance(value, (numpy.ndarray, numpy.generic)) for value in case.inputs):
        return end("skipped", "a value is no tensor")
    wanted = case.outputs
    try:
        if wanted is None:
            wanted = reference(case)
        wanted = [None if value is None else numpy.asarray(value) for value in wanted]
    except Exception as error:
        return end("skipped", f"no reference: {error}")
    path = os.path.join(folder, "model.onnx")
    onnx.save(case.model, path)
    try:
        program = import_model(path)
    except memplan.MemplanError as error:
        return end("refused", error)
    given = {t.name: numpy_helper.to_array(t) for t in case.model.graph.initializer}
    free_names = [v.name for v in case.model.graph.input if v.name not in given or
                  len(case.inputs) == len(case.model.graph.input)]
    given.update(zip(free_names, case.inputs))
    arguments = []
    for argument in program.arguments:
        value = numpy.asarray(given[argument.name])
        if value.dtype.name == "bfloat16":
            value = value.view("uint16")
        elif value.dtype == bool:
            value = value.astype("uint8")
        arguments.append(value)
    try:
        planned = memplan.plan(program.text, from_tensors=True).text
        function = Executable(planned, program.entry, level=0)
    except Exception as error:
        return end("not compiled", error)
    head = re.search(r"func\.func (?:public )?@main\((.*)$", program.text, re.M)
    for number, value in enumerate(arguments):
        shape = re.search(rf"%arg{number}: tensor<((?:[\d?]+x)*)", head.group(1)) if head else None
        sizes = shape.group(1).split("x")[:-1] if shape else []
        if len(sizes) != value.ndim or any(s not in ("?", str(n)) for s, n in zip(sizes, value.shape)):
            return end("wrong", f"argument {number} has other sizes")

    def compare():
        results = function(*arguments)
        results = results[len(results) - len(wanted):]
        return len(results) == len(wanted) and not any(
            want is not None and differs(got, want, case.rtol, case.atol)
            for got, want in zip(results, wanted))
    try:
        is_equal = run_apart(compare)
    except ValueError as error:
        return end("skipped", error)
    return end("equal" if is_equal else "wrong", "" if is_equal is not None else "it dies")


def work(number, jobs, listed, rows, minutes):
    warnings.simplefilter("ignore")
    end = time.time() + 60 * minutes
    with tempfile.TemporaryDirectory() as folder, open(rows, "a", buffering=1) as file:
        for path in listed[number::jobs]:
            if time.time() > end:
                break
            with open(path, "rb") as held:
                case = pickle.load(held)
            try:
                row = run(case, folder)
            except Exception as error:
                row = {"name": case.name, "nodes": [], "result": "skipped", "why": repr(error)[:300]}
            file.write(json.dumps(row) + "\n")


def run_all(args):
    """With a copy of the package that refuses nothing."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(os.path.join(ROOT, "python", "memplan"), os.path.join(folder, "memplan"))
        with open(os.path.join(folder, "memplan", "importers", "onnx_ops.json"), "w") as file:
            json.dump({"ops": None}, file)
        sys.path[:0] = [folder, os.path.join(ROOT, "test", "python")]
        done = {row["name"] for row in read(args.rows)} if os.path.exists(args.rows) else set()
        listed = []
        for number, case in enumerate(cases()):
            if number % args.every == 0 and case.name not in done and re.search(args.match, case.name):
                listed.append(os.path.join(folder, f"case{len(listed)}"))
                with open(listed[-1], "wb") as file:
                    pickle.dump(case, file)
        print(f"{len(listed)} cases", flush=True)
        context = multiprocessing.get_context("spawn")
        workers = [context.Process(target=work, args=(n, args.jobs, listed, args.rows, args.minutes))
                   for n in range(args.jobs)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    print(collections.Counter(row["result"] for row in read(args.rows)))


def read(path):
    with open(path) as file:
        return [json.loads(line) for line in file]


# The table.

def key(node):
    return json.dumps([node["op"], node["version"], node["traits"], node["types"]])


def alone(row):
    """The node of the row that is wrong, if there is one only."""
    nodes = [node for node in row["nodes"] if node["op"] != "Constant"]
    return nodes[0] if len(nodes) == 1 else None


def write(args):
    rows = read(args.rows)
    ops = {}
    for row in rows:
        if row["result"] != "equal":
            continue
        for node in row["nodes"]:
            if not node["version"]:
                continue
            entry = ops.setdefault(node["op"], {}).setdefault(str(node["version"]), {"seen": {}})
            for name, values in node["traits"].items():
                seen = entry["seen"].setdefault(name, [])
                seen += [value for value in values if value not in seen]
                seen.sort()
    # Free sizes and constants are compared with one version of an op.
    for versions in ops.values():
        for name in ("sizes", "operands"):
            all_seen = sorted({value for entry in versions.values() for value in entry["seen"].get(name, [])})
            for entry in versions.values():
                if name in entry["seen"]:
                    entry["seen"][name] = all_seen
    equal = {key(node) for row in rows if row["result"] == "equal" for node in row["nodes"]}
    for row in rows:
        node = alone(row)
        if row["result"] != "wrong":
            continue
        if node is None:
            print(f"wrong, of several nodes: {row['name']}")
            continue
        entry = ops.get(node["op"], {}).get(str(node["version"]))
        wrong = {"traits": node["traits"], "types": node["types"]}
        if entry is None or not all(value in entry["seen"].get(name, ()) for name, values in
                                    node["traits"].items() for value in values):
            continue  # Refused without it.
        if key(node) in equal:
            print(f"equal and wrong for the same traits, hence refused: {row['name']}")
        if wrong not in entry.setdefault("wrong", []):
            entry["wrong"].append(wrong)
    for versions in ops.values():
        for entry in versions.values():
            if "wrong" in entry:
                entry["wrong"].sort(key=json.dumps)
    with open(TABLE, "w") as file:
        import onnx
        file.write(json.dumps({"onnx": onnx.__version__, "ops": None})[:-len("null}")] + "{\n")
        lines = [f"{json.dumps(op)}: {{\n" + ",\n".join(
            f"  {json.dumps(version)}: {json.dumps(ops[op][version], sort_keys=True)}"
            for version in sorted(ops[op], key=int)) + "}" for op in sorted(ops)]
        file.write(",\n".join(lines) + "}}\n")
    print(f"{len(ops)} ops, {sum(map(len, ops.values()))} versions; "
          f"{collections.Counter(row['result'] for row in rows)}")
    from types import SimpleNamespace
    from memplan.importers import _known
    for result in ("equal", "wrong"):
        found = [row["name"] for row in rows if row["result"] == result and (result == "wrong") == all(
            _known.reason(ops, SimpleNamespace(schema=True, **node)) is None for node in row["nodes"])]
        print(f"{'refused' if result == 'equal' else 'taken'} although {result}: {len(found)}", *found)


BEGIN = "<!-- the table of ops: test/tools/onnx_ops.py docs -->\n"
END = "<!-- end of the table -->\n"
#: Values of traits that are no modes.
PLAIN = ("computed", "constant", "empty", "free", "given", "greater", "negative", "none", "several", "NOTSET")


def page():
    with open(TABLE) as file:
        ops = json.load(file)["ops"]
    lines = ["| op | versions of its schema | modes |", "| --- | --- | --- |"]
    for op, versions in ops.items():
        modes = {}
        for entry in versions.values():
            for name, values in entry["seen"].items():
                texts = {text for text in values if text not in PLAIN and re.fullmatch(r"[A-Za-z_]\w*", text)}
                if texts:
                    modes.setdefault(name, set()).update(texts)
        shown = "; ".join(f"`{name}` {', '.join(sorted(texts))}" for name, texts in sorted(modes.items()))
        lines.append(f"| `{op.removeprefix('onnx.')}` | {', '.join(sorted(versions, key=int))} | {shown} |")
    return "\n".join(lines) + "\n"


def docs(args):
    with open(PAGE) as file:
        text = file.read()
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    made = before + BEGIN + page() + END + after
    if args.check:
        sys.exit(made != text)
    with open(PAGE, "w") as file:
        file.write(made)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("run")
    one.add_argument("rows")
    one.add_argument("--jobs", type=int, default=2)
    one.add_argument("--match", default="")
    one.add_argument("--every", type=int, default=1)
    one.add_argument("--minutes", type=float, default=1e6)
    one.set_defaults(do=run_all)
    one = commands.add_parser("write")
    one.add_argument("rows")
    one.set_defaults(do=write)
    one = commands.add_parser("docs")
    one.add_argument("--check", action="store_true")
    one.set_defaults(do=docs)
    args = parser.parse_args()
    args.do(args)


if __name__ == "__main__":
    main()
