// The part of CUDA's language that these tests use.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define KERNEL extern "C" __global__ void

#define tid_x __nvvm_read_ptx_sreg_tid_x()
#define tid_y __nvvm_read_ptx_sreg_tid_y()
#define ntid_x __nvvm_read_ptx_sreg_ntid_x()
#define ctaid_x __nvvm_read_ptx_sreg_ctaid_x()
#define nctaid_x __nvvm_read_ptx_sreg_nctaid_x()
#define barrier() __syncthreads()

extern "C" {
__attribute__((device, convergent, nothrow)) unsigned __reprise_shfl32(int mode, unsigned mask, unsigned value, unsigned lane, int width);
__attribute__((device, convergent, nothrow)) unsigned __reprise_ballot(unsigned mask, int predicate);
}
