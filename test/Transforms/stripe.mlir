// RUN: split-file %s %t
// RUN: memplan-opt %t/chain.mlir --memplan-stripe=output=%t/chain.txt | FileCheck %s --check-prefix=CHAIN
// RUN: FileCheck %s --check-prefix=LIST --input-file=%t/chain.txt
// RUN: memplan-opt %t/halo.mlir --memplan-stripe=output=- -o %t/free.mlir | FileCheck %s --check-prefix=ROWSKEPT
// RUN: memplan-opt %t/halo.mlir --memplan-stripe="max-extra-flops=100 output=-" -o %t/some.mlir | FileCheck %s --check-prefix=HALO
// RUN: FileCheck %s --check-prefix=FREE --input-file=%t/free.mlir
// RUN: FileCheck %s --check-prefix=SOME --input-file=%t/some.mlir
// RUN: memplan-opt %t/two-rows.mlir --memplan-stripe="max-extra-flops=1000" | FileCheck %s --check-prefix=TWO
// RUN: memplan-opt %t/two-rows.mlir --memplan-stripe="max-extra-flops=1e300" | FileCheck %s --check-prefix=TWO
// RUN: memplan-opt %t/reduced.mlir --memplan-stripe | FileCheck %s --check-prefix=REDUCED

// The function keeps what was done; the report of the plan has it.
// RUN: memplan-opt %t/halo.mlir --memplan-from-tensors="stripes=100 report=json report-file=-" -o %t/planned.mlir | %python -m json.tool --compact | FileCheck %s --check-prefix=REPORT
// RUN: memplan-opt %t/halo.mlir --memplan-from-tensors="stripes=100 report=text report-file=-" -o %t/planned.mlir | FileCheck %s --check-prefix=TEXT
// RUN: FileCheck %s --check-prefix=KEPT --input-file=%t/planned.mlir
// RUN: memplan-opt %t/planned.mlir --memplan-to-llvm | mlir-translate --mlir-to-llvmir -o /dev/null

// Only the sum and its rounding, with the pad: no branch in the loop. A sum that
// is not rounded stays.
// RUN: memplan-opt %t/chain.mlir --memplan-stripe="only-sums output=-" -o %t/sums.mlir | FileCheck %s --check-prefix=SUMS
// RUN: FileCheck %s --check-prefix=ROWS --input-file=%t/sums.mlir
// RUN: memplan-opt %t/halo.mlir --memplan-stripe="only-sums output=-" -o /dev/null | count 0
// SUMS: @chain: {{[0-9]+}} bytes, {{[0-9]+}} saved
// SUMS-NEXT: {{[0-9]+}} of 32 rows at once: pad, fill, conv_2d_nhwc_hwcf_q, generic
// ROWS: scf.for
// ROWS-NOT: scf.if
// ROWS: linalg.conv_2d_nhwc_hwcf_q

// By default sums and their rounding are striped; an option turns that off.
// RUN: memplan-opt %t/chain.mlir --memplan-from-tensors | FileCheck %s --check-prefix=DEFAULT
// RUN: memplan-opt %t/chain.mlir --memplan-from-tensors=stripe-sums=false | FileCheck %s --check-prefix=OFF
// DEFAULT: scf.for
// OFF-NOT: scf.for

// Several functions.
// RUN: cat %t/chain.mlir %t/nothing.mlir %t/reduced.mlir > %t/several.mlir
// RUN: memplan-opt %t/several.mlir --memplan-stripe=output=- -o %t/striped.mlir | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: @chain: {{[0-9]+}} bytes, {{[0-9]+}} saved
// SEVERAL-NOT: @nothing
// SEVERAL: @reduced: {{[0-9]+}} bytes, {{[0-9]+}} saved

