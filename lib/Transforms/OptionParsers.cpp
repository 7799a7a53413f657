//===- OptionParsers.cpp - Values of pass options -------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Transforms/OptionParsers.h"

#include "memplan/Core/ByteSize.h"

#include "llvm/Support/raw_ostream.h"

using namespace memplan;

static thread_local OptionErrors *optionErrors = nullptr;

OptionErrors::OptionErrors() : before(optionErrors) { optionErrors = this; }
OptionErrors::~OptionErrors() { optionErrors = before; }

bool memplan::rejectValue(llvm::cl::Option &option, llvm::StringRef text,
                          const llvm::Twine &reason) {
  std::string message = reason.str();
  // In the options of passes a comma separates the values of one option.
  if (text.contains(',') && text.contains('='))
    message += "; options are separated by blanks";
  if (!optionErrors)
    return option.error(message);
  optionErrors->text += option.ArgStr.str() + ": " + message + "\n";
  return true;
}

llvm::cl::ValuesClass memplan::strategyValues() {
  return llvm::cl::values(
      clEnumValN(Strategy::Auto, "auto",
                 "the best plan of the others; stops at the lower bound"),
      clEnumValN(Strategy::Naive, "naive",
                 "no reuse: one buffer after another"),
      clEnumValN(Strategy::LinearScan, "linear-scan",
                 "in order of start time, first fit"),
      clEnumValN(Strategy::GreedyBySize, "greedy",
                 "largest buffer first, first fit: the lowest gap that is "
                 "large enough"),
      clEnumValN(Strategy::GreedyBySize, "greedy-by-size",
                 "the same as greedy"),
      clEnumValN(Strategy::GreedyByBreadth, "greedy-by-breadth",
                 "times with the most live bytes first"),
      clEnumValN(Strategy::BestFit, "best-fit",
                 "in order of start time, best fit: the narrowest gap that is "
                 "large enough"),
      clEnumValN(Strategy::HillClimb, "hill-climb",
                 "local search over the order of placement"),
      clEnumValN(Strategy::Exact, "exact",
                 "the smallest arena, with a proof, unless a limit ends the "
                 "search"));
}

llvm::cl::ValuesClass memplan::effortValues() {
  return llvm::cl::values(
      clEnumValN(Effort::Low, "low", "greedy orders and a little repair"),
      clEnumValN(Effort::Normal, "normal", "some 10^5 search steps"),
      clEnumValN(Effort::High, "high", "some 10^7 search steps"));
}

llvm::cl::ValuesClass memplan::reportValues() {
  return llvm::cl::values(
      clEnumValN(ReportFormat::None, "none", "no report"),
      clEnumValN(ReportFormat::Text, "text", "plain text"),
      clEnumValN(ReportFormat::Json, "json", "JSON"),
      clEnumValN(ReportFormat::Html, "html", "a page for browsers"),
      clEnumValN(ReportFormat::Svg, "svg", "maps of the arenas"));
}

llvm::cl::ValuesClass memplan::tableValues() {
  return llvm::cl::values(clEnumValN(TableFormat::None, "none", "no report"),
                          clEnumValN(TableFormat::Text, "text", "plain text"),
                          clEnumValN(TableFormat::Json, "json", "JSON"));
}

llvm::cl::ValuesClass memplan::barrierInsertionValues() {
  return llvm::cl::values(
      clEnumValN(BarrierInsertion::None, "none", "no barriers"),
      clEnumValN(BarrierInsertion::Needed, "needed",
                 "barriers without which the buffers exceed the capacity"));
}

llvm::cl::ValuesClass memplan::scopeValues() {
  return llvm::cl::values(
      clEnumValN(PlanScope::Function, "function",
                 "each function has its own arena; signatures do not change"),
      clEnumValN(PlanScope::Module, "module",
                 "call trees: private functions get their arenas from their "
                 "callers"));
}

llvm::cl::ValuesClass memplan::calleeTrustValues() {
  return llvm::cl::values(
      clEnumValN(CalleeTrust::Boundary, "boundary",
                 "they neither keep nor free arguments; results may be "
                 "arguments"),
      clEnumValN(CalleeTrust::None, "none",
                 "none: buffers that are passed to them are not planned"));
}

llvm::cl::ValuesClass memplan::profileFormatValues() {
  return llvm::cl::values(
      clEnumValN(ProfileFormat::Text, "text", "plain text"),
      clEnumValN(ProfileFormat::Csv, "csv", "a line for each entry"),
      clEnumValN(ProfileFormat::Json, "json", "JSON"),
      clEnumValN(ProfileFormat::Html, "html", "a page for browsers"));
}

llvm::cl::ValuesClass memplan::resultValues() {
  return llvm::cl::values(
      clEnumValN(ResultPlacement::Return, "return",
                 "in the function's own allocations, which are not planned"),
      clEnumValN(ResultPlacement::OutParams, "out-params",
                 "in memory that the caller provides, one argument for each"),
      clEnumValN(ResultPlacement::Arena, "arena",
                 "in the arena, which outlives the call (arena=argument or "
                 "arena=global)"),
      clEnumValN(ResultPlacement::Lend, "lend",
                 "in the function's own allocations; until a result is "
                 "written, other buffers may be in its memory"));
}

