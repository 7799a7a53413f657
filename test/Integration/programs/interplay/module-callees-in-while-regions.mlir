// PROGRAM: scope=module entry-points=main
//
// Both regions of a while loop call a callee with a temporary on carried
// buffers.
//
// The carried value, the new one, and the larger frame: 192 bytes.
// CHECK: arena @main: naive=256 others=192
// CHECK-NOT: left

func.func private @norm(%a: memref<8xi64>) -> i64 {
  %c3 = arith.constant 3 : index
  %t = memref.alloc() : memref<8xi64>
  linalg.map { arith.muli } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
  %v = memref.load %t[%c3] : memref<8xi64>
  return %v : i64
}
func.func private @upd(%a: memref<8xi64>) -> memref<8xi64> {
  %k1 = arith.constant 1 : i64
  %t = memref.alloc() : memref<8xi64>
  %u = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
  linalg.fill ins(%k1 : i64) outs(%u : memref<8xi64>)
  linalg.map { arith.addi } ins(%t, %u : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
  return %t : memref<8xi64>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k100 = arith.constant 100 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r = scf.while (%p = %a) : (memref<8xi64>) -> memref<8xi64> {
    %v = func.call @norm(%p) : (memref<8xi64>) -> i64
    %c = arith.cmpi slt, %v, %k100 : i64
    scf.condition(%c) %p : memref<8xi64>
  } do {
  ^bb0(%q: memref<8xi64>):
    %u = func.call @upd(%q) : (memref<8xi64>) -> memref<8xi64>
    scf.yield %u : memref<8xi64>
  }
  %pr1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  return
}
