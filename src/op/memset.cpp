#include "op/memset.h"

#include "base/device_properties.h"
#include "diagnose/refuse.h"
#include "op/memory_check.h"

namespace reprise_runtime::op {
namespace {

using diagnose::refuse;
using memory::BoxFill;

// Inlined to avoid a store-forwarding stall when fields that were just written are copied as a whole.
[[gnu::always_inline]] inline Result<Memset> checked(const BoxFill& box) {
  Result<Memset> built(Memset{box});
  if (built->empty()) return built;
  const cudaError_t status = check_memory(box.to, box.extent, Side::device, Use::destination, built->to);
  if (status != cudaSuccess) [[unlikely]] {
    if (built->to == memory::MemoryKind::pageable) {
      built->refusal = status;
    } else {
      built = status;
    }
  }
  return built;
}

cudaError_t check_pitch(size_t pitch, size_t width, size_t rows) {
  if (rows > 1 && pitch < width) {
    return refuse(cudaErrorInvalidValue, "the pitch %zu is less than the width %zu", pitch, width);
  }
  if (pitch > largest_pitch)
    return refuse(cudaErrorInvalidValue, "the pitch %zu is more than %zu", pitch, largest_pitch);
  return cudaSuccess;
}

std::uint32_t byte_of(int value) { return static_cast<unsigned char>(value); }

}  // namespace

Result<Memset> Memset::build(void* to, int value, size_t bytes) {
  return checked({{static_cast<char*>(to), bytes, bytes}, {bytes, 1, 1}, byte_of(value), 1});
}

Result<Memset> Memset::build_2d(void* to, size_t pitch, int value, size_t width, size_t height) {
  if (width == 0 || height == 0) return Memset{};
  if (cudaError_t status = check_pitch(pitch, width, height); status != cudaSuccess) return status;
  return checked({{static_cast<char*>(to), pitch, 0}, {width, height, 1}, byte_of(value), 1});
}

Result<Memset> Memset::build_3d(const cudaPitchedPtr& to, int value, const cudaExtent& extent) {
  const memory::Extent box{extent.width, extent.height, extent.depth};
  if (box.empty()) return Memset{};
  if (cudaError_t status = check_pitch(to.pitch, extent.width, 2); status != cudaSuccess) return status;
  if (extent.height > to.ysize) {
    return refuse(cudaErrorInvalidValue, "slices of %zu rows in memory with slices of %zu rows", extent.height,
                  to.ysize);
  }
  size_t slice = 0;
  if (__builtin_mul_overflow(to.pitch, to.ysize, &slice)) {
    return refuse(cudaErrorInvalidValue, "the slices exceed the address space");
  }
  return checked({{static_cast<char*>(to.ptr), to.pitch, slice}, box, byte_of(value), 1});
}

Result<Memset> Memset::build(const cudaMemsetParams& parameters) {
  const unsigned element = parameters.elementSize;
  if (element != 1 && element != 2 && element != 4) {
    return refuse(cudaErrorInvalidValue, "elements of %u bytes; the size must be 1, 2 or 4", element);
  }
  size_t width = 0;
  if (__builtin_mul_overflow(parameters.width, size_t{element}, &width)) {
    return refuse(cudaErrorInvalidValue, "the rows exceed the address space");
  }
  if (cudaError_t status = check_pitch(parameters.pitch, width, parameters.height); status != cudaSuccess)
    return status;
  const auto address = reinterpret_cast<std::uintptr_t>(parameters.dst);
  if (address % element || (parameters.height > 1 && parameters.pitch % element)) {
    return refuse(cudaErrorInvalidValue, "elements of %u bytes at %p, %zu apart, are not aligned", element,
                  parameters.dst, parameters.pitch);
  }
  return checked({{static_cast<char*>(parameters.dst), parameters.pitch, 0},
                  {width, parameters.height, 1},
                  parameters.value,
                  element});
}

}  // namespace reprise_runtime::op
