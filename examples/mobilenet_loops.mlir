// Written by mobilenet_loops.py.
func.func @network(%in: memref<64x64x3xf32>,
                   %w0: memref<3x3x3x8xf32>,
                   %w1: memref<8xf32>,
                   %w2: memref<3x3x8xf32>,
                   %w3: memref<8xf32>,
                   %w4: memref<8x16xf32>,
                   %w5: memref<16xf32>,
                   %w6: memref<3x3x16xf32>,
                   %w7: memref<16xf32>,
                   %w8: memref<16x32xf32>,
                   %w9: memref<32xf32>,
                   %w10: memref<3x3x32xf32>,
                   %w11: memref<32xf32>,
                   %w12: memref<32x32xf32>,
                   %w13: memref<32xf32>,
                   %w14: memref<3x3x32xf32>,
                   %w15: memref<32xf32>,
                   %w16: memref<32x64xf32>,
                   %w17: memref<64xf32>,
                   %w18: memref<3x3x64xf32>,
                   %w19: memref<64xf32>,
                   %w20: memref<64x64xf32>,
                   %w21: memref<64xf32>,
                   %w22: memref<64x10xf32>,
                   %out: memref<10xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c10 = arith.constant 10 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %a1 = memref.alloc() : memref<32x32x8xf32>
  scf.for %i2 = %c0 to %c32 step %c1 {
    scf.for %i3 = %c0 to %c32 step %c1 {
      scf.for %i4 = %c0 to %c8 step %c1 {
        %r7 = scf.for %k5 = %c0 to %c3 step %c1 iter_args(%s6 = %zero) -> (f32) {
          %r10 = scf.for %k8 = %c0 to %c3 step %c1 iter_args(%s9 = %s6) -> (f32) {
            %p11 = affine.apply affine_map<(i, k) -> (i * 2 + k - 1)>(%i2, %k5)
            %p12 = affine.apply affine_map<(i, k) -> (i * 2 + k - 1)>(%i3, %k8)
            %g13 = arith.cmpi ult, %p11, %c64 : index
            %g14 = arith.cmpi ult, %p12, %c64 : index
            %g15 = arith.andi %g13, %g14 : i1
            %v16 = scf.if %g15 -> (f32) {
              %r19 = scf.for %k17 = %c0 to %c3 step %c1 iter_args(%s18 = %s9) -> (f32) {
                %x20 = memref.load %in[%p11, %p12, %k17] : memref<64x64x3xf32>
                %f21 = memref.load %w0[%k5, %k8, %k17, %i4] : memref<3x3x3x8xf32>
                %m22 = arith.mulf %x20, %f21 : f32
                %t23 = arith.addf %s18, %m22 : f32
                scf.yield %t23 : f32
              }
              scf.yield %r19 : f32
            } else {
              scf.yield %s9 : f32
            }
            scf.yield %v16 : f32
          }
          scf.yield %r10 : f32
        }
        %b24 = memref.load %w1[%i4] : memref<8xf32>
        %y25 = arith.addf %r7, %b24 : f32
        %z26 = arith.maximumf %y25, %zero : f32
        memref.store %z26, %a1[%i2, %i3, %i4] : memref<32x32x8xf32>
      }
    }
  }
  %a27 = memref.alloc() : memref<32x32x8xf32>
  scf.for %i28 = %c0 to %c32 step %c1 {
    scf.for %i29 = %c0 to %c32 step %c1 {
      scf.for %i30 = %c0 to %c8 step %c1 {
        %r33 = scf.for %k31 = %c0 to %c3 step %c1 iter_args(%s32 = %zero) -> (f32) {
          %r36 = scf.for %k34 = %c0 to %c3 step %c1 iter_args(%s35 = %s32) -> (f32) {
            %p37 = affine.apply affine_map<(i, k) -> (i * 1 + k - 1)>(%i28, %k31)
            %p38 = affine.apply affine_map<(i, k) -> (i * 1 + k - 1)>(%i29, %k34)
            %g39 = arith.cmpi ult, %p37, %c32 : index
            %g40 = arith.cmpi ult, %p38, %c32 : index
            %g41 = arith.andi %g39, %g40 : i1
            %v42 = scf.if %g41 -> (f32) {
              %x43 = memref.load %a1[%p37, %p38, %i30] : memref<32x32x8xf32>
              %f44 = memref.load %w2[%k31, %k34, %i30] : memref<3x3x8xf32>
              %m45 = arith.mulf %x43, %f44 : f32
              %t46 = arith.addf %s35, %m45 : f32
              scf.yield %t46 : f32
            } else {
              scf.yield %s35 : f32
            }
            scf.yield %v42 : f32
          }
          scf.yield %r36 : f32
        }
        %b47 = memref.load %w3[%i30] : memref<8xf32>
        %y48 = arith.addf %r33, %b47 : f32
        %z49 = arith.maximumf %y48, %zero : f32
        memref.store %z49, %a27[%i28, %i29, %i30] : memref<32x32x8xf32>
      }
    }
  }
  %a50 = memref.alloc() : memref<32x32x16xf32>
  scf.for %i51 = %c0 to %c32 step %c1 {
    scf.for %i52 = %c0 to %c32 step %c1 {
      scf.for %i53 = %c0 to %c16 step %c1 {
        %r56 = scf.for %k54 = %c0 to %c8 step %c1 iter_args(%s55 = %zero) -> (f32) {
          %x57 = memref.load %a27[%i51, %i52, %k54] : memref<32x32x8xf32>
          %f58 = memref.load %w4[%k54, %i53] : memref<8x16xf32>
          %m59 = arith.mulf %x57, %f58 : f32
          %t60 = arith.addf %s55, %m59 : f32
          scf.yield %t60 : f32
        }
        %b61 = memref.load %w5[%i53] : memref<16xf32>
        %y62 = arith.addf %r56, %b61 : f32
        %z63 = arith.maximumf %y62, %zero : f32
        memref.store %z63, %a50[%i51, %i52, %i53] : memref<32x32x16xf32>
      }
    }
  }
  %a64 = memref.alloc() : memref<16x16x16xf32>
  scf.for %i65 = %c0 to %c16 step %c1 {
    scf.for %i66 = %c0 to %c16 step %c1 {
      scf.for %i67 = %c0 to %c16 step %c1 {
        %r70 = scf.for %k68 = %c0 to %c3 step %c1 iter_args(%s69 = %zero) -> (f32) {
          %r73 = scf.for %k71 = %c0 to %c3 step %c1 iter_args(%s72 = %s69) -> (f32) {
            %p74 = affine.apply affine_map<(i, k) -> (i * 2 + k - 1)>(%i65, %k68)
            %p75 = affine.apply affine_map<(i, k) -> (i * 2 + k - 1)>(%i66, %k71)
            %g76 = arith.cmpi ult, %p74, %c32 : index
            %g77 = arith.cmpi ult, %p75, %c32 : index
            %g78 = arith.andi %g76, %g77 : i1
            %v79 = scf.if %g78 -> (f32) {
              %x80 = memref.load %a50[%p74, %p75, %i67] : memref<32x32x16xf32>
              %f81 = memref.load %w6[%k68, %k71, %i67] : memref<3x3x16xf32>
              %m82 = arith.mulf %x80, %f81 : f32
              %t83 = arith.addf %s72, %m82 : f32
              scf.yield %t83 : f32
            } else {
              scf.yield %s72 : f32
            }
            scf.yield %v79 : f32
          }
          scf.yield %r73 : f32
        }
        %b84 = memref.load %w7[%i67] : memref<16xf32>
        %y85 = arith.addf %r70, %b84 : f32
        %z86 = arith.maximumf %y85, %zero : f32
        memref.store %z86, %a64[%i65, %i66, %i67] : memref<16x16x16xf32>
      }
    }
  }
  %a87 = memref.alloc() : memref<16x16x32xf32>
  scf.for %i88 = %c0 to %c16 step %c1 {
    scf.for %i89 = %c0 to %c16 step %c1 {
      scf.for %i90 = %c0 to %c32 step %c1 {
        %r93 = scf.for %k91 = %c0 to %c16 step %c1 iter_args(%s92 = %zero) -> (f32) {
          %x94 = memref.load %a64[%i88, %i89, %k91] : memref<16x16x16xf32>
          %f95 = memref.load %w8[%k91, %i90] : memref<16x32xf32>
          %m96 = arith.mulf %x94, %f95 : f32
          %t97 = arith.addf %s92, %m96 : f32
          scf.yield %t97 : f32
        }
        %b98 = memref.load %w9[%i90] : memref<32xf32>
        %y99 = arith.addf %r93, %b98 : f32
        %z100 = arith.maximumf %y99, %zero : f32
        memref.store %z100, %a87[%i88, %i89, %i90] : memref<16x16x32xf32>
      }
    }
  }
  %a101 = memref.alloc() : memref<16x16x32xf32>
  scf.for %i102 = %c0 to %c16 step %c1 {
    scf.for %i103 = %c0 to %c16 step %c1 {
      scf.for %i104 = %c0 to %c32 step %c1 {
        %r107 = scf.for %k105 = %c0 to %c3 step %c1 iter_args(%s106 = %zero) -> (f32) {
          %r110 = scf.for %k108 = %c0 to %c3 step %c1 iter_args(%s109 = %s106) -> (f32) {
            %p111 = affine.apply affine_map<(i, k) -> (i * 1 + k - 1)>(%i102, %k105)
            %p112 = affine.apply affine_map<(i, k) -> (i * 1 + k - 1)>(%i103, %k108)
            %g113 = arith.cmpi ult, %p111, %c16 : index
            %g114 = arith.cmpi ult, %p112, %c16 : index
            %g115 = arith.andi %g113, %g114 : i1
            %v116 = scf.if %g115 -> (f32) {
              %x117 = memref.load %a87[%p111, %p112, %i104] : memref<16x16x32xf32>
              %f118 = memref.load %w10[%k105, %k108, %i104] : memref<3x3x32xf32>
              %m119 = arith.mulf %x117, %f118 : f32
              %t120 = arith.addf %s109, %m119 : f32
              scf.yield %t120 : f32
            } else {
              scf.yield %s109 : f32
            }
            scf.yield %v116 : f32
          }
          scf.yield %r110 : f32
        }
        %b121 = memref.load %w11[%i104] : memref<32xf32>
        %y122 = arith.addf %r107, %b121 : f32
        %z123 = arith.maximumf %y122, %zero : f32
        memref.store %z123, %a101[%i102, %i103, %i104] : memref<16x16x32xf32>
      }
    }
  }
  %a124 = memref.alloc() : memref<16x16x32xf32>
  scf.for %i125 = %c0 to %c16 step %c1 {
    scf.for %i126 = %c0 to %c16 step %c1 {
      scf.for %i127 = %c0 to %c32 step %c1 {
        %r130 = scf.for %k128 = %c0 to %c32 step %c1 iter_args(%s129 = %zero) -> (f32) {
          %x131 = memref.load %a101[%i125, %i126, %k128] : memref<16x16x32xf32>
          %f132 = memref.load %w12[%k128, %i127] : memref<32x32xf32>
          %m133 = arith.mulf %x131, %f132 : f32
          %t134 = arith.addf %s129, %m133 : f32
          scf.yield %t134 : f32
        }
        %b135 = memref.load %w13[%i127] : memref<32xf32>
        %y136 = arith.addf %r130, %b135 : f32
        %z137 = arith.maximumf %y136, %zero : f32
        memref.store %z137, %a124[%i125, %i126, %i127] : memref<16x16x32xf32>
      }
    }
  }
  %a138 = memref.alloc() : memref<8x8x32xf32>
  scf.for %i139 = %c0 to %c8 step %c1 {
    scf.for %i140 = %c0 to %c8 step %c1 {
      scf.for %i141 = %c0 to %c32 step %c1 {
        %r144 = scf.for %k142 = %c0 to %c3 step %c1 iter_args(%s143 = %zero) -> (f32) {
          %r147 = scf.for %k145 = %c0 to %c3 step %c1 iter_args(%s146 = %s143) -> (f32) {
            %p148 = affine.apply affine_map<(i, k) -> (i * 2 + k - 1)>(%i139, %k142)
            %p149 = affine.apply affine_map<(i, k) -> (i * 2 + k - 1)>(%i140, %k145)
            %g150 = arith.cmpi ult, %p148, %c16 : index
            %g151 = arith.cmpi ult, %p149, %c16 : index
            %g152 = arith.andi %g150, %g151 : i1
            %v153 = scf.if %g152 -> (f32) {
              %x154 = memref.load %a124[%p148, %p149, %i141] : memref<16x16x32xf32>
              %f155 = memref.load %w14[%k142, %k145, %i141] : memref<3x3x32xf32>
              %m156 = arith.mulf %x154, %f155 : f32
              %t157 = arith.addf %s146, %m156 : f32
              scf.yield %t157 : f32
            } else {
              scf.yield %s146 : f32
            }
            scf.yield %v153 : f32
          }
          scf.yield %r147 : f32
        }
        %b158 = memref.load %w15[%i141] : memref<32xf32>
        %y159 = arith.addf %r144, %b158 : f32
        %z160 = arith.maximumf %y159, %zero : f32
        memref.store %z160, %a138[%i139, %i140, %i141] : memref<8x8x32xf32>
      }
    }
  }
  %a161 = memref.alloc() : memref<8x8x64xf32>
  scf.for %i162 = %c0 to %c8 step %c1 {
    scf.for %i163 = %c0 to %c8 step %c1 {
      scf.for %i164 = %c0 to %c64 step %c1 {
        %r167 = scf.for %k165 = %c0 to %c32 step %c1 iter_args(%s166 = %zero) -> (f32) {
          %x168 = memref.load %a138[%i162, %i163, %k165] : memref<8x8x32xf32>
          %f169 = memref.load %w16[%k165, %i164] : memref<32x64xf32>
          %m170 = arith.mulf %x168, %f169 : f32
          %t171 = arith.addf %s166, %m170 : f32
          scf.yield %t171 : f32
        }
        %b172 = memref.load %w17[%i164] : memref<64xf32>
        %y173 = arith.addf %r167, %b172 : f32
        %z174 = arith.maximumf %y173, %zero : f32
        memref.store %z174, %a161[%i162, %i163, %i164] : memref<8x8x64xf32>
      }
    }
  }
  %a175 = memref.alloc() : memref<8x8x64xf32>
  scf.for %i176 = %c0 to %c8 step %c1 {
    scf.for %i177 = %c0 to %c8 step %c1 {
      scf.for %i178 = %c0 to %c64 step %c1 {
        %r181 = scf.for %k179 = %c0 to %c3 step %c1 iter_args(%s180 = %zero) -> (f32) {
          %r184 = scf.for %k182 = %c0 to %c3 step %c1 iter_args(%s183 = %s180) -> (f32) {
            %p185 = affine.apply affine_map<(i, k) -> (i * 1 + k - 1)>(%i176, %k179)
            %p186 = affine.apply affine_map<(i, k) -> (i * 1 + k - 1)>(%i177, %k182)
            %g187 = arith.cmpi ult, %p185, %c8 : index
            %g188 = arith.cmpi ult, %p186, %c8 : index
            %g189 = arith.andi %g187, %g188 : i1
            %v190 = scf.if %g189 -> (f32) {
              %x191 = memref.load %a161[%p185, %p186, %i178] : memref<8x8x64xf32>
              %f192 = memref.load %w18[%k179, %k182, %i178] : memref<3x3x64xf32>
              %m193 = arith.mulf %x191, %f192 : f32
              %t194 = arith.addf %s183, %m193 : f32
              scf.yield %t194 : f32
            } else {
              scf.yield %s183 : f32
            }
            scf.yield %v190 : f32
          }
          scf.yield %r184 : f32
        }
        %b195 = memref.load %w19[%i178] : memref<64xf32>
        %y196 = arith.addf %r181, %b195 : f32
        %z197 = arith.maximumf %y196, %zero : f32
        memref.store %z197, %a175[%i176, %i177, %i178] : memref<8x8x64xf32>
      }
    }
  }
  %a198 = memref.alloc() : memref<8x8x64xf32>
  scf.for %i199 = %c0 to %c8 step %c1 {
    scf.for %i200 = %c0 to %c8 step %c1 {
      scf.for %i201 = %c0 to %c64 step %c1 {
        %r204 = scf.for %k202 = %c0 to %c64 step %c1 iter_args(%s203 = %zero) -> (f32) {
          %x205 = memref.load %a175[%i199, %i200, %k202] : memref<8x8x64xf32>
          %f206 = memref.load %w20[%k202, %i201] : memref<64x64xf32>
          %m207 = arith.mulf %x205, %f206 : f32
          %t208 = arith.addf %s203, %m207 : f32
          scf.yield %t208 : f32
        }
        %b209 = memref.load %w21[%i201] : memref<64xf32>
        %y210 = arith.addf %r204, %b209 : f32
        %z211 = arith.maximumf %y210, %zero : f32
        memref.store %z211, %a198[%i199, %i200, %i201] : memref<8x8x64xf32>
      }
    }
  }
  %part = arith.constant 0.015625 : f32
  %a212 = memref.alloc() : memref<64xf32>
  scf.for %i213 = %c0 to %c64 step %c1 {
    %r216 = scf.for %k214 = %c0 to %c8 step %c1 iter_args(%s215 = %zero) -> (f32) {
      %r219 = scf.for %k217 = %c0 to %c8 step %c1 iter_args(%s218 = %s215) -> (f32) {
        %x220 = memref.load %a198[%k214, %k217, %i213] : memref<8x8x64xf32>
        %t221 = arith.addf %s218, %x220 : f32
        scf.yield %t221 : f32
      }
      scf.yield %r219 : f32
    }
    %m222 = arith.mulf %r216, %part : f32
    memref.store %m222, %a212[%i213] : memref<64xf32>
  }
  scf.for %i223 = %c0 to %c10 step %c1 {
    %r226 = scf.for %k224 = %c0 to %c64 step %c1 iter_args(%s225 = %zero) -> (f32) {
      %x227 = memref.load %a212[%k224] : memref<64xf32>
      %f228 = memref.load %w22[%k224, %i223] : memref<64x10xf32>
      %m229 = arith.mulf %x227, %f228 : f32
      %t230 = arith.addf %s225, %m229 : f32
      scf.yield %t230 : f32
    }
    memref.store %r226, %out[%i223] : memref<10xf32>
  }
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c10 = arith.constant 10 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %in = memref.alloc() : memref<64x64x3xf32>
  %n1 = arith.constant 64 : index
  scf.for %i2 = %c0 to %n1 step %c1 {
    %n3 = arith.constant 64 : index
    scf.for %i4 = %c0 to %n3 step %c1 {
      %n5 = arith.constant 3 : index
      scf.for %i6 = %c0 to %n5 step %c1 {
        %n7 = arith.constant 3 : index
        %n8 = arith.constant 31 : index
        %n9 = arith.muli %n7, %n8 : index
        %n10 = arith.addi %n9, %i2 : index
        %n11 = arith.constant 31 : index
        %n12 = arith.muli %n10, %n11 : index
        %n13 = arith.addi %n12, %i4 : index
        %n14 = arith.constant 31 : index
        %n15 = arith.muli %n13, %n14 : index
        %n16 = arith.addi %n15, %i6 : index
        %n17 = arith.constant 61 : index
        %n18 = arith.remui %n16, %n17 : index
        %n19 = arith.index_cast %n18 : index to i32
        %n20 = arith.sitofp %n19 : i32 to f32
        %n21 = arith.constant 27.0 : f32
        %n22 = arith.subf %n20, %n21 : f32
        %n23 = arith.constant 0.01 : f32
        %n24 = arith.mulf %n22, %n23 : f32
        memref.store %n24, %in[%i2, %i4, %i6] : memref<64x64x3xf32>
      }
    }
  }
  %w0 = memref.alloc() : memref<3x3x3x8xf32>
  %n25 = arith.constant 3 : index
  scf.for %i26 = %c0 to %n25 step %c1 {
    %n27 = arith.constant 3 : index
    scf.for %i28 = %c0 to %n27 step %c1 {
      %n29 = arith.constant 3 : index
      scf.for %i30 = %c0 to %n29 step %c1 {
        %n31 = arith.constant 8 : index
        scf.for %i32 = %c0 to %n31 step %c1 {
          %n33 = arith.constant 10 : index
          %n34 = arith.constant 31 : index
          %n35 = arith.muli %n33, %n34 : index
          %n36 = arith.addi %n35, %i26 : index
          %n37 = arith.constant 31 : index
          %n38 = arith.muli %n36, %n37 : index
          %n39 = arith.addi %n38, %i28 : index
          %n40 = arith.constant 31 : index
          %n41 = arith.muli %n39, %n40 : index
          %n42 = arith.addi %n41, %i30 : index
          %n43 = arith.constant 31 : index
          %n44 = arith.muli %n42, %n43 : index
          %n45 = arith.addi %n44, %i32 : index
          %n46 = arith.constant 61 : index
          %n47 = arith.remui %n45, %n46 : index
          %n48 = arith.index_cast %n47 : index to i32
          %n49 = arith.sitofp %n48 : i32 to f32
          %n50 = arith.constant 27.0 : f32
          %n51 = arith.subf %n49, %n50 : f32
          %n52 = arith.constant 0.01 : f32
          %n53 = arith.mulf %n51, %n52 : f32
          memref.store %n53, %w0[%i26, %i28, %i30, %i32] : memref<3x3x3x8xf32>
        }
      }
    }
  }
  %w1 = memref.alloc() : memref<8xf32>
  %n54 = arith.constant 8 : index
  scf.for %i55 = %c0 to %n54 step %c1 {
    %n56 = arith.constant 17 : index
    %n57 = arith.constant 31 : index
    %n58 = arith.muli %n56, %n57 : index
    %n59 = arith.addi %n58, %i55 : index
    %n60 = arith.constant 61 : index
    %n61 = arith.remui %n59, %n60 : index
    %n62 = arith.index_cast %n61 : index to i32
    %n63 = arith.sitofp %n62 : i32 to f32
    %n64 = arith.constant 27.0 : f32
    %n65 = arith.subf %n63, %n64 : f32
    %n66 = arith.constant 0.01 : f32
    %n67 = arith.mulf %n65, %n66 : f32
    memref.store %n67, %w1[%i55] : memref<8xf32>
  }
  %w2 = memref.alloc() : memref<3x3x8xf32>
  %n68 = arith.constant 3 : index
  scf.for %i69 = %c0 to %n68 step %c1 {
    %n70 = arith.constant 3 : index
    scf.for %i71 = %c0 to %n70 step %c1 {
      %n72 = arith.constant 8 : index
      scf.for %i73 = %c0 to %n72 step %c1 {
        %n74 = arith.constant 24 : index
        %n75 = arith.constant 31 : index
        %n76 = arith.muli %n74, %n75 : index
        %n77 = arith.addi %n76, %i69 : index
        %n78 = arith.constant 31 : index
        %n79 = arith.muli %n77, %n78 : index
        %n80 = arith.addi %n79, %i71 : index
        %n81 = arith.constant 31 : index
        %n82 = arith.muli %n80, %n81 : index
        %n83 = arith.addi %n82, %i73 : index
        %n84 = arith.constant 61 : index
        %n85 = arith.remui %n83, %n84 : index
        %n86 = arith.index_cast %n85 : index to i32
        %n87 = arith.sitofp %n86 : i32 to f32
        %n88 = arith.constant 27.0 : f32
        %n89 = arith.subf %n87, %n88 : f32
        %n90 = arith.constant 0.01 : f32
        %n91 = arith.mulf %n89, %n90 : f32
        memref.store %n91, %w2[%i69, %i71, %i73] : memref<3x3x8xf32>
      }
    }
  }
  %w3 = memref.alloc() : memref<8xf32>
  %n92 = arith.constant 8 : index
  scf.for %i93 = %c0 to %n92 step %c1 {
    %n94 = arith.constant 31 : index
    %n95 = arith.constant 31 : index
    %n96 = arith.muli %n94, %n95 : index
    %n97 = arith.addi %n96, %i93 : index
    %n98 = arith.constant 61 : index
    %n99 = arith.remui %n97, %n98 : index
    %n100 = arith.index_cast %n99 : index to i32
    %n101 = arith.sitofp %n100 : i32 to f32
    %n102 = arith.constant 27.0 : f32
    %n103 = arith.subf %n101, %n102 : f32
    %n104 = arith.constant 0.01 : f32
    %n105 = arith.mulf %n103, %n104 : f32
    memref.store %n105, %w3[%i93] : memref<8xf32>
  }
  %w4 = memref.alloc() : memref<8x16xf32>
  %n106 = arith.constant 8 : index
  scf.for %i107 = %c0 to %n106 step %c1 {
    %n108 = arith.constant 16 : index
    scf.for %i109 = %c0 to %n108 step %c1 {
      %n110 = arith.constant 38 : index
      %n111 = arith.constant 31 : index
      %n112 = arith.muli %n110, %n111 : index
      %n113 = arith.addi %n112, %i107 : index
      %n114 = arith.constant 31 : index
      %n115 = arith.muli %n113, %n114 : index
      %n116 = arith.addi %n115, %i109 : index
      %n117 = arith.constant 61 : index
      %n118 = arith.remui %n116, %n117 : index
      %n119 = arith.index_cast %n118 : index to i32
      %n120 = arith.sitofp %n119 : i32 to f32
      %n121 = arith.constant 27.0 : f32
      %n122 = arith.subf %n120, %n121 : f32
      %n123 = arith.constant 0.01 : f32
      %n124 = arith.mulf %n122, %n123 : f32
      memref.store %n124, %w4[%i107, %i109] : memref<8x16xf32>
    }
  }
  %w5 = memref.alloc() : memref<16xf32>
  %n125 = arith.constant 16 : index
  scf.for %i126 = %c0 to %n125 step %c1 {
    %n127 = arith.constant 45 : index
    %n128 = arith.constant 31 : index
    %n129 = arith.muli %n127, %n128 : index
    %n130 = arith.addi %n129, %i126 : index
    %n131 = arith.constant 61 : index
    %n132 = arith.remui %n130, %n131 : index
    %n133 = arith.index_cast %n132 : index to i32
    %n134 = arith.sitofp %n133 : i32 to f32
    %n135 = arith.constant 27.0 : f32
    %n136 = arith.subf %n134, %n135 : f32
    %n137 = arith.constant 0.01 : f32
    %n138 = arith.mulf %n136, %n137 : f32
    memref.store %n138, %w5[%i126] : memref<16xf32>
  }
  %w6 = memref.alloc() : memref<3x3x16xf32>
  %n139 = arith.constant 3 : index
  scf.for %i140 = %c0 to %n139 step %c1 {
    %n141 = arith.constant 3 : index
    scf.for %i142 = %c0 to %n141 step %c1 {
      %n143 = arith.constant 16 : index
      scf.for %i144 = %c0 to %n143 step %c1 {
        %n145 = arith.constant 52 : index
        %n146 = arith.constant 31 : index
        %n147 = arith.muli %n145, %n146 : index
        %n148 = arith.addi %n147, %i140 : index
        %n149 = arith.constant 31 : index
        %n150 = arith.muli %n148, %n149 : index
        %n151 = arith.addi %n150, %i142 : index
        %n152 = arith.constant 31 : index
        %n153 = arith.muli %n151, %n152 : index
        %n154 = arith.addi %n153, %i144 : index
        %n155 = arith.constant 61 : index
        %n156 = arith.remui %n154, %n155 : index
        %n157 = arith.index_cast %n156 : index to i32
        %n158 = arith.sitofp %n157 : i32 to f32
        %n159 = arith.constant 27.0 : f32
        %n160 = arith.subf %n158, %n159 : f32
        %n161 = arith.constant 0.01 : f32
        %n162 = arith.mulf %n160, %n161 : f32
        memref.store %n162, %w6[%i140, %i142, %i144] : memref<3x3x16xf32>
      }
    }
  }
  %w7 = memref.alloc() : memref<16xf32>
  %n163 = arith.constant 16 : index
  scf.for %i164 = %c0 to %n163 step %c1 {
    %n165 = arith.constant 59 : index
    %n166 = arith.constant 31 : index
    %n167 = arith.muli %n165, %n166 : index
    %n168 = arith.addi %n167, %i164 : index
    %n169 = arith.constant 61 : index
    %n170 = arith.remui %n168, %n169 : index
    %n171 = arith.index_cast %n170 : index to i32
    %n172 = arith.sitofp %n171 : i32 to f32
    %n173 = arith.constant 27.0 : f32
    %n174 = arith.subf %n172, %n173 : f32
    %n175 = arith.constant 0.01 : f32
    %n176 = arith.mulf %n174, %n175 : f32
    memref.store %n176, %w7[%i164] : memref<16xf32>
  }
  %w8 = memref.alloc() : memref<16x32xf32>
  %n177 = arith.constant 16 : index
  scf.for %i178 = %c0 to %n177 step %c1 {
    %n179 = arith.constant 32 : index
    scf.for %i180 = %c0 to %n179 step %c1 {
      %n181 = arith.constant 66 : index
      %n182 = arith.constant 31 : index
      %n183 = arith.muli %n181, %n182 : index
      %n184 = arith.addi %n183, %i178 : index
      %n185 = arith.constant 31 : index
      %n186 = arith.muli %n184, %n185 : index
      %n187 = arith.addi %n186, %i180 : index
      %n188 = arith.constant 61 : index
      %n189 = arith.remui %n187, %n188 : index
      %n190 = arith.index_cast %n189 : index to i32
      %n191 = arith.sitofp %n190 : i32 to f32
      %n192 = arith.constant 27.0 : f32
      %n193 = arith.subf %n191, %n192 : f32
      %n194 = arith.constant 0.01 : f32
      %n195 = arith.mulf %n193, %n194 : f32
      memref.store %n195, %w8[%i178, %i180] : memref<16x32xf32>
    }
  }
  %w9 = memref.alloc() : memref<32xf32>
  %n196 = arith.constant 32 : index
  scf.for %i197 = %c0 to %n196 step %c1 {
    %n198 = arith.constant 73 : index
    %n199 = arith.constant 31 : index
    %n200 = arith.muli %n198, %n199 : index
    %n201 = arith.addi %n200, %i197 : index
    %n202 = arith.constant 61 : index
    %n203 = arith.remui %n201, %n202 : index
    %n204 = arith.index_cast %n203 : index to i32
    %n205 = arith.sitofp %n204 : i32 to f32
    %n206 = arith.constant 27.0 : f32
    %n207 = arith.subf %n205, %n206 : f32
    %n208 = arith.constant 0.01 : f32
    %n209 = arith.mulf %n207, %n208 : f32
    memref.store %n209, %w9[%i197] : memref<32xf32>
  }
  %w10 = memref.alloc() : memref<3x3x32xf32>
  %n210 = arith.constant 3 : index
  scf.for %i211 = %c0 to %n210 step %c1 {
    %n212 = arith.constant 3 : index
    scf.for %i213 = %c0 to %n212 step %c1 {
      %n214 = arith.constant 32 : index
      scf.for %i215 = %c0 to %n214 step %c1 {
        %n216 = arith.constant 80 : index
        %n217 = arith.constant 31 : index
        %n218 = arith.muli %n216, %n217 : index
        %n219 = arith.addi %n218, %i211 : index
        %n220 = arith.constant 31 : index
        %n221 = arith.muli %n219, %n220 : index
        %n222 = arith.addi %n221, %i213 : index
        %n223 = arith.constant 31 : index
        %n224 = arith.muli %n222, %n223 : index
        %n225 = arith.addi %n224, %i215 : index
        %n226 = arith.constant 61 : index
        %n227 = arith.remui %n225, %n226 : index
        %n228 = arith.index_cast %n227 : index to i32
        %n229 = arith.sitofp %n228 : i32 to f32
        %n230 = arith.constant 27.0 : f32
        %n231 = arith.subf %n229, %n230 : f32
        %n232 = arith.constant 0.01 : f32
        %n233 = arith.mulf %n231, %n232 : f32
        memref.store %n233, %w10[%i211, %i213, %i215] : memref<3x3x32xf32>
      }
    }
  }
  %w11 = memref.alloc() : memref<32xf32>
  %n234 = arith.constant 32 : index
  scf.for %i235 = %c0 to %n234 step %c1 {
    %n236 = arith.constant 87 : index
    %n237 = arith.constant 31 : index
    %n238 = arith.muli %n236, %n237 : index
    %n239 = arith.addi %n238, %i235 : index
    %n240 = arith.constant 61 : index
    %n241 = arith.remui %n239, %n240 : index
    %n242 = arith.index_cast %n241 : index to i32
    %n243 = arith.sitofp %n242 : i32 to f32
    %n244 = arith.constant 27.0 : f32
    %n245 = arith.subf %n243, %n244 : f32
    %n246 = arith.constant 0.01 : f32
    %n247 = arith.mulf %n245, %n246 : f32
    memref.store %n247, %w11[%i235] : memref<32xf32>
  }
  %w12 = memref.alloc() : memref<32x32xf32>
  %n248 = arith.constant 32 : index
  scf.for %i249 = %c0 to %n248 step %c1 {
    %n250 = arith.constant 32 : index
    scf.for %i251 = %c0 to %n250 step %c1 {
      %n252 = arith.constant 94 : index
      %n253 = arith.constant 31 : index
      %n254 = arith.muli %n252, %n253 : index
      %n255 = arith.addi %n254, %i249 : index
      %n256 = arith.constant 31 : index
      %n257 = arith.muli %n255, %n256 : index
      %n258 = arith.addi %n257, %i251 : index
      %n259 = arith.constant 61 : index
      %n260 = arith.remui %n258, %n259 : index
      %n261 = arith.index_cast %n260 : index to i32
      %n262 = arith.sitofp %n261 : i32 to f32
      %n263 = arith.constant 27.0 : f32
      %n264 = arith.subf %n262, %n263 : f32
      %n265 = arith.constant 0.01 : f32
      %n266 = arith.mulf %n264, %n265 : f32
      memref.store %n266, %w12[%i249, %i251] : memref<32x32xf32>
    }
  }
  %w13 = memref.alloc() : memref<32xf32>
  %n267 = arith.constant 32 : index
  scf.for %i268 = %c0 to %n267 step %c1 {
    %n269 = arith.constant 101 : index
    %n270 = arith.constant 31 : index
    %n271 = arith.muli %n269, %n270 : index
    %n272 = arith.addi %n271, %i268 : index
    %n273 = arith.constant 61 : index
    %n274 = arith.remui %n272, %n273 : index
    %n275 = arith.index_cast %n274 : index to i32
    %n276 = arith.sitofp %n275 : i32 to f32
    %n277 = arith.constant 27.0 : f32
    %n278 = arith.subf %n276, %n277 : f32
    %n279 = arith.constant 0.01 : f32
    %n280 = arith.mulf %n278, %n279 : f32
    memref.store %n280, %w13[%i268] : memref<32xf32>
  }
  %w14 = memref.alloc() : memref<3x3x32xf32>
  %n281 = arith.constant 3 : index
  scf.for %i282 = %c0 to %n281 step %c1 {
    %n283 = arith.constant 3 : index
    scf.for %i284 = %c0 to %n283 step %c1 {
      %n285 = arith.constant 32 : index
      scf.for %i286 = %c0 to %n285 step %c1 {
        %n287 = arith.constant 108 : index
        %n288 = arith.constant 31 : index
        %n289 = arith.muli %n287, %n288 : index
        %n290 = arith.addi %n289, %i282 : index
        %n291 = arith.constant 31 : index
        %n292 = arith.muli %n290, %n291 : index
        %n293 = arith.addi %n292, %i284 : index
        %n294 = arith.constant 31 : index
        %n295 = arith.muli %n293, %n294 : index
        %n296 = arith.addi %n295, %i286 : index
        %n297 = arith.constant 61 : index
        %n298 = arith.remui %n296, %n297 : index
        %n299 = arith.index_cast %n298 : index to i32
        %n300 = arith.sitofp %n299 : i32 to f32
        %n301 = arith.constant 27.0 : f32
        %n302 = arith.subf %n300, %n301 : f32
        %n303 = arith.constant 0.01 : f32
        %n304 = arith.mulf %n302, %n303 : f32
        memref.store %n304, %w14[%i282, %i284, %i286] : memref<3x3x32xf32>
      }
    }
  }
  %w15 = memref.alloc() : memref<32xf32>
  %n305 = arith.constant 32 : index
  scf.for %i306 = %c0 to %n305 step %c1 {
    %n307 = arith.constant 115 : index
    %n308 = arith.constant 31 : index
    %n309 = arith.muli %n307, %n308 : index
    %n310 = arith.addi %n309, %i306 : index
    %n311 = arith.constant 61 : index
    %n312 = arith.remui %n310, %n311 : index
    %n313 = arith.index_cast %n312 : index to i32
    %n314 = arith.sitofp %n313 : i32 to f32
    %n315 = arith.constant 27.0 : f32
    %n316 = arith.subf %n314, %n315 : f32
    %n317 = arith.constant 0.01 : f32
    %n318 = arith.mulf %n316, %n317 : f32
    memref.store %n318, %w15[%i306] : memref<32xf32>
  }
  %w16 = memref.alloc() : memref<32x64xf32>
  %n319 = arith.constant 32 : index
  scf.for %i320 = %c0 to %n319 step %c1 {
    %n321 = arith.constant 64 : index
    scf.for %i322 = %c0 to %n321 step %c1 {
      %n323 = arith.constant 122 : index
      %n324 = arith.constant 31 : index
      %n325 = arith.muli %n323, %n324 : index
      %n326 = arith.addi %n325, %i320 : index
      %n327 = arith.constant 31 : index
      %n328 = arith.muli %n326, %n327 : index
      %n329 = arith.addi %n328, %i322 : index
      %n330 = arith.constant 61 : index
      %n331 = arith.remui %n329, %n330 : index
      %n332 = arith.index_cast %n331 : index to i32
      %n333 = arith.sitofp %n332 : i32 to f32
      %n334 = arith.constant 27.0 : f32
      %n335 = arith.subf %n333, %n334 : f32
      %n336 = arith.constant 0.01 : f32
      %n337 = arith.mulf %n335, %n336 : f32
      memref.store %n337, %w16[%i320, %i322] : memref<32x64xf32>
    }
  }
  %w17 = memref.alloc() : memref<64xf32>
  %n338 = arith.constant 64 : index
  scf.for %i339 = %c0 to %n338 step %c1 {
    %n340 = arith.constant 129 : index
    %n341 = arith.constant 31 : index
    %n342 = arith.muli %n340, %n341 : index
    %n343 = arith.addi %n342, %i339 : index
    %n344 = arith.constant 61 : index
    %n345 = arith.remui %n343, %n344 : index
    %n346 = arith.index_cast %n345 : index to i32
    %n347 = arith.sitofp %n346 : i32 to f32
    %n348 = arith.constant 27.0 : f32
    %n349 = arith.subf %n347, %n348 : f32
    %n350 = arith.constant 0.01 : f32
    %n351 = arith.mulf %n349, %n350 : f32
    memref.store %n351, %w17[%i339] : memref<64xf32>
  }
  %w18 = memref.alloc() : memref<3x3x64xf32>
  %n352 = arith.constant 3 : index
  scf.for %i353 = %c0 to %n352 step %c1 {
    %n354 = arith.constant 3 : index
    scf.for %i355 = %c0 to %n354 step %c1 {
      %n356 = arith.constant 64 : index
      scf.for %i357 = %c0 to %n356 step %c1 {
        %n358 = arith.constant 136 : index
        %n359 = arith.constant 31 : index
        %n360 = arith.muli %n358, %n359 : index
        %n361 = arith.addi %n360, %i353 : index
        %n362 = arith.constant 31 : index
        %n363 = arith.muli %n361, %n362 : index
        %n364 = arith.addi %n363, %i355 : index
        %n365 = arith.constant 31 : index
        %n366 = arith.muli %n364, %n365 : index
        %n367 = arith.addi %n366, %i357 : index
        %n368 = arith.constant 61 : index
        %n369 = arith.remui %n367, %n368 : index
        %n370 = arith.index_cast %n369 : index to i32
        %n371 = arith.sitofp %n370 : i32 to f32
        %n372 = arith.constant 27.0 : f32
        %n373 = arith.subf %n371, %n372 : f32
        %n374 = arith.constant 0.01 : f32
        %n375 = arith.mulf %n373, %n374 : f32
        memref.store %n375, %w18[%i353, %i355, %i357] : memref<3x3x64xf32>
      }
    }
  }
  %w19 = memref.alloc() : memref<64xf32>
  %n376 = arith.constant 64 : index
  scf.for %i377 = %c0 to %n376 step %c1 {
    %n378 = arith.constant 143 : index
    %n379 = arith.constant 31 : index
    %n380 = arith.muli %n378, %n379 : index
    %n381 = arith.addi %n380, %i377 : index
    %n382 = arith.constant 61 : index
    %n383 = arith.remui %n381, %n382 : index
    %n384 = arith.index_cast %n383 : index to i32
    %n385 = arith.sitofp %n384 : i32 to f32
    %n386 = arith.constant 27.0 : f32
    %n387 = arith.subf %n385, %n386 : f32
    %n388 = arith.constant 0.01 : f32
    %n389 = arith.mulf %n387, %n388 : f32
    memref.store %n389, %w19[%i377] : memref<64xf32>
  }
  %w20 = memref.alloc() : memref<64x64xf32>
  %n390 = arith.constant 64 : index
  scf.for %i391 = %c0 to %n390 step %c1 {
    %n392 = arith.constant 64 : index
    scf.for %i393 = %c0 to %n392 step %c1 {
      %n394 = arith.constant 150 : index
      %n395 = arith.constant 31 : index
      %n396 = arith.muli %n394, %n395 : index
      %n397 = arith.addi %n396, %i391 : index
      %n398 = arith.constant 31 : index
      %n399 = arith.muli %n397, %n398 : index
      %n400 = arith.addi %n399, %i393 : index
      %n401 = arith.constant 61 : index
      %n402 = arith.remui %n400, %n401 : index
      %n403 = arith.index_cast %n402 : index to i32
      %n404 = arith.sitofp %n403 : i32 to f32
      %n405 = arith.constant 27.0 : f32
      %n406 = arith.subf %n404, %n405 : f32
      %n407 = arith.constant 0.01 : f32
      %n408 = arith.mulf %n406, %n407 : f32
      memref.store %n408, %w20[%i391, %i393] : memref<64x64xf32>
    }
  }
  %w21 = memref.alloc() : memref<64xf32>
  %n409 = arith.constant 64 : index
  scf.for %i410 = %c0 to %n409 step %c1 {
    %n411 = arith.constant 157 : index
    %n412 = arith.constant 31 : index
    %n413 = arith.muli %n411, %n412 : index
    %n414 = arith.addi %n413, %i410 : index
    %n415 = arith.constant 61 : index
    %n416 = arith.remui %n414, %n415 : index
    %n417 = arith.index_cast %n416 : index to i32
    %n418 = arith.sitofp %n417 : i32 to f32
    %n419 = arith.constant 27.0 : f32
    %n420 = arith.subf %n418, %n419 : f32
    %n421 = arith.constant 0.01 : f32
    %n422 = arith.mulf %n420, %n421 : f32
    memref.store %n422, %w21[%i410] : memref<64xf32>
  }
  %w22 = memref.alloc() : memref<64x10xf32>
  %n423 = arith.constant 64 : index
  scf.for %i424 = %c0 to %n423 step %c1 {
    %n425 = arith.constant 10 : index
    scf.for %i426 = %c0 to %n425 step %c1 {
      %n427 = arith.constant 164 : index
      %n428 = arith.constant 31 : index
      %n429 = arith.muli %n427, %n428 : index
      %n430 = arith.addi %n429, %i424 : index
      %n431 = arith.constant 31 : index
      %n432 = arith.muli %n430, %n431 : index
      %n433 = arith.addi %n432, %i426 : index
      %n434 = arith.constant 61 : index
      %n435 = arith.remui %n433, %n434 : index
      %n436 = arith.index_cast %n435 : index to i32
      %n437 = arith.sitofp %n436 : i32 to f32
      %n438 = arith.constant 27.0 : f32
      %n439 = arith.subf %n437, %n438 : f32
      %n440 = arith.constant 0.01 : f32
      %n441 = arith.mulf %n439, %n440 : f32
      memref.store %n441, %w22[%i424, %i426] : memref<64x10xf32>
    }
  }
  %out = memref.alloc() : memref<10xf32>
  call @network(%in, %w0, %w1, %w2, %w3, %w4, %w5, %w6, %w7, %w8, %w9, %w10, %w11, %w12, %w13, %w14, %w15, %w16, %w17, %w18, %w19, %w20, %w21, %w22, %out) : (memref<64x64x3xf32>, memref<3x3x3x8xf32>, memref<8xf32>, memref<3x3x8xf32>, memref<8xf32>, memref<8x16xf32>, memref<16xf32>, memref<3x3x16xf32>, memref<16xf32>, memref<16x32xf32>, memref<32xf32>, memref<3x3x32xf32>, memref<32xf32>, memref<32x32xf32>, memref<32xf32>, memref<3x3x32xf32>, memref<32xf32>, memref<32x64xf32>, memref<64xf32>, memref<3x3x64xf32>, memref<64xf32>, memref<64x64xf32>, memref<64xf32>, memref<64x10xf32>, memref<10xf32>) -> ()
  scf.for %i442 = %c0 to %c10 step %c1 {
    %n443 = memref.load %out[%i442] : memref<10xf32>
    vector.print %n443 : f32
  }
  return
}
