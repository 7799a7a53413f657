//===- Core.cpp - The planner's core for C --------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan-c/Core.h"

#include "CatchErrors.h"
#include "Handles.h"
#include "memplan/Core/Bound.h"
#include "memplan/Core/CheckedMath.h"
#include "memplan/Core/Csv.h"
#include "memplan/Core/Interrupt.h"
#include "memplan/Core/Render.h"
#include "memplan/Core/Solver.h"
#include "memplan/Core/Verify.h"
#include "memplan/Core/Version.h"
#include "memplan/Report/Picture.h"
#include "memplan/Report/ReadReport.h"
#include "memplan/Report/Report.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>

using namespace memplan;
using namespace memplan::capi;

struct MemplanPlan {
  Plan plan;
};
struct MemplanIssues {
  std::vector<Issue> issues;
};
struct MemplanStop {
  std::atomic<bool> flag{false};
};

static_assert(sizeof(MemplanRange) == sizeof(LiveRange) &&
                  offsetof(MemplanRange, end) == offsetof(LiveRange, end),
              "a buffer's ranges are handed out as they are");
static_assert(std::atomic<bool>::is_always_lock_free,
              "memplanStop may be called in a signal handler");

//===----------------------------------------------------------------------===//
// Errors and texts
//===----------------------------------------------------------------------===//

static thread_local char lastError[512];

MemplanResult memplanFailWith(MemplanResult result,
                              const char *message) noexcept {
  std::snprintf(lastError, sizeof(lastError), "%s", message);
  return result;
}

const char *memplanLastError(void) { return lastError; }
const char *memplanVersion(void) { return version().data(); }
void memplanTextFree(char *text) { std::free(text); }

//===----------------------------------------------------------------------===//
// Problems
//===----------------------------------------------------------------------===//

MemplanProblem *memplanProblemCreate(void) {
  MemplanProblem *problem = nullptr;
  (void)catchErrors([&] {
    problem = new MemplanProblem;
    return MEMPLAN_OK;
  });
  return problem;
}

void memplanProblemDestroy(MemplanProblem *problem) { delete problem; }

MemplanResult memplanProblemParse(const char *text, size_t length,
                                  MemplanProblem **problem) {
  return catchErrors([&] {
    std::optional<std::string_view> view = viewText(text, length);
    if (!view || !problem)
      return badArgument("memplanProblemParse: a parameter is NULL");
    auto result = std::make_unique<MemplanProblem>();
    Plan plan;
    CsvError error;
    if (!parseCsv(*view, CsvOffsets::Pins, result->problem, plan, error))
      return memplanFailWith(
          MEMPLAN_BAD_TEXT,
          ("line " + std::to_string(error.line) + ": " + error.message)
              .c_str());
    *problem = result.release();
    return MEMPLAN_OK;
  });
}

MemplanResult memplanProblemAddBuffer(MemplanProblem *problem, const char *id,
                                      size_t idLength, int64_t size,
                                      int64_t alignment,
                                      const MemplanRange *ranges,
                                      size_t rangeCount, size_t *index) {
  return catchErrors([&] {
    std::optional<std::string_view> name = viewText(id, idLength);
    if (!problem || !name || !ranges)
      return badArgument("memplanProblemAddBuffer: a parameter is NULL");
    std::vector<Buffer> &buffers = problem->problem.buffers;
    if (buffers.size() >= UINT32_MAX)
      return badArgument("a problem has at most 2^32 - 1 buffers");
    if (rangeCount == 0)
      return badArgument("a buffer needs a live range");
    Buffer buffer;
    buffer.id = *name;
    buffer.size = size;
    buffer.alignment = alignment;
    for (size_t i = 0; i < rangeCount; ++i) {
      if (ranges[i].start >= ranges[i].end)
        return badArgument("live range [" + std::to_string(ranges[i].start) +
                           ", " + std::to_string(ranges[i].end) + ") is empty");
      buffer.ranges.push_back({ranges[i].start, ranges[i].end});
    }
    normalizeRanges(buffer.ranges);
    buffers.push_back(std::move(buffer));
    if (index)
      *index = buffers.size() - 1;
    return MEMPLAN_OK;
  });
}

/// MEMPLAN_OK if the problem has buffers with these indices, else an error.
static MemplanResult checkBuffers(const MemplanProblem *problem,
                                  std::initializer_list<size_t> indices) {
  if (!problem)
    return badArgument("the problem is NULL");
  for (size_t index : indices)
    if (index >= problem->problem.buffers.size())
      return badArgument("there is no buffer " + std::to_string(index) +
                         " among " +
                         std::to_string(problem->problem.buffers.size()));
  return MEMPLAN_OK;
}

