//===- ContentsTest.cpp - Wrong fills and slices are refused --------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Equivalence/Equivalence.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace {

constexpr const char *kFillA = "linalg.fill ins(%v : f32) outs(%a : !m)\n";
constexpr const char *kReadA = "memref.copy %a, %o : !m to !m\n";

std::string wrap(const std::string &body) {
  return R"mlir(
!m = memref<8xf32>
!s = memref<8xf32, strided<[1], offset: 2>>
func.func private @g(%x: !m)
func.func private @h(%x: index)
func.func @f(%v: f32, %w: f32, %o: !m, %n: index, %q: i1,
             %p: memref<12xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : !m
  %b = memref.alloc() : !m
  %c = memref.alloc() : !m
)mlir" + body +
         "  return\n}\n";
}

/// The error of the check, or an empty text if it accepts.
std::string check(const std::string &original, const std::string &filled) {
  DialectRegistry registry;
  registry
      .insert<affine::AffineDialect, arith::ArithDialect,
              cf::ControlFlowDialect, func::FuncDialect, gpu::GPUDialect,
              linalg::LinalgDialect, memref::MemRefDialect, scf::SCFDialect>();
  MLIRContext context(registry);
  std::string said;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    said += diagnostic.str() + "\n";
    return success();
  });
  OwningOpRef<ModuleOp> before =
      parseSourceString<ModuleOp>(wrap(original), &context);
  OwningOpRef<ModuleOp> after =
      parseSourceString<ModuleOp>(wrap(filled), &context);
  if (!before || !after)
    return "does not parse: " + said;
  LogicalResult result =
      memplan::checkContents(before->lookupSymbol<func::FuncOp>("f"),
                             after->lookupSymbol<func::FuncOp>("f"));
  EXPECT_EQ(succeeded(result), said.empty());
  return said;
}

constexpr const char *kOther = "linalg.exp ins(%o : !m) outs(%o : !m)\n";
constexpr const char *kNestA =
    "affine.for %i = 0 to 8 { affine.store %v, %a[%i] : !m }\n";
constexpr const char *kNestO =
    "affine.for %i = 0 to 8 { affine.store %v, %o[%i] : !m }\n";

std::string join(std::initializer_list<const char *> lines) {
  std::string text;
  for (const char *line : lines)
    text += line;
  return text;
}

/// A pair of programs with different contents, and the difference.
struct Wrong {
  const char *what;
  std::string original, prepared;
};

/// Expects that each pair is rejected, and that each original is accepted.
void expectRefused(const std::vector<Wrong> &all) {
  for (const Wrong &wrong : all) {
    SCOPED_TRACE(wrong.what);
    std::string said = check(wrong.original, wrong.prepared);
    EXPECT_NE(said, "");
    EXPECT_EQ(said.find("does not parse"), std::string::npos) << said;
    EXPECT_EQ(check(wrong.original, wrong.original), "");
  }
}

TEST(ContentsTest, AcceptsWhatIsTheSame) {
  auto program = join({kFillA, kOther, kReadA});
  EXPECT_EQ(check(program, program), "");
  // A fill may be moved, removed, or repeated under control flow that only
  // reads.
  EXPECT_EQ(check(program, join({kOther, kFillA, kReadA})), "");
  EXPECT_EQ(check(join({kFillA, kFillA, kReadA}), join({kFillA, kReadA})), "");
  EXPECT_EQ(check(join({kFillA, kOther}), kOther), "");
  const char *loop = "scf.for %i = %c0 to %n step %c1 {\n"
                     "  memref.copy %a, %o : !m to !m\n}\n";
  EXPECT_EQ(check(join({kFillA, kOther, loop}), join({kOther, kFillA, loop})),
            "");
  EXPECT_EQ(
      check(join({kNestA, kOther, kReadA}), join({kOther, kNestA, kReadA})),
      "");
}

TEST(ContentsTest, AcceptsCopiesThatAreFills) {
  const char *copyB = "memref.copy %a, %b : !m to !m\n";
  const char *copyC = "memref.copy %b, %c : !m to !m\n";
  const char *readC = "memref.copy %c, %o : !m to !m\n";
  const char *fillC = "linalg.fill ins(%v : f32) outs(%c : !m)\n";
  const char *fillO = "linalg.fill ins(%v : f32) outs(%o : !m)\n";
  EXPECT_EQ(check(join({kFillA, copyB, copyC, kOther, readC}),
                  join({kOther, fillC, readC})),
            "");
  EXPECT_EQ(check(join({kFillA, kReadA}), fillO), "");
  EXPECT_EQ(check(join({kNestA, kReadA}), kNestO), "");
  // The same in a loop.
  EXPECT_EQ(check(join({kFillA, "scf.for %i = %c0 to %n step %c1 {\n", kReadA,
                        "}\n"}),
                  join({"scf.for %i = %c0 to %n step %c1 {\n", fillO, "}\n"})),
            "");
}

