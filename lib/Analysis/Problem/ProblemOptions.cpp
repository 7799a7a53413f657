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

#include "mlir/IR/ODSSupport.h"

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

static NamedAttrList list(MLIRContext *context, ProblemOptions options) {
  NamedAttrList values;
  visitOptions(options, [&](StringRef name, auto value) {
    values.append(name, convertToAttribute(context, value));
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
  NamedAttrList unknown(stated);
  LogicalResult result = success();
  visitOptions(options, [&](StringRef name, auto &value) {
    Attribute attribute = unknown.erase(name);
    auto emitError = [&] {
      return first.emitError() << "has a wrong option " << name << ": ";
    };
    if (attribute && failed(convertFromAttribute(value, attribute, emitError)))
      result = failure();
  });
  if (!unknown.empty())
    return first.emitError() << "has the option " << unknown.begin()->getName()
                             << ", which memplan-extract does not write";
  if (failed(result))
    return failure();
  return options;
}
