#include "capture/capture_context.h"

#include <reprise/error.h>
#include <reprise/random.h>

#include <map>

#include "capture/pooled_memory.h"
#include "memory/pool_registry.h"

namespace reprise {

std::atomic<int> captures_in_progress{0};

namespace {

struct Contexts {
  std::mutex mutex;
  std::map<unsigned long long, std::shared_ptr<CaptureContext>> by_capture;  // guarded by mutex
};

Contexts& contexts() {
  static Contexts* contexts = new Contexts;
  return *contexts;
}

}  // namespace

CaptureContext::CaptureContext(std::uint64_t graph, unsigned long long capture, StreamRef stream,
                               std::shared_ptr<Pool> pool, std::shared_ptr<CaptureContext> parent)
    : graph_(graph), capture_(capture), stream_(stream), pool_(std::move(pool)), parent_(std::move(parent)) {
  result_.memory.graph = graph;
}

void CaptureContext::keep(std::shared_ptr<const Memory> memory) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (seen_.insert(memory.get()).second) result_.inputs.push_back(std::move(memory));
}

void CaptureContext::keep_alive(std::shared_ptr<const void> thing) {
  if (parent_) return root().keep_alive(std::move(thing));
  std::lock_guard<std::mutex> lock(mutex_);
  result_.kept.push_back(std::move(thing));
}

void CaptureContext::undo_later(const void* what, std::function<void()> undo) {
  if (parent_) return root().undo_later(what, std::move(undo));
  std::lock_guard<std::mutex> lock(mutex_);
  if (undone_.insert(what).second) result_.undo.push_back(std::move(undo));
}

void CaptureContext::add_contents(const std::shared_ptr<Contents>& contents) {
  if (parent_) return root().add_contents(contents);
  std::lock_guard<std::mutex> lock(mutex_);
  result_.memory.allocated.add(contents->range());
  result_.memory.tensors.push_back(contents);
}

void CaptureContext::promise(Range range) {
  if (parent_) return root().promise(range);
  std::lock_guard<std::mutex> lock(mutex_);
  result_.promised.add(range);
}

void CaptureContext::promise(const RangeSet& ranges) {
  if (parent_) return root().promise(ranges);
  std::lock_guard<std::mutex> lock(mutex_);
  result_.promised.add(ranges);
}

void CaptureContext::adopt(const GraphMemory& part) {
  if (parent_) return root().adopt(part);
  std::lock_guard<std::mutex> lock(mutex_);
  result_.memory.allocated.add(part.allocated);
  result_.memory.tensors.insert(result_.memory.tensors.end(), part.tensors.begin(), part.tensors.end());
}

PhiloxState CaptureContext::next(const std::shared_ptr<GeneratorState>& generator, std::uint64_t draws) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (parent_) {
    check(generator == default_generator().state(),
          "drawing random numbers in a captured branch or loop: only the default generator can be used there");
    check(random_ != nullptr, "drawing random numbers in the backward pass of a captured branch is not supported");
    PhiloxState state;
    state.offset = draws_;
    state.in_graph = static_cast<const std::uint64_t*>(random_->address());
    draws_ += draws;
    return state;
  }
  auto& generators = result_.generators;
  auto at = generators.begin();
  while (at != generators.end() && at->generator != generator) ++at;
  if (at == generators.end()) {
    CapturedGenerator captured;
    captured.generator = generator;
    // Allocated outside the capture's pool, since replay() writes to it before the launch.
    StreamGuard outside(nullptr);
    captured.position = allocate(2 * sizeof(std::uint64_t));
    generators.push_back(std::move(captured));
    at = std::prev(generators.end());
  }
  PhiloxState state;
  state.offset = at->draws;
  state.in_graph = static_cast<const std::uint64_t*>(at->position->address());
  at->draws += draws;
  return state;
}

void CaptureContext::use_random_numbers_at(std::shared_ptr<Memory> position) {
  std::lock_guard<std::mutex> lock(mutex_);
  random_ = std::move(position);
}

std::uint64_t CaptureContext::draws() {
  std::lock_guard<std::mutex> lock(mutex_);
  return draws_;
}

void CaptureContext::add_body(CaptureContext& body, GraphRef graph) {
  std::unordered_set<unsigned long long> ended;
  {
    std::lock_guard<std::mutex> lock(body.mutex_);
    ended = body.bodies_;
  }
  {
    std::lock_guard<std::mutex> lock(mutex_);
    bodies_.insert(body.capture_);
    bodies_.insert(ended.begin(), ended.end());
  }
  CaptureContext& whole = root();
  std::lock_guard<std::mutex> lock(whole.mutex_);
  whole.result_.bodies.push_back(graph);
}

bool CaptureContext::owns(unsigned long long capture) {
  if (capture == capture_) return true;
  std::lock_guard<std::mutex> lock(mutex_);
  return bodies_.count(capture) != 0;
}

void CaptureContext::keep_outside(std::shared_ptr<const Memory> memory) {
  auto* pooled = dynamic_cast<const PooledMemory*>(memory.get());
  if (pooled && owns(pooled->capture())) return;
  keep(std::move(memory));
}

void CaptureContext::add_outside(Event event) {
  if (parent_) return root().add_outside(std::move(event));
  std::lock_guard<std::mutex> lock(mutex_);
  result_.outside.push_back(std::move(event));
}

void CaptureContext::set_prior_work(Event before, std::optional<StreamRef> stream) {
  std::lock_guard<std::mutex> lock(mutex_);
  before_.emplace(std::move(before));
  before_stream_ = stream;
}

void CaptureContext::wait_for_prior_work(StreamRef stream) {
  if (parent_) return root().wait_for_prior_work(stream);
  std::lock_guard<std::mutex> lock(mutex_);
  if (before_) stream.wait(before_->ref());
  if (before_stream_ && !is_capturing(*before_stream_)) stream.wait(*before_stream_);
}

CaptureResult CaptureContext::take_result() {
  std::lock_guard<std::mutex> lock(mutex_);
  return std::move(result_);
}

void begin_capture_context(const std::shared_ptr<CaptureContext>& context) {
  context->pool()->begin_capture(context->capture());
  captures_in_progress.fetch_add(1);
  std::lock_guard<std::mutex> lock(contexts().mutex);
  contexts().by_capture[context->capture()] = context;
}

void end_capture_context(const std::shared_ptr<CaptureContext>& context) {
  {
    std::lock_guard<std::mutex> lock(contexts().mutex);
    contexts().by_capture.erase(context->capture());
  }
  Owner new_owner = Owner::next_capture();
  if (context->parent()) new_owner = {context->parent()->stream(), context->parent()->capture()};
  context->pool()->end_capture(context->capture(), new_owner);
  if (captures_in_progress.fetch_sub(1) == 1) run_deferred_releases();
}

std::shared_ptr<CaptureContext> capture_context_of(StreamRef stream) {
  if (captures_in_progress.load(std::memory_order_relaxed) == 0) return nullptr;
  unsigned long long capture = capture_state(stream).id;
  if (capture == 0) return nullptr;
  std::lock_guard<std::mutex> lock(contexts().mutex);
  auto at = contexts().by_capture.find(capture);
  return at == contexts().by_capture.end() ? nullptr : at->second;
}

}  // namespace reprise
