/*===- core.c - The C API of the planner's core ---------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===*/

#include "memplan-c/Core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      printf("line %d: %s\n  last error: %s\n", __LINE__, #condition,          \
             memplanLastError());                                              \
      ++failures;                                                              \
    }                                                                          \
  } while (0)
#define OK(call) CHECK((call) == MEMPLAN_OK)
/* The call returns `result`, and its error message contains `words`. */
#define FAILS(result, words, call)                                             \
  do {                                                                         \
    CHECK((call) == (result));                                                 \
    CHECK(strstr(memplanLastError(), words) != NULL);                          \
  } while (0)

static size_t add(MemplanProblem *problem, const char *id, int64_t size,
                  int64_t start, int64_t end) {
  MemplanRange range;
  size_t index = 99;
  range.start = start;
  range.end = end;
  OK(memplanProblemAddBuffer(problem, id, strlen(id), size, 1, &range, 1,
                             &index));
  return index;
}

/* a and c may share bytes; b is live at the same time as each of them. */
static MemplanProblem *threeBuffers(void) {
  MemplanProblem *problem = memplanProblemCreate();
  CHECK(add(problem, "a", 64, 0, 3) == 0);
  CHECK(add(problem, "b", 32, 2, 6) == 1);
  CHECK(add(problem, "c", 64, 5, 9) == 2);
  return problem;
}

static void solvesAndVerifies(void) {
  MemplanProblem *problem = threeBuffers();
  MemplanPlan *plan = NULL;
  MemplanIssues *issues = NULL;
  MemplanSolveOptions options;
  size_t count = 0;
  int64_t bound = 0;
  const int64_t *offsets;
  memplanSolveOptionsInit(&options);
  options.strategy = "exact";
  OK(memplanSolve(problem, &options, &plan));
  CHECK(memplanPlanStatus(plan) == MEMPLAN_OPTIMAL);
  CHECK(strcmp(memplanStatusName(memplanPlanStatus(plan)), "optimal") == 0);
  CHECK(memplanPlanArenaSize(plan) == 96);
  CHECK(memplanPlanLowerBound(plan) == 96);
  CHECK(strcmp(memplanPlanStrategy(plan), "exact") == 0);
  offsets = memplanPlanOffsets(plan, &count);
  CHECK(count == 3 && offsets[0] == offsets[2] && offsets[1] != offsets[0]);
  OK(memplanProblemLowerBound(problem, &bound));
  CHECK(bound == 96);
  OK(memplanVerify(problem, plan, 16, &issues));
  CHECK(memplanIssuesCount(issues) == 0);
  memplanIssuesDestroy(issues);
  memplanPlanDestroy(plan);
  memplanProblemDestroy(problem);
}

/* With a capacity of 13 the first order is taken, with `minimize` the least
 * arena. */
static void minimizesBelowTheCapacity(void) {
  const int64_t sizes[] = {3, 4, 2, 1, 5, 3, 1};
  const int64_t starts[] = {9, 1, 7, 1, 6, 0, 3};
  const int64_t ends[] = {10, 5, 11, 5, 10, 4, 8};
  MemplanProblem *problem = memplanProblemCreate();
  MemplanPlan *plan = NULL;
  MemplanSolveOptions options;
  char name[2] = "a";
  size_t i;
  for (i = 0; i < 7; ++i, ++name[0])
    add(problem, name, sizes[i], starts[i], ends[i]);
  OK(memplanProblemSetCapacity(problem, 13));
  memplanSolveOptionsInit(&options);
  CHECK(options.minimize == 0);
  OK(memplanSolve(problem, &options, &plan));
  CHECK(memplanPlanArenaSize(plan) == 11);
  memplanPlanDestroy(plan);
  options.minimize = 1;
  OK(memplanSolve(problem, &options, &plan));
  CHECK(memplanPlanArenaSize(plan) == 10);
  CHECK(memplanPlanStatus(plan) == MEMPLAN_OPTIMAL);
  memplanPlanDestroy(plan);
  memplanProblemDestroy(problem);
}

