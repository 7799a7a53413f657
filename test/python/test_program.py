# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs."""
import json
import os
import pickle
import subprocess
import sys
import tempfile
import threading

import memplan
import pytest

# %a and %b are both needed: each iteration reads the first element of %a.
CHAIN = """\
func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (0)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : memref<16xf32>) outs(%b : memref<16xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 }
  %c = memref.alloc() : memref<16xf32>
  linalg.exp ins(%b : memref<16xf32>) outs(%c : memref<16xf32>)
  memref.copy %c, %out : memref<16xf32> to memref<16xf32>
  return
}
"""
KEPT = """\
func.func @g() -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  return %a : memref<4xf32>
}
"""


def test_plan_gives_program_and_arenas():
    program = memplan.plan(CHAIN + KEPT, strategy="exact")
    assert "memref<128xi8>" in program.text
    assert [arena.function for arena in program.arenas] == ["f", "g"]
    arena = program.arenas[0]
    assert (arena.arena_size, arena.lower_bound, arena.status) == (128, 128, "optimal")
    assert [buffer.size for buffer in arena.buffers] == [64, 64, 64]
    offsets = [buffer.offset for buffer in arena.buffers]
    assert offsets[0] == offsets[2] != offsets[1]
    assert arena.buffers[0].type == "memref<16xf32>"
    assert arena.buffers[0].location.endswith(":2:8")
    assert all(start < end for b in arena.buffers for start, end in b.ranges)
    kept, = program.arenas[1].unplanned
    assert "returned" in kept.reason


def test_arenas_of_loops_are_named():
    program = memplan.plan("""func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
  scf.forall (%i) in (4) {
    %a = memref.alloc() : memref<16xf32>
    linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
    %v = memref.load %a[%i] : memref<16xf32>
    memref.store %v, %out[%i] : memref<16xf32>
  }
  return
}""")
    assert [(arena.function, arena.loop, arena.arena_size) for arena in program.arenas] == [
        ("f", None, 256), ("f", 0, 64)]


def test_sizes_that_are_not_known_are_formulas():
    profile, = memplan.profile("""func.func @f(%x: tensor<?x16xf32>, %k: index) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x16xf32>
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%v = %x) -> tensor<?x16xf32> {
    %e = tensor.empty(%n) : tensor<?x16xf32>
    %a = linalg.exp ins(%v : tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
    %b = linalg.add ins(%a, %v : tensor<?x16xf32>, tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
    scf.yield %b : tensor<?x16xf32>
  }
  return %r : tensor<?x16xf32>
}""", dim_hint=10)
    assert (profile.peak_bytes, profile.peak_formula) == (3 * 640, "192 * arg0_d0")
    assert profile.allocations[0].formula == "64 * arg0_d0"
    entry = profile.entries[profile.peak_entry]
    assert (entry.scratch_bytes, entry.scratch_formula) == (640, "64 * arg0_d0")


def test_options_are_those_of_the_pass():
    program = memplan.plan(CHAIN, strategy="naive", lower=False, alignment=128)
    assert program.arenas[0].arena_size == 320
    assert "memplan.arena" in program.text
    with pytest.raises(memplan.DiagnosticError, match="its capacity is 64"):
        memplan.plan(CHAIN, capacity=64)
    with pytest.raises(memplan.DiagnosticError, match="its capacity is 64"):
        memplan.plan(CHAIN, capacity={0: 64, "L1": "1K"})
    for call, option in ((memplan.plan, "magic"), (memplan.profile, "magic"), (memplan.plan, "report"),
                         (memplan.profile, "format"), (memplan.plan, "report_file")):
        with pytest.raises(TypeError, match="no such option " + option.replace("_", "-")) as raised:
            call(CHAIN, **{option: 1})
        assert isinstance(raised.value, memplan.DiagnosticError)


def test_tensors_are_bufferized_first():
    program = memplan.plan("""
        func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
          %e = tensor.empty() : tensor<8xf32>
          %b = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
          return %b : tensor<8xf32>
        }
        """, from_tensors=True)
    assert "memref<8xf32>" in program.text


def test_a_path_is_read(tmp_path):
    path = tmp_path / "chain.mlir"
    path.write_text(CHAIN)
    for source in (path, str(path)):
        assert memplan.plan(source).arenas[0].arena_size == 128
    with pytest.raises(FileNotFoundError):
        memplan.plan(str(tmp_path / "missing.mlir"))


