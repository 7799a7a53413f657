//===- PlanWorkgroup.cpp - Plan the workgroup memory of kernels -----------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckOptions.h"
#include "Complaints.h"
#include "Output.h"
#include "Plan/SolverOptions.h"
#include "memplan/Analysis/WorkgroupMemory.h"
#include "memplan/Core/Bound.h"
#include "memplan/IR/MemorySpace.h"
#include "memplan/IR/Memplan.h"
#include "memplan/Transforms/DescribePlan.h"
#include "memplan/Transforms/Passes.h"
#include "memplan/Transforms/SolveHook.h"
#include "memplan/Verifier/Verifier.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/MapVector.h"

namespace memplan {
#define GEN_PASS_DEF_MEMPLANPLANWORKGROUP
#include "memplan/Transforms/Passes.h.inc"
} // namespace memplan

using namespace mlir;
using namespace memplan;

/// The most notes of one error.
static constexpr size_t kMostListed = 16;

static remark::RemarkOpts makeRemark(StringRef name, StringRef kernel) {
  return remark::RemarkOpts::name(name)
      .category("plan-memory")
      .function(kernel);
}

/// "f", or "f:launch1" for the second gpu.launch of the function @f.
static std::string nameKernel(Operation *kernel) {
  if (auto function = dyn_cast<FunctionOpInterface>(kernel))
    return function.getName().str();
  auto function = kernel->getParentOfType<FunctionOpInterface>();
  if (!function)
    return "launch";
  int number = 0;
  function->walk([&](gpu::LaunchOp launch) {
    if (launch == kernel)
      return WalkResult::interrupt();
    ++number;
    return WalkResult::advance();
  });
  return function.getName().str() + ":launch" + std::to_string(number);
}

namespace {

/// The buffers of a kernel in one memory space.
struct WorkgroupProblem {
  Attribute space;
  /// The planned ones, as indices in WorkgroupMemory::getBuffers().
  std::vector<unsigned> buffers;
  /// In bytes, the static ones that are not planned.
  int64_t unplannedBytes = 0;
  /// Others that are not planned.
  SmallVector<const WorkgroupBuffer *> unknown;
  std::optional<int64_t> capacity;
};

/// A kernel, and the plans for it.
class KernelPlanner {
public:
  KernelPlanner(Operation *kernel, const ModuleAliases &aliases,
                int64_t alignment, const Capacities &capacities,
                const SolveOptions &options)
      : kernel(kernel), name(nameKernel(kernel)),
        memory(kernel, aliases, alignment), options(options) {
    llvm::MapVector<Attribute, WorkgroupProblem> bySpace;
    for (auto [i, buffer] : llvm::enumerate(memory.getBuffers())) {
      Attribute space = buffer.getType().getMemorySpace();
      WorkgroupProblem &problem = bySpace[space];
      problem.space = space;
      if (buffer.isPlanned())
        problem.buffers.push_back(i);
      else if (buffer.size != 0 ||
               llvm::is_contained(buffer.getType().getShape(), 0))
        problem.unplannedBytes += buffer.size;
      else
        problem.unknown.push_back(&buffer);
    }
    for (auto &[space, problem] : bySpace) {
      problem.capacity = capacities.find(describeSpace(space));
      spaces.push_back(std::move(problem));
    }
  }

  /// Chooses barriers and plans. Emits an error if a capacity is exceeded.
  LogicalResult plan(bool insertsBarriers);
  /// Rewrites the kernel. The plan must exist.
  void rewrite();

  void emitRemarks() const;
  void addReports(std::vector<ArenaReport> &reports, Strategy strategy) const;

