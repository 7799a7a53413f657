//===- Target.cpp - Target descriptions -----------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/CostModel.h"

#include "memplan/Analysis/Describe.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Support/FileUtilities.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace memplan;

//===----------------------------------------------------------------------===//
// Sections and their members, from JSON or from attributes
//===----------------------------------------------------------------------===//

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

namespace {
/// The sections of a target description.
enum class Section { PeakFlops, Bandwidth, Ops, Spaces, Moves };
} // namespace

static std::optional<Section> parseSection(StringRef name) {
  return llvm::StringSwitch<std::optional<Section>>(name)
      .Case("peak_flops", Section::PeakFlops)
      .Case("bandwidth", Section::Bandwidth)
      .Case("ops", Section::Ops)
      .Case("spaces", Section::Spaces)
      .Case("moves", Section::Moves)
      .Default(std::nullopt);
}

static LogicalResult setRate(llvm::StringMap<double> &rates, StringRef section,
                             StringRef name, double value,
                             EmitError emitError) {
  if (!(value > 0))
    return emitError() << "'" << section << "' of '" << name
                       << "' must be more than 0";
  rates[name] = value;
  return success();
}

static LogicalResult setOpMember(TargetDescription::OpKind &kind,
                                 StringRef opName, StringRef name, double value,
                                 EmitError emitError) {
  if (!(value >= 0) || value > 0x1p62)
    return emitError() << "'" << name << "' of '" << opName
                       << "' must be at least 0 and at most 2^62";
  if (name == "scratch")
    kind.scratch.bytes = static_cast<int64_t>(value);
  else if (name == "scratch_per_result_byte")
    kind.scratch.perResultByte = value;
  else if (name == "reserve")
    kind.reserve.bytes = static_cast<int64_t>(value);
  else if (name == "reserve_per_result_byte")
    kind.reserve.perResultByte = value;
  else
    return emitError() << "'" << name << "' of '" << opName
                       << "' is none of scratch, scratch_per_result_byte, "
                          "reserve and reserve_per_result_byte";
  return success();
}

/// Sets a member of a space; numbers are whole.
static LogicalResult setSpaceMember(TargetDescription::Space &space,
                                    StringRef spaceName, StringRef name,
                                    double value, EmitError emitError) {
  auto number = static_cast<int64_t>(std::clamp(value, 0.0, 0x1p62));
  bool isCost = name == "read_cost" || name == "write_cost";
  if (static_cast<double>(number) != value || (isCost && number > 1000000))
    return emitError() << "'" << name << "' of '" << spaceName
                       << "' must be a whole number of at least 0, and a cost "
                          "at most 1000000";
  if (name == "capacity")
    space.capacity = number;
  else if (name == "alignment")
    space.alignment = number;
  else if (name == "bank_size")
    space.bankSize = number;
  else if (name == "read_cost")
    space.readCost = number;
  else if (name == "write_cost")
    space.writeCost = number;
  else
    return emitError() << "'" << name << "' of '" << spaceName
                       << "' is none of capacity, alignment, bank_size, "
                          "read_cost and write_cost";
  return success();
}

/// Sets a number of a section that has numbers.
static LogicalResult setNumber(Section section, StringRef sectionName,
                               TargetDescription &target, StringRef name,
                               double value, EmitError emitError) {
  if (section == Section::PeakFlops)
    return setRate(target.peakFlops, sectionName, name, value, emitError);
  if (section == Section::Bandwidth)
    return setRate(target.bandwidth, sectionName, name, value, emitError);
  auto cost = static_cast<int64_t>(std::clamp(value, 0.0, 1e6));
  if (static_cast<double>(cost) != value || !name.contains(" to "))
    return emitError() << "'moves' has whole numbers from 0 to 1000000, by "
                          "'FROM to TO'";
  target.moves[name] = cost;
  return success();
}

/// Sets a number of a part of a section whose parts have numbers.
static LogicalResult setPartNumber(Section section, StringRef part,
                                   TargetDescription &target, StringRef name,
                                   double value, EmitError emitError) {
  if (section == Section::Ops)
    return setOpMember(target.ops[part], part, name, value, emitError);
  return setSpaceMember(target.spaces[part], part, name, value, emitError);
}

