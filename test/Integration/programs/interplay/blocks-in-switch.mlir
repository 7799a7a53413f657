// Blocks in an execute_region in a switch: %w is read in one block, %u is the
// result of the other; they are never live at once, and %v is live with either.
//
// CHECK: arena @f: naive=192 others=128
// CHECK-NOT: left

func.func @f(%n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %k3 = arith.constant 3 : i64
  %k4 = arith.constant 4 : i64
  %v = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k3 : i64) outs(%v : memref<8xi64>)
  scf.index_switch %n
  default {
    %r = scf.execute_region -> memref<8xi64> {
      cf.cond_br %c, ^one, ^two
    ^one:
      %w = memref.alloc() : memref<8xi64>
      linalg.fill ins(%k4 : i64) outs(%w : memref<8xi64>)
      linalg.copy ins(%w : memref<8xi64>) outs(%v : memref<8xi64>)
      linalg.fill ins(%k3 : i64) outs(%v : memref<8xi64>)
      cf.br ^three(%v : memref<8xi64>)
    ^two:
      %u = memref.alloc() : memref<8xi64>
      linalg.add ins(%v, %v : memref<8xi64>, memref<8xi64>) outs(%u : memref<8xi64>)
      %one = memref.load %u[%c0] : memref<8xi64>
      %k1 = arith.constant 1 : i64
      %more = arith.addi %one, %k1 : i64
      memref.store %more, %u[%c0] : memref<8xi64>
      cf.br ^three(%u : memref<8xi64>)
    ^three(%m: memref<8xi64>):
      scf.yield %m : memref<8xi64>
    }
    %x = memref.load %r[%c0] : memref<8xi64>
    vector.print %x : i64
  }
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %t = arith.constant true
  %f = arith.constant false
  call @f(%c0, %t) : (index, i1) -> ()
  call @f(%c0, %f) : (index, i1) -> ()
  return
}
