// RUN: memplan-opt %s --memplan-verify=quiet -split-input-file -verify-diagnostics

// A callee frees a buffer that its caller should free after planning.
func.func private @frees(%a: memref<16xf32>) {
  linalg.abs ins(%a : memref<16xf32>) outs(%a : memref<16xf32>)
  memref.dealloc %a : memref<16xf32>
  return
}
func.func @freed_by_callee(%x: f32) {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at bytes [0, 64) of the arena}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  // expected-error @below {{calls a function that keeps or frees a buffer that lies in an arena; it escapes and cannot be verified}}
  call @frees(%a) : (memref<16xf32>) -> ()
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// Two calls down, and under a condition.
func.func private @inner(%a: memref<16xf32>, %own: i1) {
  scf.if %own {
    memref.dealloc %a : memref<16xf32>
  }
  return
}
func.func private @outer(%a: memref<16xf32>, %own: i1) {
  call @inner(%a, %own) : (memref<16xf32>, i1) -> ()
  return
}
func.func @freed_by_callees_callee(%x: f32, %own: i1) {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at bytes [0, 64) of the arena}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  // expected-error @below {{calls a function that keeps or frees a buffer that lies in an arena; it escapes and cannot be verified}}
  call @outer(%a, %own) : (memref<16xf32>, i1) -> ()
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// A deallocation that was moved after the call is still there although its
// buffer is planned.
func.func private @leaves(%a: memref<16xf32>) {
  linalg.abs ins(%a : memref<16xf32>) outs(%a : memref<16xf32>)
  return
}
func.func @freed_by_caller(%x: f32, %own: i1) {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at bytes [0, 64) of the arena}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  call @leaves(%a) : (memref<16xf32>) -> ()
  scf.if %own {
    // expected-error @below {{deallocates a buffer that lies in an arena}}
    memref.dealloc %a : memref<16xf32>
  }
  memplan.release %arena : memref<64xi8>
  return
}
