// PROGRAM: scope=module entry-points=main
//
// The callee stores the address of its argument in a memref of memrefs.
//
// %a is kept; %b and %c share their bytes.
// CHECK: arena @main: naive=128 others=64
// CHECK: left @main: 2

func.func private @keep(%a: memref<8xi64>, %tab: memref<1xmemref<8xi64>>) {
  %c0 = arith.constant 0 : index
  memref.store %a, %tab[%c0] : memref<1xmemref<8xi64>>
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k3 = arith.constant 3 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  %tab = memref.alloc() : memref<1xmemref<8xi64>>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  call @keep(%a, %tab) : (memref<8xi64>, memref<1xmemref<8xi64>>) -> ()
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %pr1 = memref.load %b[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %c = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k3 : i64) outs(%c : memref<8xi64>)
  %q = memref.load %tab[%c0] : memref<1xmemref<8xi64>>
  %pr2 = memref.load %q[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  %pr3 = memref.load %c[%c0] : memref<8xi64>
  vector.print %pr3 : i64
  return
}
