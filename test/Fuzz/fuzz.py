#!/usr/bin/python3
# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fuzz.py BIN SECONDS [--jobs N] [--work DIR] [TARGET...]

Runs the fuzz targets in the folder BIN (memplan-fuzz-*, all or those named) for
SECONDS over N processors, each for an equal share of the time, and prints what they
did: executions, edges and features covered, the inputs that cover them, and
findings. The inputs stay in DIR/corpus, where the next run goes on; findings are in
DIR/findings. The exit status is 1 if there are findings.
"""
import argparse
import concurrent.futures
import os
import re
import resource
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PREFIX = "memplan-fuzz-"
# Files of other tests that are seeds as well.
MORE_SEEDS = {
    "read-problem": ["../Solver/Inputs"],
    "read-graph": ["../Graph/Inputs"],
    "parse": ["../IR", "../../examples"],
}
# A target that goes on to fail is not started again.
MOST_FINDINGS = 20
# AddressSanitizer keeps each call stack that it has seen, and recursive functions
# have many: with its 30 frames, the stacks of formulas fill the limit of memory.
# Of freed memory it keeps 16 MB.
ENVIRONMENT = {**os.environ, "ASAN_OPTIONS": ":".join(filter(None, [
    "quarantine_size_mb=16:malloc_context_size=3", os.environ.get("ASAN_OPTIONS")]))}
COVERAGE = re.compile(r"cov: (\d+) ft: (\d+) corp: (\d+)")
EXECUTED = re.compile(r"stat::number_of_executed_units: (\d+)")
LAST = re.compile(r"^#(\d+)\s", re.M)


class Result:
    def __init__(self):
        self.executions = self.edges = self.features = self.corpus = 0

    def add(self, log):
        for edges, features, corpus in COVERAGE.findall(log):
            self.edges = max(self.edges, int(edges))
            self.features = max(self.features, int(features))
            self.corpus = max(self.corpus, int(corpus))
        counts = EXECUTED.findall(log) or LAST.findall(log)[-1:]
        self.executions += sum(map(int, counts))


class Target:
    def __init__(self, binary, work):
        self.binary = binary
        self.name = os.path.basename(binary)[len(PREFIX):]
        self.corpus = os.path.join(work, "corpus", self.name)
        self.findings = os.path.join(work, "findings", self.name)
        for folder in (self.corpus, self.findings):
            os.makedirs(folder, exist_ok=True)

    def command(self, seconds, worker):
        seeds = [os.path.join(HERE, "seeds", self.name)]
        seeds += [os.path.join(HERE, more)
                  for more in MORE_SEEDS.get(self.name, [])]
        words = os.path.join(HERE, f"{self.name}.dict")
        return ([self.binary, f"-max_total_time={max(1, round(seconds))}",
                 "-print_final_stats=1", "-timeout=20", "-rss_limit_mb=2048",
                 "-max_len=4096", "-use_value_profile=1" if worker % 2 else
                 "-use_value_profile=0", "-reload=10",
                 f"-artifact_prefix={self.findings}/"] +
                ([f"-dict={words}"] if os.path.exists(words) else []) +
                [self.corpus] + [seed for seed in seeds if os.path.isdir(seed)])

    def run(self, seconds, worker):
        """One worker for so many seconds; it goes on after a finding."""
        result = Result()
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 1 or not result.executions:
            done = subprocess.run(
                self.command(left, worker), stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE, encoding="utf-8", errors="replace",
                check=False, env=ENVIRONMENT)
            result.add(done.stderr)
            if done.returncode == 0 or len(self.found()) >= MOST_FINDINGS:
                break
            with open(os.path.join(self.findings, "log"), "a",
                      encoding="utf-8") as log:
                log.write(done.stderr[-20000:])
            if not self.found():
                sys.exit(f"{self.binary} does not run:\n{done.stderr[-2000:]}")
        return result

    def found(self):
        return sorted(name for name in os.listdir(self.findings)
                      if name != "log")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("bin")
    parser.add_argument("seconds", type=float)
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--work", default=".")
    options = parser.parse_intermixed_args()
    targets = [Target(os.path.join(options.bin, name), options.work)
               for name in sorted(os.listdir(options.bin))
               if name.startswith(PREFIX) and
               (not options.targets or name[len(PREFIX):] in options.targets)]
    if not targets:
        parser.error(f"{options.bin} has no such target")

    # With more processors than targets, several workers share a corpus.
    workers = max(1, options.jobs // len(targets))
    share = options.seconds * min(1, options.jobs / len(targets))
    start = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runs = [(target, [pool.submit(target.run, share, worker)
                          for worker in range(workers)]) for target in targets]
    wall = time.monotonic() - start
    used = resource.getrusage(resource.RUSAGE_CHILDREN)

    row = "{:<14} {:>12} {:>8} {:>9} {:>8} {:>9}"
    print(row.format("target", "executions", "edges", "features", "inputs",
                     "findings"))
    findings = []
    total = 0
    for target, workers_of in runs:
        results = [run.result() for run in workers_of]
        executions = sum(result.executions for result in results)
        total += executions
        found = target.found()
        findings += [os.path.join(target.findings, name) for name in found]
        print(row.format(target.name, executions,
                         max(result.edges for result in results),
                         max(result.features for result in results),
                         max(result.corpus for result in results), len(found)))
    print(f"{total} executions, {len(findings)} findings; "
          f"{used.ru_utime + used.ru_stime:.0f} s of processor time in "
          f"{wall:.0f} s")
    for finding in findings:
        print(f"finding: {finding}")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
