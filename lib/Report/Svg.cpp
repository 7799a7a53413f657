//===- Svg.cpp - Maps of arenas as SVG pictures ---------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Core/CheckedMath.h"
#include "memplan/Core/Json.h"
#include "memplan/Report/Picture.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace memplan;

namespace {

// In pixels. The axes are to the left of and below the plot, the legend is
// above it.
constexpr double kWidth = 960, kHeight = 480;
constexpr double kLeft = 96, kTop = 56, kRight = 16, kBottom = 48;

std::string fixed(double value) {
  char text[64];
  std::snprintf(text, sizeof(text), "%.2f", value);
  return text;
}

std::string escapeXml(std::string_view text) {
  std::string out;
  for (char c : toUtf8(text)) {
    if (c == '<')
      out += "&lt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else if (static_cast<unsigned char>(c) >= 0x20)
      out += c;
  }
  return out;
}

/// The distance between the ticks of an axis of this length: 1, 2 or 5 times a
/// power of ten, or a power of two for bytes, so that there are at most eight.
int64_t findTickStep(int64_t length, bool isBytes) {
  double least = std::max<double>(static_cast<double>(length) / 8, 1);
  if (isBytes)
    return static_cast<int64_t>(std::exp2(std::ceil(std::log2(least))));
  double power = std::pow(10, std::floor(std::log10(least)));
  for (double factor : {1.0, 2.0, 5.0})
    if (power * factor >= least)
      return static_cast<int64_t>(power * factor);
  return static_cast<int64_t>(power * 10);
}

/// The bytes as text: "64", "1.5 KiB", "12 MiB".
std::string describeBytes(int64_t bytes) {
  const char *units[] = {"", " KiB", " MiB", " GiB", " TiB", " PiB"};
  auto value = static_cast<double>(bytes);
  size_t unit = 0;
  for (; std::abs(value) >= 1024 && unit + 1 < std::size(units); ++unit)
    value /= 1024;
  char text[64];
  std::snprintf(text, sizeof(text), "%.4g%s", value, units[unit]);
  return text;
}

class Picture {
public:
  explicit Picture(const ArenaReport &arena) : arena(arena) {
    for (const SlotReport &slot : arena.slots) {
      if (slot.ranges.empty())
        continue;
      begin = std::min(begin, slot.ranges.front().start);
      end = std::max(end, slot.ranges.back().end);
    }
    if (begin > end)
      begin = 0, end = 1;
    top = std::max<int64_t>({arena.arenaBytes, arena.boundBytes, 1});
    // With a capacity far above the arena, most of the picture would be empty.
    hasCapacity = arena.problem.capacity && *arena.problem.capacity / 2 <= top;
    if (hasCapacity)
      top = std::max(top, *arena.problem.capacity);
  }

  std::string draw() {
    out = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + fixed(kWidth) +
          "\" height=\"" + fixed(kHeight) + "\" viewBox=\"0 0 " +
          fixed(kWidth) + " " + fixed(kHeight) +
          "\" font-family=\"sans-serif\" font-size=\"12\">\n";
    text(kLeft, 18, "start",
         "@" + arena.function + ", memory space " + arena.memorySpace + ": " +
             (arena.hasPlan() ? memplan::describeBytes(arena)
                              : std::string("no plan")) +
             " (" + std::string(arenaStatusName(arena.status)) + ")");
    out += "<rect class=\"plot\" x=\"" + fixed(kLeft) + "\" y=\"" +
           fixed(kTop) + "\" width=\"" + fixed(kWidth - kLeft - kRight) +
           "\" height=\"" + fixed(kHeight - kTop - kBottom) +
           "\" fill=\"#f6f6f6\"/>\n";
    drawAxes();
    for (size_t i = 0; i < arena.slots.size(); ++i)
      drawSlot(i);
    drawPeak();
    double legend = kLeft;
    if (arena.hasPlan())
      drawLevel("arena", arena.arenaBytes, "#111", "none", legend);
    drawLevel("bound", arena.boundBytes, "#c00", "4", legend);
    if (hasCapacity)
      drawLevel("capacity", *arena.problem.capacity, "#06c", "8 3", legend);
    return out + "</svg>\n";
  }

private:
  double x(int64_t time) const {
    return kLeft + (static_cast<double>(time) - static_cast<double>(begin)) *
                       (kWidth - kLeft - kRight) /
                       (static_cast<double>(end) - static_cast<double>(begin));
  }
  double y(int64_t address) const {
    return kHeight - kBottom -
           static_cast<double>(address) * (kHeight - kTop - kBottom) /
               static_cast<double>(top);
  }

  void text(double atX, double atY, const char *anchor,
            const std::string &what) {
    out += "<text x=\"" + fixed(atX) + "\" y=\"" + fixed(atY) +
           "\" text-anchor=\"" + anchor + "\">" + escapeXml(what) + "</text>\n";
  }

  void line(double x1, double y1, double x2, double y2, const char *style) {
    out += "<line x1=\"" + fixed(x1) + "\" y1=\"" + fixed(y1) + "\" x2=\"" +
           fixed(x2) + "\" y2=\"" + fixed(y2) + "\" " + style + "/>\n";
  }

