#!/usr/bin/env python3
"""check_links.py FOLDER: checks that every file to which a document in FOLDER links,
and every example that it names, exists."""
import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)#:\s]+\.\w+)(?:#[^)]*)?\)|`(examples/[\w/.-]*\w)`")


def main():
    root = pathlib.Path(sys.argv[1])
    count, missing = 0, []
    for page in sorted(root.rglob("*.md")):
        for relative, example in LINK.findall(page.read_text()):
            count += 1
            target = root / example if example else page.parent / relative
            if not target.exists():
                missing.append(f"{page}: there is no {relative or example}")
    if missing:
        sys.exit("\n".join(missing))
    print(f"{count} links, all of them lead to a file")


if __name__ == "__main__":
    main()
