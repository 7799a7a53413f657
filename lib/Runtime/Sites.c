/*===- Sites.c - Texts of sites, and lives of slots ---------------*- C -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===*/

#include "Runtime.h"

#include <stdlib.h>
#include <string.h>

/* A program has a few sites for each op, so a chained table of fixed size is
 * enough. The cache, by address, serves nearly all calls. */
enum { NUM_CHAINS = 4096, NUM_CACHED = 1024 };
static Site *chains[NUM_CHAINS];
static struct {
  const char *text;
  const Site *site;
} cache[NUM_CACHED];
static const Site **sites;
static uint32_t numSites, sitesCapacity;

/* FNV-1a. */
static uint64_t hashBytes(const char *bytes, size_t length) {
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < length; ++i)
    hash = (hash ^ (unsigned char)bytes[i]) * 1099511628211u;
  return hash;
}

/* The length of the first `count` strings of the text. */
static size_t lengthOf(const char *text, int count) {
  const char *end = text;
  for (int i = 0; i < count; ++i)
    end += strlen(end) + 1;
  return (size_t)(end - text);
}

static const Site *addSite(const char *text, size_t length, uint64_t hash) {
  if (numSites == sitesCapacity) {
    uint32_t capacity = sitesCapacity ? 2 * sitesCapacity : 256;
    const Site **grown = realloc(sites, capacity * sizeof *sites);
    if (!grown)
      return NULL;
    sites = grown;
    sitesCapacity = capacity;
  }
  Site *site = malloc(sizeof *site + length);
  if (!site)
    return NULL;
  memcpy(site->text, text, length);
  site->hash = hash;
  site->length = length;
  site->number = numSites;
  const char *field = site->text;
  for (int i = 0; i < NUM_FIELDS; ++i) {
    site->fields[i] = field;
    field += strlen(field) + 1;
  }
  site->slot = hashBytes(text, lengthOf(text, FIELD_BUFFER + 1));
  site->arena = hashBytes(text, lengthOf(text, FIELD_BUFFER));
  site->next = chains[hash % NUM_CHAINS];
  chains[hash % NUM_CHAINS] = site;
  sites[numSites++] = site;
  return site;
}

const Site *internSite(const char *text) {
  size_t way = ((uintptr_t)text >> 3) % NUM_CACHED;
  /* Other code may be at the address by now, so the text is compared. */
  const Site *cached = cache[way].site;
  if (cached && cache[way].text == text &&
      memcmp(cached->text, text, cached->length) == 0)
    return cached;
  size_t length = lengthOf(text, NUM_FIELDS);
  uint64_t hash = hashBytes(text, length);
  const Site *site = chains[hash % NUM_CHAINS];
  while (site && !(site->hash == hash && site->length == length &&
                   memcmp(site->text, text, length) == 0))
    site = site->next;
  if (!site)
    site = addSite(text, length, hash);
  if (site) {
    cache[way].text = text;
    cache[way].site = site;
  }
  return site;
}

const Site *const *getSites(uint32_t *count) {
  *count = numSites;
  return sites;
}

static bool lists(const char *list, const char *name) {
  size_t length = strlen(name);
  for (const char *at = list; (at = strstr(at, name)) != NULL; at += length)
    if ((at == list || at[-1] == ',') && (at[length] == 0 || at[length] == ','))
      return true;
  return false;
}

bool mayShare(const Site *a, const Site *b) {
  return a->arena == b->arena &&
         (lists(a->fields[FIELD_SHARES], b->fields[FIELD_BUFFER]) ||
          lists(b->fields[FIELD_SHARES], a->fields[FIELD_BUFFER]));
}

Life *addLife(Lives *lives, const Life *life) {
  if (lives->count == lives->capacity) {
    size_t capacity = lives->capacity ? 2 * lives->capacity : 64;
    Life *grown = realloc(lives->items, capacity * sizeof *grown);
    if (!grown)
      return NULL;
    lives->items = grown;
    lives->capacity = capacity;
  }
  lives->items[lives->count] = *life;
  return &lives->items[lives->count++];
}

void removeLife(Lives *lives, Life *life) {
  *life = lives->items[--lives->count];
}

Life *findLife(const Lives *lives, const Site *site, intptr_t base) {
  for (size_t i = 0; i < lives->count; ++i)
    if (lives->items[i].base == base &&
        lives->items[i].site->slot == site->slot)
      return &lives->items[i];
  return NULL;
}

intptr_t nextBound(const Lives *lives, const Life *except, intptr_t from,
                   intptr_t end, bool withGuards, bool *covered) {
  *covered = false;
  for (size_t i = 0; i < lives->count; ++i) {
    const Life *life = &lives->items[i];
    intptr_t stop = life->memory + life->bytes;
    if (withGuards && !life->guardIsVoid)
      stop += life->guard;
    if (life == except || stop <= from || life->memory >= end)
      continue;
    if (life->memory <= from) {
      *covered = true;
      if (stop < end)
        end = stop;
    } else {
      end = life->memory;
    }
  }
  return end;
}

intptr_t countOwnBytes(const Lives *lives, const Life *except, intptr_t memory,
                       intptr_t bytes) {
  intptr_t own = 0, end = memory + bytes;
  while (memory < end) {
    bool covered;
    intptr_t bound = nextBound(lives, except, memory, end, false, &covered);
    if (!covered)
      own += bound - memory;
    memory = bound;
  }
  return own;
}
