// A box of memory set to a repeated value, and every form in which CUDA asks for it.
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
  // What a stream or a node answers to memory that is not the device's. A capture does not look at it, as NVIDIA's do
  // not.
  cudaError_t refusal = cudaSuccess;

  // Each checks everything. Setting nothing is fine whatever the pointer is.
  static Result<Memset> build(void* to, int value, size_t bytes);
  static Result<Memset> build_2d(void* to, size_t pitch, int value, size_t width, size_t height);
  static Result<Memset> build_3d(const cudaPitchedPtr& to, int value, const cudaExtent& extent);
  // Elements of 1, 2 or 4 bytes, as graph nodes have them.
  static Result<Memset> build(const cudaMemsetParams& parameters);

  bool empty() const { return box.extent.empty(); }

  void run(const Context& context) const {
    if (!context.dead()) memory::fill_box(box, faults_to(context));
  }
};

}  // namespace reprise_runtime::op
