//===- Memplan.cpp - The memplan dialect ----------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/IR/Memplan.h"

#include "memplan/IR/CalleeContract.h"
#include "memplan/IR/GraphAttributes.h"
#include "memplan/IR/Observation.h"

#include "memplan/Core/Solver.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace memplan;

#include "memplan/IR/MemplanDialect.cpp.inc"
#include "memplan/IR/MemplanEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "memplan/IR/MemplanAttributes.cpp.inc"

void MemplanDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "memplan/IR/MemplanOps.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "memplan/IR/MemplanAttributes.cpp.inc"
      >();
}

/// Verifies an attribute that has no value.
static LogicalResult verifyUnit(Operation *op, NamedAttribute attribute) {
  if (isa<UnitAttr>(attribute.getValue()))
    return success();
  return op->emitOpError() << "attribute '" << attribute.getName().getValue()
                           << "' must be a unit attribute";
}

static LogicalResult verifyOutputs(Operation *op, Attribute value) {
  auto isOutput = [](Attribute attribute) {
    auto facts = dyn_cast<DictionaryAttr>(attribute);
    if (!facts || !facts.getAs<IntegerAttr>("offset") ||
        !facts.getAs<IntegerAttr>("result"))
      return false;
    auto type = facts.getAs<TypeAttr>("type");
    auto memref = type ? dyn_cast<MemRefType>(type.getValue()) : MemRefType();
    return memref && memref.hasStaticShape();
  };
  auto outputs = dyn_cast<ArrayAttr>(value);
  if (isa<FunctionOpInterface>(op) && outputs &&
      llvm::all_of(outputs, isOutput))
    return success();
  return op->emitOpError()
         << "attribute '" << MemplanDialect::kOutputsAttr
         << "' belongs on a function and has an 'offset', a 'result' and a "
            "'type' (a static memref) for each of its outputs";
}

static LogicalResult verifyLoweredSlots(Operation *op, Attribute value,
                                        bool isArena) {
  auto slots = dyn_cast<ArrayAttr>(value);
  bool isRight = slots && isArena;
  for (int64_t number = 0;
       isRight && number != static_cast<int64_t>(slots.size()); ++number) {
    auto slot = dyn_cast<DenseI64ArrayAttr>(slots[number]);
    isRight = slot && !slot.empty() && slot[0] >= 0 &&
              llvm::all_of(slot.asArrayRef().drop_front(), [&](int64_t below) {
                return 0 <= below && below < number;
              });
  }
  if (isRight)
    return success();
  return op->emitOpError() << "attribute '" << MemplanDialect::kSlotsAttr
                           << "' belongs on an arena and has, for each slot, "
                              "its least offset and "
                              "the numbers of slots before it that it is above";
}

