// RUN: memplan-opt %s --memplan-export-graph="function=ties output=-" -o /dev/null | FileCheck %s --check-prefix=TIES
// RUN: memplan-opt %s --memplan-export-graph="function=views output=-" -o /dev/null | FileCheck %s --check-prefix=VIEWS
// RUN: memplan-opt %s --memplan-export-graph="function=slices output=-" -o /dev/null | FileCheck %s --check-prefix=SLICES
// RUN: memplan-opt %s --memplan-export-graph="function=regions output=-" -o /dev/null | FileCheck %s --check-prefix=REGIONS
// RUN: memplan-opt %s --memplan-export-graph="function=calls output=-" -o /dev/null | FileCheck %s --check-prefix=CALLS
// RUN: memplan-opt %s --memplan-export-graph="function=effects output=-" -o /dev/null | FileCheck %s --check-prefix=EFFECTS
// RUN: memplan-opt %s --memplan-export-graph="function=attributes output=-" -o /dev/null | FileCheck %s --check-prefix=ATTRIBUTES
// RUN: memplan-opt %s --memplan-export-graph="function=dynamic output=- dim-hint=10" -o /dev/null | FileCheck %s --check-prefix=DYNAMIC

// An empty tensor that is only written to has no storage: both fills make their
// results. The products may reuse the memory of the zeros.
// TIES: "ops": [
// TIES-NEXT: "name": "linalg.fill", "operands": [], "results": ["v2"]
// TIES-NEXT: "name": "linalg.matmul", "operands": ["v0", "v1", "v2"], "results": ["v3"]{{.*}}"ties": {{\[}}[0, 2]]
// TIES-NEXT: "name": "linalg.fill", "operands": [], "results": ["v4"]
// TIES-NEXT: "name": "linalg.matmul", "operands": ["v0", "v3", "v4"], "results": ["v5"]
// TIES: "outputs"
func.func @ties(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %m = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %y = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %n = linalg.matmul ins(%a, %m : tensor<4x4xf32>, tensor<4x4xf32>) outs(%y : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %n : tensor<4x4xf32>
}

// A slice of a reshape of a slice is in the storage of the first: rows 2 to 4
// of 8 floats each are bytes [64, 128), of these the second row [96, 128).
// VIEWS: {"id": "v0", "storage": "s0", "bytes": 256}
// VIEWS-NEXT: {"id": "v1", "storage": "s0", "offset": 64, "bytes": 64}
// VIEWS-NEXT: {"id": "v2", "storage": "s0", "offset": 64, "bytes": 64}
// VIEWS-NEXT: {"id": "v3", "storage": "s0", "offset": 96, "bytes": 32}
func.func @views(%a: tensor<8x8xf32>) -> tensor<8xf32> {
  %s = tensor.extract_slice %a[2, 0] [2, 8] [1, 1] : tensor<8x8xf32> to tensor<2x8xf32>
  %e = tensor.expand_shape %s [[0], [1, 2]] output_shape [2, 2, 4] : tensor<2x8xf32> into tensor<2x2x4xf32>
  %t = tensor.extract_slice %e[1, 0, 0] [1, 2, 4] [1, 1, 1] : tensor<2x2x4xf32> to tensor<2x4xf32>
  %c = tensor.collapse_shape %t [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
  return %c : tensor<8xf32>
}

// The inserted tensor is read; the result may reuse the memory of the
// destination. A column is not contiguous, so to collapse it is to copy it.
// SLICES: {"id": "v2", "storage": "s0", "bytes": 32}
// SLICES: {"id": "v3", "storage": "s2", "bytes": 32}
// SLICES: "name": "tensor.extract_slice", "operands": ["v0"]
// SLICES: "name": "tensor.collapse_shape", "operands": ["v2"], "results": ["v3"]
// SLICES: "name": "tensor.insert_slice", "operands": ["v1", "v0"], "results": ["v4"]{{.*}}"ties": {{\[}}[0, 1]]
func.func @slices(%a: tensor<8x8xf32>, %b: tensor<1x8xf32>) -> (tensor<8xf32>, tensor<8x8xf32>) {
  %s = tensor.extract_slice %a[0, 0] [4, 2] [1, 1] : tensor<8x8xf32> to tensor<4x2xf32>
  %c = tensor.collapse_shape %s [[0, 1]] : tensor<4x2xf32> into tensor<8xf32>
  %i = tensor.insert_slice %b into %a[0, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<8x8xf32>
  return %c, %i : tensor<8xf32>, tensor<8x8xf32>
}

// A loop is one op. In it, the exponential and the sum are live at once with
// the carried tensor, which is counted outside: 128 bytes. The branch makes its
// result itself, in addition to which one temporary is live: 64.
// REGIONS: "name": "scf.for", "operands": ["v2", "v0"]{{.*}}"scratch_bytes": 128{{.*}}"ties": {{\[}}[0, 1]]
// REGIONS: "name": "scf.if", "operands": {{.*}}"scratch_bytes": 64
func.func @regions(%a: tensor<16xf32>, %c: i1, %n: index) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> tensor<16xf32> {
    %e = math.exp %x : tensor<16xf32>
    %s = arith.addf %e, %x : tensor<16xf32>
    scf.yield %s : tensor<16xf32>
  }
  %r = scf.if %c -> tensor<16xf32> {
    %e = math.exp %l : tensor<16xf32>
    %f = math.exp %e : tensor<16xf32>
    scf.yield %f : tensor<16xf32>
  } else {
    scf.yield %l : tensor<16xf32>
  }
  return %r : tensor<16xf32>
}

// A callee without effects may be called again; it needs 64 bytes in addition
// to its result. A call of an unknown function does not move.
// CALLS: "name": "func.call callee"{{.*}}"scratch_bytes": 64, "cost": "expensive", "location"
// CALLS: "name": "func.call unknown"{{.*}}"pure": false, "speculatable": false
func.func private @callee(%a: tensor<16xf32>) -> tensor<16xf32> {
  %e = math.exp %a : tensor<16xf32>
  %f = math.exp %e : tensor<16xf32>
  return %f : tensor<16xf32>
}
func.func private @unknown(tensor<16xf32>) -> tensor<16xf32>
func.func @calls(%a: tensor<16xf32>) -> tensor<16xf32> {
  %r = call @callee(%a) : (tensor<16xf32>) -> tensor<16xf32>
  %s = call @unknown(%r) : (tensor<16xf32>) -> tensor<16xf32>
  return %s : tensor<16xf32>
}

// An op that may trap stays after the assertion, and so does the second
// assertion; the exponential may move.
// EFFECTS: "id": "o0", "name": "cf.assert"
// EFFECTS-NEXT: "name": "math.exp"
// EFFECTS-NOT: "after"
// EFFECTS: "name": "arith.divsi"{{.*}}"after": ["o0"]
// EFFECTS: "name": "cf.assert"{{.*}}"after": ["o0"]
func.func @effects(%a: tensor<16xf32>, %c: i1, %x: i32, %y: i32) -> (tensor<16xf32>, i32) {
  cf.assert %c, "first"
  %e = math.exp %a : tensor<16xf32>
  %d = arith.divsi %x, %y : i32
  cf.assert %c, "second"
  return %e, %d : tensor<16xf32>, i32
}

// ATTRIBUTES: {"value": "v0", "role": "primal"}
// ATTRIBUTES: {"value": "v1", "role": "primal", "static": true}
// ATTRIBUTES: {"value": "v2", "role": "tangent"}
// ATTRIBUTES: {"value": "v3", "donated": true}
// ATTRIBUTES: "name": "math.exp"{{.*}}"recompute": "must_recompute"{{.*}}"scope": "layer"
// ATTRIBUTES: "name": "math.absf"{{.*}}"random": "implicit"
// ATTRIBUTES: "forward_outputs": 1
func.func @attributes(%a: tensor<16xf32> {memplan.role = "primal"}, %w: tensor<16xf32> {memplan.role = "primal", memplan.static},
    %t: tensor<16xf32> {memplan.role = "tangent"}, %d: tensor<16xf32> {memplan.donated}) -> (tensor<16xf32>, tensor<16xf32>)
    attributes {memplan.num_fwd_outputs = 1 : i64} {
  %e = math.exp %a {memplan.recompute = "must_recompute"} : tensor<16xf32> loc("layer")
  %f = math.absf %w {memplan.random = "implicit"} : tensor<16xf32>
  return %e, %f : tensor<16xf32>, tensor<16xf32>
}

// The formula of the extent is propagated through the empty tensor; with the
// hint for the first extent, 5 x 16 floats, and the default, 10.
// DYNAMIC: {"id": "s0", "bytes": 320, "formula": "64 * arg0_d0"
// DYNAMIC: "bytes": 40, "formula": "4 * arg1_d0"
// DYNAMIC: "bytes": 320, "formula": "64 * arg0_d0"
// The empty tensor has no storage; the op that writes to it uses its extent.
// DYNAMIC: "ops": [
// DYNAMIC-NEXT: "name": "tensor.dim", "operands": ["v0"], "results": ["v2"]
// DYNAMIC-NEXT: "name": "linalg.exp", "operands": ["v0", "v2"], "results": ["v3"]
// DYNAMIC-NEXT: ],
// DYNAMIC-NEXT: "outputs"
func.func @dynamic(%x: tensor<?x16xf32> {memplan.dim_hints = array<i64: 5, 0>}, %y: tensor<?xf32>) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x16xf32>
  %e = tensor.empty(%d) : tensor<?x16xf32>
  %r = linalg.exp ins(%x : tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %r : tensor<?x16xf32>
}
