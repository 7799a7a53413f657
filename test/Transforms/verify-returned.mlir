// RUN: memplan-opt %s --memplan-verify=quiet -split-input-file -verify-diagnostics

// Buffers in the memory of a result: none is live once the result is written,
// and the caller frees the memory once. A lowered plan is checked as well.

// No error.
func.func @right(%in: memref<8x8xf32>) -> memref<8x8xf32> {
  %own = memplan.arena returned align(64) : memref<256xi8>
  %arena = memplan.arena align(64) : memref<256xi8>
  %a = memplan.view %own[0] align(64) : memref<256xi8> to memref<8x8xf32>
  linalg.transpose ins(%in : memref<8x8xf32>) outs(%a : memref<8x8xf32>) permutation = [1, 0]
  %b = memplan.view %arena[0] align(64) : memref<256xi8> to memref<8x8xf32>
  linalg.transpose ins(%a : memref<8x8xf32>) outs(%b : memref<8x8xf32>) permutation = [1, 0]
  %r = memplan.view %own[0] align(64) : memref<256xi8> to memref<8x8xf32>
  linalg.transpose ins(%b : memref<8x8xf32>) outs(%r : memref<8x8xf32>) permutation = [1, 0]
  memplan.release %arena : memref<256xi8>
  return %r : memref<8x8xf32>
}

// -----

func.func @read_after_first_write(%in: memref<8x8xf32>, %out: memref<8x8xf32>) -> memref<8x8xf32> {
  %own = memplan.arena returned align(64) : memref<256xi8>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %a = memplan.view %own[0] align(64) : memref<256xi8> to memref<8x8xf32>
  linalg.transpose ins(%in : memref<8x8xf32>) outs(%a : memref<8x8xf32>) permutation = [1, 0]
  %r = memplan.view %own[0] align(64) : memref<256xi8> to memref<8x8xf32>
  // expected-note @below {{bytes [0, 256) are written here}}
  linalg.transpose ins(%in : memref<8x8xf32>) outs(%r : memref<8x8xf32>) permutation = [1, 0]
  // expected-error @below {{reads}}
  memref.copy %a, %out : memref<8x8xf32> to memref<8x8xf32>
  return %r : memref<8x8xf32>
}

// -----

func.func @lost_at_return(%in: memref<8x8xf32>) -> memref<8x8xf32> {
  %own = memplan.arena returned align(64) : memref<256xi8>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %r = memplan.view %own[0] align(64) : memref<256xi8> to memref<8x8xf32>
  linalg.transpose ins(%in : memref<8x8xf32>) outs(%r : memref<8x8xf32>) permutation = [1, 0]
  %a = memplan.view %own[192] align(64) : memref<256xi8> to memref<16xf32>
  %c0 = arith.constant 0.0 : f32
  // expected-note @below {{bytes [192, 256) are written here}}
  linalg.fill ins(%c0 : f32) outs(%a : memref<16xf32>)
  // expected-error @below {{reads}}
  return %r : memref<8x8xf32>
}

// -----

func.func @twice(%in: memref<8x8xf32>) -> (memref<8x8xf32>, memref<8x8xf32>) {
  // expected-note @below {{the memory}}
  %own = memplan.arena returned align(64) : memref<512xi8>
  %r = memplan.view %own[0] align(64) : memref<512xi8> to memref<8x8xf32>
  linalg.transpose ins(%in : memref<8x8xf32>) outs(%r : memref<8x8xf32>) permutation = [1, 0]
  %s = memplan.view %own[256] align(64) : memref<512xi8> to memref<8x8xf32>
  linalg.transpose ins(%in : memref<8x8xf32>) outs(%s : memref<8x8xf32>) permutation = [1, 0]
  // expected-error @below {{returns 2 buffers in the memory of a result, which the caller frees once for each}}
  return %r, %s : memref<8x8xf32>, memref<8x8xf32>
}

// -----

func.func @on_one_path(%in: memref<8x8xf32>, %cond: i1) -> memref<8x8xf32> {
  // expected-note @below {{the memory}}
  %own = memplan.arena returned align(64) : memref<256xi8>
  %r = memplan.view %own[0] align(64) : memref<256xi8> to memref<8x8xf32>
  linalg.transpose ins(%in : memref<8x8xf32>) outs(%r : memref<8x8xf32>) permutation = [1, 0]
  cf.cond_br %cond, ^left, ^right
^left:
  return %r : memref<8x8xf32>
^right:
  // expected-error @below {{returns 0 buffers in the memory of a result}}
  return %in : memref<8x8xf32>
}

// -----

