/* Part of the memplan project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* A heap that is not there: whoever asks for memory ends the program. */

#include <stddef.h>

static void *refuse(void) { __builtin_trap(); }

void *malloc(size_t size) { return refuse(); }
void *calloc(size_t count, size_t size) { return refuse(); }
void *realloc(void *memory, size_t size) { return refuse(); }
void *aligned_alloc(size_t alignment, size_t size) { return refuse(); }
int posix_memalign(void **memory, size_t alignment, size_t size) {
  refuse();
  return 1;
}
void free(void *memory) { refuse(); }
