// RUN: memplan-opt %s --plan-memory=scope=module --split-input-file | FileCheck %s

// Results that are one of several allocations: the caller provides one buffer
// for all of them if no two are live at once.

// Exclusive branches. The alignment is the larger of the two; in the caller %r
// is the only buffer.
// CHECK-LABEL: func.func private @branches
// CHECK-SAME: [[OUT:%[a-z0-9]+]]: memref<16xf32>) {
// CHECK-NOT: memref.alloc
// CHECK: linalg.abs {{.*}}outs([[OUT]] :
// CHECK: linalg.exp {{.*}}outs([[OUT]] :
// CHECK: return{{$}}
func.func private @branches(%in: memref<16xf32>, %c: i1) -> memref<16xf32> {
  %r = scf.if %c -> (memref<16xf32>) {
    %t = memref.alloc() {alignment = 32 : i64} : memref<16xf32>
    linalg.abs ins(%in : memref<16xf32>) outs(%t : memref<16xf32>)
    scf.yield %t : memref<16xf32>
  } else {
    %u = memref.alloc() {alignment = 256 : i64} : memref<16xf32>
    linalg.exp ins(%in : memref<16xf32>) outs(%u : memref<16xf32>)
    scf.yield %u : memref<16xf32>
  }
  return %r : memref<16xf32>
}
// CHECK-LABEL: func.func @calls_branches
// CHECK: memref.alloc() {alignment = 256 : i64, bufferization.manual_deallocation, memplan.arena} : memref<64xi8>
// CHECK-NOT: memref.alloc
func.func @calls_branches(%in: memref<16xf32>, %out: memref<16xf32>, %c: i1) {
  %r = call @branches(%in, %c) : (memref<16xf32>, i1) -> memref<16xf32>
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %r : memref<16xf32>
  return
}

// -----

// Each path returns its own allocation.
// CHECK-LABEL: func.func private @several_returns
// CHECK-SAME: [[OUT:%[a-z0-9]+]]: memref<16xf32>) {
// CHECK-NOT: memref.alloc
// CHECK: linalg.abs {{.*}}outs([[OUT]] :
// CHECK: return{{$}}
// CHECK: linalg.exp {{.*}}outs([[OUT]] :
// CHECK: return{{$}}
func.func private @several_returns(%in: memref<16xf32>, %c: i1) -> memref<16xf32> {
  cf.cond_br %c, ^a, ^b
^a:
  %t = memref.alloc() : memref<16xf32>
  linalg.abs ins(%in : memref<16xf32>) outs(%t : memref<16xf32>)
  return %t : memref<16xf32>
^b:
  %u = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%u : memref<16xf32>)
  return %u : memref<16xf32>
}
// CHECK-LABEL: func.func @calls_several_returns
// CHECK: memplan.arena} : memref<64xi8>
func.func @calls_several_returns(%in: memref<16xf32>, %out: memref<16xf32>, %c: i1) {
  %r = call @several_returns(%in, %c) : (memref<16xf32>, i1) -> memref<16xf32>
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  return
}

// -----

// CHECK-LABEL: func.func private @switched
// CHECK-SAME: [[OUT:%[a-z0-9]+]]: memref<16xf32>) {
// CHECK-NOT: memref.alloc
// CHECK-COUNT-2: outs([[OUT]] :
func.func private @switched(%in: memref<16xf32>, %i: index) -> memref<16xf32> {
  %r = scf.index_switch %i -> memref<16xf32>
  case 0 {
    %t = memref.alloc() : memref<16xf32>
    linalg.abs ins(%in : memref<16xf32>) outs(%t : memref<16xf32>)
    scf.yield %t : memref<16xf32>
  }
  default {
    %u = memref.alloc() : memref<16xf32>
    linalg.exp ins(%in : memref<16xf32>) outs(%u : memref<16xf32>)
    scf.yield %u : memref<16xf32>
  }
  return %r : memref<16xf32>
}
// CHECK-LABEL: func.func private @block_arguments
// CHECK-SAME: [[OUT:%[a-z0-9]+]]: memref<16xf32>) {
// CHECK-NOT: memref.alloc
// CHECK-COUNT-2: outs([[OUT]] :
func.func private @block_arguments(%in: memref<16xf32>, %c: i1) -> memref<16xf32> {
  %r = scf.execute_region -> memref<16xf32> {
    cf.cond_br %c, ^a, ^b
  ^a:
    %t = memref.alloc() : memref<16xf32>
    linalg.abs ins(%in : memref<16xf32>) outs(%t : memref<16xf32>)
    cf.br ^end(%t : memref<16xf32>)
  ^b:
    %u = memref.alloc() : memref<16xf32>
    linalg.exp ins(%in : memref<16xf32>) outs(%u : memref<16xf32>)
    cf.br ^end(%u : memref<16xf32>)
  ^end(%x: memref<16xf32>):
    scf.yield %x : memref<16xf32>
  }
  return %r : memref<16xf32>
}
// %r is read by the second call, which writes %s: two buffers.
// CHECK-LABEL: func.func @chain_of_calls
// CHECK: memplan.arena} : memref<128xi8>
func.func @chain_of_calls(%in: memref<16xf32>, %out: memref<16xf32>, %c: i1, %i: index) {
  %r = call @switched(%in, %i) : (memref<16xf32>, index) -> memref<16xf32>
  %s = call @block_arguments(%r, %c) : (memref<16xf32>, i1) -> memref<16xf32>
  memref.copy %s, %out : memref<16xf32> to memref<16xf32>
  return
}

