// A loop of free length allocates buffers whose sizes depend on the iteration, which are
// not planned, and one whose size does not.
// ARGUMENTS: 0
// ARGUMENTS: 1
// ARGUMENTS: 5
// ARGUMENTS: 20
// CHECK:      17
// CHECK-NEXT: 17
// CHECK-NEXT: 1073742351
// CHECK-NEXT: 1073742351
// CHECK-NEXT: 1065353743
// CHECK-NEXT: 17
// CHECK-NEXT: 1024811029652111
// CHECK-NEXT: 1024811029652111
// CHECK-NEXT: 1065353743
// CHECK-NEXT: 33058385268625
// CHECK-NEXT: 1024811029652111
// CHECK-NEXT: 34099707857
// CHECK-NEXT: 1066364549711
// CHECK-NEXT: 1024811029652111
// CHECK-NEXT: 1058168879695
// CHECK-NEXT: 34363949009
// CHECK-NEXT: 1024811029652111
// CHECK-NEXT: 32804317400977
// CHECK-NEXT: 1073742351
// CHECK-NEXT: 1024811029652111
// CHECK-NEXT: 1016672387490447
// CHECK-NEXT: 17
// CHECK-NEXT: -2020079249037177455
// CHECK-NEXT: -2020079249037177455
// CHECK-NEXT: 1065353743
// CHECK-NEXT: -65163846778667953
// CHECK-NEXT: -2020079249037177455
// CHECK-NEXT: 34099707857
// CHECK-NEXT: 7733629326140145105
// CHECK-NEXT: -2020079249037177455
// CHECK-NEXT: 1058168879695
// CHECK-NEXT: 5604978257691149327
// CHECK-NEXT: -2020079249037177455
// CHECK-NEXT: 32804317400977
// CHECK-NEXT: 5536312094192811537
// CHECK-NEXT: -2020079249037177455
// CHECK-NEXT: 1016934923657871
// CHECK-NEXT: -1011521808204055601
// CHECK-NEXT: -2020079249037177455
// CHECK-NEXT: 31524983719718737
// CHECK-NEXT: -3007911037995184559
// CHECK-NEXT: -2020079249037177455
// CHECK-NEXT: 977274496399702735
// CHECK-NEXT: 4663420695180108687
// CHECK-NEXT: -2020079249037177455
// CHECK-NEXT: -6597978757937799407
// CHECK-NEXT: -8180354720575820143
// CHECK-NEXT: -2020079249037177455
// CHECK-NEXT: -1623156684175146225
// CHECK-NEXT: 6876792714930420559
// CHECK-NEXT: -2020079249037177455
// CHECK-NEXT: 5022375012791738065
// CHECK-NEXT: 9147675929660612305
// CHECK-NEXT: -2020079249037177455
// CHECK-NEXT: 8119672807961131855
// CHECK-NEXT: 5650592664256545551
// CHECK-NEXT: -2020079249037177455
// CHECK-NEXT: -6544559984043921775
// CHECK-NEXT: -6363341682181972207
// CHECK-NEXT: -2020079249037177455
// CHECK-NEXT: 32825306539254671
// CHECK-NEXT: 984843434327276239
// CHECK-NEXT: -2020079249037177455
// CHECK-NEXT: 1017584503813705297
// CHECK-NEXT: 31769143007637329
// CHECK-NEXT: -2020079249037177455
// CHECK-NEXT: -5348368528096379953
// CHECK-NEXT: 1024811029652111
// CHECK-NEXT: -2020079249037177455
// CHECK-NEXT: 221272293497093649
// CHECK-NEXT: 33058385268625
// CHECK-NEXT: -2020079249037177455
// CHECK-NEXT: 6859441099509335055
// CHECK-NEXT: 1066364549711
// CHECK-NEXT: -2020079249037177455
// CHECK-NEXT: -8718254798625276463
// CHECK-NEXT: 34363949009
// CHECK-NEXT: -2020079249037177455
// CHECK-NEXT: 6435262349360184399
// CHECK-NEXT: 1073742351
// CHECK-NEXT: -2020079249037177455
// CHECK-NEXT: 5755620966300929425
// CHECK: arena @f: naive=any others=any
// CHECK: left @f: 2

func.func @f(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %z = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%z : memref<?xf32>)
  scf.for %i = %c0 to %n step %c1 {
  %rest = arith.subi %n, %i : index
  %a = memref.alloc(%i) : memref<?xf32>
  func.call @iota(%a, %one) : (memref<?xf32>, f32) -> ()
  %b = memref.alloc(%rest) : memref<?xf32>
  func.call @iota(%b, %two) : (memref<?xf32>, f32) -> ()
  %d = memref.alloc(%n) : memref<?xf32>
  func.call @iota(%d, %two) : (memref<?xf32>, f32) -> ()
  func.call @chk(%a) : (memref<?xf32>) -> ()
  memref.dealloc %a : memref<?xf32>
  func.call @chk(%b) : (memref<?xf32>) -> ()
  memref.dealloc %b : memref<?xf32>
  func.call @chk(%d) : (memref<?xf32>) -> ()
  memref.dealloc %d : memref<?xf32>
  }
  func.call @chk(%z) : (memref<?xf32>) -> ()
  memref.dealloc %z : memref<?xf32>
  return
}
func.func @main(%n0: index) {
  %x0 = memref.alloc(%n0) : memref<?xf32>
  %cx0 = arith.constant 2.0 : f32
  func.call @iota(%x0, %cx0) : (memref<?xf32>, f32) -> ()
  func.call @f(%x0) : (memref<?xf32>) -> ()
  memref.dealloc %x0 : memref<?xf32>
  return
}
func.func private @printI64(i64)
func.func private @printNewline()
func.func @chk(%m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s0 = arith.constant 17 : i64
  %k = arith.constant 31 : i64
  %n = memref.dim %m, %c0 : memref<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %s0) -> (i64) {
    %v = memref.load %m[%i] : memref<?xf32>
    %b = arith.bitcast %v : f32 to i32
    %w = arith.extui %b : i32 to i64
    %x = arith.muli %s, %k : i64
    %y = arith.addi %x, %w : i64
    scf.yield %y : i64
  }
  func.call @printI64(%r) : (i64) -> ()
  func.call @printNewline() : () -> ()
  return
}
func.func @iota(%m: memref<?xf32>, %base: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.index_cast %i : index to i32
    %f = arith.sitofp %j : i32 to f32
    %g = arith.addf %f, %base : f32
    memref.store %g, %m[%i] : memref<?xf32>
  }
  return
}