// A program that gains nothing does not change by a byte.
// RUN: memplan-opt %t/nothing.mlir --mlir-print-debuginfo -o %t/before.mlir
// RUN: memplan-opt %t/nothing.mlir --memplan-stripe="max-extra-flops=1000 output=-" --mlir-print-debuginfo -o %t/after.mlir | count 0
// RUN: cmp %t/before.mlir %t/after.mlir
// RUN: memplan-opt %t/nothing.mlir --memplan-from-tensors -o %t/before.mlir
// RUN: memplan-opt %t/nothing.mlir --memplan-from-tensors=stripes=1000 -o %t/after.mlir
// RUN: cmp %t/before.mlir %t/after.mlir

// Slices that fill a tensor are a concatenation, which is cut along its other
// dimension.
// RUN: memplan-opt %t/concat.mlir --memplan-stripe=output=- -o %t/rows.mlir | FileCheck %s --check-prefix=CONCAT
// RUN: FileCheck %s --check-prefix=PARTS --input-file=%t/rows.mlir
// CONCAT: 1 of 16 rows at once: {{.*}}matmul, {{.*}}concat, {{.*}}matmul
// PARTS: scf.for
// PARTS: tensor.insert_slice {{.*}}[0, 0] [1, 24] [1, 1] : tensor<1x24xf32> into tensor<1x32xf32>
// PARTS: tensor.insert_slice {{.*}}[0, 24] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<1x32xf32>
// PARTS-NOT: tensor<16x32xf32>
// PARTS-NOT: tensor.concat

// The first two rows have only padding: a branch keeps them from reading rows of
// the operand that do not exist.
// RUN: memplan-opt %t/padding.mlir --memplan-stripe | FileCheck %s --check-prefix=PADDING
// PADDING: scf.for
// PADDING: scf.if
// PADDING: tensor.generate
// PADDING: else
// PADDING: tensor.pad
// PADDING: linalg.matmul
// PADDING: linalg.reduce

// RUN: not memplan-opt %t/chain.mlir --memplan-stripe=max-extra-flops=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: error: max-extra-flops is -1{{.*}}, must be at least 0
// RUN: not memplan-opt %t/chain.mlir --memplan-stripe=max-extra-flops=inf 2>&1 | FileCheck %s --check-prefix=INFINITE
// INFINITE: error: max-extra-flops is {{.*}}, must be at least 0 and finite
// RUN: not memplan-opt %t/chain.mlir --memplan-bufferize=stripes=nan 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: max-extra-flops is {{.*}}, must be at least 0 and finite

//--- chain.mlir
// The sum in i32 (32 * 32 * 8 * 4 bytes) is never whole, nor is the padded
// operand. A stripe is computed in its place of the result.
// CHAIN-LABEL: func.func @chain
// CHAIN: %[[EMPTY:.*]] = tensor.empty() : tensor<1x32x32x8xi8>
// CHAIN: %[[ALL:.*]] = scf.for {{.*}} iter_args(%[[RESULT:.*]] = %[[EMPTY]])
// CHAIN: linalg.fill
// CHAIN: %[[SUM:.*]] = linalg.conv_2d_nhwc_hwcf_q
// CHAIN: %[[PLACE:.*]] = tensor.extract_slice %[[RESULT]]
// CHAIN: %[[ROUNDED:.*]] = linalg.generic {{.*}} ins(%[[SUM]] : {{.*}}) outs(%[[PLACE]] :
// CHAIN: tensor.insert_slice %[[ROUNDED]] into %[[RESULT]]
// CHAIN: tensor.extract_slice %[[ALL]]
// LIST: @chain: {{[0-9]+}} bytes, {{[0-9]+}} saved
// LIST-NEXT: 1 of {{[0-9]+}} rows at once: {{.*}}conv_2d_nhwc_hwcf_q, generic
func.func @chain(%x: tensor<1x32x32x8xi8>, %w: tensor<3x3x8x8xi8>) -> tensor<1x1x1x8xi8> {
  %zero = arith.constant 0 : i8
  %zeros = arith.constant 0 : i32
  %four = arith.constant 4 : i32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : i8
  } : tensor<1x32x32x8xi8> to tensor<1x34x34x8xi8>
  %e = tensor.empty() : tensor<1x32x32x8xi32>
  %z = linalg.fill ins(%zeros : i32) outs(%e : tensor<1x32x32x8xi32>) -> tensor<1x32x32x8xi32>
  %s = linalg.conv_2d_nhwc_hwcf_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%p, %w, %zeros, %zeros : tensor<1x34x34x8xi8>, tensor<3x3x8x8xi8>, i32, i32)
      outs(%z : tensor<1x32x32x8xi32>) -> tensor<1x32x32x8xi32>
  %d = tensor.empty() : tensor<1x32x32x8xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s : tensor<1x32x32x8xi32>) outs(%d : tensor<1x32x32x8xi8>) {
  ^bb0(%a: i32, %b: i8):
    %h = arith.shrsi %a, %four : i32
    %t = arith.trunci %h : i32 to i8
    linalg.yield %t : i8
  } -> tensor<1x32x32x8xi8>
  %m = tensor.extract_slice %r[0, 31, 31, 0] [1, 1, 1, 8] [1, 1, 1, 1] : tensor<1x32x32x8xi8> to tensor<1x1x1x8xi8>
  return %m : tensor<1x1x1x8xi8>
}

