/*===- heap_meter.c - What a program allocates and frees ------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Defines the functions that memref.alloc and memref.dealloc call after
// finalize-memref-to-llvm with use-generic-functions. Between meter_begin and
// meter_end each call writes a line to the trace file that HEAP_METER names, in
// the format of memplan-graph plan --trace=csv. Not thread-safe.
//
//===----------------------------------------------------------------------===*/

#include <stdio.h>
#include <stdlib.h>

static FILE *trace;

void meter_begin(void) {
  const char *path = getenv("HEAP_METER");
  trace = path ? fopen(path, "w") : NULL;
  if (!trace)
    abort();
  fprintf(trace, "event,pointer,bytes\n");
}

void meter_end(void) {
  if (fclose(trace) != 0)
    abort();
  trace = NULL;
}

void *_mlir_memref_to_llvm_alloc(size_t bytes) {
  void *pointer = malloc(bytes);
  if (!pointer)
    abort();
  if (trace)
    fprintf(trace, "alloc,%p,%zu\n", pointer, bytes);
  return pointer;
}

void _mlir_memref_to_llvm_free(void *pointer) {
  if (trace && pointer)
    fprintf(trace, "free,%p,\n", pointer);
  free(pointer);
}
