#!/usr/bin/python3
"""check_profile_page.py CHROMIUM PAGE PROFILE [PICTURE]: opens PAGE, the page of a
memory profile, in headless chromium and compares its contents with the JSON of
PROFILE. Prints the time of the page. With PICTURE, a screenshot is written."""
import json
import re
import sys
import tempfile
import time

from check_page import Page, browse, grouped


def flatten(report, base=0):
    """Each profile with its baseline in bytes."""
    if "profiles" in report:
        return [entry for part in report["profiles"] for entry in flatten(part)]
    if "forward" in report:
        return (flatten(report["forward"]) +
                flatten(report["backward"], report["baseline_bytes"]))
    return [(report, base)]


def check(page, report):
    assert page.ready, "the page's script did not come to its end"
    assert not page.requests, page.requests
    profiles = flatten(report)
    rows = page.tables["profiles"][1:]
    assert len(rows) == len(profiles), rows
    for row, (profile, base) in zip(rows, profiles):
        assert row[1] == grouped(profile["peak_bytes"] + base), row
        assert row[3:5] == [grouped(len(profile["allocations"])),
                            grouped(len(profile["entries"]))], row
    if "forward" in report:
        for key in ("forward_peak_bytes", "backward_peak_bytes", "baseline_bytes",
                    "peak_bytes"):
            assert page.values[key] == report[key], key
    # The page shows the profile with the highest peak, at its peak.
    shown, base = max(profiles, key=lambda entry: entry[0]["peak_bytes"] + entry[1])
    assert page.values["peak"] == shown["peak_bytes"] + base
    entry = shown["entries"][shown["peak_entry"]]
    live = [(grouped(part["bytes"]), shown["allocations"][part["allocation"]])
            for part in shown["live_at_peak"]]
    rows = page.tables["live"][1:]
    scratch = entry.get("scratch_bytes", 0)
    assert len(rows) == min(len(live), 500) + (len(live) > 500) + (scratch > 0)
    for row, (size, allocation) in zip(rows, live[:500]):
        assert row[0] == size, (row, size)
        assert row[2:5] == [allocation["id"], allocation["origin"],
                            allocation.get("op", "")], (row, allocation)
        assert row[6] == allocation.get("location", ""), row
    # The allocations that the page finds live add up to the peak of the profile.
    total = sum(int(row[0].replace(",", "")) for row in rows)
    assert total == shown["peak_bytes"], (total, shown["peak_bytes"])


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
    assert embedded == report, "the page has another profile in it"
    with tempfile.TemporaryDirectory() as folder:
        browse(chromium, folder, "/dev/null", "--dump-dom")
        start = time.monotonic()
        shown = browse(chromium, folder, path, "--dump-dom")
        seconds = time.monotonic() - start
        page = Page()
        page.feed(shown)
        check(page, report)
        print(f"the page says what the profile says, in {seconds:.1f} s")
        if len(sys.argv) > 4:
            browse(chromium, folder, path, "--window-size=1280,1100",
                   f"--screenshot={sys.argv[4]}")


if __name__ == "__main__":
    main()
