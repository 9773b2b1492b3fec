// The binary interface between code compiled by reprise-nvcc and the runtime. Plain C layout: the compiler emits these
// structures as constants, the runtime reads them. Raise `reprise_abi_version` with any change of meaning or layout.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define REPRISE_NORETURN [[noreturn]]
extern "C" {
#else
#define REPRISE_NORETURN _Noreturn
#endif

enum { reprise_abi_version = 3 };

// One call of a thunk: a range of blocks of one launch, run one after the other on the calling thread.
// Blocks are numbered with x fastest. Constant while the thunk runs.
typedef struct reprise_launch {
  uint32_t grid[3];
  uint32_t block[3];
  uint64_t block_begin, block_end;
  char* shared;             // static_shared + dynamic_shared bytes, 128-byte aligned, contents undefined
  char* scratch;            // scratch_per_block + scratch_per_thread * (threads rounded up to 32), 64-byte aligned
  uint32_t dynamic_shared;  // bytes asked for at launch; they start at shared + static_shared
  uint32_t device;          // ordinal of the device the launch runs on
  void* grid_state;         // the runtime's own: grid-wide barriers, programmatic launch, the graph that runs
} reprise_launch;

// `params` is the packed parameter buffer, 16-byte aligned: each parameter at its offset in reprise_kernel::params.
// Constant while the thunk runs; a kernel that writes to its parameters works on a copy per thread.
typedef void (*reprise_thunk)(const void* params, const reprise_launch* launch);

typedef struct reprise_param {
  uint32_t offset, size;
} reprise_param;

enum reprise_kernel_flags {
  reprise_kernel_grid_sync = 1,         // calls __reprise_grid_sync: needs every block of the grid alive at once
  reprise_kernel_fibers = 2,            // runs its threads as fibers through __reprise_run_fibers
  reprise_kernel_programmatic = 4,      // triggers or waits for programmatic launch
  reprise_kernel_spins = 8,             // may wait for another block or for the host: never run two of its blocks'
                                        // ranges so that a later block must finish before an earlier one starts
  reprise_kernel_launches_graphs = 16,  // calls __reprise_graph_launch
  reprise_kernel_changes_nodes = 32,    // calls __reprise_graph_node_set_*
};

typedef struct reprise_kernel {
  const char* name;  // mangled
  reprise_thunk thunk;
  const reprise_param* params;
  uint32_t param_count, param_bytes;
  uint32_t static_shared;                          // a multiple of 128
  uint32_t scratch_per_block, scratch_per_thread;  // multiples of 64 and of 16
  uint32_t max_threads, min_blocks;                // __launch_bounds__, 0 where absent
  uint32_t flags;                                  // reprise_kernel_flags
  uint32_t local_bytes;                            // local memory of a thread, for cudaFuncGetAttributes
  uint32_t architecture;                           // __CUDA_ARCH__ / 10 of the compilation
  uint32_t cluster[3];                             // __cluster_dims__, 0 where absent
} reprise_kernel;

enum reprise_variable_kind { reprise_device_variable, reprise_constant_variable, reprise_managed_variable };

typedef struct reprise_variable {
  const char* name;
  void* address;
  uint64_t size;
  uint32_t kind, unused;
  const void*
      initial;  // managed ones: what a shadow at that address starts with; null: zeros, or what the host gives it
} reprise_variable;

// Optional instruction sets, under the names that both LLVM and __builtin_cpu_supports use.
// clang-format off
#define REPRISE_CPU_FEATURES(X)                                                                                     \
  X("sse4.2") X("popcnt") X("avx") X("avx2") X("fma") X("bmi") X("bmi2") X("lzcnt") X("f16c") X("movbe")             \
  X("avx512f") X("avx512bw") X("avx512cd") X("avx512dq") X("avx512vl") X("avx512ifma") X("avx512vbmi")               \
  X("avx512vbmi2") X("avx512vnni") X("avx512bitalg") X("avx512vpopcntdq") X("avx512bf16") X("avx512fp16")            \
  X("avx512vp2intersect") X("avxvnni") X("gfni")
// clang-format on

typedef struct reprise_module {
  uint32_t abi_version, kernel_count, variable_count;
  uint32_t cpu_features;  // what its code uses: bit i is the ith of REPRISE_CPU_FEATURES
  const char* id;         // the same text as in the host object's fat binary blob: how the two halves find each other
  const reprise_kernel* kernels;
  const reprise_variable* variables;
} reprise_module;

// Called by a constructor in each device object. Resolved lazily, so constructors may run in any order.
void __reprise_register_module(const reprise_module* module);
void __reprise_unregister_module(const reprise_module* module);

// ---- services that device code calls --------------------------------------------------------------------------
// Those that do not return leave the thunk by a jump to the runtime: device code owns nothing that needs unwinding.

REPRISE_NORETURN void __reprise_trap(void);  // __trap(): cudaErrorLaunchFailure, sticky
REPRISE_NORETURN void __reprise_assert_fail(const char* message, const char* file, uint32_t line, const char* function,
                                            const uint32_t* block_and_thread);  // 6 indices; cudaErrorAssert, sticky
int __reprise_vprintf(const char* format, const void* packed_arguments);
void* __reprise_malloc(size_t size);
void __reprise_free(void* pointer);
uint64_t __reprise_clock(void);
uint64_t __reprise_globaltimer(void);

// Every block of the grid calls it once per barrier, after all its threads arrived; returns when all blocks have.
void __reprise_grid_sync(const reprise_launch* launch);
// Called in loops with barriers that may wait for another block. Lets other blocks of a cooperative launch run at
// intervals.
void __reprise_let_others_run(const reprise_launch* launch);
void __reprise_trigger_programmatic_launch(const reprise_launch* launch);
void __reprise_grid_dependency_synchronize(const reprise_launch* launch);
void __reprise_graph_set_conditional(uint64_t handle, uint32_t value);
// Executable graphs and nodes are named by the handles that the host got, streams by the numbers of the named streams.
// Results are cudaError_t.
int __reprise_graph_launch(const reprise_launch* launch, uint64_t graph, uint64_t stream);
uint64_t __reprise_current_graph(const reprise_launch* launch);
int __reprise_graph_node_set_parameter(uint64_t node, uint64_t offset, const void* value, uint64_t size);
int __reprise_graph_node_set_enabled(uint64_t node, int enabled);
int __reprise_graph_node_set_grid(uint64_t node, uint32_t x, uint32_t y, uint32_t z);

// Whether an address of unknown origin that is not in shared memory is in local memory: on a stack or in `scratch`.
int __reprise_in_local_memory(const reprise_launch* launch, const void* address);

// ---- fibers: for kernels whose barriers cannot be split into regions ---------------------------------------------
// `thread` runs one CUDA thread to its end; the runtime runs block.x*y*z of them as fibers for each block of the
// range and switches between them at the barriers below.
typedef void (*reprise_fiber_thread)(const void* params, const reprise_launch* launch, const uint32_t* block_index,
                                     const uint32_t* thread_index);
void __reprise_run_fibers(const void* params, const reprise_launch* launch, reprise_fiber_thread thread);
void __reprise_fiber_barrier(uint32_t id, uint32_t thread_count);         // 0 = every thread of the block
void __reprise_fiber_barrier_arrive(uint32_t id, uint32_t thread_count);  // counted; does not wait
int __reprise_fiber_barrier_reduce(int operation, int predicate);         // 0 count, 1 and, 2 or
void __reprise_fiber_warp_sync(uint32_t mask);
uint64_t* __reprise_fiber_warp_slots(void);  // 32 words that the calling warp shares
uint32_t __reprise_fiber_live_lanes(void);   // lanes of the warp not yet exited
uint32_t __reprise_fiber_active_mask(void);  // those of them that make the same call now
void __reprise_fiber_yield(void);            // inside loops that wait for other threads

#ifdef __cplusplus
}
#endif
