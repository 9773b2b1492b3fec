// Contexts: the primary one, its use by the runtime, and others.
#include "driver_support.h"

using conformance::in_new_process;

namespace {

__global__ void increment(int* value) { *value += 1; }

}  // namespace

TEST(DriverDevice, OrdinalsBeyondTheLastAreRefused) {
  in_new_process([] {
    MUST_DRIVER(cuInit(0));
    CUdevice device = -1;
    int count = 0;
    ASK_DRIVER(CUDA_SUCCESS, cuDeviceGet(&device, 0));
    ASK_VALUE(0, device);
    MUST_DRIVER(cuDeviceGetCount(&count));
    ASK_DRIVER(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&device, count));
    ASK_DRIVER(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&device, -1));
  });
}

TEST(DriverPrimaryContext, IsRetainedAndReleased) {
  in_new_process([] {
    MUST_DRIVER(cuInit(0));
    unsigned flags = 9;
    int active = 9;
    ASK_DRIVER(CUDA_SUCCESS, cuDevicePrimaryCtxGetState(0, &flags, &active));
    ASK_VALUE(0, flags);
    ASK_VALUE(0, active);
    ASK_DRIVER(CUDA_ERROR_INVALID_CONTEXT, cuDevicePrimaryCtxRelease(0));
    CUcontext first, second, current;
    ASK_DRIVER(CUDA_SUCCESS, cuDevicePrimaryCtxRetain(&first, 0));
    ASK_DRIVER(CUDA_SUCCESS, cuDevicePrimaryCtxRetain(&second, 0));
    ASK_VALUE(true, first == second);
    MUST_DRIVER(cuDevicePrimaryCtxGetState(0, &flags, &active));
    ASK_VALUE(1, active);
    MUST_DRIVER(cuCtxGetCurrent(&current));
    ASK_VALUE(true, current == nullptr);
    ASK_DRIVER(CUDA_SUCCESS, cuCtxPushCurrent(first));
    MUST_DRIVER(cuCtxGetCurrent(&current));
    ASK_VALUE(true, current == first);
    ASK_DRIVER(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy(first));
    ASK_DRIVER(CUDA_SUCCESS, cuCtxPopCurrent(&current));
    ASK_DRIVER(CUDA_ERROR_INVALID_CONTEXT, cuCtxPopCurrent(&current));
    ASK_DRIVER(CUDA_SUCCESS, cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_SPIN));
    MUST_DRIVER(cuDevicePrimaryCtxGetState(0, &flags, &active));
    ASK_VALUE(1, flags);
    ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuDevicePrimaryCtxSetFlags(0, 0x1000));
    ASK_DRIVER(CUDA_SUCCESS, cuDevicePrimaryCtxRelease(0));
    ASK_DRIVER(CUDA_SUCCESS, cuDevicePrimaryCtxRelease(0));
    ASK_DRIVER(CUDA_ERROR_INVALID_CONTEXT, cuDevicePrimaryCtxRelease(0));
    MUST_DRIVER(cuDevicePrimaryCtxGetState(0, &flags, &active));
    ASK_VALUE(0, flags);
    ASK_VALUE(0, active);
    ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuCtxPushCurrent(nullptr));
  });
}

TEST(DriverPrimaryContext, IsTheRuntimesContext) {
  in_new_process([] {
    MUST(cudaSetDevice(0));
    CUcontext current = nullptr, primary = nullptr;
    MUST_DRIVER(cuCtxGetCurrent(&current));
    MUST_DRIVER(cuDevicePrimaryCtxRetain(&primary, 0));
    ASK_VALUE(true, current == primary);
    unsigned flags = 9, version = 0;
    int active = 0;
    MUST_DRIVER(cuDevicePrimaryCtxGetState(0, &flags, &active));
    ASK_VALUE(0, flags);
    ASK_VALUE(1, active);
    MUST_DRIVER(cuCtxGetApiVersion(current, &version));
    ASK_VALUE(3020, version);
    unsigned long long id = 0;
    ASK_DRIVER(CUDA_SUCCESS, cuCtxGetId(current, &id));
    MUST_DRIVER(cuCtxGetFlags(&flags));
    ASK_VALUE(8, flags);
  });
}

TEST(DriverPrimaryContext, IsInactiveAfterAReset) {
  in_new_process([] {
    MUST(cudaSetDevice(0));
    MUST(cudaDeviceReset());
    CUcontext current = nullptr;
    MUST_DRIVER(cuCtxGetCurrent(&current));
    ASK_VALUE(true, current != nullptr);
    unsigned flags = 0;
    int active = 9;
    MUST_DRIVER(cuDevicePrimaryCtxGetState(0, &flags, &active));
    ASK_VALUE(0, active);
  });
}

