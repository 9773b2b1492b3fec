#include "graph/host_memory.h"

#include <reprise/error.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>

namespace reprise {
namespace {

struct HostBuffers {
  struct One {
    std::size_t bytes;
    std::weak_ptr<void> memory;
  };
  std::mutex mutex;
  std::map<std::uintptr_t, One> by_address;  // guarded by mutex
};

// Never destroyed, so that static buffers can outlive it.
HostBuffers& host_buffers() {
  static HostBuffers* buffers = new HostBuffers;
  return *buffers;
}

struct InUse {
  struct One {
    Event after;
    std::shared_ptr<const void> memory;
  };
  std::mutex mutex;
  std::vector<One> all;  // guarded by mutex
};

InUse& in_use() {
  static InUse* in_use = new InUse;
  return *in_use;
}

// The memory of the HostBuffer that contains `range`, or null.
std::shared_ptr<void> owner_of(Range range) {
  HostBuffers& all = host_buffers();
  std::lock_guard<std::mutex> lock(all.mutex);
  auto at = all.by_address.upper_bound(range.begin);
  if (at == all.by_address.begin()) return nullptr;
  --at;
  return at->first + at->second.bytes >= range.end ? at->second.memory.lock() : nullptr;
}

// The kind of host memory at `data` as a word; null for device memory.
const char* kind_of_host_memory(const void* data) {
  cudaPointerAttributes attributes = {};
  if (cudaPointerGetAttributes(&attributes, data) != cudaSuccess) {
    cudaGetLastError();
    return nullptr;
  }
  if (attributes.type == cudaMemoryTypeUnregistered) return "plain";
  return attributes.type == cudaMemoryTypeHost ? "page-locked" : nullptr;
}

void keep_range(const cudaPitchedPtr& memory, const cudaPos& from, const cudaExtent& extent, CaptureResult& result) {
  const char* kind = memory.ptr ? kind_of_host_memory(memory.ptr) : nullptr;
  if (!kind || extent.width * extent.height * extent.depth == 0) return;
  const auto* begin = static_cast<const char*>(memory.ptr) + from.x + (from.z * memory.ysize + from.y) * memory.pitch;
  const std::size_t rows_between = (extent.depth - 1) * memory.ysize + extent.height - 1;
  const Range range = range_of(begin, rows_between * memory.pitch + extent.width);
  if (result.promised.covers(range)) return;
  if (std::shared_ptr<void> owner = owner_of(range)) return result.kept.push_back(std::move(owner));
  fail("capture_end: a copy of ", extent.width * extent.height * extent.depth, " bytes uses ", kind, " host memory at ",
       static_cast<const void*>(begin),
       ", which may be gone when the graph is replayed; use a HostBuffer, which the graph keeps, "
       "hand its owner to keep_host_memory(), or promise_host_memory() if it stays");
}

void keep_copy(cudaGraphNode_t node, CaptureResult& result) {
  cudaMemcpy3DParms parameters = {};
  if (cudaGraphMemcpyNodeGetParams(node, &parameters) != cudaSuccess) {
    cudaGetLastError();
    return;
  }
  keep_range(parameters.srcPtr, parameters.srcPos, parameters.extent, result);
  keep_range(parameters.dstPtr, parameters.dstPos, parameters.extent, result);
}

void keep_of_one(GraphRef graph, CaptureResult& result) {
  for (cudaGraphNode_t node : graph.nodes()) {
    cudaGraphNodeType type;
    check_cuda(cudaGraphNodeGetType(node, &type), "asking for the type of a captured node");
    if (type == cudaGraphNodeTypeMemcpy) keep_copy(node, result);
    if (type == cudaGraphNodeTypeGraph) {
      cudaGraph_t child = nullptr;
      check_cuda(cudaGraphChildGraphNodeGetGraph(node, &child), "asking for the graph of a captured node");
      keep_of_one(child, result);
    }
  }
}

}  // namespace

std::shared_ptr<void> host_buffer_memory(void* data, std::size_t bytes, void (*release)(void*)) {
  HostBuffers& all = host_buffers();
  std::shared_ptr<void> memory(data, [release](void* data) {
    {
      HostBuffers& all = host_buffers();
      std::lock_guard<std::mutex> lock(all.mutex);
      all.by_address.erase(range_of(data, 1).begin);
    }
    release(data);
  });
  std::lock_guard<std::mutex> lock(all.mutex);
  all.by_address[range_of(data, 1).begin] = {bytes, memory};
  return memory;
}

void keep_until_done(std::shared_ptr<const void> memory) {
  release_finished_host_memory();
  StreamRef stream = current_stream();
  if (auto context = capture_context_of(stream)) return context->keep_alive(std::move(memory));
  check(!is_capturing(stream), "keeping host memory: the current stream is in a capture that is not a CUDAGraph's");
  Event after;
  stream.record(after);
  std::lock_guard<std::mutex> lock(in_use().mutex);
  in_use().all.push_back({std::move(after), std::move(memory)});
}

void release_finished_host_memory() {
  RelaxedCaptureMode relaxed;
  std::vector<InUse::One> done;  // destroyed after the lock is released
  std::lock_guard<std::mutex> lock(in_use().mutex);
  auto& all = in_use().all;
  auto first = std::partition(all.begin(), all.end(), [](const InUse::One& one) {
    return cudaEventQuery(one.after.get()) == cudaErrorNotReady;
  });
  done.assign(std::make_move_iterator(first), std::make_move_iterator(all.end()));
  all.erase(first, all.end());
}

void keep_host_memory_of(GraphRef graph, CaptureResult& result) {
  keep_of_one(graph, result);
  for (GraphRef body : result.bodies) keep_of_one(body, result);
}

}  // namespace reprise
