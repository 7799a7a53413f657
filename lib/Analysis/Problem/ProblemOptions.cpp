//===- ProblemOptions.cpp - Options that problems record ------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// memplan-extract writes the options that it was given into the problems.
// memplan-materialize derives the problems again with exactly these, so that a
// difference shows that the program has changed.
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/ProblemOptions.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace memplan;

/// The options of a problem without the attribute.
static ProblemOptions getDefaults() {
  ProblemOptions options;
  options.planning.inPlace = true;
  options.planning.iterationArenas = true;
  options.planning.maxWorkers = 8;
  return options;
}

/// Calls `visit` with the name and the value of each option. A new option is
/// added here and nowhere else.
template <typename Visit>
static void visitOptions(ProblemOptions &options, Visit visit) {
  PlanningOptions &planning = options.planning;
  bool trustsCallees = options.trust == CalleeTrust::Boundary;
  visit("alignment", planning.alignment);
  visit("at_greatest_sizes", planning.atGreatestSizes);
  visit("in_place", planning.inPlace);
  visit("iteration_arenas", planning.iterationArenas);
  visit("lend_results", planning.lendResults);
  visit("trust_callees", trustsCallees);
  visit("workers", planning.maxWorkers);
  options.trust = trustsCallees ? CalleeTrust::Boundary : CalleeTrust::None;
}

static Attribute toAttribute(Builder &builder, bool value) {
  return builder.getBoolAttr(value);
}
static Attribute toAttribute(Builder &builder, int64_t value) {
  return builder.getI64IntegerAttr(value);
}

/// False if the attribute is no value of such an option.
static bool take(Attribute attribute, bool &value) {
  auto known = dyn_cast<BoolAttr>(attribute);
  if (known)
    value = known.getValue();
  return known != nullptr;
}
static bool take(Attribute attribute, int64_t &value) {
  auto known = dyn_cast<IntegerAttr>(attribute);
  if (!known || !known.getType().isSignlessInteger(64) || known.getInt() < 0)
    return false;
  value = known.getInt();
  return true;
}

static NamedAttrList list(MLIRContext *context, ProblemOptions options) {
  Builder builder(context);
  NamedAttrList values;
  visitOptions(options, [&](StringRef name, auto value) {
    values.append(name, toAttribute(builder, value));
  });
  return values;
}

DictionaryAttr memplan::writeOptions(MLIRContext *context,
                                     const ProblemOptions &options) {
  NamedAttrList defaults = list(context, getDefaults()), different;
  for (NamedAttribute option : list(context, options))
    if (option.getValue() != defaults.get(option.getName()))
      different.append(option);
  return different.empty() ? DictionaryAttr()
                           : different.getDictionary(context);
}

FailureOr<ProblemOptions> memplan::readOptions(ArrayRef<ProblemOp> problems) {
  ProblemOptions options = getDefaults();
  if (problems.empty())
    return options;
  ProblemOp first = problems.front();
  for (ProblemOp op : problems.drop_front())
    if (op.getOptionsAttr() != first.getOptionsAttr()) {
      InFlightDiagnostic error =
          op.emitError() << "has other options than the problem of @"
                         << first.getFunction()
                         << ", but one memplan-extract states all problems of "
                            "a module";
      error.attachNote(first.getLoc()) << "that problem is here";
      return error;
    }
  DictionaryAttr stated = first.getOptionsAttr();
  if (!stated)
    return options;
  llvm::StringSet<> taken;
  visitOptions(options, [&](StringRef name, auto &value) {
    Attribute attribute = stated.get(name);
    if (attribute && take(attribute, value))
      taken.insert(name);
  });
  for (NamedAttribute option : stated)
    if (!taken.contains(option.getName()))
      return first.emitError()
             << "has the option " << option.getName() << " = "
             << option.getValue() << ", which memplan-extract does not write";
  int64_t alignment = options.planning.alignment;
  if (!llvm::isPowerOf2_64(alignment) || alignment > kMaxAlignment)
    return first.emitError()
           << "has the alignment " << alignment
           << ", which is no power of two up to " << kMaxAlignment;
  return options;
}
