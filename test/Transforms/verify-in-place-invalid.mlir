// Plans that let an op write over what it, or another, still reads.
// RUN: memplan-opt %s -split-input-file -verify-diagnostics --memplan-verify=quiet=true

func.func @transposed(%in: memref<4x4xf32>, %out: memref<4x4xf32>) {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<4x4xf32>
  linalg.exp ins(%in : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  // expected-note @below {{is placed here}}
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<4x4xf32>
  // expected-error @below {{shares bytes with it}}
  linalg.transpose ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>) permutation = [1, 0]
  memref.copy %b, %out : memref<4x4xf32> to memref<4x4xf32>
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// %a is needed once more.
func.func @read_later(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-note @below {{bytes [0, 64) are written here}}
  linalg.abs ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.abs'}}
  linalg.add ins(%a, %b : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  memplan.release %arena : memref<64xi8>
  return
}
