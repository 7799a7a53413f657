/* Part of the memplan project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Works on a device without a heap: all memory is static, and the model gets
 * one block, whose size is in model.h. Exits with 0 if the model's results
 * equal those of plain loops. */

#include "model.h"

void classify(const float *x, const float *w1, const float *w2, const float *w3,
              unsigned char *arena);

static _Alignas(
    CLASSIFY_ARENA_ALIGNMENT) unsigned char arena[CLASSIFY_ARENA_BYTES];

static float x[16], w1[16 * 16], w2[16 * 16], w3[16 * 4];

/* Fills with small integers: sums of products are exact in any order. */
static void fill(float *data, int count, int seed) {
  for (int i = 0; i < count; ++i)
    data[i] = (float)((i * 7 + seed) % 5 - 2);
}

static void layer(const float *in, const float *w, float *out, int width,
                  int rectify) {
  for (int j = 0; j < width; ++j) {
    float sum = 0;
    for (int i = 0; i < 16; ++i)
      sum += in[i] * w[i * width + j];
    out[j] = rectify && sum < 0 ? 0 : sum;
  }
}

int main(void) {
  fill(x, 16, 1);
  fill(w1, 16 * 16, 2);
  fill(w2, 16 * 16, 3);
  fill(w3, 16 * 4, 4);
  float h1[16], h2[16], expected[4];
  layer(x, w1, h1, 16, 1);
  layer(h1, w2, h2, 16, 1);
  layer(h2, w3, expected, 4, 0);

  /* One arena serves all calls; its content before a call does not matter. */
  for (int run = 0; run < 3; ++run) {
    for (int i = 0; i < CLASSIFY_ARENA_BYTES; ++i)
      arena[i] = (unsigned char)(0xA5 + run);
    classify(x, w1, w2, w3, arena);
    const float *y = (const float *)(arena + CLASSIFY_RESULT0_OFFSET);
    int nonzero = 0;
    for (int i = 0; i < 4; ++i) {
      if (y[i] != expected[i])
        return 1;
      nonzero += y[i] != 0;
    }
    if (!nonzero)
      return 2;
  }
  return 0;
}
