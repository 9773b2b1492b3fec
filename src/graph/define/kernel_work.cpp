#include "graph/define/kernel_work.h"

#include <cstring>

#include "diagnose/refuse.h"
#include "kernel/registry.h"

namespace reprise_runtime::graph {
namespace {

using diagnose::refuse;

// The markers that cuLaunchKernel defines for arguments in one buffer.
void* const end_of_list = nullptr;
void* const buffer_pointer_follows = reinterpret_cast<void*>(uintptr_t{1});
void* const buffer_size_follows = reinterpret_cast<void*>(uintptr_t{2});

struct Packed {
  const char* bytes = nullptr;
  size_t size = 0;
};

Result<Packed> read_extra(void* const* extra) {
  Packed found;
  for (; *extra != end_of_list; extra += 2) {
    if (extra[0] == buffer_pointer_follows) {
      found.bytes = static_cast<const char*>(extra[1]);
    } else if (extra[0] == buffer_size_follows && extra[1]) {
      found.size = *static_cast<const size_t*>(extra[1]);
    } else {
      return refuse(cudaErrorInvalidValue, "`extra` has an unknown entry, %p", extra[0]);
    }
  }
  return found;
}

// Returns pointers to the arguments in `whole`, which gets the size of all arguments: a buffer may omit the last ones.
Result<std::vector<void*>> unpack(const reprise_kernel& code, void* const* extra, std::vector<char>& whole) {
  Result<Packed> packed = read_extra(extra);
  if (!packed.ok()) return packed.status();
  if (!packed->bytes) return refuse(cudaErrorInvalidValue, "`extra` has no CU_LAUNCH_PARAM_BUFFER_POINTER");
  if (packed->size == 0 || packed->size > code.param_bytes) {
    return refuse(cudaErrorInvalidValue, "the buffer in `extra` has %zu bytes; the arguments have %u", packed->size,
                  code.param_bytes);
  }
  whole.resize(code.param_bytes);
  std::memcpy(whole.data(), packed->bytes, packed->size);
  std::vector<void*> arguments;
  for (uint32_t i = 0; i < code.param_count; ++i) arguments.push_back(whole.data() + code.params[i].offset);
  return arguments;
}

// Whether the arguments are in `extra`. An empty buffer there is ignored if `kernelParams` is given.
Result<bool> comes_packed(const cudaKernelNodeParams& parameters) {
  if (!parameters.kernelParams || !parameters.extra) return parameters.extra != nullptr;
  Result<Packed> beside = read_extra(parameters.extra);
  if (!beside.ok()) return beside.status();
  if (beside->size == 0) return false;
  return refuse(cudaErrorInvalidValue, "both kernelParams and extra are given; one must be null");
}

}  // namespace

cudaError_t KernelWork::check_function(const void* function) {
  return kernel::find_function(function) ? cudaSuccess : kernel::refuse_function(function);
}

Result<KernelWork> KernelWork::build(const cudaKernelNodeParams& parameters, kernel::LaunchAttributes attributes) {
  const kernel::Function* function = kernel::find_function(parameters.func);
  if (!function) return kernel::refuse_function(parameters.func);
  const reprise_kernel* code = function->code();
  if (!code) return kernel::refuse_without_code(cudaErrorNoKernelImageForDevice, *function);

  Result<bool> is_packed = comes_packed(parameters);
  if (!is_packed.ok()) return is_packed.status();
  std::vector<char> whole;
  Result<std::vector<void*>> unpacked = std::vector<void*>{};
  const bool packed = *is_packed;
  if (packed) unpacked = unpack(*code, parameters.extra, whole);
  if (!unpacked.ok()) return unpacked.status();
  void* const* arguments = packed ? unpacked->data() : parameters.kernelParams;
  const cudaLaunchAttributeValue* cooperative = attributes.find(cudaLaunchAttributeCooperative);
  const kernel::LaunchShape shape{parameters.gridDim, parameters.blockDim, 0, cooperative && cooperative->cooperative};
  Result<op::Kernel> op =
      op::Kernel::build(parameters.func, shape, parameters.sharedMemBytes, arguments, std::move(attributes));
  if (!op.ok()) return op.status();
  KernelWork work;
  work.op = std::move(*op);
  work.packed = packed;
  return work;
}

KernelWork::ParamArrays KernelWork::make_param_arrays() {
  const reprise_kernel& code = *op.function->code();
  ParamArrays made;
  for (uint32_t i = 0; i < code.param_count; ++i)
    made.arguments.push_back(op.parameters.data() + code.params[i].offset);
  made.bytes = op.parameters.size();
  return made;
}

cudaKernelNodeParams KernelWork::user_params() {
  ParamArrays& made = param_arrays.get([&] { return make_param_arrays(); });
  cudaKernelNodeParams parameters = {};
  parameters.func = const_cast<void*>(op.function->host_stub());
  parameters.gridDim = op.shape.grid;
  parameters.blockDim = op.shape.block;
  parameters.sharedMemBytes = op.shape.dynamic_shared;
  if (packed) {
    void* list[5] = {buffer_pointer_follows, op.parameters.data(), buffer_size_follows, &made.bytes, end_of_list};
    std::memcpy(made.extra, list, sizeof list);
    parameters.extra = made.extra;
  } else if (!made.arguments.empty()) {
    parameters.kernelParams = made.arguments.data();
  }
  return parameters;
}

}  // namespace reprise_runtime::graph
