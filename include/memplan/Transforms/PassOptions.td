//===- PassOptions.td - Options of several passes ----------*- tablegen -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TRANSFORMS_PASSOPTIONS_TD
#define MEMPLAN_TRANSFORMS_PASSOPTIONS_TD

include "mlir/Pass/PassBase.td"

// The values of enum options (OptionParsers.h).
defvar strategyValues = "::memplan::strategyValues()";
defvar effortValues = "::memplan::effortValues()";
defvar reportValues = "::memplan::reportValues()";
defvar tableValues = "::memplan::tableValues()";

defvar scopeValues = "::memplan::scopeValues()";
defvar calleeTrustValues = "::memplan::calleeTrustValues()";
defvar resultValues = "::memplan::resultValues()";
defvar dynamicValues = "::memplan::dynamicValues()";

// The option of all passes that analyze aliases.
defvar calleeTrustOption =
  Option<"calleeTrust", "callee-trust", "::memplan::CalleeTrust",
         /*default=*/"::memplan::CalleeTrust::Boundary",
         "Assumptions about callees without a body in the module",
         calleeTrustValues>;

// The option of memplan-solve and plan-memory.
defvar strategyOption =
  Option<"strategy", "strategy", "::memplan::Strategy",
         /*default=*/"::memplan::Strategy::Auto",
         "Algorithm that assigns the offsets", strategyValues>;

#endif // MEMPLAN_TRANSFORMS_PASSOPTIONS_TD
