// A generic op also reads its output.
//
// 136 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=192 linear-scan=192 greedy=136 greedy-by-breadth=136 best-fit=192 auto=136
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k2 = arith.constant 2 : i64
  %k3 = arith.constant 3 : i64
  %a = memref.alloc() : memref<8xi64>
  %o = memref.alloc() : memref<i64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k3 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k0 : i64) outs(%o : memref<i64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%a : memref<8xi64>) outs(%o : memref<i64>) {
  ^bb0(%x: i64, %y: i64):
    %z = arith.addi %x, %y : i64
    linalg.yield %z : i64
  }
  %s1 = memref.load %o[] : memref<i64>
  vector.print %s1 : i64
  %s2 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
