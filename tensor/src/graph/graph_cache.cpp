#include <reprise/error.h>
#include <reprise/grad_mode.h>
#include <reprise/graph_cache.h>

#include <algorithm>

#include "capture/warm_up.h"
#include "graph/output_of_replay.h"
#include "kernels/tensor/copy.h"
#include "kernels/tensor/empty.h"
#include "kernels/tensor/views.h"

namespace reprise {
namespace {

// The sizes of `x` with `rows` rows.
Sizes with_rows(const Tensor& x, std::int64_t rows) {
  Sizes sizes = x.sizes();
  sizes[0] = rows;
  return sizes;
}

// Stores the calling thread within its scope.
class Caller {
 public:
  explicit Caller(std::atomic<std::thread::id>& place) : place_(place) { place_ = std::this_thread::get_id(); }
  ~Caller() { place_ = std::thread::id(); }
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;

 private:
  std::atomic<std::thread::id>& place_;
};

bool has(const std::vector<std::size_t>& numbers, std::size_t number) {
  return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

}  // namespace

GraphCache::GraphCache(Function function, GraphCacheOptions options)
    : function_(std::move(function)), options_(std::move(options)) {
  check(options_.capacity != 0, "a GraphCache of capacity 0 can hold nothing");
  check(std::is_sorted(options_.batch_sizes.begin(), options_.batch_sizes.end()),
        "the batch sizes of a GraphCache must ascend");
  check(options_.batch_sizes.empty() || options_.batch_sizes.front() > 0, "a GraphCache with a batch of ",
        options_.batch_sizes.empty() ? 0 : options_.batch_sizes.front(), " rows");
  check(options_.batch_sizes.empty() || !options_.batched.empty(), "a GraphCache with batch sizes up to ",
        options_.batch_sizes.empty() ? 0 : options_.batch_sizes.back(), ", and no argument is declared as batched");
  if (!options_.pool) options_.pool = graph_pool_handle();
}

// Without batch sizes nothing is padded.
bool GraphCache::is_batched(std::size_t argument) const {
  return !options_.batch_sizes.empty() && has(options_.batched, argument);
}

bool GraphCache::is_batched_result(std::size_t result) const {
  return !options_.batched_results || has(*options_.batched_results, result);
}

std::int64_t GraphCache::rows_of(const std::vector<Tensor>& arguments) const {
  if (options_.batch_sizes.empty()) return 0;
  const std::size_t first = options_.batched.front();
  for (std::size_t i : options_.batched) {
    check(i < arguments.size(), "GraphCache: argument ", i, " is declared as batched, and there are only ",
          arguments.size());
    check(arguments[i].dim() > 0, "GraphCache: argument ", i, " is batched and must have rows, but is of ",
          arguments[i].sizes());
    check(arguments[i].size(0) == arguments[first].size(0), "GraphCache: the batched arguments ", first, " of ",
          arguments[first].sizes(), " and ", i, " of ", arguments[i].sizes(), " differ in their rows");
  }
  return arguments[first].size(0);
}

bool GraphCache::fits(const Entry& entry, const std::vector<Tensor>& arguments, std::int64_t padded) const {
  if (entry.shapes.size() != arguments.size()) return false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Shape& own = entry.shapes[i];
    const Sizes& sizes = arguments[i].sizes();
    if (own.dtype != arguments[i].dtype() || own.sizes.size() != sizes.size()) return false;
    const int batch = is_batched(i);
    if (batch && own.sizes[0] != padded) return false;
    if (!std::equal(own.sizes.begin() + batch, own.sizes.end(), sizes.begin() + batch)) return false;
  }
  return true;
}

std::vector<Tensor> GraphCache::operator()(const std::vector<Tensor>& arguments) {
  NoGradGuard no_grad;
  // Within a capture or the warm-up before it, the call is part of the captured work.
  if (is_current_stream_capturing() || WarmUp::current()) return function_(arguments);
  check(caller_.load(std::memory_order_relaxed) != std::this_thread::get_id(),
        "GraphCache: called by its own function");
  std::lock_guard<std::mutex> lock(mutex_);
  const Caller caller(caller_);
  std::int64_t rows = rows_of(arguments), padded = rows;
  if (!options_.batch_sizes.empty()) {
    auto next = std::lower_bound(options_.batch_sizes.begin(), options_.batch_sizes.end(), rows);
    if (next == options_.batch_sizes.end()) {
      ++statistics_.eager;
      return function_(arguments);
    }
    padded = *next;
  }
  Entry& entry = entry_for(arguments, padded);
  if (++entry.calls < options_.capture_at) {
    ++statistics_.eager;
    return function_(arguments);
  }
  if (!entry.graph.is_captured()) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      Tensor own = kernels::empty(entry.shapes[i].sizes, entry.shapes[i].dtype);
      kernels::zero_(own);
      entry.arguments.push_back(std::move(own));
    }
    try {
      entry.graph.capture([&] { entry.results = function_(entry.arguments); }, {options_.pool});
      check_results(entry, padded);
    } catch (...) {
      entries_.pop_front();
      throw;
    }
    ++statistics_.captures;
  }
  return replay(entry, arguments, rows, padded);
}

