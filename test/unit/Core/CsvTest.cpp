//===- CsvTest.cpp - CSV and maps -----------------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Core/Csv.h"
#include "ProblemBuilder.h"
#include "memplan/Core/Render.h"

using namespace memplan;

namespace {

/// The error of the text as "line: message", or "accepted".
std::string errorOf(std::string_view text,
                    CsvOffsets offsets = CsvOffsets::Pins) {
  Problem problem;
  Plan plan;
  CsvError error;
  if (parseCsv(text, offsets, problem, plan, error))
    return "accepted";
  return std::to_string(error.line) + ": " + error.message;
}

Problem parsed(std::string_view text) {
  Problem problem;
  Plan plan;
  CsvError error;
  EXPECT_TRUE(parseCsv(text, CsvOffsets::Pins, problem, plan, error))
      << error.message;
  return problem;
}

} // namespace

TEST(ParseCsv, ReadsTheColumnsInAnyOrder) {
  Problem problem = parsed("size,id,upper,lower\r\n10,a,4,1\r\n\r\n20,b,9,2");
  ASSERT_EQ(problem.buffers.size(), 2u);
  EXPECT_EQ(problem.buffers[0].id, "a");
  EXPECT_EQ(problem.buffers[1].size, 20);
  EXPECT_EQ(problem.buffers[1].ranges, (LiveRanges{{2, 9}}));
}

TEST(ParseCsv, ReadsTheOptionalColumns) {
  Problem problem = parsed("id,lower,upper,size,alignment,offset,ranges\n"
                           "a,0,4,10,128,256,9-12 6-7\n"
                           "\"b,c\",0,4,10,,,\n");
  EXPECT_EQ(problem.buffers[0].alignment, 128);
  EXPECT_EQ(problem.buffers[0].pinnedOffset, 256);
  EXPECT_EQ(problem.buffers[0].ranges, (LiveRanges{{0, 4}, {6, 7}, {9, 12}}));
  EXPECT_EQ(problem.arenaAlignment, 128);
  EXPECT_EQ(problem.buffers[1].id, "b,c");
  EXPECT_EQ(problem.buffers[1].pinnedOffset, std::nullopt);
}

TEST(ParseCsv, HeaderOnlyIsAnEmptyProblem) {
  EXPECT_TRUE(parsed("id,lower,upper,size\n").buffers.empty());
}

TEST(ParseCsv, RefusesHeaders) {
  EXPECT_EQ(errorOf(""), "0: the file is empty: no column names");
  EXPECT_EQ(errorOf("id,lower,upper\n"), "1: column 'size' is missing");
  EXPECT_EQ(errorOf("id,lower,upper,colour\n"),
            "1: column 'size' is missing; 'colour' is no column; known are id, "
            "lower, upper, size, alignment, offset, ranges, gaps, soft, "
            "soft_banks, all_or_none, buffer, buffer_id, begin, start, end, "
            "hint");
  EXPECT_EQ(errorOf("id,lower,upper,size,alignement\n"),
            "1: unknown column 'alignement'; is it 'alignment'?");
  EXPECT_EQ(errorOf("id,lower,upper,size,Offset\n"),
            "1: unknown column 'Offset'; is it 'offset'?");
  EXPECT_EQ(errorOf("id,lower,upper,size,id\n"),
            "1: column 'id' appears twice");
}

TEST(ParseCsv, IgnoresOtherColumns) {
  Problem problem;
  Plan plan;
  CsvError error;
  std::vector<std::string> ignored;
  ASSERT_TRUE(parseCsv("id,op,lower,upper,size,hint,sizes\na,x,0,1,2,3,4\n",
                       CsvOffsets::Pins, problem, plan, error, std::nullopt,
                       &ignored));
  EXPECT_EQ(ignored, (std::vector<std::string>{"op", "sizes"}));
  EXPECT_EQ(problem.buffers[0].size, 2);
}

