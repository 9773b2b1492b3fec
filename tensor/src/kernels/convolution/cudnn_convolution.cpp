#include "kernels/convolution/cudnn_convolution.h"

#ifdef REPRISE_CUDNN
#include <cudnn.h>
#include <dlfcn.h>
#include <reprise/current_stream.h>

#include <memory>
#include <string>

#include "kernels/tensor/empty.h"

namespace reprise::kernels {
namespace {

// The library, loaded when a program convolves first: oneDNN takes 40 MB, and most programs do not convolve.
class Library {
 public:
  // Null if there is none.
  static const Library* get() {
    static const Library* const loaded = load();
    return loaded;
  }

#define REPRISE_CUDNN_FUNCTION(name) decltype(&cudnn##name) name = nullptr;
#define REPRISE_CUDNN_FUNCTIONS(each)                                                                               \
  each(Create) each(Destroy) each(SetStream) each(GetErrorString) each(CreateTensorDescriptor)                      \
      each(SetTensor4dDescriptor) each(DestroyTensorDescriptor) each(CreateFilterDescriptor)                        \
          each(SetFilter4dDescriptor) each(DestroyFilterDescriptor) each(CreateConvolutionDescriptor)               \
              each(SetConvolution2dDescriptor) each(SetConvolutionGroupCount) each(DestroyConvolutionDescriptor)    \
                  each(CreateActivationDescriptor) each(SetActivationDescriptor) each(DestroyActivationDescriptor)  \
                      each(ConvolutionForward) each(ConvolutionBiasActivationForward) each(ConvolutionBackwardData) \
                          each(ConvolutionBackwardFilter) each(GetConvolutionBackwardFilterWorkspaceSize)
  REPRISE_CUDNN_FUNCTIONS(REPRISE_CUDNN_FUNCTION)
#undef REPRISE_CUDNN_FUNCTION

