# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of models in docs/from-models.md: bytes, and seconds of import and planning.

    imports.py [--write]

It prints the table, or writes it into the page. Seconds are those of the clock, of the fastest of three runs: the
machine should have nothing else to do. The first import of a process, which starts the compiler, is not measured.
"""
import contextlib
import io
import logging
import os
import re
import sys
import time
import warnings

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path.insert(0, os.path.join(ROOT, "test", "python"))
PAGE = os.path.join(ROOT, "docs", "from-models.md")
#: The rows, in the order of the table.
NAMES = ("torch_resnet_dyn", "torch_encoder_dyn", "torch_decode_dyn", "torch_diffusion_dyn", "torch_speech_dyn",
         "torch_moe", "torch_cache", "torch_state_space", "torch_upsample_dyn", "onnx_lstm_dyn", "onnx_gru_dyn",
         "onnx_packed_lstm_dyn", "onnx_cnn_dyn", "onnx_encoder_dyn", "onnx_functions_dyn", "onnx_old_opset_dyn",
         "onnx_mlp", "jax_mlp_train", "jax_conv_train", "jax_scan", "jax_while", "jax_attention", "jax_sort")
HEAD = "| model | buffers | not planned | sum | bound | arena | import | planning |"


def best(function):
    """The result, and the seconds of the fastest run."""
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        result = function()
        seconds.append(time.perf_counter() - start)
    return result, min(seconds)


def row(name):
    import import_models
    import memplan
    from memplan.importers import import_model
    case = import_models.MODELS[name]()
    imported, reading = best(lambda: import_model(case.model, case.inputs))
    planned, planning = best(lambda: memplan.plan(imported.text, from_tensors=True))
    arenas = planned.arenas
    numbers = [sum(len(a.buffers) for a in arenas), sum(len(a.unplanned) for a in arenas),
               sum(a.total_size for a in arenas),
               *(sum(a.report[key] or 0 for a in arenas) for key in ("bound_bytes", "arena_bytes"))]
    return f"| {name.replace('_', ' ')} | {' | '.join(map(str, numbers))} | {reading:.2f} | {planning:.2f} |"


def main(arguments):
    logging.disable(logging.ERROR)
    lines = [HEAD, "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in ("onnx_mlp", *NAMES):
            # Exports to ONNX print what they do.
            with contextlib.redirect_stdout(io.StringIO()):
                lines.append(row(name))
            print(lines[-1], file=sys.stderr, flush=True)
    del lines[2]
    if "--write" not in arguments:
        print("\n".join(lines))
        return 0
    with open(PAGE, encoding="utf-8") as file:
        text = file.read()
    found = re.search(re.escape(HEAD) + r"\n(\|.*\n)+", text)
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(text.replace(found.group(), "\n".join(lines) + "\n"))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