  Operation *getKernel() const { return kernel; }
  StringRef getName() const { return name; }
  bool changesKernel() const {
    return llvm::any_of(seq(), [&](size_t i) { return saves(i); });
  }

private:
  llvm::iota_range<size_t> seq() const {
    return llvm::seq<size_t>(0, spaces.size());
  }
  Problem makeProblem(const WorkgroupProblem &space,
                      ArrayRef<LiveRanges> lifetimes) const;
  std::vector<Plan> solve(ArrayRef<LiveRanges> lifetimes) const;
  bool fits(const WorkgroupProblem &space, const Plan &plan) const {
    return space.buffers.empty() ||
           (plan.hasOffsets() && plan.arenaSize + space.unplannedBytes <=
                                     space.capacity.value_or(INT64_MAX));
  }
  bool fits(ArrayRef<Plan> plans) const {
    return llvm::all_of(seq(),
                        [&](size_t i) { return fits(spaces[i], plans[i]); });
  }
  /// True if some buffers of the space share bytes.
  bool saves(size_t space) const {
    const Problem &problem = problems[space];
    std::vector<std::pair<int64_t, int64_t>> sizes;
    sizes.reserve(problem.buffers.size());
    for (const Buffer &buffer : problem.buffers)
      sizes.push_back({buffer.size, buffer.alignment});
    return !sizes.empty() &&
           plans[space].arenaSize < computeSizeWithoutReuse(sizes);
  }
  void chooseBarriers();
  void measureBarriers();
  LogicalResult checkCapacity(bool mayInsert);

  Value addArena(const WorkgroupProblem &space, const Plan &plan,
                 int64_t alignment);
  void eraseAttributions(ArrayRef<BlockArgument> erased);

  Operation *kernel;
  std::string name;
  WorkgroupMemory memory;
  SolveOptions options;
  std::vector<WorkgroupProblem> spaces;
  /// By space.
  std::vector<Problem> problems;
  std::vector<Plan> plans;
  /// The ops in front of which there will be a barrier.
  std::vector<Operation *> barriers;
  /// By barrier, the bytes of all arenas without it.
  std::vector<int64_t> bytesWithout;
};

} // namespace

static int64_t sumArenas(ArrayRef<Plan> plans) {
  int64_t sum = 0;
  for (const Plan &plan : plans)
    sum += plan.arenaSize;
  return sum;
}

Problem KernelPlanner::makeProblem(const WorkgroupProblem &space,
                                   ArrayRef<LiveRanges> lifetimes) const {
  Problem problem;
  problem.arenaAlignment = 1;
  for (unsigned index : space.buffers) {
    const WorkgroupBuffer &buffer = memory.getBuffers()[index];
    Buffer slot;
    slot.id = buffer.name;
    slot.size = buffer.size;
    slot.alignment = buffer.alignment;
    slot.ranges = lifetimes[index];
    problem.buffers.push_back(std::move(slot));
    problem.arenaAlignment = std::max(problem.arenaAlignment, buffer.alignment);
  }
  if (space.capacity)
    problem.capacity =
        std::max<int64_t>(*space.capacity - space.unplannedBytes, 0);
  return problem;
}

std::vector<Plan> KernelPlanner::solve(ArrayRef<LiveRanges> lifetimes) const {
  std::vector<Plan> result;
  result.reserve(spaces.size());
  for (const WorkgroupProblem &space : spaces)
    result.push_back(
        space.buffers.empty()
            ? Plan()
            : SolveHook::solve(makeProblem(space, lifetimes), options));
  return result;
}

LogicalResult KernelPlanner::plan(bool insertsBarriers) {
  std::vector<LiveRanges> lifetimes = memory.findLifetimes();
  plans = solve(lifetimes);
  if (insertsBarriers && !fits(plans)) {
    barriers = memory.getBarrierPlaces();
    chooseBarriers();
    lifetimes = memory.findLifetimes(barriers);
    plans = solve(lifetimes);
    if (fits(plans))
      measureBarriers();
  }
  for (const WorkgroupProblem &space : spaces)
    problems.push_back(makeProblem(space, lifetimes));
  return checkCapacity(!insertsBarriers);
}

/// Removes barriers, those in the deepest loops first, as long as the buffers
/// fit. Keeps all if they do not fit with all of them.
void KernelPlanner::chooseBarriers() {
  std::vector<LiveRanges> lifetimes = memory.findLifetimes(barriers);
  if (!fits(solve(lifetimes)))
    return;
  auto countLoops = [&](Operation *op) {
    int loops = 0;
    while ((op = op->getParentOp()) != kernel)
      loops += isa<LoopLikeOpInterface>(op);
    return loops;
  };
  std::vector<std::pair<int, Operation *>> order;
  for (Operation *op : llvm::reverse(barriers))
    order.push_back({-countLoops(op), op});
  llvm::stable_sort(order, llvm::less_first());
  for (auto [loops, op] : order) {
    std::vector<Operation *> fewer;
    for (Operation *other : barriers)
      if (other != op)
        fewer.push_back(other);
    std::vector<LiveRanges> longer = memory.findLifetimes(fewer);
    if (longer != lifetimes && !fits(solve(longer)))
      continue;
    barriers = std::move(fewer);
    lifetimes = std::move(longer);
  }
}

