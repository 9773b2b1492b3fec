// Memory through the driver API: allocating, what is known of a pointer, copies and fills.
#include "driver_support.h"

namespace {

CUdeviceptr address(const void* pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }

}  // namespace

class DriverMemory : public Runtime {
 protected:
  void SetUp() override {
    Runtime::SetUp();
    MUST(cudaSetDevice(0));
    MUST_DRIVER(cuMemAlloc(&device_, 1000));
    MUST_DRIVER(cuMemAllocHost(&host_, 64));
    MUST_DRIVER(cuMemAllocManaged(&managed_, 64, CU_MEM_ATTACH_GLOBAL));
  }
  void TearDown() override {
    cuMemFree(device_);
    cuMemFreeHost(host_);
    cuMemFree(managed_);
    Runtime::TearDown();
  }

  CUdeviceptr device_ = 0, managed_ = 0;
  void* host_ = nullptr;
  int stack_ = 0;
};

TEST_F(DriverMemory, Allocation) {
  CUdeviceptr memory = 0;
  void* host = nullptr;
  size_t pitch = 0;
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemAlloc(&memory, 0));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemAlloc(nullptr, 4));
  ASK_DRIVER(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc(&memory, size_t{1} << 50));
  ASK_DRIVER(CUDA_SUCCESS, cuMemAllocHost(&host, 0));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemAllocHost(nullptr, 4));
  ASK_DRIVER(CUDA_SUCCESS, cuMemFreeHost(nullptr));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemAllocManaged(&memory, 64, 0));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemAllocManaged(&memory, 0, CU_MEM_ATTACH_GLOBAL));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemAllocPitch(&memory, &pitch, 100, 4, 3));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemAllocPitch(&memory, &pitch, 0, 4, 4));
  ASK_DRIVER(CUDA_SUCCESS, cuMemAllocPitch(&memory, &pitch, 100, 4, 4));
  ASK_VALUE(512, pitch);
  ASK_DRIVER(CUDA_SUCCESS, cuMemFree(memory));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemFree(device_ + 4));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemFree(address(host_)));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemFreeHost(&stack_));
  ASK(cudaSuccess, cudaGetLastError());
}

TEST_F(DriverMemory, Ranges) {
  CUdeviceptr base = 0;
  size_t size = 0;
  ASK_DRIVER(CUDA_SUCCESS, cuMemGetAddressRange(&base, &size, device_ + 4));
  ASK_VALUE(true, base == device_);
  ASK_VALUE(1000, size);
  ASK_DRIVER(CUDA_SUCCESS, cuMemGetAddressRange(nullptr, nullptr, device_));
  ASK_DRIVER(CUDA_ERROR_NOT_FOUND, cuMemGetAddressRange(&base, &size, 0x1234));
}

TEST_F(DriverMemory, HostMemory) {
  unsigned flags = 0;
  CUdeviceptr mapped = 0;
  ASK_DRIVER(CUDA_SUCCESS, cuMemHostGetFlags(&flags, host_));
  ASK_VALUE(2, flags);
  ASK_DRIVER(CUDA_SUCCESS, cuMemHostGetDevicePointer(&mapped, host_, 0));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemHostGetDevicePointer(&mapped, host_, 1));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemHostGetDevicePointer(&mapped, &stack_, 0));
}

TEST_F(DriverMemory, AttributesOfPointers) {
  const auto type_of = [](CUdeviceptr pointer) {
    unsigned type = 77;
    EXPECT_EQ(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, pointer), CUDA_SUCCESS);
    return type;
  };
  ASK_VALUE(CU_MEMORYTYPE_DEVICE, type_of(device_));
  ASK_VALUE(CU_MEMORYTYPE_HOST, type_of(address(host_)));
  ASK_VALUE(CU_MEMORYTYPE_DEVICE, type_of(managed_));
  void* pointer = nullptr;
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttribute(&pointer, CU_POINTER_ATTRIBUTE_HOST_POINTER, device_));
  ASK_DRIVER(CUDA_SUCCESS, cuPointerGetAttribute(&pointer, CU_POINTER_ATTRIBUTE_HOST_POINTER, address(host_)));
  ASK_VALUE(true, pointer == host_);
  bool flag = false;
  ASK_DRIVER(CUDA_SUCCESS, cuPointerGetAttribute(&flag, CU_POINTER_ATTRIBUTE_IS_MANAGED, managed_));
  ASK_VALUE(true, flag);
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttribute(&flag, CU_POINTER_ATTRIBUTE_IS_MANAGED, address(&stack_)));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttribute(&flag, CU_POINTER_ATTRIBUTE_MAPPED, address(&stack_)));
  size_t size = 0;
  ASK_DRIVER(CUDA_SUCCESS, cuPointerGetAttribute(&size, CU_POINTER_ATTRIBUTE_RANGE_SIZE, device_ + 8));
  ASK_VALUE(1000, size);
}

