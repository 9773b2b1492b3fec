// Entry points for convolutions: they check the arguments and launch one or two kernels.
#include "descriptors.h"
#include "kernels.h"

using namespace reprise_cudnn;

namespace {

// The shape, if the descriptors fit together.
bool shape_of(const cudnnTensorStruct* x, const cudnnFilterStruct* w, const cudnnConvolutionStruct* convolution,
              const cudnnTensorStruct* y, Shape& shape) {
  if (!x || !w || !convolution) return false;
  const cudnnConvolutionStruct& c = *convolution;
  if (x->c != w->c * c.groups || w->k % c.groups != 0) return false;
  shape = {x->n,     x->c,    x->h,    x->w,       w->k,       w->h,         w->w,
           c.groups, c.pad_h, c.pad_w, c.stride_h, c.stride_w, c.dilation_h, c.dilation_w};
  if (shape.out_h() < 1 || shape.out_w() < 1) return false;
  return !y || (y->n == shape.n && y->c == shape.k && y->h == shape.out_h() && y->w == shape.out_w());
}

bool is(const void* scalar, float value) { return scalar && *static_cast<const float*>(scalar) == value; }

struct Pointers {
  const void *a, *b, *bias;
  void *to, *workspace;
  size_t workspace_bytes;
};

size_t workspace_for(const Plan& plan) {
  return plan.sum_length > 0 ? plan.pieces.size() * static_cast<size_t>(plan.sum_length) * sizeof(float) : 0;
}

cudnnStatus_t run(cudnnHandle_t handle, const Shape& shape, const Options& options, const Pointers& pointers) {
  if (!handle) return CUDNN_STATUS_NOT_INITIALIZED;
  if (!pointers.a || !pointers.b || !pointers.to) return CUDNN_STATUS_BAD_PARAM;
  try {
    const Plan& plan = plan_of(shape, options, handle->cores);
    const bool adds = plan.sum_length > 0;
    if (adds && (!pointers.workspace || pointers.workspace_bytes < workspace_for(plan))) return CUDNN_STATUS_BAD_PARAM;
    float* to = static_cast<float*>(pointers.to);
    const Convolve work{&plan, static_cast<const float*>(pointers.a), static_cast<const float*>(pointers.b),
                        static_cast<const float*>(pointers.bias), adds ? static_cast<float*>(pointers.workspace) : to};
    const cudnnStatus_t status = launch(work, options.direction, handle->stream);
    if (status != CUDNN_STATUS_SUCCESS || !adds) return status;
    return launch(Add{work.to, to, plan.sum_length, static_cast<int>(plan.pieces.size())}, handle->stream);
  } catch (const dnnl::error& error) {
    return error.status == dnnl_unimplemented ? CUDNN_STATUS_NOT_SUPPORTED : CUDNN_STATUS_INTERNAL_ERROR;
  } catch (const std::exception&) {
    return CUDNN_STATUS_ALLOC_FAILED;
  }
}

}  // namespace

