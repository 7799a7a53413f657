#!/usr/bin/python3
# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ManPage.py TOOL OUTPUT: the manual page of a tool, from what it says of itself
(--version, --help). The tools of MLIR have options by the hundred: of these the page
has memplan's passes, and where to find the others."""
import os
import re
import subprocess
import sys

ABOUT = {
    "memplan-opt": "plan the memory of MLIR programs",
    "memplan-solve": "assign offsets to buffers in one arena",
    "memplan-graph": "profile, plan and transform graphs of operations",
    "memplan-translate": "take memory planning problems out of MLIR, and back",
    "memplan-lsp-server": "language server for MLIR with memplan's dialect",
}
SYNOPSIS = {
    "memplan-opt": "memplan-opt [FILE] [--PASS[=OPTIONS]]... [-o FILE]",
    "memplan-translate": "memplan-translate [FILE] --TRANSLATION [-o FILE]",
    "memplan-lsp-server": "memplan-lsp-server",
}


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True).stdout


def escape(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def passes(help_text):
    """The lines of memplan's own passes and their options."""
    kept, keeps = [], False
    for line in help_text.splitlines():
        entry = re.match(r"( +)--([\w-]+)", line)
        if entry and len(entry.group(1)) <= 6:
            keeps = entry.group(2).startswith(("memplan-", "plan-memory"))
        elif line and not line.startswith("    "):
            keeps = False
        if keeps:
            # The text stands in a column that passes by the hundred have set.
            line = re.sub(r"^ +=", " " * 10 + "=", line.rstrip())
            kept.append(re.sub(r"(\S) +-  *", r"\1  - ", line, count=1))
    return "\n".join(kept)


def main():
    tool, output = sys.argv[1:]
    name = os.path.basename(tool)
    help_text = run(tool, "--help")
    version = re.search(r"memplan [\d.]+", run(tool, "--version"))
    usage = re.match(r"usage: (.*)\n", help_text)
    synopsis = SYNOPSIS.get(name) or usage.group(1)
    if name == "memplan-lsp-server":
        body = ("Serves editors over standard input and output, as mlir-lsp-server "
                "does, for programs with ops of memplan.")
    elif usage:
        body = help_text[usage.end():].strip("\n")
    else:
        body = (passes(help_text) or help_text) + (
            f"\n\nFurther options are MLIR's: {name} --help.")
    extra = ""
    if name == "memplan-graph":
        for command in re.findall(r"^  (\w+) ", help_text.split("\n\n")[2], re.M):
            extra += (f".SH {command.upper()}\n.nf\n" +
                      escape(run(tool, command, "--help").rstrip()) + "\n.fi\n")
    with open(output, "w", encoding="utf-8") as page:
        page.write(
            f'.TH {name.upper()} 1 "" "{version.group(0) if version else "memplan"}"\n'
            f".SH NAME\n{escape(name)} \\- {ABOUT[name]}\n"
            f".SH SYNOPSIS\n.B {escape(synopsis)}\n"
            f".SH DESCRIPTION\n.nf\n{escape(body)}\n.fi\n{extra}"
            ".SH SEE ALSO\n" +
            ",\n".join(f".BR {escape(other)} (1)" for other in sorted(ABOUT)
                       if other != name) + "\n")


main()
