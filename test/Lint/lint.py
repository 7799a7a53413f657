#!/usr/bin/python3
"""Checks of the source tree that no compiler makes.

  lint.py filecheck ROOT   FileCheck directives without a colon (they check nothing)
  lint.py layering ROOT    headers that a library or folder must not include
  lint.py links ROOT       links and names of files that do not exist
  lint.py paths ROOT       paths of one machine in tracked files
  lint.py headers ROOT     source files without the licence header
  lint.py sources ROOT     no check: lists the C++ files of the tree for clang-format

Prints "FILE:LINE: error" for each error; fails if there is one.
"""
import os
import re
import shutil
import subprocess
import sys

# Folders that do not use MLIR, and the folders of memplan that each may include.
PLAIN_ROOMS = {
    "Core": ("include/memplan/Core/", "lib/Core/", "tools/common/"),
    "Report|Core": ("include/memplan/Report/", "lib/Report/",
                    "tools/memplan-solve/"),
    "Graph|Report|Core": ("include/memplan/Graph/", "lib/Graph/",
                   "tools/memplan-graph/"),
}
# The parts of memplan that the other libraries may include.
LIBRARIES = {
    "IR": "IR|Core",
    "Verifier": "Verifier|IR",
    "Equivalence": "Equivalence|Verifier|IR",
    "Analysis": "Analysis|IR|Core",
    "Transforms": "Transforms|Analysis|Equivalence|Verifier|Report|IR|Core",
    "OpGraph": "OpGraph|Transforms|Analysis|Report|IR|Graph|Core",
}
# The folders of a library: each may include itself and those before it.
ROOMS = {
    "Analysis": ("Sizes", "Accesses", "Points", "Alias", "Lifetime", "Slots",
                 "Problem", "Workgroup", "Costs"),
    "Transforms": ("Interprocedural", "Prepare", "Explain", "Dealloc", "Plan",
                   "Stripe", "Spaces", "Observe", "Lower", "Device"),
    "OpGraph": ("Programs", "Passes"),
}
# The headers that the proofs share with what they prove: ops, attributes and
# interfaces, plain tools of MLIR's kind, and the proofs' own entries. None of them
# reasons about programs.
PROOFS = ("Verifier", "Equivalence")
PROVEN = ("Analysis", "Transforms")
SHARED = {
    "IR/Memplan.h", "IR/AsyncWork.h", "IR/BufferAllocation.h", "IR/InPlace.h",
    "IR/CalleeContract.h", "IR/MemorySpace.h",
    "IR/AffineExprs.h", "IR/ArgumentAttributes.h", "IR/Constants.h", "IR/IndexedAccess.h", "IR/Strides.h",
    "IR/Views.h",
    "IR/SizeFunction.h",
    "Verifier/Verifier.h", "Equivalence/Equivalence.h",
}
# Public headers without a source file of the same name, and their folders.
HEADER_ROOMS = {"CalleeTrust": "Alias", "FunctionProblem": "Slots",
                "PhiCycle": "Slots"}
SUFFIXES = "NEXT|SAME|NOT|DAG|LABEL|EMPTY|COUNT-[0-9]+"


