//===- PartitionPage.cpp - Partitions as HTML pages -----------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/PartitionPage.h"

#include <algorithm>

using namespace memplan;
using namespace memplan::graph;

namespace {

constexpr size_t maxDrawn = 400;
constexpr int rowHeight = 18, boxWidth = 240, gap = 260, margin = 10;

std::string escaped(const std::string &text) {
  std::string result;
  for (char c : text)
    switch (c) {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '"':
      result += "&quot;";
      break;
    default:
      result += c;
    }
  return result;
}

std::string number(int64_t value) { return std::to_string(value); }

/// The value with one digit after the decimal point.
std::string tenths(double value) {
  auto rounded = static_cast<int64_t>(value * 10 + 0.5);
  return number(rounded / 10) + "." + number(rounded % 10);
}

class Picture {
public:
  Picture(const OpGraph &graph, const Partition &partition)
      : graph(graph), partition(partition), makers(valueMakers(graph)),
        isShared(graph.ops.size()), isSaved(graph.values.size()),
        forwardRow(graph.ops.size(), -1), backwardRow(graph.ops.size(), -1) {
    std::vector<bool> inForward(graph.ops.size());
    for (OpId op : partition.forward)
      inForward[op] = true;
    for (OpId op : partition.backward)
      isShared[op] = inForward[op];
    for (ValueId v : partition.saved)
      isSaved[v] = makers[v] != noOp;
  }

  std::string draw() {
    size_t rows = placeRows();
    std::string text =
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" +
        number(2 * boxWidth + gap + 2 * margin) + "\" height=\"" +
        number(static_cast<int64_t>(rows + 2) * rowHeight + 2 * margin) +
        "\" font-family=\"sans-serif\" font-size=\"11\">\n";
    text += label(margin, 0, "forward, downwards");
    text += label(margin + boxWidth + gap, 0, "backward, upwards");
    // Edges come first, so that the boxes cover them.
    for (OpId op : partition.backward)
      if (backwardRow[op] >= 0)
        for (ValueId v : graph.ops[op].operands)
          if (isSaved[v] && forwardRow[makers[v]] >= 0)
            text += edge(v, op);
    for (OpId op : partition.forward)
      text += box(op, margin, forwardRow[op], "#cfe2f3");
    for (OpId op : partition.backward)
      text += box(op, margin + boxWidth + gap, backwardRow[op], "#f8d7c8");
    return text + "</svg>\n";
  }

private:
  /// Assigns rows to the ops that are drawn; returns the number of rows of the
  /// longer function.
  size_t placeRows() {
    bool drawsAll = std::max(partition.forward.size(),
                             partition.backward.size()) <= maxDrawn;
    std::vector<bool> concerns(graph.ops.size(), drawsAll);
    for (OpId op : partition.backward) {
      concerns[op] = concerns[op] || isShared[op];
      for (ValueId v : graph.ops[op].operands)
        if (isSaved[v])
          concerns[op] = concerns[makers[v]] = true;
    }
    int rows = 0, forwardRows = 0;
    for (OpId op : partition.forward)
      if (concerns[op])
        forwardRow[op] = forwardRows++;
    for (auto it = partition.backward.rbegin(); it != partition.backward.rend();
         ++it)
      if (concerns[*it])
        backwardRow[*it] = rows++;
    return static_cast<size_t>(std::max(rows, forwardRows));
  }

  static int yOf(int row) { return margin + (row + 1) * rowHeight; }

  static std::string label(int x, int y, const std::string &what) {
    return "<text x=\"" + number(x) + "\" y=\"" + number(y + margin + 8) +
           "\" font-weight=\"bold\">" + what + "</text>\n";
  }

  std::string box(OpId op, int x, int row, const char *color) const {
    if (row < 0)
      return "";
    const Op &node = graph.ops[op];
    std::string name = node.id + "  " + node.name;
    if (name.size() > 38)
      name = name.substr(0, 37) + "…";
    return "<g><title>" +
           escaped(node.id + ": " + node.name +
                   (node.location.empty() ? "" : ", " + node.location)) +
           (isShared[op] ? ", computed again" : "") + "</title><rect x=\"" +
           number(x) + "\" y=\"" + number(yOf(row)) + "\" width=\"" +
           number(boxWidth) + "\" height=\"" + number(rowHeight - 3) +
           "\" fill=\"" + (isShared[op] ? "#ffe28a" : color) +
           "\"/><text x=\"" + number(x + 4) + "\" y=\"" +
           number(yOf(row) + 11) + "\">" + escaped(name) + "</text></g>\n";
  }

  std::string edge(ValueId v, OpId user) const {
    const Value &value = graph.values[v];
    int x1 = margin + boxWidth, x2 = x1 + gap;
    int y1 = yOf(forwardRow[makers[v]]) + 7, y2 = yOf(backwardRow[user]) + 7;
    std::string what = value.id + ": " + number(value.bytes) + " bytes";
    return "<g class=\"saved\"><title>" + escaped(what) +
           "</title><path d=\"M" + number(x1) + " " + number(y1) + " C" +
           number(x1 + gap / 2) + " " + number(y1) + " " +
           number(x2 - gap / 2) + " " + number(y2) + " " + number(x2) + " " +
           number(y2) +
           "\" fill=\"none\" stroke=\"#c0392b\" stroke-opacity=\"0.6\" "
           "stroke-width=\"" +
           tenths(widthOf(value.bytes)) + "\"/><text x=\"" + number(x1 + 4) +
           "\" y=\"" + number(y1 - 1) + "\" fill=\"#7b241c\">" + escaped(what) +
           "</text></g>\n";
  }

