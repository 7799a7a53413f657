//===- Picture.h - Reports as pages and pictures ----------------*- C++ -*-===//
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

/// The report as one self-contained HTML page, which has the report as JSON,
/// and a style and a script that show it: maps of the arenas, the live bytes
/// over time, and tables that can be searched and sorted. The page loads
/// nothing from elsewhere.
std::string formatHtml(const Report &report);

/// The same page for a report in the form of formatJson (makePlanPage); the
/// page of memory profiles (makeProfilePage): of an object memplan.profile or
/// memplan.pair_profile (docs/opgraph.md), or of {"profiles": [such objects]};
/// and the page of a partition, from the object that partitionHtml writes
/// (memplan/Graph/PartitionPage.h). The profile page shows the live bytes over
/// time, stacked by allocation, and the allocations that are live at the peak.
/// The text is not checked; for other text the page's script fails and the page
/// stays empty.
std::string makePlanPage(std::string_view json);
std::string makeProfilePage(std::string_view json);
std::string makePartitionPage(std::string_view json);

/// The map of an arena as one SVG picture with axes and a legend; time grows to
/// the right and addresses grow upwards. It has a rectangle for each live range
/// of a slot, with the slot's name as its title, and lines at the arena's size,
/// the lower bound and the capacity (left out if it is more than about twice
/// the arena). O(live ranges).
std::string formatSvg(const ArenaReport &arena);

/// The maps of all arenas that have slots, one below the other.
std::string formatSvg(const Report &report);

} // namespace memplan

#endif // MEMPLAN_REPORT_PICTURE_H
