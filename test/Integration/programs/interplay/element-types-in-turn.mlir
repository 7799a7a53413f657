// i1, i4, f16, bf16, complex, vector and index elements; buffers of different
// sizes share bytes.
//
// One buffer at a time; the last one needs 40 bytes.
// CHECK: arena @main: naive=296 others=40
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %c12 = arith.constant 12 : index
  %true = arith.constant true
  %a = memref.alloc() : memref<13xi1>
  linalg.fill ins(%true : i1) outs(%a : memref<13xi1>)
  %x = memref.load %a[%c12] : memref<13xi1>
  vector.print %x : i1
  %h = arith.constant 1.5 : f16
  %b = memref.alloc() : memref<7xf16>
  linalg.fill ins(%h : f16) outs(%b : memref<7xf16>)
  %y = memref.load %b[%c6] : memref<7xf16>
  %yy = arith.extf %y : f16 to f32
  vector.print %yy : f32
  %bf = arith.constant 2.5 : bf16
  %c = memref.alloc() : memref<3xbf16>
  linalg.fill ins(%bf : bf16) outs(%c : memref<3xbf16>)
  %z = memref.load %c[%c2] : memref<3xbf16>
  %v = arith.constant dense<[1, 2, 3]> : vector<3xi32>
  %d = memref.alloc() : memref<2xvector<3xi32>>
  memref.store %v, %d[%c0] : memref<2xvector<3xi32>>
  memref.store %v, %d[%c1] : memref<2xvector<3xi32>>
  %zz = arith.extf %z : bf16 to f32
  vector.print %zz : f32
  %w = memref.load %d[%c1] : memref<2xvector<3xi32>>
  vector.print %w : vector<3xi32>
  %e = memref.alloc() : memref<5xindex>
  memref.store %c3, %e[%c4] : memref<5xindex>
  %i = memref.load %e[%c4] : memref<5xindex>
  vector.print %i : index
  return
}
