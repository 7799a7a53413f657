//===- OptionParsers.h - Values of pass options -----------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types and parsers of pass options: enums, whose error message lists the
// values, numbers of bytes, which may be written as 64K or 1M, and values with
// several parts, such as alloca:64K,1:global.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TRANSFORMS_OPTIONPARSERS_H
#define MEMPLAN_TRANSFORMS_OPTIONPARSERS_H

#include "memplan/Analysis/AliasGraph.h"
#include "memplan/Core/BySpace.h"
#include "memplan/Core/OpKinds.h"
#include "memplan/Core/Solver.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <string>

namespace memplan {

/// The format of plan-memory's report.
enum class ReportFormat { None, Text, Json, Html, Svg };

/// The format of memplan-cost's report.
enum class TableFormat { None, Text, Json };

/// The format of memplan-profile's report.
enum class ProfileFormat { Text, Csv, Json, Html };

/// The functions that share one arena.
enum class PlanScope {
  /// Each function has its own arena; signatures do not change.
  Function,
  /// The arena of a private function is part of its callers' arenas.
  Module
};

/// Conditions without which planning fails.
struct Requirements {
  /// Every buffer is planned.
  bool planned = false;
  /// Every arena is placed as `arena` says.
  bool placed = false;
  /// The verifier accepts every plan. A plan that it refuses is a bug of the
  /// planner; without the condition it is dropped, with a warning.
  bool verified = false;
};

/// The place of the arenas that no caller in the module provides.
enum class ArenaPlacement {
  /// On the heap: the function allocates and releases it.
  Alloc,
  /// On the stack of the function.
  Alloca,
  /// An argument of the function.
  Argument,
  /// A global variable of the module.
  Global
};

/// The places of arenas, as the option `arena` gives them.
struct ArenaPlaces {
  ArenaPlaces(ArenaPlacement placement = ArenaPlacement::Alloc)
      : placement(placement) {}
  ArenaPlacement placement;
  /// Exceptions from `placement`, by memory space as formatSpace() prints it;
  /// the default space is "".
  std::map<std::string, ArenaPlacement> bySpace;
  /// The most bytes of an arena that `alloca` places on the stack.
  int64_t stackLimit = 16384;
};

/// The barriers that memplan-plan-workgroup may insert.
enum class BarrierInsertion { None, Needed };

/// The place of the memrefs that functions return.
enum class ResultPlacement {
  /// In the allocations of the function.
  Return,
  /// In memory that the caller provides, one argument for each result.
  OutParams,
  /// At offsets of the function's arena, which outlives the call.
  Arena,
  /// In the allocations of the function. Other buffers use their bytes until
  /// the results are written.
  Lend
};

/// How buffers of dynamic shape are placed.
enum class DynamicSizes {
  /// At offsets that are computed when the program runs. Bounds of extents are
  /// checked at the entry, and used.
  Runtime,
  /// At constant offsets, in slots of their greatest sizes. Bounds are checked.
  Bounded
};

/// An option value in bytes.
struct ByteSize {
  ByteSize(int64_t bytes = 0) : bytes(bytes) {}
  operator int64_t() const { return bytes; }
  int64_t bytes;
};

/// The values of enum options with their descriptions.
llvm::cl::ValuesClass strategyValues();
llvm::cl::ValuesClass effortValues();
llvm::cl::ValuesClass reportValues();
llvm::cl::ValuesClass tableValues();
llvm::cl::ValuesClass scopeValues();
llvm::cl::ValuesClass resultValues();
llvm::cl::ValuesClass calleeTrustValues();
llvm::cl::ValuesClass barrierInsertionValues();
llvm::cl::ValuesClass dynamicValues();
llvm::cl::ValuesClass profileFormatValues();

/// The values of an enum that has EnumNames.
template <typename Enum, size_t... Index>
llvm::cl::ValuesClass enumValues(std::index_sequence<Index...>) {
  return llvm::cl::values(llvm::cl::OptionEnumValue{
      llvm::StringRef(graph::EnumNames<Enum>::names[Index]),
      static_cast<int>(Index), ""}...);
}
template <typename Enum> llvm::cl::ValuesClass enumValues() {
  return enumValues<Enum>(
      std::make_index_sequence<graph::EnumNames<Enum>::names.size()>());
}

/// Says why the text is no value of the option: to the OptionErrors of this
/// thread, if there are some, otherwise to standard error. Returns true.
bool rejectValue(llvm::cl::Option &option, llvm::StringRef text,
                 const llvm::Twine &reason);

/// While it exists, takes what rejectValue says in this thread. A library
/// prints nothing.
class OptionErrors {
public:
  OptionErrors();
  ~OptionErrors();
  OptionErrors(const OptionErrors &) = delete;
  OptionErrors &operator=(const OptionErrors &) = delete;

  /// The errors, a line for each; empty if there was none.
  std::string text;

private:
  OptionErrors *before;
};

/// Like llvm::cl::parser for enums, but the error message lists the values.
template <typename EnumT>
class EnumParser : public llvm::cl::generic_parser_base {
protected:
  struct OptionInfo : public GenericOptionInfo {
    OptionInfo(llvm::StringRef name, EnumT value, llvm::StringRef help)
        : GenericOptionInfo(name, help), V(value) {}
    // MLIR accesses this name.
    llvm::cl::OptionValue<EnumT> V; // NOLINT(readability-identifier-naming)
  };
  // MLIR accesses this name, too.
  llvm::SmallVector<OptionInfo, 8>
      Values; // NOLINT(readability-identifier-naming)

public:
  using generic_parser_base::generic_parser_base;
  // LLVM accesses this name.
  using parser_data_type = EnumT; // NOLINT(readability-identifier-naming)

