//===- PlanVerifierCircles.cpp - Functions that call each other -----------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is known of functions that call each other in a circle is what their
// activations can do that end: nothing at first, then what follows from what
// was known of the calls inside, until nothing new does.
//
//===----------------------------------------------------------------------===//

#include "PlanVerifierAliases.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace memplan::planverifier {

FunctionOpInterface CallSummaries::resolve(CallOpInterface call) {
  auto function = dyn_cast_or_null<FunctionOpInterface>(
      call.resolveCallableInTable(&symbols));
  if (!function || function.isExternal() ||
      function.getNumArguments() != call.getArgOperands().size() ||
      function.getNumResults() != call->getNumResults())
    return nullptr;
  return function;
}

ArrayRef<FunctionOpInterface>
CallSummaries::getAddressed(CallOpInterface call) {
  Operation *module = call->getParentOfType<ModuleOp>();
  auto callee = dyn_cast<Value>(call.getCallableForCallee());
  if (!module || !callee)
    return {};
  if (addressedIn != module) {
    addressedIn = module;
    addressed.clear();
    module->walk([&](func::ConstantOp op) {
      auto function = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(
          op, op.getValueAttr());
      if (function && !function.isExternal())
        addressed[op.getType()].push_back(function);
    });
  }
  auto it = addressed.find(callee.getType());
  if (it == addressed.end())
    return {};
  return it->second;
}

/// Finds the circles of all functions with a body that `function` may call, and
/// of itself, unless they are known: callees before callers.
std::vector<std::shared_ptr<Circle>>
CallSummaries::discover(FunctionOpInterface function) {
  std::vector<FunctionOpInterface> reached{function};
  llvm::DenseMap<Operation *, unsigned> numbers{{function, 0}};
  std::vector<Node> nodes;
  auto addCall = [&](FunctionOpInterface callee) {
    if (!callee || circles.count(callee))
      return;
    auto [it, isNew] =
        numbers.try_emplace(callee, static_cast<unsigned>(reached.size()));
    if (isNew)
      reached.push_back(callee);
    nodes.back().edges.emplace_back().target = it->second;
  };
  for (size_t i = 0; i != reached.size(); ++i) {
    nodes.emplace_back();
    FunctionOpInterface caller = reached[i];
    caller->walk([&](CallOpInterface call) {
      addCall(resolve(call));
      llvm::for_each(getAddressed(call), addCall);
    });
  }
  std::vector<Component> components = findComponents(nodes);
  std::vector<std::shared_ptr<Circle>> found;
  for (const Component &component : llvm::reverse(components)) {
    auto circle = std::make_shared<Circle>();
    llvm::DenseMap<unsigned, unsigned> places;
    for (unsigned node : component) {
      places[node] = static_cast<unsigned>(circle->members.size());
      circle->members.push_back(reached[node]);
      circles[reached[node]] = circle;
    }
    circle->callers.resize(component.size());
    for (unsigned node : component)
      for (const Edge &edge : nodes[node].edges)
        if (auto it = places.find(edge.target); it != places.end())
          circle->callers[it->second].push_back(places[node]);
    found.push_back(std::move(circle));
  }
  return found;
}

/// Computes what is known of the members of the circle, beginning with `start`
/// and until `join` adds nothing to any.
template <typename T, typename StartFn, typename ComputeFn, typename JoinFn>
static void settle(const Circle &circle,
                   DenseMap<Operation *, std::unique_ptr<T>> &known,
                   StartFn start, ComputeFn compute, JoinFn join) {
  for (FunctionOpInterface member : circle.members)
    known[member] = std::make_unique<T>(start(member));
  llvm::BitVector pending(circle.members.size(), true);
  for (int next = pending.find_last(); next != -1; next = pending.find_last()) {
    pending.reset(next);
    FunctionOpInterface member = circle.members[next];
    // Computing it may make others known.
    T more = compute(member);
    if (!join(*known[member], more))
      continue;
    for (unsigned caller : circle.callers[next])
      pending.set(caller);
  }
}

static bool grow(llvm::BitVector &known, const llvm::BitVector &more) {
  bool grows = more.test(known);
  known |= more;
  return grows;
}

static bool shrink(llvm::BitVector &known, const llvm::BitVector &fewer) {
  bool shrinks = known.test(fewer);
  known &= fewer;
  return shrinks;
}

const CallSummary *CallSummaries::getOf(FunctionOpInterface function) {
  if (!function)
    return nullptr;
  if (!circles.count(function))
    for (const std::shared_ptr<Circle> &circle : discover(function))
      settle(
          *circle, summaries,
          [](FunctionOpInterface member) {
            return CallSummary(member.getNumArguments(),
                               member.getNumResults());
          },
          [&](FunctionOpInterface member) { return summarize(member); },
          [](CallSummary &known, const CallSummary &more) {
            bool changed = grow(known.losesArgument, more.losesArgument);
            changed |= grow(known.writesArgument, more.writesArgument);
            changed |=
                shrink(known.resultIsOnlyArguments, more.resultIsOnlyArguments);
            for (auto [mine, others] :
                 llvm::zip_equal(known.resultIsArgument, more.resultIsArgument))
              changed |= grow(mine, others);
            return changed;
          });
  return summaries[function].get();
}

const CallSummary *CallSummaries::get(CallOpInterface call) {
  return getOf(resolve(call));
}

const CallContents *CallSummaries::getContents(CallOpInterface call) {
  FunctionOpInterface function = resolve(call);
  if (!getOf(function))
    return nullptr;
  if (auto it = contents.find(function); it != contents.end())
    return it->second.get();
  // Endless chains of calls are not looked into.
  constexpr unsigned maxDepth = 256;
  if (depth == maxDepth)
    return nullptr;
  ++depth;
  std::shared_ptr<Circle> circle = circles[function];
  settle(
      *circle, contents,
      [](FunctionOpInterface member) {
        unsigned count = member.getNumArguments();
        return CallContents{llvm::BitVector(count),
                            llvm::BitVector(count, true)};
      },
      [&](FunctionOpInterface member) { return analyzeContents(member); },
      [](CallContents &known, const CallContents &more) {
        bool changed = grow(known.reads, more.reads);
        changed |= shrink(known.overwrites, more.overwrites);
        return changed;
      });
  --depth;
  return contents[function].get();
}

bool CallSummaries::mayLoseIndirectly(CallOpInterface call, unsigned argument) {
  if (!call->getParentOfType<ModuleOp>())
    return true;
  return llvm::any_of(getAddressed(call), [&](FunctionOpInterface function) {
    const CallSummary *summary = getOf(function);
    return argument >= summary->losesArgument.size() ||
           summary->losesArgument[argument];
  });
}

} // namespace memplan::planverifier
