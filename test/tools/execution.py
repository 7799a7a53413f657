# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps to run MLIR programs before and after planning.

Every step gets and returns program text. The unplanned and the planned program are
lowered by the same upstream tools, so any difference of their output is caused by the
planner.
"""

import os
import re
import shutil
import subprocess

STRATEGIES = [
    "naive",
    "linear-scan",
    "greedy",
    "greedy-by-breadth",
    "best-fit",
    "auto",
]

# Lowers func/scf/affine/cf/linalg/memref/async to the input of mlir-runner.
LOWERING = ",".join([
    "expand-realloc",
    "one-shot-bufferize{allow-unknown-ops=true}",
    "bufferization-lower-deallocations",
    "convert-bufferization-to-memref",
    "async-parallel-for",
    "func.func(convert-linalg-to-loops)",
    "scf-forall-to-parallel",
    "convert-vector-to-scf",
    "async-to-async-runtime",
    "func.func(async-runtime-ref-counting)",
    "func.func(async-runtime-ref-counting-opt)",
    "lower-affine",
    "convert-scf-to-cf",
    "expand-strided-metadata",
    "lower-affine",
    "convert-async-to-llvm",
    "convert-complex-to-llvm",
    "convert-math-to-llvm",
    "convert-math-to-libm",
    "func.func(arith-expand)",
    "convert-vector-to-llvm",
    "finalize-memref-to-llvm{use-generic-functions=true}",
    "convert-func-to-llvm",
    "convert-arith-to-llvm",
    "convert-cf-to-llvm",
    "convert-index-to-llvm",
    "reconcile-unrealized-casts",
])

# The kinds of loops to which linalg ops can be lowered.
LOOPS = ["loops", "affine-loops", "parallel-loops"]

RUNTIME_LIBRARIES = [
    "libmlir_runner_utils.so",
    "libmlir_c_runner_utils.so",
    "libmlir_async_runtime.so",
    "libmlir_float16_utils.so",
]


# The functions that replace memref.alloc and dealloc and count the live buffers.
# @memplan_run is the original @main; the number is printed at its end.
COUNTED_HEAP = """
  llvm.mlir.global internal @memplan_live(0 : i64) : i64
  llvm.func @memplan_count(%change: i64) {
    %live = llvm.mlir.addressof @memplan_live : !llvm.ptr
    %old = llvm.atomicrmw add %live, %change seq_cst : !llvm.ptr, i64
    llvm.return
  }
  llvm.func @_mlir_memref_to_llvm_alloc(%size: i64) -> !llvm.ptr {
    %one = llvm.mlir.constant(1 : i64) : i64
    llvm.call @memplan_count(%one) : (i64) -> ()
    %buffer = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
    llvm.return %buffer : !llvm.ptr
  }
  llvm.func @_mlir_memref_to_llvm_free(%buffer: !llvm.ptr) {
    %one = llvm.mlir.constant(-1 : i64) : i64
    llvm.call @memplan_count(%one) : (i64) -> ()
    llvm.call @free(%buffer) : (!llvm.ptr) -> ()
    llvm.return
  }
  llvm.func @memplan_run() attributes {llvm.emit_c_interface} {
    llvm.call @main() : () -> ()
    %live = llvm.mlir.addressof @memplan_live : !llvm.ptr
    %count = llvm.load %live : !llvm.ptr -> i64
    llvm.call @printI64(%count) : (i64) -> ()
    llvm.call @printNewline() : () -> ()
    llvm.return
  }
