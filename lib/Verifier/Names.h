//===- Names.h - Values that may be in an arena -----------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_VERIFIER_NAMES_H
#define MEMPLAN_LIB_VERIFIER_NAMES_H

#include "Slots.h"

#include <set>

namespace memplan::verifier {

/// Memory that is in no arena, where a slot is expected.
constexpr int kForeign = -1;

/// A memref value that may be a buffer in an arena. What is a view of it goes
/// by the same name.
struct Name {
  mlir::Value value;
  /// All slots that it may be in, ascending; kForeign first.
  llvm::SmallVector<int, 1> slots;
  /// Names that may be one instance are in one web: control flow forwards one
  /// to the other, directly or through others. So are names whose slots one
  /// edge, or one condition, decides together.
  unsigned web = 0;
  /// A name of the web, this one or another, has several slots.
  bool isMulti = false;
  /// The node that defines it. With `entersNode` the edges into it do.
  unsigned node = 0;
  bool entersNode = false;
  /// The op with unknown control flow that it is defined in, if any.
  mlir::Operation *inside = nullptr;
  /// A task uses it.
  bool inTask = false;
  /// Only if it is not `isMulti`: the ranks of the first and the last node at
  /// whose entry it may be live.
  unsigned first = 1, last = 0;
};

constexpr ByteRange kAllBytes = {0, INT64_MAX};

struct Access {
  unsigned name;
  bool reads;
  bool writes;
  /// Writes all of its bytes, and reads none: they need not hold anything.
  bool overwrites;
  /// Given to a callee for its arena.
  bool isHanded;
  /// Of a step, the member that accesses it.
  mlir::Operation *member;
  /// From the beginning of the slot on; where it is known all that it accesses
  /// is in these.
  ByteRange bytes = kAllBytes;
  /// Its elements are in these bytes one after another.
  bool isDense = false;
};

/// What an op does to the state, in the order of the text.
struct Event {
  enum class Kind : uint8_t {
    Allocate, // arena `index`
    Release,  // arena `index`
    Place,    // name `index`, in its one slot
    Renew,    // name `index`, in the slot of sources[0]
    Access,
    Derive,  // name `index`, one of `sources`, of which -1 is foreign memory
    Replace, // a nest has written name `index` over sources[0]
    Restore, // a nest is about to overwrite `bytes` of name `index`
    Exit
  };
  Kind kind;
  mlir::Operation *op;
  unsigned index = 0;
  std::vector<Access> accesses;
  llvm::SmallVector<int, 2> sources;
  /// Chooses sources[0] if it is true, and else sources[1].
  mlir::Value condition;
  ByteRange bytes = kAllBytes;
};

/// A planned function, as the dataflow takes it.
class Model {
public:
  /// Emits an error for each use of an arena that is not understood.
  mlir::LogicalResult build(mlir::FunctionOpInterface function,
                            Contracts &contracts);

  std::optional<FlowGraph> graph;
  Slots slots;
  std::vector<Name> names;
  /// By node.
  std::vector<std::vector<Event>> events;
  /// By node, the `isMulti` names that are used in it or later, and defined
  /// before its first op; ascending. To drop a name is always sound: the check
  /// refuses a use of it.
  std::vector<std::vector<unsigned>> liveIn;
  /// By node, the other names that edges into it define.
  std::vector<llvm::SmallVector<unsigned, 1>> entering;

  /// By store, names from which it takes nothing until a Replace behind the
  /// loops around it says so (InPlace.h).
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<unsigned, 1>> kept;

  /// The name that the value goes by; -1 if it is in no arena.
  int getName(mlir::Value value) const;

  /// False if the name, which has one slot, is known not to be used when
  /// control has come to the node.
  bool mayBeLive(unsigned name, unsigned node) const {
    unsigned rank = graph->rank[node];
    return names[name].first <= rank && rank <= names[name].last;
  }

  /// True if the op, or the declared function that it calls, says that it may
  /// write the one operand over the other.
  bool declaresInPlace(mlir::Operation *op, mlir::OpOperand &read,
                       mlir::OpOperand &written) const;

private:
  void link();
  void linkOpaque(mlir::Operation *op);
  void linkResults(mlir::Operation *op);
  void addLink(mlir::Value source, mlir::Value target);
  void nameValues();
  void findSlots();
  void findWebs();
  void buildEvents(unsigned node);
  void buildStep(unsigned node, const Step &step);
  void addEffects(unsigned node, mlir::Operation *op);
  void addAccesses(mlir::Operation *op, mlir::Operation *around,
                   std::vector<Access> &accesses);
  void addNested(mlir::Operation *op, std::vector<Access> &accesses);
  void addAccess(unsigned name, Access access, mlir::Operation *around,
                 std::vector<Access> &accesses);
  void addDerived(unsigned node, mlir::Operation *op);
  bool coversSlots(mlir::OpOperand &operand, unsigned name);
  void findBytes(mlir::OpOperand &operand, Access &access);
  bool isScratch(mlir::Value memory);
  void checkHanded(mlir::OpOperand &operand, int64_t alignment);
  bool placeEvent(unsigned node, mlir::Operation *op);
  void findUsed();
  void findOverwrites();
  void findLiveness();
  void findLast(llvm::ArrayRef<std::vector<unsigned>> users);
  bool isOpaque(mlir::Operation *op) const;
  mlir::InFlightDiagnostic error(mlir::Operation *op);
  void reportEscape(mlir::OpOperand &operand, llvm::StringRef problem,
                    unsigned name);

  mlir::FunctionOpInterface function;
  Contracts *contracts = nullptr;
  /// Which values a value may become, and which it may be; only of values that
  /// are no views.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 2>> targets;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 2>> sources;
  llvm::DenseSet<mlir::Value> mayBeOther;
  /// Of views.
  mutable llvm::DenseMap<mlir::Value, mlir::Value> viewed;
  llvm::DenseMap<mlir::Value, unsigned> nameOf;
  llvm::DenseMap<mlir::Value, mlir::Operation *> insideOf;
  std::vector<mlir::Operation *> renewals;
  llvm::BitVector isUsed;
  bool isSound = true;
};

} // namespace memplan::verifier

#endif // MEMPLAN_LIB_VERIFIER_NAMES_H