void KernelPlanner::measureBarriers() {
  SolveOptions minimal = options;
  minimal.minimize = true;
  for (Operation *op : barriers) {
    std::vector<Operation *> others;
    for (Operation *other : barriers)
      if (other != op)
        others.push_back(other);
    std::vector<LiveRanges> lifetimes = memory.findLifetimes(others);
    int64_t bytes = 0;
    for (const WorkgroupProblem &space : spaces) {
      Problem problem = makeProblem(space, lifetimes);
      problem.capacity.reset();
      if (!problem.buffers.empty())
        bytes += SolveHook::solve(problem, minimal).arenaSize;
    }
    bytesWithout.push_back(bytes);
  }
}

LogicalResult KernelPlanner::checkCapacity(bool mayInsert) {
  LogicalResult result = success();
  for (auto [space, problem, plan] : llvm::zip(spaces, problems, plans)) {
    if (space.capacity)
      for (const WorkgroupBuffer *buffer : space.unknown)
        emitWarning(buffer->memory.getLoc())
            << "the capacity of memory space " << describeSpace(space.space)
            << " does not count " << buffer->name << " of @" << name
            << ", whose size is not known";
    if (space.buffers.empty()) {
      if (space.capacity && space.unplannedBytes > *space.capacity)
        result = emitError(kernel->getLoc())
                 << "the buffers of @" << name << " in memory space "
                 << describeSpace(space.space) << " that are not planned have "
                 << space.unplannedBytes << " bytes but the capacity is "
                 << *space.capacity << ", "
                 << space.unplannedBytes - *space.capacity << " too few";
      continue;
    }
    if (fits(space, plan))
      continue;
    InFlightDiagnostic error = emitError(kernel->getLoc());
    if (plan.status == PlanStatus::Invalid || !space.capacity) {
      result = error << "no plan for the workgroup memory of @" << name << ": "
                     << plan.message;
      continue;
    }
    bool isProven = !plan.hasOffsets() || plan.lowerBound > *problem.capacity;
    int64_t needed = isProven ? plan.lowerBound : plan.arenaSize;
    error << "workgroup memory of @" << name << " in memory space "
          << describeSpace(space.space) << " requires "
          << (isProven ? "at least " : "") << needed << " bytes";
    if (space.unplannedBytes > 0)
      error << ", with " << space.unplannedBytes
            << " more that are not planned,";
    error << " but its capacity is " << *space.capacity << ", "
          << needed + space.unplannedBytes - *space.capacity << " too few";
    if (!mayInsert)
      error << ", even with barriers at all " << barriers.size()
            << " places where one may help";
    Peak peak = findPeak(problem);
    for (BufferIndex slot : ArrayRef(peak.buffers).take_front(kMostListed)) {
      const WorkgroupBuffer &buffer = memory.getBuffers()[space.buffers[slot]];
      error.attachNote(buffer.memory.getLoc())
          << buffer.name << ", " << buffer.size
          << " bytes, is needed at the peak of " << peak.bytes << " bytes";
    }
    if (mayInsert &&
        fits(solve(memory.findLifetimes(memory.getBarrierPlaces()))))
      error.attachNote(kernel->getLoc())
          << "it fits with insert-barriers=needed";
    result = error;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

Value KernelPlanner::addArena(const WorkgroupProblem &space, const Plan &plan,
                              int64_t alignment) {
  MLIRContext *context = kernel->getContext();
  auto type = MemRefType::get(plan.arenaSize, IntegerType::get(context, 8),
                              MemRefLayoutAttrInterface(), space.space);
  if (auto launch = dyn_cast<gpu::LaunchOp>(kernel))
    return launch.addWorkgroupAttribution(type, launch.getLoc());
  auto bytes = IntegerAttr::get(IntegerType::get(context, 64), alignment);
  if (auto function = dyn_cast<gpu::GPUFuncOp>(kernel)) {
    unsigned number = function.getNumWorkgroupAttributions();
    Value arena = function.addWorkgroupAttribution(type, function.getLoc());
    // The lowering would align it as one byte.
    function.setWorkgroupAttributionAttr(
        number, LLVM::LLVMDialect::getAlignAttrName(), bytes);
    return arena;
  }
  Block &entry = cast<FunctionOpInterface>(kernel).getFunctionBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&entry);
  bool isOnStack = llvm::all_of(space.buffers, [&](unsigned index) {
    return memory.getBuffers()[index].memory.getDefiningOp<memref::AllocaOp>();
  });
  if (isOnStack)
    return memref::AllocaOp::create(builder, kernel->getLoc(), type, bytes);
  return memref::AllocOp::create(builder, kernel->getLoc(), type, bytes);
}

void KernelPlanner::eraseAttributions(ArrayRef<BlockArgument> erased) {
  if (erased.empty())
    return;
  Block *entry = erased.front().getOwner();
  auto function = dyn_cast<gpu::GPUFuncOp>(kernel);
  unsigned first = function ? function.getFirstWorkgroupAttributionIndex()
                            : cast<gpu::LaunchOp>(kernel)
                                  .getWorkgroupAttributions()
                                  .front()
                                  .getArgNumber();
  unsigned count =
      function ? function.getNumWorkgroupAttributions()
               : cast<gpu::LaunchOp>(kernel).getNumWorkgroupAttributions();
  llvm::BitVector isErased(entry->getNumArguments());
  for (BlockArgument argument : erased)
    isErased.set(argument.getArgNumber());
  if (function) {
    SmallVector<DictionaryAttr> kept;
    for (unsigned i = 0; i != count; ++i)
      if (!isErased[first + i])
        kept.push_back(function.getworkgroupAttributionAttrs(i));
    function.removeWorkgroupAttribAttrsAttr();
    function->setAttr(
        gpu::GPUFuncOp::getNumWorkgroupAttributionsAttrName(),
        Builder(kernel->getContext()).getI64IntegerAttr(kept.size()));
    entry->eraseArguments(isErased);
    for (auto [i, attributes] : llvm::enumerate(kept))
      if (attributes)
        function.setworkgroupAttributionAttrs(i, attributes);
    return;
  }
  kernel->setAttr(
      gpu::LaunchOp::getNumWorkgroupAttributionsAttrName(),
      Builder(kernel->getContext()).getI64IntegerAttr(count - erased.size()));
  entry->eraseArguments(isErased);
}

void KernelPlanner::rewrite() {
  for (Operation *op : barriers) {
    OpBuilder builder(op);
    gpu::BarrierOp::create(builder, op->getLoc());
  }
  SmallVector<BlockArgument> attributions;
  for (auto [i, space] : llvm::enumerate(spaces)) {
    if (!saves(i))
      continue;
    Value arena = addArena(space, plans[i], problems[i].arenaAlignment);
    OpBuilder atEntry(kernel->getContext());
    if (Operation *op = arena.getDefiningOp())
      atEntry.setInsertionPointAfter(op);
    else
      atEntry.setInsertionPointToStart(arena.getParentBlock());
    for (auto [slot, index] : llvm::enumerate(space.buffers)) {
      const WorkgroupBuffer &buffer = memory.getBuffers()[index];
      Value memref = buffer.memory;
      Operation *allocation = memref.getDefiningOp();
      OpBuilder builder = allocation ? OpBuilder(allocation) : atEntry;
      Location loc = memref.getLoc();
      Value offset =
          arith::ConstantIndexOp::create(builder, loc, plans[i].offsets[slot]);
      auto view = memref::ViewOp::create(builder, loc, buffer.getType(), arena,
                                         offset, ValueRange());
      view->setAttr(MemplanDialect::kWorkgroupAttr, builder.getUnitAttr());
      memref.replaceAllUsesWith(view);
      for (Operation *op : buffer.frees)
        op->erase();
      if (allocation)
        allocation->erase();
      else
        attributions.push_back(cast<BlockArgument>(memref));
    }
  }
  eraseAttributions(attributions);
}

//===----------------------------------------------------------------------===//
// Explanations
//===----------------------------------------------------------------------===//

void KernelPlanner::emitRemarks() const {
  if (!kernel->getContext()->getRemarkEngine())
    return;
  for (const WorkgroupBuffer &buffer : memory.getBuffers()) {
    if (buffer.isPlanned())
      continue;
    std::string text = buffer.name + " not planned: it " + buffer.reason;
    if (buffer.culprit)
      text += " at " + describeLocation(buffer.culprit->getLoc());
    remark::missed(buffer.memory.getLoc(), makeRemark("BufferNotPlanned", name))
        << text;
  }
  for (auto [op, without] : llvm::zip(barriers, bytesWithout))
    remark::passed(op->getLoc(), makeRemark("BarrierInserted", name))
        << "barrier inserted: workgroup memory needs " +
               std::to_string(sumArenas(plans)) + " bytes, without it " +
               std::to_string(without)
        << remark::metric("Bytes", sumArenas(plans))
        << remark::metric("BytesWithout", without);
  for (auto [i, space] : llvm::enumerate(spaces)) {
    if (space.buffers.empty())
      continue;
    if (!saves(i)) {
      remark::analysis(kernel->getLoc(), makeRemark("NothingShared", name))
          << "no two buffers of memory space " + describeSpace(space.space) +
                 " can share bytes: they stay as they are";
      continue;
    }
    for (auto [slot, index] : llvm::enumerate(space.buffers)) {
      const WorkgroupBuffer &buffer = memory.getBuffers()[index];
      remark::passed(buffer.memory.getLoc(), makeRemark("BufferPlanned", name))
          << buffer.name + " planned at offset " +
                 std::to_string(plans[i].offsets[slot])
          << remark::metric("Offset", plans[i].offsets[slot])
          << remark::metric("Bytes", buffer.size);
    }
    remark::analysis(kernel->getLoc(), makeRemark("ArenaPlan", name))
        << "arena" << remark::metric("ArenaBytes", plans[i].arenaSize)
        << remark::metric("BoundBytes", plans[i].lowerBound)
        << remark::metric("Buffers",
                          static_cast<int64_t>(space.buffers.size()));
  }
}

void KernelPlanner::addReports(std::vector<ArenaReport> &reports,
                               Strategy strategy) const {
  for (auto [i, space] : llvm::enumerate(spaces)) {
    Report report = makeReport(problems[i], plans[i], strategy, name);
    ArenaReport &arena = report.arenas.front();
    arena.memorySpace = describeSpace(space.space);
    arena.placement = "workgroup";
    arena.problem.capacity = space.capacity;
    auto describe = [](BufferReport &entry, const WorkgroupBuffer &buffer) {
      llvm::raw_string_ostream(entry.type) << buffer.getType();
      entry.location = describeLocation(buffer.memory.getLoc());
    };
    for (auto [slot, index] : llvm::enumerate(space.buffers))
      describe(arena.buffers[slot], memory.getBuffers()[index]);
    for (const WorkgroupBuffer &buffer : memory.getBuffers()) {
      if (buffer.isPlanned() ||
          buffer.getType().getMemorySpace() != space.space)
        continue;
      BufferReport entry;
      entry.name = buffer.name;
      entry.alignment = buffer.alignment;
      if (buffer.size != 0)
        entry.size = buffer.size;
      entry.reason = buffer.reason;
      if (buffer.culprit)
        entry.reasonLocation = describeLocation(buffer.culprit->getLoc());
      describe(entry, buffer);
      arena.unplanned.add(entry.size);
      arena.buffers.push_back(std::move(entry));
    }
    reports.push_back(std::move(arena));
  }
}

/// Remarks about buffers in workgroup memory of code that is no kernel.
static void remarkOthers(FunctionOpInterface function,
                         const ModuleAliases &aliases) {
  if (!function.getContext()->getRemarkEngine() || function.isExternal())
    return;
  auto tell = [&](Value memory) {
    remark::missed(memory.getLoc(),
                   makeRemark("BufferNotPlanned", function.getName()))
        << "not planned: it is in workgroup memory of a function that is no "
           "kernel, which only some threads may enter";
  };
  auto device = dyn_cast<gpu::GPUFuncOp>(*function);
  if (device)
    for (BlockArgument argument : device.getWorkgroupAttributions())
      tell(argument);
  // Numbers of memory spaces mean something else elsewhere.
  auto isShared = device || aliases.getDeviceMark(function)
                      ? isSharedByWorkgroup
                      : isWorkgroupSpace;
  function.getFunctionBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<gpu::LaunchOp, FunctionOpInterface>(op))
      return WalkResult::skip();
    if (isa<memref::AllocOp, memref::AllocaOp>(op) &&
        isShared(cast<MemRefType>(op->getResult(0).getType()).getMemorySpace()))
      tell(op->getResult(0));
    return WalkResult::advance();
  });
}

