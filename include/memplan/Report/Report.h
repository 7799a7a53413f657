//===- Report.h - The model of a report -------------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The model of a report. Every tool fills it in, and every output format (text,
// JSON, HTML page, SVG picture) prints it. A report holds only strings and
// numbers, so it may outlive the program that it describes.
//
// A slot is the bytes [offset, offset + size) of the arena at the points of
// time at which it is live. A buffer is an allocation of the program. Most
// buffers have a slot of their own. Buffers whose values are joined by control
// flow share one slot, and buffers that a loop carries move through several
// slots:
//
//   slot b1    |    b1     | b0  | b1 |      live at once, in two slots, and
//   slot b0    | b0  | b1  |   b0     |      neither buffer stays in one
//              +---------------------------> time
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_REPORT_REPORT_H
#define MEMPLAN_REPORT_REPORT_H

#include "memplan/Core/Formula.h"
#include "memplan/Core/Plan.h"
#include "memplan/Core/Problem.h"
#include "memplan/Core/Solver.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan {

/// The version of the JSON format. It is raised if a key is removed or changes
/// its meaning, but not if keys are added.
constexpr int kReportVersion = 2;

/// A count of buffers, with the bytes of those with constant sizes (`bytes`)
/// and the number of the others (`unknown`).
struct ByteCount {
  int64_t count = 0;
  int64_t bytes = 0;
  int64_t unknown = 0;
  /// The bytes of all, in the symbols of one function; absent if a size has
  /// neither a number nor a formula.
  MaybeFormula all = Formula();

  /// Adds a buffer; std::nullopt stands for a size that is no constant. If the
  /// sum would overflow int64, the buffer counts as one of these.
  void add(std::optional<int64_t> size,
           const MaybeFormula &formula = std::nullopt);
  ByteCount &operator+=(const ByteCount &other);
  /// `all`, if it says what `bytes` does not.
  MaybeFormula getFormula() const { return unknown > 0 ? all : std::nullopt; }
};

/// A buffer that may be in a slot, and the points at which it may be there.
struct SlotUse {
  /// Index in ArenaReport::buffers.
  unsigned buffer = 0;
  LiveRanges live;
};

/// Bytes of the arena that hold one buffer at a time; sizes in bytes.
/// It is one buffer of the problem (its `size` is that at the first hint).
struct SlotReport : Buffer {
  explicit SlotReport(const Buffer &buffer) : Buffer(buffer) {}

  /// Bytes from the arena's base; absent without a plan.
  std::optional<int64_t> offset;
  std::vector<SlotUse> uses;
};

/// An allocation of the program. Texts that do not apply are empty.
struct BufferReport {
  std::string name;
  /// The SSA name as MLIR prints the program before planning, with the '%'.
  std::string value;
  /// A name in the location (`loc("conv1")`) of the allocation or of `op`; of a
  /// frame, the name of the callee.
  std::string label;
  /// The type as in the program.
  std::string type;
  std::string location;
  /// The name of the op that accesses the buffer first, which makes its
  /// contents, and the op's location.
  std::string op;
  std::string opLocation;
  /// In bytes; absent if it is no constant.
  std::optional<int64_t> size;
  /// The formula of such a size, if the buffer is not planned; otherwise that
  /// of its slot says more.
  std::string formula;
  int64_t alignment = 1;
  bool planned = false;
  /// The slots in which the buffer may be, as rising indices in
  /// ArenaReport::slots, and the points at which it may be in one of them.
  std::vector<unsigned> slots;
  LiveRanges live;
  /// The reason why the buffer is not planned, as the predicate of a sentence
  /// about it, and the location of the op that causes it, if there is one.
  std::string reason;
  std::string reasonLocation;
  /// The option that places the buffer, as a sentence.
  std::string remedy;
};

/// A slot that an op writes over another slot at the same offset, which it
/// reads for the last time.
struct InPlaceReport {
  /// Indices in ArenaReport::slots.
  unsigned read = 0;
  unsigned written = 0;
  /// The name of the op and its location.
  std::string op;
  std::string location;
  /// The reason why no element is read after it is overwritten, as a sentence.
  std::string proof;
};

/// The cost of ops that run at once: the function is compared with itself with
/// its ops one after another, planned by the same strategy.
struct ConcurrencyReport {
  int64_t steps = 0;
  /// The most ops of a step.
  int64_t widestStep = 0;
  /// Lower bound and arena size without ops at once, in bytes.
  int64_t sequentialBound = 0;
  int64_t sequentialArena = 0;
};

