// A capacity for each memory space; one without a space is for the others.
// RUN: split-file %s %t
// RUN: memplan-opt %t/spaces.mlir --plan-memory=capacity=1:8192,2:4096 | FileCheck %s --check-prefix=FITS
// RUN: memplan-opt %t/spaces.mlir --plan-memory=capacity=2:4K,8K | FileCheck %s --check-prefix=FITS
// RUN: memplan-opt %t/spaces.mlir --plan-memory=capacity=4096,1:1M | FileCheck %s --check-prefix=FITS
// FITS-DAG: memplan.arena} : memref<8192xi8, 1>
// FITS-DAG: memplan.arena} : memref<4096xi8, 2>

// An error names the space; the notes are the live set, which sums up to the
// peak.
// RUN: not memplan-opt %t/spaces.mlir --plan-memory=capacity=1:4096 2>&1 | FileCheck %s --check-prefix=SHORT --implicit-check-not=error:
// RUN: not memplan-opt %t/spaces.mlir --plan-memory=capacity=1:4096,2:4096 2>&1 | FileCheck %s --check-prefix=SHORT --implicit-check-not=error:
// RUN: not memplan-opt %t/spaces.mlir --plan-memory=capacity=4096 2>&1 | FileCheck %s --check-prefix=SHORT --implicit-check-not=error:
// SHORT: error: arena of @f in memory space 1 requires at least 8192 bytes but its capacity is 4096, 4096 too few
// SHORT: note: b0, 4096 bytes, is live at the peak of 8192 bytes
// SHORT: note: b1, 4096 bytes, is live at the peak of 8192 bytes
// The separate passes: the problems state the capacities.
// RUN: memplan-opt %t/spaces.mlir --memplan-extract=capacity=1:4096,2:16K | FileCheck %s --check-prefix=STATED
// RUN: not memplan-opt %t/spaces.mlir --memplan-extract=capacity=1:4096,2:16K --memplan-solve 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SHORT --implicit-check-not=error:
// STATED: memplan.problem @f {{.*}}1{{.*}}capacity(4096)
// STATED: memplan.problem @f {{.*}}2{{.*}}capacity(16384)

// A planned program has to fit, too.
// RUN: memplan-opt %t/spaces.mlir --plan-memory -o %t/planned.mlir
// RUN: not memplan-opt %t/planned.mlir --plan-memory=capacity=1:8192,2:4095 2>&1 | FileCheck %s --check-prefix=AGAIN --implicit-check-not=error:
// AGAIN: error: @f is planned already, and its arena in memory space 2 has 4096 bytes but the capacity is 4095, 1 too few

// The spelling of spaces that are not numbers, and of the default space.
// RUN: memplan-opt %t/names.mlir --plan-memory="capacity=L1:64,#gpu.address_space<private>:256,0:256" -o /dev/null
// RUN: not memplan-opt %t/names.mlir --plan-memory="capacity=L1:63,#gpu.address_space<private>:255,0:255" -o /dev/null 2>&1 | FileCheck %s --check-prefix=NAMES
// NAMES-DAG: error: arena of @g in memory space L1 requires at least 64 bytes but its capacity is 63, 1 too few
// NAMES-DAG: error: arena of @g in memory space #gpu.address_space<private> requires at least 256 bytes but its capacity is 255, 1 too few
// NAMES-DAG: error: arena of @g in memory space 0 requires at least 256 bytes but its capacity is 255, 1 too few
// RUN: memplan-opt %t/names.mlir --plan-memory="capacity=L2:64" -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNUSED
// UNUSED: remark: capacity names memory space L2, in which nothing is allocated

// RUN: not memplan-opt %t/spaces.mlir --plan-memory=capacity=1:4096,1:8192 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: memory space 1 is named twice
// RUN: not memplan-opt %t/spaces.mlir --plan-memory=capacity=1:4096,2:x 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: 'x' is not a number of bytes, such as 4096, 64K or 1M, in the list of memory spaces '1:4096,2:x'

// RUN: memplan-opt %t/spaces.mlir --plan-memory=capacity=2:8192,1:64K --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=PIPELINE
// PIPELINE: capacity=1:65536,2:8192

//--- spaces.mlir
func.func @f(%x: memref<1024xf32>, %y: memref<1024xf32>) {
  %a = memref.alloc() : memref<1024xf32, 1>
  %b = memref.alloc() : memref<1024xf32, 1>
  %c = memref.alloc() : memref<1024xf32, 2>
  linalg.exp ins(%x : memref<1024xf32>) outs(%a : memref<1024xf32, 1>)
  linalg.exp ins(%x : memref<1024xf32>) outs(%b : memref<1024xf32, 1>)
  linalg.add ins(%a, %b : memref<1024xf32, 1>, memref<1024xf32, 1>) outs(%c : memref<1024xf32, 2>)
  linalg.sub ins(%c, %a : memref<1024xf32, 2>, memref<1024xf32, 1>) outs(%y : memref<1024xf32>)
  return
}

//--- names.mlir
func.func @g(%x: memref<16xf32>, %y: memref<16xf32>, %z: memref<64xf32>, %w: memref<64xf32>) {
  %a = memref.alloc() : memref<16xf32, "L1">
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32, "L1">)
  linalg.abs ins(%a : memref<16xf32, "L1">) outs(%y : memref<16xf32>)
  %b = memref.alloc() : memref<64xf32, #gpu.address_space<private>>
  linalg.exp ins(%z : memref<64xf32>) outs(%b : memref<64xf32, #gpu.address_space<private>>)
  %c = memref.alloc() : memref<64xf32>
  linalg.exp ins(%b : memref<64xf32, #gpu.address_space<private>>) outs(%c : memref<64xf32>)
  linalg.abs ins(%c : memref<64xf32>) outs(%w : memref<64xf32>)
  return
}