TEST(DriverContext, OwnsWhatIsMadeInIt) {
  in_new_process([] {
    MUST_DRIVER(cuInit(0));
    CUcontext made, current, of_stream, primary, of_memory;
    CUctxCreateParams parameters{};
    MUST_DRIVER(cuCtxCreate(&made, &parameters, 0, 0));
    MUST_DRIVER(cuCtxGetCurrent(&current));
    ASK_VALUE(true, current == made);
    CUdeviceptr memory = 0, other = 0;
    CUstream stream;
    MUST_DRIVER(cuMemAlloc(&memory, 1024));
    MUST_DRIVER(cuStreamCreate(&stream, 0));
    MUST_DRIVER(cuStreamGetCtx(stream, &of_stream));
    ASK_VALUE(true, of_stream == made);

    MUST_DRIVER(cuDevicePrimaryCtxRetain(&primary, 0));
    MUST_DRIVER(cuCtxSetCurrent(primary));
    MUST_DRIVER(cuMemAlloc(&other, 1024));
    ASK_DRIVER(CUDA_SUCCESS, cuMemcpyDtoD(other, memory, 1024));
    ASK_DRIVER(CUDA_SUCCESS, cuMemsetD8Async(other, 1, 16, stream));
    ASK_DRIVER(CUDA_SUCCESS, cuStreamSynchronize(stream));
    CUevent event;
    MUST_DRIVER(cuEventCreate(&event, 0));
    ASK_DRIVER(CUDA_ERROR_INVALID_HANDLE, cuEventRecord(event, stream));
    int* value;
    MUST(cudaMalloc(&value, sizeof *value));
    increment<<<1, 1, 0, stream>>>(value);
    ASK(cudaSuccess, cudaGetLastError());
    MUST_DRIVER(cuCtxSetCurrent(made));
    increment<<<1, 1, 0, stream>>>(value);
    ASK(cudaSuccess, cudaGetLastError());
    ASK(cudaSuccess, cudaStreamSynchronize(stream));
    MUST_DRIVER(cuPointerGetAttribute(&of_memory, CU_POINTER_ATTRIBUTE_CONTEXT, memory));
    ASK_VALUE(true, of_memory == made);

    ASK_DRIVER(CUDA_SUCCESS, cuCtxDestroy(made));
    MUST_DRIVER(cuCtxGetCurrent(&current));
    ASK_VALUE(true, current == nullptr);
    ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemFree(memory));
    MUST_DRIVER(cuCtxSetCurrent(primary));
    ASK_DRIVER(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuStreamQuery(stream));
    ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemFree(memory));
    EXPECT_NE(cuCtxDestroy(made), CUDA_SUCCESS);  // an H200 answers INVALID_CONTEXT or CONTEXT_IS_DESTROYED by chance
    ASK_DRIVER(CUDA_SUCCESS, cuMemFree(other));
  });
}

TEST(DriverContext, FlagsAndWrongArguments) {
  in_new_process([] {
    MUST_DRIVER(cuInit(0));
    CUcontext first, second, current;
    CUctxCreateParams parameters{};
    unsigned flags = 9;
    ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuCtxCreate(nullptr, &parameters, 0, 0));
    ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuCtxCreate(&first, &parameters, 0x1000, 0));
    ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuCtxCreate(&first, &parameters, CU_CTX_SCHED_SPIN | CU_CTX_SCHED_YIELD, 0));
    ASK_DRIVER(CUDA_ERROR_INVALID_DEVICE, cuCtxCreate(&first, &parameters, 0, 99));
    ASK_DRIVER(CUDA_SUCCESS, cuCtxCreate(&first, nullptr, CU_CTX_SCHED_YIELD, 0));
    MUST_DRIVER(cuCtxGetFlags(&flags));
    ASK_VALUE(CU_CTX_SCHED_YIELD, flags);
    ASK_DRIVER(CUDA_SUCCESS, cuCtxSetFlags(CU_CTX_SCHED_SPIN));
    MUST_DRIVER(cuCtxGetFlags(&flags));
    ASK_VALUE(CU_CTX_SCHED_SPIN, flags);
    ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuCtxSetFlags(0x1000));
    MUST_DRIVER(cuCtxCreate(&second, nullptr, 0, 0));
    unsigned long long one = 0, other = 0;
    CUdevice device = -1;
    ASK_DRIVER(CUDA_SUCCESS, cuCtxGetId(first, &one));
    ASK_DRIVER(CUDA_SUCCESS, cuCtxGetId(nullptr, &other));
    ASK_VALUE(true, one != other);
    ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuCtxGetId(first, nullptr));
    ASK_DRIVER(CUDA_SUCCESS, cuCtxGetDevice_v2(&device, first));
    ASK_DRIVER(CUDA_SUCCESS, cuCtxGetDevice_v2(&device, nullptr));
    ASK_DRIVER(CUDA_SUCCESS, cuCtxSynchronize_v2(first));
    ASK_DRIVER(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, cuCtxEnablePeerAccess(first, 0));
    ASK_DRIVER(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, cuCtxDisablePeerAccess(first));
    ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuCtxDestroy(nullptr));
    MUST_DRIVER(cuCtxPopCurrent(&current));
    ASK_VALUE(true, current == second);
    MUST_DRIVER(cuCtxGetCurrent(&current));
    ASK_VALUE(true, current == first);
  });
}

TEST(DriverContext, OwnsWhatTheRuntimeMakesInIt) {
  in_new_process([] {
    MUST_DRIVER(cuInit(0));
    CUcontext made, primary, owner, current;
    MUST_DRIVER(cuCtxCreate(&made, nullptr, 0, 0));
    MUST_DRIVER(cuDevicePrimaryCtxRetain(&primary, 0));
    int device = 9, *memory = nullptr;
    MUST(cudaGetDevice(&device));
    ASK_VALUE(0, device);
    MUST(cudaMalloc(&memory, sizeof *memory));
    MUST_DRIVER(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, reinterpret_cast<CUdeviceptr>(memory)));
    ASK_VALUE(true, owner == made);
    cudaStream_t stream;
    MUST(cudaStreamCreate(&stream));
    MUST_DRIVER(cuStreamGetCtx(stream, &owner));
    ASK_VALUE(true, owner == made);
    MUST(cudaSetDevice(0));
    MUST_DRIVER(cuCtxGetCurrent(&current));
    ASK_VALUE(true, current == primary);
    MUST_DRIVER(cuCtxDestroy(made));
    ASK(cudaErrorInvalidValue, cudaFree(memory));
  });
}
