#!/usr/bin/python3
"""check_page.py CHROMIUM PAGE REPORT [PICTURE]: opens PAGE in headless chromium and
compares its contents with the JSON of REPORT. Prints the time of the page. With
PICTURE, a screenshot is written."""
import html.parser
import json
import re
import subprocess
import sys
import tempfile
import time


class Page(html.parser.HTMLParser):
    """Parses the rows of tables, as lists of cells by the table's id, the elements with
    data-key or data-level, by its value, and external links."""

    def __init__(self):
        super().__init__()
        self.tables, self.values, self.requests, self.texts = {}, {}, [], {}
        self.id = None
        self.table = self.row = self.cell = None
        self.ready = False

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.id = attrs.get("id", self.id)
        self.ready |= tag == "html" and attrs.get("data-ready") == "yes"
        for name in ("src", "href", "action", "data"):
            if name in attrs:
                self.requests.append(attrs[name])
        if "data-value" in attrs:
            key = attrs.get("data-key") or attrs.get("data-level")
            self.values.setdefault(key, int(attrs["data-value"]))
        if tag == "table":
            self.table = self.tables.setdefault(attrs.get("id"), [])
        elif tag == "tr" and self.table is not None:
            self.row = []
            if attrs.get("class") != "space":
                self.table.append(self.row)
        elif tag in ("td", "th") and self.row is not None:
            self.row.append("")
            self.cell = True

    def handle_endtag(self, tag):
        if tag == "table":
            self.table = None
        elif tag in ("td", "th"):
            self.cell = None

    def handle_data(self, data):
        self.texts[self.id] = self.texts.get(self.id, "") + data
        if self.cell and self.row:
            self.row[-1] += data


def browse(chromium, profile, page, *arguments):
    return subprocess.run(
        [chromium, "--headless", "--no-sandbox", "--disable-gpu",
         "--disable-dev-shm-usage", "--no-first-run",
         "--disable-background-networking", "--hide-scrollbars",
         f"--user-data-dir={profile}", *arguments, "file://" + page],
        check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        timeout=120).stdout


def grouped(number, absent="unknown"):
    return absent if number is None else f"{number:,}"


