# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Private functions that every program may call, written once per type.

Each takes a plain memref type T and returns the text of a function named
<kind>_<type>. The docstring of each tells how it uses its arguments.
"""

from . import elements


class _Writer:
    def __init__(self):
        self.lines = []
        self.count = 0

    def emit(self, operation):
        self.count += 1
        self.lines.append(f"    %{self.count} = {operation}")
        return f"%{self.count}"

    def line(self, text):
        self.lines.append("    " + text)

    def body(self):
        return "\n".join(self.lines)


def _indices(writer, type_, number=0):
    at = [min(number, size - 1) for size in type_.shape]
    return ", ".join(
        writer.emit(f"arith.constant {i} : index") for i in at)


def _bump(writer, name, type_, number):
    """Adds a number to one element, if there is one."""
    if not type_.elements:
        return
    at = _indices(writer, type_)
    old = writer.emit(f"memref.load {name}[{at}] : {type_}")
    step = elements.constant(writer.emit, type_.element, number)
    new = elements.add(writer.emit, type_.element, old, step)
    writer.line(f"memref.store {new}, {name}[{at}] : {type_}")


def sum_(name, type_):
    """Reads its argument."""
    writer = _Writer()
    total = elements.constant(writer.emit, "i64", 11)
    if type_.elements:
        for which in (0, 10**6):
            at = _indices(writer, type_, which)
            item = writer.emit(f"memref.load %m[{at}] : {type_}")
            item = elements.to_i64(writer.emit, type_.element, item)
            total = writer.emit(f"arith.addi {total}, {item} : i64")
    return (f"  func.func private @{name}(%m: {type_}) -> i64 {{\n"
            f"{writer.body()}\n    return {total} : i64\n  }}")


def fill(name, type_):
    """Writes its argument."""
    return (f"  func.func private @{name}(%m: {type_}, %s: {type_.element}) {{\n"
            f"    linalg.fill ins(%s : {type_.element}) outs(%m : {type_})\n"
            f"    return\n  }}")


def pass_(name, type_):
    """Returns its argument."""
    writer = _Writer()
    _bump(writer, "%m", type_, 1)
    return (f"  func.func private @{name}(%m: {type_}) -> {type_} {{\n"
            f"{writer.body()}\n    return %m : {type_}\n  }}")


def pick(name, type_):
    """Returns one of its arguments."""
    return (f"  func.func private @{name}(%m: {type_}, %n: {type_}, %c: i1) "
            f"-> {type_} {{\n"
            f"    %r = scf.if %c -> ({type_}) {{\n"
            f"      scf.yield %m : {type_}\n    }} else {{\n"
            f"      scf.yield %n : {type_}\n    }}\n"
            f"    return %r : {type_}\n  }}")


def make(name, type_):
    """Returns a new buffer."""
    writer = _Writer()
    scalar = elements.constant(writer.emit, type_.element, 23)
    return (f"  func.func private @{name}() -> {type_} {{\n"
            f"{writer.body()}\n"
            f"    %m = memref.alloc() : {type_}\n"
            f"    linalg.fill ins({scalar} : {type_.element}) "
            f"outs(%m : {type_})\n"
            f"    return %m : {type_}\n  }}")


def clone(name, type_):
    """Returns a changed copy of its argument, made with a scratch buffer."""
    writer = _Writer()
    _bump(writer, "%n", type_, 3)
    return (f"  func.func private @{name}(%m: {type_}) -> {type_} {{\n"
            f"    %t = memref.alloc() : {type_}\n"
            f"    linalg.copy ins(%m : {type_}) outs(%t : {type_})\n"
            f"    %n = memref.alloc() : {type_}\n"
            f"    linalg.copy ins(%t : {type_}) outs(%n : {type_})\n"
            f"{writer.body()}\n"
            f"    return %n : {type_}\n  }}")


def temp(name, type_):
    """Changes its argument with a scratch buffer."""
    writer = _Writer()
    _bump(writer, "%t", type_, 5)
    return (f"  func.func private @{name}(%m: {type_}) {{\n"
            f"    %t = memref.alloc() : {type_}\n"
            f"    linalg.copy ins(%m : {type_}) outs(%t : {type_})\n"
            f"{writer.body()}\n"
            f"    linalg.copy ins(%t : {type_}) outs(%m : {type_})\n"
            f"    return\n  }}")


def maybe(name, type_):
    """Returns its argument or a new buffer."""
    writer = _Writer()
    scalar = elements.constant(writer.emit, type_.element, 31)
    return (f"  func.func private @{name}(%m: {type_}, %c: i1) -> {type_} {{\n"
            f"{writer.body()}\n"
            f"    %r = scf.if %c -> ({type_}) {{\n"
            f"      %n = memref.alloc() : {type_}\n"
            f"      linalg.fill ins({scalar} : {type_.element}) "
            f"outs(%n : {type_})\n"
            f"      scf.yield %n : {type_}\n    }} else {{\n"
            f"      scf.yield %m : {type_}\n    }}\n"
            f"    return %r : {type_}\n  }}")


def recurse(name, type_):
    """Changes its argument; each activation has a live scratch buffer."""
    writer = _Writer()
    _bump(writer, "%t", type_, 7)
    return (f"  func.func private @{name}(%m: {type_}) {{\n"
            f"    %n = arith.constant 3 : i64\n"
            f"    call @{name}_step(%m, %n) : ({type_}, i64) -> ()\n"
            f"    return\n  }}\n"
            f"  func.func private @{name}_step(%m: {type_}, %n: i64) {{\n"
            f"    %t = memref.alloc() : {type_}\n"
            f"    linalg.copy ins(%m : {type_}) outs(%t : {type_})\n"
            f"    %zero = arith.constant 0 : i64\n"
            f"    %one = arith.constant 1 : i64\n"
            f"    %c = arith.cmpi sgt, %n, %zero : i64\n"
            f"    scf.if %c {{\n"
            f"      %less = arith.subi %n, %one : i64\n"
            f"      func.call @{name}_step(%t, %less) : ({type_}, i64) -> ()\n"
            f"    }}\n"
            f"{writer.body()}\n"
            f"    linalg.copy ins(%t : {type_}) outs(%m : {type_})\n"
            f"    return\n  }}")


def free(name, type_):
    """Frees its argument."""
    return (f"  func.func private @{name}(%m: {type_}) {{\n"
            f"    memref.dealloc %m : {type_}\n    return\n  }}")


def over(name, type_):
    """Writes its second argument, which may be in the memory of the first. Planners see
    only its declaration; it is defined when the program is lowered (execution.py)."""
    return (f"  func.func private @{name}({type_} {{llvm.readonly}}, "
            f"{type_} {{memplan.overwrites = array<i64: 0>}})")


MAKERS = {
    "sum": sum_, "fill": fill, "pass": pass_, "pick": pick, "make": make,
    "clone": clone, "temp": temp, "maybe": maybe, "recurse": recurse,
    "free": free, "over": over,
}

RUNNING_CHECKSUM = """\
  memref.global "private" @checksum : memref<1xi64> = dense<0>
  func.func private @mix(%x: i64) {
    %m = memref.get_global @checksum : memref<1xi64>
    %zero = arith.constant 0 : index
    %prime = arith.constant 1099511628211 : i64
    %old = memref.load %m[%zero] : memref<1xi64>
    %scaled = arith.muli %old, %prime : i64
    %new = arith.xori %scaled, %x : i64
    memref.store %new, %m[%zero] : memref<1xi64>
    return
  }
  func.func private @report(%program: i64) {
    %m = memref.get_global @checksum : memref<1xi64>
    %zero = arith.constant 0 : index
    %none = arith.constant 0 : i64
    %x = memref.load %m[%zero] : memref<1xi64>
    vector.print %program : i64 punctuation <comma>
    vector.print %x : i64
    memref.store %none, %m[%zero] : memref<1xi64>
    return
  }"""
