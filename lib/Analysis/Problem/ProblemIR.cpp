//===- ProblemIR.cpp - Problems as IR -------------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/ProblemIR.h"

#include "memplan/Analysis/ParallelFrames.h"
#include "memplan/Core/Order.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace memplan;

static std::string_view toView(StringRef text) {
  return {text.data(), text.size()};
}

//===----------------------------------------------------------------------===//
// Fields as attributes
//===----------------------------------------------------------------------===//

namespace {
/// The op that states a pair.
template <typename Pair> struct OpOf;
template <> struct OpOf<Conflict> {
  using Type = ConflictOp;
};
template <> struct OpOf<PermittedOverlap> {
  using Type = OverlapOp;
};
template <> struct OpOf<SoftConflict> {
  using Type = SoftConflictOp;
};
template <> struct OpOf<AllOrNone> {
  using Type = AllOrNoneOp;
};

/// Makes attributes of the fields of records.
class FieldWriter {
public:
  FieldWriter(MLIRContext *context, ArrayRef<Buffer> buffers)
      : builder(context), buffers(buffers) {}

  /// Appends the attribute of a field to the list, unless it is left out.
  template <typename Field, typename Record>
  void append(const Field &field, const Record &record, NamedAttrList &list) {
    if (field.isWritten(record))
      list.append(field.attribute, write(record.*field.member));
  }

  template <typename Op, typename Record>
  Op create(OpBuilder &builder, Location loc, const Record &record) {
    OperationState state(loc, Op::getOperationName());
    forEachField<Record>(
        [&](const auto &field) { append(field, record, state.attributes); });
    return cast<Op>(builder.create(state));
  }

private:
  Attribute write(StringRef text) { return builder.getStringAttr(text); }
  Attribute write(int64_t number) { return builder.getI64IntegerAttr(number); }
  Attribute write(std::optional<int64_t> number) { return write(*number); }
  Attribute write(const std::optional<Formula> &formula) {
    return write(formula->print());
  }
  Attribute write(const std::vector<int64_t> &numbers) {
    return builder.getDenseI64ArrayAttr(numbers);
  }
  Attribute write(const LiveRanges &ranges) {
    SmallVector<int64_t> points;
    for (const LiveRange &range : ranges)
      points.append({range.start, range.end});
    return builder.getDenseI64ArrayAttr(points);
  }
  Attribute write(BufferIndex buffer) {
    return FlatSymbolRefAttr::get(builder.getContext(), buffers[buffer].id);
  }
  Attribute write(SoftConflict::Kind) { return builder.getUnitAttr(); }

  Builder builder;
  ArrayRef<Buffer> buffers;
};

/// Reads fields of records from the attributes of ops, which are verified.
class FieldReader {
public:
  template <typename Field, typename Record>
  void read(const Field &field, Operation *op, Record &record) {
    if (Attribute attribute = op->getAttr(field.attribute))
      read(attribute, record.*field.member);
  }
  template <typename Record> Record read(Operation *op) {
    Record record = {};
    forEachField<Record>([&](const auto &field) { read(field, op, record); });
    return record;
  }

  llvm::StringMap<BufferIndex> indices;

private:
  static void read(Attribute attribute, std::string &text) {
    text = cast<StringAttr>(attribute).str();
  }
  static void read(Attribute attribute, int64_t &number) {
    number = cast<IntegerAttr>(attribute).getInt();
  }
  static void read(Attribute attribute, std::optional<int64_t> &number) {
    read(attribute, number.emplace());
  }
  static void read(Attribute attribute, std::optional<Formula> &formula) {
    std::string error;
    formula = parseFormula(toView(cast<StringAttr>(attribute)), error);
  }
  static void read(Attribute attribute, std::vector<int64_t> &numbers) {
    numbers = cast<DenseI64ArrayAttr>(attribute).asArrayRef().vec();
  }
  static void read(Attribute attribute, LiveRanges &ranges) {
    ArrayRef<int64_t> points = cast<DenseI64ArrayAttr>(attribute);
    for (size_t i = 0; i + 1 < points.size(); i += 2)
      ranges.push_back({points[i], points[i + 1]});
    normalizeRanges(ranges);
  }
  void read(Attribute attribute, BufferIndex &buffer) {
    buffer = indices.lookup(cast<FlatSymbolRefAttr>(attribute).getValue());
  }
  static void read(Attribute, SoftConflict::Kind &kind) {
    kind = SoftConflict::Kind::Bank;
  }
};
} // namespace

