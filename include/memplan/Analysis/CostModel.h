//===- CostModel.h - Costs of programs on a target --------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_COSTMODEL_H
#define MEMPLAN_ANALYSIS_COSTMODEL_H

#include "memplan/Analysis/SizeModel.h"
#include "memplan/IR/OpCost.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

namespace memplan {

/// Attaches cost models to the ops of upstream's dialects. A pass that computes
/// costs must register them as its dependencies.
void registerCostModels(mlir::DialectRegistry &registry);

/// Memory that a device needs for a kind of op: a number of bytes, plus bytes
/// for each byte of the op's results.
struct DeviceMemory {
  int64_t bytes = 0;
  double perResultByte = 0;
};

/// The costs of ops that depend on the device. As a JSON file,
///
///     {"peak_flops": {"f32": 1e12, "default": 5e11},
///      "bandwidth": {"default": 1e11, "1": 2e12},
///      "ops": {"batch_norm": {"scratch": 4096, "reserve": 1024,
///                             "reserve_per_result_byte": 0.25}},
///      "spaces": {"1": {"capacity": 65536, "alignment": 64,
///                       "read_cost": 1, "write_cost": 1}},
///      "moves": {"0 to 1": 4, "1 to 0": 4}}
///
/// or as entries "memplan.peak_flops", "memplan.ops" and so on of a device in
/// the module's dlti.target_system_spec, each a dictionary of the same form.
/// `peak_flops` has operations per second by element type, and `bandwidth` has
/// bytes per second by memory space as formatSpace prints it; "default" stands
/// for all others. `spaces` describes memory spaces: bytes, and the cost of
/// reading or writing a byte; `moves` has the cost of copying a byte from one
/// to another. The kind of an op is its attribute `memplan.kind`, or else the
/// name of its callee, or else the name of the op.
struct TargetDescription {
  struct OpKind {
    DeviceMemory scratch;
    DeviceMemory reserve;
  };
  struct Space {
    /// In bytes; 0 if it is not known.
    int64_t capacity = 0;
    int64_t alignment = 1;
    /// In bytes; 0 if it has no banks.
    int64_t bankSize = 0;
    /// Of one byte.
    std::optional<int64_t> readCost, writeCost;
  };
  llvm::StringMap<double> peakFlops;
  llvm::StringMap<double> bandwidth;
  llvm::StringMap<OpKind> ops;
  /// The default space is "0".
  llvm::StringMap<Space> spaces;
  /// By "FROM to TO".
  llvm::StringMap<int64_t> moves;
};

/// Reads a JSON file of that form; emits an error at `loc` and fails if it
/// cannot be read or is malformed.
mlir::FailureOr<TargetDescription> readTargetFile(llvm::StringRef path,
                                                  mlir::Location loc);
/// Reads the description in the module's attributes, which is empty if there is
/// none. Of several devices the first with such entries counts. Emits an error
/// and fails if they are malformed.
mlir::FailureOr<TargetDescription>
readTargetAttributes(mlir::Operation *module);

/// Seconds by the roofline model (Williams et al., CACM 2009): the larger of
/// computing time and transfer time. std::nullopt if the target has no rate for
/// one of the element types or memory spaces.
std::optional<double> estimateSeconds(const OpCost &cost,
                                      const TargetDescription &target);

/// The costs of ops, regions and functions of a module, which must not change
/// meanwhile. Each callee is visited once for each scope of sizes.
class CostModel : public CostContext {
public:
  CostModel(mlir::Operation *module, const TargetDescription &target,
            int64_t defaultHint)
      : module(module), target(target), sizeModel(defaultHint) {}

  SizeModel &sizes() { return sizeModel; }

  OpCost getCost(mlir::FunctionOpInterface function);
  /// The name of the op's kind in the target description and in reports.
  llvm::StringRef getKind(mlir::Operation *op) const;

  int64_t getExtent(mlir::Value shaped, unsigned dimension) override;
  std::optional<int64_t> getIndex(mlir::Value value) override;
  int64_t getNumElements(mlir::Value value) override;
  int64_t getBytes(mlir::Value value) override;
  int64_t getElementBytes(mlir::Type elementType) override;
  OpCost getCost(mlir::Operation *op) override;
  OpCost getCost(mlir::Region &region) override;
  OpCost getCalleeCost(mlir::CallOpInterface call) override;

private:
  void addDeviceMemory(mlir::Operation *op, OpCost &cost);

  mlir::Operation *module;
  const TargetDescription &target;
  SizeModel sizeModel;
  mlir::SymbolTableCollection symbols;
  /// By function and by the scope of the sizes of its arguments.
  llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, OpCost> functions;
  llvm::DenseSet<mlir::Operation *> active;
};

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_COSTMODEL_H
