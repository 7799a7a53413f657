//===- LocalOrder.cpp - Placement orders with fewer cache misses ----------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Strategies/LocalOrder.h"

#include <utility>

using namespace memplan;
using namespace memplan::detail;

/// The binary logarithm of the number of sections in a chunk. The nodes of the
/// address tree for a few chunks fit into a second level cache.
static constexpr uint32_t chunkBits = 10;

namespace {

/// A buffer in the queue of a chunk and its position in the original order.
struct Entry {
  uint32_t position;
  BufferIndex buffer;
};

/// A queue for each chunk, with the buffers that are live in it in the original
/// order. run() empties the queues one after another.
class Chunks {
public:
  Chunks(const Model &model, const std::vector<BufferIndex> &order)
      : model(model), count((model.numSections() >> chunkBits) + 1),
        begin(count + 1, 0) {
    uint32_t last = 0;
    for (size_t i = 0; i < order.size(); ++i) {
      if (i + 16 < order.size())
        model.fetch(order[i + 16]);
      SectionRange at = chunksOf(order[i]);
      for (uint32_t c = at.begin; c < at.end; ++c)
        ++begin[c + 1];
      jumps += at.begin != last;
      last = at.begin;
    }
    for (uint32_t c = 0; c < count; ++c)
      begin[c + 1] += begin[c];
  }

  /// The sum, over all buffers, of the number of chunks of a buffer.
  size_t numEntries() const { return begin.back(); }
  /// How often the next buffer of the order begins in another chunk.
  size_t numJumps() const { return jumps; }

  std::vector<BufferIndex> run(const std::vector<BufferIndex> &order) {
    next.assign(begin.begin(), begin.end() - 1);
    entries.resize(numEntries());
    for (uint32_t i = 0; i < order.size(); ++i) {
      if (i + 16 < order.size())
        model.fetch(order[i + 16]);
      SectionRange at = chunksOf(order[i]);
      for (uint32_t c = at.begin; c < at.end; ++c)
        entries[next[c]++] = {i, order[i]};
    }
    next.assign(begin.begin(), begin.end() - 1);
    result.reserve(order.size());
    for (uint32_t c = 0; c < count; ++c)
      advance(c);
    return std::move(result);
  }

private:
  /// The chunks in which the buffer is live; the first one if it is empty.
  SectionRange chunksOf(BufferIndex b) const {
    SectionRange hull = model.hull(b);
    if (hull.begin >= hull.end)
      return {0, 1};
    return {hull.begin >> chunkBits, ((hull.end - 1) >> chunkBits) + 1};
  }

  /// The position of the next buffer in the queue of the chunk.
  uint32_t head(uint32_t chunk) const {
    return next[chunk] < begin[chunk + 1] ? entries[next[chunk]].position
                                          : UINT32_MAX;
  }

  /// Empties the queue of a chunk. A buffer that is live in other chunks, too,
  /// waits until these have reached its position. This terminates because each
  /// buffer waits only for buffers at earlier positions.
  void advance(uint32_t first) {
    struct Task {
      uint32_t chunk;
      uint32_t position; ///< The position that the chunk has to reach.
    };
    std::vector<Task> tasks = {{first, UINT32_MAX}};
    while (!tasks.empty()) {
      Task task = tasks.back();
      if (head(task.chunk) >= task.position) {
        tasks.pop_back();
        continue;
      }
      Entry entry = entries[next[task.chunk]];
      SectionRange at = chunksOf(entry.buffer);
      size_t before = tasks.size();
      for (uint32_t c = at.begin; c < at.end; ++c)
        if (head(c) < entry.position)
          tasks.push_back({c, entry.position});
      if (tasks.size() > before)
        continue;
      result.push_back(entry.buffer);
      for (uint32_t c = at.begin; c < at.end; ++c)
        ++next[c];
    }
  }

  const Model &model;
  uint32_t count;
  size_t jumps = 0;
  /// By chunk: the index in `entries` of the begin of its queue, and of the
  /// rest of its queue.
  std::vector<uint32_t> begin, next;
  std::vector<Entry> entries;
  std::vector<BufferIndex> result;
};

} // namespace

std::vector<BufferIndex> detail::localOrder(const Model &model,
                                            std::vector<BufferIndex> order) {
  if (model.numSections() >> chunkBits < 8 || model.hasRelations())
    return order;
  Chunks chunks(model, order);
  if (chunks.numEntries() > 2 * order.size() ||
      chunks.numJumps() < order.size() / 16)
    return order;
  return chunks.run(order);
}