// A result that does not have the rows of the batch must not be in batched_results.
void GraphCache::check_results(const Entry& entry, std::int64_t padded) const {
  for (std::size_t i = 0; i < entry.results.size() && !options_.batch_sizes.empty(); ++i) {
    const Sizes& sizes = entry.results[i].sizes();
    check(!is_batched_result(i) || (!sizes.empty() && sizes[0] == padded), "GraphCache: result ", i, " of ", sizes,
          " does not have the ", padded, " rows of the batch; name those that do in batched_results");
  }
}

GraphCache::Entry& GraphCache::entry_for(const std::vector<Tensor>& arguments, std::int64_t padded) {
  auto at = std::find_if(entries_.begin(), entries_.end(),
                         [&](const Entry& entry) { return fits(entry, arguments, padded); });
  if (at != entries_.end()) {
    entries_.splice(entries_.begin(), entries_, at);
    return entries_.front();
  }
  if (entries_.size() == options_.capacity) {
    entries_.pop_back();
    ++statistics_.evictions;
  }
  entries_.emplace_front();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    entries_.front().shapes.push_back(
        {arguments[i].dtype(), is_batched(i) ? with_rows(arguments[i], padded) : arguments[i].sizes()});
  }
  return entries_.front();
}

std::vector<Tensor> GraphCache::replay(Entry& entry, const std::vector<Tensor>& arguments, std::int64_t rows,
                                       std::int64_t padded) {
  entry.graph.wait_for_replays();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Tensor& own = entry.arguments[i];
    if (own.sizes() == arguments[i].sizes()) {
      kernels::copy_(own, arguments[i]);
      continue;
    }
    kernels::copy_(kernels::narrow(own, 0, 0, rows), arguments[i]);
    kernels::zero_(kernels::narrow(own, 0, rows, padded - rows));
  }
  entry.graph.replay();
  ++statistics_.replays;
  if (rows != padded) ++statistics_.padded;
  std::vector<Tensor> results;
  for (std::size_t i = 0; i < entry.results.size(); ++i) {
    Tensor result = options_.own_results ? entry.results[i].detach() : output_of_replay(entry.results[i]);
    if (rows != padded && is_batched_result(i)) result = kernels::narrow(result, 0, 0, rows);
    results.push_back(options_.own_results ? result.clone() : result);
  }
  return results;
}

GraphCacheStatistics GraphCache::statistics() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return statistics_;
}
std::size_t GraphCache::size() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return entries_.size();
}
void GraphCache::clear() {
  std::lock_guard<std::mutex> lock(mutex_);
  entries_.clear();
}

}  // namespace reprise
