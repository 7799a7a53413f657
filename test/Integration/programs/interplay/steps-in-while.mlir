// Steps in the body of a while loop, on buffers from outside; pipelined stages.
//
// CHECK: 9
// %a, %o, both buffers of the step, and the one that the next step writes: 320
// bytes.
// CHECK: arena @main: naive=320 others=320
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  %o = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k0 : i64) outs(%o : memref<8xi64>)
  %r = scf.while (%i = %c0) : (index) -> (index) {
    %c = arith.cmpi ult, %i, %c3 : index
    scf.condition(%c) %i : index
  } do {
  ^bb0(%i: index):
    %t = memref.alloc() : memref<8xi64>
    %u = memref.alloc() : memref<8xi64>
    %v = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>) {memplan.step = 0}
    linalg.map { arith.muli } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%u : memref<8xi64>) {memplan.step = 0}
    linalg.map { arith.addi } ins(%t, %u : memref<8xi64>, memref<8xi64>) outs(%v : memref<8xi64>) {memplan.step = 1}
    linalg.map { arith.addi } ins(%v, %o : memref<8xi64>, memref<8xi64>) outs(%o : memref<8xi64>) {memplan.step = 2}
    %i1 = arith.addi %i, %c1 : index
    scf.yield %i1 : index
  }
  %pr1 = memref.load %o[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  return
}
