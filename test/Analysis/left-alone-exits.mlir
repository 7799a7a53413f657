// Functions with exits that are not known: the arena could not be released
// there, and earlier deallocations would be missing.
// RUN: memplan-opt %s --plan-memory --split-input-file -allow-unregistered-dialect \
// RUN:   --remarks-filter='plan.*' -verify-diagnostics > %t
// RUN: sed s/expected-// %s | memplan-opt --split-input-file -allow-unregistered-dialect | diff %t -

func.func @leaves(%x: f32, %i: index) {
  // expected-remark@+1 {{b0 not planned: it is in a function that 'some.return' may leave, which is no return}}
  %a = memref.alloc() : memref<16xf32>
  memref.store %x, %a[%i] : memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  "some.return"() : () -> ()
}

// -----

func.func @leaves_on_one_path(%c: i1, %x: f32, %i: index) {
  // expected-remark@+1 {{b0 not planned: it is in a function that 'some.raise' may leave}}
  %a = memref.alloc() : memref<16xf32>
  memref.store %x, %a[%i] : memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  cf.cond_br %c, ^ok, ^error
^ok:
  return
^error:
  "some.raise"() : () -> ()
}

// -----

// It may leave the function or branch to the block.
func.func @leaves_or_branches(%x: f32, %i: index) {
  // expected-remark@+1 {{b0 not planned: it is in a function that 'some.branch' may leave}}
  %a = memref.alloc() : memref<16xf32>
  memref.store %x, %a[%i] : memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  "some.branch"()[^next] : () -> ()
^next:
  return
}

// -----

func.func @leaves_from_inside(%c: i1, %x: f32, %i: index) {
  // expected-remark@+1 {{b0 not planned: it is in a function that 'some.return' may leave}}
  %a = memref.alloc() : memref<16xf32>
  memref.store %x, %a[%i] : memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  scf.execute_region {
    cf.cond_br %c, ^on, ^leave
  ^on:
    scf.yield
  ^leave:
    "some.return"() : () -> ()
  }
  return
}

// -----

func.func @returns_from_inside(%c: i1, %x: f32, %i: index) {
  // expected-remark@+1 {{b0 not planned: it is in a function that 'llvm.return' may leave}}
  %a = memref.alloc() : memref<16xf32>
  memref.store %x, %a[%i] : memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  scf.execute_region {
    cf.cond_br %c, ^on, ^leave
  ^on:
    scf.yield
  ^leave:
    llvm.return
  }
  return
}
