#include "kernel.h"

#include <reprise_cuda/api/call_configuration.h>

#include <algorithm>

#include "factor.h"
#include "gemm.h"
#include "matrix.h"
#include "mixed_vector.h"
#include "triangular.h"
#include "vector.h"

// Registration functions of the runtime, which every CUDA object file calls.
extern "C" {
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaUnregisterFatBinary(void** handle);
int __cudaRegisterFunction(void** handle, const char* host_stub, char* device_stub, const char* name, int, uint3*,
                           uint3*, dim3*, dim3*, int*);
}

namespace reprise_cublas {
namespace {

constexpr uint32_t most_threads = 1024;

template <class Arguments>
constexpr reprise_param whole{0, sizeof(Arguments)};

template <class Arguments>
constexpr reprise_kernel kernel(const char* name, reprise_thunk thunk) {
  static_assert(sizeof(Arguments) <= 4096, "more than a kernel takes");
  reprise_kernel made{};
  made.name = name;
  made.thunk = thunk;
  made.params = &whole<Arguments>;
  made.param_count = 1;
  made.param_bytes = sizeof(Arguments);
  made.max_threads = most_threads;
  made.architecture = 90;
  return made;
}

template <class Work>
void thunk(const void* arguments, const reprise_launch* launch) {
  run_blocks(*static_cast<const Work*>(arguments), *launch);
}

// All kernels, one row each. The runtime finds them by name, so that each needs its own.
#define KERNELS(ROW)                                \
  ROW(Gemm, "cublas_gemm")                          \
  OF_ALL_TYPES(ROW, Gemv, "cublas_gemv")            \
  OF_ALL_TYPES(ROW, Vector, "cublas_vector")        \
  OF_ALL_TYPES(ROW, Reduction, "cublas_reduction")  \
  OF_ALL_TYPES(ROW, Outer, "cublas_outer_product")  \
  OF_ALL_TYPES(ROW, Sum, "cublas_sum")              \
  OF_ALL_TYPES(ROW, TriangularSolve, "cublas_trsm") \
  OF_ALL_TYPES(ROW, Factor, "cublas_getrf")         \
  OF_ALL_TYPES(ROW, FactorSolve, "cublas_getrs")    \
  OF_ALL_TYPES(ROW, FactorInverse, "cublas_getri")  \
  ROW(MixedVector, "cublas_mixed_vector")
#define OF_ALL_TYPES(ROW, Work, name) \
  ROW(Work<float>, name "_float")     \
  ROW(Work<double>, name "_double")   \
  ROW(Work<Complex>, name "_complex") \
  ROW(Work<DoubleComplex>, name "_double_complex")

#define KERNEL(Work, name) kernel<Work>(name, thunk<Work>),
const reprise_kernel kernels[] = {KERNELS(KERNEL)};
#undef KERNEL

constexpr int kernel_count = sizeof kernels / sizeof *kernels;

// Their addresses are the host stubs.
const char stubs[kernel_count] = {};

struct Registration {
  struct {
    int magic, version;
    const char* data;
    void* unused;
  } wrapper{0x466243b1, 1, "reprise cublas", nullptr};
  reprise_module module{reprise_abi_version, kernel_count, 0, 0, wrapper.data, kernels, nullptr};
  void** handle;

  Registration() : handle(__cudaRegisterFatBinary(&wrapper)) {
    for (int i = 0; i < kernel_count; ++i)
      __cudaRegisterFunction(handle, &stubs[i], nullptr, kernels[i].name, -1, nullptr, nullptr, nullptr, nullptr,
                             nullptr);
    __cudaRegisterFatBinaryEnd(handle);
    __reprise_register_module(&module);
  }
  ~Registration() {
    __cudaUnregisterFatBinary(handle);
    __reprise_unregister_module(&module);
  }
};

Registration registration;

// The number of a kernel, by its thunk.
const char* stub_for(reprise_thunk wanted) {
  for (int i = 0; i < kernel_count; ++i)
    if (kernels[i].thunk == wanted) return &stubs[i];
  return nullptr;
}

}  // namespace

#define STUB(Work, name)                                   \
  template <>                                              \
  const void* stub_of<Work>() {                            \
    static const char* const stub = stub_for(thunk<Work>); \
    return stub;                                           \
  }
KERNELS(STUB)
#undef STUB

cublasStatus_t launch_stub(const void* stub, uint64_t blocks, double cost, void* arguments, cudaStream_t stream) {
  if (blocks == 0) return CUBLAS_STATUS_SUCCESS;
  if (blocks > INT32_MAX) return CUBLAS_STATUS_NOT_SUPPORTED;
  // The runtime measures the cost per thread, so a block has as many threads as units of work.
  constexpr double work_of_thread = 8192;
  const auto threads = static_cast<uint32_t>(std::clamp(cost / work_of_thread, 1.0, double{most_threads}));
  void* parameters[] = {arguments};
  const cudaError_t error =
      cudaLaunchKernel(stub, dim3(static_cast<uint32_t>(blocks)), dim3(threads), parameters, 0, stream);
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

}  // namespace reprise_cublas
