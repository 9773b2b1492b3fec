#include "kernel/registry.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "base/mutex.h"
#include "base/pointer_map.h"
#include "diagnose/demangle.h"
#include "diagnose/refuse.h"
#include "kernel/cpu_features.h"
#include "kernel/modules.h"

namespace reprise_runtime::kernel {

struct ManagedPointer {
  void** pointer;
  std::string name;
};

struct HostModule {
  std::string id;
  std::vector<std::unique_ptr<Function>> functions;
  std::vector<std::unique_ptr<Variable>> variables;
  std::vector<ManagedPointer> managed;
};

namespace {

struct Registry {
  PointerMap<Function> functions;
  PointerMap<Variable> variables;

  Mutex mutex;
  std::vector<const reprise_module*> device_modules REPRISE_GUARDED_BY(mutex);
  std::vector<HostModule*> host_modules REPRISE_GUARDED_BY(mutex);
  // Unloaded modules: queued work may still refer to their functions.
  std::vector<std::unique_ptr<HostModule>> ended REPRISE_GUARDED_BY(mutex);
};

// Never destroyed: modules are unregistered while the process exits, in any order.
Registry& registry() {
  static Registry* registry = new Registry;
  return *registry;
}

template <class Record>
const Record* find_record(const Record* records, uint32_t count, std::string_view name) {
  const Record* end = records + count;
  const Record* found = std::find_if(records, end, [&](const Record& record) { return record.name == name; });
  return found == end ? nullptr : found;
}

void set_managed_pointers(const std::vector<HostModule*>& hosts, const reprise_module& device) {
  for (HostModule* host : hosts) {
    if (host->id != device.id) continue;
    for (const ManagedPointer& managed : host->managed) {
      const auto* variable = find_record(device.variables, device.variable_count, managed.name);
      if (variable) *managed.pointer = variable->address;
    }
  }
}

// `__device__ __managed__ int x = 5`: clang makes the host's x a shadow without its value. A shadow that the device
// half knows as managed is the variable itself, and gets its value from there once both halves have registered.
void set_initial_value(const Variable& shadow, const reprise_module& device) {
  for (const reprise_variable* record = device.variables; record != device.variables + device.variable_count; ++record)
    if (record->initial && record->address == shadow.shadow())
      std::memcpy(record->address, record->initial, record->size);
}

// Printed, possibly before main: a program that checks no error codes would otherwise compute wrong results silently.
void warn_once_of_missing_features(const std::string& features) {
  static const bool said = [&] {
    std::fprintf(stderr,
                 "reprise: this program's kernels were compiled for a processor with %s, which this one lacks; "
                 "they will not run. Compile them with another -march (reprise-nvcc -march=x86-64 runs anywhere).\n",
                 features.c_str());
    return true;
  }();
  static_cast<void>(said);
}

}  // namespace

HostModule* begin_host_module(const char* id) {
  auto* module = new HostModule{id ? id : "", {}, {}, {}};
  MutexLock lock(registry().mutex);
  registry().host_modules.push_back(module);
  return module;
}

void add_function(HostModule& module, const void* host_stub, const char* name) {
  module.functions.push_back(std::make_unique<Function>(host_stub, module.id, name));
  Function* function = module.functions.back().get();
  registry().functions.insert(host_stub, function);
  registry().functions.insert(function_handle(*function), function);
}

void add_variable(HostModule& module, const void* shadow, const char* name, size_t size, bool constant) {
  MutexLock lock(registry().mutex);
  module.variables.push_back(std::make_unique<Variable>(shadow, module.id, name, size, constant));
  Variable* variable = module.variables.back().get();
  registry().variables.insert(shadow, variable);
  for (const reprise_module* device : registry().device_modules)
    if (device->id == module.id) set_initial_value(*variable, *device);
}

void add_managed_variable(HostModule& module, void** pointer, const char* name, size_t size) {
  add_variable(module, pointer, name, size, false);
  MutexLock lock(registry().mutex);
  module.managed.push_back({pointer, name});
  for (const reprise_module* device : registry().device_modules) set_managed_pointers({&module}, *device);
}

void end_host_module(HostModule* module) {
  MutexLock lock(registry().mutex);
  for (const auto& function : module->functions) {
    registry().functions.remove(function->host_stub());
    registry().functions.remove(function_handle(*function));
  }
  for (const auto& variable : module->variables) registry().variables.remove(variable->shadow());
  std::erase(registry().host_modules, module);
  registry().ended.emplace_back(module);
}

void add_device_module(const reprise_module& module) {
  // Kernels of a module that is left out stay unresolved: launching one returns cudaErrorNoKernelImageForDevice.
  if (module.abi_version != reprise_abi_version) return;
  if (const std::string missing = missing_cpu_features(module.cpu_features); !missing.empty()) {
    warn_once_of_missing_features(missing);
    return;
  }
  MutexLock lock(registry().mutex);
  registry().device_modules.push_back(&module);
  set_managed_pointers(registry().host_modules, module);
  for (const HostModule* host : registry().host_modules)
    if (host->id == module.id)
      for (const auto& variable : host->variables) set_initial_value(*variable, module);
}

void remove_device_module(const reprise_module& module) {
  MutexLock lock(registry().mutex);
  std::erase(registry().device_modules, &module);
}

Function* find_function(const void* host_stub_or_handle) { return registry().functions.find(host_stub_or_handle); }
Variable* find_variable(const void* shadow) { return registry().variables.find(shadow); }

const Function* find_function_of(reprise_thunk thunk) {
  const auto has_thunk = [&](const std::unique_ptr<Function>& function) {
    const reprise_kernel* code = function->code_if_resolved();
    return code && code->thunk == thunk;
  };
  MutexLock lock(registry().mutex);
  for (const HostModule* host : registry().host_modules) {
    const auto found = std::find_if(host->functions.begin(), host->functions.end(), has_thunk);
    if (found != host->functions.end()) return found->get();
  }
  return nullptr;
}

cudaError_t refuse_function(const void* function) {
  if (!function) return diagnose::refuse(cudaErrorInvalidDeviceFunction, "the function is null");
  return diagnose::refuse(cudaErrorInvalidResourceHandle, "%p is not a kernel", function);
}

cudaError_t refuse_without_code(cudaError_t code, const Function& function) {
  return diagnose::refuse(code, "kernel %s has no code for this machine; compile its file with reprise-nvcc",
                          function.readable_name().c_str());
}

const void* function_handle(const Function& function) { return &function; }

const reprise_kernel* find_kernel(std::string_view module_id, std::string_view name) {
  MutexLock lock(registry().mutex);
  for (const reprise_module* module : registry().device_modules) {
    if (!module_id.empty() && module->id != module_id) continue;
    if (const auto* kernel = find_record(module->kernels, module->kernel_count, name)) return kernel;
  }
  return nullptr;
}

const reprise_variable* find_device_variable(std::string_view module_id, std::string_view name) {
  MutexLock lock(registry().mutex);
  for (const reprise_module* module : registry().device_modules) {
    if (!module_id.empty() && module->id != module_id) continue;
    if (const auto* variable = find_record(module->variables, module->variable_count, name)) return variable;
  }
  return nullptr;
}

const reprise_variable* find_managed_variable(const void* address) {
  MutexLock lock(registry().mutex);
  for (const reprise_module* module : registry().device_modules) {
    const reprise_variable* end = module->variables + module->variable_count;
    const reprise_variable* found = std::find_if(module->variables, end, [&](const reprise_variable& variable) {
      return variable.kind == reprise_managed_variable && variable.address == address;
    });
    if (found != end) return found;
  }
  return nullptr;
}

std::string Function::readable_name() const { return diagnose::demangled(name()); }

const reprise_kernel* Function::resolve() const {
  const reprise_kernel* code = find_kernel(module_id_, name_);
  if (code) code_.store(code, std::memory_order_release);
  return code;
}

void* Variable::resolve() const {
  const reprise_variable* variable = find_device_variable(module_id_, name_);
  if (!variable) return nullptr;
  address_.store(variable->address, std::memory_order_release);
  return variable->address;
}

std::vector<const Function*> functions_of(std::string_view module_id) {
  MutexLock lock(registry().mutex);
  std::vector<const Function*> found;
  for (const HostModule* host : registry().host_modules) {
    if (host->id != module_id) continue;
    for (const auto& function : host->functions) found.push_back(function.get());
  }
  return found;
}

const Variable* variable_of(std::string_view module_id, std::string_view name) {
  MutexLock lock(registry().mutex);
  for (const HostModule* host : registry().host_modules) {
    if (host->id != module_id) continue;
    for (const auto& variable : host->variables) {
      if (variable->name() == name) return variable.get();
    }
  }
  return nullptr;
}

}  // namespace reprise_runtime::kernel
