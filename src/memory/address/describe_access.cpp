#include "memory/address/describe_access.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "diagnose/stack.h"
#include "memory/address/address_map.h"
#include "memory/address/address_window.h"
#include "memory/address/history.h"
#include "memory/address/span_owner.h"

namespace reprise_runtime::memory {
namespace {

constexpr std::uintptr_t null_page = 64 * 1024;
constexpr std::size_t near = std::size_t{64} << 20;

std::string text(std::uintptr_t address) {
  char words[32];
  std::snprintf(words, sizeof words, "0x%zx", address);
  return words;
}

std::string memory_of(const AllocationEvent& event) {
  return std::to_string(event.bytes) + " bytes of " + describe(event.kind) + " at " + text(event.base);
}

// ", allocated by main+0x1c (...) at prog.cu:8"
std::string origin_of(const AllocationEvent& event) {
  if (!event.caller) return {};
  return std::string(event.freed ? ", freed by " : ", allocated by ") + diagnose::describe_address(event.caller);
}

std::string position(std::uintptr_t address, std::uintptr_t base) {
  return "byte " + std::to_string(address - base) + " of the ";
}

// For an address that is in no live allocation: the nearest one before or after it.
Range nearest_live(std::uintptr_t address) {
  Range best;
  std::size_t best_distance = near;
  const auto consider = [&](std::uintptr_t inside) {
    const Range range = lookup(reinterpret_cast<void*>(inside));
    if (range.size == 0) return;
    const std::size_t distance =
        address >= range.base + range.size ? address - (range.base + range.size) : range.base - address;
    if (distance < best_distance) best = range, best_distance = distance;
  };
  AddressWindow::instance().for_each([&](const Span& span) {
    const std::uintptr_t base = span.base.load(std::memory_order_relaxed);
    const std::size_t bytes = span.bytes.load(std::memory_order_relaxed);
    if (address + near < base || address > base + bytes + near) return;
    if (span.owner.load(std::memory_order_relaxed)) return;  // takes the locks of pools
    const std::uint32_t block = span.block_bytes.load(std::memory_order_relaxed);
    for (std::uintptr_t at = base; at < base + bytes; at += block ? block : bytes) consider(at);
  });
  return best;
}

std::string describe_live(std::uintptr_t address, const Range& range) {
  std::string words = position(address, range.base) + std::to_string(range.size) + " bytes of " + describe(range.kind) +
                      " at " + text(range.base);
  const auto event = latest_event_around(reinterpret_cast<void*>(address));
  return event && !event->freed && event->base == range.base ? words + origin_of(*event) : words;
}

std::string describe_nearest(std::uintptr_t address, const Range& range) {
  const bool after = address >= range.base;
  const std::size_t distance = after ? address - (range.base + range.size) : range.base - address;
  std::string words = std::to_string(distance) + (after ? " bytes past the end of the " : " bytes before the ") +
                      std::to_string(range.size) + " bytes of " + describe(range.kind) + " at " + text(range.base);
  const auto event = latest_event_around(reinterpret_cast<void*>(range.base));
  return event && !event->freed && event->base == range.base ? words + origin_of(*event) : words;
}

}  // namespace

std::string describe_access(const void* pointer) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (address == 0) return "a null pointer";
  if (address < null_page) return "byte " + std::to_string(address) + " behind a null pointer";
  if (SpanOwner* owner = owner_of(pointer)) {
    if (const AllocationEvent event = owner->latest_at_or_before(address); event.bytes) {
      if (address - event.base < event.bytes)
        return position(address, event.base) + memory_of(event) + " from a pool" + origin_of(event);
      return std::to_string(address - event.base - event.bytes) + " bytes past the end of the " + memory_of(event) +
             " from a pool" + origin_of(event);
    }
  }
  const Range range = lookup(pointer);
  if (range.size) return describe_live(address, range);
  if (range.kind != MemoryKind::dead) return "not memory of the runtime; nothing is mapped there, or it is read-only";

  const auto freed = latest_event_around(pointer);
  if (freed && freed->freed) return position(address, freed->base) + memory_of(*freed) + origin_of(*freed);
  if (const Range nearest = nearest_live(address); nearest.size) return describe_nearest(address, nearest);
  if (const auto before = latest_event_before(pointer, near)) {
    return std::to_string(address - before->base - before->bytes) + " bytes past the end of the " + memory_of(*before) +
           origin_of(*before);
  }
  return "device memory that is not allocated; no allocation is near";
}

}  // namespace reprise_runtime::memory
