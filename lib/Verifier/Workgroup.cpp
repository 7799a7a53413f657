//===- Workgroup.cpp - Buffers that share workgroup memory ----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The threads of a workgroup enter a kernel together. They stay together where
// the kernel branches on a value that is the same for all of them, and part
// where it does not. A *split* is a part of the kernel between a branch at
// which the threads part and the place where they meet again; all ops of a
// split may run at the same time, and its barriers do not count. Outside of
// splits all threads take the same path, so one path stands for the group: a
// thread that is ahead of another has passed no more barriers than that one.
//
// Along each path the check follows, for each buffer (a marked memref.view):
//
//   open      accessed since the last barrier: some thread may still access it
//   copying   an asynchronous copy of it may not have ended
//   used      accessed since it began
//   lost      used, and its bytes have been written through another buffer
//
// No op may access a buffer if another one at the same bytes is open or being
// copied, and none may read a lost buffer.
//
//===----------------------------------------------------------------------===//

#include "Reporter.h"
#include "Slots.h"

#include "memplan/IR/AsyncWork.h"
#include "memplan/IR/Constants.h"
#include "memplan/IR/Memplan.h"
#include "memplan/IR/Views.h"
#include "memplan/Verifier/Flow.h"
#include "memplan/Verifier/Verifier.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace memplan::verifier {

namespace {

/// True for ops of dialects whose control flow and results depend on their
/// operands alone.
bool isPlainDialect(Operation *op) {
  return llvm::is_contained(
      {"affine", "arith", "cf", "index", "math", "memref", "scf", "vector"},
      op->getName().getDialectNamespace());
}

/// The branches at which the threads of a kernel part.
class Splits {
public:
  explicit Splits(Operation *kernel) : kernel(kernel) {
    if (auto launch = dyn_cast<gpu::LaunchOp>(kernel)) {
      gpu::KernelDim3 threads = launch.getThreadIds();
      differing.insert_range(ArrayRef<Value>{threads.x, threads.y, threads.z});
    }
    do {
      isChanged = false;
      for (Region &region : kernel->getRegions())
        scan(region, /*isSplit=*/false);
    } while (isChanged);
  }

  /// The number of the outermost split with the op; -1 if there is none.
  int find(Operation *op) const {
    int split = -1;
    for (; op != kernel; op = op->getParentOp())
      if (auto it = splitOf.find(op->getBlock()); it != splitOf.end())
        split = it->second;
    return split;
  }

private:
  void note(Value value) { isChanged |= differing.insert(value).second; }

  bool differs(ValueRange values) const {
    return llvm::any_of(values,
                        [&](Value value) { return differing.contains(value); });
  }

  /// Puts the blocks into one split, with those that are in a split with one of
  /// them.
  void split(ArrayRef<Block *> blocks) {
    int number = count++;
    llvm::SmallDenseSet<int> joined;
    for (Block *block : blocks)
      if (auto it = splitOf.find(block); it != splitOf.end())
        joined.insert(it->second);
    for (auto &[block, old] : splitOf)
      if (joined.contains(old))
        old = number;
    for (Block *block : blocks)
      splitOf[block] = number;
    isChanged = true;
  }

  void scan(Region &region, bool isSplit) {
    for (Block &block : region) {
      bool isApart = isSplit || splitOf.contains(&block);
      if (isApart)
        for (Value argument : block.getArguments())
          note(argument);
      for (Operation &op : block)
        scan(&op, isApart);
      if (!isApart && block.mightHaveTerminator())
        leave(block.getTerminator());
    }
  }

  void scan(Operation *op, bool isApart) {
    if (op->getNumRegions() == 0) {
      if (isApart || !givesSame(op) || differs(op->getOperands()))
        for (Value result : op->getResults())
          note(result);
      return;
    }
    if (!isApart && !splitOps.contains(op) && parts(op)) {
      splitOps.insert(op);
      SmallVector<Block *> blocks;
      for (Region &region : op->getRegions())
        for (Block &block : region)
          blocks.push_back(&block);
      split(blocks);
    }
    if (isApart || splitOps.contains(op))
      for (Value result : op->getResults())
        note(result);
    for (Region &region : op->getRegions())
      scan(region, isApart);
    if (isApart || splitOps.contains(op))
      return;
    auto branch = cast<RegionBranchOpInterface>(op);
    SmallVector<Attribute> unknown(op->getNumOperands());
    SmallVector<RegionSuccessor> successors;
    branch.getEntrySuccessorRegions(unknown, successors);
    for (RegionSuccessor &successor : successors)
      pass(branch.getEntrySuccessorOperands(successor),
           successor.getSuccessorInputs());
  }

