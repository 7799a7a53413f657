/* Part of the memplan project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Reads an image of floats from standard input and prints what the network says
 * of it. All memory is static: net.h says how much the network needs. */

#include "net.h"
#include <stdio.h>

static _Alignas(NET_ARENA_ALIGNMENT) unsigned char arena[NET_ARENA_BYTES];
static float x[1 * 3 * 32 * 32], y[1 * 10];

int main(void) {
  if (fread(x, sizeof x, 1, stdin) != 1)
    return 1;
  net(x, y, arena);
  for (int i = 0; i < 10; ++i)
    printf("%.9g\n", y[i]);
  return 0;
}