LogicalResult
MemplanDialect::verifyOperationAttribute(Operation *op,
                                         NamedAttribute attribute) {
  if (attribute.getName() == kBufferAttr) {
    auto names = dyn_cast<ArrayAttr>(attribute.getValue());
    if (!isa<StringAttr>(attribute.getValue()) &&
        !(names && !names.empty() && llvm::all_of(names, [](Attribute name) {
            return isa<StringAttr>(name);
          })))
      return op->emitOpError() << "attribute '" << kBufferAttr
                               << "' must be a string, the name of a buffer, "
                                  "or an array of the names of several";
    return success();
  }
  if (attribute.getName() == kArenaAttr) {
    if (failed(verifyUnit(op, attribute)))
      return failure();
    if (!isa<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp,
             gpu::AllocOp>(op))
      return op->emitOpError()
             << "attribute '" << kArenaAttr
             << "' belongs on the memref.alloc, memref.alloca, "
                "memref.get_global or gpu.alloc of an arena";
    return success();
  }
  if (attribute.getName() == kReturnedAttr) {
    if (failed(verifyUnit(op, attribute)))
      return failure();
    if (!isa<memref::AllocOp>(op) || !op->hasAttr(kArenaAttr))
      return op->emitOpError() << "attribute '" << kReturnedAttr
                               << "' belongs on the memref.alloc of an arena";
    return success();
  }
  if (attribute.getName() == kSlotsAttr)
    return verifyLoweredSlots(op, attribute.getValue(),
                              op->hasAttr(kArenaAttr));
  if (attribute.getName() == kSlotAttr) {
    auto place = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
    if (place && place.size() == 2 && place[0] >= 0 && place[1] >= 0 &&
        isa<memref::ViewOp>(op))
      return success();
    return op->emitOpError()
           << "attribute '" << kSlotAttr
           << "' is the number of a slot and an offset in it, on a memref.view";
  }
  if (attribute.getName() == kOutputAttr) {
    if (!isa<IntegerAttr>(attribute.getValue()) || !isa<memref::LoadOp>(op))
      return op->emitOpError()
             << "attribute '" << kOutputAttr
             << "' is the number of a result, on a memref.load of it";
    return success();
  }
  if (attribute.getName() == kOutputsAttr)
    return verifyOutputs(op, attribute.getValue());
  if (attribute.getName() == kRenewAttr) {
    if (failed(verifyUnit(op, attribute)))
      return failure();
    if (!isa<memref::CastOp>(op))
      return op->emitOpError() << "attribute '" << kRenewAttr
                               << "' belongs on a memref.cast of a slot";
    return success();
  }
  if (attribute.getName() == kWorkgroupAttr) {
    if (failed(verifyUnit(op, attribute)))
      return failure();
    if (!isa<memref::ViewOp>(op))
      return op->emitOpError()
             << "attribute '" << kWorkgroupAttr
             << "' belongs on the memref.view of a buffer in workgroup memory";
    return success();
  }
  if (attribute.getName() == kStepAttr || attribute.getName() == kStreamAttr) {
    auto number = dyn_cast<IntegerAttr>(attribute.getValue());
    if (!number || !number.getType().isInteger(64) || number.getInt() < 0)
      return op->emitOpError()
             << "attribute '" << attribute.getName().getValue()
             << "' must be a 64-bit integer, not negative";
    if (isa<FunctionOpInterface, ModuleOp>(op))
      return op->emitOpError()
             << "attribute '" << attribute.getName().getValue()
             << "' belongs on an op of a function";
    return success();
  }
  if (attribute.getName() == kPipeAttr) {
    if (isa<StringAttr>(attribute.getValue()) && !isa<FunctionOpInterface>(op))
      return success();
    return op->emitOpError()
           << "attribute '" << kPipeAttr
           << "' is the name of a pipe, a string, on an op of a function";
  }
  auto isCost = [](Attribute value) {
    auto number = dyn_cast<IntegerAttr>(value);
    return number && number.getType().isInteger(64) && number.getInt() >= 0;
  };
  if (attribute.getName() == kCyclesAttr) {
    if (isCost(attribute.getValue()) && op->hasAttr(kPipeAttr))
      return success();
    return op->emitOpError()
           << "attribute '" << kCyclesAttr
           << "' must be a 64-bit integer, not negative, beside '" << kPipeAttr
           << "'";
  }
  if (attribute.getName() == kApartAttr ||
      attribute.getName() == kBankApartAttr) {
    auto costs = dyn_cast<DictionaryAttr>(attribute.getValue());
    if (costs && op->getNumResults() == 1 &&
        isa<MemRefType>(op->getResult(0).getType()) &&
        llvm::all_of(costs, [&](NamedAttribute entry) {
          return isCost(entry.getValue());
        }))
      return success();
    return op->emitOpError() << "attribute '" << attribute.getName().getValue()
                             << "' belongs on an allocation and has names with "
                                "64-bit integers, not negative";
  }
  if (std::optional<LogicalResult> result = verifyGraphAttribute(op, attribute))
    return *result;
  if (std::optional<LogicalResult> result =
          verifyObservationAttribute(op, attribute))
    return *result;
  return op->emitOpError() << "attribute '" << attribute.getName().getValue()
                           << "' is not one of the memplan dialect";
}

