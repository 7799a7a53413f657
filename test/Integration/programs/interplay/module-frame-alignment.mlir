// PROGRAM: scope=module entry-points=main
//
// A callee with a buffer of alignment 256: its frame is aligned in the caller's
// arena.
//
// The frame begins at a multiple of 256: its buffers, then those of @main.
// CHECK: arena @main: naive=579 linear-scan=323 greedy=197 greedy-by-breadth=197 best-fit=323 auto=197
// CHECK-NOT: left

func.func private @f(%a: memref<8xi64>) {
  %c1 = arith.constant 1 : index
  %t = memref.alloc() {alignment = 256 : i64} : memref<8xi64>
  linalg.map { arith.addi } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
  %u = memref.alloc() : memref<3xi8>
  %n = arith.constant 3 : i8
  memref.store %n, %u[%c1] : memref<3xi8>
  %v = memref.load %u[%c1] : memref<3xi8>
  vector.print %v : i8
  memref.copy %t, %a : memref<8xi64> to memref<8xi64>
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  %s = memref.alloc() : memref<5xi8>
  %n = arith.constant 9 : i8
  memref.store %n, %s[%c1] : memref<5xi8>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  call @f(%a) : (memref<8xi64>) -> ()
  call @f(%a) : (memref<8xi64>) -> ()
  %pr1 = memref.load %a[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %v = memref.load %s[%c1] : memref<5xi8>
  vector.print %v : i8
  return
}
