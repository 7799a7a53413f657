// Early exits as for exceptions: each stage may branch to a common cleanup that
// frees everything.
//
// %a and %b are live until the cleanup; %t and %u on exclusive parts of the
// path: 192 bytes.
// CHECK: arena @go: naive=256 others=192
// CHECK-NOT: left

func.func private @go(%lim: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
    %a = memref.alloc() : memref<8xi64>
    %b = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
    linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
    %x = memref.load %a[%c0] : memref<8xi64>
    %c1_ = arith.cmpi sge, %x, %lim : i64
    cf.cond_br %c1_, ^fail(%x : i64), ^s2
  ^s2:
    %t = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%a, %b : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
    %y = memref.load %t[%c0] : memref<8xi64>
    memref.dealloc %t : memref<8xi64>
    %c2_ = arith.cmpi sge, %y, %lim : i64
    cf.cond_br %c2_, ^fail(%y : i64), ^s3
  ^s3:
    %u = memref.alloc() : memref<8xi64>
    linalg.map { arith.muli } ins(%b, %b : memref<8xi64>, memref<8xi64>) outs(%u : memref<8xi64>)
    %z = memref.load %u[%c0] : memref<8xi64>
    memref.dealloc %u : memref<8xi64>
    cf.br ^fail(%z : i64)
  ^fail(%code: i64):
    memref.dealloc %a : memref<8xi64>
    memref.dealloc %b : memref<8xi64>
    return %code : i64
}
func.func @main() {
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k9 = arith.constant 9 : i64
  %a = func.call @go(%k1) : (i64) -> i64
  %b = func.call @go(%k2) : (i64) -> i64
  %c = func.call @go(%k9) : (i64) -> i64
  vector.print %a : i64
  vector.print %b : i64
  vector.print %c : i64
  return
}
