// RUN: memplan-opt %s --memplan-profile="function=chain exclude=input entries output=-" -o /dev/null | FileCheck %s --check-prefix=CHAIN
// RUN: memplan-opt %s --memplan-profile="function=chain exclude=input in-place=false entries output=-" -o /dev/null | FileCheck %s --check-prefix=APART
// RUN: memplan-opt %s --memplan-profile="function=roles output=- format=csv" -o /dev/null | FileCheck %s --check-prefix=HELD
// RUN: memplan-opt %s --memplan-profile="function=roles release=input output=- format=csv" -o /dev/null | FileCheck %s --check-prefix=RELEASED
// RUN: memplan-opt %s --memplan-profile="function=memrefs planned-only output=- format=csv" -o /dev/null | FileCheck %s --check-prefix=MEMREFS
// RUN: memplan-opt %s --memplan-profile="function=spaces planned-only output=-" -o /dev/null | FileCheck %s --check-prefix=SPACES
// RUN: memplan-opt %s --memplan-profile="function=caller exclude=input output=-" -o /dev/null | FileCheck %s --check-prefix=CALLER
// RUN: memplan-opt %s --memplan-profile="function=takes exclude=input output=- format=csv" -o /dev/null | FileCheck %s --check-prefix=TAKES
// RUN: memplan-opt %s --memplan-profile="function=passes exclude=input output=- format=csv" -o /dev/null | FileCheck %s --check-prefix=PASSES
// RUN: memplan-opt %s --memplan-profile="function=makes exclude=input output=-" -o /dev/null | FileCheck %s --check-prefix=MAKES
// RUN: memplan-opt %s --memplan-profile="function=forward backward=backward output=-" -o /dev/null | FileCheck %s --check-prefix=PAIR
// RUN: not memplan-opt %s --memplan-profile="function=none" -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not memplan-opt %s --memplan-profile="exclude=some" -o /dev/null 2>&1 | FileCheck %s --check-prefix=ORIGIN
// RUN: not memplan-opt %s --memplan-profile="function=forward backward=backward format=csv" -o /dev/null 2>&1 | FileCheck %s --check-prefix=PAIRCSV
// PAIRCSV: error: format=csv is of one function only, not of a pair
// ORIGIN: error: exclude is 'some', must be op, parameter, constant, primal, rng, input, tangent or donated, or all
// NONE: error: there is no function @none with a body

// The sum reuses the memory of its initial zeros: two storages, not three.
// CHAIN: peak: 128 bytes
// APART: peak: 192 bytes
func.func @chain(%a: tensor<16xf32>) -> tensor<16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16xf32>
  %x = math.exp %a : tensor<16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<16xf32>) outs(%z : tensor<16xf32>) {
  ^bb0(%u: f32, %v: f32):
    %w = arith.addf %u, %v : f32
    linalg.yield %w : f32
  } -> tensor<16xf32>
  return %s : tensor<16xf32>
}

// Arguments are live from the begin to the end, donated ones to their last use.
// The same holds for released ones; those without uses are released at once.
// HELD: 0,start,,,192,
// HELD-NEXT: 1,allocate,o0,math.exp,256,
// HELD-NEXT: 1,release,o0,math.exp,192,
// HELD-NEXT: 2,allocate,o1,arith.addf,256,
// HELD-NEXT: 2,release,o1,arith.addf,192,
// RELEASED: 0,start,,,192,
// RELEASED-NEXT: 0,release,,,128,
// RELEASED: 2,release,o1,arith.addf,64,
func.func @roles(%a: tensor<16xf32>, %unused: tensor<16xf32>, %d: tensor<16xf32> {memplan.donated}) -> tensor<16xf32> {
  %x = math.exp %d : tensor<16xf32>
  %y = arith.addf %x, %a : tensor<16xf32>
  return %y : tensor<16xf32>
}

// As in plan-memory: %a is live in [1, 4), %b in [3, 6), %c in [5, 7).
// MEMREFS: 0,start,,,0,
// MEMREFS-NEXT: 1,allocate,p1,linalg.exp,64,
// MEMREFS-NEXT: 2,allocate,p3,linalg.abs,128,
// MEMREFS-NEXT: 2,release,p3,linalg.abs,64,
// MEMREFS-NEXT: 3,allocate,p5,linalg.exp,128,
// MEMREFS-NEXT: 3,release,p5,linalg.exp,64,
// MEMREFS-NEXT: 4,release,p6,memref.copy,0,
func.func @memrefs(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  linalg.abs ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  %c = memref.alloc() : memref<16xf32>
  linalg.exp ins(%b : memref<16xf32>) outs(%c : memref<16xf32>)
  memref.copy %c, %out : memref<16xf32> to memref<16xf32>
  return
}

