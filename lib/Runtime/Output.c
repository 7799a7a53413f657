/*===- Output.c - Writes observations as JSON, CSV and traces -----*- C -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===*/

#include "Runtime.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Calls visit for each kept event, in order. */
static void forEachEvent(const Observation *observation, FILE *file,
                         void (*visit)(const Event *, FILE *, void *),
                         void *data) {
  uint64_t first = observation->numEvents > observation->capacity
                       ? observation->numEvents - observation->capacity + 1
                       : 1;
  for (uint64_t n = first; n <= observation->numEvents; ++n)
    visit(&observation->events[n % observation->capacity], file, data);
}

/* A string with quotes. Bytes that JSON does not allow are escaped; others are
 * taken as UTF-8. */
static void writeString(FILE *file, const char *text) {
  fputc('"', file);
  for (; *text; ++text) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\')
      fprintf(file, "\\%c", c);
    else if (c < 0x20)
      fprintf(file, "\\u%04x", c);
    else
      fputc(c, file);
  }
  fputc('"', file);
}

static void writeMember(FILE *file, const char *key, const char *text) {
  fprintf(file, "\"%s\": ", key);
  writeString(file, text);
}

/* The name of what the site is about: the buffer, or else the op. */
static const char *nameOf(const Site *site) {
  return site->fields[FIELD_BUFFER][0] ? site->fields[FIELD_BUFFER]
                                       : site->fields[FIELD_OP];
}

static const char *const kindNames[] = {"alloc", "free", "birth", "death",
                                        "use-of-dead"};

/*===-- JSON
 * ----------------------------------------------------------------===*/

static void writeJsonEvent(const Event *event, FILE *file, void *data) {
  bool *isFirst = data;
  fprintf(file, "%s\n    {\"number\": %" PRIu64 ", \"event\": \"%s\", ",
          *isFirst ? "" : ",", event->number, kindNames[event->kind]);
  *isFirst = false;
  fprintf(file, "\"site\": %" PRIu32 ", \"begin\": %" PRIu64 ", ",
          event->site->number, event->begin);
  fprintf(file, "\"pointer\": \"0x%" PRIxPTR "\", ", (uintptr_t)event->memory);
  if (event->kind == EVENT_BIRTH || event->kind == EVENT_DEATH)
    fprintf(file, "\"offset\": %" PRIdPTR ", ", event->memory - event->base);
  fprintf(file, "\"bytes\": %" PRIdPTR ", ", event->bytes);
  if (event->point >= 0)
    fprintf(file, "\"point\": %" PRIdPTR ", ", event->point);
  fprintf(file,
          "\"live_bytes\": %" PRId64 ", \"live_slot_bytes\": %" PRId64
          ", \"thread\": %" PRIu32 ", \"time_ns\": %" PRIu64 "}",
          event->liveBytes, event->liveSlotBytes, event->thread,
          event->nanoseconds);
}

static void writePeak(FILE *file, const char *key, int64_t bytes,
                      const Event *event) {
  fprintf(file, "  \"%s\": {\"bytes\": %" PRId64, key, bytes);
  if (event->site) {
    fprintf(file, ", \"event\": %" PRIu64 ", \"site\": %" PRIu32 "},\n",
            event->number, event->site->number);
    return;
  }
  fputs("},\n", file);
}

