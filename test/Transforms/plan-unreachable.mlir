// RUN: memplan-opt %s --split-input-file --plan-memory=lower=false --memplan-verify 2>&1 | FileCheck %s --implicit-check-not=warning
// RUN: memplan-opt %s --split-input-file --plan-memory --memplan-verify 2>&1 | FileCheck %s --check-prefix=LOWERED --implicit-check-not=warning
// RUN: memplan-opt %s --split-input-file --plan-memory --remarks-filter=plan.* -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Unreachable blocks branch to others: carried slots there are not planned, and
// buffers that are live in unreachable blocks end at their other last uses.

// LOWERED-LABEL: @slots_from_nowhere
// LOWERED-LABEL: @ends_from_nowhere
// LOWERED-LABEL: @results_from_nowhere

// The loop is entered from an unreachable block; %n is not planned.
//
// REMARK: Function=slots_from_nowhere | Remark="b1 not planned: it is carried around the loop it is allocated in
// CHECK-LABEL: func.func @slots_from_nowhere
// CHECK: memplan.view
// CHECK: memref.alloc()
// CHECK-NOT: memref.alloc()
// CHECK: return
func.func @slots_from_nowhere(%c: i1, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<4xi64>)
  cf.br ^h(%a : memref<4xi64>)
^h(%x: memref<4xi64>):
  %n = memref.alloc() : memref<4xi64>
  linalg.map { arith.addi } ins(%x, %x : memref<4xi64>, memref<4xi64>) outs(%n : memref<4xi64>)
  cf.cond_br %c, ^h(%n : memref<4xi64>), ^e
^dead:
  cf.br ^h(%x : memref<4xi64>)
^e:
  %v = memref.load %n[%c0] : memref<4xi64>
  return %v : i64
}

// -----

// %a is live in ^dead, but ends only after its last use in ^g.
//
// CHECK-LABEL: func.func @ends_from_nowhere
// CHECK: %[[A:.*]] = memplan.view %{{.*}}[0] align(64)
// CHECK: return
func.func @ends_from_nowhere(%c: i1, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<4xi64>)
  cf.br ^g(%a : memref<4xi64>)
^g(%x: memref<4xi64>):
  %n = memref.alloc() : memref<4xi64>
  linalg.map { arith.addi } ins(%x, %x : memref<4xi64>, memref<4xi64>) outs(%n : memref<4xi64>)
  cf.br ^e
^dead:
  cf.cond_br %c, ^g(%x : memref<4xi64>), ^e
^e:
  %m = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%m : memref<4xi64>)
  %v = memref.load %m[%c0] : memref<4xi64>
  return %v : i64
}

// -----

// The region is never left, so carried slots after it are not planned either.
//
// REMARK: Function=results_from_nowhere | Remark="b2 not planned: it is carried around the loop it is allocated in
// REMARK: Function=results_from_nowhere | Remark="b3 not planned: it is carried around the loop it is allocated in
// CHECK-LABEL: func.func @results_from_nowhere
// CHECK: return
func.func @results_from_nowhere(%c: i1, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<4xi64>)
  %y = scf.execute_region -> memref<4xi64> {
    %s = memref.alloc() : memref<4xi64>
    linalg.fill ins(%k : i64) outs(%s : memref<4xi64>)
    cf.br ^i(%s : memref<4xi64>)
  ^i(%x: memref<4xi64>):
    %n = memref.alloc() : memref<4xi64>
    linalg.map { arith.addi } ins(%x, %x : memref<4xi64>, memref<4xi64>) outs(%n : memref<4xi64>)
    cf.br ^i(%n : memref<4xi64>)
  ^d:
    scf.yield %x : memref<4xi64>
  }
  cf.br ^h(%a, %y : memref<4xi64>, memref<4xi64>)
^h(%p: memref<4xi64>, %q: memref<4xi64>):
  %m = memref.alloc() : memref<4xi64>
  linalg.map { arith.addi } ins(%p, %q : memref<4xi64>, memref<4xi64>) outs(%m : memref<4xi64>)
  cf.cond_br %c, ^h(%q, %m : memref<4xi64>, memref<4xi64>), ^e
^e:
  %v = memref.load %m[%c0] : memref<4xi64>
  return %v : i64
}

// -----

// %unused is forwarded by a loop that is never entered, to a block argument
// without uses: its view may be outside of the loop.
//
// CHECK-LABEL: func.func @unused_in_a_loop_never_entered
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @unused_in_a_loop_never_entered(%out: memref<40xi16>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<40xi16>
  %b = memref.alloc() : memref<40xi16>
  %r:3 = affine.for %i = 0 to 0 iter_args(%x = %b, %y = %a, %z = %a) -> (memref<40xi16>, memref<40xi16>, memref<40xi16>) {
    %v = memref.load %y[%c0] : memref<40xi16>
    memref.store %v, %out[%c0] : memref<40xi16>
    %n = memref.alloc() {alignment = 64} : memref<40xi16>
    %unused = memref.alloc() : memref<40xi16>
    affine.yield %x, %n, %unused : memref<40xi16>, memref<40xi16>, memref<40xi16>
  }
  return
}