static LogicalResult verifyOverwrites(Operation *op, unsigned argument,
                                      Attribute value) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  auto isMemRef = [&](int64_t number) {
    return isa<BaseMemRefType>(function.getArgumentTypes()[number]);
  };
  auto isOverwritten = [&](int64_t number) {
    return 0 <= number && number < function.getNumArguments() &&
           number != argument && isMemRef(number) &&
           memplan::isDeclaredReadOnly(function, number);
  };
  auto numbers = dyn_cast<DenseI64ArrayAttr>(value);
  if (function && function.isExternal() && isMemRef(argument) && numbers &&
      llvm::all_of(numbers.asArrayRef(), isOverwritten))
    return success();
  return op->emitOpError()
         << "attribute '" << MemplanDialect::kOverwritesAttr
         << "' belongs on a memref argument of a function without a body and "
            "has the numbers of other memref arguments, each with "
            "bufferization.access = \"read\" or llvm.readonly";
}

LogicalResult
MemplanDialect::verifyRegionArgAttribute(Operation *op, unsigned region,
                                         unsigned argument,
                                         NamedAttribute attribute) {
  if (std::optional<LogicalResult> result =
          verifyGraphArgAttribute(op, region, argument, attribute))
    return *result;
  if (attribute.getName() == kOverwritesAttr)
    return verifyOverwrites(op, argument, attribute.getValue());
  if (auto function = dyn_cast<FunctionOpInterface>(op);
      function && attribute.getName() == kSlotsAttr)
    return verifyLoweredSlots(op, attribute.getValue(),
                              function.getArgAttr(argument, kArenaAttr) !=
                                  nullptr);
  if (attribute.getName() != kArenaAttr && attribute.getName() != kAlignAttr)
    return op->emitOpError()
           << "attribute '" << attribute.getName().getValue()
           << "' of an argument is not one of the memplan dialect";
  auto alignment = dyn_cast<IntegerAttr>(attribute.getValue());
  if (!alignment || !alignment.getType().isInteger(64) ||
      alignment.getInt() < 1 ||
      !llvm::isPowerOf2_64(static_cast<uint64_t>(alignment.getInt())))
    return op->emitOpError() << "attribute '" << attribute.getName().getValue()
                             << "' of an argument must be its alignment, a "
                                "64-bit integer that is a power of two";
  return success();
}

//===----------------------------------------------------------------------===//
// Assembly helpers
//===----------------------------------------------------------------------===//

/// Byte counts are printed as plain integers, without the `: i64` of an
/// attribute.
static ParseResult parseBytes(OpAsmParser &parser, IntegerAttr &bytes) {
  int64_t value;
  if (parser.parseInteger(value))
    return failure();
  bytes = parser.getBuilder().getI64IntegerAttr(value);
  return success();
}

static void printBytes(OpAsmPrinter &printer, Operation *, IntegerAttr bytes) {
  printer << bytes.getInt();
}

/// `[[0, 7), [9, 12)]`: half-open ranges, stored as pairs in a flat array.
static ParseResult parseLiveRanges(OpAsmParser &parser,
                                   DenseI64ArrayAttr &ranges) {
  SmallVector<int64_t> points;
  auto parseRange = [&]() -> ParseResult {
    int64_t start, end;
    if (parser.parseLSquare() || parser.parseInteger(start) ||
        parser.parseComma() || parser.parseInteger(end) || parser.parseRParen())
      return failure();
    points.push_back(start);
    points.push_back(end);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseRange))
    return failure();
  ranges = DenseI64ArrayAttr::get(parser.getContext(), points);
  return success();
}

static void printLiveRanges(OpAsmPrinter &printer, Operation *,
                            DenseI64ArrayAttr ranges) {
  // The verifier rejects an odd number of points; the last one is still
  // printed.
  ArrayRef<int64_t> points = ranges.asArrayRef();
  printer << '[';
  for (size_t i = 0; i < points.size(); i += 2) {
    printer << (i ? ", " : "") << '[' << points[i] << ", ";
    if (i + 1 < points.size())
      printer << points[i + 1];
    printer << ')';
  }
  printer << ']';
}

