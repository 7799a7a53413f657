#!/usr/bin/env bash
# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds the firmware into the folder $1 (default: build). Needs memplan-opt on PATH
# and LLVM 22 (packages mlir-22-tools, llvm-22 and clang-22). $2 has further planning
# options.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=${1:-build}
llvm=$(llvm-config-22 --bindir)
mkdir -p "$out"

# One arena for the whole call tree is an argument of @classify and contains the
# result. The header has the arena's size and the result's offset, in bytes.
# Quotes keep a folder with blanks together; each step is a file, so that one that
# fails leaves no object.
rm -f "$out/model.o"
memplan-opt "$here/model.mlir" -o "$out/model.llvm.mlir" \
  --memplan-from-tensors="scope=module arena=argument results=arena \
require=placed ${2:-}" \
  --memplan-emit-header="file='$out/model.h' json-file='$out/model.json'" \
  --memplan-to-llvm="bare-pointers=true"
"$llvm/mlir-translate" --mlir-to-llvmir "$out/model.llvm.mlir" -o "$out/model.ll"
"$llvm/llc" -O2 -filetype=obj -relocation-model=pic "$out/model.ll" -o "$out/model.o"

"$llvm/clang" -O2 -Wall -Wno-unused-parameter -I "$out" -c "$here/main.c" \
  -o "$out/main.o"
"$llvm/clang" -O1 -fno-builtin -c "$here/heap_meter.c" -o "$out/heap_meter.o"
"$llvm/clang" "$out/main.o" "$out/model.o" "$out/heap_meter.o" -o "$out/firmware"
