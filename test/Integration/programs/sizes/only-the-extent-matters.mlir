// PROGRAM: plain
// ARGUMENTS: 0, 2
// ARGUMENTS: 1, 0
// ARGUMENTS: 9, 1
// ARGUMENTS: 12, 5
// CHECK: arena @main: naive=any others=any

// Of the buffer that the loop hands on, the program asks for the extent only. So
// any slot of that extent may be handed on.

func.func private @printI64(i64)
func.func private @printNewline()
func.func @print(%v: i64) {
  call @printI64(%v) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

func.func @main(%n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %three = arith.constant 3 : i64
  %x = memref.alloc(%n) : memref<?xi64>
  linalg.fill ins(%three : i64) outs(%x : memref<?xi64>)
  %r:2 = scf.for %i = %c0 to %k step %c1 iter_args(%a = %x, %own = %false) -> (memref<?xi64>, i1) {
    %y = memref.alloc(%n) : memref<?xi64>
    scf.if %own {
      memref.dealloc %a : memref<?xi64>
    }
    scf.yield %y, %true : memref<?xi64>, i1
  }
  %size = memref.dim %r#0, %c0 : memref<?xi64>
  %v = arith.index_cast %size : index to i64
  call @print(%v) : (i64) -> ()
  %z = memref.alloc(%n) : memref<?xi64>
  linalg.add ins(%x, %x : memref<?xi64>, memref<?xi64>) outs(%z : memref<?xi64>)
  scf.for %i = %c0 to %size step %c1 {
    %e = memref.load %z[%i] : memref<?xi64>
    func.call @print(%e) : (i64) -> ()
  }
  memref.dealloc %z : memref<?xi64>
  bufferization.dealloc (%x, %r#0 : memref<?xi64>, memref<?xi64>) if (%true, %r#1)
  return
}
