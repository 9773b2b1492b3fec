// Functions that compiled programs call at startup: the host half of a translation unit registers the kernels and
// variables that it names (clang's CUDA host code), the device half its code. And the launch configuration of `<<<>>>`.
// Thread safety: all functions may be called from any thread.
#include <cuda_runtime_api.h>
#include <reprise_cuda/api/call_configuration.h>

#include <atomic>
#include <cstdlib>

#include "api/kernel/launch_caller.h"
#include "base/devices.h"
#include "base/export.h"
#include "base/thread_local.h"
#include "diagnose/refuse.h"
#include "graph/plan/fault_report.h"
#include "kernel/registry.h"
#include "memory/address/variables.h"
#include "stream/device_streams.h"

using namespace reprise_runtime;

namespace {

// The structure that clang emits around the file of -fcuda-include-gpubinary. Here the file holds the module's id.
struct FatBinaryWrapper {
  int magic, version;
  const char* data;
  void* unused;
};

kernel::HostModule& module_of(void** handle) { return *reinterpret_cast<kernel::HostModule*>(handle); }

struct CallConfiguration {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
};

// `<<<>>>` may appear among the arguments of a launch, so configurations nest. The limit is far beyond real programs.
constexpr int deepest = 32;
REPRISE_THREAD_LOCAL CallConfiguration* configurations = nullptr;
REPRISE_THREAD_LOCAL int depth = 0;

struct FreedWithThread {
  ~FreedWithThread() {
    delete[] configurations;
    configurations = nullptr;
  }
};

[[gnu::noinline, gnu::cold]] cudaError_t no_configuration() {
  diagnose::refuse(cudaErrorMissingConfiguration, "a kernel's host function was called without <<<>>>");
  diagnose::call_failed("__cudaPopCallConfiguration", "", cudaErrorMissingConfiguration);
  return cudaErrorMissingConfiguration;
}

[[gnu::noinline, gnu::cold]] void make_configurations() {
  static thread_local FreedWithThread freed;
  static_cast<void>(freed);
  configurations = new CallConfiguration[deepest];
}

std::atomic<bool> process_exits{false};

// Queued or running kernels may belong to the module, whose code dlclose unloads with its library. At the end of the
// process nothing is unloaded, and a kernel that never ends must not keep the process alive.
void finish_kernels_before_unloading() {
  if (process_exits.load(std::memory_order_relaxed)) return;
  for (int device = 0; device < device_count(); ++device) stream::finish_work(device);
}

}  // namespace

extern "C" {

REPRISE_EXPORT void** __cudaRegisterFatBinary(void* wrapper) {
  const char* id = static_cast<const FatBinaryWrapper*>(wrapper)->data;
  return reinterpret_cast<void**>(kernel::begin_host_module(id));
}

REPRISE_EXPORT void __cudaRegisterFatBinaryEnd(void**) {}

REPRISE_EXPORT void __cudaUnregisterFatBinary(void** handle) { kernel::end_host_module(&module_of(handle)); }

// Objects compiled with -rdc=true call this function instead of the ones above; reprise-nvcc gives it its name.
REPRISE_EXPORT void __reprise_register_linked_binary(void (*register_globals)(void**), void* wrapper, void*,
                                                     void (*)(void*)) {
  void** handle = __cudaRegisterFatBinary(wrapper);
  register_globals(handle);
  __cudaRegisterFatBinaryEnd(handle);
}

REPRISE_EXPORT int __cudaRegisterFunction(void** handle, const char* host_stub, char*, const char* name, int, uint3*,
                                          uint3*, dim3*, dim3*, int*) {
  kernel::add_function(module_of(handle), host_stub, name);
  return 0;
}

REPRISE_EXPORT void __cudaRegisterVar(void** handle, char* shadow, char*, const char* name, int, size_t size,
                                      int constant, int) {
  kernel::add_variable(module_of(handle), shadow, name, size, constant != 0);
}

REPRISE_EXPORT void __cudaRegisterManagedVar(void** handle, void** pointer, char*, const char* name, int, size_t size,
                                             int, int) {
  kernel::add_managed_variable(module_of(handle), pointer, name, size);
}

REPRISE_EXPORT char __cudaInitModule(void**) { return 1; }

REPRISE_EXPORT unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, CUstream_st* stream) {
  if (!configurations) [[unlikely]]
    make_configurations();
  if (depth == deepest) return 1;  // The stub is then not called.
  configurations[depth++] = {grid, block, shared, stream};
  api::launch_caller = __builtin_return_address(0);
  return 0;
}

REPRISE_EXPORT cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream) {
  if (depth == 0) return no_configuration();
  const CallConfiguration& top = configurations[--depth];
  *grid = top.grid;
  *block = top.block;
  *shared = top.shared;
  *static_cast<cudaStream_t*>(stream) = top.stream;
  return cudaSuccess;
}

// Code of another ABI version is ignored.
REPRISE_EXPORT void __reprise_register_module(const reprise_module* module) {
  if (module->abi_version != reprise_abi_version) return;
  // Runs before the destructors that unregister modules.
  [[maybe_unused]] static const int noted = std::atexit([] { process_exits.store(true, std::memory_order_relaxed); });
  graph::report_faults();
  kernel::add_device_module(*module);
  for (uint32_t i = 0; i < module->variable_count; ++i) {
    const reprise_variable& variable = module->variables[i];
    memory::add_variable(variable.address, variable.size, variable.kind == reprise_managed_variable);
  }
}

REPRISE_EXPORT void __reprise_unregister_module(const reprise_module* module) {
  if (module->abi_version != reprise_abi_version) return;
  finish_kernels_before_unloading();
  for (uint32_t i = 0; i < module->variable_count; ++i) memory::remove_variable(module->variables[i].address);
  kernel::remove_device_module(*module);
}

}  // extern "C"
