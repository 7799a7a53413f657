// PROGRAM: plain
// PROGRAM: plain dynamic=bounded
// PROGRAM: plain dynamic=bounded arena=global
// ARGUMENTS: 0, 3
// ARGUMENTS: 1, 1
// ARGUMENTS: 5, 2
// ARGUMENTS: 7, 40
// ARGUMENTS: 64, 40
// CHECK:      17
// CHECK-NEXT: 1569707540713005841
// CHECK-NEXT: 17
// CHECK-NEXT: 17
// CHECK-NEXT: 1065353743
// CHECK-NEXT: 1569707540713005841
// CHECK-NEXT: 17
// CHECK-NEXT: 1089238325
// CHECK-NEXT: 1065353743
// CHECK-NEXT: 17
// CHECK-NEXT: 5022375012791738065
// CHECK-NEXT: 1569707540713005841
// CHECK-NEXT: 1066364549711
// CHECK-NEXT: -3259741682158652277
// CHECK-NEXT: 1016934923657871
// CHECK-NEXT: 17
// CHECK-NEXT: 32804317400977
// CHECK-NEXT: 1073742351
// CHECK-NEXT: 1058168879695
// CHECK-NEXT: 34363949009
// CHECK-NEXT: 34099707857
// CHECK-NEXT: 1066364549711
// CHECK-NEXT: 1065353743
// CHECK-NEXT: 33058385268625
// CHECK-NEXT: -8600286581469283055
// CHECK-NEXT: 1569707540713005841
// CHECK-NEXT: 17
// CHECK-NEXT: 765148654476598559
// CHECK-NEXT: 977274496399702735
// CHECK-NEXT: 17
// CHECK-NEXT: 31524983719718737
// CHECK-NEXT: 1073742351
// CHECK-NEXT: 1016934923657871
// CHECK-NEXT: 34363949009
// CHECK-NEXT: 32804317400977
// CHECK-NEXT: 1066364549711
// CHECK-NEXT: 1058168879695
// CHECK-NEXT: 33058385268625
// CHECK-NEXT: 34099707857
// CHECK-NEXT: 1024811029652111
// CHECK-NEXT: 1065353743
// CHECK-NEXT: 31769143007637329
// CHECK-NEXT: -1636570217554984943
// CHECK-NEXT: 1569707540713005841
// CHECK-NEXT: 7407034404781759761
// CHECK-NEXT: -7576571049085113825
// CHECK-NEXT: -2158277792499304431
// CHECK-NEXT: 17
// CHECK-NEXT: -69621864310160945
// CHECK-NEXT: 1073742351
// CHECK-NEXT: 4758204216911317073
// CHECK-NEXT: 34363949009
// CHECK-NEXT: 3128771760785287567
// CHECK-NEXT: 1066364549711
// CHECK-NEXT: -3469409441373771631
// CHECK-NEXT: 33058385268625
// CHECK-NEXT: -1302028954513145521
// CHECK-NEXT: 1024811029652111
// CHECK-NEXT: -5397507278032693039
// CHECK-NEXT: 31769143007637329
// CHECK-NEXT: -2554338179805968113
// CHECK-NEXT: 984843434327276239
// CHECK-NEXT: -7818129391585289967
// CHECK-NEXT: 17
// CHECK-NEXT: -3227479024556343089
// CHECK-NEXT: 1073742351
// CHECK-NEXT: 1681056554692225361
// CHECK-NEXT: 34363949009
// CHECK-NEXT: 54227630760618127
// CHECK-NEXT: 1066364549711
// CHECK-NEXT: 6547368143240415633
// CHECK-NEXT: 33058385268625
// CHECK-NEXT: 9137049330573262927
// CHECK-NEXT: 1024811029652111
// CHECK-NEXT: 3865081089410267601
// CHECK-NEXT: 31769143007637329
// CHECK-NEXT: -3445657527547066353
// CHECK-NEXT: 984843434327276239
// CHECK-NEXT: 2269074798909012497
// CHECK-NEXT: 17
// CHECK-NEXT: -7067479164087648305
// CHECK-NEXT: 1073742351
// CHECK-NEXT: 962129322007104081
// CHECK-NEXT: 34363949009
// CHECK-NEXT: -3539301132947134577
// CHECK-NEXT: 1066364549711
// CHECK-NEXT: -6064733608746882415
// CHECK-NEXT: 33058385268625
// CHECK-NEXT: -7931367953809080497
// CHECK-NEXT: 1024811029652111
// CHECK-NEXT: -6206413183613379887
// CHECK-NEXT: 31769143007637329
// CHECK-NEXT: 1584961904400172815
// CHECK-NEXT: 984843434327276239
// CHECK-NEXT: 8381915449523362577
// CHECK-NEXT: 17
// CHECK-NEXT: 7411059494610599631
// CHECK-NEXT: 1073742351
// CHECK-NEXT: -2141158606494733487
// CHECK-NEXT: 34363949009
// CHECK-NEXT: 2906211669707875983
// CHECK-NEXT: 1066364549711
// CHECK-NEXT: -1096363757381284975
// CHECK-NEXT: 33058385268625
// CHECK-NEXT: -6580985437719183793
// CHECK-NEXT: 1024811029652111
// CHECK-NEXT: -2592514894634370095
// CHECK-NEXT: 31769143007637329
// CHECK-NEXT: -4249023335861582321
// CHECK-NEXT: 984843434327276239
// CHECK-NEXT: -5492571612914680815
// CHECK-NEXT: 17
// CHECK-NEXT: 417876530957663695
// CHECK-NEXT: 1073742351
// CHECK-NEXT: -8912364018573947823
// CHECK-NEXT: 34363949009
// CHECK-NEXT: 6258123251326608783
// CHECK-NEXT: 1066364549711
// CHECK-NEXT: 1391987464439999633
// CHECK-NEXT: 33058385268625
// CHECK-NEXT: 8970746728031550799
// CHECK-NEXT: 1024811029652111
// CHECK-NEXT: -2685902375536157487
// CHECK-NEXT: 31769143007637329
// CHECK-NEXT: -6632260877014366961
// CHECK-NEXT: 984843434327276239
// CHECK-NEXT: -2594168941063103215
// CHECK-NEXT: 17
// CHECK-NEXT: 1701485912224595151
// CHECK-NEXT: 1073742351
// CHECK-NEXT: -4110507180801446575
// CHECK-NEXT: 34363949009
// CHECK-NEXT: 4627853077670093967
// CHECK-NEXT: 1066364549711
// CHECK-NEXT: -3421051979538346607
// CHECK-NEXT: 33058385268625
// CHECK-NEXT: 6435262349360184399
// CHECK-NEXT: 1024811029652111
// CHECK-NEXT: -8718254798625276463
// CHECK-NEXT: 31769143007637329
// CHECK-NEXT: 6859441099509335055
// CHECK-NEXT: 984843434327276239
// CHECK-NEXT: 221272293497093649
// CHECK-NEXT: 17
// CHECK-NEXT: -5348368528096379953
// CHECK-NEXT: 1073742351
// CHECK-NEXT: 1017584503813705297
// CHECK-NEXT: 34363949009
// CHECK-NEXT: 32825306539254671
// CHECK-NEXT: 1066364549711
// CHECK-NEXT: -6544559984043921775
// CHECK-NEXT: 33058385268625
// CHECK-NEXT: 8119672807961131855
// CHECK-NEXT: 1024811029652111
// CHECK-NEXT: 5022375012791738065
// CHECK-NEXT: 31769143007637329
// CHECK-NEXT: -1623156684175146225
// CHECK-NEXT: 984843434327276239
// CHECK-NEXT: -6597978757937799407
// CHECK-NEXT: 17
// CHECK-NEXT: 977274496399702735
// CHECK-NEXT: 1073742351
// CHECK-NEXT: 31524983719718737
// CHECK-NEXT: 34363949009
// CHECK-NEXT: 1016934923657871
// CHECK-NEXT: 1066364549711
// CHECK-NEXT: 32804317400977
// CHECK-NEXT: 33058385268625
// CHECK-NEXT: 1058168879695
// CHECK-NEXT: 1024811029652111
// CHECK-NEXT: 34099707857
// CHECK-NEXT: 31769143007637329
// CHECK-NEXT: 1065353743
// CHECK-NEXT: 984843434327276239

