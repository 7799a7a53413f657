// The forward pass saves activations, the backward pass uses them in reverse
// order; the weights are updated in place.
//
// %w, %x, %h1, %h2, and two more at the gradient of the last layer: 384 bytes.
// CHECK: arena @main: naive=704 others=384
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %w = memref.alloc() : memref<8xi64>
  %x = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k2 : i64) outs(%w : memref<8xi64>)
  linalg.fill ins(%k1 : i64) outs(%x : memref<8xi64>)
  %h1 = memref.alloc() : memref<8xi64>
  linalg.map { arith.muli } ins(%x, %w : memref<8xi64>, memref<8xi64>) outs(%h1 : memref<8xi64>)
  %h2 = memref.alloc() : memref<8xi64>
  linalg.map { arith.muli } ins(%h1, %w : memref<8xi64>, memref<8xi64>) outs(%h2 : memref<8xi64>)
  %h3 = memref.alloc() : memref<8xi64>
  linalg.map { arith.muli } ins(%h2, %w : memref<8xi64>, memref<8xi64>) outs(%h3 : memref<8xi64>)
  %g3 = memref.alloc() : memref<8xi64>
  linalg.map { arith.subi } ins(%h3, %x : memref<8xi64>, memref<8xi64>) outs(%g3 : memref<8xi64>)
  %gw3 = memref.alloc() : memref<8xi64>
  linalg.map { arith.muli } ins(%g3, %h2 : memref<8xi64>, memref<8xi64>) outs(%gw3 : memref<8xi64>)
  %g2 = memref.alloc() : memref<8xi64>
  linalg.map { arith.muli } ins(%g3, %w : memref<8xi64>, memref<8xi64>) outs(%g2 : memref<8xi64>)
  %gw2 = memref.alloc() : memref<8xi64>
  linalg.map { arith.muli } ins(%g2, %h1 : memref<8xi64>, memref<8xi64>) outs(%gw2 : memref<8xi64>)
  %g1 = memref.alloc() : memref<8xi64>
  linalg.map { arith.muli } ins(%g2, %w : memref<8xi64>, memref<8xi64>) outs(%g1 : memref<8xi64>)
  %gw1 = memref.alloc() : memref<8xi64>
  linalg.map { arith.muli } ins(%g1, %x : memref<8xi64>, memref<8xi64>) outs(%gw1 : memref<8xi64>)
  linalg.map { arith.subi } ins(%w, %gw1 : memref<8xi64>, memref<8xi64>) outs(%w : memref<8xi64>)
  linalg.map { arith.subi } ins(%w, %gw2 : memref<8xi64>, memref<8xi64>) outs(%w : memref<8xi64>)
  linalg.map { arith.subi } ins(%w, %gw3 : memref<8xi64>, memref<8xi64>) outs(%w : memref<8xi64>)
  %s1 = memref.load %w[%c0] : memref<8xi64>
  vector.print %s1 : i64
  return
}
