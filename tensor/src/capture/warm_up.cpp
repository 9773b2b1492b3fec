#include "capture/warm_up.h"

#include <reprise/error.h>
#include <reprise/stream.h>

#include "capture/pooled_memory.h"
#include "memory/pool_registry.h"

namespace reprise {
namespace {

thread_local WarmUp* warm_up = nullptr;

}  // namespace

WarmUp* WarmUp::current() { return warm_up; }

WarmUp::WarmUp() : generation_(PooledMemory::next_generation()) {
  warm_up = this;
  // Makes Memory::data() call note_use() for every use.
  captures_in_progress.fetch_add(1);
}

WarmUp::~WarmUp() {
  warm_up = nullptr;
  if (captures_in_progress.fetch_sub(1) == 1) run_deferred_releases();
}

void WarmUp::save(const std::shared_ptr<const Memory>& memory, std::uint64_t generation) {
  if (generation >= generation_ || !seen_.insert(memory.get()).second) return;
  Saved saved{memory, allocate(memory->bytes())};
  check_cuda(cudaMemcpyAsync(const_cast<void*>(saved.copy->address()), memory->address(), memory->bytes(),
                             cudaMemcpyDefault, current_stream()),
             "saving a tensor before a warm-up");
  saved_.push_back(std::move(saved));
}

void WarmUp::save(const std::shared_ptr<GeneratorState>& generator) {
  if (seen_.insert(generator.get()).second) generators_.emplace_back(generator, generator->position());
}

void WarmUp::undo_later(const void* what, std::function<void()> undo) {
  if (seen_.insert(what).second) undo_.push_back(std::move(undo));
}

void WarmUp::restore() {
  for (const auto& undo : undo_) undo();
  for (const Saved& saved : saved_) {
    check_cuda(cudaMemcpyAsync(const_cast<void*>(saved.memory->address()), saved.copy->address(), saved.memory->bytes(),
                               cudaMemcpyDefault, current_stream()),
               "restoring a tensor after a warm-up");
  }
  for (const auto& [generator, position] : generators_) generator->set(position);
}

void run_warm_up(const std::function<void()>& work, int times) {
  check(WarmUp::current() == nullptr, "capture: called within the warm-up of another capture; set warm_up to 0");
  StreamRef before = current_stream();
  Stream stream;
  stream.wait(before);
  {
    StreamGuard guard(stream.get());
    WarmUp own;
    try {
      for (int time = 0; time < times; ++time) work();
    } catch (...) {
      own.restore();
      before.wait(stream.ref());
      throw;
    }
    own.restore();
  }
  before.wait(stream.ref());
}

}  // namespace reprise
