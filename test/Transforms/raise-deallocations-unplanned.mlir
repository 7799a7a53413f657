// Where nothing is planned deallocations and clones stay as they are, in call
// trees too.
// RUN: mlir-opt %s --buffer-deallocation-pipeline -o %t.mlir
// RUN: memplan-opt %t.mlir -o %t.before
// RUN: memplan-opt %t.mlir --plan-memory -o %t.function && diff %t.before %t.function
// RUN: memplan-opt %t.mlir --plan-memory=scope=module -o %t.module && diff %t.before %t.module

func.func private @swap(%p: memref<8xi64>, %q: memref<8xi64>) -> (memref<8xi64>, memref<8xi64>)

func.func @cloned(%p: memref<8xi64>) -> memref<8xi64> {
  return %p : memref<8xi64>
}

func.func @main(%n: index, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k : i64) outs(%b : memref<8xi64>)
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<8xi64>, memref<8xi64>) {
    linalg.map { arith.addi } ins(%p, %q : memref<8xi64>, memref<8xi64>) outs(%p : memref<8xi64>)
    %s:2 = func.call @swap(%p, %q) : (memref<8xi64>, memref<8xi64>) -> (memref<8xi64>, memref<8xi64>)
    scf.yield %s#0, %s#1 : memref<8xi64>, memref<8xi64>
  }
  %s = memref.load %r#0[%c0] : memref<8xi64>
  return %s : i64
}