TEST(ContentsTest, RefusesWhatDiffers) {
  const char *writeA = "memref.store %w, %a[%c0] : !m\n";
  const char *fillW = "linalg.fill ins(%w : f32) outs(%a : !m)\n";
  const char *branch = "scf.if %q {\n";
  const char *loop = "scf.for %i = %c0 to %n step %c1 {\n";
  const char *end = "}\n";
  const char *call = "func.call @g(%a) : (!m) -> ()\n";
  const char *fillO = "linalg.fill ins(%v : f32) outs(%o : !m)\n";
  const char *view = "%s = memref.subview %a[0] [8] [1] : !m to "
                     "memref<8xf32, strided<[1]>>\n";
  const char *readView = "memref.copy %s, %o : memref<8xf32, strided<[1]>> to "
                         "!m\n";
  const char *half = "affine.for %i = 0 to 4 { affine.store %v, %a[%i] : !m "
                     "}\n";
  const char *steps = "affine.for %i = 0 to 8 step 2 { affine.store %v, "
                      "%a[%i] : !m }\n";
  std::vector<Wrong> all = {
      {"behind a read", join({kFillA, kReadA, kOther}),
       join({kReadA, kFillA, kOther})},
      {"missing", join({kFillA, kReadA}), kReadA},
      {"another value", join({kFillA, kReadA}), join({fillW, kReadA})},
      {"over a write", join({kFillA, writeA, kReadA}),
       join({writeA, kFillA, kReadA})},
      {"added", join({kFillA, writeA, kReadA}),
       join({kFillA, writeA, kFillA, kReadA})},
      {"a copy of another value", join({fillW, kReadA}), fillO},
      {"a copy behind a write", join({kFillA, writeA, kReadA}),
       join({kFillA, writeA, fillO})},
      {"into a branch", join({kFillA, branch, end, kReadA}),
       join({branch, kFillA, end, kReadA})},
      {"over a branch that writes", join({kFillA, branch, writeA, end, kReadA}),
       join({branch, writeA, end, kFillA, kReadA})},
      {"into a loop", join({kFillA, loop, kReadA, writeA, end}),
       join({loop, kFillA, kReadA, writeA, end})},
      {"a copy in a loop that writes",
       join({kFillA, loop, kReadA, writeA, end}),
       join({kFillA, loop, fillO, writeA, end})},
      {"over a call", join({kFillA, call, kReadA}),
       join({call, kFillA, kReadA})},
      {"behind a call", join({call, kFillA, call}), join({call, call, kFillA})},
      {"by another name", join({view, kFillA, readView}),
       join({view, readView, kFillA})},
      {"half of it", join({kFillA, kReadA}), join({half, kReadA})},
      {"each other one", join({kFillA, kReadA}), join({steps, kReadA})},
      {"an op less", join({kFillA, kOther, kReadA}), join({kFillA, kReadA})},
      {"behind a jump", join({kFillA, "cf.br ^next\n^next:\n", kReadA}),
       join({"cf.br ^next\n^next:\n", kReadA})},
  };
  expectRefused(all);
}

constexpr const char *kLarge = "%l = memref.alloc() : memref<12xf32>\n";
constexpr const char *kFillLarge =
    "linalg.fill ins(%v : f32) outs(%l : memref<12xf32>)\n";
constexpr const char *kSlice = "%s = memref.subview %l[2] [8] [1] : "
                               "memref<12xf32> to !s\n";
constexpr const char *kComputeA = "linalg.exp ins(%o : !m) outs(%a : !m)\n";
constexpr const char *kComputeS = "linalg.exp ins(%o : !m) outs(%s : !s)\n";
constexpr const char *kCopySlice = "memref.copy %a, %s : !m to !s\n";
constexpr const char *kReadLarge =
    "memref.copy %l, %p : memref<12xf32> to memref<12xf32>\n";
