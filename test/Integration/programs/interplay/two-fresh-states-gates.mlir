// A cell as in an LSTM: h and c are carried and replaced in each step, with
// four temporaries for gates.
//
// %x, %c, four gates and one product are live at once, %h is dead: 448 bytes.
// CHECK: arena @main: naive=576 others=448
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %x = memref.alloc() : memref<8xi64>
  %h0 = memref.alloc() : memref<8xi64>
  %c00 = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%x : memref<8xi64>)
  linalg.fill ins(%k0 : i64) outs(%h0 : memref<8xi64>)
  linalg.fill ins(%k0 : i64) outs(%c00 : memref<8xi64>)
  %r:2 = scf.for %t = %c0 to %c4 step %c1 iter_args(%h = %h0, %c = %c00) -> (memref<8xi64>, memref<8xi64>) {
    %i = memref.alloc() : memref<8xi64>
    %f = memref.alloc() : memref<8xi64>
    %g = memref.alloc() : memref<8xi64>
    %o = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%x, %h : memref<8xi64>, memref<8xi64>) outs(%i : memref<8xi64>)
    linalg.map { arith.addi } ins(%i, %x : memref<8xi64>, memref<8xi64>) outs(%f : memref<8xi64>)
    linalg.map { arith.addi } ins(%f, %h : memref<8xi64>, memref<8xi64>) outs(%g : memref<8xi64>)
    linalg.map { arith.addi } ins(%g, %x : memref<8xi64>, memref<8xi64>) outs(%o : memref<8xi64>)
    %fc = memref.alloc() : memref<8xi64>
    %ig = memref.alloc() : memref<8xi64>
    %cn = memref.alloc() : memref<8xi64>
    linalg.map { arith.muli } ins(%f, %c : memref<8xi64>, memref<8xi64>) outs(%fc : memref<8xi64>)
    linalg.map { arith.muli } ins(%i, %g : memref<8xi64>, memref<8xi64>) outs(%ig : memref<8xi64>)
    linalg.map { arith.addi } ins(%fc, %ig : memref<8xi64>, memref<8xi64>) outs(%cn : memref<8xi64>)
    %hn = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%o, %cn : memref<8xi64>, memref<8xi64>) outs(%hn : memref<8xi64>)
    scf.yield %hn, %cn : memref<8xi64>, memref<8xi64>
  }
  %s1 = memref.load %r#0[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %r#1[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
