//===- PlanVerifierWorkers.cpp - Places that depend on the worker ---------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Four iterations, each with a frame of 128 bytes at 64 + %i * 128, are one
// slot of the arena, [64, 576), taken while the loop runs. What an iteration
// does in its frame is seen from the frame of the first: [64, 192) is an arena
// of the iteration's own, like one that is allocated in the body of the loop.
//
//   arena   0   64      192     320     448     576
//           |---|=======|-------|-------|-------|---
//                 %i=0    %i=1    %i=2    %i=3
//
//===----------------------------------------------------------------------===//

#include "PlanVerifierWorkers.h"

#include "PlanVerifierBytes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace memplan::planverifier {
namespace {

using Form = std::optional<WorkerOffset>;

/// How many steps of the computation of an offset are looked into.
constexpr unsigned kMaxSteps = 256;

bool isInside(Operation *op, Operation *loop) {
  return loop->isProperAncestor(op);
}

/// Outer loops first.
bool comesBefore(const WorkerTerm &a, const WorkerTerm &b) {
  if (a.loop != b.loop)
    return isInside(b.loop, a.loop);
  return cast<BlockArgument>(a.variable).getArgNumber() <
         cast<BlockArgument>(b.variable).getArgNumber();
}

Form scale(Form form, int64_t factor) {
  if (!form || llvm::MulOverflow(form->constant, factor, form->constant))
    return std::nullopt;
  for (WorkerTerm &term : form->terms)
    if (llvm::MulOverflow(term.coefficient, factor, term.coefficient))
      return std::nullopt;
  if (factor == 0)
    form->terms.clear();
  return form;
}

Form add(Form a, const Form &b) {
  if (!a || !b || llvm::AddOverflow(a->constant, b->constant, a->constant))
    return std::nullopt;
  for (const WorkerTerm &term : b->terms) {
    auto same = llvm::find_if(a->terms, [&](const WorkerTerm &other) {
      return other.variable == term.variable;
    });
    if (same == a->terms.end())
      a->terms.push_back(term);
    else if (llvm::AddOverflow(same->coefficient, term.coefficient,
                               same->coefficient))
      return std::nullopt;
  }
  llvm::erase_if(a->terms,
                 [](const WorkerTerm &term) { return term.coefficient == 0; });
  // The loops of one value are nested, as their variables reach it.
  llvm::sort(a->terms, comesBefore);
  return a;
}

/// The exact quotient, of a form that is nowhere negative.
Form divide(Form form, int64_t divisor) {
  if (!form || divisor < 1 || form->constant < 0 ||
      form->constant % divisor != 0)
    return std::nullopt;
  form->constant /= divisor;
  for (WorkerTerm &term : form->terms) {
    if (term.coefficient < 0 || term.coefficient % divisor != 0)
      return std::nullopt;
    term.coefficient /= divisor;
  }
  return form;
}

Form constantForm(int64_t constant) {
  WorkerOffset offset;
  offset.constant = constant;
  return offset;
}

Form multiply(Form a, Form b) {
  if (!a || !b || (!a->terms.empty() && !b->terms.empty()))
    return std::nullopt;
  return a->terms.empty() ? scale(b, a->constant) : scale(a, b->constant);
}

Form evaluate(Value value, unsigned &steps);

Form evaluate(AffineExpr expr, ValueRange dims, ValueRange symbols,
              unsigned &steps) {
  if (steps == 0 || --steps == 0)
    return std::nullopt;
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constantForm(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return evaluate(dims[dim.getPosition()], steps);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return evaluate(symbols[symbol.getPosition()], steps);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Form a = evaluate(binary.getLHS(), dims, symbols, steps);
  Form b = evaluate(binary.getRHS(), dims, symbols, steps);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return add(a, b);
  case AffineExprKind::Mul:
    return multiply(a, b);
  case AffineExprKind::FloorDiv:
    return b && b->terms.empty() ? divide(a, b->constant) : std::nullopt;
  default:
    return std::nullopt;
  }
}

/// The variable of a parallel loop: its first value, plus its step for each
/// iteration.
Form evaluateVariable(BlockArgument variable) {
  Operation *loop = variable.getOwner()->getParentOp();
  if (!isa<affine::AffineParallelOp, scf::ParallelOp, scf::ForallOp>(loop))
    return std::nullopt;
  auto ranges = getLoopRanges(loop);
  if (!ranges)
    return std::nullopt;
  for (const LoopRange &range : *ranges) {
    if (range.variable != variable)
      continue;
    WorkerOffset offset;
    offset.constant = range.begin;
    int64_t count = (range.end - range.begin - 1) / range.step + 1;
    offset.terms.push_back({loop, variable, count, range.step});
    return offset;
  }
  return std::nullopt;
}

Form evaluate(Value value, unsigned &steps) {
  if (steps == 0 || --steps == 0)
    return std::nullopt;
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return constantForm(*constant);
  if (auto variable = dyn_cast<BlockArgument>(value))
    return evaluateVariable(variable);
  Operation *op = value.getDefiningOp();
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    ValueRange operands = apply.getMapOperands();
    unsigned dims = apply.getAffineMap().getNumDims();
    return evaluate(apply.getAffineMap().getResult(0),
                    operands.take_front(dims), operands.drop_front(dims),
                    steps);
  }
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivUIOp,
           arith::DivSIOp, arith::FloorDivSIOp>(op))
    return std::nullopt;
  Form a = evaluate(op->getOperand(0), steps);
  Form b = evaluate(op->getOperand(1), steps);
  if (isa<arith::AddIOp>(op))
    return add(a, b);
  if (isa<arith::SubIOp>(op))
    return add(a, scale(b, -1));
  if (isa<arith::MulIOp>(op))
    return multiply(a, b);
  return b && b->terms.empty() ? divide(a, b->constant) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Frames