// SPACES: peak of the default space: 64 bytes
// SPACES: peak of space '1': 128 bytes
func.func @spaces(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<32xf32, 1>
  %f = arith.constant 0.0 : f32
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<32xf32, 1>)
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  return
}

// The callee needs 128 bytes while it runs, in addition to 64 bytes of the
// caller.
// CALLER: peak: 192 bytes
func.func private @callee(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.exp ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  linalg.add ins(%a, %b : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  return
}
func.func @caller(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  call @callee(%in, %out) : (memref<16xf32>, memref<16xf32>) -> ()
  linalg.add ins(%a, %in : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  return
}

// The returned memory is never released.
// MAKES: peak: 128 bytes
// MAKES: 64 b0 op p0 1..end
func.func private @makes(%in: memref<16xf32>) -> (memref<16xf32>, memref<16xf32>) {
  %made = memref.alloc() : memref<16xf32>
  %a = memref.alloc() : memref<16xf32, 1>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32, 1>)
  linalg.exp ins(%a : memref<16xf32, 1>) outs(%made : memref<16xf32>)
  return %made, %in : memref<16xf32>, memref<16xf32>
}

// The memory that a callee makes and returns belongs to the caller until it is
// freed; memory of the caller that it returns exists already. Its other memory
// space counts in that space.
// TAKES: time,phase,op,name,live_bytes,live_bytes[],live_bytes[1]
// TAKES-NEXT: 0,start,,,0,0,0
// TAKES-NEXT: 1,allocate,p0,func.call,128,64,64
// TAKES-NEXT: 1,release,p0,func.call,64,64,0
// TAKES-NEXT: 2,allocate,p2,linalg.exp,128,128,0
// TAKES-NEXT: 3,release,p3,linalg.add,0,0,0
// TAKES-NOT: release
func.func @takes(%in: memref<16xf32>, %out: memref<16xf32>) {
  %taken:2 = call @makes(%in) : (memref<16xf32>) -> (memref<16xf32>, memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%b : memref<16xf32>)
  linalg.add ins(%taken#0, %b : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  memref.dealloc %taken#0 : memref<16xf32>
  return
}
// PASSES: 1,allocate,p0,func.call,128,64,64
// PASSES-NEXT: 1,release,p0,func.call,64,64,0
// PASSES-NOT: release
func.func @passes(%in: memref<16xf32>) -> memref<16xf32> {
  %taken:2 = call @makes(%in) : (memref<16xf32>) -> (memref<16xf32>, memref<16xf32>)
  return %taken#0 : memref<16xf32>
}

// A global is live from the begin on and counts once; that of a callee does not
// count for its caller.
// RUN: memplan-opt %s --memplan-profile="function=globals exclude=input output=-" -o /dev/null | FileCheck %s --check-prefix=GLOBALS
// RUN: memplan-opt %s --memplan-profile="function=calls_globals exclude=input output=-" -o /dev/null | FileCheck %s --check-prefix=CALLSGLOBALS
// GLOBALS: peak: 128 bytes
// GLOBALS: 64 @b0 constant 0..end
// GLOBALS-NEXT: 64 b0 op
// CALLSGLOBALS: peak: 64 bytes
memref.global "private" constant @b0 : memref<16xf32> = dense<1.0>
func.func private @globals(%in: memref<16xf32>, %out: memref<16xf32>) {
  %w = memref.get_global @b0 : memref<16xf32>
  %same = memref.get_global @b0 : memref<16xf32>
  %a = memref.alloc() : memref<16xf32>
  linalg.add ins(%in, %w : memref<16xf32>, memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.add ins(%a, %same : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  return
}
func.func @calls_globals(%in: memref<16xf32>, %out: memref<16xf32>) {
  call @globals(%in, %out) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}

// Forward: 64 of the primal, 64 of the saved value, 64 of the output. Backward:
// the output that it does not take, 64, is the baseline.
// PAIR: forward peak: 192 bytes
// PAIR: backward peak: 256 bytes, 64 of them the baseline
// PAIR: peak of the pair: 256 bytes
func.func @forward(%x: tensor<16xf32> {memplan.role = "primal"}) -> (tensor<16xf32>, tensor<16xf32>) attributes {memplan.num_fwd_outputs = 1 : i64} {
  %a = math.exp %x : tensor<16xf32>
  %y = math.exp %a : tensor<16xf32>
  return %y, %a : tensor<16xf32>, tensor<16xf32>
}
func.func @backward(%a: tensor<16xf32>, %dy: tensor<16xf32> {memplan.role = "tangent"}) -> tensor<16xf32> {
  %dx = arith.mulf %a, %dy : tensor<16xf32>
  return %dx : tensor<16xf32>
}
