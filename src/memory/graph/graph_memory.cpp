#include "memory/graph/graph_memory.h"

#include <algorithm>

#include "diagnose/refuse.h"
#include "memory/graph/check_mode.h"

namespace reprise_runtime::memory {
namespace {

using diagnose::refuse;

constexpr std::size_t page = GraphFrames::bytes;

bool all_reached(const std::vector<exec::Marker>& markers) {
  return std::all_of(markers.begin(), markers.end(), [](const exec::Marker& marker) { return marker.reached(); });
}

// Reached markers need not be kept.
void add_marker(std::vector<exec::Marker>& markers, const exec::Marker& marker) {
  std::erase_if(markers, [](const exec::Marker& each) { return each.reached(); });
  if (!marker.reached()) markers.push_back(marker);
}

unsigned long long id(const GraphAllocation& allocation) { return allocation.graph_id; }

}  // namespace

GraphMemory& GraphMemory::instance() {
  static auto* made = new GraphMemory;  // never destroyed: memory is freed by destructors that run at exit, too
  return *made;
}

GraphFrames& GraphMemory::frames(int device) {
  auto& made = frames_[static_cast<std::size_t>(device)];
  if (!made) made = std::make_unique<GraphFrames>(device);
  return *made;
}

// ---- lifetimes ------------------------------------------------------------------------------------------------------

template <class Use>
void GraphMemory::for_each_frame(const GraphAllocation& allocation, Use&& use) {
  const GraphStretch& stretch = *allocation.stretch;
  GraphFrames& all = frames(stretch.device());
  const std::size_t start = allocation.address - stretch.base(), last = start + allocation.bytes - 1;
  for (std::size_t at = start / page; at <= last / page; ++at) use(all[stretch.frames_[at]]);
}

void GraphMemory::begin_life(Ref<GraphAllocation> allocation) {
  for_each_frame(*allocation, [](GraphFrame& frame) { ++frame.held; });
  allocation->live_ = true;
  const std::uintptr_t start = allocation->address;
  live_[start] = std::move(allocation);
}

Ref<GraphAllocation> GraphMemory::end_life(GraphAllocation& allocation, const exec::Marker& in_use_until) {
  for_each_frame(allocation, [&](GraphFrame& frame) {
    --frame.held;
    add_marker(frame.in_use_until, in_use_until);
  });
  add_marker(allocation.stretch->in_use_until_, in_use_until);
  allocation.live_ = false;
  auto life = live_.find(allocation.address);
  Ref<GraphAllocation> ended = std::move(life->second);
  live_.erase(life);
  return ended;
}

void GraphMemory::end_lives(const GraphMemoryUse& use, Lives& ended) {
  for (const GraphMemoryUse::Part& part : use.parts) {
    const std::uintptr_t end = part.stretch->base() + part.stretch->bytes();
    for (Life life = first_live(*part.stretch); life != live_.end() && life->first < end;
         life = first_live(*part.stretch)) {
      ended.push_back(end_life(*life->second, {}));
    }
  }
}

bool GraphMemory::is_live(const GraphAllocation& allocation) {
  MutexLock lock(mutex_);
  return allocation.live_;
}

cudaError_t GraphMemory::free(void* address, const exec::Marker& in_use_until) {
  Ref<GraphAllocation> ended;  // released after the lock
  MutexLock lock(mutex_);
  const auto start = reinterpret_cast<std::uintptr_t>(address);
  if (auto life = live_.find(start); life != live_.end()) {
    ended = end_life(*life->second, in_use_until);
    if (checks_memory()) {
      ended->ended_by.store(GraphAllocation::by_a_call, std::memory_order_relaxed);
      if (!in_use_until.progress) ended->close();  // else the stream does it
    }
    return cudaSuccess;
  }
  MutexLock names(latest_mutex_);
  if (auto known = latest_.find(start); known != latest_.end()) {
    const GraphAllocation& allocation = *known->second;
    return refuse(
        cudaErrorInvalidValue,
        "%p is the memory of allocation node %p of graph %llu, and is not live: no launch has allocated it, or it "
        "was freed by a node of its graph or by a call",
        address, allocation.node.as<void*>(), id(allocation));
  }
  return refuse(cudaErrorInvalidValue, "%p is graph memory, but no allocation starts there", address);
}

// ---- launches ---------------------------------------------------------------------------------------------------

cudaError_t GraphMemory::check(const GraphMemoryUse& use) {
  if (!use.auto_free) {
    for (const GraphMemoryUse::Part& part : use.parts) {
      const Life life = first_live(*part.stretch);
      if (life == live_.end() || life->first >= part.stretch->base() + part.stretch->bytes()) continue;
      const GraphAllocation& allocation = *life->second;
      return refuse(
          cudaErrorInvalidValue,
          "the memory of allocation node %p of graph %llu, %zu bytes at %p, has been live since an earlier launch; "
          "free it first, or instantiate with cudaGraphInstantiateFlagAutoFreeOnLaunch",
          allocation.node.as<void*>(), id(allocation), allocation.asked, allocation.pointer());
    }
  }
  for (const Ref<GraphAllocation>& freed : use.freed) {
    if (freed->live_) continue;
    return refuse(
        cudaErrorInvalidValue,
        "the dptr %p of a free node is the memory of allocation node %p of graph %llu, and is not live: launch that "
        "graph first, once for each free",
        freed->pointer(), freed->node.as<void*>(), id(*freed));
  }
  return cudaSuccess;
}

bool GraphMemory::follows(const GraphMemoryUse& use, exec::Lane& lane, const exec::Marker& marker) {
  if (lane.follows(marker)) return true;
  for (const GraphMemoryUse::Part& part : use.parts) {
    for (const exec::Marker& wait : part.stretch->in_use_until_) {
      if (wait.progress == marker.progress && wait.value >= marker.value) return true;
    }
  }
  return false;
}

bool GraphMemory::usable(const GraphFrame& frame, const GraphMemoryUse& use, exec::Lane& lane) {
  if (frame.held) return false;
  for (const exec::Marker& marker : frame.in_use_until) {
    if (!follows(use, lane, marker)) return false;
  }
  return true;
}

bool GraphMemory::stays(const GraphMemoryUse& use, exec::Lane& lane) {
  for (const GraphMemoryUse::Part& part : use.parts) {
    GraphFrames& all = frames(part.stretch->device());
    for (std::uint32_t at = 0; at < part.pages; ++at) {
      const std::uint32_t number = part.stretch->frames_[at];
      if (number == GraphFrames::none || !all[number].has_memory || !usable(all[number], use, lane)) return false;
    }
  }
  return true;
}

bool GraphMemory::idle(const GraphMemoryUse& use) {
  return std::all_of(use.parts.begin(), use.parts.end(),
                     [](const GraphMemoryUse::Part& part) { return all_reached(part.stretch->in_use_until_); });
}

// First each page keeps its frame if possible; then the others get one.
cudaError_t GraphMemory::choose_frames(const GraphMemoryUse& use, exec::Lane& lane, GraphMappings& mappings) {
  const std::uint64_t launch = ++launches_;
  struct Choice {
    GraphStretch* stretch;
    std::uint32_t at, frame;
  };
  std::vector<Choice> choices;
  for (const GraphMemoryUse::Part& part : use.parts) {
    GraphFrames& all = frames(part.stretch->device());
    for (std::uint32_t at = 0; at < part.pages; ++at) {
      std::uint32_t number = part.stretch->frames_[at];
      if (number != GraphFrames::none && (all[number].taken == launch || !usable(all[number], use, lane))) {
        number = GraphFrames::none;
      }
      if (number != GraphFrames::none) all[number].taken = launch;
      choices.push_back({part.stretch.get(), at, number});
    }
  }
  std::map<int, std::vector<std::uint32_t>> chosen;
  for (Choice& choice : choices) {
    GraphFrames& all = frames(choice.stretch->device());
    if (choice.frame == GraphFrames::none) {
      choice.frame = all.find([&](GraphFrame& frame) REPRISE_NO_THREAD_SAFETY_ANALYSIS {
        return frame.taken != launch && usable(frame, use, lane);
      });
    }
    if (choice.frame == GraphFrames::none)
      return refuse(cudaErrorMemoryAllocation, "the system provides no memory file");
    all[choice.frame].taken = launch;
    chosen[choice.stretch->device()].push_back(choice.frame);
  }
  for (const auto& [device, numbers] : chosen) {
    if (frames(device).give_memory(numbers, launch)) continue;
    return refuse(cudaErrorMemoryAllocation,
                  "the launch needs %zu bytes of graph memory, and device %d does not have them; graphs hold %zu bytes",
                  numbers.size() * page, device, frames(device).reserved());
  }
  for (const Choice& choice : choices) {
    if (std::exchange(choice.stretch->frames_[choice.at], choice.frame) == choice.frame) continue;
    mappings.push_back({choice.stretch->base() + choice.at * page,
                        frames(choice.stretch->device())[choice.frame].offset, choice.stretch->device()});
  }
  return idle(use) ? map_now(use, mappings) : cudaSuccess;
}

// Maps while no work uses the addresses, so that the launch can still be refused.
cudaError_t GraphMemory::map_now(const GraphMemoryUse& use, GraphMappings& mappings) {
  for (const GraphMapping& mapping : mappings) {
    if (frames(mapping.device).map(reinterpret_cast<void*>(mapping.address), mapping.offset)) {
      if (checks_memory()) protect(mapping.address, page, false);
      continue;
    }
    for (const GraphMemoryUse::Part& part : use.parts) {
      for (const GraphMapping& lost : mappings) {
        const std::uintptr_t at = lost.address - part.stretch->base();
        if (at < part.stretch->bytes()) part.stretch->frames_[at / page] = GraphFrames::none;
      }
    }
    return refuse(cudaErrorMemoryAllocation, "the system refuses to map more memory");
  }
  mappings.clear();
  return cudaSuccess;
}

bool GraphMemory::map(const GraphMappings& mappings) {
  GraphMemory& self = instance();
  bool mapped = true;
  MutexLock lock(self.mutex_);
  for (const GraphMapping& mapping : mappings) {
    mapped &= self.frames(mapping.device).map(reinterpret_cast<void*>(mapping.address), mapping.offset);
    if (checks_memory()) protect(mapping.address, page, false);
  }
  return mapped;
}

void GraphMemory::launched(const GraphMemoryUse& use, const exec::Marker& end) {
  for (const GraphMemoryUse::Part& part : use.parts) {
    GraphFrames& all = frames(part.stretch->device());
    for (std::uint32_t at = 0; at < part.pages; ++at) all[part.stretch->frames_[at]].in_use_until.assign(1, end);
    part.stretch->in_use_until_.assign(1, end);
  }
  for (const Ref<GraphAllocation>& freed : use.freed) static_cast<void>(end_life(*freed, end));
  for (const Ref<GraphAllocation>& kept : use.kept) begin_life(kept);
}

cudaError_t GraphMemory::upload(const GraphMemoryUse& use, exec::Lane& lane) {
  MutexLock lock(mutex_);
  // Frames that are in use, or hold live memory, have memory.
  if (!idle(use) || stays(use, lane)) return cudaSuccess;
  for (const GraphMemoryUse::Part& part : use.parts) {
    const Life life = first_live(*part.stretch);
    if (life != live_.end() && life->first < part.stretch->base() + part.stretch->bytes()) return cudaSuccess;
  }
  GraphMappings mappings;
  return choose_frames(use, lane, mappings);
}

}  // namespace reprise_runtime::memory