  void drawAxes() {
    const char *grid = "stroke=\"#ccc\" stroke-width=\"0.5\"";
    int64_t step = findTickStep(
        begin < 0 && end > INT64_MAX + begin ? INT64_MAX : end - begin,
        /*isBytes=*/false);
    // The next tick may overflow int64.
    std::optional<int64_t> at =
        begin - begin % step + (begin % step > 0 ? step : 0);
    for (; at && *at <= end; at = checkedAdd(*at, step)) {
      line(x(*at), kTop, x(*at), kHeight - kBottom + 4, grid);
      text(x(*at), kHeight - kBottom + 18, "middle", std::to_string(*at));
    }
    step = findTickStep(top, /*isBytes=*/true);
    for (at = 0; at && *at <= top; at = checkedAdd(*at, step)) {
      line(kLeft - 4, y(*at), kWidth - kRight, y(*at), grid);
      text(kLeft - 8, y(*at) + 4, "end", describeBytes(*at));
    }
    text((kLeft + kWidth - kRight) / 2, kHeight - 10, "middle",
         "time (program points)");
    out += "<text transform=\"translate(14 " +
           fixed((kTop + kHeight - kBottom) / 2) +
           ") rotate(-90)\" text-anchor=\"middle\">address</text>\n";
  }

  /// The name of the buffer that has the slot alone, in parentheses.
  std::string describeBuffer(const SlotReport &slot) const {
    if (slot.uses.size() != 1)
      return "";
    const BufferReport &buffer = arena.buffers[slot.uses.front().buffer];
    const std::string &name =
        buffer.label.empty() ? buffer.value : buffer.label;
    return name.empty() ? "" : " (" + name + ")";
  }

  void drawSlot(size_t index) {
    const SlotReport &slot = arena.slots[index];
    if (!slot.offset)
      return;
    std::string what = escapeXml(slot.id + describeBuffer(slot)) + ": bytes [" +
                       std::to_string(*slot.offset) + ", " +
                       std::to_string(*slot.offset + slot.size) + "), time [";
    // Consecutive slots get clearly different colours.
    std::string colour =
        "hsl(" + std::to_string(index * 137 % 360) + ",60%,65%)";
    for (const LiveRange &range : slot.ranges)
      out.append("<rect class=\"slot\" x=\"" + fixed(x(range.start)))
          .append("\" y=\"" + fixed(y(*slot.offset + slot.size)))
          .append("\" width=\"" + fixed(x(range.end) - x(range.start)))
          .append("\" height=\"" +
                  fixed(y(*slot.offset) - y(*slot.offset + slot.size)))
          .append("\" fill=\"" + colour)
          .append("\" fill-opacity=\"0.75\" stroke=\"#333\" "
                  "stroke-width=\"0.3\"><title>" +
                  what)
          .append(std::to_string(range.start) + ", ")
          .append(std::to_string(range.end) + ")</title></rect>\n");
  }

  /// Draws a line at the peak and its bytes.
  void drawPeak() {
    if (arena.peakSlots.empty())
      return;
    double at = (x(arena.peakPoint) + x(arena.peakPoint + 1)) / 2;
    line(at, kTop, at, kHeight - kBottom,
         "stroke=\"#06c\" stroke-dasharray=\"3\"");
    bool isLeft = at > kWidth / 2;
    text(isLeft ? at - 4 : at + 4, kTop + 14, isLeft ? "end" : "start",
         "peak " + std::to_string(arena.peakBytes));
  }

  /// Draws a line across the plot and its entry in the legend at `legend`,
  /// which is advanced to the next entry.
  void drawLevel(const char *name, int64_t bytes, const char *colour,
                 const char *dashes, double &legend) {
    std::string style = "stroke=\"";
    style.append(colour).append("\" stroke-dasharray=\"").append(dashes);
    style += '"';
    line(kLeft, y(bytes), kWidth - kRight, y(bytes), style.c_str());
    line(legend, kTop - 16, legend + 24, kTop - 16, style.c_str());
    std::string entry = std::string(name) + " " + std::to_string(bytes);
    text(legend + 30, kTop - 12, "start", entry);
    legend += 50 + 7.5 * static_cast<double>(entry.size());
  }

  const ArenaReport &arena;
  std::string out;
  int64_t begin = INT64_MAX, end = INT64_MIN, top = 1;
  bool hasCapacity = false;
};

} // namespace

std::string memplan::formatSvg(const ArenaReport &arena) {
  return Picture(arena).draw();
}

std::string memplan::formatSvg(const Report &report) {
  std::vector<const ArenaReport *> arenas;
  for (const ArenaReport &arena : report.arenas)
    if (!arena.slots.empty())
      arenas.push_back(&arena);
  double height = std::max<double>(kHeight * double(arenas.size()), 1);
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" +
                    fixed(kWidth) + "\" height=\"" + fixed(height) +
                    "\" viewBox=\"0 0 " + fixed(kWidth) + " " + fixed(height) +
                    "\">\n";
  for (size_t i = 0; i < arenas.size(); ++i)
    out += "<g transform=\"translate(0 " + fixed(kHeight * double(i)) +
           ")\">\n" + Picture(*arenas[i]).draw() + "</g>\n";
  return out + "</svg>\n";
}
