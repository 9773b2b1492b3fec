// Structures for parameters. Output structures are zero; pointers in others are valid.
#pragma once

#include <reprise/external_semaphore.h>
#include <unistd.h>

#include "lender.h"
#include "values.h"

namespace fuzz {

class Structures : protected Values {
 protected:
  using Values::fill;
  using Values::Values;

  // Output structures, and those that no call reads yet, are zero.
  template <class T>
    requires std::is_class_v<T> || std::is_union_v<T>
  void fill(T&, const Parameter&) {}
  template <Complete T>
  void fill(T*& value, const Parameter&) {
    value = nullptr;
  }

  void fill(dim3& value, const Parameter& p) {
    if (random_.right()) {
      value = dim3(random_.pick<unsigned>({1, 2, 7}), random_.pick<unsigned>({1, 1, 2}), 1);
      return;
    }
    const bool block = p.name == "blockDim";
    value = dim3(random_.pick<unsigned>({0, 1, 1, 2, 3, block ? 1024u : 7u}),
                 random_.pick<unsigned>({0, 1, 1, 1, 2, block ? 2u : 70000u}),
                 random_.pick<unsigned>({1, 1, 1, 1, 3, block ? 65u : 70000u}));
  }
  void fill(cudaExtent& value, const Parameter&) { value = {random_.below(33), random_.below(33), random_.below(33)}; }
  void fill(cudaPos& value, const Parameter&) { value = {random_.below(9), random_.below(9), random_.below(9)}; }
  // A graph node copies when it is launched; all other work is done or refused before memory is freed.
  void* lasting_for(const Parameter& p) { return p.called("Graph") ? memories_.lasting() : memories_.any(); }
  void fill(cudaPitchedPtr& value, const Parameter& p) {
    value = {lasting_for(p), random_.pick<size_t>({0, 8, 32, 40, 255}), random_.below(33), random_.below(40)};
  }
  void fill(cudaMemLocation& value, const Parameter& p) {
    if (random_.right()) {
      value = {cudaMemLocationTypeDevice, 0};
      return;
    }
    fill(value.type, p);
    value.id = random_.pick<int>({0, 0, 1, -1, 4096});
  }
  void fill(cudaMemcpyAttributes& value, const Parameter& p) {
    value.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    if (random_.right()) return;
    value.srcAccessOrder = static_cast<cudaMemcpySrcAccessOrder>(random_.below(5));
    value.flags = random_.one_in(8) ? static_cast<unsigned>(random_.bits()) : static_cast<unsigned>(random_.below(2));
    fill(value.srcLocHint, p);
  }
  void fill(cudaMemcpy3DParms& value, const Parameter& p) { fill_box(value, p); }
  void fill(cudaMemcpy3DPeerParms& value, const Parameter& p) { fill_box(value, p); }
  template <class T>
  void fill_box(T& value, const Parameter& p) {
    if (random_.right()) {
      value.srcPtr = value.dstPtr = {memories_.right(), 64, 16, 4};
      value.extent = {random_.pick<size_t>({1, 16}), random_.pick<size_t>({1, 2}), random_.pick<size_t>({1, 1, 2})};
      if constexpr (requires { value.kind; }) value.kind = cudaMemcpyDefault;
      return;
    }
    fill(value.srcPtr, p);
    fill(value.dstPtr, p);
    fill(value.srcPos, p);
    fill(value.dstPos, p);
    fill(value.extent, p);
    if (random_.one_in(16)) value.srcArray = Handles<cudaArray_t>::pick(random_);
    if constexpr (requires { value.kind; }) {
      value.kind = static_cast<cudaMemcpyKind>(random_.below(6));
    } else {
      value.srcDevice = random_.pick<int>({0, 1, -1, 4096});
      value.dstDevice = random_.pick<int>({0, 1, -1, 4096});
    }
  }
  void fill(cudaMemcpy3DOperand& value) {
    if (random_.right()) {
      value.type = cudaMemcpyOperandTypePointer;
      value.op.ptr.ptr = memories_.right();
      value.op.ptr.locHint = {cudaMemLocationTypeDevice, 0};
      return;
    }
    value.type = static_cast<cudaMemcpy3DOperandType>(random_.pick<int>({1, 1, 1, 2, 0}));
    if (value.type != cudaMemcpyOperandTypePointer) return;
    value.op.ptr.ptr = memories_.any();
    value.op.ptr.rowLength = random_.pick<size_t>({0, 8, 32, 64});
    value.op.ptr.layerHeight = random_.pick<size_t>({0, 8, 32, 64});
  }
  void fill(cudaMemcpy3DBatchOp& value, const Parameter& p) {
    fill(value.src);
    fill(value.dst);
    value.extent = {16, 2, 1};
    value.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    if (random_.right()) return;
    fill(value.extent, p);
    value.srcAccessOrder = static_cast<cudaMemcpySrcAccessOrder>(random_.below(5));
    value.flags = static_cast<unsigned>(random_.below(3));
  }
  void fill(cudaLaunchAttribute& value) {
    value.id = static_cast<cudaLaunchAttributeID>(random_.below(18));
    for (unsigned i = 0; i < sizeof value.val / sizeof(int); ++i) {
      const int word = static_cast<int>(random_.below(4));
      std::memcpy(reinterpret_cast<char*>(&value.val) + i * sizeof word, &word, sizeof word);
    }
  }
  void fill(cudaLaunchConfig_t& value, const Parameter& p) {
    fill(value.gridDim, {p.call, "gridDim"});
    fill(value.blockDim, {p.call, "blockDim"});
    if (random_.right()) return;
    value.dynamicSmemBytes = random_.pick<size_t>({0, 100, 49153, SIZE_MAX});
    value.stream = Handles<cudaStream_t>::pick(random_);
    value.numAttrs = static_cast<unsigned>(random_.below(elements + 1));
    value.attrs = random_.one_in(8) ? nullptr : static_cast<cudaLaunchAttribute*>(slot(elements * sizeof *value.attrs));
    for (size_t i = 0; value.attrs && i < elements; ++i) fill(value.attrs[i]);
  }
  // Waits return at once: the timeline's value is beyond every value used here.
  void fill(cudaExternalSemaphoreHandleDesc& value, const Parameter&) {
    value.type = static_cast<cudaExternalSemaphoreHandleType>(random_.below(12));
    value.handle.fd = random_.pick<int>({-1, 0, 1, 2, 99999});
    if (descriptor_ >= 0 || random_.one_in(2)) return;
    value.type = cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd;
    static_cast<void>(repriseCreateSemaphoreFd(&descriptor_, repriseSemaphoreTimeline, 1ull << 60));
    value.handle.fd = descriptor_;
  }
  void fill(cudaExternalSemaphoreSignalParams& value, const Parameter&) { fill_semaphore(value); }
  void fill(cudaExternalSemaphoreWaitParams& value, const Parameter&) { fill_semaphore(value); }
  template <class T>
  void fill_semaphore(T& value) {
    value.params.fence.value = random_.below(100);
    value.flags = random_.right() ? 0 : static_cast<unsigned>(random_.below(2));
  }
  void fill(cudaExternalMemoryHandleDesc& value, const Parameter&) {
    value.type = static_cast<cudaExternalMemoryHandleType>(random_.below(10));
    value.handle.fd = random_.pick<int>({-1, 0, 99999});
  }
  // Sometimes a valid one, of this process.
  void fill(cudaIpcMemHandle_t& value, const Parameter&) {
    if (random_.right() && lent_) {
      value = lent_->memory;
      return;
    }
    if (random_.one_in(2) && cudaIpcGetMemHandle(&value, memories_.any_or_invented()) == cudaSuccess) return;
    for (char& byte : value.reserved) byte = static_cast<char>(random_.bits());
  }
  void fill(cudaIpcEventHandle_t& value, const Parameter&) {
    if (random_.right() && lent_) {
      value = lent_->event;
      return;
    }
    if (random_.one_in(2) && cudaIpcGetEventHandle(&value, Handles<cudaEvent_t>::pick(random_)) == cudaSuccess) return;
    for (char& byte : value.reserved) byte = static_cast<char>(random_.bits());
  }

