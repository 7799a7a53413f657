#!/usr/bin/python3
"""summary.py RESULTS: prints `N passed, N failed, N skipped` of the xunit file that
lit wrote for all suites; fails if a test failed or none passed."""
import sys
import xml.etree.ElementTree

total = failed = skipped = 0
for suite in xml.etree.ElementTree.parse(sys.argv[1]).iter("testsuite"):
    total += int(suite.get("tests"))
    failed += int(suite.get("failures"))
    skipped += int(suite.get("skipped", "0"))
passed = total - failed - skipped
print(f"{passed} passed, {failed} failed, {skipped} skipped")
sys.exit(1 if failed or not passed else 0)