/// Calls visit(field) for each field of the record that is a number.
template <typename Record, typename Visit>
static void forEachNumber(Visit &&visit) {
  forEachField<Record>([&](const auto &field) {
    using Value = typename std::decay_t<decltype(field)>::Value;
    if constexpr (std::is_same_v<Value, int64_t> ||
                  std::is_same_v<Value, std::optional<int64_t>>)
      visit(field);
  });
}

static int64_t fromNumber(std::optional<int64_t> number) {
  return number.value_or(MEMPLAN_ABSENT);
}
static bool setNumber(int64_t &number, int64_t value) {
  if (value != MEMPLAN_ABSENT)
    number = value;
  return value != MEMPLAN_ABSENT;
}
static bool setNumber(std::optional<int64_t> &number, int64_t value) {
  number = value;
  if (value == MEMPLAN_ABSENT)
    number.reset();
  return true;
}

/// Calls use(number) for the number of this name. It returns false if the
/// number is wrong.
template <typename Record, typename Use>
static MemplanResult useField(Record &record, const char *name, Use &&use) {
  std::string_view wanted(name ? name : "");
  std::optional<bool> isRight;
  forEachNumber<std::remove_const_t<Record>>([&](const auto &field) {
    if (wanted == field.name)
      isRight = use(record.*field.member);
  });
  if (!isRight)
    return badArgument("there is no field '" + std::string(wanted) + "'");
  return *isRight ? MEMPLAN_OK
                  : badArgument("field '" + std::string(wanted) +
                                "' cannot be absent");
}

const char *memplanBufferField(size_t number, int64_t *defaultValue) {
  const char *name = nullptr;
  size_t count = 0;
  forEachNumber<Buffer>([&](const auto &field) {
    if (count++ != number)
      return;
    name = field.name;
    if (defaultValue)
      *defaultValue = fromNumber(Buffer().*field.member);
  });
  return name;
}

MemplanResult memplanProblemSetBufferField(MemplanProblem *problem,
                                           size_t buffer, const char *field,
                                           int64_t value) {
  return catchErrors([&] {
    if (MemplanResult bad = checkBuffers(problem, {buffer}))
      return bad;
    return useField(problem->problem.buffers[buffer], field,
                    [&](auto &number) { return setNumber(number, value); });
  });
}

MemplanResult memplanProblemGetBufferField(const MemplanProblem *problem,
                                           size_t buffer, const char *field,
                                           int64_t *value) {
  return catchErrors([&] {
    if (MemplanResult bad = checkBuffers(problem, {buffer}))
      return bad;
    if (!value)
      return badArgument("memplanProblemGetBufferField: the result is NULL");
    return useField(problem->problem.buffers[buffer], field,
                    [&](const auto &number) {
                      *value = fromNumber(number);
                      return true;
                    });
  });
}

MemplanResult memplanProblemSetField(MemplanProblem *problem, const char *field,
                                     int64_t value) {
  return catchErrors([&] {
    if (MemplanResult bad = checkBuffers(problem, {}))
      return bad;
    return useField(problem->problem, field,
                    [&](auto &number) { return setNumber(number, value); });
  });
}

MemplanResult memplanProblemPin(MemplanProblem *problem, size_t buffer,
                                int64_t offset) {
  return memplanProblemSetBufferField(problem, buffer, "pin", offset);
}

/// Adds a pair of two buffers, whose other fields are those of `pair`.
template <typename Pair>
static MemplanResult addPair(MemplanProblem *problem,
                             std::vector<Pair> Problem::*list, size_t first,
                             size_t second, Pair pair = {}) {
  return catchErrors([&] {
    if (MemplanResult bad = checkBuffers(problem, {first, second}))
      return bad;
    pair.first = static_cast<BufferIndex>(first);
    pair.second = static_cast<BufferIndex>(second);
    (problem->problem.*list).push_back(pair);
    return MEMPLAN_OK;
  });
}

MemplanResult memplanProblemAddConflict(MemplanProblem *problem, size_t first,
                                        size_t second) {
  return addPair(problem, &Problem::conflicts, first, second);
}

MemplanResult memplanProblemAddOverlap(MemplanProblem *problem, size_t first,
                                       size_t second, int64_t minDelta,
                                       int64_t maxDelta) {
  return addPair(problem, &Problem::overlaps, first, second,
                 {0, 0, minDelta, maxDelta});
}

