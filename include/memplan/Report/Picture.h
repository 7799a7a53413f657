//===- Picture.h - Reports to look at ---------------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_REPORT_PICTURE_H
#define MEMPLAN_REPORT_PICTURE_H

#include "memplan/Report/Report.h"

#include <string>
#include <string_view>

namespace memplan {

/// One self-contained page for browsers: the report as JSON, and the style and
/// script that show it: maps of the arenas, the bytes live over time, tables to
/// search and to sort. It requests nothing from anywhere.
std::string formatHtml(const Report &report);

/// The same page for a report that is JSON already (formatJson's form), and the
/// page of memory profiles: of a memplan.profile or memplan.pair_profile object
/// (docs/opgraph.md), or of {"profiles": [such objects]}: live bytes over time,
/// stacked by allocation, the peak and what is live there. The text is not
/// checked; in the page that is made of something else the script ends early.
std::string makePlanPage(std::string_view json);
std::string makeProfilePage(std::string_view json);

/// The map of an arena, time across and address up, as one SVG picture with
/// axes and a legend: a rectangle for each live range of a slot, with a title
/// that names it, and lines at the arena's size, the lower bound and the
/// capacity. O(live ranges).
std::string formatSvg(const ArenaReport &arena);

/// The maps of all arenas that have a plan, one below the other.
std::string formatSvg(const Report &report);

} // namespace memplan

#endif // MEMPLAN_REPORT_PICTURE_H
