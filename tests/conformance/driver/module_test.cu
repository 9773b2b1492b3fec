// Modules, libraries, functions and kernels that the program was compiled with.
#include "driver_support.h"

namespace {

__global__ void kernel(int* value) { *value += 1; }
__global__ void other() {}

}  // namespace

class DriverModule : public Runtime {
 protected:
  void SetUp() override {
    Runtime::SetUp();
    cudaFunction_t function;
    cudaKernel_t handle;
    MUST(cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(kernel)));
    MUST(cudaGetKernel(&handle, reinterpret_cast<const void*>(kernel)));
    function_ = function;
    kernel_ = reinterpret_cast<CUkernel>(handle);
    other<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
    MUST_DRIVER(cuFuncGetModule(&module_, function_));
    MUST_DRIVER(cuKernelGetLibrary(&library_, kernel_));
  }

  CUfunction function_ = nullptr;
  CUkernel kernel_ = nullptr;
  CUmodule module_ = nullptr;
  CUlibrary library_ = nullptr;
};

TEST_F(DriverModule, AFunctionKnowsItsModuleAndName) {
  CUmodule module = nullptr;
  const char *name = nullptr, *of_kernel = nullptr;
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuFuncGetModule(nullptr, function_));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuFuncGetModule(&module, nullptr));
  MUST_DRIVER(cuFuncGetName(&name, function_));
  MUST_DRIVER(cuKernelGetName(&of_kernel, kernel_));
  EXPECT_STREQ(name, of_kernel);
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuFuncGetName(nullptr, function_));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuFuncGetName(&name, nullptr));
}

TEST_F(DriverModule, AKernelHasAFunctionAndALibrary) {
  CUfunction function = nullptr;
  ASK_DRIVER(CUDA_SUCCESS, cuKernelGetFunction(&function, kernel_));
  ASK_VALUE(true, function == function_);
  ASK_DRIVER(CUDA_ERROR_INVALID_HANDLE, cuKernelGetFunction(&function, nullptr));
  CUmodule module = nullptr;
  ASK_DRIVER(CUDA_SUCCESS, cuLibraryGetModule(&module, library_));
  ASK_VALUE(true, module == module_);
}

TEST_F(DriverModule, FunctionsAreCountedListedAndFoundByName) {
  unsigned count = 0;
  ASK_DRIVER(CUDA_SUCCESS, cuModuleGetFunctionCount(&count, module_));
  EXPECT_GE(count, 2u);  // nvcc keeps kernels of headers that the program does not use
  unsigned of_library = 0;
  ASK_DRIVER(CUDA_SUCCESS, cuLibraryGetKernelCount(&of_library, library_));
  EXPECT_EQ(of_library, count);
  CUfunction functions[8], found = nullptr;
  CUkernel kernels[8];
  ASK_DRIVER(CUDA_SUCCESS, cuModuleEnumerateFunctions(functions, 8, module_));
  ASK_DRIVER(CUDA_SUCCESS, cuModuleEnumerateFunctions(functions, 0, module_));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuModuleEnumerateFunctions(nullptr, 8, module_));
  ASK_DRIVER(CUDA_SUCCESS, cuLibraryEnumerateKernels(kernels, 8, library_));
  const char* name = nullptr;
  MUST_DRIVER(cuFuncGetName(&name, function_));
  ASK_DRIVER(CUDA_SUCCESS, cuModuleGetFunction(&found, module_, name));
  ASK_VALUE(true, found == function_);
  ASK_DRIVER(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&found, module_, "nope"));
  ASK_DRIVER(CUDA_ERROR_INVALID_HANDLE, cuModuleGetFunction(&found, nullptr, "nope"));
  CUkernel kernel = nullptr;
  ASK_DRIVER(CUDA_ERROR_NOT_FOUND, cuLibraryGetKernel(&kernel, library_, "nope"));
}

TEST_F(DriverModule, ParametersAndAttributes) {
  size_t offset = 9, size = 9;
  ASK_DRIVER(CUDA_SUCCESS, cuFuncGetParamInfo(function_, 0, &offset, &size));
  ASK_VALUE(0, offset);
  ASK_VALUE(8, size);
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuFuncGetParamInfo(function_, 1, &offset, &size));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuFuncGetParamInfo(function_, 0, nullptr, &size));
  ASK_DRIVER(CUDA_SUCCESS, cuFuncGetParamInfo(function_, 0, &offset, nullptr));
  int value = 0;
  ASK_DRIVER(CUDA_SUCCESS, cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function_));
  ASK_VALUE(1024, value);
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuFuncGetAttribute(&value, static_cast<CUfunction_attribute>(999), function_));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuFuncGetAttribute(&value, static_cast<CUfunction_attribute>(-1), function_));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuFuncGetAttribute(nullptr, CU_FUNC_ATTRIBUTE_NUM_REGS, function_));
  ASK_DRIVER(CUDA_ERROR_INVALID_HANDLE, cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, nullptr));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuFuncSetAttribute(function_, CU_FUNC_ATTRIBUTE_NUM_REGS, 4));
  ASK_DRIVER(CUDA_SUCCESS, cuFuncSetAttribute(function_, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 65536));
  ASK_DRIVER(CUDA_SUCCESS, cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel_, 0));
  ASK_DRIVER(CUDA_ERROR_INVALID_DEVICE,
             cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel_, 99));
}

TEST_F(DriverModule, Loading) {
  CUfunctionLoadingState state;
  ASK_DRIVER(CUDA_SUCCESS, cuFuncIsLoaded(&state, function_));
  ASK_VALUE(CU_FUNCTION_LOADING_STATE_LOADED, state);
  ASK_DRIVER(CUDA_SUCCESS, cuFuncLoad(function_));
  ASK_DRIVER(CUDA_ERROR_INVALID_HANDLE, cuFuncLoad(nullptr));
  CUmoduleLoadingMode mode;
  ASK_DRIVER(CUDA_SUCCESS, cuModuleGetLoadingMode(&mode));
  ASK_VALUE(CU_MODULE_EAGER_LOADING, mode);
  CUmodule loaded;
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuModuleLoadData(&loaded, nullptr));
  ASK_DRIVER(CUDA_ERROR_FILE_NOT_FOUND, cuModuleLoad(&loaded, "/no/such/file"));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuModuleLoad(nullptr, "/no/such/file"));
  ASK_DRIVER(CUDA_ERROR_NOT_PERMITTED, cuModuleUnload(module_));
  ASK_DRIVER(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload(nullptr));
  ASK_DRIVER(CUDA_ERROR_INVALID_HANDLE, cuLibraryUnload(nullptr));
}

TEST_F(DriverModule, Occupancy) {
  int blocks = 0, threads = 0, grid = 0;
  ASK_DRIVER(CUDA_SUCCESS, cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function_, 256, 0));
  ASK_VALUE(8, blocks);
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function_, 0, 0));
  ASK_DRIVER(CUDA_SUCCESS, cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function_, 2048, 0));
  ASK_VALUE(0, blocks);
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, function_, 256, 0));
  ASK_DRIVER(CUDA_ERROR_INVALID_HANDLE, cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nullptr, 256, 0));
  ASK_DRIVER(CUDA_SUCCESS, cuOccupancyMaxPotentialBlockSize(&grid, &threads, function_, nullptr, 0, 0));
  ASK_VALUE(1024, threads);
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuOccupancyMaxPotentialBlockSize(nullptr, &threads, function_, nullptr, 0, 0));
}
