//===- ReportTest.cpp - Totals, JSON and pictures -------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Report/Report.h"
#include "memplan/Core/Json.h"
#include "memplan/Core/JsonWriter.h"
#include "memplan/Report/Picture.h"

#include <gtest/gtest.h>

using namespace memplan;

static std::string quoteJson(std::string_view text) {
  std::string out;
  appendJsonString(out, text);
  return out;
}

TEST(QuoteJson, EscapesWhatJsonDoesNotAllow) {
  EXPECT_EQ(quoteJson("a\"\\\n"), "\"a\\\"\\\\\\u000a\"");
  EXPECT_EQ(quoteJson("\xC3\xA9 \xF0\x9F\x99\x82"),
            "\"\xC3\xA9 \xF0\x9F\x99\x82\"");
}

TEST(QuoteJson, ReplacesWhatIsNotUtf8) {
  const std::string replacement = "\xEF\xBF\xBD";
  EXPECT_EQ(quoteJson("a\xFFz"), "\"a" + replacement + "z\"");
  // Cut short, overlong, a surrogate, beyond U+10FFFF.
  EXPECT_EQ(quoteJson("\xC3"), "\"" + replacement + "\"");
  EXPECT_EQ(quoteJson("\xC0\x80"), "\"" + replacement + replacement + "\"");
  EXPECT_EQ(quoteJson("\xED\xA0\x80").find("\xED"), std::string::npos);
  EXPECT_EQ(quoteJson("\xF4\x90\x80\x80").find("\xF4"), std::string::npos);
}

TEST(JsonWriter, PrintsShortNumbers) {
  std::string out;
  JsonWriter json(out);
  json.beginArray(JsonWriter::Style::Inline);
  json.value(1.0, 6);
  json.value(1.25, 6);
  json.value(100.0, 0);
  json.endArray();
  EXPECT_EQ(out, "[1, 1.25, 100]");
}

TEST(SizeWithoutReuse, PadsToAlignments) {
  EXPECT_EQ(computeSizeWithoutReuse({}), 0);
  // 1 byte, 63 of padding, 4 bytes, 60 of padding, 64 bytes.
  EXPECT_EQ(computeSizeWithoutReuse({{1, 64}, {4, 64}, {64, 64}}), 192);
  EXPECT_EQ(computeSizeWithoutReuse({{INT64_MAX, 1}, {2, 1}}), INT64_MAX);
}

static Problem makeChain() {
  Problem problem;
  problem.buffers = {{"a", 10, 64, {{0, 2}}, std::nullopt},
                     {"b", 10, 64, {{1, 3}}, std::nullopt},
                     {"c", 10, 64, {{2, 4}}, std::nullopt}};
  return problem;
}

TEST(Report, NaiveSavesNothing) {
  Problem problem = makeChain();
  SolveOptions options;
  options.strategy = Strategy::Naive;
  Plan plan = solve(problem, options);
  Report report = makeReport(problem, plan, Strategy::Naive, "chain");
  EXPECT_EQ(report.arenas.front().getSavedBytes(), 0);
  plan = solve(problem, {});
  report = makeReport(problem, plan, Strategy::Auto, "chain");
  EXPECT_EQ(report.arenas.front().sumBytes, 138);
  EXPECT_EQ(report.arenas.front().arenaBytes, 74);
}

TEST(Report, TotalsCountNoFrameTwice) {
  Problem problem = makeChain();
  Plan plan = solve(problem, {});
  Report report = makeReport(problem, plan, Strategy::Auto, "caller");
  ArenaReport frame = report.arenas.front();
  frame.isFrame = true;
  frame.unplanned.add(8);
  frame.unplanned.add(std::nullopt);
  ArenaReport workers = report.arenas.front();
  workers.workers = 4;
  // Its three buffers stay in the program.
  ArenaReport rejected = report.arenas.front();
  rejected.status = ArenaStatus::Rejected;
  ArenaReport before;
  before.status = ArenaStatus::PlannedBefore;
  before.arenaBytes = 1000;
  report.arenas.insert(report.arenas.end(), {frame, workers, rejected, before});
  ReportTotals totals = computeTotals(report);
  EXPECT_EQ(totals.arenas, 1);
  EXPECT_EQ(totals.arenaBytes, 74);
  EXPECT_EQ(totals.sumBytes, 138);
  EXPECT_EQ(totals.unplanned.count, 5);
  EXPECT_EQ(totals.unplanned.bytes, 38);
  EXPECT_EQ(totals.unplanned.unknown, 1);
  EXPECT_EQ(totals.plannedBefore.bytes, 1000);
  EXPECT_EQ(totals.ram.bytes, 74 + 38 + 1000);
  EXPECT_EQ(totals.ram.unknown, 1);
}

