// PROGRAM: scope=module entry-points=main
//
// A view of another shape, carried by a do-while loop of 3 iterations in a
// callee.
//
// %q and %o, and two slots in the frame: 256 bytes.
// CHECK: arena @main: naive=384 others=256
// CHECK-NOT: left

func.func private @f(%in: memref<8xi64>, %out: memref<8xi64>) {
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k3 = arith.constant 3 : i64
  %a = memref.alloc() : memref<8xi64>
  memref.copy %in, %a : memref<8xi64> to memref<8xi64>
  %r:2 = scf.while (%rx0 = %a, %rc = %k0) : (memref<8xi64>, i64) -> (memref<8xi64>, i64) {
    %n = memref.alloc() : memref<8xi64>
    %nv = memref.expand_shape %n [[0, 1]] output_shape [2, 4] : memref<8xi64> into memref<2x4xi64>
    %nc = memref.collapse_shape %nv [[0, 1]] : memref<2x4xi64> into memref<8xi64>
    linalg.map { arith.addi } ins(%rx0, %rx0 : memref<8xi64>, memref<8xi64>) outs(%nc : memref<8xi64>)
    %rc1 = arith.addi %rc, %k1 : i64
    %rlt = arith.cmpi slt, %rc1, %k3 : i64
    scf.condition(%rlt) %nc, %rc1 : memref<8xi64>, i64
  } do {
  ^bb0(%rx0z: memref<8xi64>, %rcz: i64):
    scf.yield %rx0z, %rcz : memref<8xi64>, i64
  }
  linalg.map { arith.addi } ins(%r#0, %out : memref<8xi64>, memref<8xi64>) outs(%out : memref<8xi64>)
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k3 = arith.constant 3 : i64
  %q = memref.alloc() : memref<8xi64>
  %o = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k3 : i64) outs(%q : memref<8xi64>)
  linalg.fill ins(%k0 : i64) outs(%o : memref<8xi64>)
  call @f(%q, %o) : (memref<8xi64>, memref<8xi64>) -> ()
  call @f(%o, %q) : (memref<8xi64>, memref<8xi64>) -> ()
  %pr1 = memref.load %q[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %pr2 = memref.load %o[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  return
}
