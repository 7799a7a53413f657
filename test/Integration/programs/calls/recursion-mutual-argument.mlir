// PROGRAM: plain
// PROGRAM: scope=module entry-points=main
//
// Two functions pass each other their argument. One has a live buffer while the
// other runs.
//
// 1 + 1 + 1, twice, and the 2 of an outer activation.
// 64 bytes are live at one time.
// CHECK: arena @even: naive=64 others=64
// The passed buffer and the one that is live across the call, 64 bytes each.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func private @even(%a: memref<8xi64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = memref.alloc() : memref<8xi64>
  memref.copy %a, %t : memref<8xi64> to memref<8xi64>
  %more = arith.cmpi ugt, %n, %c0 : index
  scf.if %more {
    %m = arith.subi %n, %c1 : index
    func.call @odd(%a, %m) : (memref<8xi64>, index) -> ()
  }
  // The sum that the inner activations added, and once more the old value.
  linalg.map { arith.addi } ins(%a, %t : memref<8xi64>, memref<8xi64>) outs(%a : memref<8xi64>)
  return
}
func.func private @odd(%a: memref<8xi64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k1 = arith.constant 1 : i64
  %old = memref.load %a[%c0] : memref<8xi64>
  %new = arith.addi %old, %k1 : i64
  memref.store %new, %a[%c0] : memref<8xi64>
  %more = arith.cmpi ugt, %n, %c0 : index
  scf.if %more {
    %m = arith.subi %n, %c1 : index
    func.call @even(%a, %m) : (memref<8xi64>, index) -> ()
  }
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %k3 = arith.constant 3 : i64
  %beside = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k3 : i64) outs(%beside : memref<8xi64>)
  %s0 = memref.load %beside[%c0] : memref<8xi64>
  vector.print %s0 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  call @odd(%a, %c3) : (memref<8xi64>, index) -> ()
  %s1 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %beside[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
