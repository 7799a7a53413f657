// PROGRAM: scope=module entry-points=main workers=4
//
// Each iteration passes its own buffer to a callee that frees it, and then has
// another buffer in the same bytes.
//
// %out, and for each of 4 workers the bytes of %a, which %b reuses: 32 + 4 *
// 64.
// CHECK: auto=288
// CHECK-NOT: left

func.func private @drop(%a: memref<8xi64>, %out: memref<4xi64>, %i: index) {
  %c0 = arith.constant 0 : index
  %s = memref.load %a[%c0] : memref<8xi64>
  %t = memref.load %out[%i] : memref<4xi64>
  %u = arith.addi %s, %t : i64
  memref.store %u, %out[%i] : memref<4xi64>
  memref.dealloc %a : memref<8xi64>
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %k0 = arith.constant 0 : i64
  %k10 = arith.constant 10 : i64
  %out = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k0 : i64) outs(%out : memref<4xi64>)
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %x = arith.index_cast %i : index to i64
    %a = memref.alloc() : memref<8xi64>
    linalg.fill ins(%x : i64) outs(%a : memref<8xi64>)
    func.call @drop(%a, %out, %i) : (memref<8xi64>, memref<4xi64>, index) -> ()
    %b = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k10 : i64) outs(%b : memref<8xi64>)
    func.call @drop(%b, %out, %i) : (memref<8xi64>, memref<4xi64>, index) -> ()
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %s = memref.load %out[%i] : memref<4xi64>
    vector.print %s : i64
  }
  memref.dealloc %out : memref<4xi64>
  return
}