//--- halo.mlir
// Rows of %b need three rows of %a each. Without FLOPs again two of them are
// kept; with FLOPs, each stripe computes the rows at its seams again, which takes
// fewer bytes.
// ROWSKEPT: @halo: {{[0-9]+}} bytes, {{[0-9]+}} saved
// ROWSKEPT-NEXT: 1 of 64 rows at once, 2 rows kept: fill, conv_1d_nwc_wcf, fill, conv_1d_nwc_wcf, generic
// FREE-LABEL: func.func @halo
// FREE-NOT: linalg.conv_1d_nwc_wcf
// FREE: scf.for %{{.*}} = %c-2 to %c64 step %c1 iter_args({{.*}}, %[[KEEP:.*]] = {{.*}}) -> (tensor<1x4xf32>, tensor<1x2x4xf32>)
// FREE: linalg.conv_1d_nwc_wcf {{.*}} -> tensor<1x?x4xf32>
// FREE: tensor.insert_slice %[[KEEP]] into {{.*}} : tensor<1x2x4xf32> into tensor<1x3x4xf32>
// FREE: tensor.insert_slice {{.*}} : tensor<1x?x4xf32> into tensor<1x3x4xf32>
// FREE: bufferization.materialize_in_destination {{.*}} in %[[KEEP]]
// FREE: linalg.conv_1d_nwc_wcf
// FREE: linalg.generic
// SOME-LABEL: func.func @halo
// SOME-NOT: linalg.conv_1d_nwc_wcf
// SOME: scf.for
// SOME: linalg.conv_1d_nwc_wcf
// SOME: linalg.conv_1d_nwc_wcf
// SOME: linalg.generic
// KEPT: func.func @halo({{.*}} attributes {memplan.changes = [{bytes = {{[0-9]+}} : i64, change = "striped",
// REPORT: "changes":[{"function":"halo","change":"striped","bytes":{{[0-9]+}},"saved_bytes":{{[1-9][0-9]*}},"repeats":0,"extra_flops":[[FLOPS:[1-9][0-9]*]],"flops":{{[1-9][0-9]*}},
// REPORT-SAME: "stripes":[{"ops":[{"op":"fill","location":"{{.*}}halo.mlir:{{[0-9]+}}:{{[0-9]+}}"},{"op":"conv_1d_nwc_wcf",
// REPORT-SAME: {"op":"generic","location":"{{[^"]*}}"}],"loop":1,"rows":{{[0-9]+}},"count":64,"halo":2,"extra_flops":[[FLOPS]]}]}]
// TEXT: @halo was changed before planning
// TEXT-NEXT: striped {{.*}} saved, 1 chain, {{[0-9]+}} FLOPs
// TEXT-NEXT: of 64 rows at once, 2 rows again at each seam
// TEXT: arena of @halo
// HALO: @halo: {{[0-9]+}} bytes, {{[0-9]+}} saved
// HALO-NEXT: rows at once, 2 rows again at each seam, {{[0-9]+}} FLOPs ({{[0-9.]+}} % more): fill, conv_1d_nwc_wcf, fill, conv_1d_nwc_wcf, generic
func.func @halo(%x: tensor<1x68x4xf32>, %u: tensor<3x4x4xf32>, %w: tensor<3x4x4xf32>) -> tensor<1x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x66x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x66x4xf32>) -> tensor<1x66x4xf32>
  %a = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
      ins(%x, %u : tensor<1x68x4xf32>, tensor<3x4x4xf32>) outs(%z : tensor<1x66x4xf32>) -> tensor<1x66x4xf32>
  %f = tensor.empty() : tensor<1x64x4xf32>
  %y = linalg.fill ins(%zero : f32) outs(%f : tensor<1x64x4xf32>) -> tensor<1x64x4xf32>
  %b = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
      ins(%a, %w : tensor<1x66x4xf32>, tensor<3x4x4xf32>) outs(%y : tensor<1x64x4xf32>) -> tensor<1x64x4xf32>
  %g = tensor.empty() : tensor<1x4xf32>
  %v = linalg.fill ins(%zero : f32) outs(%g : tensor<1x4xf32>) -> tensor<1x4xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, c)>],
                       iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%b : tensor<1x64x4xf32>) outs(%v : tensor<1x4xf32>) {
  ^bb0(%p: f32, %q: f32):
    %r = arith.addf %q, %p : f32
    linalg.yield %r : f32
  } -> tensor<1x4xf32>
  return %s : tensor<1x4xf32>
}