  unsigned getNumOptions() const override {
    return static_cast<unsigned>(Values.size());
  }
  llvm::StringRef getOption(unsigned i) const override {
    return Values[i].Name;
  }
  llvm::StringRef getDescription(unsigned i) const override {
    return Values[i].HelpStr;
  }
  const llvm::cl::GenericOptionValue &
  getOptionValue(unsigned i) const override {
    return Values[i].V;
  }

  /// Returns true on error.
  bool parse(llvm::cl::Option &option, llvm::StringRef argument,
             llvm::StringRef text, EnumT &value) {
    llvm::StringRef name = Owner.hasArgStr() ? text : argument;
    std::string known;
    for (const OptionInfo &info : Values) {
      if (info.Name == name) {
        value = info.V.getValue();
        return false;
      }
      known += (known.empty() ? "" : ", ") + info.Name.str();
    }
    return rejectValue(option, name, "'" + name + "' is not one of " + known);
  }

  template <typename ValueT>
  void addLiteralOption(llvm::StringRef name, const ValueT &value,
                        llvm::StringRef help) {
    Values.push_back(OptionInfo(name, static_cast<EnumT>(value), help));
    AddLiteralOption(Owner, name);
  }
};

/// The base of parsers for values that the parser can print.
template <typename Value>
class PrintingParser : public llvm::cl::basic_parser<Value> {
public:
  using llvm::cl::basic_parser<Value>::basic_parser;

  void printOptionDiff(const llvm::cl::Option &option, const Value &value,
                       const llvm::cl::OptionValue<Value> &,
                       size_t width) const {
    this->printOptionName(option, width);
    llvm::outs() << "= ";
    llvm::cl::parser<Value>::print(llvm::outs(), value);
    llvm::outs() << "\n";
  }
};

} // namespace memplan

namespace llvm::cl {

template <>
class parser<memplan::Strategy>
    : public memplan::EnumParser<memplan::Strategy> {
  using EnumParser::EnumParser;
};
template <>
class parser<memplan::Effort> : public memplan::EnumParser<memplan::Effort> {
  using EnumParser::EnumParser;
};
template <>
class parser<memplan::ReportFormat>
    : public memplan::EnumParser<memplan::ReportFormat> {
  using EnumParser::EnumParser;
};
template <>
class parser<memplan::TableFormat>
    : public memplan::EnumParser<memplan::TableFormat> {
  using EnumParser::EnumParser;
};
template <>
class parser<memplan::PlanScope>
    : public memplan::EnumParser<memplan::PlanScope> {
  using EnumParser::EnumParser;
};
template <>
class parser<memplan::ResultPlacement>
    : public memplan::EnumParser<memplan::ResultPlacement> {
  using EnumParser::EnumParser;
};
template <>
class parser<memplan::DynamicSizes>
    : public memplan::EnumParser<memplan::DynamicSizes> {
  using EnumParser::EnumParser;
};
template <>
class parser<memplan::CalleeTrust>
    : public memplan::EnumParser<memplan::CalleeTrust> {
  using EnumParser::EnumParser;
};
template <>
class parser<memplan::BarrierInsertion>
    : public memplan::EnumParser<memplan::BarrierInsertion> {
  using EnumParser::EnumParser;
};

template <>
class parser<memplan::ByteSize>
    : public memplan::PrintingParser<memplan::ByteSize> {
public:
  using PrintingParser::PrintingParser;
  /// Returns true on error.
  bool parse(Option &option, StringRef argument, StringRef text,
             memplan::ByteSize &value);
  StringRef getValueName() const override { return "bytes"; }
  static void print(raw_ostream &os, const memplan::ByteSize &value);
};

template <>
class parser<memplan::Capacities>
    : public memplan::PrintingParser<memplan::Capacities> {
public:
  using PrintingParser::PrintingParser;
  /// Returns true on error.
  bool parse(Option &option, StringRef argument, StringRef text,
             memplan::Capacities &value);
  StringRef getValueName() const override { return "bytes"; }
  static void print(raw_ostream &os, const memplan::Capacities &value);
};

template <>
class parser<memplan::Requirements>
    : public memplan::PrintingParser<memplan::Requirements> {
public:
  using PrintingParser::PrintingParser;
  /// Returns true on error.
  bool parse(Option &option, StringRef argument, StringRef text,
             memplan::Requirements &value);
  StringRef getValueName() const override { return "conditions"; }
  static void print(raw_ostream &os, const memplan::Requirements &value);
};
template <>
class parser<memplan::ArenaPlaces>
    : public memplan::PrintingParser<memplan::ArenaPlaces> {
public:
  using PrintingParser::PrintingParser;
  /// Returns true on error.
  bool parse(Option &option, StringRef argument, StringRef text,
             memplan::ArenaPlaces &value);
  StringRef getValueName() const override { return "places"; }
  static void print(raw_ostream &os, const memplan::ArenaPlaces &value);
};

} // namespace llvm::cl

#endif // MEMPLAN_TRANSFORMS_OPTIONPARSERS_H
