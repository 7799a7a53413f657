// RUN: memplan-opt --plan-memory="require=verified lower=false" %s | FileCheck %s

// The result of a call is not known to be the argument, neither here nor to the
// verifier, although the callee can return nothing else: the buffer keeps its
// bytes between the fill and the read through the result, also where the next
// fill overwrites it.
func.func private @pick(%a: memref<128xi8>, %b: memref<128xi8>, %c: i1) -> memref<128xi8> {
  %r = arith.select %c, %a, %b : memref<128xi8>
  return %r : memref<128xi8>
}

// CHECK-LABEL: func.func @overwritten_behind_a_call_result
func.func @overwritten_behind_a_call_result(%c: i1, %n: index, %value: i8, %out: memref<128xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: memplan.view %{{.*}}[0]
  %a = memref.alloc() : memref<128xi8>
  linalg.fill ins(%value : i8) outs(%a : memref<128xi8>)
  %same = func.call @pick(%a, %a, %c) : (memref<128xi8>, memref<128xi8>, i1) -> memref<128xi8>
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: memplan.view %{{.*}}[128]
    %t = memref.alloc() : memref<128xi8>
    memref.copy %out, %t : memref<128xi8> to memref<128xi8>
    memref.copy %t, %out : memref<128xi8> to memref<128xi8>
    linalg.fill ins(%value : i8) outs(%a : memref<128xi8>)
    memref.copy %same, %out : memref<128xi8> to memref<128xi8>
  }
  return
}
