// With a capacity the first plan that fits is taken; `minimize` goes on to the
// least arena.
// RUN: memplan-opt %s --memplan-solve | FileCheck %s --check-prefix=FIRST
// RUN: memplan-opt %s --memplan-solve=minimize=true | FileCheck %s --check-prefix=LEAST
// FIRST: arena_size = 11 : i64{{.*}}status = "feasible"
// LEAST: arena_size = 10 : i64{{.*}}status = "optimal"
memplan.problem @early capacity(13) {
  memplan.buffer @a size(3) live [[9, 10)]
  memplan.buffer @b size(4) live [[1, 5)]
  memplan.buffer @c size(2) live [[7, 11)]
  memplan.buffer @d size(1) live [[1, 5)]
  memplan.buffer @e size(5) live [[6, 10)]
  memplan.buffer @f size(3) live [[0, 4)]
  memplan.buffer @g size(1) live [[3, 8)]
}
