// RUN: memplan-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{attribute 'memplan.role' must be none, primal, tangent, fwd_rng or bwd_rng}}
func.func @role(%a: tensor<4xf32> {memplan.role = "weight"}) { return }

// -----

// expected-error@+1 {{attribute 'memplan.static' must be a unit attribute}}
func.func @static(%a: tensor<4xf32> {memplan.static = true}) { return }

// -----

// expected-error@+1 {{attribute 'memplan.num_fwd_outputs' must be a 64-bit integer, at most the number of results}}
func.func @outputs(%a: tensor<4xf32>) -> tensor<4xf32> attributes {memplan.num_fwd_outputs = 2 : i64} { return %a : tensor<4xf32> }

// -----

// expected-error@+1 {{attribute 'memplan.dim_hints' must be an array<i64> of numbers that are not negative, one for each dimension of the argument}}
func.func @hints(%a: tensor<?xf32> {memplan.dim_hints = array<i64: 1, 2>}) { return }

// -----

func.func @tag(%a: tensor<4xf32>) {
  // expected-error@+1 {{attribute 'memplan.recompute' must be none, must_save, prefer_save, prefer_recompute or must_recompute}}
  %e = math.exp %a {memplan.recompute = "always"} : tensor<4xf32>
  return
}

// -----

func.func @where(%a: tensor<4xf32>) {
  // expected-error@+1 {{attribute 'memplan.num_fwd_outputs' belongs on a function}}
  %e = math.exp %a {memplan.num_fwd_outputs = 1 : i64} : tensor<4xf32>
  return
}

// -----

// expected-error@+1 {{attribute 'memplan.changes' must be an array of dictionaries, on a function}}
func.func @changes() attributes {memplan.changes = ["striped"]} { return }
