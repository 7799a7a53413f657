//===- Spaces.h - Which buffer is in the fast memory, and when --*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two memories: a slow one with room for all buffers, and a fast one of a given
// capacity. Each access to a buffer is in one of them, and between two accesses
// the buffer may move:
//
//   time        0    1    2    3    4    5    6
//   accesses    W         R              R          of one buffer
//   fast        |=========|              |==|       two pieces
//   slow                  `out----------in'         two copies
//
// A piece is a time during which the fast memory holds the buffer. Pieces must
// be placed in the capacity like any buffers (Problem.h). The cost of an
// assignment is that of all accesses and copies.
//
// A copy out is needed only if the slow memory does not have the contents yet:
// a buffer that was copied in and only read since has them in both. Contents
// that no access needs any more are not copied.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_CORE_SPACES_H
#define MEMPLAN_CORE_SPACES_H

#include "memplan/Core/Plan.h"
#include "memplan/Core/Problem.h"
#include "memplan/Core/Verify.h"

#include <cstdint>
#include <string>
#include <vector>

namespace memplan {

/// What an op does with a buffer.
struct SpaceAccess {
  /// The times during which the op runs.
  LiveRange span;
  /// Over all executions, in bytes.
  int64_t bytesRead = 0;
  int64_t bytesWritten = 0;
  /// Contents from before the access are needed, at it or after it. False for
  /// the first access to a buffer that nothing was written to, and for one that
  /// overwrites all of the buffer.
  bool needsContents = true;
  /// The access changes the contents.
  bool writes = false;
  /// The memories that the op can take the buffer in; at least one.
  bool inFast = true;
  bool inSlow = true;
};

struct SpaceBuffer {
  /// Unique in its problem.
  std::string id;
  /// In bytes.
  int64_t size = 0;
  /// In bytes, in the fast memory; a power of two.
  int64_t alignment = 1;
  /// In the order of time: each begins where the previous one ends, or later.
  /// Not empty.
  std::vector<SpaceAccess> accesses;
  /// How often the accesses are executed: the copies are, too.
  int64_t times = 1;
  /// The slow memory has the contents before the first access.
  bool beginsSlow = false;
  /// The slow memory must have the contents after the last access.
  bool endsSlow = false;
};

/// An op that may write one buffer over another, which it reads: both have the
/// same size, and nothing needs the contents of the first after the op.
struct SpaceInPlace {
  BufferIndex read;
  /// The index of the access to `read`.
  unsigned readAccess;
  BufferIndex written;
  unsigned writtenAccess;
};

/// Costs of one byte. Not negative.
struct SpaceCosts {
  int64_t fastRead = 0;
  int64_t fastWrite = 0;
  int64_t slowRead = 1;
  int64_t slowWrite = 1;
  /// From the slow memory to the fast one, and back. A copy costs no other
  /// reads and writes.
  int64_t copyIn = 1;
  int64_t copyOut = 1;
};

struct SpaceProblem {
  std::vector<SpaceBuffer> buffers;
  std::vector<SpaceInPlace> inPlace;
  SpaceCosts costs;
  /// Of the fast memory, in bytes.
  int64_t capacity = 0;
  /// Of the fast memory, in bytes; a power of two.
  int64_t arenaAlignment = 64;
};

/// What happens at one access, and between it and the previous one.
struct SpaceStep {
  /// The access is in the fast memory.
  bool fast = false;
  /// The fast memory holds the buffer during the access. Also set at an access
  /// in the slow memory if the piece around it goes on.
  bool held = false;
  /// The piece that holds the previous access goes on to this one.
  bool kept = false;
  /// The piece begins here, with a copy in before the access.
  bool copyIn = false;
  /// A copy out after the access.
  bool copyOut = false;

