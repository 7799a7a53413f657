/*===- Observe.c - Counts and records what programs allocate ------*- C -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts and peaks are exact. Of the events the last ones are kept, in a ring
// buffer. Besides, memory grows with the number of allocations and slots that
// are live at once.
//
//===----------------------------------------------------------------------===*/

/* For clock_gettime and the lock. */
#define _POSIX_C_SOURCE 200809L

#include "Runtime.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Observation observation;
static Lives lives;

/* The live allocations, by address: open addressing, a power of two of entries,
 * of which at most half are used. */
typedef struct Block {
  intptr_t memory; /* 0: free */
  intptr_t bytes;
  uint64_t begin;
  const Site *site;
} Block;
static Block *blocks;
static size_t numBlocks, blocksCapacity;

/* The live bytes of the slots of each arena that has a live slot. */
typedef struct Instance {
  intptr_t base;
  uint64_t arena;
  int64_t liveBytes;
  size_t numLives;
} Instance;
static Instance *instances;
static size_t numInstances, instancesCapacity;

int memplanRuntimeAbi(void) { return MEMPLAN_RUNTIME_ABI; }

void unlockRuntime(void) { pthread_mutex_unlock(&lock); }
void lockRuntime(void) { pthread_mutex_lock(&lock); }

/* A child has only the thread that forks, so that one holds the lock then. Set
 * up before any thread can hold the lock. */
__attribute__((constructor)) static void beSafeToFork(void) {
  pthread_atfork(lockRuntime, unlockRuntime, unlockRuntime);
}

Observation *getObservation(void) { return &observation; }

static void writeAtExit(void) {
  lockRuntime();
  writeFiles(&observation);
  unlockRuntime();
}

static void start(void) {
  static bool isStarted;
  if (isStarted)
    return;
  isStarted = true;
  observation.capacity = 65536;
  const char *wanted = getenv("MEMPLAN_OBSERVE_EVENTS");
  if (wanted) {
    char *end;
    unsigned long long number = strtoull(wanted, &end, 10);
    if (*wanted >= '0' && *wanted <= '9' && *end == 0 && number <= (1ull << 32))
      observation.capacity = number;
    else
      fprintf(stderr,
              "memplan: MEMPLAN_OBSERVE_EVENTS is not a number from 0 to 2^32; "
              "%llu events are kept\n",
              (unsigned long long)observation.capacity);
  }
  atexit(writeAtExit);
}

void noteFinding(void) {
  start();
  ++observation.counts.findings;
}

static uint32_t getThread(void) {
  static atomic_uint last;
  static _Thread_local uint32_t own;
  if (own == 0)
    own = atomic_fetch_add(&last, 1) + 1;
  return own;
}

/* Records an event; `begin` is 0 if it is its own. */
static Event record(EventKind kind, const Site *site, const Site *owner,
                    intptr_t memory, intptr_t base, intptr_t bytes,
                    intptr_t point, uint64_t begin) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  uint64_t number = ++observation.numEvents;
  Event event = {number,
                 (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec,
                 begin ? begin : number,
                 memory,
                 base,
                 bytes,
                 point,
                 observation.counts.liveBytes,
                 observation.counts.liveSlotBytes,
                 site,
                 owner,
                 getThread(),
                 kind};
  if (!observation.events && observation.capacity != 0) {
    if (observation.capacity <= SIZE_MAX / sizeof *observation.events)
      observation.events =
          malloc((size_t)observation.capacity * sizeof *observation.events);
    if (!observation.events) {
      fprintf(stderr, "memplan: no memory for %llu events; none is kept\n",
              (unsigned long long)observation.capacity);
      observation.capacity = 0;
    }
  }
  if (observation.capacity != 0)
    observation.events[number % observation.capacity] = event;
  observation.counts.dropped =
      number > observation.capacity ? number - observation.capacity : 0;
  return event;
}

/*===-- Allocations
 * ---------------------------------------------------------===*/

static size_t homeOf(intptr_t memory) {
  return (size_t)(((uint64_t)memory * 0x9E3779B97F4A7C15u) >> 20) &
         (blocksCapacity - 1);
}

static Block *findBlock(intptr_t memory) {
  if (blocksCapacity == 0)
    return NULL;
  size_t i = homeOf(memory);
  while (blocks[i].memory != 0 && blocks[i].memory != memory)
    i = (i + 1) & (blocksCapacity - 1);
  return &blocks[i];
}

static bool growBlocks(void) {
  size_t oldCapacity = blocksCapacity;
  Block *old = blocks;
  size_t capacity = oldCapacity ? 2 * oldCapacity : 1024;
  Block *grown = calloc(capacity, sizeof *grown);
  if (!grown)
    return false;
  blocks = grown;
  blocksCapacity = capacity;
  for (size_t i = 0; i < oldCapacity; ++i)
    if (old[i].memory != 0)
      *findBlock(old[i].memory) = old[i];
  free(old);
  return true;
}

/* Closes the gap in the chain of entries. */
static void removeBlock(Block *block) {
  size_t mask = blocksCapacity - 1, gap = (size_t)(block - blocks);
  for (size_t i = (gap + 1) & mask; blocks[i].memory != 0; i = (i + 1) & mask)
    if (((i - homeOf(blocks[i].memory)) & mask) >= ((i - gap) & mask)) {
      blocks[gap] = blocks[i];
      gap = i;
    }
  blocks[gap].memory = 0;
  --numBlocks;
}

static void die(const Site *site, Life *life, intptr_t point);

