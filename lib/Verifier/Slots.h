//===- Slots.h - Arenas, and the bytes that placements take -----*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The body of a parallel loop takes its bytes once for each iteration. Four
// iterations, each with a frame of 128 bytes at 64 + %i * 128:
//
//   arena   0   64      192     320     448     576
//           |---|=======|-------|-------|-------|---
//                 %i=0    %i=1    %i=2    %i=3
//
// Seen from the body, where all that counts is the iteration's own frame, a
// slot in it is where it is for the first iteration; from outside of the loop
// it takes the bytes of all iterations.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_VERIFIER_SLOTS_H
#define MEMPLAN_LIB_VERIFIER_SLOTS_H

#include "Contracts.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

#include <map>

namespace memplan::verifier {

struct ByteRange {
  int64_t begin;
  int64_t end;
  bool overlaps(const ByteRange &other) const {
    return begin < other.end && other.begin < end && begin < end &&
           other.begin < other.end;
  }
  bool operator==(const ByteRange &other) const {
    return begin == other.begin && end == other.end;
  }
};
std::string str(ByteRange bytes);

/// Ascending, disjoint, not empty; no two of them touch.
using ByteRanges = llvm::SmallVector<ByteRange, 1>;
void addBytes(ByteRanges &ranges, ByteRange bytes);
void removeBytes(ByteRanges &ranges, ByteRange bytes);
bool overlaps(const ByteRanges &ranges, ByteRange bytes);

struct Arena {
  mlir::Value value;
  int64_t size;
  int64_t alignment;
  /// Callers hand it in.
  bool isArgument;
  /// The function frees it.
  bool isOnHeap;
  /// How many parallel loops are around it: each iteration has its own.
  size_t depth;
};

/// The bytes of an arena that placements take; two with the same bytes are in
/// one slot.
struct Slot {
  unsigned arena;
  /// The parallel loops around the placement but not around its arena, outer
  /// ones first.
  llvm::SmallVector<mlir::Operation *, 1> loops;
  /// As seen from inside the first `i` of them.
  llvm::SmallVector<ByteRange, 2> bytes;
  /// A power of two that divides the address wherever it is.
  int64_t alignment;
  /// The first one.
  mlir::Operation *placement;

  ByteRange own() const { return bytes.back(); }
};

/// How an offset depends on the iteration of a loop: `stride` bytes for each
/// step of the variable.
struct WorkerTerm {
  mlir::BlockArgument variable;
  int64_t count;
  int64_t stride;
};
struct Offset {
  int64_t constant = 0;
  llvm::SmallVector<WorkerTerm, 2> terms;
};
/// What an index is worth; nothing if it is not linear in the variables of
/// parallel loops with constant bounds, or wraps.
std::optional<Offset> evaluate(mlir::Value value);
/// The same for the variables of all loops with constant bounds.
std::optional<Offset> evaluateInLoops(mlir::Value value);
std::optional<Offset> evaluateInLoops(mlir::AffineExpr expr, unsigned numDims,
                                      mlir::ValueRange operands,
                                      mlir::Operation *scope);
/// Nothing if one of them is not known, or on overflow.
std::optional<Offset> add(std::optional<Offset> a,
                          const std::optional<Offset> &b);
std::optional<Offset> scale(std::optional<Offset> offset, int64_t factor);

/// Bytes from one element to the next; nothing for types whose size the data
/// layout cannot tell.
std::optional<int64_t> getElementBytes(mlir::Type type,
                                       const mlir::DataLayout &layout);

class Slots {
public:
  /// Finds the arenas of the function and the placements in them, by matching
  /// what is there: memplan ops, or what they are lowered to. Emits an error
  /// for a placement that is outside of its arena, or misaligned, or whose
  /// bytes are not known.
  mlir::LogicalResult collect(mlir::FunctionOpInterface function,
                              const FlowGraph &graph);

  bool overlap(unsigned a, unsigned b) const;

  /// The bytes of slot `b`, from its beginning on, that are those of slot `a`;
  /// empty if none are. If the slots are in different loops all of `b` may be.
  ByteRange findCommon(unsigned a, ByteRange ofA, unsigned b) const;

  /// True if what is in these parallel loops has the slot to itself: each
  /// iteration has its own.
  bool isOfIteration(unsigned slot,
                     llvm::ArrayRef<mlir::Operation *> loops) const;

  /// The data layout that holds at the op.
  const mlir::DataLayout &getLayout(mlir::Operation *op);

  std::vector<Arena> arenas;
  std::vector<Slot> slots;
  llvm::DenseMap<mlir::Value, unsigned> arenaOf;
  /// The slot of each placement with a slot of its own.
  llvm::DenseMap<mlir::Value, unsigned> slotOf;

private:
  struct Placement {
    mlir::Operation *op;
    unsigned slot;
    llvm::SmallVector<WorkerTerm, 2> terms;
  };

  void addArena(mlir::Operation *op, mlir::Value value, int64_t alignment);
  void place(mlir::Operation *op, mlir::Value arena,
             const std::optional<Offset> &offset, int64_t alignment);
  std::optional<ByteRange> measure(mlir::Operation *op, int64_t begin,
                                   int64_t &alignment);
  void expand();
  void expand(unsigned arena, mlir::Operation *loop, unsigned depth,
              llvm::ArrayRef<Placement *> inside);
  mlir::InFlightDiagnostic error(mlir::Operation *op);
  void noteArena(mlir::InFlightDiagnostic &&diag, unsigned arena);

  std::vector<Placement> placements;
  std::map<std::tuple<unsigned, int64_t, int64_t, mlir::Operation *>, unsigned>
      slotAt;
  std::optional<mlir::DataLayout> layout;
  mlir::Operation *layoutScope = nullptr;
  bool isSound = true;
};

/// The parallel loops around `op`, outer ones first.
llvm::SmallVector<mlir::Operation *, 1> getParallelLoops(mlir::Operation *op);

/// True for the placements that start an instance in the slot of their operand.
bool isRenewal(mlir::Operation *op);

} // namespace memplan::verifier

#endif // MEMPLAN_LIB_VERIFIER_SLOTS_H