/* The error is that of the last call that can fail. */
static void forgetsTheErrorAfterSuccess(void) {
  MemplanProblem *problem = memplanProblemCreate();
  FAILS(MEMPLAN_BAD_ARGUMENT, "there is no buffer",
        memplanProblemPin(problem, 0, 0));
  CHECK(memplanProblemBufferCount(problem) == 0);
  memplanProblemDestroy(NULL);
  CHECK(strcmp(memplanLastError(), "") != 0);
  OK(memplanProblemSetCapacity(problem, 64));
  CHECK(strcmp(memplanLastError(), "") == 0);
  memplanProblemDestroy(problem);
}

static void findsWhatIsWrongWithAPlan(void) {
  MemplanProblem *problem = threeBuffers();
  MemplanPlan *plan = NULL;
  MemplanIssues *issues = NULL;
  const int64_t clash[] = {0, 32, 0};
  size_t count = 0;
  const uint32_t *buffers;
  OK(memplanPlanCreate(problem, clash, 3, &plan));
  CHECK(memplanPlanArenaSize(plan) == 64);
  OK(memplanVerify(problem, plan, 1, &issues));
  CHECK(memplanIssuesCount(issues) == 1);
  CHECK(strstr(memplanIssuesMessage(issues, 0), "share bytes [32, 64)"));
  buffers = memplanIssuesBuffers(issues, 0, &count);
  CHECK(count == 2 && buffers[0] + buffers[1] == 1);
  CHECK(memplanIssuesMessage(issues, 1) == NULL);
  memplanIssuesDestroy(issues);
  memplanPlanDestroy(plan);
  plan = NULL;
  FAILS(MEMPLAN_BAD_ARGUMENT, "2 offsets for 3 buffers",
        memplanPlanCreate(problem, clash, 2, &plan));
  CHECK(plan == NULL);
  memplanProblemDestroy(problem);
}

static void statesWhatTheProblemAsks(void) {
  MemplanProblem *problem = threeBuffers();
  MemplanPlan *plan = NULL;
  MemplanBuffer buffer;
  size_t count = 0;
  OK(memplanProblemAddConflict(problem, 0, 2));
  OK(memplanProblemAddOverlap(problem, 0, 1, 0, 0));
  OK(memplanProblemPin(problem, 2, 128));
  OK(memplanSolve(problem, NULL, &plan));
  CHECK(memplanPlanOffsets(plan, &count)[2] == 128);
  CHECK(memplanPlanArenaSize(plan) == 192);
  memplanPlanDestroy(plan);
  OK(memplanProblemGetBuffer(problem, 2, &buffer));
  CHECK(buffer.idLength == 1 && buffer.id[0] == 'c' && buffer.id[1] == 0);
  CHECK(buffer.size == 64 && buffer.alignment == 1);
  CHECK(buffer.rangeCount == 1 && buffer.ranges[0].start == 5);
  CHECK(buffer.pinnedOffset == 128);
  OK(memplanProblemGetBuffer(problem, 0, &buffer));
  CHECK(buffer.pinnedOffset == -1);
  CHECK(memplanProblemBufferCount(problem) == 3);

  OK(memplanProblemSetCapacity(problem, 100));
  OK(memplanSolve(problem, NULL, &plan));
  CHECK(memplanPlanStatus(plan) == MEMPLAN_INFEASIBLE);
  CHECK(memplanPlanOffsets(plan, &count) == NULL && count == 0);
  CHECK(strlen(memplanPlanMessage(plan)) > 0);
  memplanPlanDestroy(plan);
  OK(memplanProblemSetCapacity(problem, -1));
  OK(memplanProblemSetArenaAlignment(problem, 4096));
  OK(memplanSolve(problem, NULL, &plan));
  CHECK(memplanPlanStatus(plan) == MEMPLAN_OPTIMAL);
  memplanPlanDestroy(plan);
  memplanProblemDestroy(problem);
}

