/*===- library.c - Calls of the runtime library -------------------*- C -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===*/

#include "memplan-c/Runtime.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char site[] =
    "f\0\0"
    "0\0b\xC3\xA9\xFF\xC0\xAF\xED\xA0\x80\xF0\x9F\x98\x80"
    "\xE2\x82\0memref.alloc\0x.mlir:1:1\0";
static const char slot[] = "f\0\0"
                           "0\0b1\0linalg.fill\0x.mlir:2:1\0";

static void *allocate(void *unused) {
  for (;;) {
    memplanObserveAlloc(site, 4096, 16);
    memplanObserveFree(site, 4096);
  }
  return unused;
}

/* Forks while another thread calls the library. */
static int forkBesideThread(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, allocate, NULL))
    return 1;
  for (int i = 0; i < 500; ++i) {
    pid_t child = fork();
    if (child == 0) {
      alarm(5);
      memplanObserveAlloc(site, 8192, 16);
      _exit(0);
    }
    int status;
    if (waitpid(child, &status, 0) != child || status != 0)
      _exit(1);
  }
  _exit(0);
}

/* Several processes write their files at exit. */
static int writeFromProcesses(void) {
  for (intptr_t i = 0; i < 20000; ++i)
    memplanObserveAlloc(site, 4096 + 16 * i, 16);
  int status, failed = 0;
  for (int i = 0; i < 4; ++i)
    if (fork() == 0)
      exit(0);
  while (wait(&status) > 0)
    failed |= status;
  return failed;
}

static void onAbort(int signal) {
  (void)signal;
  memplanObserveAlloc(site, 4096, 16);
  exit(3);
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "fork") == 0)
    return forkBesideThread();
  if (strcmp(what, "processes") == 0)
    return writeFromProcesses();
  if (strcmp(what, "abort") == 0) {
    signal(SIGABRT, argc > 2 ? onAbort : SIG_DFL);
    memplanGuardRead(site, 4096, 5);
    return 0;
  }
  memplanObserveAlloc(site, 4096, 16);
  if (strcmp(what, "reuse") == 0) {
    memplanObserveBirth(slot, 4096, 4096, 16, 1);
    memplanObserveAlloc(site, 4096, 32);
    memplanObserveFree(site, 4096);
  }
  return 0;
}