// Extents with bounds, and sizes that follow from them: products, differences,
// remainders.

func.func @f(%x: memref<?x?xf32> {memplan.dim_bounds = array<i64: 0, 64, 1, 1, 40, 1>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  %nm = arith.muli %n, %m : index
  %dd = arith.subi %n, %m : index
  %d = arith.maxsi %dd, %c0 : index
  %a = memref.alloc(%nm) : memref<?xf32>
  func.call @iota(%a, %one) : (memref<?xf32>, f32) -> ()
  %b = memref.alloc(%d) : memref<?xf32>
  func.call @iota(%b, %two) : (memref<?xf32>, f32) -> ()
  %c = memref.alloc(%n, %m) : memref<?x?xf32>
  linalg.exp ins(%x : memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  func.call @chk(%a) : (memref<?xf32>) -> ()
  memref.dealloc %a : memref<?xf32>
  %k = memref.alloc() : memref<1000xf32>
  linalg.fill ins(%one : f32) outs(%k : memref<1000xf32>)
  %kk = memref.cast %k : memref<1000xf32> to memref<?xf32>
  func.call @chk(%kk) : (memref<?xf32>) -> ()
  memref.dealloc %k : memref<1000xf32>
  %cc = memref.collapse_shape %c [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  func.call @chk(%b) : (memref<?xf32>) -> ()
  func.call @chk(%cc) : (memref<?xf32>) -> ()
  memref.dealloc %b : memref<?xf32>
  memref.dealloc %c : memref<?x?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %r = arith.subi %n, %i : index
    %t = arith.remui %i, %c8 : index
  %u = memref.alloc(%r) : memref<?xf32>
  func.call @iota(%u, %one) : (memref<?xf32>, f32) -> ()
  %v = memref.alloc(%t) : memref<?xf32>
  func.call @iota(%v, %two) : (memref<?xf32>, f32) -> ()
  func.call @chk(%u) : (memref<?xf32>) -> ()
  func.call @chk(%v) : (memref<?xf32>) -> ()
  memref.dealloc %u : memref<?xf32>
  memref.dealloc %v : memref<?xf32>
  }
  return
}
func.func @main(%n0: index, %n1: index) {
  %x0 = memref.alloc(%n0, %n1) : memref<?x?xf32>
  %xc0 = memref.collapse_shape %x0 [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  %cx0 = arith.constant 2.0 : f32
  func.call @iota(%xc0, %cx0) : (memref<?xf32>, f32) -> ()
  func.call @f(%x0) : (memref<?x?xf32>) -> ()
  memref.dealloc %x0 : memref<?x?xf32>
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
