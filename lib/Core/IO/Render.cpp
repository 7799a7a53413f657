//===- Render.cpp - Maps of a plan as text --------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Core/Render.h"

#include <algorithm>
#include <vector>

using namespace memplan;

namespace {

/// The least range that contains all live ranges; [0, 1) without buffers.
LiveRange timeSpan(const Problem &problem) {
  LiveRange span{INT64_MAX, INT64_MIN};
  for (const Buffer &b : problem.buffers) {
    span.start = std::min(span.start, b.ranges.front().start);
    span.end = std::max(span.end, b.ranges.back().end);
  }
  return problem.buffers.empty() ? LiveRange{0, 1} : span;
}

constexpr char letters[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

} // namespace

std::string memplan::renderText(const Problem &problem, const Plan &plan,
                                size_t columns, size_t rows) {
  LiveRange span = timeSpan(problem);
  double width = std::max(1.0, double(span.end) - double(span.start));
  double height = std::max<double>(1.0, double(plan.arenaSize));
  columns = std::min(columns, static_cast<size_t>(width));
  rows = std::max<size_t>(1, std::min(rows, static_cast<size_t>(height)));
  std::vector<std::string> grid(rows, std::string(columns, '.'));
  std::vector<double> filled(rows * columns, 0);
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer &b = problem.buffers[i];
    double low = double(plan.offsets[i]) / height * double(rows);
    double high = double(plan.offsets[i] + b.size) / height * double(rows);
    for (const LiveRange &range : b.ranges) {
      double left =
          (double(range.start) - double(span.start)) / width * double(columns);
      double right =
          (double(range.end) - double(span.start)) / width * double(columns);
      for (size_t y = size_t(low); y < rows && double(y) < high; ++y)
        for (size_t x = size_t(left); x < columns && double(x) < right; ++x) {
          double share =
              (std::min(high, double(y) + 1) - std::max(low, double(y))) *
              (std::min(right, double(x) + 1) - std::max(left, double(x)));
          if (share <= filled[y * columns + x])
            continue;
          filled[y * columns + x] = share;
          grid[y][x] = letters[i % (sizeof(letters) - 1)];
        }
    }
  }
  std::string out;
  for (size_t y = rows; y-- > 0;) {
    std::string address =
        std::to_string(int64_t(double(y) * height / double(rows)));
    out += std::string(address.size() < 14 ? 14 - address.size() : 0, ' ') +
           address + " |" + grid[y] + "\n";
  }
  out += std::string(15, ' ') + "+" + std::string(columns, '-') + "\n";
  out += std::string(16, ' ') + "time " + std::to_string(span.start) + " to " +
         std::to_string(span.end) + "\n";
  return out;
}
