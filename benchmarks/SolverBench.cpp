//===- SolverBench.cpp - Benchmark of all strategies ----------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints Markdown tables of every strategy on generated problems and on files.
// Each measurement of the first tables is a separate process, so that its
// memory can be measured. Times are processor time, as the solver runs on one
// thread and the machine may be shared.
//
//===----------------------------------------------------------------------===//

#include "Generators.h"
#include "QuadraticBestFit.h"
#include "memplan/Core/Bound.h"
#include "memplan/Core/Csv.h"
#include "memplan/Core/Solver.h"
#include "memplan/Core/Verify.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace memplan;
using namespace memplan::bench;

namespace {

struct Measurement {
  double ratio;
  double milliseconds;
  double megabytes;
  char status[16];
};

constexpr const char *quadratic = "quadratic best-fit";

/// The strategies of the tables; hill-climb and exact only for problems on
/// which they end soon.
std::vector<std::string> columns() {
  std::vector<std::string> names;
  for (Strategy strategy : allStrategies())
    names.emplace_back(strategyName(strategy));
  names.emplace_back(quadratic);
  return names;
}

int64_t sizeLimit(const std::string &column) {
  if (column == "hill-climb" || column == "exact")
    return 2000;
  return column == quadratic ? 20000 : INT64_MAX;
}

double processorMs() {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return 1e3 * double(time.tv_sec) + 1e-6 * double(time.tv_nsec);
}

Measurement measureHere(const Problem &problem, const std::string &column) {
  Measurement result = {};
  double start = processorMs();
  Plan plan;
  if (column == quadratic) {
    plan = quadraticBestFit(problem);
    result.milliseconds = processorMs() - start;
    plan.lowerBound = lowerBound(problem);
    if (!verify(problem, plan).empty())
      plan.status = PlanStatus::Invalid;
  } else {
    SolveOptions options;
    options.strategy = *parseStrategy(column);
    if (options.strategy == Strategy::Exact)
      options.nodeLimit = 100000;
    plan = solve(problem, options);
    result.milliseconds = processorMs() - start;
  }
  result.ratio = plan.lowerBound > 0
                     ? double(plan.arenaSize) / double(plan.lowerBound)
                     : 1.0;
  std::string status(statusName(plan.status));
  std::snprintf(result.status, sizeof(result.status), "%s", status.c_str());
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  result.megabytes = double(usage.ru_maxrss) / 1024;
  return result;
}

/// Measures in a child process; returns false if that fails.
template <typename Fn> bool inChild(Fn fn, Measurement &result) {
  int pipes[2];
  if (pipe(pipes) != 0)
    return false;
  std::fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    Measurement mine = fn();
    ssize_t written = write(pipes[1], &mine, sizeof(mine));
    _exit(written == ssize_t(sizeof(mine)) ? 0 : 1);
  }
  close(pipes[1]);
  ssize_t count = child > 0 ? read(pipes[0], &result, sizeof(result)) : 0;
  close(pipes[0]);
  int status = 0;
  if (child > 0)
    waitpid(child, &status, 0);
  return count == ssize_t(sizeof(result)) && status == 0;
}

bool measure(const Problem &problem, const std::string &column,
             Measurement &result) {
  return inChild([&] { return measureHere(problem, column); }, result);
}

void printHeader() {
  std::printf("| problem | buffers |");
  for (const std::string &column : columns())
    std::printf(" %s |", column.c_str());
  std::printf(" most memory |\n| --- | ---: |");
  for (size_t i = 0; i <= columns().size(); ++i)
    std::printf(" ---: |");
  std::printf("\n");
}

void printRow(const std::string &name, const Problem &problem) {
  std::printf("| %s | %zu |", name.c_str(), problem.buffers.size());
  double megabytes = 0;
  for (const std::string &column : columns()) {
    Measurement m;
    if (int64_t(problem.buffers.size()) > sizeLimit(column) ||
        !measure(problem, column, m)) {
      std::printf(" - |");
      continue;
    }
    megabytes = std::max(megabytes, m.megabytes);
    std::printf(" %s%.4f%s, %.4g ms |", m.ratio == 1 ? "**" : "", m.ratio,
                m.ratio == 1 ? "**" : "", m.milliseconds);
  }
  std::printf(" %.0f MB |\n", megabytes);
  std::fflush(stdout);
}

