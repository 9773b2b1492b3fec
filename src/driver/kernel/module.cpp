#include "driver/kernel/module.h"

#include <map>
#include <memory>

#include "base/mutex.h"
#include "kernel/modules.h"

namespace reprise_runtime::driver {
namespace {

struct Modules {
  Mutex mutex;
  std::map<std::string, std::unique_ptr<Module>> by_id REPRISE_GUARDED_BY(mutex);
};

// Lives to the end of the process: other libraries' destructors may still ask.
Modules& modules() {
  static Modules& instance = *new Modules;
  return instance;
}

}  // namespace

Module& Module::of(const kernel::Function& function) {
  Modules& known = modules();
  MutexLock lock(known.mutex);
  std::unique_ptr<Module>& module = known.by_id[function.module_id()];
  if (!module) module = std::make_unique<Module>(function.module_id());
  return *module;
}

Module* Module::find(const void* handle) {
  Modules& known = modules();
  MutexLock lock(known.mutex);
  for (const auto& [id, module] : known.by_id) {
    if (module.get() == handle) return module.get();
  }
  return nullptr;
}

std::vector<const kernel::Function*> Module::functions() const { return kernel::functions_of(id_); }

const kernel::Function* Module::function(const char* name) const {
  for (const kernel::Function* each : functions()) {
    if (std::string_view(each->name()) == name) return each;
  }
  return nullptr;
}

const kernel::Variable* Module::variable(const char* name) const { return kernel::variable_of(id_, name); }

}  // namespace reprise_runtime::driver
