#include "memory/copy/copy.h"

#include <algorithm>
#include <cstring>

#include "memory/copy/fill_pattern.h"
#include "memory/copy/spread_bytes.h"

namespace reprise_runtime::memory {
namespace {

bool overlap(const char* a, std::size_t a_bytes, const char* b, std::size_t b_bytes) {
  const auto x = reinterpret_cast<std::uintptr_t>(a), y = reinterpret_cast<std::uintptr_t>(b);
  return x < y ? y - x < a_bytes : x - y < b_bytes;
}

// Rows [begin, end) of a box, counted through all slices.
void copy_rows(const BoxCopy& box, std::size_t begin, std::size_t end) {
  for (std::size_t row = begin; row < end; ++row) {
    const std::size_t y = row % box.extent.height, z = row / box.extent.height;
    std::memmove(box.to.row(y, z), box.from.row(y, z), box.extent.width);
  }
}

bool one_byte_repeated(std::uint32_t value, std::uint32_t element_bytes) {
  const std::uint32_t byte = value & 0xff;
  return element_bytes == 1 || (element_bytes == 2 && (value & 0xffff) == byte * 0x0101u) ||
         (element_bytes == 4 && value == byte * 0x01010101u);
}

// Calls fill(address, bytes) for all of the box, on several cores if it is large.
template <class Fill>
void fill_rows(const BoxFill& box, const FaultGuard& guard, const Fill& fill) {
  const Extent& extent = box.extent;
  if (extent.one_row()) {
    spread_bytes(extent.width, [&](std::size_t begin, std::size_t end) {
      guard.run([&] { fill(box.to.address + begin, end - begin); });
    });
    return;
  }
  spread_rows(extent.height * extent.depth, extent.width, [&](std::size_t begin, std::size_t end) {
    guard.run([&] {
      for (std::size_t row = begin; row < end; ++row) {
        fill(box.to.row(row % extent.height, row / extent.height), extent.width);
      }
    });
  });
}

}  // namespace

void copy_bytes(void* to, const void* from, std::size_t bytes, const FaultGuard& guard) {
  if (bytes == 0) return;  // addresses may be null, which memmove does not allow
  auto* target = static_cast<char*>(to);
  const auto* source = static_cast<const char*>(from);
  if (bytes < tuning::spread_threshold || overlap(target, bytes, source, bytes)) {
    return guard.run([=] { std::memmove(to, from, bytes); });
  }
  spread_bytes(bytes, [&](std::size_t begin, std::size_t end) {
    guard.run([=] { std::memcpy(target + begin, source + begin, end - begin); });
  });
}

void copy_box(const BoxCopy& original, const FaultGuard& guard) {
  const auto straight = [&guard](const BoxCopy& box) {
    copy_bytes(box.to.address, box.from.address, box.extent.width, guard);
  };
  if (original.extent.one_row()) return straight(original);
  if (original.extent.empty()) return;
  const BoxCopy box = flattened(original);
  if (box.extent.one_row()) return straight(box);
  const Extent& extent = box.extent;
  const std::size_t rows = extent.height * extent.depth;
  if (overlap(box.to.address, box.to.reach(extent), box.from.address, box.from.reach(extent))) {
    return guard.run([&] { copy_rows(box, 0, rows); });
  }
  spread_rows(rows, extent.width,
              [&](std::size_t begin, std::size_t end) { guard.run([&] { copy_rows(box, begin, end); }); });
}

void fill_box(const BoxFill& original, const FaultGuard& guard) {
  if (original.extent.empty()) return;
  const BoxFill box = original.extent.one_row() ? original : flattened(original);
  if (one_byte_repeated(box.value, box.element_bytes)) {
    fill_rows(box, guard, [value = static_cast<int>(box.value & 0xff)](char* to, std::size_t bytes) {
      std::memset(to, value, bytes);
    });
    return;
  }
  const std::uint32_t pattern = box.element_bytes == 2 ? (box.value & 0xffff) | box.value << 16 : box.value;
  fill_rows(box, guard, [=](char* to, std::size_t bytes) { fill_pattern(to, bytes, pattern); });
}

}  // namespace reprise_runtime::memory