TEST_F(DriverMemory, SeveralAttributesAtOnceAreNeverAnError) {
  CUpointer_attribute wanted[] = {CU_POINTER_ATTRIBUTE_CONTEXT, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                  CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_IS_MANAGED};
  CUcontext context = reinterpret_cast<CUcontext>(7);
  unsigned type = 77;
  int device = 77;
  unsigned managed = 1;  // an H200 writes four bytes
  void* data[] = {&context, &type, &device, &managed};
  ASK_DRIVER(CUDA_SUCCESS, cuPointerGetAttributes(4, wanted, data, address(&stack_)));
  ASK_VALUE(true, context == nullptr);
  ASK_VALUE(0, type);
  ASK_VALUE(-2, device);
  ASK_VALUE(0, managed);
  ASK_DRIVER(CUDA_SUCCESS, cuPointerGetAttributes(4, wanted, data, device_));
  ASK_VALUE(2, type);
  ASK_VALUE(0, device);
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttributes(0, wanted, data, device_));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttributes(4, nullptr, data, device_));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttributes(4, wanted, nullptr, device_));
}

TEST_F(DriverMemory, Copies) {
  ASK_DRIVER(CUDA_SUCCESS, cuMemcpyHtoD(device_, &stack_, 4));
  ASK_DRIVER(CUDA_SUCCESS, cuMemcpyDtoH(&stack_, device_, 4));
  ASK_DRIVER(CUDA_SUCCESS, cuMemcpyDtoD(device_, device_ + 64, 4));
  ASK_DRIVER(CUDA_SUCCESS, cuMemcpyHtoD(device_, &stack_, 0));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(0, &stack_, 4));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(device_, nullptr, 4));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(device_ + 900, host_, 5000));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(address(&stack_), host_, 4));
  ASK_DRIVER(CUDA_SUCCESS, cuMemcpyDtoH(&stack_, address(host_), 4));
  int other = 0;
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(&stack_, address(&other), 4));
  ASK_DRIVER(CUDA_SUCCESS, cuMemcpyDtoD(address(host_), device_, 4));
}

TEST_F(DriverMemory, CopiesOfBoxes) {
  CUDA_MEMCPY2D plane{};
  plane.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  plane.srcDevice = device_;
  plane.srcPitch = 16;
  plane.dstMemoryType = CU_MEMORYTYPE_HOST;
  plane.dstHost = host_;
  plane.dstPitch = 8;
  plane.WidthInBytes = 8;
  plane.Height = 4;
  ASK_DRIVER(CUDA_SUCCESS, cuMemcpy2D(&plane));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(nullptr));
  plane.dstPitch = 4;
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&plane));
  plane.dstPitch = 0;
  ASK_DRIVER(CUDA_SUCCESS, cuMemcpy2D(&plane));
  plane.WidthInBytes = 0;
  ASK_DRIVER(CUDA_SUCCESS, cuMemcpy2D(&plane));
  plane.WidthInBytes = 8;
  plane.dstMemoryType = static_cast<CUmemorytype>(0);
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&plane));
  CUDA_MEMCPY3D box{};
  box.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  box.srcDevice = device_;
  box.dstMemoryType = CU_MEMORYTYPE_HOST;
  box.dstHost = host_;
  box.WidthInBytes = 8;
  box.Height = box.Depth = 1;
  ASK_DRIVER(CUDA_SUCCESS, cuMemcpy3D(&box));
  box.Depth = 2;
  ASK_DRIVER(CUDA_SUCCESS, cuMemcpy3D(&box));
}

TEST_F(DriverMemory, Fills) {
  ASK_DRIVER(CUDA_SUCCESS, cuMemsetD8(device_, 1, 16));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemsetD16(device_ + 1, 1, 4));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(device_ + 2, 1, 4));
  ASK_DRIVER(CUDA_SUCCESS, cuMemsetD32(device_, 1, 0));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(0, 1, 4));
  ASK_DRIVER(CUDA_SUCCESS, cuMemsetD32(0, 1, 0));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemsetD8(device_ + 900, 1, 500));
  ASK_DRIVER(CUDA_SUCCESS, cuMemsetD2D8(device_, 16, 1, 8, 4));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemsetD2D8(device_, 4, 1, 8, 4));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemsetD2D32(device_, 18, 1, 4, 4));
  ASK_DRIVER(CUDA_SUCCESS, cuMemsetD2D8(device_, 0, 1, 8, 1));
  unsigned short values[4] = {};
  MUST_DRIVER(cuMemsetD16(device_, 0x1234, 4));
  MUST_DRIVER(cuMemcpyDtoH(values, device_, sizeof values));
  ASK_VALUE(0x1234, values[3]);
}

TEST_F(DriverMemory, Pools) {
  CUmemoryPool pool;
  ASK_DRIVER(CUDA_SUCCESS, cuDeviceGetMemPool(&pool, 0));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuDeviceGetMemPool(&pool, 99));
  MUST_DRIVER(cuDeviceGetMemPool(&pool, 0));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemPoolDestroy(pool));
  cuuint64_t threshold = 1;
  ASK_DRIVER(CUDA_SUCCESS, cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
  ASK_VALUE(0, threshold);
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemPoolGetAttribute(pool, static_cast<CUmemPool_attribute>(99), &threshold));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemPoolTrimTo(nullptr, 0));
  CUdeviceptr memory = 0;
  ASK_DRIVER(CUDA_SUCCESS, cuMemAllocAsync(&memory, 64, nullptr));
  ASK_DRIVER(CUDA_SUCCESS, cuMemFreeAsync(memory, nullptr));
  ASK_DRIVER(CUDA_SUCCESS, cuMemFreeAsync(0, nullptr));
}
