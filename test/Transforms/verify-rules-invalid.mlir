// Wrong plans, each of which only one rule of the state check rejects.
// RUN: memplan-opt %s --memplan-verify=quiet -split-input-file -verify-diagnostics -o /dev/null
// RUN: memplan-opt %s --memplan-lower --memplan-verify=quiet -split-input-file -verify-diagnostics -o /dev/null

// A write through a name with several slots overwrites buffers with one slot.
func.func @chosen_writes(%c: i1, %x: f32, %i: index) -> f32 {
  %arena = memplan.arena align(64) : memref<128xi8>
  %a = memplan.view %arena[0] align(64) : memref<128xi8> to memref<16xf32>
  %d = memplan.view %arena[64] align(64) : memref<128xi8> to memref<16xf32>
  // expected-note @below {{is placed here}}
  %b = memplan.view %arena[64] align(64) : memref<128xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  %chosen = arith.select %c, %a, %d : memref<16xf32>
  // expected-note @below {{bytes [64, 128) are written here}}
  memref.store %x, %chosen[%i] : memref<16xf32>
  // expected-error @below {{reads buffer at bytes [64, 128) of the arena, which 'memref.store' through the buffer at [64, 128) has overwritten}}
  %v = memref.load %b[%i] : memref<16xf32>
  memplan.release %arena : memref<128xi8>
  return %v : f32
}

// -----

// Memory that a callee used as its arena has no contents afterwards.
func.func private @callee(%arena: memref<64xi8> {memplan.arena = 64 : i64}, %x: f32) {
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  return
}
func.func @handed(%x: f32, %b: i8, %i: index) -> i8 {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{is placed here}}
  %s = memplan.view %arena[0] align(64) : memref<64xi8> to memref<64xi8>
  memref.store %b, %s[%i] : memref<64xi8>
  // expected-note @below {{bytes [0, 64) are written here}}
  call @callee(%s, %x) : (memref<64xi8>, f32) -> ()
  // expected-error @below {{has overwritten}}
  %v = memref.load %s[%i] : memref<64xi8>
  memplan.release %arena : memref<64xi8>
  return %v : i8
}

// -----

// The same for a name with several slots.
func.func private @callee(%arena: memref<64xi8> {memplan.arena = 64 : i64}, %x: f32) {
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  return
}
func.func @handed_either(%c: i1, %x: f32, %b: i8, %i: index) -> i8 {
  %arena = memplan.arena align(64) : memref<128xi8>
  // expected-note @below {{is placed here}}
  %s = memplan.view %arena[0] align(64) : memref<128xi8> to memref<64xi8>
  memref.store %b, %s[%i] : memref<64xi8>
  %t = memplan.view %arena[64] align(64) : memref<128xi8> to memref<64xi8>
  memref.store %b, %t[%i] : memref<64xi8>
  %chosen = arith.select %c, %s, %t : memref<64xi8>
  // expected-note @below {{bytes [0, 64) are written here}}
  call @callee(%chosen, %x) : (memref<64xi8>, f32) -> ()
  // expected-error @below {{has overwritten}}
  %v = memref.load %s[%i] : memref<64xi8>
  memplan.release %arena : memref<128xi8>
  return %v : i8
}

// -----

// The first iteration overwrites elements that the others still read.
func.func @in_place_of_all(%in: memref<16xf32>, %f: f32) {
  %arena = memplan.arena align(64) : memref<256xi8>
  // expected-note @below {{is placed here}}
  %x = memplan.view %arena[0] align(64) : memref<256xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%x : memref<16xf32>)
  scf.forall (%i) in (4) {
    // expected-note @below {{is placed here}}
    %a = memplan.view %arena[0 + %i * 64] align(64) : memref<256xi8> to memref<16xf32>
    // expected-error @below {{which shares bytes with it}}
    linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  }
  memplan.release %arena : memref<256xi8>
  return
}

// -----

// Two results of one op at the same bytes.
#map = affine_map<(d0) -> (d0)>
func.func @both_written(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-note @below {{is placed here}}
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-error @below {{which shares bytes with it}}
  linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]}
      ins(%in : memref<16xf32>) outs(%a, %b : memref<16xf32>, memref<16xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %e = math.exp %x : f32
    linalg.yield %x, %e : f32, f32
  }
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// Of two buffers at one offset one is lost, and so is every name that may be
// it.
func.func @chosen_of_a_lost_one(%c: i1, %x: f32, %i: index) -> f32 {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-note @below {{bytes [0, 64) are written here}}
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  %chosen = arith.select %c, %a, %b : memref<16xf32>
  // expected-error @below {{has overwritten}}
  %v = memref.load %chosen[%i] : memref<16xf32>
  memplan.release %arena : memref<64xi8>
  return %v : f32
}

// -----

