// A conditional or loop that only freed planned buffers has no effect after
// planning, wherever it is.
//
// RUN: memplan-opt %s --plan-memory="lower=false" | FileCheck %s

// CHECK-LABEL: func.func @in_a_case
// CHECK-NOT:     memref.dealloc
// CHECK:         return
func.func @in_a_case(%c: i1, %i: index, %v: f32, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<16xf32>)
  scf.if %c {
    scf.index_switch %i
    case 0 {
      memref.dealloc %a : memref<16xf32>
      scf.yield
    }
    default {
    }
  }
  // The same condition with other ops.
  scf.if %c {
    linalg.fill ins(%v : f32) outs(%out : memref<16xf32>)
  }
  scf.index_switch %i
  case 0 {
    linalg.fill ins(%v : f32) outs(%out : memref<16xf32>)
    scf.yield
  }
  default {
  }
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<16xf32>)
  return
}

// CHECK-LABEL: func.func @in_a_loop
// CHECK-NOT:     memref.dealloc
// CHECK:         return
func.func @in_a_loop(%c: i1, %n: index, %v: f32, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<16xf32>)
  scf.if %c {
    // The buffer is freed at most once, which the program guarantees.
    scf.for %i = %c0 to %n step %c1 {
      memref.dealloc %a : memref<16xf32>
    }
  }
  scf.if %c {
    scf.for %i = %c0 to %n step %c1 {
      linalg.fill ins(%v : f32) outs(%out : memref<16xf32>)
    }
  }
  affine.for %i = 0 to 1 {
    memref.dealloc %b : memref<16xf32>
  }
  affine.for %i = 0 to 1 {
    linalg.fill ins(%v : f32) outs(%out : memref<16xf32>)
  }
  return
}
