//===- NpuOps.td - The dialect of an imaginary accelerator -*- tablegen -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NPU_OPS_TD
#define NPU_OPS_TD

include "memplan/IR/BufferAllocation.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Npu_Dialect : Dialect {
  let name = "npu";
  let cppNamespace = "::npu";
}

class Npu_Op<string mnemonic, list<Trait> traits = []>
    : Op<Npu_Dialect, mnemonic, traits>;

// Planning replaces these two ops by views of the arena. The interface marks
// them as allocations and gives the kind of their storage.

def AllocOp : Npu_Op<"alloc",
    [DeclareOpInterfaceMethods<BufferAllocationInterface,
                               ["getRequestedAlignment"]>]> {
  let summary = "Allocate a tile, contents undefined";
  let description = "A tile begins at a multiple of 128 bytes.";
  let results = (outs Res<AnyStaticShapeMemRef, "", [MemAlloc]>:$tile);
  let assemblyFormat = "attr-dict `:` type($tile)";
}

def ScratchOp : Npu_Op<"scratch",
    [DeclareOpInterfaceMethods<BufferAllocationInterface,
                               ["getRequestedAlignment", "getStorage"]>]> {
  let summary = "Allocate scratch of the ops that use it";
  let results = (outs Res<AnyStaticShapeMemRef, "", [MemAlloc]>:$tile);
  let assemblyFormat = "attr-dict `:` type($tile)";
}

// For the other ops, planning uses their memory effects and
// RegionBranchOpInterface.

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

def RepeatOp : Npu_Op<"repeat",
    [NoRegionArguments, RecursiveMemoryEffects, SingleBlock,
     DeclareOpInterfaceMethods<RegionBranchOpInterface>]> {
  let summary = "Execute a region some times, once at least";
  let arguments = (ins ConfinedAttr<I64Attr, [IntPositive]>:$times);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$times $body attr-dict";
}

def NextOp : Npu_Op<"next", [Pure, ReturnLike, Terminator,
                             HasParent<"RepeatOp">]> {
  let summary = "End an iteration of npu.repeat";
  let assemblyFormat = "attr-dict";
}

#endif // NPU_OPS_TD