/// The median of an odd number of runs, after a warm-up run.
Measurement medianHere(const Problem &problem, const std::string &column,
                       int64_t runs) {
  measureHere(problem, column);
  std::vector<Measurement> all(runs);
  for (Measurement &one : all)
    one = measureHere(problem, column);
  auto middle = all.begin() + runs / 2;
  std::nth_element(all.begin(), middle, all.end(),
                   [](const Measurement &a, const Measurement &b) {
                     return a.milliseconds < b.milliseconds;
                   });
  return *middle;
}

/// Prints the microseconds for each buffer by problem size, which are about
/// constant for a near-linear strategy. Each process has solved its problem
/// before, so that small problems do not include a cold start.
void printGrowth(int64_t maxSize) {
  std::printf("\n| microseconds a buffer | order |");
  for (int64_t n = 1000; n <= maxSize; n *= 10)
    std::printf(" %lld |", static_cast<long long>(n));
  std::printf("\n| --- | --- |");
  for (int64_t n = 1000; n <= maxSize; n *= 10)
    std::printf(" ---: |");
  std::printf("\n");
  for (const std::string &family : families())
    for (const char *strategy :
         {"linear-scan", "greedy-by-size", "greedy-by-breadth", "best-fit"}) {
      std::printf("| %s | %s |", family.c_str(), strategy);
      for (int64_t n = 1000; n <= maxSize; n *= 10) {
        Problem problem = generate(family, n);
        // Small problems are fast and noisy, so they run more often.
        int64_t runs = std::clamp<int64_t>(300000 / n, 4, 300) | 1;
        Measurement m;
        if (inChild([&] { return medianHere(problem, strategy, runs); }, m))
          std::printf(" %.2f |",
                      1000 * m.milliseconds / double(problem.buffers.size()));
        else
          std::printf(" - |");
      }
      std::printf("\n");
      std::fflush(stdout);
    }
}

/// Prints results for tight problems at their capacity, over several seeds of
/// the search.
void printTight() {
  constexpr int seeds = 5;
  std::printf("| cut | buffers | taken out | mean ms | worst ms | missed |\n"
              "| --- | ---: | ---: | ---: | ---: | ---: |\n");
  const char *names[] = {"large", "pinwheels", "any"};
  for (Cut cut : {Cut::Large, Cut::Pinwheels, Cut::Any})
    for (int64_t percent : {0, 5, 10, 25})
      for (int64_t n : {100, 200, 300, 500}) {
        Problem problem = generateTight(cut, n, percent);
        double sum = 0, worst = 0;
        int missed = 0;
        for (int seed = 0; seed < seeds; ++seed) {
          SolveOptions options;
          options.strategy = Strategy::Exact;
          options.nodeLimit = 300000;
          options.seed = uint64_t(seed);
          double start = processorMs();
          missed += solve(problem, options).status == PlanStatus::Limit;
          double time = processorMs() - start;
          sum += time;
          worst = std::max(worst, time);
        }
        std::printf("| %s | %zu | %d %% | %.3g | %.3g | %d of %d |\n",
                    names[int(cut)], problem.buffers.size(), int(percent),
                    sum / seeds, worst, missed, seeds);
        std::fflush(stdout);
      }
}