  /// The width of an edge: 1 to 6, by the share of all saved bytes.
  double widthOf(int64_t bytes) const {
    double all =
        static_cast<double>(std::max<int64_t>(partition.savedUniqueBytes, 1));
    return 1 + 5 * std::min(1.0, static_cast<double>(bytes) / all);
  }

  const OpGraph &graph;
  const Partition &partition;
  std::vector<OpId> makers;
  std::vector<bool> isShared, isSaved;
  std::vector<int> forwardRow, backwardRow;
};

/// Draws the points with the peak in bytes on the horizontal axis and the
/// additional FLOPs, in percent of the graph's FLOPs, on the vertical axis.
std::string drawCurve(const OpGraph &graph,
                      const std::vector<RematerializePoint> &curve) {
  constexpr int width = 560, height = 300, left = 60, bottom = 40, top = 20;
  int64_t flops = 1, most = curve.front().peak, least = curve.back().peak;
  for (const Op &op : graph.ops)
    flops += op.flops;
  auto percent = [&](const RematerializePoint &point) {
    return 100 * static_cast<double>(point.extraFlops) /
           static_cast<double>(flops);
  };
  double highest = std::max(percent(curve.back()), 0.1);
  auto x = [&](const RematerializePoint &point) {
    double share = most == least ? 1
                                 : static_cast<double>(point.peak - least) /
                                       static_cast<double>(most - least);
    return left + share * (width - left - 20);
  };
  auto y = [&](const RematerializePoint &point) {
    return height - bottom - percent(point) / highest * (height - bottom - top);
  };
  std::string text = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" +
                     number(width) + "\" height=\"" + number(height) +
                     "\" font-family=\"sans-serif\" font-size=\"11\">\n";
  text += "<path d=\"M" + number(left) + " " + number(top) + " V" +
          number(height - bottom) + " H" + number(width - 20) +
          "\" fill=\"none\" stroke=\"#888\"/>\n";
  std::string line, dots;
  for (const RematerializePoint &point : curve) {
    std::string at = tenths(x(point)) + "\" cy=\"" + tenths(y(point));
    line +=
        (line.empty() ? "M" : " L") + tenths(x(point)) + " " + tenths(y(point));
    dots += "<circle cx=\"" + at + "\" r=\"3\" fill=\"#1f77b4\"><title>" +
            number(point.peak) + " bytes, " + number(point.extraFlops) +
            " FLOPs more (" + tenths(percent(point)) + " %), " +
            number(static_cast<int64_t>(point.repeats)) +
            " ops run again</title></circle>\n";
  }
  text += "<path d=\"" + line +
          "\" fill=\"none\" stroke=\"#1f77b4\" stroke-width=\"2\"/>\n" + dots;
  auto put = [&](int px, int py, const char *anchor, const std::string &what) {
    text += "<text x=\"" + number(px) + "\" y=\"" + number(py) +
            "\" text-anchor=\"" + anchor + "\">" + what + "</text>\n";
  };
  put(left, height - bottom + 15, "start", number(least));
  put(width - 20, height - bottom + 15, "end", number(most));
  put(width / 2, height - 6, "middle", "peak, bytes");
  put(left - 5, height - bottom, "end", "0");
  put(left - 5, top + 8, "end", tenths(highest));
  put(4, 12, "start", "additional FLOPs, %");
  return text + "</svg>\n";
}

} // namespace

std::string
memplan::graph::partitionHtml(const OpGraph &graph, const Partition &partition,
                              const std::vector<RematerializePoint> &curve) {
  std::string title =
      "Partition" + (graph.name.empty() ? "" : " of " + escaped(graph.name));
  std::string text =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta "
      "charset=\"utf-8\"><title>" +
      title +
      "</title><style>body{font:14px sans-serif;margin:2em;color:#222}"
      "pre{background:#f6f6f6;padding:1em;overflow:auto}"
      ".scroll{overflow:auto}@media print{pre{white-space:pre-wrap}}"
      "@media screen and (prefers-color-scheme:dark){"
      ":root{color-scheme:dark}body{background:#0d1117;color:#e6edf3}"
      "pre{background:#161b22}svg>text{fill:#e6edf3}"
      ".saved text{fill:#ff7b72}}</style></head>\n<body><h1>" +
      title + "</h1>\n";
  if (!curve.empty())
    text +=
        "<h2>Cost of budgets</h2>\n<p>Each point is a schedule of the joint "
        "graph, with every input held; no other schedule that was found has "
        "both a lower peak and fewer FLOPs.</p>\n" +
        drawCurve(graph, curve);
  text += "<h2>Saved values</h2>\n<p>Blue: forward ops. Red: backward ops. "
          "Yellow: ops of both functions, which are recomputed. Red lines: "
          "saved values; the width shows the share of the saved bytes.</p>\n"
          "<div class=\"scroll\">" +
          Picture(graph, partition).draw() + "</div>\n<h2>Report</h2>\n<pre>" +
          escaped(partitionReport(graph, partition)) + "</pre>\n";
  return text + "</body></html>\n";
}
