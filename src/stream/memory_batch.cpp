#include "stream/memory_batch.h"

#include <memory>
#include <vector>

#include "diagnose/refuse.h"
#include "memory/allocate/advice.h"
#include "op/memcpy.h"
#include "stream/capture_rules.h"
#include "stream/working_stream.h"

namespace reprise_runtime::stream {
namespace {

using diagnose::refuse;

// Batches are not for the legacy stream.
Result<Ref<Stream>> find_for_batch(cudaStream_t handle) {
  if (handle == nullptr || handle == cudaStreamLegacy) {
    return refuse(cudaErrorInvalidValue,
                  "the legacy stream takes no batches; use a stream created by cudaStreamCreate");
  }
  Result<Ref<Stream>> stream = find_working(handle);
  if (!stream.ok()) return stream;
  constexpr RefusedCall call = {"issue the copies one by one; there are no nodes for batches", 0, nullptr, false};
  if (cudaError_t refused = check_outside_capture(**stream, call); refused != cudaSuccess) return refused;
  return stream;
}

cudaError_t check_flags(unsigned long long flags) {
  return flags == 0 ? cudaSuccess : refuse(cudaErrorInvalidValue, "flags must be 0, not 0x%llx", flags);
}

// Indices at which attributes, or locations, begin to apply: 0 first, rising, below `count`.
cudaError_t check_indices(const size_t* indices, size_t index_count, size_t count) {
  if (index_count == 0 || index_count > count) {
    return refuse(cudaErrorInvalidValue, "%zu attributes or locations for %zu items", index_count, count);
  }
  if (!indices || indices[0] != 0) return refuse(cudaErrorInvalidValue, "the first index must be 0");
  for (size_t i = 1; i < index_count; ++i) {
    if (indices[i] <= indices[i - 1] || indices[i] >= count) {
      return refuse(cudaErrorInvalidValue, "index %zu is %zu; indices must rise and be less than %zu", i, indices[i],
                    count);
    }
  }
  return cudaSuccess;
}

cudaError_t check_attributes(cudaMemcpySrcAccessOrder order, unsigned flags) {
  if (order < cudaMemcpySrcAccessOrderStream || order > cudaMemcpySrcAccessOrderAny) {
    return refuse(cudaErrorInvalidValue, "%d is not a cudaMemcpySrcAccessOrder", static_cast<int>(order));
  }
  if (flags & ~static_cast<unsigned>(cudaMemcpyFlagPreferOverlapWithCompute)) {
    return refuse(cudaErrorInvalidValue, "unknown flags 0x%x", flags);
  }
  return cudaSuccess;
}

struct BatchCopy {
  op::Memcpy copy;
  bool read_now;
};

// The source may be invalid when the call returns, so it is read now.
cudaError_t submit_read_now(Stream& stream, const op::Memcpy& copy) {
  const memory::Extent& extent = copy.box.extent;
  std::shared_ptr<char[]> bytes(new char[extent.bytes()]);
  const memory::Place tight{bytes.get(), extent.width, extent.width * extent.height};
  if (cudaError_t status = op::copy_now({tight, copy.box.from, extent}); status != cudaSuccess) return status;
  stream.submit_task(
      [bytes, box = memory::BoxCopy{copy.box.to, tight, extent}, context = op::Context{stream.device()}](exec::Lane&) {
        if (!context.dead()) memory::copy_box(box, op::fault_guard_of(context));
      });
  return cudaSuccess;
}

cudaError_t submit_all(Stream& stream, const std::vector<BatchCopy>& copies) {
  for (const BatchCopy& item : copies) {
    const cudaError_t status = item.read_now ? submit_read_now(stream, item.copy) : stream.submit(item.copy);
    if (status != cudaSuccess) return status;
  }
  return cudaSuccess;
}

cudaError_t check_ranges(const RangeBatch& ranges) {
  if (!ranges.addresses || !ranges.sizes || ranges.count == 0)
    return refuse(cudaErrorInvalidValue, "the list of ranges is null or empty");
  for (size_t i = 0; i < ranges.count; ++i) {
    if (cudaError_t status = memory::check_managed_range(ranges.addresses[i], ranges.sizes[i]); status != cudaSuccess) {
      return status;
    }
  }
  return cudaSuccess;
}

void submit_discard(Stream& stream, const void* address, size_t bytes) {
  stream.submit_task([=](exec::Lane&) { memory::discard(address, bytes); });
}

void submit_prefetch(Stream& stream, const void* address, size_t bytes, const cudaMemLocation& location) {
  memory::note_prefetch(address, bytes, location);
  stream.submit_task([=](exec::Lane&) { memory::populate(address, bytes); });
}

}  // namespace

cudaError_t copy_batch(void* const* to, const void* const* from, const size_t* sizes, size_t count,
                       const cudaMemcpyAttributes* attributes, const size_t* first_of_attribute, size_t attribute_count,
                       cudaStream_t handle) {
  if (!to || !from || !sizes || !attributes || count == 0)
    return refuse(cudaErrorInvalidValue, "the list of copies is null or empty");
  if (cudaError_t status = check_indices(first_of_attribute, attribute_count, count); status != cudaSuccess)
    return status;
  for (size_t i = 0; i < attribute_count; ++i) {
    const cudaError_t status = check_attributes(attributes[i].srcAccessOrder, attributes[i].flags);
    if (status != cudaSuccess) return status;
  }
  Result<Ref<Stream>> stream = find_for_batch(handle);
  if (!stream.ok()) return stream.status();

  std::vector<BatchCopy> copies;
  copies.reserve(count);
  for (size_t i = 0, attribute = 0; i < count; ++i) {
    if (attribute + 1 < attribute_count && first_of_attribute[attribute + 1] == i) ++attribute;
    if (sizes[i] == 0) return refuse(cudaErrorInvalidValue, "copy %zu of %zu has no bytes", i, count);
    Result<op::Memcpy> copy = op::Memcpy::build(to[i], from[i], sizes[i], cudaMemcpyDefault);
    if (!copy.ok()) return copy.status();
    if (copy->to == memory::MemoryKind::graph || copy->from == memory::MemoryKind::graph) {
      return refuse(cudaErrorInvalidValue, "copy %zu of %zu touches %s", i, count, describe(memory::MemoryKind::graph));
    }
    copies.push_back({*copy, attributes[attribute].srcAccessOrder == cudaMemcpySrcAccessOrderDuringApiCall});
  }
  return submit_all(**stream, copies);
}

cudaError_t copy_batch_3d(size_t count, const cudaMemcpy3DBatchOp* operations, unsigned long long flags,
                          cudaStream_t handle) {
  if (!operations || count == 0) return refuse(cudaErrorInvalidValue, "the list of copies is null or empty");
  if (cudaError_t status = check_flags(flags); status != cudaSuccess) return status;
  Result<Ref<Stream>> stream = find_for_batch(handle);
  if (!stream.ok()) return stream.status();

  std::vector<BatchCopy> copies;
  copies.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    const cudaMemcpy3DBatchOp& operation = operations[i];
    if (cudaError_t status = check_attributes(operation.srcAccessOrder, operation.flags); status != cudaSuccess) {
      return status;
    }
    Result<op::Memcpy> copy = op::Memcpy::build_3d_operation(operation);
    if (!copy.ok()) return copy.status();
    if (copy->to == memory::MemoryKind::graph || copy->from == memory::MemoryKind::graph) {
      return refuse(cudaErrorInvalidValue, "copy %zu of %zu touches %s", i, count, describe(memory::MemoryKind::graph));
    }
    copies.push_back({*copy, operation.srcAccessOrder == cudaMemcpySrcAccessOrderDuringApiCall});
  }
  return submit_all(**stream, copies);
}

