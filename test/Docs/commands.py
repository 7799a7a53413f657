#!/usr/bin/python3
"""commands.py FOLDER SCRATCH DOC...: runs the commands of each DOC in a copy of the
repository's top folder (FOLDER) with a build in it.

Commands are in blocks ```sh, which run in the order of the page, in one folder,
and must succeed, except for blocks after one of these comments:

  <!-- file: NAME -->    the block is a file for the commands
  <!-- prints -->        the block is the output of the commands before it
  <!-- not run: WHY -->  the block is not run

Prints the number of blocks that ran. Commands outside of such blocks are an error."""
import os
import re
import subprocess
import sys

BLOCK = re.compile(
    r"(?:<!-- (file|prints|not run)(?:: (.*?))? -->\s*\n)?^```(\w*)\n(.*?)^```",
    re.M | re.S)
STRAY = re.compile(r"^    (?:\$ |\./|build/bin/|(?:memplan|mlir|cmake|ninja)-?\w* )",
                   re.M)


def check(folder, scratch, doc):
    with open(os.path.join(folder, doc), encoding="utf-8") as file:
        text = file.read()
    where = os.path.join(scratch, os.path.basename(doc))
    os.makedirs(where)
    for name in ("examples", "docs", "test"):
        os.symlink(os.path.join(folder, name), os.path.join(where, name))
    os.symlink(os.environ["MEMPLAN_BUILD"], os.path.join(where, "build"))
    for stray in STRAY.findall(BLOCK.sub("", text)):
        yield f"{doc}: a command outside of a block that is run: {stray.strip()}"
    count, printed = 0, ""
    for kind, what, language, body in BLOCK.findall(text):
        if kind == "file":
            with open(os.path.join(where, what), "w", encoding="utf-8") as file:
                file.write(body)
        elif kind == "prints":
            if body.strip() not in printed:
                yield f"{doc}: prints\n{printed}instead of\n{body}"
        elif language == "sh" and not kind:
            run = subprocess.run(["bash", "-euo", "pipefail", "-c", body],
                                 cwd=where, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, text=True)
            printed = run.stdout
            count += 1
            if run.returncode != 0:
                yield f"{doc}: fails:\n{body}{printed}"
    print(f"{doc}: {count} blocks ran")


def main():
    folder, scratch, *docs = sys.argv[1:]
    problems = [p for doc in docs for p in check(folder, scratch, doc)]
    print("\n".join(problems))
    return 1 if problems else 0


sys.exit(main())
