# Usage: on-device.sh LIBRARIES PROGRAM...
# Runs each program as it is and, its allocations made gpu.alloc, raised, planned,
# lowered and restored; prints how many device arenas it has. Here the device is
# the host: before it runs, gpu.alloc is written memref.alloc again.
set -euo pipefail
libraries=$1
shift

execute() {
  memplan-opt --memplan-to-llvm | mlir-runner -O2 -e main \
    -entry-point-result=void -shared-libs="$libraries"
}

for program; do
  name=$(basename "$program" .mlir)
  execute <"$program" >"$name.before"
  sed 's/memref\.alloc()/gpu.alloc ()/; s/memref\.dealloc/gpu.dealloc/' \
    "$program" >"$name.device"
  memplan-opt "$name.device" --memplan-raise-gpu-alloc \
    --plan-memory="scope=module entry-points=main on-refusal=error" \
    --memplan-lower --memplan-restore-gpu-alloc >"$name.planned"
  sed 's/gpu\.alloc  *()/memref.alloc()/; s/gpu\.dealloc/memref.dealloc/' \
    "$name.planned" | execute >"$name.after"
  diff "$name.before" "$name.after"
  echo "$name: $(grep -c 'gpu.alloc.*memplan.arena' "$name.planned") arenas"
done
