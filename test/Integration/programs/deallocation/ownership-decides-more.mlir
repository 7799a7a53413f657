// A deallocation returns the ownership of its retained memref, which decides
// which element is read and whether another buffer is freed: planning must not
// change it.
//
// CHECK: arena @f: naive=any others=any
// One of the two selected buffers is freed by the op whose result is used, the
// other one is compared with it.
// CHECK: left @f: 2

func.func private @f(%c: i1, %n: index) {
  %true = arith.constant true
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k5 = arith.constant 5 : i64
  %k10 = arith.constant 10 : i64
  %size = arith.maxsi %n, %c8 : index
  %other = memref.alloc(%size) : memref<?xi64>
  linalg.fill ins(%k5 : i64) outs(%other : memref<?xi64>)
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %r = arith.select %c, %a, %b : memref<8xi64>
  %owned = bufferization.dealloc (%a : memref<8xi64>) if (%true)
    retain (%r : memref<8xi64>)
  %more = arith.select %owned, %k10, %k2 : i64
  %t = memref.alloc() : memref<8xi64>
  linalg.fill ins(%more : i64) outs(%t : memref<8xi64>)
  %x = memref.load %t[%c3] : memref<8xi64>
  %y = memref.load %other[%c3] : memref<?xi64>
  %s = arith.addi %x, %y : i64
  memref.dealloc %t : memref<8xi64>
  %z = scf.if %owned -> i64 {
    memref.dealloc %other : memref<?xi64>
    scf.yield %s : i64
  } else {
    scf.yield %y : i64
  }
  vector.print %z : i64
  scf.if %owned {
  } else {
    memref.dealloc %other : memref<?xi64>
    %v = memref.load %r[%c3] : memref<8xi64>
    vector.print %v : i64
  }
  memref.dealloc %b : memref<8xi64>
  bufferization.dealloc (%r : memref<8xi64>) if (%owned)
  return
}

func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  %c3 = arith.constant 3 : index
  call @f(%true, %c3) : (i1, index) -> ()
  call @f(%false, %c3) : (i1, index) -> ()
  return
}
