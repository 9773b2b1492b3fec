#include "workshop.h"

#include <reprise/external_semaphore.h>
#include <unistd.h>

#include <utility>

#include "device_code.h"
#include "handles.h"

namespace fuzz {
namespace {

void ignore(cudaError_t) {}  // a device with a fault, or a stream that captures, refuses; the next one may succeed

// Waits return at once: the timeline's value is beyond every value used here.
cudaExternalSemaphore_t make_semaphore() {
  cudaExternalSemaphoreHandleDesc description{};
  description.type = cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd;
  if (repriseCreateSemaphoreFd(&description.handle.fd, repriseSemaphoreTimeline, 1ull << 60) != cudaSuccess)
    return nullptr;
  cudaExternalSemaphore_t semaphore = nullptr;
  if (cudaImportExternalSemaphore(&semaphore, &description) != cudaSuccess) close(description.handle.fd);
  return semaphore;
}

}  // namespace

Workshop::~Workshop() {
  if (pool_file >= 0) close(pool_file);
}

void Workshop::keep(cudaGraphNode_t node) { Handles<cudaGraphNode_t>::keep(random_, node); }

void Workshop::make(Memories& memories) {
  cudaStream_t stream = nullptr;
  ignore(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (cudaEvent_t* event : {&begin, &end}) {
    *event = nullptr;
    ignore(cudaEventCreate(event));
    ignore(cudaEventRecord(*event, stream));
    Handles<cudaEvent_t>::keep(random_, *event);
  }
  const cudaExternalSemaphore_t semaphore = make_semaphore();
  Handles<cudaExternalSemaphore_t>::keep(random_, semaphore);
  make_graph(memories, semaphore);
  make_pool(memories, stream);
  ignore(cudaStreamSynchronize(stream));
  Handles<cudaStream_t>::keep(random_, stream);
}

void Workshop::make_graph(Memories& memories, cudaExternalSemaphore_t semaphore) {
  graph = clone = nullptr;
  exec = nullptr;
  object = nullptr;
  ignore(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t node = nullptr, allocated = nullptr;
  const auto added = [&](cudaError_t status) {
    if (status == cudaSuccess) keep(node);
  };

  long long word = 0;
  int number = 0;
  void* arguments[] = {&word, &number};
  cudaKernelNodeParams kernel{};
  kernel.func = &kernel_stub;
  kernel.gridDim = kernel.blockDim = {1, 1, 1};
  kernel.kernelParams = arguments;
  for (int i = 0; i < 2; ++i) added(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &kernel));

  cudaMemsetParams set{};
  set.dst = memories.right();
  set.elementSize = 1;
  set.width = 16;
  set.height = 1;
  added(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &set));
  added(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, memories.right(), memories.right(), 16, cudaMemcpyDefault));

  cudaHostNodeParams host{[](void*) {}, nullptr};
  added(cudaGraphAddHostNode(&node, graph, nullptr, 0, &host));
  added(cudaGraphAddEmptyNode(&node, graph, nullptr, 0));
  added(cudaGraphAddEventRecordNode(&node, graph, nullptr, 0, begin));
  added(cudaGraphAddEventWaitNode(&node, graph, nullptr, 0, end));

  cudaExternalSemaphoreSignalParams signal_value{};
  cudaExternalSemaphoreWaitParams wait_value{};
  cudaExternalSemaphore_t semaphores[] = {semaphore};
  cudaExternalSemaphoreSignalNodeParams signal{semaphores, &signal_value, 1};
  cudaExternalSemaphoreWaitNodeParams wait{semaphores, &wait_value, 1};
  added(cudaGraphAddExternalSemaphoresSignalNode(&node, graph, nullptr, 0, &signal));
  added(cudaGraphAddExternalSemaphoresWaitNode(&node, graph, nullptr, 0, &wait));

  cudaGraph_t child = nullptr;
  ignore(cudaGraphCreate(&child, 0));
  ignore(cudaGraphAddEmptyNode(&node, child, nullptr, 0));
  added(cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, child));
  Handles<cudaGraph_t>::keep(random_, child);

  ignore(cudaGraphClone(&clone, graph));  // of what can be cloned: memory nodes cannot

  cudaMemAllocNodeParams allocation{};
  allocation.poolProps.allocType = cudaMemAllocationTypePinned;
  allocation.poolProps.location = {cudaMemLocationTypeDevice, 0};
  allocation.bytesize = 1000;
  if (cudaGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &allocation) == cudaSuccess) {
    keep(allocated);
    memories.keep_graph_memory(allocation.dptr);
    added(cudaGraphAddMemFreeNode(&node, graph, &allocated, 1, allocation.dptr));
  }

  ignore(cudaUserObjectCreate(&object, this, [](void*) {}, 2, cudaUserObjectNoDestructorSync));
  ignore(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
  ignore(cudaGraphInstantiate(&exec, graph, 0));
  Handles<cudaUserObject_t>::keep(random_, object);
  Handles<cudaGraph_t>::keep(random_, clone);
  Handles<cudaGraph_t>::keep(random_, graph);
  Handles<cudaGraphExec_t>::keep(random_, exec);
}

void Workshop::make_pool(Memories& memories, cudaStream_t stream) {
  if (pool_file >= 0) close(std::exchange(pool_file, -1));
  pool = imported = nullptr;
  pool_memory = nullptr;
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  properties.handleTypes = cudaMemHandleTypePosixFileDescriptor;
  if (cudaMemPoolCreate(&pool, &properties) != cudaSuccess) return;
  ignore(cudaMemPoolExportToShareableHandle(&pool_file, pool, cudaMemHandleTypePosixFileDescriptor, 0));
  ignore(cudaMemPoolImportFromShareableHandle(&imported, reinterpret_cast<void*>(static_cast<intptr_t>(pool_file)),
                                              cudaMemHandleTypePosixFileDescriptor, 0));
  if (cudaMallocFromPoolAsync(&pool_memory, 4000, pool, stream) == cudaSuccess) {
    ignore(cudaMemPoolExportPointer(&pointer, pool_memory));
    memories.keep(Memories::Kind::device, pool_memory);
  }
  Handles<cudaMemPool_t>::keep(random_, imported);
  Handles<cudaMemPool_t>::keep(random_, pool);
}

}  // namespace fuzz
