// PROGRAM: plain
// PROGRAM: scope=module entry-points=main
//
// Quicksort: every activation passes its argument and has a scratch buffer. No
// activation keeps or frees the argument.
//
// 64 bytes for each activation: a recursive function has no bytes in its
// caller.
// CHECK: arena @qs: naive=64 others=64
// 64 bytes for the sorted buffer.
// CHECK: arena @main: naive=64 others=64
// CHECK-NOT: left

func.func private @qs(%a: memref<8xi64>, %lo: index, %hi: index) {
  %c1 = arith.constant 1 : index
  %c = arith.cmpi ult, %lo, %hi : index
  scf.if %c {
    %t = memref.alloc() : memref<8xi64>
    memref.copy %a, %t : memref<8xi64> to memref<8xi64>
    %pv = memref.load %a[%hi] : memref<8xi64>
    %e:2 = scf.for %i = %lo to %hi step %c1 iter_args(%l = %lo, %h = %hi) -> (index, index) {
      %x = memref.load %t[%i] : memref<8xi64>
      %lt = arith.cmpi slt, %x, %pv : i64
      %r:2 = scf.if %lt -> (index, index) {
        memref.store %x, %a[%l] : memref<8xi64>
        %l1 = arith.addi %l, %c1 : index
        scf.yield %l1, %h : index, index
      } else {
        memref.store %x, %a[%h] : memref<8xi64>
        %h1 = arith.subi %h, %c1 : index
        scf.yield %l, %h1 : index, index
      }
      scf.yield %r#0, %r#1 : index, index
    }
    memref.store %pv, %a[%e#0] : memref<8xi64>
    %z = arith.cmpi ugt, %e#0, %lo : index
    scf.if %z {
      %m = arith.subi %e#0, %c1 : index
      func.call @qs(%a, %lo, %m) : (memref<8xi64>, index, index) -> ()
    }
    %p = arith.addi %e#0, %c1 : index
    func.call @qs(%a, %p, %hi) : (memref<8xi64>, index, index) -> ()
  }
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %k5 = arith.constant 5 : i64
  %k8 = arith.constant 8 : i64
  %a = memref.alloc() : memref<8xi64>
  scf.for %i = %c0 to %c8 step %c1 {
    %iv = arith.index_cast %i : index to i64
    %x = arith.muli %iv, %k5 : i64
    %y = arith.remsi %x, %k8 : i64
    memref.store %y, %a[%i] : memref<8xi64>
  }
  func.call @qs(%a, %c0, %c7) : (memref<8xi64>, index, index) -> ()
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %a[%i] : memref<8xi64>
    vector.print %x : i64
  }
  return
}
