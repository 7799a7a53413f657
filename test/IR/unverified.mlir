// IR that the verifier rejects is printed completely and without a crash, so
// that a diagnostic can show it.
// RUN: memplan-opt %s --mlir-very-unsafe-disable-verifier-on-parsing --verify-each=0 --mlir-print-assume-verified | FileCheck %s

// CHECK: memplan.problem @odd
memplan.problem @odd {
  // CHECK-NEXT: memplan.buffer @a size(-1) align(0) live {{\[}}[0, 1), [2, )]
  "memplan.buffer"() <{sym_name = "a", size = -1 : i64, align = 0 : i64, live = array<i64: 0, 1, 2>}> : () -> ()
  // CHECK-NEXT: memplan.buffer @b size(1) live []
  "memplan.buffer"() <{sym_name = "b", size = 1 : i64, align = 1 : i64, live = array<i64>}> : () -> ()
}
