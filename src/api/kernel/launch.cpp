// Launching kernels: cudaLaunchKernel, which `<<<>>>` calls too, its cooperative form, and launches with attributes.
#include "api/kernel/launch.h"

#include <cuda_runtime_api.h>
#include <reprise_cuda/api/call_configuration.h>

#include "api/entry/entry.h"
#include "api/kernel/launch_caller.h"
#include "diagnose/refuse.h"
#include "graph/define/updatable_node.h"
#include "kernel/registry.h"
#include "op/kernel.h"
#include "stream/capture_rules.h"
#include "stream/kernel_launch.h"

using namespace reprise_runtime;

namespace {

[[gnu::cold, gnu::noinline]] cudaError_t refuse_device(const stream::Stream& stream) {
  return diagnose::refuse(cudaErrorInvalidResourceHandle,
                          "the stream belongs to device %d and the current device is %d; call cudaSetDevice first",
                          stream.device(), current_device());
}

}  // namespace

cudaError_t api::launch(const void* function, const kernel::LaunchShape& shape, void** arguments, size_t shared,
                        cudaStream_t handle, const void* caller, kernel::LaunchAttributes attributes) {
  Result<stream::Stream*> stream = stream::borrow(handle);
  if (!stream.ok()) return stream.status();
  if ((*stream)->device() != current_device()) [[unlikely]]
    return refuse_device(**stream);
  Result<op::Kernel> built = op::Kernel::build(function, shape, shared, arguments, std::move(attributes));
  if (!built.ok()) return stream::launch_failed(**stream, built.status());
  built->function->note_launch_site(caller);
  return stream::launch(**stream, std::move(*built));
}

namespace {

void return_updatable_node(const cudaLaunchConfig_t& config, cudaGraphDeviceNode_t node) {
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    if (config.attrs[i].id != cudaLaunchAttributeDeviceUpdatableKernelNode) continue;
    config.attrs[i].val.deviceUpdatableKernelNode.devNode = node;
  }
}

}  // namespace

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared,
                             cudaStream_t stream) {
  const void* caller = api::take_launch_caller(__builtin_return_address(0));
  return api::entry([&] { return api::launch(function, {grid, block, 0, false}, arguments, shared, stream, caller); },
                    ARGUMENTS(function, grid, block, arguments, shared, stream));
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared,
                                        cudaStream_t stream) {
  const void* caller = api::take_launch_caller(__builtin_return_address(0));
  return api::entry([&] { return api::launch(function, {grid, block, 0, true}, arguments, shared, stream, caller); },
                    ARGUMENTS(function, grid, block, arguments, shared, stream));
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
  const void* caller = api::take_launch_caller(__builtin_return_address(0));
  return api::entry(
      [&] {
        if (!config) return diagnose::refuse(cudaErrorInvalidValue, "the launch configuration is null");
        if (config->numAttrs > 0 && !config->attrs) {
          return diagnose::refuse(cudaErrorInvalidValue, "numAttrs is %u and attrs is null", config->numAttrs);
        }
        Result<kernel::LaunchAttributes> attributes =
            kernel::read_launch_attributes(*config, kernel::find_function(function));
        if (!attributes.ok()) return attributes.status();
        // The handle of a device-updatable node is returned in the attribute itself.
        graph::HeldUpdatable updatable;
        if (const auto* value = attributes->find(cudaLaunchAttributeDeviceUpdatableKernelNode);
            value && value->deviceUpdatableKernelNode.deviceUpdatable == 1) {
          updatable = graph::make_updatable();
          if (!updatable) return cudaErrorMemoryAllocation;
          cudaLaunchAttributeValue named = *value;
          named.deviceUpdatableKernelNode.devNode = updatable->as_user();
          attributes->set(cudaLaunchAttributeDeviceUpdatableKernelNode, named);
        }
        const cudaLaunchAttributeValue* cooperative = attributes->find(cudaLaunchAttributeCooperative);
        kernel::LaunchShape shape{config->gridDim, config->blockDim, 0, cooperative && cooperative->cooperative};
        const cudaError_t status = api::launch(function, shape, arguments, config->dynamicSmemBytes, config->stream,
                                               caller, std::move(*attributes));
        if (updatable && status == cudaSuccess) return_updatable_node(*config, updatable->as_user());
        return status;
      },
      ARGUMENTS(config, function, arguments));
}