def check(page, report):
    assert page.ready, "the page's script did not come to its end"
    assert not page.requests, page.requests
    for key in ("arena_bytes", "bound_bytes", "sum_bytes", "saved_bytes"):
        assert page.values[key] == report["totals"][key], key
    assert page.values["unplanned"] == report["totals"]["unplanned_bytes"]
    for key in ("arguments", "results", "variables", "from_callers"):
        assert page.values.get(key, 0) == report["totals"][key]["bytes"], key
    if report["functions"]:
        for key in ("ram", "rom"):
            assert page.values[key] == report["totals"][key]["bytes"], key
    arenas = report["arenas"]
    rows = page.tables["arenas"][1:]
    assert len(rows) == len(arenas)
    for row, arena in zip(rows, arenas):
        assert arena["function"] in row[0], row
        assert row[1:5] == [arena["memory_space"], arena["status"],
                            grouped(arena["arena_bytes"], "\u2013"),
                            grouped(arena["bound_bytes"])], row
    changes = report.get("changes", [])
    for row, change in zip(page.tables["changes"][1:], changes, strict=True):
        assert row[0] == "@" + change["function"] and row[1] == change["change"], (row, change)
        assert row[2:6] == [grouped(change[key]) for key in (
            "bytes", "saved_bytes", "repeats", "extra_flops")], (row, change)
    stripes = [stripe for change in changes for stripe in change.get("stripes", [])]
    for row, stripe in zip(page.tables["stripes"][1:], stripes, strict=True):
        assert row[1:6] == [grouped(stripe.get(key, 0)) for key in (
            "rows", "count", "halo", "kept", "extra_flops")], (row, stripe)
        assert row[6] == ", ".join(op["op"] for op in stripe["ops"]), (row, stripe)
    # The page shows the largest arena.
    shown = max(arenas, key=lambda arena: arena["arena_bytes"] or 0)
    assert page.values.get("arena") == shown["arena_bytes"]
    if shown["slots"]:
        assert page.values["peak"] == shown["peak"]["bytes"]
    assert page.values["bound"] == shown["bound_bytes"]
    assert page.values.get("capacity") == shown.get("capacity")
    buffers = shown["buffers"]
    rows = page.tables["rows"][1:]
    assert len(rows) >= min(len(buffers), 40), (len(rows), len(buffers))
    for row, buffer in zip(rows, buffers):
        assert row[0] == buffer["name"], (row, buffer)
        assert row[1] == buffer.get("label", buffer.get("value", "")), (row, buffer)
        assert row[2] == buffer.get("op", ""), (row, buffer)
        assert row[3] == grouped(buffer["size"])
        assert row[4] == (grouped(buffer["offset"]) if "offset" in buffer else "")
        assert row[5] == " ".join(buffer.get("slots", []))
        assert row[7:9] == [buffer.get("type", ""), buffer.get("location", "")]
    sizes = shown.get("sizes", {"hints": []})
    greatest = [sizes[key] for key in ("at_bounds",) if key in sizes]
    hints = [hint for hint in sizes["hints"]
             if [hint["values"]] != [at["values"] for at in greatest]] + greatest
    rows = page.tables["sizes"][1:]
    assert len(rows) == len(hints)
    for row, hint in zip(rows, hints):
        assert [word.split()[0] for word in row[0].split("= ")[1:]] == [
            grouped(value) for value in hint["values"]], row
        assert row[1:3] == [grouped(hint["bound_bytes"]), grouped(hint["arena_bytes"])]
        assert row[4] == grouped(hint["sum_bytes"]), row
        assert row[6] == grouped(hint.get("bounded_bytes"), ""), row
    in_place = shown.get("in_place", [])
    rows = page.tables["inplace"][1:]
    assert len(rows) == min(len(in_place), 500) + (len(in_place) > 500)
    for row, pair in zip(rows, in_place[:500]):
        assert row[0].split()[0] == pair["written"], (row, pair)
        assert row[1].split()[0] == pair["read"], (row, pair)
        assert row[5] == pair["proof"], (row, pair)
    unplanned = [b for b in buffers if not b["planned"]]
    assert [r[0] for r in page.tables["unplanned"][1:]] == [
        b["name"] for b in unplanned]
    assert [r[5] for r in page.tables["unplanned"][1:]] == [
        b["reason"] + (f"; {b['remedy']}" if "remedy" in b else "") for b in unplanned]
    # The headline has what is needed at each of the sizes.
    for at in report["totals"].get("sizes", {"at": []})["at"] if report["functions"] else []:
        if "ram_bytes" in at:
            assert f"{grouped(at['ram_bytes'])} at " in page.texts["note"], page.texts
    assert [r[1] for r in page.tables["strategies"][1:]] == [
        grouped(s["arena_bytes"]) for s in shown.get("strategies", [])]


def main():
    chromium, path, report = sys.argv[1:4]
    with open(report, encoding="utf-8") as file:
        report = json.load(file)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    assert not re.search(r"https?://(?!www\.w3\.org/)", text.split("<script type")[0])
    embedded = json.loads(re.search(
        r'<script type="application/json" id="report">(.*?)</script>', text,
        re.S).group(1))
    for arena in embedded["arenas"] + report["arenas"]:
        # A plain JSON report does not compare strategies.
        arena.setdefault("strategies", [])
    for ours, theirs in zip(report["arenas"], embedded["arenas"]):
        ours["strategies"] = theirs["strategies"]
    embedded.pop("time_ms", None), report.pop("time_ms", None)
    assert embedded == report, "the page has another report in it"
    with tempfile.TemporaryDirectory() as profile:
        browse(chromium, profile, "/dev/null", "--dump-dom")
        start = time.monotonic()
        shown = browse(chromium, profile, path, "--dump-dom")
        seconds = time.monotonic() - start
        page = Page()
        page.feed(shown)
        check(page, report)
        print(f"the page says what the report says, in {seconds:.1f} s")
        if len(sys.argv) > 4:
            browse(chromium, profile, path, "--window-size=1280,1800",
                   f"--screenshot={sys.argv[4]}")


if __name__ == "__main__":
    main()
