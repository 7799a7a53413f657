//===- Components.cpp - Components of a problem ---------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/Components.h"

#include <algorithm>

using namespace memplan;
using namespace memplan::detail;

std::vector<std::vector<BufferIndex>>
detail::findComponents(const Model &model) {
  struct Span {
    SectionRange sections;
    BufferIndex buffer;
  };
  std::vector<Span> spans;
  for (BufferIndex b = 0; b < model.size(); ++b) {
    if (model.sizeOf(b) == 0)
      continue;
    SectionRange hull = model.hull(b);
    for (const Relation &relation : model.relations(b)) {
      hull.begin = std::min(hull.begin, model.hull(relation.other).begin);
      hull.end = std::max(hull.end, model.hull(relation.other).end);
    }
    spans.push_back({hull, b});
  }
  std::sort(spans.begin(), spans.end(), [](const Span &x, const Span &y) {
    return x.sections.begin != y.sections.begin
               ? x.sections.begin < y.sections.begin
               : x.buffer < y.buffer;
  });
  std::vector<std::vector<BufferIndex>> components;
  uint32_t reach = 0;
  for (const Span &span : spans) {
    if (components.empty() || span.sections.begin >= reach)
      components.emplace_back();
    components.back().push_back(span.buffer);
    reach = std::max(reach, span.sections.end);
  }
  for (std::vector<BufferIndex> &component : components)
    std::sort(component.begin(), component.end());
  return components;
}