// Two names that are one buffer if control comes from one of the predecessors:
// a write to one is visible in the other.
func.func @one_or_two(%c: i1, %x: f32, %i: index) -> f32 {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  %d = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  cf.cond_br %c, ^join(%a, %a : memref<16xf32>, memref<16xf32>), ^join(%b, %d : memref<16xf32>, memref<16xf32>)
^join(%p: memref<16xf32>, %q: memref<16xf32>):
  // expected-note @below {{bytes [0, 64) are written here}}
  memref.store %x, %p[%i] : memref<16xf32>
  %z = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%z : memref<16xf32>)
  // expected-error @below {{has overwritten}}
  %v = memref.load %q[%i] : memref<16xf32>
  memplan.release %arena : memref<64xi8>
  return %v : f32
}

// -----

// A name with several slots is used after the release.
func.func @chosen_after_release(%c: i1, %x: f32, %i: index) -> f32 {
  %arena = memplan.arena align(64) : memref<128xi8>
  %a = memplan.view %arena[0] align(64) : memref<128xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %d = memplan.view %arena[64] align(64) : memref<128xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%d : memref<16xf32>)
  %chosen = arith.select %c, %a, %d : memref<16xf32>
  // expected-note @below {{released here}}
  memplan.release %arena : memref<128xi8>
  // expected-error @below {{of the arena after the arena's release}}
  %v = memref.load %chosen[%i] : memref<16xf32>
  return %v : f32
}

// -----