/* The memory is freed, and its slots die. */
static void release(const Site *site, Block *block) {
  ++observation.counts.frees;
  for (size_t i = lives.count; i-- > 0;)
    if (i < lives.count && lives.items[i].memory >= block->memory &&
        lives.items[i].memory - block->memory < block->bytes)
      die(site, &lives.items[i], -1);
  observation.counts.liveBytes -= block->bytes;
  record(EVENT_FREE, site, block->site, block->memory, 0, block->bytes, -1,
         block->begin);
  removeBlock(block);
}

void memplanObserveAlloc(const char *text, intptr_t memory, intptr_t bytes) {
  lockRuntime();
  start();
  ++observation.counts.allocations;
  const Site *site = internSite(text);
  if (site && memory != 0 && (2 * numBlocks < blocksCapacity || growBlocks())) {
    Block *old = findBlock(memory);
    if (old->memory != 0) /* It was freed where nobody observes it. */
      release(site, old);
    observation.counts.liveBytes += bytes;
    Event event = record(EVENT_ALLOC, site, site, memory, 0, bytes, -1, 0);
    *findBlock(memory) = (Block){memory, bytes, event.number, site};
    ++numBlocks;
    if (observation.counts.liveBytes > observation.counts.peakBytes) {
      observation.counts.peakBytes = observation.counts.liveBytes;
      observation.peak = event;
    }
  }
  unlockRuntime();
}

void memplanObserveFree(const char *text, intptr_t memory) {
  lockRuntime();
  start();
  const Site *site = internSite(text);
  Block *block = memory != 0 ? findBlock(memory) : NULL;
  if (site && block && block->memory != 0)
    release(site, block);
  else
    ++observation.counts.frees;
  unlockRuntime();
}

/*===-- Slots
 * ---------------------------------------------------------------===*/

static Instance *getInstance(intptr_t base, uint64_t arena) {
  for (size_t i = 0; i < numInstances; ++i)
    if (instances[i].base == base && instances[i].arena == arena)
      return &instances[i];
  if (numInstances == instancesCapacity) {
    size_t capacity = instancesCapacity ? 2 * instancesCapacity : 16;
    Instance *grown = realloc(instances, capacity * sizeof *grown);
    if (!grown)
      return NULL;
    instances = grown;
    instancesCapacity = capacity;
  }
  instances[numInstances] = (Instance){base, arena, 0, 0};
  return &instances[numInstances++];
}

static ArenaPeak *getPeak(const Site *site) {
  for (size_t i = 0; i < observation.numArenas; ++i)
    if (observation.arenas[i].site->arena == site->arena)
      return &observation.arenas[i];
  ArenaPeak *grown =
      realloc(observation.arenas, (observation.numArenas + 1) * sizeof *grown);
  if (!grown)
    return NULL;
  observation.arenas = grown;
  grown[observation.numArenas] = (ArenaPeak){site, 0, 0};
  return &grown[observation.numArenas++];
}

static void die(const Site *site, Life *life, intptr_t point) {
  ++observation.counts.deaths;
  intptr_t own = countOwnBytes(&lives, life, life->memory, life->bytes);
  observation.counts.liveSlotBytes -= own;
  Instance *instance = getInstance(life->base, life->site->arena);
  if (instance) {
    instance->liveBytes -= own;
    if (--instance->numLives == 0)
      *instance = instances[--numInstances];
  }
  record(EVENT_DEATH, site, life->site, life->memory, life->base, life->bytes,
         point, life->birth);
  removeLife(&lives, life);
}

void memplanObserveBirth(const char *text, intptr_t base, intptr_t memory,
                         intptr_t bytes, intptr_t point) {
  lockRuntime();
  start();
  const Site *site = internSite(text);
  if (!site || findLife(&lives, site, base)) {
    unlockRuntime();
    return;
  }
  ++observation.counts.births;
  intptr_t own = countOwnBytes(&lives, NULL, memory, bytes);
  observation.counts.liveSlotBytes += own;
  Event event = record(EVENT_BIRTH, site, site, memory, base, bytes, point, 0);
  if (observation.counts.liveSlotBytes > observation.counts.peakSlotBytes) {
    observation.counts.peakSlotBytes = observation.counts.liveSlotBytes;
    observation.slotPeak = event;
  }
  Life life = {site, base, memory, bytes, 0, 0, true, event.number};
  Instance *instance = getInstance(base, site->arena);
  ArenaPeak *peak = getPeak(site);
  if (addLife(&lives, &life) && instance && peak) {
    instance->liveBytes += own;
    ++instance->numLives;
    if (instance->liveBytes > peak->liveBytes)
      peak->liveBytes = instance->liveBytes;
    if (memory + bytes - base > peak->extent)
      peak->extent = memory + bytes - base;
  }
  unlockRuntime();
}

void memplanObserveDeath(const char *text, intptr_t base, intptr_t point) {
  lockRuntime();
  start();
  const Site *site = internSite(text);
  Life *life = site ? findLife(&lives, site, base) : NULL;
  if (life)
    die(site, life, point);
  unlockRuntime();
}

void memplanObserveUse(const char *text, intptr_t memory, intptr_t point) {
  lockRuntime();
  start();
  ++observation.counts.uses;
  const Site *site = internSite(text);
  bool isLive = false;
  for (size_t i = 0; site && i < lives.count && !isLive; ++i)
    isLive = lives.items[i].memory == memory &&
             lives.items[i].site->slot == site->slot;
  if (site && !isLive) {
    ++observation.counts.usesOfDead;
    record(EVENT_USE_OF_DEAD, site, site, memory, 0, 0, point, 0);
  }
  unlockRuntime();
}

/*===-- Results
 * -------------------------------------------------------------===*/

void memplanObserveCounts(MemplanCounts *counts, size_t size) {
  lockRuntime();
  if (counts)
    memcpy(counts, &observation.counts,
           size < sizeof *counts ? size : sizeof *counts);
  unlockRuntime();
}

void memplanObserveWrite(void) { writeAtExit(); }
