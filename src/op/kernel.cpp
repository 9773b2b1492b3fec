#include "op/kernel.h"

#include "diagnose/refuse.h"
#include "kernel/cluster.h"
#include "kernel/grid.h"
#include "kernel/registry.h"

namespace reprise_runtime::op {
namespace {

// Most parameters are pointers and numbers.
void copy_parameter(char* to, const void* from, uint32_t size) {
  switch (size) {
    case 4:
      return static_cast<void>(std::memcpy(to, from, 4));
    case 8:
      return static_cast<void>(std::memcpy(to, from, 8));
    default:
      std::memcpy(to, from, size);
  }
}

[[gnu::cold, gnu::noinline]] cudaError_t refuse_arguments(const kernel::Function& function, const reprise_kernel& code,
                                                          uint32_t missing) {
  return diagnose::refuse(cudaErrorInvalidValue, "kernel %s has %u arguments; the pointer to argument %u is null",
                          function.readable_name().c_str(), code.param_count, missing);
}

}  // namespace

Result<Kernel> Kernel::build(const void* function, const kernel::LaunchShape& shape, size_t dynamic_shared,
                             void* const* arguments, kernel::LaunchAttributes attributes) {
  const kernel::Function* found = kernel::find_function(function);
  if (!found) return kernel::refuse_function(function);
  const reprise_kernel* code = found->code();
  if (!code) return kernel::refuse_without_code(cudaErrorNoKernelImageForDevice, *found);
  kernel::LaunchShape checked = shape;
  checked.dynamic_shared = static_cast<uint32_t>(dynamic_shared);  // NVIDIA's runtime looks at 32 bits too.
  if (cudaError_t refused = kernel::validate(*found, *code, checked); refused != cudaSuccess) return refused;
  if (cudaError_t refused = kernel::check_cluster(*found, attributes); refused != cudaSuccess) return refused;
  if (!arguments && code->param_count > 0) return refuse_arguments(*found, *code, 0);

  Result<Kernel> built(Kernel{found, checked, std::move(attributes), ParameterBlock(code->param_bytes)});
  char* block = built->parameters.data();
  for (uint32_t i = 0; i < code->param_count; ++i) {
    if (!arguments[i]) return refuse_arguments(*found, *code, i);
    copy_parameter(block + code->params[i].offset, arguments[i], code->params[i].size);
  }
  return built;
}

void Kernel::run(const Context& context) const {
  kernel::run_grid(*function, shape, parameters.data(), context.device);
}

}  // namespace reprise_runtime::op
