// PROGRAM: plain
// PROGRAM: scope=module --check-prefix=MODULE
// ARGUMENTS: 4
// CHECK: arena @either: naive=192 others=192
// CHECK: arena @last: naive=128 others=128
// CHECK: arena @f: naive=64 others=64
// CHECK-NOT: left
// MODULE: arena @f: naive=384 others=256
// MODULE-NOT: left

// Both callees have conditions that are never true once the buffers are in the
// arena: neither frees its argument.

func.func private @printI64(i64)
func.func private @printNewline()
memref.global "private" @g : memref<8xi64> = dense<41>

// The condition joins two results of removed deallocations.
func.func private @either(%a: memref<8xi64>) -> i64 {
  %true = arith.constant true
  %false = arith.constant false
  %c1 = arith.constant 1 : index
  %t = memref.alloc() : memref<8xi64>
  linalg.add ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
  %k = memref.load %t[%c1] : memref<8xi64>
  %even = arith.trunci %k : i64 to i1
  %r:2 = scf.if %even -> (memref<8xi64>, i1) {
    %g = memref.get_global @g : memref<8xi64>
    scf.yield %g, %false : memref<8xi64>, i1
  } else {
    %s = memref.alloc() : memref<8xi64>
    linalg.add ins(%a, %t : memref<8xi64>, memref<8xi64>) outs(%s : memref<8xi64>)
    %u = memref.alloc() : memref<8xi64>
    linalg.add ins(%s, %t : memref<8xi64>, memref<8xi64>) outs(%u : memref<8xi64>)
    linalg.copy ins(%u : memref<8xi64>) outs(%a : memref<8xi64>)
    %x = bufferization.dealloc (%s : memref<8xi64>) if (%true) retain (%a : memref<8xi64>)
    %y = bufferization.dealloc (%u : memref<8xi64>) if (%true) retain (%a : memref<8xi64>)
    %owned = arith.ori %x, %y : i1
    scf.yield %a, %owned : memref<8xi64>, i1
  }
  %v = memref.load %r#0[%c1] : memref<8xi64>
  bufferization.dealloc (%t, %r#0 : memref<8xi64>, memref<8xi64>) if (%true, %r#1)
  return %v : i64
}

// The loop hands on its argument from the first iteration on, and the condition
// under which it is its own, which is that of a removed deallocation.
func.func private @last(%a: memref<8xi64>) -> i64 {
  %true = arith.constant true
  %false = arith.constant false
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %t = memref.alloc() : memref<8xi64>
  linalg.add ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %t, %own = %false) -> (memref<8xi64>, i1) {
    %s = memref.alloc() : memref<8xi64>
    linalg.add ins(%a, %x : memref<8xi64>, memref<8xi64>) outs(%s : memref<8xi64>)
    linalg.copy ins(%s : memref<8xi64>) outs(%a : memref<8xi64>)
    memref.dealloc %s : memref<8xi64>
    %next = bufferization.dealloc (%x : memref<8xi64>) if (%own) retain (%a : memref<8xi64>)
    scf.yield %a, %next : memref<8xi64>, i1
  }
  %v = memref.load %r#0[%c1] : memref<8xi64>
  %base, %offset, %size, %stride = memref.extract_strided_metadata %r#0 : memref<8xi64> -> memref<i64>, index, index, index
  scf.if %r#1 {
    memref.dealloc %base : memref<i64>
  }
  memref.dealloc %t : memref<8xi64>
  return %v : i64
}

func.func @f(%k: i64) -> i64 {
  %true = arith.constant true
  %u = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k : i64) outs(%u : memref<8xi64>)
  %r = call @either(%u) : (memref<8xi64>) -> i64
  %s = call @last(%u) : (memref<8xi64>) -> i64
  %sum = arith.addi %r, %s : i64
  bufferization.dealloc (%u : memref<8xi64>) if (%true)
  return %sum : i64
}

func.func @main(%k: i64) {
  %r = call @f(%k) : (i64) -> i64
  call @printI64(%r) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