  void pass(OperandRange sources, ValueRange targets) {
    for (auto [source, target] : llvm::zip(sources, targets))
      if (differing.contains(source))
        note(target);
  }

  static bool givesSame(Operation *op) {
    if (op->hasTrait<OpTrait::ConstantLike>())
      return true;
    if (isa<gpu::GPUDialect>(op->getDialect()))
      return isa<gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp,
                 gpu::ClusterIdOp, gpu::ClusterDimOp, gpu::ClusterBlockIdOp,
                 gpu::ClusterDimBlocksOp, gpu::NumSubgroupsOp,
                 gpu::SubgroupSizeOp>(op);
    return isPlainDialect(op) && isMemoryEffectFree(op);
  }

  /// True if the threads may part at an op with regions. Operands that are not
  /// forwarded decide where control goes.
  bool parts(Operation *op) {
    auto branch = dyn_cast<RegionBranchOpInterface>(op);
    if (!branch || !isPlainDialect(op) || isParallelLoop(op) ||
        op->hasTrait<OpTrait::HasParallelRegion>())
      return true;
    llvm::SmallPtrSet<OpOperand *, 8> forwarded;
    auto add = [&](OperandRange range) {
      for (unsigned i = 0; i != range.size(); ++i)
        forwarded.insert(range.getBase() + i);
    };
    SmallVector<Attribute> unknown(op->getNumOperands());
    SmallVector<RegionSuccessor> successors;
    branch.getEntrySuccessorRegions(unknown, successors);
    for (RegionSuccessor &successor : successors)
      add(branch.getEntrySuccessorOperands(successor));
    SmallVector<Operation *> deciding{op};
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        auto terminator =
            dyn_cast<RegionBranchTerminatorOpInterface>(block.back());
        if (!terminator) {
          if (block.getNumSuccessors() == 0)
            return true;
          continue;
        }
        successors.clear();
        branch.getSuccessorRegions(terminator, successors);
        for (RegionSuccessor &successor : successors)
          add(terminator.getSuccessorOperands(successor));
        deciding.push_back(terminator);
      }
    return llvm::any_of(deciding, [&](Operation *each) {
      return llvm::any_of(each->getOpOperands(), [&](OpOperand &operand) {
        return !forwarded.contains(&operand) &&
               differing.contains(operand.get());
      });
    });
  }

  void leave(Operation *terminator) {
    auto branch = dyn_cast<BranchOpInterface>(terminator);
    for (unsigned i = 0; branch && i != terminator->getNumSuccessors(); ++i) {
      SuccessorOperands operands = branch.getSuccessorOperands(i);
      pass(operands.getForwardedOperands(),
           terminator->getSuccessor(i)->getArguments().drop_front(
               operands.getProducedOperandCount()));
    }
    if (terminator->getNumSuccessors() > 1 &&
        (!isa<cf::CondBranchOp, cf::SwitchOp>(terminator) ||
         differing.contains(terminator->getOperand(0))))
      part(terminator->getBlock());
    Operation *around = terminator->getParentOp();
    auto region = dyn_cast<RegionBranchOpInterface>(around);
    auto leaving = dyn_cast<RegionBranchTerminatorOpInterface>(terminator);
    if (around == kernel || !region || !leaving)
      return;
    SmallVector<RegionSuccessor> successors;
    region.getSuccessorRegions(leaving, successors);
    for (RegionSuccessor &successor : successors)
      pass(leaving.getSuccessorOperands(successor),
           successor.getSuccessorInputs());
  }