"""
HEAP_NEEDS = {
    "malloc": "(i64) -> !llvm.ptr",
    "free": "(!llvm.ptr)",
    "printI64": "(i64)",
    "printNewline": "()",
}
HEAP_DECLARATION = re.compile(
    r"^ *llvm\.func (?:private )?@_mlir_memref_to_llvm_(?:alloc|free)\(.*\n",
    re.MULTILINE)


def count_heap(lowered):
    """The module with a heap that counts the live buffers."""
    head, end, tail = HEAP_DECLARATION.sub("", lowered).rpartition("}")
    needs = "".join(f"  llvm.func @{name}{kind}\n"
                    for name, kind in HEAP_NEEDS.items()
                    if not re.search(rf"llvm\.func (?:\w+ )?@{name}\(", head))
    return head + needs + COUNTED_HEAP + end + tail


class Printed(str):
    """The output of a program. `live`: the number of buffers that it did not free."""

    live = 0


class StepFailed(Exception):
    """The failure of a tool; `step` names it and `output` is its output."""

    def __init__(self, step, output, status=1):
        super().__init__(f"{step} failed ({status}): {output.strip()[:4000]}")
        self.step = step
        self.output = output
        self.status = status


def llvm_prefix():
    found = shutil.which("mlir-runner")
    if found:
        return os.path.dirname(os.path.dirname(os.path.realpath(found)))
    config = shutil.which("llvm-config-22") or "llvm-config"
    return subprocess.check_output([config, "--prefix"], text=True).strip()


class Tools:
    """The paths of the tools and the steps that call them."""

    def __init__(self, memplan_opt=None, timeout=120):
        prefix = llvm_prefix()
        self.memplan_opt = (memplan_opt or os.environ.get("MEMPLAN_OPT")
                            or shutil.which("memplan-opt") or "memplan-opt")
        self.mlir_opt = os.path.join(prefix, "bin", "mlir-opt")
        self.mlir_runner = os.path.join(prefix, "bin", "mlir-runner")
        self.libraries = ",".join(
            os.path.join(prefix, "lib", name) for name in RUNTIME_LIBRARIES)
        self.timeout = timeout
        # Further options of plan-memory.
        self.options = ""

    def _call(self, step, command, text, env=None, timeout=None):
        timeout = timeout or self.timeout
        try:
            done = subprocess.run(command, input=text, capture_output=True,
                                  text=True, errors="replace", env=env,
                                  timeout=timeout, check=False)
        except subprocess.TimeoutExpired:
            raise StepFailed(step, f"no end after {timeout} s", "timeout")
        if done.returncode != 0:
            raise StepFailed(step, done.stderr or done.stdout, done.returncode)
        return done

    def memplan(self, step, text, *flags):
        """memplan-opt on `text`; returns (rewritten text, diagnostics)."""
        done = self._call(step, [self.memplan_opt, *flags], text)
        return done.stdout, done.stderr

    def plan(self, text, strategy, *flags):
        """The planned program, verified from its IR in both of its forms.

        The memplan form is verified, then lowered. The result must be equal to that of
        planning with lowering, and must be verified as well.
        """
        kept, remarks = self.memplan(
            f"plan-memory={strategy} lower=false", text,
            f"--plan-memory=strategy={strategy} lower=false on-refusal=error "
            f"{self.options}", "--memplan-verify", *flags)
        lowered, _ = self.memplan("memplan-lower", kept, "--memplan-lower",
                                  "--memplan-verify")
        return kept, lowered, remarks

    def deallocate(self, text):
        """`text` with the frees that upstream's ownership analysis inserts."""
        return self._call("buffer-deallocation-pipeline",
                          [self.mlir_opt, "--buffer-deallocation-pipeline"],
                          text).stdout

    def plan_then_deallocate(self, text, lower, *flags):
        """`text` planned, then with the frees that upstream inserts."""
        options = (f"lower={str(lower).lower()} on-refusal=error "
                   f"{self.options}")
        return self.memplan("plan-memory, buffer-deallocation-pipeline", text,
                            f"--plan-memory={options}", *flags,
                            "--buffer-deallocation-pipeline",
                            "--memplan-lower")[0]

    def raise_deallocations(self, text):
        """`text` with its lowered deallocations raised to a form that can be planned."""
        return self.memplan("memplan-raise-deallocations", text,
                            "--memplan-raise-deallocations")[0]

    def raise_device(self, text):
        """`text` raised for a device, so that its gpu.alloc ops can be planned."""
        text = re.sub(r"memref\.alloc\(\) :", "gpu.alloc () :", text)
        text = text.replace("memref.dealloc", "gpu.dealloc")
        return self.memplan("memplan-raise-gpu-alloc", text,
                            "--memplan-raise-gpu-alloc")[0]

    def restore_device(self, text):
        """The program of raise_device for execution on the host."""
        text = self.memplan("memplan-restore-gpu-alloc", text,
                            "--memplan-restore-gpu-alloc")[0]
        text = re.sub(r"gpu\.alloc +\(\)", "memref.alloc()", text)
        return text.replace("gpu.dealloc", "memref.dealloc")

    def make_loops(self, text, kind):
        """`text` with its linalg ops lowered to one of LOOPS. Upstream makes affine
        loops with invalid bounds if a size is computed in a branch; such programs get
        loops of scf."""
        try:
            return self._call("loops", [
                self.mlir_opt, f"--convert-linalg-to-{kind}"], text).stdout
        except StepFailed:
            if kind != "affine-loops":
                raise
            return self.make_loops(text, "loops")

    def make_blocks(self, text):
        """`text` with its loops and branches as graphs of blocks."""
        return self._call("blocks", [
            self.mlir_opt, "--convert-linalg-to-loops", "--lower-affine",
            "--convert-scf-to-cf"], text).stdout

    def canonicalize(self, text):
        """`text` canonicalized, or unchanged if upstream does not terminate, as on
        some graphs of blocks with empty loops."""
        try:
            return self._call("canonicalize",
                              [self.mlir_opt, "--canonicalize", "--cse"],
                              text, timeout=20).stdout
        except StepFailed as failed:
            if failed.status != "timeout":
                raise
            return text

    def parses(self, text):
        try:
            self._call("parse", [self.mlir_opt], text)
            return True
        except StepFailed:
            return False

    def lower(self, text):
        if "gpu.alloc" in text or "gpu_alloc" in text:
            text = self.restore_device(text)
        text = provide_arenas(define_contracts(
            MEMORY_SPACE.sub(r"\1>", text)))
        return self._call("lowering", [
            self.mlir_opt, f"--pass-pipeline=builtin.module({LOWERING})"
        ], text).stdout

    def run(self, lowered, fresh_byte=None, optimize=False):
        """The output of @main (Printed).

        `fresh_byte` makes the C library fill new and freed memory with a pattern, so
        that a program that reads such memory prints something else.
        """
        env = dict(os.environ)
        if fresh_byte is not None:
            env["MALLOC_PERTURB_"] = str(fresh_byte)
            # Memory from the cache of a thread would not be filled.
            env["GLIBC_TUNABLES"] = "glibc.malloc.tcache_count=0"
        output = self._call("mlir-runner", [
            self.mlir_runner, "-e", "memplan_run",
            "-entry-point-result=void", "-O2" if optimize else "-O0",
            f"-shared-libs={self.libraries}"
        ], count_heap(lowered), env).stdout
        lines, end, live = ADDRESS.sub("base@ = ...",
                                       output.rstrip()).rpartition("\n")
        printed = Printed(lines + end)
        if not live.isdigit():
            raise StepFailed("mlir-runner", "prints no number of buffers")
        printed.live = int(live)
        return printed

    def execute(self, text, **how):
        return self.run(self.lower(text), **how)


