// RUN: cat %s %S/Inputs/dealloc_helper.mlir | memplan-opt --memplan-raise-deallocations --plan-memory --memplan-verify | FileCheck %s
// RUN: cat %s %S/Inputs/dealloc_helper.mlir | memplan-opt --memplan-raise-deallocations --plan-memory=lower=false --memplan-verify -o /dev/null

// Neither of two arguments is owned, so neither is freed. If the rest of the
// function is planned, none of their pointers is stored, and callers may plan
// the arguments.
// CHECK-LABEL: func.func private @owns_nothing
// CHECK: memplan.arena
// CHECK-NOT: extract_aligned_pointer
// CHECK-NOT: call
// CHECK: return
func.func private @owns_nothing(%a: memref<16xf32>, %b: memref<16xf32>) {
  %false = arith.constant false
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = memref.alloc() : memref<16xf32>
  linalg.exp ins(%a : memref<16xf32>) outs(%t : memref<16xf32>)
  memref.copy %t, %b : memref<16xf32> to memref<16xf32>
  %p = memref.alloc() : memref<2xindex>
  %o = memref.alloc() : memref<2xi1>
  %k = memref.alloc() : memref<0xindex>
  %p_0 = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  memref.store %p_0, %p[%c0] : memref<2xindex>
  %p_1 = memref.extract_aligned_pointer_as_index %b : memref<16xf32> -> index
  memref.store %p_1, %p[%c1] : memref<2xindex>
  memref.store %false, %o[%c0] : memref<2xi1>
  memref.store %false, %o[%c1] : memref<2xi1>
  %pc = memref.cast %p : memref<2xindex> to memref<?xindex>
  %oc = memref.cast %o : memref<2xi1> to memref<?xi1>
  %kc = memref.cast %k : memref<0xindex> to memref<?xindex>
  %f = memref.alloc() : memref<2xi1>
  %u = memref.alloc() : memref<0xi1>
  %fc = memref.cast %f : memref<2xi1> to memref<?xi1>
  %uc = memref.cast %u : memref<0xi1> to memref<?xi1>
  call @dealloc_helper(%pc, %kc, %oc, %fc, %uc) : (memref<?xindex>, memref<?xindex>, memref<?xi1>, memref<?xi1>, memref<?xi1>) -> ()
  %d_0 = memref.load %f[%c0] : memref<2xi1>
  scf.if %d_0 {
    memref.dealloc %a : memref<16xf32>
  }
  %d_1 = memref.load %f[%c1] : memref<2xi1>
  scf.if %d_1 {
    memref.dealloc %b : memref<16xf32>
  }
  return
}

// CHECK-LABEL: func.func @caller
// CHECK: memref.alloc() {{.*}}memplan.arena} : memref<128xi8>
func.func @caller(%f: f32, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  call @owns_nothing(%a, %b) : (memref<16xf32>, memref<16xf32>) -> ()
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  return
}
