// A loop over tiles, each of which is computed with its own intermediate
// tensor.
// RUN: memplan-opt %s --memplan-from-tensors=lower=false | FileCheck %s

// Four workers with 16 * 4 bytes.
// CHECK-LABEL: func.func @tiles
// CHECK: memplan.arena align(64) : memref<256xi8>
// CHECK: scf.forall (%[[I:.*]]) in (4)
// CHECK: memplan.view %arena[0 + %[[I]] * 64] align(64) : memref<256xi8> to memref<16xf32>
// CHECK-NOT: memref.alloc
func.func @tiles(%a: tensor<64xf32>, %out: tensor<64xf32>) -> tensor<64xf32> {
  %r = scf.forall (%i) in (4) shared_outs(%o = %out) -> tensor<64xf32> {
    %at = affine.apply affine_map<(d) -> (d * 16)>(%i)
    %in = tensor.extract_slice %a[%at] [16] [1] : tensor<64xf32> to tensor<16xf32>
    %e = tensor.empty() : tensor<16xf32>
    %x = linalg.exp ins(%in : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
    %own = tensor.extract_slice %o[%at] [16] [1] : tensor<64xf32> to tensor<16xf32>
    %y = linalg.add ins(%x, %in : tensor<16xf32>, tensor<16xf32>) outs(%own : tensor<16xf32>) -> tensor<16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %o[%at] [16] [1] : tensor<16xf32> into tensor<64xf32>
    }
  }
  return %r : tensor<64xf32>
}
