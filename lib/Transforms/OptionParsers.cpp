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

llvm::cl::ValuesClass memplan::refusalValues() {
  return llvm::cl::values(
      clEnumValN(RefusalAction::Warn, "warn",
                 "the program stays as it was, with a warning"),
      clEnumValN(RefusalAction::Error, "error", "the pass fails"));
}

llvm::cl::ValuesClass memplan::requirementValues() {
  return llvm::cl::values(
      clEnumValN(Requirement::None, "none", "no condition"),
      clEnumValN(Requirement::Planned, "planned", "every buffer is planned"),
      clEnumValN(Requirement::Placed, "placed",
                 "every arena is placed as `arena` says"));
}

llvm::cl::ValuesClass memplan::resultValues() {
  return llvm::cl::values(
      clEnumValN(ResultPlacement::Return, "return",
                 "in the function's own allocations, which are not planned"),
      clEnumValN(ResultPlacement::OutParams, "out-params",
                 "in memory that the caller provides, one argument for each"),
      clEnumValN(ResultPlacement::Arena, "arena",
                 "in the arena, which outlives the call (arena=argument or "
                 "arena=global)"));
}

llvm::cl::ValuesClass memplan::placementValues() {
  return llvm::cl::values(
      clEnumValN(ArenaPlacement::Alloc, "alloc",
                 "on the heap: allocated at entry and released at exit; on the "
                 "stack if all its buffers were"),
      clEnumValN(ArenaPlacement::Alloca, "alloca", "on the stack"),
      clEnumValN(ArenaPlacement::Argument, "argument",
                 "provided by the caller, who may keep it across calls"),
      clEnumValN(ArenaPlacement::Global, "global",
                 "an uninitialized global variable of the module"));
}

bool llvm::cl::parser<ByteSize>::parse(Option &option, StringRef,
                                       StringRef text, ByteSize &value) {
  std::optional<int64_t> bytes = parseByteSize(text);
  if (!bytes)
    return option.error("'" + text +
                        "' is not a number of bytes, such as 4096, 64K or 1M");
  value = *bytes;
  return false;
}

void llvm::cl::parser<ByteSize>::print(raw_ostream &os, const ByteSize &value) {
  os << value.bytes;
}

void llvm::cl::parser<ByteSize>::printOptionDiff(const Option &option,
                                                 const ByteSize &value,
                                                 const OptVal &,
                                                 size_t width) const {
  printOptionName(option, width);
  outs() << "= " << value.bytes << "\n";
}

bool llvm::cl::parser<Capacities>::parse(Option &option, StringRef,
                                         StringRef text, Capacities &value) {
  std::string error;
  std::optional<Capacities> parsed = Capacities::parse(text, error);
  if (!parsed)
    return option.error(error);
  value = std::move(*parsed);
  return false;
}

void llvm::cl::parser<Capacities>::print(raw_ostream &os,
                                         const Capacities &value) {
  os << value.format();
}

void llvm::cl::parser<Capacities>::printOptionDiff(const Option &option,
                                                   const Capacities &value,
                                                   const OptVal &,
                                                   size_t width) const {
  printOptionName(option, width);
  outs() << "= " << value.format() << "\n";
}