/* Every number of a buffer is set and read by its name. */
static void setsFieldsByName(void) {
  MemplanProblem *problem = threeBuffers();
  const char *field;
  int64_t value = 0, initial = 0;
  size_t count = 0;
  while ((field = memplanBufferField(count, &initial)) != NULL) {
    OK(memplanProblemSetBufferField(problem, 1, field, 32 + (int64_t)count));
    OK(memplanProblemGetBufferField(problem, 1, field, &value));
    CHECK(value == 32 + (int64_t)count);
    OK(memplanProblemGetBufferField(problem, 2, field, &value));
    CHECK(value == initial || !strcmp(field, "size"));
    ++count;
  }
  CHECK(count >= 3);
  OK(memplanProblemSetBufferField(problem, 1, "pin", MEMPLAN_ABSENT));
  OK(memplanProblemGetBufferField(problem, 1, "pin", &value));
  CHECK(value == MEMPLAN_ABSENT);
  FAILS(MEMPLAN_BAD_ARGUMENT, "field 'size' cannot be absent",
        memplanProblemSetBufferField(problem, 1, "size", MEMPLAN_ABSENT));
  FAILS(MEMPLAN_BAD_ARGUMENT, "no field 'offset'",
        memplanProblemSetBufferField(problem, 1, "offset", 4));
  FAILS(MEMPLAN_BAD_ARGUMENT, "no field 'cuts'",
        memplanProblemSetField(problem, "cuts", 4));
  FAILS(MEMPLAN_BAD_ARGUMENT, "no buffer 3",
        memplanProblemGetBufferField(problem, 3, "size", &value));
  memplanProblemDestroy(problem);
}

static void paysForSharing(void) {
  MemplanProblem *problem = threeBuffers();
  MemplanPlan *plan = NULL;
  MemplanSoftConflict conflict = {0, 2, 5, MEMPLAN_SOFT_BYTES};
  MemplanSoftConflict none = {0, 9, 5, MEMPLAN_SOFT_BYTES};
  size_t first = 9, second = 9;
  OK(memplanProblemAddSoftConflict(problem, conflict));
  FAILS(MEMPLAN_BAD_ARGUMENT, "no buffer 9",
        memplanProblemAddSoftConflict(problem, none));
  OK(memplanProblemAddAllOrNone(problem, 0, 2));
  CHECK(memplanProblemSoftConflictCount(problem) == 1);
  conflict.weight = 0;
  OK(memplanProblemGetSoftConflict(problem, 0, &conflict));
  CHECK(conflict.first == 0 && conflict.second == 2 && conflict.weight == 5);
  CHECK(memplanProblemAllOrNoneCount(problem) == 1);
  OK(memplanProblemGetAllOrNone(problem, 0, &first, &second));
  CHECK(first == 0 && second == 2);
  FAILS(MEMPLAN_BAD_ARGUMENT, "all or none 1",
        memplanProblemGetAllOrNone(problem, 1, &first, &second));
  OK(memplanSolve(problem, NULL, &plan));
  CHECK(memplanPlanPenalty(plan) == 0);
  memplanPlanDestroy(plan);
  OK(memplanProblemSetCapacity(problem, 96));
  OK(memplanSolve(problem, NULL, &plan));
  CHECK(memplanPlanPenalty(plan) == 5 && memplanPlanPenaltyBound(plan) == 5);
  memplanPlanDestroy(plan);
  OK(memplanProblemSetBankSize(problem, 64));
  OK(memplanProblemSetCapacity(problem, -1));
  OK(memplanSolve(problem, NULL, &plan));
  CHECK(memplanPlanPenalty(plan) == 0 && memplanPlanArenaSize(plan) == 160);
  memplanPlanDestroy(plan);
  memplanProblemDestroy(problem);
}