/// Outlining of a planned gpu.launch makes a function whose arena has no
/// alignment. It gets the largest one that ops of known targets need.
static void alignArenas(gpu::GPUFuncOp function) {
  constexpr int64_t kLargestAlignment = 128;
  StringRef name = LLVM::LLVMDialect::getAlignAttrName();
  auto isPlace = [](Operation *user) {
    return user->hasAttr(MemplanDialect::kWorkgroupAttr);
  };
  for (auto [i, arena] : llvm::enumerate(function.getWorkgroupAttributions()))
    if (llvm::any_of(arena.getUsers(), isPlace) &&
        !function.getWorkgroupAttributionAttr(i, name))
      function.setWorkgroupAttributionAttr(
          i, name,
          Builder(function.getContext()).getI64IntegerAttr(kLargestAlignment));
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

/// Of buffers and arenas, in bytes: that of vector loads.
constexpr int64_t kAlignment = 16;

struct PlanWorkgroup
    : public memplan::impl::MemplanPlanWorkgroupBase<PlanWorkgroup> {
  using MemplanPlanWorkgroupBase::MemplanPlanWorkgroupBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    MemplanPlanWorkgroupBase::getDependentDialects(registry);
    registerAliasInterfaces(registry);
  }

  void runOnOperation() override {
    Location loc = getOperation().getLoc();
    if (failed(checkOptions(loc, kAlignment, capacity)))
      return signalPassFailure();
    bool inserts = insertBarriers == BarrierInsertion::Needed;
    if (inserts && !capacity.isLimited()) {
      emitError(loc) << "insert-barriers=needed means nothing without capacity";
      return signalPassFailure();
    }
    getOperation()->walk(alignArenas);
    ModuleAliases aliases(getOperation());
    std::vector<std::unique_ptr<KernelPlanner>> planners;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isWorkgroupKernel(op))
        planners.push_back(std::make_unique<KernelPlanner>(
            op, aliases, kAlignment, capacity, SolveOptions()));
      else if (auto function = dyn_cast<FunctionOpInterface>(op))
        remarkOthers(function, aliases);
    });
    bool fits = true;
    for (auto &planner : planners)
      fits &= succeeded(planner->plan(inserts));
    if (!fits)
      return signalPassFailure();
    Report described;
    for (auto &planner : planners) {
      planner->emitRemarks();
      planner->addReports(described.arenas, Strategy::Auto);
    }
    for (auto &planner : planners)
      if (planner->changesKernel())
        apply(*planner);
    if (report != ReportFormat::None &&
        failed(writeOutput("", loc, [&](llvm::raw_ostream &os) {
          os << formatReport(report, described);
        })))
      return signalPassFailure();
  }

private:
  /// Rewrites the kernel. If the verifier refuses the result, which is a bug of
  /// the planner, the kernel stays as it was, with a warning.
  static void apply(KernelPlanner &planner) {
    Operation *kernel = planner.getKernel();
    OwningOpRef<Operation *> original = kernel->clone();
    planner.rewrite();
    std::vector<Complaint> complaints = findComplaints(
        kernel->getContext(), [&] { return verifyWorkgroupMemory(kernel); });
    if (complaints.empty())
      return;
    emitWarning(kernel->getLoc())
        << "@" << planner.getName()
        << " is left unplanned: its plan failed verification: "
        << complaints.front().second;
    Operation *restored = original.release();
    OpBuilder(kernel).insert(restored);
    kernel->replaceAllUsesWith(restored);
    kernel->erase();
  }
};

} // namespace