  /// Everything that the ways from the block lead to, up to the first blocks
  /// through which all of them lead, is a split.
  void part(Block *from) {
    if (!partedAt.insert(from).second)
      return;
    auto reach = [](Block *start, Block *without) {
      llvm::SetVector<Block *> reached;
      auto follow = [&](Block *block) {
        for (Block *next : block->getSuccessors())
          if (next != without)
            reached.insert(next);
      };
      follow(start);
      for (size_t i = 0; i != reached.size(); ++i)
        follow(reached[i]);
      return reached;
    };
    auto hasExit = [](const llvm::SetVector<Block *> &blocks) {
      return llvm::any_of(
          blocks, [](Block *block) { return block->hasNoSuccessors(); });
    };
    llvm::SetVector<Block *> behind = reach(from, nullptr);
    llvm::SmallPtrSet<Block *, 8> meeting;
    if (hasExit(behind))
      for (Block *block : behind)
        if (block != from && !hasExit(reach(from, block)))
          meeting.insert(block);
    llvm::SetVector<Block *> between;
    bool leaves = meeting.empty();
    auto follow = [&](Block *block) {
      for (Block *next : block->getSuccessors())
        if (!meeting.contains(next))
          between.insert(next);
        else
          for (Value argument : next->getArguments())
            note(argument);
    };
    follow(from);
    for (size_t i = 0; i != between.size(); ++i)
      follow(between[i]);
    if (!between.empty())
      split(between.getArrayRef());
    if (leaves && from->getParentOp() != kernel)
      for (Value result : from->getParentOp()->getResults())
        note(result);
    isChanged = true;
  }

  Operation *kernel;
  bool isChanged = false;
  int count = 0;
  /// The values that may differ from thread to thread.
  llvm::DenseSet<Value> differing;
  llvm::DenseMap<Block *, int> splitOf;
  llvm::DenseSet<Operation *> splitOps;
  llvm::DenseSet<Block *> partedAt;
};

/// A buffer at constant bytes of an arena.
struct ConstantBytes {
  Value arena;
  int64_t begin, end;
  bool overlaps(const ConstantBytes &other) const {
    return arena == other.arena && begin < end && other.begin < other.end &&
           begin < other.end && other.begin < end;
  }
};

/// What the paths to a point have done.
struct GroupState {
  llvm::BitVector open, used, lost, copying;

  bool join(const GroupState &other) {
    bool isNew = other.open.test(open) || other.used.test(used) ||
                 other.lost.test(lost) || other.copying.test(copying);
    open |= other.open;
    used |= other.used;
    lost |= other.lost;
    copying |= other.copying;
    return isNew;
  }
};

class KernelCheck : Reporter {
public:
  KernelCheck(Operation *kernel, Region &body)
      : kernel(kernel), body(body), graph(body), splits(kernel) {}

  LogicalResult run() {
    checkKernel();
    findPlaces();
    if (!isSound)
      return failure();
    findNames();
    body.walk([&](Operation *op) { checkUses(op); });
    if (isSound)
      checkSplits();
    if (isSound)
      followPaths();
    return success(isSound);
  }

private:
  /// All threads must enter the kernel together.
  void checkKernel() {
    auto function = dyn_cast<FunctionOpInterface>(kernel);
    if (!function)
      return;
    if (auto device = dyn_cast<gpu::GPUFuncOp>(kernel);
        device && device.isKernel())
      return;
    std::optional<SymbolTable::UseRange> uses = SymbolTable::getSymbolUses(
        kernel, SymbolTable::getNearestSymbolTable(kernel->getParentOp()));
    if (isa<gpu::GPUFuncOp>(kernel) || !uses ||
        !llvm::all_of(*uses, [](SymbolTable::SymbolUse use) {
          return isa<gpu::LaunchFuncOp>(use.getUser());
        }))
      error(kernel) << "has buffers that share workgroup memory but is no "
                       "kernel that all threads enter together";
  }

  //===--------------------------------------------------------------------===//
  // Places
  //===--------------------------------------------------------------------===//

  void findPlaces() {
    llvm::SetVector<Value> arenas;
    body.walk([&](memref::ViewOp view) {
      if (view->hasAttr(MemplanDialect::kWorkgroupAttr))
        arenas.insert(view.getSource());
    });
    for (Value arena : arenas)
      checkArena(arena);
  }

