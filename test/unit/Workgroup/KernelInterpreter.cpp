//===- KernelInterpreter.cpp - Runs one workgroup of a kernel -------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelInterpreter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <set>

using namespace mlir;
using namespace memplan::test;

namespace {

/// Memory that all threads see.
struct Memory {
  std::vector<uint8_t> bytes;
  /// By byte, the buffer through which it was written last, and all through
  /// which it was ever written.
  std::vector<const void *> owner;
  std::vector<std::set<const void *>> writers;
  /// By byte, its accesses since the barrier of this number.
  struct Access {
    const void *buffer;
    int thread;
    bool writes;
  };
  std::vector<std::vector<Access>> accesses;
  std::vector<int64_t> barrier;

  explicit Memory(size_t size)
      : bytes(size), owner(size), writers(size), accesses(size), barrier(size) {
  }
};

struct MemRefValue {
  std::shared_ptr<Memory> memory;
  /// The attribution, allocation or view that begins the buffer.
  const void *buffer = nullptr;
  int64_t byteOffset = 0;
  std::vector<int64_t> shape;
  /// In elements.
  std::vector<int64_t> strides;
  int64_t elementBytes = 1;
};

struct Cell {
  int64_t number = 0;
  MemRefValue memref;
};

struct Thread {
  int number = 0;
  Operation *next = nullptr;
  Operation *waitsAt = nullptr;
  llvm::DenseMap<Value, Cell> values;
  bool isDone() const { return !next; }
};

class Interpreter {
public:
  Interpreter(FunctionOpInterface kernel, const RunOptions &options)
      : kernel(kernel), options(options), random(options.seed) {}

  RunResult run() {
    prepare();
    std::uniform_int_distribution<int> kind(0, 3);
    int mode = kind(random);
    int current = 0;
    std::vector<int> rank(options.threads);
    for (int i = 0; i != options.threads; ++i)
      rank[i] = i;
    std::shuffle(rank.begin(), rank.end(), random);
    for (int64_t steps = 0; result.error.empty(); ++steps) {
      if (steps > 4'000'000) {
        result.error = "runs too long";
        break;
      }
      std::vector<int> ready;
      for (int i : rank)
        if (!threads[i].isDone() && !threads[i].waitsAt)
          ready.push_back(i);
      if (ready.empty()) {
        if (!passBarrier())
          break;
        if (mode == 1)
          std::shuffle(rank.begin(), rank.end(), random);
        continue;
      }
      // One thread as far as it gets, the next op of any thread, or bursts.
      bool isReady =
          std::find(ready.begin(), ready.end(), current) != ready.end();
      bool switches =
          !isReady || mode == 0 || (mode == 3 && random() % 16 == 0);
      if (switches)
        current = mode == 1 || mode == 2 ? ready.front()
                                         : ready[random() % ready.size()];
      step(threads[current]);
    }
    for (const std::shared_ptr<Memory> &argument : arguments)
      result.arguments.push_back(argument->bytes);
    return std::move(result);
  }

private:
  /// False if all threads are done.
  bool passBarrier() {
    Operation *barrier = nullptr;
    bool allWait = true;
    for (Thread &thread : threads) {
      allWait &= thread.waitsAt != nullptr;
      if (!thread.waitsAt)
        continue;
      if (barrier && barrier != thread.waitsAt)
        result.error = "threads wait at different barriers";
      barrier = thread.waitsAt;
    }
    if (!barrier)
      return false;
    if (!allWait)
      result.error = "some threads never reach a barrier";
    ++barriers;
    for (Thread &thread : threads) {
      thread.next = thread.waitsAt->getNextNode();
      thread.waitsAt = nullptr;
      if (!result.error.empty())
        return false;
    }
    return true;
  }

  static int64_t bytesOf(Type type) {
    if (type.isIndex())
      return 8;
    return (type.getIntOrFloatBitWidth() + 7) / 8;
  }

  MemRefValue makeMemRef(MemRefType type, std::shared_ptr<Memory> memory,
                         const void *buffer) {
    MemRefValue value;
    value.memory = std::move(memory);
    value.buffer = buffer;
    value.elementBytes = bytesOf(type.getElementType());
    value.shape.assign(type.getShape().begin(), type.getShape().end());
    value.strides.resize(value.shape.size());
    int64_t stride = 1;
    for (size_t i = value.shape.size(); i-- != 0;) {
      value.strides[i] = stride;
      stride *= value.shape[i];
    }
    return value;
  }

