/*===- Guard.c - Poison and guards of slots -----------------------*- C -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every byte of a slot is poison from its death to its next birth, and until it
// is written. A grave is a range of bytes that is still poison since a slot
// died there: a write to it is found at the next birth there, or at the end.
//
//   live     |aaaaaaaaaa|gg|
//   dead     |xxxxxxxxxx|              grave of a
//   birth         |bbbbbbbbb|gg|       the grave of a keeps |xxxx|
//
//===----------------------------------------------------------------------===*/

#include "Runtime.h"

#include <stdlib.h>
#include <string.h>

static Lives lives;

typedef struct Grave {
  const Site *birth, *death;
  intptr_t memory, bytes;
  /* Where the pattern begins, and what it is. */
  intptr_t origin, elements;
} Grave;
static Grave *graves;
static size_t numGraves, gravesCapacity;

enum { GUARD_BYTE = 0x5A, MOST_MESSAGES = 20 };

/* The bytes of poison, which repeat. Floats are signalling NaNs, which no
 * arithmetic makes; they are the constants in
 * lib/Transforms/Observe/Guards.cpp.
 */
enum { PERIOD = 8 };
static const unsigned char *poisonOf(intptr_t elements) {
  static const unsigned char
      bytes[PERIOD] = {0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5},
      f16[PERIOD] = {0xA5, 0x7D, 0xA5, 0x7D, 0xA5, 0x7D, 0xA5, 0x7D},
      bf16[PERIOD] = {0xA5, 0x7F, 0xA5, 0x7F, 0xA5, 0x7F, 0xA5, 0x7F},
      f32[PERIOD] = {0xA5, 0xA5, 0xA5, 0x7F, 0xA5, 0xA5, 0xA5, 0x7F},
      f64[PERIOD] = {0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xF5, 0x7F};
  switch (elements) {
  case MEMPLAN_F16:
    return f16;
  case MEMPLAN_BF16:
    return bf16;
  case MEMPLAN_F32:
    return f32;
  case MEMPLAN_F64:
    return f64;
  default:
    return bytes;
  }
}

/* True for the first messages. Each finding counts. */
static bool beginFinding(void) {
  noteFinding();
  uint64_t count = getObservation()->counts.findings;
  if (count == MOST_MESSAGES + 1)
    fputs("memplan: more findings are counted, but not printed\n", stderr);
  return count <= MOST_MESSAGES;
}

static void printSlot(const Site *site) {
  fprintf(stderr, "slot %s of @%s", site->fields[FIELD_BUFFER],
          site->fields[FIELD_FUNCTION]);
}

static void printOp(const Site *site) {
  fprintf(stderr, "%s at %s", site->fields[FIELD_OP],
          site->fields[FIELD_LOCATION]);
}

static void endFinding(void) {
  fputc('\n', stderr);
  const char *fatal = getenv("MEMPLAN_GUARD_FATAL");
  if (!fatal || !*fatal || strcmp(fatal, "0") == 0)
    return;
  /* Nothing is written at exit, unless a handler of the signal exits. It may
   * call this library. */
  writeFiles(getObservation());
  unlockRuntime();
  abort();
}

/* Adds a grave; without memory it is not checked. */
static void addGrave(const Grave *grave) {
  if (grave->bytes <= 0)
    return;
  if (numGraves == gravesCapacity) {
    size_t capacity = gravesCapacity ? 2 * gravesCapacity : 64;
    Grave *grown = realloc(graves, capacity * sizeof *grown);
    if (!grown)
      return;
    graves = grown;
    gravesCapacity = capacity;
  }
  graves[numGraves++] = *grave;
}

/* Checks the bytes [from, to) of a grave. `noticed` is the site at which that
 * happens. */
static void checkGrave(const Grave *grave, intptr_t from, intptr_t to,
                       const Site *noticed) {
  const unsigned char *poison = poisonOf(grave->elements);
  intptr_t first = -1, count = 0;
  for (intptr_t at = from; at < to; ++at) {
    if ((at - grave->origin) % PERIOD == 0)
      while (to - at >= PERIOD && memcmp((const void *)at, poison, PERIOD) == 0)
        at += PERIOD;
    if (at < to &&
        *(const unsigned char *)at != poison[(at - grave->origin) % PERIOD]) {
      if (first < 0)
        first = at;
      ++count;
    }
  }
  if (count == 0 || !beginFinding())
    return;
  fprintf(stderr, "memplan: %ld bytes of ", (long)count);
  printSlot(grave->birth);
  fprintf(stderr,
          " were written after its death, the first at %ld of the slot: "
          "born for ",
          (long)(first - grave->origin));
  printOp(grave->birth);
  fputs(", dead after ", stderr);
  printOp(grave->death);
  fputs(", noticed before ", stderr);
  printOp(noticed);
  endFinding();
}

/* Checks and removes the parts of graves in [from, to). */
static void openGraves(intptr_t from, intptr_t to, const Site *noticed) {
  for (size_t i = numGraves; i-- > 0;) {
    Grave grave = graves[i];
    intptr_t end = grave.memory + grave.bytes;
    if (grave.memory >= to || end <= from)
      continue;
    checkGrave(&grave, grave.memory > from ? grave.memory : from,
               end < to ? end : to, noticed);
    graves[i] = graves[--numGraves];
    Grave rest = grave;
    rest.bytes = from - grave.memory;
    addGrave(&rest);
    rest.memory = to;
    rest.bytes = end - to;
    addGrave(&rest);
  }
}