MemplanResult memplanProblemAddSoftConflict(MemplanProblem *problem,
                                            MemplanSoftConflict conflict) {
  if (conflict.kind != MEMPLAN_SOFT_BYTES && conflict.kind != MEMPLAN_SOFT_BANK)
    return catchErrors([&] {
      return badArgument("there is no kind " + std::to_string(conflict.kind) +
                         " of soft conflict");
    });
  bool isBank = conflict.kind == MEMPLAN_SOFT_BANK;
  return addPair(
      problem, &Problem::softConflicts, conflict.first, conflict.second,
      {0, 0, conflict.weight,
       isBank ? SoftConflict::Kind::Bank : SoftConflict::Kind::Bytes});
}

size_t memplanProblemSoftConflictCount(const MemplanProblem *problem) {
  return problem ? problem->problem.softConflicts.size() : 0;
}

MemplanResult memplanProblemGetSoftConflict(const MemplanProblem *problem,
                                            size_t index,
                                            MemplanSoftConflict *conflict) {
  return catchErrors([&] {
    if (!conflict)
      return badArgument("memplanProblemGetSoftConflict: the result is NULL");
    if (index >= memplanProblemSoftConflictCount(problem))
      return badArgument("there is no soft conflict " + std::to_string(index));
    const SoftConflict &from = problem->problem.softConflicts[index];
    *conflict = {from.first, from.second, from.weight,
                 from.kind == SoftConflict::Kind::Bank ? MEMPLAN_SOFT_BANK
                                                       : MEMPLAN_SOFT_BYTES};
    return MEMPLAN_OK;
  });
}

MemplanResult memplanProblemAddAllOrNone(MemplanProblem *problem, size_t first,
                                         size_t second) {
  return addPair(problem, &Problem::allOrNone, first, second);
}

size_t memplanProblemAllOrNoneCount(const MemplanProblem *problem) {
  return problem ? problem->problem.allOrNone.size() : 0;
}

MemplanResult memplanProblemGetAllOrNone(const MemplanProblem *problem,
                                         size_t index, size_t *first,
                                         size_t *second) {
  return catchErrors([&] {
    if (!first || !second)
      return badArgument("memplanProblemGetAllOrNone: a result is NULL");
    if (index >= memplanProblemAllOrNoneCount(problem))
      return badArgument("there is no pair of all or none " +
                         std::to_string(index));
    *first = problem->problem.allOrNone[index].first;
    *second = problem->problem.allOrNone[index].second;
    return MEMPLAN_OK;
  });
}

MemplanResult memplanProblemSetBankSize(MemplanProblem *problem,
                                        int64_t bytes) {
  return memplanProblemSetField(problem, "bank_size",
                                bytes == 0 ? MEMPLAN_ABSENT : bytes);
}

MemplanResult memplanProblemSetCapacity(MemplanProblem *problem,
                                        int64_t bytes) {
  return memplanProblemSetField(problem, "capacity",
                                bytes < 0 ? MEMPLAN_ABSENT : bytes);
}

MemplanResult memplanProblemSetArenaAlignment(MemplanProblem *problem,
                                              int64_t bytes) {
  return memplanProblemSetField(problem, "alignment", bytes);
}

size_t memplanProblemBufferCount(const MemplanProblem *problem) {
  return problem ? problem->problem.buffers.size() : 0;
}

MemplanResult memplanProblemGetBuffer(const MemplanProblem *problem,
                                      size_t index, MemplanBuffer *buffer) {
  return catchErrors([&] {
    if (MemplanResult bad = checkBuffers(problem, {index}))
      return bad;
    if (!buffer)
      return badArgument("memplanProblemGetBuffer: the buffer is NULL");
    const Buffer &from = problem->problem.buffers[index];
    buffer->id = from.id.c_str();
    buffer->idLength = from.id.size();
    buffer->size = from.size;
    buffer->alignment = from.alignment;
    buffer->ranges = reinterpret_cast<const MemplanRange *>(from.ranges.data());
    buffer->rangeCount = from.ranges.size();
    buffer->pinnedOffset = from.pinnedOffset.value_or(-1);
    return MEMPLAN_OK;
  });
}

/// MEMPLAN_OK if check() accepts the problem, else an error.
static MemplanResult checkProblem(const MemplanProblem *problem) {
  if (!problem)
    return badArgument("the problem is NULL");
  std::vector<Issue> issues = check(problem->problem, /*maxIssues=*/1);
  return issues.empty() ? MEMPLAN_OK : badArgument(issues.front().message);
}

