#!/usr/bin/python3
# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PassOptions.py TOOL OUTPUT PASSES...: completes the reference of passes. The options
of each pass in PASSES, as mlir-tblgen lists them, become a table with the values
and the default of each, as TOOL (memplan-opt) says them itself."""
import re
import subprocess
import sys
import tempfile


def run(*command, check=True):
    return subprocess.run(command, check=check, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True).stdout


def list_values(tool):
    """By pass and option, the values of its enum with what they mean."""
    values, current, option = {}, None, None
    for line in run(tool, "--help").splitlines():
        entry = re.match(r"( *)(--|=)([\w-]+)(=<[\w-]+>)? +- +(.*)", line)
        if not entry:
            continue
        indent, kind, name, _, text = entry.groups()
        if kind == "--" and len(indent) <= 6 and not entry.group(4):
            current, option = name, None
        if kind == "--" and len(indent) > 6:
            option = name
        elif kind == "=" and current and option:
            values.setdefault((current, option), []).append((name, text))
    return values


def list_defaults(tool, name):
    """By option, the value that the pass has if nothing is said."""
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write("module {}\n")
        file.flush()
        # The pipeline is printed before it runs, and some passes refuse to run on
        # nothing or without their options.
        printed = run(tool, f"--{name}", "--dump-pass-pipeline", file.name, "-o",
                      "/dev/null", check=False)
    options = re.search(re.escape(name) + r"\{(.*)\}\)?\s*$", printed, re.M)
    if not options:
        return {}
    return dict(item.split("=", 1) for item in
                re.findall(r"[\w-]+=(?:\{[^}]*\}|[^\s}]*)", options.group(1)))


def main():
    tool, target, *sources = sys.argv[1:]
    text = ""
    for source in sources:
        with open(source, encoding="utf-8") as file:
            text += file.read()
    values = list_values(tool)

    def table(match):
        name, body, options = match.groups()
        defaults = list_defaults(tool, name)
        lines = ["| option | default | description |", "| --- | --- | --- |"]
        for option, what in re.findall(r"^-([\w-]+) *: (.*)$", options, re.M):
            default = defaults.get(option, "")
            default = f"`{default}`" if default else "(none)"
            what = what.replace("|", "\\|")
            for value, meaning in values.get((name, option), []):
                what += f"<br>`{value}`: {meaning}"
            lines.append(f"| `{option}` | {default} | {what} |")
        return f"### `-{name}`{body}#### Options\n\n" + "\n".join(lines) + "\n"

    text = re.sub(r"### `-([\w-]+)`((?:(?!\n### ).)*?)#### Options\n\n```\n(.*?)```\n",
                  table, text, flags=re.S)
    with open(target, "w", encoding="utf-8") as file:
        file.write(text)


main()
