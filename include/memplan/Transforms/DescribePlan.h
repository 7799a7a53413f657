//===- DescribePlan.h - From plans to reports -------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TRANSFORMS_DESCRIBEPLAN_H
#define MEMPLAN_TRANSFORMS_DESCRIBEPLAN_H

#include "memplan/Analysis/BuildProblem.h"
#include "memplan/Report/ReadReport.h"
#include "memplan/Report/Report.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace memplan {

/// What may run when a function runs.
struct ReachedSymbols {
  /// The functions with a body, the first one included, and the globals that
  /// these name, without arenas; both in the order in which they are found.
  llvm::SetVector<mlir::Operation *> functions, globals;

  ByteCount countGlobals(bool areConstant) const;
};

/// Finds what functions reach by the symbols that they name.
class SymbolReach {
public:
  explicit SymbolReach(mlir::ModuleOp module);
  ReachedSymbols find(mlir::FunctionOpInterface function);
  /// The constants, or the other globals, of the module.
  ByteCount countGlobals(bool areConstant) const {
    return all.countGlobals(areConstant);
  }

private:
  /// The symbols with a definition that the op names.
  llvm::ArrayRef<mlir::Operation *> getNamed(mlir::Operation *op);

  mlir::SymbolTableCollection tables;
  llvm::DenseMap<mlir::Operation *, std::vector<mlir::Operation *>> named;
  /// All functions and globals of the module.
  ReachedSymbols all;
};

/// A report without arenas: the bytes of the memref arguments and results of
/// public functions, and of global variables and constants; and the changes of
/// functions before planning.
Report describeModule(mlir::ModuleOp module);

/// The reports of the arenas of a function, and after them those of the frames
/// of its parallel loops; or of the arenas that it had before. The problem is
/// solved by `strategy` and not yet materialized. With `compare` the other
/// strategies solve it as well.
std::vector<ArenaReport> describePlans(const FunctionProblem &problem,
                                       Strategy strategy,
                                       const ProgramOrder &order,
                                       bool compare = false);

/// Notes at each allocation the SSA name of its result, for describePlans; the
/// names of the program change as passes add and erase ops. forgetValueNames
/// erases the notes.
void noteValueNames(mlir::ModuleOp module);
void forgetValueNames(mlir::ModuleOp module);

/// Bytes of the arena if each buffer, and each slot of a phi cycle, had bytes
/// of its own.
int64_t computeSizeWithoutReuse(const FunctionProblem &problem,
                                const ArenaProblem &arena);

/// An arena in a planned program.
struct PlacedArena {
  /// In bytes.
  int64_t size;
  mlir::Attribute memorySpace;
  /// It is an argument of the function.
  bool isFrame;
};

/// The arenas of a function, lowered or not, in walk order.
std::vector<PlacedArena> findArenas(mlir::FunctionOpInterface function);

/// A permitted overlap of two buffers that the plan uses.
struct UsedOverlap {
  const InPlaceUse *use;
  /// The reason why no element is read after it has been overwritten.
  std::string proof;
};

/// The used overlaps of a solved arena: one for each op and pair of buffers
/// that share bytes.
std::vector<UsedOverlap> findUsedOverlaps(const ArenaProblem &arena);

/// "file:line:column" if the location has one; otherwise the printed location.
std::string describeLocation(mlir::Location loc);

/// The number or name of a memory space; "0" for the default one.
std::string describeSpace(mlir::Attribute space);

/// The name of the arena of a memplan.problem.
ArenaName getArenaName(ProblemOp op);

/// Attaches a note at each of the first eight problems with the options that
/// select it. `prefix` precedes each option, for example "--".
mlir::InFlightDiagnostic attachNames(mlir::InFlightDiagnostic diagnostic,
                                     llvm::ArrayRef<ProblemOp> problems,
                                     llvm::StringRef prefix);

} // namespace memplan

#endif // MEMPLAN_TRANSFORMS_DESCRIBEPLAN_H
