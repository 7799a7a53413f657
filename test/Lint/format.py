#!/usr/bin/python3
"""format.py ROOT CLANG_FORMAT: fails on C++ files that clang-format would
change, and names them."""
import subprocess
import sys
import os

root, clang_format = sys.argv[1:]
sources = []
for top in ("include", "lib", "tools", "test", "cmake", "benchmarks"):
    for folder, _, names in os.walk(os.path.join(root, top)):
        sources += [os.path.join(folder, name) for name in sorted(names)
                    if name.endswith((".h", ".cpp"))]
if not sources:
    sys.exit("no sources under " + root)
sys.exit(subprocess.run([clang_format, "--dry-run", "-Werror"] +
                        sources).returncode)