constexpr const char *kAddA = "linalg.add ins(%a, %o : !m, !m) outs(%a : !m)\n";
constexpr const char *kAddS = "linalg.add ins(%s, %o : !s, !m) outs(%s : !s)\n";

TEST(ContentsTest, AcceptsSlices) {
  std::string padded =
      join({kComputeA, kLarge, kFillLarge, kSlice, kCopySlice, kReadLarge});
  EXPECT_EQ(check(padded, padded), "");
  EXPECT_EQ(
      check(padded, join({kLarge, kSlice, kFillLarge, kComputeS, kReadLarge})),
      "");
  // Ops that accumulate, and a result that is not written in place any more.
  std::string added = join(
      {kComputeA, kAddA, kLarge, kFillLarge, kSlice, kCopySlice, kReadLarge});
  EXPECT_EQ(check(added, join({kLarge, kFillLarge, kSlice, kComputeS, kAddS,
                               kReadLarge})),
            "");
  EXPECT_EQ(check(added, join({kComputeA, kLarge, kFillLarge, kSlice,
                               "linalg.add ins(%a, %o : !m, !m) outs(%s : "
                               "!s)\n",
                               kReadLarge})),
            "");
  // Another buffer is written after the copy.
  EXPECT_EQ(check(join({padded.c_str(), kComputeA, kReadA}),
                  join({kLarge, kSlice, kFillLarge, kComputeS, kReadLarge,
                        kComputeA, kReadA})),
            "");
  // Another slice.
  const char *rest = "%t = memref.subview %l[10] [2] [1] : memref<12xf32> to "
                     "memref<2xf32, strided<[1], offset: 10>>\n"
                     "linalg.fill ins(%w : f32) outs(%t : memref<2xf32, "
                     "strided<[1], offset: 10>>)\n";
  EXPECT_EQ(
      check(join({kComputeA, kLarge, kFillLarge, rest, kSlice, kCopySlice,
                  kReadLarge}),
            join({kLarge, kFillLarge, kSlice, kComputeS, rest, kReadLarge})),
      "");
}

TEST(ContentsTest, RefusesWrongSlices) {
  std::string original =
      join({kComputeA, kLarge, kFillLarge, kSlice, kCopySlice, kReadLarge});
  const char *elsewhere = "%s = memref.subview %l[3] [8] [1] : memref<12xf32> "
                          "to memref<8xf32, strided<[1], offset: 3>>\n";
  const char *computeElsewhere = "linalg.exp ins(%o : !m) outs(%s : "
                                 "memref<8xf32, strided<[1], offset: 3>>)\n";
  const char *meeting = "%t = memref.subview %l[0] [3] [1] : memref<12xf32> to "
                        "memref<3xf32, strided<[1]>>\n"
                        "linalg.fill ins(%w : f32) outs(%t : memref<3xf32, "
                        "strided<[1]>>)\n";
  const char *broadcast =
      "linalg.generic {indexing_maps = [affine_map<(i) -> (0)>, "
      "affine_map<(i) -> (i)>], iterator_types = [\"parallel\"]} "
      "ins(%a : !m) outs(%a : !m) {\n^bb0(%x: f32, %y: f32):\n"
      "linalg.yield %x : f32\n}\n";
  const char *broadcastApart =
      "linalg.generic {indexing_maps = [affine_map<(i) -> (0)>, "
      "affine_map<(i) -> (i)>], iterator_types = [\"parallel\"]} "
      "ins(%a : !m) outs(%s : !s) {\n^bb0(%x: f32, %y: f32):\n"
      "linalg.yield %x : f32\n}\n";
  const char *prepare = "linalg.fill ins(%w : f32) outs(%a : !m)\n";
  const char *maybe = "scf.if %q {\n";
  const char *end = "}\n";
  std::vector<Wrong> all = {
      {"filled behind", original,
       join({kLarge, kSlice, kComputeS, kFillLarge, kReadLarge})},
      {"not filled", original, join({kLarge, kSlice, kComputeS, kReadLarge})},
      {"elsewhere", original,
       join({kLarge, elsewhere, kFillLarge, computeElsewhere, kReadLarge})},
      {"not computed", original,
       join({kLarge, kFillLarge, kSlice, kReadLarge})},
      {"not copied", original,
       join({kComputeA, kLarge, kFillLarge, kSlice, kReadLarge})},
      {"accumulates what is not there",
       join({kComputeA, kAddA, kLarge, kFillLarge, kSlice, kCopySlice,
             kReadLarge}),
       join({kComputeA, kLarge, kFillLarge, kSlice, kAddS, kReadLarge})},
      {"read behind", join({original.c_str(), kReadA}),
       join({kLarge, kFillLarge, kSlice, kComputeS, kReadLarge, kReadA})},
      {"over another slice",
       join({kComputeA, kLarge, kFillLarge, meeting, kSlice, kCopySlice,
             kReadLarge}),
       join({kLarge, kFillLarge, kSlice, kComputeS, meeting, kReadLarge})},
      {"read before it is written over",
       join({prepare, broadcast, kLarge, kFillLarge, kSlice, kCopySlice,
             kReadLarge}),
       join({prepare, kLarge, kFillLarge, kSlice, broadcastApart, kReadLarge})},
      {"copied under a condition",
       join({kComputeA, kLarge, kFillLarge, kSlice, maybe, kCopySlice, end,
             kReadLarge}),
       join({kLarge, kFillLarge, kSlice, kComputeS, maybe, end, kReadLarge})},
      {"computed under a condition",
       join({prepare, maybe, kComputeA, end, kLarge, kFillLarge, kSlice,
             kCopySlice, kReadLarge}),
       join({prepare, kLarge, kFillLarge, kSlice, maybe, kComputeS, end,
             kReadLarge})},
      {"another allocation is freed",
       join({original.c_str(), "memref.dealloc %b : !m\n", kComputeA, kReadA}),
       join({original.c_str(), "memref.dealloc %a : !m\n", kComputeA, kReadA})},
  };
  expectRefused(all);
}

