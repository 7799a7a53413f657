# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types as the generator uses them: constants, sums, checksums.

Every function takes `emit`, which writes one operation and returns its result:
emit("arith.addi %a, %b : i64") -> "%12".
"""

INTEGERS = ("i64", "i32", "i16", "i8", "i1")


def literal(element, number):
    if element.startswith("f"):
        return f"{number % 97}.25"
    if element == "i1":
        return "true" if number % 2 else "false"
    if element == "i8":
        return str(number % 127)
    return str(number)


def constant(emit, element, number):
    text = literal(element, number)
    if element == "i1":
        return emit(f"arith.constant {text}")
    return emit(f"arith.constant {text} : {element}")


def to_i64(emit, element, value):
    """A number that depends on every bit of the element."""
    if element == "i64":
        return value
    if element == "index":
        return emit(f"arith.index_cast {value} : index to i64")
    if element == "f64":
        return emit(f"arith.bitcast {value} : f64 to i64")
    if element == "f32":
        value = emit(f"arith.bitcast {value} : f32 to i32")
        element = "i32"
    return emit(f"arith.extui {value} : {element} to i64")


def from_i64(emit, element, value):
    if element == "i64":
        return value
    if element == "index":
        return emit(f"arith.index_cast {value} : i64 to index")
    if element in ("f32", "f64"):
        small = emit(f"arith.trunci {value} : i64 to i16")
        return emit(f"arith.sitofp {small} : i16 to {element}")
    return emit(f"arith.trunci {value} : i64 to {element}")


def add(emit, element, left, right):
    op = "arith.addf" if element.startswith("f") else "arith.addi"
    return emit(f"{op} {left}, {right} : {element}")


def add_name(element):
    return "arith.addf" if element.startswith("f") else "arith.addi"
