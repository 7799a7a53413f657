#!/bin/sh
# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds the firmware into the folder $1 (default: build). Needs memplan-opt and
# the tools of LLVM on PATH. $2 has further planning options.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-build}
mkdir -p "$out"

# One arena for the whole call tree is an argument of @classify and contains the
# result. The header has the arena's size and the result's offset, in bytes.
memplan-opt "$here/model.mlir" \
  --memplan-from-tensors="scope=module arena=argument results=arena \
require=placed ${2:-}" \
  --memplan-emit-header="file=$out/model.h json-file=$out/model.json" \
  --memplan-to-llvm="bare-pointers=true" |
  mlir-translate --mlir-to-llvmir |
  llc -O2 -filetype=obj -relocation-model=pic -o "$out/model.o"

clang -O2 -Wall -Wno-unused-parameter -I "$out" -c "$here/main.c" \
  -o "$out/main.o"
clang -O1 -fno-builtin -c "$here/heap_meter.c" -o "$out/heap_meter.o"
clang "$out/main.o" "$out/model.o" "$out/heap_meter.o" -o "$out/firmware"
