"""Prints a program with 70 buffers of dynamic size that are live at once, and a
store to the first or the last of them in a loop that reads all."""
COUNT = 70
print("""func.func @f(%n: index, %c: i1, %v: f32, %times: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32""")
for i in range(COUNT):
    print(f"  %b{i} = memref.alloc(%n) : memref<?xf32>")
    print(f"  linalg.fill ins(%z : f32) outs(%b{i} : memref<?xf32>)")
print(f"""  %one = arith.select %c, %b0, %b{COUNT - 1} : memref<?xf32>
  %r = scf.for %k = %c0 to %times step %c1 iter_args(%acc = %z) -> (f32) {{
    %old = memref.load %b{COUNT - 1}[%c0] : memref<?xf32>
    %new = arith.addf %old, %v : f32
    memref.store %new, %one[%c0] : memref<?xf32>
    %s0 = arith.addf %acc, %z : f32""")
for i in range(1, COUNT):
    print(f"    %x{i} = memref.load %b{i}[%c0] : memref<?xf32>")
    print(f"    %s{i} = arith.addf %s{i - 1}, %x{i} : f32")
print(f"    scf.yield %s{COUNT - 1} : f32\n  }}")
for i in range(COUNT):
    print(f"  memref.dealloc %b{i} : memref<?xf32>")
print("""  return %r : f32
}
func.func @main() {
  %n = arith.constant 4 : index
  %c = arith.constant false
  %v = arith.constant 1.0 : f32
  %times = arith.constant 3 : index
  %r = call @f(%n, %c, %v, %times) : (index, i1, f32, index) -> f32
  vector.print %r : f32
  return
}""")
