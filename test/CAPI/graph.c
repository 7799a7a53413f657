/*===- graph.c - Op graphs from C -----------------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===*/

#include "memplan-c/Graph.h"

#include <stdio.h>
#include <string.h>

static int failures = 0;

#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                  \
      ++failures;                                                              \
    }                                                                          \
  } while (0)

static const char kGraph[] =
    "{\"format\": \"memplan.opgraph\", \"version\": 1, \"name\": \"g\", "
    "\"values\": [{\"id\": \"x\", \"bytes\": 64}, {\"id\": \"h\", \"bytes\": "
    "64}, {\"id\": \"y\", \"bytes\": 64}], \"inputs\": [{\"value\": \"x\"}], "
    "\"ops\": [{\"id\": \"a\", \"operands\": [\"x\"], \"results\": [\"h\"]}, "
    "{\"id\": \"b\", \"operands\": [\"h\"], \"results\": [\"y\"]}], "
    "\"outputs\": [\"y\"]}";

static void profilesAndPlans(MemplanGraph *graph) {
  char *text = NULL;
  size_t length = 0;
  MemplanMemoryOptions options;
  MemplanProblem *problem = NULL;
  MemplanPlan *plan = NULL;
  MemplanFormat format;
  memplanMemoryOptionsInit(&options);
  options.exclude = "input";
  for (format = MEMPLAN_CSV; format <= MEMPLAN_TEXT; ++format) {
    MemplanResult result =
        memplanGraphProfile(graph, &options, format, &text, &length);
    int exists = format != MEMPLAN_MAP && format != MEMPLAN_SVG;
    CHECK(result == (exists ? MEMPLAN_OK : MEMPLAN_BAD_ARGUMENT));
    if (result != MEMPLAN_OK)
      continue;
    CHECK(strlen(text) == length);
    if (format == MEMPLAN_JSON)
      CHECK(strstr(text, "\"peak_bytes\": 128") != NULL);
    memplanTextFree(text);
  }
  CHECK(memplanGraphProblem(graph, "", 0, &options, 64, &problem) ==
        MEMPLAN_OK);
  CHECK(memplanProblemBufferCount(problem) == 2);
  CHECK(memplanSolve(problem, NULL, &plan) == MEMPLAN_OK);
  CHECK(memplanPlanArenaSize(plan) == 128);
  memplanPlanDestroy(plan);
  memplanProblemDestroy(problem);
  problem = NULL;
  CHECK(memplanGraphProblem(graph, "far", 3, NULL, 64, &problem) ==
        MEMPLAN_BAD_ARGUMENT);
  CHECK(strstr(memplanLastError(), "'far'") != NULL);
  CHECK(memplanGraphProblem(graph, NULL, 0, NULL, 3, &problem) ==
        MEMPLAN_BAD_ARGUMENT);
  CHECK(problem == NULL);
  options.hold = "weights";
  CHECK(memplanGraphProfile(graph, &options, MEMPLAN_TEXT, &text, NULL) ==
        MEMPLAN_BAD_ARGUMENT);
}

static void refuses(MemplanGraph *graph) {
  MemplanGraph *other = NULL, *second = NULL;
  char *text = NULL;
  CHECK(memplanGraphParse("{", 1, &other) == MEMPLAN_BAD_TEXT);
  CHECK(strstr(memplanLastError(), "line 1") != NULL);
  CHECK(memplanGraphParse(NULL, 1, &other) == MEMPLAN_BAD_ARGUMENT);
  CHECK(memplanGraphParse(kGraph, sizeof(kGraph) - 1, NULL) ==
        MEMPLAN_BAD_ARGUMENT);
  CHECK(memplanGraphPartition(graph, NULL, NULL, &other, &second, &text) ==
        MEMPLAN_BAD_ARGUMENT);
  CHECK(strstr(memplanLastError(), "joint") != NULL);
  CHECK(memplanGraphPartition(graph, "best", NULL, &other, &second, &text) ==
        MEMPLAN_BAD_ARGUMENT);
  CHECK(memplanGraphProfile(NULL, NULL, MEMPLAN_TEXT, &text, NULL) ==
        MEMPLAN_BAD_ARGUMENT);
  CHECK(memplanPage(MEMPLAN_PAGE_MAX, "{}", 2, &text, NULL) ==
        MEMPLAN_BAD_ARGUMENT);
  CHECK(other == NULL && second == NULL && text == NULL);
  CHECK(memplanGraphName(NULL) == NULL && memplanGraphOpCount(NULL) == 0);
  memplanGraphDestroy(NULL);
}

static void formats(MemplanGraph *graph) {
  char *text = NULL, *again = NULL, *page = NULL;
  size_t length = 0;
  MemplanGraph *copy = NULL;
  CHECK(memplanGraphFormat(graph, &text, &length) == MEMPLAN_OK);
  CHECK(memplanGraphParse(text, length, &copy) == MEMPLAN_OK);
  CHECK(memplanGraphFormat(copy, &again, NULL) == MEMPLAN_OK);
  CHECK(strcmp(text, again) == 0);
  CHECK(memplanPage(MEMPLAN_PROFILE_PAGE, "{\"a\": \"</script>\"}", 18, &page,
                    &length) == MEMPLAN_OK);
  /* What is handed in does not end the element that it is in. */
  CHECK(strstr(page, "{\"a\": \"\\u003c/script>\"}") != NULL);
  CHECK(strlen(page) == length);
  memplanTextFree(text);
  memplanTextFree(again);
  memplanTextFree(page);
  memplanGraphDestroy(copy);
}

int main(void) {
  MemplanGraph *graph = NULL;
  if (memplanGraphParse(kGraph, sizeof(kGraph) - 1, &graph) != MEMPLAN_OK) {
    fprintf(stderr, "%s\n", memplanLastError());
    return 1;
  }
  CHECK(strcmp(memplanGraphName(graph), "g") == 0);
  CHECK(memplanGraphOpCount(graph) == 2);
  profilesAndPlans(graph);
  refuses(graph);
  formats(graph);
  memplanGraphDestroy(graph);
  if (failures == 0)
    printf("all checks hold\n");
  return failures != 0;
}
