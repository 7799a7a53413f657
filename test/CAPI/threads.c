/*===- threads.c - The C API from several threads
--------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What memplan-c promises about threads: several threads read one problem and
// one graph at once, each has its own last error, and a search that uses
// several threads itself is stopped by another thread.
//
//===----------------------------------------------------------------------===*/

#include "memplan-c/Core.h"
#include "memplan-c/Graph.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { numThreads = 8, numBuffers = 120 };

static void require(int holds, const char *what) {
  if (holds)
    return;
  fprintf(stderr, "fails: %s: %s\n", what, memplanLastError());
  exit(1);
}

static const char graphText[] =
    "{\"format\": \"memplan.opgraph\", \"version\": 1, \"values\": ["
    "{\"id\": \"x\", \"bytes\": 64}, {\"id\": \"dy\", \"bytes\": 64},"
    "{\"id\": \"a\", \"bytes\": 4096}, {\"id\": \"y\", \"bytes\": 64},"
    "{\"id\": \"dx\", \"bytes\": 64}],"
    "\"inputs\": [{\"value\": \"x\", \"role\": \"primal\"},"
    "{\"value\": \"dy\", \"role\": \"tangent\"}], \"ops\": ["
    "{\"id\": \"f\", \"operands\": [\"x\"], \"results\": [\"a\"]},"
    "{\"id\": \"g\", \"operands\": [\"a\"], \"results\": [\"y\"]},"
    "{\"id\": \"h\", \"operands\": [\"a\", \"dy\"], \"results\": [\"dx\"]}],"
    "\"outputs\": [\"y\", \"dx\"], \"forward_outputs\": 1}";

static MemplanProblem *problem;
static MemplanGraph *graph;
static MemplanStop *stop;
static pthread_barrier_t start;

static void solveAll(size_t number) {
  static const char *const strategies[] = {"auto", "hill-climb", "best-fit",
                                           "exact"};
  MemplanSolveOptions options;
  memplanSolveOptionsInit(&options);
  options.strategy = strategies[number % 4];
  options.effort = "low";
  options.nodeLimit = 2000;
  options.threads = 2;
  MemplanPlan *plan = NULL;
  require(memplanSolve(problem, &options, &plan) == MEMPLAN_OK, "solve");
  MemplanIssues *issues = NULL;
  require(memplanVerify(problem, plan, 4, &issues) == MEMPLAN_OK, "verify");
  require(memplanIssuesCount(issues) == 0, "a plan is correct");
  for (int format = MEMPLAN_CSV; format <= MEMPLAN_TEXT; ++format) {
    char *text = NULL;
    require(memplanReport(problem, plan, (MemplanFormat)format, &text, NULL) ==
                MEMPLAN_OK,
            "report");
    memplanTextFree(text);
  }
  memplanIssuesDestroy(issues);
  memplanPlanDestroy(plan);
}

static void useGraph(void) {
  char *text = NULL;
  require(memplanGraphProfile(graph, NULL, MEMPLAN_JSON, &text, NULL) ==
              MEMPLAN_OK,
          "profile");
  memplanTextFree(text);
  MemplanGraph *forward = NULL, *backward = NULL;
  require(memplanGraphPartition(graph, "min-cut", "medium", &forward, &backward,
                                &text) == MEMPLAN_OK,
          "partition");
  memplanTextFree(text);
  memplanGraphDestroy(forward);
  memplanGraphDestroy(backward);
}

static void *work(void *argument) {
  size_t number = *(const size_t *)argument;
  pthread_barrier_wait(&start);
  for (int round = 0; round < 3; ++round) {
    solveAll(number + (size_t)round);
    useGraph();
    // The error of this thread alone.
    char text[64];
    snprintf(text, sizeof(text), "id,lower,upper,size\nb%zu,0,1,x\n", number);
    MemplanProblem *bad = NULL;
    require(memplanProblemParse(text, strlen(text), &bad) == MEMPLAN_BAD_TEXT,
            "a wrong text is refused");
    require(strstr(memplanLastError(), "x") != NULL, "its error is kept");
  }
  return NULL;
}

/// Solves until another thread stops it.
static void *search(void *argument) {
  (void)argument;
  MemplanSolveOptions options;
  memplanSolveOptionsInit(&options);
  options.strategy = "exact";
  options.threads = 2;
  options.stop = stop;
  MemplanPlan *plan = NULL;
  pthread_barrier_wait(&start);
  require(memplanSolve(problem, &options, &plan) == MEMPLAN_OK, "solve");
  memplanPlanDestroy(plan);
  return NULL;
}

int main(void) {
  problem = memplanProblemCreate();
  for (size_t i = 0; i < numBuffers; ++i) {
    char id[16];
    snprintf(id, sizeof(id), "b%zu", i);
    MemplanRange live = {(int64_t)(i * 7 % 60), (int64_t)(i * 7 % 60 + 9)};
    require(memplanProblemAddBuffer(problem, id, strlen(id),
                                    (int64_t)(1 + i * 37 % 101), 1, &live, 1,
                                    NULL) == MEMPLAN_OK,
            "add a buffer");
  }
  require(memplanGraphParse(graphText, strlen(graphText), &graph) == MEMPLAN_OK,
          "parse a graph");
  stop = memplanStopCreate();
  pthread_t threads[numThreads], searcher;
  size_t numbers[numThreads];
  pthread_barrier_init(&start, NULL, numThreads + 1);
  for (size_t i = 0; i < numThreads; ++i) {
    numbers[i] = i;
    require(!pthread_create(&threads[i], NULL, work, &numbers[i]), "thread");
  }
  require(!pthread_create(&searcher, NULL, search, NULL), "thread");
  for (size_t i = 0; i < numThreads; ++i)
    pthread_join(threads[i], NULL);
  memplanStop(stop);
  pthread_join(searcher, NULL);
  memplanStopDestroy(stop);
  memplanGraphDestroy(graph);
  memplanProblemDestroy(problem);
  puts("all threads agree");
  return 0;
}
