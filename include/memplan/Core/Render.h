//===- Render.h - Maps of a plan as text ------------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A map of the arena as text for terminals: time grows to the right and
// addresses grow upwards. memplan/Report draws pictures and writes JSON.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_CORE_RENDER_H
#define MEMPLAN_CORE_RENDER_H

#include "memplan/Core/Plan.h"
#include "memplan/Core/Problem.h"

#include <cstddef>
#include <string>

namespace memplan {

/// A grid of characters. Each cell stands for a range of time and a range of
/// addresses; it shows a letter for the buffer that fills most of it, or '.' if
/// nothing is live there. There are 62 letters; further buffers repeat them.
/// Requires a plan with offsets. O(n * cells touched).
std::string renderText(const Problem &problem, const Plan &plan,
                       size_t columns = 72, size_t rows = 24);

} // namespace memplan

#endif // MEMPLAN_CORE_RENDER_H