  void checkArena(Value arena) {
    auto type = cast<MemRefType>(arena.getType());
    Operation *owner = arena.getDefiningOp();
    if (!owner)
      owner = kernel;
    if (!type.hasStaticShape()) {
      error(owner) << "has an arena of unknown size";
      return;
    }
    int64_t alignment = 1;
    if (owner == kernel) {
      auto argument = cast<BlockArgument>(arena);
      ArrayRef<BlockArgument> attributions;
      if (auto launch = dyn_cast<gpu::LaunchOp>(kernel)) {
        attributions = launch.getWorkgroupAttributions();
        // An attribution of a launch has no attributes.
        alignment = 0;
      } else if (auto function = dyn_cast<gpu::GPUFuncOp>(kernel)) {
        attributions = function.getWorkgroupAttributions();
        if (llvm::is_contained(attributions, argument))
          if (auto align = dyn_cast_or_null<IntegerAttr>(
                  function.getWorkgroupAttributionAttr(
                      argument.getArgNumber() -
                          function.getFirstWorkgroupAttributionIndex(),
                      LLVM::LLVMDialect::getAlignAttrName())))
            alignment = align.getInt();
      }
      if (!llvm::is_contained(attributions, argument)) {
        error(owner) << "has an arena that is no workgroup attribution";
        return;
      }
    } else {
      if (!isa<memref::AllocOp, memref::AllocaOp>(owner) ||
          owner->getBlock() != &body.front()) {
        error(owner) << "is not understood as the arena of a kernel";
        return;
      }
      if (auto align = owner->getAttrOfType<IntegerAttr>("alignment"))
        alignment = align.getInt();
    }
    body.walk([&](Operation *user) {
      if (!llvm::is_contained(user->getOperands(), arena))
        return;
      auto view = dyn_cast<memref::ViewOp>(user);
      if (!view)
        error(user) << "uses an arena of workgroup memory other than by a view";
      else
        addPlace(view, type.getNumElements(), alignment);
    });
  }

  /// `alignment` is that of the arena; 0 if it cannot be stated.
  void addPlace(memref::ViewOp view, int64_t arenaBytes, int64_t alignment) {
    std::optional<int64_t> begin = getConstantNumber(view.getByteShift());
    MemRefType type = view.getType();
    DataLayout layout = DataLayout::closest(view);
    std::optional<int64_t> element =
        getElementBytes(type.getElementType(), layout);
    int64_t end;
    if (!begin || *begin < 0 || !element || !view.getSizes().empty() ||
        !type.hasStaticShape()) {
      error(view) << "is a buffer of unknown place or size";
      return;
    }
    end = *element;
    for (int64_t extent : type.getShape())
      if (llvm::MulOverflow(end, extent, end)) {
        error(view) << "is a buffer of unknown place or size";
        return;
      }
    if (llvm::AddOverflow(*begin, end, end) || end > arenaBytes) {
      error(view) << "is not inside of its arena of " << arenaBytes << " bytes";
      return;
    }
    int64_t needed = isa<VectorType>(type.getElementType())
                         ? *element & -*element
                         : static_cast<int64_t>(layout.getTypeABIAlignment(
                               type.getElementType()));
    if (*begin % needed != 0 || (alignment != 0 && alignment % needed != 0)) {
      error(view) << "is a buffer that is not aligned to " << needed
                  << " bytes";
      return;
    }
    numberOf[view.getResult()] = places.size();
    places.push_back({view.getSource(), *begin, end});
  }

  //===--------------------------------------------------------------------===//
  // Names
  //===--------------------------------------------------------------------===//

