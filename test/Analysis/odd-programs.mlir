// Programs at the limits of MLIR: planned if possible, otherwise unchanged, and
// never a crash.
// RUN: memplan-opt %s --plan-memory=lower=false --allow-unregistered-dialect \
// RUN:   --split-input-file --remarks-filter='plan.*' -verify-diagnostics \
// RUN:   | FileCheck %s --implicit-check-not=memplan.arena
// RUN: not memplan-opt %s --plan-memory --split-input-file 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNREGISTERED

// An empty module, an empty function, a declaration.
// CHECK: module {
// CHECK-NEXT: }
// expected-remark@+1 {{nothing to plan: there is no function with a body}}
module {
}

// -----
// expected-remark@-1 {{nothing to plan: 1 function allocates nothing}}

// CHECK-LABEL: func.func @empty
// CHECK-NEXT: return
func.func @empty() {
  return
}
// CHECK-LABEL: func.func private @declaration
func.func private @declaration(memref<4xf32>) -> memref<4xf32>

// -----

// It has 0 bytes, so it shares none.
// CHECK-LABEL: func.func @zero_sized
// CHECK: %[[ARENA:.*]] = memplan.arena align(64) : memref<0xi8>
// expected-remark@+1 {{ArenaBytes=0}}
func.func @zero_sized(%i: index, %v: index) {
  // CHECK: memplan.view %[[ARENA]][0] align(64) : memref<0xi8> to memref<0xindex>
  // expected-remark@+1 {{b0 planned at offset 0}}
  %a = memref.alloc() : memref<0xindex>
  memref.store %v, %a[%i] : memref<0xindex>
  // The size is zero whatever the other extents are.
  // expected-remark@+1 {{b1 planned at offset 0}}
  %b = memref.alloc() : memref<4294967296x0x4294967296xindex>
  memref.store %v, %a[%i] : memref<0xindex>
  memref.store %v, %b[%i, %i, %i] : memref<4294967296x0x4294967296xindex>
  return
}

// -----

// CHECK-LABEL: func.func @rank_zero
// CHECK: memplan.arena align(64) : memref<4xi8>
// expected-remark@+1 {{ArenaBytes=4}}
func.func @rank_zero(%f: f32) -> f32 {
  // expected-remark@+1 {{b0 planned at offset 0}}
  %a = memref.alloc() : memref<f32>
  memref.store %f, %a[] : memref<f32>
  %x = memref.load %a[] : memref<f32>
  return %x : f32
}

// -----

// A one-dimensional stride of one is the identity.
// CHECK-LABEL: func.func @trivial_layout
// CHECK: memplan.arena
// expected-remark@+1 {{ArenaBytes=64}}
func.func @trivial_layout(%i: index, %f: f32) {
  // expected-remark@+1 {{b0 planned at offset 0}}
  %a = memref.alloc() : memref<16xf32, strided<[1]>>
  memref.store %f, %a[%i] : memref<16xf32, strided<[1]>>
  return
}

// -----

// Unknown ops: buffers that are their operands, or are used in their regions,
// are not planned.
// UNREGISTERED: error: operation being parsed with an unregistered dialect
// CHECK-LABEL: func.func @unregistered
func.func @unregistered(%i: index, %f: f32) {
  // expected-remark@+1 {{b0 not planned: it is used by 'other.use', whose effects are not known}}
  %a = memref.alloc() : memref<16xf32>
  "other.use"(%a) : (memref<16xf32>) -> ()
  // expected-remark@+1 {{b1 not planned: it is used inside 'other.region', which may run at another time}}
  %b = memref.alloc() : memref<16xf32>
  "other.region"() ({
    memref.store %f, %b[%i] : memref<16xf32>
    "other.end"() : () -> ()
  }) : () -> ()
  // expected-remark@+1 {{b2 not planned: it is used by 'other.view', whose result may be the same memory}}
  %c = memref.alloc() : memref<16xf32>
  %v = "other.view"(%c) : (memref<16xf32>) -> memref<4xf32>
  // expected-remark@+1 {{b3 not planned: it is used by 'other.branch', whose effects are not known}}
  %d = memref.alloc() : memref<16xf32>
  "other.branch"(%d)[^next] : (memref<16xf32>) -> ()
^next:
  return
}

// -----

