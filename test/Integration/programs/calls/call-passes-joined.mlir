// One of two buffers, written through a call that returns its argument and read
// by its own name. Only one of the two exists, so both have one slot.
//
// CHECK: arena @f: naive=24 others=24
// CHECK-NOT: left

func.func private @pass(%m: memref<3xf64>) -> memref<3xf64> {
  return %m : memref<3xf64>
}
func.func @f(%c: i1) {
  %i1 = arith.constant 1 : index
  %k = arith.constant 56.25 : f64
  %a = scf.if %c -> (memref<3xf64>) {
    %b = memref.alloc() : memref<3xf64>
    linalg.fill ins(%k : f64) outs(%b : memref<3xf64>)
    scf.yield %b : memref<3xf64>
  } else {
    %d = memref.alloc() : memref<3xf64>
    scf.yield %d : memref<3xf64>
  }
  %p = func.call @pass(%a) : (memref<3xf64>) -> memref<3xf64>
  linalg.fill ins(%k : f64) outs(%p : memref<3xf64>)
  %x = memref.load %a[%i1] : memref<3xf64>
  vector.print %x : f64
  return
}
func.func @main() {
  %yes = arith.constant true
  %no = arith.constant false
  call @f(%yes) : (i1) -> ()
  call @f(%no) : (i1) -> ()
  return
}