  /// Finds the buffers that each value may be.
  void findNames() {
    SmallVector<std::pair<Value, Value>> links;
    body.walk([&](Operation *op) {
      for (Value result : op->getResults()) {
        if (!isMemRef(result) || numberOf.contains(result))
          continue;
        if (Value source = getViewSource(op))
          links.push_back({source, result});
        else if (isa<SelectLikeOpInterface>(op))
          for (Value operand : op->getOperands())
            if (isMemRef(operand))
              links.push_back({operand, result});
      }
    });
    llvm::DenseSet<Value> forwarded;
    for (const Node &node : graph.nodes)
      for (const Edge &edge : node.edges)
        for (auto [target, source] : edge.forwarded)
          if (isMemRef(target)) {
            links.push_back({source, target});
            forwarded.insert(target);
          }
    for (auto [value, number] : numberOf)
      names[value] = llvm::BitVector(places.size());
    for (auto [value, number] : numberOf)
      names[value].set(number);
    for (bool isChanged = true; isChanged;) {
      isChanged = false;
      for (auto [source, target] : links) {
        auto it = names.find(source);
        if (it == names.end())
          continue;
        llvm::BitVector from = it->second;
        auto [to, isNew] =
            names.try_emplace(target, llvm::BitVector(places.size()));
        if (!isNew && !from.test(to->second))
          continue;
        to->second |= from;
        isChanged = true;
      }
    }
    // Each execution of a view begins a buffer. Control flow must not keep the
    // name of an older one.
    for (unsigned number : graph.order)
      if (graph.mayRepeat(number))
        for (Operation *op : graph.nodes[number].ops)
          if (op->getNumResults() == 1)
            if (auto it = numberOf.find(op->getResult(0));
                it != numberOf.end() &&
                llvm::any_of(forwarded, [&](Value value) {
                  auto name = names.find(value);
                  return name != names.end() && name->second[it->second];
                }))
              error(op) << "is a buffer of a loop, which control flow forwards";
  }

  //===--------------------------------------------------------------------===//
  // Effects
  //===--------------------------------------------------------------------===//

  struct Use {
    bool reads = false, writes = false;
    /// The predicate of an error.
    StringRef problem = {};
  };

  static bool isNumber(Type type) {
    if (auto vector = dyn_cast<VectorType>(type))
      type = vector.getElementType();
    return isa<IntegerType, FloatType, IndexType, ComplexType,
               gpu::MMAMatrixType>(type);
  }

  Use classify(OpOperand &operand) const {
    Operation *op = operand.getOwner();
    if (isa<memref::DimOp, memref::RankOp>(op) ||
        isa<SelectLikeOpInterface>(op) || graph.becomes.contains(&operand))
      return {};
    if (getViewSource(op) == operand.get())
      return {false, false,
              llvm::any_of(op->getResults(), isMemRef)
                  ? StringRef()
                  : "takes the address of"};
    if (auto copy = dyn_cast<nvgpu::DeviceAsyncCopyOp>(op))
      return {&operand == &copy.getSrcMutable(),
              &operand == &copy.getDstMutable()};
    if (isa<nvgpu::LdMatrixOp>(op))
      return {true, false};
    if (isa<CallOpInterface>(op))
      return {false, false, "passes to a function"};
    StringRef dialect = op->getName().getDialectNamespace();
    bool isKnown =
        isPlainDialect(op) || dialect == "linalg" ||
        isa<gpu::SubgroupMmaLoadMatrixOp, gpu::SubgroupMmaStoreMatrixOp>(op);
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    if (!isKnown || !effects || !llvm::all_of(op->getResultTypes(), isNumber) ||
        isa<memref::DmaStartOp, affine::AffineDmaStartOp>(op))
      return {false, false, "has unknown effects on"};
    SmallVector<MemoryEffects::EffectInstance> all;
    effects.getEffects(all);
    Use use;
    for (const MemoryEffects::EffectInstance &effect : all) {
      if (effect.getValue() && effect.getValue() != operand.get())
        continue;
      use.reads |= isa<MemoryEffects::Read>(effect.getEffect());
      use.writes |= isa<MemoryEffects::Write>(effect.getEffect());
      if (isa<MemoryEffects::Free>(effect.getEffect()))
        use.problem = "deallocates";
    }
    if (!use.reads && !use.writes && use.problem.empty())
      use.problem = "keeps";
    return use;
  }

  void checkUses(Operation *op) {
    for (OpOperand &operand : op->getOpOperands()) {
      if (!names.contains(operand.get()))
        continue;
      StringRef problem = classify(operand).problem;
      for (Operation *around = op; around != kernel && problem.empty();
           around = around->getParentOp())
        if (getAsyncWork(around).role == AsyncRole::Starts)
          problem = "uses in asynchronous work";
      if (!problem.empty())
        error(op) << problem << " a buffer of workgroup memory";
    }
  }

