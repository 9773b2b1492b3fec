// A program that links no call of the driver API: it opens the library and finds every call by name, as libraries that
// must also start on machines without a driver do.
#include <cudaTypedefs.h>
#include <dlfcn.h>

#include "driver_support.h"

namespace {

__global__ void add(int* value, int amount) { *value += amount; }

class Driver {
 public:
  Driver() {
    library_ = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library_) return;
    find_ = reinterpret_cast<PFN_cuGetProcAddress_v12000>(dlsym(library_, "cuGetProcAddress_v2"));
    init = get<PFN_cuInit_v2000>("cuInit", 2000);
    device_get = get<PFN_cuDeviceGet_v2000>("cuDeviceGet", 2000);
    attribute = get<PFN_cuDeviceGetAttribute_v2000>("cuDeviceGetAttribute", 2000);
    retain = get<PFN_cuDevicePrimaryCtxRetain_v7000>("cuDevicePrimaryCtxRetain", 7000);
    release = get<PFN_cuDevicePrimaryCtxRelease_v11000>("cuDevicePrimaryCtxRelease", 11000);
    push = get<PFN_cuCtxPushCurrent_v4000>("cuCtxPushCurrent", 4000);
    pop = get<PFN_cuCtxPopCurrent_v4000>("cuCtxPopCurrent", 4000);
    allocate = get<PFN_cuMemAlloc_v3020>("cuMemAlloc", 3020);
    free = get<PFN_cuMemFree_v3020>("cuMemFree", 3020);
    stream_create = get<PFN_cuStreamCreate_v2000>("cuStreamCreate", 2000);
    stream_destroy = get<PFN_cuStreamDestroy_v4000>("cuStreamDestroy", 4000);
    synchronize = get<PFN_cuStreamSynchronize_v2000>("cuStreamSynchronize", 2000);
    fill = get<PFN_cuMemsetD32Async_v3020>("cuMemsetD32Async", 3020);
    copy_out = get<PFN_cuMemcpyDtoH_v3020>("cuMemcpyDtoH", 3020);
    launch = get<PFN_cuLaunchKernel_v4000>("cuLaunchKernel", 4000);
  }
  ~Driver() {
    if (library_) dlclose(library_);
  }

  explicit operator bool() const { return complete_; }

  PFN_cuInit_v2000 init = nullptr;
  PFN_cuDeviceGet_v2000 device_get = nullptr;
  PFN_cuDeviceGetAttribute_v2000 attribute = nullptr;
  PFN_cuDevicePrimaryCtxRetain_v7000 retain = nullptr;
  PFN_cuDevicePrimaryCtxRelease_v11000 release = nullptr;
  PFN_cuCtxPushCurrent_v4000 push = nullptr;
  PFN_cuCtxPopCurrent_v4000 pop = nullptr;
  PFN_cuMemAlloc_v3020 allocate = nullptr;
  PFN_cuMemFree_v3020 free = nullptr;
  PFN_cuStreamCreate_v2000 stream_create = nullptr;
  PFN_cuStreamDestroy_v4000 stream_destroy = nullptr;
  PFN_cuStreamSynchronize_v2000 synchronize = nullptr;
  PFN_cuMemsetD32Async_v3020 fill = nullptr;
  PFN_cuMemcpyDtoH_v3020 copy_out = nullptr;
  PFN_cuLaunchKernel_v4000 launch = nullptr;

 private:
  template <class Function>
  Function get(const char* name, int version) {
    void* found = nullptr;
    CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    if (!find_ || find_(name, &found, version, CU_GET_PROC_ADDRESS_DEFAULT, &status) != CUDA_SUCCESS || !found) {
      complete_ = false;
      ADD_FAILURE() << name << " of " << version << ": " << static_cast<int>(status);
    }
    return reinterpret_cast<Function>(found);
  }

  void* library_ = nullptr;
  PFN_cuGetProcAddress_v12000 find_ = nullptr;
  bool complete_ = true;
};

}  // namespace

TEST(DriverByName, AWholeProgram) {
  Driver driver;
  ASSERT_TRUE(static_cast<bool>(driver));
  MUST_DRIVER(driver.init(0));
  CUdevice device;
  MUST_DRIVER(driver.device_get(&device, 0));
  int major = 0;
  MUST_DRIVER(driver.attribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
  EXPECT_GE(major, 5);
  CUcontext context, popped;
  MUST_DRIVER(driver.retain(&context, device));
  MUST_DRIVER(driver.push(context));

  CUdeviceptr memory;
  CUstream stream;
  MUST_DRIVER(driver.allocate(&memory, sizeof(int)));
  MUST_DRIVER(driver.stream_create(&stream, CU_STREAM_NON_BLOCKING));
  MUST_DRIVER(driver.fill(memory, 40, 1, stream));
  cudaFunction_t function;
  MUST(cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(add)));
  int amount = 2;
  void* arguments[] = {&memory, &amount};
  MUST_DRIVER(driver.launch(function, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr));
  MUST_DRIVER(driver.synchronize(stream));
  int value = 0;
  MUST_DRIVER(driver.copy_out(&value, memory, sizeof value));
  EXPECT_EQ(value, 42);

  MUST_DRIVER(driver.stream_destroy(stream));
  MUST_DRIVER(driver.free(memory));
  MUST_DRIVER(driver.pop(&popped));
  EXPECT_EQ(popped, context);
  MUST_DRIVER(driver.release(device));
}

TEST(DriverByName, PerThreadFormsUseTheThreadsOwnStream) {
  MUST(cudaSetDevice(0));
  void *legacy = nullptr, *own = nullptr;
  MUST_DRIVER(cuGetProcAddress("cuStreamIsCapturing", &legacy, 13000, CU_GET_PROC_ADDRESS_LEGACY_STREAM, nullptr));
  MUST_DRIVER(
      cuGetProcAddress("cuStreamIsCapturing", &own, 13000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, nullptr));
  ASSERT_NE(legacy, own);
  MUST_DRIVER(cuStreamBeginCapture(CU_STREAM_PER_THREAD, CU_STREAM_CAPTURE_MODE_RELAXED));
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  ASK_DRIVER(CUDA_SUCCESS, reinterpret_cast<PFN_cuStreamIsCapturing_v10000_ptsz>(own)(nullptr, &status));
  ASK_VALUE(CU_STREAM_CAPTURE_STATUS_ACTIVE, status);
  CUgraph graph;
  MUST_DRIVER(cuStreamEndCapture(CU_STREAM_PER_THREAD, &graph));
  MUST_DRIVER(cuGraphDestroy(graph));
}

TEST(DriverByName, TheRuntimeGivesTheSameCalls) {
  void *of_driver = nullptr, *of_runtime = nullptr;
  cudaDriverEntryPointQueryResult status;
  MUST_DRIVER(cuGetProcAddress("cuMemAlloc", &of_driver, 12000, CU_GET_PROC_ADDRESS_DEFAULT, nullptr));
  MUST(cudaGetDriverEntryPointByVersion("cuMemAlloc", &of_runtime, 12000, cudaEnableDefault, &status));
  EXPECT_EQ(of_driver, of_runtime);
}
