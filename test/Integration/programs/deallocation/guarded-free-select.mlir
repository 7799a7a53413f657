// PROGRAM: plain
// PROGRAM: scope=module entry-points=main --check-prefix=TREE
//
// Selects of a buffer, and conditions computed from conditions: with the
// argument they are always false.
//
// The buffer that is chosen first, and the one computed from it.
// CHECK: arena @net: naive=128 others=128
// The copy of the result, and the passed buffer.
// CHECK: arena @print: naive=64 others=64
// CHECK: arena @main: naive=64 others=64
// CHECK-NOT: left
// All of them; the naive plan has separate bytes for the frames of each call.
// TREE: arena @main: naive=832 others=256
// TREE-NOT: left

func.func private @net(%x: memref<8xi64>, %c: i1, %d: i1, %o: memref<8xi64>) {
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%x, %x : memref<8xi64>, memref<8xi64>) outs(%a : memref<8xi64>)
  // Owned by the condition of the select.
  %s = arith.select %c, %a, %x : memref<8xi64>
  %owned = arith.select %c, %true, %false : i1
  // Or new again, if both conditions are true.
  %both = arith.andi %c, %d : i1
  %r:2 = scf.if %both -> (memref<8xi64>, i1) {
    %b = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%s, %s : memref<8xi64>, memref<8xi64>) outs(%b : memref<8xi64>)
    memref.dealloc %s : memref<8xi64>
    scf.yield %b, %true : memref<8xi64>, i1
  } else {
    %t = memref.cast %s : memref<8xi64> to memref<?xi64>
    %u = memref.cast %t : memref<?xi64> to memref<8xi64>
    %not = arith.xori %c, %true : i1
    %no = arith.xori %not, %true : i1
    %some = arith.ori %both, %no : i1
    scf.yield %u, %some : memref<8xi64>, i1
  }
  memref.copy %r#0, %o : memref<8xi64> to memref<8xi64>
  scf.if %r#1 {
    memref.dealloc %r#0 : memref<8xi64>
  }
  %spare = arith.xori %c, %true : i1
  scf.if %spare {
    memref.dealloc %a : memref<8xi64>
  }
  return
}
func.func private @print(%x: memref<8xi64>, %c: i1, %d: i1) {
  %c0 = arith.constant 0 : index
  %o = memref.alloc() : memref<8xi64>
  func.call @net(%x, %c, %d, %o) : (memref<8xi64>, i1, i1, memref<8xi64>) -> ()
  %p = memref.load %o[%c0] : memref<8xi64>
  vector.print %p : i64
  memref.dealloc %o : memref<8xi64>
  return
}
func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  %k1 = arith.constant 1 : i64
  %x = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%x : memref<8xi64>)
  call @print(%x, %true, %true) : (memref<8xi64>, i1, i1) -> ()
  call @print(%x, %true, %false) : (memref<8xi64>, i1, i1) -> ()
  call @print(%x, %false, %true) : (memref<8xi64>, i1, i1) -> ()
  call @print(%x, %false, %false) : (memref<8xi64>, i1, i1) -> ()
  memref.dealloc %x : memref<8xi64>
  return
}