/// Names and values of symbols.
using NamedSizes = std::vector<std::pair<std::string, int64_t>>;

/// What the plan needs for one set of sizes, in bytes. The arena is absent
/// without a plan.
struct HintReport {
  NamedSizes values;
  int64_t sumBytes = 0;
  int64_t boundBytes = 0;
  std::optional<int64_t> arenaBytes;
};

/// The sizes of an arena that are known only when the program runs. All other
/// numbers of its report are those at the first hint.
struct SizesReport {
  /// The bytes of the arena and of its lower bound; absent if the formulas
  /// would be too complex.
  MaybeFormula arena, bound;
  SizeSymbols symbols;
  std::vector<HintReport> hints;
  /// The same at the greatest sizes, if all symbols have one. A plan with
  /// constant offsets for these sizes (dynamic=bounded) needs `boundedBytes`;
  /// absent if there is none.
  std::optional<HintReport> atBounds;
  std::optional<int64_t> boundedBytes;
  /// The order of the plan; its buffers are the slots of the arena.
  std::vector<Place> places;

  /// The hints, then the greatest sizes, each once.
  std::vector<const HintReport *> list() const;
};

enum class ArenaStatus {
  /// The status of the plan (PlanStatus).
  Optimal,
  Feasible,
  Infeasible,
  Limit,
  Invalid,
  /// No buffer of the arena's memory space is planned.
  NothingToPlan,
  /// The verifier did not accept the plan; the function is unchanged.
  Rejected,
  /// The function had an arena before this run.
  PlannedBefore,
};

std::string_view arenaStatusName(ArenaStatus status);
ArenaStatus getArenaStatus(PlanStatus status);

/// The size of the arena with another strategy.
struct StrategyReport {
  std::string name;
  int64_t arenaBytes = 0;
};

/// One arena: of a function, or of a parallel loop in it, and of one memory
/// space. Sizes are in bytes.
struct ArenaReport {
  std::string function;
  /// The memory space as printed in IR; "0" for the default one.
  std::string memorySpace = "0";
  /// For the frame of a worker of a parallel loop: the number of workers, and
  /// the location of the loop in `loop`. 0 for the arena of the function itself
  /// (`loop` is empty) and for the arena of each iteration of a loop (`loop` is
  /// its location).
  int64_t workers = 0;
  std::string loop;
  /// The number of the loop among the parallel loops of the function, in walk
  /// order from 0.
  std::optional<int64_t> loopNumber;
  /// The arena is an argument of the function, and a part of the arenas of its
  /// callers in the module.
  bool isFrame = false;
  /// "stack", "global", "argument" for a frame that callers outside of the
  /// module provide, or "workgroup" for memory that the threads of a workgroup
  /// share; empty if it is on the heap or only a part of other arenas.
  std::string placement;
  ArenaStatus status = ArenaStatus::Feasible;
  /// The requested strategy, and the strategy of the chosen plan.
  std::string strategy;
  std::string winner;
  std::string message;
  /// Search nodes spent.
  int64_t nodes = 0;
  /// The problem without its buffers, which are the slots. Its capacity is that
  /// of the arena and the buffers that are not planned together. Conflicts,
  /// overlaps and pairs of all or none are only in reports of makeReport.
  Problem problem;
  int64_t buffersPlanned = 0;
  ByteCount unplanned;
  /// Bytes of the arena without reuse: all planned buffers one after another,
  /// each aligned.
  int64_t sumBytes = 0;
  /// In bytes: it is proven that no plan of these slots has a smaller arena.
  int64_t boundBytes = 0;
  int64_t arenaBytes = 0;
  /// The peak: the point at which the most bytes are live, these bytes, the
  /// location of the point, and the live slots.
  int64_t peakPoint = 0;
  int64_t peakBytes = 0;
  std::string peakLocation;
  std::vector<unsigned> peakSlots;
  /// Present if the sizes of slots are formulas.
  std::optional<SizesReport> sizes;
  /// Present if ops run at once.
  std::optional<ConcurrencyReport> concurrency;
  std::vector<SlotReport> slots;
  /// What the plan pays for its soft conflicts, and what every plan pays;
  /// present if there are soft conflicts.
  std::optional<int64_t> penalty;
  int64_t penaltyBound = 0;
  /// The permitted overlaps that the plan uses, with the reasons why they are
  /// permitted.
  std::vector<InPlaceReport> inPlace;
  std::vector<BufferReport> buffers;
  /// Present if requested.
  std::vector<StrategyReport> strategies;

