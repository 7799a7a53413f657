// Nested loops of blocks as from flang, with an exit of the outer loop from the
// inner one and a continue of the outer one; temporaries at each level.
//
// CHECK: 66
// %acc, %row and %t: 192 bytes.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k8 = arith.constant 8 : i64
    %acc = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k0 : i64) outs(%acc : memref<8xi64>)
    cf.br ^oh(%c0 : index)
  ^oh(%i: index):
    %oc = arith.cmpi ult, %i, %c6 : index
    cf.cond_br %oc, ^ob, ^done
  ^ob:
    %row = memref.alloc() : memref<8xi64>
    %iv = arith.index_cast %i : index to i64
    linalg.fill ins(%iv : i64) outs(%row : memref<8xi64>)
    cf.br ^ih(%c0 : index)
  ^ih(%j: index):
    %ic = arith.cmpi ult, %j, %c6 : index
    cf.cond_br %ic, ^ib, ^latch
  ^ib:
    %t = memref.alloc() : memref<8xi64>
    %jv = arith.index_cast %j : index to i64
    linalg.fill ins(%jv : i64) outs(%t : memref<8xi64>)
    linalg.map { arith.addi } ins(%t, %row : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
    %e = memref.load %t[%c0] : memref<8xi64>
    %x = arith.cmpi sgt, %e, %k8 : i64
    cf.cond_br %x, ^done, ^i2
  ^i2:
    %od = arith.andi %e, %k1 : i64
    %y = arith.cmpi eq, %od, %k1 : i64
    cf.cond_br %y, ^ilatch, ^i3
  ^i3:
    linalg.map { arith.addi } ins(%acc, %t : memref<8xi64>, memref<8xi64>) outs(%acc : memref<8xi64>)
    cf.br ^ilatch
  ^ilatch:
    %j1 = arith.addi %j, %c1 : index
    cf.br ^ih(%j1 : index)
  ^latch:
    %i1 = arith.addi %i, %c1 : index
    cf.br ^oh(%i1 : index)
  ^done:
    %pr1 = memref.load %acc[%c0] : memref<8xi64>
    vector.print %pr1 : i64
  return
}