cudaError_t prefetch(const void* address, size_t bytes, cudaMemLocation location, unsigned flags, cudaStream_t handle) {
  if (cudaError_t status = check_flags(flags); status != cudaSuccess) return status;
  if (cudaError_t status = memory::check_managed_range(address, bytes); status != cudaSuccess) return status;
  if (cudaError_t status = memory::check_location(location); status != cudaSuccess) return status;
  Result<Ref<Stream>> stream = find_working(handle);
  if (!stream.ok()) return stream.status();
  const RefusedCall call = {"prefetch before the capture, or in a stream that does not capture", bytes, address};
  if (cudaError_t refused = check_outside_capture(**stream, call); refused != cudaSuccess) return refused;
  submit_prefetch(**stream, address, bytes, location);
  return cudaSuccess;
}

cudaError_t discard_batch(const RangeBatch& ranges, unsigned long long flags, cudaStream_t handle) {
  if (cudaError_t status = check_flags(flags); status != cudaSuccess) return status;
  if (cudaError_t status = check_ranges(ranges); status != cudaSuccess) return status;
  Result<Ref<Stream>> stream = find_for_batch(handle);
  if (!stream.ok()) return stream.status();
  for (size_t i = 0; i < ranges.count; ++i) submit_discard(**stream, ranges.addresses[i], ranges.sizes[i]);
  return cudaSuccess;
}

cudaError_t prefetch_batch(const RangeBatch& ranges, const LocationBatch& locations, bool discard_first,
                           unsigned long long flags, cudaStream_t handle) {
  if (cudaError_t status = check_flags(flags); status != cudaSuccess) return status;
  if (cudaError_t status = check_ranges(ranges); status != cudaSuccess) return status;
  if (!locations.locations) return refuse(cudaErrorInvalidValue, "the list of locations is null");
  if (cudaError_t status = check_indices(locations.first_ranges, locations.count, ranges.count);
      status != cudaSuccess) {
    return status;
  }
  for (size_t i = 0; i < locations.count; ++i) {
    if (cudaError_t status = memory::check_location(locations.locations[i]); status != cudaSuccess) return status;
  }
  Result<Ref<Stream>> stream = find_for_batch(handle);
  if (!stream.ok()) return stream.status();
  for (size_t i = 0, location = 0; i < ranges.count; ++i) {
    if (location + 1 < locations.count && locations.first_ranges[location + 1] == i) ++location;
    if (discard_first) submit_discard(**stream, ranges.addresses[i], ranges.sizes[i]);
    submit_prefetch(**stream, ranges.addresses[i], ranges.sizes[i], locations.locations[location]);
  }
  return cudaSuccess;
}

}  // namespace reprise_runtime::stream
