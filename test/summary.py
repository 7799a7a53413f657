#!/usr/bin/python3
"""summary.py RESULTS: prints `N passed, N failed, N skipped` of the results that
lit wrote, and fails when a test failed or none passed."""
import json
import sys

PASSED = {"PASS", "FLAKYPASS", "XFAIL"}
SKIPPED = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}

with open(sys.argv[1], encoding="utf-8") as file:
    codes = [test["code"] for test in json.load(file)["tests"]]
passed = sum(code in PASSED for code in codes)
skipped = sum(code in SKIPPED for code in codes)
failed = len(codes) - passed - skipped
print(f"{passed} passed, {failed} failed, {skipped} skipped")
sys.exit(1 if failed or not passed else 0)
