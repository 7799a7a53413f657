// Each case of a switch in a loop frees another buffer in its iteration.
//
// CHECK: 1
// CHECK: 2
// CHECK: 9
// 192 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k9 = arith.constant 9 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  scf.for %i = %c0 to %c3 step %c1 {
    scf.index_switch %i
    case 0 {
      %s1 = memref.load %a[%c0] : memref<8xi64>
      vector.print %s1 : i64
      memref.dealloc %a : memref<8xi64>
      scf.yield
    }
    case 1 {
      %s2 = memref.load %b[%c0] : memref<8xi64>
      vector.print %s2 : i64
      memref.dealloc %b : memref<8xi64>
      scf.yield
    }
    default {
      %c = memref.alloc() : memref<8xi64>
      linalg.fill ins(%k9 : i64) outs(%c : memref<8xi64>)
      %s3 = memref.load %c[%c0] : memref<8xi64>
      vector.print %s3 : i64
      memref.dealloc %c : memref<8xi64>
      scf.yield
    }
  }
  return
}