  std::shared_ptr<Memory> makeMemory(MemRefType type) {
    auto memory = std::make_shared<Memory>(type.getNumElements() *
                                           bytesOf(type.getElementType()));
    for (uint8_t &byte : memory->bytes)
      byte = static_cast<uint8_t>(random());
    return memory;
  }

  void prepare() {
    threads.resize(options.threads);
    Block &entry = kernel.getFunctionBody().front();
    unsigned memrefs = 0;
    for (BlockArgument argument : entry.getArguments()) {
      Cell cell;
      if (auto type = dyn_cast<MemRefType>(argument.getType())) {
        std::shared_ptr<Memory> memory = makeMemory(type);
        if (argument.getArgNumber() < kernel.getNumArguments()) {
          memory->bytes = options.arguments[memrefs++];
          arguments.push_back(memory);
        }
        cell.memref = makeMemRef(type, memory, argument.getAsOpaquePointer());
      } else {
        cell.number = options.scalar;
      }
      for (Thread &thread : threads)
        thread.values[argument] = cell;
    }
    // Allocations in workgroup memory are static.
    kernel->walk([&](Operation *op) {
      if (isa<memref::AllocOp, memref::AllocaOp>(op)) {
        auto type = cast<MemRefType>(op->getResult(0).getType());
        allocations[op] = makeMemRef(type, makeMemory(type), op);
      }
    });
    for (auto [i, thread] : llvm::enumerate(threads)) {
      thread.number = static_cast<int>(i);
      thread.next = &entry.front();
    }
  }

  void enter(Thread &thread, Block *block, ArrayRef<Cell> cells) {
    for (auto [argument, cell] : llvm::zip(block->getArguments(), cells))
      thread.values[argument] = cell;
    thread.next = &block->front();
  }

  int64_t number(Thread &thread, Value value) {
    return thread.values[value].number;
  }

  static int64_t wrap(int64_t value, Type type) {
    if (type.isIndex() || type.getIntOrFloatBitWidth() >= 64)
      return value;
    unsigned bits = type.getIntOrFloatBitWidth();
    return bits == 1 ? (value & 1) : llvm::SignExtend64(value, bits);
  }

  static uint64_t asUnsigned(int64_t value, Type type) {
    if (type.isIndex() || type.getIntOrFloatBitWidth() >= 64)
      return static_cast<uint64_t>(value);
    return static_cast<uint64_t>(value) &
           ((uint64_t(1) << type.getIntOrFloatBitWidth()) - 1);
  }

  /// The offset of an element; -1, with an error, if it is outside.
  int64_t locate(Thread &thread, const MemRefValue &memref,
                 OperandRange indices) {
    int64_t offset = memref.byteOffset;
    for (auto [i, index] : llvm::enumerate(indices)) {
      int64_t at = number(thread, index);
      if (at < 0 || at >= memref.shape[i]) {
        result.error = "accesses an element outside of a memref";
        return -1;
      }
      offset += at * memref.strides[i] * memref.elementBytes;
    }
    return offset;
  }

  /// Compares an access of an element with those of other threads since the
  /// last barrier.
  void note(const Thread &thread, const MemRefValue &memref, int64_t offset,
            bool writes) {
    Memory &memory = *memref.memory;
    for (int64_t at = offset; at != offset + memref.elementBytes; ++at) {
      std::vector<Memory::Access> &known = memory.accesses[at];
      if (memory.barrier[at] != barriers)
        known.clear();
      memory.barrier[at] = barriers;
      bool isNew = true;
      for (const Memory::Access &access : known) {
        result.races |= access.buffer != memref.buffer &&
                        access.thread != thread.number &&
                        (access.writes || writes);
        isNew &= access.buffer != memref.buffer ||
                 access.thread != thread.number || access.writes != writes;
      }
      if (isNew)
        known.push_back({memref.buffer, thread.number, writes});
    }
  }