  /// The buffers that an op reads and writes, with the ops inside of it unless
  /// the graph has these.
  struct Accesses {
    llvm::BitVector reads, writes;
  };
  Accesses findAccesses(Operation *op) const {
    Accesses result{llvm::BitVector(places.size()),
                    llvm::BitVector(places.size())};
    auto add = [&](Operation *each) {
      for (OpOperand &operand : each->getOpOperands()) {
        auto it = names.find(operand.get());
        if (it == names.end())
          continue;
        Use use = classify(operand);
        if (use.reads)
          result.reads |= it->second;
        if (use.writes)
          result.writes |= it->second;
      }
    };
    if (graph.sidesOf.contains(op))
      add(op);
    else
      op->walk(add);
    return result;
  }

  InFlightDiagnostic report(Operation *op, unsigned place) {
    const ConstantBytes &at = places[place];
    return error(op) << "accesses the buffer at bytes [" << at.begin << ", "
                     << at.end << ") of the arena";
  }

  /// All ops of a split may run at the same time.
  void checkSplits() {
    llvm::MapVector<int, std::vector<Operation *>> users;
    for (unsigned number : graph.order)
      for (Operation *op : graph.nodes[number].ops)
        if (int split = splits.find(op); split != -1)
          users[split].push_back(op);
    for (const auto &[split, ops] : users) {
      std::vector<Operation *> userOf(places.size());
      for (Operation *op : ops) {
        Accesses accesses = findAccesses(op);
        accesses.reads |= accesses.writes;
        for (unsigned place : accesses.reads.set_bits()) {
          for (unsigned other = 0; other != places.size(); ++other)
            if (userOf[other] && other != place &&
                places[other].overlaps(places[place])) {
              report(op, place)
                      .append(" while other threads may use the one at bytes "
                              "[",
                              places[other].begin, ", ", places[other].end,
                              "): not all threads come here together")
                      .attachNote(userOf[other]->getLoc())
                  << "it is used here";
              return;
            }
          userOf[place] = op;
        }
      }
    }
  }

  //===--------------------------------------------------------------------===//
  // Paths
  //===--------------------------------------------------------------------===//

  /// True if the op waits until the copy has ended. A copy is named by the
  /// group that it is put into.
  static bool endsCopy(Operation *wait, Operation *copy) {
    auto op = dyn_cast<nvgpu::DeviceAsyncWaitOp>(wait);
    if (!op || op.getNumGroups().value_or(0) != 0)
      return false;
    auto group = op.getAsyncDependencies()
                     .getDefiningOp<nvgpu::DeviceAsyncCreateGroupOp>();
    return group &&
           llvm::is_contained(group.getInputTokens(), copy->getResult(0));
  }

  /// True if an op of the same block waits for the copy.
  static bool isEndedBehind(Operation *copy) {
    for (Operation *op = copy->getNextNode(); op; op = op->getNextNode())
      if (endsCopy(op, copy))
        return true;
    return false;
  }

  void access(Operation *op, GroupState &state, const Accesses &accesses) {
    llvm::BitVector both = accesses.reads;
    both |= accesses.writes;
    for (unsigned place : both.set_bits()) {
      for (unsigned other = 0; other != places.size(); ++other) {
        if (other == place || !places[other].overlaps(places[place]))
          continue;
        bool isCopied = llvm::any_of(state.copying.set_bits(), [&](unsigned i) {
          return copyEffects[i].test(other);
        });
        if (both[other] || state.open[other] || isCopied) {
          complain(op, place,
                   isCopied ? ", to or from which an asynchronous copy may not "
                              "have ended"
                            : ", and no barrier that all threads reach lies "
                              "between",
                   other, lastUse[other]);
          return;
        }
        if (accesses.writes[place] && state.used[other] && !state.lost[other]) {
          state.lost.set(other);
          lostAt[other] = op;
        }
      }
      if (accesses.reads[place] && state.lost[place]) {
        complain(op, place, ", whose bytes have been overwritten", place,
                 lostAt[place]);
        return;
      }
    }
    for (unsigned place : both.set_bits())
      lastUse[place] = op;
    state.open |= both;
    state.used |= both;
  }

