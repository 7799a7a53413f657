# lit configuration of the GoogleTest suites: every executable *-tests of the
# build's bin folder. Tests whose names begin with Slow are among the slow ones.
import os

import lit.formats

config.name = "memplan-unit"
config.suffixes = []
config.test_source_root = os.path.join(config.memplan_obj_root, "bin")
config.test_exec_root = config.test_source_root
config.test_format = lit.formats.GoogleTest(".", "-tests")
if config.memplan_sanitized.upper() == "ON":
    config.environment["ASAN_OPTIONS"] = "detect_leaks=0"
if lit_config.params.get("slow", "0") != "1":
    config.environment["GTEST_FILTER"] = "-*.Slow*"