def tracked_files(root):
    """The files of the tree: those that git tracks or would track; without git, all
    files outside of build folders."""
    if shutil.which("git"):
        git = subprocess.run(
            ["git", "-C", root, "ls-files", "-co", "--exclude-standard"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if git.returncode == 0 and git.stdout:
            return sorted(git.stdout.splitlines())
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [f for f in folders
                      if f != ".git" and not f.startswith("build")]
        found += [os.path.relpath(os.path.join(folder, n), root) for n in names]
    return sorted(found)


def lines_of(root, name):
    try:
        with open(os.path.join(root, name), encoding="utf-8") as file:
            return file.read().splitlines()
    except (UnicodeDecodeError, FileNotFoundError, IsADirectoryError):
        return []


def search(root, names, pattern, message):
    regex = re.compile(pattern)
    for name in names:
        for number, line in enumerate(lines_of(root, name), 1):
            if regex.search(line):
                yield f"{name}:{number}: {message}: {line.strip()}"


def filecheck(root, names):
    """A comment whose first word is a FileCheck prefix of the file, alone or with a
    known suffix, must be a directive; a prefix with an unknown suffix is an error."""
    word = re.compile(r"\s*(?://|#|;)\s*([A-Z][\w-]*)(?:\{[A-Z, ]+\})?(:?)")
    for name in names:
        if not name.startswith("test/") or name.endswith((".py", ".txt")):
            continue
        lines = lines_of(root, name)
        prefixes = {"CHECK"}
        for line in lines:
            for value in re.findall(r"-check-prefix(?:es)?[= ]([\w,-]+)", line):
                prefixes.update(value.split(","))
        known = re.compile("(?:%s)(?:-(?:%s))?" % (
            "|".join(re.escape(p) for p in sorted(prefixes)), SUFFIXES))
        for number, line in enumerate(lines, 1):
            match = word.match(line)
            if not match:
                continue
            directive, colon = match.groups()
            family = any(directive.startswith(p + "-") for p in prefixes)
            if not family and directive != "CHECK":
                continue
            if not colon or not known.fullmatch(directive):
                yield f"{name}:{number}: checks nothing: {line.strip()}"


def layering(root, names):
    for rooms, folders in PLAIN_ROOMS.items():
        room = rooms.split("|")[0].lower()
        files = [n for n in names if n.startswith(folders)]
        yield from search(root, files, r'#\s*include\s*[<"](mlir|llvm)(-c)?/',
                          f"the {room} must not know MLIR or LLVM")
        yield from search(root, files,
                          rf'#\s*include\s*[<"]memplan/(?!(?:{rooms})/)',
                          f"the {room} must not know the rest of memplan")


    for library, allowed in LIBRARIES.items():
        files = [n for n in names if n.startswith(
            (f"include/memplan/{library}/", f"lib/{library}/"))]
        yield from search(root, files,
                          rf'#\s*include\s*[<"]memplan/(?!(?:{allowed})/)',
                          f"{library} must not include this")
    for library, order in ROOMS.items():
        yield from check_rooms(root, names, library, order)
    yield from check_proofs(root, names)


def check_proofs(root, names):
    """The proofs reach no header of this project, directly or through others, that the
    planner includes too or that is of another part, unless it is in SHARED."""
    include = re.compile(r'#\s*include\s*"memplan/([\w/]+\.h)"')

    def included(libraries):
        for name in names:
            if name.startswith(tuple(f"{folder}/{library}/" for library in libraries
                                     for folder in ("lib", "include/memplan"))):
                for number, line in enumerate(lines_of(root, name), 1):
                    if used := include.match(line):
                        yield name, number, used.group(1)

    planner = {header for _, _, header in included(PROVEN)}
    pending, seen = list(included(PROOFS)), set()
    while pending:
        name, number, header = pending.pop()
        own = header.startswith(tuple(library + "/" for library in PROOFS))
        if header not in SHARED and (header in planner or not own):
            yield f"{name}:{number}: the proofs must not share {header} with the planner"
        if header in seen or own:
            continue
        seen.add(header)
        path = f"include/memplan/{header}"
        pending += [(path, at, match.group(1))
                    for at, line in enumerate(lines_of(root, path), 1)
                    if (match := include.match(line))]


def check_rooms(root, names, library, order):
    room_of = dict(HEADER_ROOMS)
    for name in names:
        match = re.match(rf"lib/{library}/(\w+)/(\w+)\.", name)
        if match and match.group(1) in order:
            room_of[match.group(2)] = match.group(1)
    include = re.compile(
        rf'#\s*include\s*"(?:memplan/{library}|{"|".join(order)})/(\w+)\.h"')
    for name in names:
        match = re.match(rf"(?:lib/{library}/\w+|include/memplan/{library})/"
                         r"(\w+)\.", name)
        room = match and room_of.get(match.group(1))
        if not room:
            continue
        for number, line in enumerate(lines_of(root, name), 1):
            used = include.match(line)
            other = used and room_of.get(used.group(1))
            if other and order.index(other) > order.index(room):
                yield (f"{name}:{number}: {room} must not include {other}: "
                       f"{line.strip()}")


def links(root, names):
    """Files to which a document links, or that it names, must exist."""
    link = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)|"
                      r"`((?:lib(?!/python)|include|test|tools|examples|benchmarks|docs)/"
                      r"[\w/.-]*\w)`")
    for name in names:
        if not name.endswith(".md"):
            continue
        in_code = False
        for number, line in enumerate(lines_of(root, name), 1):
            # In code a bracket before a parenthesis is no link.
            in_code ^= line.lstrip().startswith("```")
            for relative, absolute in link.findall("" if in_code else line):
                target = os.path.join(root, absolute) if absolute else \
                    os.path.join(root, os.path.dirname(name), relative)
                if not os.path.exists(target):
                    yield (f"{name}:{number}: there is no "
                           f"{absolute or relative}")


def paths(root, names):
    folders = "|".join(["wor" + "k", "far" + "m", "hom" + "e", "roo" + "t",
                        "Use" + "rs", r"tmp/\w+"])
    names = [n for n in names if os.path.basename(n) != "LICENSE"]
    yield from search(root, names,
                      rf"(?:^|[^A-Za-z0-9_.$}}%~-])/(?:{folders})(?:/|\b)",
                      "path of one machine")


def headers(root, names):
    for name in names:
        if name.endswith((".h", ".cpp", ".c", ".td")):
            head = "\n".join(lines_of(root, name)[:8])
            if "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception" not in head:
                yield f"{name}:1: no licence header"


CHECKS = {f.__name__: f for f in (filecheck, layering, links, paths,
                                   headers)}


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in {*CHECKS, "sources"}:
        sys.exit(__doc__)
    root = sys.argv[2]
    if sys.argv[1] == "sources":
        sys.exit(print("\n".join(n for n in tracked_files(root)
                                 if n.endswith((".h", ".cpp", ".c")))))
    findings = list(CHECKS[sys.argv[1]](root, tracked_files(root)))
    print("\n".join(findings) if findings else "clean")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
