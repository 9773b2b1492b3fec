// The kernels and device variables of the program. The host half of a translation unit registers host addresses, the
// device half registers code, both under one module id. They are matched at the first use, so they may register in any
// order.
//
// Thread safety: every function may be called from any thread. find_function() and find_variable() take no lock once
// what they find has been resolved.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "kernel/function.h"
#include "kernel/kernel_abi.h"

namespace reprise_runtime::kernel {

// A __device__, __constant__ or __managed__ variable that the host names by the address of its shadow.
class Variable {
 public:
  Variable(const void* shadow, std::string module_id, std::string name, size_t size, bool constant)
      : shadow_(shadow), module_id_(std::move(module_id)), name_(std::move(name)), size_(size), constant_(constant) {}

  const void* shadow() const { return shadow_; }
  const std::string& name() const { return name_; }
  const std::string& module_id() const { return module_id_; }
  bool constant() const { return constant_; }
  size_t size() const { return size_; }
  // Its address on the device; null if no module has it.
  void* address() const {
    void* address = address_.load(std::memory_order_acquire);
    return address ? address : resolve();
  }

 private:
  void* resolve() const;

  const void* const shadow_;
  const std::string module_id_;
  const std::string name_;
  const size_t size_;
  const bool constant_;
  mutable std::atomic<void*> address_{nullptr};
};

// The registrations of one translation unit's host half, which are removed together when its library is unloaded.
struct HostModule;
HostModule* begin_host_module(const char* id);
void add_function(HostModule& module, const void* host_stub, const char* name);
void add_variable(HostModule& module, const void* shadow, const char* name, size_t size, bool constant);
// Registers a managed variable: `*pointer` is set to its address, now or when the device half registers.
void add_managed_variable(HostModule& module, void** pointer, const char* name, size_t size);
void end_host_module(HostModule* module);

void add_device_module(const reprise_module& module);
void remove_device_module(const reprise_module& module);

// Finds a function by host stub or by its handle. Returns null for any other pointer.
Function* find_function(const void* host_stub_or_handle);

// Finds the function whose code has this thunk; null if there is none. Slow: for reports of faults.
[[gnu::cold]] const Function* find_function_of(reprise_thunk thunk);

// Explains why a pointer that find_function does not know cannot be launched or asked about. Like CUDA, takes an
// unregistered pointer for a cudaKernel_t: cudaErrorInvalidResourceHandle, or cudaErrorInvalidDeviceFunction for null.
[[gnu::cold]] cudaError_t refuse_function(const void* function);
// Explains that the function has no code, and returns `code`.
[[gnu::cold]] cudaError_t refuse_without_code(cudaError_t code, const Function& function);
Variable* find_variable(const void* shadow);

// The handle that stands for a function in cudaFunction_t and cudaKernel_t.
const void* function_handle(const Function& function);

// Finds registered device code by module and name. An empty id: any module.
const reprise_kernel* find_kernel(std::string_view module_id, std::string_view name);
const reprise_variable* find_device_variable(std::string_view module_id, std::string_view name);
// Finds a __managed__ variable by its address, which host and device share.
const reprise_variable* find_managed_variable(const void* address);

}  // namespace reprise_runtime::kernel
