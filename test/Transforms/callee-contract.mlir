// A declared function with the attribute may overwrite a buffer that it reads.
//
// RUN: memplan-opt %s --plan-memory=report=text -o /dev/null --split-input-file \
// RUN:   --verify-diagnostics 2>&1 | FileCheck %s

// CHECK-LABEL: arena of @relu_of_relu
// CHECK:         arena      256 bytes
// CHECK:         in place
// CHECK:         over b0  func.call, {{.*}}: the declaration of the function says that it reads each byte before it writes it
func.func private @relu(memref<64xf32> {bufferization.access = "read"},
                        memref<64xf32> {memplan.overwrites = array<i64: 0>})

func.func @relu_of_relu(%in: memref<64xf32>, %out: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  call @relu(%in, %a) : (memref<64xf32>, memref<64xf32>) -> ()
  call @relu(%a, %b) : (memref<64xf32>, memref<64xf32>) -> ()
  call @relu(%b, %out) : (memref<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// Without the attribute, or if the buffer is read later, it must not.
//
// CHECK-LABEL: arena of @says_nothing
// CHECK:         arena      512 bytes
func.func private @shuffle(memref<64xf32> {bufferization.access = "read"},
                           memref<64xf32>)

func.func @says_nothing(%in: memref<64xf32>, %out: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  call @shuffle(%in, %a) : (memref<64xf32>, memref<64xf32>) -> ()
  call @shuffle(%a, %b) : (memref<64xf32>, memref<64xf32>) -> ()
  call @shuffle(%b, %out) : (memref<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// CHECK-LABEL: arena of @read_later
// CHECK:         arena      512 bytes
func.func private @add(memref<64xf32> {llvm.readonly},
                       memref<64xf32> {llvm.readonly},
                       memref<64xf32> {memplan.overwrites = array<i64: 0, 1>})

func.func @read_later(%in: memref<64xf32>, %out: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  call @add(%in, %in, %a) : (memref<64xf32>, memref<64xf32>, memref<64xf32>) -> ()
  call @add(%a, %in, %b) : (memref<64xf32>, memref<64xf32>, memref<64xf32>) -> ()
  call @add(%a, %b, %out) : (memref<64xf32>, memref<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// It may overwrite either operand, but not one that is equal to another operand
// for which this is not declared.
//
// CHECK-LABEL: arena of @twice_the_same
// CHECK:         arena      512 bytes
func.func private @scale(memref<64xf32> {llvm.readonly},
                         memref<64xf32> {llvm.readonly},
                         memref<64xf32> {memplan.overwrites = array<i64: 0>})

func.func @twice_the_same(%in: memref<64xf32>, %out: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  call @scale(%in, %in, %a) : (memref<64xf32>, memref<64xf32>, memref<64xf32>) -> ()
  call @scale(%a, %a, %b) : (memref<64xf32>, memref<64xf32>, memref<64xf32>) -> ()
  call @scale(%b, %in, %out) : (memref<64xf32>, memref<64xf32>, memref<64xf32>) -> ()
  return
}
