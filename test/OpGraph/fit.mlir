// RUN: split-file %s %t
// RUN: memplan-opt %t/network.mlir --memplan-fit="budget=100% output=-" -o %t/all.mlir | FileCheck %s --check-prefix=ALL
// RUN: memplan-opt %t/network.mlir --memplan-fit="budget=768 output=%t/fits.txt" | FileCheck %s --check-prefix=FITS
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t/fits.txt
// RUN: not memplan-opt %t/network.mlir --memplan-fit="budget=543" 2>&1 | FileCheck %s --check-prefix=LESS
// RUN: memplan-opt %t/network.mlir --memplan-fit="budget=543 best-effort output=%t/best.txt" 2>&1 | FileCheck %s --check-prefix=BEST
// RUN: memplan-opt %t/network.mlir --memplan-fit="budget=544 output=-" -o %t/both.mlir | FileCheck %s --check-prefix=BOTHWAYS
// RUN: memplan-opt %t/both.mlir --memplan-verify -o /dev/null
// RUN: memplan-opt %t/network.mlir --memplan-fit="budget=544 plan=false" -o %t/unplanned.mlir 2>&1 | count 0
// RUN: memplan-opt %t/unplanned.mlir --plan-memory="report=text report-file=-" -o %t/planned.mlir | FileCheck %s --check-prefix=AGAIN
// RUN: memplan-opt %t/memrefs.mlir --memplan-fit="budget=1K output=%t/memrefs.txt" | FileCheck %s --check-prefix=MEMREFS
// RUN: FileCheck %s --check-prefix=MOVED --input-file=%t/memrefs.txt
// RUN: not memplan-opt %t/network.mlir --memplan-fit="budget=1K candidates=-1" 2>&1 | FileCheck %s --check-prefix=CANDIDATES
// CANDIDATES: error: candidates -1 is less than 0
// RUN: not memplan-opt %t/network.mlir --memplan-fit 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not memplan-opt %t/network.mlir --memplan-fit=budget=many 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not memplan-opt %t/network.mlir --memplan-fit=budget=nan%% 2>&1 | FileCheck %s --check-prefix=NAN
// RUN: not memplan-opt %t/network.mlir --memplan-fit=budget=1: 2>&1 | FileCheck %s --check-prefix=SPACE

// RUN: memplan-opt %t/spaces.mlir --memplan-fit="budget=1:512,0:1K output=%t/spaces.txt" | FileCheck %s --check-prefix=SPACES
// RUN: FileCheck %s --check-prefix=BOTH --input-file=%t/spaces.txt
// RUN: not memplan-opt %t/spaces.mlir --memplan-fit="budget=1:512,0:512" 2>&1 | FileCheck %s --check-prefix=BLOCKED
// RUN: memplan-opt %t/tree.mlir --memplan-fit="budget=1100 scope=module output=%t/tree.txt" | FileCheck %s --check-prefix=TREE
// RUN: FileCheck %s --check-prefix=TREEFITS --input-file=%t/tree.txt
// RUN: memplan-opt %t/tree-tensors.mlir --memplan-fit="budget=1280 scope=module output=%t/tensors.txt" -o %t/tensors.mlir
// RUN: FileCheck %s --check-prefix=TENSORS --input-file=%t/tensors.txt
// RUN: not memplan-opt %t/tree-tensors.mlir --memplan-fit="budget=1055 scope=module" 2>&1 | FileCheck %s --check-prefix=TENSORSLESS

// The program is planned, and the report says so.
// ALL: @f: budget
// ALL-NEXT: planned as it is
// ALL-NEXT: in place
// ALL-NEXT: fits: arena

// %a (256 bytes) is needed again at the end; %b, %m and %c have 256 bytes each.
// If %a is recomputed, three of them are live at once.
// FITS-LABEL: func.func @f
// FITS: memref.alloc() {{.*}}memplan.arena{{.*}} : memref<768xi8>
// FITS: linalg.exp
// FITS: linalg.exp {memplan.recomputed = 1 : i64}
// REPORT: @f: budget 768 bytes
// REPORT: recomputed {{ *}}768 bytes, 256 saved, 1 op runs again, 64 FLOPs
// REPORT-NEXT: fits: arena 768 bytes, not planned 0

