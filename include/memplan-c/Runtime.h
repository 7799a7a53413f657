/*===- Runtime.h - What instrumented programs call ----------------*- C -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions that programs call after memplan-instrument or
// memplan-lower=guard; link libMemPlanRuntime, which needs libc only. Programs
// may also call them themselves. docs/observe.md describes the environment
// variables and the files that are written.
//
// Threads may call all functions at once. No function fails: without memory,
// events are dropped and counted. The functions of this header keep their
// meaning as long as MEMPLAN_RUNTIME_ABI does; later versions may add others.
//
// A `site` is the text of a place of the program: seven strings in a row, each
// terminated by a zero byte. They are the function, the number of the parallel
// loop whose body has the arena ("" for the function itself), the memory space
// ("0" for the default), the buffer or slot, the op, its location, and the
// slots that may share bytes with this one, separated by commas. The text must
// stay as it is during the call only.
//
//===----------------------------------------------------------------------===*/

#ifndef MEMPLAN_C_RUNTIME_H
#define MEMPLAN_C_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define MEMPLAN_RUNTIME_API __attribute__((visibility("default")))
#else
#define MEMPLAN_RUNTIME_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define MEMPLAN_RUNTIME_ABI 1

/** MEMPLAN_RUNTIME_ABI of the library. */
MEMPLAN_RUNTIME_API int memplanRuntimeAbi(void);

/*===-- Observing
 * -----------------------------------------------------------===*/

/** Memory was allocated: an arena or a buffer that is not planned. */
MEMPLAN_RUNTIME_API void memplanObserveAlloc(const char *site, intptr_t memory,
                                             intptr_t bytes);
/** The memory is about to be freed. Slots in it die. */
MEMPLAN_RUNTIME_API void memplanObserveFree(const char *site, intptr_t memory);
/** A slot is about to be used for the first time: `bytes` bytes at `memory`, in
 *  the arena or frame at `base`. `point` is the program point, or -1. Nothing
 *  happens if the slot is live there already. */
MEMPLAN_RUNTIME_API void memplanObserveBirth(const char *site, intptr_t base,
                                             intptr_t memory, intptr_t bytes,
                                             intptr_t point);
/** The slot of the arena or frame at `base` has been used for the last time
 *  before `point`. Nothing happens if it is not live. */
MEMPLAN_RUNTIME_API void memplanObserveDeath(const char *site, intptr_t base,
                                             intptr_t point);
/** An op is about to use the slot, which begins at `memory`, at `point`.
 * Counted, and recorded if the slot is not live there. */
MEMPLAN_RUNTIME_API void memplanObserveUse(const char *site, intptr_t memory,
                                           intptr_t point);

typedef struct MemplanCounts {
  uint64_t allocations, frees, births, deaths, uses;
  /** Uses of slots that were not live. */
  uint64_t usesOfDead;
  /** Events that are no longer, or never were, in the ring buffer. */
  uint64_t dropped;
  /** Bytes of allocations. */
  int64_t liveBytes, peakBytes;
  /** Bytes of slots; a byte of several slots counts once. */
  int64_t liveSlotBytes, peakSlotBytes;
  /** What the guards have found. */
  uint64_t findings;
} MemplanCounts;

/** Writes the first `size` bytes of the counts, as far as the library has them;
 *  pass sizeof(MemplanCounts). */
MEMPLAN_RUNTIME_API void memplanObserveCounts(MemplanCounts *counts,
                                              size_t size);
/** Writes the files that the environment asks for, as at exit. */
MEMPLAN_RUNTIME_API void memplanObserveWrite(void);

/*===-- Guards
 * --------------------------------------------------------------===*/

/** The elements of a slot, which choose its poison. */
enum {
  MEMPLAN_BYTES = 0,
  MEMPLAN_F16 = 1,
  MEMPLAN_BF16 = 2,
  MEMPLAN_F32 = 3,
  MEMPLAN_F64 = 4
};

/** As memplanObserveBirth. Fills the slot with poison, and the `guard` bytes
 *  behind it with a pattern. Reports a live slot that has some of these bytes
 *  and may not, and bytes that were written since their slot died. */
MEMPLAN_RUNTIME_API void memplanGuardBirth(const char *site, intptr_t base,
                                           intptr_t memory, intptr_t bytes,
                                           intptr_t guard, intptr_t elements);
/** As memplanObserveDeath. Checks the guard of the slot and fills it with
 *  poison. */
MEMPLAN_RUNTIME_API void memplanGuardDeath(const char *site, intptr_t base);
/** The arena or frame in `bytes` bytes at `memory` ends: checks the guards of
 *  slots that are live there, and that no dead slot was written. */
MEMPLAN_RUNTIME_API void memplanGuardEnd(const char *site, intptr_t memory,
                                         intptr_t bytes);
/** An op has read `count` elements that are poison, in the memory that begins
 *  at `memory`; reported unless 0. */
MEMPLAN_RUNTIME_API void memplanGuardRead(const char *site, intptr_t memory,
                                          intptr_t count);

#ifdef __cplusplus
}
#endif

#endif /* MEMPLAN_C_RUNTIME_H */