//--- two-rows.mlir
// Two users need different rows of %a: it stays whole, before the loop.
// TWO-LABEL: func.func @two_rows
// TWO: linalg.exp
// TWO: scf.for
// TWO-NOT: linalg.exp
// TWO: linalg.add
func.func @two_rows(%x: tensor<1x64x4xf32>, %u: tensor<2x4x16xf32>, %w: tensor<1x4x16xf32>) -> tensor<1x1x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x64x4xf32>
  %a = linalg.exp ins(%x : tensor<1x64x4xf32>) outs(%e : tensor<1x64x4xf32>) -> tensor<1x64x4xf32>
  %f = tensor.empty() : tensor<1x32x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%f : tensor<1x32x16xf32>) -> tensor<1x32x16xf32>
  %b = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>}
      ins(%a, %u : tensor<1x64x4xf32>, tensor<2x4x16xf32>) outs(%z : tensor<1x32x16xf32>) -> tensor<1x32x16xf32>
  %c = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>}
      ins(%a, %w : tensor<1x64x4xf32>, tensor<1x4x16xf32>) outs(%z : tensor<1x32x16xf32>) -> tensor<1x32x16xf32>
  %g = tensor.empty() : tensor<1x32x16xf32>
  %s = linalg.add ins(%b, %c : tensor<1x32x16xf32>, tensor<1x32x16xf32>) outs(%g : tensor<1x32x16xf32>) -> tensor<1x32x16xf32>
  %m = tensor.extract_slice %s[0, 31, 0] [1, 1, 16] [1, 1, 1] : tensor<1x32x16xf32> to tensor<1x1x16xf32>
  return %m : tensor<1x1x16xf32>
}

