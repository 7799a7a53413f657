# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C header of a built model. Its function is inline: it describes the caller's arrays as the
compiled one takes them, which has the C interface of MLIR."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, List

if TYPE_CHECKING:
    from .build import Interface, Value

_TYPES = {"f64": "double", "f32": "float", "f16": "uint16_t", "bf16": "uint16_t", "i64": "int64_t",
          "i32": "int32_t", "i16": "int16_t", "i8": "int8_t", "ui8": "uint8_t", "i1": "uint8_t",
          "index": "int64_t"}


def header(made: "Interface") -> str:
    name, upper = made.name, made.name.upper()
    lines = [f"/* The model {name}, with planned memory. Written by memplan: do not edit.", *_summary(made), " */",
             f"#ifndef {upper}_H", f"#define {upper}_H", "", "#include <stdint.h>", "#include <stdlib.h>",
             "#include <string.h>", "", "#ifdef __cplusplus", 'extern "C" {', "#endif", ""]
    lines += _macros(made)
    if made.weights and made.weights_kind == "object":
        const = "" if made.weights_are_written else "const "
        lines += [f"/* In {name}_weights.o. */", f"extern {const}unsigned char {name}_weights[];", ""]
    ranks = sorted({len(value.kind.shape) for value in (*made.inputs, *made.results, *made.weights)} |
                   ({1} if made.arena == "argument" else set()))
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
    if made.arena == "argument" and made.arena_bytes is None and made.arena_sizes:
        # The program takes a size for each argument that has it.
        given = ", ".join("int64_t" for _ in made.arena_sizes)
        own = ", ".join(f"int64_t {size}" for size in dict.fromkeys(made.arena_sizes))
        lines += [f'int64_t {name}_arena_bytes_({given}) __asm__("{name}.arena_bytes");',
                  f"/* The bytes of the arena{f': {made.arena_formula}' if made.arena_formula else ''}. */",
                  f"static inline int64_t {name}_arena_bytes({own}) {{",
                  f"  return {name}_arena_bytes_({', '.join(made.arena_sizes)});", "}", ""]
    lines += _function(made, returned)
    lines += ["", "#ifdef __cplusplus", "}", "#endif", "", f"#endif /* {upper}_H */", ""]
    return "\n".join(lines)


def _shape(value: "Value") -> str:
    sizes = [str(size) if size is not None else name for size, name in zip(value.kind.shape, value.sizes)]
    return f"{value.kind.element}[{', '.join(sizes)}]"


def _clean(text: str) -> str:
    """Text that does not end a comment."""
    return text.replace("*/", "* /").replace("\n", " ")


def _summary(made: "Interface") -> List[str]:
    lines = [" *"]
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
    if made.weights:
        where = "an object of its own" if made.weights_kind == "object" else "a file"
        lines.append(f" * weights: {made.weight_bytes} bytes in {where}")
        lines += [f" * state {value.name}: {_shape(value)} at byte {value.offset} of the weights, which has its new "
                  "value after the call" for value in made.weights if value.is_state]
    return lines


def _macros(made: "Interface") -> List[str]:
    upper = made.name.upper()
    place = {"argument": "ARENA", "global": "STATIC", "heap": "HEAP"}[made.arena]
    lines = []
    if made.arena_bytes is not None:
        lines.append(f"#define {upper}_{place}_BYTES {made.arena_bytes}")
    elif made.greatest_arena_bytes is not None:
        lines += ["/* At the greatest sizes. */",
                  f"#define {upper}_{place}_BYTES_MAX {made.greatest_arena_bytes}"]
    lines.append(f"#define {upper}_{place}_ALIGNMENT {made.arena_alignment}")
    if made.ram_bytes is not None:
        lines += ["/* Arenas, allocations and variables. */", f"#define {upper}_RAM_BYTES {made.ram_bytes}"]
    lines.append(f"#define {upper}_ROM_BYTES {made.rom_bytes}")
    if made.weights:
        lines.append(f"#define {upper}_WEIGHTS_BYTES {made.weight_bytes}")
    return lines + [""]


def _function(made: "Interface", returned: List["Value"]) -> List[str]:
    name = made.name
    by_label = {label: found for found, label, *_ in made.sizes}
    parameters: List[str] = []
    weights = f"{name}_weights"
    if made.weights and made.weights_kind == "file":
        parameters.append(("void *" if made.weights_are_written else "const void *") + "weights")
        weights = "weights"
    parameters += [f"{'' if value.is_state else 'const '}{_TYPES[value.kind.element]} *{value.name}"
                   for value in made.inputs]
    parameters += [f"{_TYPES[value.kind.element]} *{value.name}" for value in made.results]
    parameters += [f"int64_t {size}" for size, *_ in made.sizes]
    if made.arena == "argument" and None in made.arguments:
        parameters.append("void *arena")
    lines = ["/* Results are in memory of the caller."
             + (" Those of free sizes are copied there from the heap." if returned else "") +
             ("\n * The arena is aligned; its content does not matter." if made.arena == "argument" else "") + " */",
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
                f"{name.upper()}_ARENA_BYTES"
            describe(f"a{n}", "arena", [size])
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
            if value and (value in made.inputs or made.weights_are_written)]
    for n, value in enumerate(returned):
        rank, width = len(value.kind.shape), value.kind.element_bytes
        product = " * ".join([f"results.r{n}.sizes[{d}]" for d in range(rank)] + [str(width)])
        lines += [f"  memcpy({value.name}, (char *)results.r{n}.aligned + results.r{n}.offset * {width},",
                  f"         (size_t)({product}));",
                  *(f"  if (results.r{n}.allocated != {other})" for other in kept),
                  f"  free(results.r{n}.allocated);"]
        kept.append(f"results.r{n}.allocated")
    return lines + ["}"]
