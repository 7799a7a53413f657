// An unknown dialect is planned by the interfaces that it implements:
// allocations, regions with control flow, memory effects, in-place operands,
// and asynchronous work.
// RUN: memplan-test-opt %s --plan-memory=lower=false | FileCheck %s
// RUN: memplan-test-opt %s --plan-memory="lower=false report=text" 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: memplan-test-opt %s --memplan-extract --memplan-solve --memplan-materialize --memplan-verify | FileCheck %s

// %b may use the bytes of %a, which have the alignment that %a requests; no
// buffer may use those of the scratch.
// CHECK-LABEL: func.func @straight
// CHECK: %[[ARENA:.*]] = memplan.arena align(256) : memref<192xi8>
// CHECK: memplan.view %[[ARENA]][0] align(256)
// CHECK: memplan.view %[[ARENA]][64] align(64)
// CHECK: memplan.view %[[ARENA]][128] align(64)
// CHECK: memplan.view %[[ARENA]][0] align(64)
// CHECK-NOT: foreign.buffer
// CHECK-NOT: foreign.scratch
// CHECK: memplan.release
func.func @straight(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = foreign.buffer {align = 256} : memref<16xf32>
  foreign.apply %in to %a : memref<16xf32>, memref<16xf32>
  %s = foreign.scratch : memref<16xf32>
  foreign.apply %a to %s : memref<16xf32>, memref<16xf32>
  %c = foreign.buffer : memref<16xf32>
  foreign.apply %a to %c : memref<16xf32>, memref<16xf32>
  %b = foreign.buffer : memref<16xf32>
  foreign.apply %c to %b : memref<16xf32>, memref<16xf32>
  foreign.apply %b to %out : memref<16xf32>, memref<16xf32>
  return
}

// Only one of the regions is executed: 64 bytes suffice for both and their
// result.
// CHECK-LABEL: func.func @exclusive
// CHECK: memplan.arena align(64) : memref<64xi8>
// CHECK-NOT: foreign.buffer
func.func @exclusive(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
  %r = foreign.when %c : memref<16xf32> {
    %a = foreign.buffer : memref<16xf32>
    foreign.apply %in to %a : memref<16xf32>, memref<16xf32>
    foreign.give %a : memref<16xf32>
  } otherwise {
    %b = foreign.buffer : memref<16xf32>
    foreign.apply %in to %b : memref<16xf32>, memref<16xf32>
    foreign.give %b : memref<16xf32>
  }
  foreign.apply %r to %out : memref<16xf32>, memref<16xf32>
  return
}

// The second region follows the first: %t may not have the bytes of what the
// first one writes.
// CHECK-LABEL: func.func @one_after_the_other
// CHECK: memplan.arena align(64) : memref<128xi8>
// CHECK-NOT: foreign.buffer
func.func @one_after_the_other(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
  %a = foreign.buffer : memref<16xf32>
  foreign.fickle %c {
    foreign.apply %in to %a : memref<16xf32>, memref<16xf32>
    foreign.give
  } then {
    %t = foreign.buffer : memref<16xf32>
    foreign.apply %in to %t : memref<16xf32>, memref<16xf32>
    foreign.apply %t to %out : memref<16xf32>, memref<16xf32>
    foreign.apply %a to %out : memref<16xf32>, memref<16xf32>
    foreign.give
  } {honest}
  return
}

// %a is read in each iteration, so %t has separate bytes.
// CHECK-LABEL: func.func @loop
// CHECK: memplan.arena align(64) : memref<128xi8>
// CHECK: foreign.repeat
// CHECK-NOT: foreign.buffer
func.func @loop(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = foreign.buffer : memref<16xf32>
  foreign.apply %in to %a : memref<16xf32>, memref<16xf32>
  foreign.repeat() : () -> () {
    %t = foreign.buffer : memref<16xf32>
    foreign.apply %a to %t : memref<16xf32>, memref<16xf32>
    foreign.apply %t to %out : memref<16xf32>, memref<16xf32>
    foreign.give
  }
  return
}