def test_what_is_no_program_is_named(tmp_path):
    for directory in (str(tmp_path), tmp_path):
        with pytest.raises(memplan.MemplanError, match="is a directory, not a program"):
            memplan.plan(directory)
    for missing in ("models/none.onnx", "none", tmp_path / "none"):
        with pytest.raises(FileNotFoundError):
            memplan.plan(missing)
    for name, contents, kind in (("a.onnx", b"\x08\x07\0\x12", "a binary file"),
                                 ("a.json", b' {"format": "memplan.opgraph"}', "JSON")):
        (tmp_path / name).write_bytes(contents)
        with pytest.raises(memplan.MemplanError, match=f"is {kind}, not a program in MLIR"):
            memplan.plan(str(tmp_path / name))
    # Text stays text, in one line too, and a file may have any name.
    assert memplan.plan("func.func @f() { return }").arenas == ()
    (tmp_path / "program.txt").write_text("{-# #-}\nmodule {}")
    assert memplan.plan(str(tmp_path / "program.txt")).arenas == ()


def test_errors_have_a_place(tmp_path):
    path = tmp_path / "bad.mlir"
    path.write_text("func.func @f() {\n  %a = memref.alloc() : memref<4xf99>\n}\n")
    with pytest.raises(memplan.DiagnosticError) as caught:
        memplan.plan(path)
    error = caught.value
    assert (error.file, error.line) == (str(path), 2)
    assert error.column > 1
    assert f"{path}:2:" in str(error) and "error:" in str(error)


def test_pipelines_run():
    program = memplan.run_pipeline(CHAIN, "builtin.module(memplan-extract,memplan-solve)")
    assert "memplan.problem @f" in program.text
    with pytest.raises(memplan.DiagnosticError, match="magic"):
        memplan.run_pipeline(CHAIN, "builtin.module(magic)")
    with pytest.raises(memplan.DiagnosticError):
        memplan.run_pipeline(CHAIN, "builtin.module(")
    # Calls work after failures.
    assert memplan.run_pipeline(CHAIN, "").text.startswith("#map = affine_map")


def test_threads_plan_at_once():
    expected = memplan.plan(CHAIN).text
    results = []

    def work():
        for _ in range(5):
            results.append(memplan.plan(CHAIN).text)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 20


def test_a_deep_nest_in_a_thread_with_a_small_stack():
    depth, found = 600, []

    def work():
        text = "scf.if %c {\n" * depth + "}\n" * depth
        found.append(memplan.plan(f"func.func @f(%c: i1) {{\n{text}return }}").text)

    old = threading.stack_size(512 << 10)
    try:
        thread = threading.Thread(target=work)
        thread.start()
    finally:
        threading.stack_size(old)
    thread.join()
    assert found[0].count("scf.if") == depth


def run_tool(*arguments, **options):
    return subprocess.run([sys.executable, "-m", "memplan", "plan", *map(str, arguments)],
                          capture_output=True, text=True, check=False, **options)


