// What memplan-to-llvm cannot lower is an error that counts it.
// RUN: memplan-opt %s --memplan-to-llvm -split-input-file -verify-diagnostics

func.func @float8(%m: memref<2xf8E4M3FN>) -> f32 {
  %i = arith.constant 0 : index
  %j = arith.constant 1 : index
  %a = memref.load %m[%i] : memref<2xf8E4M3FN>
  %b = memref.load %m[%j] : memref<2xf8E4M3FN>
  // expected-error @+1 {{'arith.extf' has no lowering to LLVM; there are 2 of them}}
  %x = arith.extf %a : f8E4M3FN to f32
  %y = arith.extf %b : f8E4M3FN to f32
  %z = arith.addf %x, %y : f32
  return %z : f32
}

// -----

// expected-warning @+2 {{the plan of @f is not in the program: run memplan-materialize before memplan-lower}}
// expected-error @+1 {{'memplan.problem' has no lowering to LLVM}}
memplan.problem @f {
}
