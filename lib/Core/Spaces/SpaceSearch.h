//===- SpaceSearch.h - Search for good assignments --------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_SPACESEARCH_H
#define MEMPLAN_LIB_CORE_SPACESEARCH_H

#include "Spaces/Rows.h"

#include <optional>

namespace memplan::detail {

/// Steps of all rows, and the bytes that the fast memory holds in each section.
/// `limits` are the bytes that each section may hold.
class SpaceSearch {
public:
  SpaceSearch(const SpaceProblem &problem, const RowModel &model);

  /// The cheapest steps of each row by itself.
  const std::vector<Steps> &getCheapest() const { return cheapest; }
  /// Starts from these steps, with the limits of the capacity.
  void start(const std::vector<Steps> &from);
  /// Takes pieces out of sections that hold too much. Returns false if what
  /// must be in the fast memory does not fit.
  bool relieve();
  /// Gives rows cheaper steps where there is room.
  void fill();
  /// Gives one row cheaper steps although there is no room, relieves and fills;
  /// keeps what is better. Also takes rows out, and fills.
  void exchange();
  /// Places the pieces. If that fails, lowers the limit of a section in which
  /// it fails, and relieves. Returns false if no assignment was found.
  bool place();
  /// After place(): gives rows cheaper steps that can be placed.
  void fillPlaced();

  int64_t getCost() const { return total; }
  const std::vector<Steps> &getSteps() const { return steps; }
  /// The steps, and after place() the pieces.
  SpaceAssignment getAssignment() const;

private:
  void set(unsigned row, Steps to);
  void undoTo(size_t mark);
  bool relieve(const std::vector<bool> &locked);
  bool leaveFull(unsigned row, unsigned section, Steps &to);
  bool fill(unsigned row);
  double findCheapestInRoom(unsigned row, Steps &to);
  void closeFull(unsigned row);
  bool tryPlace();
  std::optional<unsigned> findFailure() const;

  const SpaceProblem &problem;
  const RowModel &model;
  std::vector<Steps> cheapest;
  std::vector<int64_t> cheapestCost;
  std::vector<Steps> steps;
  std::vector<int64_t> costs;
  int64_t total = 0;
  std::vector<int64_t> used, limits;
  /// The steps before each change, for undoTo().
  std::vector<std::pair<unsigned, Steps>> changes;
  /// Scratch.
  Prices prices;
  std::vector<SpacePiece> pieces;
  /// Of the last placement that failed, the ends of the pieces in bytes.
  std::vector<int64_t> ends;
};

/// The pieces of the steps, without offsets.
std::vector<SpacePiece> findPieces(const std::vector<Steps> &steps);

/// Places the pieces in the capacity. Returns false if it finds no placement;
/// sets `isProven` if there is none, and `ends` (if not null) to the ends of
/// the pieces in a placement that is too large.
bool placePieces(const SpaceProblem &problem, const std::vector<Steps> &steps,
                 std::vector<SpacePiece> &pieces, bool exactly, bool &isProven,
                 std::vector<int64_t> *ends);

/// Branches on the steps of accesses, with the bounds of `Multipliers`. Starts
/// from `best`, which may have no steps, and replaces it by better ones.
/// Returns true if it is proven that no assignment is better.
class Multipliers;
bool searchExactly(const SpaceProblem &problem, const RowModel &model,
                   Multipliers &multipliers, int64_t nodeLimit,
                   SpaceAssignment &best);

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_SPACESEARCH_H
