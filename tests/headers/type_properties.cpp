// Properties of the types that a comparison of declarations does not show.
#include <cuda_runtime.h>
#include <curand_kernel.h>

#include <type_traits>

template <class... Types>
constexpr bool plain() {
  return ((std::is_trivially_copyable_v<Types> && std::is_standard_layout_v<Types>) && ...);
}

static_assert(plain<cudaDeviceProp, cudaMemcpy3DParms, cudaMemcpy3DPeerParms, cudaMemsetParams, cudaPointerAttributes,
                    cudaKernelNodeParams, cudaHostNodeParams, cudaGraphNodeParams, cudaGraphEdgeData,
                    cudaLaunchAttribute, cudaLaunchConfig_t, cudaGraphExecUpdateResultInfo, cudaGraphInstantiateParams,
                    cudaMemPoolProps, cudaExternalSemaphoreHandleDesc, cudaIpcMemHandle_t, cudaFuncAttributes>());
static_assert(plain<char1, uchar4, short3, int2, uint4, long3, ulonglong2, float4, double3, dim3>());

// A node's parameters are cleared with `= {}` or memset before they are filled in.
static_assert(std::is_aggregate_v<cudaGraphNodeParams> && std::is_aggregate_v<cudaKernelNodeParams>);
static_assert(std::is_aggregate_v<cudaLaunchConfig_t> && std::is_aggregate_v<cudaMemcpy3DParms>);

// Handles differ in type, so that one cannot be passed for another.
static_assert(!std::is_convertible_v<cudaStream_t, cudaEvent_t> &&
              !std::is_convertible_v<cudaGraph_t, cudaGraphExec_t>);
static_assert(std::is_pointer_v<cudaStream_t> && sizeof(cudaGraphConditionalHandle) == 8);

// An omitted dimension is 1, also in constant expressions, and an int converts to a dim3.
static_assert(dim3().x == 1 && dim3(7).x == 7 && dim3(7).y == 1 && dim3(7, 8).z == 1);
static_assert(dim3(uint3{2, 3, 4}).z == 4 && uint3(dim3(2, 3, 4)).y == 3);
static_assert(std::is_convertible_v<int, dim3>);

// Errors are plain enumerators: they compare with ints and sort into switch statements.
static_assert(std::is_enum_v<cudaError_t> && std::is_convertible_v<cudaError_t, int>);

// Types that the alignment rules of device memory accesses depend on.
static_assert(alignof(float4) == 16 && alignof(float2) == 8 && alignof(float3) == 4 && alignof(double2) == 16);
static_assert(alignof(double4_16a) == 16 && alignof(double4_32a) == 32 && alignof(uchar4) == 4);

// Host code allocates the states of generators, which only kernels use.
struct HoldsStates {
  curandState* states;
};
static_assert(sizeof(curandState) == 48 && sizeof(curandStatePhilox4_32_10_t) == 64 && plain<curandState_t>());

// Calls whose address programs take must not be overloaded.
static_assert(std::is_same_v<decltype(&cudaStreamSynchronize), cudaError_t (*)(cudaStream_t)>);
static_assert(std::is_same_v<decltype(&cudaGetLastError), cudaError_t (*)()>);
