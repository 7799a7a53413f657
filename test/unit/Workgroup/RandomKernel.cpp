//===- RandomKernel.cpp - Random kernels without data races ---------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomKernel.h"

#include <algorithm>
#include <random>
#include <vector>

using namespace memplan::test;

namespace {

/// A buffer of workgroup memory: thread t owns the elements t, t + threads, ...
struct Tile {
  std::string name, type, element;
  int parts;
  /// All threads have written their elements; and a barrier came after that.
  bool isFilled = false, isPublished = false;
  /// Since the last barrier: some thread has written its elements, and some
  /// thread has read those of others.
  bool isWritten = false, isRead = false;
};

class Generator {
public:
  Generator(uint64_t seed, int threads) : random(seed), threads(threads) {}

  std::string run() {
    std::string head;
    count = 3 + pick(5);
    int attributions = pick(count + 1);
    std::string list;
    for (int i = 0; i != count; ++i) {
      Tile tile = makeTile();
      if (i < attributions)
        list += (list.empty() ? "" : ", ") + tile.name + ": " + tile.type;
      else
        line(tile.name + " = memref." + (pick(4) == 0 ? "alloca" : "alloc") +
             "() : " + tile.type);
      tiles.push_back(tile);
    }
    body(8 + pick(20), 0);
    std::string bytes = std::to_string(threads);
    head = "module attributes {gpu.container_module} {\n"
           "gpu.module @m {\n"
           "gpu.func @k(%out: memref<" +
           bytes + "xi32>, %flags: memref<4xi32>, %n: index)\n";
    if (!list.empty())
      head += "    workgroup(" + list + ")\n";
    head += "    kernel {\n"
            "  %t = gpu.thread_id x\n"
            "  %b = gpu.block_id x\n"
            "  %c0 = arith.constant 0 : index\n"
            "  %c1 = arith.constant 1 : index\n"
            "  %c2 = arith.constant 2 : index\n"
            "  %k31 = arith.constant 31 : i32\n";
    return head + text + "  gpu.return\n}\n}\n}\n";
  }

private:
  int pick(int count) { return static_cast<int>(random() % count); }
  std::string fresh() { return "%v" + std::to_string(number++); }
  void line(const std::string &what) {
    text += std::string(2 + 2 * depth, ' ') + what + "\n";
  }

  Tile makeTile() {
    Tile tile;
    tile.name = "%w" + std::to_string(number++);
    tile.parts = 1 + pick(4);
    static const char *const elements[] = {"i32", "i64", "i16", "i8"};
    tile.element = elements[pick(4)];
    tile.type = "memref<" + std::to_string(tile.parts * threads) + "x" +
                tile.element + ", #gpu.address_space<workgroup>>";
    return tile;
  }

  std::string constant(int64_t value, const std::string &type = "index") {
    std::string name = fresh();
    line(name + " = arith.constant " + std::to_string(value) + " : " + type);
    return name;
  }

  std::string convert(const std::string &value, const std::string &from,
                      const std::string &to) {
    if (from == to)
      return value;
    std::string name = fresh();
    bool widens = std::stoi(from.substr(1)) < std::stoi(to.substr(1));
    line(name + " = arith." + (widens ? "extsi " : "trunci ") + value + " : " +
         from + " to " + to);
    return name;
  }

  std::string own(int part) {
    if (part == 0)
      return "%t";
    std::string offset = constant(part * threads), name = fresh();
    line(name + " = arith.addi %t, " + offset + " : index");
    return name;
  }

  std::string outType() {
    return "memref<" + std::to_string(threads) + "xi32>";
  }

  /// The sum of the thread, which is in global memory.
  std::string loadSum() {
    std::string name = fresh();
    line(name + " = memref.load %out[%t] : " + outType());
    return name;
  }

