//===- Slots.h - Arenas, and the bytes that placements take -----*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each iteration of a parallel loop has its own bytes for the buffers that the
// loop body places: a frame. Four iterations, each with a frame of 128 bytes at
// 64 + %i * 128:
//
//   arena   0   64      192     320     448     576
//           |---|=======|-------|-------|-------|---
//                 %i=0    %i=1    %i=2    %i=3
//
// Where the place of a buffer is not a constant, a memplan.slot says where it
// begins: its root. The bytes of a slot count from its root, which is the base
// of the arena or a memplan.slot. Slots of one root are compared by their
// bytes. Slots of different roots are compared by the order of these: a root
// that is above another begins where that one ends, or behind it.
//
//         root of %s1    |=========|     %s1 = memplan.slot above(%s0)
//         root of %s0    |=====|         of no constant size
//   base of the arena    |--|------      constant places
//
// As seen from inside of the body, a slot has the bytes that it has in the
// first iteration, because only the frame of the own iteration matters there.
// As seen from outside of the loop, it has all bytes from its first one in the
// first iteration to its last one in the last iteration.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_VERIFIER_SLOTS_H
#define MEMPLAN_LIB_VERIFIER_SLOTS_H

#include "Contracts.h"
#include "Reporter.h"
#include "Terms.h"
#include "memplan/Verifier/NestAccess.h"
#include "memplan/Verifier/Sizes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

#include <map>

namespace memplan::verifier {

std::string str(ByteRange bytes);

/// Ranges in ascending order. None is empty, and no two overlap or touch.
using ByteRanges = llvm::SmallVector<ByteRange, 1>;
void addBytes(ByteRanges &ranges, ByteRange bytes);
void removeBytes(ByteRanges &ranges, ByteRange bytes);
bool overlaps(const ByteRanges &ranges, ByteRange bytes);

/// The root of slots at places that are not constant, which are in order.
struct Root {
  /// Null if the program is lowered.
  mlir::Operation *slot;
  /// Bytes: its offset is at least this much.
  int64_t least;
  /// The roots that it is above, directly or through others.
  llvm::BitVector below;
};
/// The root of slots at constant places.
constexpr int kBase = -1;
/// Bytes: the size of a slot whose size is not constant. It is followed as a
/// slot without an end; its placement is proven not to be larger.
constexpr int64_t kAnySize = int64_t(1) << 62;

struct Arena {
  mlir::Value value;
  /// Bytes: the size, or the size up to which it holds constant places.
  int64_t size;
  int64_t alignment;
  /// True if callers pass it as an argument.
  bool isArgument;
  /// True if it is on the heap: the function must release it.
  bool isOnHeap;
  /// The number of parallel loops around it. Each iteration of these has an
  /// arena of its own.
  size_t depth;
  /// The roots that it holds; if it is lowered, the first of them, or kBase.
  llvm::BitVector roots = {};
  int firstRoot = kBase;
  /// True if the caller frees it with a result that is in it.
  bool isReturned = false;
};

/// The bytes of an arena that one or more placements take. Two placements with
/// the same bytes in the same loop are in one slot.
struct Slot {
  unsigned arena;
  /// Where the bytes count from: a root of the arena, or kBase.
  int root;
  /// The parallel loops around the placement but not around its arena, the
  /// outermost first.
  llvm::SmallVector<mlir::Operation *, 1> loops;
  /// bytes[i] is the slot as seen from inside of the outer `i` of these loops.
  llvm::SmallVector<ByteRange, 2> bytes;
  /// A power of two that divides the address of the slot in each iteration.
  int64_t alignment;
  /// The first placement in the slot.
  mlir::Operation *placement;
  /// Its buffers have sizes that are known only when the program runs, and
  /// `bytes` are at least as many. It is followed as a whole.
  bool isWhole = false;

  /// The bytes as seen from inside of all these loops.
  ByteRange own() const { return bytes.back(); }
};

/// What memplan-lower writes for a view of an arena that has roots.
struct LoweredView {
  mlir::memref::ViewOp op;
  unsigned slot;
  /// The offset without what depends on the worker. Null at a constant place.
  mlir::Value shift;
  /// Bytes: what the elements need.
  int64_t alignment;
};

/// The dependence of an offset or index on one induction variable: it grows by
/// `stride` with each of the `count` iterations.
struct LoopTerm {
  mlir::BlockArgument variable;
  int64_t count;
  int64_t stride;
};
/// A linear function of induction variables; `constant` is its value in the
/// first iteration of all loops.
struct Offset {
  int64_t constant = 0;
  llvm::SmallVector<LoopTerm, 2> terms;
};
/// The value of an index as a function of the induction variables of parallel
/// loops with constant bounds. std::nullopt if it is not linear in them, or if
/// it may wrap.
std::optional<Offset> evaluate(mlir::Value value);
/// The same for the variables of all loops with constant bounds. The data
/// layout at `scope` gives the width of an index.
std::optional<Offset> evaluateInLoops(mlir::Value value);
std::optional<Offset> evaluateInLoops(mlir::AffineExpr expr, unsigned numDims,
                                      mlir::ValueRange operands,
                                      mlir::Operation *scope);
/// The least and the greatest value of the function; std::nullopt on overflow.
std::optional<std::pair<int64_t, int64_t>> getBounds(const Offset &offset);
/// std::nullopt if an argument is, or on overflow.
std::optional<Offset> add(std::optional<Offset> a,
                          const std::optional<Offset> &b);
std::optional<Offset> scale(std::optional<Offset> offset, int64_t factor);

class Slots : Reporter {
public:
  /// Finds the arenas of the function and the placements in them, both as
  /// memplan ops and as the ops that memplan-lower writes. Emits an error for a
  /// placement that is outside of its arena or misaligned, or whose bytes are
  /// not known.
  mlir::LogicalResult collect(mlir::FunctionOpInterface function,
                              const FlowGraph &graph);