// A buffer that a loop makes and carries needs a free slot as a further operand
// of the loop, which this loop cannot have: not planned, except for the first
// buffer.
// CHECK-LABEL: func.func @carried
// CHECK: memplan.arena align(64) : memref<64xi8>
// CHECK: foreign.repeat
// CHECK: foreign.buffer
func.func @carried(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = foreign.buffer : memref<16xf32>
  foreign.apply %in to %a : memref<16xf32>, memref<16xf32>
  %r = foreign.repeat(%a) : (memref<16xf32>) -> memref<16xf32> {
  ^body(%x: memref<16xf32>):
    %n = foreign.buffer : memref<16xf32>
    foreign.apply %x to %n : memref<16xf32>, memref<16xf32>
    foreign.give %n : memref<16xf32>
  }
  foreign.apply %r to %out : memref<16xf32>, memref<16xf32>
  return
}

// The op may overwrite its first operand, but not the second; both are dead
// after it.
// CHECK-LABEL: func.func @in_place
// CHECK: memplan.arena align(64) : memref<128xi8>
// CHECK: memplan.view %{{.*}}[[A:\[[0-9]+\]]] align(64)
// CHECK: memplan.view %{{.*}}[[B:\[[0-9]+\]]] align(64)
// CHECK: memplan.view %{{.*}}[[A]] align(64)
// CHECK-NOT: foreign.buffer
// CHECK: return
func.func @in_place(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = foreign.buffer : memref<16xf32>
  foreign.apply %in to %a : memref<16xf32>, memref<16xf32>
  %b = foreign.buffer : memref<16xf32>
  foreign.apply %in to %b : memref<16xf32>, memref<16xf32>
  %c = foreign.buffer : memref<16xf32>
  foreign.merge %a, %b to %c : memref<16xf32>, memref<16xf32>, memref<16xf32>
  foreign.apply %c to %out : memref<16xf32>, memref<16xf32>
  return
}

// The sent buffer is in use until the wait: %t has separate bytes, %c uses
// those of %a.
// CHECK-LABEL: func.func @sent
// CHECK: memplan.arena align(64) : memref<128xi8>
// CHECK: memplan.view %{{.*}}[0]
// CHECK: memplan.view %{{.*}}[64]
// CHECK: foreign.wait
// CHECK: memplan.view %{{.*}}[0]
// CHECK-NOT: foreign.buffer
// CHECK: return
func.func @sent(%in: memref<16xf32>, %out: memref<16xf32>, %o2: memref<16xf32>) {
  %a = foreign.buffer : memref<16xf32>
  foreign.apply %in to %a : memref<16xf32>, memref<16xf32>
  %e = foreign.send %a to %out : memref<16xf32>, memref<16xf32>
  %t = foreign.buffer : memref<16xf32>
  foreign.apply %in to %t : memref<16xf32>, memref<16xf32>
  %f = foreign.send %t to %o2 after %e : memref<16xf32>, memref<16xf32>
  foreign.wait %f
  %c = foreign.buffer : memref<16xf32>
  foreign.apply %in to %c : memref<16xf32>, memref<16xf32>
  foreign.apply %c to %out : memref<16xf32>, memref<16xf32>
  return
}

// The event of a loop is that of its last iteration, which begins after the
// others have ended.
// CHECK-LABEL: func.func @sent_in_a_loop
// CHECK: memplan.arena align(64) : memref<128xi8>
// CHECK-NOT: foreign.buffer
// CHECK: return
func.func @sent_in_a_loop(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = foreign.buffer : memref<16xf32>
  foreign.apply %in to %a : memref<16xf32>, memref<16xf32>
  %e = foreign.send %a to %out : memref<16xf32>, memref<16xf32>
  %l = foreign.repeat(%e) : (!foreign.event) -> !foreign.event {
  ^body(%x: !foreign.event):
    %n = foreign.send %a to %out after %x : memref<16xf32>, memref<16xf32>
    foreign.give %n : !foreign.event
  }
  %t = foreign.buffer : memref<16xf32>
  foreign.apply %in to %t : memref<16xf32>, memref<16xf32>
  foreign.apply %t to %out : memref<16xf32>, memref<16xf32>
  foreign.wait %l
  return
}

// There is no wait.
// CHECK-LABEL: func.func @never_awaited
// CHECK: foreign.buffer
func.func @never_awaited(%in: memref<16xf32>, %out: memref<16xf32>) {
  // REPORT: b0 64 bytes, memref<16xf32>, {{.*}}: is used by 'foreign.send', which is not awaited on every path
  %a = foreign.buffer : memref<16xf32>
  foreign.apply %in to %a : memref<16xf32>, memref<16xf32>
  %e = foreign.send %a to %out : memref<16xf32>, memref<16xf32>
  return
}
