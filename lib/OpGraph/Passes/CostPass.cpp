//===- CostPass.cpp - The memplan-cost pass -------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Output.h"
#include "Passes/GraphPass.h"
#include "memplan/Analysis/Describe.h"
#include "memplan/IR/Memplan.h"
#include "memplan/OpGraph/Passes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANCOST
#include "memplan/OpGraph/Passes.h.inc"
} // namespace memplan

using namespace memplan;

namespace {
/// The total cost of some ops. `seconds` is the time of the ops one after
/// another; std::nullopt if that of one op is unknown.
struct Row {
  std::string name;
  std::string location;
  int64_t ops = 0;
  OpCost cost;
  std::optional<double> seconds = 0;

  void add(const OpCost &other, std::optional<double> otherSeconds) {
    ++ops;
    cost.add(other);
    seconds = seconds && otherSeconds
                  ? std::optional<double>(*seconds + *otherSeconds)
                  : std::nullopt;
  }
};

struct FunctionCost {
  Row total;
  /// A row for each kind of op, by falling FLOPs.
  std::vector<Row> kinds;
  /// A row for each op, in program order.
  std::vector<Row> ops;
};
} // namespace

static double getIntensity(const OpCost &cost) {
  int64_t bytes = saturatingAdd(cost.getBytesRead(), cost.getBytesWritten());
  return bytes == 0 ? 0
                    : static_cast<double>(cost.getFlops()) /
                          static_cast<double>(bytes);
}

static FunctionCost computeCost(FunctionOpInterface function, CostModel &model,
                                const TargetDescription &target) {
  FunctionCost result;
  result.total.name = function.getName().str();
  result.total.location = formatLocation(function.getLoc());
  result.total.cost.isExact = function.getFunctionBody().hasOneBlock();
  llvm::MapVector<StringRef, Row> kinds;
  for (Block &block : function.getFunctionBody())
    for (Operation &op : block) {
      OpCost cost = model.getCost(&op);
      std::optional<double> seconds = estimateSeconds(cost, target);
      result.total.add(cost, seconds);
      if (cost.getFlops() == 0 && cost.traffic.empty() && cost.isExact &&
          cost.scratchBytes == 0 && cost.reserveBytes == 0)
        continue;
      StringRef kind = model.getKind(&op);
      kinds[kind].add(cost, seconds);
      Row row{kind.str(), formatLocation(op.getLoc()), 0, OpCost(), 0};
      row.add(cost, seconds);
      result.ops.push_back(std::move(row));
    }
  for (auto &[kind, row] : kinds) {
    row.name = kind.str();
    result.kinds.push_back(std::move(row));
  }
  llvm::stable_sort(result.kinds, [](const Row &a, const Row &b) {
    return a.cost.getFlops() > b.cost.getFlops();
  });
  return result;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static void printRow(const Row &row, StringRef name, llvm::raw_ostream &os) {
  os << "  " << llvm::left_justify(name, 34)
     << llvm::right_justify(std::to_string(row.ops), 7)
     << llvm::right_justify(std::to_string(row.cost.getFlops()), 17)
     << llvm::right_justify(std::to_string(row.cost.getBytesRead()), 15)
     << llvm::right_justify(std::to_string(row.cost.getBytesWritten()), 15)
     << llvm::right_justify(std::to_string(row.cost.scratchBytes), 12)
     << llvm::format("%12.3f", getIntensity(row.cost));
  if (row.seconds)
    os << llvm::format("%14.6g", *row.seconds);
  if (!row.cost.isExact)
    os << "  not exact";
  os << "\n";
}

static void printText(ArrayRef<FunctionCost> functions, bool perOp,
                      llvm::raw_ostream &os) {
  for (const FunctionCost &function : functions) {
    os << "@" << function.total.name << ": " << function.total.cost.getFlops()
       << " FLOPs (2 for a multiply-add)\n";
    os << "  " << llvm::left_justify("kind", 34)
       << "    ops            FLOPs     bytes read  bytes written     scratch"
          "  FLOPs/byte";
    if (function.total.seconds)
      os << "       seconds";
    os << "\n";
    for (const Row &row : perOp ? function.ops : function.kinds)
      printRow(row, perOp ? row.name + " " + row.location : row.name, os);
    printRow(function.total, "total", os);
  }
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static void printRow(const Row &row, llvm::json::OStream &json) {
  const OpCost &cost = row.cost;
  json.attribute("flops", cost.getFlops());
  json.attribute("bytes_read", cost.getBytesRead());
  json.attribute("bytes_written", cost.getBytesWritten());
  json.attribute("scratch_bytes", cost.scratchBytes);
  json.attribute("reserve_bytes", cost.reserveBytes);
  json.attribute("flops_per_byte", getIntensity(cost));
  json.attribute("exact", cost.isExact);
  if (row.seconds)
    json.attribute("seconds", *row.seconds);
}

static void printJson(ArrayRef<FunctionCost> functions, bool perOp,
                      llvm::raw_ostream &os) {
  llvm::json::OStream json(os, 2);
  auto printRows = [&](StringRef name, ArrayRef<Row> rows) {
    json.attributeArray(name, [&] {
      for (const Row &row : rows)
        json.object([&] {
          json.attribute("kind", row.name);
          if (!row.location.empty())
            json.attribute("location", row.location);
          json.attribute("ops", row.ops);
          printRow(row, json);
        });
    });
  };
  json.object([&] {
    json.attributeArray("functions", [&] {
      for (const FunctionCost &function : functions)
        json.object([&] {
          json.attribute("function", function.total.name);
          printRow(function.total, json);
          json.attributeObject("flops_by_type", [&] {
            for (const TypedFlops &entry : function.total.cost.flops) {
              std::string type;
              llvm::raw_string_ostream(type) << entry.type;
              json.attribute(type, entry.count);
            }
          });
          printRows("kinds", function.kinds);
          if (perOp)
            printRows("per_op", function.ops);
        });
    });
  });
  os << "\n";
}

namespace {
struct CostPass : memplan::impl::MemplanCostBase<CostPass> {
  using MemplanCostBase::MemplanCostBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    MemplanCostBase::getDependentDialects(registry);
    registerCostModels(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<GraphContext> context =
        GraphContext::create(module, dimHint, targetFile);
    if (failed(context))
      return signalPassFailure();
    std::vector<FunctionCost> functions;
    module.walk([&](FunctionOpInterface function) {
      if (!function.isExternal())
        functions.push_back(
            computeCost(function, *context->costs, *context->target));
    });
    auto print = [&](llvm::raw_ostream &os) {
      if (format == TableFormat::Json)
        printJson(functions, perOp, os);
      else if (format == TableFormat::Text)
        printText(functions, perOp, os);
    };
    if (failed(writeOutput(output, module.getLoc(), print)))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
