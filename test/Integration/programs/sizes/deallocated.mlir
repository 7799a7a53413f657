// WITH: ../../Inputs/sums.mlir
// PROGRAM: deallocate
// PROGRAM: deallocate dynamic=bounded
// PROGRAM: then-deallocate
// ARGUMENTS: 0
// ARGUMENTS: 1
// ARGUMENTS: 5
// ARGUMENTS: 20
// CHECK:      17

// Buffers of equal and of different sizes that control flow joins, with frees by upstream's
// pipeline.

func.func @f(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %z = memref.alloc(%n) : memref<?xf32>
  func.call @iota(%z, %one) : (memref<?xf32>, f32) -> ()
  %t = arith.cmpi sgt, %n, %c4 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%v = %z) -> memref<?xf32> {
    %a = memref.alloc(%n) : memref<?xf32>
    linalg.exp ins(%v : memref<?xf32>) outs(%a : memref<?xf32>)
    %q = scf.if %t -> memref<?xf32> {
      %b = memref.alloc(%n) : memref<?xf32>
      linalg.abs ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
      scf.yield %b : memref<?xf32>
    } else {
      scf.yield %a : memref<?xf32>
    }
    scf.yield %q : memref<?xf32>
  }
  %k = arith.subi %n, %c1 : index
  %p = scf.if %t -> memref<?xf32> {
    %b = memref.alloc(%k) : memref<?xf32>
    linalg.fill ins(%one : f32) outs(%b : memref<?xf32>)
    scf.yield %b : memref<?xf32>
  } else {
    %b = memref.alloc(%n) : memref<?xf32>
    linalg.fill ins(%two : f32) outs(%b : memref<?xf32>)
    scf.yield %b : memref<?xf32>
  }
  func.call @chk(%r) : (memref<?xf32>) -> ()
  func.call @chk(%p) : (memref<?xf32>) -> ()
  return
}
func.func @main(%n0: index) {
  %x = memref.alloc(%n0) : memref<?xf32>
  %c = arith.constant 2.0 : f32
  call @iota(%x, %c) : (memref<?xf32>, f32) -> ()
  call @f(%x) : (memref<?xf32>) -> ()
  return
}
