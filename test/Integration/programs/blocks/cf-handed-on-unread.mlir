// %a is carried through a loop that does not read it. The block that forwards
// it precedes, in the text, a block in which %a is read. %a is dead in the
// forwarding block, and %b has its bytes.
//
// CHECK: arena @f: naive=128 others=64
// CHECK-NOT: left

func.func @f(%c: i1, %d: i1) {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  cf.cond_br %c, ^one, ^two(%a : memref<8xi64>)
^one:
  cf.br ^four(%a, %k1 : memref<8xi64>, i64)
^two(%x: memref<8xi64>):
  %s1 = memref.load %x[%c0] : memref<8xi64>
  vector.print %s1 : i64
  cf.cond_br %d, ^three, ^five
^three:
  return
^five:
  %s3 = memref.load %x[%c0] : memref<8xi64>
  vector.print %s3 : i64
  return
^four(%y: memref<8xi64>, %n: i64):
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %s2 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s2 : i64
  %again = arith.cmpi eq, %n, %k1 : i64
  cf.cond_br %again, ^four(%y, %k2 : memref<8xi64>, i64), ^three
}
func.func @main() {
  %t = arith.constant true
  %f = arith.constant false
  call @f(%f, %f) : (i1, i1) -> ()
  call @f(%t, %t) : (i1, i1) -> ()
  return
}
