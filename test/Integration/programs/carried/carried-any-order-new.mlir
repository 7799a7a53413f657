// Eight buffers in whatever order the iterations have brought them: 8! ways.
// Each iteration makes one of them anew.
// CHECK: arena @main: naive=1536 others=1024
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %k0 = arith.constant 1 : i64
  %k1 = arith.constant 2 : i64
  %k2 = arith.constant 3 : i64
  %k3 = arith.constant 4 : i64
  %k4 = arith.constant 5 : i64
  %k5 = arith.constant 6 : i64
  %k6 = arith.constant 7 : i64
  %k7 = arith.constant 8 : i64
  %a0 = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k0 : i64) outs(%a0 : memref<8xi64>)
  %a1 = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a1 : memref<8xi64>)
  %a2 = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k2 : i64) outs(%a2 : memref<8xi64>)
  %a3 = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k3 : i64) outs(%a3 : memref<8xi64>)
  %a4 = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k4 : i64) outs(%a4 : memref<8xi64>)
  %a5 = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k5 : i64) outs(%a5 : memref<8xi64>)
  %a6 = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k6 : i64) outs(%a6 : memref<8xi64>)
  %a7 = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k7 : i64) outs(%a7 : memref<8xi64>)
  %r:8 = scf.for %i = %c0 to %c5 step %c1 iter_args(%b0 = %a0, %b1 = %a1, %b2 = %a2, %b3 = %a3, %b4 = %a4, %b5 = %a5, %b6 = %a6, %b7 = %a7) -> (memref<8xi64>, memref<8xi64>, memref<8xi64>, memref<8xi64>, memref<8xi64>, memref<8xi64>, memref<8xi64>, memref<8xi64>) {
    %x0 = memref.load %b0[%c0] : memref<8xi64>
    %y0 = memref.load %b1[%c0] : memref<8xi64>
    %m0 = arith.xori %x0, %y0 : i64
    %t0 = arith.trunci %m0 : i64 to i1
    %s0:2 = scf.if %t0 -> (memref<8xi64>, memref<8xi64>) {
      scf.yield %b0, %b1 : memref<8xi64>, memref<8xi64>
    } else {
      scf.yield %b1, %b0 : memref<8xi64>, memref<8xi64>
    }
    %x1 = memref.load %s0#1[%c0] : memref<8xi64>
    %y1 = memref.load %b2[%c0] : memref<8xi64>
    %m1 = arith.xori %x1, %y1 : i64
    %t1 = arith.trunci %m1 : i64 to i1
    %s1:2 = scf.if %t1 -> (memref<8xi64>, memref<8xi64>) {
      scf.yield %s0#1, %b2 : memref<8xi64>, memref<8xi64>
    } else {
      scf.yield %b2, %s0#1 : memref<8xi64>, memref<8xi64>
    }
    %x2 = memref.load %s1#1[%c0] : memref<8xi64>
    %y2 = memref.load %b3[%c0] : memref<8xi64>
    %m2 = arith.xori %x2, %y2 : i64
    %t2 = arith.trunci %m2 : i64 to i1
    %s2:2 = scf.if %t2 -> (memref<8xi64>, memref<8xi64>) {
      scf.yield %s1#1, %b3 : memref<8xi64>, memref<8xi64>
    } else {
      scf.yield %b3, %s1#1 : memref<8xi64>, memref<8xi64>
    }
    %x3 = memref.load %s2#1[%c0] : memref<8xi64>
    %y3 = memref.load %b4[%c0] : memref<8xi64>
    %m3 = arith.xori %x3, %y3 : i64
    %t3 = arith.trunci %m3 : i64 to i1
    %s3:2 = scf.if %t3 -> (memref<8xi64>, memref<8xi64>) {
      scf.yield %s2#1, %b4 : memref<8xi64>, memref<8xi64>
    } else {
      scf.yield %b4, %s2#1 : memref<8xi64>, memref<8xi64>
    }
    %x4 = memref.load %s3#1[%c0] : memref<8xi64>
    %y4 = memref.load %b5[%c0] : memref<8xi64>
    %m4 = arith.xori %x4, %y4 : i64
    %t4 = arith.trunci %m4 : i64 to i1
    %s4:2 = scf.if %t4 -> (memref<8xi64>, memref<8xi64>) {
      scf.yield %s3#1, %b5 : memref<8xi64>, memref<8xi64>
    } else {
      scf.yield %b5, %s3#1 : memref<8xi64>, memref<8xi64>
    }
    %x5 = memref.load %s4#1[%c0] : memref<8xi64>
    %y5 = memref.load %b6[%c0] : memref<8xi64>
    %m5 = arith.xori %x5, %y5 : i64
    %t5 = arith.trunci %m5 : i64 to i1
    %s5:2 = scf.if %t5 -> (memref<8xi64>, memref<8xi64>) {
      scf.yield %s4#1, %b6 : memref<8xi64>, memref<8xi64>
    } else {
      scf.yield %b6, %s4#1 : memref<8xi64>, memref<8xi64>
    }
    %x6 = memref.load %s5#1[%c0] : memref<8xi64>
    %y6 = memref.load %b7[%c0] : memref<8xi64>
    %m6 = arith.xori %x6, %y6 : i64
    %t6 = arith.trunci %m6 : i64 to i1
    %s6:2 = scf.if %t6 -> (memref<8xi64>, memref<8xi64>) {
      scf.yield %s5#1, %b7 : memref<8xi64>, memref<8xi64>
    } else {
      scf.yield %b7, %s5#1 : memref<8xi64>, memref<8xi64>
    }
    %v = memref.load %s0#0[%c0] : memref<8xi64>
    %w = arith.muli %v, %k2 : i64
    %new = memref.alloc() : memref<8xi64>
    linalg.fill ins(%w : i64) outs(%new : memref<8xi64>)
    scf.yield %s0#0, %s1#0, %s2#0, %s3#0, %s4#0, %s5#0, %s6#0, %new : memref<8xi64>, memref<8xi64>, memref<8xi64>, memref<8xi64>, memref<8xi64>, memref<8xi64>, memref<8xi64>, memref<8xi64>
  }
  %z0 = memref.load %r#0[%c1] : memref<8xi64>
  vector.print %z0 : i64
  %z1 = memref.load %r#1[%c1] : memref<8xi64>
  vector.print %z1 : i64
  %z2 = memref.load %r#2[%c1] : memref<8xi64>
  vector.print %z2 : i64
  %z3 = memref.load %r#3[%c1] : memref<8xi64>
  vector.print %z3 : i64
  %z4 = memref.load %r#4[%c1] : memref<8xi64>
  vector.print %z4 : i64
  %z5 = memref.load %r#5[%c1] : memref<8xi64>
  vector.print %z5 : i64
  %z6 = memref.load %r#6[%c1] : memref<8xi64>
  vector.print %z6 : i64
  %z7 = memref.load %r#7[%c1] : memref<8xi64>
  vector.print %z7 : i64
  %u = memref.alloc() : memref<128xi64>
  linalg.fill ins(%k0 : i64) outs(%u : memref<128xi64>)
  %ur = memref.load %u[%c0] : memref<128xi64>
  vector.print %ur : i64
  return
}
