// A function with one captured graph for each shape of its arguments.
//
//   GraphCacheOptions options;
//   options.batch_sizes = {1, 4, 16, 32};
//   GraphCache infer([&](const Tensors& in) { return Tensors{model(in[0])}; }, options);
//   Tensor y = infer({x})[0];                 // any number of rows
//
// The first call with a new shape captures it. With batch sizes, batched arguments (by default the first one) are
// padded with zero rows up to the next batch size, and results are cut; this is correct for functions that treat rows
// independently. Larger batches run eagerly. The cache keeps at most `capacity` graphs, evicts the least recently used
// one, and uses one pool for all of them.
//
// Within a capture, a call behaves like a call of the function and becomes part of the graph.
//
// Thread safety: calls from several threads, on any streams, run one after the other. Each call overwrites the results
// of the previous one, so several threads should set own_results.
#pragma once

#include <reprise/cuda_graph.h>
#include <reprise/tensor.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace reprise {

struct GraphCacheOptions {
  std::size_t capacity = 8;
  std::vector<std::int64_t> batch_sizes = {};  // ascending; empty: a graph for each number of rows
  // The indices of arguments and results that have a row for each element of the batch; by default all results. Others,
  // such as weights, are not padded or cut.
  std::vector<std::size_t> batched = {0};
  std::optional<std::vector<std::size_t>> batched_results = {};
  int capture_at = 1;  // the call with a shape, counted from 1, that captures; earlier ones run eagerly
  PoolHandle pool = {};
  bool own_results = false;  // return copies that later calls do not overwrite
};

struct GraphCacheStatistics {
  std::uint64_t replays = 0;
  std::uint64_t captures = 0;
  std::uint64_t evictions = 0;
  std::uint64_t padded = 0;  // replays with padding
  std::uint64_t eager = 0;
};

class GraphCache {
 public:
  using Function = std::function<std::vector<Tensor>(const std::vector<Tensor>&)>;

  explicit GraphCache(Function function, GraphCacheOptions options = {});

  // Unless own_results, the results are valid until the next call with the same shape; reading one later throws.
  // Nothing is recorded for autograd.
  std::vector<Tensor> operator()(const std::vector<Tensor>& arguments);

  GraphCacheStatistics statistics() const;
  std::size_t size() const;
  PoolHandle pool() const { return options_.pool; }
  void clear();

 private:
  // Of an argument, after padding.
  struct Shape {
    DType dtype;
    Sizes sizes;
  };
  struct Entry {
    std::vector<Shape> shapes;
    int calls = 0;
    std::vector<Tensor> arguments;
    std::vector<Tensor> results;
    CUDAGraph graph;
  };

  bool is_batched(std::size_t argument) const;
  bool is_batched_result(std::size_t result) const;
  std::int64_t rows_of(const std::vector<Tensor>& arguments) const;
  bool fits(const Entry& entry, const std::vector<Tensor>& arguments, std::int64_t padded) const;
  void check_results(const Entry& entry, std::int64_t padded) const;
  Entry& entry_for(const std::vector<Tensor>& arguments, std::int64_t padded);
  std::vector<Tensor> replay(Entry& entry, const std::vector<Tensor>& arguments, std::int64_t rows,
                             std::int64_t padded);

  const Function function_;
  GraphCacheOptions options_;

  std::atomic<std::thread::id> caller_{};  // of the call in progress

  mutable std::mutex mutex_;
  // Guarded by mutex_.
  std::list<Entry> entries_;  // most recently used first
  GraphCacheStatistics statistics_;
};

}  // namespace reprise
