// realloc in one branch, joined with a dynamic type; other buffers are planned.
//
// The reallocated buffer is not planned; %n and %m are: 128 bytes.
// CHECK: arena @main: naive=128 others=128
// CHECK: left @main: 1

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %k3 = arith.constant 3 : i64
  %k5 = arith.constant 5 : i64
  scf.for %i = %c0 to %c2 step %c1 {
    %a = memref.alloc() : memref<4xi64>
    linalg.fill ins(%k3 : i64) outs(%a : memref<4xi64>)
    %n = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k5 : i64) outs(%n : memref<8xi64>)
    %c = arith.cmpi eq, %i, %c0 : index
    %r = scf.if %c -> (memref<?xi64>) {
      %b = memref.realloc %a : memref<4xi64> to memref<8xi64>
      %x = memref.cast %b : memref<8xi64> to memref<?xi64>
      scf.yield %x : memref<?xi64>
    } else {
      %x = memref.cast %a : memref<4xi64> to memref<?xi64>
      scf.yield %x : memref<?xi64>
    }
    %m = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%n, %n : memref<8xi64>, memref<8xi64>) outs(%m : memref<8xi64>)
    %pr1 = memref.load %r[%c0] : memref<?xi64>
    vector.print %pr1 : i64
    %pr2 = memref.load %m[%c0] : memref<8xi64>
    vector.print %pr2 : i64
    memref.dealloc %r : memref<?xi64>
  }
  return
}
