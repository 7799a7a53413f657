// Three streams, then an op without annotation that joins them.
//
// %a to %d while the streams run; %e and %f have the bytes of dead buffers: 256
// bytes.
// CHECK: arena @main: naive=384 others=256
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  %c = memref.alloc() : memref<8xi64>
  %d = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.map { arith.addi } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%b : memref<8xi64>) {memplan.stream = 0}
  linalg.map { arith.muli } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%c : memref<8xi64>) {memplan.stream = 1}
  linalg.map { arith.addi } ins(%b, %a : memref<8xi64>, memref<8xi64>) outs(%d : memref<8xi64>) {memplan.stream = 0}
  %e = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%c, %d : memref<8xi64>, memref<8xi64>) outs(%e : memref<8xi64>)
  %f = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%e, %e : memref<8xi64>, memref<8xi64>) outs(%f : memref<8xi64>)
  %pr1 = memref.load %f[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  return
}
