//===- PlanVerifierState.h - What is known of memory at a point -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state is sparse: a handle without an entry is a slot that is not live and
// has undefined contents. One working state is mutated along a node; it is
// copied where control goes to another node.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_PLANVERIFIERSTATE_H
#define MEMPLAN_LIB_ANALYSIS_PLANVERIFIERSTATE_H

#include "PlanVerifierModel.h"

namespace memplan::planverifier {

/// Between its markers; for an arena, between allocation and release.
enum class Life : uint8_t { No, Yes, Maybe };

/// Bytes [begin, end), counted from the start of a slot, that `op` has taken
/// through the overlapping slot `slot`.
struct Clobber {
  int64_t begin;
  int64_t end;
  mlir::Operation *op;
  unsigned slot;
};

/// A slot that a merged handle may be.
struct Ref {
  unsigned slot;
  /// It may be what the view gave when it was last executed.
  bool current;
  /// It may be what an earlier execution of the view gave.
  bool former;
};

struct Entry {
  Life life = Life::No;
  /// Something has been written to it since its contents became undefined.
  bool written = false;
  /// What was written has been read, on every path.
  bool consumed = false;
  /// Sorted and disjoint; none unless `written`.
  std::vector<Clobber> clobbers;
  /// Sorted by slot; of merged handles only.
  std::vector<Ref> refs;
};

/// Sorted by handle.
using Snapshot = std::vector<std::pair<unsigned, Entry>>;
/// The same, where the entries are somewhere else.
using SnapshotRef = llvm::ArrayRef<std::pair<unsigned, const Entry *>>;

/// A set of bytes as sorted disjoint ranges.
using ByteSet = std::vector<ByteRange>;

/// Adds the bytes of `clobber` that `clobbers` has not yet. Returns true if
/// there were any.
bool addClobber(std::vector<Clobber> &clobbers, Clobber clobber);

/// Removes `bytes` from `clobbers`.
void removeClobbers(std::vector<Clobber> &clobbers, const ByteSet &bytes);

/// The first of `clobbers` that meets `bytes`, or null.
const Clobber *findClobber(const std::vector<Clobber> &clobbers,
                           const ByteSet &bytes);

/// Makes `into` no better than `from`. Returns true if it changed.
bool joinEntry(Entry &into, const Entry &from);
bool joinSnapshot(Snapshot &into, SnapshotRef from,
                  llvm::ArrayRef<Handle> handles);

class WorkingState {
public:
  explicit WorkingState(const Model &model);

  /// Becomes what the snapshot says; its entries are moved from unless `keep`.
  void load(Snapshot &snapshot, bool keep);
  Entry *find(unsigned handle);
  /// Finds or creates the entry of an arena or a slot.
  Entry &get(unsigned handle);
  void set(unsigned handle, Entry entry);
  void erase(unsigned handle);

  /// (handle, slot) for every present handle that may be a slot whose bytes
  /// overlap those of `slot`, `slot` itself included. In address order.
  llvm::SmallVector<std::pair<unsigned, unsigned>, 8>
  findOverlapping(unsigned slot) const;

  /// The present handles, in no order that means anything.
  llvm::ArrayRef<unsigned> getPresent() const { return present; }

private:
  void setActive(unsigned handle, bool active);
  void setItem(unsigned item, bool active);

  const Model &model;
  std::vector<Entry> entries;
  std::vector<int> position;
  std::vector<unsigned> present;
  /// Of each handle, the last load whose snapshot had it.
  std::vector<unsigned> loadedBy;
  unsigned loads = 0;

  /// One item per handle and slot it may be, by arena and address; above them a
  /// tree of the largest end among the items that are active.
  struct Item {
    unsigned handle;
    unsigned slot;
  };
  std::vector<Item> items;
  std::vector<llvm::SmallVector<unsigned, 1>> itemsOf;
  /// For each slot, the items of its arena that begin before it ends.
  std::vector<std::pair<unsigned, unsigned>> reachOf;
  std::vector<int64_t> tree;
  size_t leaves = 1;
};

} // namespace memplan::planverifier

#endif // MEMPLAN_LIB_ANALYSIS_PLANVERIFIERSTATE_H
