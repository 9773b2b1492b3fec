#include <reprise/graph_cache.h>

#include "capture/output_of_replay.h"
#include "raw/copy.h"
#include "raw/empty.h"
#include "raw/views.h"

#include <reprise/error.h>
#include <reprise/grad_mode.h>

#include <algorithm>
#include <sstream>

namespace reprise {
namespace {

// The argument's sizes with `rows` rows.
Sizes with_rows(const Tensor& x, std::int64_t rows) {
  Sizes sizes = x.sizes();
  if (x.dim() > 0) sizes[0] = rows;
  return sizes;
}

std::string shape_of(const std::vector<Tensor>& arguments, std::int64_t rows, std::int64_t padded) {
  std::ostringstream shape;
  for (const Tensor& each : arguments) {
    bool has_rows = each.dim() > 0 && each.sizes()[0] == rows;
    shape << each.dtype() << (has_rows ? with_rows(each, padded) : each.sizes()) << ' ';
  }
  return shape.str();
}

}  // namespace

GraphCache::GraphCache(Function function, GraphCacheOptions options)
    : function_(std::move(function)), options_(std::move(options)) {
  check(options_.capacity != 0, "a GraphCache of capacity 0 can hold nothing");
  check(std::is_sorted(options_.batch_sizes.begin(), options_.batch_sizes.end()), "the batch sizes of a GraphCache must ascend");
  if (!options_.pool) options_.pool = graph_pool_handle();
}

std::vector<Tensor> GraphCache::operator()(const std::vector<Tensor>& arguments) {
  NoGradGuard no_grad;
  std::lock_guard<std::mutex> lock(mutex_);
  std::int64_t rows = arguments.empty() || arguments[0].dim() == 0 ? 0 : arguments[0].sizes()[0], padded = rows;
  if (!options_.batch_sizes.empty()) {
    auto next = std::lower_bound(options_.batch_sizes.begin(), options_.batch_sizes.end(), rows);
    if (next == options_.batch_sizes.end()) {
      ++statistics_.eager;
      return function_(arguments);
    }
    padded = *next;
  }
  Entry& entry = entry_for(shape_of(arguments, rows, padded));
  if (++entry.calls < options_.capture_at) {
    ++statistics_.eager;
    return function_(arguments);
  }
  if (!entry.graph.is_captured()) {
    for (const Tensor& each : arguments) {
      bool has_rows = each.dim() > 0 && each.sizes()[0] == rows;
      Tensor own = raw::empty(has_rows ? with_rows(each, padded) : each.sizes(), each.dtype());
      raw::zero_(own);
      entry.arguments.push_back(std::move(own));
    }
    try {
      entry.graph.capture([&] { entry.results = function_(entry.arguments); }, {options_.pool});
    } catch (...) {
      entries_.pop_front();
      throw;
    }
    ++statistics_.captures;
  }
  return replay(entry, arguments, rows, padded);
}

GraphCache::Entry& GraphCache::entry_for(const std::string& shape) {
  auto at = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.shape == shape; });
  if (at != entries_.end()) {
    entries_.splice(entries_.begin(), entries_, at);
    return entries_.front();
  }
  if (entries_.size() == options_.capacity) {
    entries_.pop_back();
    ++statistics_.evictions;
  }
  entries_.emplace_front();
  entries_.front().shape = shape;
  return entries_.front();
}

std::vector<Tensor> GraphCache::replay(Entry& entry, const std::vector<Tensor>& arguments, std::int64_t rows, std::int64_t padded) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Tensor& own = entry.arguments[i];
    if (own.sizes() == arguments[i].sizes()) {
      raw::copy_(own, arguments[i]);
      continue;
    }
    raw::copy_(raw::narrow(own, 0, 0, rows), arguments[i]);
    raw::zero_(raw::narrow(own, 0, rows, padded - rows));
  }
  entry.graph.replay();
  ++statistics_.replays;
  if (rows != padded) ++statistics_.padded;
  std::vector<Tensor> results;
  for (const Tensor& own : entry.results) {
    Tensor result = output_of_replay(own);
    bool has_rows = rows != padded && own.dim() > 0 && own.sizes()[0] == padded;
    results.push_back(has_rows ? raw::narrow(result, 0, 0, rows) : result);
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
