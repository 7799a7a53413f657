//===- Rows.h - Rows of accesses, and their cheapest steps ------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cheapest steps of one buffer, if each section of time has a price for a
// byte of fast memory, are a shortest path. Its nodes are, behind each access,
// the memories that have the contents:
//
//             .-> fast only  -.        A section is a time during which no
//   nothing --+-> both        +-> ...  span of an access begins or ends.
//             '-> slow only  -'
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_ROWS_H
#define MEMPLAN_LIB_CORE_ROWS_H

#include "memplan/Core/Spaces.h"

#include <limits>

namespace memplan::detail {

using Steps = std::vector<SpaceStep>;

/// The cost of what cannot be.
constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

/// Sections [begin, end).
struct Sections {
  unsigned begin;
  unsigned end;
};

/// A buffer with the costs of its accesses.
struct Row {
  struct Access {
    Sections span;
    /// kNever if the op does not take the memory, or the fast memory is too
    /// small.
    int64_t fastCost, slowCost;
    bool needsContents, writes;
  };
  std::vector<Access> accesses;
  /// Bytes that it takes in the fast memory, a multiple of the unit.
  int64_t size;
  int64_t copyIn, copyOut;
  bool beginsSlow, endsSlow;
};

/// Steps that a search has decided, for an access and the gap before it.
enum class Choice : uint8_t { Free, No, Yes };
struct Decision {
  Choice held = Choice::Free;
  Choice kept = Choice::Free;
};

/// All rows of a problem.
struct RowModel {
  explicit RowModel(const SpaceProblem &problem);

  std::vector<Row> rows;
  /// Sections are numbered from 0.
  unsigned numSections = 0;
  /// The sections between the first and the last access, of all rows together.
  int64_t numCells = 0;
  /// Bytes of the fast memory, a multiple of the unit. Alignments are multiples
  /// of the unit, so it is as good as the capacity.
  int64_t capacity = 0;
  /// False if an access is possible in no memory, as the fast one is too small.
  bool isPossible = true;
  /// All costs are multiples of it.
  int64_t costUnit = 1;
};

/// Prices and closed sections, as sums over the sections before each one.
struct Prices {
  explicit Prices(unsigned numSections)
      : price(numSections + 1), closed(numSections + 1) {}
  std::vector<double> price;
  std::vector<unsigned> closed;
};

/// The cheapest steps of the row, and their cost with prices; infinite if there
/// are none. The fast memory does not hold the buffer in closed sections.
/// `decisions` is null, or has one for each access.
double findCheapest(const Row &row, const Prices &prices,
                    const Decision *decisions, Steps &steps);

/// The cost of the steps, without prices.
int64_t getCost(const Row &row, const Steps &steps);

/// Calls `visit` with the sections in which the steps hold the buffer,
/// ascending.
template <typename Fn>
void forEachHeld(const Row &row, const Steps &steps, Fn visit) {
  for (size_t k = 0; k < steps.size(); ++k) {
    if (steps[k].kept &&
        row.accesses[k - 1].span.end != row.accesses[k].span.begin)
      visit(Sections{row.accesses[k - 1].span.end, row.accesses[k].span.begin});
    if (steps[k].held)
      visit(row.accesses[k].span);
  }
}

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_ROWS_H
