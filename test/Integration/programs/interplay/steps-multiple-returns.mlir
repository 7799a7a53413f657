// Steps before a conditional return.
//
// %t and %u of the step, and %v with both: 192 bytes.
// CHECK: arena @f: naive=192 others=192
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func private @f(%a: memref<8xi64>, %o: memref<8xi64>, %c: i1) -> i64 {
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
    %t = memref.alloc() : memref<8xi64>
    %u = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>) {memplan.step = 0}
    linalg.map { arith.muli } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%u : memref<8xi64>) {memplan.step = 0}
    cf.cond_br %c, ^x, ^y
  ^x:
    memref.copy %t, %o : memref<8xi64> to memref<8xi64>
    return %k1 : i64
  ^y:
    %v = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%t, %u : memref<8xi64>, memref<8xi64>) outs(%v : memref<8xi64>)
    memref.copy %v, %o : memref<8xi64> to memref<8xi64>
    return %k2 : i64
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k3 = arith.constant 3 : i64
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<8xi64>
  %o = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k3 : i64) outs(%a : memref<8xi64>)
  %x = func.call @f(%a, %o, %true) : (memref<8xi64>, memref<8xi64>, i1) -> i64
  %pr1 = memref.load %o[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %y = func.call @f(%a, %o, %false) : (memref<8xi64>, memref<8xi64>, i1) -> i64
  %pr2 = memref.load %o[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  vector.print %x : i64
  vector.print %y : i64
  return
}
