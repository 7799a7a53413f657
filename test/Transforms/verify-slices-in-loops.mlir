// Nests of loops that write a whole slice. Upstream makes them from copies,
// while the views are memplan ops and after the arena is lowered.
// RUN: memplan-opt %s --convert-linalg-to-loops --memplan-verify=quiet=true
// RUN: memplan-opt %s --convert-linalg-to-affine-loops --memplan-verify=quiet=true
// RUN: memplan-opt %s --pass-pipeline="builtin.module(func.func(convert-linalg-to-affine-loops,affine-loop-unroll{unroll-factor=-1},affine-loop-unroll{unroll-factor=-1},canonicalize),memplan-verify{quiet})"
// RUN: memplan-opt %s --convert-linalg-to-parallel-loops --memplan-verify=quiet=true
// RUN: memplan-opt %s --convert-linalg-to-loops --fold-memref-alias-ops --canonicalize --memplan-verify=quiet=true
// RUN: memplan-opt %s --convert-linalg-to-affine-loops --fold-memref-alias-ops --cse --memplan-verify=quiet=true
// RUN: memplan-opt %s --convert-linalg-to-loops --expand-strided-metadata --memplan-verify=quiet=true
// RUN: memplan-opt %s --memplan-lower --fold-memref-alias-ops --expand-strided-metadata --cse --memplan-verify=quiet=true
// RUN: memplan-opt %s --memplan-lower --convert-linalg-to-loops --memplan-verify=quiet=true

// %a and %b are at the bytes of the slices of %t.
func.func @concat(%in: memref<4xf32>, %rows: memref<2x4xf32>, %out: memref<3x4xf32>) {
  %arena = memplan.arena align(4) : memref<48xi8>
  %a = memplan.view %arena[0] align(4) : memref<48xi8> to memref<4xf32>
  linalg.abs ins(%in : memref<4xf32>) outs(%a : memref<4xf32>)
  %b = memplan.view %arena[16] align(4) : memref<48xi8> to memref<2x4xf32>
  linalg.exp ins(%rows : memref<2x4xf32>) outs(%b : memref<2x4xf32>)
  %t = memplan.view %arena[0] align(4) : memref<48xi8> to memref<3x4xf32>
  %t0 = memref.subview %t[0, 0] [1, 4] [1, 1] : memref<3x4xf32> to memref<4xf32, strided<[1]>>
  linalg.copy ins(%a : memref<4xf32>) outs(%t0 : memref<4xf32, strided<[1]>>)
  %t1 = memref.subview %t[1, 0] [2, 4] [1, 1] : memref<3x4xf32> to memref<2x4xf32, strided<[4, 1], offset: 4>>
  linalg.copy ins(%b : memref<2x4xf32>) outs(%t1 : memref<2x4xf32, strided<[4, 1], offset: 4>>)
  linalg.negf ins(%t : memref<3x4xf32>) outs(%out : memref<3x4xf32>)
  memplan.release %arena : memref<48xi8>
  return
}

// %a and %b are at the bytes of the halves of %t.
func.func @split(%in: memref<8xf32>, %out: memref<4xf32>) {
  %arena = memplan.arena align(4) : memref<32xi8>
  %t = memplan.view %arena[0] align(4) : memref<32xi8> to memref<8xf32>
  linalg.abs ins(%in : memref<8xf32>) outs(%t : memref<8xf32>)
  %a = memplan.view %arena[0] align(4) : memref<32xi8> to memref<4xf32>
  %b = memplan.view %arena[16] align(4) : memref<32xi8> to memref<4xf32>
  %t0 = memref.subview %t[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %t1 = memref.subview %t[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  linalg.copy ins(%t0 : memref<4xf32, strided<[1]>>) outs(%a : memref<4xf32>)
  linalg.exp ins(%a : memref<4xf32>) outs(%a : memref<4xf32>)
  linalg.copy ins(%t1 : memref<4xf32, strided<[1], offset: 4>>) outs(%b : memref<4xf32>)
  linalg.add ins(%a, %b : memref<4xf32>, memref<4xf32>) outs(%out : memref<4xf32>)
  memplan.release %arena : memref<32xi8>
  return
}

// The other slice is live when %a overwrites the bytes of this one: they are
// lost, and the copy rewrites them.
func.func @in_loop(%n: index, %in: memref<4xf32>, %out: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(4) : memref<32xi8>
  scf.for %i = %c0 to %n step %c1 {
    %t = memplan.view %arena[0] align(4) : memref<32xi8> to memref<8xf32>
    %t1 = memref.subview %t[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
    linalg.exp ins(%in : memref<4xf32>) outs(%t1 : memref<4xf32, strided<[1], offset: 4>>)
    %a = memplan.view %arena[0] align(4) : memref<32xi8> to memref<4xf32>
    linalg.abs ins(%in : memref<4xf32>) outs(%a : memref<4xf32>)
    %t0 = memref.subview %t[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
    linalg.copy ins(%a : memref<4xf32>) outs(%t0 : memref<4xf32, strided<[1]>>)
    linalg.negf ins(%t : memref<8xf32>) outs(%out : memref<8xf32>)
  }
  memplan.release %arena : memref<32xi8>
  return
}
