// A loop of blocks whose argument is a view of one of two buffers.
//
// 320 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=320 others=320
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k3 = arith.constant 3 : i64
  %k9 = arith.constant 9 : i64
    %a = memref.alloc() : memref<16xi64>
    %b = memref.alloc() : memref<16xi64>
    %c = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%a : memref<16xi64>)
    linalg.fill ins(%k2 : i64) outs(%b : memref<16xi64>)
    linalg.fill ins(%k9 : i64) outs(%c : memref<8xi64>)
    %v = memref.subview %a[8] [8] [1] : memref<16xi64> to memref<8xi64, strided<[1], offset: 8>>
    %w = memref.subview %b[8] [8] [1] : memref<16xi64> to memref<8xi64, strided<[1], offset: 8>>
    cf.br ^head(%k0, %v, %w : i64, memref<8xi64, strided<[1], offset: 8>>, memref<8xi64, strided<[1], offset: 8>>)
  ^head(%i: i64, %p: memref<8xi64, strided<[1], offset: 8>>, %q: memref<8xi64, strided<[1], offset: 8>>):
    %s1 = memref.load %p[%c0] : memref<8xi64, strided<[1], offset: 8>>
    vector.print %s1 : i64
    %n = arith.addi %i, %k1 : i64
    %d = arith.cmpi slt, %n, %k3 : i64
    cf.cond_br %d, ^head(%n, %q, %p : i64, memref<8xi64, strided<[1], offset: 8>>, memref<8xi64, strided<[1], offset: 8>>), ^end
  ^end:
    %s2 = memref.load %c[%c0] : memref<8xi64>
    vector.print %s2 : i64
  return
}
