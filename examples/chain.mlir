func.func @chain(%in: memref<1024xf32>, %out: memref<1024xf32>) {
  %a = memref.alloc() : memref<1024xf32>
  linalg.exp ins(%in : memref<1024xf32>) outs(%a : memref<1024xf32>)
  %b = memref.alloc() : memref<1024xf32>
  linalg.abs ins(%a : memref<1024xf32>) outs(%b : memref<1024xf32>)
  %c = memref.alloc() : memref<1024xf32>
  linalg.exp ins(%b : memref<1024xf32>) outs(%c : memref<1024xf32>)
  linalg.abs ins(%c : memref<1024xf32>) outs(%out : memref<1024xf32>)
  return
}
