// RUN: memplan-opt %s --plan-memory="scope=module lower=false" -allow-unregistered-dialect | FileCheck %s

// A use of a private function other than as the callee of a call may call it,
// so it keeps its signature; the symbol table may be such a use.
// CHECK: module attributes {test.entry = @named_by_module}
module attributes {test.entry = @named_by_module} {

// CHECK-LABEL: func.func private @named_by_module() -> memref<16xf32>
func.func private @named_by_module() -> memref<16xf32> {
  %t = memref.alloc() : memref<16xf32>
  return %t : memref<16xf32>
}

// CHECK-LABEL: func.func private @named_by_function() -> memref<16xf32>
func.func private @named_by_function() -> memref<16xf32> {
  %t = memref.alloc() : memref<16xf32>
  return %t : memref<16xf32>
}

// CHECK-LABEL: func.func private @named_by_other_call() -> memref<16xf32>
func.func private @named_by_other_call() -> memref<16xf32> {
  %t = memref.alloc() : memref<16xf32>
  return %t : memref<16xf32>
}

// CHECK-LABEL: func.func private @named_by_own_call() -> memref<16xf32>
func.func private @named_by_own_call() -> memref<16xf32> {
  %t = memref.alloc() : memref<16xf32>
  return %t : memref<16xf32>
}

// Its only uses are calls; of its results, the second one remains.
// CHECK-LABEL: func.func private @not_named
// CHECK-SAME: (%{{[a-z0-9]+}}: f32 {test.x}, %{{[a-z0-9]+}}: memref<16xf32> {test.r}, %{{[a-z0-9]+}}: memref<64xi8> {memplan.arena = 64 : i64}) -> (f32 {test.s})
// CHECK-SAME: attributes {test.f}
func.func private @not_named(%x: f32 {test.x}) -> (memref<16xf32> {test.r}, f32 {test.s}) attributes {test.f} {
  %t = memref.alloc() : memref<16xf32>
  %u = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%u : memref<16xf32>)
  linalg.abs ins(%u : memref<16xf32>) outs(%t : memref<16xf32>)
  return %t, %x : memref<16xf32>, f32
}

// CHECK-LABEL: func.func @callers
// CHECK-SAME: attributes {test.next = [@named_by_function]}
func.func @callers(%x: f32, %out: memref<16xf32>) attributes {test.next = [@named_by_function]} {
  // CHECK: call @named_by_module() : () -> memref<16xf32>
  %a = call @named_by_module() : () -> memref<16xf32>
  // CHECK: call @named_by_function() : () -> memref<16xf32>
  %b = call @named_by_function() : () -> memref<16xf32>
  // CHECK: call @named_by_own_call() {test.again = @named_by_own_call}
  %c = call @named_by_own_call() {test.again = @named_by_own_call} : () -> memref<16xf32>
  // CHECK: call @named_by_other_call() : () -> memref<16xf32>
  %d = call @named_by_other_call() : () -> memref<16xf32>
  // The attributes of the result become those of the operand that replaces it;
  // the callee's arena has none.
  // CHECK: call @not_named(%{{.*}}, %{{.*}}, %{{.*}}) {arg_attrs = [{test.a}, {test.c}, {}], res_attrs = [{test.d}], test.call, test.other = @named_by_other_call} : (f32, memref<16xf32>, memref<64xi8>) -> f32
  %e:2 = call @not_named(%x) {test.call, arg_attrs = [{test.a}], res_attrs = [{test.c}, {test.d}], test.other = @named_by_other_call} : (f32) -> (memref<16xf32>, f32)
  linalg.abs ins(%e#0 : memref<16xf32>) outs(%out : memref<16xf32>)
  // If only results have attributes, only the new operands get attributes.
  // CHECK: call @not_named(%{{.*}}, %{{.*}}, %{{.*}}) {arg_attrs = [{}, {test.c}, {}]} :
  %f:2 = call @not_named(%x) {res_attrs = [{test.c}, {}]} : (f32) -> (memref<16xf32>, f32)
  linalg.abs ins(%f#0 : memref<16xf32>) outs(%out : memref<16xf32>)
  // Without attributes, none are added.
  // CHECK: call @not_named(%{{.*}}, %{{.*}}, %{{.*}}) :
  %g:2 = call @not_named(%x) : (f32) -> (memref<16xf32>, f32)
  linalg.abs ins(%g#0 : memref<16xf32>) outs(%out : memref<16xf32>)
  return
}


// Callers outside of the module use the signatures of these functions although
// they are private.
// CHECK-LABEL: func.func private @c_interface() -> memref<16xf32> attributes {llvm.emit_c_interface}
func.func private @c_interface() -> memref<16xf32> attributes {llvm.emit_c_interface} {
  %t = memref.alloc() : memref<16xf32>
  %u = memref.alloc() : memref<16xf32>
  linalg.abs ins(%u : memref<16xf32>) outs(%t : memref<16xf32>)
  return %t : memref<16xf32>
}

// CHECK-LABEL: func.func private @linkage(%{{[a-z0-9]+}}: f32) attributes {llvm.linkage = #llvm.linkage<external>}
func.func private @linkage(%x: f32) attributes {llvm.linkage = #llvm.linkage<external>} {
  %u = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%u : memref<16xf32>)
  return
}

// Neither its deallocations nor its signature may be changed for its callers.
// CHECK-LABEL: func.func private @frees_for_c
// CHECK: memref.dealloc %{{.*}}
func.func private @frees_for_c(%m: memref<16xf32>) attributes {llvm.emit_c_interface} {
  memref.dealloc %m : memref<16xf32>
  return
}

// CHECK-LABEL: func.func @calls_c
func.func @calls_c(%x: f32) {
  // CHECK: call @c_interface() : () -> memref<16xf32>
  %a = call @c_interface() : () -> memref<16xf32>
  // CHECK: call @linkage(%{{.*}}) : (f32) -> ()
  call @linkage(%x) : (f32) -> ()
  // CHECK: call @frees_for_c
  // CHECK-NOT: memref.dealloc
  // CHECK: return
  call @frees_for_c(%a) : (memref<16xf32>) -> ()
  return
}

}
