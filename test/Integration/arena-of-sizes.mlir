// The size of an arena at given sizes: what the program computes, and what the
// report says of it.
// RUN: memplan-opt %s --plan-memory="arena=argument require=verified report=text report-file=%t.txt" | %execute | FileCheck %s
// RUN: FileCheck %s --check-prefix=TEXT < %t.txt
// RUN: memplan-opt %s --plan-memory="dynamic=bounded report=text report-file=%t.bounded" -o %t.planned
// RUN: FileCheck %s --check-prefix=BOUNDED < %t.bounded

// A plan that is stored as JSON has the same order when it is read back.
// RUN: memplan-opt %s --plan-memory="lower=false report=json report-file=%t.json" -o %t.whole
// RUN: memplan-opt %s --memplan-extract --memplan-read-plan=file=%t.json --memplan-materialize -o %t.read
// RUN: diff %t.whole %t.read

// At S = 8, N = 0; S = 0, N = 1000; S = 512, N = 4000.
// CHECK:      4032
// CHECK-NEXT: 8032
// CHECK-NEXT: 1114112
// TEXT:    S = 512 and N = 4000: bound 1114112 bytes, arena 1114112, {{.*}}; dynamic=bounded needs 1114112 at all sizes
// BOUNDED: arena 1114112 bytes

// Sizes of two symbols.
func.func @sizes_of(%x: memref<?x16xf32> {memplan.dim_names = ["S", ""], memplan.dim_bounds = array<i64: 0, 512, 8, 16, 16, 1>},
                    %y: memref<?xf32> {memplan.dim_names = ["N"], memplan.dim_bounds = array<i64: 0, 4000, 1>}) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %s = memref.dim %x, %c0 : memref<?x16xf32>
  %n = memref.dim %y, %c0 : memref<?xf32>
  %a = memref.alloc(%s) : memref<?x16xf32>
  linalg.exp ins(%x : memref<?x16xf32>) outs(%a : memref<?x16xf32>)
  %t = memref.alloc(%s, %s) : memref<?x?xf32>
  linalg.fill ins(%one : f32) outs(%t : memref<?x?xf32>)
  %b = memref.alloc(%s) : memref<?x16xf32>
  linalg.matmul ins(%t, %a : memref<?x?xf32>, memref<?x16xf32>) outs(%b : memref<?x16xf32>)
  linalg.abs ins(%b : memref<?x16xf32>) outs(%x : memref<?x16xf32>)
  %k = memref.alloc() : memref<1000xf32>
  linalg.fill ins(%one : f32) outs(%k : memref<1000xf32>)
  %c = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%y : memref<?xf32>) outs(%c : memref<?xf32>)
  %e = memref.load %k[%c0] : memref<1000xf32>
  memref.store %e, %x[%c0, %c0] : memref<?x16xf32>
  linalg.abs ins(%c : memref<?xf32>) outs(%y : memref<?xf32>)
  return
}

func.func private @printI64(i64)
func.func private @printNewline()
func.func private @sizes_of.arena_bytes(index, index) -> index
func.func @show(%s: index, %n: index) {
  %bytes = call @sizes_of.arena_bytes(%s, %n) : (index, index) -> index
  %value = arith.index_cast %bytes : index to i64
  call @printI64(%value) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c512 = arith.constant 512 : index
  %c1000 = arith.constant 1000 : index
  %c4000 = arith.constant 4000 : index
  call @show(%c8, %c0) : (index, index) -> ()
  call @show(%c0, %c1000) : (index, index) -> ()
  call @show(%c512, %c4000) : (index, index) -> ()
  return
}