  /// False if no plan was found; arenaBytes and getSavedBytes say nothing then.
  bool hasPlan() const { return slots.empty() || slots.front().offset; }
  int64_t getSavedBytes() const { return sumBytes - arenaBytes; }
  /// True if callers outside of the module provide the arena.
  bool isFromCaller() const { return placement == "argument"; }
  /// True if the totals count the arena: it is not only a part of other arenas
  /// and was neither rejected nor empty.
  bool isCounted() const {
    return (!isFrame || isFromCaller()) && workers == 0 &&
           status != ArenaStatus::Rejected &&
           status != ArenaStatus::NothingToPlan;
  }
};

/// A public function: the buffers that it has as arguments and results, and
/// what it may use.
struct FunctionReport {
  std::string name;
  std::string location;
  ByteCount arguments;
  ByteCount results;
  /// The functions with a body that run when it runs, itself among them, and
  /// the globals that these name.
  std::vector<std::string> reached;
  ByteCount constants;
  ByteCount variables;
};

/// An op of the program and its location.
struct OpReport {
  std::string op;
  std::string location;

  static constexpr auto fields() {
    return std::tuple(
        Field{"op", "op", &OpReport::op, Presence::Required},
        Field{"location", "location", &OpReport::location, Presence::Required});
  }
};

/// A chain of ops that is computed in stripes.
struct StripeReport {
  /// In their order in the program. The last one is cut, the others make its
  /// operands.
  std::vector<OpReport> ops;
  /// The loop of the last op that is cut, counted from 0; its iterations in a
  /// stripe, and all of them.
  int64_t loop = 0;
  int64_t rows = 1;
  int64_t count = 1;
  /// The most slices of one result that two stripes compute, and that one keeps
  /// for the next.
  int64_t halo = 0;
  int64_t kept = 0;
  /// What the halo costs.
  int64_t extraFlops = 0;

  static constexpr auto fields() {
    return std::tuple(
        Field{"ops", "ops", &StripeReport::ops, Presence::Required},
        Field{"loop", "loop", &StripeReport::loop, Presence::Written},
        Field{"rows", "rows", &StripeReport::rows, Presence::Written},
        Field{"count", "count", &StripeReport::count, Presence::Written},
        Field{"halo", "halo", &StripeReport::halo, Presence::Written},
        Field{"kept", "kept", &StripeReport::kept, Presence::Optional},
        Field{"extra_flops", "extra_flops", &StripeReport::extraFlops,
              Presence::Written});
  }
};

/// A change of a function for which its plan needs less.
struct ChangeReport {
  std::string function;
  /// As in ArenaReport; empty if the change was made for all of them.
  std::string memorySpace;
  /// "in place", "reordered", "recomputed" or "striped".
  std::string change;
  /// The need after the change, arenas and unplanned buffers, and what the
  /// change saved.
  int64_t bytes = 0;
  int64_t savedBytes = 0;
  /// The ops that run again.
  int64_t repeats = 0;
  /// The FLOPs that are computed again, and those of the function without them.
  int64_t extraFlops = 0;
  int64_t allFlops = 0;
  /// The chains that are computed in stripes.
  std::vector<StripeReport> stripes;

  static constexpr auto fields() {
    return std::tuple(
        Field{"function", "function", &ChangeReport::function,
              Presence::Required},
        Field{"memory_space", "memory_space", &ChangeReport::memorySpace},
        Field{"change", "change", &ChangeReport::change, Presence::Required},
        Field{"bytes", "bytes", &ChangeReport::bytes, Presence::Written},
        Field{"saved_bytes", "saved_bytes", &ChangeReport::savedBytes,
              Presence::Written},
        Field{"repeats", "repeats", &ChangeReport::repeats, Presence::Written},
        Field{"extra_flops", "extra_flops", &ChangeReport::extraFlops,
              Presence::Written},
        Field{"flops", "flops", &ChangeReport::allFlops, Presence::Written},
        Field{"stripes", "stripes", &ChangeReport::stripes});
  }
};

