// RUN: memplan-opt --allow-unregistered-dialect --plan-memory="require=verified lower=false" %s | FileCheck %s

// One deallocation frees two buffers of one type; one of them is planned, and the
// other is what the remaining deallocation frees.
// CHECK-LABEL: func.func @second_is_left
func.func @second_is_left(%c: i1, %i: index) -> i64 {
  %true = arith.constant true
  %0:4 = scf.if %c -> (memref<4xi64>, memref<4xi64>, i1, i1) {
    %a = memref.alloc() : memref<4xi64>
    %b = memref.alloc() : memref<4xi64>
    %owned:2 = bufferization.dealloc (%a, %b : memref<4xi64>, memref<4xi64>) if (%true, %true) retain (%a, %b : memref<4xi64>, memref<4xi64>)
    scf.yield %a, %b, %owned#0, %owned#1 : memref<4xi64>, memref<4xi64>, i1, i1
  } else {
    // CHECK: else
    // CHECK: memplan.view
    // CHECK: %[[B:.*]] = memref.alloc
    // CHECK: bufferization.dealloc (%[[B]] :
    %a = memref.alloc() : memref<4xi64>
    %b = memref.alloc() : memref<4xi64>
    %owned:2 = bufferization.dealloc (%a, %b : memref<4xi64>, memref<4xi64>) if (%true, %true) retain (%a, %b : memref<4xi64>, memref<4xi64>)
    scf.yield %a, %b, %owned#0, %owned#1 : memref<4xi64>, memref<4xi64>, i1, i1
  }
  %base, %offset, %size, %stride = memref.extract_strided_metadata %0#0 : memref<4xi64> -> memref<i64>, index, index, index
  %base1, %offset1, %size1, %stride1 = memref.extract_strided_metadata %0#1 : memref<4xi64> -> memref<i64>, index, index, index
  %value = memref.load %0#0[%i] : memref<4xi64>
  call @keep(%0#1) : (memref<4xi64>) -> ()
  bufferization.dealloc (%base, %base1 : memref<i64>, memref<i64>) if (%0#2, %0#3)
  return %value : i64
}
func.func private @keep(%m: memref<4xi64>) {
  "test.keep"(%m) : (memref<4xi64>) -> ()
  return
}

// Two conditional deallocations with one condition and one location, as
// bufferization-lower-deallocations makes them; only the second is left.
// CHECK-LABEL: func.func @guards_of_one_location
func.func @guards_of_one_location(%c: i1, %i: index, %value: i64) -> i64 {
  // CHECK: %[[B:.*]] = memref.alloc
  // CHECK: %[[N:.*]] = arith.select %{{.*}}, %[[B]], %[[B]]
  // CHECK: scf.if
  // CHECK-NEXT: memref.dealloc %[[N]]
  // CHECK-NOT: memref.dealloc
  // CHECK: return
  %a = memref.alloc() : memref<4xi64>
  %b = memref.alloc() : memref<4xi64>
  %x = memref.alloc() : memref<4xi64>
  memref.store %value, %a[%i] : memref<4xi64>
  memref.store %value, %x[%i] : memref<4xi64>
  call @keep(%b) : (memref<4xi64>) -> ()
  %m = arith.select %c, %a, %x : memref<4xi64>
  %n = arith.select %c, %b, %b : memref<4xi64>
  %read = memref.load %m[%i] : memref<4xi64>
  call @keep(%n) : (memref<4xi64>) -> ()
  scf.if %c {
    memref.dealloc %m : memref<4xi64> loc(#here)
  } loc(#here)
  scf.if %c {
    memref.dealloc %n : memref<4xi64> loc(#here)
  } loc(#here)
  return %read : i64
}
#here = loc("lowered deallocations")

// One deallocation retains two equal allocations, of which the first is planned.
// CHECK-LABEL: func.func @second_is_retained
func.func @second_is_retained(%n: index, %i: index, %value: i64) {
  // CHECK: scf.for
  // CHECK: %[[A:.*]] = memplan.view
  // CHECK: %[[B:.*]] = memref.alloc
  // CHECK: %[[OWNED:.*]] = bufferization.dealloc {{.*}} retain (%[[B]] :
  // CHECK: scf.yield %[[A]], %[[B]],
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %x = memref.alloc() : memref<4xi64>
  %y = call @make() : () -> memref<4xi64>
  %0:4 = scf.for %j = %c0 to %n step %c1 iter_args(%q = %x, %r = %y, %s = %false, %t = %false) -> (memref<4xi64>, memref<4xi64>, i1, i1) {
    memref.store %value, %q[%i] : memref<4xi64>
    func.call @keep(%r) : (memref<4xi64>) -> ()
    %a = memref.alloc() : memref<4xi64>
    %b = memref.alloc() : memref<4xi64>
    %owned:2 = bufferization.dealloc (%q, %r : memref<4xi64>, memref<4xi64>) if (%s, %t) retain (%a, %b : memref<4xi64>, memref<4xi64>)
    scf.yield %a, %b, %true, %true : memref<4xi64>, memref<4xi64>, i1, i1
  }
  bufferization.dealloc (%x, %y, %0#0, %0#1 : memref<4xi64>, memref<4xi64>, memref<4xi64>, memref<4xi64>) if (%true, %true, %0#2, %0#3)
  return
}

// One guard frees two buffers that the loop carries, and so does a loop in a
// guard. Only the second of each is left.
// CHECK-LABEL: func.func @second_of_a_guard
func.func @second_of_a_guard(%p: i1, %i: index, %value: i64) {
  // CHECK: scf.while ({{.*}}, %[[X:[a-z0-9]+]] = %{{[0-9]+}}, %[[OWNED:[a-z0-9]+]] = %false)
  // CHECK: %[[BASE:[a-z_0-9]+]], {{.*}} = memref.extract_strided_metadata %[[X]]
  // CHECK: scf.if %[[OWNED]] {
  // CHECK-NEXT: memref.dealloc %[[BASE]]
  // CHECK-NEXT: }
  // CHECK: scf.if %[[OWNED]] {
  // CHECK-NEXT: scf.for
  // CHECK-NEXT: memref.dealloc
  // CHECK-NEXT: }
  // CHECK: return
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<4xi64>
  %b = memref.alloc() : memref<4xi64>
  %x = call @make() : () -> memref<4xi64>
  %y = call @make() : () -> memref<4xi64>
  %0:4 = scf.while (%q = %a, %r = %b, %s = %y, %t = %x, %owned = %false) : (memref<4xi64>, memref<4xi64>, memref<4xi64>, memref<4xi64>, i1) -> (memref<4xi64>, memref<4xi64>, memref<4xi64>, memref<4xi64>) {
    memref.store %value, %q[%i] : memref<4xi64>
    memref.store %value, %r[%i] : memref<4xi64>
    %c = memref.alloc() : memref<4xi64>
    %d = memref.alloc() : memref<4xi64>
    memref.store %value, %c[%i] : memref<4xi64>
    memref.store %value, %d[%i] : memref<4xi64>
    %z = func.call @make() : () -> memref<4xi64>
    %w = func.call @make() : () -> memref<4xi64>
    %base, %offset, %size, %stride = memref.extract_strided_metadata %q : memref<4xi64> -> memref<i64>, index, index, index
    %base1, %offset1, %size1, %stride1 = memref.extract_strided_metadata %t : memref<4xi64> -> memref<i64>, index, index, index
    scf.if %owned {
      memref.dealloc %base : memref<i64>
      memref.dealloc %base1 : memref<i64>
    }
    scf.if %owned {
      scf.for %j = %c0 to %c1 step %c1 {
        memref.dealloc %r : memref<4xi64>
        memref.dealloc %s : memref<4xi64>
      }
    }
    scf.condition(%p) %c, %d, %w, %z : memref<4xi64>, memref<4xi64>, memref<4xi64>, memref<4xi64>
  } do {
  ^bb0(%q: memref<4xi64>, %r: memref<4xi64>, %s: memref<4xi64>, %t: memref<4xi64>):
    scf.yield %q, %r, %s, %t, %true : memref<4xi64>, memref<4xi64>, memref<4xi64>, memref<4xi64>, i1
  }
  return
}
func.func private @make() -> memref<4xi64>