/// Prints results of the default strategy for 1000 to 50000 buffers of 3 to 12
/// sizes. The search was not tuned on the seeds from 300 on.
void printFewSizes() {
  constexpr int64_t sizes[] = {3, 5, 8, 12};
  const struct {
    Lives lives;
    const char *name;
  } families[] = {{Lives::Uniform, "uniform"},
                  {Lives::Exponential, "exponential"},
                  {Lives::Mixed, "mixed"},
                  {Lives::Long, "long"}};
  const struct {
    std::vector<int64_t> counts;
    uint64_t firstSeed;
    int problems;
  } sets[] = {{{10000, 20000, 50000}, 0, 10},
              {{10000, 20000, 50000}, 100, 8},
              {{10000, 20000, 50000}, 300, 12},
              {{1000, 2000, 4000}, 300, 12}};
  std::printf("| times live | buffers | seeds | at the bound | mean ms | worst "
              "ms | the others |\n"
              "| --- | ---: | ---: | ---: | ---: | ---: | --- |\n");
  for (const auto &set : sets)
    for (const auto &family : families) {
      int met = 0;
      double sum = 0, most = 0;
      std::string others;
      // The first set has fewer problems with long times live.
      int problems =
          set.firstSeed == 0 && family.lives == Lives::Long ? 6 : set.problems;
      for (int i = 0; i < problems; ++i) {
        int64_t n = set.counts[size_t(i) % 3], k = sizes[i % 4];
        Problem problem =
            generateFewSizes(family.lives, n, k, set.firstSeed + uint64_t(i));
        double start = processorMs();
        Plan plan = solve(problem, SolveOptions());
        double time = processorMs() - start;
        if (plan.arenaSize == plan.lowerBound) {
          ++met;
          sum += time;
          most = std::max(most, time);
          continue;
        }
        char text[80];
        std::snprintf(text, sizeof(text), " %d-%d: %.4f, %.0f ms;", int(n),
                      int(k), double(plan.arenaSize) / double(plan.lowerBound),
                      time);
        others += text;
      }
      std::printf("| %s | %d to %d | %d to %d | %d of %d | %.0f | %.0f |%s |\n",
                  family.name, int(set.counts.front()), int(set.counts.back()),
                  int(set.firstSeed), int(set.firstSeed) + problems - 1, met,
                  problems, sum / std::max(1, met), most, others.c_str());
      std::fflush(stdout);
    }
}

/// The penalty that a loop around the plain solver reaches: it adds the soft
/// conflicts as conflicts, the heaviest first, as long as a plan fits.
int64_t penaltyOfLoop(const Problem &problem) {
  Problem plain = problem;
  plain.softConflicts.clear();
  SolveOptions options;
  options.effort = Effort::Low;
  Plan best = solve(plain, options);
  std::vector<SoftConflict> order = problem.softConflicts;
  std::stable_sort(order.begin(), order.end(),
                   [](const SoftConflict &a, const SoftConflict &b) {
                     return a.weight > b.weight;
                   });
  for (const SoftConflict &soft : order) {
    plain.conflicts.push_back({soft.first, soft.second});
    Plan plan = solve(plain, options);
    if (plan.hasOffsets() && plan.arenaSize <= *problem.capacity)
      best = std::move(plan);
    else
      plain.conflicts.pop_back();
  }
  return penaltyOf(problem, best.offsets);
}

/// The nodes of exact search that take about a second.
constexpr int64_t kNodesOfASecond = 100000;

/// The least penalty, if exact search proves it in about a second. Without a
/// plan there is none.
std::optional<int64_t> provePenalty(const Problem &problem) {
  SolveOptions options;
  options.strategy = Strategy::Exact;
  options.nodeLimit = kNodesOfASecond;
  Plan plan = solve(problem, options);
  if (!plan.hasOffsets() || plan.arenaSize > *problem.capacity ||
      plan.penalty != plan.penaltyBound)
    return std::nullopt;
  return plan.penalty;
}

