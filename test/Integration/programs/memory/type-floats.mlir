// f16, bf16, f32 and f64 side by side.
//
// CHECK: arena @main: naive=256 others=256
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c31 = arith.constant 31 : index
  %f32_3 = arith.constant 3.0 : f32
  %f64_4 = arith.constant 4.0 : f64
  %a = memref.alloc() : memref<32xf16>
  %b = memref.alloc() : memref<32xbf16>
  %c = memref.alloc() : memref<16xf32>
  %d = memref.alloc() : memref<8xf64>
  %h = arith.constant 1.5 : f16
  %g = arith.constant 2.5 : bf16
  linalg.fill ins(%h : f16) outs(%a : memref<32xf16>)
  linalg.fill ins(%g : bf16) outs(%b : memref<32xbf16>)
  linalg.fill ins(%f32_3 : f32) outs(%c : memref<16xf32>)
  linalg.fill ins(%f64_4 : f64) outs(%d : memref<8xf64>)
  %x = memref.load %a[%c31] : memref<32xf16>
  %y = arith.extf %x : f16 to f32
  vector.print %y : f32
  %z = memref.load %b[%c31] : memref<32xbf16>
  %w = arith.extf %z : bf16 to f32
  vector.print %w : f32
  %s1 = memref.load %c[%c0] : memref<16xf32>
  vector.print %s1 : f32
  %s2 = memref.load %d[%c0] : memref<8xf64>
  vector.print %s2 : f64
  return
}