// It is not known which memory the caller frees.
func.func @selected(%in: memref<8x8xf32>, %cond: i1) -> memref<8x8xf32> {
  // expected-note @below {{the memory}}
  %own = memplan.arena returned align(64) : memref<256xi8>
  %r = memplan.view %own[0] align(64) : memref<256xi8> to memref<8x8xf32>
  linalg.transpose ins(%in : memref<8x8xf32>) outs(%r : memref<8x8xf32>) permutation = [1, 0]
  // expected-note @below {{the buffer at bytes [0, 256) of the arena}}
  %x = arith.select %cond, %r, %in : memref<8x8xf32>
  // expected-error @below {{returns a buffer that lies in an arena; it escapes and cannot be verified}}
  // expected-error @below {{returns 0 buffers in the memory of a result}}
  return %x : memref<8x8xf32>
}

// -----

func.func @of_two(%in: memref<8x8xf32>, %cond: i1) -> memref<8x8xf32> {
  // expected-note @below {{the memory}}
  %own = memplan.arena returned align(64) : memref<256xi8>
  // expected-note @below {{the memory}}
  %other = memplan.arena returned align(64) : memref<256xi8>
  %r = memplan.view %own[0] align(64) : memref<256xi8> to memref<8x8xf32>
  %s = memplan.view %other[0] align(64) : memref<256xi8> to memref<8x8xf32>
  linalg.transpose ins(%in : memref<8x8xf32>) outs(%r : memref<8x8xf32>) permutation = [1, 0]
  linalg.transpose ins(%in : memref<8x8xf32>) outs(%s : memref<8x8xf32>) permutation = [1, 0]
  // expected-note @below {{the buffer at bytes [0, 256) of the arena}}
  %x = arith.select %cond, %r, %s : memref<8x8xf32>
  // expected-error @below {{returns a buffer that lies in an arena; it escapes and cannot be verified}}
  // expected-error @below {{returns 0 buffers in the memory of a result}}
  return %x : memref<8x8xf32>
}

// -----

func.func @in_branch(%in: memref<8x8xf32>, %cond: i1) {
  scf.if %cond {
    // expected-error @below {{is the memory of a result but may not be allocated once}}
    %own = memplan.arena returned align(64) : memref<256xi8>
    %a = memplan.view %own[0] align(64) : memref<256xi8> to memref<8x8xf32>
    linalg.transpose ins(%in : memref<8x8xf32>) outs(%a : memref<8x8xf32>) permutation = [1, 0]
  }
  return
}

// -----

func.func @lowered(%in: memref<8x8xf32>, %out: memref<8x8xf32>) -> memref<8x8xf32> {
  %c0 = arith.constant 0 : index
  %own = memref.alloc() {alignment = 64 : i64, memplan.arena, memplan.returned} : memref<256xi8>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %a = memref.view %own[%c0][] : memref<256xi8> to memref<8x8xf32>
  linalg.transpose ins(%in : memref<8x8xf32>) outs(%a : memref<8x8xf32>) permutation = [1, 0]
  %r = memref.view %own[%c0][] : memref<256xi8> to memref<8x8xf32>
  // expected-note @below {{bytes [0, 256) are written here}}
  linalg.transpose ins(%in : memref<8x8xf32>) outs(%r : memref<8x8xf32>) permutation = [1, 0]
  // expected-error @below {{reads}}
  memref.copy %a, %out : memref<8x8xf32> to memref<8x8xf32>
  return %r : memref<8x8xf32>
}

// -----

func.func @freed(%in: memref<8x8xf32>) -> memref<8x8xf32> {
  %c0 = arith.constant 0 : index
  // expected-note @below {{the arena}}
  %own = memref.alloc() {alignment = 64 : i64, memplan.arena, memplan.returned} : memref<256xi8>
  %r = memref.view %own[%c0][] : memref<256xi8> to memref<8x8xf32>
  linalg.transpose ins(%in : memref<8x8xf32>) outs(%r : memref<8x8xf32>) permutation = [1, 0]
  // expected-error @below {{releases an arena that is not on the heap}}
  memref.dealloc %own : memref<256xi8>
  return %r : memref<8x8xf32>
}

// -----

// A task that may run on.
func.func @task(%in: memref<8x8xf32>) -> memref<8x8xf32> {
  %c0 = arith.constant 0.0 : f32
  %own = memplan.arena returned align(64) : memref<512xi8>
  // expected-note @below {{the buffer at bytes [256, 512) of the arena}}
  %a = memplan.view %own[256] align(64) : memref<512xi8> to memref<8x8xf32>
  %token = async.execute {
    // expected-error @below {{uses asynchronously, without an await on every path, a buffer that lies in an arena}}
    linalg.fill ins(%c0 : f32) outs(%a : memref<8x8xf32>)
    async.yield
  }
  %r = memplan.view %own[0] align(64) : memref<512xi8> to memref<8x8xf32>
  linalg.transpose ins(%in : memref<8x8xf32>) outs(%r : memref<8x8xf32>) permutation = [1, 0]
  return %r : memref<8x8xf32>
}
