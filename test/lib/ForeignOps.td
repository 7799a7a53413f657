//===- ForeignOps.td - A dialect unknown to memplan --------*- tablegen -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_LIB_FOREIGNOPS_TD
#define MEMPLAN_TEST_LIB_FOREIGNOPS_TD

include "memplan/IR/AsyncWork.td"
include "memplan/IR/BufferAllocation.td"
include "memplan/IR/InPlace.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Foreign_Dialect : Dialect {
  let name = "foreign";
  let cppNamespace = "::foreign";
  let description = "Ops that are planned through interfaces alone.";
  let useDefaultTypePrinterParser = 1;
}

def EventType : TypeDef<Foreign_Dialect, "Event"> {
  let mnemonic = "event";
  let summary = "When asynchronous work is finished";
}

class Foreign_Op<string mnemonic, list<Trait> traits = []>
    : Op<Foreign_Dialect, mnemonic, traits>;

def BufferOp : Foreign_Op<"buffer",
    [DeclareOpInterfaceMethods<BufferAllocationInterface,
                               ["getRequestedAlignment"]>]> {
  let summary = "Allocate memory";
  let arguments = (ins OptionalAttr<I64Attr>:$align);
  let results = (outs Res<AnyMemRef, "", [MemAlloc]>:$buffer);
  let assemblyFormat = "attr-dict `:` type($buffer)";
}

def ScratchOp : Foreign_Op<"scratch",
    [DeclareOpInterfaceMethods<BufferAllocationInterface, ["getStorage"]>]> {
  let summary = "Allocate scratch that nothing shares bytes with";
  let results = (outs Res<AnyMemRef, "", [MemAlloc]>:$buffer);
  let assemblyFormat = "attr-dict `:` type($buffer)";
}

def ApplyOp : Foreign_Op<"apply"> {
  let summary = "Compute one memref from another";
  let arguments = (ins Arg<AnyMemRef, "", [MemRead]>:$from,
                       Arg<AnyMemRef, "", [MemWrite]>:$to);
  let assemblyFormat = "$from `to` $to attr-dict `:` type($from) `,` type($to)";
}

def MergeOp : Foreign_Op<"merge",
    [DeclareOpInterfaceMethods<InPlaceInterface>]> {
  let summary = "Compute a memref from two; the first may be where it is";
  let arguments = (ins Arg<AnyMemRef, "", [MemRead]>:$from,
                       Arg<AnyMemRef, "", [MemRead]>:$other,
                       Arg<AnyMemRef, "", [MemWrite]>:$to);
  let assemblyFormat = [{
    $from `,` $other `to` $to attr-dict `:`
    type($from) `,` type($other) `,` type($to)
  }];
}

def SendOp : Foreign_Op<"send",
    [DeclareOpInterfaceMethods<AsyncWorkInterface>]> {
  let summary = "Start to compute one memref from another, after an event";
  let arguments = (ins Arg<AnyMemRef, "", [MemRead]>:$from,
                       Arg<AnyMemRef, "", [MemWrite]>:$to,
                       Optional<EventType>:$after);
  let results = (outs EventType:$done);
  let assemblyFormat = [{
    $from `to` $to (`after` $after^)? attr-dict `:` type($from) `,` type($to)
  }];
}

def WaitOp : Foreign_Op<"wait",
    [DeclareOpInterfaceMethods<AsyncWorkInterface, ["getFinishedValues"]>]> {
  let summary = "Wait for an event";
  let arguments = (ins EventType:$event);
  let assemblyFormat = "$event attr-dict";
}

def WhenOp : Foreign_Op<"when",
    [NoRegionArguments, RecursiveMemoryEffects,
     DeclareOpInterfaceMethods<RegionBranchOpInterface>]> {
  let summary = "Execute one of two regions";
  let arguments = (ins I1:$condition);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$first, SizedRegion<1>:$second);
  let assemblyFormat = [{
    $condition `:` type($results) $first `otherwise` $second attr-dict
  }];
}

def FickleOp : Foreign_Op<"fickle",
    [NoRegionArguments, RecursiveMemoryEffects,
     DeclareOpInterfaceMethods<RegionBranchOpInterface>]> {
  let summary = "Execute a region and then another, and say so only when planned";
  let description = [{
    Beside an arena, or if it is `honest`, it says what it does, otherwise that
    it executes one of the regions: a plan that believed it is refused by the
    verifier.
  }];
  let arguments = (ins I1:$condition);
  let regions = (region SizedRegion<1>:$first, SizedRegion<1>:$second);
  let assemblyFormat = "$condition $first `then` $second attr-dict";
}

def RepeatOp : Foreign_Op<"repeat",
    [RecursiveMemoryEffects,
     DeclareOpInterfaceMethods<RegionBranchOpInterface,
                               ["getEntrySuccessorOperands"]>]> {
  let summary = "Execute a region some times";
  let arguments = (ins Variadic<AnyType>:$inits);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` $inits `)` `:` functional-type($inits, $results) $body attr-dict
  }];
}

def GiveOp : Foreign_Op<"give", [Pure, ReturnLike, Terminator]> {
  let summary = "End a region";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

#endif // MEMPLAN_TEST_LIB_FOREIGNOPS_TD
