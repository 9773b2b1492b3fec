// A module: the kernels and variables of one translation unit, as the compiler registered them. A library is the same
// object. Images cannot be loaded yet; a module made of one would be another source of the same functions.
//
// Thread safety: every function may be called from any thread. Modules are never freed.
#pragma once

#include <cuda.h>

#include <string>
#include <vector>

#include "kernel/function.h"
#include "kernel/registry.h"

namespace reprise_runtime::driver {

class Module {
 public:
  explicit Module(std::string id) : id_(std::move(id)) {}

  CUmodule as_module() { return reinterpret_cast<CUmodule>(this); }
  CUlibrary as_library() { return reinterpret_cast<CUlibrary>(this); }

  const std::string& id() const { return id_; }
  std::vector<const kernel::Function*> functions() const;
  // Null if there is none of that name.
  const kernel::Function* function(const char* name) const;
  const kernel::Variable* variable(const char* name) const;

  // The module that a function belongs to.
  static Module& of(const kernel::Function& function);
  // Null for a handle that is none.
  static Module* find(const void* handle);

 private:
  const std::string id_;
};

}  // namespace reprise_runtime::driver
