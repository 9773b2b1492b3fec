// Launches through the driver API of kernels that the program was compiled with.
#include "driver_support.h"

namespace {

__global__ void increment(int* value) { *value += 1; }

}  // namespace

class DriverLaunch : public Runtime {
 protected:
  void SetUp() override {
    Runtime::SetUp();
    MUST(cudaMalloc(&value_, sizeof *value_));
    MUST(cudaMemset(value_, 0, sizeof *value_));
    cudaFunction_t function;
    MUST(cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(increment)));
    function_ = function;
  }
  void TearDown() override {
    cudaFree(value_);
    Runtime::TearDown();
  }
  CUresult launch(unsigned grid, unsigned block, unsigned shared, void** arguments, void** extra) {
    return cuLaunchKernel(function_, grid, 1, 1, block, 1, 1, shared, nullptr, arguments, extra);
  }
  int value() {
    int found = -1;
    EXPECT_EQ(cudaMemcpy(&found, value_, sizeof found, cudaMemcpyDefault), cudaSuccess);
    return found;
  }

  int* value_ = nullptr;
  CUfunction function_ = nullptr;
};

TEST_F(DriverLaunch, TakesArgumentsOneByOneOrInABuffer) {
  void* arguments[] = {&value_};
  ASK_DRIVER(CUDA_SUCCESS, launch(1, 1, 0, arguments, nullptr));
  size_t size = sizeof value_;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &value_, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  ASK_DRIVER(CUDA_SUCCESS, launch(1, 1, 0, nullptr, extra));
  ASK_VALUE(2, value());
}

TEST_F(DriverLaunch, WrongArgumentsAreRefused) {
  void* arguments[] = {&value_};
  size_t size = sizeof value_;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &value_, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, launch(0, 1, 0, arguments, nullptr));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, launch(1, 2048, 0, arguments, nullptr));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, launch(1, 1, 1 << 20, arguments, nullptr));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, launch(1, 1, 0, nullptr, nullptr));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, launch(1, 1, 0, arguments, extra));
  ASK_DRIVER(CUDA_ERROR_INVALID_HANDLE, cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  ASK(cudaSuccess, cudaGetLastError());
  ASK_VALUE(0, value());
}

TEST_F(DriverLaunch, AFunctionBelongsToAModule) {
  CUmodule module = nullptr, of_library = nullptr;
  const char* name = nullptr;
  MUST_DRIVER(cuFuncGetModule(&module, function_));
  MUST_DRIVER(cuFuncGetName(&name, function_));
  EXPECT_NE(std::strstr(name, "increment"), nullptr);
  CUfunction found = nullptr;
  ASK_DRIVER(CUDA_SUCCESS, cuModuleGetFunction(&found, module, name));
  ASK_VALUE(true, found == function_);
  ASK_DRIVER(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&found, module, "nope"));
  cudaKernel_t kernel;
  MUST(cudaGetKernel(&kernel, reinterpret_cast<const void*>(increment)));
  CUlibrary library = nullptr;
  MUST_DRIVER(cuKernelGetLibrary(&library, kernel));
  MUST_DRIVER(cuLibraryGetModule(&of_library, library));
  ASK_VALUE(true, of_library == module);
  ASK_DRIVER(CUDA_SUCCESS, cuKernelGetFunction(&found, kernel));
  ASK_VALUE(true, found == function_);
}

TEST_F(DriverLaunch, AFunctionTellsItsParametersAndAttributes) {
  size_t offset = 9, size = 0;
  ASK_DRIVER(CUDA_SUCCESS, cuFuncGetParamInfo(function_, 0, &offset, &size));
  ASK_VALUE(0, offset);
  ASK_VALUE(8, size);
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuFuncGetParamInfo(function_, 1, &offset, &size));
  int threads = 0;
  ASK_DRIVER(CUDA_SUCCESS, cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function_));
  ASK_VALUE(1024, threads);
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuFuncGetAttribute(&threads, static_cast<CUfunction_attribute>(999), function_));
  int blocks = 0;
  ASK_DRIVER(CUDA_SUCCESS, cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function_, 256, 0));
  EXPECT_GE(blocks, 1);
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function_, 0, 0));
}
