#include "memplan/Analysis/PlanVerifier.h"
#include "memplan/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
using namespace mlir;
namespace memplan {
#define GEN_PASS_DEF_MEMPLANVERIFY
#include "memplan/Transforms/Passes.h.inc"
} // namespace memplan
namespace {
struct VerifyPass : memplan::impl::MemplanVerifyBase<VerifyPass> {
  void runOnOperation() override {}
};
} // namespace