static void refusesWrongProblems(void) {
  MemplanProblem *problem = memplanProblemCreate();
  MemplanPlan *plan = NULL;
  MemplanIssues *issues = NULL;
  MemplanRange ranges[] = {{7, 9}, {0, 3}, {2, 5}};
  MemplanRange empty = {4, 4};
  MemplanBuffer buffer;
  int64_t bound = -1;
  char *text = NULL;
  /* Ranges may be in any order: they are sorted and joined. */
  OK(memplanProblemAddBuffer(problem, "a", 1, 8, 1, ranges, 3, NULL));
  OK(memplanProblemGetBuffer(problem, 0, &buffer));
  CHECK(buffer.rangeCount == 2 && buffer.ranges[0].end == 5);
  FAILS(MEMPLAN_BAD_ARGUMENT, "[4, 4) is empty",
        memplanProblemAddBuffer(problem, "b", 1, 8, 1, &empty, 1, NULL));
  FAILS(MEMPLAN_BAD_ARGUMENT, "live range",
        memplanProblemAddBuffer(problem, "b", 1, 8, 1, ranges, 0, NULL));
  CHECK(memplanProblemBufferCount(problem) == 1);
  FAILS(MEMPLAN_BAD_ARGUMENT, "no buffer 1 among 1",
        memplanProblemAddConflict(problem, 0, 1));
  FAILS(MEMPLAN_BAD_ARGUMENT, "no buffer", memplanProblemPin(problem, 9, 0));
  /* Only memplanCheck checks sizes and alignments. */
  OK(memplanProblemAddBuffer(problem, "b", 1, -8, 3, ranges, 1, NULL));
  OK(memplanCheck(problem, 16, &issues));
  CHECK(memplanIssuesCount(issues) >= 1);
  memplanIssuesDestroy(issues);
  OK(memplanSolve(problem, NULL, &plan));
  CHECK(memplanPlanStatus(plan) == MEMPLAN_INVALID);
  FAILS(MEMPLAN_BAD_ARGUMENT, "", memplanProblemLowerBound(problem, &bound));
  CHECK(bound == -1);
  FAILS(MEMPLAN_BAD_ARGUMENT, "",
        memplanReport(problem, plan, MEMPLAN_JSON, &text, NULL));
  CHECK(text == NULL);
  memplanPlanDestroy(plan);
  memplanProblemDestroy(problem);
}

static void survivesHugeNumbers(void) {
  MemplanProblem *problem = memplanProblemCreate();
  MemplanPlan *plan = NULL;
  MemplanIssues *issues = NULL;
  MemplanRange range = {INT64_MIN, INT64_MAX};
  const int64_t offsets[] = {INT64_MAX};
  char *text = NULL;
  OK(memplanProblemAddBuffer(problem, NULL, 0, INT64_MAX, 1, &range, 1, NULL));
  OK(memplanPlanCreate(problem, offsets, 1, &plan));
  CHECK(memplanPlanArenaSize(plan) == INT64_MAX);
  memplanCheck(problem, 16, &issues);
  memplanIssuesDestroy(issues);
  issues = NULL;
  memplanVerify(problem, plan, 16, &issues);
  memplanIssuesDestroy(issues);
  FAILS(MEMPLAN_BAD_ARGUMENT, "",
        memplanReport(problem, plan, MEMPLAN_SVG, &text, NULL));
  /* No text is so long: the library catches the exception. */
  FAILS(MEMPLAN_NO_RESOURCES, "",
        memplanProblemAddBuffer(problem, "x", SIZE_MAX - 8, 1, 1, &range, 1,
                                NULL));
  CHECK(memplanProblemBufferCount(problem) == 1);
  memplanPlanDestroy(plan);
  memplanProblemDestroy(problem);
}

