#!/usr/bin/python3
"""bench.py BENCHMARKS FILE: a page of tables is never replaced by one that lacks
rows; FILE is scratch."""
import os
import sys

sys.path.insert(0, sys.argv[1])
import tables  # noqa: E402

PAGE = """# A
| model | arena |
| --- | ---: |
| one | 1 |
| two | 2 |
## B
| model | ratio |
| --- | ---: |
| one | 1 |
"""


def page():
    with open(sys.argv[2], encoding="utf-8") as file:
        return file.read()


if os.path.exists(sys.argv[2]):
    os.remove(sys.argv[2])
assert tables.write(sys.argv[2], PAGE)
# A page with new figures and new rows is written.
more = PAGE.replace("| two | 2 |", "| two | 3 |\n| three | 4 |")
assert tables.write(sys.argv[2], more) and page() == more
# A page that lacks a row of any table is not written, except on request.
assert not tables.write(sys.argv[2], PAGE) and page() == more
assert not tables.write(sys.argv[2], more[:more.rindex("| one")])
assert page() == more
assert tables.write(sys.argv[2], PAGE, replace=True) and page() == PAGE
# The name of a row may be several cells.
assert not tables.write(sys.argv[2], PAGE.replace("two | 2", "two | 5"), columns=2)