// LESS: error: @f does not fit into 543 bytes: the least that was found is 544 bytes, an arena of 544; 1 too many
// LESS: note: 'linalg.exp' needs 256 bytes at once in any order, whatever is computed again: no budget below 256 can be kept without stripes
// LESS-NOT: func.func

// A result that bufferization computes in the returned buffer is counted once;
// if it may be in an argument, nothing is reported.
// RUN: not memplan-opt %t/returned.mlir --memplan-fit="budget=200 candidates=0" 2>&1 | FileCheck %s --check-prefix=RETURNED
// RETURNED: error: @f does not fit into 200 bytes: the least that was found is 512 bytes
// RETURNED: note: 'linalg.add' needs 512 bytes at once in any order, whatever is computed again: no budget below 512 can be kept without stripes, and 512 is kept
// RUN: not memplan-opt %t/destination.mlir --memplan-fit="budget=200 candidates=0" 2>&1 | FileCheck %s --check-prefix=DESTINATION
// DESTINATION: error: @f does not fit into 200 bytes: the least that was found is 256 bytes
// DESTINATION-NOT: no budget below

// BEST: warning: @f does not fit into 543 bytes: the least that was found is 544 bytes
// BEST: memref<544xi8>

// What is left after recomputation is computed in stripes. The report of a plan
// that is made afterwards has both.
// BOTHWAYS: in place 1024 bytes, 0 saved
// BOTHWAYS-NEXT: recomputed 768 bytes, 256 saved, 1 op runs again, 64 FLOPs (1.54 % more)
// BOTHWAYS-NEXT: striped 544 bytes, 224 saved, 2 chains
// BOTHWAYS-NEXT: 1 of 8 rows at once: exp, matmul
// BOTHWAYS-NEXT: 1 of 8 rows at once: fill, matmul, matmul
// BOTHWAYS-NEXT: fits: arena 544 bytes, not planned 0
// AGAIN: @f was changed before planning, for memory space 0
// AGAIN-NEXT: recomputed 768 bytes, 256 saved
// AGAIN-NEXT: striped 544 bytes, 224 saved
// AGAIN: arena 544 bytes

// MEMREFS-LABEL: func.func @g
// MEMREFS: memref.alloc() {{.*}}memplan.arena{{.*}} : memref<{{.*}}xi8>
// MOVED: @g: budget 1024 bytes
// MOVED-NEXT: planned as it is {{ *}}1056 bytes
// MOVED-NEXT: reordered {{ *}}544 bytes, 512 saved
// MOVED-NEXT: fits

// One buffer of space 1 at a time needs another order, in which %t is live with
// %m. The report describes both spaces after reordering.
// SPACES-DAG: memref.alloc() {{.*}}memplan.arena{{.*}} : memref<1024xi8>
// SPACES-DAG: memref.alloc() {{.*}}memplan.arena{{.*}} : memref<512xi8, 1>
// BOTH: @h: budget 1024 bytes
// BOTH-NEXT: planned as it is {{ *}}512 bytes
// BOTH-NEXT: fits: arena 1024 bytes
// BOTH: @h: budget 512 bytes in memory space 1
// BOTH-NEXT: planned as it is {{ *}}1024 bytes
// BOTH-NEXT: reordered {{ *}}512 bytes, 512 saved
// BLOCKED: error: @h does not fit into 512 bytes of memory space 1: the least that was found is 1024 bytes
// BLOCKED: note: other schedules were found, but @h needs more than its budget of 512 bytes in memory space 0 with them

// The callee's memory is in the arena of its caller, and its ops are reordered
// for it.
// TREE-LABEL: func.func private @leaf
// TREE: linalg.reduce
// TREE: linalg.abs
// TREE-LABEL: func.func @top
// TREE: memref.alloc() {{.*}}memplan.arena{{.*}} : memref<1056xi8>
// TREEFITS: @top: budget 1100 bytes
// TREEFITS-NEXT: planned as it is {{ *}}1568 bytes
// TREEFITS-NEXT: reordered {{ *}}1056 bytes, 512 saved
// TREEFITS-NEXT: fits: arena 1056 bytes
// TENSORS: @top: budget 1280 bytes
// TENSORS: recomputed {{ *}}1280 bytes, 256 saved, 1 op runs again
// TENSORSLESS: error: @top does not fit into 1055 bytes: the least that was found is 1056 bytes