TEST(Report, ArenasThatCallersProvideCount) {
  Problem problem = makeChain();
  Report report = makeReport(problem, solve(problem, {}), Strategy::Auto, "f");
  report.arenas.front().isFrame = true;
  EXPECT_EQ(computeTotals(report).arenas, 0);
  report.arenas.front().placement = "argument";
  ReportTotals totals = computeTotals(report);
  EXPECT_EQ(totals.arenas, 1);
  EXPECT_EQ(totals.arenaBytes, 74);
  EXPECT_EQ(totals.fromCallers.count, 1);
  EXPECT_EQ(totals.fromCallers.bytes, 74);
  EXPECT_NE(formatText(report).find("; provided by callers 1 arena, 74 bytes"),
            std::string::npos);
}

TEST(Report, WithoutAPlanNothingIsSaved) {
  Problem problem = makeChain();
  problem.capacity = 10;
  Plan plan = solve(problem, {});
  ASSERT_EQ(plan.status, PlanStatus::Infeasible);
  Report report = makeReport(problem, plan, Strategy::Auto, "f");
  ReportTotals totals = computeTotals(report);
  EXPECT_EQ(totals.withoutPlan, 1);
  EXPECT_EQ(totals.arenas, 0);
  EXPECT_EQ(totals.sumBytes, 0);
  std::string text = formatText(report);
  EXPECT_NE(text.find("arena      none: there is no plan"), std::string::npos);
  EXPECT_NE(text.find("capacity   10 bytes, at least 64 too few"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("1 arena without a plan"), std::string::npos);
  EXPECT_EQ(text.find("100.0 %"), std::string::npos);
  EXPECT_NE(formatJson(report).find("\"arena_bytes\": null"),
            std::string::npos);
}

TEST(Report, StrategiesAreComparedWithoutCapacity) {
  Problem problem = makeChain();
  problem.capacity = 80;
  Plan plan = solve(problem, {});
  std::vector<StrategyReport> reports = compareStrategies(problem, plan);
  ASSERT_FALSE(reports.empty());
  EXPECT_EQ(reports.front().name, "naive");
  EXPECT_EQ(reports.front().arenaBytes, 138);
}

TEST(Svg, OneRectangleALiveRange) {
  Problem problem;
  problem.buffers = {{"a<b&c", 2, 1, {{0, 2}, {3, 4}}, std::nullopt}};
  Plan plan = solve(problem, {});
  Report report = makeReport(problem, plan, Strategy::Auto, "f");
  std::string svg = formatSvg(report.arenas.front());
  EXPECT_NE(svg.find("<title>a&lt;b&amp;c: bytes [0, 2), time [3, 4)</title>"),
            std::string::npos);
  size_t rectangles = 0;
  for (size_t at = svg.find("<rect class=\"slot\""); at != std::string::npos;
       at = svg.find("<rect class=\"slot\"", at + 1))
    ++rectangles;
  EXPECT_EQ(rectangles, 2u);
}

TEST(Svg, LargestNumbers) {
  constexpr int64_t most = int64_t(1) << 62;
  Problem problem;
  problem.buffers = {{"\xff", INT64_MAX - 1, 1, {{-most, most}}, std::nullopt}};
  Plan plan = solve(problem, {});
  Report report = makeReport(problem, plan, Strategy::Auto, "f");
  std::string svg = formatSvg(report.arenas.front());
  EXPECT_NE(svg.find("</svg>"), std::string::npos);
  // Text that is not UTF-8 would be invalid XML.
  EXPECT_NE(svg.find("<title>\xEF\xBF\xBD: bytes"), std::string::npos);
}

TEST(Svg, EmptyArena) {
  EXPECT_NE(formatSvg(ArenaReport()).find("</svg>"), std::string::npos);
}