/// Writes the symbols of the formulas of the problem, with their bounds, and
/// the hints; nothing if it has no formulas.
static void writeSymbols(ProblemOp op, const Problem &problem) {
  if (!hasFormulas(problem))
    return;
  Builder builder(op.getContext());
  SmallVector<StringRef> names;
  SmallVector<Attribute> bounds, hints;
  bool hasBounds = false;
  for (const SizeSymbol &symbol : problem.symbols) {
    names.push_back(symbol.name);
    int64_t bound[] = {symbol.least, symbol.greatest.value_or(-1),
                       symbol.multipleOf};
    SizeSymbol unbounded;
    unbounded.name = symbol.name;
    hasBounds |= !(symbol == unbounded);
    bounds.push_back(builder.getDenseI64ArrayAttr(bound));
  }
  for (const std::vector<int64_t> &hint : problem.hints)
    hints.push_back(builder.getDenseI64ArrayAttr(hint));
  op.setSymbolsAttr(builder.getStrArrayAttr(names));
  if (hasBounds)
    op.setBoundsAttr(builder.getArrayAttr(bounds));
  if (!hints.empty())
    op.setHintsAttr(builder.getArrayAttr(hints));
}

void memplan::writeFields(ProblemOp op, const Problem &problem) {
  NamedAttrList list;
  FieldWriter writer(op.getContext(), problem.buffers);
  forEachOwnField(
      [&](const auto &field) { writer.append(field, problem, list); });
  for (NamedAttribute attribute : list)
    op->setAttr(attribute.getName(), attribute.getValue());
  writeSymbols(op, problem);
}

BufferOp memplan::writeBuffer(OpBuilder &builder, Location loc,
                              const Buffer &buffer) {
  return FieldWriter(builder.getContext(), {})
      .create<BufferOp>(builder, loc, buffer);
}

void memplan::writePairs(OpBuilder &builder, Location loc,
                         const Problem &problem) {
  FieldWriter writer(builder.getContext(), problem.buffers);
  forEachPairList([&](const auto &field) {
    for (const auto &pair : problem.*field.member)
      writer.create<typename OpOf<std::decay_t<decltype(pair)>>::Type>(
          builder, loc, pair);
  });
}

//===----------------------------------------------------------------------===//
// Writing and reading problems
//===----------------------------------------------------------------------===//

SmallVector<Operation *>
memplan::numberParallelLoops(FunctionOpInterface function) {
  SmallVector<Operation *> loops;
  function.getFunctionBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isParallelLoop(op))
      loops.push_back(op);
  });
  return loops;
}

namespace {
/// Writes the problems of one function.
class ProblemWriter {
public:
  ProblemWriter(FunctionProblem &problem, DictionaryAttr options)
      : function(problem.function), options(options),
        builder(problem.function.getContext()) {
    if (problem.workers && !problem.workers->frames.empty())
      for (auto [number, loop] : llvm::enumerate(numberParallelLoops(function)))
        numbers[loop] = static_cast<int64_t>(number);
  }

  /// Writes the problems of the function, or of the body of one of its loops.
  void write(FunctionProblem &problem) {
    for (const ArenaProblem &arena : problem.arenas) {
      if (arena.records.empty())
        continue;
      writeArena(problem, arena);
      for (const auto &placement : arena.placements) {
        const BufferRecord &record = problem.buffers[placement.first];
        if (!record.frame)
          record.origin->setAttr(MemplanDialect::kBufferAttr,
                                 getBufferNames(builder, arena, placement));
      }
    }
  }

private:
  void writeArena(const FunctionProblem &problem, const ArenaProblem &arena) {
    builder.setInsertionPoint(function);
    auto op = ProblemOp::create(builder, function.getLoc(), function.getName(),
                                arena.memorySpace);
    writeFields(op, arena.problem);
    op.setFrame(problem.isFrame);
    if (problem.parallel)
      op.setLoop(numbers.lookup(problem.parallel));
    if (arena.capacity) {
      op.setCapacity(*arena.capacity);
      if (arena.unplannedBytes > 0)
        op.setUnplanned(arena.unplannedBytes);
    }
    if (options)
      op.setOptionsAttr(options);
    builder.setInsertionPointToEnd(&op.getBody().front());
    for (auto [buffer, index] :
         llvm::zip_equal(arena.problem.buffers, arena.records))
      write(buffer, problem.buffers[index]);
    writePairs(builder, function.getLoc(), arena.problem);
  }

