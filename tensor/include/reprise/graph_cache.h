// One function, one graph for each shape of its arguments.
//
//   GraphCacheOptions options;
//   options.batch_sizes = {1, 4, 16, 32};
//   GraphCache infer([&](const Tensors& in) { return Tensors{model(in[0])}; }, options);
//   Tensor y = infer({x})[0];                 // any number of rows
//
// A shape is captured when it is first seen. With batch sizes, the arguments that are declared as batched (by default
// the first) are padded with zero rows up to the next of them, and results cut: right for functions that treat rows one
// by one. What is larger than the last runs eagerly. At most `capacity` graphs are kept; the one that was used least
// recently goes. All share one pool.
//
// Within a capture a call is part of it, as if the function itself were called.
//
// Thread safety: calls from several threads take turns, on whatever streams. What one of them gets the next call
// overwrites, whosever it is: where several threads call, results should be their own.
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
  std::vector<std::int64_t> batch_sizes = {};  // ascending; empty: each number of rows has a graph of its own
  // Which arguments and results have a row for each element of the batch: the numbers of the arguments, and of the
  // results (none given: all of them). What is not named, weights say, is taken as it is.
  std::vector<std::size_t> batched = {0};
  std::optional<std::vector<std::size_t>> batched_results = {};
  int capture_at = 1;  // from which call with a shape on; those before run eagerly
  PoolHandle pool = {};
  bool own_results = false;  // results are copies, which no later call touches
};

struct GraphCacheStatistics {
  std::uint64_t replays = 0;
  std::uint64_t captures = 0;
  std::uint64_t evictions = 0;
  std::uint64_t padded = 0;  // of the replays
  std::uint64_t eager = 0;
};

class GraphCache {
 public:
  using Function = std::function<std::vector<Tensor>(const std::vector<Tensor>&)>;

  explicit GraphCache(Function function, GraphCacheOptions options = {});

  // The results are the graph's, unless own_results: they hold until the next call for the same shape, and reading one
  // later is an error. Nothing is recorded for gradients.
  std::vector<Tensor> operator()(const std::vector<Tensor>& arguments);

  GraphCacheStatistics statistics() const;
  std::size_t size() const;
  PoolHandle pool() const { return options_.pool; }
  void clear();

 private:
  // Of an argument, once it is padded.
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

  std::atomic<std::thread::id> caller_{};  // of the call under way

  mutable std::mutex mutex_;
  // Guarded by mutex_.
  std::list<Entry> entries_;  // the one used last is first
  GraphCacheStatistics statistics_;
};

}  // namespace reprise