// -----

// A new buffer in each iteration, of which the last is returned; no iteration
// reads the buffer of the previous one. Their deallocations are removed.
// CHECK-LABEL: func.func private @last_of_loop
// CHECK-SAME: [[OUT:%[a-z0-9]+]]: memref<16xf32>) {
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.dealloc
// CHECK: linalg.abs {{.*}}outs([[OUT]] :
// CHECK: linalg.exp {{.*}}outs([[OUT]] :
func.func private @last_of_loop(%in: memref<16xf32>, %n: index) -> memref<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  linalg.abs ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (memref<16xf32>) {
    memref.dealloc %x : memref<16xf32>
    %t = memref.alloc() : memref<16xf32>
    linalg.exp ins(%in : memref<16xf32>) outs(%t : memref<16xf32>)
    scf.yield %t : memref<16xf32>
  }
  return %r : memref<16xf32>
}
// CHECK-LABEL: func.func private @previous_is_read
// CHECK-SAME: -> memref<16xf32>
// CHECK: return %{{.*}} : memref<16xf32>
func.func private @previous_is_read(%in: memref<16xf32>, %n: index) -> memref<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  linalg.abs ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (memref<16xf32>) {
    %t = memref.alloc() : memref<16xf32>
    linalg.exp ins(%x : memref<16xf32>) outs(%t : memref<16xf32>)
    scf.yield %t : memref<16xf32>
  }
  return %r : memref<16xf32>
}
// CHECK-LABEL: func.func @calls_loops
func.func @calls_loops(%in: memref<16xf32>, %out: memref<16xf32>, %n: index) {
  %r = call @last_of_loop(%in, %n) : (memref<16xf32>, index) -> memref<16xf32>
  %s = call @previous_is_read(%in, %n) : (memref<16xf32>, index) -> memref<16xf32>
  linalg.add ins(%r, %s : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  return
}

// -----

// %t is read after %u is written, so they are two buffers, whichever is
// returned.
// CHECK-LABEL: func.func private @live_at_once
// CHECK-SAME: -> memref<16xf32>
func.func private @live_at_once(%in: memref<16xf32>, %c: i1) -> memref<16xf32> {
  %t = memref.alloc() : memref<16xf32>
  linalg.abs ins(%in : memref<16xf32>) outs(%t : memref<16xf32>)
  %r = scf.if %c -> (memref<16xf32>) {
    %u = memref.alloc() : memref<16xf32>
    linalg.exp ins(%in : memref<16xf32>) outs(%u : memref<16xf32>)
    linalg.add ins(%u, %t : memref<16xf32>, memref<16xf32>) outs(%u : memref<16xf32>)
    scf.yield %u : memref<16xf32>
  } else {
    scf.yield %t : memref<16xf32>
  }
  return %r : memref<16xf32>
}
// The return is a use. %t is returned after %u was written, which is dead then;
// where %u is returned, %t was read before. One buffer would be correct only in
// the second case.
// CHECK-LABEL: func.func private @written_before_return
// CHECK-SAME: -> memref<16xf32>
func.func private @written_before_return(%in: memref<16xf32>, %c: i1, %out: memref<16xf32>) -> memref<16xf32> {
  %t = memref.alloc() : memref<16xf32>
  linalg.abs ins(%in : memref<16xf32>) outs(%t : memref<16xf32>)
  %u = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%u : memref<16xf32>)
  memref.copy %u, %out : memref<16xf32> to memref<16xf32>
  cf.cond_br %c, ^a, ^b
^a:
  return %t : memref<16xf32>
^b:
  return %u : memref<16xf32>
}
// CHECK-LABEL: func.func private @or_argument
// CHECK-SAME: -> memref<16xf32>
func.func private @or_argument(%in: memref<16xf32>, %c: i1) -> memref<16xf32> {
  %r = scf.if %c -> (memref<16xf32>) {
    %t = memref.alloc() : memref<16xf32>
    linalg.abs ins(%in : memref<16xf32>) outs(%t : memref<16xf32>)
    scf.yield %t : memref<16xf32>
  } else {
    scf.yield %in : memref<16xf32>
  }
  return %r : memref<16xf32>
}
memref.global "private" @table : memref<16xf32> = dense<1.0>
// CHECK-LABEL: func.func private @or_global
// CHECK-SAME: -> memref<16xf32>
func.func private @or_global(%in: memref<16xf32>, %c: i1) -> memref<16xf32> {
  %r = scf.if %c -> (memref<16xf32>) {
    %t = memref.alloc() : memref<16xf32>
    linalg.abs ins(%in : memref<16xf32>) outs(%t : memref<16xf32>)
    scf.yield %t : memref<16xf32>
  } else {
    %g = memref.get_global @table : memref<16xf32>
    scf.yield %g : memref<16xf32>
  }
  return %r : memref<16xf32>
}
// CHECK-LABEL: func.func private @of_two_types
// CHECK-SAME: -> memref<?xf32>
func.func private @of_two_types(%in: memref<16xf32>, %c: i1) -> memref<?xf32> {
  %r = scf.if %c -> (memref<?xf32>) {
    %t = memref.alloc() : memref<16xf32>
    linalg.abs ins(%in : memref<16xf32>) outs(%t : memref<16xf32>)
    %d = memref.cast %t : memref<16xf32> to memref<?xf32>
    scf.yield %d : memref<?xf32>
  } else {
    %u = memref.alloc() : memref<8xf32>
    %d = memref.cast %u : memref<8xf32> to memref<?xf32>
    scf.yield %d : memref<?xf32>
  }
  return %r : memref<?xf32>
}
// Two results are two buffers for the caller.
// CHECK-LABEL: func.func private @returned_twice
// CHECK-SAME: -> (memref<16xf32>, memref<16xf32>)
func.func private @returned_twice(%in: memref<16xf32>, %c: i1) -> (memref<16xf32>, memref<16xf32>) {
  %r = scf.if %c -> (memref<16xf32>) {
    %t = memref.alloc() : memref<16xf32>
    linalg.abs ins(%in : memref<16xf32>) outs(%t : memref<16xf32>)
    scf.yield %t : memref<16xf32>
  } else {
    %u = memref.alloc() : memref<16xf32>
    linalg.exp ins(%in : memref<16xf32>) outs(%u : memref<16xf32>)
    scf.yield %u : memref<16xf32>
  }
  return %r, %r : memref<16xf32>, memref<16xf32>
}
// CHECK-LABEL: func.func private @crossed
// CHECK-SAME: -> (memref<16xf32>, memref<16xf32>)
func.func private @crossed(%in: memref<16xf32>, %c: i1) -> (memref<16xf32>, memref<16xf32>) {
  %t = memref.alloc() : memref<16xf32>
  %u = memref.alloc() : memref<16xf32>
  linalg.abs ins(%in : memref<16xf32>) outs(%t : memref<16xf32>)
  linalg.exp ins(%in : memref<16xf32>) outs(%u : memref<16xf32>)
  cf.cond_br %c, ^a, ^b
^a:
  return %t, %u : memref<16xf32>, memref<16xf32>
^b:
  return %u, %t : memref<16xf32>, memref<16xf32>
}
// CHECK-LABEL: func.func private @recursive
// CHECK-SAME: -> memref<16xf32>
func.func private @recursive(%in: memref<16xf32>, %n: index) -> memref<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = arith.cmpi ne, %n, %c0 : index
  %r = scf.if %c -> (memref<16xf32>) {
    %t = memref.alloc() : memref<16xf32>
    linalg.abs ins(%in : memref<16xf32>) outs(%t : memref<16xf32>)
    %m = arith.subi %n, %c1 : index
    %s = func.call @recursive(%t, %m) : (memref<16xf32>, index) -> memref<16xf32>
    memref.copy %s, %in : memref<16xf32> to memref<16xf32>
    scf.yield %t : memref<16xf32>
  } else {
    %u = memref.alloc() : memref<16xf32>
    linalg.exp ins(%in : memref<16xf32>) outs(%u : memref<16xf32>)
    scf.yield %u : memref<16xf32>
  }
  return %r : memref<16xf32>
}
// CHECK-LABEL: func.func private @a_part
// CHECK-SAME: -> memref<8xf32
func.func private @a_part(%in: memref<16xf32>, %c: i1) -> memref<8xf32, strided<[1]>> {
  %r = scf.if %c -> (memref<8xf32, strided<[1]>>) {
    %t = memref.alloc() : memref<16xf32>
    linalg.abs ins(%in : memref<16xf32>) outs(%t : memref<16xf32>)
    %p = memref.subview %t[0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1]>>
    scf.yield %p : memref<8xf32, strided<[1]>>
  } else {
    %u = memref.alloc() : memref<16xf32>
    %p = memref.subview %u[0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1]>>
    scf.yield %p : memref<8xf32, strided<[1]>>
  }
  return %r : memref<8xf32, strided<[1]>>
}
// The deallocation of %t on one path is removed; the op still frees the others,
// which cannot be the result.
// CHECK-LABEL: func.func private @freed_or_returned
// CHECK-SAME: [[OUT:%[a-z0-9]+]]: memref<16xf32>) {
// CHECK-NOT: memref.alloc
// CHECK: bufferization.dealloc (%{{.*}} : memref<?xf32>) if (%{{[a-z0-9]+}}){{$}}
// CHECK: return{{$}}
func.func private @freed_or_returned(%in: memref<16xf32>, %c: i1, %own: memref<?xf32>) -> memref<16xf32> {
  %t = memref.alloc() : memref<16xf32>
  linalg.abs ins(%in : memref<16xf32>) outs(%t : memref<16xf32>)
  %r = scf.if %c -> (memref<16xf32>) {
    %u = memref.alloc() : memref<16xf32>
    linalg.exp ins(%in : memref<16xf32>) outs(%u : memref<16xf32>)
    scf.yield %u : memref<16xf32>
  } else {
    scf.yield %t : memref<16xf32>
  }
  bufferization.dealloc (%t, %own : memref<16xf32>, memref<?xf32>) if (%c, %c) retain (%r : memref<16xf32>)
  return %r : memref<16xf32>
}
// The buffer that is freed beside the result is not compared with it any more:
// the comparison would use the address of the caller's buffer, which is
// planned.
// CHECK-LABEL: func.func private @retained_beside
// CHECK-SAME: [[OUT:%[a-z0-9]+]]: memref<16xf32>) {
// CHECK: bufferization.dealloc (%{{.*}} : memref<?xf32>) if (%{{[a-z0-9]+}}){{$}}
// CHECK: return{{$}}
func.func private @retained_beside(%in: memref<16xf32>, %c: i1, %own: memref<?xf32>) -> memref<16xf32> {
  %r = memref.alloc() : memref<16xf32>
  linalg.abs ins(%in : memref<16xf32>) outs(%r : memref<16xf32>)
  bufferization.dealloc (%own : memref<?xf32>) if (%c) retain (%r : memref<16xf32>)
  return %r : memref<16xf32>
}
// %s may be the argument, which must not be freed then.
// CHECK-LABEL: func.func private @retained_perhaps
// CHECK-SAME: [[OUT:%[a-z0-9]+]]: memref<16xf32>) {
// CHECK: bufferization.dealloc (%{{.*}} : memref<?xf32>) if (%{{[a-z0-9]+}}) retain (%{{.*}} : memref<16xf32>)
func.func private @retained_perhaps(%in: memref<16xf32>, %c: i1, %own: memref<?xf32>) -> memref<16xf32> {
  %r = memref.alloc() : memref<16xf32>
  linalg.abs ins(%in : memref<16xf32>) outs(%r : memref<16xf32>)
  %s = arith.select %c, %r, %in : memref<16xf32>
  bufferization.dealloc (%own : memref<?xf32>) if (%c) retain (%s : memref<16xf32>)
  memref.copy %s, %r : memref<16xf32> to memref<16xf32>
  return %r : memref<16xf32>
}
// The ownership of the result would be reported for one buffer too many.
// CHECK-LABEL: func.func private @ownership_asked
// CHECK-SAME: -> (memref<16xf32>, i1)
func.func private @ownership_asked(%in: memref<16xf32>, %c: i1) -> (memref<16xf32>, i1) {
  %t = memref.alloc() : memref<16xf32>
  linalg.abs ins(%in : memref<16xf32>) outs(%t : memref<16xf32>)
  %r = scf.if %c -> (memref<16xf32>) {
    %u = memref.alloc() : memref<16xf32>
    linalg.exp ins(%in : memref<16xf32>) outs(%u : memref<16xf32>)
    scf.yield %u : memref<16xf32>
  } else {
    scf.yield %t : memref<16xf32>
  }
  %o = bufferization.dealloc (%t : memref<16xf32>) if (%c) retain (%r : memref<16xf32>)
  return %r, %o : memref<16xf32>, i1
}
// Ops that run at once have no order in which one buffer is dead before the
// other.
// CHECK-LABEL: func.func private @in_steps
// CHECK-SAME: -> memref<16xf32>
func.func private @in_steps(%in: memref<16xf32>, %c: i1, %out: memref<16xf32>) -> memref<16xf32> {
  linalg.abs {memplan.step = 0} ins(%in : memref<16xf32>) outs(%out : memref<16xf32>)
  %r = scf.if %c -> (memref<16xf32>) {
    %t = memref.alloc() : memref<16xf32>
    linalg.abs ins(%in : memref<16xf32>) outs(%t : memref<16xf32>)
    scf.yield %t : memref<16xf32>
  } else {
    %u = memref.alloc() : memref<16xf32>
    linalg.exp ins(%in : memref<16xf32>) outs(%u : memref<16xf32>)
    scf.yield %u : memref<16xf32>
  }
  return %r : memref<16xf32>
}
func.func @calls_all(%in: memref<16xf32>, %out: memref<16xf32>, %c: i1, %n: index) {
  %0 = call @live_at_once(%in, %c) : (memref<16xf32>, i1) -> memref<16xf32>
  %1 = call @written_before_return(%in, %c, %out) : (memref<16xf32>, i1, memref<16xf32>) -> memref<16xf32>
  %2 = call @or_argument(%in, %c) : (memref<16xf32>, i1) -> memref<16xf32>
  %3 = call @or_global(%in, %c) : (memref<16xf32>, i1) -> memref<16xf32>
  %4 = call @of_two_types(%in, %c) : (memref<16xf32>, i1) -> memref<?xf32>
  %5:2 = call @returned_twice(%in, %c) : (memref<16xf32>, i1) -> (memref<16xf32>, memref<16xf32>)
  %6:2 = call @crossed(%in, %c) : (memref<16xf32>, i1) -> (memref<16xf32>, memref<16xf32>)
  %7 = call @recursive(%in, %n) : (memref<16xf32>, index) -> memref<16xf32>
  %8 = call @a_part(%in, %c) : (memref<16xf32>, i1) -> memref<8xf32, strided<[1]>>
  %d = memref.cast %in : memref<16xf32> to memref<?xf32>
  %9 = call @freed_or_returned(%in, %c, %d) : (memref<16xf32>, i1, memref<?xf32>) -> memref<16xf32>
  %12 = call @retained_beside(%in, %c, %d) : (memref<16xf32>, i1, memref<?xf32>) -> memref<16xf32>
  %13 = call @retained_perhaps(%in, %c, %d) : (memref<16xf32>, i1, memref<?xf32>) -> memref<16xf32>
  %11:2 = call @ownership_asked(%in, %c) : (memref<16xf32>, i1) -> (memref<16xf32>, i1)
  %10 = call @in_steps(%in, %c, %out) : (memref<16xf32>, i1, memref<16xf32>) -> memref<16xf32>
  return
}
