//===- InPlace.cpp - Ops that may write over what they read ---------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/IR/InPlace.h"

#include "memplan/IR/InPlace.cpp.inc"