static void takesNull(void) {
  MemplanProblem *problem = threeBuffers();
  MemplanPlan *plan = NULL;
  MemplanIssues *issues = NULL;
  MemplanSolveOptions options;
  char *text = NULL;
  size_t count = 7;
  memplanProblemDestroy(NULL);
  memplanPlanDestroy(NULL);
  memplanIssuesDestroy(NULL);
  memplanStopDestroy(NULL);
  memplanStop(NULL);
  memplanTextFree(NULL);
  memplanSolveOptionsInit(NULL);
  FAILS(MEMPLAN_BAD_ARGUMENT, "NULL", memplanSolve(NULL, NULL, &plan));
  FAILS(MEMPLAN_BAD_ARGUMENT, "NULL", memplanSolve(problem, NULL, NULL));
  FAILS(MEMPLAN_BAD_ARGUMENT, "NULL", memplanCheck(NULL, 1, &issues));
  FAILS(MEMPLAN_BAD_ARGUMENT, "NULL", memplanVerify(problem, NULL, 1, &issues));
  FAILS(MEMPLAN_BAD_ARGUMENT, "NULL",
        memplanReport(problem, NULL, MEMPLAN_CSV, &text, NULL));
  FAILS(MEMPLAN_BAD_ARGUMENT, "NULL", memplanProblemPin(NULL, 0, 0));
  FAILS(MEMPLAN_BAD_ARGUMENT, "NULL",
        memplanProblemSetField(NULL, "capacity", 0));
  FAILS(MEMPLAN_BAD_ARGUMENT, "NULL",
        memplanProblemAddBuffer(problem, NULL, 1, 1, 1, NULL, 1, NULL));
  CHECK(memplanPlanOffsets(NULL, &count) == NULL && count == 0);
  CHECK(memplanPlanStatus(NULL) == MEMPLAN_INVALID);
  CHECK(memplanPlanStrategy(NULL) == NULL);
  CHECK(memplanIssuesMessage(NULL, 0) == NULL);
  CHECK(memplanProblemBufferCount(NULL) == 0);
  CHECK(memplanStatusName((MemplanStatus)77) == NULL);
  memplanSolveOptionsInit(&options);
  options.strategy = "magic";
  FAILS(MEMPLAN_BAD_ARGUMENT,
        "'magic' is not one of naive, linear-scan, greedy, ",
        memplanSolve(problem, &options, &plan));
  memplanSolveOptionsInit(&options);
  options.effort = NULL;
  FAILS(MEMPLAN_BAD_ARGUMENT, "effort '' is not one of low, normal, high",
        memplanSolve(problem, &options, &plan));
  memplanSolveOptionsInit(&options);
  options.threads = 5000;
  FAILS(MEMPLAN_BAD_ARGUMENT, "threads",
        memplanSolve(problem, &options, &plan));
  CHECK(plan == NULL && issues == NULL && text == NULL);
  memplanProblemDestroy(problem);
}

static void writesReports(void) {
  MemplanProblem *problem = threeBuffers(), *again = NULL;
  MemplanPlan *plan = NULL, *unplanned = NULL;
  char *text = NULL;
  size_t length = 0;
  OK(memplanSolve(problem, NULL, &plan));
  OK(memplanReport(problem, plan, MEMPLAN_CSV, &text, &length));
  CHECK(strlen(text) == length && strstr(text, "offset"));
  OK(memplanProblemParse(text, length, &again));
  CHECK(memplanProblemBufferCount(again) == 3);
  memplanTextFree(text);
  text = NULL;
  OK(memplanProblemAddConflict(again, 0, 2));
  FAILS(MEMPLAN_BAD_ARGUMENT, "has 1 conflicts and 0 overlaps",
        memplanReport(again, plan, MEMPLAN_CSV, &text, NULL));
  OK(memplanReport(problem, plan, MEMPLAN_JSON, &text, NULL));
  CHECK(text[0] == '{' && strstr(text, "\"arena_bytes\""));
  memplanTextFree(text);
  OK(memplanReport(problem, plan, MEMPLAN_SVG, &text, NULL));
  CHECK(strstr(text, "<svg"));
  memplanTextFree(text);
  OK(memplanReport(problem, plan, MEMPLAN_MAP, &text, NULL));
  memplanTextFree(text);
  text = NULL;
  FAILS(MEMPLAN_BAD_ARGUMENT, "no format 12",
        memplanReport(problem, plan, (MemplanFormat)12, &text, NULL));
  /* A plan without offsets has reports that tell the reason, but no SVG map. */
  OK(memplanProblemSetCapacity(problem, 1));
  OK(memplanSolve(problem, NULL, &unplanned));
  FAILS(MEMPLAN_BAD_ARGUMENT, "0 offsets",
        memplanReport(problem, unplanned, MEMPLAN_MAP, &text, NULL));
  OK(memplanReport(problem, unplanned, MEMPLAN_HTML, &text, NULL));
  CHECK(strstr(text, "infeasible"));
  memplanTextFree(text);
  OK(memplanReport(problem, unplanned, MEMPLAN_JSON, &text, NULL));
  CHECK(strstr(text, "infeasible"));
  memplanTextFree(text);
  memplanPlanDestroy(unplanned);
  memplanPlanDestroy(plan);
  memplanProblemDestroy(again);
  again = NULL;
  FAILS(MEMPLAN_BAD_TEXT, "line 2",
        memplanProblemParse("id,lower,upper,size\nx,1,0,4\n", 28, &again));
  FAILS(MEMPLAN_BAD_TEXT, "", memplanProblemParse(NULL, 0, &again));
  CHECK(again == NULL);
  memplanProblemDestroy(problem);
}

