#include "memplan/Analysis/PlanVerifier.h"
mlir::LogicalResult memplan::verifyPlannedFunction(mlir::FunctionOpInterface) {
  return mlir::success();
}