/// `%slot + 128 + %w * 4096`: a slot, an offset and, for each worker, its
/// stride. Either of the first two may be missing, but not both.
static ParseResult
parsePlace(OpAsmParser &parser,
           std::optional<OpAsmParser::UnresolvedOperand> &slot,
           IntegerAttr &offset,
           SmallVectorImpl<OpAsmParser::UnresolvedOperand> &workers,
           DenseI64ArrayAttr &strides) {
  OpAsmParser::UnresolvedOperand operand;
  OptionalParseResult hasSlot = parser.parseOptionalOperand(operand);
  if (hasSlot.has_value()) {
    if (failed(*hasSlot))
      return failure();
    slot = operand;
  }
  int64_t bytes = 0;
  if (!slot && parser.parseInteger(bytes))
    return failure();
  SmallVector<int64_t> values;
  while (succeeded(parser.parseOptionalPlus())) {
    int64_t number;
    if (slot && workers.empty() &&
        parser.parseOptionalInteger(number).has_value()) {
      bytes = number;
      continue;
    }
    if (parser.parseOperand(workers.emplace_back()) || parser.parseStar() ||
        parser.parseInteger(values.emplace_back()))
      return failure();
  }
  offset = parser.getBuilder().getI64IntegerAttr(bytes);
  if (!values.empty())
    strides = DenseI64ArrayAttr::get(parser.getContext(), values);
  return success();
}

static void printPlace(OpAsmPrinter &printer, Operation *, Value slot,
                       IntegerAttr offset, OperandRange workers,
                       DenseI64ArrayAttr strides) {
  if (slot)
    printer << slot;
  if (!slot || offset.getInt() != 0)
    printer << (slot ? " + " : "") << offset.getInt();
  if (strides)
    for (auto [worker, stride] : llvm::zip(workers, strides.asArrayRef()))
      printer << " + " << worker << " * " << stride;
}

#define GET_OP_CLASSES
#include "memplan/IR/MemplanOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

static LogicalResult verifyAlignment(Operation *op, int64_t alignment) {
  if (alignment < 1 || !llvm::isPowerOf2_64(alignment))
    return op->emitOpError()
           << "alignment " << alignment << " is not a power of two";
  return success();
}

static LogicalResult verifyNotNegative(Operation *op, StringRef what,
                                       int64_t bytes) {
  if (bytes < 0)
    return op->emitOpError() << what << " " << bytes << " is negative";
  return success();
}

static LogicalResult verifyLiveRanges(Operation *op, ArrayRef<int64_t> points) {
  if (points.empty())
    return op->emitOpError("has no live range");
  if (points.size() % 2 != 0)
    return op->emitOpError("has a live range without an end");
  for (size_t i = 0; i < points.size(); i += 2) {
    if (points[i] >= points[i + 1])
      return op->emitOpError() << "live range [" << points[i] << ", "
                               << points[i + 1] << ") is empty";
    if (i > 0 && points[i] < points[i - 1])
      return op->emitOpError() << "live range [" << points[i] << ", "
                               << points[i + 1] << ") does not come after ["
                               << points[i - 2] << ", " << points[i - 1] << ")";
  }
  return success();
}

void ProblemOp::build(OpBuilder &builder, OperationState &state,
                      StringRef function, Attribute memorySpace) {
  state.addAttribute("function", builder.getStringAttr(function));
  if (memorySpace)
    state.addAttribute("memory_space", memorySpace);
  state.addRegion()->emplaceBlock();
}

/// True for the names that statusName returns.
static bool isStatusName(StringRef name) {
  for (PlanStatus status :
       {PlanStatus::Optimal, PlanStatus::Feasible, PlanStatus::Infeasible,
        PlanStatus::Limit, PlanStatus::Invalid})
    if (name == StringRef(statusName(status)))
      return true;
  return false;
}

