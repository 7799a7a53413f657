// RUN: split-file %s %t
// RUN: memplan-opt %t/program.mlir --memplan-cost="output=- target=%t/device.json" \
// RUN:   -o /dev/null | FileCheck %t/program.mlir
// RUN: memplan-opt %t/attributes.mlir --memplan-cost="output=-" -o /dev/null \
// RUN:   | FileCheck %t/attributes.mlir
// RUN: not memplan-opt %t/program.mlir --memplan-cost=target=%t/rate.json 2>&1 | FileCheck %s --check-prefix=RATE
// RATE: error: target description {{.*}}rate.json: 'peak_flops' of 'f32' must be more than 0
// RUN: not memplan-opt %t/program.mlir --memplan-cost=target=%t/member.json 2>&1 | FileCheck %s --check-prefix=MEMBER
// MEMBER: error: target description {{.*}}member.json: 'scratches' of 'batch_norm' is none of scratch, scratch_per_result_byte, reserve and reserve_per_result_byte
// RUN: not memplan-opt %t/program.mlir --memplan-cost=target=%t/none.json 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: target description: cannot open input file
// RUN: not memplan-opt %t/program.mlir --memplan-cost=target=%t/syntax.json 2>&1 | FileCheck %s --check-prefix=SYNTAX
// SYNTAX: error: target description {{.*}}syntax.json:

//--- device.json
{"peak_flops": {"f32": 100, "default": 1}, "bandwidth": {"default": 10, "1": 1000},
 "ops": {"batch_norm": {"scratch": 4096, "scratch_per_result_byte": 0.5}}}
//--- rate.json
{"peak_flops": {"f32": 0}}
//--- member.json
{"ops": {"batch_norm": {"scratches": 1}}}
//--- syntax.json
{"ops": 
//--- program.mlir
// 16 operations take 0.16 s, 128 bytes 12.8 s: transfers bound the op. In space
// 1 the transfers take 0.128 s: computation bounds it. The sum is of both. The
// kind has 4096 + 64 / 2 bytes of scratch.
// CHECK-LABEL: @device
// CHECK: batch_norm {{.*}} 4128 {{.*}} 12.8
// CHECK: linalg.exp {{.*}} 0 {{.*}} 0.16
// CHECK: total {{.*}} 4128 {{.*}} 12.96
func.func @device(%x: tensor<16xf32>, %o: tensor<16xf32>, %m: memref<16xf32, 1>) -> tensor<16xf32> {
  %r = linalg.exp {memplan.kind = "batch_norm"} ins(%x : tensor<16xf32>) outs(%o : tensor<16xf32>) -> tensor<16xf32>
  linalg.exp ins(%m : memref<16xf32, 1>) outs(%m : memref<16xf32, 1>)
  return %r : tensor<16xf32>
}
//--- attributes.mlir
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
  "CPU" = #dlti.target_device_spec<
    "memplan.peak_flops" = {default = 1.0e+02 : f64},
    "memplan.bandwidth" = {default = 10 : i64},
    "memplan.ops" = {linalg.exp = {scratch = 128 : i64}}>>} {
  // CHECK-LABEL: @attributes
  // CHECK: linalg.exp {{.*}} 128 {{.*}} 12.8
  func.func @attributes(%x: tensor<16xf32>, %o: tensor<16xf32>) -> tensor<16xf32> {
    %r = linalg.exp ins(%x : tensor<16xf32>) outs(%o : tensor<16xf32>) -> tensor<16xf32>
    return %r : tensor<16xf32>
  }
}
