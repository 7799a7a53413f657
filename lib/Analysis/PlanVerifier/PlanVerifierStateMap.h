//===- PlanVerifierStateMap.h - States that share -------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The states at two points of a function differ in what happened in between,
// which is little. A state is a tree that is never changed where another state
// has a part in it, so that a copy costs nothing, and what two states do not
// share is what may differ:
//
//        a        b         handle 5 changed in b, a copy of a
//       / \      / \                                                        .
//      o   \____/   o'      o is left to a, the right half is in both
//     / \   \  /   / \                                                      .
//    4   5   o    4   5'
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_PLANVERIFIERSTATEMAP_H
#define MEMPLAN_LIB_ANALYSIS_PLANVERIFIERSTATEMAP_H

#include "PlanVerifierRefs.h"

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <vector>

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

/// Two handles that may be one slot are surely not two lives of it: if they are
/// that slot at once they are the same buffer, which `isDistinct` rules out.
struct SlotFact {
  unsigned handle;
  bool isDistinct;

  bool operator==(const SlotFact &other) const {
    return handle == other.handle && isDistinct == other.isDistinct;
  }
};

/// A renewal that was the last on some path.
struct Emptying {
  /// Of the renewal.
  unsigned number;
  /// The value has been written to after it, on some path.
  bool isWritten = false;
  /// And before it, on every path.
  bool wasWritten = false;

  bool operator==(const Emptying &other) const {
    return number == other.number && isWritten == other.isWritten &&
           wasWritten == other.wasWritten;
  }
};

struct Entry {
  Life life = Life::No;
  /// Something has been written to it since its contents became undefined.
  bool written = false;
  /// What was written has been read, on every path.
  bool consumed = false;
  /// A buffer has begun in it, on every path. Asked only of slots in which
  /// renewals may begin buffers, and of what may be such a slot.
  bool begun = false;
  /// This very value has been written to, on every path.
  bool ownWritten = false;
  /// The renewals through this value, ascending.
  std::vector<Emptying> emptied;
  /// Sorted and disjoint; none unless `written`.
  std::vector<Clobber> clobbers;
  /// Of merged handles only, and null if there are none.
  const RefSet *refs = nullptr;
  /// What is known of other merged handles, sorted by these. Kept only where
  /// buffers begin in slots that travel, and for handles that may be one slot.
  std::vector<SlotFact> facts;
};

/// What states share: their entries and the nodes of their trees.
struct Shared : llvm::RefCountedBase<Shared> {
  virtual ~Shared() = default;
};

struct SharedEntry final : Shared {
  explicit SharedEntry(Entry entry) : entry(std::move(entry)) {}
  Entry entry;
};
using EntryPtr = llvm::IntrusiveRefCntPtr<SharedEntry>;

/// The entries of handles.
class StateMap {
public:
  StateMap() = default;
  /// For handles below `size`.
  explicit StateMap(size_t size);

  /// A null entry takes away what there was.
  void set(unsigned handle, EntryPtr entry);

  /// Calls `fn` with each handle, in order, of which the two do not share the
  /// entry, and with the entries, null where there is none.
  using CompareFn =
      llvm::function_ref<void(unsigned, SharedEntry *, SharedEntry *)>;
  static void compare(const StateMap &a, const StateMap &b, CompareFn fn);

private:
  using Place = llvm::IntrusiveRefCntPtr<Shared>;
  struct Node;

  static void assign(Place &place, unsigned level, unsigned handle,
                     Place &&entry);
  static void compare(Shared *a, Shared *b, unsigned level, unsigned first,
                      CompareFn fn);

  Place root;
  /// Of nodes above the entries.
  unsigned levels = 0;
};

} // namespace memplan::planverifier

#endif // MEMPLAN_LIB_ANALYSIS_PLANVERIFIERSTATEMAP_H
