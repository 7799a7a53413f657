// Invalid options give an error before the program is changed.

// RUN: not memplan-opt --plan-memory=strategy=quick %s 2>&1 | FileCheck %s --check-prefix=STRATEGY
// RUN: not memplan-opt --plan-memory=alignment=48 %s 2>&1 | FileCheck %s --check-prefix=POWER
// RUN: not memplan-opt --plan-memory=alignment=0 %s 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not memplan-opt --plan-memory=alignment=-64 %s 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not memplan-opt --plan-memory=alignment=4611686018427387904 %s 2>&1 | FileCheck %s --check-prefix=HUGE
// RUN: not memplan-opt --plan-memory=alignment=abc %s 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not memplan-opt --plan-memory=capacity=-1 %s 2>&1 | FileCheck %s --check-prefix=CAPACITY
// RUN: not memplan-opt --plan-memory=frob=1 %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not memplan-opt --memplan-extract=alignment=3 %s 2>&1 | FileCheck %s --check-prefix=EXTRACT
// RUN: not memplan-opt --plan-memory=arena=alloca:none %s 2>&1 | FileCheck %s --check-prefix=LIMIT

// RUN: not memplan-opt --memplan-solve=time-limit-ms=-5 %s 2>&1 | FileCheck %s --check-prefix=TIME
// RUN: not memplan-opt --memplan-solve=time-limit-ms=9223372036854775807 %s 2>&1 | FileCheck %s --check-prefix=LONG
// RUN: not memplan-opt --memplan-solve=threads=1025 %s 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not memplan-opt --memplan-solve=node-limit=-1 %s 2>&1 | FileCheck %s --check-prefix=NODES
// RUN: not memplan-opt --plan-memory=capacity=16777216T %s 2>&1 | FileCheck %s --check-prefix=OVERFLOW
// RUN: not memplan-opt --plan-memory=report-file=%t.json %s 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: not memplan-opt --plan-memory=report=html5 %s 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: not memplan-opt --plan-memory=scope=program %s 2>&1 | FileCheck %s --check-prefix=SCOPE
// RUN: not memplan-opt --plan-memory=require=all %s 2>&1 | FileCheck %s --check-prefix=REQUIRE
// Sizes with suffixes.
// RUN: memplan-opt --plan-memory="alignment=1K capacity=1m prepare=false" %s | FileCheck %s --check-prefix=SIZES
// RUN: memplan-opt --plan-memory="alignment=1KiB capacity=256" %s --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefix=PIPELINE

// NODES: error: node-limit -1 is negative
// TIME: error: time-limit-ms -5 is negative
// LONG: error: time-limit-ms 9223372036854775807 is more than 922337203685
// THREADS: error: threads 1025 is more than 1024
// OVERFLOW: '16777216T' is not a number of bytes
// FILE: error: report-file means nothing without report
// REPORT: 'html5' is not one of none, text, json, html, svg
// SCOPE: 'program' is not one of function, module
// REQUIRE: 'all' is not one of none, planned, placed, verified
// SIZES: memref.alloc() {alignment = 1024 : i64, {{.*}}memplan.arena} : memref<256xi8>
// PIPELINE: plan-memory{alignment=1024
// PIPELINE-SAME: capacity=256
// STRATEGY: 'quick' is not one of auto, naive, linear-scan, greedy, greedy-by-size, greedy-by-breadth, best-fit, hill-climb, exact
// POWER: error: alignment 48 is not a power of two
// ZERO: error: alignment 0 is not a power of two
// NEGATIVE: '-64' is not a number of bytes, such as 4096, 64K or 1M
// HUGE: error: alignment 4611686018427387904 is more than
// NUMBER: 'abc' is not a number of bytes
// CAPACITY: '-1' is not a number of bytes
// UNKNOWN: no such option frob
// LIMIT: 'none' is not a number of bytes
// EXTRACT: error: alignment 3 is not a power of two

func.func @f() {
  %c = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%c : f32) outs(%a : memref<64xf32>)
  return
}
