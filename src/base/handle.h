// An opaque handle, which users hold instead of a pointer: type tag, generation and index in 64 bits.
//
//     63      56 55                          24 23                    0
//    [ 0x40|type | generation, 32 bits, never 0 | index, 24 bits       ]
//
// User-space addresses and small integers have a zero top byte, so no pointer is taken for a handle. The tag tells
// handles of different types apart, the generation a live object from a destroyed one.
#pragma once

#include <cstdint>

namespace reprise_runtime {

enum class HandleType : uint8_t {
  stream = 1,
  event,
  graph,
  graph_node,
  graph_exec,
  memory_pool,
  user_object,
  external_semaphore,
  external_memory,
  async_callback,
  log_callback,
  library,
  graph_condition,
  graph_device_node,
  physical_memory,
  test = 0x3f,
};

struct Handle {
  uint64_t bits = 0;

  static constexpr int index_bits = 24;
  static constexpr uint32_t index_limit = 1u << index_bits;

  static constexpr Handle make(HandleType type, uint32_t generation, uint32_t index) {
    return {(uint64_t{0x40} | static_cast<uint8_t>(type)) << 56 | uint64_t{generation} << index_bits | index};
  }
  // From and to CUDA's opaque pointer types (cudaStream_t and its like).
  template <class Opaque>
  static Handle from(Opaque* opaque) {
    return {reinterpret_cast<uint64_t>(opaque)};
  }
  template <class Pointer>
  Pointer as() const {
    return reinterpret_cast<Pointer>(bits);
  }

  constexpr bool is(HandleType type) const { return bits >> 56 == (0x40u | static_cast<uint8_t>(type)); }
  constexpr uint32_t generation() const { return static_cast<uint32_t>(bits >> index_bits); }
  constexpr uint32_t index() const { return static_cast<uint32_t>(bits) & (index_limit - 1); }
  friend constexpr bool operator==(Handle, Handle) = default;
};

}  // namespace reprise_runtime