TEST(ContentsTest, RefusesOtherElements) {
  auto payload = [](const char *out, const char *type, const char *loaded,
                    const char *loadedType) {
    return std::string("linalg.generic {indexing_maps = [affine_map<(i) -> "
                       "(i)>], iterator_types = [\"parallel\"]} outs(") +
           out + " : " + type + ") {\n^bb0(%y: f32):\n%x = memref.load " +
           loaded + "[%c0] : " + loadedType +
           "\n%t = arith.addf %x, %x : f32\nlinalg.yield %t : f32\n}\n";
  };
  const char *fillB = "linalg.fill ins(%v : f32) outs(%b : !m)\n";
  const char *slice3 = "%s = memref.subview %l[0] [8] [1] : memref<12xf32> to "
                       "memref<8xf32, strided<[1]>>\n";
  const char *readS = "memref.copy %s, %o : !s to !m\n";
  const char *readS3 = "memref.copy %s, %o : memref<8xf32, strided<[1]>> to "
                       "!m\n";
  auto matrix = [](int rows, int columns, bool isLater) {
    std::string type = std::to_string(rows) + "x" + std::to_string(columns);
    std::string slice =
        "memref<2x2xf32, strided<[" + std::to_string(columns) + ", 1]>>";
    std::string text =
        isLater ? "%r = memref.expand_shape %l [[0, 1]] output_shape [" +
                      std::to_string(rows) + ", " + std::to_string(columns) +
                      "] : memref<12xf32> into memref<" + type + "xf32>\n"
                : "%r = memref.alloc() : memref<" + type +
                      "xf32>\nlinalg.fill ins(%v : f32) outs(%r : memref<" +
                      type + "xf32>)\n";
    text += "%t = memref.subview %r[0, 0] [2, 2] [1, 1] : memref<" + type +
            "xf32> to " + slice +
            "\nlinalg.fill ins(%w : f32) outs(%t : " + slice + ")\n";
    if (!isLater)
      text += "%l = memref.collapse_shape %r [[0, 1]] : memref<" + type +
              "xf32> into memref<12xf32>\n";
    return text;
  };
  auto branches = [](const char *value) {
    return std::string("linalg.fill ins(") + value +
           " : f32) outs(%a : !m)\nscf.if %q {\nmemref.dealloc %a : !m\n} "
           "else {\nmemref.copy %a, %o : !m to !m\nmemref.dealloc %a : "
           "!m\n}\n";
  };
  const char *carried =
      "%e = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (!m) {\n"
      "memref.store %w, %x[%c1] : !m\n";
  const char *endCarried = "scf.yield %x : !m\n}\n";
  const char *dynamicSlice =
      "%t = memref.subview %r[0] [8] [1] : memref<?xf32> to memref<8xf32, "
      "strided<[1]>>\nlinalg.fill ins(%v : f32) outs(%t : memref<8xf32, "
      "strided<[1]>>)\n";
  const char *readS8 =
      "memref.copy %t, %o : memref<8xf32, strided<[1]>> to !m\n";
  auto store = [](const char *type) {
    return std::string("linalg.generic {indexing_maps = [affine_map<(i) -> "
                       "(i)>], iterator_types = [\"parallel\"]} outs(%s : ") +
           type +
           ") {\n^bb0(%y: f32):\nmemref.store %w, %l[%c1] : memref<12xf32>\n"
           "linalg.yield %v : f32\n}\n";
  };
  const char *shape = "%h = memref.alloc() : memref<1xindex>\n"
                      "memref.store %n, %h[%c0] : memref<1xindex>\n";
  const char *reshape = "%r = memref.reshape %a(%h) : (!m, memref<1xindex>) -> "
                        "memref<?xf32>\n";
  const char *other = "memref.store %c1, %h[%c0] : memref<1xindex>\n";
  const char *readR = "%k = memref.dim %r, %c0 : memref<?xf32>\n"
                      "func.call @h(%k) : (index) -> ()\n";
  std::vector<Wrong> all = {
      {"a payload that reads what the op writes",
       join({kFillA, fillB, payload("%a", "!m", "%b", "!m").c_str(), kReadA}),
       join({kFillA, payload("%a", "!m", "%a", "!m").c_str(), kReadA})},
      {"a payload that reads another slice",
       join({kLarge, kFillLarge, kSlice,
             payload("%s", "!s", "%l", "memref<12xf32>").c_str(), readS}),
       join(
           {kLarge, kFillLarge, slice3,
            payload("%s", "memref<8xf32, strided<[1]>>", "%l", "memref<12xf32>")
                .c_str(),
            readS3})},
      {"allocations of another shape",
       join({matrix(3, 4, false).c_str(), kReadLarge}),
       join({matrix(4, 3, false).c_str(), kReadLarge})},
      {"slices of another shape",
       join({kLarge, kFillLarge, matrix(3, 4, true).c_str(), kReadLarge}),
       join({kLarge, kFillLarge, matrix(4, 3, true).c_str(), kReadLarge})},
      {"freed in a branch", branches("%v"), branches("%w")},
      {"filled where it may be freed",
       join({"scf.if %q {\n", kComputeA,
             "} else {\nmemref.dealloc %a : "
             "!m\n}\n",
             fillB, "memref.copy %b, %o : !m to !m\n"}),
       join({"scf.if %q {\n", kComputeA,
             "} else {\nmemref.dealloc %a : "
             "!m\n}\n",
             fillB, kFillA, "memref.copy %b, %o : !m to !m\n"})},
      {"carried by a loop that writes it",
       join({kFillA, fillB, carried, "memref.copy %a, %o : !m to !m\n",
             endCarried}),
       join({kFillA, fillB, carried, "memref.copy %b, %o : !m to !m\n",
             endCarried})},
      {"an allocation that is too small",
       join({"%r = memref.alloc(%n) : memref<?xf32>\n", dynamicSlice, readS8}),
       join(
           {"%r = memref.alloc(%c1) : memref<?xf32>\n", dynamicSlice, readS8})},
      {"a payload that writes another slice",
       join({kLarge, kFillLarge, kSlice, store("!s").c_str(), kReadLarge}),
       join({kLarge, kFillLarge, slice3,
             store("memref<8xf32, strided<[1]>>").c_str(), kReadLarge})},
      {"a shape that is read from memory",
       join({kFillA, shape, reshape, other, readR}),
       join({kFillA, shape, other, reshape, readR})},
  };
  expectRefused(all);
}

TEST(ContentsTest, RefusesInCommonMemory) {
  const char *launch =
      "gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)\n"
      "threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {\n"
      "%s = memref.alloc() : memref<8xf32, #gpu.address_space<workgroup>>\n";
  const char *fill = "linalg.fill ins(%v : f32) outs(%s : memref<8xf32, "
                     "#gpu.address_space<workgroup>>)\n";
  const char *read = "memref.copy %s, %o : memref<8xf32, "
                     "#gpu.address_space<workgroup>> to !m\n";
  const char *end = "gpu.terminator\n}\n";
  EXPECT_NE(check(join({launch, fill, "gpu.barrier\n", read, end}),
                  join({launch, "gpu.barrier\n", fill, read, end})),
            "");
}

} // namespace
