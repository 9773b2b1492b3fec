// Barriers of a block, fences, clocks and sleeping. `__syncthreads()` itself is a builtin of clang.
#pragma once

#define __REPRISE_DEVICE__ static __device__ __forceinline__

__REPRISE_DEVICE__ int __syncthreads_count(int __predicate) { return __reprise_barrier_reduce(0, __predicate); }
__REPRISE_DEVICE__ int __syncthreads_and(int __predicate) { return __reprise_barrier_reduce(1, __predicate); }
__REPRISE_DEVICE__ int __syncthreads_or(int __predicate) { return __reprise_barrier_reduce(2, __predicate); }
__REPRISE_DEVICE__ void __barrier_sync(unsigned __id) { __reprise_named_barrier(__id, 0); }
__REPRISE_DEVICE__ void __barrier_sync_count(unsigned __id, unsigned __threads) {
  __reprise_named_barrier(__id, __threads);
}

// The threads of a block run on one CPU thread, so only the compiler could reorder their accesses.
__REPRISE_DEVICE__ void __threadfence_block() { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
__REPRISE_DEVICE__ void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
__REPRISE_DEVICE__ void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

__REPRISE_DEVICE__ long long clock64() { return (long long)__reprise_clock(); }
extern "C" {
__REPRISE_DEVICE__ clock_t clock() noexcept { return (clock_t)__reprise_clock(); }
}

// The threads of a block run in turn on one CPU thread, so sleeping would only delay the others.
__REPRISE_DEVICE__ void __nanosleep(unsigned) {}

__REPRISE_DEVICE__ void __trap() { __reprise_device_trap(); }
__REPRISE_DEVICE__ void __brkpt() {}
__REPRISE_DEVICE__ void __prof_trigger(int) {}

#undef __REPRISE_DEVICE__