LogicalResult ProblemOp::verify() {
  if (failed(verifyAlignment(*this, getArenaAlignment())))
    return failure();
  std::pair<StringRef, std::optional<uint64_t>> bytes[] = {
      {"capacity", getCapacity()},
      {"unplanned", getUnplanned()},
      {"arena size", getArenaSize()},
      {"lower bound", getLowerBound()},
      {"penalty", getPenalty()},
      {"penalty bound", getPenaltyBound()},
      {"loop", getLoop()}};
  for (auto [what, value] : bytes)
    if (value && failed(verifyNotNegative(*this, what, *value)))
      return failure();
  if (getStatus() && !isStatusName(*getStatus()))
    return emitOpError() << "has the unknown status '" << *getStatus() << "'";
  if (getBanks() && static_cast<int64_t>(*getBanks()) < 1)
    return emitOpError() << "has banks of " << static_cast<int64_t>(*getBanks())
                         << " bytes";
  size_t symbols = getSymbols() ? getSymbols()->size() : 0;
  if (getBounds() && getBounds()->size() != symbols)
    return emitOpError() << "has " << symbols << " symbols but bounds of "
                         << getBounds()->size();
  if (getBounds())
    for (auto bound : getBounds()->getAsRange<DenseI64ArrayAttr>())
      if (bound.size() != 3 || bound[1] < -1 || bound[2] < 1)
        return emitOpError("has a bound that is not the least value, the "
                           "greatest one or -1, and a divisor");
  if (getHints())
    for (auto hint : getHints()->getAsRange<DenseI64ArrayAttr>())
      if (static_cast<size_t>(hint.size()) != symbols)
        return emitOpError() << "has " << symbols << " symbols but a hint of "
                             << hint.size() << " values";
  if (getBody().getNumArguments() != 0)
    return emitOpError("has block arguments");
  for (Operation &op : getBody().front())
    if (!isa<BufferOp, ConflictOp, SoftConflictOp, AllOrNoneOp, OverlapOp>(op))
      return op.emitOpError("is not allowed in a memplan.problem");
  return success();
}

/// Verifies the numbers of an entry, those without syntax of their own, too.
template <typename Record> static LogicalResult verifyNumbers(Operation *op) {
  LogicalResult result = success();
  forEachField<Record>([&](const auto &field) {
    if constexpr (std::is_same_v<int64_t Record::*, decltype(field.member)>) {
      Attribute attribute = op->getAttr(field.attribute);
      auto number = dyn_cast_or_null<IntegerAttr>(attribute);
      if (failed(result) || !attribute)
        return;
      if (!number || !number.getType().isInteger(64))
        result = op->emitOpError() << "attribute '" << field.attribute
                                   << "' is no 64-bit integer";
      else if (field.limit == Limit::NotNegative)
        result = verifyNotNegative(op, field.name, number.getInt());
      else if (field.limit == Limit::PowerOfTwo)
        result = verifyAlignment(op, number.getInt());
    }
  });
  return result;
}

LogicalResult BufferOp::verify() {
  // MLIR prints such a name as something that it cannot parse.
  if (getSymName().empty())
    return emitOpError("has an empty name");
  int64_t size = getSize(), align = getAlign();
  if (failed(verifyNumbers<Buffer>(*this)) ||
      failed(verifyLiveRanges(*this, getLive())))
    return failure();
  if ((getLoop() || getTimes()) && !getFrameOf())
    return emitOpError("is of a loop but names no function");
  if (getFormula()) {
    std::string reason;
    StringRef text = *getFormula();
    if (!parseFormula({text.data(), text.size()}, reason))
      return emitOpError() << "has a size that is no formula: " << reason;
  }
  if (getFrom() && failed(verifyNotNegative(*this, "from", *getFrom())))
    return failure();
  if (getLoop() && failed(verifyNotNegative(*this, "loop", *getLoop())))
    return failure();
  if (getTimes() && static_cast<int64_t>(*getTimes()) < 1)
    return emitOpError() << "has " << static_cast<int64_t>(*getTimes())
                         << " frames";
  if (!getOffset())
    return getPinned() ? emitOpError("is pinned but has no offset") : success();
  int64_t offset = *getOffset();
  if (failed(verifyNotNegative(*this, "offset", offset)))
    return failure();
  if (offset % align != 0)
    return emitOpError() << "offset " << offset
                         << " is not a multiple of its alignment " << align;
  if (offset > std::numeric_limits<int64_t>::max() - size)
    return emitOpError() << "offset " << offset << " plus size " << size
                         << " exceeds 64 bits";
  return success();
}

/// Verifies that an entry about two buffers names two.
template <typename Pair, typename PairOp>
static LogicalResult verifyPair(PairOp op) {
  if (op.getFirst() == op.getSecond())
    return op.emitOpError() << "names @" << op.getFirst() << " twice";
  return verifyNumbers<Pair>(op);
}

