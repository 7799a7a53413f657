// PROGRAM: plain
// PROGRAM: scope=module entry-points=main
//
// Each call shifts the arguments by one position: only those that are first
// within three calls are kept.
//
// 64 bytes for the buffer that is written after the call.
// CHECK: arena @main: naive=64 others=64
// Not planned: the two that may be kept, and the table, whose elements have an
// unknown size.
// CHECK: left @main: 3

func.func private @shift(%table: memref<1xmemref<8xi64>>, %x: memref<8xi64>,
                         %y: memref<8xi64>, %z: memref<8xi64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %more = arith.cmpi ugt, %n, %c0 : index
  scf.if %more {
    %m = arith.subi %n, %c1 : index
    func.call @shift(%table, %y, %z, %z, %m) : (memref<1xmemref<8xi64>>, memref<8xi64>, memref<8xi64>, memref<8xi64>, index) -> ()
  } else {
    memref.store %x, %table[%c0] : memref<1xmemref<8xi64>>
  }
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %table = memref.alloc() : memref<1xmemref<8xi64>>
  %other = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k0 : i64) outs(%other : memref<8xi64>)
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  call @shift(%table, %other, %other, %a, %c3) : (memref<1xmemref<8xi64>>, memref<8xi64>, memref<8xi64>, memref<8xi64>, index) -> ()
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %k = memref.load %table[%c0] : memref<1xmemref<8xi64>>
  %s1 = memref.load %k[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
