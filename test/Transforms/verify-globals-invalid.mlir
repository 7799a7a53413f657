// A global arena belongs to one activation of its function at a time.

// RUN: memplan-opt %s --memplan-verify=quiet=true --split-input-file --verify-diagnostics

func.func private @recursive(%o: memref<16xf32>, %c: i1) {
  // expected-error @+1 {{is one variable of the module, but @recursive may be called again before it returns}}
  %arena = memplan.arena global align(64) : memref<64xi8>
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.exp ins(%o : memref<16xf32>) outs(%a : memref<16xf32>)
  scf.if %c {
    // expected-note @+1 {{this leads to @recursive}}
    func.call @step(%o, %c) : (memref<16xf32>, i1) -> ()
  }
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  return
}
func.func private @step(%o: memref<16xf32>, %c: i1) {
  call @recursive(%o, %c) : (memref<16xf32>, i1) -> ()
  return
}

// -----

func.func private @twice(%o: memref<16xf32>) {
  // expected-error @+1 {{is one variable of the module, but @twice may run more than once at a time}}
  %arena = memplan.arena global align(64) : memref<64xi8>
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.exp ins(%o : memref<16xf32>) outs(%a : memref<16xf32>)
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  return
}
func.func @beside(%o: memref<16xf32>, %p: memref<16xf32>) {
  %t = async.execute {
    // expected-note @+1 {{@twice is called here, where calls may run at the same time}}
    func.call @twice(%o) : (memref<16xf32>) -> ()
    async.yield
  }
  func.call @twice(%p) : (memref<16xf32>) -> ()
  async.await %t : !async.token
  return
}

// -----

// Through functions that call each other, in either order in the text.
func.func private @leaf(%o: memref<16xf32>) {
  // expected-error @+1 {{is one variable of the module, but @leaf may run more than once at a time}}
  %arena = memplan.arena global align(64) : memref<64xi8>
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.exp ins(%o : memref<16xf32>) outs(%a : memref<16xf32>)
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  return
}
func.func @q(%c: i1, %o: memref<16xf32>) {
  scf.if %c {
    func.call @p(%c, %o) : (i1, memref<16xf32>) -> ()
  }
  return
}
func.func @p(%c: i1, %o: memref<16xf32>) {
  call @leaf(%o) : (memref<16xf32>) -> ()
  call @q(%c, %o) : (i1, memref<16xf32>) -> ()
  return
}
func.func @parallel(%c: i1, %o: memref<16xf32>) {
  scf.forall (%i) in (8) {
    // expected-note @+1 {{@q, which leads to @leaf, is called here, where calls may run at the same time}}
    func.call @q(%c, %o) : (i1, memref<16xf32>) -> ()
  }
  return
}

// -----

func.func private @foreign(%o: memref<16xf32>) {
  // expected-error @+1 {{is one variable of the module, but @foreign may run more than once at a time}}
  %arena = memplan.arena global align(64) : memref<64xi8>
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.exp ins(%o : memref<16xf32>) outs(%a : memref<16xf32>)
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  return
}
// expected-note @+1 {{@task, which leads to @foreign, is no 'func.func': its callers are not followed}}
async.func @task(%o: memref<16xf32>) -> !async.token {
  func.call @foreign(%o) : (memref<16xf32>) -> ()
  return
}

// -----

func.func private @addressed(%o: memref<16xf32>) {
  // expected-error @+1 {{is one variable of the module, but @addressed may run more than once at a time}}
  %arena = memplan.arena global align(64) : memref<64xi8>
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.exp ins(%o : memref<16xf32>) outs(%a : memref<16xf32>)
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  return
}
func.func @names() -> ((memref<16xf32>) -> ()) {
  // expected-note @+1 {{@addressed is named here other than by a 'func.call' of a function}}
  %f = constant @addressed : (memref<16xf32>) -> ()
  return %f : (memref<16xf32>) -> ()
}

// -----

func.func @in_loop(%o: memref<8x16xf32>) {
  // expected-note @+1 {{by way of this op}}
  scf.forall (%i) in (8) {
    // expected-error @+1 {{is one variable of the module, but may be in use more than once at a time}}
    %arena = memplan.arena global align(64) : memref<64xi8>
    %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
    %s = memref.subview %o[%i, 0] [1, 16] [1, 1] : memref<8x16xf32> to memref<16xf32, strided<[1], offset: ?>>
    linalg.exp ins(%s : memref<16xf32, strided<[1], offset: ?>>) outs(%a : memref<16xf32>)
    memref.copy %a, %s : memref<16xf32> to memref<16xf32, strided<[1], offset: ?>>
  }
  return
}

