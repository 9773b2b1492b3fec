// The work of memcpy and memset nodes, with the parameters as the user gave them.
#pragma once

#include <driver_types.h>

#include "base/status.h"
#include "op/memcpy.h"
#include "op/memset.h"

namespace reprise_runtime::graph {

// Unlike in a stream, copies and sets of 0 bytes are refused.
struct MemcpyWork {
  op::Memcpy op;
  cudaMemcpy3DParms user_params = {};
  size_t from_height = 0, to_height = 0;  // of the memory around the box, as the user gave it; else 0
  bool placed = false;                    // the positions in user_params are those that the user gave

  static Result<MemcpyWork> build(const cudaMemcpy3DParms& parameters);
  static Result<MemcpyWork> build_1d(void* to, const void* from, size_t bytes, cudaMemcpyKind kind);
  static Result<MemcpyWork> build_to_symbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                                            cudaMemcpyKind kind);
  static Result<MemcpyWork> build_from_symbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                              cudaMemcpyKind kind);
  // For a copy captured from a stream.
  static MemcpyWork of(const op::Memcpy& built) {
    MemcpyWork work;
    work.take(built);
    return work;
  }
  void take(const op::Memcpy& built);
};

struct MemsetWork {
  op::Memset op;
  cudaMemsetParams user_params = {};

  static Result<MemsetWork> build(const cudaMemsetParams& parameters);
  static MemsetWork of(op::Memset op);
};

}  // namespace reprise_runtime::graph