# Upstream cannot lower a memref.dealloc outside the default memory space, so
# the spaces, which matter to the planner only, go before the program runs.
MEMORY_SPACE = re.compile(r"((?:i\d+|f\d+|index|>)), [1-9]>")

# A function of which the planner knows only its declaration.
CONTRACT = re.compile(r"func\.func private @(over_\w+)\((memref<.*>) "
                      r"\{llvm\.readonly\}, \2 \{memplan\.overwrites = .*\}\)")


def define_contracts(text):
    def define(match):
        name, memref = match.groups()
        element = re.split("[x<,>]", memref.partition(",")[0].rstrip(">"))[-1]
        add = "arith.addf" if element.startswith("f") else "arith.addi"
        return (f"func.func private @{name}(%a: {memref}, %b: {memref}) {{\n"
                f"    linalg.map {{ {add} }} ins(%a, %a : {memref}, {memref}) "
                f"outs(%b : {memref})\n    return\n  }}")

    return CONTRACT.sub(define, text)


# The address of a buffer is not a result of the program.
ADDRESS = re.compile(r"base@ = 0x[0-9a-f]+")

MAIN = re.compile(r"func\.func @main\((.*)\) \{$", re.MULTILINE)
ARENA = re.compile(r"(memref<\d+xi8>) \{memplan\.arena = (\d+) : i64\}")


def provide_arenas(text):
    """`text` with a @main without arguments, which provides the arenas of the planned
    @main."""
    match = MAIN.search(text)
    arenas = ARENA.findall(match.group(1)) if match else []
    if not arenas:
        return text
    types = ", ".join(memref for memref, _ in arenas)
    names = [f"%arena{i}" for i in range(len(arenas))]
    lines = ["func.func @main() {"]
    lines += [f"  {name} = memref.alloc() {{alignment = {alignment} : i64}} : "
              f"{memref}" for name, (memref, alignment) in zip(names, arenas)]
    lines.append(f"  call @main_planned({', '.join(names)}) : ({types}) -> ()")
    lines += [f"  memref.dealloc {name} : {memref}"
              for name, (memref, _) in zip(names, arenas)]
    lines += ["  return", "}"]
    wrapper = "\n".join("  " + line for line in lines)
    return (text[:match.start()] + "func.func @main_planned(" +
            match.group(1) + ") {" + text[match.end():].rstrip()[:-1] +
            wrapper + "\n}\n")


FUNCTION = re.compile(r"^\s*func\.func\s+(?:\w+\s+)?@([\w$.-]+)")
ALLOCATION = re.compile(r"memref\.alloca?\b.*?:\s*memref<(.*)>\s*$")


def allocations(text):
    """[(function, 'arena' or 'buffer', text of the memref type)] in program order."""
    found = []
    function = "?"
    for line in text.splitlines():
        match = FUNCTION.match(line)
        if match:
            function = match.group(1)
        match = ALLOCATION.search(line)
        if match:
            kind = "arena" if "memplan.arena" in line else "buffer"
            found.append((function, kind, match.group(1)))
    return found