TEST(ParseCsv, ReadsPairsOfBuffers) {
  const std::string text = "id,lower,upper,size,soft,soft_banks,all_or_none,"
                           "offset\n"
                           "a,0,2,8,\"b:3 c:1\",c:2,c,0\n"
                           "b,2,4,8,,,,8\n"
                           "c,4,6,8,,,,0\n";
  Problem problem;
  Plan plan;
  CsvError error;
  ASSERT_TRUE(
      parseCsv(text, CsvOffsets::Plan, problem, plan, error, /*bankSize=*/8))
      << error.message;
  EXPECT_EQ(problem.bankSize, 8);
  ASSERT_EQ(problem.softConflicts.size(), 3u);
  EXPECT_EQ(problem.softConflicts[0].second, 1u);
  EXPECT_EQ(problem.softConflicts[0].weight, 3);
  EXPECT_EQ(problem.softConflicts[2].kind, SoftConflict::Kind::Bank);
  ASSERT_EQ(problem.allOrNone.size(), 1u);
  EXPECT_EQ(problem.allOrNone[0].second, 2u);
  // a and c share bytes and a bank.
  EXPECT_EQ(plan.penalty, 3);
  EXPECT_EQ(formatCsv(problem, plan), text);
  EXPECT_EQ(whyNotCsv(problem), "");
  problem.buffers[2].id = "the c";
  EXPECT_EQ(whyNotCsv(problem), "has a soft conflict with 'the c', whose id "
                                "has white space");
}

TEST(FormatCsv, SaysWhatCannotBeReadBack) {
  Problem problem;
  problem.buffers = {{"a", 8, 1, {{-5, 2}}, {}, {}}};
  EXPECT_EQ(whyNotCsv(problem),
            "has a live range of 'a' that begins before time 0");
  problem.buffers = {{"a\nb", 8, 1, {{0, 2}}, {}, {}}};
  EXPECT_EQ(whyNotCsv(problem),
            "has a buffer whose id is empty or has a line break");
  problem.buffers[0].id = "a \"b\",\r";
  EXPECT_EQ(whyNotCsv(problem), "");
  Plan plan;
  plan.offsets = {0};
  Problem read;
  CsvError error;
  ASSERT_TRUE(
      parseCsv(formatCsv(problem, plan), CsvOffsets::Plan, read, plan, error));
  EXPECT_EQ(read.buffers[0].id, problem.buffers[0].id);
}

TEST(ParseCsv, RefusesPairsOfBuffers) {
  const std::string head = "id,lower,upper,size,soft,all_or_none\n";
  EXPECT_EQ(errorOf(head + "a,0,1,2,b:1,\n"), "2: there is no buffer 'b'");
  EXPECT_EQ(errorOf(head + "a,0,1,2,b,\nb,0,1,2,,\n"),
            "2: soft conflict 'b' is not of the form id:weight");
  EXPECT_EQ(errorOf(head + "a,0,1,2,b:-1,\nb,0,1,2,,\n"),
            "2: weight '-1' is negative");
  EXPECT_EQ(errorOf(head + "a,0,1,2,,c\nb,0,1,2,,\n"),
            "2: there is no buffer 'c'");
}

TEST(ParseCsv, RefusesLines) {
  const std::string head = "id,lower,upper,size\n";
  EXPECT_EQ(errorOf(head + "a,0,1\n"), "2: expected 4 fields, found 3");
  EXPECT_EQ(errorOf(head + "a,0,1,2,3\n"), "2: expected 4 fields, found 5");
  EXPECT_EQ(errorOf(head + "a,0,1,2\nb,5,,2"), "3: upper is empty");
  EXPECT_EQ(errorOf(head + "a,0,1,2\nb,5"),
            "3: expected 4 fields, found 2; the file seems to be cut here");
  EXPECT_EQ(errorOf(head + ",0,1,2\n"), "2: the id is empty");
  EXPECT_EQ(errorOf(head + "\xff,0,1,2\n"), "2: the id is not in UTF-8");
  EXPECT_EQ(errorOf(head + "a,0,1,2\n\nb,0,1,2\na,0,1,2\n"),
            "5: id 'a' is already used in line 2");
  EXPECT_EQ(errorOf(head + "\"a,0,1,2\n"), "2: a quoted field is not closed");
  EXPECT_EQ(errorOf(head + "\"a\"b,0,1,2\n"), "2: text follows a quoted field");
}

