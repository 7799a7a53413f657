// The error lists the functions to choose from.

// RUN: split-file %s %t
// RUN: not memplan-opt %t/two.mlir --memplan-rematerialize=budget=64 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not memplan-opt %t/three.mlir --memplan-rematerialize=budget=64 2>&1 | FileCheck %s --check-prefix=THREE

//--- two.mlir
// TWO: error: one of several functions must be named: @f and @g{{$}}
func.func @f() { return }
func.func private @outside()
func.func @g() { return }

//--- three.mlir
// THREE: error: one of several functions must be named: @f, @g and @h{{$}}
func.func @f() { return }
func.func @g() { return }
func.func @h() { return }