  void addToSum(const std::string &value, const std::string &type) {
    std::string sum = loadSum(), product = fresh(), next = fresh();
    line(product + " = arith.muli " + sum + ", %k31 : i32");
    line(next + " = arith.addi " + product + ", " +
         convert(value, type, "i32") + " : i32");
    line("memref.store " + next + ", %out[%t] : " + outType());
  }

  void write(Tile &tile) {
    for (int part = 0; part != tile.parts; ++part) {
      std::string sum = loadSum(), salt = constant(pick(1 << 20), "i32"),
                  value = fresh();
      line(value + " = arith.xori " + sum + ", " + salt + " : i32");
      std::string converted = convert(value, "i32", tile.element);
      line("memref.store " + converted + ", " + tile.name + "[" + own(part) +
           "] : " + tile.type);
    }
    tile.isWritten = true;
    tile.isPublished = false;
  }

  void load(Tile &tile, const std::string &index) {
    std::string value = fresh();
    int size = tile.parts * threads;
    if (pick(4) == 0) {
      // The same through a part of the buffer that contains all of it.
      std::string view = fresh(), cast = fresh();
      std::string strided = "memref<" + std::to_string(size) + "x" +
                            tile.element +
                            ", strided<[1], offset: ?>, "
                            "#gpu.address_space<workgroup>>";
      line(view + " = memref.subview " + tile.name + "[%c0] [" +
           std::to_string(size) + "] [1] : " + tile.type + " to " + strided);
      line(value + " = memref.load " + view + "[" + index + "] : " + strided);
    } else {
      line(value + " = memref.load " + tile.name + "[" + index +
           "] : " + tile.type);
    }
    addToSum(value, tile.element);
  }

  void readOwn(Tile &tile) { load(tile, own(pick(tile.parts))); }

  void readOthers(Tile &tile) {
    int size = tile.parts * threads;
    std::string shift = constant(1 + pick(size)), end = constant(size),
                sum = fresh(), index = fresh();
    line(sum + " = arith.addi %t, " + shift + " : index");
    line(index + " = arith.remui " + sum + ", " + end + " : index");
    load(tile, index);
    tile.isRead = true;
  }

  void barrier() {
    line("gpu.barrier");
    // Most tiles are used in a few phases only.
    if (depth == 0 && pick(2) && first + 1 < count)
      ++first;
    for (Tile &tile : tiles) {
      tile.isPublished |= tile.isFilled;
      tile.isWritten = tile.isRead = false;
    }
  }

  /// One access. In code that only some threads may execute, and in loops
  /// without barriers, threads use their own elements only.
  void access(bool onlyOwn, bool isPartial) {
    for (int tries = 0; tries != 8; ++tries) {
      int number = first + pick(std::min(2, count - first));
      if (pick(8) == 0)
        number = pick(count);
      int inner = static_cast<int>(tiles.size()) - count;
      if (inner != 0 && pick(2))
        number = count + pick(inner);
      Tile &tile = tiles[number];
      switch (pick(3)) {
      case 0:
        if (tile.isRead)
          continue;
        write(tile);
        tile.isFilled |= !isPartial;
        return;
      case 1:
        if (!tile.isFilled)
          continue;
        readOwn(tile);
        return;
      default:
        if (onlyOwn || !tile.isPublished || tile.isWritten)
          continue;
        readOthers(tile);
        return;
      }
    }
  }

  void open(const std::string &what) {
    line(what + " {");
    ++depth;
  }
  void close(const std::string &what = "}") {
    --depth;
    line(what);
  }

  /// What holds after one of two ways.
  static void join(std::vector<Tile> &into, const std::vector<Tile> &other) {
    for (size_t i = 0; i != into.size(); ++i) {
      into[i].isFilled &= other[i].isFilled;
      into[i].isPublished &= other[i].isPublished;
      into[i].isWritten |= other[i].isWritten;
      into[i].isRead |= other[i].isRead;
    }
  }

