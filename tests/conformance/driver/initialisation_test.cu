// The driver API before cuInit, and after it without a context.
#include "driver_support.h"

using conformance::in_new_process;

TEST(DriverInitialisation, CallsBeforeItAreRefused) {
  in_new_process([] {
    int count = 0, version = 0;
    CUdevice device;
    CUcontext context;
    CUdeviceptr memory;
    CUgraph graph;
    CUstream stream;
    ASK_DRIVER(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&count));
    ASK_DRIVER(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGet(&device, 0));
    ASK_DRIVER(CUDA_ERROR_NOT_INITIALIZED, cuCtxGetCurrent(&context));
    ASK_DRIVER(CUDA_ERROR_NOT_INITIALIZED, cuCtxSynchronize());
    ASK_DRIVER(CUDA_ERROR_NOT_INITIALIZED, cuMemAlloc(&memory, 4));
    ASK_DRIVER(CUDA_ERROR_NOT_INITIALIZED, cuGraphCreate(&graph, 0));
    ASK_DRIVER(CUDA_ERROR_NOT_INITIALIZED, cuStreamCreate(&stream, 0));
    ASK_DRIVER(CUDA_SUCCESS, cuDriverGetVersion(&version));
    EXPECT_GE(version, CUDA_VERSION);
  });
}

TEST(DriverInitialisation, TakesNoFlags) {
  in_new_process([] {
    ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuInit(1));
    ASK_DRIVER(CUDA_SUCCESS, cuInit(0));
    ASK_DRIVER(CUDA_SUCCESS, cuInit(0));
  });
}

TEST(DriverInitialisation, ARuntimeCallInitialises) {
  in_new_process([] {
    MUST(cudaSetDevice(0));
    int count = 0;
    ASK_DRIVER(CUDA_SUCCESS, cuDeviceGetCount(&count));
    EXPECT_GE(count, 1);
  });
}

TEST(DriverInitialisation, WithoutAContextOnlyDevicesAndGraphsWork) {
  in_new_process([] {
    MUST_DRIVER(cuInit(0));
    CUcontext context = reinterpret_cast<CUcontext>(5);
    ASK_DRIVER(CUDA_SUCCESS, cuCtxGetCurrent(&context));
    ASK_VALUE(true, context == nullptr);
    CUdeviceptr memory;
    CUgraph graph;
    CUgraphNode node;
    CUstream stream;
    CUevent event;
    CUdevice device;
    void* host;
    size_t free, total;
    CUmemoryPool pool;
    ASK_DRIVER(CUDA_ERROR_INVALID_CONTEXT, cuCtxSynchronize());
    ASK_DRIVER(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&memory, 4));
    ASK_DRIVER(CUDA_SUCCESS, cuGraphCreate(&graph, 0));
    ASK_DRIVER(CUDA_SUCCESS, cuGraphAddEmptyNode(&node, graph, nullptr, 0));
    ASK_DRIVER(CUDA_ERROR_INVALID_CONTEXT, cuStreamCreate(&stream, 0));
    ASK_DRIVER(CUDA_ERROR_INVALID_CONTEXT, cuEventCreate(&event, 0));
    ASK_DRIVER(CUDA_ERROR_INVALID_CONTEXT, cuCtxGetDevice(&device));
    ASK_DRIVER(CUDA_ERROR_INVALID_CONTEXT, cuCtxPopCurrent(&context));
    ASK_DRIVER(CUDA_ERROR_INVALID_CONTEXT, cuMemGetInfo(&free, &total));
    ASK_DRIVER(CUDA_ERROR_INVALID_CONTEXT, cuMemAllocHost(&host, 4));
    ASK_DRIVER(CUDA_ERROR_INVALID_CONTEXT, cuStreamSynchronize(nullptr));
    ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuLaunchHostFunc(nullptr, nullptr, nullptr));
    ASK_DRIVER(CUDA_SUCCESS, cuDeviceGetDefaultMemPool(&pool, 0));
    ASK_DRIVER(CUDA_SUCCESS, cuCtxSetCurrent(nullptr));
    ASK_DRIVER(CUDA_ERROR_INVALID_CONTEXT, cuStreamQuery(CU_STREAM_LEGACY));
    ASK_DRIVER(CUDA_ERROR_INVALID_CONTEXT, cuMemcpy(0, 0, 0));
    ASK_DRIVER(CUDA_SUCCESS, cuMemFree(0));
  });
}

TEST(DriverErrors, HaveNamesAndWords) {
  const char* text = nullptr;
  ASK_DRIVER(CUDA_SUCCESS, cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text));
  EXPECT_STREQ(text, "out of memory");
  ASK_DRIVER(CUDA_SUCCESS, cuGetErrorName(CUDA_ERROR_INVALID_CONTEXT, &text));
  EXPECT_STREQ(text, "CUDA_ERROR_INVALID_CONTEXT");
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuGetErrorName(static_cast<CUresult>(12345), &text));
}
