/*===- plan.c - Plans a model in C ----------------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// plan-c FILE REPORT: prints the planned program and writes the report of the
// pass to REPORT.
//
//===----------------------------------------------------------------------===*/

#include "memplan-c/Module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  static const char kPipeline[] = "builtin.module(plan-memory{report=json})";
  FILE *file = argc == 3 ? fopen(argv[1], "rb") : NULL;
  char *text;
  const char *result;
  size_t size, length;
  MemplanRun *run;
  if (!file)
    return 2;
  fseek(file, 0, SEEK_END);
  size = (size_t)ftell(file);
  rewind(file);
  text = malloc(size + 1);
  if (!text || fread(text, 1, size, file) != size)
    return 2;
  fclose(file);
  text[size] = '\0';
  if (memplanRun(text, size, argv[1], strlen(argv[1]), kPipeline,
                 sizeof(kPipeline) - 1, &run) != MEMPLAN_OK ||
      !memplanRunSucceeded(run)) {
    fprintf(stderr, "%s\n", memplanLastError());
    return 1;
  }
  free(text);
  file = fopen(argv[2], "wb");
  result = memplanRunReport(run, &length);
  if (!file || fwrite(result, 1, length, file) != length)
    return 1;
  fclose(file);
  result = memplanRunText(run, &length);
  fwrite(result, 1, length, stdout);
  memplanRunDestroy(run);
  return 0;
}