struct Seen {
  int calls;
  MemplanStop *stop;
};

static void onProgress(int64_t arena, int64_t bound, int64_t nodes,
                       void *data) {
  struct Seen *seen = data;
  CHECK(arena >= bound && nodes >= 0);
  if (++seen->calls == 2)
    memplanStop(seen->stop);
}

/* A callback stops the search of a hard problem, and there is a plan. */
static void stopsASolve(void) {
  MemplanProblem *problem = memplanProblemCreate();
  MemplanPlan *plan = NULL;
  MemplanIssues *issues = NULL;
  MemplanSolveOptions options;
  struct Seen seen;
  MemplanRange range;
  uint32_t random = 1;
  int64_t size;
  int i;
  char id[16];
  for (i = 0; i < 200; ++i) {
    random = random * 1664525u + 1013904223u;
    range.start = random >> 25;
    random = random * 1664525u + 1013904223u;
    size = 1 + (random >> 27);
    random = random * 1664525u + 1013904223u;
    range.end = range.start + 1 + (random >> 27);
    random = random * 1664525u + 1013904223u;
    snprintf(id, sizeof(id), "b%d", i);
    OK(memplanProblemAddBuffer(problem, id, strlen(id), size,
                               1 << (random >> 30) * 2, &range, 1, NULL));
  }
  seen.calls = 0;
  seen.stop = memplanStopCreate();
  memplanSolveOptionsInit(&options);
  options.strategy = "exact";
  options.stop = seen.stop;
  options.progress = onProgress;
  options.userData = &seen;
  OK(memplanSolve(problem, &options, &plan));
  CHECK(seen.calls >= 2);
  CHECK(memplanPlanStatus(plan) == MEMPLAN_LIMIT);
  CHECK(strstr(memplanPlanMessage(plan), "interruption"));
  OK(memplanVerify(problem, plan, 1, &issues));
  CHECK(memplanIssuesCount(issues) == 0);
  memplanIssuesDestroy(issues);
  memplanPlanDestroy(plan);
  memplanStopDestroy(seen.stop);
  memplanProblemDestroy(problem);
}

/* What a report says of an arena of two sizes: b lies above a. */
static const char sized[] =
    "{\"arenas\": [{\"function\": \"f\", \"memory_space\": \"0\", "
    "\"arena_bytes\": 68, \"slots\": ["
    "{\"name\": \"a\", \"size\": 4, \"formula\": \"4 * n\", \"alignment\": "
    "64, \"live\": [[0, 2]]}, {\"name\": \"b\", \"size\": 4, \"formula\": "
    "\"4 * m\", \"alignment\": 64, \"live\": [[1, 3]]}], \"sizes\": {"
    "\"symbols\": [{\"name\": \"n\", \"least\": 0}, {\"name\": \"m\", "
    "\"least\": 0, \"greatest\": 64, \"multiple_of\": 8}], \"places\": ["
    "{\"slots\": [\"a\"], \"alignment\": 64, \"from\": 0, \"above\": []}, "
    "{\"slots\": [\"b\"], \"alignment\": 64, \"from\": 0, \"above\": "
    "[0]}]}}]}";