// NONE: error: there is no budget
// MANY: error: budget 'many' is neither a number of bytes, such as 4096, 64K or 1M, nor a share, such as 60%
// NAN: error: budget 'nan%' is neither a number of bytes, such as 4096, 64K or 1M, nor a share, such as 60%
// SPACE: error: budget: '1:' is neither a value nor a memory space and its value

//--- network.mlir
func.func @f(%x: tensor<8x8xf32>, %out: memref<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %a = linalg.exp ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %b = linalg.matmul ins(%a, %x : tensor<8x8xf32>, tensor<8x8xf32>)
                     outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = linalg.matmul ins(%x, %b : tensor<8x8xf32>, tensor<8x8xf32>)
                     outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %m = linalg.matmul ins(%b, %c : tensor<8x8xf32>, tensor<8x8xf32>)
                     outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %d = linalg.matmul ins(%m, %a : tensor<8x8xf32>, tensor<8x8xf32>)
                     outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  bufferization.materialize_in_destination %d in restrict writable %out
      : (tensor<8x8xf32>, memref<8x8xf32>) -> ()
  return
}

//--- memrefs.mlir
// Two large buffers are live at once; in another order one large and one small
// buffer.
func.func @g(%x: memref<16x8xf32>, %out: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<16x8xf32>
  %b = memref.alloc() : memref<16x8xf32>
  %c = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<16x8xf32>) outs(%a : memref<16x8xf32>)
  linalg.abs ins(%x : memref<16x8xf32>) outs(%b : memref<16x8xf32>)
  linalg.fill ins(%zero : f32) outs(%c : memref<8xf32>)
  linalg.fill ins(%zero : f32) outs(%out : memref<8xf32>)
  linalg.reduce ins(%a : memref<16x8xf32>) outs(%c : memref<8xf32>) dimensions = [0]
    (%in: f32, %acc: f32) {
      %s = arith.addf %in, %acc : f32
      linalg.yield %s : f32
    }
  linalg.reduce ins(%b : memref<16x8xf32>) outs(%out : memref<8xf32>) dimensions = [0]
    (%in: f32, %acc: f32) {
      %s = arith.addf %in, %acc : f32
      linalg.yield %s : f32
    }
  linalg.add ins(%c, %out : memref<8xf32>, memref<8xf32>) outs(%out : memref<8xf32>)
  memref.dealloc %a : memref<16x8xf32>
  memref.dealloc %b : memref<16x8xf32>
  memref.dealloc %c : memref<8xf32>
  return
}

//--- spaces.mlir
func.func @h(%x: memref<16x8xf32>, %out: memref<8xf32>, %out2: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<8xf32>)
  linalg.fill ins(%zero : f32) outs(%out2 : memref<8xf32>)
  %t = memref.alloc() : memref<16x8xf32>
  %a = memref.alloc() : memref<16x8xf32, 1>
  %b = memref.alloc() : memref<16x8xf32, 1>
  %m = memref.alloc() : memref<16x8xf32>
  %n = memref.alloc() : memref<16x8xf32>
  linalg.exp ins(%x : memref<16x8xf32>) outs(%t : memref<16x8xf32>)
  linalg.exp ins(%t : memref<16x8xf32>) outs(%a : memref<16x8xf32, 1>)
  linalg.abs ins(%t : memref<16x8xf32>) outs(%b : memref<16x8xf32, 1>)
  linalg.exp ins(%a : memref<16x8xf32, 1>) outs(%m : memref<16x8xf32>)
  linalg.reduce ins(%m : memref<16x8xf32>) outs(%out : memref<8xf32>) dimensions = [0]
    (%in: f32, %acc: f32) {
      %s = arith.addf %in, %acc : f32
      linalg.yield %s : f32
    }
  linalg.exp ins(%b : memref<16x8xf32, 1>) outs(%n : memref<16x8xf32>)
  linalg.reduce ins(%n : memref<16x8xf32>) outs(%out2 : memref<8xf32>) dimensions = [0]
    (%in: f32, %acc: f32) {
      %s = arith.addf %in, %acc : f32
      linalg.yield %s : f32
    }
  return
}

