//===- OpCost.cpp - Costs of ops ------------------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/IR/OpCost.h"

using namespace mlir;
using namespace memplan;

#include "memplan/IR/OpCost.cpp.inc"

CostContext::~CostContext() = default;

int64_t OpCost::getFlops() const {
  int64_t sum = 0;
  for (const TypedFlops &entry : flops)
    sum = saturatingAdd(sum, entry.count);
  return sum;
}

int64_t OpCost::getBytesRead() const {
  int64_t sum = 0;
  for (const SpaceTraffic &entry : traffic)
    sum = saturatingAdd(sum, entry.read);
  return sum;
}

int64_t OpCost::getBytesWritten() const {
  int64_t sum = 0;
  for (const SpaceTraffic &entry : traffic)
    sum = saturatingAdd(sum, entry.written);
  return sum;
}

void OpCost::addFlops(Type elementType, int64_t count) {
  if (count == 0)
    return;
  for (TypedFlops &entry : flops)
    if (entry.type == elementType) {
      entry.count = saturatingAdd(entry.count, count);
      return;
    }
  flops.push_back({elementType, count});
}

void OpCost::addTraffic(Attribute space, int64_t read, int64_t written) {
  for (SpaceTraffic &entry : traffic)
    if (entry.space == space) {
      entry.read = saturatingAdd(entry.read, read);
      entry.written = saturatingAdd(entry.written, written);
      return;
    }
  traffic.push_back({space, read, written});
}

void OpCost::add(const OpCost &other) {
  for (const TypedFlops &entry : other.flops)
    addFlops(entry.type, entry.count);
  for (const SpaceTraffic &entry : other.traffic)
    addTraffic(entry.space, entry.read, entry.written);
  scratchBytes = std::max(scratchBytes, other.scratchBytes);
  reserveBytes = saturatingAdd(reserveBytes, other.reserveBytes);
  costClass = std::max(costClass, other.costClass);
  isExact &= other.isExact;
}

void OpCost::repeat(int64_t times) {
  for (TypedFlops &entry : flops)
    entry.count = saturatingMul(entry.count, times);
  for (SpaceTraffic &entry : traffic) {
    entry.read = saturatingMul(entry.read, times);
    entry.written = saturatingMul(entry.written, times);
  }
}