  void complain(Operation *op, unsigned place, StringRef what, unsigned other,
                Operation *at) {
    InFlightDiagnostic diagnostic = report(op, place);
    if (other != place)
      diagnostic << " while other threads may use the one at bytes ["
                 << places[other].begin << ", " << places[other].end << ")";
    diagnostic << what;
    if (at)
      diagnostic.attachNote(at->getLoc())
          << (other == place ? "they are overwritten here" : "it is used here");
  }

  void step(Operation *op, GroupState &state) {
    bool isApart = splits.find(op) != -1;
    if (isa<gpu::BarrierOp>(op)) {
      if (!isApart)
        state.open.reset();
      return;
    }
    if (op->getNumResults() == 1)
      if (auto it = numberOf.find(op->getResult(0)); it != numberOf.end()) {
        if (!isApart) {
          state.used.reset(it->second);
          state.lost.reset(it->second);
        }
        return;
      }
    for (unsigned i : state.copying.set_bits())
      if (endsCopy(op, copies[i])) {
        state.copying.reset(i);
        state.open |= copyEffects[i];
      }
    access(op, state, findAccesses(op));
    // Of an op that the graph keeps whole, the copies inside count, too.
    if (!graph.sidesOf.contains(op))
      op->walk([&](nvgpu::DeviceAsyncCopyOp copy) {
        if (copy == op || !isEndedBehind(copy))
          state.copying.set(copyNumber.at(copy));
      });
  }

  void followPaths() {
    for (unsigned number : graph.order)
      for (Operation *op : graph.nodes[number].ops)
        op->walk([&](nvgpu::DeviceAsyncCopyOp copy) {
          if (!copyNumber.try_emplace(copy, copies.size()).second)
            return;
          Accesses accesses = findAccesses(copy);
          accesses.reads |= accesses.writes;
          copies.push_back(copy);
          copyEffects.push_back(accesses.reads);
        });
    lastUse.resize(places.size());
    lostAt.resize(places.size());
    llvm::BitVector none(places.size());
    std::vector<std::optional<GroupState>> entering(graph.nodes.size());
    entering[0] = GroupState{none, none, none, llvm::BitVector(copies.size())};
    for (bool isChanged = true; isChanged && isSound;) {
      isChanged = false;
      for (unsigned number : graph.order) {
        if (!entering[number])
          continue;
        GroupState state = *entering[number];
        for (Operation *op : graph.nodes[number].ops) {
          step(op, state);
          if (!isSound)
            return;
        }
        for (const Edge &edge : graph.nodes[number].edges) {
          if (!edge.isTaken)
            continue;
          std::optional<GroupState> &known = entering[edge.target];
          if (!known) {
            known = state;
            isChanged = true;
          } else {
            isChanged |= known->join(state);
          }
        }
      }
    }
  }

  Operation *kernel;
  Region &body;
  FlowGraph graph;
  Splits splits;
  std::vector<ConstantBytes> places;
  /// By view of an arena.
  llvm::DenseMap<Value, unsigned> numberOf;
  llvm::DenseMap<Value, llvm::BitVector> names;
  std::vector<Operation *> copies;
  std::vector<llvm::BitVector> copyEffects;
  llvm::DenseMap<Operation *, unsigned> copyNumber;
  /// By place, for notes.
  std::vector<Operation *> lastUse, lostAt;
};

} // namespace

} // namespace memplan::verifier

using namespace memplan;
using namespace memplan::verifier;

LogicalResult memplan::verifyWorkgroupMemory(Operation *root) {
  llvm::SetVector<Operation *> kernels;
  LogicalResult result = success();
  root->walk([&](memref::ViewOp view) {
    if (!view->hasAttr(MemplanDialect::kWorkgroupAttr))
      return;
    Operation *kernel = view->getParentOp();
    while (kernel && !isa<gpu::LaunchOp, FunctionOpInterface>(kernel))
      kernel = kernel->getParentOp();
    if (kernel)
      kernels.insert(kernel);
    else
      result = view.emitError("is in no kernel");
  });
  for (Operation *kernel : kernels) {
    auto launch = dyn_cast<gpu::LaunchOp>(kernel);
    Region &body = launch ? launch.getBody()
                          : cast<FunctionOpInterface>(kernel).getFunctionBody();
    if (failed(KernelCheck(kernel, body).run()))
      result = failure();
  }
  return result;
}
