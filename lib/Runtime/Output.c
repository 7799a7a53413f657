/*===- Output.c - Writes observations as JSON, CSV and traces -----*- C -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===*/

/* For realpath. */
#define _XOPEN_SOURCE 700

#include "Runtime.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* The bytes of the UTF-8 character of several bytes with which the text begins;
 * 0 if it begins with none. */
static int lengthOfCharacter(const unsigned char *text) {
  int length = *text >= 0xF0 ? 4 : *text >= 0xE0 ? 3 : 2;
  /* The first bytes C0, C1 and from F5, and these second bytes, make numbers
   * that are too long, surrogates, or none of Unicode. */
  unsigned char low = *text == 0xE0 ? 0xA0 : *text == 0xF0 ? 0x90 : 0x80;
  unsigned char high = *text == 0xED ? 0x9F : *text == 0xF4 ? 0x8F : 0xBF;
  if (*text < 0xC2 || *text > 0xF4 || text[1] < low || text[1] > high)
    return 0;
  for (int i = 2; i < length; ++i)
    if ((text[i] & 0xC0) != 0x80)
      return 0;
  return length;
}

/* A string with quotes. Characters that JSON does not allow are escaped; bytes
 * that are no UTF-8 become U+FFFD. */
static void writeString(FILE *file, const char *text) {
  fputc('"', file);
  for (; *text; ++text) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\') {
      fprintf(file, "\\%c", c);
    } else if (c < 0x20) {
      fprintf(file, "\\u%04x", c);
    } else if (c < 0x80) {
      fputc(c, file);
    } else {
      int length = lengthOfCharacter((const unsigned char *)text);
      if (length == 0) {
        fputs("\xEF\xBF\xBD", file);
      } else {
        fprintf(file, "%.*s", length, text);
        text += length - 1;
      }
    }
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

typedef void Writer(const Observation *, FILE *);

/* Writes and closes the file, which may be the first to report a full disk. */
static bool writeAndClose(FILE *file, Writer *write,
                          const Observation *observation) {
  write(observation, file);
  bool isWritten = ferror(file) == 0;
  return fclose(file) == 0 && isWritten;
}

/* Writes a temporary file beside `path`, of a name that no other process has,
 * and renames it to `path`. */
static bool replaceFile(const char *path, Writer *write,
                        const Observation *observation) {
  size_t size = strlen(path) + 48;
  char *part = malloc(size);
  FILE *file = NULL;
  for (int i = 0; part && !file && i < 100 && (i == 0 || errno == EEXIST);
       ++i) {
    snprintf(part, size, "%s.%ld-%d", path, (long)getpid(), i);
    file = fopen(part, "wx");
  }
  bool isWritten = false;
  if (file) {
    isWritten =
        writeAndClose(file, write, observation) && rename(part, path) == 0;
    if (!isWritten)
      remove(part);
  }
  free(part);
  return isWritten;
}

/* Writes the file whole or not at all. A device or a pipe is written to, not
 * replaced, and of a link the target is replaced. */
static void writeFile(const char *variable, const Observation *observation,
                      Writer *write) {
  const char *path = getenv(variable);
  if (!path || !*path)
    return;
  if (strcmp(path, "-") == 0) {
    write(observation, stderr);
    return;
  }
  bool isWritten;
  struct stat status;
  if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
    FILE *file = fopen(path, "w");
    isWritten = file && writeAndClose(file, write, observation);
  } else {
    char *target = realpath(path, NULL);
    isWritten = replaceFile(target ? target : path, write, observation);
    free(target);
  }
  if (!isWritten)
    fprintf(stderr, "memplan: cannot write '%s' (%s)\n", path, variable);
}

void writeFiles(const Observation *observation) {
  writeFile("MEMPLAN_OBSERVE_JSON", observation, writeJson);
  writeFile("MEMPLAN_OBSERVE_CSV", observation, writeAllocationsCsv);
  writeFile("MEMPLAN_OBSERVE_SLOTS_CSV", observation, writeSlotsCsv);
  writeFile("MEMPLAN_OBSERVE_TRACE", observation, writeTrace);
}