//===----------------------------------------------------------------------===//

using Views = SmallVector<const WorkerView *>;

class FramePlacer {
public:
  FramePlacer(Model &model, PlaceFn place) : model(model), place(place) {}

  bool run(unsigned arena, ArrayRef<const WorkerView *> views, size_t done);

private:
  bool placeFrame(unsigned arena, ArrayRef<const WorkerView *> views,
                  size_t done, size_t next);
  std::optional<int64_t> separate(const WorkerView &view,
                                  ArrayRef<WorkerTerm> terms, int64_t frame);
  unsigned addHandle(HandleKind kind, Value variable, unsigned depth,
                     ByteRange bytes);

  Model &model;
  PlaceFn place;
};

/// The terms of the view's next loop, where `done` terms are dealt with.
ArrayRef<WorkerTerm> nextTerms(const WorkerView &view, size_t done) {
  auto rest = ArrayRef(view.offset.terms).drop_front(done);
  return rest.take_while(
      [&](const WorkerTerm &term) { return term.loop == rest.front().loop; });
}

bool sameTerms(ArrayRef<WorkerTerm> a, ArrayRef<WorkerTerm> b) {
  return llvm::equal(a, b, [](const WorkerTerm &x, const WorkerTerm &y) {
    return x.variable == y.variable && x.coefficient == y.coefficient;
  });
}

/// The bytes of the view over all iterations of the loops of `terms`, none of
/// whose coefficients is negative.
std::optional<ByteRange> getReach(const WorkerView &view,
                                  ArrayRef<WorkerTerm> terms) {
  ByteRange bytes{view.offset.constant, 0};
  if (llvm::AddOverflow(bytes.begin, view.size, bytes.end))
    return std::nullopt;
  for (const WorkerTerm &term : terms) {
    int64_t span;
    if (llvm::MulOverflow(term.coefficient, term.count - 1, span) ||
        llvm::AddOverflow(bytes.end, span, bytes.end))
      return std::nullopt;
  }
  return bytes;
}

bool FramePlacer::run(unsigned arena, ArrayRef<const WorkerView *> views,
                      size_t done) {
  bool isSound = true;
  // Views that go with one loop in one way, together.
  SmallVector<Views> groups;
  for (const WorkerView *view : views) {
    ArrayRef<WorkerTerm> terms = nextTerms(*view, done);
    auto group = llvm::find_if(groups, [&](const Views &other) {
      return sameTerms(nextTerms(*other.front(), done), terms);
    });
    if (group == groups.end())
      groups.push_back({view});
    else
      group->push_back(view);
  }
  for (const Views &group : groups)
    isSound &= placeFrame(arena, group, done,
                          done + nextTerms(*group.front(), done).size());
  return isSound;
}

