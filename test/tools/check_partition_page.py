#!/usr/bin/python3
"""check_partition_page.py CHROMIUM PAGE PARTITION: opens PAGE, the page of a partition,
in headless chromium and compares its contents with the JSON of PARTITION."""
import json
import re
import sys
import tempfile

from check_page import Page, browse, grouped


def check(page, text, partition):
    assert page.ready, "the page's script did not come to its end"
    assert not page.requests, page.requests
    for key in ("saved_unique_bytes", "saved_primal_bytes", "recomputed_flops",
                "forward_peak", "backward_peak", "pair_peak"):
        assert page.values[key] == partition[key], key
    saved = {row[0]: row for row in page.tables["saved"][1:]}
    assert set(saved) == set(partition["saved"]), saved
    inputs = sum(int(row[1].replace(",", "")) for row in saved.values()
                 if row[2] == "(input)")
    assert inputs == partition["saved_primal_bytes"], inputs
    assert [row[0] for row in page.tables["again"][1:]] == partition["recomputed"]
    assert [row[1] for row in page.tables["remarks"][1:]] == [
        remark["message"] for remark in partition["remarks"]]
    # An op of both functions is drawn in both.
    ops = len(partition["forward"]) + len(partition["backward"])
    assert len(re.findall(r'<g class="box">', text)) == ops
    assert len(re.findall(r'<rect [^>]*class="again"', text)) == \
        2 * len(partition["recomputed"])
    first = page.tables["budgets"][1]
    assert first[1] == grouped(0), first


def main():
    chromium, path, report = sys.argv[1:4]
    with open(report, encoding="utf-8") as file:
        partition = json.load(file)
    with tempfile.TemporaryDirectory() as folder:
        text = browse(chromium, folder, path, "--dump-dom")
    page = Page()
    page.feed(text)
    check(page, text, partition)
    print("the page says what the partition says")


if __name__ == "__main__":
    main()