  void write(const Buffer &buffer, const BufferRecord &record) {
    BufferOp op = writeBuffer(builder, record.origin->getLoc(), buffer);
    if (!record.frame)
      return;
    op.setSize(0);
    if (!record.workers) {
      op.setFrameOf(cast<func::CallOp>(record.origin).getCallee());
      return;
    }
    op.setFrameOf(function.getName());
    op.setLoop(numbers.lookup(record.origin));
    op.setTimes(record.workers->count);
  }

  FunctionOpInterface function;
  DictionaryAttr options;
  OpBuilder builder;
  llvm::DenseMap<Operation *, int64_t> numbers;
};
} // namespace

void memplan::writeProblems(FunctionProblem &problem, DictionaryAttr options) {
  ProblemWriter writer(problem, options);
  if (problem.workers)
    for (const std::unique_ptr<WorkerFrame> &frame : problem.workers->frames)
      writer.write(frame->problem);
  writer.write(problem);
}

SmallVector<ProblemOp> memplan::findProblems(FunctionOpInterface function) {
  SmallVector<ProblemOp> found;
  for (Operation *op = function->getPrevNode();
       auto problem = dyn_cast_or_null<ProblemOp>(op); op = op->getPrevNode()) {
    if (problem.getFunction() != function.getName())
      break;
    found.push_back(problem);
  }
  return found;
}

Attribute
memplan::getBufferNames(Builder &builder, const ArenaProblem &arena,
                        const std::pair<unsigned, BufferIndex> &placement) {
  SmallVector<Attribute> names;
  for (BufferIndex slot : arena.getSlots(placement))
    names.push_back(builder.getStringAttr(arena.problem.buffers[slot].id));
  return names.size() == 1 ? names.front() : builder.getArrayAttr(names);
}

static void readSymbols(ProblemOp op, Problem &problem) {
  if (op.getSymbols())
    for (auto name : op.getSymbols()->getAsRange<StringAttr>())
      problem.symbols.push_back({name.str(), 0, std::nullopt, 1});
  if (op.getBounds())
    for (auto [symbol, bound] :
         llvm::zip(problem.symbols,
                   op.getBounds()->getAsRange<DenseI64ArrayAttr>())) {
      symbol.least = bound[0];
      if (bound[1] >= 0)
        symbol.greatest = bound[1];
      symbol.multipleOf = bound[2];
    }
  if (op.getHints())
    for (auto hint : op.getHints()->getAsRange<DenseI64ArrayAttr>())
      problem.hints.emplace_back(hint.asArrayRef().begin(),
                                 hint.asArrayRef().end());
}

Problem memplan::readProblem(ProblemOp op, SmallVectorImpl<BufferOp> *buffers) {
  Problem problem;
  FieldReader reader;
  forEachOwnField([&](const auto &field) { reader.read(field, op, problem); });
  if (problem.capacity)
    problem.capacity = std::max<int64_t>(
        *problem.capacity - static_cast<int64_t>(op.getUnplanned().value_or(0)),
        0);
  readSymbols(op, problem);
  Block &body = op.getBody().front();
  SmallVector<BufferOp> own;
  if (!buffers)
    buffers = &own;
  if (buffers->empty())
    llvm::append_range(*buffers, body.getOps<BufferOp>());
  for (BufferOp entry : *buffers) {
    auto buffer = reader.read<Buffer>(entry);
    reader.indices[buffer.id] =
        static_cast<BufferIndex>(problem.buffers.size());
    if (op.getStatus() && !entry.getPinned())
      buffer.pinnedOffset.reset();
    problem.buffers.push_back(std::move(buffer));
  }
  forEachPairList([&](const auto &field) {
    auto &pairs = problem.*field.member;
    using Pair = typename std::decay_t<decltype(pairs)>::value_type;
    for (Operation *entry : body.getOps<typename OpOf<Pair>::Type>())
      pairs.push_back(reader.read<Pair>(entry));
  });
  return problem;
}

