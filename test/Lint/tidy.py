#!/usr/bin/python3
"""tidy.py CLANG_TIDY ROOT BUILD [--plain] [--jobs N]: runs clang-tidy on every
source file of the tree, with --plain only on those that include no MLIR, which takes
less than a second each. A clean file is not checked again as long as the file, the
headers and the checks are the same; BUILD/tidy records this."""
import argparse
import concurrent.futures
import hashlib
import os
import subprocess
import sys

import lint

# These are parsed quickly, as they include no header of LLVM.
PLAIN = ("lib/Core/", "lib/Graph/", "lib/Report/", "tools/common/",
         "tools/memplan-solve/", "tools/memplan-graph/")


def digest(*parts):
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def read(root, name):
    with open(os.path.join(root, name), "rb") as file:
        return file.read()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tool")
    parser.add_argument("root")
    parser.add_argument("build")
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    names = [n for n in lint.tracked_files(options.root)
             if os.path.exists(os.path.join(options.root, n))]
    headers = [n for n in names
               if n.endswith((".h", ".td", ".clang-tidy")) and
               n.startswith(("include/", "lib/", "tools/", ".clang-tidy"))]
    version = subprocess.run([options.tool, "--version"], check=True,
                             stdout=subprocess.PIPE).stdout
    common = digest(version, *(read(options.root, n) for n in headers))
    cache = os.path.join(options.build, "tidy")
    os.makedirs(cache, exist_ok=True)
    sources = [n for n in names if n.endswith(".cpp") and
               n.startswith(PLAIN if options.plain else ("lib/", "tools/"))]

    def check(name):
        done = os.path.join(cache, digest(common.encode(), name.encode(),
                                          read(options.root, name)))
        if os.path.exists(done):
            return None
        run = subprocess.run(
            [options.tool, "-p", options.build, "--quiet", name],
            cwd=options.root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True)
        if run.returncode != 0:
            return run.stdout
        with open(done, "w", encoding="utf-8"):
            return ""

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(check, sources))
    findings = [text for text in results if text]
    print("".join(findings))
    print(f"{len(sources)} files, {results.count(None)} known to be clean, "
          f"{len(findings)} with findings")
    return 1 if findings else 0


sys.exit(main())
