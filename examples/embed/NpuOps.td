//===- NpuOps.td - The dialect of an imaginary accelerator -*- tablegen -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NPU_OPS_TD
#define NPU_OPS_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Npu_Dialect : Dialect {
  let name = "npu";
  let cppNamespace = "::npu";
}

class Npu_Op<string mnemonic, list<Trait> traits = []>
    : Op<Npu_Dialect, mnemonic, traits>;

def AllocOp : Npu_Op<"alloc"> {
  let summary = "Allocate a tile, contents undefined";
  let results = (outs Res<AnyStaticShapeMemRef, "", [MemAlloc]>:$tile);
  let assemblyFormat = "attr-dict `:` type($tile)";
}

def MatmulOp : Npu_Op<"matmul"> {
  let summary = "Multiply two matrices; packs the second one into scratch";
  let arguments = (ins Arg<AnyStaticShapeMemRef, "", [MemRead]>:$lhs,
                       Arg<AnyStaticShapeMemRef, "", [MemRead]>:$rhs,
                       Arg<AnyStaticShapeMemRef, "", [MemWrite]>:$out,
                       Arg<Optional<AnyStaticShapeMemRef>, "",
                           [MemRead, MemWrite]>:$scratch);
  let assemblyFormat = [{
    $lhs `,` $rhs `into` $out (`scratch` $scratch^)? attr-dict `:`
    type($lhs) `,` type($rhs) `into` type($out) (`scratch` type($scratch)^)?
  }];
}

def ReluOp : Npu_Op<"relu"> {
  let summary = "Replace negative elements by zero, in place";
  let arguments = (ins Arg<AnyStaticShapeMemRef, "", [MemRead, MemWrite]>:$tile);
  let assemblyFormat = "$tile attr-dict `:` type($tile)";
}

#endif // NPU_OPS_TD
