//===- BySpaceTest.cpp - Values for memory spaces -------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Core/BySpace.h"

#include <gtest/gtest.h>

using namespace memplan;

namespace {

std::string errorOf(std::string_view text) {
  std::string error;
  EXPECT_EQ(Capacities::parse(text, error), std::nullopt) << text;
  return error;
}

Capacities parse(std::string_view text) {
  std::string error;
  std::optional<Capacities> capacities = Capacities::parse(text, error);
  EXPECT_TRUE(capacities) << error;
  return capacities.value_or(Capacities());
}

} // namespace

TEST(Capacities, OneNumberIsForEverySpace) {
  Capacities capacities = parse("64K");
  EXPECT_EQ(capacities.find("0"), 65536);
  EXPECT_EQ(capacities.find("L1"), 65536);
  EXPECT_EQ(capacities.format(), "65536");
}

TEST(Capacities, AListNamesSpaces) {
  Capacities capacities = parse("1:4096,2:8K");
  EXPECT_EQ(capacities.find("1"), 4096);
  EXPECT_EQ(capacities.find("2"), 8192);
  EXPECT_EQ(capacities.find("0"), std::nullopt);
  EXPECT_EQ(capacities.least(), 4096);
  EXPECT_TRUE(capacities.isLimited());
  EXPECT_EQ(capacities.format(), "1:4096,2:8192");
}

TEST(Capacities, ANumberWithoutASpaceIsForTheOthers) {
  Capacities capacities = parse("0:1K,L1:0,1M");
  EXPECT_EQ(capacities.find(""), 1024);
  EXPECT_EQ(capacities.find("L1"), 0);
  EXPECT_EQ(capacities.find("3"), 1048576);
  EXPECT_EQ(parse(capacities.format()).format(), capacities.format());
}

TEST(Capacities, SpacesAreAttributes) {
  // Commas in brackets and all colons but the last belong to the attribute.
  Capacities capacities = parse("#t.space<[1, 2], a : b>:64,\"L:1\":32");
  EXPECT_EQ(capacities.find("#t.space<[1, 2], a : b>"), 64);
  EXPECT_EQ(capacities.find("\"L:1\""), 32);
}

TEST(Capacities, Errors) {
  EXPECT_EQ(errorOf("many"),
            "'many' is not a number of bytes, such as 4096, 64K or 1M");
  EXPECT_EQ(errorOf("1:-4"),
            "'-4' is not a number of bytes, such as 4096, 64K or 1M, in the "
            "list of memory spaces '1:-4'");
  EXPECT_EQ(errorOf("1:64,1:32"), "memory space 1 is named twice");
  EXPECT_EQ(errorOf("a>:64"), "the brackets in 'a>:64' do not match");
  EXPECT_EQ(errorOf("#a<1:64"), "the brackets in '#a<1:64' do not match");
  EXPECT_EQ(errorOf("64,32"), "there are two values without a memory space");
  for (const char *text : {"", ",", "1:", ":64", "1:64,", "1:64,,2:32"})
    EXPECT_NE(errorOf(text).find("is neither a value nor a memory space"),
              std::string::npos)
        << text;
}
