// Runs kernels of a device object without the runtime: the object registers itself with the harness, and a launch calls
// the thunk for consecutive block ranges on the calling thread.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "kernel/kernel_abi.h"

namespace harness {

struct Dim {
  uint32_t x = 1, y = 1, z = 1;
};

// The kernel whose mangled name contains `part`; exits if there is none.
const reprise_kernel& find_kernel(const std::string& part);
const reprise_variable* find_variable(const std::string& name);

// false if the kernel trapped or failed an assertion.
bool run(const reprise_kernel& kernel, Dim grid, Dim block, const std::vector<char>& params,
         uint32_t dynamic_shared = 0, uint64_t blocks_per_call = ~0ull);

template <class... Arguments>
bool launch(const std::string& name, Dim grid, Dim block, uint32_t dynamic_shared, const Arguments&... arguments) {
  const reprise_kernel& kernel = find_kernel(name);
  std::vector<char> params(kernel.param_bytes);
  unsigned number = 0;
  ((std::memcpy(params.data() + kernel.params[number].offset, &arguments, kernel.params[number].size), ++number), ...);
  return run(kernel, grid, block, params, dynamic_shared);
}

}  // namespace harness
