//===- MemoryFlags.cpp - Options of the memory that counts ----------------===//
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

/// Calls `use` with the origins of a list.
template <typename Use>
std::string withOrigins(const std::string &list, Use &&use) {
  std::optional<graph::Origins> origins = graph::parseOrigins(list);
  if (!origins)
    return "is not a list of roles: " + graph::allNames<Origin>() + ", or all";
  use(*origins);
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
        return withOrigins(list, [&](graph::Origins origins) {
          options.held.insert(origins);
        });
      });
  commandLine.custom("--release=ROLES", "release these after their last use",
                     [&](const std::string &list) {
                       return withOrigins(list, [&](graph::Origins origins) {
                         options.held.erase(origins);
                       });
                     });
  commandLine.custom("--exclude=ROLES", "do not count these",
                     [&](const std::string &list) {
                       return withOrigins(list, [&](graph::Origins origins) {
                         options.excluded.insert(origins);
                       });
                     });
  commandLine.flag("--in-place",
                   "a result reuses the memory of an operand that dies, if a "
                   "tie of the op allows it",
                   options.takeTies);
}