  int64_t load(const Thread &thread, const MemRefValue &memref, int64_t offset,
               Type type) {
    Memory &memory = *memref.memory;
    note(thread, memref, offset, /*writes=*/false);
    for (int64_t i = 0; i != memref.elementBytes; ++i)
      result.readsLostBytes |=
          memory.owner[offset + i] != memref.buffer &&
          memory.writers[offset + i].count(memref.buffer) != 0;
    int64_t value = 0;
    std::memcpy(&value, &memory.bytes[offset], memref.elementBytes);
    return wrap(value, type);
  }

  void store(const Thread &thread, const MemRefValue &memref, int64_t offset,
             int64_t value) {
    Memory &memory = *memref.memory;
    note(thread, memref, offset, /*writes=*/true);
    std::memcpy(&memory.bytes[offset], &value, memref.elementBytes);
    for (int64_t i = 0; i != memref.elementBytes; ++i) {
      memory.owner[offset + i] = memref.buffer;
      memory.writers[offset + i].insert(memref.buffer);
    }
  }

  void copy(const Thread &thread, const MemRefValue &from,
            const MemRefValue &to, Type element) {
    std::vector<int64_t> index(from.shape.size());
    while (true) {
      int64_t a = from.byteOffset, b = to.byteOffset;
      for (size_t i = 0; i != index.size(); ++i) {
        a += index[i] * from.strides[i] * from.elementBytes;
        b += index[i] * to.strides[i] * to.elementBytes;
      }
      store(thread, to, b, load(thread, from, a, element));
      size_t i = 0;
      for (; i != index.size() && ++index[i] == from.shape[i]; ++i)
        index[i] = 0;
      if (i == index.size())
        return;
    }
  }

  void finishRegion(Thread &thread, Operation *around) {
    auto loop = dyn_cast<scf::ForOp>(around);
    if (!loop) {
      thread.next = around->getNextNode();
      return;
    }
    Cell &variable = thread.values[loop.getInductionVar()];
    variable.number += number(thread, loop.getStep());
    thread.next = variable.number < number(thread, loop.getUpperBound())
                      ? &loop.getBody()->front()
                      : loop->getNextNode();
  }

