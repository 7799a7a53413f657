// Callees in the bodies of parallel loops, and in functions that are already
// planned.
// RUN: memplan-opt %s --plan-memory="scope=module strategy=greedy lower=false" \
// RUN:   --split-input-file | FileCheck %s
// RUN: memplan-opt %s --plan-memory="scope=module strategy=greedy" \
// RUN:   --memplan-verify --canonicalize --cse --memplan-verify \
// RUN:   --split-input-file > %t
// The frames of all workers must fit at once.
// RUN: not memplan-opt %s --plan-memory="scope=module strategy=greedy lower=false capacity=127" \
// RUN:   --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=SMALL
// SMALL: error: arena of @caller in memory space 0 requires at least 256 bytes but its capacity is 127, 129 too few
// SMALL: note: workers0, 256 bytes, is live at the peak of 256 bytes

// The callee's 64 bytes are in the frame of each worker, beside %a.
// CHECK-LABEL: func.func private @by_workers
// CHECK-SAME: memref<64xi8> {memplan.arena = 64 : i64}
func.func private @by_workers(%out: memref<16xf32>) {
  %t = memref.alloc() : memref<16xf32>
  linalg.abs ins(%out : memref<16xf32>) outs(%t : memref<16xf32>)
  memref.copy %t, %out : memref<16xf32> to memref<16xf32>
  return
}

// CHECK-LABEL: func.func @caller
func.func @caller(%f: f32) {
  // CHECK: memplan.arena align(64) : memref<256xi8>
  // CHECK: scf.forall (%[[I:.*]]) in (2)
  scf.forall (%i) in (2) {
    // CHECK: %[[A:.*]] = memplan.view %arena[0 + %[[I]] * 128] align(64)
    %a = memref.alloc() : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    // CHECK: %[[FRAME:.*]] = memplan.view %arena[64 + %[[I]] * 128] align(64)
    // CHECK: call @by_workers(%[[A]], %[[FRAME]])
    func.call @by_workers(%a) : (memref<16xf32>) -> ()
    func.call @use(%a) : (memref<16xf32>) -> ()
  }
  return
}
func.func private @use(memref<16xf32>)

// -----

// A function that is already planned gets no further arguments, so its callee
// has its own arena.
// CHECK-LABEL: func.func private @called_by_planned(%{{.*}}: memref<16xf32>) {
// CHECK: memplan.arena align(64) : memref<64xi8>
func.func private @called_by_planned(%out: memref<16xf32>) {
  %t = memref.alloc() : memref<16xf32>
  linalg.abs ins(%out : memref<16xf32>) outs(%t : memref<16xf32>)
  memref.copy %t, %out : memref<16xf32> to memref<16xf32>
  return
}

func.func @planned(%out: memref<16xf32>) {
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<64xi8>
  // CHECK: call @called_by_planned(%{{[a-z0-9]*}}) :
  call @called_by_planned(%out) : (memref<16xf32>) -> ()
  memref.dealloc %arena : memref<64xi8>
  return
}