  //===--------------------------------------------------------------------===//
  // Questions about two places. Only these compare bytes of different slots.
  //===--------------------------------------------------------------------===//

  /// True if the slots share bytes, as seen from inside of the loops that are
  /// around both.
  bool overlap(unsigned a, unsigned b) const;

  /// The bytes of slot `b` that are among the bytes `ofA` of slot `a`; empty if
  /// there are none. Both are offsets from the start of their slot. If the
  /// slots are in different loops and overlap, the result is all of `b`.
  ByteRange findCommon(unsigned a, ByteRange ofA, unsigned b) const;

  /// The bytes from the start of slot `b` to that of slot `a`, which is
  /// negative if `a` begins first; std::nullopt if it is not known, or if the
  /// slots are in different loops. Two slots in the same loops with the same
  /// bytes are one slot.
  std::optional<int64_t> getDistance(unsigned a, unsigned b) const;

  /// The bytes of a slot for messages.
  std::string str(unsigned slot) const;

  /// True if two memrefs have elements of one size and the same extents, apart
  /// from extents of 1.
  bool haveSameShape(mlir::Value a, mlir::Value b) const;
  /// The bytes of a memref without gaps; std::nullopt if they are not constant.
  std::optional<int64_t> countBytes(mlir::Value memref) const;

  /// True if `loops`, the parallel loops around an op, are those of the slot:
  /// each iteration of them has its own slot.
  bool isOfIteration(unsigned slot,
                     llvm::ArrayRef<mlir::Operation *> loops) const;

  /// The order of roots that a lowered arena states; null without one.
  mlir::ArrayAttr getStatedRoots(unsigned arena) const;
  /// Where the root begins in which the lowered view is.
  Sum getLoweredStart(mlir::Operation *view);
  /// The bytes of the view; std::nullopt if they are not known.
  std::optional<Sum> countBytes(mlir::memref::ViewOp view);
  /// The most bytes that the view may have; std::nullopt without a bound.
  std::optional<int64_t> getMostBytes(mlir::memref::ViewOp view);

  /// The data layout that holds at the op.
  const mlir::DataLayout &getLayout(mlir::Operation *op);

  std::vector<Arena> arenas;
  std::vector<Root> roots;
  std::vector<Slot> slots;
  llvm::DenseMap<mlir::Value, unsigned> arenaOf;
  /// By placement other than a renewal, its slot.
  llvm::DenseMap<mlir::Value, unsigned> slotOf;
  std::vector<LoweredView> loweredViews;
  /// Of the values of the function.
  std::optional<Terms> terms;

private:
  struct Placement {
    mlir::Operation *op;
    unsigned slot;
    llvm::SmallVector<LoopTerm, 2> terms;
  };

  void addArena(mlir::Operation *op, mlir::Value value, int64_t alignment);
  llvm::SmallVector<mlir::Value> findUsedSlots(mlir::BlockArgument arena);
  llvm::BitVector findBelow(mlir::ValueRange slots);
  int getRoot(mlir::Value slot);
  bool areApart(const Slot &a, ByteRange ofA, const Slot &b,
                ByteRange ofB) const;
  void addRoot(mlir::Operation *slot, int64_t least,
               llvm::ArrayRef<unsigned> above);
  void addLoweredRoots(Arena &arena, mlir::ArrayAttr stated);
  void place(mlir::Operation *op, mlir::Value arena, int root,
             const std::optional<Offset> &offset, int64_t alignment);
  void placeLowered(mlir::memref::ViewOp view, unsigned arena);
  std::optional<ByteRange> measure(mlir::Operation *op, int64_t begin,
                                   int64_t &alignment);
  bool fitsInRoot(mlir::Operation *op, ByteRange bytes);
  void expand();
  void expand(unsigned arena, mlir::Operation *loop, unsigned depth,
              llvm::ArrayRef<Placement *> inside);
  void noteArena(mlir::InFlightDiagnostic &&diag, unsigned arena);

  std::vector<Placement> placements;
  /// By lowered view in a root, its offset without what depends on the worker,
  /// and how many bytes behind the root that is stated to be.
  llvm::DenseMap<mlir::Operation *, std::pair<mlir::Value, int64_t>> shiftOf;
  std::map<std::tuple<unsigned, int, int64_t, int64_t, mlir::Operation *, bool>,
           unsigned>
      slotAt;
  llvm::DenseMap<mlir::Value, unsigned> rootOf;
  /// Of the function of `collect`.
  mutable std::optional<Sizes> sizes;
  std::optional<mlir::DataLayout> layout;
  mlir::Operation *layoutScope = nullptr;
};

/// The parallel loops around `op`, the outermost first.
llvm::SmallVector<mlir::Operation *, 1> getParallelLoops(mlir::Operation *op);

/// True for a renewal: a placement that begins an instance in the slot of its
/// operand.
bool isRenewal(mlir::Operation *op);

} // namespace memplan::verifier

#endif // MEMPLAN_LIB_VERIFIER_SLOTS_H