  void step(Thread &thread) {
    Operation *op = thread.next;
    thread.next = op->getNextNode();
    auto at = [&](unsigned operand) {
      return number(thread, op->getOperand(operand));
    };
    auto yield = [&](int64_t value) {
      thread.values[op->getResult(0)].number =
          wrap(value, op->getResult(0).getType());
    };
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](arith::ConstantOp constant) {
          yield(cast<IntegerAttr>(constant.getValue()).getInt());
        })
        .Case([&](arith::AddIOp) { yield(at(0) + at(1)); })
        .Case([&](arith::SubIOp) { yield(at(0) - at(1)); })
        .Case([&](arith::MulIOp) {
          yield(static_cast<int64_t>(static_cast<uint64_t>(at(0)) *
                                     static_cast<uint64_t>(at(1))));
        })
        .Case([&](arith::XOrIOp) { yield(at(0) ^ at(1)); })
        .Case([&](arith::AndIOp) { yield(at(0) & at(1)); })
        .Case([&](arith::RemUIOp) {
          Type type = op->getResult(0).getType();
          yield(static_cast<int64_t>(asUnsigned(at(0), type) %
                                     asUnsigned(at(1), type)));
        })
        .Case<arith::IndexCastOp, arith::TruncIOp, arith::ExtSIOp>(
            [&](Operation *) { yield(at(0)); })
        .Case([&](arith::CmpIOp compare) {
          int64_t a = at(0), b = at(1);
          Type type = compare.getLhs().getType();
          switch (compare.getPredicate()) {
          case arith::CmpIPredicate::eq:
            return yield(a == b);
          case arith::CmpIPredicate::ne:
            return yield(a != b);
          case arith::CmpIPredicate::slt:
            return yield(a < b);
          case arith::CmpIPredicate::ult:
            return yield(asUnsigned(a, type) < asUnsigned(b, type));
          default:
            result.error = "does not know a comparison";
          }
        })
        .Case([&](arith::SelectOp) {
          thread.values[op->getResult(0)] =
              Cell(thread.values[op->getOperand(at(0) ? 1 : 2)]);
        })
        .Case([&](gpu::ThreadIdOp id) {
          yield(id.getDimension() == gpu::Dimension::x ? thread.number : 0);
        })
        .Case([&](gpu::BlockDimOp) { yield(options.threads); })
        .Case<gpu::BlockIdOp>([&](Operation *) { yield(options.scalar); })
        .Case([&](gpu::BarrierOp) { thread.waitsAt = op; })
        .Case<memref::AllocOp, memref::AllocaOp>([&](Operation *) {
          thread.values[op->getResult(0)].memref = allocations.at(op);
        })
        .Case<memref::DeallocOp>([](Operation *) {})
        .Case([&](memref::ViewOp view) {
          const MemRefValue source = thread.values[view.getSource()].memref;
          MemRefValue value = makeMemRef(view.getType(), source.memory, op);
          value.byteOffset =
              source.byteOffset + number(thread, view.getByteShift());
          thread.values[view].memref = value;
        })
        .Case([&](memref::CastOp cast) {
          thread.values[cast.getResult()] =
              Cell(thread.values[cast.getSource()]);
        })
        .Case([&](memref::SubViewOp view) {
          MemRefValue value = thread.values[view.getSource()].memref;
          for (auto [i, offset] : llvm::enumerate(view.getMixedOffsets())) {
            auto constant = getConstantIntValue(offset);
            int64_t begin =
                constant ? *constant : number(thread, cast<Value>(offset));
            value.byteOffset += begin * value.strides[i] * value.elementBytes;
            value.shape[i] = view.getStaticSizes()[i];
            value.strides[i] *= view.getStaticStrides()[i];
          }
          thread.values[view.getResult()].memref = value;
        })
        .Case([&](memref::LoadOp load) {
          const MemRefValue &memref = thread.values[load.getMemRef()].memref;
          int64_t offset = locate(thread, memref, load.getIndices());
          if (offset >= 0)
            yield(this->load(thread, memref, offset, load.getType()));
        })
        .Case([&](memref::StoreOp store) {
          const MemRefValue &memref = thread.values[store.getMemRef()].memref;
          int64_t offset = locate(thread, memref, store.getIndices());
          if (offset >= 0)
            this->store(thread, memref, offset, at(0));
        })
        .Case([&](memref::CopyOp copy) {
          const MemRefValue from = thread.values[copy.getSource()].memref;
          const MemRefValue to = thread.values[copy.getTarget()].memref;
          this->copy(
              thread, from, to,
              cast<MemRefType>(copy.getSource().getType()).getElementType());
        })
        .Case([&](scf::ForOp loop) {
          int64_t begin = number(thread, loop.getLowerBound());
          thread.values[loop.getInductionVar()].number = begin;
          if (begin < number(thread, loop.getUpperBound()))
            thread.next = &loop.getBody()->front();
        })
        .Case([&](scf::IfOp branch) {
          Region &region =
              at(0) ? branch.getThenRegion() : branch.getElseRegion();
          if (!region.empty())
            thread.next = &region.front().front();
        })
        .Case<scf::YieldOp>(
            [&](Operation *) { finishRegion(thread, op->getParentOp()); })
        .Case([&](cf::BranchOp branch) {
          SmallVector<Cell> cells;
          for (Value operand : branch.getDestOperands())
            cells.push_back(thread.values[operand]);
          enter(thread, branch.getDest(), cells);
        })
        .Case([&](cf::CondBranchOp branch) {
          bool taken = at(0) != 0;
          SmallVector<Cell> cells;
          for (Value operand : taken ? branch.getTrueDestOperands()
                                     : branch.getFalseDestOperands())
            cells.push_back(thread.values[operand]);
          enter(thread, taken ? branch.getTrueDest() : branch.getFalseDest(),
                cells);
        })
        .Case<gpu::ReturnOp>([&](Operation *) { thread.next = nullptr; })
        .Default([&](Operation *) {
          result.error = "does not know " + op->getName().getStringRef().str();
        });
  }

  FunctionOpInterface kernel;
  const RunOptions &options;
  std::mt19937_64 random;
  std::vector<Thread> threads;
  std::vector<std::shared_ptr<Memory>> arguments;
  std::map<Operation *, MemRefValue> allocations;
  /// How many the threads have passed.
  int64_t barriers = 0;
  RunResult result;
};

} // namespace

RunResult memplan::test::runKernel(FunctionOpInterface kernel,
                                   const RunOptions &options) {
  return Interpreter(kernel, options).run();
}