static void writeJson(const Observation *observation, FILE *file) {
  const MemplanCounts *counts = &observation->counts;
  fprintf(file,
          "{\n  \"format\": \"memplan.observation\",\n  \"version\": 1,\n"
          "  \"counts\": {\"alloc\": %" PRIu64 ", \"free\": %" PRIu64
          ", \"birth\": %" PRIu64 ", \"death\": %" PRIu64 ", \"use\": %" PRIu64
          ", \"use_of_dead\": %" PRIu64 ", \"dropped\": %" PRIu64
          ", \"findings\": %" PRIu64 "},\n",
          counts->allocations, counts->frees, counts->births, counts->deaths,
          counts->uses, counts->usesOfDead, counts->dropped, counts->findings);
  fprintf(file,
          "  \"live_bytes\": %" PRId64 ",\n  \"live_slot_bytes\": %" PRId64
          ",\n",
          counts->liveBytes, counts->liveSlotBytes);
  writePeak(file, "peak", counts->peakBytes, &observation->peak);
  writePeak(file, "slot_peak", counts->peakSlotBytes, &observation->slotPeak);
  fputs("  \"arenas\": [", file);
  for (size_t i = 0; i < observation->numArenas; ++i) {
    const ArenaPeak *arena = &observation->arenas[i];
    fprintf(file, "%s\n    {", i ? "," : "");
    writeMember(file, "function", arena->site->fields[FIELD_FUNCTION]);
    fputs(", ", file);
    writeMember(file, "loop", arena->site->fields[FIELD_LOOP]);
    fputs(", ", file);
    writeMember(file, "memory_space", arena->site->fields[FIELD_SPACE]);
    fprintf(file,
            ", \"peak_bytes\": %" PRId64 ", \"extent_bytes\": %" PRId64 "}",
            arena->liveBytes, arena->extent);
  }
  fputs("\n  ],\n  \"sites\": [", file);
  static const char *const keys[] = {"function", "loop", "memory_space",
                                     "buffer",   "op",   "location"};
  uint32_t numSites;
  const Site *const *sites = getSites(&numSites);
  for (uint32_t i = 0; i < numSites; ++i) {
    fprintf(file, "%s\n    {", i ? "," : "");
    for (int field = 0; field <= FIELD_LOCATION; ++field) {
      fputs(field ? ", " : "", file);
      writeMember(file, keys[field], sites[i]->fields[field]);
    }
    fputs("}", file);
  }
  fputs("\n  ],\n  \"events\": [", file);
  bool isFirst = true;
  forEachEvent(observation, file, writeJsonEvent, &isFirst);
  fputs("\n  ]\n}\n", file);
}

/*===-- CSV
 * -----------------------------------------------------------------===*/

static void writeCsvField(FILE *file, const char *text) {
  fputc('"', file);
  for (; *text; ++text) {
    if (*text == '"')
      fputc('"', file);
    fputc(*text == '\n' || *text == '\r' ? ' ' : *text, file);
  }
  fputc('"', file);
}

static void writeCsvLine(FILE *file, const Event *event, bool isBegin,
                         uint64_t pointer, const char *space) {
  fprintf(file, "%" PRIu64 ",%s,0x%" PRIx64 ",%" PRIdPTR ",",
          event->nanoseconds, isBegin ? "alloc" : "free", pointer,
          event->bytes);
  writeCsvField(file, nameOf(event->owner));
  fputc(',', file);
  writeCsvField(file, space);
  fputc('\n', file);
}

static void writeAllocation(const Event *event, FILE *file, void *data) {
  (void)data;
  if (event->kind == EVENT_ALLOC || event->kind == EVENT_FREE)
    writeCsvLine(file, event, event->kind == EVENT_ALLOC,
                 (uint64_t)event->memory, "");
}

/* Two slots may begin at one address, so the pointer is the number of the
 * birth. */
static void writeSlot(const Event *event, FILE *file, void *data) {
  (void)data;
  if (event->kind == EVENT_BIRTH || event->kind == EVENT_DEATH)
    writeCsvLine(file, event, event->kind == EVENT_BIRTH, event->begin,
                 event->site->fields[FIELD_FUNCTION]);
}

static const char *const csvHead = "time,event,pointer,bytes,name,space\n";

static void writeAllocationsCsv(const Observation *observation, FILE *file) {
  fputs(csvHead, file);
  forEachEvent(observation, file, writeAllocation, NULL);
}

static void writeSlotsCsv(const Observation *observation, FILE *file) {
  fputs(csvHead, file);
  forEachEvent(observation, file, writeSlot, NULL);
}

