#include "memory/address/history.h"

#include <atomic>

#include "base/user_call.h"
#include "diagnose/trace.h"

namespace reprise_runtime::memory {
namespace {

constexpr std::uint64_t kept_events = 1 << 16;

struct Slot {
  std::atomic<std::uint64_t> number{0};  // of the event, from 1 on; 0 while it is written
  std::atomic<std::uintptr_t> base{0};
  std::atomic<std::size_t> bytes{0};
  std::atomic<const void*> caller{nullptr};
  std::atomic<std::uint32_t> about{0};  // kind, freed << 8
};

std::atomic<std::uint64_t> events{0};
Slot slots[kept_events];

[[gnu::cold, gnu::noinline]] void trace(const void* address, std::size_t bytes, bool freed) {
  diagnose::record({.name = freed ? "free" : "allocation",
                    .id = reinterpret_cast<std::uintptr_t>(address),
                    .bytes = bytes,
                    .kind = freed ? diagnose::TraceKind::free : diagnose::TraceKind::allocation});
}

void note(const void* address, std::size_t bytes, std::uint32_t about) {
  if (diagnose::tracing) [[unlikely]]
    trace(address, bytes, about >> 8 != 0);
  const std::uint64_t number = events.fetch_add(1, std::memory_order_relaxed) + 1;
  Slot& slot = slots[number % kept_events];
  slot.number.store(0, std::memory_order_relaxed);
  slot.base.store(reinterpret_cast<std::uintptr_t>(address), std::memory_order_release);
  slot.bytes.store(bytes, std::memory_order_release);
  slot.caller.store(user_call, std::memory_order_release);
  slot.about.store(about, std::memory_order_release);
  slot.number.store(number, std::memory_order_release);
}

std::uint32_t about(MemoryKind kind, bool freed) {
  return static_cast<std::uint32_t>(kind) | static_cast<std::uint32_t>(freed) << 8;
}

std::optional<AllocationEvent> read(std::uint64_t number) {
  const Slot& slot = slots[number % kept_events];
  if (slot.number.load(std::memory_order_acquire) != number) return {};
  const std::uint32_t bits = slot.about.load(std::memory_order_acquire);
  const AllocationEvent event{slot.base.load(std::memory_order_acquire), slot.bytes.load(std::memory_order_acquire),
                              slot.caller.load(std::memory_order_acquire), static_cast<MemoryKind>(bits & 0xff),
                              (bits >> 8 & 1) != 0};
  if (slot.number.load(std::memory_order_relaxed) != number) return {};
  return event;
}

template <class Visit>
void for_each_latest_first(Visit&& visit) {
  const std::uint64_t last = events.load(std::memory_order_acquire);
  for (std::uint64_t number = last; number > 0 && last - number < kept_events; --number) {
    const std::optional<AllocationEvent> event = read(number);
    if (event && !visit(*event)) return;
  }
}

}  // namespace

void note_allocated(const void* address, std::size_t bytes, MemoryKind kind) {
  note(address, bytes, about(kind, false));
}

void note_freed(const void* address, std::size_t bytes, MemoryKind kind) { note(address, bytes, about(kind, true)); }

std::optional<AllocationEvent> latest_event_around(const void* address) {
  std::optional<AllocationEvent> found;
  for_each_latest_first([&](const AllocationEvent& event) {
    if (reinterpret_cast<std::uintptr_t>(address) - event.base >= event.bytes) return true;
    found = event;
    return false;
  });
  return found;
}

std::optional<AllocationEvent> latest_event_before(const void* address, std::size_t reach) {
  std::optional<AllocationEvent> nearest;
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  for_each_latest_first([&](const AllocationEvent& event) {
    const std::uintptr_t end = event.base + event.bytes;
    if (end <= at && at - end < reach && (!nearest || end > nearest->base + nearest->bytes)) nearest = event;
    return true;
  });
  return nearest;
}

}  // namespace reprise_runtime::memory