LogicalResult ConflictOp::verify() { return verifyPair<Conflict>(*this); }
LogicalResult AllOrNoneOp::verify() { return verifyPair<AllOrNone>(*this); }

LogicalResult SoftConflictOp::verify() {
  if (getOfBank() && !cast<ProblemOp>((*this)->getParentOp()).getBanks())
    return emitOpError("is about banks, and the problem has none");
  return verifyPair<SoftConflict>(*this);
}

LogicalResult OverlapOp::verify() {
  if (failed(verifyPair<PermittedOverlap>(*this)))
    return failure();
  int64_t min = getMinDelta(), max = getMaxDelta();
  if (min > max)
    return emitOpError() << "interval [" << min << ", " << max << "] is empty";
  return success();
}

LogicalResult ProblemOp::verifyRegions() {
  // A set of our own, because SymbolTable::lookup is linear.
  llvm::StringSet<> buffers;
  for (BufferOp buffer : getBody().front().getOps<BufferOp>())
    buffers.insert(buffer.getSymName());
  auto requireBuffer = [&](Operation *op, StringRef name) -> LogicalResult {
    if (!buffers.contains(name))
      return op->emitOpError()
             << "names @" << name << ", which is no buffer of the problem";
    return success();
  };
  auto requirePair = [&](auto entry) -> LogicalResult {
    return failure(failed(requireBuffer(entry, entry.getFirst())) ||
                   failed(requireBuffer(entry, entry.getSecond())));
  };
  for (Operation &op : getBody().front()) {
    if (auto buffer = dyn_cast<BufferOp>(op)) {
      if (static_cast<int64_t>(buffer.getAlign()) > getArenaAlignment())
        return buffer.emitOpError() << "alignment " << buffer.getAlign()
                                    << " exceeds the alignment of the arena, "
                                    << getArenaAlignment();
      if (buffer.getPlace() &&
          failed(requireBuffer(buffer, *buffer.getPlace())))
        return failure();
      if (buffer.getAbove())
        for (auto lower : buffer.getAbove()->getAsRange<FlatSymbolRefAttr>())
          if (failed(requireBuffer(buffer, lower.getValue())))
            return failure();
      continue;
    }
    if (failed(llvm::TypeSwitch<Operation *, LogicalResult>(&op)
                   .Case<ConflictOp, SoftConflictOp, AllOrNoneOp, OverlapOp>(
                       requirePair)
                   .Default(success())))
      return failure();
  }
  return success();
}

/// Verifies a result with `sizes` dynamic extents.
static LogicalResult verifyIdentityMemRef(Operation *op, MemRefType type,
                                          size_t sizes) {
  auto dynamic = static_cast<size_t>(type.getNumDynamicDims());
  if (dynamic != 0 && sizes == 0)
    return op->emitOpError() << "result " << type << " has a dynamic shape";
  if (dynamic != sizes)
    return op->emitOpError() << "result " << type << " has " << dynamic
                             << " dynamic extents but the op has " << sizes;
  if (!type.getLayout().isIdentity())
    return op->emitOpError() << "result " << type << " has a layout";
  return success();
}

/// Verifies that the values are slots.
static LogicalResult verifySlots(Operation *op, ValueRange values) {
  for (Value value : values)
    if (!value.getDefiningOp<SlotOp>())
      return op->emitOpError("needs results of memplan.slot");
  return success();
}

LogicalResult ArenaOp::verify() {
  MemRefType type = getArena().getType();
  if (failed(verifyIdentityMemRef(*this, type, getSlots().empty() ? 0 : 1)) ||
      failed(verifySlots(*this, getSlots())) ||
      failed(verifyNotNegative(*this, "least size", getLeast())))
    return failure();
  if (getSlots().empty() && getLeast() != 0)
    return emitOpError("has a least size but no slots");
  if (!getSlots().empty() && getMemory() == ArenaMemory::Global)
    return emitOpError("is a global of no constant size");
  if (!getSlots().empty() && getMemory() == ArenaMemory::Returned)
    return emitOpError("is the memory of a result but has no constant size");
  return verifyAlignment(*this, getAlign());
}

LogicalResult SlotOp::verify() {
  if (failed(verifySlots(*this, getAbove())) ||
      failed(verifyNotNegative(*this, "least offset", getLeast())))
    return failure();
  return verifyAlignment(*this, getAlign());
}

void SlotOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getOffset(), "slot");
}

std::optional<int64_t> memplan::getArenaAlignment(Operation *op) {
  if (auto arena = dyn_cast<ArenaOp>(op))
    return static_cast<int64_t>(arena.getAlign());
  if (!op->hasAttr(MemplanDialect::kArenaAttr))
    return std::nullopt;
  std::optional<uint64_t> alignment;
  if (auto alloc = dyn_cast<memref::AllocOp>(op))
    alignment = alloc.getAlignment();
  else if (auto alloca = dyn_cast<memref::AllocaOp>(op))
    alignment = alloca.getAlignment();
  else if (auto get = dyn_cast<memref::GetGlobalOp>(op)) {
    if (auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
            op, get.getNameAttr()))
      alignment = global.getAlignment();
  } else
    return std::nullopt;
  return static_cast<int64_t>(alignment.value_or(1));
}

bool memplan::isHeapArena(Operation *op) {
  if (auto arena = dyn_cast<ArenaOp>(op))
    return arena.getMemory() == ArenaMemory::Heap;
  return isa<memref::AllocOp>(op) && op->hasAttr(MemplanDialect::kArenaAttr) &&
         !isReturnedArena(op);
}

bool memplan::isReturnedArena(Operation *op) {
  auto arena = dyn_cast<ArenaOp>(op);
  return arena ? arena.getMemory() == ArenaMemory::Returned
               : op->hasAttr(MemplanDialect::kReturnedAttr);
}

bool ArenaOp::isReleased() {
  return llvm::any_of(getArena().getUsers(), llvm::IsaPred<ReleaseOp>);
}

void ArenaOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  // Upstream's deallocation passes do not free memory of a scope.
  SideEffects::Resource *resource =
      isReleased() || getMemory() == ArenaMemory::Stack ||
              getMemory() == ArenaMemory::Global
          ? static_cast<SideEffects::Resource *>(
                SideEffects::AutomaticAllocationScopeResource::get())
          : SideEffects::DefaultResource::get();
  effects.emplace_back(MemoryEffects::Allocate::get(),
                       cast<OpResult>(getArena()), resource);
}

void ArenaOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getArena(), "arena");
}

LogicalResult ReleaseOp::verify() {
  auto arena = getArena().getDefiningOp<ArenaOp>();
  if (!arena)
    return emitOpError("needs the result of a memplan.arena");
  if (arena.getMemory() != ArenaMemory::Heap)
    return emitOpError("releases an arena that is ")
           << (arena.getMemory() == ArenaMemory::Stack    ? "on the stack"
               : arena.getMemory() == ArenaMemory::Global ? "a global"
                                                          : "returned");
  return success();
}

LogicalResult ViewOp::verify() {
  int64_t offset = getOffset(), align = getAlign();
  MemRefType type = cast<MemRefType>(getResult().getType());
  if (failed(verifyIdentityMemRef(*this, type, getSizes().size())) ||
      failed(verifyAlignment(*this, align)) ||
      failed(verifyNotNegative(*this, "offset", offset)))
    return failure();
  if (getSlot() && failed(verifySlots(*this, getSlot())))
    return failure();
  if (offset % align != 0)
    return emitOpError() << "offset " << offset
                         << " is not a multiple of its alignment " << align;
  if (getStrides().size() != getWorkers().size())
    return emitOpError() << "has " << getWorkers().size() << " workers but "
                         << getStrides().size() << " strides";
  for (int64_t stride : getStrides())
    if (stride <= 0 || stride % align != 0)
      return emitOpError() << "stride " << stride
                           << " is not a positive multiple of its alignment "
                           << align;
  if (type.getMemorySpace() != getArena().getType().getMemorySpace())
    return emitOpError() << "is not in the memory space of its arena";
  return success();
}

Value ViewOp::getViewSource() { return getArena(); }

LogicalResult WorkspaceOp::verify() {
  if (failed(verifyIdentityMemRef(
          *this, cast<MemRefType>(getResult().getType()), /*sizes=*/0)))
    return failure();
  return verifyAlignment(*this, getAlign());
}