static bool hasParts(Section section) {
  return section == Section::Ops || section == Section::Spaces;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static LogicalResult
readNumbers(const llvm::json::Value &value, StringRef what, EmitError emitError,
            llvm::function_ref<LogicalResult(StringRef, double)> visit) {
  const llvm::json::Object *object = value.getAsObject();
  if (!object)
    return emitError() << "'" << what << "' must be an object";
  for (const auto &[name, member] : *object) {
    std::optional<double> number = member.getAsNumber();
    if (!number)
      return emitError() << "'" << name.str() << "' of '" << what
                         << "' must be a number";
    if (failed(visit(name.str(), *number)))
      return failure();
  }
  return success();
}

FailureOr<TargetDescription> memplan::readTargetFile(StringRef path,
                                                     Location loc) {
  auto emitError = [&] {
    return mlir::emitError(loc) << "target description " << path << ": ";
  };
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> file = openInputFile(path, &message);
  if (!file)
    return mlir::emitError(loc) << "target description: " << message;
  llvm::Expected<llvm::json::Value> root = llvm::json::parse(file->getBuffer());
  if (!root)
    return emitError() << llvm::toString(root.takeError());
  const llvm::json::Object *object = root->getAsObject();
  if (!object)
    return emitError() << "must be an object";
  TargetDescription target;
  for (const auto &[name, value] : *object) {
    StringRef sectionName = name;
    std::optional<Section> section = parseSection(sectionName);
    if (!section)
      return emitError()
             << "'" << sectionName
             << "' is none of peak_flops, bandwidth, ops, spaces and "
                "moves";
    if (!hasParts(*section)) {
      if (failed(readNumbers(value, sectionName, emitError,
                             [&](StringRef key, double number) {
                               return setNumber(*section, sectionName, target,
                                                key, number, emitError);
                             })))
        return failure();
      continue;
    }
    const llvm::json::Object *parts = value.getAsObject();
    if (!parts)
      return emitError() << "'" << sectionName << "' must be an object";
    for (const auto &[partKey, members] : *parts) {
      StringRef part = partKey;
      if (failed(readNumbers(members, part, emitError,
                             [&](StringRef key, double number) {
                               return setPartNumber(*section, part, target, key,
                                                    number, emitError);
                             })))
        return failure();
    }
  }
  return target;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static LogicalResult
readNumbers(Attribute attribute, StringRef what, EmitError emitError,
            llvm::function_ref<LogicalResult(StringRef, double)> visit) {
  auto dictionary = dyn_cast<DictionaryAttr>(attribute);
  if (!dictionary)
    return emitError() << "'" << what << "' must be a dictionary";
  for (NamedAttribute member : dictionary) {
    double number;
    if (auto real = dyn_cast<FloatAttr>(member.getValue()))
      number = real.getValueAsDouble();
    else if (auto integer = dyn_cast<IntegerAttr>(member.getValue()))
      number = static_cast<double>(integer.getInt());
    else
      return emitError() << "'" << member.getName().getValue() << "' of '"
                         << what << "' must be a number";
    if (failed(visit(member.getName().getValue(), number)))
      return failure();
  }
  return success();
}

static LogicalResult readEntry(Section section, StringRef name, Attribute value,
                               TargetDescription &target, EmitError emitError) {
  if (!hasParts(section))
    return readNumbers(
        value, name, emitError, [&](StringRef key, double number) {
          return setNumber(section, name, target, key, number, emitError);
        });
  auto parts = dyn_cast<DictionaryAttr>(value);
  if (!parts)
    return emitError() << "'" << name << "' must be a dictionary";
  for (NamedAttribute member : parts) {
    StringRef part = member.getName().getValue();
    if (failed(readNumbers(member.getValue(), part, emitError,
                           [&](StringRef key, double number) {
                             return setPartNumber(section, part, target, key,
                                                  number, emitError);
                           })))
      return failure();
  }
  return success();
}

FailureOr<TargetDescription> memplan::readTargetAttributes(Operation *module) {
  TargetDescription target;
  auto system = module->getAttrOfType<TargetSystemSpecAttr>(
      DLTIDialect::kTargetSystemDescAttrName);
  if (!system)
    return target;
  auto emitError = [&] {
    return mlir::emitError(module->getLoc()) << "target description: ";
  };
  for (DataLayoutEntryInterface device : system.getEntries()) {
    auto spec = dyn_cast<TargetDeviceSpecInterface>(device.getValue());
    if (!spec)
      continue;
    bool found = false;
    for (DataLayoutEntryInterface entry : spec.getEntries()) {
      auto key = dyn_cast<StringAttr>(entry.getKey());
      if (!key)
        continue;
      StringRef name = key.getValue();
      if (!name.consume_front("memplan."))
        continue;
      std::optional<Section> section = parseSection(name);
      if (!section)
        return emitError() << "'memplan." << name
                           << "' is none of memplan.peak_flops, "
                              "memplan.bandwidth, memplan.ops, memplan.spaces "
                              "and memplan.moves";
      found = true;
      if (failed(
              readEntry(*section, name, entry.getValue(), target, emitError)))
        return failure();
    }
    if (found)
      break;
  }
  return target;
}

//===----------------------------------------------------------------------===//
// Roofline
//===----------------------------------------------------------------------===//

static std::optional<double> findRate(const llvm::StringMap<double> &rates,
                                      StringRef name) {
  auto it = rates.find(name);
  if (it == rates.end())
    it = rates.find("default");
  if (it == rates.end())
    return std::nullopt;
  return it->second;
}

std::optional<double>
memplan::estimateSeconds(const OpCost &cost, const TargetDescription &target) {
  double computing = 0, transfer = 0;
  for (const TypedFlops &entry : cost.flops) {
    std::string type;
    llvm::raw_string_ostream(type) << entry.type;
    std::optional<double> rate = findRate(target.peakFlops, type);
    if (!rate)
      return std::nullopt;
    computing += static_cast<double>(entry.count) / *rate;
  }
  for (const SpaceTraffic &entry : cost.traffic) {
    std::optional<double> rate =
        findRate(target.bandwidth, formatSpace(entry.space));
    if (!rate)
      return std::nullopt;
    transfer +=
        static_cast<double>(saturatingAdd(entry.read, entry.written)) / *rate;
  }
  return std::max(computing, transfer);
}
