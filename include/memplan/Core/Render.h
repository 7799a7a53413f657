//===- Render.h - Maps and JSON of a plan --------------------- -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plans for people: a map of the arena, time across and address up, as text for
// terminals or as an SVG picture, and the plan as JSON for programs.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_CORE_RENDER_H
#define MEMPLAN_CORE_RENDER_H

#include "memplan/Core/Plan.h"
#include "memplan/Core/Problem.h"

#include <cstddef>
#include <string>

namespace memplan {

/// A grid of characters: each cell stands for a stretch of time and of
/// addresses and shows the buffer that fills most of it (letters repeat), '.'
/// where nothing is live. Requires a plan with offsets. O(n * cells touched).
std::string renderText(const Problem &problem, const Plan &plan,
                       size_t columns = 72, size_t rows = 24);

/// One rectangle a live range, with a title that names the buffer; a line at
/// the lower bound. Requires a plan with offsets. O(n).
std::string renderSvg(const Problem &problem, const Plan &plan);

/// One JSON object: strategy, status, message, buffers (id, size, alignment,
/// ranges, offset), arena_bytes, bound_bytes, ratio, sum_bytes, nodes, and
/// time_ms when it is not negative. Strings are escaped; bytes that are not
/// UTF-8 pass through.
std::string formatJson(const Problem &problem, const Plan &plan,
                       double timeMs = -1);

} // namespace memplan

#endif // MEMPLAN_CORE_RENDER_H