static MemplanResult sizeOf(int64_t n, int64_t m, int64_t *bytes) {
  MemplanSize sizes[] = {{"m", 0}, {"n", 0}};
  sizes[0].value = m;
  sizes[1].value = n;
  return memplanArenaBytes(sized, strlen(sized), "f", NULL, sizes, 2, bytes);
}

static void computesArenaBytes(void) {
  const MemplanSize twice[] = {{"n", 1}, {"n", 1}}, other[] = {{"k", 1}};
  const char fixed[] = "{\"arenas\": [{\"arena_bytes\": 128, \"slots\": []}]}";
  const char loop[] = "{\"arenas\": [{\"slots\": [], \"sizes\": {\"places\": "
                      "[{\"slots\": [\"a\"], \"alignment\": 1}]}}]}";
  int64_t bytes = -1;
  OK(sizeOf(0, 0, &bytes));
  CHECK(bytes == 0);
  OK(sizeOf(1, 8, &bytes));
  CHECK(bytes == 96);
  OK(sizeOf(100, 64, &bytes));
  CHECK(bytes == 704);
  FAILS(MEMPLAN_BAD_ARGUMENT, "'n' cannot be -1", sizeOf(-1, 8, &bytes));
  FAILS(MEMPLAN_BAD_ARGUMENT, "'m' cannot be 72", sizeOf(1, 72, &bytes));
  FAILS(MEMPLAN_BAD_ARGUMENT, "'m' cannot be 7", sizeOf(1, 7, &bytes));
  FAILS(MEMPLAN_BAD_ARGUMENT, "too large", sizeOf(INT64_MAX, 8, &bytes));
  FAILS(MEMPLAN_BAD_ARGUMENT, "too large", sizeOf((int64_t)1 << 46, 8, &bytes));
  FAILS(MEMPLAN_BAD_ARGUMENT, "'n' is missing",
        memplanArenaBytes(sized, strlen(sized), "f", NULL, NULL, 0, &bytes));
  FAILS(MEMPLAN_BAD_ARGUMENT, "given twice",
        memplanArenaBytes(sized, strlen(sized), "f", NULL, twice, 2, &bytes));
  FAILS(MEMPLAN_BAD_ARGUMENT, "no size 'k'",
        memplanArenaBytes(sized, strlen(sized), "f", NULL, other, 1, &bytes));
  FAILS(MEMPLAN_BAD_ARGUMENT, "no such arena",
        memplanArenaBytes(sized, strlen(sized), "g", NULL, other, 1, &bytes));
  FAILS(MEMPLAN_BAD_ARGUMENT, "no such arena in memory space 1",
        memplanArenaBytes(sized, strlen(sized), "f", "1", other, 1, &bytes));
  FAILS(MEMPLAN_BAD_TEXT, "line 1",
        memplanArenaBytes("{", 1, "f", NULL, other, 1, &bytes));
  FAILS(MEMPLAN_BAD_TEXT, "a place is not of slots",
        memplanArenaBytes(loop, strlen(loop), NULL, NULL, NULL, 0, &bytes));
  FAILS(MEMPLAN_BAD_ARGUMENT, "NULL",
        memplanArenaBytes(sized, strlen(sized), "f", NULL, NULL, 1, &bytes));
  OK(memplanArenaBytes(fixed, strlen(fixed), NULL, NULL, NULL, 0, &bytes));
  CHECK(bytes == 128);
}

int main(void) {
  CHECK(strcmp(memplanLastError(), "") == 0);
  CHECK(strchr(memplanVersion(), '.') != NULL);
  solvesAndVerifies();
  minimizesBelowTheCapacity();
  forgetsTheErrorAfterSuccess();
  findsWhatIsWrongWithAPlan();
  statesWhatTheProblemAsks();
  setsFieldsByName();
  paysForSharing();
  refusesWrongProblems();
  survivesHugeNumbers();
  takesNull();
  writesReports();
  stopsASolve();
  computesArenaBytes();
  if (failures)
    printf("%d failures\n", failures);
  else
    puts("all checks hold");
  return failures != 0;
}
