//===- MemoryFlags.cpp - Which memory is counted and held -----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryFlags.h"

using namespace memplan;
using namespace memplan::tool;
using graph::Origin;

namespace {

/// Applies `change` to every origin of a list "primal,tangent", "all" or
/// "none".
template <typename Change>
std::string forEachOrigin(const std::string &list, Change &&change) {
  constexpr size_t count = graph::EnumNames<Origin>::names.size();
  if (list == "none")
    return "";
  for (size_t from = 0; from <= list.size();) {
    size_t to = std::min(list.find(',', from), list.size());
    std::string name = list.substr(from, to - from);
    std::optional<Origin> origin = graph::parseName<Origin>(name);
    if (!origin && name != "all")
      return "is not a list of roles: " + graph::allNames<Origin>() +
             ", or all";
    for (size_t i = 0; i < count; ++i)
      if (!origin || size_t(*origin) == i)
        // Everything but what ops make: that is never held or left out by
        // "all".
        if (origin || static_cast<Origin>(i) != Origin::Op)
          change(static_cast<Origin>(i));
    from = to + 1;
  }
  return "";
}

} // namespace

void tool::addMemoryFlags(CommandLine &commandLine,
                          graph::MemoryOptions &options) {
  commandLine.custom(
      "--hold=ROLES",
      "never release these: parameter, constant, primal, rng, input, tangent, "
      "donated, op or all, separated by commas; by default all but tangent and "
      "donated are held",
      [&](const std::string &list) {
        return forEachOrigin(list, [&](Origin o) { options.held.insert(o); });
      });
  commandLine.custom("--release=ROLES", "release these after their last use",
                     [&](const std::string &list) {
                       return forEachOrigin(
                           list, [&](Origin o) { options.held.erase(o); });
                     });
  commandLine.custom("--exclude=ROLES", "do not count these at all",
                     [&](const std::string &list) {
                       return forEachOrigin(
                           list, [&](Origin o) { options.excluded.insert(o); });
                     });
  commandLine.flag("--in-place",
                   "a result takes the place of an operand that dies, where a "
                   "tie of the op allows it",
                   options.takeTies);
}
