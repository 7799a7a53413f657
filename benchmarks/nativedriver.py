"""A C program that calls a function of a lowered module repeatedly.

find_signature() reads the types of the function; driver() returns the program, which
prints the minimal time of a call in ns, its page faults and mallocs, the peak of the
heap in bytes, and a hash of the results of the first call.
"""
import math
import re

C_TYPES = {"f64": "double", "f32": "float", "f16": "_Float16", "bf16": "uint16_t",
           "i1": "uint8_t", "i8": "int8_t", "i16": "int16_t", "i32": "int32_t",
           "i64": "int64_t", "index": "int64_t"}
# The size of dynamic dimensions.
DYNAMIC = 4

PRELUDE = r"""
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static long mallocs, live, peak;
void *__real_malloc(size_t);
void *__real_aligned_alloc(size_t, size_t);
void __real_free(void *);
static void *count(void *memory) {
  ++mallocs;
  live += (long)malloc_usable_size(memory);
  peak = live > peak ? live : peak;
  return memory;
}
void *__wrap_malloc(size_t size) { return count(__real_malloc(size)); }
void *__real_calloc(size_t, size_t);
/* LLVM makes it of a malloc that is filled with zeros. */
void *__wrap_calloc(size_t count_, size_t size) {
  return count(__real_calloc(count_, size));
}
void *__wrap_aligned_alloc(size_t to, size_t size) {
  return count(__real_aligned_alloc(to, size));
}
void __wrap_free(void *memory) {
  if (memory)
    live -= (long)malloc_usable_size(memory);
  __real_free(memory);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}
static long faults(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}
static double noise(long i, long seed) {
  return (double)(((uint64_t)(i * 2654435761L + seed * 40503 + 12345) >> 13) & 65535) /
         65535.0 * 2 - 1;
}
static uint64_t hash = 1469598103934665603u;
static void add_hash(const void *memory, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i)
    hash = (hash ^ ((const uint8_t *)memory)[i]) * 1099511628211u;
}
extern char __executable_start, end;
"""


