//===- OpCost.h - Costs of ops ----------------------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_IR_OPCOST_H
#define MEMPLAN_IR_OPCOST_H

#include "memplan/Core/CheckedMath.h"
#include "memplan/Core/OpKinds.h"

#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/CallInterfaces.h"

#include <limits>
#include <optional>
#include <utility>

namespace memplan {

/// The sum or product of non-negative numbers; the largest 64-bit number if it
/// overflows.
inline int64_t saturatingAdd(int64_t a, int64_t b) {
  return checkedAdd(a, b).value_or(std::numeric_limits<int64_t>::max());
}
inline int64_t saturatingMul(int64_t a, int64_t b) {
  return checkedMul(a, b).value_or(std::numeric_limits<int64_t>::max());
}

/// Floating-point operations on elements of one type.
struct TypedFlops {
  mlir::Type type;
  int64_t count;
};

/// Bytes of one memory space that an op reads and writes.
struct SpaceTraffic {
  /// Null for the default space.
  mlir::Attribute space;
  int64_t read = 0;
  int64_t written = 0;
};

/// The cost of executing an op, a region or a function once. Counts that do not
/// fit into 64 bits stay at the largest number.
struct OpCost {
  /// One entry for each element type, in the order in which the types first
  /// appear. An addition, a multiplication, a comparison, a minimum, or a
  /// function such as exp counts as one operation; a multiply-add counts as
  /// two. Conversions, selections and index computations count none.
  llvm::SmallVector<TypedFlops, 1> flops;
  /// One entry for each memory space, in the order in which they first appear.
  /// An op reads and writes each byte of the accessed part of a tensor or
  /// memref once.
  llvm::SmallVector<SpaceTraffic, 1> traffic;
  /// Bytes needed only while the op runs, beyond operands and results.
  int64_t scratchBytes = 0;
  /// Bytes kept beside the results until their last use.
  int64_t reserveBytes = 0;
  graph::CostClass costClass = graph::CostClass::Free;
  /// False if something is unknown (a trip count, a branch, an op without a
  /// cost): the figures leave it out or take one case of it.
  bool isExact = true;

  int64_t getFlops() const;
  int64_t getBytesRead() const;
  int64_t getBytesWritten() const;

  void addFlops(mlir::Type elementType, int64_t count);
  void addTraffic(mlir::Attribute space, int64_t read, int64_t written);
  /// Adds the cost of a further execution: counts add up, scratch is shared.
  void add(const OpCost &other);
  /// Multiplies the counts: the same is executed so many times in sequence.
  void repeat(int64_t times);
};

/// The queries that cost models may make.
class CostContext {
public:
  virtual ~CostContext();

  /// The extent of a dimension of a ranked shaped value; if it is dynamic, by
  /// its hints.
  virtual int64_t getExtent(mlir::Value shaped, unsigned dimension) = 0;
  /// The value of an index or integer under the hints; std::nullopt if it
  /// depends on a value without a hint.
  virtual std::optional<int64_t> getIndex(mlir::Value value) = 0;
  /// Elements and bytes of a tensor, memref or vector; a scalar is one element.
  virtual int64_t getNumElements(mlir::Value value) = 0;
  virtual int64_t getBytes(mlir::Value value) = 0;
  /// Bytes from one element to the next; 0 if they are not known.
  virtual int64_t getElementBytes(mlir::Type elementType) = 0;
  /// The cost of another op, of the ops of a region, or of a callee.
  virtual OpCost getCost(mlir::Operation *op) = 0;
  virtual OpCost getCost(mlir::Region &region) = 0;
  virtual OpCost getCalleeCost(mlir::CallOpInterface call) = 0;
};

} // namespace memplan

#include "memplan/IR/OpCost.h.inc"

#endif // MEMPLAN_IR_OPCOST_H
