// The loop has no iteration by its constant bounds: %r is %a, which is live
// after the loop; %t is written only in the body and has separate bytes.
//
// CHECK: arena @f: naive=128 others=128
// CHECK-NOT: left

func.func @f(%c: i1) {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %a = scf.if %c -> (memref<8xi64>) {
    %a1 = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%a1 : memref<8xi64>)
    scf.yield %a1 : memref<8xi64>
  } else {
    %a2 = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k2 : i64) outs(%a2 : memref<8xi64>)
    scf.yield %a2 : memref<8xi64>
  }
  %t = memref.alloc() : memref<8xi64>
  %r = affine.for %i = 0 to 0 iter_args(%m = %a) -> (memref<8xi64>) {
    linalg.fill ins(%k2 : i64) outs(%t : memref<8xi64>)
    %x = memref.load %t[%i] : memref<8xi64>
    vector.print %x : i64
    affine.yield %m : memref<8xi64>
  }
  %s = memref.load %r[%c0] : memref<8xi64>
  vector.print %s : i64
  return
}
func.func @main() {
  %t = arith.constant true
  call @f(%t) : (i1) -> ()
  return
}