/// States what a buffer lies above, unless its place is constant.
static void writePlace(ArrayRef<BufferOp> buffers, const PlaceOrder &order,
                       BufferIndex index) {
  BufferOp buffer = buffers[index];
  const Place &place = order.places[order.placeOf[index]];
  if (place.offset)
    return;
  auto nameOf = [&](BufferIndex other) {
    return FlatSymbolRefAttr::get(BufferOp(buffers[other]).getSymNameAttr());
  };
  if (place.members.front() != index) {
    buffer.setPlaceAttr(nameOf(place.members.front()));
    return;
  }
  buffer.setFrom(place.from);
  SmallVector<Attribute> above;
  for (unsigned lower : place.above)
    above.push_back(nameOf(order.places[lower].members.front()));
  if (!above.empty())
    buffer.setAboveAttr(ArrayAttr::get(buffer.getContext(), above));
}

FailureOr<std::optional<PlaceOrder>>
memplan::readOrder(ArrayRef<BufferOp> buffers) {
  llvm::StringMap<BufferIndex> indices;
  SmallVector<SmallVector<BufferIndex>> members(buffers.size());
  for (auto [index, buffer] : llvm::enumerate(buffers))
    indices[BufferOp(buffer).getSymName()] = static_cast<BufferIndex>(index);
  bool hasOrder = false;
  for (auto [index, entry] : llvm::enumerate(buffers)) {
    BufferOp buffer = entry;
    hasOrder |= buffer.getFrom().has_value();
    BufferIndex leader = buffer.getPlace() ? indices.lookup(*buffer.getPlace())
                                           : static_cast<BufferIndex>(index);
    if (BufferOp(buffers[leader]).getPlace())
      return buffer.emitError() << "has the place of @" << *buffer.getPlace()
                                << ", which has the place of another buffer";
    members[leader].push_back(static_cast<BufferIndex>(index));
  }
  if (!hasOrder)
    return std::optional<PlaceOrder>();
  PlaceOrder order;
  order.placeOf.assign(buffers.size(), 0);
  // Places after those that they lie above, by depth-first search.
  enum class State { New, Entered, Done };
  SmallVector<State> states(buffers.size(), State::New);
  SmallVector<BufferIndex> stack;
  for (BufferIndex first = 0; first < buffers.size(); ++first)
    if (!members[first].empty())
      stack.push_back(first);
  std::reverse(stack.begin(), stack.end());
  while (!stack.empty()) {
    BufferIndex index = stack.back();
    BufferOp buffer = buffers[index];
    SmallVector<BufferIndex> lower;
    if (buffer.getAbove())
      for (auto name : buffer.getAbove()->getAsRange<FlatSymbolRefAttr>())
        lower.push_back(indices.lookup(name.getValue()));
    if (states[index] == State::New) {
      states[index] = State::Entered;
      for (BufferIndex other : llvm::reverse(lower)) {
        if (states[other] == State::Entered)
          return buffer.emitError()
                 << "lies above @" << BufferOp(buffers[other]).getSymName()
                 << ", which lies above it";
        if (members[other].empty())
          return buffer.emitError()
                 << "lies above @" << BufferOp(buffers[other]).getSymName()
                 << ", which has the place of another buffer";
        stack.push_back(other);
      }
      continue;
    }
    stack.pop_back();
    if (states[index] == State::Done)
      continue;
    states[index] = State::Done;
    Place place;
    if (!buffer.getFrom())
      place.offset = static_cast<int64_t>(buffer.getOffset().value_or(0));
    else
      place.from = static_cast<int64_t>(*buffer.getFrom());
    for (BufferIndex other : lower)
      place.above.push_back(order.placeOf[other]);
    llvm::sort(place.above);
    for (BufferIndex member : members[index]) {
      place.members.push_back(member);
      place.alignment =
          std::max(place.alignment,
                   static_cast<int64_t>(BufferOp(buffers[member]).getAlign()));
      order.placeOf[member] = static_cast<unsigned>(order.places.size());
    }
    order.places.push_back(std::move(place));
  }
  return std::optional(std::move(order));
}