/* Fills the bytes of [memory, memory + bytes) that no other slot has with
 * poison; they become graves if `death` is not null. */
static void fill(const Life *life, const Life *except, const Site *death) {
  intptr_t at = life->memory, end = life->memory + life->bytes;
  while (at < end) {
    bool covered;
    intptr_t bound = nextBound(&lives, except, at, end, true, &covered);
    if (!covered) {
      const unsigned char *poison = poisonOf(life->elements);
      for (intptr_t byte = at; byte < bound; ++byte) {
        if ((byte - life->memory) % PERIOD == 0)
          for (; bound - byte >= PERIOD; byte += PERIOD)
            memcpy((void *)byte, poison, PERIOD);
        if (byte < bound)
          *(unsigned char *)byte = poison[(byte - life->memory) % PERIOD];
      }
      if (death) {
        Grave grave = {life->site, death,        at,
                       bound - at, life->memory, life->elements};
        addGrave(&grave);
      }
    }
    at = bound;
  }
}

/* Reports slots that have bytes of the new one. */
static void checkOthers(const Life *life) {
  intptr_t end = life->memory + life->bytes;
  for (size_t i = 0; i < lives.count; ++i) {
    Life *other = &lives.items[i];
    intptr_t stop = other->memory + other->bytes;
    if (other->memory < end + life->guard &&
        life->memory < stop + other->guard && mayShare(life->site, other->site))
      other->guardIsVoid = true;
    if (other->memory >= end || stop <= life->memory)
      continue;
    if (mayShare(life->site, other->site) || !beginFinding())
      continue;
    fputs("memplan: ", stderr);
    printSlot(life->site);
    fprintf(stderr, " is born at bytes [%ld, %ld) of its arena for ",
            (long)(life->memory - life->base), (long)(end - life->base));
    printOp(life->site);
    fputs(", where ", stderr);
    printSlot(other->site);
    fprintf(stderr, " is live, at %ld bytes from there: born for ",
            (long)(other->memory - life->memory));
    printOp(other->site);
    endFinding();
    other->guardIsVoid = true;
  }
}

void memplanGuardBirth(const char *text, intptr_t base, intptr_t memory,
                       intptr_t bytes, intptr_t guard, intptr_t elements) {
  lockRuntime();
  const Site *site = internSite(text);
  if (!site || findLife(&lives, site, base)) {
    unlockRuntime();
    return;
  }
  Life life = {site, base, memory, bytes, guard, elements, guard == 0, 0};
  checkOthers(&life);
  /* A guard in bytes of a slot that it may share is none. */
  for (size_t i = 0; i < lives.count; ++i) {
    const Life *other = &lives.items[i];
    if (other->memory < memory + bytes + guard &&
        memory < other->memory + other->bytes + other->guard)
      life.guardIsVoid = true;
  }
  openGraves(memory, memory + bytes + (life.guardIsVoid ? 0 : guard), site);
  fill(&life, NULL, NULL);
  if (!life.guardIsVoid)
    memset((void *)(memory + bytes), GUARD_BYTE, (size_t)guard);
  addLife(&lives, &life);
  unlockRuntime();
}

static void checkGuard(const Life *life, const Site *noticed) {
  if (life->guardIsVoid)
    return;
  const unsigned char *guard =
      (const unsigned char *)(life->memory + life->bytes);
  intptr_t first = 0;
  while (first < life->guard && guard[first] == GUARD_BYTE)
    ++first;
  if (first == life->guard || !beginFinding())
    return;
  fputs("memplan: ", stderr);
  printSlot(life->site);
  fprintf(stderr,
          " was written out of bounds, %ld bytes behind its end: born for ",
          (long)first);
  printOp(life->site);
  fputs(", noticed after ", stderr);
  printOp(noticed);
  endFinding();
}

void memplanGuardDeath(const char *text, intptr_t base) {
  lockRuntime();
  const Site *site = internSite(text);
  Life *life = site ? findLife(&lives, site, base) : NULL;
  if (life) {
    checkGuard(life, site);
    fill(life, life, site);
    removeLife(&lives, life);
  }
  unlockRuntime();
}

void memplanGuardEnd(const char *text, intptr_t memory, intptr_t bytes) {
  lockRuntime();
  const Site *site = internSite(text);
  for (size_t i = lives.count; site && i-- > 0;)
    if (lives.items[i].memory >= memory &&
        lives.items[i].memory < memory + bytes) {
      checkGuard(&lives.items[i], site);
      removeLife(&lives, &lives.items[i]);
    }
  if (site)
    openGraves(memory, memory + bytes, site);
  unlockRuntime();
}

void memplanGuardRead(const char *text, intptr_t memory, intptr_t count) {
  if (count == 0)
    return;
  lockRuntime();
  const Site *site = internSite(text);
  if (site && beginFinding()) {
    fputs("memplan: ", stderr);
    printOp(site);
    fprintf(stderr, " in @%s reads %ld elements that were never written",
            site->fields[FIELD_FUNCTION], (long)count);
    const Site *dead = NULL;
    for (size_t i = 0; i < numGraves; ++i)
      if (graves[i].memory <= memory &&
          memory < graves[i].memory + graves[i].bytes)
        dead = graves[i].birth;
    for (size_t i = 0; i < lives.count; ++i)
      if (lives.items[i].memory == memory) {
        fputs(", of ", stderr);
        printSlot(lives.items[i].site);
        dead = NULL;
      }
    if (dead) {
      fputs(", of dead ", stderr);
      printSlot(dead);
    }
    endFinding();
  }
  unlockRuntime();
}
