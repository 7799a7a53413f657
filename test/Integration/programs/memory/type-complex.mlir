// complex<f32> is eight bytes.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<8xcomplex<f32>>
  %b = memref.alloc() : memref<8xcomplex<f32>>
  %re = arith.constant 1.0 : f32
  %im = arith.constant 4.0 : f32
  %x = complex.create %re, %im : complex<f32>
  %y = complex.create %im, %re : complex<f32>
  scf.for %i = %c0 to %c8 step %c1 {
    memref.store %x, %a[%i] : memref<8xcomplex<f32>>
    memref.store %y, %b[%i] : memref<8xcomplex<f32>>
  }
  %l = memref.load %a[%c7] : memref<8xcomplex<f32>>
  %lr = complex.re %l : complex<f32>
  vector.print %lr : f32
  %m = memref.load %b[%c0] : memref<8xcomplex<f32>>
  %mr = complex.re %m : complex<f32>
  vector.print %mr : f32
  return
}