def split(text):
    """The parts of a list of types or arguments."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text + ","):
        depth += (c in "<([{") - (c in ")]}" or c == ">" and text[i - 1] != "-")
        if c == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    return [part for part in parts if part]


def find_signature(text, entry):
    """Types of arguments and results, and the first line of the function."""
    head = re.search(r"^ *func\.func @%s\(.*\{$" % re.escape(entry), text, re.M).group(0)
    start = head.index("(") + 1
    depth, stop = 1, start
    while depth:
        depth += (head[stop] in "(<{[") - (
            head[stop] in ")}]" or head[stop] == ">" and head[stop - 1] != "-")
        stop += 1
    arguments = [part.split(":", 1)[1].strip() for part in split(head[start:stop - 1])]
    results = re.match(r" -> (.*?)( attributes .*)? \{$", head[stop:])
    results = results.group(1) if results else ""
    results = split(results[1:-1] if results.startswith("(") else results)
    plain = [re.sub(r" \{.*\}$", "", t) for t in arguments + results]
    return plain[:len(arguments)], plain[len(arguments):], head


def parse_memref(text):
    """Sizes and C type of the elements; None if it is not a memref."""
    match = re.match(r"memref<((?:(?:\d+|\?)x)*)([a-z]+\d*)", text)
    if not match:
        return None
    sizes = [DYNAMIC if s == "?" else int(s) for s in match.group(1).split("x")[:-1]]
    return sizes, match.group(2)


def descriptor(rank):
    arrays = f" int64_t sizes[{rank}], strides[{rank}];" if rank else ""
    return "struct { char *base, *data; int64_t offset;" + arrays + " }"


def value(element, seed, sizes, number):
    """The C expression for element i."""
    if element not in ("f64", "f32", "f16", "bf16"):
        return f"i * 7 % {2 if element == 'i1' else 100}"
    fan = math.prod(sizes[1:])
    # Weights are scaled so that activations stay in range; vectors are about 1.
    scale, middle = (0.2, 1.0) if len(sizes) == 1 else (1.7 / fan ** 0.5, 0.0)
    if len(sizes) > 1 and number == 0:
        scale = 1.0
    real = f"{middle} + {scale:.9e} * noise(i, {seed})"
    return f"to_bf16({real})" if element == "bf16" else real


def driver(entry, arguments, results, constants):
    """`constants`: (name, type, value) of variables that the function reads."""
    lines = [PRELUDE, "static uint16_t to_bf16(double v) { float f = (float)v; uint32_t b;",
             "  memcpy(&b, &f, sizeof b); return (uint16_t)(b >> 16); }"]
    setup, names, hashes, bases = [], [], [], []
    for name, text, number in constants:
        sizes, element = parse_memref(text)
        count = math.prod(sizes)
        lines.append(f"__attribute__((aligned(64))) {C_TYPES[element]} {name}[{count}];")
        setup.append(f"for (long i = 0; i < {count}l; ++i) {name}[i] = {number};")
    for number, text in enumerate(arguments):
        memref = parse_memref(text)
        if not memref:
            names.append("0.5" if text in ("f64", "f32") else "3")
            continue
        sizes, element = memref
        count, ctype = math.prod(sizes), C_TYPES[element]
        lines.append(f"static {descriptor(len(sizes))} a{number};")
        data = f"(({ctype} *)a{number}.data)"
        setup += [f"a{number}.base = a{number}.data = "
                  f"__real_aligned_alloc(64, ({count}l * sizeof({ctype}) + 63) / 64 * 64);",
                  f"for (long i = 0; i < {count}l; ++i)",
                  f"  {data}[i] = {value(element, number, sizes, number)};"]
        stride = count
        for i, size in enumerate(sizes):
            stride //= max(size, 1)
            setup.append(f"a{number}.sizes[{i}] = {size}; a{number}.strides[{i}] = {stride};")
        names.append(f"&a{number}")
        bases.append(f"a{number}.base")
        # Do not hash arenas, whose contents depend on the plan.
        if not (element == "i8" and len(sizes) == 1):
            hashes.append(f"add_hash(a{number}.data, {count}l * sizeof({ctype}));")
    frees, fields = [], []
    for number, text in enumerate(results):
        memref = parse_memref(text)
        field = f"result.r{number}"
        if not memref:
            fields.append(f"{C_TYPES[text]} r{number};")
            hashes.append(f"add_hash(&{field}, sizeof {field});")
            continue
        sizes, element = memref
        fields.append(f"{descriptor(len(sizes))} r{number};")
        size = " * ".join([f"{field}.sizes[{i}]" for i in range(len(sizes))] +
                          [f"sizeof({C_TYPES[element]})"])
        hashes.append(f"add_hash({field}.data + {field}.offset * "
                      f"(long)sizeof({C_TYPES[element]}), (size_t)({size}));")
        frees.append(f"release({field}.base);")
    memrefs = any(parse_memref(t) for t in results)
    called = f"_mlir_ciface_{entry}"
    if results and (memrefs or len(results) > 1):
        lines.append("static struct { " + " ".join(fields) + " } result;")
        lines.append(f"void {called}();")
        call = f"{called}({', '.join(['&result'] + names)});"
    elif results:
        lines.append("static struct { " + " ".join(fields) + " } result;")
        lines.append(f"{C_TYPES[results[0]]} {called}();")
        call = f"result.r0 = {called}({', '.join(names)});"
    else:
        lines.append(f"void {called}();")
        call = f"{called}({', '.join(names)});"
    owned = " && ".join([f"memory != {base}" for base in bases] or ["1"])
    lines += [
        "static char *released[64]; static int count_released;",
        "/* What the function allocated; two results may be one memory. */",
        "static void release(char *memory) {",
        f"  if (!({owned}) || (memory >= &__executable_start && memory < &end)) return;",
        "  for (int i = 0; i < count_released; ++i) if (released[i] == memory) return;",
        "  if (count_released < 64) released[count_released++] = memory;",
        "  free(memory);", "}",
        "int main(void) {", *("  " + s for s in setup),
        f"  {call}", *("  " + s for s in hashes),
        "  count_released = 0;", *("  " + s for s in frees),
        "  double least = 1e300, start = now(), stop = start + 3e8;",
        "  long least_faults = 1l << 60;", "  int laps = 0;", "  do {",
        "    long before = faults();", "    mallocs = 0; peak = live = 0;",
        "    double begin = now();", f"    {call}", "    double time = now() - begin;",
        "    long taken = faults() - before;",
        "    least = time < least ? time : least;",
        "    least_faults = taken < least_faults ? taken : least_faults;",
        "    count_released = 0;", *("    " + s for s in frees),
        "  } while (now() < stop && ++laps < 10000);",
        '  printf("\\n%.0f %ld %ld %ld %016llx\\n", least, least_faults, mallocs, peak,',
        "         (unsigned long long)hash);", "  return 0;", "}"]
    return "\n".join(lines) + "\n"