void memplan::writePlan(ProblemOp op, ArrayRef<BufferOp> buffers,
                        const Plan &plan) {
  Builder builder(op.getContext());
  for (auto [index, entry] : llvm::enumerate(buffers)) {
    BufferOp buffer = entry;
    if (buffer.getOffset() && !op.getStatus())
      buffer.setPinned(true);
    if (plan.hasOffsets())
      buffer.setOffset(plan.offsets[index]);
    if (plan.order)
      writePlace(buffers, *plan.order, static_cast<BufferIndex>(index));
  }
  op.setStatusAttr(builder.getStringAttr(llvm::StringRef(
      statusName(plan.status).data(), statusName(plan.status).size())));
  op.setStrategyAttr(builder.getStringAttr(plan.strategy));
  op.setArenaSize(plan.arenaSize);
  op.setLowerBound(plan.lowerBound);
  if (!op.getBody().getOps<SoftConflictOp>().empty()) {
    op.setPenalty(plan.penalty);
    op.setPenaltyBound(plan.penaltyBound);
  }
}

//===----------------------------------------------------------------------===//
// Adopting stated plans
//===----------------------------------------------------------------------===//

/// Why the problem and its function may have different buffers.
constexpr StringLiteral kWhyOther =
    ": the program has changed, or the options of the problem";

namespace {
/// Adopts the plans of the problems of one function, or of the body of one of
/// its parallel loops.
class PlanAdopter {
public:
  explicit PlanAdopter(FunctionProblem &problem)
      : problem(problem), name(problem.function.getName()) {}

  /// Uses those of `stated` that are for `loop`, or those without a loop.
  LogicalResult run(ArrayRef<ProblemOp> stated, std::optional<uint64_t> loop) {
    llvm::MapVector<Attribute, ProblemOp> bySpace;
    for (ProblemOp op : llvm::reverse(stated)) {
      if (op.getLoop() != loop)
        continue;
      auto [first, isNew] = bySpace.insert({op.getMemorySpaceAttr(), op});
      if (isNew)
        continue;
      InFlightDiagnostic error = op.emitError()
                                 << "is a second problem of @" << name
                                 << " in this memory space";
      error.attachNote(first->second.getLoc()) << "the other one is here";
      return error;
    }
    for (ArenaProblem &arena : problem.arenas) {
      if (arena.records.empty())
        continue;
      ProblemOp op = bySpace.lookup(arena.memorySpace);
      if (!op)
        return complainMissing(arena, 0);
      bySpace.erase(arena.memorySpace);
      if (failed(adopt(op, arena)))
        return failure();
    }
    if (!bySpace.empty())
      return bySpace.front().second.emitError()
             << "is stale: @" << name
             << " has no buffers to plan in this memory space" << kWhyOther;
    return success();
  }

private:
  /// Emits the error that the problem does not have a buffer of the arena.
  LogicalResult complainMissing(const ArenaProblem &arena, size_t place) const {
    return problem.buffers[arena.records[place]].origin->emitError()
           << "has no buffer in the problem of @" << name << kWhyOther;
  }