//--- reduced.mlir
// A sum over the outermost reduced dimension is added up in its place, row by
// row: it starts once, before the loop.
// REDUCED-LABEL: func.func @reduced
// REDUCED: %[[START:.*]] = linalg.fill {{.*}} -> tensor<16xf32>
// REDUCED: scf.for {{.*}} iter_args(%[[SUM:.*]] = %[[START]])
// REDUCED: %[[ROW:.*]] = linalg.matmul
// REDUCED: linalg.reduce ins(%[[ROW]] : tensor<1x16xf32>) outs(%[[SUM]] : tensor<16xf32>) dimensions = [0]
func.func @reduced(%x: tensor<64x8xf32>, %w: tensor<8x16xf32>) -> tensor<16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x16xf32>) -> tensor<64x16xf32>
  %a = linalg.matmul ins(%x, %w : tensor<64x8xf32>, tensor<8x16xf32>) outs(%z : tensor<64x16xf32>) -> tensor<64x16xf32>
  %f = tensor.empty() : tensor<16xf32>
  %y = linalg.fill ins(%zero : f32) outs(%f : tensor<16xf32>) -> tensor<16xf32>
  %s = linalg.reduce ins(%a : tensor<64x16xf32>) outs(%y : tensor<16xf32>) dimensions = [0]
    (%p: f32, %q: f32) {
      %r = arith.addf %p, %q : f32
      linalg.yield %r : f32
    }
  return %s : tensor<16xf32>
}

//--- nothing.mlir
// The operand and the result are whole in any case.
func.func @nothing(%x: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %e = tensor.empty() : tensor<16x16xf32>
  %a = linalg.exp ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %f = tensor.empty() : tensor<16x16xf32>
  %b = linalg.abs ins(%a : tensor<16x16xf32>) outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %b : tensor<16x16xf32>
}

//--- concat.mlir
func.func @concat(%x: tensor<16x4xf32>, %u: tensor<4x24xf32>, %v: tensor<4x8xf32>, %w: tensor<32x4xf32>) -> tensor<16x4xf32> {
  %zero = arith.constant 0.0 : f32
  %ae = tensor.empty() : tensor<16x24xf32>
  %az = linalg.fill ins(%zero : f32) outs(%ae : tensor<16x24xf32>) -> tensor<16x24xf32>
  %a = linalg.matmul ins(%x, %u : tensor<16x4xf32>, tensor<4x24xf32>) outs(%az : tensor<16x24xf32>) -> tensor<16x24xf32>
  %be = tensor.empty() : tensor<16x8xf32>
  %bz = linalg.fill ins(%zero : f32) outs(%be : tensor<16x8xf32>) -> tensor<16x8xf32>
  %b = linalg.matmul ins(%x, %v : tensor<16x4xf32>, tensor<4x8xf32>) outs(%bz : tensor<16x8xf32>) -> tensor<16x8xf32>
  %ce = tensor.empty() : tensor<16x32xf32>
  %c0 = tensor.insert_slice %a into %ce[0, 0] [16, 24] [1, 1] : tensor<16x24xf32> into tensor<16x32xf32>
  %c = tensor.insert_slice %b into %c0[0, 24] [16, 8] [1, 1] : tensor<16x8xf32> into tensor<16x32xf32>
  %de = tensor.empty() : tensor<16x4xf32>
  %dz = linalg.fill ins(%zero : f32) outs(%de : tensor<16x4xf32>) -> tensor<16x4xf32>
  %d = linalg.matmul ins(%c, %w : tensor<16x32xf32>, tensor<32x4xf32>) outs(%dz : tensor<16x4xf32>) -> tensor<16x4xf32>
  return %d : tensor<16x4xf32>
}

//--- padding.mlir
func.func @padding(%x: tensor<4x4xf32>, %w: tensor<4x8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[2, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x4xf32> to tensor<7x4xf32>
  %e = tensor.empty() : tensor<7x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<7x8xf32>) -> tensor<7x8xf32>
  %a = linalg.matmul ins(%p, %w : tensor<7x4xf32>, tensor<4x8xf32>) outs(%z : tensor<7x8xf32>) -> tensor<7x8xf32>
  %f = tensor.empty() : tensor<8xf32>
  %y = linalg.fill ins(%zero : f32) outs(%f : tensor<8xf32>) -> tensor<8xf32>
  %s = linalg.reduce ins(%a : tensor<7x8xf32>) outs(%y : tensor<8xf32>) dimensions = [0]
    (%q: f32, %r: f32) {
      %t = arith.addf %q, %r : f32
      linalg.yield %t : f32
    }
  return %s : tensor<8xf32>
}
