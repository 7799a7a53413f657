//===- TraceTest.cpp - Traces of recorded allocations ---------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/Trace.h"
#include "memplan/Core/Bound.h"
#include "memplan/Core/Verify.h"

#include "gtest/gtest.h"

#include <random>

using namespace memplan;
using namespace memplan::graph;

namespace {

/// "name@pointer bytes [begin, end)" for each buffer, or the error.
std::string buffersOf(std::string_view text, TraceForm form,
                      Trace *out = nullptr) {
  Trace trace;
  TextError error;
  if (!parseTrace(text, form, trace, error))
    return std::to_string(error.line) + ":" + std::to_string(error.column) +
           ": " + error.message;
  std::string result;
  for (const TracedBuffer &b : trace.buffers)
    result += b.name + "@" + std::to_string(b.pointer) + " " +
              std::to_string(b.bytes) + " [" + std::to_string(b.begin) + ", " +
              std::to_string(b.end) + ")" +
              (trace.spaces[b.space].empty() ? "" : trace.spaces[b.space]) +
              "\n";
  if (out)
    *out = trace;
  return result;
}

TEST(Trace, Csv) {
  Trace trace;
  EXPECT_EQ(buffersOf("time,event,pointer,bytes,name\n"
                      "0,alloc,0x10,100,a\n"
                      "5,alloc,256,50,\"b,c\"\r\n"
                      "5,free,16,,\n"
                      "\n"
                      "9,alloc,16,30,d\n"
                      "9,free,4096,8,\n",
                      TraceForm::Csv, &trace),
            "a@16 100 [1, 3)\nb,c@256 50 [2, 6)\nd@16 30 [4, 6)\n"
            "@4096 8 [0, 5)\n");
  // [16, 116), [256, 306), [4096, 4104).
  EXPECT_EQ(touchedBytes(trace, 0), 158);
  std::vector<ProblemInSpace> problems = buildProblems(trace, 1);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_TRUE(check(problems[0].problem).empty());
  EXPECT_EQ(findPeak(problems[0].problem).bytes, 158);
}

TEST(Trace, CsvErrors) {
  EXPECT_EQ(buffersOf("", TraceForm::Csv),
            "1:1: no line that names the columns");
  EXPECT_EQ(buffersOf("event,bytes\n", TraceForm::Csv),
            "1:1: no column 'pointer'");
  EXPECT_EQ(buffersOf("event,pointer,bytes,colour\n", TraceForm::Csv),
            "1:1: unknown column 'colour'");
  const std::string head = "time,event,pointer,bytes\n";
  EXPECT_EQ(buffersOf(head + "1,alloc,0x10,4\n1,alloc,16,8\n", TraceForm::Csv),
            "3:1: the event allocates memory at 0x10, which is live");
  EXPECT_EQ(buffersOf(head + "4,alloc,1,4\n3,free,1,4\n", TraceForm::Csv),
            "3:1: the time 3 comes after 4");
  EXPECT_EQ(buffersOf(head + "4,alloc,1,-4\n", TraceForm::Csv),
            "2:1: the size '-4' is not a number of bytes");
  EXPECT_EQ(buffersOf(head + "4,grow,1,4\n", TraceForm::Csv),
            "2:1: 'grow' is not one of alloc or free");
  EXPECT_EQ(buffersOf(head + "4,alloc,1\n", TraceForm::Csv),
            "2:1: 3 fields, but 4 columns");
  EXPECT_EQ(buffersOf(head + "4,alloc,1,9223372036854775807\n"
                             "4,alloc,2,9223372036854775807\n",
                      TraceForm::Csv),
            "3:1: the event makes the sum of all sizes exceed 2^63 - 1");
}

TEST(Trace, TorchSnapshot) {
  Trace trace;
  EXPECT_EQ(buffersOf(R"({"segments": [
        {"device": 0, "address": 1000, "total_size": 500, "blocks": [
          {"size": 100, "state": "active_allocated"},
          {"size": 400, "state": "inactive"}]},
        {"device": 0, "address": 9000, "total_size": 300, "blocks": []}],
      "device_traces": [[
        {"action": "free_completed", "addr": 1100, "size": 20, "frames": []},
        {"action": "segment_alloc", "addr": 9000, "size": 300},
        {"action": "alloc", "addr": 9000, "size": 40, "stream": 0,
         "frames": [{"name": "conv", "filename": "n.py", "line": 3},
                    {"name": "main", "filename": "n.py", "line": 9}]},
        {"action": "free_requested", "addr": 9000, "size": 40},
        {"action": "free_completed", "addr": 9000, "size": 40},
        {"action": "segment_alloc", "addr": 20000, "size": 700},
        {"action": "segment_free", "addr": 20000, "size": 700},
        {"action": "alloc", "addr": 9000, "size": 60},
        {"action": "free_requested", "addr": 9000, "size": 60},
        {"action": "alloc", "addr": 9000, "size": 80},
        {"action": "snapshot"}], []]})",
                      TraceForm::Torch, &trace),
            "@1100 20 [0, 1)cuda:0\nconv@9000 40 [2, 3)cuda:0\n"
            "@9000 60 [4, 5)cuda:0\n@9000 80 [6, 7)cuda:0\n"
            "@1000 100 [0, 7)cuda:0\n");
  // 500 bytes before the trace, and at most 300 and 700 more.
  EXPECT_EQ(trace.reservedBytes[0], 1500);
  EXPECT_FALSE(trace.reservedBytes[1].has_value());
  EXPECT_EQ(buffersOf("{\"segments\": []}", TraceForm::Torch),
            "1:1: no key 'device_traces'; was the history recorded?");
}

TEST(Trace, FormsAreGuessed) {
  EXPECT_EQ(guessTraceForm("time,event,pointer,bytes\n"), TraceForm::Csv);
  EXPECT_EQ(guessTraceForm(" {\"segments\": []}"), TraceForm::Torch);
}

TEST(Trace, SlipsCrashNothing) {
  const std::string texts[] = {
      "time,event,pointer,bytes,name\n0,alloc,0x10,100,a\n5,free,16,,\n",
      R"({"segments": [{"device": 0, "total_size": 5, "blocks": [{"size": 1,
          "state": "active_allocated"}]}], "device_traces": [[{"action":
          "alloc", "addr": 5, "size": 6, "frames": [{"name": "f"}]}]]})"};
  std::mt19937 random(1);
  for (int i = 0; i < 5000; ++i) {
    std::string text = texts[random() % 2];
    for (int slips = 1 + int(random() % 3); slips > 0; --slips) {
      size_t at = random() % text.size();
      if (random() % 2)
        text[at] = "{}[]\",:0-9x@+()="[random() % 16];
      else
        text.erase(at, 1 + random() % 4);
      if (text.empty())
        break;
    }
    for (TraceForm form : {TraceForm::Csv, TraceForm::Torch}) {
      Trace trace;
      TextError error;
      if (parseTrace(text, form, trace, error))
        for (const ProblemInSpace &space : buildProblems(trace))
          EXPECT_TRUE(check(space.problem).empty()) << text;
    }
  }
}

} // namespace
