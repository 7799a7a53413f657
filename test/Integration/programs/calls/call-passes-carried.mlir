// A loop yields its buffer or replaces it, and reads it through a call that
// returns its argument: the two names are one buffer. The old buffer is dead
// when the new one is made, so both have one slot.
//
// CHECK: arena @main: naive=32 others=32
// CHECK-NOT: left

func.func private @sum(%m: memref<8xi32>) -> i32 {
  %2 = arith.constant 0 : index
  %3 = memref.load %m[%2] : memref<8xi32>
  return %3 : i32
}
func.func private @pass(%m: memref<8xi32>) -> memref<8xi32> {
  return %m : memref<8xi32>
}
func.func @main() {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i3 = arith.constant 3 : index
  %k7 = arith.constant 7 : i32
  %k8 = arith.constant 8 : i32
  scf.for %o = %i0 to %i3 step %i1 {
    %a = memref.alloc() : memref<8xi32>
    linalg.fill ins(%k7 : i32) outs(%a : memref<8xi32>)
    %r = scf.for %i = %i0 to %i3 step %i1 iter_args(%x = %a) -> (memref<8xi32>) {
      %y = func.call @pass(%x) : (memref<8xi32>) -> memref<8xi32>
      %s = func.call @sum(%y) : (memref<8xi32>) -> i32
      vector.print %s : i32
      %c = arith.cmpi eq, %i, %i1 : index
      %n = scf.if %c -> (memref<8xi32>) {
        %b = memref.alloc() : memref<8xi32>
        linalg.fill ins(%k8 : i32) outs(%b : memref<8xi32>)
        scf.yield %b : memref<8xi32>
      } else {
        scf.yield %x : memref<8xi32>
      }
      scf.yield %n : memref<8xi32>
    }
  }
  return
}