//--- tree.mlir
func.func private @leaf(%x: memref<16x8xf32>, %out: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<16x8xf32>
  %b = memref.alloc() : memref<16x8xf32>
  %c = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<16x8xf32>) outs(%a : memref<16x8xf32>)
  linalg.abs ins(%x : memref<16x8xf32>) outs(%b : memref<16x8xf32>)
  linalg.fill ins(%zero : f32) outs(%c : memref<8xf32>)
  linalg.fill ins(%zero : f32) outs(%out : memref<8xf32>)
  linalg.reduce ins(%a : memref<16x8xf32>) outs(%c : memref<8xf32>) dimensions = [0]
    (%in: f32, %acc: f32) {
      %s = arith.addf %in, %acc : f32
      linalg.yield %s : f32
    }
  linalg.reduce ins(%b : memref<16x8xf32>) outs(%out : memref<8xf32>) dimensions = [0]
    (%in: f32, %acc: f32) {
      %s = arith.addf %in, %acc : f32
      linalg.yield %s : f32
    }
  linalg.add ins(%c, %out : memref<8xf32>, memref<8xf32>) outs(%out : memref<8xf32>)
  return
}
func.func @top(%x: memref<16x8xf32>, %out: memref<8xf32>) {
  %t = memref.alloc() : memref<16x8xf32>
  linalg.exp ins(%x : memref<16x8xf32>) outs(%t : memref<16x8xf32>)
  func.call @leaf(%t, %out) : (memref<16x8xf32>, memref<8xf32>) -> ()
  return
}

//--- tree-tensors.mlir
// A callee on tensors that is not inlined: its memory is in the arena of its
// caller.
func.func private @block(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %a = linalg.exp ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %b = linalg.matmul ins(%a, %x : tensor<8x8xf32>, tensor<8x8xf32>)
                     outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = linalg.matmul ins(%x, %b : tensor<8x8xf32>, tensor<8x8xf32>)
                     outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %m = linalg.matmul ins(%b, %c : tensor<8x8xf32>, tensor<8x8xf32>)
                     outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %d = linalg.matmul ins(%m, %a : tensor<8x8xf32>, tensor<8x8xf32>)
                     outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %d : tensor<8x8xf32>
}
func.func @top(%x: tensor<8x8xf32>, %out: memref<8x8xf32>) {
  %p = func.call @block(%x, %x) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %q = func.call @block(%p, %x) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  bufferization.materialize_in_destination %q in restrict writable %out
      : (tensor<8x8xf32>, memref<8x8xf32>) -> ()
  return
}

//--- returned.mlir
func.func @f(%x: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %a = linalg.exp ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %e1 = tensor.empty() : tensor<64xf32>
  %b = linalg.abs ins(%a : tensor<64xf32>) outs(%e1 : tensor<64xf32>) -> tensor<64xf32>
  %e2 = tensor.empty() : tensor<64xf32>
  %c = linalg.add ins(%a, %b : tensor<64xf32>, tensor<64xf32>) outs(%e2 : tensor<64xf32>) -> tensor<64xf32>
  return %c : tensor<64xf32>
}

//--- destination.mlir
func.func @f(%x: tensor<64xf32>, %o: memref<64xf32>) {
  %e = tensor.empty() : tensor<64xf32>
  %a = linalg.exp ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %e1 = tensor.empty() : tensor<64xf32>
  %b = linalg.abs ins(%a : tensor<64xf32>) outs(%e1 : tensor<64xf32>) -> tensor<64xf32>
  %e2 = tensor.empty() : tensor<64xf32>
  %c = linalg.add ins(%a, %b : tensor<64xf32>, tensor<64xf32>) outs(%e2 : tensor<64xf32>) -> tensor<64xf32>
  bufferization.materialize_in_destination %c in restrict writable %o : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
