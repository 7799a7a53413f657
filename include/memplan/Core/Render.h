//===- Render.h - Maps of a plan as text ------------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A map of the arena as text for terminals, time across and address up. For
// pictures and JSON see memplan/Report.
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

} // namespace memplan

#endif // MEMPLAN_CORE_RENDER_H
