//===- ProblemFilesTest.cpp - Published instances -------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The published instances, where the folder with them is present.
//
//===----------------------------------------------------------------------===//

#include "ProblemBuilder.h"
#include "memplan/Core/Csv.h"

#include <cstdio>
#include <optional>

using namespace memplan;
using namespace memplan::test;

namespace {

std::optional<Problem> load(const std::string &name) {
  std::string path = std::string(MEMPLAN_PROBLEMS_DIR) + "/" + name;
  FILE *file = std::fopen(path.c_str(), "rb");
  if (!file)
    return std::nullopt;
  std::string text;
  char buffer[1 << 16];
  size_t count;
  while ((count = std::fread(buffer, 1, sizeof(buffer), file)) > 0)
    text.append(buffer, count);
  std::fclose(file);
  Problem problem;
  Plan plan;
  CsvError error;
  EXPECT_TRUE(parseCsv(text, CsvOffsets::Pins, problem, plan, error))
      << name << ":" << error.line << ": " << error.message;
  return problem;
}

struct Instance {
  const char *name;
  std::optional<int64_t> capacity;
  int64_t expected; ///< The arena `auto` must not exceed.
};

class PublishedInstance : public testing::TestWithParam<Instance> {};

constexpr int64_t mebibyte = 1048576;
const Instance instances[] = {
    {"minimalloc-example.12.csv", std::nullopt, 12},
    {"minimalloc-A.1048576.csv", mebibyte, mebibyte},
    {"minimalloc-C.1048576.csv", std::nullopt, 1039360},
    {"minimalloc-E.1048576.csv", mebibyte, mebibyte},
    {"minimalloc-G.1048576.csv", mebibyte, mebibyte},
    {"minimalloc-I.1048576.csv", mebibyte, mebibyte},
    {"minimalloc-K.1048576.csv", mebibyte, mebibyte},
    {"iopddl-G_1.csv", std::nullopt, 3030937746},
    {"iopddl-Y_1.csv", std::nullopt, 497261190115},
    {"somas-resnet50.csv", std::nullopt, 1515472556},
    {"somas-tiny_bert.csv", std::nullopt, 758936113},
    {"somas-pangu_13B.csv", std::nullopt, 16546177037},
};

} // namespace

INSTANTIATE_TEST_SUITE_P(Files, PublishedInstance, testing::ValuesIn(instances),
                         [](const auto &info) {
                           std::string name = info.param.name;
                           for (char &c : name)
                             if (!isalnum(static_cast<unsigned char>(c)))
                               c = '_';
                           return name;
                         });

TEST_P(PublishedInstance, AutoMeetsTheBound) {
  std::optional<Problem> problem = load(GetParam().name);
  if (!problem)
    GTEST_SKIP() << "no " << GetParam().name;
  problem->capacity = GetParam().capacity;
  Plan plan = solveVerified(*problem, SolveOptions());
  EXPECT_LE(plan.arenaSize, GetParam().expected) << plan.message;
  EXPECT_EQ(plan.status, PlanStatus::Optimal) << plan.message;
}
