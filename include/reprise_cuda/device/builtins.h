// Device builtins: functions that device code calls and the device compiler replaces, for thread indices, barriers,
// warp operations and services of the runtime. Nothing defines them; a call that is not replaced is an error at link
// time. The other headers in this folder build CUDA's functions from them, so the compiler knows only these.
//
// `const` builtins depend only on the calling thread. Convergent builtins are rendezvous points: the compiler must not
// move, duplicate or merge a call across a branch.
#pragma once

#ifdef __CUDA__

#define __REPRISE_INDEX__ __attribute__((device, const, nothrow))
#define __REPRISE_SERVICE__ __attribute__((device, nothrow))
#define __REPRISE_RENDEZVOUS__ __attribute__((device, convergent, nothrow))

extern "C" {

// Position of the calling thread.
__REPRISE_INDEX__ unsigned __reprise_tid_x();
__REPRISE_INDEX__ unsigned __reprise_tid_y();
__REPRISE_INDEX__ unsigned __reprise_tid_z();
__REPRISE_INDEX__ unsigned __reprise_ctaid_x();
__REPRISE_INDEX__ unsigned __reprise_ctaid_y();
__REPRISE_INDEX__ unsigned __reprise_ctaid_z();
__REPRISE_INDEX__ unsigned __reprise_ntid_x();
__REPRISE_INDEX__ unsigned __reprise_ntid_y();
__REPRISE_INDEX__ unsigned __reprise_ntid_z();
__REPRISE_INDEX__ unsigned __reprise_nctaid_x();
__REPRISE_INDEX__ unsigned __reprise_nctaid_y();
__REPRISE_INDEX__ unsigned __reprise_nctaid_z();
__REPRISE_INDEX__ unsigned __reprise_laneid();
__REPRISE_INDEX__ unsigned __reprise_dynamic_smem_size();

// Which state space an address is in, 1 or 0.
__REPRISE_INDEX__ unsigned __reprise_is_global(const void* address);
__REPRISE_INDEX__ unsigned __reprise_is_shared(const void* address);
__REPRISE_INDEX__ unsigned __reprise_is_constant(const void* address);
__REPRISE_INDEX__ unsigned __reprise_is_local(const void* address);
__REPRISE_INDEX__ unsigned __reprise_is_parameter(const void* address);

// Barriers of the block and of the grid. `__syncthreads()` is a builtin of clang and equals the first.
__REPRISE_RENDEZVOUS__ void __reprise_barrier();
__REPRISE_RENDEZVOUS__ void __reprise_named_barrier(unsigned id, unsigned threads);
__REPRISE_RENDEZVOUS__ int __reprise_barrier_reduce(int operation, int predicate);  // 0 count, 1 and, 2 or
__REPRISE_RENDEZVOUS__ void __reprise_grid_barrier();

// Warp operations. `mask` has the participating lanes; each of them must make the same call.
// mode: 0 indexed, 1 up, 2 down, 3 xor. A source outside the segment of `width` lanes returns the caller's own
// value; the value of a lane outside the mask is undefined.
__REPRISE_RENDEZVOUS__ void __reprise_warp_sync(unsigned mask);
__REPRISE_RENDEZVOUS__ unsigned __reprise_shfl32(int mode, unsigned mask, unsigned value, unsigned lane_or_delta,
                                                 int width);
__REPRISE_RENDEZVOUS__ unsigned long long __reprise_shfl64(int mode, unsigned mask, unsigned long long value,
                                                           unsigned lane_or_delta, int width);
__REPRISE_RENDEZVOUS__ unsigned __reprise_ballot(unsigned mask, int predicate);
__REPRISE_RENDEZVOUS__ unsigned __reprise_activemask();
__REPRISE_RENDEZVOUS__ unsigned __reprise_match_any32(unsigned mask, unsigned value);
__REPRISE_RENDEZVOUS__ unsigned __reprise_match_any64(unsigned mask, unsigned long long value);
__REPRISE_RENDEZVOUS__ unsigned __reprise_match_all32(unsigned mask, unsigned value, int* all_equal);
__REPRISE_RENDEZVOUS__ unsigned __reprise_match_all64(unsigned mask, unsigned long long value, int* all_equal);
// operation: 0 add, 1 signed min, 2 signed max, 3 unsigned min, 4 unsigned max, 5 and, 6 or, 7 xor
__REPRISE_RENDEZVOUS__ unsigned __reprise_reduce32(int operation, unsigned mask, unsigned value);

// Services of the runtime.
__attribute__((device, nothrow, noreturn)) void __reprise_device_trap();
__attribute__((device, nothrow, noreturn)) void __reprise_device_assert(const char* message, const char* file,
                                                                        unsigned line, const char* function);
__REPRISE_SERVICE__ unsigned long long __reprise_clock();
__REPRISE_SERVICE__ unsigned long long __reprise_globaltimer();
__REPRISE_SERVICE__ void __reprise_device_trigger_programmatic();
__REPRISE_SERVICE__ void __reprise_device_grid_dependency_sync();
__REPRISE_SERVICE__ void __reprise_graph_set_conditional(unsigned long long handle, unsigned value);
__REPRISE_SERVICE__ int __reprise_device_graph_launch(unsigned long long graph, unsigned long long stream);
__REPRISE_SERVICE__ unsigned long long __reprise_device_current_graph();
__REPRISE_SERVICE__ int __reprise_graph_node_set_parameter(unsigned long long node, unsigned long long offset,
                                                           const void* value, unsigned long long size);
__REPRISE_SERVICE__ int __reprise_graph_node_set_enabled(unsigned long long node, int enabled);
__REPRISE_SERVICE__ int __reprise_graph_node_set_grid(unsigned long long node, unsigned x, unsigned y, unsigned z);

}  // extern "C"

#undef __REPRISE_INDEX__
#undef __REPRISE_SERVICE__
#undef __REPRISE_RENDEZVOUS__

#endif  // __CUDA__
