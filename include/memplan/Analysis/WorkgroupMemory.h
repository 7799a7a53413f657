//===- WorkgroupMemory.h - Lifetimes in workgroup memory --------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The threads of a workgroup run a kernel at the same time, so the order of its
// ops does not tell when the group has finished with a buffer. Time advances at
// barriers that all threads execute together (uniform barriers):
//
//     store %a        thread 0:  store a | load a | store b ...
//     gpu.barrier     thread 1:  store a |          load a | ...
//     load %a                            ^ barrier    ^ too late: %b has
//     store %b                                          overwritten it
//
// Two buffers may share bytes if a uniform barrier lies on every path from an
// access of one to an access of the other, and if neither is accessed while the
// other one has contents that are still read.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_WORKGROUPMEMORY_H
#define MEMPLAN_ANALYSIS_WORKGROUPMEMORY_H

#include "memplan/Analysis/AliasGraph.h"
#include "memplan/Core/Problem.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"

#include <memory>
#include <string>
#include <vector>

namespace memplan {

class Uniformity;

/// A buffer that the threads of a workgroup share.
struct WorkgroupBuffer {
  /// "b0", "b1", ...: attributions first, then allocations in walk order.
  std::string name;
  /// An attribution of the kernel, or the result of an allocation.
  mlir::Value memory;
  /// In bytes. The size is 0 if it is not known.
  int64_t size = 0;
  int64_t alignment = 1;
  /// The reason why the buffer is not planned, as the predicate of a sentence
  /// about it, and the op that causes it; empty if the buffer is planned.
  std::string reason;
  mlir::Operation *culprit = nullptr;
  /// Deallocations of the buffer.
  std::vector<mlir::Operation *> frees;

  bool isPlanned() const { return reason.empty(); }
  mlir::MemRefType getType() const {
    return mlir::cast<mlir::MemRefType>(memory.getType());
  }
};

/// True for a function whose threads enter it together, and for a gpu.launch:
/// a kernel (gpu.func, or marked as one), or a function of device code that is
/// not used by others in its module.
bool isWorkgroupKernel(mlir::Operation *op);

/// True for the memory spaces that the threads of a workgroup share. The number
/// 3 counts, which NVVM and AMDGPU give them.
bool isSharedByWorkgroup(mlir::Attribute memorySpace);

/// The buffers in the workgroup memory of a kernel, and when the group needs
/// them.
class WorkgroupMemory {
public:
  /// `kernel` is a function with a body, or a gpu.launch. `alignment`, in
  /// bytes, is the least one of a buffer.
  WorkgroupMemory(mlir::Operation *kernel, const ModuleAliases &aliases,
                  int64_t alignment);
  ~WorkgroupMemory();

  mlir::Operation *getKernel() const { return kernel; }
  llvm::ArrayRef<WorkgroupBuffer> getBuffers() const { return buffers; }

  /// The ops that all threads execute together and that access a planned buffer
  /// or contain such ops, in walk order: places in front of which a barrier may
  /// help.
  llvm::ArrayRef<mlir::Operation *> getBarrierPlaces() const { return places; }

  /// By buffer, the times at which it cannot share bytes, if there were
  /// barriers in front of the ops `barriers`, which must be barrier places.
  /// Empty for buffers that are not planned. The times count the accesses of
  /// the kernel.
  std::vector<LiveRanges>
  findLifetimes(llvm::ArrayRef<mlir::Operation *> barriers = {}) const;

private:
  /// Of one op, by buffer.
  struct Effects {
    llvm::SmallVector<unsigned, 2> accesses;
    llvm::SmallVector<unsigned, 2> reads;
    /// The buffer that begins here: its old contents are not used any more.
    std::optional<unsigned> begins;
    /// Copies (indices in `copies`) that start here, and that end here.
    llvm::SmallVector<unsigned, 1> starts, ends;
  };
  /// An asynchronous copy.
  struct Copy {
    mlir::Operation *start;
    llvm::SmallVector<unsigned, 1> buffers;
  };

  void collectBuffers(int64_t alignment);
  void addBuffer(mlir::Value memory, int64_t alignment);
  void collectUses(unsigned buffer);
  void addCopy(unsigned buffer, mlir::Operation *start);
  std::vector<llvm::SmallVector<int64_t, 2>> findSuccessors() const;
  bool isRepeated(int64_t point) const;
  void collectPlaces();

  mlir::Operation *kernel;
  std::unique_ptr<ProgramOrder> order;
  std::unique_ptr<AliasGraph> graph;
  std::unique_ptr<Uniformity> uniformity;
  std::vector<WorkgroupBuffer> buffers;
  std::vector<mlir::Operation *> places;
  /// By point.
  std::vector<Effects> effects;
  std::vector<llvm::SmallVector<int64_t, 2>> successors;
  std::vector<Copy> copies;
};

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_WORKGROUPMEMORY_H
