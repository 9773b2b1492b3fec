// Sets a box of memory to a repeated value; built from the parameters of any of CUDA's memset calls.
#pragma once

#include <driver_types.h>

#include "base/status.h"
#include "memory/address/address_map.h"
#include "memory/copy/copy.h"
#include "op/context.h"
#include "op/memory_fault.h"

namespace reprise_runtime::op {

struct Memset {
  memory::BoxFill box;
  memory::MemoryKind to = memory::MemoryKind::device;
  // The error of a stream or a node if the memory is pageable. As with NVIDIA's runtime, a capture ignores it.
  cudaError_t refusal = cudaSuccess;

  // Each checks all parameters. Setting 0 bytes is valid with any pointer.
  static Result<Memset> build(void* to, int value, size_t bytes);
  static Result<Memset> build_2d(void* to, size_t pitch, int value, size_t width, size_t height);
  static Result<Memset> build_3d(const cudaPitchedPtr& to, int value, const cudaExtent& extent);
  // Elements of 1, 2 or 4 bytes, as in graph nodes.
  static Result<Memset> build(const cudaMemsetParams& parameters);

  bool empty() const { return box.extent.empty(); }

  void run(const Context& context) const {
    if (!context.dead()) memory::fill_box(box, fault_guard_of(context));
  }
};

}  // namespace reprise_runtime::op