/// Prints results of the default strategy where sharing costs: how often the
/// penalty is proven the least, and the plan optimal, and the time.
void printSharing() {
  constexpr int problems = 200;
  const char *names[] = {"soft conflicts", "with banks", "with all or none"};
  std::printf(
      "| problems | least penalty | optimal | proven by exact search of a "
      "second | of these reached | sum of penalties | sum of bounds | by a "
      "loop "
      "| mean ms | worst ms |\n"
      "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: "
      "|\n");
  for (Sharing features : {Sharing::Soft, Sharing::Banks, Sharing::AllOrNone}) {
    int least = 0, optimal = 0, proven = 0, reached = 0;
    int64_t penalties = 0, bounds = 0, loop = 0;
    double sum = 0, worst = 0;
    for (uint64_t seed = 0; seed < problems; ++seed) {
      Problem problem = generateSharing(features, seed);
      problem.capacity = sharingCapacity(problem, seed);
      double start = processorMs();
      Plan plan = solve(problem, SolveOptions());
      double time = processorMs() - start;
      sum += time;
      worst = std::max(worst, time);
      least += plan.status == PlanStatus::Infeasible ||
               (plan.status != PlanStatus::Limit &&
                plan.penalty == plan.penaltyBound);
      optimal += plan.status == PlanStatus::Optimal ||
                 plan.status == PlanStatus::Infeasible;
      penalties += plan.penalty;
      bounds += plan.penaltyBound;
      if (std::optional<int64_t> exact = provePenalty(problem)) {
        ++proven;
        reached += plan.hasOffsets() && plan.penalty == *exact &&
                   plan.arenaSize <= *problem.capacity;
      }
      if (features == Sharing::Soft)
        loop += penaltyOfLoop(problem);
    }
    std::printf(
        "| %s | %d of %d | %d | %d | %d | %lld | %lld | %s | %.0f | %.0f |\n",
        names[int(features)], least, problems, optimal, proven, reached,
        static_cast<long long>(penalties), static_cast<long long>(bounds),
        loop > 0 ? std::to_string(loop).c_str() : "-", sum / problems, worst);
    std::fflush(stdout);
  }
}

bool readFile(const char *path, std::string &text) {
  FILE *file = std::fopen(path, "rb");
  if (!file)
    return false;
  char buffer[1 << 16];
  size_t count;
  while ((count = std::fread(buffer, 1, sizeof(buffer), file)) > 0)
    text.append(buffer, count);
  std::fclose(file);
  return true;
}

} // namespace

static constexpr const char *usage =
    "usage: memplan-solver-bench [OPTION] [FILE.csv...]\n"
    "\n"
    "Prints Markdown tables of every strategy on the given problems and on\n"
    "generated ones: the arena relative to the lower bound, processor time,\n"
    "and memory.\n"
    "\n"
    "  --max-size=N  the most buffers of a generated problem (default 10^6)\n"
    "  --growth      only the growth of time with the number of buffers\n"
    "  --tight       only the exact strategy on tight problems\n"
    "  --few-sizes   only the default strategy on large problems of few sizes\n"
    "  --sharing     only problems in which sharing costs\n"
    "  --help        print this text\n";

int main(int argc, char **argv) {
  int64_t maxSize = 1000000;
  bool onlyGrowth = false, onlyTight = false, onlyFewSizes = false;
  bool onlySharing = false;
  std::vector<const char *> files;
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], "--max-size=", 11) == 0)
      maxSize = std::atoll(argv[i] + 11);
    else if (std::strcmp(argv[i], "--growth") == 0)
      onlyGrowth = true;
    else if (std::strcmp(argv[i], "--tight") == 0)
      onlyTight = true;
    else if (std::strcmp(argv[i], "--few-sizes") == 0)
      onlyFewSizes = true;
    else if (std::strcmp(argv[i], "--sharing") == 0)
      onlySharing = true;
    else if (std::strcmp(argv[i], "--help") == 0) {
      std::fputs(usage, stdout);
      return 0;
    } else if (argv[i][0] == '-') {
      std::fprintf(stderr, "error: unknown option '%s'\n%s", argv[i], usage);
      return 1;
    } else
      files.push_back(argv[i]);
  }
  if (onlyGrowth) {
    printGrowth(maxSize);
    return 0;
  }
  if (onlyTight) {
    printTight();
    return 0;
  }
  if (onlyFewSizes) {
    printFewSizes();
    return 0;
  }
  if (onlySharing) {
    printSharing();
    return 0;
  }
  printHeader();
  for (const char *path : files) {
    std::string text;
    Problem problem;
    Plan plan;
    CsvError error;
    if (!readFile(path, text) ||
        !parseCsv(text, CsvOffsets::Pins, problem, plan, error)) {
      std::fprintf(stderr, "%s:%zu: error: %s\n", path, error.line,
                   error.message.c_str());
      return 1;
    }
    const char *slash = std::strrchr(path, '/');
    printRow(slash ? slash + 1 : path, problem);
  }
  for (const std::string &family : families())
    for (int64_t n = 100; n <= maxSize; n *= 10)
      printRow(family, generate(family, n));
  printGrowth(maxSize);
  return 0;
}
