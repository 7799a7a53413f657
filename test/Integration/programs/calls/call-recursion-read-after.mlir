// A recursive function reads its buffer after the inner call: activations must not
// share bytes.
//
// 64 bytes are live at one time, so no plan is smaller.
// CHECK: arena @down: naive=64 others=64
// CHECK-NOT: left

func.func private @down(%i: i64) {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%i : i64) outs(%a : memref<8xi64>)
  %c = arith.cmpi sgt, %i, %k0 : i64
  scf.if %c {
    %n = arith.subi %i, %k1 : i64
    func.call @down(%n) : (i64) -> ()
  }
  %s1 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s1 : i64
  return
}
func.func @main() {
  %k3 = arith.constant 3 : i64
  call @down(%k3) : (i64) -> ()
  return
}
