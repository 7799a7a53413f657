// Fourteen selects, each of a new buffer or the last selected one, all read at
// the end: 2^14 combinations. The later buffers have the bytes of all.
//
// CHECK: arena @main: naive=1984 others=1024
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 1 : i64
  %k1 = arith.constant 2 : i64
  %k2 = arith.constant 3 : i64
  %k3 = arith.constant 4 : i64
  %k4 = arith.constant 5 : i64
  %k5 = arith.constant 6 : i64
  %k6 = arith.constant 7 : i64
  %k7 = arith.constant 8 : i64
  %k8 = arith.constant 9 : i64
  %k9 = arith.constant 10 : i64
  %k10 = arith.constant 11 : i64
  %k11 = arith.constant 12 : i64
  %k12 = arith.constant 13 : i64
  %k13 = arith.constant 14 : i64
  %k14 = arith.constant 15 : i64
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
  %a8 = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k8 : i64) outs(%a8 : memref<8xi64>)
  %a9 = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k9 : i64) outs(%a9 : memref<8xi64>)
  %a10 = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k10 : i64) outs(%a10 : memref<8xi64>)
  %a11 = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k11 : i64) outs(%a11 : memref<8xi64>)
  %a12 = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k12 : i64) outs(%a12 : memref<8xi64>)
  %a13 = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k13 : i64) outs(%a13 : memref<8xi64>)
  %a14 = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k14 : i64) outs(%a14 : memref<8xi64>)
  %x1 = memref.load %a0[%c0] : memref<8xi64>
  %n1 = arith.addi %x1, %k1 : i64
  %b1 = arith.andi %n1, %k1 : i64
  %d1 = arith.cmpi eq, %b1, %k1 : i64
  %s1 = scf.if %d1 -> memref<8xi64> {
    scf.yield %a0 : memref<8xi64>
  } else {
    scf.yield %a1 : memref<8xi64>
  }
  %x2 = memref.load %s1[%c0] : memref<8xi64>
  %n2 = arith.addi %x2, %k2 : i64
  %b2 = arith.andi %n2, %k1 : i64
  %d2 = arith.cmpi eq, %b2, %k1 : i64
  %s2 = scf.if %d2 -> memref<8xi64> {
    scf.yield %s1 : memref<8xi64>
  } else {
    scf.yield %a2 : memref<8xi64>
  }
  %x3 = memref.load %s2[%c0] : memref<8xi64>
  %n3 = arith.addi %x3, %k3 : i64
  %b3 = arith.andi %n3, %k1 : i64
  %d3 = arith.cmpi eq, %b3, %k1 : i64
  %s3 = scf.if %d3 -> memref<8xi64> {
    scf.yield %s2 : memref<8xi64>
  } else {
    scf.yield %a3 : memref<8xi64>
  }
  %x4 = memref.load %s3[%c0] : memref<8xi64>
  %n4 = arith.addi %x4, %k4 : i64
  %b4 = arith.andi %n4, %k1 : i64
  %d4 = arith.cmpi eq, %b4, %k1 : i64
  %s4 = scf.if %d4 -> memref<8xi64> {
    scf.yield %s3 : memref<8xi64>
  } else {
    scf.yield %a4 : memref<8xi64>
  }
  %x5 = memref.load %s4[%c0] : memref<8xi64>
  %n5 = arith.addi %x5, %k5 : i64
  %b5 = arith.andi %n5, %k1 : i64
  %d5 = arith.cmpi eq, %b5, %k1 : i64
  %s5 = scf.if %d5 -> memref<8xi64> {
    scf.yield %s4 : memref<8xi64>
  } else {
    scf.yield %a5 : memref<8xi64>
  }
  %x6 = memref.load %s5[%c0] : memref<8xi64>
  %n6 = arith.addi %x6, %k6 : i64
  %b6 = arith.andi %n6, %k1 : i64
  %d6 = arith.cmpi eq, %b6, %k1 : i64
  %s6 = scf.if %d6 -> memref<8xi64> {
    scf.yield %s5 : memref<8xi64>
  } else {
    scf.yield %a6 : memref<8xi64>
  }
  %x7 = memref.load %s6[%c0] : memref<8xi64>
  %n7 = arith.addi %x7, %k7 : i64
  %b7 = arith.andi %n7, %k1 : i64
  %d7 = arith.cmpi eq, %b7, %k1 : i64
  %s7 = scf.if %d7 -> memref<8xi64> {
    scf.yield %s6 : memref<8xi64>
  } else {
    scf.yield %a7 : memref<8xi64>
  }
  %x8 = memref.load %s7[%c0] : memref<8xi64>
  %n8 = arith.addi %x8, %k8 : i64
  %b8 = arith.andi %n8, %k1 : i64
  %d8 = arith.cmpi eq, %b8, %k1 : i64
  %s8 = scf.if %d8 -> memref<8xi64> {
    scf.yield %s7 : memref<8xi64>
  } else {
    scf.yield %a8 : memref<8xi64>
  }
  %x9 = memref.load %s8[%c0] : memref<8xi64>
  %n9 = arith.addi %x9, %k9 : i64
  %b9 = arith.andi %n9, %k1 : i64
  %d9 = arith.cmpi eq, %b9, %k1 : i64
  %s9 = scf.if %d9 -> memref<8xi64> {
    scf.yield %s8 : memref<8xi64>
  } else {
    scf.yield %a9 : memref<8xi64>
  }
  %x10 = memref.load %s9[%c0] : memref<8xi64>
  %n10 = arith.addi %x10, %k10 : i64
  %b10 = arith.andi %n10, %k1 : i64
  %d10 = arith.cmpi eq, %b10, %k1 : i64
  %s10 = scf.if %d10 -> memref<8xi64> {
    scf.yield %s9 : memref<8xi64>
  } else {
    scf.yield %a10 : memref<8xi64>
  }
  %x11 = memref.load %s10[%c0] : memref<8xi64>
  %n11 = arith.addi %x11, %k11 : i64
  %b11 = arith.andi %n11, %k1 : i64
  %d11 = arith.cmpi eq, %b11, %k1 : i64
  %s11 = scf.if %d11 -> memref<8xi64> {
    scf.yield %s10 : memref<8xi64>
  } else {
    scf.yield %a11 : memref<8xi64>
  }
  %x12 = memref.load %s11[%c0] : memref<8xi64>
  %n12 = arith.addi %x12, %k12 : i64
  %b12 = arith.andi %n12, %k1 : i64
  %d12 = arith.cmpi eq, %b12, %k1 : i64
  %s12 = scf.if %d12 -> memref<8xi64> {
    scf.yield %s11 : memref<8xi64>
  } else {
    scf.yield %a12 : memref<8xi64>
  }
  %x13 = memref.load %s12[%c0] : memref<8xi64>
  %n13 = arith.addi %x13, %k13 : i64
  %b13 = arith.andi %n13, %k1 : i64
  %d13 = arith.cmpi eq, %b13, %k1 : i64
  %s13 = scf.if %d13 -> memref<8xi64> {
    scf.yield %s12 : memref<8xi64>
  } else {
    scf.yield %a13 : memref<8xi64>
  }
  %x14 = memref.load %s13[%c0] : memref<8xi64>
  %n14 = arith.addi %x14, %k14 : i64
  %b14 = arith.andi %n14, %k1 : i64
  %d14 = arith.cmpi eq, %b14, %k1 : i64
  %s14 = scf.if %d14 -> memref<8xi64> {
    scf.yield %s13 : memref<8xi64>
  } else {
    scf.yield %a14 : memref<8xi64>
  }
  %r1 = memref.load %s1[%c0] : memref<8xi64>
  vector.print %r1 : i64
  %r2 = memref.load %s2[%c0] : memref<8xi64>
  vector.print %r2 : i64
  %r3 = memref.load %s3[%c0] : memref<8xi64>
  vector.print %r3 : i64
  %r4 = memref.load %s4[%c0] : memref<8xi64>
  vector.print %r4 : i64
  %r5 = memref.load %s5[%c0] : memref<8xi64>
  vector.print %r5 : i64
  %r6 = memref.load %s6[%c0] : memref<8xi64>
  vector.print %r6 : i64
  %r7 = memref.load %s7[%c0] : memref<8xi64>
  vector.print %r7 : i64
  %r8 = memref.load %s8[%c0] : memref<8xi64>
  vector.print %r8 : i64
  %r9 = memref.load %s9[%c0] : memref<8xi64>
  vector.print %r9 : i64
  %r10 = memref.load %s10[%c0] : memref<8xi64>
  vector.print %r10 : i64
  %r11 = memref.load %s11[%c0] : memref<8xi64>
  vector.print %r11 : i64
  %r12 = memref.load %s12[%c0] : memref<8xi64>
  vector.print %r12 : i64
  %r13 = memref.load %s13[%c0] : memref<8xi64>
  vector.print %r13 : i64
  %r14 = memref.load %s14[%c0] : memref<8xi64>
  vector.print %r14 : i64
  %u = memref.alloc() : memref<128xi64>
  linalg.fill ins(%k0 : i64) outs(%u : memref<128xi64>)
  %ur = memref.load %u[%c0] : memref<128xi64>
  vector.print %ur : i64
  return
}
