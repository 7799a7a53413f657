// A branch that replaces one of two carried buffers or exchanges them, in a for
// loop of 3 iterations inside a branch.
//
// Two carried values and the new one of one branch: 192 bytes.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %v0 = memref.load %a[%c0] : memref<8xi64>
  %go = arith.cmpi eq, %v0, %k1 : i64
  %z:2 = scf.if %go -> (memref<8xi64>, memref<8xi64>) {
    %r:2 = scf.for %ri = %c0 to %c3 step %c1 iter_args(%rx0 = %a, %rx1 = %b) -> (memref<8xi64>, memref<8xi64>) {
      %v = memref.load %rx0[%c0] : memref<8xi64>
      %od = arith.andi %v, %k1 : i64
      %cc = arith.cmpi eq, %od, %k0 : i64
      %y:2 = scf.if %cc -> (memref<8xi64>, memref<8xi64>) {
        %n = memref.alloc() : memref<8xi64>
        linalg.map { arith.addi } ins(%rx0, %rx1 : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
        scf.yield %n, %rx0 : memref<8xi64>, memref<8xi64>
      } else {
        linalg.map { arith.addi } ins(%rx0, %rx1 : memref<8xi64>, memref<8xi64>) outs(%rx0 : memref<8xi64>)
        scf.yield %rx1, %rx0 : memref<8xi64>, memref<8xi64>
      }
      scf.yield %y#0, %y#1 : memref<8xi64>, memref<8xi64>
    }
    scf.yield %r#0, %r#1 : memref<8xi64>, memref<8xi64>
  } else {
    scf.yield %b, %a : memref<8xi64>, memref<8xi64>
  }
  %pr1 = memref.load %z#0[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %pr2 = memref.load %z#1[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  return
}