TEST(ParseCsv, RefusesNumbers) {
  const std::string head = "id,lower,upper,size\n";
  EXPECT_EQ(errorOf(head + "a,0,1,-2\n"), "2: size '-2' is negative");
  EXPECT_EQ(errorOf(head + "a,0,1,0x10\n"), "2: size '0x10' is not a number");
  EXPECT_EQ(errorOf(head + "a,0,1,9223372036854775807\n"), "accepted");
  EXPECT_EQ(errorOf(head + "a,0,1,9223372036854775808\n"),
            "2: size '9223372036854775808' does not fit into 64 bits");
  EXPECT_EQ(errorOf(head + "a,3,3,1\n"), "2: the live range [3, 3) is empty");
  EXPECT_EQ(errorOf(head + "a,4,3,1\n"), "2: the live range [4, 3) is empty");
}

TEST(ParseCsv, RefusesOptionalColumns) {
  const std::string head = "id,lower,upper,size,alignment,offset,ranges\n";
  EXPECT_EQ(errorOf(head + "a,0,1,2,3,,\n"),
            "2: alignment 3 is not a power of two");
  EXPECT_EQ(errorOf(head + "a,0,3,2,,,2-5\n"),
            "2: the live range [2, 5) overlaps another");
  EXPECT_EQ(errorOf(head + "a,0,3,2,,,7\n"),
            "2: range '7' is not of the form start-end");
  EXPECT_EQ(errorOf(head + "a,0,3,2,,,7-\n"), "2: range end is empty");
  EXPECT_EQ(errorOf(head + "a,0,3,2,,-4,\n"), "2: offset '-4' is negative");
  EXPECT_EQ(errorOf(head + "a,0,3,2,,9223372036854775807,\n"),
            "2: offset plus size exceeds 64 bits");
  EXPECT_EQ(errorOf("id,lower,upper,size\na,0,3,2\n", CsvOffsets::Plan),
            "1: column 'offset' is missing: there is no plan to verify");
  EXPECT_EQ(errorOf(head + "a,0,3,2,,,\n", CsvOffsets::Plan),
            "2: buffer 'a' has no offset");
}

TEST(FormatCsv, ReadsBackAsThePlan) {
  test::ProblemBuilder builder;
  builder.add("a \"quoted\"", 10, {{0, 4}, {6, 9}})
      .align(16)
      .add("b", 7, {{1, 3}});
  Plan plan = builder.solved();
  Problem problem;
  Plan readBack;
  CsvError error;
  ASSERT_TRUE(parseCsv(formatCsv(builder.raw(), plan), CsvOffsets::Plan,
                       problem, readBack, error))
      << error.message;
  EXPECT_EQ(readBack.offsets, plan.offsets);
  EXPECT_EQ(readBack.arenaSize, plan.arenaSize);
  EXPECT_EQ(problem.buffers[0].id, "a \"quoted\"");
  EXPECT_EQ(problem.buffers[0].ranges, builder.raw().buffers[0].ranges);
  EXPECT_EQ(problem.buffers[0].alignment, 16);
}

TEST(RenderText, ShowsTimeAcrossAndAddressUp) {
  test::ProblemBuilder builder;
  builder.add("a", 2, {{0, 2}}).add("b", 1, {{1, 4}}).add("c", 2, {{2, 4}});
  Plan plan;
  plan.offsets = {0, 2, 0};
  plan.arenaSize = 3;
  EXPECT_EQ(renderText(builder.raw(), plan), "             2 |.bbb\n"
                                             "             1 |aacc\n"
                                             "             0 |aacc\n"
                                             "               +----\n"
                                             "                time 0 to 4\n");
}

TEST(RenderText, EmptyProblem) {
  Plan plan;
  EXPECT_NE(renderText(Problem(), plan).find("time 0 to 1"), std::string::npos);
}