// A region whose ops have no order: a use before the definition.
// CHECK-LABEL: func.func @graph_region
func.func @graph_region(%i: index, %f: f32) {
  "other.graph"() ({
    memref.store %f, %b[%i] : memref<16xf32>
    memref.dealloc %b : memref<16xf32>
    // expected-remark@+1 {{b0 not planned: it is allocated inside 'other.graph'}}
    %b = memref.alloc() : memref<16xf32>
    "other.empty_block"() ({
    ^bb0(%m: memref<4xf32>):
    }) : () -> ()
    "other.end"() : () -> ()
  }) : () -> ()
  return
}

// -----

// A function with an unknown terminator: there is no point to release at.
// CHECK-LABEL: func.func @unknown_exit
// CHECK-NOT: memplan.arena
// CHECK: "other.exit"
func.func @unknown_exit(%i: index, %f: f32) {
  // expected-remark@+1 {{b0 not planned: it is in a function that 'other.exit' may leave}}
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  "other.exit"() : () -> ()
}

// -----

// Allocated in an unreachable block, and used there before its definition.
// CHECK-LABEL: func.func @unreachable
// CHECK: memplan.arena
// expected-remark@+1 {{ArenaBytes=64}}
func.func @unreachable(%i: index, %f: f32) {
  return
^nowhere:
  // expected-remark@+1 {{b0 planned at offset 0}}
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  memref.store %f, %b[%i] : memref<16xf32>
  // expected-remark@+1 {{b1 not planned: it may still be live when it is allocated again in a loop}}
  %b = memref.alloc() : memref<16xf32>
  cf.br ^nowhere
}

// -----
// expected-remark@-1 {{nothing to plan: 1 function allocates nothing}}

// A block argument whose only source is itself.
// CHECK-LABEL: func.func @argument_without_source
func.func @argument_without_source(%i: index, %f: f32) {
  return
^nowhere(%x: memref<16xf32>):
  memref.store %f, %x[%i] : memref<16xf32>
  memref.dealloc %x : memref<16xf32>
  cf.br ^nowhere(%x : memref<16xf32>)
}

// -----

// Freed twice, through a view, and in a block that precedes the allocation in
// the text: every deallocation is removed.
// CHECK-LABEL: func.func @freed_often
// CHECK: memplan.arena
// CHECK-NOT: memref.dealloc
// expected-remark@+1 {{ArenaBytes=64}}
func.func @freed_often(%i: index, %f: f32) {
  cf.br ^first
^last:
  memref.dealloc %v : memref<4xf32, strided<[1], offset: 2>>
  memref.dealloc %a : memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  return
^first:
  // expected-remark@+1 {{b0 planned at offset 0}}
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  %v = memref.subview %a[2] [4] [1]
      : memref<16xf32> to memref<4xf32, strided<[1], offset: 2>>
  cf.br ^last
}

// -----

// A module inside a function: two functions, two arenas.
// CHECK-LABEL: func.func @around
// CHECK: memplan.arena align(64) : memref<64xi8>
// CHECK: func.func @inside
// CHECK: memplan.arena align(64) : memref<32xi8>
// expected-remark@+1 {{ArenaBytes=64}}
func.func @around(%i: index, %f: f32) {
  // expected-remark@+1 {{b0 planned at offset 0}}
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  builtin.module {
    // expected-remark@+1 {{ArenaBytes=32}}
    func.func @inside(%j: index, %g: f32) {
      // expected-remark@+1 {{b0 planned at offset 0}}
      %b = memref.alloc() : memref<8xf32>
      memref.store %g, %b[%j] : memref<8xf32>
      memref.dealloc %b : memref<8xf32>
      return
    }
  }
  return
}

// -----

// Device functions are functions that are not planned; kernels are not
// functions.
// CHECK-LABEL: gpu.module @device
gpu.module @device {
  // CHECK: func.func @helper
  // CHECK-NOT: memplan.arena
  func.func @helper(%i: index, %f: f32) {
    // expected-remark@+1 {{b0 not planned: it is in a function that many threads run}}
    %a = memref.alloc() : memref<16xf32, #gpu.address_space<workgroup>>
    memref.store %f, %a[%i] : memref<16xf32, #gpu.address_space<workgroup>>
    return
  }
  // CHECK: gpu.func @kernel
  gpu.func @kernel(%i: index, %f: f32) kernel {
    // expected-remark @below {{not planned: its function is no func.func but 'gpu.func'}}
    %a = memref.alloc() : memref<16xf32>
    memref.store %f, %a[%i] : memref<16xf32>
    gpu.return
  }
}
