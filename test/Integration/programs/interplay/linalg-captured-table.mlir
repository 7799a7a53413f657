// linalg.generic whose body loads from a captured planned buffer.
//
// The table, the input and the output: 192 bytes.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k2 = arith.constant 2 : i64
  %k5 = arith.constant 5 : i64
  %lut = memref.alloc() : memref<8xi64>
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k5 : i64) outs(%lut : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%a : memref<8xi64>)
  %o = memref.alloc() : memref<8xi64>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : memref<8xi64>) outs(%o : memref<8xi64>) {
  ^bb0(%x: i64, %y: i64):
    %j = arith.index_cast %x : i64 to index
    %e = memref.load %lut[%j] : memref<8xi64>
    %s = arith.addi %e, %x : i64
    linalg.yield %s : i64
  }
  %pr1 = memref.load %o[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  return
}