  friend bool operator==(const SpaceStep &a, const SpaceStep &b) {
    return a.fast == b.fast && a.held == b.held && a.kept == b.kept &&
           a.copyIn == b.copyIn && a.copyOut == b.copyOut;
  }
};

/// The accesses during which the fast memory holds a buffer without a break.
struct SpacePiece {
  BufferIndex buffer;
  /// The indices of the first and the last access.
  unsigned first;
  unsigned last;
  /// In the fast memory, in bytes.
  int64_t offset = 0;
};

struct SpaceAssignment {
  /// For each buffer, a step for each access; empty if there is no assignment.
  std::vector<std::vector<SpaceStep>> steps;
  /// In the order of the buffers, then of time.
  std::vector<SpacePiece> pieces;
  int64_t cost = 0;
  /// It is proven that no assignment costs less.
  int64_t lowerBound = 0;
  /// Optimal (proven), Feasible, Infeasible (buffers that must be in the fast
  /// memory do not fit; proven), Limit (no assignment was found for these), or
  /// Invalid.
  PlanStatus status = PlanStatus::Invalid;
  /// One line in lower case: why there is no assignment, or why it was not
  /// searched for. Mostly empty.
  std::string message;
  /// Search nodes spent.
  int64_t nodes = 0;

  bool hasSteps() const { return !steps.empty(); }
};

/// What an assignment does, in bytes over all executions.
struct AssignmentTraffic {
  int64_t fastRead = 0;
  int64_t fastWritten = 0;
  int64_t slowRead = 0;
  int64_t slowWritten = 0;
  int64_t copiedIn = 0;
  int64_t copiedOut = 0;
  /// Bytes read from and written to the slow memory, by ops and by copies.
  int64_t getSlowBytes() const {
    return slowRead + slowWritten + copiedIn + copiedOut;
  }
};

struct SpaceOptions {
  /// Rounds of the search for multipliers, which give the lower bound.
  int rounds = 400;
  /// Nodes of the exact search, for problems of at most `exactAccesses`
  /// accesses. 0 for none.
  int64_t nodeLimit = 20000;
  size_t exactAccesses = 200;
};

/// Checks the requirements above. Errors are sizes and numbers that are
/// negative or so large that costs overflow, buffers without accesses, accesses
/// that are empty or not in order, first accesses that need contents which
/// nothing has written, and pairs in place of buffers of other sizes or at
/// other ops. Returns at most `maxIssues` issues.
std::vector<Issue> check(const SpaceProblem &problem, size_t maxIssues = 16);

/// Searches for an assignment of least cost, and bounds the cost from below.
///
/// Starts from the cheapest row of each buffer by itself, and where the fast
/// memory is too full takes out the piece that costs least for each byte and
/// time that it frees (Belady's rule with sizes and costs). Then exchanges
/// pieces, and places them. If that fails, the section of time at which it
/// failed must do with fewer bytes. The result is never worse than that of
/// farthestLastUse.
///
/// The bound relaxes the capacity by Lagrange multipliers, one for each section
/// of time: the rows are then independent, each a shortest path, so the best
/// multipliers give the bound of the linear relaxation. The multipliers also
/// give starts for the search. On small problems branch and bound continues
/// from there. Deterministic. Verifies the result.
SpaceAssignment assignSpaces(const SpaceProblem &problem,
                             const SpaceOptions &options = {});

/// A common rule, for comparison: each buffer is in the fast memory from its
/// first access on. If there are too many bytes at an access, the buffer whose
/// last use is the farthest leaves the fast memory, and does not return. Has no
/// lower bound. No assignment if buffers that must be in the fast memory do not
/// fit.
SpaceAssignment farthestLastUse(const SpaceProblem &problem);

/// Every access in the slow memory, unless its op does not take that. Not
/// placed if some accesses are in the fast memory.
SpaceAssignment everythingSlow(const SpaceProblem &problem);

/// Requires steps that verify() accepts.
AssignmentTraffic getTraffic(const SpaceProblem &problem,
                             const SpaceAssignment &assignment);

/// Verifies that each access finds the contents that it needs in its memory,
/// that the pieces are those of the steps, that they are placed as verify() in
/// Verify.h demands, and that the cost is right. Shares no code with the
/// search. Requires a problem that check() accepts.
std::vector<Issue> verify(const SpaceProblem &problem,
                          const SpaceAssignment &assignment,
                          size_t maxIssues = 16);

/// The problem of placing the pieces, in the order given: times are doubled, so
/// that an op reads in the first half of its span and writes in the second one.
Problem getPlacement(const SpaceProblem &problem,
                     const std::vector<std::vector<SpaceStep>> &steps,
                     const std::vector<SpacePiece> &pieces);

} // namespace memplan

#endif // MEMPLAN_CORE_SPACES_H