  // ---- graphs: copies and sets in them run later, so that their memory lasts
  // ------------------------------------------

  void** kernel_arguments() {
    auto** list = static_cast<void**>(slot(elements * sizeof(void*)));
    for (size_t i = 0; i < elements; ++i) list[i] = slot(64);
    return !random_.right() && random_.one_in(8) ? nullptr : list;
  }
  template <class T>
  void fill_kernel(T& value, const Parameter& p) {
    value.func = !random_.right() && random_.one_in(8) ? memories_.any_or_invented() : &kernel_stub;
    fill(value.gridDim, {p.call, "gridDim"});
    fill(value.blockDim, {p.call, "blockDim"});
    value.sharedMemBytes = random_.right() ? 0 : random_.pick<unsigned>({0, 0, 100, 49153});
    value.kernelParams = kernel_arguments();
  }
  void fill(cudaKernelNodeParams& value, const Parameter& p) { fill_kernel(value, p); }
  void fill(cudaHostNodeParams& value, const Parameter&) {
    value.fn = !random_.right() && random_.one_in(8) ? nullptr : function(static_cast<cudaHostFn_t>(nullptr));
  }
  template <class T>
  void fill_set(T& value) {
    if (random_.right()) {
      value.dst = memories_.right();
      value.pitch = 64;
      value.elementSize = random_.pick<unsigned>({1, 2, 4});
      value.width = 16;
      value.height = 1;
      return;
    }
    value.dst = random_.one_in(4) ? memories_.any_or_invented() : memories_.lasting();
    value.pitch = random_.pick<size_t>({0, 64, 255});
    value.value = static_cast<unsigned>(random_.bits());
    value.elementSize = random_.pick<unsigned>({0, 1, 1, 2, 4, 3});
    value.width = random_.below(40);
    value.height = random_.below(4);
  }
  void fill(cudaMemsetParams& value, const Parameter&) { fill_set(value); }
  template <class T>
  void fill_allocation(T& value) {
    value.poolProps.allocType = random_.one_in(8) ? cudaMemAllocationTypeInvalid : cudaMemAllocationTypePinned;
    value.poolProps.location.type = random_.one_in(8) ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    value.poolProps.location.id = random_.pick<int>({0, 0, 0, 1, -1, 4096});
    if (random_.right()) {
      value.poolProps.allocType = cudaMemAllocationTypePinned;
      value.poolProps.location = {cudaMemLocationTypeDevice, 0};
      value.bytesize = 1000;
      return;
    }
    value.bytesize = random_.pick<size_t>({0, 1, 1000, 100000, size_t{33} << 20, size_t{1} << 46, ~size_t{0}});
  }
  void fill(cudaMemAllocNodeParams& value, const Parameter&) { fill_allocation(value); }
  template <class List, class Params>
  void fill_semaphores(List& value, const Params* parameters, const Parameter& p) {
    auto* handles = static_cast<cudaExternalSemaphore_t*>(slot(elements * sizeof(cudaExternalSemaphore_t)));
    auto* copies = static_cast<Params*>(slot(elements * sizeof *parameters));
    for (size_t i = 0; i < elements; ++i) {
      handles[i] = Handles<cudaExternalSemaphore_t>::pick(random_);
      fill(copies[i], p);
    }
    if (random_.right()) {
      value.extSemArray = handles;
      value.paramsArray = copies;
      value.numExtSems = 1;
      return;
    }
    value.extSemArray = random_.one_in(8) ? nullptr : handles;
    value.paramsArray = random_.one_in(8) ? nullptr : copies;
    value.numExtSems = static_cast<unsigned>(random_.pick<size_t>({0, 1, 1, 2, elements}));
  }
  void fill(cudaExternalSemaphoreSignalNodeParams& value, const Parameter& p) {
    fill_semaphores(value, value.paramsArray, p);
  }
  void fill(cudaExternalSemaphoreWaitNodeParams& value, const Parameter& p) {
    fill_semaphores(value, value.paramsArray, p);
  }
  void fill(cudaGraphEdgeData& value, const Parameter&) {
    if (random_.right() || random_.one_in(2)) return;
    value.from_port = static_cast<unsigned char>(random_.below(4));
    value.to_port = static_cast<unsigned char>(random_.below(2));
    value.type = static_cast<unsigned char>(random_.below(3));
  }
  void fill(cudaGraphInstantiateParams& value, const Parameter&) {
    value.flags = random_.right() ? 0 : random_.below(16);
    value.uploadStream = Handles<cudaStream_t>::pick(random_);
  }
  void fill(cudaGraphNodeParams& value, const Parameter& p) {
    value.type = static_cast<cudaGraphNodeType>(random_.below(15));
    if (random_.right() && p.called("SetParams")) static_cast<void>(cudaGraphNodeGetType(node_, &value.type));
    switch (value.type) {
      case cudaGraphNodeTypeKernel:
        return fill_kernel(value.kernel, p);
      case cudaGraphNodeTypeMemcpy:
        return fill(value.memcpy.copyParams, p);
      case cudaGraphNodeTypeMemset:
        return fill_set(value.memset);
      case cudaGraphNodeTypeHost:
        value.host.fn = function(static_cast<cudaHostFn_t>(nullptr));
        return;
      case cudaGraphNodeTypeGraph:
        value.graph.graph = Handles<cudaGraph_t>::pick(random_);
        return;
      case cudaGraphNodeTypeWaitEvent:
        value.eventWait.event = Handles<cudaEvent_t>::pick(random_);
        return;
      case cudaGraphNodeTypeEventRecord:
        value.eventRecord.event = Handles<cudaEvent_t>::pick(random_);
        return;
      case cudaGraphNodeTypeExtSemaphoreSignal:
        return fill_semaphores(value.extSemSignal, value.extSemSignal.paramsArray, p);
      case cudaGraphNodeTypeExtSemaphoreWait:
        return fill_semaphores(value.extSemWait, value.extSemWait.paramsArray, p);
      case cudaGraphNodeTypeMemAlloc:
        return fill_allocation(value.alloc);
      case cudaGraphNodeTypeMemFree:
        value.free.dptr = memories_.graph_memory();
        return;
      default:
        return;
    }
  }

  void fill(cudaMemPoolProps& value, const Parameter&) {
    if (!random_.meant_well) return;
    value.allocType = random_.right() || random_.one_in(2) ? cudaMemAllocationTypePinned : cudaMemAllocationTypeInvalid;
    value.location = {cudaMemLocationTypeDevice, random_.right() ? 0 : random_.pick<int>({0, 1, -1, 4096})};
    value.handleTypes = random_.one_in(2) ? cudaMemHandleTypePosixFileDescriptor : cudaMemHandleTypeNone;
    value.maxSize = random_.right() ? 0 : random_.pick<size_t>({0, 1, 1 << 20, ~size_t{0}});
  }
  void fill(cudaMemAccessDesc& value, const Parameter& p) {
    if (!random_.meant_well) return;
    fill(value.location, p);
    value.flags = random_.right() ? cudaMemAccessFlagsProtReadWrite : static_cast<cudaMemAccessFlags>(random_.below(5));
  }

  int descriptor_ = -1;
  cudaGraphNode_t node_ = nullptr;         // the one that the call at hand is about
  const Lender::Handles* lent_ = nullptr;  // what another process shares, if there is one
};

}  // namespace fuzz
