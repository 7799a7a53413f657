# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C header of a built model. Its function is inline: it describes the caller's arrays as the
compiled one takes them, which has the C interface of MLIR."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Union

if TYPE_CHECKING:
    from .build import Built, Interface, Value

_TYPES = {"f64": "double", "f32": "float", "f16": "uint16_t", "bf16": "uint16_t", "i64": "int64_t",
          "i32": "int32_t", "i16": "int16_t", "i8": "int8_t", "ui8": "uint8_t", "i1": "uint8_t",
          "index": "int64_t"}


def header(built: "Built") -> str:
    name, upper = built.name, built.name.upper()
    is_alone = len(built.functions) == 1
    what = f"The model {name}, with planned memory." if is_alone else \
        f"The models {', '.join(one.name for one in built.functions)}, with planned memory that they share:\n" \
        " * only one of them may run at a time."
    lines = [f"/* {what} Written by memplan: do not edit."]
    for made in built.functions:
        lines += [" *", *([] if is_alone else [f" * {made.name}"]), *_summary(made)]
    if built.weight_bytes:
        where = "an object of its own" if built.weights_kind == "object" else "a file"
        lines += [" *", f" * weights: {built.weight_bytes} bytes in {where}"]
    lines += [" */", f"#ifndef {upper}_H", f"#define {upper}_H", "", "#include <stdint.h>", "#include <stdlib.h>",
              "#include <string.h>", "", "#ifdef __cplusplus", 'extern "C" {', "#endif", ""]
    for made in built.functions if not is_alone else ():
        lines += [*_arena_macros(made, built.arena), ""]
    lines += [*_arena_macros(built, built.arena), *_totals(built)]
    if built.weight_bytes and built.weights_kind == "object":
        const = "" if built.weights_are_written else "const "
        lines += [f"/* In {name}_weights.o. */", f"extern {const}unsigned char {name}_weights[];", ""]
    if built.arena == "global" and built.has_arena:
        lines += [f"extern unsigned char {name}_arena[];", ""]
    for made in built.functions:
        lines += _declarations(built, made)
    return "\n".join([*lines, "#ifdef __cplusplus", "}", "#endif", "", f"#endif /* {upper}_H */", ""])


def _declarations(built: "Built", made: "Interface") -> List[str]:
    """The types of the function's arrays, and the function."""
    name = made.name
    ranks = sorted({len(value.kind.shape) for value in (*made.inputs, *made.results, *made.weights)} |
                   ({1} if made.needs_arena else set()))
    lines = []
    for rank in ranks:
        sizes = f" int64_t sizes[{rank}], strides[{rank}];" if rank else ""
        lines.append(f"struct {name}_array{rank} {{ void *allocated, *aligned; int64_t offset;{sizes} }};")
    returned = [value for value in made.results if not value.is_placed]
    if returned:
        fields = " ".join(f"struct {name}_array{len(value.kind.shape)} r{n};" for n, value in enumerate(returned))
        lines.append(f"struct {name}_results {{ {fields} }};")
    types = [f"struct {name}_results *"] if returned else []
    types += [f"struct {name}_array{1 if value is None else len(value.kind.shape)} *" for value in made.arguments]
    lines += [f"void _mlir_ciface_{name}({', '.join(types) or 'void'});", ""]
    if made.needs_arena and made.arena_bytes is None and made.arena_sizes:
        # The program takes a size for each argument that has it.
        given = ", ".join("int64_t" for _ in made.arena_sizes)
        own = ", ".join(f"int64_t {size}" for size in dict.fromkeys(made.arena_sizes))
        lines += [f'int64_t {name}_arena_bytes_({given}) __asm__("{name}.arena_bytes");',
                  f"/* The bytes of the arena{f': {made.arena_formula}' if made.arena_formula else ''}. */",
                  f"static inline int64_t {name}_arena_bytes({own}) {{",
                  f"  return {name}_arena_bytes_({', '.join(made.arena_sizes)});", "}", ""]
    return [*lines, *_function(built, made, returned), ""]


def _shape(value: "Value") -> str:
    sizes = [str(size) if size is not None else name for size, name in zip(value.kind.shape, value.sizes)]
    return f"{value.kind.element}[{', '.join(sizes)}]"


def _clean(text: str) -> str:
    """Text that does not end a comment."""
    return text.replace("*/", "* /").replace("\n", " ")