  /// A condition that is the same for all threads; proven to be if `isProven`.
  std::string sameForAll(bool isProven) {
    std::string name = fresh();
    if (isProven) {
      std::string other = constant(pick(3));
      line(name + " = arith.cmpi " + (pick(2) ? "eq" : "ult") + ", " +
           (pick(2) ? "%b" : "%n") + ", " + other + " : index");
      return name;
    }
    std::string flag = fresh(), zero = constant(0, "i32");
    line(flag + " = memref.load %flags[" + (pick(2) ? "%c0" : "%c1") +
         "] : memref<4xi32>");
    line(name + " = arith.cmpi ne, " + flag + ", " + zero + " : i32");
    return name;
  }

  void branch(int level, bool isProven) {
    std::vector<Tile> before = tiles;
    bool hasElse = pick(2);
    open("scf.if " + sameForAll(isProven));
    body(1 + pick(4), level + 1);
    std::vector<Tile> taken = tiles;
    tiles = before;
    if (hasElse) {
      close("} else {");
      ++depth;
      body(1 + pick(4), level + 1);
    }
    close();
    join(tiles, taken);
  }

  void someThreads() {
    std::vector<Tile> before = tiles;
    std::string limit = constant(1 + pick(threads)), condition = fresh();
    line(condition + " = arith.cmpi ult, %t, " + limit + " : index");
    open("scf.if " + condition);
    for (int i = 1 + pick(3); i != 0; --i)
      access(/*onlyOwn=*/true, /*isPartial=*/true);
    std::vector<Tile> taken = tiles;
    if (pick(2)) {
      close("} else {");
      ++depth;
      for (int i = 1 + pick(3); i != 0; --i)
        access(/*onlyOwn=*/true, /*isPartial=*/true);
    }
    close();
    join(tiles, taken);
    join(tiles, before);
  }

  void loop(int level) {
    // The bounds are constant, arguments, or the same for all without proof.
    std::string end;
    switch (pick(4)) {
    case 0:
      end = "%n";
      break;
    case 1: {
      std::string flag = fresh();
      end = fresh();
      line(flag + " = memref.load %flags[%c2] : memref<4xi32>");
      line(end + " = arith.index_cast " + flag + " : i32 to index");
      break;
    }
    default:
      end = "%c2";
    }
    bool hasBarrier = pick(3) != 0;
    open("scf.for " + fresh() + " = %c0 to " + end + " step %c1");
    if (!hasBarrier) {
      for (int i = 1 + pick(3); i != 0; --i)
        access(/*onlyOwn=*/true, /*isPartial=*/false);
      close();
      return;
    }
    // A barrier at the start separates the iterations.
    barrier();
    size_t outer = tiles.size();
    if (pick(2)) {
      Tile tile = makeTile();
      line(tile.name + " = memref.alloc() : " + tile.type);
      tiles.push_back(tile);
      write(tiles.back());
      tiles.back().isFilled = true;
    }
    body(2 + pick(5), level + 1);
    tiles.resize(outer);
    close();
  }

  void body(int length, int level) {
    for (int i = 0; i != length; ++i) {
      int kind = pick(20);
      if (kind < 3) {
        barrier();
        if (pick(4) == 0)
          barrier();
      } else if (kind == 3 && level < 2) {
        branch(level, /*isProven=*/true);
      } else if (kind == 4 && level < 2) {
        branch(level, /*isProven=*/false);
      } else if (kind == 5) {
        someThreads();
      } else if (kind == 6 && level < 2) {
        loop(level);
      } else {
        access(/*onlyOwn=*/false, /*isPartial=*/false);
      }
    }
  }

  std::mt19937_64 random;
  int threads;
  int number = 0, depth = 0;
  /// The tiles outside of loops, and the first that is still used often.
  int count = 0, first = 0;
  std::string text;
  std::vector<Tile> tiles;
};

} // namespace

std::string memplan::test::makeRandomKernel(uint64_t seed, int threads) {
  return Generator(seed, threads).run();
}