 private:
  // The library lies beside the runtime. A program that contains the runtime (-cudart static) cannot use it, since it
  // would load a second one.
  static const Library* load() {
    Dl_info runtime;
    if (!dladdr(reinterpret_cast<const void*>(&cudaStreamSynchronize), &runtime) || !runtime.dli_fname) return nullptr;
    const std::string path = runtime.dli_fname;
    const std::size_t name = path.rfind("libreprise.so");
    if (name == std::string::npos) return nullptr;
    void* handle = dlopen((path.substr(0, name) + "libreprise_cudnn.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) return nullptr;
    auto library = std::make_unique<Library>();
    bool complete = true;
#define REPRISE_CUDNN_FUNCTION(name)                                                      \
  library->name = reinterpret_cast<decltype(&cudnn##name)>(dlsym(handle, "cudnn" #name)); \
  complete = complete && library->name;
    REPRISE_CUDNN_FUNCTIONS(REPRISE_CUDNN_FUNCTION)
#undef REPRISE_CUDNN_FUNCTION
#undef REPRISE_CUDNN_FUNCTIONS
    return complete ? library.release() : nullptr;
  }
};

// The handle of this thread, on the current stream.
cudnnHandle_t handle_of(const Library& cudnn) {
  struct Handle {
    cudnnHandle_t handle = nullptr;
    ~Handle() {
      if (handle) Library::get()->Destroy(handle);
    }
  };
  thread_local Handle own;
  if (!own.handle) check(cudnn.Create(&own.handle) == CUDNN_STATUS_SUCCESS, "conv2d: making a cuDNN handle failed");
  cudnn.SetStream(own.handle, current_stream());
  return own.handle;
}

// The descriptors of a convolution, for one call.
class Descriptors {
 public:
  Descriptors(const Library& cudnn, const ConvolutionShape& s) : cudnn_(cudnn) {
    cudnn.CreateTensorDescriptor(&x);
    cudnn.CreateTensorDescriptor(&y);
    cudnn.CreateTensorDescriptor(&bias);
    cudnn.CreateFilterDescriptor(&weight);
    cudnn.CreateConvolutionDescriptor(&convolution);
    cudnn.CreateActivationDescriptor(&identity);
    cudnn.SetTensor4dDescriptor(x, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, s.batch, s.in, s.height, s.width);
    cudnn.SetTensor4dDescriptor(y, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, s.batch, s.out, s.out_height, s.out_width);
    cudnn.SetTensor4dDescriptor(bias, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, s.out, 1, 1);
    cudnn.SetFilter4dDescriptor(weight, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, s.out, s.in / s.groups, s.rows, s.columns);
    cudnn.SetConvolution2dDescriptor(convolution, s.padding_h, s.padding_w, s.stride_h, s.stride_w, s.dilation_h,
                                     s.dilation_w, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT);
    cudnn.SetConvolutionGroupCount(convolution, s.groups);
    cudnn.SetActivationDescriptor(identity, CUDNN_ACTIVATION_IDENTITY, CUDNN_NOT_PROPAGATE_NAN, 0);
  }
  ~Descriptors() {
    cudnn_.DestroyTensorDescriptor(x);
    cudnn_.DestroyTensorDescriptor(y);
    cudnn_.DestroyTensorDescriptor(bias);
    cudnn_.DestroyFilterDescriptor(weight);
    cudnn_.DestroyConvolutionDescriptor(convolution);
    cudnn_.DestroyActivationDescriptor(identity);
  }
  Descriptors(const Descriptors&) = delete;
  Descriptors& operator=(const Descriptors&) = delete;

  cudnnTensorDescriptor_t x = nullptr, y = nullptr, bias = nullptr;
  cudnnFilterDescriptor_t weight = nullptr;
  cudnnConvolutionDescriptor_t convolution = nullptr;
  cudnnActivationDescriptor_t identity = nullptr;

 private:
  const Library& cudnn_;
};

constexpr float one = 1, zero = 0;

// Whether it was done; throws if it failed for another reason than that there is no such convolution.
bool done(const Library& cudnn, cudnnStatus_t status, const char* operation) {
  if (status == CUDNN_STATUS_NOT_SUPPORTED) return false;
  check(status == CUDNN_STATUS_SUCCESS, operation, ": cuDNN answered ", cudnn.GetErrorString(status));
  return true;
}

}  // namespace

bool cudnn_forward(const Tensor& y, const Tensor& x, const Tensor& weight, const Tensor& bias,
                   const ConvolutionShape& shape) {
  const Library* cudnn = Library::get();
  if (!cudnn) return false;
  const Descriptors of(*cudnn, shape);
  constexpr auto algorithm = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM;
  cudnnHandle_t handle = handle_of(*cudnn);
  if (!bias.defined())
    return done(*cudnn,
                cudnn->ConvolutionForward(handle, &one, of.x, x.data(), of.weight, weight.data(), of.convolution,
                                          algorithm, nullptr, 0, &zero, of.y, y.data()),
                "conv2d");
  return done(*cudnn,
              cudnn->ConvolutionBiasActivationForward(handle, &one, of.x, x.data(), of.weight, weight.data(),
                                                      of.convolution, algorithm, nullptr, 0, &zero, of.y, y.data(),
                                                      of.bias, bias.data(), of.identity, of.y, y.data()),
              "conv2d");
}

bool cudnn_backward_data(const Tensor& dx, const Tensor& dy, const Tensor& weight, const ConvolutionShape& shape) {
  const Library* cudnn = Library::get();
  if (!cudnn) return false;
  const Descriptors of(*cudnn, shape);
  return done(
      *cudnn,
      cudnn->ConvolutionBackwardData(handle_of(*cudnn), &one, of.weight, weight.data(), of.y, dy.data(), of.convolution,
                                     CUDNN_CONVOLUTION_BWD_DATA_ALGO_1, nullptr, 0, &zero, of.x, dx.data()),
      "conv2d_input_gradient");
}

bool cudnn_backward_filter(const Tensor& dw, const Tensor& dy, const Tensor& x, const ConvolutionShape& shape) {
  const Library* cudnn = Library::get();
  if (!cudnn) return false;
  const Descriptors of(*cudnn, shape);
  constexpr auto algorithm = CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1;
  cudnnHandle_t handle = handle_of(*cudnn);
  std::size_t bytes = 0;
  if (!done(*cudnn,
            cudnn->GetConvolutionBackwardFilterWorkspaceSize(handle, of.x, of.y, of.convolution, of.weight, algorithm,
                                                             &bytes),
            "conv2d_weight_gradient"))
    return false;
  const Tensor workspace = empty({static_cast<std::int64_t>(bytes / sizeof(float))});
  return done(*cudnn,
              cudnn->ConvolutionBackwardFilter(handle, &one, of.x, x.data(), of.y, dy.data(), of.convolution, algorithm,
                                               bytes ? workspace.data() : nullptr, bytes, &zero, of.weight, dw.data()),
              "conv2d_weight_gradient");
}

}  // namespace reprise::kernels
#else
namespace reprise::kernels {

bool cudnn_forward(const Tensor&, const Tensor&, const Tensor&, const Tensor&, const ConvolutionShape&) {
  return false;
}
bool cudnn_backward_data(const Tensor&, const Tensor&, const Tensor&, const ConvolutionShape&) { return false; }
bool cudnn_backward_filter(const Tensor&, const Tensor&, const Tensor&, const ConvolutionShape&) { return false; }

}  // namespace reprise::kernels
#endif