/*===-- Trace events
 * --------------------------------------------------------===*/

/* Lives are asynchronous events of the Trace Event Format, which may overlap;
 * live bytes are counters. */
static void writeTraceEvent(const Event *event, FILE *file, void *data) {
  bool *isFirst = data;
  bool isSlot = event->kind == EVENT_BIRTH || event->kind == EVENT_DEATH;
  bool isBegin = event->kind == EVENT_BIRTH || event->kind == EVENT_ALLOC;
  const char *phase = event->kind == EVENT_USE_OF_DEAD ? "i"
                      : isBegin                        ? "b"
                                                       : "e";
  const Site *site = event->site;
  fprintf(file, "%s\n{\"ph\": \"%s\", \"cat\": \"%s\", \"id\": %" PRIu64 ", ",
          *isFirst ? "" : ",", phase, isSlot ? "slot" : "allocation",
          event->begin);
  *isFirst = false;
  writeMember(file, "name",
              event->kind == EVENT_USE_OF_DEAD ? "use of dead memory"
                                               : nameOf(event->owner));
  fprintf(file,
          ", \"ts\": %" PRIu64 ".%03u, \"pid\": 1, \"tid\": %" PRIu32
          ", \"args\": {\"bytes\": %" PRIdPTR ", ",
          event->nanoseconds / 1000, (unsigned)(event->nanoseconds % 1000),
          event->thread, event->bytes);
  writeMember(file, "function", site->fields[FIELD_FUNCTION]);
  fputs(", ", file);
  writeMember(file, "op", site->fields[FIELD_OP]);
  fputs(", ", file);
  writeMember(file, "location", site->fields[FIELD_LOCATION]);
  fprintf(file,
          "}},\n{\"ph\": \"C\", \"name\": \"live bytes\", \"ts\": %" PRIu64
          ".%03u, \"pid\": 1, \"args\": {\"allocations\": %" PRId64
          ", \"slots\": %" PRId64 "}}",
          event->nanoseconds / 1000, (unsigned)(event->nanoseconds % 1000),
          event->liveBytes, event->liveSlotBytes);
}

static void writeTrace(const Observation *observation, FILE *file) {
  fputs("{\"traceEvents\": [", file);
  bool isFirst = true;
  forEachEvent(observation, file, writeTraceEvent, &isFirst);
  fputs("\n]}\n", file);
}

/*===-- Files
 * ---------------------------------------------------------------===*/

/* Writes the file whole or not at all. */
static void writeFile(const char *variable, const Observation *observation,
                      void (*write)(const Observation *, FILE *)) {
  const char *path = getenv(variable);
  if (!path || !*path)
    return;
  if (strcmp(path, "-") == 0) {
    write(observation, stderr);
    return;
  }
  size_t length = strlen(path);
  char *part = malloc(length + sizeof ".part");
  bool isWritten = false;
  if (part) {
    memcpy(part, path, length);
    memcpy(part + length, ".part", sizeof ".part");
    FILE *file = fopen(part, "w");
    if (file) {
      write(observation, file);
      isWritten = ferror(file) == 0;
      isWritten = fclose(file) == 0 && isWritten;
      isWritten = isWritten && rename(part, path) == 0;
      if (!isWritten)
        remove(part);
    }
  }
  free(part);
  if (!isWritten)
    fprintf(stderr, "memplan: cannot write '%s' (%s)\n", path, variable);
}

void writeFiles(const Observation *observation) {
  writeFile("MEMPLAN_OBSERVE_JSON", observation, writeJson);
  writeFile("MEMPLAN_OBSERVE_CSV", observation, writeAllocationsCsv);
  writeFile("MEMPLAN_OBSERVE_SLOTS_CSV", observation, writeSlotsCsv);
  writeFile("MEMPLAN_OBSERVE_TRACE", observation, writeTrace);
}
