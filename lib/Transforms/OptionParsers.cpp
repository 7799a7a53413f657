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
                 "the best of the others; stops at the lower bound"),
      clEnumValN(Strategy::Naive, "naive",
                 "no reuse: one buffer after another"),
      clEnumValN(Strategy::LinearScan, "linear-scan",
                 "in order of start time, first fit"),
      clEnumValN(Strategy::GreedyBySize, "greedy",
                 "largest first, first fit: the lowest gap that is large "
                 "enough"),
      clEnumValN(Strategy::GreedyBySize, "greedy-by-size",
                 "the same as greedy"),
      clEnumValN(Strategy::GreedyByBreadth, "greedy-by-breadth",
                 "the fullest times first"),
      clEnumValN(Strategy::BestFit, "best-fit",
                 "in order of start time, best fit: the narrowest gap that is "
                 "large enough"),
      clEnumValN(Strategy::HillClimb, "hill-climb",
                 "local search over the order of placement"),
      clEnumValN(Strategy::Exact, "exact",
                 "proves the least arena, or says that a limit ended it"));
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
      clEnumValN(ReportFormat::Text, "text", "for people"),
      clEnumValN(ReportFormat::Json, "json", "for programs"),
      clEnumValN(ReportFormat::Html, "html", "a page for browsers"),
      clEnumValN(ReportFormat::Svg, "svg", "maps of the arenas"));
}

llvm::cl::ValuesClass memplan::tableValues() {
  return llvm::cl::values(
      clEnumValN(TableFormat::None, "none", "no report"),
      clEnumValN(TableFormat::Text, "text", "for people"),
      clEnumValN(TableFormat::Json, "json", "for programs"));
}

llvm::cl::ValuesClass memplan::scopeValues() {
  return llvm::cl::values(
      clEnumValN(PlanScope::Function, "function",
                 "one arena per function; signatures stay as they are"),
      clEnumValN(PlanScope::Module, "module",
                 "private functions get their memory from their callers"));
}

llvm::cl::ValuesClass memplan::calleeTrustValues() {
  return llvm::cl::values(
      clEnumValN(CalleeTrust::Boundary, "boundary",
                 "arguments are not kept or freed; results may be arguments"),
      clEnumValN(CalleeTrust::None, "none",
                 "nothing: what they are given is left alone"));
}

llvm::cl::ValuesClass memplan::profileFormatValues() {
  return llvm::cl::values(
      clEnumValN(ProfileFormat::Text, "text", "for people"),
      clEnumValN(ProfileFormat::Csv, "csv", "a line for each entry"),
      clEnumValN(ProfileFormat::Json, "json", "for programs"),
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
      clEnumValN(Requirement::None, "none", "nothing"),
      clEnumValN(Requirement::Planned, "planned",
                 "every buffer is planned; one that is not is an error"),
      clEnumValN(Requirement::Placed, "placed",
                 "every arena is where `arena` says; one that is not is an "
                 "error"));
}

llvm::cl::ValuesClass memplan::resultValues() {
  return llvm::cl::values(
      clEnumValN(ResultPlacement::Return, "return",
                 "returned, as the program says"),
      clEnumValN(ResultPlacement::OutParams, "out-params",
                 "in memory that the caller provides, an argument each"),
      clEnumValN(ResultPlacement::Arena, "arena",
                 "in the arena that outlives the call (arena=argument or "
                 "arena=global)"));
}

llvm::cl::ValuesClass memplan::placementValues() {
  return llvm::cl::values(
      clEnumValN(ArenaPlacement::Alloc, "alloc",
                 "allocated on the heap at entry and released at exit; on the "
                 "stack if all its buffers were"),
      clEnumValN(ArenaPlacement::Alloca, "alloca", "on the stack"),
      clEnumValN(ArenaPlacement::Argument, "argument",
                 "handed in by the caller, who may keep it across calls"),
      clEnumValN(ArenaPlacement::Global, "global",
                 "a variable of the module, uninitialized"));
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