// -----

// Two functions use one variable.
memref.global "private" @shared : memref<64xi8> = uninitialized {alignment = 64 : i64}
func.func private @callee(%o: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{the arena}}
  %arena = memref.get_global @shared : memref<64xi8> {memplan.arena}
  %a = memref.view %arena[%c0][] : memref<64xi8> to memref<16xf32>
  linalg.exp ins(%o : memref<16xf32>) outs(%a : memref<16xf32>)
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  return
}
func.func @caller(%o: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{uses @shared, which is an arena}}
  %arena = memref.get_global @shared : memref<64xi8> {memplan.arena}
  %a = memref.view %arena[%c0][] : memref<64xi8> to memref<16xf32>
  linalg.exp ins(%o : memref<16xf32>) outs(%a : memref<16xf32>)
  call @callee(%o) : (memref<16xf32>) -> ()
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  return
}

// -----

// One variable is used as two arenas of a function.
memref.global "private" @shared : memref<64xi8> = uninitialized {alignment = 64 : i64}
func.func @two_arenas(%o: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{the arena}}
  %arena = memref.get_global @shared : memref<64xi8> {memplan.arena}
  // expected-error @+1 {{uses @shared, which is an arena}}
  %other = memref.get_global @shared : memref<64xi8> {memplan.arena}
  %a = memref.view %arena[%c0][] : memref<64xi8> to memref<16xf32>
  linalg.exp ins(%o : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.view %other[%c0][] : memref<64xi8> to memref<16xf32>
  linalg.abs ins(%o : memref<16xf32>) outs(%b : memref<16xf32>)
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  return
}

// -----

// The program uses the arena as other memory.
memref.global "private" @shared : memref<64xi8> = uninitialized {alignment = 64 : i64}
func.func @writes() {
  %c0 = arith.constant 0 : index
  %x = arith.constant 1 : i8
  // expected-error @+1 {{uses @shared, which is an arena}}
  %memory = memref.get_global @shared : memref<64xi8>
  memref.store %x, %memory[%c0] : memref<64xi8>
  return
}
func.func @written(%o: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{the arena}}
  %arena = memref.get_global @shared : memref<64xi8> {memplan.arena}
  // expected-error @+1 {{uses @shared, which is an arena}}
  %memory = memref.get_global @shared : memref<64xi8>
  %a = memref.view %arena[%c0][] : memref<64xi8> to memref<16xf32>
  linalg.exp ins(%o : memref<16xf32>) outs(%a : memref<16xf32>)
  call @writes() : () -> ()
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  return
}

// -----

// expected-note @+1 {{the variable}}
memref.global "private" constant @fixed : memref<64xi8> = dense<0> {alignment = 64 : i64}
func.func @in_constant(%o: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{is an arena in @fixed, which is constant}}
  %arena = memref.get_global @fixed : memref<64xi8> {memplan.arena}
  %a = memref.view %arena[%c0][] : memref<64xi8> to memref<16xf32>
  linalg.exp ins(%o : memref<16xf32>) outs(%a : memref<16xf32>)
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  return
}

// -----

// All of these are correct: calls one after the other, by functions that call
// each other while the arena is not in use.
func.func private @once(%o: memref<16xf32>) {
  %arena = memplan.arena global align(64) : memref<64xi8>
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.exp ins(%o : memref<16xf32>) outs(%a : memref<16xf32>)
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  return
}
func.func @even(%n: index, %o: memref<16xf32>) {
  call @once(%o) : (memref<16xf32>) -> ()
  call @odd(%n, %o) : (index, memref<16xf32>) -> ()
  return
}
func.func @odd(%n: index, %o: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    func.call @once(%o) : (memref<16xf32>) -> ()
    func.call @even(%i, %o) : (index, memref<16xf32>) -> ()
  }
  return
}

// -----

// A constant is read-only, whether or not it is in an arena.

// expected-note @+1 {{the constant}}
memref.global "private" constant @constant : memref<4xf32> = dense<1.0>
func.func @writes_a_constant(%value: f32, %i: index) {
  %constant = memref.get_global @constant : memref<4xf32>
  // expected-error @+1 {{writes to the constant @constant}}
  memref.store %value, %constant[%i] : memref<4xf32>
  return
}