struct Report {
  std::vector<FunctionReport> functions;
  std::vector<ArenaReport> arenas;
  /// What was changed before planning, in the order in which it was changed.
  std::vector<ChangeReport> changes;
  /// The constant and the other global memory of the module.
  ByteCount constants;
  ByteCount variables;
  /// Milliseconds of solving; absent if reports must be reproducible.
  std::optional<double> timeMs;
};

/// What a program needs at one set of sizes, in bytes.
struct TotalsAt {
  NamedSizes values;
  int64_t arenaBytes = 0;
  /// Absent if a size that counts is not known there.
  std::optional<int64_t> ramBytes;
};

/// The sums over a report, in bytes. Arenas that are only a part of other
/// arenas are not counted.
struct ReportTotals {
  /// The number of arenas that count (isCounted) and have a plan, without those
  /// of plannedBefore.
  int64_t arenas = 0;
  int64_t arenaBytes = 0;
  int64_t boundBytes = 0;
  int64_t sumBytes = 0;
  /// Those of `arenas` that callers outside of the module provide.
  ByteCount fromCallers;
  /// The number of arenas without a plan, which are in no other sum.
  int64_t withoutPlan = 0;
  ByteCount plannedBefore;
  /// The allocations that stay in the program, those of rejected plans
  /// included.
  ByteCount unplanned;
  ByteCount arguments;
  ByteCount results;
  /// The memory of the module: arenas, allocations that stay and variables; and
  /// its constants. Arguments are memory of the callers.
  ByteCount ram;
  ByteCount rom;
  /// If the size of exactly one arena is known only when the program runs: the
  /// formula of `arenaBytes`, which are those at the first sizes, and what is
  /// needed at each. The formula is absent if it is too complex.
  MaybeFormula arenaFormula;
  std::vector<TotalsAt> atSizes;
};
ReportTotals computeTotals(const Report &report);

/// The `ram` and `rom` of one of its functions alone, with all that it reaches.
/// Of the arenas that callers provide, only its own counts: the others are a
/// part of arenas.
ReportTotals computeTotals(const Report &report,
                           const FunctionReport &function);

/// "B = 3 and T = 16"
std::string describeValues(const NamedSizes &values);
/// The formula as text, unless it is too long to be read within a line.
std::string printShort(const MaybeFormula &formula);
/// "3154240 * B bytes: 9462720 at B = 3, 201871360 at B = 64", without the
/// formula if it is absent or long.
std::string
describeBytes(const MaybeFormula &formula,
              const std::vector<std::pair<NamedSizes, int64_t>> &atSizes);
/// The same of the arena; "4096 bytes" if its size is a constant.
std::string describeBytes(const ArenaReport &arena);

/// numerator / denominator; 1 if the denominator is 0.
double ratioOf(int64_t numerator, int64_t denominator);

/// The bytes of buffers (size, alignment) that are placed one after another,
/// each at the next multiple of its alignment. Saturates at INT64_MAX.
int64_t
computeSizeWithoutReuse(const std::vector<std::pair<int64_t, int64_t>> &sizes);

/// The sizes of a problem with formulas that the plan solves; std::nullopt for
/// other problems. If the plan says nothing of hints, those of the problem are
/// described.
std::optional<SizesReport> describeSizes(const Problem &problem,
                                         const Plan &plan, Strategy strategy);

/// Sets the slots and the rules of the report from a problem and its plan.
void describeProblem(ArenaReport &arena, const Problem &problem,
                     const Plan &plan);

/// The report of a problem without a program, and of its plan: one arena whose
/// slots are the buffers of the problem. `name` becomes the function's name.
Report makeReport(const Problem &problem, const Plan &plan, Strategy strategy,
                  std::string name);

/// The arena sizes of the strategies that do not search, for the problem
/// without its capacity, and that of `plan`.
std::vector<StrategyReport> compareStrategies(const Problem &problem,
                                              const Plan &plan);

/// The report as text for people.
std::string formatText(const Report &report);

/// A line with what the change gained and costs, and one for each of its chains
/// in stripes.
std::string formatText(const ChangeReport &change);
/// The lines of the chains alone.
std::string formatStripes(const ChangeReport &change);

/// The report as one JSON object; docs/report.md describes it and
/// docs/report.schema.json defines it. Deterministic. Bytes that are not UTF-8
/// become U+FFFD.
std::string formatJson(const Report &report);

} // namespace memplan

#endif // MEMPLAN_REPORT_REPORT_H
