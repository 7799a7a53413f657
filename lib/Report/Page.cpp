//===- Page.cpp - Reports for browsers ------------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Report/Picture.h"

using namespace memplan;

/// Page/page.html, with style and script in it.
static constexpr std::string_view kPage =
#include "Page.inc"
    ;

std::string memplan::formatHtml(const Report &report) {
  constexpr std::string_view kMark = "@REPORT@";
  size_t mark = kPage.find(kMark);
  std::string page(kPage.substr(0, mark));
  // Nothing in the data ends the element it is in: '<' is only in strings.
  for (char c : formatJson(report)) {
    if (c == '<')
      page += "\\u003c";
    else
      page += c;
  }
  return page.append(kPage.substr(mark + kMark.size()));
}