llvm::cl::ValuesClass memplan::dynamicValues() {
  return llvm::cl::values(
      clEnumValN(DynamicSizes::Runtime, "runtime",
                 "at offsets that are computed when the program runs; the "
                 "entry checks the bounds of extents"),
      clEnumValN(DynamicSizes::Bounded, "bounded",
                 "at constant offsets, each with its greatest size; the entry "
                 "checks the bounds of extents"));
}

bool llvm::cl::parser<ByteSize>::parse(Option &option, StringRef,
                                       StringRef text, ByteSize &value) {
  std::optional<int64_t> bytes = parseByteSize(text);
  if (!bytes)
    return rejectValue(
        option, text,
        "'" + text + "' is not a number of bytes, such as 4096, 64K or 1M");
  value = *bytes;
  return false;
}

void llvm::cl::parser<ByteSize>::print(raw_ostream &os, const ByteSize &value) {
  os << value.bytes;
}

//===----------------------------------------------------------------------===//
// Values with several parts
//===----------------------------------------------------------------------===//

bool llvm::cl::parser<Requirements>::parse(Option &option, StringRef,
                                           StringRef text,
                                           Requirements &value) {
  value = Requirements();
  SmallVector<StringRef> names;
  text.split(names, ',');
  for (StringRef name : names) {
    if (name == "planned")
      value.planned = true;
    else if (name == "placed")
      value.placed = true;
    else if (name == "verified")
      value.verified = true;
    else if (text != "none")
      return rejectValue(option, name,
                         "'" + name +
                             "' is not one of none, planned, placed, verified");
  }
  return false;
}

void llvm::cl::parser<Requirements>::print(raw_ostream &os,
                                           const Requirements &value) {
  StringRef separator;
  for (auto [isRequired, name] :
       {std::pair(value.planned, "planned"), std::pair(value.placed, "placed"),
        std::pair(value.verified, "verified")}) {
    if (!isRequired)
      continue;
    os << separator << name;
    separator = ",";
  }
  if (separator.empty())
    os << "none";
}

namespace {
struct PlacementName {
  ArenaPlacement placement;
  llvm::StringLiteral name;
};
} // namespace
static constexpr PlacementName kPlacements[] = {
    {ArenaPlacement::Alloc, "alloc"},
    {ArenaPlacement::Alloca, "alloca"},
    {ArenaPlacement::Argument, "argument"},
    {ArenaPlacement::Global, "global"}};

static std::optional<ArenaPlacement> findPlacement(llvm::StringRef name) {
  for (const PlacementName &known : kPlacements)
    if (known.name == name)
      return known.placement;
  return std::nullopt;
}

static llvm::StringRef nameOf(ArenaPlacement placement) {
  return kPlacements[static_cast<int>(placement)].name;
}

bool llvm::cl::parser<ArenaPlaces>::parse(Option &option, StringRef,
                                          StringRef text, ArenaPlaces &value) {
  value = ArenaPlaces();
  SmallVector<StringRef> entries;
  text.split(entries, ',');
  bool isGiven = false;
  for (StringRef entry : entries) {
    // PLACE or alloca:BYTES, otherwise SPACE:PLACE.
    auto [name, rest] = entry.split(':');
    std::optional<ArenaPlacement> placement = findPlacement(name);
    if (placement && (rest.empty() || *placement == ArenaPlacement::Alloca)) {
      if (std::exchange(isGiven, true))
        return rejectValue(option, text,
                           "'" + text + "' gives two places for one space");
      value.placement = *placement;
      if (rest.empty())
        continue;
      std::optional<int64_t> bytes = memplan::parseByteSize(rest);
      if (!bytes)
        return rejectValue(
            option, rest,
            "'" + rest +
                "' is not a number of bytes, such as 4096, 64K or "
                "1M");
      value.stackLimit = *bytes;
      continue;
    }
    auto [space, place] = entry.rsplit(':');
    placement = findPlacement(place);
    if (space.empty() || !placement || *placement == ArenaPlacement::Argument)
      return rejectValue(
          option, entry,
          "'" + entry +
              "' is no place: alloc, alloca, alloca:64K, argument "
              "or global; or alloc, alloca or global of a memory "
              "space, such as 1:global");
    if (!value.bySpace.try_emplace(space == "0" ? "" : space.str(), *placement)
             .second)
      return rejectValue(option, text,
                         "'" + text + "' names memory space " + space +
                             " twice");
  }
  if (value.placement == ArenaPlacement::Argument && !value.bySpace.empty())
    return rejectValue(option, text,
                       "'" + text +
                           "': argument is the place for all memory "
                           "spaces");
  return false;
}

void llvm::cl::parser<ArenaPlaces>::print(raw_ostream &os,
                                          const ArenaPlaces &value) {
  os << nameOf(value.placement);
  if (value.placement == ArenaPlacement::Alloca)
    os << ":" << value.stackLimit;
  for (const auto &[space, placement] : value.bySpace)
    os << "," << (space.empty() ? "0" : space) << ":" << nameOf(placement);
}

bool llvm::cl::parser<Capacities>::parse(Option &option, StringRef,
                                         StringRef text, Capacities &value) {
  // Without limits, as print() writes it.
  if (text.empty()) {
    value = Capacities();
    return false;
  }
  std::string error;
  std::optional<Capacities> parsed = Capacities::parse(text, error);
  if (!parsed)
    return rejectValue(option, text, error);
  value = std::move(*parsed);
  return false;
}

void llvm::cl::parser<Capacities>::print(raw_ostream &os,
                                         const Capacities &value) {
  os << value.format();
}
