// RUN: memplan-opt %s --memplan-verify=quiet -split-input-file -verify-diagnostics -o /dev/null

// The verifier's facts about functions that call each other hold for all their
// activations, at any depth.

// The arguments are exchanged in each call: either may be freed.
func.func private @frees_either(%x: memref<16xf32>, %y: memref<16xf32>, %c: i1) {
  cf.cond_br %c, ^down, ^end
^down:
  call @frees_either(%y, %x, %c) : (memref<16xf32>, memref<16xf32>, i1) -> ()
  return
^end:
  memref.dealloc %x : memref<16xf32>
  return
}

func.func @freed_an_odd_number_of_calls_deep(%c: i1, %m: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at bytes [0, 64) of the arena}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-error @below {{calls a function that keeps or frees a buffer that lies in an arena; it escapes and cannot be verified}}
  call @frees_either(%m, %a, %c) : (memref<16xf32>, memref<16xf32>, i1) -> ()
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// One of two functions keeps the argument that the other one passes.
func.func private @keeps_and_calls(%m: memref<16xf32>, %table: memref<memref<16xf32>>, %c: i1) {
  memref.store %m, %table[] : memref<memref<16xf32>>
  func.call @calls(%m, %table, %c) : (memref<16xf32>, memref<memref<16xf32>>, i1) -> ()
  return
}
func.func private @calls(%m: memref<16xf32>, %table: memref<memref<16xf32>>, %c: i1) {
  scf.if %c {
    func.call @keeps_and_calls(%m, %table, %c) : (memref<16xf32>, memref<memref<16xf32>>, i1) -> ()
  }
  return
}

func.func @kept_by_another_function(%c: i1, %table: memref<memref<16xf32>>) {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at bytes [0, 64) of the arena}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-error @below {{calls a function that keeps or frees a buffer that lies in an arena; it escapes and cannot be verified}}
  call @calls(%a, %table, %c) : (memref<16xf32>, memref<memref<16xf32>>, i1) -> ()
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// The function is called again through a value, and another function that this
// value may be frees the argument.
func.func private @frees(%m: memref<16xf32>, %c: i1) {
  memref.dealloc %m : memref<16xf32>
  return
}
func.func private @through_a_value(%m: memref<16xf32>, %c: i1) {
  %f = constant @through_a_value : (memref<16xf32>, i1) -> ()
  %g = constant @frees : (memref<16xf32>, i1) -> ()
  %h = arith.select %c, %f, %g : (memref<16xf32>, i1) -> ()
  scf.if %c {
    func.call_indirect %h(%m, %c) : (memref<16xf32>, i1) -> ()
  }
  return
}

func.func @freed_through_a_value(%c: i1) {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at bytes [0, 64) of the arena}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-error @below {{calls a function that keeps or frees a buffer that lies in an arena; it escapes and cannot be verified}}
  call @through_a_value(%a, %c) : (memref<16xf32>, i1) -> ()
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// The result is the second argument, at an odd depth.
func.func private @gives_either(%x: memref<16xf32>, %y: memref<16xf32>, %c: i1) -> memref<16xf32> {
  %r = scf.if %c -> memref<16xf32> {
    %inner = func.call @gives_either(%y, %x, %c) : (memref<16xf32>, memref<16xf32>, i1) -> memref<16xf32>
    scf.yield %inner : memref<16xf32>
  } else {
    scf.yield %x : memref<16xf32>
  }
  return %r : memref<16xf32>
}

func.func @returned_and_lost(%c: i1, %f: f32, %i: index, %m: memref<16xf32>) -> f32 {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  %r = call @gives_either(%m, %a, %c) : (memref<16xf32>, memref<16xf32>, i1) -> memref<16xf32>
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-note @below {{bytes [0, 64) are written here}}
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
  %v = memref.load %r[%i] : memref<16xf32>
  memplan.release %arena : memref<64xi8>
  return %v : f32
}

