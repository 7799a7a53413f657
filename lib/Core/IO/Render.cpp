//===- Render.cpp - Maps and JSON of a plan -------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Core/Render.h"

#include "memplan/Core/Bound.h"

#include <algorithm>
#include <cstdio>
#include <vector>

using namespace memplan;

namespace {

/// From the first time point at which anything is live to behind the last.
LiveRange timeSpan(const Problem &problem) {
  LiveRange span{INT64_MAX, INT64_MIN};
  for (const Buffer &b : problem.buffers) {
    span.start = std::min(span.start, b.ranges.front().start);
    span.end = std::max(span.end, b.ranges.back().end);
  }
  return problem.buffers.empty() ? LiveRange{0, 1} : span;
}

std::string fixed(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof(text), "%.*f", digits, value);
  return text;
}

/// Escapes for JSON strings.
std::string jsonString(const std::string &text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof(code), "\\u%04x", c);
      out += code;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

/// Escapes for XML text.
std::string xmlText(const std::string &text) {
  std::string out;
  for (char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '&')
      out += "&amp;";
    else if (static_cast<unsigned char>(c) >= 0x20)
      out += c;
  }
  return out;
}

double ratioOf(const Plan &plan) {
  return plan.lowerBound > 0 ? double(plan.arenaSize) / double(plan.lowerBound)
                             : 1.0;
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

std::string memplan::renderSvg(const Problem &problem, const Plan &plan) {
  constexpr double pictureWidth = 1200, pictureHeight = 600;
  LiveRange span = timeSpan(problem);
  double xScale =
      pictureWidth / std::max(1.0, double(span.end) - double(span.start));
  double yScale = pictureHeight / std::max<double>(1.0, double(plan.arenaSize));
  std::string out =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1200 600\">\n"
      "<rect width=\"1200\" height=\"600\" fill=\"#f4f4f4\"/>\n";
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer &b = problem.buffers[i];
    // Neighbouring indices get colours far apart.
    std::string colour = "hsl(" + std::to_string(i * 137 % 360) + ",60%,65%)";
    for (const LiveRange &range : b.ranges) {
      double x = (double(range.start) - double(span.start)) * xScale;
      double w = (double(range.end) - double(range.start)) * xScale;
      double h = double(b.size) * yScale;
      double y = pictureHeight - double(plan.offsets[i]) * yScale - h;
      out += "<rect x=\"" + fixed(x, 2) + "\" y=\"" + fixed(y, 2) +
             "\" width=\"" + fixed(w, 2) + "\" height=\"" + fixed(h, 2) +
             "\" fill=\"" + colour +
             "\" stroke=\"#333\" stroke-width=\"0.3\"><title>" + xmlText(b.id) +
             ": bytes [" + std::to_string(plan.offsets[i]) + ", " +
             std::to_string(plan.offsets[i] + b.size) + "), time [" +
             std::to_string(range.start) + ", " + std::to_string(range.end) +
             ")</title></rect>\n";
    }
  }
  double bound = pictureHeight - double(plan.lowerBound) * yScale;
  out += "<line x1=\"0\" x2=\"1200\" y1=\"" + fixed(bound, 2) + "\" y2=\"" +
         fixed(bound, 2) +
         "\" stroke=\"#c00\" stroke-dasharray=\"4\"><title>lower bound " +
         std::to_string(plan.lowerBound) + "</title></line>\n</svg>\n";
  return out;
}

std::string memplan::formatJson(const Problem &problem, const Plan &plan,
                                double timeMs) {
  std::string out = "{\n";
  auto member = [&](const char *key, const std::string &value) {
    out += std::string("  \"") + key + "\": " + value + ",\n";
  };
  member("strategy", jsonString(plan.strategy));
  member("status", jsonString(std::string(statusName(plan.status))));
  member("message", jsonString(plan.message));
  member("arena_bytes", std::to_string(plan.arenaSize));
  member("bound_bytes", std::to_string(plan.lowerBound));
  member("sum_bytes", std::to_string(totalSize(problem)));
  member("ratio", fixed(ratioOf(plan), 6));
  member("nodes", std::to_string(plan.nodes));
  if (timeMs >= 0)
    member("time_ms", fixed(timeMs, 3));
  out += "  \"buffers\": [";
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer &b = problem.buffers[i];
    out +=
        std::string(i > 0 ? "," : "") + "\n    {\"id\": " + jsonString(b.id) +
        ", \"size\": " + std::to_string(b.size) +
        ", \"alignment\": " + std::to_string(b.alignment) + ", \"ranges\": [";
    for (size_t r = 0; r < b.ranges.size(); ++r)
      out += std::string(r > 0 ? ", " : "") + "[" +
             std::to_string(b.ranges[r].start) + ", " +
             std::to_string(b.ranges[r].end) + "]";
    out += "], \"offset\": " +
           (i < plan.offsets.size() ? std::to_string(plan.offsets[i])
                                    : std::string("null")) +
           "}";
  }
  return out + "\n  ]\n}\n";
}
