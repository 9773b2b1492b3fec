// Kernels of this library. They have the form that reprise-nvcc compiles kernels to: a function that runs a range of
// blocks, registered with the runtime under a host stub. A call is therefore an ordinary kernel launch: in stream
// order, captured as one kernel node, run by the runtime's workers.
#pragma once

#include <cublas_v2.h>

#include <cstdint>

#include "kernel/kernel_abi.h"

namespace reprise_cublas {

enum class Kernel { gemm, gemv, vector, reduction, outer, sum };
constexpr int kernel_count = 6;

void gemm_thunk(const void* arguments, const reprise_launch* launch);
void gemv_thunk(const void* arguments, const reprise_launch* launch);
void vector_thunk(const void* arguments, const reprise_launch* launch);
void reduction_thunk(const void* arguments, const reprise_launch* launch);
void outer_thunk(const void* arguments, const reprise_launch* launch);
void sum_thunk(const void* arguments, const reprise_launch* launch);

// `work` is the cost of one block, in a unit that is the same for all launches of the kernel. The runtime uses it to
// choose the number of workers.
cublasStatus_t launch(Kernel kernel, uint64_t blocks, double work, void* arguments, cudaStream_t stream);

// A scalar by value, or by an address that the kernel reads.
template <class Value>
struct Scalar {
  Value value;
  const Value* address;

  static Scalar of(const Value* pointer, bool on_host) {
    return on_host ? Scalar{*pointer, nullptr} : Scalar{{}, pointer};
  }
  Value get() const { return address ? *address : value; }
};

}  // namespace reprise_cublas