def test_the_command_line(tmp_path):
    path, planned, page = (tmp_path / name for name in ("a.mlir", "planned.mlir", "a.html"))
    path.write_text(CHAIN + KEPT)
    done = run_tool(path, "-o", planned, "--report", "html", "--report-file",
                    page, "--option", "alignment=32")
    assert done.returncode == 0, done.stderr
    assert "@f: arena 128 bytes, bound 128, sum 192, 3 buffers planned" in done.stdout
    assert f"{path}:12:8: memref<4xf32> is not planned: is returned" in done.stdout
    assert "memref<128xi8>" in planned.read_text()
    assert '"arena_bytes": 128' in page.read_text()
    written = run_tool(path, "--report=json")
    assert json.loads(written.stderr)["arenas"]
    assert run_tool(path, "--report-file", page).returncode == 2
    piped = run_tool("-", input=CHAIN)
    assert "arena 128" in piped.stdout
    bad = run_tool("-", input="x")
    assert bad.returncode == 1 and "error:" in bad.stderr
    missing = run_tool(tmp_path / "none.mlir")
    assert missing.returncode == 1 and "No such file" in missing.stderr
    printed = run_tool(path, "-o", "-")
    assert "module {" in printed.stdout and "arena 128" in printed.stderr
    assert run_tool(path, "-q").stdout == ""
    with open("/dev/full", "w") as full:
        done = subprocess.run([sys.executable, "-m", "memplan", "plan", path], stdout=full,
                              stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (
        1, "memplan: error: standard output: No space left on device\n")


CALLED = os.path.join(tempfile.gettempdir(), f"called-{os.getpid()}")


class Call:
    """What a pickle would call when it is read."""

    def __reduce__(self):
        return os.mkdir, (CALLED,)


def test_snapshots_are_read_as_data(tmp_path):
    def trace(snapshot):
        path = tmp_path / "snapshot.pickle"
        path.write_bytes(snapshot if isinstance(snapshot, bytes) else pickle.dumps(snapshot))
        return subprocess.run([sys.executable, "-m", "memplan", "trace", path],
                              capture_output=True, text=True, check=False)

    event = {"action": "alloc", "addr": 4096, "size": 512, "stream": 0, "frames": [{"line": 1}]}
    read = trace({"segments": [], "device_traces": [[event]]})
    assert read.returncode == 0 and "frames" not in read.stdout
    assert json.loads(read.stdout)["device_traces"][0][0]["size"] == 512
    for wrong, reason in (({"device_traces": Call()}, "mkdir, and a snapshot has only data"),
                          (b"x", "is no memory snapshot"), ([], "it has no 'device_traces'")):
        refused = trace(wrong)
        assert refused.returncode == 1 and reason in refused.stderr
        assert "Traceback" not in refused.stderr
    assert not os.path.exists(CALLED)


# A product of 4096 bytes, whose rows are summed up: in stripes it is one row of 64 bytes at a time.
SUMMED = """\
func.func @f(%x: tensor<64x8xf32>, %w: tensor<8x16xf32>, %out: memref<16xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x16xf32>) -> tensor<64x16xf32>
  %a = linalg.matmul ins(%x, %w : tensor<64x8xf32>, tensor<8x16xf32>) outs(%z : tensor<64x16xf32>) -> tensor<64x16xf32>
  %g = tensor.empty() : tensor<16xf32>
  %y = linalg.fill ins(%zero : f32) outs(%g : tensor<16xf32>) -> tensor<16xf32>
  %s = linalg.reduce { arith.addf } ins(%a : tensor<64x16xf32>) outs(%y : tensor<16xf32>) dimensions = [0]
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<16xf32>, memref<16xf32>) -> ()
  return
}
"""


def test_a_budget_is_kept(tmp_path, capsys):
    from memplan.__main__ import main
    program = memplan.plan(SUMMED, budget=1024, alignment=32)
    assert program.arenas[0].arena_size <= 1024
    change, = program.changes
    assert change["change"] == "striped" and change["function"] == "f" and change["extra_flops"] == 0
    assert change["bytes"] + change["saved_bytes"] == 4096
    stripe, = change["stripes"]
    assert [op["op"] for op in stripe["ops"]] == ["fill", "matmul", "fill", "reduce"]
    assert stripe["rows"] < stripe["count"] == 16 and stripe["halo"] == 0
    assert memplan.plan(SUMMED, budget="100%").changes == ()
    with pytest.raises(memplan.DiagnosticError, match="the least that was found is 64 bytes"):
        memplan.plan(SUMMED, budget=10)

    path = tmp_path / "summed.mlir"
    path.write_text(SUMMED)
    assert main(["plan", str(path), "--budget", "1K"]) == 0
    text = capsys.readouterr().out
    assert "@f: striped, " in text and "0.00 % more FLOPs\n  " in text
    assert " of 16 rows at once: fill, matmul, fill, reduce\n" in text
    assert main(["plan", str(path), "--budget", "10"]) == 1
    assert "the least that was found is 64 bytes" in capsys.readouterr().err


def test_errors_of_options_have_their_reason(capfd):
    with pytest.raises(memplan.DiagnosticError, match="scope: 'foo' is not one of function, module"):
        memplan.plan(CHAIN, scope="foo")
    assert capfd.readouterr().err == ""


def test_the_command_line_refuses_options(tmp_path, capsys):
    from memplan.__main__ import main
    (tmp_path / "model.mlir").write_text(CHAIN)
    for option in ("magic=1", "report=text", "name=f", "from-tensors=true"):
        assert main(["plan", str(tmp_path / "model.mlir"), "--option", option]) == 1
        out, err = capsys.readouterr()
        assert out == "" and "no such option " + option.split("=")[0] in err


def test_sizes_to_plan_for():
    text = """
        func.func @f(%in: memref<?x4xf32> {memplan.dim_names = ["N", ""]}, %out: memref<?x4xf32>) {
          %c0 = arith.constant 0 : index
          %n = memref.dim %in, %c0 : memref<?x4xf32>
          %a = memref.alloc(%n) : memref<?x4xf32>
          linalg.exp ins(%in : memref<?x4xf32>) outs(%a : memref<?x4xf32>)
          linalg.abs ins(%a : memref<?x4xf32>) outs(%out : memref<?x4xf32>)
          return
        }"""
    for sizes in ([{"N": 3}, {"N": 5}], "N=3,N=5"):
        arena, = memplan.plan(text, sizes=sizes).arenas
        assert [hint["values"] for hint in arena.report["sizes"]["hints"]] == [[3], [5]]
    with pytest.raises(memplan.DiagnosticError, match="no dynamic dimension of an argument is named 'M'"):
        memplan.plan(text, sizes={"M": 3})


def test_the_command_line_replaces_files_as_a_whole(tmp_path):
    source = tmp_path / "model.mlir"
    source.write_text(CHAIN)
    output = tmp_path / "planned.mlir"
    output.write_text("before")
    output.chmod(0o640)
    same = os.open(output, os.O_RDONLY)
    assert run_tool(source, "-o", output).returncode == 0
    # An open file keeps its old contents.
    assert os.read(same, 100) == b"before"
    os.close(same)
    assert "memplan.arena" in output.read_text()
    assert output.stat().st_mode & 0o777 == 0o640
    assert sorted(os.listdir(tmp_path)) == ["model.mlir", "planned.mlir"]
    missing = tmp_path / "none" / "planned.mlir"
    result = run_tool(source, "-o", missing)
    assert result.returncode == 1
    assert result.stderr == f"memplan: error: '{missing}': No such file or directory\n"


def test_an_unknown_strategy_is_no_value():
    with pytest.raises(ValueError, match="'first-fit' is not one of naive, "):
        memplan.plan(CHAIN, strategy="first-fit")
    assert memplan.plan(CHAIN, strategy="greedy").arenas[0].arena_size > 0


def test_page_of_a_program():
    program = memplan.plan(CHAIN + KEPT, strategy="exact")

    def read(page):
        return json.loads(page.split('id="report">')[1].split("</script>")[0])

    assert read(program.to_html()) == json.loads(program.report)
    alone = read(program.arenas[0].to_html())
    assert [arena["function"] for arena in alone["arenas"]] == ["f"]
    assert alone["totals"]["arena_bytes"] == 128
    with pytest.raises(memplan.MemplanError, match="no plan"):
        memplan.run_pipeline(CHAIN, "").to_html()


def test_arena_bytes_at_given_sizes():
    path = os.path.join(os.path.dirname(__file__), "..", "Integration", "arena-of-sizes.mlir")
    with open(path, encoding="utf-8") as file:
        text = file.read().split("func.func private")[0]
    arena, = memplan.plan(text, arena="argument").arenas
    assert arena.sizes == ("S", "N")
    # What the program prints (CHECK).
    assert arena.arena_bytes(S=8, N=0) == 4032
    assert arena.arena_bytes(0, 1000) == arena.arena_bytes(N=1000, S=0) == 8032
    assert arena.arena_bytes(512, N=4000) == 1114112
    for values, named, message in (((8,), {}, "'N' is missing"), ((8, 0, 0), {}, "3 values"),
                                   ((9, 0), {}, "'S' cannot be 9"), ((-8, 0), {}, "be -8"),
                                   ((8, 4001), {}, "be 4001"), ((8,), {"S": 8}, "twice"),
                                   ((8, 0), {"K": 1}, "no size 'K'")):
        with pytest.raises(ValueError, match=message):
            arena.arena_bytes(*values, **named)
    with pytest.raises(OverflowError, match="64 bits"):
        arena.arena_bytes(8, 2**64)
    fixed = memplan.plan(CHAIN).arenas[0]
    assert fixed.sizes == () and fixed.arena_bytes() == fixed.arena_size
    bounded, = memplan.plan(text, dynamic="bounded").arenas
    assert bounded.arena_bytes() == 1114112
    assert arena.report["sizes"]["at_bounds"]["bounded_bytes"] == 1114112


def test_reports_of_threads_do_not_meet():
    def profile(size, found):
        for _ in range(5):
            text = CHAIN.replace("16x", f"{size}x")
            found.append(memplan.plan(text).arenas[0].arena_size == 2 * 4 * size)

    found = []
    threads = [threading.Thread(target=profile, args=(16 * n, found)) for n in (1, 2, 3, 4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 20


def test_summary_of_a_planned_program(tmp_path, capsys):
    from memplan.__main__ import main
    (tmp_path / "planned.mlir").write_text(memplan.plan(CHAIN).text)
    assert main(["plan", str(tmp_path / "planned.mlir")]) == 0
    assert capsys.readouterr().out == "@f: arena 128 bytes, planned before\n"
