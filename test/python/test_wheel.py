# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The wheel, installed into a fresh virtual environment and used from another folder."""
import os
import shutil
import subprocess
import sys
import venv

import pytest

pytest.importorskip("wheel")
pytest.importorskip("setuptools")
ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
BUILD = os.path.dirname(os.path.dirname(os.environ.get("MEMPLAN_OPT", "")))


def call(*command, **options):
    # Without the paths that these tests run with.
    for name in ("PYTHONPATH", "LD_LIBRARY_PATH"):
        options.setdefault("env", dict(os.environ)).pop(name, None)
    done = subprocess.run(command, capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_wheel(tmp_path):
    source = tmp_path / "source"
    shutil.copytree(os.path.join(ROOT, "python"), source / "python",
                    ignore=shutil.ignore_patterns("__pycache__", "*.egg-info", "build", "dist"))
    shutil.copy(os.path.join(ROOT, "CMakeLists.txt"), source)
    variables = dict(os.environ, MEMPLAN_LIBRARIES=os.path.join(BUILD, "lib"))
    call(sys.executable, "setup.py", "-q", "bdist_wheel", cwd=source / "python", env=variables)
    wheel, = (source / "python" / "dist").glob("*.whl")

    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / "bin" / "python"
    call(python, "-m", "pip", "-q", "install", "--no-index", "--no-deps", wheel)
    information = call(python, "-m", "pip", "show", "-v", "memplan")
    assert "Name: memplan" in information
    extras = call(python, "-c", "import importlib.metadata as m\n"
                  "print(m.metadata('memplan').get_all('Provides-Extra'))")
    for extra in ("torch", "onnx", "jax", "executorch", "tflm"):
        assert f"'{extra}'" in extras
    call(python, "-c", "from memplan.importers import _known\nassert 'onnx.Add' in _known.table()")
    said = call(python, "-m", "memplan", "plan", os.path.join(ROOT, "examples", "chain.mlir"),
                cwd=tmp_path)
    assert "arena 4096 bytes" in said
    assert call(tmp_path / "env" / "bin" / "memplan", "plan",
                os.path.join(ROOT, "examples", "chain.mlir"), cwd=tmp_path) == said
    # A framework that is missing is named with what installs it.
    (tmp_path / "model.onnx").write_bytes(b"")
    done = subprocess.run([python, "-m", "memplan", "plan", "model.onnx"], cwd=tmp_path,
                          capture_output=True, text=True)
    assert done.returncode == 1 and "pip install 'memplan[onnx]'" in done.stderr