def _summary(made: "Interface") -> List[str]:
    lines = []
    for what, values in (("input", made.inputs), ("result", made.results)):
        for value in values:
            label = "" if value.label == value.name else f" ({_clean(value.label)})"
            size = f", {value.bytes} bytes" if value.bytes is not None else f", {value.formula} bytes" \
                if value.formula else ""
            state = next((v.name for v in (*made.inputs, *made.weights)
                          if v.label == value.new_value_of), "") if value.new_value_of else ""
            note = f": the new value of {state}, which the caller copies there" if state else \
                ": a state, which has its new value after the call" if value.is_state else ""
            lines.append(f" * {what} {value.name}{label}: {_shape(value)}{size}{note}")
    for name, _, least, greatest, multiple in made.sizes:
        steps = f" in steps of {multiple}" if multiple > 1 else ""
        lines.append(f" * size {name}: {least} to {'any' if greatest is None else greatest}{steps}")
    lines += [f" * state {value.name}: {_shape(value)} at byte {value.offset} of the weights, which has its new "
              "value after the call" for value in made.weights if value.is_state]
    return lines


def _arena_macros(made: Union["Interface", "Built"], arena: str) -> List[str]:
    """Of one function, or of all."""
    begin = f"#define {made.name.upper()}_{'HEAP' if arena == 'heap' else 'STATIC' if arena == 'global' else 'ARENA'}"
    lines = []
    if made.arena_bytes is not None:
        lines.append(f"{begin}_BYTES {made.arena_bytes}")
    elif made.greatest_arena_bytes is not None:
        lines += ["/* At the greatest sizes. */", f"{begin}_BYTES_MAX {made.greatest_arena_bytes}"]
    return [*lines, f"{begin}_ALIGNMENT {made.arena_alignment}"]


def _totals(built: "Built") -> List[str]:
    upper = built.name.upper()
    lines = []
    if built.ram_bytes is not None:
        lines += ["/* Arenas, allocations and variables. */", f"#define {upper}_RAM_BYTES {built.ram_bytes}"]
    lines.append(f"#define {upper}_ROM_BYTES {built.rom_bytes}")
    if built.weight_bytes:
        lines.append(f"#define {upper}_WEIGHTS_BYTES {built.weight_bytes}")
    return lines + [""]


def _function(built: "Built", made: "Interface", returned: List["Value"]) -> List[str]:
    name = made.name
    by_label = {label: found for found, label, *_ in made.sizes}
    parameters: List[str] = []
    weights = f"{built.name}_weights"
    if made.weights and built.weights_kind == "file":
        is_written = any(value.is_written for value in made.weights)
        parameters.append(("void *" if is_written else "const void *") + "weights")
        weights = "weights"
    parameters += [f"{'' if value.is_state else 'const '}{_TYPES[value.kind.element]} *{value.name}"
                   for value in made.inputs]
    parameters += [f"{_TYPES[value.kind.element]} *{value.name}" for value in made.results]
    parameters += [f"int64_t {size}" for size, *_ in made.sizes]
    if built.arena == "argument" and made.needs_arena:
        parameters.append("void *arena")
    lines = ["/* Results are in memory of the caller."
             + (" Those of free sizes are copied there from the heap." if returned else "") +
             ("\n * The arena is aligned; its content does not matter." if built.arena == "argument" and made.needs_arena else "") + " */",
             f"static inline void {name}({', '.join(parameters) or 'void'}) {{"]

    def describe(variable: str, data: str, sizes: List[str]) -> Any:
        strides = [" * ".join(["1", *sizes[n + 1:]]) for n in range(len(sizes))]
        rest = f", {{{', '.join(sizes)}}}, {{{', '.join(strides)}}}" if sizes else ""
        lines.append(f"  struct {name}_array{len(sizes)} {variable} = {{{data}, {data}, 0{rest}}};")

    pointers = []
    for n, value in enumerate(made.arguments):
        pointers.append(f"&a{n}")
        if value is None:
            size = f"{name}_arena_bytes({', '.join(dict.fromkeys(made.arena_sizes))})" if made.arena_bytes is None else \
                str(made.arena_bytes)
            describe(f"a{n}", f"{built.name}_arena" if built.arena == "global" else "arena", [size])
            continue
        sizes = [str(size) if size is not None else by_label[label]
                 for size, label in zip(value.kind.shape, value.sizes)]
        data = f"(char *){weights} + {value.offset}" if value in made.weights else f"(void *){value.name}"
        describe(f"a{n}", data, sizes)
    if returned:
        lines.append(f"  struct {name}_results results;")
        pointers.insert(0, "&results")
    lines.append(f"  _mlir_ciface_{name}({', '.join(pointers)});")
    kept = [f"a{n}.allocated" for n, value in enumerate(made.arguments)
            if value and (value in made.inputs or value.is_written)]
    for n, value in enumerate(returned):
        rank, width = len(value.kind.shape), value.kind.element_bytes
        product = " * ".join([f"results.r{n}.sizes[{d}]" for d in range(rank)] + [str(width)])
        lines += [f"  memcpy({value.name}, (char *)results.r{n}.aligned + results.r{n}.offset * {width},",
                  f"         (size_t)({product}));",
                  *(f"  if (results.r{n}.allocated != {other})" for other in kept),
                  f"  free(results.r{n}.allocated);"]
        kept.append(f"results.r{n}.allocated")
    return lines + ["}"]