// The result is certainly one of these.
func.func private @gives_one(%x: memref<16xf32>, %c: i1) -> memref<16xf32> {
  %r = scf.if %c -> memref<16xf32> {
    %inner = func.call @gives_one(%x, %c) : (memref<16xf32>, i1) -> memref<16xf32>
    scf.yield %inner : memref<16xf32>
  } else {
    scf.yield %x : memref<16xf32>
  }
  return %r : memref<16xf32>
}
func.func @one_name(%c: i1, %d: i1, %f: f32, %i: index) -> f32 {
  %arena = memplan.arena align(64) : memref<64xi8>
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  %s = scf.if %c -> (memref<16xf32>) {
    %a_new = memplan.renew %a : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a_new : memref<16xf32>)
    scf.yield %a_new : memref<16xf32>
  } else {
    %b_new = memplan.renew %b : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%b_new : memref<16xf32>)
    scf.yield %b_new : memref<16xf32>
  }
  %p = call @gives_one(%s, %d) : (memref<16xf32>, i1) -> memref<16xf32>
  memref.store %f, %p[%i] : memref<16xf32>
  %x = memref.load %s[%i] : memref<16xf32>
  memplan.release %arena : memref<64xi8>
  return %x : f32
}

// -----

// All activations but the deepest only pass it on. The deepest reads lost
// bytes.
func.func private @reads_deep(%m: memref<16xf32>, %c: i1, %i: index) -> f32 {
  %r = scf.if %c -> f32 {
    %inner = func.call @reads_deep(%m, %c, %i) : (memref<16xf32>, i1, index) -> f32
    scf.yield %inner : f32
  } else {
    %v = memref.load %m[%i] : memref<16xf32>
    scf.yield %v : f32
  }
  return %r : f32
}
func.func @read_by_the_deepest(%c: i1, %f: f32, %i: index) -> f32 {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  %u = memref.load %a[%i] : memref<16xf32>
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-note @below {{bytes [0, 64) are written here}}
  linalg.fill ins(%u : f32) outs(%b : memref<16xf32>)
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
  %v = call @reads_deep(%a, %c, %i) : (memref<16xf32>, i1, index) -> f32
  memplan.release %arena : memref<64xi8>
  return %v : f32
}

// -----

// It writes all of it at any depth before a read, so the lost bytes are not
// read.
func.func private @writes_deep(%m: memref<16xf32>, %c: i1, %f: f32) {
  scf.if %c {
    func.call @writes_deep(%m, %c, %f) : (memref<16xf32>, i1, f32) -> ()
  } else {
    linalg.fill ins(%f : f32) outs(%m : memref<16xf32>)
  }
  return
}
func.func @written_by_the_deepest(%c: i1, %f: f32, %i: index) -> f32 {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  %u = memref.load %a[%i] : memref<16xf32>
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-note @below {{bytes [0, 64) are written here}}
  linalg.fill ins(%u : f32) outs(%b : memref<16xf32>)
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
  call @writes_deep(%a, %c, %f) : (memref<16xf32>, i1, f32) -> ()
  %v = memref.load %a[%i] : memref<16xf32>
  memplan.release %arena : memref<64xi8>
  return %v : f32
}

// -----

// On one path down nothing is written: the old contents are read afterwards.
func.func private @writes_sometimes(%m: memref<16xf32>, %c: i1, %d: i1, %f: f32) {
  scf.if %c {
    func.call @writes_sometimes(%m, %c, %d, %f) : (memref<16xf32>, i1, i1, f32) -> ()
  } else {
    scf.if %d {
      linalg.fill ins(%f : f32) outs(%m : memref<16xf32>)
    }
  }
  return
}
func.func @not_always_written(%c: i1, %d: i1, %f: f32, %i: index) -> f32 {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  %u = memref.load %a[%i] : memref<16xf32>
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-note @below {{bytes [0, 64) are written here}}
  linalg.fill ins(%u : f32) outs(%b : memref<16xf32>)
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
  call @writes_sometimes(%a, %c, %d, %f) : (memref<16xf32>, i1, i1, f32) -> ()
  %v = memref.load %a[%i] : memref<16xf32>
  memplan.release %arena : memref<64xi8>
  return %v : f32
}