// A buffer cannot begin where the arena may not exist.
func.func @begins_outside(%c: i1, %in: memref<16xf32>, %x: f32) {
  %arena = memplan.arena align(64) : memref<64xi8>
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  %chosen = arith.select %c, %a, %in : memref<16xf32>
  // expected-error @below {{begins a buffer in memory that may be in no arena}}
  %b = memplan.renew %chosen : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// Iterations that run at once each begin a buffer in one slot.
func.func @begins_in_all_iterations(%x: f32) {
  %arena = memplan.arena align(64) : memref<64xi8>
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  scf.forall (%i) in (4) {
    // expected-error @below {{iterations that may run at once share the buffer at bytes [0, 64) of the arena, which each of them begins anew}}
    %b = memplan.renew %a : memref<16xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  }
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// The shape of a view is read from a lost buffer.
func.func @reshaped(%in: memref<16xf32>, %n: index, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %arena = memplan.arena align(64) : memref<8xi8>
  // expected-note @below {{is placed here}}
  %shape = memplan.view %arena[0] align(8) : memref<8xi8> to memref<1xindex>
  memref.store %n, %shape[%c0] : memref<1xindex>
  %other = memplan.view %arena[0] align(8) : memref<8xi8> to memref<1xindex>
  // expected-note @below {{bytes [0, 8) are written here}}
  memref.store %i, %other[%c0] : memref<1xindex>
  // expected-error @below {{has overwritten}}
  %view = memref.reshape %in(%shape) : (memref<16xf32>, memref<1xindex>) -> memref<?xf32>
  %v = memref.load %view[%i] : memref<?xf32>
  memplan.release %arena : memref<8xi8>
  return %v : f32
}

// -----

// A callee writes to its argument.
func.func private @write(%m: memref<16xf32>, %x: f32) {
  linalg.fill ins(%x : f32) outs(%m : memref<16xf32>)
  return
}
func.func @written_by_a_callee(%x: f32, %i: index) -> f32 {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-note @below {{bytes [0, 64) are written here}}
  call @write(%b, %x) : (memref<16xf32>, f32) -> ()
  // expected-error @below {{has overwritten}}
  %v = memref.load %a[%i] : memref<16xf32>
  memplan.release %arena : memref<64xi8>
  return %v : f32
}

// -----

// The loop with the await may have no iteration.
func.func @awaited_in_a_loop(%x: f32, %i: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at bytes [0, 64) of the arena}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  %t = async.execute {
    // expected-error @below {{uses asynchronously, without an await on every path,}}
    memref.store %x, %a[%i] : memref<16xf32>
    async.yield
  }
  scf.parallel (%k) = (%c0) to (%n) step (%c1) {
    async.await %t : !async.token
    scf.reduce
  }
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  memref.store %x, %b[%i] : memref<16xf32>
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// The result of a callee may be other memory, so filling it does not fill %a.
memref.global "private" @g : memref<16xf32> = uninitialized
func.func private @either(%c: i1, %m: memref<16xf32>) -> memref<16xf32> {
  %g = memref.get_global @g : memref<16xf32>
  %r = arith.select %c, %m, %g : memref<16xf32>
  return %r : memref<16xf32>
}
func.func @filled_elsewhere(%c: i1, %x: f32, %i: index) -> f32 {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %r = call @either(%c, %a) : (i1, memref<16xf32>) -> memref<16xf32>
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-note @below {{bytes [0, 64) are written here}}
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  linalg.fill ins(%x : f32) outs(%r : memref<16xf32>)
  // expected-error @below {{has overwritten}}
  %v = memref.load %a[%i] : memref<16xf32>
  memplan.release %arena : memref<64xi8>
  return %v : f32
}

// -----

// The stack is not freed.
func.func @frees_the_stack(%x: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  // expected-note @below {{the arena}}
  %arena = memref.alloca() {alignment = 64 : i64, memplan.arena} : memref<64xi8>
  %a = memref.view %arena[%c0][] : memref<64xi8> to memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  // expected-error @below {{releases an arena that is not on the heap}}
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// The fill covers the 8 elements that %a has in the slot; the others have the
// contents that %b has written.
func.func @filled_in_part(%x: f32, %i: index, %in: memref<16xf32>) -> f32 {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-note @below {{bytes [0, 64) are written here}}
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  %half = memref.subview %a[0] [8] [1] : memref<16xf32> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%half : memref<8xf32>)
  // expected-error @below {{has overwritten}}
  %v = memref.load %a[%i] : memref<16xf32>
  memplan.release %arena : memref<64xi8>
  return %v : f32
}

// -----

// A task uses its operand of the time when it began. In the next iteration the
// name is another buffer at the same bytes.
func.func @rebound(%x: f32, %n: index, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<64xi8>
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  %group = async.create_group %n : !async.group
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%m = %a, %o = %b) -> (memref<16xf32>, memref<16xf32>) {
    // expected-error @below {{writes a buffer that shares bytes while 'async.execute', which has not been awaited, may use the buffer at bytes [0, 64) of the arena}}
    linalg.fill ins(%x : f32) outs(%m : memref<16xf32>)
    // expected-note @below {{started here}}
    %t = async.execute {
      %y = memref.load %m[%i] : memref<16xf32>
      async.yield
    }
    %number = async.add_to_group %t, %group : !async.token
    scf.yield %o, %m : memref<16xf32>, memref<16xf32>
  }
  async.await_all %group
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// An arena for each iteration: the complete write is to the arena of the
// previous one.
func.func @of_the_last_arena(%x: f32, %n: index, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %outer = memplan.arena align(64) : memref<64xi8>
  %a = memplan.view %outer[0] align(64) : memref<64xi8> to memref<16xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%m = %a) -> memref<16xf32> {
    %arena = memplan.arena align(64) : memref<64xi8>
    // expected-error @below {{uses buffer at bytes [0, 64) of the arena after the arena's release}}
    linalg.fill ins(%x : f32) outs(%m : memref<16xf32>)
    %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
    // expected-note @below {{released here}}
    memplan.release %arena : memref<64xi8>
    scf.yield %b : memref<16xf32>
  }
  memplan.release %outer : memref<64xi8>
  return
}

// -----

// A loop with unknown bounds may not run, so it does not write a whole buffer.
func.func @perhaps_written(%x: f32, %i: index) -> f32 {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-note @below {{bytes [0, 64) are written here}}
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  // expected-error @below {{writes buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
  omp.wsloop {
    omp.loop_nest (%k) : index = (%i) to (%i) step (%i) {
      linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
      omp.yield
    }
  }
  %v = memref.load %a[%i] : memref<16xf32>
  memplan.release %arena : memref<64xi8>
  return %v : f32
}

// -----

// The result of a parallel loop that reduces memrefs is not followed.
func.func @reduced(%x: f32, %i: index, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at bytes [0, 64) of the arena}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %other = memref.alloc() : memref<16xf32>
  // expected-error @below {{escapes and cannot be verified}}
  %r = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%a) -> memref<16xf32> {
    scf.reduce(%other : memref<16xf32>) {
    ^bb0(%left: memref<16xf32>, %right: memref<16xf32>):
      scf.reduce.return %left : memref<16xf32>
    }
  }
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  %v = memref.load %r[%i] : memref<16xf32>
  memplan.release %arena : memref<64xi8>
  return %v : f32
}

// -----

// A copy with a second operand, transposed on the way: at the same bytes it
// overwrites elements that it still has to read.
func.func @transposed(%x: f32, %c: memref<4x4xf32>, %i: index) -> f32 {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<4x4xf32>
  // expected-error @below {{writes buffer at bytes [0, 64) of the arena and uses the buffer at [0, 64), which shares bytes with it}}
  linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>,
                       affine_map<(d0, d1) -> (d0, d1)>,
                       affine_map<(d0, d1) -> (d1, d0)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%a, %c : memref<4x4xf32>, memref<4x4xf32>) outs(%b : memref<4x4xf32>) {
  ^bb0(%in: f32, %beside: f32, %out: f32):
    linalg.yield %in : f32
  }
  %v = memref.load %b[%i, %i] : memref<4x4xf32>
  memplan.release %arena : memref<64xi8>
  return %v : f32
}
