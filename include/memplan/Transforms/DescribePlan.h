//===- DescribePlan.h - From plans to reports -------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TRANSFORMS_DESCRIBEPLAN_H
#define MEMPLAN_TRANSFORMS_DESCRIBEPLAN_H

#include "memplan/Analysis/PlanningProblem.h"
#include "memplan/Report/ReadReport.h"
#include "memplan/Report/Report.h"

#include "mlir/IR/BuiltinOps.h"

namespace memplan {

/// What the report says besides arenas: arguments and results of the functions
/// that are called from outside, and global memory. Tensors do not count.
Report describeModule(mlir::ModuleOp module);

/// The arenas of a function, solved by `strategy`, and after them the frames of
/// its parallel loops; or those it had before. Before it is materialized. With
/// `compare` other strategies solve them, too.
std::vector<ArenaReport> describePlans(const FunctionProblem &problem,
                                       Strategy strategy,
                                       const ProgramOrder &order,
                                       bool compare = false);

/// Bytes of the arena if each buffer had memory of its own (and each turn of
/// one that a loop carries), one after another.
int64_t computeSizeWithoutReuse(const FunctionProblem &problem,
                                const ArenaProblem &arena);

/// An arena that is in the program: its size in bytes and its memory space.
struct PlacedArena {
  int64_t size;
  mlir::Attribute memorySpace;
  /// The callers hand it in.
  bool isFrame;
};

/// The arenas of a function, lowered or not, in walk order.
std::vector<PlacedArena> findArenas(mlir::FunctionOpInterface function);

/// A permitted overlap that the plan makes use of.
struct UsedOverlap {
  const InPlaceUse *use;
  /// Bytes by which the buffer that is read begins above the one that is
  /// written.
  int64_t delta;
  /// Why no element is read when it has been written, as a sentence.
  std::string proof;
};

/// One for each op and pair of buffers that share bytes while both are live.
/// The arena is solved.
std::vector<UsedOverlap> findUsedOverlaps(const ArenaProblem &arena);

/// `file:line:column` where there is such a place; the location as it is
/// printed otherwise.
std::string describeLocation(mlir::Location loc);

/// The number or name of a memory space, "0" for the default.
std::string describeSpace(mlir::Attribute space);

/// The arena that a memplan.problem is of.
ArenaName getArenaName(ProblemOp op);

/// Adds notes that say by which options each of the problems is chosen, of many
/// the first ones. Each option begins with `prefix`.
mlir::InFlightDiagnostic attachNames(mlir::InFlightDiagnostic diagnostic,
                                     llvm::ArrayRef<ProblemOp> problems,
                                     llvm::StringRef prefix);

} // namespace memplan

#endif // MEMPLAN_TRANSFORMS_DESCRIBEPLAN_H