bool FramePlacer::placeFrame(unsigned arena, ArrayRef<const WorkerView *> views,
                             size_t done, size_t next) {
  const WorkerView &first = *views.front();
  ArrayRef<WorkerTerm> terms = nextTerms(first, done);
  std::optional<ByteRange> own;
  for (const WorkerView *view : views) {
    auto reach = getReach(*view, ArrayRef(view->offset.terms).drop_front(next));
    if (!reach) {
      view->op->emitError()
          << "takes bytes of the arena whose number overflows";
      return false;
    }
    own = own ? ByteRange{std::min(own->begin, reach->begin),
                          std::max(own->end, reach->end)}
              : *reach;
  }
  std::optional<int64_t> span = separate(first, terms, own->end - own->begin);
  if (!span)
    return false;
  ByteRange all = *own;
  if (llvm::AddOverflow(own->begin, *span, all.end) || all.begin < 0 ||
      all.end > model.handles[arena].bytes.end) {
    first.op->emitError() << "takes " << *span << " bytes at offset "
                          << all.begin
                          << " for all iterations but the arena has "
                          << model.handles[arena].bytes.end;
    return false;
  }
  Operation *loop = terms.front().loop;
  Value variable = terms.front().variable;
  unsigned depth = getDepth(variable, model);
  unsigned slot = addHandle(HandleKind::Slot, variable, depth - 1, all);
  model.handles[slot].arena = arena;
  model.handles[slot].marked = true;
  model.handles[slot].slots = IdSet(slot);
  model.workerFrames[loop].push_back(slot);
  unsigned frame = addHandle(HandleKind::Arena, variable, depth, *own);
  model.handles[frame].arena = frame;

  Views inner;
  for (const WorkerView *view : views)
    if (view->offset.terms.size() == next)
      place(*view, frame);
    else
      inner.push_back(view);
  return run(frame, inner, next);
}

/// The bytes that the frames of all iterations take, of `frame` bytes each; an
/// error if two of them share bytes. As in a number system the iterations of
/// one dimension must not reach what the next one counts in.
std::optional<int64_t> FramePlacer::separate(const WorkerView &view,
                                             ArrayRef<WorkerTerm> terms,
                                             int64_t frame) {
  Operation *loop = terms.front().loop;
  auto ranges = getLoopRanges(loop);
  for (const LoopRange &range : *ranges) {
    bool varies = llvm::any_of(terms, [&](const WorkerTerm &term) {
      return term.variable == range.variable;
    });
    if (varies || range.end - range.begin <= range.step)
      continue;
    InFlightDiagnostic diag = view.op->emitError();
    diag << "is at the same place in iterations that may run at once: it does "
            "not depend on each induction variable";
    diag.attachNote(loop->getLoc()) << "of this op";
    return std::nullopt;
  }
  SmallVector<WorkerTerm> sorted(terms);
  llvm::stable_sort(sorted, [](const WorkerTerm &a, const WorkerTerm &b) {
    return a.coefficient < b.coefficient;
  });
  int64_t span = frame;
  for (const WorkerTerm &term : sorted) {
    if (term.count > 1 && term.coefficient < span) {
      InFlightDiagnostic diag = view.op->emitError();
      diag << "is in the frame of an iteration, which takes " << span
           << " bytes, but that of the next begins after " << term.coefficient;
      diag.attachNote(loop->getLoc())
          << "iterations of this op may run at once";
      return std::nullopt;
    }
    int64_t rest;
    if (llvm::MulOverflow(term.coefficient, term.count - 1, rest) ||
        llvm::AddOverflow(span, rest, span)) {
      view.op->emitError() << "takes bytes of the arena whose number overflows";
      return std::nullopt;
    }
  }
  return span;
}

unsigned FramePlacer::addHandle(HandleKind kind, Value variable, unsigned depth,
                                ByteRange bytes) {
  unsigned id = model.handles.size();
  Handle &handle = model.handles.emplace_back();
  handle.kind = kind;
  handle.value = variable;
  handle.depth = depth;
  handle.bytes = bytes;
  return id;
}

} // namespace

std::optional<WorkerOffset> evaluateOffset(Value value) {
  unsigned steps = kMaxSteps;
  return evaluate(value, steps);
}

std::optional<WorkerOffset> addScaled(const WorkerOffset &offset, Value value,
                                      int64_t factor) {
  return add(offset, scale(evaluateOffset(value), factor));
}

LogicalResult placeWorkerViews(Model &model, ArrayRef<WorkerView> views,
                               PlaceFn place) {
  bool isSound = true;
  llvm::MapVector<unsigned, Views> byArena;
  for (const WorkerView &view : views) {
    // Outer loops must not hand out what inner ones go below.
    if (llvm::any_of(view.offset.terms, [](const WorkerTerm &term) {
          return term.coefficient < 0;
        })) {
      view.op->emitError() << "is at an offset that falls with the worker, "
                              "cannot be verified";
      isSound = false;
      continue;
    }
    byArena[view.arena].push_back(&view);
  }
  FramePlacer placer(model, place);
  for (auto &[arena, list] : byArena)
    isSound &= placer.run(arena, list, 0);
  return success(isSound);
}

} // namespace memplan::planverifier
