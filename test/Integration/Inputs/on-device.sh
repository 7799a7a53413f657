# Usage: on-device.sh LIBRARIES PROGRAM...
# Runs each program twice: unchanged, and with gpu.alloc instead of memref.alloc,
# raised, planned, lowered and restored. Prints the number of its device arenas. The
# device is the host: gpu.alloc becomes memref.alloc again before the program runs.
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
    --plan-memory="scope=module entry-points=main require=verified" \
    --memplan-lower --memplan-restore-gpu-alloc >"$name.planned"
  sed 's/gpu\.alloc  *()/memref.alloc()/; s/gpu\.dealloc/memref.dealloc/' \
    "$name.planned" | execute >"$name.after"
  diff "$name.before" "$name.after"
  echo "$name: $(grep -c 'gpu.alloc.*memplan.arena' "$name.planned") arenas"
done
