// WITH: ../../../Transforms/Inputs/dealloc_helper.mlir
// PROGRAM: raise scope=module entry-points=main
//
// The output of
// ownership-based-buffer-deallocation{private-function-dynamic-ownership=true}
// and its later passes for two levels of calls: each result is returned with
// its ownership, which @twice determines by comparing addresses.
//
// Two results of @twice, and the other memory that is live in the second call:
// the frame of @twice, with one result of @scale and the frame of @scale.
// CHECK: arena @main: naive=576 others=256
// CHECK-NOT: left

func.func private @scale(%arg0: memref<8xi64>) -> (memref<8xi64>, i1) {
  %true = arith.constant true
  %alloc = memref.alloc() : memref<8xi64>
  %alloc_0 = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi {overflowFlags = #arith.overflow<none>} } ins(%arg0, %arg0 : memref<8xi64>, memref<8xi64>) outs(%alloc_0 : memref<8xi64>)
  linalg.map { arith.addi {overflowFlags = #arith.overflow<none>} } ins(%alloc_0, %arg0 : memref<8xi64>, memref<8xi64>) outs(%alloc : memref<8xi64>)
  memref.dealloc %alloc_0 : memref<8xi64>
  return %alloc, %true : memref<8xi64>, i1
}
func.func private @twice(%arg0: memref<8xi64>) -> (memref<8xi64>, i1) {
  %0:2 = call @scale(%arg0) : (memref<8xi64>) -> (memref<8xi64>, i1)
  %1:2 = call @scale(%0#0) : (memref<8xi64>) -> (memref<8xi64>, i1)
  %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %0#0 : memref<8xi64> -> memref<i64>, index, index, index
  %intptr = memref.extract_aligned_pointer_as_index %base_buffer : memref<i64> -> index
  %intptr_0 = memref.extract_aligned_pointer_as_index %1#0 : memref<8xi64> -> index
  %2 = arith.cmpi ne, %intptr, %intptr_0 : index
  %3 = arith.andi %2, %0#1 : i1
  scf.if %3 {
    memref.dealloc %base_buffer : memref<i64>
  }
  %4 = arith.cmpi eq, %intptr, %intptr_0 : index
  %5 = arith.andi %4, %0#1 : i1
  %6 = arith.ori %5, %1#1 : i1
  return %1#0, %6 : memref<8xi64>, i1
}
func.func @main() {
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %c0 = arith.constant 0 : index
  %c1_i64 = arith.constant 1 : i64
  %alloc = memref.alloc() : memref<8xi64>
  linalg.fill ins(%c1_i64 : i64) outs(%alloc : memref<8xi64>)
  %0:2 = call @twice(%alloc) : (memref<8xi64>) -> (memref<8xi64>, i1)
  %1:2 = call @twice(%0#0) : (memref<8xi64>) -> (memref<8xi64>, i1)
  %2 = memref.load %1#0[%c0] : memref<8xi64>
  vector.print %2 : i64
  %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %0#0 : memref<8xi64> -> memref<i64>, index, index, index
  %base_buffer_0, %offset_1, %sizes_2, %strides_3 = memref.extract_strided_metadata %1#0 : memref<8xi64> -> memref<i64>, index, index, index
  %alloc_4 = memref.alloc() : memref<3xindex>
  %alloc_5 = memref.alloc() : memref<3xi1>
  %alloc_6 = memref.alloc() : memref<0xindex>
  %intptr = memref.extract_aligned_pointer_as_index %alloc : memref<8xi64> -> index
  memref.store %intptr, %alloc_4[%c0] : memref<3xindex>
  %intptr_7 = memref.extract_aligned_pointer_as_index %base_buffer : memref<i64> -> index
  memref.store %intptr_7, %alloc_4[%c1] : memref<3xindex>
  %intptr_8 = memref.extract_aligned_pointer_as_index %base_buffer_0 : memref<i64> -> index
  memref.store %intptr_8, %alloc_4[%c2] : memref<3xindex>
  memref.store %true, %alloc_5[%c0] : memref<3xi1>
  memref.store %0#1, %alloc_5[%c1] : memref<3xi1>
  memref.store %1#1, %alloc_5[%c2] : memref<3xi1>
  %cast = memref.cast %alloc_4 : memref<3xindex> to memref<?xindex>
  %cast_9 = memref.cast %alloc_5 : memref<3xi1> to memref<?xi1>
  %cast_10 = memref.cast %alloc_6 : memref<0xindex> to memref<?xindex>
  %alloc_11 = memref.alloc() : memref<3xi1>
  %alloc_12 = memref.alloc() : memref<0xi1>
  %cast_13 = memref.cast %alloc_11 : memref<3xi1> to memref<?xi1>
  %cast_14 = memref.cast %alloc_12 : memref<0xi1> to memref<?xi1>
  call @dealloc_helper(%cast, %cast_10, %cast_9, %cast_13, %cast_14) : (memref<?xindex>, memref<?xindex>, memref<?xi1>, memref<?xi1>, memref<?xi1>) -> ()
  %3 = memref.load %alloc_11[%c0] : memref<3xi1>
  scf.if %3 {
    memref.dealloc %alloc : memref<8xi64>
  }
  %4 = memref.load %alloc_11[%c1] : memref<3xi1>
  scf.if %4 {
    memref.dealloc %base_buffer : memref<i64>
  }
  %5 = memref.load %alloc_11[%c2] : memref<3xi1>
  scf.if %5 {
    memref.dealloc %base_buffer_0 : memref<i64>
  }
  memref.dealloc %alloc_4 : memref<3xindex>
  memref.dealloc %alloc_6 : memref<0xindex>
  memref.dealloc %alloc_5 : memref<3xi1>
  memref.dealloc %alloc_11 : memref<3xi1>
  memref.dealloc %alloc_12 : memref<0xi1>
  return
}
