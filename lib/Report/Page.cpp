//===- Page.cpp - Reports as HTML pages -----------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Report/Picture.h"

using namespace memplan;

/// Page/page.html and Page/profile.html with their style and scripts, generated
/// by the build.
static constexpr std::string_view kPlanPage =
#include "page.inc"
    ;
static constexpr std::string_view kProfilePage =
#include "profile.inc"
    ;

static std::string fillPage(std::string_view page, std::string_view json) {
  constexpr std::string_view kMark = "@REPORT@";
  size_t mark = page.find(kMark);
  std::string text(page.substr(0, mark));
  // Escape '<', so that no data can end the script element. In JSON, '<' occurs
  // only in strings.
  for (char c : json) {
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  }
  return text.append(page.substr(mark + kMark.size()));
}

std::string memplan::formatHtml(const Report &report) {
  return fillPage(kPlanPage, formatJson(report));
}

std::string memplan::makePlanPage(std::string_view json) {
  return fillPage(kPlanPage, json);
}

std::string memplan::makeProfilePage(std::string_view json) {
  return fillPage(kProfilePage, json);
}