MemplanResult memplanProblemLowerBound(const MemplanProblem *problem,
                                       int64_t *bytes) {
  return catchErrors([&] {
    if (!bytes)
      return badArgument("memplanProblemLowerBound: the result is NULL");
    if (MemplanResult bad = checkProblem(problem))
      return bad;
    *bytes = lowerBound(problem->problem);
    return MEMPLAN_OK;
  });
}

//===----------------------------------------------------------------------===//
// Issues
//===----------------------------------------------------------------------===//

void memplanIssuesDestroy(MemplanIssues *issues) { delete issues; }

size_t memplanIssuesCount(const MemplanIssues *issues) {
  return issues ? issues->issues.size() : 0;
}

const char *memplanIssuesMessage(const MemplanIssues *issues, size_t issue) {
  return issue < memplanIssuesCount(issues)
             ? issues->issues[issue].message.c_str()
             : nullptr;
}

const uint32_t *memplanIssuesBuffers(const MemplanIssues *issues, size_t issue,
                                     size_t *count) {
  bool exists = issue < memplanIssuesCount(issues);
  if (count)
    *count = exists ? issues->issues[issue].buffers.size() : 0;
  return exists ? issues->issues[issue].buffers.data() : nullptr;
}

MemplanResult memplanCheck(const MemplanProblem *problem, size_t maxIssues,
                           MemplanIssues **issues) {
  return catchErrors([&] {
    if (!problem || !issues)
      return badArgument("memplanCheck: a parameter is NULL");
    auto result = std::make_unique<MemplanIssues>();
    result->issues = check(problem->problem, maxIssues);
    *issues = result.release();
    return MEMPLAN_OK;
  });
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

MemplanResult memplanPlanCreate(const MemplanProblem *problem,
                                const int64_t *offsets, size_t count,
                                MemplanPlan **plan) {
  return catchErrors([&] {
    if (!problem || (!offsets && count) || !plan)
      return badArgument("memplanPlanCreate: a parameter is NULL");
    const std::vector<Buffer> &buffers = problem->problem.buffers;
    if (count != buffers.size())
      return badArgument(std::to_string(count) + " offsets for " +
                         std::to_string(buffers.size()) + " buffers");
    auto result = std::make_unique<MemplanPlan>();
    Plan &made = result->plan;
    made.status = PlanStatus::Feasible;
    made.strategy = "given";
    made.offsets.assign(offsets, offsets + count);
    made.arenaSize = arenaSizeOf(problem->problem, made.offsets);
    made.penalty = penaltyOf(problem->problem, made.offsets);
    *plan = result.release();
    return MEMPLAN_OK;
  });
}

void memplanPlanDestroy(MemplanPlan *plan) { delete plan; }

MemplanStatus memplanPlanStatus(const MemplanPlan *plan) {
  if (!plan)
    return MEMPLAN_INVALID;
  switch (plan->plan.status) {
  case PlanStatus::Optimal:
    return MEMPLAN_OPTIMAL;
  case PlanStatus::Feasible:
    return MEMPLAN_FEASIBLE;
  case PlanStatus::Infeasible:
    return MEMPLAN_INFEASIBLE;
  case PlanStatus::Limit:
    return MEMPLAN_LIMIT;
  case PlanStatus::Invalid:
    break;
  }
  return MEMPLAN_INVALID;
}

const int64_t *memplanPlanOffsets(const MemplanPlan *plan, size_t *count) {
  if (count)
    *count = plan ? plan->plan.offsets.size() : 0;
  return plan && plan->plan.hasOffsets() ? plan->plan.offsets.data() : nullptr;
}

int64_t memplanPlanArenaSize(const MemplanPlan *plan) {
  return plan ? plan->plan.arenaSize : 0;
}
int64_t memplanPlanLowerBound(const MemplanPlan *plan) {
  return plan ? plan->plan.lowerBound : 0;
}
int64_t memplanPlanPenalty(const MemplanPlan *plan) {
  return plan ? plan->plan.penalty : 0;
}
int64_t memplanPlanPenaltyBound(const MemplanPlan *plan) {
  return plan ? plan->plan.penaltyBound : 0;
}
int64_t memplanPlanNodes(const MemplanPlan *plan) {
  return plan ? plan->plan.nodes : 0;
}
const char *memplanPlanStrategy(const MemplanPlan *plan) {
  return plan ? plan->plan.strategy.c_str() : nullptr;
}
const char *memplanPlanMessage(const MemplanPlan *plan) {
  return plan ? plan->plan.message.c_str() : nullptr;
}

const char *memplanStatusName(MemplanStatus status) {
  switch (status) {
  case MEMPLAN_OPTIMAL:
    return statusName(PlanStatus::Optimal).data();
  case MEMPLAN_FEASIBLE:
    return statusName(PlanStatus::Feasible).data();
  case MEMPLAN_INFEASIBLE:
    return statusName(PlanStatus::Infeasible).data();
  case MEMPLAN_LIMIT:
    return statusName(PlanStatus::Limit).data();
  case MEMPLAN_INVALID:
    return statusName(PlanStatus::Invalid).data();
  case MEMPLAN_STATUS_MAX:
    break;
  }
  return nullptr;
}

MemplanResult memplanVerify(const MemplanProblem *problem,
                            const MemplanPlan *plan, size_t maxIssues,
                            MemplanIssues **issues) {
  return catchErrors([&] {
    if (!plan || !issues)
      return badArgument("memplanVerify: a parameter is NULL");
    if (MemplanResult bad = checkProblem(problem))
      return bad;
    auto result = std::make_unique<MemplanIssues>();
    result->issues = verify(problem->problem, plan->plan, maxIssues);
    *issues = result.release();
    return MEMPLAN_OK;
  });
}

//===----------------------------------------------------------------------===//
// Solving
//===----------------------------------------------------------------------===//

MemplanStop *memplanStopCreate(void) { return new (std::nothrow) MemplanStop; }
void memplanStopDestroy(MemplanStop *stop) { delete stop; }
void memplanStop(MemplanStop *stop) {
  if (stop)
    stop->flag = true;
}

void memplanSolveOptionsInit(MemplanSolveOptions *options) {
  if (options)
    *options = {"auto", "normal", -1, -1, 0, 1, 0, nullptr, nullptr, nullptr};
}

/// A limit in milliseconds that is longer than any run and does not overflow
/// the clock's nanoseconds.
static constexpr int64_t kLongestMs = INT64_MAX / 10000000;
static constexpr uint32_t kMostThreads = 1024;

static MemplanResult readOptions(const MemplanSolveOptions &from,
                                 SolveOptions &to) {
  std::optional<Strategy> strategy =
      parseStrategy(from.strategy ? from.strategy : "");
  if (!strategy)
    return badArgument("strategy '" +
                       std::string(from.strategy ? from.strategy : "") +
                       "' is not one of " + listStrategies());
  std::optional<Effort> effort = parseEffort(from.effort ? from.effort : "");
  if (!effort)
    return badArgument("effort '" +
                       std::string(from.effort ? from.effort : "") +
                       "' is not one of " + listEfforts());
  if (from.threads > kMostThreads)
    return badArgument("at most " + std::to_string(kMostThreads) + " threads");
  to.strategy = *strategy;
  to.effort = *effort;
  if (from.nodeLimit >= 0)
    to.nodeLimit = from.nodeLimit;
  if (from.timeLimitMs >= 0)
    to.timeLimitMs = std::min(from.timeLimitMs, kLongestMs);
  to.minimize = from.minimize != 0;
  to.seed = from.seed;
  to.threads = from.threads;
  if (from.progress)
    to.progress = [call = from.progress,
                   data = from.userData](const Progress &at) {
      call(at.arenaSize, at.lowerBound, at.nodes, data);
    };
  return MEMPLAN_OK;
}

MemplanResult memplanSolve(const MemplanProblem *problem,
                           const MemplanSolveOptions *options,
                           MemplanPlan **plan) {
  return catchErrors([&] {
    if (!problem || !plan)
      return badArgument("memplanSolve: a parameter is NULL");
    SolveOptions solveOptions;
    if (options)
      if (MemplanResult bad = readOptions(*options, solveOptions))
        return bad;
    auto result = std::make_unique<MemplanPlan>();
    result->plan =
        options && options->stop
            ? solve(problem->problem, solveOptions, options->stop->flag)
            : solve(problem->problem, solveOptions);
    *plan = result.release();
    return MEMPLAN_OK;
  });
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

MemplanResult memplanReport(const MemplanProblem *problem,
                            const MemplanPlan *plan, MemplanFormat format,
                            char **text, size_t *length) {
  return catchErrors([&] {
    if (!plan || !text)
      return badArgument("memplanReport: a parameter is NULL");
    if (MemplanResult bad = checkProblem(problem))
      return bad;
    const std::vector<Buffer> &buffers = problem->problem.buffers;
    const std::vector<int64_t> &offsets = plan->plan.offsets;
    // These formats also state why there is no plan.
    bool mayHaveNone = format == MEMPLAN_JSON || format == MEMPLAN_HTML ||
                       format == MEMPLAN_SVG || format == MEMPLAN_TEXT;
    if (offsets.size() != buffers.size() && !(mayHaveNone && offsets.empty()))
      return badArgument(std::to_string(offsets.size()) + " offsets for " +
                         std::to_string(buffers.size()) + " buffers");
    for (size_t i = 0; i < offsets.size(); ++i)
      if (offsets[i] < 0 || !checkedAdd(offsets[i], buffers[i].size))
        return badArgument("buffer '" + buffers[i].id + "' is at offset " +
                           std::to_string(offsets[i]));
    Report report;
    if (format != MEMPLAN_CSV && format != MEMPLAN_MAP)
      report = makeReport(
          problem->problem, plan->plan,
          parseStrategy(plan->plan.strategy).value_or(Strategy::Auto), "");
    std::string result;
    switch (format) {
    case MEMPLAN_CSV:
      if (std::string reason = whyNotCsv(problem->problem); !reason.empty())
        return badArgument("the problem " + reason + ", which CSV cannot say");
      result = formatCsv(problem->problem, plan->plan);
      break;
    case MEMPLAN_JSON:
      result = formatJson(report);
      break;
    case MEMPLAN_MAP:
      if (offsets.empty())
        return badArgument("there is nothing to draw");
      result = renderText(problem->problem, plan->plan);
      break;
    case MEMPLAN_SVG:
      result = formatSvg(report);
      break;
    case MEMPLAN_HTML:
      result = formatHtml(report);
      break;
    case MEMPLAN_TEXT:
      result = formatText(report);
      break;
    case MEMPLAN_FORMAT_MAX:
    default:
      return badArgument("there is no format " + std::to_string(format));
    }
    return returnText(result, text, length);
  });
}

MemplanResult memplanPage(MemplanPageKind kind, const char *json,
                          size_t jsonLength, char **text, size_t *length) {
  return catchErrors([&] {
    std::optional<std::string_view> view = viewText(json, jsonLength);
    if (!view || !text)
      return badArgument("memplanPage: a parameter is NULL");
    if (kind != MEMPLAN_PLAN_PAGE && kind != MEMPLAN_PROFILE_PAGE)
      return badArgument("there is no page " + std::to_string(kind));
    return returnText(kind == MEMPLAN_PLAN_PAGE ? makePlanPage(*view)
                                                : makeProfilePage(*view),
                      text, length);
  });
}

MemplanResult memplanArenaBytes(const char *report, size_t length,
                                const char *function, const char *memorySpace,
                                const MemplanSize *sizes, size_t count,
                                int64_t *bytes) {
  return catchErrors([&] {
    std::optional<std::string_view> view = viewText(report, length);
    if (!view || (!sizes && count) || !bytes)
      return badArgument("memplanArenaBytes: a parameter is NULL");
    std::vector<std::pair<std::string_view, int64_t>> values;
    for (size_t i = 0; i < count; ++i) {
      if (!sizes[i].name)
        return badArgument("memplanArenaBytes: a size has no name");
      values.emplace_back(sizes[i].name, sizes[i].value);
    }
    std::vector<ReportedProblem> arenas;
    TextError wrong;
    if (!parseReport(*view, arenas, wrong))
      return memplanFailWith(
          MEMPLAN_BAD_TEXT,
          ("line " + std::to_string(wrong.line) + ": " + wrong.message)
              .c_str());
    std::string space = memorySpace ? memorySpace : "0";
    const ReportedProblem *found = nullptr;
    for (const ReportedProblem &arena : arenas) {
      if (arena.name.loop || arena.name.memorySpace != space ||
          (function && arena.name.function != function))
        continue;
      if (found)
        return badArgument("the report has several arenas in memory space " +
                           space);
      found = &arena;
    }
    if (!found)
      return badArgument("the report has no such arena in memory space " +
                         space);
    std::string error;
    std::optional<int64_t> size = getArenaBytes(*found, values, error);
    if (!size)
      return badArgument(error);
    *bytes = *size;
    return MEMPLAN_OK;
  });
}
