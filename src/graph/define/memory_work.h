// What memcpy and memset nodes do, and how they were told to.
#pragma once

#include <driver_types.h>

#include "base/status.h"
#include "op/memcpy.h"
#include "op/memset.h"

namespace reprise_runtime::graph {

// Unlike in a stream, copying or setting nothing is refused.
struct MemcpyWork {
  op::Memcpy op;
  cudaMemcpy3DParms told = {};
  size_t from_height = 0, to_height = 0;  // of the memory around the box, as it was said; 0 if it was not
  bool placed = false;                    // the positions told are those that were said

  static Result<MemcpyWork> build(const cudaMemcpy3DParms& parameters);
  static Result<MemcpyWork> build_1d(void* to, const void* from, size_t bytes, cudaMemcpyKind kind);
  static Result<MemcpyWork> build_to_symbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                                            cudaMemcpyKind kind);
  static Result<MemcpyWork> build_from_symbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                              cudaMemcpyKind kind);
  // Of a copy that was built already, for a stream.
  static MemcpyWork of(const op::Memcpy& built) {
    MemcpyWork work;
    work.take(built);
    return work;
  }
  void take(const op::Memcpy& built);
};

struct MemsetWork {
  op::Memset op;
  cudaMemsetParams told = {};

  static Result<MemsetWork> build(const cudaMemsetParams& parameters);
  static MemsetWork of(op::Memset op);
};

}  // namespace reprise_runtime::graph
