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

/// The slot number, or the number of a source, that stands for memory outside
/// of all arenas.
constexpr int kForeign = -1;

/// A memref value that may be in an arena. Views of it have the same name.
struct Name {
  mlir::Value value;
  /// All slots that the value may be in, ascending, so that kForeign is the
  /// first.
  llvm::SmallVector<int, 1> slots;
  /// The number of the web. Two names are in one web if control flow forwards
  /// one of them to the other, directly or through other names. Names with
  /// several slots are also in one web if one edge forwards to both, if selects
  /// with the same condition choose both, or if one is a renewal of the other.
  unsigned web = 0;
  /// True if some name of the web has several slots.
  bool inSeveralSlots = false;
  /// The node with the op that defines the value. With `entersNode`, the node
  /// whose incoming edges define it.
  unsigned node = 0;
  bool entersNode = false;
  /// The opaque op (NameModel::isOpaque) inside of which the value is defined;
  /// null if there is none.
  mlir::Operation *inside = nullptr;
  /// True if a task uses the value.
  bool inTask = false;
  /// The ranks of the first and the last node at whose entry the value may be
  /// live. Set only for names that are not `inSeveralSlots`.
  unsigned first = 1, last = 0;

  /// True if it is known which slot the value is in.
  bool hasOneSlot() const {
    return slots.size() == 1 && slots.front() != kForeign;
  }
};

constexpr ByteRange kAllBytes = {0, INT64_MAX};

struct Access {
  unsigned name;
  bool reads;
  bool writes;
  /// True if the access writes all of `bytes`. If it reads none of them, they
  /// may be lost before.
  bool overwrites;
  /// True if the memory is passed to a callee as its arena.
  bool isHanded;
  /// The op that makes the access. It differs from the op of the event only if
  /// that is a step of several ops.
  mlir::Operation *member;
  /// A range that contains all bytes that are accessed, as offsets from the
  /// start of the slot. kAllBytes if nothing is known.
  ByteRange bytes = kAllBytes;
  /// True if the accessed elements fill `bytes` one after another, without a
  /// gap.
  bool isDense = false;
};

/// One effect of an op on the state. The events of a node are in the order of
/// its ops.
struct Event {
  enum class Kind : uint8_t {
    Allocate, // arena `index`
    Release,  // arena `index`
    Place,    // begins name `index` in its one slot
    Renew,    // begins name `index` in the slot of sources[0]
    Access,
    Derive,  // name `index` becomes one of `sources`
    Replace, // a nest has written name `index` over sources[0]
    Restore, // a nest is about to overwrite `bytes` of name `index`
    Exit     // control leaves the function
  };
  Kind kind;
  mlir::Operation *op;
  unsigned index = 0;
  std::vector<Access> accesses;
  llvm::SmallVector<int, 2> sources;
  /// The condition of a select, which chooses sources[0] if it is true and
  /// sources[1] otherwise; null for other ops.
  mlir::Value condition;
  ByteRange bytes = kAllBytes;
};

/// A planned function in the form that the state check follows.
class NameModel : Reporter {
public:
  /// Builds the model. Emits an error for each use of an arena that the
  /// verifier does not understand.
  mlir::LogicalResult build(mlir::FunctionOpInterface function,
                            Contracts &contracts);

  std::optional<FlowGraph> graph;
  Slots slots;
  std::vector<Name> names;
  /// By node.
  std::vector<std::vector<Event>> events;
  /// By node, the `inSeveralSlots` names that are defined before its first op
  /// and used in it or later: first those that other nodes define, ascending,
  /// so that the same names have the same places in the states of many nodes.
  /// It is sound to leave out a name, because the check refuses a use of a name
  /// that is not tracked.
  std::vector<std::vector<unsigned>> liveIn;
  /// By node, the names that the edges into it define and that are not
  /// `inSeveralSlots`.
  std::vector<llvm::SmallVector<unsigned, 1>> entering;

  /// By store in a proven nest of loops (InPlace.h), the names whose bytes the
  /// store may overwrite. They lose the bytes with the Replace event behind the
  /// nest.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<unsigned, 1>>
      overwrittenBy;

  /// The name of the value, which may be a view; -1 if it cannot be in an
  /// arena.
  int getName(mlir::Value value) const;

  /// True if the value is a placement, so that it begins where its slot does.
  bool isPlacement(const Name &name) const {
    mlir::Operation *definition = name.value.getDefiningOp();
    return definition &&
           (slots.slotOf.contains(name.value) || isRenewal(definition));
  }

  /// False if the name is known to be dead at the entry of the node. The name
  /// must not be `inSeveralSlots`.
  bool mayBeLive(unsigned name, unsigned node) const {
    unsigned rank = graph->rank[node];
    return names[name].first <= rank && rank <= names[name].last;
  }

  /// True if the op, or the declaration of the function that it calls, states
  /// that the op may write `written` over `read`.
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
  void buildStep(unsigned node, const OpsAtOnce &step);
  void addEffects(unsigned node, mlir::Operation *op);
  void addAccesses(mlir::Operation *op, mlir::Operation *around,
                   std::vector<Access> &accesses);
  void addNested(mlir::Operation *op, std::vector<Access> &accesses);
  llvm::SmallVector<unsigned> findOuter(unsigned name,
                                        mlir::Operation *around) const;
  void addDerived(unsigned node, mlir::Operation *op);
  bool coversSlots(mlir::OpOperand &operand, unsigned name);
  int findReturned(mlir::OpOperand &operand) const;
  void checkReturned(mlir::Operation *exit);
  void findBytes(mlir::OpOperand &operand, const Use &use, Access &access);
  bool isScratch(mlir::Value memory);
  void checkHanded(mlir::OpOperand &operand, int64_t alignment);
  std::optional<Event> findPlaceEvent(mlir::Operation *op) const;
  void findUsed();
  void findOverwrites();
  void findLiveness();
  void findLast(llvm::ArrayRef<std::vector<unsigned>> users);
  bool isOpaque(mlir::Operation *op) const;
  void reportEscape(mlir::OpOperand &operand, llvm::StringRef problem,
                    unsigned name);

  mlir::FunctionOpInterface function;
  Contracts *contracts = nullptr;
  /// By value, the values that it may become. None of them is a view.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 2>> targets;
  /// By value, the values that it may be. None of them is a view.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 2>> sources;
  /// The values that may be memory other than their sources.
  llvm::DenseSet<mlir::Value> mayBeOther;
  /// A cache: by view, the memref that it is a view of, through any number of
  /// views.
  mutable llvm::DenseMap<mlir::Value, mlir::Value> viewed;
  llvm::DenseMap<mlir::Value, unsigned> nameOf;
  llvm::DenseMap<mlir::Value, mlir::Operation *> insideOf;
  std::vector<mlir::Operation *> renewals;
  llvm::BitVector isUsed;
};

} // namespace memplan::verifier

#endif // MEMPLAN_LIB_VERIFIER_NAMES_H
