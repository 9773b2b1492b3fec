// A copy of a box of bytes, built from the parameters of any of CUDA's copy calls.
#pragma once

#include <driver_types.h>

#include "base/status.h"
#include "memory/address/address_map.h"
#include "memory/copy/copy.h"
#include "op/context.h"
#include "op/memory_fault.h"

namespace reprise_runtime::op {

struct Memcpy {
  memory::BoxCopy box;
  cudaMemcpyKind kind = cudaMemcpyDefault;
  // The kind of memory of each side, at the time of the call.
  memory::MemoryKind to = memory::MemoryKind::pageable, from = memory::MemoryKind::pageable;

  // Each checks the kind, the pitches, and that both sides are memory of that kind and large enough. A copy of 0 bytes
  // is valid with any pointers.
  static Result<Memcpy> build(void* to, const void* from, size_t bytes, cudaMemcpyKind kind);
  static Result<Memcpy> build_2d(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                                 size_t height, cudaMemcpyKind kind);
  static Result<Memcpy> build_3d(const cudaMemcpy3DParms* parameters);
  static Result<Memcpy> build_peer(void* to, int to_device, const void* from, int from_device, size_t bytes);
  static Result<Memcpy> build_3d_peer(const cudaMemcpy3DPeerParms* parameters);
  static Result<Memcpy> build_to_symbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                                        cudaMemcpyKind kind);
  static Result<Memcpy> build_from_symbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                          cudaMemcpyKind kind);
  // An operation of cudaMemcpy3DBatchAsync.
  static Result<Memcpy> build_3d_operation(const cudaMemcpy3DBatchOp& operation);

  bool empty() const { return box.extent.empty(); }
  bool from_pageable() const { return from == memory::MemoryKind::pageable; }
  bool to_pageable() const { return to == memory::MemoryKind::pageable; }
  // Whether both sides are the host's: pageable, pinned, or managed in a copy that is declared to be within the host.
  bool within_host() const { return on_host(to) && on_host(from); }
  // Up to here a copy from pageable memory to a device takes the bytes along, so that the caller may change them at
  // once. The documentation says 64 KiB; the H200 takes along a mebibyte too.
  static constexpr size_t largest_staged = 1024 * 1024;
  // Whether a call that asks for the copy, or launches a graph with it, returns only when the copy is done.
  bool blocks_host() const {
    if (empty()) return false;
    return to_pageable() || within_host() || (from_pageable() && box.extent.bytes() > largest_staged);
  }

  void run(const Context& context) const {
    if (!context.dead()) memory::copy_box(box, fault_guard_of(context));
  }

 private:
  bool on_host(memory::MemoryKind side) const {
    return side == memory::MemoryKind::pageable || side == memory::MemoryKind::pinned ||
           side == memory::MemoryKind::registered ||
           (side == memory::MemoryKind::managed && kind == cudaMemcpyHostToHost);
  }
};

}  // namespace reprise_runtime::op
