/*===- Runtime.h - The state of the runtime -----------------------*- C -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===*/

#ifndef MEMPLAN_LIB_RUNTIME_RUNTIME_H
#define MEMPLAN_LIB_RUNTIME_RUNTIME_H

#include "memplan-c/Runtime.h"

#include <stdbool.h>
#include <stdio.h>

/*===-- Sites
 * ---------------------------------------------------------------===*/

enum {
  FIELD_FUNCTION,
  FIELD_LOOP,
  FIELD_SPACE,
  FIELD_BUFFER,
  FIELD_OP,
  FIELD_LOCATION,
  FIELD_SHARES,
  NUM_FIELDS
};

/** A copy of the text of a site, which may belong to code that is unloaded
 *  before the files are written. */
typedef struct Site {
  struct Site *next;
  /** The number of the site, from 0. */
  uint32_t number;
  /** Hashes of 64 bits: of all fields, of the first four, which name a slot,
   * and of the first three, which name its arena. The last two are taken as
   * equal if the hashes are. */
  uint64_t hash, slot, arena;
  size_t length;
  const char *fields[NUM_FIELDS];
  char text[];
} Site;

/** The copy of the text; NULL without memory. */
const Site *internSite(const char *text);
/** All sites, by number. */
const Site *const *getSites(uint32_t *count);
/** True if one slot may have bytes of the other. */
bool mayShare(const Site *a, const Site *b);

/*===-- Lives
 * ---------------------------------------------------------------===*/

/** A slot from its birth to its death. */
typedef struct Life {
  const Site *site;
  intptr_t base, memory, bytes;
  /** Of the guards only. */
  intptr_t guard, elements;
  bool guardIsVoid;
  /** Of the observer only: the number of the event. */
  uint64_t birth;
} Life;

typedef struct Lives {
  Life *items;
  size_t count, capacity;
} Lives;

/** NULL without memory. */
Life *addLife(Lives *lives, const Life *life);
void removeLife(Lives *lives, Life *life);
/** The life of the slot in the arena at `base`; NULL if there is none. */
Life *findLife(const Lives *lives, const Site *site, intptr_t base);
/** The bytes of [memory, memory + bytes) that no other life has. */
intptr_t countOwnBytes(const Lives *lives, const Life *except, intptr_t memory,
                       intptr_t bytes);

/** The least `bound` above `from` at which a life (other than `except`) begins
 *  or ends, at most `end`; `*covered` tells if [from, bound) is in a life. */
intptr_t nextBound(const Lives *lives, const Life *except, intptr_t from,
                   intptr_t end, bool withGuards, bool *covered);

/*===-- Events
 * --------------------------------------------------------------===*/

typedef enum EventKind {
  EVENT_ALLOC,
  EVENT_FREE,
  EVENT_BIRTH,
  EVENT_DEATH,
  EVENT_USE_OF_DEAD
} EventKind;

typedef struct Event {
  uint64_t number, nanoseconds;
  /** The event with which the memory or the life began: its own number for
   *  allocations and births. */
  uint64_t begin;
  intptr_t memory, base, bytes, point;
  /** After the event. */
  int64_t liveBytes, liveSlotBytes;
  const Site *site;
  /** Where the memory or the life began. */
  const Site *owner;
  uint32_t thread;
  EventKind kind;
} Event;

/** The peak of the slots of an arena, over all its instances. */
typedef struct ArenaPeak {
  const Site *site;
  int64_t liveBytes;
  /** The greatest end of a slot, from the base. */
  int64_t extent;
} ArenaPeak;

typedef struct Observation {
  MemplanCounts counts;
  /** A ring: event n is at n % capacity. */
  Event *events;
  uint64_t capacity, numEvents;
  /** The events at the peaks; their numbers are kept when the ring drops them.
   */
  Event peak, slotPeak;
  ArenaPeak *arenas;
  size_t numArenas;
} Observation;

/** Hold this lock around everything above. */
void lockRuntime(void);
void unlockRuntime(void);
Observation *getObservation(void);
void noteFinding(void);

/** Writes the files that the environment asks for. The lock must be held. */
void writeFiles(const Observation *observation);

#endif /* MEMPLAN_LIB_RUNTIME_RUNTIME_H */
