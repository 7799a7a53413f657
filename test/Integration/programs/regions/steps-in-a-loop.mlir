// PROGRAM: reverse-steps
//
// Steps in a loop, of calls that read the same buffer and have temporaries.
//
// CHECK: arena @twice: naive=64 others=64
// In sequence %b and %c could not share bytes either, as both are read later.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func private @twice(%in: memref<8xi64>, %out: memref<8xi64>) {
  %t = memref.alloc() : memref<8xi64>
  memref.copy %in, %t : memref<8xi64> to memref<8xi64>
  linalg.add ins(%in, %t : memref<8xi64>, memref<8xi64>)
      outs(%out : memref<8xi64>)
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k7 = arith.constant 7 : i64
  %sum = scf.for %i = %c0 to %c10 step %c1 iter_args(%s = %k0) -> i64 {
    %v = arith.index_cast %i : index to i64
    %a = memref.alloc() : memref<8xi64>
    linalg.fill ins(%v : i64) outs(%a : memref<8xi64>)
    %b = memref.alloc() : memref<8xi64>
    func.call @twice(%a, %b) {memplan.step = 0}
        : (memref<8xi64>, memref<8xi64>) -> ()
    %c = memref.alloc() : memref<8xi64>
    func.call @twice(%a, %c) {memplan.step = 0}
        : (memref<8xi64>, memref<8xi64>) -> ()
    %x = memref.load %b[%c1] : memref<8xi64>
    %y = memref.load %c[%c1] : memref<8xi64>
    %xy = arith.addi %x, %y : i64
    %half = arith.shrsi %xy, %k1 : i64
    %next = arith.addi %s, %half : i64
    scf.yield %next : i64
  }
  vector.print %sum : i64
  vector.print %k7 : i64
  return
}