cudnnStatus_t cudnnGetConvolution2dForwardOutputDim(cudnnConvolutionDescriptor_t convDesc,
                                                    cudnnTensorDescriptor_t inputTensorDesc,
                                                    cudnnFilterDescriptor_t filterDesc, int* n, int* c, int* h,
                                                    int* w) {
  Shape shape;
  if (!n || !c || !h || !w || !shape_of(inputTensorDesc, filterDesc, convDesc, nullptr, shape))
    return CUDNN_STATUS_BAD_PARAM;
  *n = shape.n;
  *c = shape.k;
  *h = shape.out_h();
  *w = shape.out_w();
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnConvolutionForward(cudnnHandle_t handle, const void* alpha, const cudnnTensorDescriptor_t xDesc,
                                      const void* x, const cudnnFilterDescriptor_t wDesc, const void* w,
                                      const cudnnConvolutionDescriptor_t convDesc, cudnnConvolutionFwdAlgo_t, void*,
                                      size_t, const void* beta, const cudnnTensorDescriptor_t yDesc, void* y) {
  Shape shape;
  if (!yDesc || !shape_of(xDesc, wDesc, convDesc, yDesc, shape)) return CUDNN_STATUS_BAD_PARAM;
  if (!is(alpha, 1) || !is(beta, 0)) return CUDNN_STATUS_NOT_SUPPORTED;
  return run(handle, shape, {Direction::forward, false, false}, {x, w, nullptr, y, nullptr, 0});
}

cudnnStatus_t cudnnConvolutionBiasActivationForward(
    cudnnHandle_t handle, const void* alpha1, const cudnnTensorDescriptor_t xDesc, const void* x,
    const cudnnFilterDescriptor_t wDesc, const void* w, const cudnnConvolutionDescriptor_t convDesc,
    cudnnConvolutionFwdAlgo_t, void*, size_t, const void* alpha2, const cudnnTensorDescriptor_t, const void*,
    const cudnnTensorDescriptor_t biasDesc, const void* bias, const cudnnActivationDescriptor_t activationDesc,
    const cudnnTensorDescriptor_t yDesc, void* y) {
  Shape shape;
  if (!yDesc || !shape_of(xDesc, wDesc, convDesc, yDesc, shape)) return CUDNN_STATUS_BAD_PARAM;
  if (!bias || !activationDesc || !biasDesc || biasDesc->c != shape.k || biasDesc->n * biasDesc->h * biasDesc->w != 1)
    return CUDNN_STATUS_BAD_PARAM;
  if (!is(alpha1, 1) || !is(alpha2, 0)) return CUDNN_STATUS_NOT_SUPPORTED;
  const bool relu = activationDesc->mode == CUDNN_ACTIVATION_RELU;
  return run(handle, shape, {Direction::forward, true, relu}, {x, w, bias, y, nullptr, 0});
}

cudnnStatus_t cudnnConvolutionBackwardData(cudnnHandle_t handle, const void* alpha, const cudnnFilterDescriptor_t wDesc,
                                           const void* w, const cudnnTensorDescriptor_t dyDesc, const void* dy,
                                           const cudnnConvolutionDescriptor_t convDesc, cudnnConvolutionBwdDataAlgo_t,
                                           void*, size_t, const void* beta, const cudnnTensorDescriptor_t dxDesc,
                                           void* dx) {
  Shape shape;
  if (!dyDesc || !shape_of(dxDesc, wDesc, convDesc, dyDesc, shape)) return CUDNN_STATUS_BAD_PARAM;
  if (!is(alpha, 1) || !is(beta, 0)) return CUDNN_STATUS_NOT_SUPPORTED;
  return run(handle, shape, {Direction::data, false, false}, {dy, w, nullptr, dx, nullptr, 0});
}

cudnnStatus_t cudnnConvolutionBackwardFilter(cudnnHandle_t handle, const void* alpha,
                                             const cudnnTensorDescriptor_t xDesc, const void* x,
                                             const cudnnTensorDescriptor_t dyDesc, const void* dy,
                                             const cudnnConvolutionDescriptor_t convDesc,
                                             cudnnConvolutionBwdFilterAlgo_t, void* workSpace,
                                             size_t workSpaceSizeInBytes, const void* beta,
                                             const cudnnFilterDescriptor_t dwDesc, void* dw) {
  Shape shape;
  if (!dyDesc || !shape_of(xDesc, dwDesc, convDesc, dyDesc, shape)) return CUDNN_STATUS_BAD_PARAM;
  if (!is(alpha, 1) || !is(beta, 0)) return CUDNN_STATUS_NOT_SUPPORTED;
  return run(handle, shape, {Direction::filter, false, false}, {x, dy, nullptr, dw, workSpace, workSpaceSizeInBytes});
}

cudnnStatus_t cudnnGetConvolutionBackwardFilterWorkspaceSize(cudnnHandle_t handle, const cudnnTensorDescriptor_t xDesc,
                                                             const cudnnTensorDescriptor_t dyDesc,
                                                             const cudnnConvolutionDescriptor_t convDesc,
                                                             const cudnnFilterDescriptor_t gradDesc,
                                                             cudnnConvolutionBwdFilterAlgo_t, size_t* sizeInBytes) {
  Shape shape;
  if (!handle) return CUDNN_STATUS_NOT_INITIALIZED;
  if (!sizeInBytes || !dyDesc || !shape_of(xDesc, gradDesc, convDesc, dyDesc, shape)) return CUDNN_STATUS_BAD_PARAM;
  try {
    *sizeInBytes = workspace_for(plan_of(shape, {Direction::filter, false, false}, handle->cores));
  } catch (const std::exception&) {
    return CUDNN_STATUS_NOT_SUPPORTED;
  }
  return CUDNN_STATUS_SUCCESS;
}
