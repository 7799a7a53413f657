//===- EnumFlag.h - Options with the names of an enum -----------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TOOLS_MEMPLANGRAPH_ENUMFLAG_H
#define MEMPLAN_TOOLS_MEMPLANGRAPH_ENUMFLAG_H

#include "common/CommandLine.h"
#include "memplan/Graph/OpGraph.h"

namespace memplan::tool {

/// --name=VALUE, where VALUE is a name of the enum (EnumNames).
template <typename Enum>
void addEnum(CommandLine &commandLine, const std::string &name,
             const std::string &help, Enum &target) {
  commandLine.custom(name + "=NAME", help + ": " + graph::allNames<Enum>(),
                     [&target](const std::string &value) -> std::string {
                       std::optional<Enum> parsed =
                           graph::parseName<Enum>(value);
                       if (!parsed)
                         return "is not " + graph::allNames<Enum>();
                       target = *parsed;
                       return "";
                     });
}

} // namespace memplan::tool

#endif // MEMPLAN_TOOLS_MEMPLANGRAPH_ENUMFLAG_H