  LogicalResult adopt(ProblemOp op, ArenaProblem &arena) {
    llvm::StringMap<BufferOp> buffers;
    for (BufferOp entry : op.getBody().front().getOps<BufferOp>())
      buffers[entry.getSymName()] = entry;
    if (arena.records.size() < buffers.size())
      return op.emitError() << "is stale: it states " << buffers.size()
                            << " buffers but @" << name << " has "
                            << arena.records.size() << " to plan" << kWhyOther;
    // In the order of the buffers of the arena.
    SmallVector<BufferOp> entries;
    Plan &plan = arena.plan;
    SmallVector<int64_t> alignments = getNeededAlignments(arena);
    for (auto [place, buffer] : llvm::enumerate(arena.problem.buffers)) {
      BufferRecord &leader = problem.buffers[arena.records[place]];
      BufferOp entry = buffers.lookup(buffer.id);
      if (!entry)
        return complainMissing(arena, place);
      if (!entry.getOffset())
        return entry.emitError() << "has no offset; solve the problem first";
      if (leader.frame)
        buffer.size = static_cast<int64_t>(entry.getSize());
      if (std::string difference = findDifference(entry, buffer, leader);
          !difference.empty())
        return entry.emitError() << "is stale: " << difference;
      buffer.alignment =
          std::max(alignments[place], static_cast<int64_t>(entry.getAlign()));
      entries.push_back(entry);
      plan.offsets.push_back(static_cast<int64_t>(*entry.getOffset()));
    }
    plan.arenaSize = arenaSizeOf(arena.problem, plan.offsets);
    if (op.getFrame() != problem.isFrame)
      return op.emitError()
             << "is stale: whether callers hand in the arena has changed";
    Builder builder(problem.function.getContext());
    for (const auto &placement : arena.placements) {
      BufferRecord &record = problem.buffers[placement.first];
      const Buffer &buffer = arena.problem.buffers[placement.second];
      record.alignment = buffer.alignment;
      if (record.frame) {
        record.setFrameSize(buffer.size);
        continue;
      }
      Attribute expected = getBufferNames(builder, arena, placement);
      Attribute named = record.origin->getAttr(MemplanDialect::kBufferAttr);
      if (named && named != expected)
        return record.origin->emitError()
               << "names buffer " << named << " but belongs to " << expected;
    }
    arena.problem.arenaAlignment =
        std::max(op.getArenaAlignment(), *llvm::max_element(alignments));
    if (failed(adoptCuts(op, arena)))
      return failure();
    plan.status = PlanStatus::Feasible;
    return verifyStated(op, entries, arena);
  }

  /// For each buffer of the arena, the alignment without which the program is
  /// wrong. The problem states the alignments of the plan, which may be edited.
  SmallVector<int64_t> getNeededAlignments(const ArenaProblem &arena) const {
    auto get = [&](unsigned index) {
      const BufferRecord &record = problem.buffers[index];
      return record.frame ? record.alignment : record.ownAlignment;
    };
    SmallVector<int64_t> needed = llvm::map_to_vector(arena.records, get);
    for (const auto &placement : arena.placements)
      for (BufferIndex slot : arena.getSlots(placement))
        needed[slot] = std::max(needed[slot], get(placement.first));
    return needed;
  }

  /// Takes the cuts that the problem states. The bytes below each cut begin
  /// with the result that owns them.
  LogicalResult adoptCuts(ProblemOp op, ArenaProblem &arena) const {
    arena.problem.cuts = op.getCuts().value_or(ArrayRef<int64_t>()).vec();
    if (arena.problem.cuts.size() != arena.lenders.size())
      return op.emitError()
             << "is stale: it states " << arena.problem.cuts.size()
             << " cuts but results can lend memory in " << arena.lenders.size()
             << " pieces";
    int64_t begin = 0;
    for (auto [lender, cut] :
         llvm::zip_equal(arena.lenders, arena.problem.cuts)) {
      if (arena.plan.offsets[lender] != begin)
        return op.emitError()
               << "states a wrong plan: the result @"
               << arena.problem.buffers[lender].id << " is at offset "
               << arena.plan.offsets[lender] << " and not at the cut " << begin;
      begin = cut;
    }
    return success();
  }

