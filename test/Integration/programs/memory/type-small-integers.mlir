// i8, i16 and i24; an i24 takes four bytes.
//
// 16 i24 are 64 bytes, then 32 bytes each with alignment 64.
// CHECK: arena @main: naive=160 others=160
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %i16_2 = arith.constant 2 : i16
  %i24_3 = arith.constant 3 : i24
  %i8_1 = arith.constant 1 : i8
  %a = memref.alloc() : memref<32xi8>
  %b = memref.alloc() : memref<16xi16>
  %c = memref.alloc() : memref<8xi24>
  linalg.fill ins(%i8_1 : i8) outs(%a : memref<32xi8>)
  linalg.fill ins(%i16_2 : i16) outs(%b : memref<16xi16>)
  linalg.fill ins(%i24_3 : i24) outs(%c : memref<8xi24>)
  %s1 = memref.load %a[%c0] : memref<32xi8>
  vector.print %s1 : i8
  %s2 = memref.load %b[%c0] : memref<16xi16>
  vector.print %s2 : i16
  %s3 = memref.load %c[%c0] : memref<8xi24>
  vector.print %s3 : i24
  return
}
