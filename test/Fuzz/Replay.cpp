//===- Replay.cpp - Runs a fuzz target on files
//----------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The main function of a fuzz target that is built without libFuzzer: it runs
// the target once on each file, and on each file of a folder, in order.
//
//   memplan-fuzz-solve FILE-OR-FOLDER...
//   memplan-fuzz-solve --random=COUNT --first=N   inputs of random bytes, from
//                                                 number N on

#include "Bytes.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

namespace fs = std::filesystem;

static void run(const std::string &name, const std::string &text) {
  // The last line names the input that ends the process.
  std::printf("%s\n", name.c_str());
  std::fflush(stdout);
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(text.data()),
                         text.size());
}

static void runRandom(unsigned long number) {
  std::mt19937 random(static_cast<uint32_t>(number));
  std::string text(random() % 400, '\0');
  for (char &byte : text)
    byte = static_cast<char>(random());
  run("random " + std::to_string(number), text);
}

int main(int argc, char **argv) {
  std::vector<fs::path> files;
  unsigned long count = 0, first = 0;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    if (word.rfind("--random=", 0) == 0) {
      count = std::strtoul(word.c_str() + 9, nullptr, 10);
    } else if (word.rfind("--first=", 0) == 0) {
      first = std::strtoul(word.c_str() + 8, nullptr, 10);
    } else if (!fs::is_directory(word)) {
      files.emplace_back(word);
    } else {
      for (const fs::directory_entry &entry : fs::directory_iterator(word))
        files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  for (const fs::path &file : files) {
    std::ifstream stream(file, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (!stream) {
      std::fprintf(stderr, "%s: cannot be read\n", file.c_str());
      return 2;
    }
    run(file.filename().string(), text);
  }
  for (unsigned long i = 0; i < count; ++i)
    runRandom(first + i);
  std::printf("%zu inputs\n", files.size() + count);
  return files.size() + count == 0 ? 2 : 0;
}