  /// Verifies the offsets against the stated problem, with its conflicts,
  /// permitted overlaps and capacity.
  static LogicalResult verifyStated(ProblemOp op,
                                    SmallVectorImpl<BufferOp> &entries,
                                    ArenaProblem &arena) {
    Problem problem = readProblem(op, &entries);
    problem.arenaAlignment = arena.problem.arenaAlignment;
    for (auto [buffer, own] :
         llvm::zip_equal(problem.buffers, arena.problem.buffers))
      buffer.alignment = own.alignment;
    Plan plan = arena.plan;
    plan.penalty = penaltyOf(problem, plan.offsets);
    // By two buffers, the permitted ranges of the offset of the second minus
    // that of the first.
    llvm::DenseMap<std::pair<BufferIndex, BufferIndex>,
                   SmallVector<std::pair<int64_t, int64_t>, 1>>
        permitted;
    for (const PermittedOverlap &own : arena.problem.overlaps) {
      permitted[{own.first, own.second}].push_back(
          {own.minDelta, own.maxDelta});
      permitted[{own.second, own.first}].push_back(
          {-own.maxDelta, -own.minDelta});
    }
    for (const PermittedOverlap &overlap : problem.overlaps)
      if (llvm::none_of(permitted.lookup({overlap.first, overlap.second}),
                        [&](std::pair<int64_t, int64_t> own) {
                          return own.first <= overlap.minDelta &&
                                 overlap.maxDelta <= own.second;
                        }))
        return op.emitError()
               << "is stale: the program does not permit that @"
               << entries[overlap.first].getSymName() << " and @"
               << entries[overlap.second].getSymName() << " overlap by ["
               << overlap.minDelta << ", " << overlap.maxDelta << "]";
    FailureOr<std::optional<PlaceOrder>> order = readOrder(entries);
    if (failed(order))
      return failure();
    plan.order = std::move(*order);
    bool isDynamic = hasFormulas(problem);
    if (isDynamic && !plan.order)
      return op.emitError() << "states a wrong plan: there is no order for "
                               "sizes that are formulas";
    for (const Issue &issue : verify(problem, plan, 1)) {
      InFlightDiagnostic error = op.emitError()
                                 << "states a wrong plan: " << issue.message;
      for (BufferIndex buffer : issue.buffers)
        error.attachNote(entries[buffer].getLoc())
            << "@" << entries[buffer].getSymName() << " is stated here";
      return error;
    }
    arena.plan.order = std::move(plan.order);
    if (isDynamic)
      for (Place &place : arena.plan.order->places)
        for (BufferIndex member : place.members)
          place.alignment =
              std::max(place.alignment, problem.buffers[member].alignment);
    return success();
  }

  /// The first difference between the stated buffer and the program; empty if
  /// there is none.
  static std::string findDifference(BufferOp entry, const Buffer &buffer,
                                    const BufferRecord &record) {
    NamedAttrList own;
    FieldWriter writer(entry.getContext(), {});
    std::string text;
    llvm::raw_string_ostream os(text);
    auto print = [&](Attribute value) {
      value ? value.print(os, /*elideType=*/true) : void(os << "none");
    };
    forEachField<Buffer>([&](const auto &field) {
      // The alignment may be larger, and the offset is of the plan.
      if (!text.empty() || field.is(&Buffer::alignment) ||
          field.is(&Buffer::pinnedOffset))
        return;
      writer.append(field, buffer, own);
      Attribute stated = entry->getAttr(field.attribute);
      Attribute needed = own.get(field.attribute);
      if (stated == needed)
        return;
      os << "it states " << field.name << " ";
      print(stated);
      os << " but the program has ";
      print(needed);
    });
    if (!text.empty())
      return text;
    if (!describesFrame(entry, record))
      os << "it is of another call or loop than in the program";
    return text;
  }

  static bool describesFrame(BufferOp entry, const BufferRecord &record) {
    if (entry.getFrameOf().has_value() != record.frame.has_value())
      return false;
    if (!record.frame)
      return true;
    auto call = dyn_cast<func::CallOp>(record.origin);
    int64_t count = record.workers ? record.workers->count : 1;
    return static_cast<int64_t>(entry.getTimes().value_or(1)) == count &&
           entry.getLoop().has_value() == !call &&
           (!call || call.getCallee() == *entry.getFrameOf());
  }

  FunctionProblem &problem;
  StringRef name;
};
} // namespace

LogicalResult memplan::adoptPlans(FunctionProblem &problem,
                                  ArrayRef<ProblemOp> stated) {
  SmallVector<Operation *> loops;
  if (problem.workers && !problem.workers->frames.empty())
    loops = numberParallelLoops(problem.function);
  llvm::DenseSet<uint64_t> adopted;
  if (problem.workers)
    for (const std::unique_ptr<WorkerFrame> &frame : problem.workers->frames) {
      uint64_t number =
          llvm::find(loops, frame->problem.parallel) - loops.begin();
      adopted.insert(number);
      if (failed(PlanAdopter(frame->problem).run(stated, number)) ||
          failed(setStrides(*frame)))
        return failure();
    }
  for (ProblemOp op : stated)
    if (op.getLoop() && !adopted.contains(*op.getLoop()))
      return op.emitError()
             << "is stale: it is of parallel loop " << *op.getLoop() << " of @"
             << op.getFunction() << ", which has no frames" << kWhyOther;
  return PlanAdopter(problem).run(stated, std::nullopt);
}
