//===- OpKinds.h - What is said of ops and their inputs ---------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The words that attributes of the dialect and op graphs (lib/Graph) share, and
// the names of enumerators in files and messages.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_CORE_OPKINDS_H
#define MEMPLAN_CORE_OPKINDS_H

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace memplan::graph {

/// A coarse class for the cost of recomputing an op.
enum class CostClass {
  Free,      ///< constants, views, empty and filled memory
  Cheap,     ///< elementwise, broadcast, transpose, cast
  Medium,    ///< reductions, softmax
  Expensive, ///< contractions, convolutions, pooling windows, calls, loops
};

enum class Randomness {
  None,
  /// Counter-based with its state as an operand: a repeat draws the same.
  ExplicitState,
  /// State outside of the graph: these ops keep their order and are not
  /// repeated.
  ImplicitState,
};

/// The request of the program's author for an op.
enum class RecomputeTag {
  None,
  MustSave,
  PreferSave,
  PreferRecompute,
  MustRecompute,
};

/// The role of an input in a training graph.
enum class InputRole {
  None,
  Primal,      ///< of the forward function
  Tangent,     ///< gradient of a forward output
  ForwardRng,  ///< random state of the forward function
  BackwardRng, ///< random state of the backward function
};

/// The names of the enumerators in files and reports, in the order of the enum.
template <typename Enum> struct EnumNames;
template <> struct EnumNames<CostClass> {
  static constexpr std::array<std::string_view, 4> names = {
      "free", "cheap", "medium", "expensive"};
};
template <> struct EnumNames<Randomness> {
  static constexpr std::array<std::string_view, 3> names = {"none", "explicit",
                                                            "implicit"};
};
template <> struct EnumNames<RecomputeTag> {
  static constexpr std::array<std::string_view, 5> names = {
      "none", "must_save", "prefer_save", "prefer_recompute", "must_recompute"};
};
template <> struct EnumNames<InputRole> {
  static constexpr std::array<std::string_view, 5> names = {
      "none", "primal", "tangent", "fwd_rng", "bwd_rng"};
};

template <typename Enum> std::string_view nameOf(Enum value) {
  return EnumNames<Enum>::names[static_cast<size_t>(value)];
}

/// The enumerator of that name, or std::nullopt.
template <typename Enum> std::optional<Enum> parseName(std::string_view name) {
  for (size_t i = 0; i < EnumNames<Enum>::names.size(); ++i)
    if (EnumNames<Enum>::names[i] == name)
      return static_cast<Enum>(i);
  return std::nullopt;
}

/// All names of the enum as "a, b or c", for messages.
template <typename Enum> std::string allNames() {
  std::string text;
  size_t count = EnumNames<Enum>::names.size();
  for (size_t i = 0; i < count; ++i) {
    text += EnumNames<Enum>::names[i];
    text += i + 2 < count ? ", " : i + 2 == count ? " or " : "";
  }
  return text;
}

} // namespace memplan::graph

#endif // MEMPLAN_CORE_OPKINDS_H
