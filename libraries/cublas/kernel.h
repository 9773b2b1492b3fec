// Kernels of this library. They have the form that reprise-nvcc compiles kernels to: a function that runs a range of
// blocks, registered with the runtime under a host stub. A call is therefore an ordinary kernel launch: in stream
// order, captured as one kernel node, run by the runtime's workers.
//
// A structure `Work` holds the arguments of one kernel, and a function run_blocks(const Work&, const reprise_launch&)
// beside it runs the blocks of a launch. kernel.cpp lists all of them.
#pragma once

#include <cublas_v2.h>

#include <cstdint>

#include "kernel/kernel_abi.h"

namespace reprise_cublas {

// The address under which the kernel is registered.
template <class Work>
const void* stub_of();

cublasStatus_t launch_stub(const void* stub, uint64_t blocks, double cost, void* arguments, cudaStream_t stream);

// `cost` is that of one block, in a unit that is the same for all launches of the kernel. The runtime uses it to choose
// the number of workers.
template <class Work>
cublasStatus_t launch(Work& work, uint64_t blocks, double cost, cudaStream_t stream) {
  return launch_stub(stub_of<Work>(), blocks, cost, &work, stream);
}

// How many blocks there are if each processes `part` of `count` elements.
inline uint64_t parts(int count, int part) { return static_cast<uint64_t>((int64_t{count} + part - 1) / part); }

// Calls run(begin, count) for the elements of each block.
template <class Run>
void for_parts(int part, int count, const reprise_launch& launch, Run run) {
  for (uint64_t block = launch.block_begin; block < launch.block_end; ++block) {
    const int begin = static_cast<int>(block) * part;
    run(begin, part < count - begin ? part : count - begin);
  }
}

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
