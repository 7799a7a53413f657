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
