// PROGRAM: scope=module entry-points=main
//
// A second argument tells whether the callee frees the first one, and is passed
// down two calls: a buffer that is not freed there is used afterwards.
//
// %a while it is not freed, %b, and %t of @outer are live at once in the second
// call: 192 bytes.
// CHECK: arena @main: naive=256 others=192
// CHECK-NOT: left

func.func private @inner(%a: memref<8xi64>, %own: i1) {
  %c0 = arith.constant 0 : index
  %s = memref.load %a[%c0] : memref<8xi64>
  vector.print %s : i64
  scf.if %own {
    memref.dealloc %a : memref<8xi64>
  }
  return
}
func.func private @outer(%own: i1, %a: memref<8xi64>) {
  %true = arith.constant true
  %t = memref.alloc() : memref<8xi64>
  memref.copy %a, %t : memref<8xi64> to memref<8xi64>
  func.call @inner(%t, %true) : (memref<8xi64>, i1) -> ()
  func.call @inner(%a, %own) : (memref<8xi64>, i1) -> ()
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %true = arith.constant true
  %k7 = arith.constant 7 : i64
  scf.for %i = %c0 to %c4 step %c1 {
    %x = arith.index_cast %i : index to i64
    %own = arith.trunci %x : i64 to i1
    %a = memref.alloc() : memref<8xi64>
    linalg.fill ins(%x : i64) outs(%a : memref<8xi64>)
    func.call @outer(%own, %a) : (i1, memref<8xi64>) -> ()
    %b = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k7 : i64) outs(%b : memref<8xi64>)
    func.call @outer(%true, %b) : (i1, memref<8xi64>) -> ()
    %not = arith.xori %own, %true : i1
    scf.if %not {
      %s1 = memref.load %a[%c0] : memref<8xi64>
      vector.print %s1 : i64
      memref.dealloc %a : memref<8xi64>
    }
  }
  return
}
